"""The bots of Gotham Loops, and what its levels are made of."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING, ClassVar

from rookery.core.bot import Analysis, Bot, Budget, Random, ranked
from rookery.games.gotham import rules
from rookery.games.gotham.rules import AT, POINTS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rookery.core.state import State
    from rookery.core.stream import Stream


@dataclass(frozen=True)
class Greedy(Bot):
    """Goes on as long as the next cell promises more than it risks, then takes the safest way home.

    Its value is the points it expects to bring home this round if the next step is its last one outwards.
    """

    name: ClassVar[str] = "greedy"

    def think(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        words = list(state.words)
        ways = ways_home(words)
        values = {}
        for direction in state.actions():
            cell = rules.neighbour(words, words[AT], direction)
            chance = 1 - rules.risk(words, cell) if rules.needs_check(words, cell) else 1.0
            values[direction] = chance * ways[cell] * (words[POINTS] + rules.worth(words, cell))
            if rules.worth(words, cell) == 0 and not homewards(words, ways, cell):
                values[direction] -= 1e-9  # nothing to gain and no nearer to home
        return ranked(state, values, nodes=len(values))


def homewards(words: list[int], ways: list[float], cell: int) -> bool:
    """Whether a cell is on a safest way home, and nearer."""
    here = words[AT]
    return ways[cell] > ways[here] or (ways[cell] == ways[here] and _steps(words, cell) < _steps(words, here))


def ways_home(words: list[int]) -> list[float]:
    """For every cell the probability of the safest walk home from it, the cells entered so far taken into account."""
    n = words[rules.SIZE]
    ways = [0.0] * (n * n)
    home = rules.home(words)
    ways[home] = 1.0
    waiting = [(-1.0, home)]
    while waiting:
        way, cell = heappop(waiting)
        if -way < ways[cell]:
            continue
        # Whoever comes to this cell from a neighbour must get into it first.
        into = -way * ((1 - rules.risk(words, cell)) if rules.needs_check(words, cell) else 1.0)
        for direction in range(4):
            beside = rules.neighbour(words, cell, direction)
            if beside >= 0 and into > ways[beside]:
                ways[beside] = into
                heappush(waiting, (-into, beside))
    return ways


def _steps(words: list[int], start: int) -> int:
    """Steps home from a cell over cells that need no check; many if there is no such way."""
    home, far = rules.home(words), words[rules.SIZE] ** 2
    ring, seen, steps = [start], {start}, 0
    while ring:
        if home in ring:
            return steps
        beyond = [rules.neighbour(words, cell, direction) for cell in ring for direction in range(4)]
        ring = []
        for cell in beyond:
            if cell >= 0 and cell not in seen and not rules.needs_check(words, cell):
                seen.add(cell)
                ring.append(cell)
        steps += 1
    return far + rules.distance(words, start)


BOTS: Mapping[str, type[Bot]] = {each.name: each for each in (Random, Greedy)}

LEVELS = (*(f"greedy:slip={slip}" for slip in (0.9, 0.7, 0.5, 0.4, 0.3, 0.2, 0.15, 0.1, 0.05)), "greedy")
