"""Planning all loops of Gotham Loops that are left: plain functions that run interpreted and compiled, like the rules.

Within a round the only news is that it failed, so a round can be planned as a fixed order of cells to enter. What the
rounds before it will have visited is not known, and taken as what it is on average: a cell counts as visited with the
probability that its round gets that far; towards the flips a little less, because flips that come together or not at
all are worth less than as many that come for certain. So a plan for all rounds has one figure, the points it should
bring, and simulated annealing looks for the plan with the highest. Early rounds mostly invest: they are risked for the
flips that later ones get.

Under the rules `table` an order may go on from any cell entered before, because walking back is safe; under `online` it
is a walk, and every step of it is checked.
"""

from __future__ import annotations

from math import exp, log
from typing import NamedTuple

from rookery.core.stream import below, uniform
from rookery.games.gotham.rules import (
    COINS,
    HOME,
    ONLINE,
    POINTS,
    ROUND,
    ROUNDS,
    RULES,
    SIZE,
    VISITS,
    distance,
    neighbour,
)
from rookery.search.control import LIMIT, NODES, STOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Weights, Words

MORE = 240
"""Cells that the order of a round may have beside all those of the city once."""
BEGUN, LAST, WARM, STAMP = 0, 1, 2, 3
"""The words of `facts`: cells of the round under way that have been entered already, the last round planned, whether
the plan begins with a model that is good already, and with what cells were marked last."""
FACTS = 4
SEEN, NEAR = 0, 2 * (ROUNDS + 1)
"""Where in `sums` the visits begin and where they do as they count towards the flips; see `Desk`."""
SUMS = 2 * NEAR
"""Rows of `sums`."""
FINE = 64
"""Steps of a flip in which `passing` goes up; between two of them it is as good as straight."""
START_HEAT, WARM_HEAT, END_HEAT = 0.005, 0.001, 0.00003
"""The temperature, as a share of what the plan is worth: at the beginning, there with a model, and at the end."""
PATIENCE = 64
"""Changes after which the temperature is set anew."""
DOUBT, ONLINE_DOUBT = 1.5, 0.5
"""How much less a visit that may not happen counts towards the flips: with these factors, times the probability that a
throw shows heads only and the probability that it does not happen. At the table visits to neighbours come together."""
OTHER_ROUNDS = 40
"""Of so many changes one takes another round as its model."""


class Desk(NamedTuple):
    """The arrays that a plan is worked out on."""

    s: Words
    r: Words
    control: Words
    facts: Words
    beside: Words
    """For each cell the four beside it; where the city ends, a place behind all cells that counts for nothing."""
    passing: Weights
    """The probability to pass a check, by the flips."""
    doubt: Weights
    """One figure: how much less a visit that may not happen counts towards the flips."""
    routes: Sequence[Words]
    """For each round the order in which cells are to be entered."""
    lengths: Words
    best_routes: Sequence[Words]
    best_lengths: Words
    kept: Words
    """Room for two routes."""
    marks: Words
    """Room for a word for each cell."""
    odds: Sequence[Weights]
    """For each round the probability that it visits a cell of its route, and home, as last looked at."""
    sums: Sequence[Weights]
    """Before each round how often each cell will have been visited, and from `NEAR` on the same as it counts towards
    the flips: under the rules `online`, in how many rounds the cell or one beside it was. Each stands there twice, so
    that a change can be looked at without giving up what was."""
    side: Words
    """Before each round, which of the two counts."""
    worth: Weights
    """The points that each round should bring."""
    fresh: Weights
    """The same with the change that is being looked at."""


def lay_out(d: Desk) -> None:
    """Write down what is the same for all plans of a city."""
    s, cells = d.s, d.s[SIZE] * d.s[SIZE]
    for cell in range(cells):
        for direction in range(4):
            near = neighbour(s, cell, direction)
            d.beside[4 * cell + direction] = near if near >= 0 else cells
    heads = 1.0 / (1 << s[COINS])
    d.doubt[0] = heads * (ONLINE_DOUBT if s[RULES] == ONLINE else DOUBT)
    wrong = log(1.0 - heads)
    for step in range(len(d.passing)):
        d.passing[step] = 1.0 - exp(wrong * (step / FINE))


