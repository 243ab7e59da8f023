"""Sweeps: how often games are won and how long they take, over the options that were changed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rookery.lab.intervals import Counts, wilson
from rookery.lab.page import ACCENT, ACCENTS, GROUND, HEADING, INK, LINE, SMALL, Panel, in_words, said

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

    from rookery.core.options import Value
    from rookery.lab.page import Page
    from rookery.lab.simulate import Run

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#3a3a3a")
MARKERS = "osD^vPX*"
"""Seven colours and eight signs: 56 lines until both come again."""
HEIGHT = 3.1
"""The least height of a panel's axes, in inches."""
LABEL = 0.19
"""The height of a line's label, in inches."""
ORDERS = 40
"""How often the least value goes into the largest where an axis has to be logarithmic."""
CLOSEST = 1 / 13
"""How close two values may be on an axis, as a share of it, to be named both."""


@dataclass(frozen=True)
class Axis:
    """Options that change together, such as the rows and columns of square boards."""

    names: tuple[str, ...]
    values: tuple[tuple[Value, ...], ...]
    """What they take together, in the order given."""

    @property
    def label(self) -> str:
        """The options' names."""
        return " × ".join(name.replace("_", " ") for name in self.names)

    @property
    def to_scale(self) -> bool:
        """Whether the values are numbers, to be drawn where they lie."""
        return all(type(value) in (int, float) for together in self.values for value in together)

    def text(self, together: tuple[Value, ...]) -> str:
        """Values as a tick says them: 5×5."""
        return ("×" if self.to_scale else ", ").join(said(value) for value in together)

    def named(self, together: tuple[Value, ...]) -> str:
        """Values as a line's label says them: rate 0.67 and no jump, but of a word, such as pairs, just that."""
        if self.to_scale:
            return f"{self.label} {self.text(together)}"
        pairs = zip(self.names, together, strict=True)
        return ", ".join(value if isinstance(value, str) else in_words(name, value) for name, value in pairs)

    def at(self, together: tuple[Value, ...]) -> float:
        """Where values lie on the axis."""
        first = together[0]
        return first if self.to_scale and isinstance(first, int | float) else self.values.index(together)


def axes_of(changes: Sequence[Mapping[str, Value]]) -> list[Axis]:
    """The axes of a sweep, in order: options that determine each other share one, those that never change have none."""
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
    """A measured value with its interval, above a place of the x axis."""

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
        """What was measured, leaving out runs of which nothing is known, from left to right."""
        found = [Point(x, *known) for x, run in self.runs if (known := measure(run))]
        return sorted(found, key=lambda point: point.x)


Measure = Callable[["Run"], tuple[float, float, float] | None]
"""A value of a run with the ends of its interval, if there is one."""


def trend_panels(runs: Sequence[tuple[Run, Mapping[str, Value]]]) -> list[list[list[Panel]]]:
    """The panels of a sweep, as bands of columns: side by side unless the lines' names are long."""
    axes = axes_of([changes for _, changes in runs])
    if not axes:
        axes = [Axis(("run",), tuple((number,) for number in range(1, len(runs) + 1)))]
        runs = [(run, {"run": number}) for number, (run, _) in enumerate(runs, start=1)]
    lines = _lines(axes, runs)
    game = runs[0][0].experiment.game
    if game.winnable:
        title = "Games won" if game.players == 1 else "Games player 1 won"
        left = _panel(axes[0], lines, title, "share of games", [_won], percent=True)
        aside = f"; dashed: {title.lower()}"
        right = _panel(axes[0], lines, "How long games took", "moves", [_moves, _moves_won], aside)
    else:
        left = _panel(
            axes[0], lines, "Score", "mean points" if game.players == 1 else "mean points of player 1", [_score]
        )
        right = _panel(axes[0], lines, "How long games took", "moves", [_moves])
    return [[[left], [right]]] if _gutter(lines) < 1.3 else [[[left]], [[right]]]


