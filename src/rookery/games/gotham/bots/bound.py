"""An upper bound of the expected points of a first loop of Gotham Loops, when nothing has been visited yet.

The expected points of a loop depend only on how many cells it enters at each distance from home. The bound maximises
over such counts, by dynamic programming from home outwards. Every loop satisfies the conditions that are checked here
(each step leads one further out or one closer, and a cell has few neighbours), but not all counts that satisfy them
belong to a loop. Branch and bound: counts are dropped when even a free choice of farther cells could not beat the best
loop known.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import exp, log1p
from typing import TYPE_CHECKING

from rookery.games.gotham import rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_EXTENSIONS = 2_000_000
"""Extensions tried; after that, the bound is that of a free choice of cells from there on."""
ROUNDING = 1e-12
"""The relative difference from which one value counts as higher than another."""
MIN_COST = 1e-15
"""The cost of a check that always passes; not 0, because points are divided by it."""
AXES = 4
"""Cells at each distance straight up, right, down or left of home."""


@dataclass(frozen=True)
class City:
    """The cost and points of entering a cell by its distance from home, when nothing has been visited yet."""

    size: int
    coins: int
    rule_set: int

    @cached_property
    def _words(self) -> list[int]:
        """The position at the start."""
        config = (self.size, self.coins, self.rule_set)
        words = [0] * rules.size(config)
        rules.start(words, config)
        return words

    @property
    def edge(self) -> int:
        """The greatest distance."""
        return self.size - 1

    def cost(self, away: int) -> float:
        """The negative logarithm of the probability to pass the check of a cell."""
        column, row = min(away, self.size // 2), max(0, away - self.size // 2)
        return max(MIN_COST, -log1p(-rules.risk(self._words, self._words[rules.HOME] + column + self.size * row)))

    def cells(self, away: int) -> int:
        """The number of cells at a distance."""
        return 4 * away if away <= self.size // 2 else 4 * (self.size - away)

    @property
    def points(self) -> int:
        """The points of all cells together."""
        return sum(away * self.cells(away) for away in range(1, self.size))


def bound(city: City, known: float, seen: Callable[[int], None] = lambda away: None) -> float:
    """An upper bound of the expected points of a first loop; at least `known`, the value of a loop that was found.

    `seen` is called with each distance that is done.
    """
    best, ways = known, 0
    states: dict[tuple[int, int, int], float] = {(1, 0, 0): 0.0}
    gains = [0.0] * (city.size + 1)
    for away in range(city.edge, 0, -1):
        gains[away] = max(gains[away + 1], away / city.cost(away))
    extend = sets if city.rule_set == rules.TABLE else walks
    for away in range(1, city.size):
        price = city.cost(away)
        grown: dict[tuple[int, int, int], float] = {}
        for (out, owed, points), cost in states.items():
            if ways > MAX_EXTENSIONS:
                freely = max(relaxed(gains[away], points, cost) for (_, _, points), cost in states.items())
                return max(best, min(freely, city.points))
            for more_out, more_owed, entered, worth in extend(city, away, out, owed):
                ways += 1
                then, total = points + away * worth, cost + entered * price
                if relaxed(gains[away], then, total) <= best * (1 + ROUNDING):
                    continue
                if more_owed == 0:
                    best = max(best, then * exp(-total))
                if relaxed(gains[away + 1], then, total) > best * (1 + ROUNDING):
                    key = more_out, more_owed, then
                    grown[key] = min(total, grown.get(key, total))
        states = grown
        seen(away)
    return best


def relaxed(gain: float, points: int, cost: float) -> float:
    """The most that counts can reach if every further point costs 1 / `gain`, and points are added while they pay."""
    return (points if points >= gain else gain * exp(points / gain - 1.0)) * exp(-cost)


def sets(city: City, away: int, out: int, owed: int) -> Iterator[tuple[int, int, int, int]]:
    """The possible counts at a distance under the rules `table`, where walking back is free.

    At most `out` cells are entered from closer ones. The others are entered from farther cells, which the next distance
    owes; the `owed` farther entries of the distance before must happen here. Yields the entries outwards that become
    possible, the entries owed, the cells entered, and the cells that score.
    """
    room = city.cells(away)
    for outwards in range(1 if away == 1 else 0, min(out, room) + 1):
        for inwards in range(room - outwards + 1 if away < city.edge else 1):
            entered = outwards + inwards
            if entered == 0:
                continue
            # A cell has two neighbours farther out and two closer to home; on an axis, three and one. One of them is
            # the cell from which it is entered itself.
            for axial in (entered,) if away == 1 else range(min(AXES, entered) + 1):
                if outwards + 2 * inwards - axial < owed:
                    break
                yield 2 * entered + axial - inwards, inwards, entered, entered


def walks(city: City, away: int, out: int, owed: int) -> Iterator[tuple[int, int, int, int]]:
    """The possible counts at a distance under the rules `online` and `app`, where a loop is a closed walk.

    It steps `out` times to this distance from closer cells, and as often back; each step further out comes back here,
    too. A cell scores only once. Yields the steps outwards, nothing owed, the entries, and the cells that score.
    """
    room = city.cells(away)
    for further in range(2 * city.cells(away + 1) + 1 if out and away < city.edge else 1 if out else 0):
        yield further, 0, out + further, min(out + further, room)
