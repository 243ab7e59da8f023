"""The learned value of 67!: the probability of winning from an afterstate, the position after a slide.

It is an n-tuple network (Lucas 2008, "Learning to play Othello with n-tuple systems"; for 2048 Szubert & Jaśkowski
2014, "Temporal difference learning of n-tuple networks for the game 2048") with a logistic output. A position has a few
hundred features: counts of numbers and operators; each line with its gaps; runs of three tiles, and of five in less
detail; triples ready to collapse, and their result; pairs of numbers that plus or minus turns into 67; small patches of
tile kinds. All features share one table of weights, indexed by a hash (feature hashing, Weinberger et al. 2009). The
weights of a position's features add up to its log-odds of winning.

Rows and columns share features, because transposing the board changes nothing. Mirroring it does, because of minus.
Square patches and pairs keep their orientation.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

from rookery.games.sixseven.rules import (
    COLS,
    GOAL,
    MINUS,
    PLUS,
    ROWS,
    TILE,
    VALUE_LIMIT,
    is_number,
    result,
    value_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Weights, Words

MIX = 0x9E3779B1
"""A multiplicative hash (Knuth): 2^32 divided by the golden ratio."""

COUNTS, OPERATOR_COUNTS, LINE, THREE, FIVE, READY, PAIR, SQUARE, OBLONG, BLOCK = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
"""Kinds of features."""
CHUNK = 8
"""Cells of a line that one `LINE` feature covers; a longer line has several."""

# Classes of tiles, in two resolutions.
LOWEST, HIGHEST = -12, 99
"""Numbers in this range have a fine class each."""
FINE_BITS, FINE_OPERATORS, FINE_END = 7, 120, 127
COARSE_BITS, COARSE_OPERATORS, COARSE_END = 4, 12, 15

FINE, COARSE, KIND, ALONG, DOWNWARD = 0, 1, 2, 3, 4
"""Sections of `FeatureBuffers.notes`, one item for each cell: its two classes, its kind, and the kinds of three cells
in a row and in a column that begin with it."""
LISTED = 5
"""Another section: a list of cells, of one line or of all numbers."""
NOTES = 6
MAX_PER_CELL = 12
"""The most features for each cell, beside two for the whole board."""


NOT_INLINED = ("features", "line_features")


class FeatureBuffers(NamedTuple):
    """Where the features of a position are computed."""

    notes: Words
    """`NOTES` sections of one item for each cell."""
    slots: Words
    """The features found, each by the index of its weight."""


def max_features(cells: int) -> int:
    """The most features that a board may have."""
    return MAX_PER_CELL * cells + 2


def win_probability(s: Words, weights: Weights, b: FeatureBuffers) -> float:
    """The learned value of an afterstate."""
    total = 0.0
    for k in range(features(s, b, len(weights) - 1)):
        total += weights[b.slots[k]]
    return logistic(total)


def logistic(log_odds: float) -> float:
    """The probability that has these log-odds."""
    return 1.0 / (1.0 + exp(-log_odds)) if log_odds > -30.0 else 0.0


def slot(kind: int, code: int, mask: int) -> int:
    """The index of a feature's weight; `mask` is the size of the table, a power of two, less one."""
    return ((((kind << 22) | code) * MIX) >> 26) & mask


def features(s: Words, b: FeatureBuffers, mask: int) -> int:
    """Write the features of a position to `b.slots`; return how many there are.

    The functions it calls do the same: they take the number of features so far and return the new one.
    """
    count = count_features(s, b, mask)
    for row in range(s[ROWS]):
        count = line_features(s, b, mask, count, row, True)
    for col in range(s[COLS]):
        count = line_features(s, b, mask, count, col, False)
    return patch_features(s, b, mask, pair_features(s, b, mask, count))


