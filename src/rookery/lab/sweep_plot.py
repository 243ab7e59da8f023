"""Figures of sweeps: wins (or scores) and lengths of games over the options that change."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rookery.core.palette import LIGHT
from rookery.lab.figure import GROUND, HEADING, INK, LINE, SMALL, Panel
from rookery.lab.formatting import option_text, value_text
from rookery.lab.intervals import Counts, wilson

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from rookery.core.options import Value
    from rookery.lab.figure import Canvas
    from rookery.lab.simulate import Run

COLOURS = tuple(LIGHT.players[each] for each in (0, 5, 2, 3, 1, 4, 7))  # all but yellow, which is faint as a line
MARKERS = "osD^vPX*"
"""Seven colours and eight markers give 56 different lines."""
HEIGHT = 3.1
"""The least height of a panel's axes, in inches."""
LABEL = 0.19
"""The height of a line's label, in inches."""
ORDERS = 40
"""An axis is logarithmic if the largest value is this many times the least."""
CLOSEST = 1 / 13
"""The least distance of two tick labels, as a share of the axis."""


@dataclass(frozen=True)
class Axis:
    """Options that change together, such as the rows and columns of square boards."""

    names: tuple[str, ...]
    values: tuple[tuple[Value, ...], ...]
    """Their values together, in the order given."""

    @property
    def label(self) -> str:
        """The options' names."""
        return " × ".join(name.replace("_", " ") for name in self.names)

    @property
    def numeric(self) -> bool:
        """Whether all values are numbers, which are drawn to scale."""
        return all(type(value) in (int, float) for together in self.values for value in together)

    def text(self, together: tuple[Value, ...]) -> str:
        """Values as a tick label, such as 5×5."""
        return ("×" if self.numeric else ", ").join(value_text(value) for value in together)

    def label_of(self, together: tuple[Value, ...]) -> str:
        """Values as a line's label, such as "rate 0.67, no jump"; a word, such as "pairs", stands alone."""
        if self.numeric:
            return f"{self.label} {self.text(together)}"
        pairs = zip(self.names, together, strict=True)
        return ", ".join(value if isinstance(value, str) else option_text(name, value) for name, value in pairs)

    def at(self, together: tuple[Value, ...]) -> float:
        """The position of values on the axis."""
        first = together[0]
        return first if self.numeric and isinstance(first, int | float) else self.values.index(together)


def axes_of(changes: Sequence[Mapping[str, Value]]) -> list[Axis]:
    """The axes of a sweep, in order. Options that determine each other share an axis; constant ones have none."""
    groups: list[list[str]] = []
    columns = {name: [each.get(name) for each in changes] for name in changes[0]}
    for name, column in columns.items():
        many = len(set(column))
        if many == 1:
            continue
        for group in groups:
            other = columns[group[0]]
            if many == len(set(other)) == len(set(zip(column, other, strict=True))):
                group.append(name)
                break
        else:
            groups.append([name])
    return [
        Axis(tuple(group), tuple(dict.fromkeys(zip(*(columns[name] for name in group), strict=True))))
        for group in groups
    ]


@dataclass(frozen=True)
class Point:
    """A value with its interval at a position on the x axis."""

    x: float
    y: float
    low: float
    high: float


@dataclass(frozen=True)
class Line:
    """The runs that differ only along the x axis."""

    label: str
    colour: str
    marker: str
    runs: tuple[tuple[float, Run], ...]

    def points(self, measure: Measure) -> list[Point]:
        """The measured points from left to right, without runs that have no value."""
        found = [Point(x, *known) for x, run in self.runs if (known := measure(run))]
        return sorted(found, key=lambda point: point.x)


Measure = Callable[["Run"], tuple[float, float, float] | None]
"""A function that gives a value of a run and its interval, or None."""


@dataclass(frozen=True)
class Quantity:
    """What a panel shows: its heading, and the measures drawn for each line, all but the first dashed."""

    title: str
    unit: str
    measures: tuple[Measure, ...]
    note: str = ""
    percent: bool = False


