"""The games as environments for learning: Gymnasium, alone and in batches, PettingZoo and OpenSpiel.

`gymnasium.make("rookery/SixSeven-v0")`, `gymnasium.make_vec("rookery/SixSeven-v0", num_envs=4096)`,
`pettingzoo.make("aec", "rookery/gaterun_v0")` and `pyspiel.load_game("rookery_gaterun")` work without importing this.
`from rookery.envs import gaterun_v0` has PettingZoo's environments as modules. Where the hook that does so is not
installed, importing this does the same.
"""

from __future__ import annotations

from rookery.envs import hook

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
    """Tell Gymnasium of the environments.

    They look after order and bounds themselves, so no wrappers are put around them unless somebody asks.
    """
    from gymnasium.envs.registration import register, registry

    for name, title in IDS.items():
        if name not in registry:
            register(
                id=name,
                entry_point=f"rookery.envs.single:{title}Env",
                vector_entry_point=f"rookery.envs.batch:{title}VectorEnv",
                order_enforce=False,
                disable_env_checker=True,
            )


def register_seats() -> None:
    """Tell PettingZoo of the environments, if it is new enough to have a registry."""
    import pettingzoo

    for name in SEATS if hasattr(pettingzoo, "aec_registry") else ():
        if f"rookery/{name}" not in pettingzoo.aec_registry:
            pettingzoo.register("aec", f"rookery/{name}", entry_point=f"rookery.envs.{name}:env")


def register_spiel() -> None:
    """Tell OpenSpiel of the games, which that module does as soon as it is loaded."""
    import rookery.envs.openspiel  # noqa: F401 - loading it is all


hook.set_up()
