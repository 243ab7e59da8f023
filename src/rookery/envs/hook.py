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
LOOKED_FOR: set[str] = set()
"""What is being looked for by everybody else."""


class Finder:
    """Finds these packages like everybody else, and has the environments registered as soon as one is loaded."""

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in WAITING or name in LOOKED_FOR:
            return None
        from importlib.util import find_spec

        LOOKED_FOR.add(name)
        try:
            spec = find_spec(name)
        finally:
            LOOKED_FOR.discard(name)
        if spec is None or spec.loader is None:
            return spec
        load = spec.loader.exec_module

        def load_and_register(module: ModuleType) -> None:
            load(module)
            register(name)

        spec.loader.exec_module = load_and_register  # type: ignore[method-assign]
        return spec


def register(name: str) -> None:
    """Tell a package that has been loaded of the environments, once."""
    if (call := WAITING.pop(name, None)) is not None:
        from rookery import envs

        getattr(envs, call)()


def set_up() -> None:
    """Tell the packages that are there already, and wait for the others."""
    for name in set(WAITING) & set(sys.modules):
        register(name)
    sys.meta_path.insert(0, Finder)
