"""Changes of a plan for Gotham Loops, the neighbourhood of the annealing: plain functions like the rules."""

from __future__ import annotations

from rookery.core.stream import below
from rookery.games.gotham.bots.plan import BEGUN, LAST, STAMP, PlanBuffers
from rookery.games.gotham.rules import CITY_SIZE, HOME, ROUND, RULES, TABLE, distance, neighbour

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Words

COPY_ROUND = 40
"""One change in this many copies the route of another round."""
SYMMETRIES = 8
"""Ways to turn or mirror a city."""


def change(b: PlanBuffers, k: int) -> bool:
    """Change the route of a round a little, or copy another round's route; return whether anything changed.

    Cells that have been entered already keep their places. They may be in any order, so the current round's route is
    not copied.
    """
    first, last = b.s[ROUND], b.facts[LAST]
    begun = b.facts[BEGUN] if k == first else 0
    if last > first and below(b.r, COPY_ROUND) == 0:
        other = first + below(b.r, last - first + 1)
        if other == k or (b.facts[BEGUN] > 0 and (k == first or other == first)):
            return False
        return copy_round(b, other, k)
    if b.s[RULES] == TABLE:
        return regrow(b, k, begun)
    return bend(b, k, begun)


def copy_round(b: PlanBuffers, model: int, k: int) -> bool:
    """Replace a round's route by another one's, turned or mirrored."""
    symmetry = below(b.r, SYMMETRIES)
    for j in range(b.lengths[model]):
        b.routes[k][j] = transformed(b.s, b.routes[model][j], symmetry)
    b.lengths[k] = b.lengths[model]
    return b.lengths[k] > 0


def transformed(s: Words, cell: int, symmetry: int) -> int:
    """The image of a cell when the city is turned or mirrored in one of eight ways."""
    n = s[CITY_SIZE]
    row, col = cell // n, cell % n
    if symmetry & 1:
        row = n - 1 - row
    if symmetry & 2:
        col = n - 1 - col
    if symmetry & 4:
        row, col = col, row
    return row * n + col


def regrow(b: PlanBuffers, k: int, begun: int) -> bool:
    """Remove a cell from a route, or add one, or both; drop the cells that are no longer connected."""
    route, length = b.routes[k], b.lengths[k]
    what = below(b.r, 8)
    if what >= 3 and length > begun:  # remove one
        at = begun + below(b.r, length - begun)
        taken = route[at]
        length -= 1
        for j in range(at, length):
            route[j] = route[j + 1]
        if what == 7:  # and insert it elsewhere
            length = insert(route, length, begun + below(b.r, length - begun + 1), taken)
    if what != 7 and what != 3 and what != 4:  # add one
        at = begun + below(b.r, length - begun + 1)
        parent = b.s[HOME] if at == 0 else route[below(b.r, at)]
        cell = neighbour(b.s, parent, below(b.r, 4))
        if cell < 0 or cell == b.s[HOME] or length >= len(route) - 1:
            return False
        for j in range(length):
            if route[j] == cell:
                return False
        length = insert(route, length, at, cell)
    attach(b, k, length, begun)
    return True


def insert(route: Words, length: int, at: int, cell: int) -> int:
    """Insert a cell into a route; return its new length."""
    for j in range(length, at, -1):
        route[j] = route[j - 1]
    route[at] = cell
    return length + 1


def attach(b: PlanBuffers, k: int, length: int, begun: int) -> None:
    """Make a route possible: delay each cell until a neighbour has been entered, and drop it if none ever is.

    Home does not count as a neighbour after the first step, because entering it ends the round.
    """
    route, marks = b.routes[k], b.marks
    b.facts[STAMP] += 1
    stamp = b.facts[STAMP]
    for j in range(begun):
        marks[route[j]] = stamp
    done, waiting = begun, 0
    for j in range(begun, length):
        cell = route[j]
        if is_attached(b, cell) or (done == 0 and distance(b.s, cell) == 1):
            marks[cell] = stamp
            route[done] = cell
            done += 1
            late = 0
            while late < waiting:  # cells that waited for this one
                cell = b.spare[len(route) + late]
                late += 1
                if marks[cell] != stamp and is_attached(b, cell):
                    marks[cell] = stamp
                    route[done] = cell
                    done += 1
                    late = 0
        else:
            b.spare[len(route) + waiting] = cell
            waiting += 1
    b.lengths[k] = done


def is_attached(b: PlanBuffers, cell: int) -> bool:
    """Whether a neighbour of this cell has been marked."""
    for direction in range(4):
        if b.marks[b.beside[4 * cell + direction]] == b.facts[STAMP]:
            return True
    return False


def bend(b: PlanBuffers, k: int, begun: int) -> bool:
    """Change a walk locally: flip a corner, add a detour, or take a shortcut."""
    s, r, route, lengths, length = b.s, b.r, b.routes[k], b.lengths, b.lengths[k]
    what = below(r, 4)
    at = begun + below(r, length - begun + 1)  # the step into this place, or the last step, home
    here = s[HOME] if at == 0 else route[at - 1]
    there = s[HOME] if at == length else route[at]
    if what == 0:  # flip a corner
        if at >= length:
            return False
        beyond = s[HOME] if at + 1 == length else route[at + 1]
        corner = here + beyond - there
        if here == beyond or corner == there or corner == s[HOME]:
            return False
        route[at] = corner
        return True
    if what == 1:  # a detour of two steps: aside and back
        aside = neighbour(s, here, below(r, 4))
        if aside < 0 or aside == s[HOME] or length + 2 > len(route) or (at == 0 and length > 0):
            return False
        length = insert(route, length, at, aside)
        if at > 0:
            length = insert(route, length, at + 1, here)
        lengths[k] = length
        return True
    if what == 2:  # a detour of two steps: three sides of a square instead of one
        direction = below(r, 4)
        one, two = neighbour(s, here, direction), neighbour(s, there, direction)
        if length == 0 or length + 2 > len(route) or one < 0 or two < 0 or one == s[HOME] or two == s[HOME]:
            return False
        if one == there or two == here:
            return False
        length = insert(route, length, at, one)
        lengths[k] = insert(route, length, at + 1, two)
        return True
    gone = shortcut(s, route, length, at, here)
    for j in range(at, length - gone):
        route[j] = route[j + gone]
    lengths[k] = length - gone
    return gone > 0


def shortcut(s: Words, route: Words, length: int, at: int, here: int) -> int:
    """How many entries can be removed from a place on, so that the rest still follows by one step; 0 if none."""
    for gone in range(1, 5):
        if at + gone > length:
            return 0
        beyond = s[HOME] if at + gone == length else route[at + gone]
        if gone % 2 == 0 and are_neighbours(s, here, beyond):
            return gone
    return 0


def are_neighbours(s: Words, one: int, other: int) -> bool:
    for direction in range(4):
        if neighbour(s, one, direction) == other:
            return True
    return False
