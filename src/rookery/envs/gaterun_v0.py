"""GateRun as PettingZoo's environment; see `rookery.envs.gaterun_v0.env`."""

from __future__ import annotations

from typing import Any, ClassVar

from rookery.system.requirements import need

need("envs", "PettingZoo's environment", "gymnasium", "pettingzoo")

from rookery.envs.aec import GameAECEnv  # noqa: E402 - once it is known that it can be imported


class raw_env(GameAECEnv):  # noqa: N801 - PettingZoo's name for it
    """GateRun: a race of two pawns to the other side; every turn a step or a wall.

    | | |
    |---|---|
    | id | `rookery/gaterun_v0`, or `from rookery.envs import gaterun_v0` |
    | options | `size=7`, `walls=8`, `walls2=None`, `jump=False`, `rotate=False`, `max_cycles=None` |
    | agents | `player_1` and `player_2` |
    | actions | `Discrete`: steps by their cell, row by row from the top, then walls by their edge, pass, jumps, turns |
    | observations | `observation`: size × size × 13, `int16`, with the planes of `rookery/GateRun-v0`; `action_mask` |
    | rewards | 1 for a win, −1 for a loss, 0 for a draw; −1 and the end for an illegal action |

    Version history:

    - v0: the first.
    """

    name = "gaterun"
    metadata: ClassVar[dict[str, Any]] = {**GameAECEnv.metadata, "name": "gaterun_v0"}


env = raw_env
"""It checks order, bounds and illegal actions itself and needs none of PettingZoo's wrappers."""
