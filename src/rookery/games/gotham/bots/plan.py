"""The value of a plan for the remaining loops of Gotham Loops: plain functions that run interpreted and compiled.

Within a round the only news is that it failed, so a round can be planned as a fixed order of cells to enter, its
*route*. What earlier rounds will have visited is uncertain, and the plan works with expectations: a cell counts as
visited with the probability that its round gets that far. Towards the flips it counts a little less, because flips
that come together or not at all are worth less than as many certain ones. So a plan for all rounds has one value, the
points it is expected to score. Early rounds are mostly an investment: they are risked for the flips that later rounds
get.

Under the rules `table` a route may continue from any cell entered before, because walking back is safe. Under `online`
and `app` it is a walk, and every step is checked. Under `app` a cell also counts as visited if its check fails.
"""

from __future__ import annotations

from math import exp, log
from typing import NamedTuple

from rookery.games.gotham.rules import (
    APP,
    CITY_SIZE,
    COINS,
    HOME,
    POINTS,
    ROUND,
    ROUNDS,
    RULES,
    TABLE,
    VISITS,
    app_odds,
    distance,
    neighbour,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Weights, Words

MORE = 240
"""Entries that a route has room for, beside one for each cell of the city."""
BEGUN, LAST, WARM, STAMP = 0, 1, 2, 3
"""Indices of `facts`: cells of the current round that have been entered already, the last round planned, whether the
plan starts from another one, and the stamp that marked cells have."""
FACTS = 4
SEEN, NEAR = 0, 2 * (ROUNDS + 1)
"""Sections of `sums`: visits, and visits as they count towards the flips."""
SUMS = 2 * NEAR
"""Rows of `sums`."""
FINE = 64
"""Steps of a flip in the table `passing`; between two steps it is interpolated."""
DISCOUNT, WALK_DISCOUNT = 1.5, 0.5
"""Factors of how much less an uncertain visit counts towards the flips: this times the probability that a throw shows
only heads times the probability that the visit does not happen. At the table visits to neighbours come together."""


class PlanBuffers(NamedTuple):
    """The arrays a plan is made in."""

    s: Words
    r: Words
    control: Words
    facts: Words
    beside: Words
    """For each cell its four neighbours; outside the city, an extra place after all cells that never counts."""
    passing: Weights
    """The probability to pass a check, by `rules.risk_index` in steps of 1 / `FINE`."""
    first_index: Words
    """For each cell its risk index without extra flips."""
    discount: Weights
    """One number: how much less an uncertain visit counts towards the flips."""
    routes: Sequence[Words]
    """For each round the cells to enter, in order."""
    lengths: Words
    best_routes: Sequence[Words]
    best_lengths: Words
    spare: Words
    """Room for two routes."""
    marks: Words
    """A word for each cell."""
    odds: Sequence[Weights]
    """For each round the probability that it visits each cell of its route, and home, as last evaluated."""
    sums: Sequence[Weights]
    """Before each round the expected visits to each cell, and from `NEAR` on the same as it counts towards the flips:
    at the table the same visits; else, the rounds that visited the cell or a neighbour. There are two copies of each
    row, so that a change can be evaluated without overwriting the current plan's."""
    side: Words
    """Before each round, which of the two copies is the current plan's."""
    worth: Weights
    """The expected points of each round."""
    fresh: Weights
    """The same with the change that is being evaluated."""


def load(b: PlanBuffers) -> None:
    """Fill the tables that are the same for all plans of a city."""
    s, cells = b.s, b.s[CITY_SIZE] * b.s[CITY_SIZE]
    for cell in range(cells):
        for direction in range(4):
            near = neighbour(s, cell, direction)
            b.beside[4 * cell + direction] = near if near >= 0 else cells
        away = distance(s, cell)
        b.first_index[cell] = ROUNDS * away if s[RULES] == APP else s[CITY_SIZE] - away
    heads = 1.0 / (1 << s[COINS])
    b.discount[0] = heads * (DISCOUNT if s[RULES] == TABLE else WALK_DISCOUNT)
    wrong = log(1.0 - heads)
    for step in range(len(b.passing)):
        if s[RULES] == APP:
            b.passing[step] = app_passing(s, step)
        else:
            b.passing[step] = 1.0 - exp(wrong * (step / FINE))


def app_passing(s: Words, step: int) -> float:
    """The probability to pass a check under the rules `app`, between whole numbers of extra flips interpolated."""
    index = step // FINE
    away, extra, share = index // ROUNDS, index % ROUNDS, (step % FINE) / FINE
    return (1.0 - share) * app_odds(s, away, extra) + share * app_odds(s, away, extra + 1)


def value(b: PlanBuffers, first: int) -> float:
    """The expected points of a plan whose rounds before `first` have not changed; `accept` makes it current."""
    total = 0.0
    for k in range(b.s[ROUND], b.facts[LAST] + 1):
        if k < first:
            total += b.worth[k]
        else:
            side = b.side[k] if k == first else 1 - b.side[k]
            b.fresh[k] = walk(b, k, b.sums[SEEN + 2 * k + side], b.sums[NEAR + 2 * k + side])
            total += b.fresh[k]
    return total


def accept(b: PlanBuffers, first: int) -> None:
    """Make the plan evaluated last the current one, from round `first` on."""
    for k in range(first, b.facts[LAST] + 1):
        b.worth[k] = b.fresh[k]
        b.side[k + 1] = 1 - b.side[k + 1]


def walk(b: PlanBuffers, k: int, seen: Weights, near: Weights) -> float:
    """The expected points of a round. The visits before the next round go to the copy that is not in use."""
    s, route, here, cells = b.s, b.routes[k], b.odds[k], b.s[CITY_SIZE] * b.s[CITY_SIZE]
    then, then_near = b.sums[SEEN + 2 * k + 3 - b.side[k + 1]], b.sums[NEAR + 2 * k + 3 - b.side[k + 1]]
    is_walk, goes_on = s[RULES] != TABLE, k < b.facts[LAST]
    if goes_on:
        copy(seen, then)
        copy(near, then_near)
    if is_walk:
        for cell in range(cells):
            here[cell] = 0.0
    begun = b.facts[BEGUN] if k == s[ROUND] else 0
    through, points = 1.0, 0.0
    for j in range(b.lengths[k]):
        cell, visited = route[j], through
        if j >= begun:
            through *= passed(b, cell, near)
        if is_walk and here[cell] > 0.0:
            continue
        if s[RULES] != APP:
            visited = through
        here[cell] = visited
        if j >= begun:
            points += max(0.0, distance(s, cell) - seen[cell])
        if goes_on:
            visit(b, cell, visited, then, then_near)
    if k == s[ROUND]:
        points += s[POINTS]
    here[s[HOME]] = 0.0
    if b.lengths[k] > 0:
        here[s[HOME]] = through
        if goes_on:
            visit(b, s[HOME], through, then, then_near)
    if is_walk and goes_on:
        add_near(b, here, then_near)
    return through * points


def copy(row: Weights, to: Weights) -> None:
    """Copy one row: a loop over one array is vectorised."""
    for place in range(len(row)):
        to[place] = row[place]


def passed(b: PlanBuffers, cell: int, near: Weights) -> float:
    """The probability to pass the check of a cell, given the visits that count towards its flips."""
    index = b.first_index[cell] + near[cell]
    if b.s[RULES] == TABLE:
        for direction in range(4):
            index += near[b.beside[4 * cell + direction]]
    steps = index * FINE
    low = int(steps)
    return b.passing[low] + (steps - low) * (b.passing[low + 1] - b.passing[low])


def visit(b: PlanBuffers, cell: int, odds: float, then: Weights, then_near: Weights) -> None:
    """Count a visit of this probability. Except at the table, `add_near` adds the flips after the round."""
    then[cell] += odds
    if b.s[RULES] == TABLE:
        then_near[cell] += discounted(odds, b.discount[0])


def discounted(odds: float, discount: float) -> float:
    """What a visit of this probability counts towards the flips; a certain one counts 1."""
    return odds * (1.0 - discount * (1.0 - odds))


def add_near(b: PlanBuffers, odds: Weights, then_near: Weights) -> None:
    """Under the rules `online` and `app`, add the flips a round with these visits gives: one to every cell that it
    visits or passes beside.

    Of a cell and its neighbours a round enters one first, with the highest probability of the five; it enters the
    others only after that one.
    """
    odds[b.s[CITY_SIZE] * b.s[CITY_SIZE]] = 0.0
    for cell in range(b.s[CITY_SIZE] * b.s[CITY_SIZE]):
        most = odds[cell]
        for direction in range(4):
            most = max(most, odds[b.beside[4 * cell + direction]])
        then_near[cell] += discounted(most, b.discount[0])


def load_visits(b: PlanBuffers) -> None:
    """Count the visits of the rounds that are over."""
    s, now, cells = b.s, b.s[ROUND], b.s[CITY_SIZE] * b.s[CITY_SIZE]
    for k in range(ROUNDS + 1):
        b.side[k] = 0
    seen, near, here = b.sums[SEEN + 2 * now], b.sums[NEAR + 2 * now], b.odds[now]
    for cell in range(cells):
        seen[cell] = 0.0
        near[cell] = 0.0
    for k in range(now):
        for cell in range(cells):
            here[cell] = float((s[VISITS + cell] >> k) & 1)
            if here[cell] > 0.0:
                visit(b, cell, 1.0, seen, near)
        if s[RULES] != TABLE:
            add_near(b, here, near)
