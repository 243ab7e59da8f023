"""The rules of 67!: numbers and operators slide, `number operator number` becomes one number, 67 wins.

Cells are numbered row by row from the top, one word each: 0 if it is empty, an even word for an operator, an odd one,
`2·value + 1`, for a number. Actions are the four directions. The outcome that tile `t` appears on cell `c` is
`SPAWN + c·TILES + t`, with the digits as tiles 0..9 and the operators as 10, 11, 12.

Values have no upper limit. Interpreted code is exact. Compiled code sets `VALUE_LIMIT`: a value that reaches it
saturates, and stays there unless it is multiplied by 0.
"""

from __future__ import annotations

from rookery.core.rules import CHANCE, DOWN, LEFT, OVER, RIGHT, STATE_SIZE, TURN, UP
from rookery.core.stream import below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Weights, Words

GOAL = 67
ORIGINAL, MODIFIED, PAIRS, FINAL = 0, 1, 2, 3
EMPTY, PLUS, MINUS, TIMES = 0, 2, 4, 6
DIGITS = 10
TILES = DIGITS + 3
SPAWN = 4
WHOLE_RATE = 1_000_000_000
"""Rates are kept in billionths, so that probabilities are exact."""
BITS = 62
"""The most cells of a board that fits one word, a bit for each cell."""
MACHINE_LIMIT = 1_000_000_000
"""The `VALUE_LIMIT` of compiled code: the product of two such values fits 64 bits."""

ROWS = 2
COLS = 3
VARIANT = 4
OPERATORS = 5
"""The operators in play as bits: 1 plus, 2 minus, 4 times."""
RATE = 6
PER_TURN = 7
VALUE_LIMIT = 8
"""Values saturate at plus or minus this; 0: they are exact."""
SPAWNS = 9
"""Tiles still to appear before the player's turn."""
EMPTY_COUNT = 10
"""Empty cells."""
SLIDES = 11
WON = 12
FRONT = 13
"""For each direction the cell to which the first line slides; four words, like each of the next four tables."""
ACROSS = 17
"""The offset from a cell to the same place of the next line."""
STRIDE = 21
"""The offset from a cell to the one behind it in its line."""
LINES = 25
LENGTH = 29
TILE = 33
"""First word of the tiles."""


def size(config: Sequence[int]) -> int:
    return TILE + config[0] * config[1]


def start(s: Words, config: Sequence[int]) -> None:
    """The configuration is: rows, columns, variant, operators, rate in billionths, tiles a turn, limit."""
    for k in range(7):
        s[ROWS + k] = config[k]
    s[STATE_SIZE] = size(config)
    s[EMPTY_COUNT] = s[ROWS] * s[COLS]
    s[SPAWNS] = min(s[PER_TURN], s[EMPTY_COUNT])
    s[TURN] = CHANCE
    rows, cols = s[ROWS], s[COLS]
    s[FRONT + RIGHT], s[FRONT + DOWN] = cols - 1, (rows - 1) * cols
    s[STRIDE + UP], s[STRIDE + RIGHT], s[STRIDE + DOWN], s[STRIDE + LEFT] = cols, -1, -cols, 1
    for direction in range(4):
        sideways = direction == LEFT or direction == RIGHT
        s[ACROSS + direction] = cols if sideways else 1
        s[LINES + direction] = rows if sideways else cols
        s[LENGTH + direction] = cols if sideways else rows


def number(value: int) -> int:
    """The tile with a number on it."""
    return 2 * value + 1


def is_number(tile: int) -> bool:
    return (tile & 1) != 0


def value_of(tile: int) -> int:
    """The number on a tile."""
    return tile >> 1


def front(s: Words, direction: int, line: int) -> int:
    """The cell to which a line slides."""
    return s[FRONT + direction] + line * s[ACROSS + direction]


def result(a: int, operator: int, b: int, limit: int) -> int:
    """The result of two numbers, in reading order."""
    if limit > 0 and (abs(a) >= limit or abs(b) >= limit) and operator != TIMES:
        # A saturated value is unknown; that it would come back to 67 is almost impossible.
        return a if abs(a) >= limit else b if operator == PLUS else -b
    value = a * b if operator == TIMES else a + b if operator == PLUS else a - b
    return max(-limit, min(limit, value)) if limit > 0 else value


def can_slide(s: Words, direction: int) -> bool:
    """Whether a slide would change a line. Most often it closes a gap, so gaps are looked for first."""
    many, step = s[LENGTH + direction], s[STRIDE + direction]
    for line in range(s[LINES + direction]):
        cell = TILE + front(s, direction, line)
        for _ in range(many - 1):
            if s[cell] == EMPTY and s[cell + step] != EMPTY:
                return True
            cell += step
    for line in range(s[LINES + direction]):
        if packed_line_moves(s, TILE + front(s, direction, line), step, many):
            return True
    return False


def packed_line_moves(s: Words, cell: int, step: int, many: int) -> bool:
    """Whether a slide would change a line without gaps, where `original` and the other variants collapse alike."""
    merging = s[VARIANT] >= PAIRS
    before, last = EMPTY, EMPTY
    for _ in range(many):
        tile = s[cell]
        if is_number(tile):
            if is_number(before) and not is_number(last):
                return True
        elif tile != EMPTY and tile == last and merging:
            return True
        before, last = last, tile
        cell += step
    return False


