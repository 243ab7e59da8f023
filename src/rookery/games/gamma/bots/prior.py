"""The prior over Gamma's moves: a weight for each, the product of factors for what lies around its cell.

The model is a generalised Bradley–Terry model (Coulom 2007, "Computing Elo Ratings of Move Patterns in the Game of
Go"): the probability of a move is its weight's share of the weights of all legal moves. The factors were fitted to
games of the settler against itself. Each number below is a hundred times the logarithm of a factor.
"""

from __future__ import annotations

from math import exp

from rookery.games.gamma.bots.proof import top
from rookery.games.gamma.rules import AREAS, LIMIT, OWNER, PLAYERS, WIDTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Weights, Words

OPEN, OWN, OTHER, EDGE = 0, 1, 2, 3
"""What may lie beside a cell, seen by a player."""

SIDES, CORNERS, JOINS, NEAR, FACTORS = 0, 500, 628, 632, 638
"""Where the factors begin: for what lies at the four sides, for each corner with the two sides that meet there, for
joining areas, for locality (the distance to the last move); and how many there are."""

BY_SIDES = (
    "-309 -309 -321 -371 -275 -309 -338 -263 -215 -259 -308 -156 -319 -317 -426 -309 -277 -276 -299 -299 -267 -285 "
    "-332 -340 -383 -330 -298 -263 -337 -345 -333 -331 -310 -356 -315",
    "19 19 19 19 19 19 19 19 19 19 19 19 19 19 19 19 -1 92 96 6 124 132 -121 38 -57 6 64 99 34 -35 -91 -102 72 -87 90",
    "-71 -71 -186 -114 -67 -71 -176 34 36 -78 5 37 -111 -90 -77 -71 -161 -267 -145 9 111 115 -16 -36 -99 -75 -253 "
    "-164 28 3 -139 36 -212 -91 1",
    "6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 -80 -61 -43 24 157 108 55 64 -36 -182 -118 -44 40 41 -53 -51 -69 -46 134",
)
"""By own sides, sides of others and free sides, each from 0 up: when all have an area to spare, when only others have,
when only the player has, and when nobody has."""

BY_CORNER = (
    "115 -25 59 0 -24 -216 181 0 115 295 -89 0 0 0 0 -22 -160 -248 -95 0 209 116 99 0 0 0 0 -174 -89 201 -216 0 0 0 0 "
    "-64 0 0 0 -207",
    "144 51 141 0 11 -169 244 0 79 289 -74 0 0 0 0 -2 -259 -189 -55 0 177 159 162 0 0 0 0 -76 -78 250 -205 0 0 0 0 "
    "-46 0 0 0 -202",
)
"""By what lies at two sides, the lower first, and at the corner between them: with an area to spare, then none."""

BY_JOINING = "0 238 0 284"
"""With two sides or more of its own: for no joining and joining, with an area to spare, then without."""

BY_LOCALITY = "0 122 89 58 34 0"
"""No last move; then beside it, at its corner, two straight away, a knight's move away, further."""


def prior_factors() -> list[float]:
    """All factors, in the order in which `move_weight` looks them up."""
    found = [1.0] * FACTORS
    for at, table in enumerate(BY_SIDES):
        numbers = iter(table.split())
        for own in range(5):
            for other in range(5 - own):
                for free in range(5 - own - other):
                    found[SIDES + 125 * at + 25 * own + 5 * other + free] = _factor(next(numbers))
    for at, table in enumerate(BY_CORNER):
        numbers = iter(table.split())
        for low in range(4):
            for high in range(low, 4):
                for corner in range(4):
                    found[CORNERS + 64 * at + 16 * low + 4 * high + corner] = _factor(next(numbers))
    for start, table in ((JOINS, BY_JOINING), (NEAR, BY_LOCALITY)):
        for at, text in enumerate(table.split()):
            found[start + at] = _factor(text)
    return found


def _factor(text: str) -> float:
    return exp(int(text) / 100)


def move_weight(s: Words, player: int, place: int, full: bool, tight: bool, factors: Weights) -> float:
    """The weight of a free place for a player, locality left out; 0 if the player may not take it.

    `full` says that the player has all its areas, `tight` that every other has.
    """
    at, up = s[OWNER] + place, s[WIDTH] + 1
    a, b, c, d = seen(s[at + up], player), seen(s[at + 1], player), seen(s[at - up], player), seen(s[at - 1], player)
    own = (a == OWN) + (b == OWN) + (c == OWN) + (d == OWN)
    if full and own == 0:
        return 0.0
    ab, bc, da = seen(s[at + up + 1], player), seen(s[at - up + 1], player), seen(s[at + up - 1], player)
    cd = seen(s[at - up - 1], player) if place > up else EDGE  # the very first place has none before it
    others = (a == OTHER) + (b == OTHER) + (c == OTHER) + (d == OTHER)
    free = (a == OPEN) + (b == OPEN) + (c == OPEN) + (d == OPEN)
    corners = CORNERS + 64 if full else CORNERS
    sides = SIDES + 25 * own + 5 * others + free + (125 if full else 0) + (250 if tight else 0)
    value = factors[sides] * factors[corners + meeting(a, b, ab)] * factors[corners + meeting(b, c, bc)]
    value = value * factors[corners + meeting(c, d, cd)] * factors[corners + meeting(d, a, da)]
    if own > 1:
        joined = 1 if joins(s, player, place) else 0
        value *= factors[JOINS + joined + (2 if full else 0)]
    return value


def seen(whose: int, player: int) -> int:
    """What a player sees in an owner."""
    if whose == 0:
        return OPEN
    if whose == player:
        return OWN
    return OTHER if whose > 0 else EDGE


def meeting(one: int, two: int, corner: int) -> int:
    """The number of two sides, in whatever order, and the corner where they meet."""
    return (16 * one + 4 * two if one < two else 16 * two + 4 * one) + corner


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
