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

from rookery.core.control import LIMIT, NODES, STOP
from rookery.core.rules import DOWN, LEFT, RIGHT, UP
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
    has_way,
    neighbour,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Weights, Words

MORE = 240
"""Cells that the order of a round may have beside all those of the city once."""
BEGUN, LAST = 0, 1
"""The words of `facts`: cells of the round under way that have been entered already, and the last round planned."""
FACTS = 2
NEAR = ROUNDS + 1
"""Where in `sums` the second half begins; see `value`."""
SUMS, OLD = 2 * NEAR, 3 * ROUNDS + 1
"""Rows of the buffers of these names."""
START_HEAT, END_HEAT = 0.01, 0.0002
"""The temperature, as a share of what the plan is worth, at the beginning and at the end."""
PATIENCE = 64
"""Changes after which the temperature is set anew."""
DOUBT, ONLINE_DOUBT = 1.5, 0.5
"""How much less a visit that may not happen counts towards the flips: with these factors, times the probability that a
throw shows heads only and the probability that it does not happen. At the table visits to neighbours come together."""
OTHER_ROUNDS = 40
"""Of so many changes one takes another round as its model."""


def value(
    s: Words,
    facts: Words,
    first: int,
    routes: Sequence[Words],
    lengths: Words,
    odds: Sequence[Weights],
    sums: Sequence[Weights],
    worth: Weights,
) -> float:
    """What a plan should bring, rounds before `first` being as they were.

    `sums` has, for each round, how often each cell will have been visited before it, and from `NEAR` on the same as it
    counts towards the flips: under the rules `online`, in how many rounds the cell or one beside it was. `odds` has the
    probability that a round visits a cell, `worth` the points it should bring. From `first` on all are written.
    """
    total = 0.0
    for k in range(s[ROUND], facts[LAST] + 1):
        if k >= first:
            worth[k] = walk(s, facts, k, routes[k], lengths[k], odds, sums)
        total += worth[k]
    return total


def walk(
    s: Words, facts: Words, k: int, route: Words, length: int, odds: Sequence[Weights], sums: Sequence[Weights]
) -> float:
    """What a round should bring; the sums before the next round are written."""
    cells = s[SIZE] * s[SIZE]
    seen, near, here, then, then_near = sums[k], sums[NEAR + k], odds[k], sums[k + 1], sums[NEAR + k + 1]
    for cell in range(cells):
        here[cell] = 0.0
        then[cell] = seen[cell]
        then_near[cell] = near[cell]
    wrong = log(1.0 - 1.0 / (1 << s[COINS]))
    begun = facts[BEGUN] if k == s[ROUND] else 0
    through, points = 1.0, 0.0
    for j in range(length):
        cell = route[j]
        if j >= begun:
            through *= 1.0 - exp(wrong * flips(s, cell, near))
        if here[cell] == 0.0:
            here[cell] = through
            then[cell] += through
            then_near[cell] += counted(s, through, DOUBT)
            if j >= begun:
                points += max(0.0, distance(s, cell) - seen[cell])
    if k == s[ROUND]:
        points += s[POINTS]
    if length > 0:
        then[s[HOME]] += through
        then_near[s[HOME]] += counted(s, through, DOUBT)
        here[s[HOME]] = through
    if s[RULES] == ONLINE:
        add_near(s, here, near, sums[NEAR + k + 1])
    return through * points


def counted(s: Words, odds: float, doubt: float) -> float:
    """What a visit with these odds counts towards the flips; one that is certain counts as one."""
    return odds * (1.0 - doubt / (1 << s[COINS]) * (1.0 - odds))


def flips(s: Words, cell: int, near: Weights) -> float:
    """How often the coins may be thrown for entering a cell, as visits before count towards it."""
    least = s[SIZE] - distance(s, cell)
    if s[RULES] == ONLINE:
        return least + near[cell]
    return least + near[cell] + around(s, cell, near)


def around(s: Words, cell: int, seen: Weights) -> float:
    """The visits to the cells beside one."""
    n, total = s[SIZE], 0.0
    if has_way(s, cell, UP):
        total += seen[cell - n]
    if has_way(s, cell, RIGHT):
        total += seen[cell + 1]
    if has_way(s, cell, DOWN):
        total += seen[cell + n]
    if has_way(s, cell, LEFT):
        total += seen[cell - 1]
    return total


