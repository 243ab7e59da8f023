"""Figures of simulations. A run: how games ended, their lengths, scores and heatmaps. A sweep: see `sweep_plot`."""

from __future__ import annotations

import math
import textwrap
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rookery.core.errors import RookeryError
from rookery.core.options import options_of
from rookery.core.palette import LIGHT
from rookery.engine.playouts import UNFINISHED
from rookery.lab import figure
from rookery.lab.figure import (
    EDGE,
    HEADING,
    INK,
    LINE,
    SOFT,
    Band,
    Canvas,
    Panel,
    check_path,
    in_rows,
)
from rookery.lab.formatting import estimate, option_text
from rookery.lab.heatmap import heatmap_panel, heatmaps
from rookery.lab.intervals import Counts, wilson
from rookery.lab.sweep_plot import axes_of, sweep_panels

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from rookery.core.options import Value
    from rookery.lab.simulate import Run
    from rookery.lab.sweep_plot import Axis

__all__ = ["check_path", "draw"]

MOST_ACROSS = 4
"""The most heatmaps in a row."""
BOARD_HEIGHT = 4.2
"""The most height of a heatmap's board, in inches."""
BINS = 44
MOST_LAYERS = 5
"""The most distributions in a panel; more are merged into one."""
RESULTS = {0.0, 0.5, 1.0}
"""Scores that say only who won, which need no panel."""


def draw(runs: Sequence[tuple[Run, Mapping[str, Value]]], path: str) -> None:
    """Draw one run, or the runs of a sweep, each with its swept options, into a file."""
    check_path(path)
    if not runs:
        raise RookeryError("There is nothing to draw: a figure needs at least one run.")
    with figure.settings():
        bands = _run_panels(runs[0][0]) if len(runs) == 1 else sweep_panels(runs)
        title, lines = _header([run for run, _ in runs], axes_of([changes for _, changes in runs]))
        accent = LIGHT.accent_of(runs[0][0].experiment.name)
        footnote = "Whiskers, and numbers in brackets: 95% intervals."
        figure.save(figure.compose(title, lines, bands, accent, footnote), path, f"{title}: {lines[0]}")


def _header(runs: Sequence[Run], axes: Sequence[Axis]) -> tuple[str, list[str]]:
    """The title, and lines with the options, bots and numbers of games."""
    first = runs[0].experiment
    game = first.game
    common = [
        option_text(each.name, game.options[each.name])
        for each in options_of(type(game))
        if len({run.experiment.game.options[each.name] for run in runs}) == 1
        and game.options[each.name] != each.default
    ]
    bots = [*first.bots[: len(LIGHT.players)], *(["…"] if len(first.bots) > len(LIGHT.players) else [])]
    facts = [*common, "played by " + " against ".join(bots), _how_many(runs), f"seed {first.seed}"]
    if axes:
        *several, last = [axis.label for axis in axes]
        facts.insert(0, f"over {', '.join(several)} and {last}" if several else f"over {last}")
    lines = _wrapped(facts)
    lengths = runs[0].tally.lengths
    if len(runs) == 1 and lengths.total > 1 and lengths.least == lengths.most:
        lines.append(f"Every game took {lengths.least:,} moves.")
    stopped = sum(run.tally.unfinished for run in runs)
    if stopped:
        lines.append(
            f"{stopped:,} {'game was' if stopped == 1 else 'games were'} stopped after {first.most:,} actions."
        )
    return game.title, lines


def _wrapped(facts: Sequence[str]) -> list[str]:
    """The facts on few lines; a fact is never split."""
    whole = " · ".join(fact.replace(" ", NO_BREAK) for fact in facts)
    return [line.strip(" ·").replace(NO_BREAK, " ") for line in textwrap.wrap(whole, 105, break_on_hyphens=False)]


NO_BREAK = "\N{NO-BREAK SPACE}"


def _how_many(runs: Sequence[Run]) -> str:
    done, asked = [run.tally.games for run in runs], max(run.games for run in runs)
    least, most = min(done), max(done)
    many = f"{most:,}" if least == most else f"{least:,} to {most:,}"
    of = f" of {asked:,}" if least < asked else ""
    return f"{many}{of} game{'' if most == 1 and not of else 's'}{' each' if len(runs) > 1 else ''}"