def value(d: Desk, first: int) -> float:
    """What a plan should bring, rounds before `first` being as they were. It counts once it is settled."""
    total = 0.0
    for k in range(d.s[ROUND], d.facts[LAST] + 1):
        if k < first:
            total += d.worth[k]
        else:
            side = d.side[k] if k == first else 1 - d.side[k]
            d.fresh[k] = walk(d, k, d.sums[SEEN + 2 * k + side], d.sums[NEAR + 2 * k + side])
            total += d.fresh[k]
    return total


def settle(d: Desk, first: int) -> None:
    """Let what was looked at last count, from round `first` on."""
    for k in range(first, d.facts[LAST] + 1):
        d.worth[k] = d.fresh[k]
        d.side[k + 1] = 1 - d.side[k + 1]


def walk(d: Desk, k: int, seen: Weights, near: Weights) -> float:
    """What a round should bring; what will have been visited before the next one is written where it does not count
    yet.
    """
    s, route, here, cells = d.s, d.routes[k], d.odds[k], d.s[SIZE] * d.s[SIZE]
    then, then_near = d.sums[SEEN + 2 * k + 3 - d.side[k + 1]], d.sums[NEAR + 2 * k + 3 - d.side[k + 1]]
    online, goes_on = s[RULES] == ONLINE, k < d.facts[LAST]
    if goes_on:
        copy(seen, then)
        copy(near, then_near)
    if online:
        for cell in range(cells):
            here[cell] = 0.0
    begun = d.facts[BEGUN] if k == s[ROUND] else 0
    through, points = 1.0, 0.0
    for j in range(d.lengths[k]):
        cell = route[j]
        if j >= begun:
            through *= passed(d, cell, near)
        if online and here[cell] > 0.0:
            continue
        here[cell] = through
        if j >= begun:
            points += max(0.0, distance(s, cell) - seen[cell])
        if goes_on:
            visit(d, cell, through, then, then_near)
    if k == s[ROUND]:
        points += s[POINTS]
    here[s[HOME]] = 0.0
    if d.lengths[k] > 0:
        here[s[HOME]] = through
        if goes_on:
            visit(d, s[HOME], through, then, then_near)
    if online and goes_on:
        add_near(d, here, then_near)
    return through * points


def copy(row: Weights, to: Weights) -> None:
    """Copy a row; one at a time, because so it is done by several words at once."""
    for place in range(len(row)):
        to[place] = row[place]


def passed(d: Desk, cell: int, near: Weights) -> float:
    """The probability to pass the check of a cell, as visits before count towards its flips."""
    flips = d.s[SIZE] - distance(d.s, cell) + near[cell]
    if d.s[RULES] != ONLINE:
        for direction in range(4):
            flips += near[d.beside[4 * cell + direction]]
    steps = flips * FINE
    low = int(steps)
    return d.passing[low] + (steps - low) * (d.passing[low + 1] - d.passing[low])


def visit(d: Desk, cell: int, odds: float, then: Weights, then_near: Weights) -> None:
    """Count a visit with these odds; under the rules `online` it counts towards the flips when the round is over."""
    then[cell] += odds
    if d.s[RULES] != ONLINE:
        then_near[cell] += counted(odds, d.doubt[0])


def counted(odds: float, doubt: float) -> float:
    """What a visit with these odds counts towards the flips; one that is certain counts as one."""
    return odds * (1.0 - doubt * (1.0 - odds))


def add_near(d: Desk, odds: Weights, then_near: Weights) -> None:
    """Under the rules `online`, add the flips that a round with these odds will bring: one to every cell of which it
    visits five, the cell itself and those beside it.

    Of these a round enters one first; if it gets there it has visited, and if not, none of the others either.
    """
    odds[d.s[SIZE] * d.s[SIZE]] = 0.0
    for cell in range(d.s[SIZE] * d.s[SIZE]):
        most = odds[cell]
        for direction in range(4):
            most = max(most, odds[d.beside[4 * cell + direction]])
        then_near[cell] += counted(most, d.doubt[0])


def look_back(d: Desk) -> None:
    """Write down what the rounds that are over have visited."""
    s, now, cells = d.s, d.s[ROUND], d.s[SIZE] * d.s[SIZE]
    for k in range(ROUNDS + 1):
        d.side[k] = 0
    seen, near, here = d.sums[SEEN + 2 * now], d.sums[NEAR + 2 * now], d.odds[now]
    for cell in range(cells):
        seen[cell] = 0.0
        near[cell] = 0.0
    for k in range(now):
        for cell in range(cells):
            here[cell] = float((s[VISITS + cell] >> k) & 1)
            if here[cell] > 0.0:
                visit(d, cell, 1.0, seen, near)
        if s[RULES] == ONLINE:
            add_near(d, here, near)


