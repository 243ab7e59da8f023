"""What a position of 67! after a slide is worth: the probability of winning, from tables of learned weights.

A position has a few hundred *features*, each a pattern that can be seen somewhere on the board: how many numbers and
operators there are; a line with its gaps; three tiles in a row, and five in less detail; what is about to collapse, and
to what; two numbers that make 67 with an operator; and small patches of numbers and operators. Each feature has a slot
in one table, found by hashing it, and the weights there add up to the logarithm of the odds.

Rows and columns share their features, because the board may be transposed. It may not be mirrored, because of minus.
Square patches and pairs are told apart by how they lie.
"""

from __future__ import annotations

from math import exp

from rookery.games.sixseven.rules import (
    COLS,
    GOAL,
    LIMIT,
    MINUS,
    PLUS,
    ROWS,
    TILE,
    is_number,
    result,
    value_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Weights, Words

MIX = 0x9E3779B1
"""Multiplied by this, codes that lie close together come to lie far apart."""

COUNTS, OPERATOR_COUNTS, LINE, THREE, FIVE, READY, PAIR, SQUARE, OBLONG, BLOCK = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
"""The kinds of features."""
CHUNK = 8
"""Cells of a line that one pattern covers; a longer line has several."""

# Classes of tiles, fine and coarse.
LOWEST, HIGHEST = -12, 99
"""Numbers that are told apart, each from every other."""
FINE_BITS, FINE_OPERATORS, FINE_END = 7, 120, 127
COARSE_BITS, COARSE_OPERATORS, COARSE_END = 4, 12, 15

FINE, COARSE, KIND, ALONG, DOWNWARD = 0, 1, 2, 3, 4
"""What is written down about each cell: its classes, its kind, and the kinds of the three cells from it on."""
NOTES = 6
"""Notes for each cell, those five and one for a line or the list of numbers."""
MOST = 12
"""Features for each cell at most, beside two for the whole board."""


APART = ("features", "line_features")
"""What is compiled once, and not for every call of it."""


def room(cells: int) -> int:
    """Features that a board may have."""
    return MOST * cells + 2


def judge(s: Words, v: Weights, notes: Words, found: Words) -> float:
    """The probability of winning, from the weights `v`; `notes` and `found` are buffers."""
    total = 0.0
    for k in range(features(s, len(v) - 1, notes, found)):
        total += v[found[k]]
    return chance(total)


def chance(total: float) -> float:
    """The probability that has these logarithmic odds."""
    return 1.0 / (1.0 + exp(-total)) if total > -30.0 else 0.0


def slot(kind: int, code: int, mask: int) -> int:
    """Where the weight of a feature stands; `mask` is the size of the table, a power of two, less one."""
    return ((((kind << 22) | code) * MIX) >> 26) & mask


def features(s: Words, mask: int, notes: Words, found: Words) -> int:
    """Write the slots of a position's features into `found`; return how many."""
    rows, cols = s[ROWS], s[COLS]
    count = note_tiles(s, mask, notes, found)
    for row in range(rows):
        count = line_features(s, mask, notes, found, count, row * cols, 1, cols)
    for col in range(cols):
        count = line_features(s, mask, notes, found, count, col, cols, rows)
    return patches(s, mask, notes, found, pairs(s, mask, notes, found, count))


def note_tiles(s: Words, mask: int, notes: Words, found: Words) -> int:
    """Write down the classes and kinds of all tiles; the counts of them are the first features."""
    cells = s[ROWS] * s[COLS]
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
    found[0] = slot(COUNTS, min(numbers, 255) << 8 | min(plus + minus + times, 255), mask)
    found[1] = slot(OPERATOR_COUNTS, min(plus, 63) << 12 | min(minus, 63) << 6 | min(times, 63), mask)
    return 2


def fine(value: int) -> int:
    """The class of a number: its own if it is small, else one of a few."""
    if LOWEST <= value <= HIGHEST:
        return value - LOWEST
    if value > HIGHEST:
        return 112 if value <= 2 * GOAL else 113
    if value == -GOAL:
        return 115
    return 114 if value > -GOAL else 116


def coarse(value: int) -> int:
    """The class of a number, roughly: of those from which a digit leads to 67 all are alike."""
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


def line_features(s: Words, mask: int, notes: Words, found: Words, count: int, first: int, step: int, many: int) -> int:
    """The features of a line: its pattern of kinds, then, with the gaps closed, runs of tiles and what is ready."""
    cells = s[ROWS] * s[COLS]
    line = (NOTES - 1) * cells
    pattern, tiles, cell = 0, 0, first
    for place in range(many):
        kind = notes[KIND * cells + cell]
        pattern = pattern * 5 + kind
        if kind:
            notes[line + tiles] = cell
            tiles += 1
        if place % CHUNK == CHUNK - 1 or place == many - 1:
            found[count] = slot(LINE, (pattern * CHUNK + place % CHUNK), mask)
            count += 1
            pattern = 0
        cell += step
    three, five = FINE_END, COARSE_END << COARSE_BITS | COARSE_END
    for k in range(tiles + 2):  # runs that end with the k-th tile; beyond the last one there is the end
        three = (three << FINE_BITS | (notes[FINE * cells + notes[line + k]] if k < tiles else FINE_END)) & 0x1FFFFF
        five = (five << COARSE_BITS | (notes[COARSE * cells + notes[line + k]] if k < tiles else COARSE_END)) & 0xFFFFF
        if 0 < k <= tiles:
            found[count] = slot(THREE, three, mask)
            count += 1
        if k > 1:
            found[count] = slot(FIVE, five, mask)
            count += 1
    for k in range(tiles - 2):
        if is_ready(s, notes, line + k):
            found[count] = slot(READY, ready_code(s, notes, line, k, tiles), mask)
            count += 1
    return count


def is_ready(s: Words, notes: Words, at: int) -> bool:
    """Whether the tile listed there begins a `number operator number`."""
    one, other = s[TILE + notes[at]], s[TILE + notes[at + 2]]
    return is_number(one) and not is_number(s[TILE + notes[at + 1]]) and is_number(other)


def ready_code(s: Words, notes: Words, line: int, k: int, tiles: int) -> int:
    """What will collapse, as a code: the class of its result, and whether the tiles beside it then make 67 of it."""
    value = joined(s, notes, line + k)
    then = 0
    if k >= 2 and is_number(s[TILE + notes[line + k - 2]]) and not is_number(s[TILE + notes[line + k - 1]]):
        before = value_of(s[TILE + notes[line + k - 2]])
        then = int(result(before, s[TILE + notes[line + k - 1]], value, s[LIMIT]) == GOAL)
    if k + 4 < tiles and is_number(s[TILE + notes[line + k + 4]]) and not is_number(s[TILE + notes[line + k + 3]]):
        after = value_of(s[TILE + notes[line + k + 4]])
        then |= int(result(value, s[TILE + notes[line + k + 3]], after, s[LIMIT]) == GOAL)
    return fine(value) << 1 | then


def joined(s: Words, notes: Words, at: int) -> int:
    """The result of the `number operator number` that begins with the tile listed there."""
    one, operator, other = s[TILE + notes[at]], s[TILE + notes[at + 1]], s[TILE + notes[at + 2]]
    return result(value_of(one), operator, value_of(other), s[LIMIT])


def pairs(s: Words, mask: int, notes: Words, found: Words, count: int) -> int:
    """The features of pairs of numbers that plus or minus makes 67 of: how they lie, and how many there are of it."""
    cols, cells = s[COLS], s[ROWS] * s[COLS]
    listed, many, plus, minus = (NOTES - 1) * cells, 0, 0, 0
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
                found[count] = slot(PAIR, code, mask)
                count += 1
    return count


def patches(s: Words, mask: int, notes: Words, found: Words, count: int) -> int:
    """The features of small patches of kinds: 2×2, 2×3 both ways, and 3×3."""
    rows, cols = s[ROWS], s[COLS]
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
            found[count] = slot(SQUARE, square + notes[kind + at + cols + 1], mask)
            count += 1
            if col + 2 < cols:
                found[count] = slot(OBLONG, notes[along + at] * 125 + notes[along + at + cols], mask)
                count += 1
            if row + 2 < rows:
                found[count] = slot(OBLONG, notes[downward + at] * 125 + notes[downward + at + 1], mask)
                count += 1
                if col + 2 < cols:
                    block = (notes[along + at] * 125 + notes[along + at + cols]) * 125 + notes[along + at + 2 * cols]
                    found[count] = slot(BLOCK, block, mask)
                    count += 1
    return count
