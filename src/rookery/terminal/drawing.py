"""Draws any scene in characters: cells, tiles, walls as box lines, visits as rings of half blocks, moving pawns.

The drawing depends on the scene's roles, never on a game. A `Grid` gives the layout and a `Palette` the colours;
everything that a colour shows, a character shows too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from math import log10
from typing import TYPE_CHECKING

from rookery.core.scene import Cell
from rookery.core.text_board import shortened
from rookery.terminal.grid import has_tiles
from rookery.terminal.palette import TextStyle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rookery.core.scene import Mark, Scene, Spot
    from rookery.terminal.grid import Grid, Place
    from rookery.terminal.palette import Palette

CELL_SIGNS = {"home": "⌂", "safe": "⌂", "failed": "x", "trail": "•", "blocked": "~"}
DOT = "·"
ROUNDS = 7
"""Arcs of a ring, one for each round."""
JOINTS = " ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
"""Box characters of wall joints, indexed by the arms: up (1), right (2), down (4), left (8)."""
MAX_DIGITS = 4
"""Numbers with more digits all have the same colour."""


class Canvas:
    """A grid of characters with their styles."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.chars = [[" "] * width for _ in range(height)]
        self.styles: list[list[TextStyle]] = [[NO_STYLE] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: TextStyle) -> None:
        """Write text; a style without a background keeps the one that is there."""
        if not 0 <= y < self.height:
            return
        signs, styles = self.chars[y], self.styles[y]
        for at, sign in enumerate(text, start=x):
            if 0 <= at < self.width:
                signs[at] = sign
                styles[at] = style if style.bg is not None or styles[at].bg is None else style.on(styles[at].bg)

    def fill(self, x: int, y: int, width: int, height: int, style: TextStyle, sign: str = " ") -> None:
        """Fill a rectangle."""
        for line in range(max(0, y), min(self.height, y + height)):
            for at in range(max(0, x), min(self.width, x + width)):
                self.chars[line][at] = sign
                self.styles[line][at] = style

    def line(self, y: int) -> tuple[list[str], list[TextStyle]]:
        """A line's characters and styles."""
        return self.chars[y], self.styles[y]

    def runs(self, y: int) -> Iterator[tuple[str, TextStyle]]:
        """A line as runs of the same style."""
        signs, styles = self.chars[y], self.styles[y]
        start = 0
        for at in range(1, self.width + 1):
            if at == self.width or (styles[at] is not styles[start] and styles[at] != styles[start]):
                yield "".join(signs[start:at]), styles[start]
                start = at

    def text(self) -> str:
        """The characters without styles."""
        return "\n".join("".join(line).rstrip() for line in self.chars)


NO_STYLE = TextStyle()


@dataclass(frozen=True)
class Highlights:
    """Places highlighted on top of the scene."""

    cursor: Place | None = None
    hovered: Place | None = None
    """The place under the mouse, if something can be done there."""
    hinted: frozenset[Place] = frozenset()
    """The places of a hint."""
    targets: frozenset[Place] = frozenset()
    """Where the picked-up wall can go."""


def draw(
    scene: Scene,
    grid: Grid,
    palette: Palette,
    highlights: Highlights,
    before: Scene | None = None,
    progress: float = 1.0,
) -> Canvas:
    """Draw the board. With the previous scene, moving pieces are drawn part of the way, as `progress` (0 to 1) says."""
    canvas = Canvas(grid.width, grid.height)
    animating = before is not None and progress < 1.0 and (before.rows, before.cols) == (scene.rows, scene.cols)
    if animating and has_tiles(scene):
        assert before is not None
        draw_sliding(canvas, before, scene, grid, palette, progress)
        return canvas
    away = {motion.end for motion in scene.motions} if animating else set()
    draw_labels(canvas, scene, grid, palette)
    for row, col in visible_cells(grid):
        cell = scene.cell(row, col)
        if (row, col) in away:
            cell = replace(cell, marks=tuple(mark for mark in cell.marks if mark.role not in PIECES))
        draw_cell(canvas, cell, (row, col), grid, palette)
    if scene.edges:
        draw_walls(canvas, scene, grid, palette)
    draw_highlights(canvas, scene, grid, palette, highlights)
    if animating:
        for motion in scene.motions:
            for mark in scene.cell(*motion.end).marks:
                if mark.role in PIECES:
                    x, y = grid.corner(*interpolate(motion.start, motion.end, progress))
                    draw_piece(canvas, mark, x, y, grid, palette)
    return canvas


PIECES = ("pawn", "here")


def interpolate(start: Spot, end: Spot, progress: float) -> tuple[float, float]:
    """A point between two cells."""
    return start[0] + (end[0] - start[0]) * progress, start[1] + (end[1] - start[1]) * progress


