"""The layout of a scene on a screen of characters, and the place under a given character."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rookery.core.scene import Scene, Spot

Place = tuple["Spot", ...]
"""One spot is a cell, two are the edge between them, as in a scene's choices."""

EDGE_SHAPES = ((11, 5), (9, 4), (7, 3), (5, 2), (3, 1))
TILE_SHAPES = ((16, 7), (11, 5), (7, 3), (6, 1), (5, 1), (4, 1))
CELL_SHAPES = ((12, 6), (10, 5), (8, 4), (6, 3), (4, 2), (4, 1), (3, 1), (2, 1))
"""Columns and lines of a cell, from large to small: on boards with edges, for tiles, and for other cells."""


@dataclass(frozen=True)
class Grid:
    """The visible part of a board of `rows` × `cols` cells."""

    rows: int
    cols: int
    cell_width: int
    cell_height: int
    gap: int
    """Characters between cells, and around the board."""
    left: int
    top: int
    """Columns for the names of rows, and lines for those of columns."""
    first_row: int = 0
    first_col: int = 0
    """The top left visible cell."""
    visible_rows: int = 0
    visible_cols: int = 0
    margin: int = 0
    """Columns at the right of a cell that stay empty."""

    @property
    def inner_width(self) -> int:
        """Columns of a cell that can be filled."""
        return self.cell_width - self.margin

    @property
    def width(self) -> int:
        return self.left + self.visible_cols * (self.cell_width + self.gap) + self.gap

    @property
    def height(self) -> int:
        return self.top + self.visible_rows * (self.cell_height + self.gap) + self.gap

    def corner(self, row: float, col: float) -> tuple[int, int]:
        """The top left character of a cell, or of a piece between two cells."""
        x = self.left + self.gap + (col - self.first_col) * (self.cell_width + self.gap)
        y = self.top + self.gap + (row - self.first_row) * (self.cell_height + self.gap)
        return round(x), round(y)

    def shows(self, row: int, col: int) -> bool:
        """Whether a cell is visible."""
        return (
            self.first_row <= row < self.first_row + self.visible_rows
            and self.first_col <= col < self.first_col + self.visible_cols
        )

    def place_at(self, x: int, y: int) -> Place | None:
        """The cell or edge at a character; None if there is neither."""
        col, across = divmod(x - self.left - self.gap, self.cell_width + self.gap)
        row, down = divmod(y - self.top - self.gap, self.cell_height + self.gap)
        row, col = row + self.first_row, col + self.first_col
        between_cols, between_rows = across >= self.cell_width, down >= self.cell_height
        if not self.shows(row, col) or (between_cols and between_rows):
            return None
        if between_cols:
            return ((row, col), (row, col + 1)) if self.shows(row, col + 1) else None
        if between_rows:
            return ((row, col), (row + 1, col)) if self.shows(row + 1, col) else None
        return ((row, col),)

    def middle(self, place: Place) -> tuple[int, int]:
        """A character inside a place."""
        x, y = self.corner(*place[0])
        if len(place) == 1:
            return x + (self.inner_width - 1) // 2, y + (self.cell_height - 1) // 2
        (row, _), (other, _) = place
        return (
            (x + self.cell_width // 2, y + self.cell_height)
            if other > row
            else (x + self.cell_width, y + self.cell_height // 2)
        )

    def scrolled_by(self, rows: int, cols: int) -> Grid:
        """The grid scrolled by rows and columns, within the board."""
        return replace(
            self,
            first_row=max(0, min(self.rows - self.visible_rows, self.first_row + rows)),
            first_col=max(0, min(self.cols - self.visible_cols, self.first_col + cols)),
        )

    def scrolled_to(self, spot: Spot) -> Grid:
        """The grid scrolled so that a cell is visible, with some cells around it."""
        return replace(
            self,
            first_row=_scroll(self.first_row, self.visible_rows, self.rows, spot[0]),
            first_col=_scroll(self.first_col, self.visible_cols, self.cols, spot[1]),
        )


def _scroll(first: int, seen: int, total: int, at: int) -> int:
    margin = min(2, (seen - 1) // 2)
    first = min(first, max(0, at - margin))
    return max(first, min(total - seen, at - seen + 1 + margin))


def has_tiles(scene: Scene) -> bool:
    """Whether the scene has sliding tiles."""
    return any(cell.role in ("number", "operator") for cell in scene.cells)


def fit_grid(scene: Scene, width: int, height: int) -> Grid:
    """The grid with the largest cells that fit. If even the smallest do not, only a part of the board is visible."""
    shapes = EDGE_SHAPES if scene.edges else TILE_SHAPES if has_tiles(scene) else CELL_SHAPES
    named, gap = not has_tiles(scene), int(scene.edges)
    left = max(map(len, scene.row_names), default=0) + (not scene.edges) if named else 0
    top = int(named and not scene.edges)
    # A cell has room for a player's number and one sign.
    narrowest = len(str(len(scene.players))) + 1
    grid = None
    for wide, high in [shape for shape in shapes if shape[0] >= narrowest] or [(narrowest, 1)]:
        grid = Grid(scene.rows, scene.cols, wide, high, gap, left, top, 0, 0, scene.rows, scene.cols, int(not named))
        if grid.width <= width and grid.height <= height:
            return grid
    assert grid is not None
    visible_cols = max(1, min(scene.cols, (width - grid.left - grid.gap) // (grid.cell_width + grid.gap)))
    visible_rows = max(1, min(scene.rows, (height - grid.top - grid.gap) // (grid.cell_height + grid.gap)))
    return replace(grid, visible_rows=visible_rows, visible_cols=visible_cols)


def minimum_size(scene: Scene) -> tuple[int, int]:
    """The columns and lines a board needs: the whole board with the smallest cells, or a part of a large one."""
    whole = fit_grid(scene, 0, 0)
    part = replace(whole, visible_rows=min(scene.rows, MIN_VISIBLE), visible_cols=min(scene.cols, MIN_VISIBLE))
    return part.width, part.height


MIN_VISIBLE = 7
"""Rows and columns that must be visible at a time."""