def slide(s: Words, direction: int) -> None:
    """Slide every line; then it is chance's turn, or the game is won."""
    many, step, across = s[LENGTH + direction], s[STRIDE + direction], s[ACROSS + direction]
    first, tiles = TILE + s[FRONT + direction], 0
    for _ in range(s[LINES + direction]):
        tiles += slide_line(s, first, step, many)
        first += across
    s[SLIDES] += 1
    s[EMPTY_COUNT] = s[ROWS] * s[COLS] - tiles
    if s[WON]:
        s[TURN] = OVER
    else:
        s[SPAWNS] = min(s[PER_TURN], s[EMPTY_COUNT])
        s[TURN] = CHANCE


def slide_line(s: Words, first: int, step: int, many: int) -> int:
    """Slide one line towards its first word: close gaps, merge operators, collapse `number operator number`; return
    the number of tiles left. Few lines have anything to merge or collapse.
    """
    variant = s[VARIANT]
    if variant == ORIGINAL:
        collapse(s, first, step, joins_as_it_stands(s, first, step, many))
    count, numbers, equal = close(s, first, step, many, variant >= PAIRS)
    if variant == ORIGINAL:
        return count
    if equal:
        merge(s, first, step, count)
        count, numbers, equal = close(s, first, step, many, False)
    joins = numbers & ~(numbers >> 1) & (numbers >> 2)
    if joins:
        collapse(s, first, step, joins)
        count, numbers, equal = close(s, first, step, many, False)
    return count


def close(s: Words, first: int, step: int, many: int, merging: bool) -> tuple[int, int, int]:
    """Close the gaps of a line; return how many tiles it has, the places of the numbers among them as bits, and, where
    operators merge, 1 if two that are equal follow each other.

    The loop has no branches: tiles are unpredictable, and mispredicted branches would cost more than all the rest.
    """
    cell, to, past = first, first, first + step * many
    count, numbers, last, equal = 0, 0, -1, 0
    while cell != past:
        tile = s[cell]
        numbers |= (tile & 1) << count
        if merging:  # constant in the loop, so that the compiler makes two loops
            equal |= int(tile == last) & ~tile
            last = tile if tile != EMPTY else last
        s[cell] = EMPTY
        s[to] = tile
        count += int(tile != EMPTY)
        to = first + step * count
        cell += step
    return count, numbers, equal


def merge(s: Words, first: int, step: int, count: int) -> None:
    """Merge equal operators that stand next to each other: the second of a pair into the first, and in `final` all
    that follow it too. This leaves gaps.
    """
    last, cell = -1, first
    for _ in range(count):
        tile = s[cell]
        if tile == last and not is_number(tile):
            s[cell] = EMPTY
            if s[VARIANT] == PAIRS:
                last = -1
        else:
            last = tile
        cell += step


def joins_as_it_stands(s: Words, first: int, step: int, many: int) -> int:
    """The places, as bits, where a `number operator number` without gaps begins."""
    numbers, operators, cell = 0, 0, first
    for place in range(many):
        tile = s[cell]
        numbers |= (tile & 1) << place
        operators |= int(tile != EMPTY) << place
        cell += step
    return numbers & ((operators & ~numbers) >> 1) & (numbers >> 2)


def collapse(s: Words, first: int, step: int, joins: int) -> None:
    """Make one number of each `number operator number` in a line, from the front, leaving gaps behind it.

    `joins` has the places where one begins, as bits; one that begins with the last number of another does not count.
    """
    cell = first
    while joins:
        if joins & 1:
            one, operator, other = s[cell], s[cell + step], s[cell + 2 * step]
            if step < 0:  # values are always read left to right, top to bottom
                one, other = other, one
            value = result(value_of(one), operator, value_of(other), s[VALUE_LIMIT])
            if value == GOAL:
                s[WON] = 1
            s[cell] = number(value)
            s[cell + step] = EMPTY
            s[cell + 2 * step] = EMPTY
            joins &= ~4
        joins >>= 1
        cell += step