def _lines(axes: Sequence[Axis], runs: Sequence[tuple[Run, Mapping[str, Value]]]) -> list[Line]:
    first, *others = axes
    grouped: dict[str, list[tuple[float, Run]]] = {}
    for run, changes in runs:
        label = ", ".join(axis.named(tuple(changes.get(name) for name in axis.names)) for axis in others)
        grouped.setdefault(label, []).append((first.at(tuple(changes.get(name) for name in first.names)), run))
    if len(grouped) == 1:
        accent = ACCENTS.get(runs[0][0].experiment.name, ACCENT)
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
    """The room the lines' names need, in inches."""
    longest = max(len(line.label) for line in lines)
    return 0.3 + 0.068 * longest if longest else 0.0


def _panel(
    axis: Axis,
    lines: Sequence[Line],
    title: str,
    unit: str,
    measures: Sequence[Measure],
    aside: str = "",
    percent: bool = False,
) -> Panel:
    height = max(HEIGHT, LABEL * (len(lines) + 1))

    def draw(page: Page, x: float, y: float, width: float) -> None:
        points = [point for line in lines for measure in measures for point in line.points(measure)]
        page.head(x, y, title, f"{unit}{', on a logarithmic scale' if spans_orders(points) else ''}{aside}")
        inset = 0.45
        axes = page.axes(x + inset, y + HEADING + 0.05, width - inset - _gutter(lines), height)
        axes.grid(axis="y", color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        for line in lines:
            for number, measure in enumerate(measures):
                _plot(axes, line, line.points(measure), axis.to_scale, dashed=number > 0)
        _mark_x(axes, axis)
        _scale_y(axes, points, percent)
        _name(axes, lines, measures[0], height)

    return Panel(HEADING + height + 0.6, draw)


def _plot(axes: Axes, line: Line, points: Sequence[Point], to_scale: bool, dashed: bool) -> None:
    """A line through its points, with whiskers; a dashed one has hollow signs. Between words it only leads the eye."""
    axes.errorbar(
        [point.x for point in points],
        [point.y for point in points],
        yerr=[[max(0.0, p.y - p.low) for p in points], [max(0.0, p.high - p.y) for p in points]],
        color=line.colour,
        marker=line.marker,
        markersize=5.5,
        markerfacecolor=GROUND if dashed else line.colour,
        linestyle=(0, (4, 2.5)) if dashed else "-",
        linewidth=(1.2 if dashed else 1.6) if to_scale else 0.6,
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
    if sparse or not axis.to_scale or len(axis.names) > 1:
        every = max(1, math.ceil(len(at) * max(map(len, map(axis.text, axis.values))) / 60))
        axes.set_xticks(at[::every], [axis.text(together) for together in axis.values[::every]])


def _scale_y(axes: Axes, points: Sequence[Point], percent: bool) -> None:
    """From 0, unless all lies in a small part of that; where values span orders of magnitude, logarithmic."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    low, high = min((p.low for p in points), default=0.0), max((p.high for p in points), default=1.0)
    if spans_orders(points) and low > 0:
        axes.set_yscale("log")
        axes.set_ylim(low / 1.3, high * 1.3)
        axes.tick_params(axis="y", which="minor", length=0, labelleft=False)
    elif spans_orders(points):
        # Linear below the least value there is, so that 0 has a place.
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
    """Whether small values would all look like none beside the large ones."""
    some = [point.y for point in points if point.y]
    return bool(some) and min(some) > 0 and max(some) >= ORDERS * min(some)


def _name(axes: Axes, lines: Sequence[Line], measure: Measure, height: float) -> None:
    """Name each line beside its last point, moved apart where they would overlap."""
    to_share = axes.transScale + axes.transLimits
    ends = {line.label: points[-1] for line in lines if line.label and (points := line.points(measure))}
    places = apart({label: to_share.transform((end.x, end.y))[1] * height for label, end in ends.items()})
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


def apart(wanted: Mapping[str, float]) -> dict[str, float]:
    """Heights at least `LABEL` apart, in the same order and as near to those wanted as going up once allows."""
    found: dict[str, float] = {}
    below = -math.inf
    for label, height in sorted(wanted.items(), key=lambda item: item[1]):
        below = found[label] = max(height, below + LABEL)
    return found