def sweep_panels(runs: Sequence[tuple[Run, Mapping[str, Value]]]) -> list[list[list[Panel]]]:
    """The panels of a sweep, as bands of columns: side by side unless the labels are long."""
    axes = axes_of([changes for _, changes in runs])
    if not axes:
        axes = [Axis(("run",), tuple((number,) for number in range(1, len(runs) + 1)))]
        runs = [(run, {"run": number}) for number, (run, _) in enumerate(runs, start=1)]
    lines = _lines(axes, runs)
    game = runs[0][0].experiment.game
    if game.winnable:
        title = "Games won" if game.players == 1 else "Games player 1 won"
        left = _panel(axes[0], lines, Quantity(title, "share of games", (_won,), percent=True))
        note = f"; dashed: {title.lower()}"
        right = _panel(axes[0], lines, Quantity("How long games took", "moves", (_moves, _moves_won), note))
    else:
        unit = "mean points" if game.players == 1 else "mean points of player 1"
        left = _panel(axes[0], lines, Quantity("Score", unit, (_score,)))
        right = _panel(axes[0], lines, Quantity("How long games took", "moves", (_moves,)))
    return [[[left], [right]]] if _gutter(lines) < 1.3 else [[[left]], [[right]]]


def _lines(axes: Sequence[Axis], runs: Sequence[tuple[Run, Mapping[str, Value]]]) -> list[Line]:
    first, *others = axes
    grouped: dict[str, list[tuple[float, Run]]] = {}
    for run, changes in runs:
        label = ", ".join(axis.label_of(tuple(changes.get(name) for name in axis.names)) for axis in others)
        grouped.setdefault(label, []).append((first.at(tuple(changes.get(name) for name in first.names)), run))
    if len(grouped) == 1:
        accent = LIGHT.accent_of(runs[0][0].experiment.name)
        return [Line("", accent, MARKERS[0], tuple(of)) for of in grouped.values()]
    return [
        Line(label, COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)], tuple(of))
        for number, (label, of) in enumerate(grouped.items())
    ]


def _won(run: Run) -> tuple[float, float, float] | None:
    games, wins = run.tally.games, run.tally.won_by(1).total
    return (wins / games, *wilson(wins, games)) if games else None


def _moves(run: Run) -> tuple[float, float, float] | None:
    return _mean(run.tally.lengths)


def _moves_won(run: Run) -> tuple[float, float, float] | None:
    return _mean(run.tally.won_by(1))


def _score(run: Run) -> tuple[float, float, float] | None:
    return _mean(run.tally.scores.get(1, Counts()))


def _mean(counts: Counts) -> tuple[float, float, float] | None:
    mean = counts.mean
    return None if mean is None else (mean, *(counts.interval() or (mean, mean)))


def _gutter(lines: Sequence[Line]) -> float:
    """The width that the lines' labels need, in inches."""
    longest = max(len(line.label) for line in lines)
    return 0.3 + 0.068 * longest if longest else 0.0


