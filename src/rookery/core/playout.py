"""Random play to the end: a generic algorithm over the rule functions, specialised per game by `compiled.py`."""

from __future__ import annotations

from rookery.core.rules import CHANCE, OVER, TURN
from rookery.core.stream import below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Rules, Words

rules: Rules = None  # type: ignore[assignment]
"""The game's rules; there are none until the module is specialised."""


def playout(s: Words, r: Words, out: Words, trace: Words) -> int:
    """Play uniformly random legal actions until the game is over or `trace` is full.

    `r` also decides chance; `out` is a buffer for the legal actions. Every action and outcome is written into
    `trace`; their number is returned.
    """
    plies = 0
    while s[TURN] != OVER and plies < len(trace):
        if s[TURN] == CHANCE:
            action = rules.draw(s, r)
        else:
            action = out[below(r, rules.actions(s, out))]
        rules.play(s, action)
        trace[plies] = action
        plies += 1
    return plies
