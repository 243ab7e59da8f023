"""Any scene drawn in characters: cells, tiles, walls as box lines, visits as rings of half blocks, pawns on their way.

A drawing knows roles and no games. It is laid out by a `Grid` and painted with a `Palette`; what colour says, a
character says too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from math import log10
from typing import TYPE_CHECKING

from rookery.core.scene import Cell
from rookery.core.text_board import shortened
from rookery.terminal.grid import tiled
from rookery.terminal.palette import Ink

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rookery.core.scene import Mark, Scene, Spot
    from rookery.terminal.grid import Grid, Place
    from rookery.terminal.palette import Palette

SIGNS = {"home": "⌂", "safe": "⌂", "failed": "x", "trail": "•", "blocked": "~"}
DOT = "·"
ROUNDS = 7
"""The arcs of a ring, one for each round."""
JOINTS = " ╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
"""Where walls meet: by what comes from above (1), from the right (2), from below (4) and from the left (8)."""
LARGEST = 4
"""Digits from which on tiles have one colour."""


class Canvas:
    """Characters with their inks."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.signs = [[" "] * width for _ in range(height)]
        self.inks: list[list[Ink]] = [[NOTHING] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, ink: Ink) -> None:
        """Write a text; where the ink has no ground of its own, that which is there stays."""
        if not 0 <= y < self.height:
            return
        signs, inks = self.signs[y], self.inks[y]
        for at, sign in enumerate(text, start=x):
            if 0 <= at < self.width:
                signs[at] = sign
                inks[at] = ink if ink.back is not None or inks[at].back is None else ink.on(inks[at].back)

    def fill(self, x: int, y: int, width: int, height: int, ink: Ink, sign: str = " ") -> None:
        """Fill a rectangle, whatever was there."""
        for line in range(max(0, y), min(self.height, y + height)):
            for at in range(max(0, x), min(self.width, x + width)):
                self.signs[line][at] = sign
                self.inks[line][at] = ink

    def line(self, y: int) -> tuple[list[str], list[Ink]]:
        """A line as it is: its characters and their inks."""
        return self.signs[y], self.inks[y]

    def runs(self, y: int) -> Iterator[tuple[str, Ink]]:
        """A line in pieces of one ink each."""
        signs, inks = self.signs[y], self.inks[y]
        start = 0
        for at in range(1, self.width + 1):
            if at == self.width or (inks[at] is not inks[start] and inks[at] != inks[start]):
                yield "".join(signs[start:at]), inks[start]
                start = at

    def text(self) -> str:
        """The characters alone."""
        return "\n".join("".join(line).rstrip() for line in self.signs)


NOTHING = Ink()


@dataclass(frozen=True)
class Pointing:
    """What is pointed out on a board beside the scene itself."""

    cursor: Place | None = None
    ghost: Place | None = None
    """Where the mouse is, if something can be done there."""
    advised: frozenset[Place] = frozenset()
    """Where a bot would act."""
    targets: frozenset[Place] = frozenset()
    """Where what has been picked up can go."""


def drawn(
    scene: Scene,
    grid: Grid,
    palette: Palette,
    pointing: Pointing,
    before: Scene | None = None,
    share: float = 1.0,
) -> Canvas:
    """The board; with the scene before, what moves is drawn on its way, such a share of which is done."""
    canvas = Canvas(grid.width, grid.height)
    moving = before is not None and share < 1.0 and (before.rows, before.cols) == (scene.rows, scene.cols)
    if moving and tiled(scene):
        assert before is not None
        draw_sliding(canvas, before, scene, grid, palette, share)
        return canvas
    away = {motion.end for motion in scene.motions} if moving else set()
    names(canvas, scene, grid, palette)
    for row, col in shown(grid):
        cell = scene.cell(row, col)
        if (row, col) in away:
            cell = replace(cell, marks=tuple(mark for mark in cell.marks if mark.role not in MOVABLE))
        draw_cell(canvas, cell, (row, col), grid, palette)
    if scene.edges:
        draw_walls(canvas, scene, grid, palette)
    point_out(canvas, scene, grid, palette, pointing)
    if moving:
        for motion in scene.motions:
            for mark in scene.cell(*motion.end).marks:
                if mark.role in MOVABLE:
                    x, y = grid.corner(*between(motion.start, motion.end, share))
                    draw_piece(canvas, mark, x, y, grid, palette)
    return canvas


