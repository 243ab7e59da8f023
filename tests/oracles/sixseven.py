"""A slow, obvious 67!: lists of tiles slid one line at a time, and every new tile a chance of its own."""

from fractions import Fraction

Tile = int | str
Line = list[Tile | None]

VARIANTS = ("original", "modified", "pairs", "final")
GOAL = 67


def slide_line(line: Line, variant: str) -> Line:
    """Slide a line toward its first place."""
    standing = [(place, tile) for place, tile in enumerate(line) if tile is not None]
    return filled_up(join(merge(standing, variant), variant, backwards=False), len(line))


def slide_line_to_end(line: Line, variant: str) -> Line:
    """Slide a line toward its last place; its values are still read from the first place on."""
    from_end = line[::-1]
    standing = [(place, tile) for place, tile in enumerate(from_end) if tile is not None]
    return filled_up(join(merge(standing, variant), variant, backwards=True), len(line))[::-1]


def merge(standing: list[tuple[int, Tile]], variant: str) -> list[tuple[int, Tile]]:
    if variant in ("original", "modified"):
        return standing
    merged: list[tuple[int, Tile]] = []
    run = 0
    for place, tile in standing:
        same = isinstance(tile, str) and run > 0 and merged[-1][1] == tile
        run = run + 1 if same else 1
        # In pairs, the second, fourth, ... of a run disappear into the one before.
        if same and (variant == "final" or run % 2 == 0):
            continue
        merged.append((place, tile))
    return merged


def join(standing: list[tuple[int, Tile]], variant: str, *, backwards: bool) -> list[Tile]:
    joined: list[Tile] = []
    first = 0
    while first < len(standing):
        three = standing[first : first + 3]
        tiles = [tile for _, tile in three]
        without_gaps = three[-1][0] - three[0][0] == 2
        if is_sum(tiles) and (without_gaps or variant != "original"):
            joined.append(value(tiles[::-1] if backwards else tiles))
            first += 3
        else:
            joined.append(tiles[0])
            first += 1
    return joined


def is_sum(tiles: list[Tile]) -> bool:
    return [type(tile) for tile in tiles] == [int, str, int]


def value(tiles: list[Tile]) -> int:
    left, operator, right = tiles
    assert isinstance(left, int) and isinstance(right, int)
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    return left * right


def filled_up(tiles: list[Tile], length: int) -> Line:
    return [*tiles, *[None] * (length - len(tiles))]


def turned(grid: list[Line]) -> list[Line]:
    return [list(column) for column in zip(*grid, strict=True)]


class SixSeven:
    """One game, from the empty board with its first tiles still due."""

    def __init__(
        self,
        *,
        rows: int = 6,
        cols: int = 7,
        variant: str = "modified",
        operators: str = "+-*",
        rate: Fraction | str = Fraction(1, 2),
        tiles: int = 2,
    ) -> None:
        if min(rows, cols, tiles) < 1:
            raise ValueError(f"rows {rows}, cols {cols}, tiles {tiles}: each must be at least 1")
        if variant not in VARIANTS:
            raise ValueError(f"variant is {variant!r}; it must be one of {', '.join(VARIANTS)}")
        if not set(operators) <= set("+-*") or len(set(operators)) < len(operators):
            raise ValueError(f"operators is {operators!r}; it may hold each of + - * once")
        self.rate = Fraction(rate)
        if not 0 <= self.rate <= 1 or (self.rate > 0 and not operators):
            raise ValueError(f"rate is {rate}; it must be 0 to 1, and 0 without operators")
        self.variant = variant
        self.operators = operators
        self.tiles = tiles
        self.grid: list[Line] = [[None] * cols for _ in range(rows)]
        self.slides = 0
        self.won = False
        self.due = min(tiles, rows * cols)

    @property
    def turn(self) -> int:
        if self.won:
            return -1
        if self.due:
            return 0
        return 1 if self.legal_slides() else -1

    @property
    def moves(self) -> int:
        lost = self.turn == -1 and not self.won
        return self.slides + 1 if lost else self.slides

    def actions(self) -> set[str]:
        return set() if self.won or self.due else self.legal_slides()

    def chances(self) -> dict[str, Fraction]:
        if not self.due:
            return {}
        empty = self.empty()
        digit_chance = (1 - self.rate) / 10 / len(empty)
        operator_chance = self.rate / max(1, len(self.operators)) / len(empty)
        kinds = dict.fromkeys("0123456789", digit_chance) | dict.fromkeys(self.operators, operator_chance)
        return {f"{row},{col}={kind}": chance for row, col in empty for kind, chance in kinds.items() if chance > 0}

    def play(self, text: str) -> None:
        if text not in self.actions() and text not in self.chances():
            raise ValueError(f"{text!r} is not possible now")
        if self.due:
            place, kind = text.split("=")
            row, col = place.split(",")
            self.grid[int(row)][int(col)] = int(kind) if kind.isdigit() else kind
            self.due -= 1
        else:
            self.grid = self.slid(text)
            self.slides += 1
            self.won = any(tile == GOAL for line in self.grid for tile in line)
            self.due = 0 if self.won else min(self.tiles, len(self.empty()))

    def scores(self) -> tuple[Fraction | int, ...]:
        return (1,) if self.won else (0,)

    def legal_slides(self) -> set[str]:
        return {way for way in ("left", "right", "up", "down") if self.slid(way) != self.grid}

    def slid(self, way: str) -> list[Line]:
        slide = slide_line if way in ("left", "up") else slide_line_to_end
        if way in ("left", "right"):
            return [slide(line, self.variant) for line in self.grid]
        return turned([slide(line, self.variant) for line in turned(self.grid)])

    def empty(self) -> list[tuple[int, int]]:
        return [(r, c) for r, line in enumerate(self.grid) for c, tile in enumerate(line) if tile is None]
