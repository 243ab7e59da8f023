"""The bots of 67!."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rookery.core.bot import Analysis, Bot, Budget, Random, ranked
from rookery.games.sixseven import rules
from rookery.games.sixseven.position import tiles
from rookery.games.sixseven.rules import FREE, GOAL, WON, is_number, value_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rookery.core.state import State
    from rookery.core.stream import Stream


@dataclass(frozen=True)
class Greedy(Bot):
    """Looks one slide ahead, and a second one for what it could bring.

    Its value: 100 for a 67, 30 for one in reach, half a point for each empty cell, two for each number that a digit
    could bring to 67 and half of one for each that a second slide would make, minus one for each beyond ±99.
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
    value = 0.5 * words[FREE] + 2.0 * near(words) - wild(words)
    for direction in range(4):
        after = list(words)
        rules.slide(after, direction)
        if after[WON]:
            return value + 30.0
        value += 0.5 * near(after)
    return value


def near(words: list[int]) -> int:
    """Numbers that one digit more or less could bring to 67."""
    return sum(abs(number - GOAL) < rules.DIGITS for number in numbers(words))


def wild(words: list[int]) -> int:
    """Numbers too large to be of use."""
    return sum(abs(number) > 99 for number in numbers(words))


def numbers(words: list[int]) -> Iterator[int]:
    return (value_of(tile) for tile in tiles(words) if is_number(tile))


BOTS: Mapping[str, type[Bot]] = {each.name: each for each in (Random, Greedy)}
