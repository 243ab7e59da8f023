"""A hand-written evaluation of afterstates of 67!, positions after a slide: plain functions like the rules."""

from __future__ import annotations

from rookery.games.sixseven.rules import (
    COLS,
    DIGITS,
    EMPTY_COUNT,
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

WIN, WIN_IN_ONE, EMPTY_CELL, NEAR_GOAL, NEAR_AFTER_SLIDE, OVERSIZED = 100.0, 30.0, 0.5, 2.0, 0.5, -1.0
"""Points for a 67; for one that the next slide would make; for each empty cell; for each number that one digit could
turn into 67, now and after each possible slide; and for each number too large to be of use."""
LARGEST_USEFUL = 99
NOT_INLINED = ("heuristic_value",)


def heuristic_value(s: Words, spare: Words) -> float:
    """The points of a position before new tiles appear; `spare` has room for another position."""
    if s[WON]:
        return WIN
    value = EMPTY_CELL * s[EMPTY_COUNT] + NEAR_GOAL * count_near(s) + OVERSIZED * count_oversized(s)
    for direction in range(SPAWN):
        if can_slide(s, direction):
            for word in range(len(s)):
                spare[word] = s[word]
            slide(spare, direction)
            if spare[WON]:
                return value + WIN_IN_ONE
            value += NEAR_AFTER_SLIDE * count_near(spare)
    return value


def count_near(s: Words) -> int:
    """Numbers that adding or subtracting one digit could turn into 67."""
    count = 0
    for cell in range(TILE, TILE + s[ROWS] * s[COLS]):
        if is_number(s[cell]) and GOAL - DIGITS < value_of(s[cell]) < GOAL + DIGITS:
            count += 1
    return count


def count_oversized(s: Words) -> int:
    """Numbers too large to be of use."""
    count = 0
    for cell in range(TILE, TILE + s[ROWS] * s[COLS]):
        if is_number(s[cell]) and not -LARGEST_USEFUL <= value_of(s[cell]) <= LARGEST_USEFUL:
            count += 1
    return count
