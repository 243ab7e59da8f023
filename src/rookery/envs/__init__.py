"""The games as learning environments for Gymnasium, PettingZoo and OpenSpiel.

Nothing is registered until one of these is imported:

| for | import | then |
|---|---|---|
| Gymnasium | `rookery.envs` | `gymnasium.make("rookery/SixSeven-v0")`, and `gymnasium.make_vec` likewise |
| PettingZoo | `rookery.envs.gaterun_v0` or `gamma_v0` | `pettingzoo.make("aec", "rookery/gaterun_v0")` |
| OpenSpiel | `rookery.envs.openspiel` | `pyspiel.load_game("rookery_gaterun")` |

Gymnasium imports this package by itself if the name says so: `gymnasium.make("rookery.envs:rookery/SixSeven-v0")`.
Importing this package also registers with PettingZoo and OpenSpiel if they were imported before. It never imports
them, nor Numba, and it works with any of the libraries missing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

IDS = {
    "rookery/SixSeven-v0": "SixSeven",
    "rookery/GothamLoops-v0": "GothamLoops",
    "rookery/GateRun-v0": "GateRun",
    "rookery/Gamma-v0": "Gamma",
}
"""What Gymnasium calls the environments, and how their classes begin."""
SEATS = ("gaterun_v0", "gamma_v0")
"""The modules of PettingZoo's environments."""


def register() -> None:
    """Register with Gymnasium, which is imported if it can be, and with PettingZoo and OpenSpiel if they were imported
    before. What is registered already stays as it is.
    """
    if can_import("gymnasium.vector"):
        register_gymnasium()
    if sys.modules.get("pettingzoo") is not None:
        register_pettingzoo()
    if sys.modules.get("pyspiel") is not None:
        can_import("rookery.envs.openspiel")  # which registers by itself


def can_import(name: str) -> bool:
    """Import a module if that works. One that is missing or broken is left to those who use it: they get its error."""
    try:
        import_module(name)
    except Exception:
        return False
    return True


def register_gymnasium() -> None:
    """Tell Gymnasium of the environments.

    They check order and bounds themselves, so no wrappers are put around them unless somebody asks.
    """
    import gymnasium.vector
    from gymnasium.envs.registration import register, registry

    recent = hasattr(gymnasium.vector, "AutoresetMode")
    for name, title in IDS.items():
        if name in registry:
            continue
        if recent:
            register(
                id=name,
                entry_point=f"rookery.envs.single:{title}Env",
                vector_entry_point=f"rookery.envs.batch:{title}VectorEnv",
                order_enforce=False,
                disable_env_checker=True,
            )
        else:
            register(id=name, entry_point="rookery.envs:refuse_old_gymnasium")


def refuse_old_gymnasium(**options: Any) -> None:
    """Say which Gymnasium is needed; it stands for every environment where Gymnasium is too old."""
    import gymnasium

    from rookery.system.requirements import too_old

    raise too_old("envs", "gymnasium", gymnasium.__version__)


def register_pettingzoo() -> None:
    """Tell PettingZoo of the environments, if it is new enough to have a registry."""
    import pettingzoo

    for name in SEATS if hasattr(pettingzoo, "aec_registry") else ():
        kept = f"rookery/{name.replace('_v', '-v')}"  # as PettingZoo writes it in its registry
        if kept not in pettingzoo.aec_registry:
            pettingzoo.register("aec", f"rookery/{name}", entry_point=f"rookery.envs.{name}:env")


register()
