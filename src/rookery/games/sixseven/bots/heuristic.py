"""What a position of 67! after a slide is worth, by rules of thumb: plain functions like the rules."""

from __future__ import annotations

from rookery.games.sixseven.rules import (
    COLS,
    DIGITS,
    FREE,
    GOAL,
    ROWS,
    SPAWN,
    TILE,
    WON,
    can_slide,
    is_number,
    slide,
    value_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Words

MADE, IN_REACH, ROOM, NEAR, NEARER, WILD = 100.0, 30.0, 0.5, 2.0, 0.5, -1.0
"""What counts: a 67, one that the next slide would make, an empty cell, a number that a digit could bring to 67, one
that the next slide would make, and a number too large to be of use."""
FAR = 99


def by_hand(s: Words, spare: Words) -> float:
    """The points of a position before new tiles appear; `spare` is room for another."""
    if s[WON]:
        return MADE
    value = ROOM * s[FREE] + NEAR * near(s) + WILD * wild(s)
    for direction in range(SPAWN):
        if can_slide(s, direction):
            for word in range(len(s)):
                spare[word] = s[word]
            slide(spare, direction)
            if spare[WON]:
                return value + IN_REACH
            value += NEARER * near(spare)
    return value


def near(s: Words) -> int:
    """Numbers that one digit more or less could bring to 67."""
    count = 0
    for cell in range(TILE, TILE + s[ROWS] * s[COLS]):
        if is_number(s[cell]) and GOAL - DIGITS < value_of(s[cell]) < GOAL + DIGITS:
            count += 1
    return count


def wild(s: Words) -> int:
    """Numbers too large to be of use."""
    count = 0
    for cell in range(TILE, TILE + s[ROWS] * s[COLS]):
        if is_number(s[cell]) and not -FAR <= value_of(s[cell]) <= FAR:
            count += 1
    return count
