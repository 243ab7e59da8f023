"""Figures: colours, fonts, a layout of panels measured in inches from the top left, and saving.

It does not know what is drawn. Matplotlib is imported only where it is used: the rest of the lab works without it.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rookery.core.errors import OptionError, RookeryError
from rookery.core.palette import LIGHT
from rookery.system import interrupts
from rookery.system.requirements import need

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# Figures are on light ground.
GROUND, RAISED, BOARD = LIGHT.ground, LIGHT.raised, LIGHT.board
INK, SOFT, LINE, EDGE = LIGHT.ink, LIGHT.soft, LIGHT.line, LIGHT.edge

WIDTH, MARGIN, GAP = 9.0, 0.45, 0.55
"""A figure's width, its margins and the space between panels, in inches."""
TITLE, HEAD, TEXT, SMALL = 20, 11, 9.5, 8.5
"""Font sizes, in points; 10 points are 14 pixels in a figure 900 pixels wide."""
SUFFIXES = (".svg", ".png")

SETTINGS = {
    "font.family": "sans-serif",
    # Matplotlib ships DejaVu Sans, the last. SVG keeps text as text, so a browser picks from the list itself.
    "font.sans-serif": "Inter, Segoe UI, Helvetica Neue, Roboto, Noto Sans, Arial, Liberation Sans, DejaVu Sans",
    "font.size": TEXT,
    "text.color": INK,
    "text.parse_math": False,
    "axes.edgecolor": EDGE,
    "axes.facecolor": "none",
    "axes.labelcolor": SOFT,
    "axes.labelsize": SMALL,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "xtick.color": EDGE,
    "ytick.color": EDGE,
    "xtick.labelcolor": SOFT,
    "ytick.labelcolor": SOFT,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "hatch.linewidth": 0.8,
    "svg.fonttype": "none",
    "svg.hashsalt": "rookery",
}


@dataclass(frozen=True)
class Panel:
    """A part of a figure: its height in inches, and a function that draws it at (x, y) with a given width."""

    height: float
    draw: Callable[[Canvas, float, float, float], None]


def column(many: int) -> float:
    """The width of each of `many` columns; from three on, the gaps are narrower."""
    gap = GAP if many <= 2 else 0.35
    return (WIDTH - 2 * MARGIN + gap) / many - gap


class Canvas:
    """A Matplotlib figure on which things are placed in inches from the top left corner."""

    def __init__(self, height: float) -> None:
        from matplotlib.figure import Figure

        self.height = height
        self.figure: Figure = Figure(figsize=(WIDTH, height), facecolor=GROUND)

    def axes(self, x: float, y: float, width: float, height: float) -> Axes:
        """Axes with their top left corner at (x, y)."""
        h = self.height
        return self.figure.add_axes((x / WIDTH, 1 - (y + height) / h, width / WIDTH, height / h))

    def text(self, x: float, y: float, text: str, **style: Any) -> None:
        """Text whose first line has its top at y."""
        self.figure.text(x / WIDTH, 1 - y / self.height, text, **{"va": "top", **style})

    def heading(self, x: float, y: float, title: str, note: str = "") -> None:
        """The heading of a panel, `HEADING` inches high, with a note below the title."""
        self.text(x, y, title, size=HEAD, weight="bold")
        self.text(x, y + 0.21, note, size=SMALL, color=SOFT)


HEADING = 0.5


Band = Sequence[Sequence[Panel]]
"""Columns of panels side by side; each column is a sequence of panels from the top down."""


def in_rows(panels: Sequence[Panel], across: int) -> list[Band]:
    """Panels in rows of `across`; the last row may be incomplete."""
    return [
        [panels[at : at + 1] for at in range(start, start + across)] for start in range(0, len(panels), across or 1)
    ]


def compose(title: str, lines: Sequence[str], bands: Sequence[Band], accent: str, footnote: str) -> Canvas:
    """A figure with a title, header lines, bands from the top down, and a footnote."""
    header = 0.75 + 0.2 * len(lines)
    heights = [max(sum(panel.height + GAP for panel in panels) for panels in band) for band in bands]
    canvas = Canvas(MARGIN + header + sum(heights) + MARGIN - 0.15)
    canvas.text(MARGIN, MARGIN - 0.05, title, size=TITLE, weight="bold", color=accent)
    for number, line in enumerate(lines):
        canvas.text(MARGIN, MARGIN + 0.41 + 0.2 * number, line, color=SOFT)
    y = MARGIN + header
    for band, height in zip(bands, heights, strict=True):
        width = column(len(band))
        for index, panels in enumerate(band):
            top = y
            for panel in panels:
                panel.draw(canvas, MARGIN + index * (WIDTH - 2 * MARGIN - width) / max(1, len(band) - 1), top, width)
                top += panel.height + GAP
        y += height
    canvas.text(MARGIN, canvas.height - MARGIN - 0.05, footnote, size=SMALL, color=SOFT)
    return canvas


@contextmanager
def settings() -> Iterator[None]:
    """Matplotlib with these settings and defaults otherwise; restores the caller's settings at the end."""
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(SETTINGS)  # type: ignore[arg-type]  # typed by the names of all settings
        yield


def check_path(path: str) -> None:
    """Refuse a file type that cannot be drawn, or a missing Matplotlib. Call it before the games are played."""
    if not path.lower().endswith(SUFFIXES):
        raise OptionError(f"A figure's file name ends in .svg or .png, unlike '{path}'.")
    need("lab", "A figure", "matplotlib")


def save(canvas: Canvas, path: str, title: str) -> None:
    """Write the figure; the same figure gives the same bytes."""
    buffer = io.BytesIO()
    suffix = path.lower().rpartition(".")[2]
    metadata = {"svg": {"Title": title, "Creator": "Rookery", "Date": None}, "png": {"Title": title, "Software": None}}
    canvas.figure.savefig(buffer, format=suffix, dpi=150, metadata=metadata[suffix])
    try:
        with interrupts.held():
            Path(path).write_bytes(buffer.getvalue())
    except (OSError, ValueError) as problem:  # a ValueError: a path that no system accepts
        reason = problem.strerror if isinstance(problem, OSError) else problem
        raise RookeryError(f"'{path}' cannot be written: {reason}.") from None
