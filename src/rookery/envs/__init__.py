"""The games as environments for learning: Gymnasium, alone and in batches, PettingZoo and OpenSpiel.

`gymnasium.make("rookery/SixSeven-v0")` and `gymnasium.make_vec("rookery/SixSeven-v0", num_envs=4096)` work without
importing this; `from rookery.envs import gaterun_v0, gamma_v0` has the games for several players as PettingZoo's, and
importing `rookery.envs.openspiel` registers all of them with OpenSpiel.
"""

from __future__ import annotations

IDS = {
    "rookery/SixSeven-v0": "SixSeven",
    "rookery/GothamLoops-v0": "GothamLoops",
    "rookery/GateRun-v0": "GateRun",
    "rookery/Gamma-v0": "Gamma",
}
"""What Gymnasium calls the environments, and how their classes begin."""


def register() -> None:
    """Tell Gymnasium of the environments.

    They look after order and bounds themselves, so no wrappers are put around them unless somebody asks.
    """
    import gymnasium

    for name, title in IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point=f"rookery.envs.single:{title}Env",
                vector_entry_point=f"rookery.envs.batch:{title}VectorEnv",
                order_enforce=False,
                disable_env_checker=True,
            )
