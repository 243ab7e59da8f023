"""Where the cells of a scene come to lie on a screen of characters, and what lies under a point of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rookery.core.scene import Scene, Spot

Place = tuple["Spot", ...]
"""One spot is a cell, two are the edge between them, as in a scene's choices."""

EDGED = ((11, 5), (9, 4), (7, 3), (5, 2), (3, 1))
TILED = ((16, 7), (11, 5), (7, 3), (6, 1), (5, 1), (4, 1))
OPEN = ((12, 6), (10, 5), (8, 4), (6, 3), (4, 2), (4, 1), (3, 1), (2, 1))
"""Columns and lines of a cell, from large to small: where things happen between cells, of tiles, and of other cells."""


@dataclass(frozen=True)
class Grid:
    """A board of `rows` × `cols` cells, each `wide` columns and `high` lines, as far as there is room for it."""

    rows: int
    cols: int
    wide: int
    high: int
    gap: int
    """Between cells, and around them all."""
    left: int
    top: int
    """Room for the names of rows and of columns."""
    first_row: int = 0
    first_col: int = 0
    """The cell in the upper left corner, where not all can be seen."""
    seen_rows: int = 0
    seen_cols: int = 0
    rim: int = 0
    """Columns at the right of a cell that stay free."""

    @property
    def inner(self) -> int:
        """Columns of a cell that can be filled."""
        return self.wide - self.rim

    @property
    def width(self) -> int:
        return self.left + self.seen_cols * (self.wide + self.gap) + self.gap

    @property
    def height(self) -> int:
        return self.top + self.seen_rows * (self.high + self.gap) + self.gap

    def corner(self, row: float, col: float) -> tuple[int, int]:
        """The upper left character of a cell, or of something on its way between two."""
        x = self.left + self.gap + (col - self.first_col) * (self.wide + self.gap)
        y = self.top + self.gap + (row - self.first_row) * (self.high + self.gap)
        return round(x), round(y)

    def shows(self, row: int, col: int) -> bool:
        """Whether a cell can be seen."""
        return (
            self.first_row <= row < self.first_row + self.seen_rows
            and self.first_col <= col < self.first_col + self.seen_cols
        )

    def place_at(self, x: int, y: int) -> Place | None:
        """The cell or edge under a character; None where there is neither."""
        col, across = divmod(x - self.left - self.gap, self.wide + self.gap)
        row, down = divmod(y - self.top - self.gap, self.high + self.gap)
        row, col = row + self.first_row, col + self.first_col
        between_cols, between_rows = across >= self.wide, down >= self.high
        if not self.shows(row, col) or (between_cols and between_rows):
            return None
        if between_cols:
            return ((row, col), (row, col + 1)) if self.shows(row, col + 1) else None
        if between_rows:
            return ((row, col), (row + 1, col)) if self.shows(row + 1, col) else None
        return ((row, col),)

    def middle(self, place: Place) -> tuple[int, int]:
        """A character under which a place lies, for pointing at it."""
        x, y = self.corner(*place[0])
        if len(place) == 1:
            return x + (self.inner - 1) // 2, y + (self.high - 1) // 2
        (row, _), (other, _) = place
        return (x + self.wide // 2, y + self.high) if other > row else (x + self.wide, y + self.high // 2)

    def moved(self, rows: int, cols: int) -> Grid:
        """The same grid moved over the board, as far as that goes."""
        return replace(
            self,
            first_row=max(0, min(self.rows - self.seen_rows, self.first_row + rows)),
            first_col=max(0, min(self.cols - self.seen_cols, self.first_col + cols)),
        )

    def looking_at(self, spot: Spot) -> Grid:
        """The same grid moved so that a cell can be seen, with some of those around it."""
        return replace(
            self,
            first_row=_shifted(self.first_row, self.seen_rows, self.rows, spot[0]),
            first_col=_shifted(self.first_col, self.seen_cols, self.cols, spot[1]),
        )


def _shifted(first: int, seen: int, all: int, at: int) -> int:
    margin = min(2, (seen - 1) // 2)
    first = min(first, max(0, at - margin))
    return max(first, min(all - seen, at - seen + 1 + margin))


def tiled(scene: Scene) -> bool:
    """Whether the cells of a scene are tiles that slide."""
    return any(cell.role in ("number", "operator") for cell in scene.cells)


def laid_out(scene: Scene, width: int, height: int) -> Grid:
    """The grid with the largest cells for which there is room; where there is none even for the smallest, a part of the
    board.
    """
    shapes = EDGED if scene.edges else TILED if tiled(scene) else OPEN
    named, gap = not tiled(scene), int(scene.edges)
    left = max(map(len, scene.row_names), default=0) + (not scene.edges) if named else 0
    top = int(named and not scene.edges)
    # A player's number has room, and a sign behind it.
    narrowest = len(str(len(scene.players))) + 1
    grid = None
    for wide, high in [shape for shape in shapes if shape[0] >= narrowest] or [(narrowest, 1)]:
        grid = Grid(scene.rows, scene.cols, wide, high, gap, left, top, 0, 0, scene.rows, scene.cols, int(not named))
        if grid.width <= width and grid.height <= height:
            return grid
    assert grid is not None
    seen_cols = max(1, min(scene.cols, (width - grid.left - grid.gap) // (grid.wide + grid.gap)))
    seen_rows = max(1, min(scene.rows, (height - grid.top - grid.gap) // (grid.high + grid.gap)))
    return replace(grid, seen_rows=seen_rows, seen_cols=seen_cols)


def least(scene: Scene) -> tuple[int, int]:
    """The columns and lines that a board needs at least to be played on: all of it, or a part of a large one."""
    whole = laid_out(scene, 0, 0)
    part = replace(whole, seen_rows=min(scene.rows, LEAST_SEEN), seen_cols=min(scene.cols, LEAST_SEEN))
    return part.width, part.height


LEAST_SEEN = 7
"""Rows and columns of a board that must be seen at a time."""
