"""The rules of 67!: numbers and operators slide, `number operator number` becomes one number, 67 wins.

Cells are numbered row by row from the top. Two words a cell hold the kind of its tile and, for a number, its value.
Actions are the four directions; the outcome that tile `t` appears on cell `c` is `SPAWN + c·TILES + t`, with the digits
as tiles 0..9 and the operators as 10, 11, 12.

Values grow without bound. Interpreted, they are exact; compiled code sets `LIMIT`, and values stay within ± that.
"""

from __future__ import annotations

from rookery.core.rules import CHANCE, LEFT, OVER, PROPER, RIGHT, TURN, UP
from rookery.core.stream import below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Weights, Words

GOAL = 67
ORIGINAL, MODIFIED, PAIRS, FINAL = 0, 1, 2, 3
EMPTY, NUMBER, PLUS, MINUS, TIMES = 0, 1, 2, 3, 4
DIGITS = 10
TILES = DIGITS + 3
SPAWN = 4
WHOLE_RATE = 1_000_000_000
"""Rates are kept in billionths, so that probabilities are exact."""
MACHINE_LIMIT = 1_000_000_000
"""What compiled code keeps values within: the product of two still fits 64 bits."""

ROWS = 2
COLS = 3
VARIANT = 4
OPERATORS = 5
"""The operators in play as bits: 1 plus, 2 minus, 4 times."""
RATE = 6
PER_TURN = 7
LIMIT = 8
"""Values stay within plus and minus this; 0: no limit."""
SPAWNS = 9
"""Tiles still to appear before the player's turn."""
FREE = 10
"""Empty cells."""
SLIDES = 11
WON = 12
KIND = 13
"""First word of the kinds; the values follow, then five lines of scratch."""


def size(config: Sequence[int]) -> int:
    return KIND + 2 * config[0] * config[1] + 1 + 5 * max(config[0], config[1])


def start(s: Words, config: Sequence[int]) -> None:
    """The configuration is: rows, columns, variant, operators, rate in billionths, tiles a turn, limit."""
    for k in range(7):
        s[ROWS + k] = config[k]
    s[PROPER] = KIND + 2 * s[ROWS] * s[COLS]
    s[FREE] = s[ROWS] * s[COLS]
    s[SPAWNS] = min(s[PER_TURN], s[FREE])
    s[TURN] = CHANCE


def front(s: Words, direction: int, line: int) -> int:
    """The cell at the end to which a line slides."""
    rows, cols = s[ROWS], s[COLS]
    if direction == LEFT:
        return line * cols
    if direction == RIGHT:
        return line * cols + cols - 1
    if direction == UP:
        return line
    return (rows - 1) * cols + line


def stride(s: Words, direction: int) -> int:
    """From a cell of a line to the next one behind it."""
    if direction == LEFT:
        return 1
    if direction == RIGHT:
        return -1
    if direction == UP:
        return s[COLS]
    return -s[COLS]


def lines(s: Words, direction: int) -> int:
    return s[ROWS] if direction == LEFT or direction == RIGHT else s[COLS]


def length(s: Words, direction: int) -> int:
    return s[COLS] if direction == LEFT or direction == RIGHT else s[ROWS]


def merges(s: Words) -> bool:
    """Whether equal operators merge in this variant."""
    return s[VARIANT] >= PAIRS


def result(s: Words, a: int, operator: int, b: int) -> int:
    value = a + b if operator == PLUS else a - b if operator == MINUS else a * b
    limit = s[LIMIT]
    if limit > 0:
        value = max(-limit, min(limit, value))
    return value


def line_moves(s: Words, direction: int, line: int) -> bool:
    """Whether sliding would change this line.

    Without a gap before a tile the tiles stand packed, so that all variants agree on what collapses.
    """
    cell, step = front(s, direction, line), stride(s, direction)
    gap = False
    before, last = EMPTY, EMPTY
    for _ in range(length(s, direction)):
        kind = s[KIND + cell]
        if kind == EMPTY:
            gap = True
        else:
            if gap:
                return True
            if kind == NUMBER and last > NUMBER and before == NUMBER:
                return True
            if kind > NUMBER and kind == last and merges(s):
                return True
        before, last = last, kind
        cell += step
    return False


def can_slide(s: Words, direction: int) -> bool:
    for line in range(lines(s, direction)):
        if line_moves(s, direction, line):
            return True
    return False


def slide_line(s: Words, direction: int, line: int) -> None:
    """Slide one line: close gaps, merge operators, collapse `number operator number`.

    Afterwards `landing` tells where each of its tiles went.
    """
    cells = s[ROWS] * s[COLS]
    cell, step, many = front(s, direction, line), stride(s, direction), length(s, direction)
    kinds = s[PROPER] + 1
    values, places, heaps, lands = kinds + many, kinds + 2 * many, kinds + 3 * many, kinds + 4 * many
    found, count, run = 0, 0, 0
    for place in range(many):
        kind = s[KIND + cell]
        s[heaps + place] = -1
        if kind != EMPTY:
            found += 1
            run = run + 1 if kind > NUMBER and count > 0 and s[kinds + count - 1] == kind and merges(s) else 0
            # The second of a pair merges into the first; in `final` so do all that follow it.
            absorbed = run % 2 == 1 if s[VARIANT] == PAIRS else run > 0
            if not absorbed:
                s[kinds + count] = kind
                s[values + count] = s[KIND + cells + cell]
                s[places + count] = place
                count += 1
            s[heaps + place] = count - 1
        cell += step
    cell = front(s, direction, line)
    forwards = direction == LEFT or direction == UP
    i, written = 0, 0
    while i < count:
        kind, value = s[kinds + i], s[values + i]
        s[lands + i] = written
        if joins(s, kinds, places, i, count):
            other = s[values + i + 2]
            if forwards:
                value = result(s, value, s[kinds + i + 1], other)
            else:
                value = result(s, other, s[kinds + i + 1], value)
            s[lands + i + 1] = written
            s[lands + i + 2] = written
            i += 2
        s[KIND + cell] = kind
        s[KIND + cells + cell] = value
        if kind == NUMBER and value == GOAL:
            s[WON] = 1
        i += 1
        written += 1
        cell += step
    s[FREE] += found - written
    for _ in range(written, many):
        s[KIND + cell] = EMPTY
        s[KIND + cells + cell] = 0
        cell += step