def _run_panels(run: Run) -> list[Band]:
    """The panels of one run: a single heatmap goes beside the others, several go below."""
    layers = _layers(run)
    left = [each for each in (_results(run, layers), _moves(layers), _scores(run)) if each]
    accent = LIGHT.accent_of(run.experiment.name)
    maps = heatmaps(run)
    across = min(MOST_ACROSS, max(2, len(maps)))
    width = figure.column(across)
    right = [heatmap_panel(each, accent, number, width, BOARD_HEIGHT) for number, each in enumerate(maps, start=1)]
    if len(right) == 1 and left:
        return [[left, right]]
    return in_rows(left, min(2, len(left))) + in_rows(right, across)


@dataclass(frozen=True)
class Layer:
    """A distribution over some of the games, with its label and style."""

    label: str
    counts: Counts
    colour: str
    hatch: str = ""


def _layers(run: Run) -> list[Layer]:
    """The lengths of games, by how they ended."""
    game, tally = run.experiment.game, run.tally
    accent = LIGHT.accent_of(game.name)
    rest = Counts()
    for winner, counts in tally.moves.items():
        if winner > len(LIGHT.players):
            rest.merge(counts)
    if not game.winnable:
        found = [Layer("Games played to the end" if tally.unfinished else "All games", tally.won_by(0), accent)]
    elif game.players == 1:
        found = [Layer("Won", tally.won_by(1), accent), Layer("Lost", tally.won_by(0), EDGE)]
    else:
        shown = range(1, min(game.players, len(LIGHT.players)) + 1)
        found = [Layer(f"Player {each} won", tally.won_by(each), LIGHT.players[each - 1]) for each in shown]
        found += [Layer("Another player won", rest, SOFT)] if game.players > len(LIGHT.players) else []
        found.append(Layer("Draw", tally.won_by(0), EDGE))
    return found + ([Layer("Unfinished", tally.won_by(UNFINISHED), LINE, "////")] if tally.unfinished else [])


def _results(run: Run, layers: Sequence[Layer]) -> Panel | None:
    """How games ended: a bar with a Wilson interval for each result."""
    games = run.tally.games
    if not run.experiment.game.winnable:
        return None
    shares = [(layer.counts.total / max(1, games), wilson(layer.counts.total, games)) for layer in layers]
    furthest = max(high for _, (_, high) in shares)
    step = 0.5

    def draw(canvas: Canvas, x: float, y: float, width: float) -> None:
        canvas.heading(x, y, "How games ended", "share of games")
        axes = canvas.axes(x, y + HEADING, width, step * len(layers))
        axes.set(xlim=(0, furthest), ylim=(step * len(layers), 0))
        axes.set_axis_off()
        for row, (layer, (share, (low, high))) in enumerate(zip(layers, shares, strict=True)):
            at = step * row + 0.3
            axes.barh(at, share, height=0.15, color=layer.colour, hatch=layer.hatch, edgecolor=EDGE, linewidth=0.5)
            whisker = [low, low, low, high, high, high], [at - 0.04, at + 0.04, at, at, at - 0.04, at + 0.04]
            axes.plot(*whisker, color=INK, linewidth=1, clip_on=False, solid_joinstyle="miter", visible=games > 0)
            text = estimate(100 * share, (100 * low, 100 * high), "%") if games else "– no games yet"
            canvas.text(x, y + HEADING + step * row, f"{layer.label} {text}")

    return Panel(HEADING + step * len(layers) - 0.1, draw)


def _moves(layers: Sequence[Layer]) -> Panel | None:
    """The lengths of games by result; None if all are equal."""
    shown = [layer for layer in layers if layer.counts.total]
    everything = Counts()
    for layer in shown:
        everything.merge(layer.counts)
    if everything.least == everything.most and everything.total != 1:
        return None
    if len(shown) > MOST_LAYERS:
        shown = [Layer("All games", everything, EDGE)]
    return _distributions("How long games took", "moves", shown)


def _scores(run: Run) -> Panel | None:
    """The scores of each player; None if they only say who won."""
    game, scores = run.experiment.game, run.tally.scores
    if all({value for value, _ in counts.items()} <= RESULTS for counts in scores.values()):
        return None
    accent = LIGHT.accent_of(game.name)
    if game.players == 1:
        shown = [Layer("All games", scores[1], accent)]
    else:
        first = list(scores)[: len(LIGHT.players)]
        shown = [
            Layer(f"Player {each}", scores[each], colour) for each, colour in zip(first, LIGHT.players, strict=False)
        ]
    return _distributions("Scores", "points", shown)