def add_near(s: Words, odds: Weights, near: Weights, then: Weights) -> None:
    """Write down how many rounds will have visited each cell or one beside it, after a round with these odds.

    Of five such cells a round enters one first; if it gets there it has visited, and if not, none of the others either.
    """
    for cell in range(s[SIZE] * s[SIZE]):
        most = odds[cell]
        for direction in range(4):
            if has_way(s, cell, direction):
                most = max(most, odds[neighbour(s, cell, direction)])
        then[cell] = near[cell] + counted(s, most, ONLINE_DOUBT)


def look_back(s: Words, odds: Sequence[Weights], sums: Sequence[Weights]) -> None:
    """Write down what the rounds that are over have visited."""
    cells, now = s[SIZE] * s[SIZE], s[ROUND]
    for k in range(now):
        for cell in range(cells):
            odds[k][cell] = float((s[VISITS + cell] >> k) & 1)
    for cell in range(cells):
        sums[0][cell] = 0.0
        sums[NEAR][cell] = 0.0
    for k in range(now):
        for cell in range(cells):
            sums[k + 1][cell] = sums[k][cell] + odds[k][cell]
            sums[NEAR + k + 1][cell] = sums[k + 1][cell]
        if s[RULES] == ONLINE:
            add_near(s, odds[k], sums[NEAR + k], sums[NEAR + k + 1])


def anneal(
    s: Words,
    r: Words,
    control: Words,
    facts: Words,
    routes: Sequence[Words],
    lengths: Words,
    best_routes: Sequence[Words],
    best_lengths: Words,
    kept: Words,
    marks: Words,
    odds: Sequence[Weights],
    sums: Sequence[Weights],
    worth: Weights,
    old: Sequence[Weights],
) -> float:
    """Improve a plan until the search is stopped; return what the best one found should bring.

    `routes` holds a plan to begin with, and in the end the best one. `kept` is room for two routes, `marks` for a word
    for each cell, `old` for odds, sums and worth; all these, and the best routes, are buffers.
    """
    look_back(s, odds, sums)
    first, last = s[ROUND], facts[LAST]
    now = value(s, facts, first, routes, lengths, odds, sums, worth)
    best = now
    keep(routes, lengths, best_routes, best_lengths, first, last)
    heat, done = 0.0, 0
    while not control[STOP]:
        if done % PATIENCE == 0:
            share = control[NODES] / control[LIMIT] if control[LIMIT] > 0 else 0.0
            heat = max(1.0, best) * START_HEAT * exp(share * log(END_HEAT / START_HEAT))
        done += 1
        control[NODES] += 1
        if control[LIMIT] > 0 and control[NODES] >= control[LIMIT]:
            control[STOP] = 1
        k = first + below(r, last - first + 1)
        length = lengths[k]
        for j in range(length):
            kept[j] = routes[k][j]
        if not change(s, r, facts, k, first, last, routes, lengths, kept, marks):
            put_back(routes[k], lengths, k, kept, length)
            continue
        save(s, k, last, odds, sums, worth, old)
        then = value(s, facts, k, routes, lengths, odds, sums, worth)
        if then >= now or uniform(r) < exp((then - now) / heat):
            now = then
            if now > best:
                best = now
                keep(routes, lengths, best_routes, best_lengths, first, last)
        else:
            restore(s, k, last, odds, sums, worth, old)
            put_back(routes[k], lengths, k, kept, length)
    keep(best_routes, best_lengths, routes, lengths, first, last)
    return value(s, facts, first, routes, lengths, odds, sums, worth)


def keep(
    routes: Sequence[Words], lengths: Words, to_routes: Sequence[Words], to_lengths: Words, first: int, last: int
) -> None:
    """Copy a plan."""
    for k in range(first, last + 1):
        to_lengths[k] = lengths[k]
        for j in range(lengths[k]):
            to_routes[k][j] = routes[k][j]


def put_back(route: Words, lengths: Words, k: int, kept: Words, length: int) -> None:
    """Undo a change of a route."""
    lengths[k] = length
    for j in range(length):
        route[j] = kept[j]


def save(
    s: Words,
    first: int,
    last: int,
    odds: Sequence[Weights],
    sums: Sequence[Weights],
    worth: Weights,
    old: Sequence[Weights],
) -> None:
    """Copy what a change of a round may change."""
    for k in range(first, last + 1):
        for cell in range(s[SIZE] * s[SIZE]):
            old[k][cell] = odds[k][cell]
            old[ROUNDS + k][cell] = sums[k + 1][cell]
            old[2 * ROUNDS + k][cell] = sums[NEAR + k + 1][cell]
        old[3 * ROUNDS][k] = worth[k]