def count_features(s: Words, b: FeatureBuffers, mask: int) -> int:
    """The first two features, counts of tiles; note the classes and kinds of all cells on the way."""
    notes, cells = b.notes, s[ROWS] * s[COLS]
    numbers, plus, minus, times = 0, 0, 0, 0
    for cell in range(cells):
        tile = s[TILE + cell]
        if is_number(tile):
            numbers += 1
            value = value_of(tile)
            notes[FINE * cells + cell] = fine(value)
            notes[COARSE * cells + cell] = coarse(value)
            notes[KIND * cells + cell] = 1
        else:
            rank = tile >> 1  # 0 for an empty cell, then plus, minus, times
            plus += int(rank == 1)
            minus += int(rank == 2)
            times += int(rank == 3)
            notes[FINE * cells + cell] = FINE_OPERATORS + rank
            notes[COARSE * cells + cell] = COARSE_OPERATORS + rank - 1
            notes[KIND * cells + cell] = rank + 1 if rank else 0
    b.slots[0] = slot(COUNTS, min(numbers, 255) << 8 | min(plus + minus + times, 255), mask)
    b.slots[1] = slot(OPERATOR_COUNTS, min(plus, 63) << 12 | min(minus, 63) << 6 | min(times, 63), mask)
    return 2


def fine(value: int) -> int:
    """The fine class of a number: small ones have one each."""
    if LOWEST <= value <= HIGHEST:
        return value - LOWEST
    if value > HIGHEST:
        return 112 if value <= 2 * GOAL else 113
    if value == -GOAL:
        return 115
    return 114 if value > -GOAL else 116


def coarse(value: int) -> int:
    """The coarse class of a number. All numbers that one digit turns into 67 share two classes."""
    if value < 0:
        return 0 if value < -9 else 1
    if value < 2:
        return 2 + value
    if value < 10:
        return 4 if value < 5 else 5
    if value < GOAL - 9:
        return 6
    if value < GOAL:
        return 7
    if value <= GOAL + 9:
        return 8
    return 9 if value <= 2 * GOAL else 10


def line_features(s: Words, b: FeatureBuffers, mask: int, count: int, line: int, is_row: bool) -> int:
    """The features of a row or column: its pattern of kinds; with gaps closed, runs of tiles and triples ready to
    collapse.
    """
    notes, slots, cells = b.notes, b.slots, s[ROWS] * s[COLS]
    many, step = s[COLS] if is_row else s[ROWS], 1 if is_row else s[COLS]
    listed = LISTED * cells
    pattern, tiles, cell = 0, 0, line * s[COLS] if is_row else line
    for place in range(many):
        kind = notes[KIND * cells + cell]
        pattern = pattern * 5 + kind
        if kind:
            notes[listed + tiles] = cell
            tiles += 1
        if place % CHUNK == CHUNK - 1 or place == many - 1:
            slots[count] = slot(LINE, (pattern * CHUNK + place % CHUNK), mask)
            count += 1
            pattern = 0
        cell += step
    three, five = FINE_END, COARSE_END << COARSE_BITS | COARSE_END
    for k in range(tiles + 2):  # runs that end with tile k, or beyond the last tile
        three = (three << FINE_BITS | (notes[FINE * cells + notes[listed + k]] if k < tiles else FINE_END)) & 0x1FFFFF
        five = (
            five << COARSE_BITS | (notes[COARSE * cells + notes[listed + k]] if k < tiles else COARSE_END)
        ) & 0xFFFFF
        if 0 < k <= tiles:
            slots[count] = slot(THREE, three, mask)
            count += 1
        if k > 1:
            slots[count] = slot(FIVE, five, mask)
            count += 1
    for k in range(tiles - 2):
        if is_ready(s, notes, listed + k):
            slots[count] = slot(READY, ready_code(s, notes, listed, k, tiles), mask)
            count += 1
    return count


def is_ready(s: Words, notes: Words, at: int) -> bool:
    """Whether a `number operator number` begins at an item of the list of cells."""
    one, other = s[TILE + notes[at]], s[TILE + notes[at + 2]]
    return is_number(one) and not is_number(s[TILE + notes[at + 1]]) and is_number(other)