def anneal(d: Desk) -> None:
    """Improve the plan in `routes` until the search is stopped; the best one found is there in the end."""
    look_back(d)
    first, last, control = d.s[ROUND], d.facts[LAST], d.control
    now = value(d, first)
    settle(d, first)
    best = now
    keep(d.routes, d.lengths, d.best_routes, d.best_lengths, first, last)
    hottest, heat, done = WARM_HEAT if d.facts[WARM] else START_HEAT, 0.0, 0
    while not control[STOP]:
        if done % PATIENCE == 0:
            share = control[NODES] / control[LIMIT] if control[LIMIT] > 0 else 0.0
            heat = max(1.0, best) * hottest * exp(share * log(END_HEAT / hottest))
        done += 1
        control[NODES] += 1
        if control[LIMIT] > 0 and control[NODES] >= control[LIMIT]:
            control[STOP] = 1
        k = first + below(d.r, last - first + 1)
        length = d.lengths[k]
        for j in range(length):
            d.kept[j] = d.routes[k][j]
        if not change(d, k):
            put_back(d, k, length)
            continue
        then = value(d, k)
        if then >= now or uniform(d.r) < exp((then - now) / heat):
            now = then
            settle(d, k)
            if now > best:
                best = now
                keep(d.routes, d.lengths, d.best_routes, d.best_lengths, first, last)
        else:
            put_back(d, k, length)
    keep(d.best_routes, d.best_lengths, d.routes, d.lengths, first, last)
    value(d, first)
    settle(d, first)


def keep(
    routes: Sequence[Words], lengths: Words, to_routes: Sequence[Words], to_lengths: Words, first: int, last: int
) -> None:
    """Copy a plan."""
    for k in range(first, last + 1):
        to_lengths[k] = lengths[k]
        for j in range(lengths[k]):
            to_routes[k][j] = routes[k][j]


def put_back(d: Desk, k: int, length: int) -> None:
    """Undo a change of a route."""
    d.lengths[k] = length
    for j in range(length):
        d.routes[k][j] = d.kept[j]


# Changes of a plan.


def change(d: Desk, k: int) -> bool:
    """Change the route of a round a little, or make it like another round's; whether that came to anything.

    The cells of a route that have been entered already stay where they are. They may stand in any order, so a round
    that is under way is no model for others.
    """
    first, last = d.s[ROUND], d.facts[LAST]
    begun = d.facts[BEGUN] if k == first else 0
    if last > first and below(d.r, OTHER_ROUNDS) == 0:
        other = first + below(d.r, last - first + 1)
        if other == k or (d.facts[BEGUN] > 0 and (k == first or other == first)):
            return False
        return imitate(d, other, k)
    if d.s[RULES] == ONLINE:
        return bend(d.s, d.r, d.routes[k], d.lengths, k, begun)
    return regrow(d, k, begun)


def imitate(d: Desk, model: int, k: int) -> bool:
    """Make a round like another one, turned or mirrored."""
    turn = below(d.r, 8)
    for j in range(d.lengths[model]):
        d.routes[k][j] = turned(d.s, d.routes[model][j], turn)
    d.lengths[k] = d.lengths[model]
    return d.lengths[k] > 0


def turned(s: Words, cell: int, turn: int) -> int:
    """Where a cell comes to lie when the city is turned or mirrored, in one of eight ways."""
    n = s[SIZE]
    row, col = cell // n, cell % n
    if turn & 1:
        row = n - 1 - row
    if turn & 2:
        col = n - 1 - col
    if turn & 4:
        row, col = col, row
    return row * n + col