def visible_cells(grid: Grid) -> Iterator[Spot]:
    """The cells that are visible."""
    for row in range(grid.first_row, grid.first_row + grid.visible_rows):
        for col in range(grid.first_col, grid.first_col + grid.visible_cols):
            yield row, col


# ---- cells ----


def draw_labels(canvas: Canvas, scene: Scene, grid: Grid, palette: Palette) -> None:
    """Draw the names of rows and columns, and the frame of a board with edges."""
    if scene.edges:
        right, bottom = grid.width - 1, grid.height - 1
        canvas.fill(grid.left, 0, grid.width - grid.left, grid.height, palette.gap)
        line = "─" * (right - grid.left - 1)
        canvas.put(grid.left, 0, f"┌{line}┐", palette.frame)
        canvas.put(grid.left, bottom, f"└{line}┘", palette.frame)
        for y in range(1, bottom):
            canvas.put(grid.left, y, "│", palette.frame)
            canvas.put(right, y, "│", palette.frame)
    if not grid.left:
        return
    for row in range(grid.first_row, grid.first_row + grid.visible_rows):
        _, y = grid.corner(row, grid.first_col)
        name = scene.row_names[row].rjust(grid.left - (0 if scene.edges else 1))
        canvas.put(0, y + (grid.cell_height - 1) // 2, name, palette.muted)
    for col in range(grid.first_col, grid.first_col + grid.visible_cols):
        x, _ = grid.corner(grid.first_row, col)
        name = scene.col_names[col]
        x += (grid.cell_width - len(name)) // 2
        if (
            col % next(step for step in LABEL_STEPS if step * grid.cell_width > len(name)) == 0
            and x + len(name) <= canvas.width
        ):
            canvas.put(x, 0, name, palette.muted)


LABEL_STEPS = (1, 2, 5, 10)
"""Every how many columns one is named, where names are too wide for every column."""


def draw_cell(canvas: Canvas, cell: Cell, spot: Spot, grid: Grid, palette: Palette) -> None:
    """Draw a cell with everything on it."""
    x, y = grid.corner(*spot)
    if cell.role in ("number", "operator"):
        draw_tile(canvas, cell, x, y, grid, palette)
        return
    style = palette.cells[0] if grid.margin else background(cell, spot, palette)
    if grid.margin:
        draw_tile_background(canvas, x, y, grid, style)
    else:
        canvas.fill(x, y, grid.cell_width, grid.cell_height, style)
    if cell.role == "goal":
        canvas.fill(x, y, grid.cell_width, grid.cell_height, palette.goal(cell.owner), "░")
    rings = [mark.number for mark in cell.marks if mark.role == "ring"]
    ringed = bool(rings) and len(arc_path(grid.cell_width, grid.cell_height)) >= ROUNDS - 1
    if ringed:
        draw_ring(canvas, rings, spot, grid, palette, style.bg)
    text, text_style = cell_text(cell, 0 if ringed else len(rings), style, palette, spare=grid.inner_width)
    if not (ringed and text == DOT):
        write_centred(canvas, text, x, y, grid, text_style)
    for mark in cell.marks:
        if mark.role in PIECES:
            draw_piece(canvas, mark, x, y, grid, palette)


def background(cell: Cell, spot: Spot, palette: Palette) -> TextStyle:
    """The style of an empty cell."""
    plain = palette.cells[sum(spot) % 2]
    if cell.owner and cell.role == "owned":
        return palette.player(cell.owner)
    return {
        "barred": palette.barred,
        "blocked": palette.blocked,
        "home": palette.home,
        "safe": palette.safe,
        "failed": palette.failed,
        "trail": palette.trail,
    }.get(cell.role, plain)


def cell_text(cell: Cell, rings: int, style: TextStyle, palette: Palette, spare: int) -> tuple[str, TextStyle]:
    """The text of a cell, at most `spare` characters, and its style."""
    marks = {mark.role: mark for mark in cell.marks}
    under = replace(style, underline=True) if cell.last else style
    if "golden" in marks:
        return shortened(cell.text, max(1, spare - 1)) + "◆", replace(under, bold=True)
    if cell.text:
        return shortened(cell.text, spare), under
    if cell.role in CELL_SIGNS:
        return CELL_SIGNS[cell.role], replace(style, bold=True)
    if "odds" in marks and len(marks["odds"].text) < spare:
        return marks["odds"].text, style
    if rings:
        last = max(mark.number for mark in cell.marks if mark.role == "ring")
        return str(rings), replace(palette.round(last), bold=True)
    if "takeable" in marks:
        return DOT, palette.accent
    return (DOT if cell.role == "free" else ""), style


def write_centred(canvas: Canvas, text: str, x: int, y: int, grid: Grid, style: TextStyle) -> None:
    """Write text in the middle of a cell."""
    canvas.put(x + (grid.inner_width - len(text)) // 2, y + (grid.cell_height - 1) // 2, text, style)


def draw_piece(canvas: Canvas, mark: Mark, x: int, y: int, grid: Grid, palette: Palette) -> None:
    """Draw a pawn with its number, or the only player's marker."""
    style = palette.player(mark.number) if mark.role == "pawn" else palette.here
    text = str(mark.number) if mark.role == "pawn" else "*"
    width = grid.cell_width
    if width > 2:
        width = max(len(text), min(width - 2, 2 * grid.cell_height + 1))
    left, middle = x + (grid.cell_width - width + 1) // 2, y + (grid.cell_height - 1) // 2
    if grid.cell_height > 1 and style.bg is not None:
        # Half a line more below makes the pawn about as tall as it is wide.
        canvas.put(left, middle + 1, "▀" * width, TextStyle(style.bg))
    if grid.cell_height > 2 and style.bg is not None:
        canvas.put(left, middle - 1, "▄" * width, TextStyle(style.bg))
    canvas.put(left, middle, text.center(width), style)


# ---- rings ----


@cache
def arc_path(width: int, height: int) -> tuple[tuple[int, int], ...]:
    """The half characters along a cell's border, clockwise from the top left, as (column, half line).

    The last column stays free so that neighbouring rings do not touch, and in cells of several lines the last half
    line too.
    """
    right, tall = width - 2, 2 * height - 1 if height > 1 else 2
    path = [(x, 0) for x in range(right + 1)] + [(right, y) for y in range(1, tall)]
    path += [(x, tall - 1) for x in range(right - 1, -1, -1)] + [(0, y) for y in range(tall - 2, 0, -1)]
    return tuple(dict.fromkeys(path))


def draw_ring(
    canvas: Canvas, rounds: list[int], spot: Spot, grid: Grid, palette: Palette, background: str | None
) -> None:
    """Draw a ring around a cell, with one arc for each round that visited it.

    The smallest cells have room for six arcs; there the last round is a bar on the right.
    """
    x, y = grid.corner(*spot)
    path = arc_path(grid.cell_width, grid.cell_height)
    arcs = min(ROUNDS, len(path))
    lit: dict[tuple[int, int], TextStyle] = {}
    for number in rounds:
        if number > arcs:
            canvas.put(x + grid.cell_width - 1, y, "▏", palette.round(number))
        first, end = ((number - 1) * len(path) // arcs, number * len(path) // arcs)
        lit.update(dict.fromkeys(path[first:end], palette.round(number)))
    for across, line in {(px, py // 2) for px, py in lit}:
        above, below = lit.get((across, 2 * line)), lit.get((across, 2 * line + 1))
        if above is not None and below is not None:
            block, shade = ("█", above.on(background)) if above == below else ("▀", above.on(below.fg))
        else:
            one = above or below
            assert one is not None
            block, shade = "▀" if above is not None else "▄", one.on(background)
        canvas.put(x + across, y + line, block, shade)


# ---- tiles ----


def draw_tile(canvas: Canvas, cell: Cell, x: int, y: int, grid: Grid, palette: Palette) -> None:
    """Draw a number or an operator on a tile."""
    style = tile_style(cell, palette)
    draw_tile_background(canvas, x, y, grid, style)
    text = shortened(cell.text, grid.inner_width)
    write_centred(canvas, text, x, y, grid, replace(style, underline=True) if cell.last else style)


def draw_tile_background(canvas: Canvas, x: int, y: int, grid: Grid, style: TextStyle) -> None:
    """Draw a tile, or an empty place for one, with a narrow gap around it."""
    if grid.cell_height > 2 and style.bg is not None:
        canvas.fill(x, y, grid.inner_width, grid.cell_height, NO_STYLE)
        canvas.put(x, y, "▄" * grid.inner_width, TextStyle(style.bg))
        canvas.put(x, y + grid.cell_height - 1, "▀" * grid.inner_width, TextStyle(style.bg))
        canvas.fill(x, y + 1, grid.inner_width, grid.cell_height - 2, style)
    else:
        canvas.fill(x, y, grid.inner_width, grid.cell_height, style)


def tile_style(cell: Cell, palette: Palette) -> TextStyle:
    """The style of an operator, or of a number by its size."""
    if cell.role == "operator":
        return palette.operator
    digits = cell.text.lstrip("−-")
    size = min(1.0, log10(1 + int(digits)) / MAX_DIGITS) if len(digits) <= MAX_DIGITS else 1.0
    return palette.number(size, negative=digits != cell.text)


def draw_sliding(canvas: Canvas, before: Scene, scene: Scene, grid: Grid, palette: Palette, progress: float) -> None:
    """Draw sliding tiles part of the way, and the others where they are."""
    ends = {motion.start: motion.end for motion in scene.motions}
    for spot in visible_cells(grid):
        draw_cell(canvas, EMPTY, spot, grid, palette)
    for row, col in sorted(visible_cells(grid), key=lambda spot: spot in ends):
        cell = before.cell(row, col)
        if cell.role in ("number", "operator"):
            x, y = grid.corner(*interpolate((row, col), ends.get((row, col), (row, col)), progress))
            draw_tile(canvas, cell, x, y, grid, palette)


EMPTY = Cell("free", "")


# ---- walls ----


def draw_walls(canvas: Canvas, scene: Scene, grid: Grid, palette: Palette) -> None:
    """Draw walls as box lines, joined where they meet, and a dot at every other corner of four cells."""
    standing = {wall.between: palette.last_wall if wall.last else palette.wall for wall in scene.walls}
    for place, style in standing.items():
        draw_edge(canvas, place, grid, style, "━┃")
    for row in range(grid.first_row, grid.first_row + grid.visible_rows - 1):
        for col in range(grid.first_col, grid.first_col + grid.visible_cols - 1):
            arms = (
                ((row, col), (row, col + 1)),
                ((row, col + 1), (row + 1, col + 1)),
                ((row + 1, col), (row + 1, col + 1)),
                ((row, col), (row + 1, col)),
            )
            met = [arm in standing for arm in arms]
            x, y = grid.corner(row, col)
            if any(met):
                joint = JOINTS[sum(here << bit for bit, here in enumerate(met))]
                canvas.put(x + grid.cell_width, y + grid.cell_height, joint, palette.wall)
            else:
                canvas.put(x + grid.cell_width, y + grid.cell_height, DOT, palette.gap)


def draw_edge(canvas: Canvas, place: Place, grid: Grid, style: TextStyle, signs: str) -> None:
    """Draw a line on the edge between two cells; `signs` has its horizontal and its vertical character."""
    (row, col), (other, _) = place
    if not (grid.shows(*place[0]) and grid.shows(*place[1])):
        return
    x, y = grid.corner(row, col)
    if other > row:
        canvas.put(x, y + grid.cell_height, signs[0] * grid.cell_width, style)
    else:
        for line in range(grid.cell_height):
            canvas.put(x + grid.cell_width, y + line, signs[1], style)


# ---- highlights ----


def draw_highlights(canvas: Canvas, scene: Scene, grid: Grid, palette: Palette, highlights: Highlights) -> None:
    """Mark the possible steps, the targets, the hint, the hover and the cursor."""
    for choice in scene.choices:
        if choice.role in ("step", "jump") and len(choice.at) == 1 and grid.shows(*choice.at[0]):
            text, _ = cell_text(scene.cell(*choice.at[0]), 0, NO_STYLE, palette, grid.inner_width)
            if text in ("", DOT):
                write_centred(canvas, "◦", *grid.corner(*choice.at[0]), grid, palette.accent)
    for place in highlights.targets:
        mark_place(canvas, place, grid, palette.accent, "╌╎", "◇")
    for place in highlights.hinted:
        mark_place(canvas, place, grid, palette.accent, "═║", "◈")
    standing = {wall.between for wall in scene.walls}
    for here, style in (
        (highlights.hovered, palette.accent),
        (highlights.cursor, replace(palette.accent, reverse=True)),
    ):
        if here is not None:
            mark_place(canvas, here, grid, style, "━┃" if here in standing else "╍╏", "")


def mark_place(canvas: Canvas, place: Place, grid: Grid, style: TextStyle, signs: str, sign: str) -> None:
    """Mark a place: a line on an edge; on a cell a sign, or brackets if there is none."""
    if len(place) == 2:
        draw_edge(canvas, place, grid, style, signs)
        return
    if not grid.shows(*place[0]):
        return
    x, y = grid.corner(*place[0])
    if sign:
        write_centred(canvas, sign, x, y, grid, style)
        return
    line = y + (grid.cell_height - 1) // 2
    if grid.cell_width > 2:
        canvas.put(x, line, "[", style)
        canvas.put(x + grid.cell_width - 1, line, "]", style)
    else:
        canvas.put(x, line, canvas.chars[line][x], style)
        canvas.put(x + 1, line, canvas.chars[line][x + 1], style)
