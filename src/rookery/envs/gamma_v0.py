"""Gamma as PettingZoo's environment; see `rookery.envs.gamma_v0.env`."""

from __future__ import annotations

from typing import Any, ClassVar

from rookery.system.requirements import need

need("envs", "PettingZoo's environment", "gymnasium", "pettingzoo")

from rookery.envs.aec import GameAECEnv  # noqa: E402 - once it is known that it can be imported


class raw_env(GameAECEnv):  # noqa: N801 - PettingZoo's name for it
    """Gamma: take more cells than anybody, in few areas, with one golden move each.

    | | |
    |---|---|
    | id | `rookery/gamma_v0`, or `from rookery.envs import gamma_v0` |
    | options | `width=10`, `height=10`, `players=2`, `areas=4`, `pass_out=True`, `max_cycles=None` |
    | agents | `player_1`, `player_2`, … |
    | actions | `Discrete(2·cells + 1)`: a move by its cell, row by row from the bottom, golden moves likewise, pass |
    | observations | `observation`: height × width × (2·players + 1), the planes of `rookery/Gamma-v0`; `action_mask` |
    | rewards | 1 for the winner, −1 for the others, 0 in a draw; −1 and the end for an illegal action |

    Version history:

    - v0: the first.
    """

    name = "gamma"
    metadata: ClassVar[dict[str, Any]] = {**GameAECEnv.metadata, "name": "gamma_v0"}


env = raw_env
"""It checks order, bounds and illegal actions itself and needs none of PettingZoo's wrappers."""
