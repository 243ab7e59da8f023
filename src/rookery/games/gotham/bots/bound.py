"""How much a loop of Gotham Loops can promise at most when nothing has been visited yet: an upper bound by counting.

What a loop promises depends only on how many cells it enters at each distance from home. Not all counts can be had,
because each step leads one further out or one closer, and a cell has only so many neighbours; but every loop obeys
what is checked here, so the best counts that do are worth at least as much as the best loop. Counts are built up from
home outwards, a distance at a time, and dropped when even cells to choose from freely could not make them worth more
than a loop that is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log1p
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST_WAYS = 2_000_000
"""Ways to go on that are looked at; if there are more, the bound is that of choosing cells freely from there on."""
ROUNDING = 1e-12
"""The share by which one figure must be above another to count as higher."""
NOTHING = 1e-15
"""A cost that is none."""
AXES = 4
"""Cells at each distance that lie straight up, right, down or left of home."""


@dataclass(frozen=True)
class City:
    """What entering a cell costs and brings, by its distance from home; nothing has been visited yet."""

    size: int
    coins: int

    @property
    def edge(self) -> int:
        """The greatest distance."""
        return self.size - 1

    def cost(self, away: int) -> float:
        """What a cell takes from the logarithm of the probability to get through."""
        return max(NOTHING, -log1p(-((1.0 - 1.0 / (1 << self.coins)) ** (self.size - away))))

    def cells(self, away: int) -> int:
        """How many cells there are at a distance."""
        return 4 * away if away <= self.size // 2 else 4 * (self.size - away)

    @property
    def points(self) -> int:
        """What all cells together bring."""
        return sum(away * self.cells(away) for away in range(1, self.size))


def bound(city: City, known: float, *, online: bool, seen: Callable[[int], None] = lambda away: None) -> float:
    """A figure that no first loop promises more than; not below what one is known to promise.

    `seen` is called with each distance that is done.
    """
    best, ways = known, 0
    states: dict[tuple[int, int, int], float] = {(1, 0, 0): 0.0}
    gains = [0.0] * (city.size + 1)
    for away in range(city.edge, 0, -1):
        gains[away] = max(gains[away + 1], away / city.cost(away))
    grow = walks if online else sets
    for away in range(1, city.size):
        price = city.cost(away)
        grown: dict[tuple[int, int, int], float] = {}
        for (out, owed, points), cost in states.items():
            if ways > MOST_WAYS:
                freely = max(promise(gains[away], points, cost) for (_, _, points), cost in states.items())
                return max(best, min(freely, city.points))
            for more_out, more_owed, entered, worth in grow(city, away, out, owed):
                ways += 1
                then, total = points + away * worth, cost + entered * price
                if promise(gains[away], then, total) <= best * (1 + ROUNDING):
                    continue
                if more_owed == 0:
                    best = max(best, then * exp(-total))
                if promise(gains[away + 1], then, total) > best * (1 + ROUNDING):
                    key = more_out, more_owed, then
                    grown[key] = min(total, grown.get(key, total))
        states = grown
        seen(away)
    return best


def promise(gain: float, points: int, cost: float) -> float:
    """What counts may come to promise if every further point costs 1 / `gain`, as long as more points are worth it."""
    return (points if points >= gain else gain * exp(points / gain - 1.0)) * exp(-cost)


def sets(city: City, away: int, out: int, owed: int) -> Iterator[tuple[int, int, int, int]]:
    """How many cells may be entered at a distance under the rules `table`, where walking back is free.

    At most `out` of them are entered from closer cells. The others are entered from farther ones, which are owed then;
    those owed so far must be entered from here. For each way: what may be entered outwards from here and what is owed,
    cells entered and cells that bring points.
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
    """How often cells may be entered at a distance under the rules `online`, where a loop is a closed walk.

    It goes `out` there from closer cells, and as often back; each further step out comes back here too. Cells entered
    again bring nothing. For each way: the steps outwards, nothing owed, entries, and cells that bring points.
    """
    room = city.cells(away)
    for further in range(2 * city.cells(away + 1) + 1 if out and away < city.edge else 1 if out else 0):
        yield further, 0, out + further, min(out + further, room)