def restore(
    s: Words,
    first: int,
    last: int,
    odds: Sequence[Weights],
    sums: Sequence[Weights],
    worth: Weights,
    old: Sequence[Weights],
) -> None:
    """Copy it back."""
    for k in range(first, last + 1):
        for cell in range(s[SIZE] * s[SIZE]):
            odds[k][cell] = old[k][cell]
            sums[k + 1][cell] = old[ROUNDS + k][cell]
            sums[NEAR + k + 1][cell] = old[2 * ROUNDS + k][cell]
        worth[k] = old[3 * ROUNDS][k]


# Changes of a plan.


def change(
    s: Words,
    r: Words,
    facts: Words,
    k: int,
    first: int,
    last: int,
    routes: Sequence[Words],
    lengths: Words,
    kept: Words,
    marks: Words,
) -> bool:
    """Change the route of a round a little, or make it like another round's; whether that came to anything.

    The cells of a route that have been entered already stay where they are. They may stand in any order, so a round
    that is under way is no model for others.
    """
    begun = facts[BEGUN] if k == first else 0
    if last > first and below(r, OTHER_ROUNDS) == 0:
        other = first + below(r, last - first + 1)
        if other == k or (facts[BEGUN] > 0 and (k == first or other == first)):
            return False
        return imitate(s, r, routes[other], lengths[other], routes[k], lengths, k)
    if s[RULES] == ONLINE:
        return bend(s, r, routes[k], lengths, k, begun)
    return regrow(s, r, routes[k], lengths, k, kept, marks, begun)


def imitate(s: Words, r: Words, model: Words, many: int, route: Words, lengths: Words, k: int) -> bool:
    """Make a route like another one, turned or mirrored."""
    turn = below(r, 8)
    for j in range(many):
        route[j] = turned(s, model[j], turn)
    lengths[k] = many
    return many > 0


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


def regrow(s: Words, r: Words, route: Words, lengths: Words, k: int, kept: Words, marks: Words, begun: int) -> bool:
    """Take a cell out of an order, or put one in, or both; what is no longer attached falls off."""
    length = lengths[k]
    what = below(r, 8)
    if what >= 3 and length > begun:  # take one out
        at = begun + below(r, length - begun)
        taken = route[at]
        length -= 1
        for j in range(at, length):
            route[j] = route[j + 1]
        if what == 7:  # and put it in elsewhere
            length = insert(route, length, begun + below(r, length - begun + 1), taken)
    if what != 7 and what != 3 and what != 4:  # put one in
        at = begun + below(r, length - begun + 1)
        parent = s[HOME] if at == 0 else route[below(r, at)]
        cell = neighbour(s, parent, below(r, 4))
        if cell < 0 or cell == s[HOME] or length >= len(route) - 1:
            return False
        for j in range(length):
            if route[j] == cell:
                return False
        length = insert(route, length, at, cell)
    lengths[k] = attach(s, route, length, begun, kept, marks)
    return True


def insert(route: Words, length: int, at: int, cell: int) -> int:
    """Put a cell into an order; return its new length."""
    for j in range(length, at, -1):
        route[j] = route[j - 1]
    route[at] = cell
    return length + 1


def attach(s: Words, route: Words, length: int, begun: int, kept: Words, marks: Words) -> int:
    """Put an order right: each cell comes when one beside it has been entered, and is left out if that never is.

    Home is no cell to go on from, because entering it ends the round. Return the new length.
    """
    for cell in range(s[SIZE] * s[SIZE]):
        marks[cell] = 0
    for j in range(begun):
        marks[route[j]] = 1
    done, waiting = begun, 0
    for j in range(begun, length):
        cell = route[j]
        if is_attached(s, cell, marks) or (done == 0 and distance(s, cell) == 1):
            marks[cell] = 1
            route[done] = cell
            done += 1
            k = 0
            while k < waiting:  # what has been waiting for this cell?
                late = kept[len(route) + k]
                k += 1
                if marks[late] == 0 and is_attached(s, late, marks):
                    marks[late] = 1
                    route[done] = late
                    done += 1
                    k = 0
        else:
            kept[len(route) + waiting] = cell
            waiting += 1
    return done


def is_attached(s: Words, cell: int, marks: Words) -> bool:
    """Whether a cell beside this one is marked."""
    for direction in range(4):
        if has_way(s, cell, direction) and marks[neighbour(s, cell, direction)]:
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