MOVABLE = ("pawn", "here")


def between(start: Spot, end: Spot, share: float) -> tuple[float, float]:
    """A point on the way from one cell to another."""
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def shown(grid: Grid) -> Iterator[Spot]:
    """The cells that can be seen."""
    for row in range(grid.first_row, grid.first_row + grid.seen_rows):
        for col in range(grid.first_col, grid.first_col + grid.seen_cols):
            yield row, col


# ---- cells ----


def names(canvas: Canvas, scene: Scene, grid: Grid, palette: Palette) -> None:
    """The names of rows and columns, and the frame of a board with edges."""
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
    for row in range(grid.first_row, grid.first_row + grid.seen_rows):
        _, y = grid.corner(row, grid.first_col)
        name = scene.row_names[row].rjust(grid.left - (0 if scene.edges else 1))
        canvas.put(0, y + (grid.high - 1) // 2, name, palette.soft)
    for col in range(grid.first_col, grid.first_col + grid.seen_cols):
        x, _ = grid.corner(grid.first_row, col)
        name = scene.col_names[col]
        x += (grid.wide - len(name)) // 2
        if col % next(step for step in STEPS if step * grid.wide > len(name)) == 0 and x + len(name) <= canvas.width:
            canvas.put(x, 0, name, palette.soft)


STEPS = (1, 2, 5, 10)
"""Where there is no room for every column's name, every second has one, or fewer."""


def draw_cell(canvas: Canvas, cell: Cell, spot: Spot, grid: Grid, palette: Palette) -> None:
    """A cell with all that is on it."""
    x, y = grid.corner(*spot)
    if cell.role in ("number", "operator"):
        draw_tile(canvas, cell, x, y, grid, palette)
        return
    ink = palette.cells[0] if grid.rim else ground(cell, spot, palette)
    if grid.rim:
        draw_plate(canvas, x, y, grid, ink)
    else:
        canvas.fill(x, y, grid.wide, grid.high, ink)
    if cell.role == "goal":
        canvas.fill(x, y, grid.wide, grid.high, palette.goal(cell.owner), "░")
    rings = [mark.number for mark in cell.marks if mark.role == "ring"]
    ringed = bool(rings) and len(arc_path(grid.wide, grid.high)) >= ROUNDS - 1
    if ringed:
        draw_ring(canvas, rings, x, y, grid, palette, ink)
    text, sign_ink = sign(cell, 0 if ringed else len(rings), ink, palette, spare=grid.inner)
    if not (ringed and text == DOT):
        write(canvas, text, x, y, grid, sign_ink)
    for mark in cell.marks:
        if mark.role in MOVABLE:
            draw_piece(canvas, mark, x, y, grid, palette)


def ground(cell: Cell, spot: Spot, palette: Palette) -> Ink:
    """What a cell is filled with."""
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


def sign(cell: Cell, rings: int, ink: Ink, palette: Palette, spare: int) -> tuple[str, Ink]:
    """What stands in a cell, in a few characters, and its ink."""
    marks = {mark.role: mark for mark in cell.marks}
    under = replace(ink, under=True) if cell.last else ink
    if "golden" in marks:
        return shortened(cell.text, max(1, spare - 1)) + "◆", replace(under, bold=True)
    if cell.text:
        return shortened(cell.text, spare), under
    if cell.role in SIGNS:
        return SIGNS[cell.role], replace(ink, bold=True)
    if "odds" in marks and len(marks["odds"].text) < spare:
        return marks["odds"].text, ink
    if rings:
        last = max(mark.number for mark in cell.marks if mark.role == "ring")
        return str(rings), replace(palette.round(last), bold=True)
    if "takeable" in marks:
        return DOT, palette.accent
    return (DOT if cell.role == "free" else ""), ink


def write(canvas: Canvas, text: str, x: int, y: int, grid: Grid, ink: Ink) -> None:
    """Write something in the middle of a cell."""
    canvas.put(x + (grid.inner - len(text)) // 2, y + (grid.high - 1) // 2, text, ink)


def draw_piece(canvas: Canvas, mark: Mark, x: int, y: int, grid: Grid, palette: Palette) -> None:
    """A pawn with its number, or the only player's mark."""
    ink = palette.player(mark.number) if mark.role == "pawn" else palette.here
    text = str(mark.number) if mark.role == "pawn" else "*"
    wide = max(len(text), min(grid.wide - 2, 2 * grid.high + 1)) if grid.wide > 2 else grid.wide
    left, middle = x + (grid.wide - wide + 1) // 2, y + (grid.high - 1) // 2
    if grid.high > 1 and ink.back is not None:
        # Half a line more below, so that it is as tall as it is wide.
        canvas.put(left, middle + 1, "▀" * wide, Ink(ink.back))
    if grid.high > 2 and ink.back is not None:
        canvas.put(left, middle - 1, "▄" * wide, Ink(ink.back))
    canvas.put(left, middle, text.center(wide), ink)


# ---- rings ----


@cache
def arc_path(wide: int, high: int) -> tuple[tuple[int, int], ...]:
    """The half characters along the border of a cell, clockwise from the upper left: columns and half lines.

    A column at the right and half a line below stay free, so that rings of neighbours do not touch; of a cell one line
    high only the column.
    """
    right, tall = wide - 2, 2 * high - 1 if high > 1 else 2
    path = [(x, 0) for x in range(right + 1)] + [(right, y) for y in range(1, tall)]
    path += [(x, tall - 1) for x in range(right - 1, -1, -1)] + [(0, y) for y in range(tall - 2, 0, -1)]
    return tuple(dict.fromkeys(path))


def draw_ring(canvas: Canvas, rounds: list[int], x: int, y: int, grid: Grid, palette: Palette, ink: Ink) -> None:
    """A ring around the cell, with an arc in its own place for each round that visited it.

    In the smallest cells there is room for six; the last round, which shows only when all is over, is a bar beside.
    """
    path = arc_path(grid.wide, grid.high)
    arcs = min(ROUNDS, len(path))
    lit: dict[tuple[int, int], Ink] = {}
    for number in rounds:
        if number > arcs:
            canvas.put(x + grid.wide - 1, y, "▏", palette.round(number))
        first, end = ((number - 1) * len(path) // arcs, number * len(path) // arcs)
        lit.update(dict.fromkeys(path[first:end], palette.round(number)))
    for across, line in {(px, py // 2) for px, py in lit}:
        above, below = lit.get((across, 2 * line)), lit.get((across, 2 * line + 1))
        if above is not None and below is not None:
            block, shade = ("█", above.on(ink.back)) if above == below else ("▀", above.on(below.fore))
        else:
            one = above or below
            assert one is not None
            block, shade = "▀" if above is not None else "▄", one.on(ink.back)
        canvas.put(x + across, y + line, block, shade)


# ---- tiles ----


def draw_tile(canvas: Canvas, cell: Cell, x: int, y: int, grid: Grid, palette: Palette) -> None:
    """A number or an operator on a tile."""
    ink = tile_ink(cell, palette)
    draw_plate(canvas, x, y, grid, ink)
    text = shortened(cell.text, grid.inner)
    write(canvas, text, x, y, grid, replace(ink, under=True) if cell.last else ink)


def draw_plate(canvas: Canvas, x: int, y: int, grid: Grid, ink: Ink) -> None:
    """A tile, or the place for one, with a narrow gap around it."""
    if grid.high > 2 and ink.back is not None:
        canvas.fill(x, y, grid.inner, grid.high, NOTHING)
        canvas.put(x, y, "▄" * grid.inner, Ink(ink.back))
        canvas.put(x, y + grid.high - 1, "▀" * grid.inner, Ink(ink.back))
        canvas.fill(x, y + 1, grid.inner, grid.high - 2, ink)
    else:
        canvas.fill(x, y, grid.inner, grid.high, ink)


def tile_ink(cell: Cell, palette: Palette) -> Ink:
    """An operator's ink, or that of a number by its size."""
    if cell.role == "operator":
        return palette.operator
    digits = cell.text.lstrip("−-")
    size = min(1.0, log10(1 + int(digits)) / LARGEST) if len(digits) <= LARGEST else 1.0
    return palette.number(size, cold=digits != cell.text)


def draw_sliding(canvas: Canvas, before: Scene, scene: Scene, grid: Grid, palette: Palette, share: float) -> None:
    """Tiles on their way, and those that stay where they are."""
    ends = {motion.start: motion.end for motion in scene.motions}
    for spot in shown(grid):
        draw_cell(canvas, EMPTY, spot, grid, palette)
    for row, col in sorted(shown(grid), key=lambda spot: spot in ends):
        cell = before.cell(row, col)
        if cell.role in ("number", "operator"):
            x, y = grid.corner(*between((row, col), ends.get((row, col), (row, col)), share))
            draw_tile(canvas, cell, x, y, grid, palette)


EMPTY = Cell("free", "")


# ---- walls ----


def draw_walls(canvas: Canvas, scene: Scene, grid: Grid, palette: Palette) -> None:
    """Walls as box lines between the cells, joined where they meet; a dot wherever four cells do."""
    standing = {wall.between: palette.last_wall if wall.last else palette.wall for wall in scene.walls}
    for place, ink in standing.items():
        draw_edge(canvas, place, grid, ink, "━┃")
    for row in range(grid.first_row, grid.first_row + grid.seen_rows - 1):
        for col in range(grid.first_col, grid.first_col + grid.seen_cols - 1):
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
                canvas.put(x + grid.wide, y + grid.high, joint, palette.wall)
            else:
                canvas.put(x + grid.wide, y + grid.high, DOT, palette.gap)


def draw_edge(canvas: Canvas, place: Place, grid: Grid, ink: Ink, signs: str) -> None:
    """Something on the edge between two cells, by signs for a line across and one down."""
    (row, col), (other, _) = place
    if not (grid.shows(*place[0]) and grid.shows(*place[1])):
        return
    x, y = grid.corner(row, col)
    if other > row:
        canvas.put(x, y + grid.high, signs[0] * grid.wide, ink)
    else:
        for line in range(grid.high):
            canvas.put(x + grid.wide, y + line, signs[1], ink)


# ---- what is pointed out ----


def point_out(canvas: Canvas, scene: Scene, grid: Grid, palette: Palette, pointing: Pointing) -> None:
    """What may be done, what is advised, where the mouse and the cursor are."""
    for choice in scene.choices:
        if choice.role in ("step", "jump") and len(choice.at) == 1 and grid.shows(*choice.at[0]):
            text, _ = sign(scene.cell(*choice.at[0]), 0, NOTHING, palette, grid.inner)
            if text in ("", DOT):
                write(canvas, "◦", *grid.corner(*choice.at[0]), grid, palette.accent)
    for place in pointing.targets:
        mark_place(canvas, place, grid, palette.accent, "╌╎", "◇")
    for place in pointing.advised:
        mark_place(canvas, place, grid, palette.accent, "═║", "◈")
    standing = {wall.between for wall in scene.walls}
    for here, ink in ((pointing.ghost, palette.accent), (pointing.cursor, replace(palette.accent, reverse=True))):
        if here is not None:
            mark_place(canvas, here, grid, ink, "━┃" if here in standing else "╍╏", "")


def mark_place(canvas: Canvas, place: Place, grid: Grid, ink: Ink, signs: str, sign: str) -> None:
    """A line on an edge; on a cell a sign, or brackets around what stands there."""
    if len(place) == 2:
        draw_edge(canvas, place, grid, ink, signs)
        return
    if not grid.shows(*place[0]):
        return
    x, y = grid.corner(*place[0])
    if sign:
        write(canvas, sign, x, y, grid, ink)
        return
    line = y + (grid.high - 1) // 2
    if grid.wide > 2:
        canvas.put(x, line, "[", ink)
        canvas.put(x + grid.wide - 1, line, "]", ink)
    else:
        canvas.put(x, line, canvas.signs[line][x], ink)
        canvas.put(x + 1, line, canvas.signs[line][x + 1], ink)
