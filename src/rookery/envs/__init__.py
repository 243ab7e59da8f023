"""The games as learning environments for Gymnasium, PettingZoo and OpenSpiel.

Nothing is registered until one of these is imported:

| for | import | then |
|---|---|---|
| Gymnasium | `rookery.envs` | `gymnasium.make("rookery/SixSeven-v0")`, and `gymnasium.make_vec` likewise |
| PettingZoo | `rookery.envs.gaterun_v0` or `gamma_v0` | `pettingzoo.make("aec", "rookery/gaterun_v0")` |
| OpenSpiel | `rookery.envs.openspiel` | `pyspiel.load_game("rookery_gaterun")` |

Gymnasium imports this package by itself if the name says so: `gymnasium.make("rookery.envs:rookery/SixSeven-v0")`.
Importing this package also registers with PettingZoo and OpenSpiel if they are already imported. It never imports them
or Numba, and it works if any of the libraries is missing.
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
"""Gymnasium's ids of the environments, and the prefixes of their classes."""
PETTINGZOO_MODULES = ("gaterun_v0", "gamma_v0")
"""The modules with PettingZoo environments."""


def register() -> None:
    """Register with Gymnasium, if it can be imported, and with PettingZoo and OpenSpiel, if they are already imported.
    Existing registrations stay.
    """
    if can_import("gymnasium.vector"):
        register_gymnasium()
    if sys.modules.get("pettingzoo") is not None:
        register_pettingzoo()
    if sys.modules.get("pyspiel") is not None:
        can_import("rookery.envs.openspiel")  # registers on import


def can_import(name: str) -> bool:
    """Try to import a module; return whether that worked. Using a missing or broken one raises its error."""
    try:
        import_module(name)
    except Exception:
        return False
    return True


def register_gymnasium() -> None:
    """Register the environments with Gymnasium, without wrappers: they check order and bounds themselves."""
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
                vector_entry_point=f"rookery.envs.vector:{title}VectorEnv",
                order_enforce=False,
                disable_env_checker=True,
            )
        else:
            register(id=name, entry_point="rookery.envs:refuse_old_gymnasium")


def refuse_old_gymnasium(**options: Any) -> None:
    """Raise an error with the Gymnasium version needed; the entry point of all environments if it is too old."""
    import gymnasium

    from rookery.system.requirements import too_old

    raise too_old("envs", "gymnasium", gymnasium.__version__)


def register_pettingzoo() -> None:
    """Register the environments with PettingZoo, if it is new enough to have a registry."""
    import pettingzoo

    for name in PETTINGZOO_MODULES if hasattr(pettingzoo, "aec_registry") else ():
        key = f"rookery/{name.replace('_v', '-v')}"  # as in PettingZoo's registry
        if key not in pettingzoo.aec_registry:
            pettingzoo.register("aec", f"rookery/{name}", entry_point=f"rookery.envs.{name}:env")


register()