def ready_code(s: Words, notes: Words, listed: int, k: int, tiles: int) -> int:
    """A triple ready to collapse: the class of its result, and whether the tiles beside it turn that into 67."""
    value = joined(s, notes, listed + k)
    then = 0
    if k >= 2 and is_number(s[TILE + notes[listed + k - 2]]) and not is_number(s[TILE + notes[listed + k - 1]]):
        before = value_of(s[TILE + notes[listed + k - 2]])
        then = int(result(before, s[TILE + notes[listed + k - 1]], value, s[VALUE_LIMIT]) == GOAL)
    if k + 4 < tiles and is_number(s[TILE + notes[listed + k + 4]]) and not is_number(s[TILE + notes[listed + k + 3]]):
        after = value_of(s[TILE + notes[listed + k + 4]])
        then |= int(result(value, s[TILE + notes[listed + k + 3]], after, s[VALUE_LIMIT]) == GOAL)
    return fine(value) << 1 | then


def joined(s: Words, notes: Words, at: int) -> int:
    """The result of the `number operator number` that begins at an item of the list of cells."""
    one, operator, other = s[TILE + notes[at]], s[TILE + notes[at + 1]], s[TILE + notes[at + 2]]
    return result(value_of(one), operator, value_of(other), s[VALUE_LIMIT])


def pair_features(s: Words, b: FeatureBuffers, mask: int, count: int) -> int:
    """Pairs of numbers that plus or minus turns into 67: their offset, and how many such operators there are."""
    notes, cols, cells = b.notes, s[COLS], s[ROWS] * s[COLS]
    listed, many, plus, minus = LISTED * cells, 0, 0, 0
    for cell in range(cells):
        tile = s[TILE + cell]
        plus += int(tile == PLUS)
        minus += int(tile == MINUS)
        if is_number(tile):
            notes[listed + many] = cell
            many += 1
    most = count + 2 * cells
    for k in range(many):
        one = value_of(s[TILE + notes[listed + k]])
        for j in range(k + 1, many):
            other = value_of(s[TILE + notes[listed + j]])
            how = int(one + other == GOAL) + 2 * int(one - other == GOAL) + 3 * int(other - one == GOAL)
            if how and count < most:
                down = notes[listed + j] // cols - notes[listed + k] // cols
                across = notes[listed + j] % cols - notes[listed + k] % cols
                ready = min(3, plus if how == 1 else minus)
                code = ((how << 2 | ready) << 4 | min(15, down)) << 5 | max(0, min(31, across + 16))
                b.slots[count] = slot(PAIR, code, mask)
                count += 1
    return count


def patch_features(s: Words, b: FeatureBuffers, mask: int, count: int) -> int:
    """Patches of kinds: 2×2, 2×3 both ways, and 3×3."""
    notes, slots, rows, cols = b.notes, b.slots, s[ROWS], s[COLS]
    cells = rows * cols
    kind, along, downward = KIND * cells, ALONG * cells, DOWNWARD * cells
    for row in range(rows):
        for col in range(cols):
            at = row * cols + col
            if col + 2 < cols:
                notes[along + at] = (notes[kind + at] * 5 + notes[kind + at + 1]) * 5 + notes[kind + at + 2]
            if row + 2 < rows:
                below = notes[kind + at + cols] * 5 + notes[kind + at + 2 * cols]
                notes[downward + at] = notes[kind + at] * 25 + below
    for row in range(rows - 1):
        for col in range(cols - 1):
            at = row * cols + col
            square = (notes[kind + at] * 5 + notes[kind + at + 1]) * 25 + notes[kind + at + cols] * 5
            slots[count] = slot(SQUARE, square + notes[kind + at + cols + 1], mask)
            count += 1
            if col + 2 < cols:
                slots[count] = slot(OBLONG, notes[along + at] * 125 + notes[along + at + cols], mask)
                count += 1
            if row + 2 < rows:
                slots[count] = slot(OBLONG, notes[downward + at] * 125 + notes[downward + at + 1], mask)
                count += 1
                if col + 2 < cols:
                    block = (notes[along + at] * 125 + notes[along + at + cols]) * 125 + notes[along + at + 2 * cols]
                    slots[count] = slot(BLOCK, block, mask)
                    count += 1
    return count
