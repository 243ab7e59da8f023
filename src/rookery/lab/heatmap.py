"""Heatmaps of a board: how often games leave something on each cell or edge."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rookery.lab.figure import BOARD, EDGE, HEADING, LINE, RAISED, SMALL, SOFT, Panel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap, Normalize
    from matplotlib.patches import FancyBboxPatch

    from rookery.core.game import Map
    from rookery.core.scene import Spot
    from rookery.lab.figure import Canvas
    from rookery.lab.simulate import Run

MOST_SHAPES = 2_500
"""The most places that are drawn as shapes; a larger map of cells is an image."""
LARGEST_CELL, LEAST_SIDE = 0.8, 0.3
"""The largest side of a cell and the least side of a board, in inches."""
CELL_GAP = 0.04
"""The margin of a cell's shape, as a share of the cell."""
COLOUR_BAR = 0.7
"""The space below a board for its colour bar, in inches."""
ORDERS = 40
"""A scale is logarithmic if the largest value is this many times the tenth percentile of those above 0."""
NOISE = 12
"""The least range of a scale, in standard errors, so that chance alone shows little contrast."""


@dataclass(frozen=True)
class Heatmap:
    """A map with the mean per game for each place, and its colour scale."""

    map: Map
    values: tuple[float, ...]
    low: float
    high: float
    log: bool


def heatmaps(run: Run) -> list[Heatmap]:
    """The heatmaps of a run; they share a scale if their ranges are similar, so that they can be compared."""
    games, at, found = max(1, run.tally.games), 0, []
    for each in run.experiment.game.maps():
        counts = run.tally.counts[at : at + len(each.places)] or [0] * len(each.places)
        at += len(each.places)
        if counts:
            found.append(_scaled(each, counts, games))
    low, high = min((each.low for each in found), default=0.0), max((each.high for each in found), default=1.0)
    if all(2 * (each.high - each.low) >= high - low and not each.log for each in found):
        return [Heatmap(each.map, each.values, low, high, log=False) for each in found]
    return found