def _panel(axis: Axis, lines: Sequence[Line], quantity: Quantity) -> Panel:
    measures = quantity.measures
    height = max(HEIGHT, LABEL * (len(lines) + 1))

    def draw(canvas: Canvas, x: float, y: float, width: float) -> None:
        points = [point for line in lines for measure in measures for point in line.points(measure)]
        scale = ", on a logarithmic scale" if spans_orders(points) else ""
        canvas.heading(x, y, quantity.title, f"{quantity.unit}{scale}{quantity.note}")
        inset = 0.45
        axes = canvas.axes(x + inset, y + HEADING + 0.05, width - inset - _gutter(lines), height)
        axes.grid(axis="y", color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        for line in lines:
            for number, measure in enumerate(measures):
                _plot(axes, line, line.points(measure), axis.numeric, dashed=number > 0)
        _mark_x(axes, axis)
        _scale_y(axes, points, quantity.percent)
        _label_lines(axes, lines, measures[0], height)

    return Panel(HEADING + height + 0.6, draw)


def _plot(axes: Axes, line: Line, points: Sequence[Point], numeric: bool, dashed: bool) -> None:
    """A line with error bars; a dashed one has hollow markers. It is thin if the x values are not numbers."""
    axes.errorbar(
        [point.x for point in points],
        [point.y for point in points],
        yerr=[[max(0.0, p.y - p.low) for p in points], [max(0.0, p.high - p.y) for p in points]],
        color=line.colour,
        marker=line.marker,
        markersize=5.5,
        markerfacecolor=GROUND if dashed else line.colour,
        linestyle=(0, (4, 2.5)) if dashed else "-",
        linewidth=(1.2 if dashed else 1.6) if numeric else 0.6,
        elinewidth=1,
        capsize=2.5,
        clip_on=False,
    )


def _mark_x(axes: Axes, axis: Axis) -> None:
    at = [axis.at(together) for together in axis.values]
    low, high = min(at), max(at)
    margin = 0.05 * (high - low) or 0.5
    axes.set_xlim(low - margin, high + margin)
    axes.set_xlabel(axis.label, labelpad=6)
    axes.tick_params(axis="x", length=3)
    axes.tick_params(axis="y", length=0)
    sparse = all(b - a >= CLOSEST * (high - low) for a, b in zip(sorted(at), sorted(at)[1:], strict=False))
    if sparse or not axis.numeric or len(axis.names) > 1:
        every = max(1, math.ceil(len(at) * max(map(len, map(axis.text, axis.values))) / 60))
        axes.set_xticks(at[::every], [axis.text(together) for together in axis.values[::every]])


def _scale_y(axes: Axes, points: Sequence[Point], percent: bool) -> None:
    """Scale the y axis: from 0 unless all values are far above it; logarithmic over orders of magnitude."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    low, high = min((p.low for p in points), default=0.0), max((p.high for p in points), default=1.0)
    if spans_orders(points) and low > 0:
        axes.set_yscale("log")
        axes.set_ylim(low / 1.3, high * 1.3)
        axes.tick_params(axis="y", which="minor", length=0, labelleft=False)
    elif spans_orders(points):
        # Linear below the least positive value, so that 0 is on the axis.
        least = 10 ** math.floor(math.log10(min(p.y for p in points if p.y > 0)))
        axes.set_yscale("symlog", linthresh=least, linscale=0.4)
        axes.set_ylim(0, high * 1.3)
    else:
        low = 0.0 if 0 <= low < 0.6 * high or high == low == 0 else low
        margin = 0.06 * (high - low) or 0.05 * abs(high) or 1.0
        axes.set_ylim(low and low - margin, high + margin)
        axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
    shown = (lambda y, _: f"{100 * y:.10g}%") if percent else (lambda y, _: f"{y:,.10g}".replace("-", "−"))
    axes.yaxis.set_major_formatter(FuncFormatter(shown))


def spans_orders(points: Sequence[Point]) -> bool:
    """Whether values span so many orders of magnitude that small ones would look like 0."""
    some = [point.y for point in points if point.y]
    return bool(some) and min(some) > 0 and max(some) >= ORDERS * min(some)


def _label_lines(axes: Axes, lines: Sequence[Line], measure: Measure, height: float) -> None:
    """Label each line beside its last point; labels that would overlap are moved apart."""
    to_share = axes.transScale + axes.transLimits
    ends = {line.label: points[-1] for line in lines if line.label and (points := line.points(measure))}
    places = spread({label: to_share.transform((end.x, end.y))[1] * height for label, end in ends.items()})
    for line in lines:
        if line.label in ends:
            end = ends[line.label]
            axes.annotate(
                line.label,
                (end.x, end.y),
                xytext=(1.05, places[line.label] / height),
                textcoords="axes fraction",
                va="center",
                size=SMALL,
                color=INK,
                annotation_clip=False,
                arrowprops={"arrowstyle": "-", "color": line.colour, "linewidth": 0.8, "shrinkA": 1, "shrinkB": 5},
            )


def spread(wanted: Mapping[str, float]) -> dict[str, float]:
    """Heights at least `LABEL` apart in the same order: one pass upwards moves each by as little as possible."""
    found: dict[str, float] = {}
    below = -math.inf
    for label, height in sorted(wanted.items(), key=lambda item: item[1]):
        below = found[label] = max(height, below + LABEL)
    return found
