"""A figure of how throughput, latency and processor time change with the number of servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rookery.core.palette import LIGHT
from rookery.lab import figure
from rookery.lab.figure import EDGE, HEADING, LINE, Canvas, Panel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

HEIGHT = 2.6
"""The height of a panel's axes, in inches."""
PARTS = {"servers": LIGHT.players[0], "postgres": LIGHT.players[1], "nginx": LIGHT.players[2]}


def draw(found: Mapping[int, Sequence[Mapping[str, Any]]], path: str) -> None:
    """Draw the runs by number of servers into a file."""
    some = next(iter(found.values()))[0]
    with figure.settings():
        panels = [
            Panel(HEADING + HEIGHT + 0.3, _values(found, "Actions a second", "actions_per_second")),
            Panel(HEADING + HEIGHT + 0.3, _values(found, "Acknowledgement, p99", "ack_ms_p99", "milliseconds")),
            Panel(HEADING + HEIGHT + 0.3, _shares(found)),
        ]
        lines = [f"{some['games_at_once']:,} games at once, {some['seconds']:.0f} seconds a run"]
        footnote = "Lines join the medians of all runs; each run is a dot. Clients share the machine."
        canvas = figure.compose(
            "Load by number of servers", lines, [[[each] for each in panels]], LIGHT.accent, footnote
        )
        figure.save(canvas, path, "Load by number of servers")


def _axes(canvas: Canvas, box: tuple[float, float, float], counts: Sequence[int], title: str, note: str) -> Axes:
    x, y, width = box
    canvas.heading(x, y, title, note)
    axes = canvas.axes(x + 0.35, y + HEADING, width - 0.35, HEIGHT)
    axes.grid(visible=True, axis="y", color=LINE, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.set_xticks(list(counts))
    axes.set_xlim(min(counts) - 0.5, max(counts) + 0.5)
    axes.set_xlabel("servers")
    return axes


def _values(found: Mapping[int, Sequence[Mapping[str, Any]]], title: str, name: str, note: str = "") -> Any:
    """A panel of one figure: all runs, and a line through their medians."""

    def panel(canvas: Canvas, x: float, y: float, width: float) -> None:
        axes = _axes(canvas, (x, y, width), [*found], title, note)
        for count, runs in found.items():
            axes.plot([count] * len(runs), [run[name] for run in runs], "o", color=EDGE, markersize=3)
        medians = [sorted(run[name] for run in runs)[len(runs) // 2] for runs in found.values()]
        axes.plot([*found], medians, "-o", color=LIGHT.players[0], linewidth=1.6, markersize=5)
        axes.set_ylim(0, 1.1 * max(run[name] for runs in found.values() for run in runs))

    return panel


def _shares(found: Mapping[int, Sequence[Mapping[str, Any]]]) -> Any:
    """A panel of the processor time of an action, by who uses it."""

    def panel(canvas: Canvas, x: float, y: float, width: float) -> None:
        axes = _axes(canvas, (x, y, width), [*found], "Processor time an action", "milliseconds")
        below = dict.fromkeys(found, 0.0)
        for part, colour in PARTS.items():
            costs = [_cost(runs, part) for runs in found.values()]
            label = {"postgres": "PostgreSQL"}.get(part, part)
            axes.bar([*found], costs, 0.6, bottom=[*below.values()], color=colour, label=label)
            below = {count: below[count] + cost for count, cost in zip(found, costs, strict=True)}
        axes.set_ylim(0, 1.35 * max(below.values()))
        axes.legend(frameon=False, fontsize=figure.SMALL, loc="upper left", ncols=2, handlelength=1)

    return panel


def _cost(runs: Sequence[Mapping[str, Any]], part: str) -> float:
    """The median of the milliseconds that a part uses for an action."""
    costs = sorted(1000 * run.get(f"{part}_cpu_s", 0.0) / max(1, run["actions"]) for run in runs)
    return float(costs[len(costs) // 2])
