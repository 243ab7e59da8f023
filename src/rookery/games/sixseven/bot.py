"""The bots of 67!."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rookery.core.bot import Analysis, Bot, Budget, Random, ranked
from rookery.games.sixseven import rules
from rookery.games.sixseven.rules import FREE, GOAL, KIND, NUMBER, WON

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rookery.core.state import State
    from rookery.core.stream import Stream


@dataclass(frozen=True)
class Greedy(Bot):
    """Looks one slide ahead, and for a 67 one slide further. Its value: 100 for a 67, 30 for one in reach, a point for
    each empty cell, and half a point for each number that a digit could bring to 67.
    """

    name: ClassVar[str] = "greedy"

    def think(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        values = {}
        for action in state.actions():
            words = list(state.words)
            rules.slide(words, action)
            values[action] = worth(words)
        return ranked(state, values, nodes=len(values))


def worth(words: list[int]) -> float:
    """What a position is worth after a slide, before new tiles appear."""
    if words[WON]:
        return 100.0
    cells = words[rules.ROWS] * words[rules.COLS]
    near = sum(
        words[KIND + cell] == NUMBER and abs(words[KIND + cells + cell] - GOAL) < rules.DIGITS for cell in range(cells)
    )
    value = words[FREE] + 0.5 * near
    for direction in range(4):
        after = list(words)
        rules.slide(after, direction)
        if after[WON]:
            return value + 30.0
    return value


BOTS: Mapping[str, type[Bot]] = {each.name: each for each in (Random, Greedy)}