def _scaled(map: Map, counts: Sequence[int], games: int) -> Heatmap:
    values = tuple(count / games for count in counts)
    some = sorted(count for count in counts if count)
    if not some:
        return Heatmap(map, values, 0.0, 1.0, log=False)
    least, most = min(counts), max(counts)
    if most >= ORDERS * some[len(some) // 10]:
        return Heatmap(map, values, some[0] / games, most / games, log=True)
    if least <= most / 2:
        return Heatmap(map, values, 0.0, most / games, log=False)
    middle = (least + most) / 2
    reach = max((most - least) / 2, NOISE / 2 * math.sqrt(middle))
    return Heatmap(map, values, max(0.0, middle - reach) / games, (middle + reach) / games, log=False)


def heatmap_panel(heatmap: Heatmap, accent: str, number: int, width: float, height: float) -> Panel:
    """A panel with a heatmap; its board fits this width and height."""
    rows, cols = _bounds(heatmap.map)
    cell = min(width / cols, height / rows, LARGEST_CELL)
    wide, high = (min(most, max(LEAST_SIDE, cell * many)) for most, many in ((width, cols), (height, rows)))

    def draw(canvas: Canvas, x: float, y: float, width: float) -> None:
        canvas.heading(x, y, heatmap.map.name[:1].upper() + heatmap.map.name[1:], "per game")
        axes = canvas.axes(x, y + HEADING, wide, high)
        edge = CELL_GAP if all(len(place) == 1 for place in heatmap.map.places) else 0
        axes.set(xlim=(edge, cols - edge), ylim=(rows - edge, edge))
        axes.set_axis_off()
        shades, norm = colour_map(accent), _norm(heatmap)
        if len(heatmap.values) > MOST_SHAPES and all(len(place) == 1 for place in heatmap.map.places):
            _image(axes, heatmap, shades, norm, number)
        else:
            _shapes(axes, heatmap, shades, norm, number)
        _colour_bar(canvas.axes(x, y + HEADING + high + 0.14, max(wide, 1.5), 0.09), shades, norm, wide)

    return Panel(HEADING + high + COLOUR_BAR, draw)


def _bounds(map: Map) -> tuple[int, int]:
    """The rows and columns of the board."""
    spots = [spot for place in map.places for spot in place] or [(0, 0)]
    return max(row for row, _ in spots) + 1, max(col for _, col in spots) + 1


def _shapes(axes: Axes, heatmap: Heatmap, shades: Colormap, norm: Normalize, number: int) -> None:
    from matplotlib.collections import PatchCollection

    if any(len(place) > 1 for place in heatmap.map.places):
        # A map of edges also shows the cells between them.
        cells = sorted({spot for place in heatmap.map.places for spot in place})
        below = PatchCollection([rounded(*_box((spot,), 0.1)) for spot in cells], facecolor=RAISED, edgecolor="none")
        rows, cols = _bounds(heatmap.map)
        axes.add_collection(PatchCollection([rounded(0, 0, cols, rows)], facecolor=BOARD, edgecolor="none"))
        axes.add_collection(below)
    shapes = PatchCollection([rounded(*_box(place, CELL_GAP)) for place in heatmap.map.places], cmap=shades, norm=norm)
    shapes.set_array([_shown(heatmap, value) for value in heatmap.values])
    shapes.set(edgecolor=LINE, linewidth=0.4, gid=f"map-{number}", clip_on=False)
    axes.add_collection(shapes)


def rounded(x: float, y: float, width: float, height: float) -> FancyBboxPatch:
    """A rectangle with rounded corners, given by its top left corner."""
    from matplotlib.patches import FancyBboxPatch

    return FancyBboxPatch((x, y), width, height, f"round,pad=0,rounding_size={0.12 * min(width, height, 1)}")


def _box(place: tuple[Spot, ...], gap: float) -> tuple[float, float, float, float]:
    """The rectangle of a place: left, top, width, height. An edge lies between its two cells."""
    rows, cols = [row for row, _ in place], [col for _, col in place]
    if len(place) == 1:
        wide = high = 1 - 2 * gap
    else:
        wide, high = (LONG if len(set(along)) == 1 else THIN for along in (cols, rows))
    return sum(cols) / len(cols) + (1 - wide) / 2, sum(rows) / len(rows) + (1 - high) / 2, wide, high


LONG, THIN = 0.8, 0.17
"""The length and the width of an edge, as shares of a cell."""


def _image(axes: Axes, heatmap: Heatmap, shades: Colormap, norm: Normalize, number: int) -> None:
    rows, cols = _bounds(heatmap.map)
    grid = [[math.nan] * cols for _ in range(rows)]
    for ((row, col),), value in zip(heatmap.map.places, heatmap.values, strict=True):
        grid[row][col] = _shown(heatmap, value)
    shown = axes.imshow(grid, cmap=shades, norm=norm, extent=(0, cols, rows, 0), aspect="auto", interpolation="nearest")
    shown.set_gid(f"map-{number}")


def _shown(heatmap: Heatmap, value: float) -> float:
    """The value; NaN for 0 on a logarithmic scale, which has no colour for it."""
    return math.nan if heatmap.log and value <= 0 else value


def _norm(heatmap: Heatmap) -> Normalize:
    from matplotlib.colors import LogNorm, Normalize

    return (LogNorm if heatmap.log else Normalize)(heatmap.low, heatmap.high)


def _colour_bar(axes: Axes, shades: Colormap, norm: Normalize, wide: float) -> None:
    """The colour bar below a board."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LogNorm
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    bar = axes.figure.colorbar(ScalarMappable(norm, shades), cax=axes, orientation="horizontal")
    if bar.solids:
        bar.solids.set_edgecolor("face")
    bar.outline.set_visible(False)
    if not isinstance(norm, LogNorm):
        bar.locator = MaxNLocator(5 if wide > 2 else 3, steps=[1, 2, 2.5, 5, 10])
    bar.formatter = FuncFormatter(lambda value, _: f"{value:,.10g}")
    bar.update_ticks()
    bar.ax.tick_params(which="minor", bottom=False)
    bar.ax.tick_params(color=EDGE, labelcolor=SOFT, labelsize=SMALL, length=3)


@functools.cache
def colour_map(accent: str) -> Colormap:
    """A sequential colour map from light to dark in the accent's hue, as saturated as sRGB allows.

    Lightness falls linearly in Oklab (Björn Ottosson 2020, "A perceptual color space for image processing"): equal
    steps look equal, and lightness alone tells values apart, so colour blindness does not matter.
    """
    from matplotlib.colors import ListedColormap, to_rgb

    _, a, b = _oklab(to_rgb(accent))
    hue, found = math.atan2(b, a), []
    for step in range(SHADES):
        lightness = LIGHT + (DARK - LIGHT) * step / (SHADES - 1)
        chroma = VIVID * min(1.0, 0.05 + (LIGHT - lightness) / 0.3)
        while not (rgb := _rgb(lightness, chroma * math.cos(hue), chroma * math.sin(hue))):
            chroma *= 0.98
        found.append(rgb)
    return ListedColormap(found, "rookery").with_extremes(bad=RAISED)


SHADES, LIGHT, DARK, VIVID = 128, 0.97, 0.33, 0.145


def _oklab(rgb: Sequence[float]) -> tuple[float, ...]:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb]
    return _times(TO_LAB, [_times(TO_LMS, linear)[k] ** (1 / 3) for k in range(3)])


def _rgb(*lab: float) -> tuple[float, ...]:
    """The sRGB colour; empty if it is out of gamut."""
    linear = _times(FROM_LMS, [part**3 for part in _times(FROM_LAB, lab)])
    if not all(0 <= c <= 1 for c in linear):
        return ()
    return tuple(12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055 for c in linear)


def _times(matrix: Sequence[Sequence[float]], vector: Sequence[float]) -> tuple[float, ...]:
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


TO_LMS = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
TO_LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
FROM_LAB = ((1, 0.3963377774, 0.2158037573), (1, -0.1055613458, -0.0638541728), (1, -0.0894841775, -1.2914855480))
FROM_LMS = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.7076147010),
)