def joins(s: Words, kinds: int, places: int, i: int, count: int) -> bool:
    """Whether the i-th tile of the line in scratch and the two behind it become one number."""
    if i + 2 >= count or s[kinds + i] != NUMBER or s[kinds + i + 1] <= NUMBER or s[kinds + i + 2] != NUMBER:
        return False
    return s[VARIANT] != ORIGINAL or s[places + i + 2] == s[places + i] + 2


def landing(s: Words, direction: int, place: int) -> int:
    """Where a place of the line just slid, counted from its front, went; −1 if it was empty."""
    many = length(s, direction)
    heap = s[s[PROPER] + 1 + 3 * many + place]
    return s[s[PROPER] + 1 + 4 * many + heap] if heap >= 0 else -1


def legal(s: Words, action: int) -> bool:
    if s[TURN] == CHANCE:
        return action >= SPAWN and may_appear(s, (action - SPAWN) // TILES, (action - SPAWN) % TILES)
    return s[TURN] != OVER and action < SPAWN and can_slide(s, action)


def may_appear(s: Words, cell: int, tile: int) -> bool:
    if s[KIND + cell] != EMPTY:
        return False
    if tile < DIGITS:
        return s[RATE] < WHOLE_RATE
    return s[RATE] > 0 and ((s[OPERATORS] >> (tile - DIGITS)) & 1) == 1


def actions(s: Words, out: Words) -> int:
    count = 0
    for direction in range(4):
        if can_slide(s, direction):
            out[count] = direction
            count += 1
    return count


def play(s: Words, action: int) -> bool:
    if not legal(s, action):
        return False
    if s[TURN] == CHANCE:
        appear(s, (action - SPAWN) // TILES, (action - SPAWN) % TILES)
    else:
        slide(s, action)
    return True


def slide(s: Words, direction: int) -> None:
    for line in range(lines(s, direction)):
        slide_line(s, direction, line)
    s[SLIDES] += 1
    if s[WON]:
        s[TURN] = OVER
    else:
        s[SPAWNS] = min(s[PER_TURN], s[FREE])
        s[TURN] = CHANCE


def appear(s: Words, cell: int, tile: int) -> None:
    s[KIND + cell] = NUMBER if tile < DIGITS else PLUS + tile - DIGITS
    s[KIND + s[ROWS] * s[COLS] + cell] = tile if tile < DIGITS else 0
    s[FREE] -= 1
    s[SPAWNS] -= 1
    if s[SPAWNS] == 0:
        s[TURN] = OVER if stuck(s) else 1


def stuck(s: Words) -> bool:
    """Whether no slide is left. With an empty cell and a tile on the board some line has both, and can move."""
    if s[FREE] > 0:
        return False
    for direction in range(4):
        if can_slide(s, direction):
            return False
    return True


def operator_count(s: Words) -> int:
    return (s[OPERATORS] & 1) + ((s[OPERATORS] >> 1) & 1) + ((s[OPERATORS] >> 2) & 1)


def chances(s: Words, out: Words, weights: Weights) -> int:
    operators = operator_count(s)
    digit = (WHOLE_RATE - s[RATE]) / (WHOLE_RATE * DIGITS * s[FREE])
    operator = s[RATE] / (WHOLE_RATE * operators * s[FREE])
    count = 0
    for cell in range(s[ROWS] * s[COLS]):
        for tile in range(TILES):
            if may_appear(s, cell, tile):
                out[count] = SPAWN + cell * TILES + tile
                weights[count] = digit if tile < DIGITS else operator
                count += 1
    return count


def draw(s: Words, r: Words) -> int:
    rank = below(r, s[FREE])
    cell = 0
    while s[KIND + cell] != EMPTY or rank > 0:
        if s[KIND + cell] == EMPTY:
            rank -= 1
        cell += 1
    if below(r, WHOLE_RATE) >= s[RATE]:
        return SPAWN + cell * TILES + below(r, DIGITS)
    choice = below(r, operator_count(s))
    tile = DIGITS
    while ((s[OPERATORS] >> (tile - DIGITS)) & 1) == 0 or choice > 0:
        choice -= (s[OPERATORS] >> (tile - DIGITS)) & 1
        tile += 1
    return SPAWN + cell * TILES + tile


def moves(s: Words) -> int:
    """Slides made, and in a lost game one more: the turn that had no move."""
    return s[SLIDES] + (1 if s[TURN] == OVER and not s[WON] else 0)


def score(s: Words, player: int) -> float:
    """1 for a 67, else 0."""
    return 1.0 if s[WON] else 0.0