def _distributions(title: str, unit: str, layers: Sequence[Layer]) -> Panel:
    """Histograms one below the other over one x axis. Each is scaled to the same height, to compare shapes."""
    edges, tail = _edges([layer.counts for layer in layers])
    body, strip, step = (
        (1.0, 0.26, 1.26) if len(layers) == 1 else (0.6, 0.26, 0.96) if len(layers) <= 3 else (0.38, 0.23, 0.69)
    )

    def draw(canvas: Canvas, x: float, y: float, width: float) -> None:
        canvas.heading(x, y, title, f"{unit}, and their mean")
        for row, layer in enumerate(layers):
            top = y + HEADING + step * row
            axes = canvas.axes(x, top + strip, width, body)
            _histogram(axes, layer, edges)
            last = row == len(layers) - 1
            axes.tick_params(left=False, labelleft=False, length=3, bottom=last, labelbottom=last)
            canvas.text(x, top, _mean(layer, unit))
        bottom = y + HEADING + step * (len(layers) - 1) + strip + body
        canvas.text(x + width, bottom + 0.27, tail, ha="right", size=figure.SMALL, color=SOFT)

    return Panel(HEADING + step * (len(layers) - 1) + strip + body + (0.45 if tail else 0.25), draw)


def _mean(layer: Layer, unit: str) -> str:
    mean = estimate(layer.counts.mean or 0, layer.counts.interval())
    return f"{layer.label}: {mean} {unit.removesuffix('s') if mean == '1' else unit}"


def _histogram(axes: Axes, layer: Layer, edges: Sequence[float]) -> None:
    from matplotlib.ticker import MaxNLocator

    filled = [0] * (len(edges) - 1)
    for value, many in layer.counts.items():
        if value < edges[-1]:
            filled[bisect_right(edges, value) - 1] += many
    axes.stairs(filled, edges, fill=True, facecolor=layer.colour, hatch=layer.hatch, edgecolor=EDGE, linewidth=0)
    axes.stairs(filled, edges, color=INK, linewidth=0.5, alpha=0.6)
    axes.set(xlim=(edges[0], edges[-1]), ylim=(0, max(1, *filled) * 1.02))
    if layer.counts.mean is not None:
        axes.axvline(layer.counts.mean, color=INK, linewidth=1.2)
    if all(isinstance(value, int) for value, _ in layer.counts.items()):
        axes.xaxis.set_major_locator(MaxNLocator("auto", steps=[1, 2, 2.5, 5, 10], integer=True))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.10g}".replace("-", "−"))


def _edges(all_counts: Sequence[Counts]) -> tuple[list[float], str]:
    """Common edges of bins of equal width, and a note on the tail that they leave out.

    Integers lie in the middle of their bins. A width is a multiple of the values' common step, so that every bin covers
    the same number of possible values.
    """
    everything = Counts()
    for counts in all_counts:
        everything.merge(counts)
    least, most, late = everything.least, everything.most, everything.quantile(0.995)
    if least is None or most is None or late is None:
        return [0.0, 1.0], ""
    end = late if most - least > 1.4 * (late - least) > 0 else most
    if any(isinstance(value, float) for value, _ in everything.items()):
        last = math.nextafter(end, math.inf)
        edges = sorted({least + (end - least) * k / BINS for k in range(BINS)} | {last})
    else:
        step = min(12, math.lcm(*(_step(counts) for counts in all_counts)))
        width = step * max(1, math.ceil((end - least + 1) / BINS / step))
        edges = [least - 0.5 + width * k for k in range(math.ceil((end - least + 1) / width) + 1)]
    left_out = sum(many for value, many in everything.items() if value >= edges[-1])
    return edges, f"{left_out / everything.total:.1%} lie beyond, up to {most:,}" if left_out else ""


def _step(counts: Counts) -> int:
    """The greatest common divisor of the differences between values."""
    values = [int(value) for value, _ in counts.items()]
    return math.gcd(*(value - values[0] for value in values)) or 1 if values else 1
