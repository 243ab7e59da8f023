"""Registers the environments when somebody imports Gymnasium, PettingZoo or OpenSpiel, which look for no plugins.

The file rookery.pth, installed beside the package, imports this module whenever Python starts: it must stay small.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

WAITING = {"gymnasium": "register", "pettingzoo": "register_seats", "pyspiel": "register_spiel"}
"""What is to be called when a package has been loaded."""


class Finder:
    """Finds these packages like everybody else, once each, and has the environments registered as soon as they are
    loaded.
    """

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in WAITING:
            return None
        call = WAITING.pop(name)
        from importlib.util import find_spec

        spec = find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        load = spec.loader.exec_module

        def load_and_register(module: ModuleType) -> None:
            load(module)
            from rookery import envs

            getattr(envs, call)()

        spec.loader.exec_module = load_and_register  # type: ignore[method-assign]
        return spec


for loaded in set(WAITING) & set(sys.modules):
    del WAITING[loaded]
sys.meta_path.insert(0, Finder)
