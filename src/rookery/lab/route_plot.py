"""Routes over a board, as text with numbered cells and as a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery.core.palette import LIGHT
from rookery.lab import figure
from rookery.lab.figure import BOARD, GROUND, HEADING, INK, LINE, RAISED, SMALL, Panel
from rookery.lab.heatmap import CELL_GAP, colour_map, rounded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from rookery.core.scene import Spot
    from rookery.core.solver import Route
    from rookery.lab.figure import Canvas

HOME, OTHER = "⌂", "·"
LINE_WIDTH = 118
"""The line width for text boards side by side, in characters."""
BETWEEN = 4
"""Spaces between text boards."""
TALLEST = 4.2
"""The most height of a board, in inches."""
MOST_ACROSS = 3
"""Boards side by side in a figure."""


def text(routes: Sequence[Route]) -> str:
    """All routes as text, as many side by side as fit a line."""
    rows: list[list[list[str]]] = []
    used = 0
    for block in map(lines, routes):
        wide = len(block[0]) + BETWEEN
        if not rows or used + wide > LINE_WIDTH + BETWEEN:
            rows.append([])
            used = 0
        rows[-1].append(block)
        used += wide
    return "\n\n".join("\n".join(_beside(blocks)) for blocks in rows)


def lines(route: Route) -> list[str]:
    """A route as lines of equal width: its cells numbered in order, on the part of the board around them."""
    top, left, bottom, right = _bounds(route)
    signs = {cell: str(number) for number, cell in enumerate(route.cells, start=1)}
    signs[route.start] = HOME
    wide = max(len(sign) for sign in signs.values()) + 1
    drawn = [
        "".join(signs.get((row, col), OTHER).rjust(wide) for col in range(left, right + 1))
        for row in range(top, bottom + 1)
    ]
    found = [route.title, route.note, "", *drawn]
    width = max(map(len, found))
    return [line.ljust(width) for line in found]


def _beside(blocks: Sequence[Sequence[str]]) -> list[str]:
    """Blocks of lines side by side, aligned at the top."""
    high = max(map(len, blocks))
    padded = [[*block, *[" " * len(block[0])] * (high - len(block))] for block in blocks]
    return [(" " * BETWEEN).join(parts).rstrip() for parts in zip(*padded, strict=True)]


def _bounds(route: Route) -> tuple[int, int, int, int]:
    """The bounding box of a route (top, left, bottom, right) with a margin of one cell, clipped to the board."""
    spots = (route.start, *route.cells)
    rows, cols = zip(*spots, strict=True)
    return (
        max(0, min(rows) - 1),
        max(0, min(cols) - 1),
        min(route.board[0] - 1, max(rows) + 1),
        min(route.board[1] - 1, max(cols) + 1),
    )


def draw(routes: Sequence[Route], title: str, about: Sequence[str], name: str, path: str) -> None:
    """Draw the routes of a game with this name into a file."""
    figure.check_path(path)
    accent = LIGHT.accent_of(name)
    across = min(MOST_ACROSS, max(2, len(routes)))
    width = figure.column(across)
    with figure.settings():
        panels = [_panel(route, accent, width) for route in routes]
        footnote = "Cells are numbered in the order in which they are entered; darker cells are likelier to be reached."
        bands = figure.in_rows(panels, across)
        figure.save(figure.compose(title, about, bands, accent, footnote), path, f"{title}: {about[0]}")


def _panel(route: Route, accent: str, width: float) -> Panel:
    rows, cols = route.board
    cell = min(width / cols, TALLEST / rows)

    def drawn(canvas: Canvas, x: float, y: float, width: float) -> None:
        canvas.heading(x, y, route.title, route.note)
        axes = canvas.axes(x, y + HEADING, cell * cols, cell * rows)
        axes.set(xlim=(0, cols), ylim=(rows, 0))
        axes.set_axis_off()
        _cells(axes, route, accent, 72 * cell)

    return Panel(HEADING + cell * rows, drawn)


def _cells(axes: Axes, route: Route, accent: str, size: float) -> None:
    """The cells of the board; a route's cells are shaded by the chance to get there. A cell is `size` points wide."""
    from matplotlib.collections import PatchCollection

    rows, cols = route.board
    shade = colour_map(accent)
    odds = dict(zip(route.cells, route.odds, strict=True))

    def fill(spot: Spot) -> object:
        if spot == route.start:
            return INK
        return shade(odds[spot]) if spot in odds else RAISED

    spots = [(row, col) for row in range(rows) for col in range(cols)]
    whole = rounded(0, 0, cols, rows)
    axes.add_collection(PatchCollection([whole], facecolor=BOARD, edgecolor="none"))
    boxes = [rounded(col + CELL_GAP, row + CELL_GAP, 1 - 2 * CELL_GAP, 1 - 2 * CELL_GAP) for row, col in spots]
    axes.add_collection(PatchCollection(boxes, facecolor=[fill(spot) for spot in spots], edgecolor=LINE, linewidth=0.3))
    for number, (row, col) in enumerate(route.cells, start=1):
        ink = INK if odds[row, col] < 0.5 else GROUND
        axes.text(col + 0.5, row + 0.52, str(number), ha="center", va="center", size=min(SMALL, 0.5 * size), color=ink)
    row, col = route.start
    axes.text(col + 0.5, row + 0.52, "H", ha="center", va="center", size=min(SMALL, 0.55 * size), color=GROUND)
