"""The prior over Gamma's moves: a weight for each, the product of factors for what lies around its cell.

The model is a generalised Bradley–Terry model (Coulom 2007, "Computing Elo Ratings of Move Patterns in the Game of
Go"): the probability of a move is its weight's share of the weights of all legal moves. The factors are
fitted to games of the settler against itself (`fitted.py`).
"""

from __future__ import annotations

from math import exp

from rookery.games.gamma.board import AREAS, LIMIT, OWNER, PLAYERS, WIDTH
from rookery.games.gamma.bots import fitted
from rookery.games.gamma.bots.proof import top

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from rookery.core.rules import Weights, Words

OPEN, OWN, OTHER, EDGE = 0, 1, 2, 3
"""What may lie beside a cell, seen by a player."""

SIDES, CORNERS, JOINS, NEAR, FACTORS = 0, 500, 628, 632, 638
"""Where the factors begin: for what lies at the four sides, for each corner with the two sides that meet there, for
joining areas, for locality (the distance to the last move); and how many there are."""

OWN_SIDE, OTHER_SIDE, OPEN_SIDE = 25, 5, 1
"""What a side adds to the index of the factor for the four sides; an edge adds nothing."""
SIDE_STEPS = OPEN_SIDE << 8 * OPEN | OWN_SIDE << 8 * OWN | OTHER_SIDE << 8 * OTHER
"""The same as bytes of one number, one for each thing that may lie there."""


def prior_factors(numbers: Any = fitted) -> list[float]:
    """All factors, in the order in which `move_weight` looks them up, from a module such as `fitted`."""
    found = [1.0] * FACTORS
    sides = [(side_indices(block), table) for block, table in enumerate(numbers.BY_SIDES)]
    corners = [(corner_indices(block), table) for block, table in enumerate(numbers.BY_CORNER)]
    others = [(range(JOINS, NEAR), numbers.BY_JOINING), (range(NEAR, FACTORS), numbers.BY_LOCALITY)]
    for indices, table in (*sides, *corners, *others):
        for index, text in zip(indices, table.split(), strict=True):
            found[index] = exp(int(text) / 100)
    return found


def side_indices(block: int) -> Sequence[int]:
    """The factors of a row of `BY_SIDES`."""
    counts = [(own, other, free) for own in range(5) for other in range(5 - own) for free in range(5 - own - other)]
    steps = [OWN_SIDE * own + OTHER_SIDE * other + OPEN_SIDE * free for own, other, free in counts]
    return [SIDES + 125 * block + step for step in steps]


def corner_indices(block: int) -> Sequence[int]:
    """The factors of a row of `BY_CORNER`."""
    cells = [(low, high, corner) for low in range(4) for high in range(low, 4) for corner in range(4)]
    return [CORNERS + 64 * block + 16 * low + 4 * high + corner for low, high, corner in cells]


def move_weight(s: Words, player: int, place: int, full: bool, tight: bool, factors: Weights) -> float:
    """The weight of a free place for a player, locality left out; 0 if the player may not take it.

    `full` says that the player has all its areas, `tight` that every other has. No other function takes more of a
    search's time. What lies around a place is found without branches, which would be hard to predict.
    """
    at, up = s[OWNER] + place, s[WIDTH] + 1
    a, b, c, d = seen(s[at + up], player), seen(s[at + 1], player), seen(s[at - up], player), seen(s[at - 1], player)
    sides = side_step(a) + side_step(b) + side_step(c) + side_step(d)
    if full and sides < OWN_SIDE:
        return 0.0
    ab, bc, da = seen(s[at + up + 1], player), seen(s[at - up + 1], player), seen(s[at + up - 1], player)
    cd = seen(s[at - up - 1], player) if place > up else EDGE  # the very first place has none before it
    corners = CORNERS + 64 if full else CORNERS
    block = SIDES + (125 if full else 0) + (250 if tight else 0)
    value = factors[block + sides] * factors[corners + meeting(a, b, ab)] * factors[corners + meeting(b, c, bc)]
    value = value * factors[corners + meeting(c, d, cd)] * factors[corners + meeting(d, a, da)]
    if sides >= 2 * OWN_SIDE:
        joined = 1 if joins(s, player, place) else 0
        value *= factors[JOINS + joined + (2 if full else 0)]
    return value


def seen(whose: int, player: int) -> int:
    """What a player sees in an owner: `OPEN`, `OWN`, `OTHER` or `EDGE`."""
    return OTHER * (whose != 0) + (whose < 0) - (whose == player)


def side_step(side: int) -> int:
    """What a side adds to the index of the factor for the four sides."""
    return SIDE_STEPS >> 8 * side & 255


def meeting(one: int, two: int, corner: int) -> int:
    """The number of two sides, in whatever order, and the corner where they meet: 16 · lower + 4 · higher + corner."""
    return 4 * (one + two) + 12 * (one if one < two else two) + corner


def joins(s: Words, player: int, place: int) -> bool:
    """Whether a place beside a player's cells would join two of its areas."""
    up, area = s[WIDTH] + 1, 0
    for k in range(4):
        beside = place + (up if k == 0 else 1 if k == 1 else -up if k == 2 else -1)
        if s[s[OWNER] + beside] == player:
            found = top(s, beside)
            if area > 0 and found != area:
                return True
            area = found
    return False


def locality(s: Words, place: int, last: int, factors: Weights) -> float:
    """The factor for how far a place is from that of the last move; 0 stands for no last move."""
    up = s[WIDTH] + 1
    apart = place - last if place > last else last - place
    if last == 0:
        return factors[NEAR]
    if apart in (1, up):
        return factors[NEAR + 1]
    if apart in (up - 1, up + 1):
        return factors[NEAR + 2]
    if apart in (2, 2 * up):
        return factors[NEAR + 3]
    if apart in (2 * up - 1, 2 * up + 1, up + 2, up - 2):
        return factors[NEAR + 4]
    return factors[NEAR + 5]


def is_tight(s: Words, player: int) -> bool:
    """Whether every other player has all its areas."""
    for other in range(1, s[PLAYERS] + 1):
        if other != player and s[s[AREAS] + other] < s[LIMIT]:
            return False
    return True