def regrow(d: Desk, k: int, begun: int) -> bool:
    """Take a cell out of an order, or put one in, or both; what is no longer attached falls off."""
    route, length = d.routes[k], d.lengths[k]
    what = below(d.r, 8)
    if what >= 3 and length > begun:  # take one out
        at = begun + below(d.r, length - begun)
        taken = route[at]
        length -= 1
        for j in range(at, length):
            route[j] = route[j + 1]
        if what == 7:  # and put it in elsewhere
            length = insert(route, length, begun + below(d.r, length - begun + 1), taken)
    if what != 7 and what != 3 and what != 4:  # put one in
        at = begun + below(d.r, length - begun + 1)
        parent = d.s[HOME] if at == 0 else route[below(d.r, at)]
        cell = neighbour(d.s, parent, below(d.r, 4))
        if cell < 0 or cell == d.s[HOME] or length >= len(route) - 1:
            return False
        for j in range(length):
            if route[j] == cell:
                return False
        length = insert(route, length, at, cell)
    attach(d, k, length, begun)
    return True


def insert(route: Words, length: int, at: int, cell: int) -> int:
    """Put a cell into an order; return its new length."""
    for j in range(length, at, -1):
        route[j] = route[j - 1]
    route[at] = cell
    return length + 1


def attach(d: Desk, k: int, length: int, begun: int) -> None:
    """Put an order right: each cell comes when one beside it has been entered, and is left out if that never is.

    Home is no cell to go on from, because entering it ends the round.
    """
    route, marks = d.routes[k], d.marks
    d.facts[STAMP] += 1
    stamp = d.facts[STAMP]
    for j in range(begun):
        marks[route[j]] = stamp
    done, waiting = begun, 0
    for j in range(begun, length):
        cell = route[j]
        if is_attached(d, cell) or (done == 0 and distance(d.s, cell) == 1):
            marks[cell] = stamp
            route[done] = cell
            done += 1
            late = 0
            while late < waiting:  # what has been waiting for this cell?
                cell = d.kept[len(route) + late]
                late += 1
                if marks[cell] != stamp and is_attached(d, cell):
                    marks[cell] = stamp
                    route[done] = cell
                    done += 1
                    late = 0
        else:
            d.kept[len(route) + waiting] = cell
            waiting += 1
    d.lengths[k] = done


def is_attached(d: Desk, cell: int) -> bool:
    """Whether a cell beside this one has been marked."""
    for direction in range(4):
        if d.marks[d.beside[4 * cell + direction]] == d.facts[STAMP]:
            return True
    return False


def bend(s: Words, r: Words, route: Words, lengths: Words, k: int, begun: int) -> bool:
    """Bend a walk: make it turn another corner, bulge or spike it, or cut it short."""
    length = lengths[k]
    what = below(r, 4)
    at = begun + below(r, length - begun + 1)  # the step into this place, or the last one home
    here = s[HOME] if at == 0 else route[at - 1]
    there = s[HOME] if at == length else route[at]
    if what == 0:  # turn the other corner of a square
        if at >= length:
            return False
        beyond = s[HOME] if at + 1 == length else route[at + 1]
        corner = here + beyond - there
        if here == beyond or corner == there or corner == s[HOME]:
            return False
        route[at] = corner
        return True
    if what == 1:  # a spike: one step aside and back
        aside = neighbour(s, here, below(r, 4))
        if aside < 0 or aside == s[HOME] or length + 2 > len(route) or (at == 0 and length > 0):
            return False
        length = insert(route, length, at, aside)
        if at > 0:
            length = insert(route, length, at + 1, here)
        lengths[k] = length
        return True
    if what == 2:  # a bulge: three steps round instead of one
        direction = below(r, 4)
        one, two = neighbour(s, here, direction), neighbour(s, there, direction)
        if length == 0 or length + 2 > len(route) or one < 0 or two < 0 or one == s[HOME] or two == s[HOME]:
            return False
        if one == there or two == here:
            return False
        length = insert(route, length, at, one)
        lengths[k] = insert(route, length, at + 1, two)
        return True
    gone = cut(s, route, length, at, here)
    for j in range(at, length - gone):
        route[j] = route[j + gone]
    lengths[k] = length - gone
    return gone > 0


def cut(s: Words, route: Words, length: int, at: int, here: int) -> int:
    """How many steps can be left out from a place on, so that the walk goes on with the next: those to where it comes
    back, or beside it.
    """
    for gone in range(1, 5):
        if at + gone > length:
            return 0
        beyond = s[HOME] if at + gone == length else route[at + gone]
        if gone % 2 == 0 and is_beside(s, here, beyond):
            return gone
    return 0


def is_beside(s: Words, one: int, other: int) -> bool:
    for direction in range(4):
        if neighbour(s, one, direction) == other:
            return True
    return False