def legal(s: Words, action: int) -> bool:
    if s[TURN] == CHANCE:
        return action >= SPAWN and may_appear(s, (action - SPAWN) // TILES, (action - SPAWN) % TILES)
    return s[TURN] != OVER and action < SPAWN and can_slide(s, action)


def may_appear(s: Words, cell: int, tile: int) -> bool:
    if s[TILE + cell] != EMPTY:
        return False
    if tile < DIGITS:
        return s[RATE] < WHOLE_RATE
    return s[RATE] > 0 and ((s[OPERATORS] >> (tile - DIGITS)) & 1) == 1


def actions(s: Words, out: Words) -> int:
    count, ways = 0, slides(s) if s[ROWS] * s[COLS] <= BITS else slides_one_by_one(s)
    for direction in range(4):
        if (ways >> direction) & 1:
            out[count] = direction
            count += 1
    return count


def slides_one_by_one(s: Words) -> int:
    """The directions in which a slide is possible, as bits."""
    ways = 0
    for direction in range(4):
        ways |= int(can_slide(s, direction)) << direction
    return ways


def slides(s: Words) -> int:
    """The same, for a board that fits one word, a bit for each cell: all directions at once and without branches.

    A slide is possible if it closes a gap. Without gaps it is possible if some tiles collapse, a number, an operator
    and a number in a row, or if equal operators merge.
    """
    cols, cells = s[COLS], s[ROWS] * s[COLS]
    tiles, numbers, rows = 0, 0, 0
    for cell in range(cells):
        tile = s[TILE + cell]
        tiles |= int(tile != EMPTY) << cell
        numbers |= (tile & 1) << cell
    for row in range(s[ROWS]):
        rows |= 1 << (row * cols)
    left, right, top = rows, rows << (cols - 1), (1 << cols) - 1
    bottom = top << (cells - cols)
    operators = tiles & ~numbers
    across = numbers & (operators >> 1) & (numbers >> 2) & ~right & ~(right >> 1)
    along = numbers & (operators >> cols) & (numbers >> (2 * cols))
    if s[VARIANT] >= PAIRS:
        for operator in range(PLUS, TIMES + 1, 2):
            alike = 0
            for cell in range(cells):
                alike |= int(s[TILE + cell] == operator) << cell
            across |= alike & (alike >> 1) & ~right
            along |= alike & (alike >> cols)
    ways = int((tiles & ~(tiles << cols) & ~top | along) != 0) << UP
    ways |= int((tiles & ~(tiles >> 1) & ~right | across) != 0) << RIGHT
    ways |= int((tiles & ~(tiles >> cols) & ~bottom | along) != 0) << DOWN
    ways |= int((tiles & ~(tiles << 1) & ~left | across) != 0) << LEFT
    return ways


def pick(s: Words, r: Words) -> int:
    action = below(r, 4)
    while not can_slide(s, action):
        action = below(r, 4)
    return action


def perform(s: Words, action: int) -> None:
    if s[TURN] == CHANCE:
        appear(s, (action - SPAWN) // TILES, (action - SPAWN) % TILES)
    else:
        slide(s, action)


def appear(s: Words, cell: int, tile: int) -> None:
    s[TILE + cell] = number(tile) if tile < DIGITS else PLUS + 2 * (tile - DIGITS)
    s[EMPTY_COUNT] -= 1
    s[SPAWNS] -= 1
    if s[SPAWNS] == 0:
        s[TURN] = OVER if stuck(s) else 1


def stuck(s: Words) -> bool:
    """Whether no slide is possible. If a cell is empty, some line has a gap and can slide. On a full board, a line that
    can slide one way can slide the other way, too.
    """
    return s[EMPTY_COUNT] == 0 and not can_slide(s, LEFT) and not can_slide(s, UP)


def operator_count(s: Words) -> int:
    return (s[OPERATORS] & 1) + ((s[OPERATORS] >> 1) & 1) + ((s[OPERATORS] >> 2) & 1)


def chances(s: Words, out: Words, weights: Weights) -> int:
    operators = operator_count(s)
    digit = (WHOLE_RATE - s[RATE]) / (WHOLE_RATE * DIGITS * s[EMPTY_COUNT])
    operator = s[RATE] / (WHOLE_RATE * operators * s[EMPTY_COUNT])
    count = 0
    for cell in range(s[ROWS] * s[COLS]):
        for tile in range(TILES):
            if may_appear(s, cell, tile):
                out[count] = SPAWN + cell * TILES + tile
                weights[count] = digit if tile < DIGITS else operator
                count += 1
    return count


def draw(s: Words, r: Words) -> int:
    """Draw cells until one is empty; then draw both a digit and an operator, and use one of them."""
    cells = s[ROWS] * s[COLS]
    cell = below(r, cells)
    while s[TILE + cell] != EMPTY:
        cell = below(r, cells)
    digital = below(r, WHOLE_RATE) >= s[RATE]
    digit, choice = below(r, DIGITS), below(r, operator_count(s))
    tile = digit if digital else DIGITS + operator_at(s, choice)
    return SPAWN + cell * TILES + tile


def operator_at(s: Words, rank: int) -> int:
    """The operator of a rank among those in play: 0 plus, 1 minus, 2 times."""
    plus, minus = s[OPERATORS] & 1, (s[OPERATORS] >> 1) & 1
    return (rank >= plus) + (rank >= plus + minus)


def moves(s: Words, made: int) -> int:
    """The slides made; in a lost game one more, for the turn without a slide. So the lab counts; people are
    shown the slides.
    """
    return made + (1 if s[TURN] == OVER and not s[WON] else 0)


def score(s: Words, player: int) -> float:
    """1 for a 67, else 0."""
    return 1.0 if s[WON] else 0.0


def winner(s: Words) -> int:
    return s[WON]


def tally(s: Words, counts: Words) -> None:
    """One map: where the 67 was made."""
    for cell in range(s[ROWS] * s[COLS]):
        if s[TILE + cell] == number(GOAL):
            counts[cell] += 1
