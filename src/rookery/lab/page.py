"""The paper a picture is drawn on: colours and type, panels placed in inches from the top, numbers in words, saving.

Nothing here knows what is drawn. Matplotlib is imported where it is used, as everything else does without it.
"""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rookery.core.errors import OptionError, RookeryError
from rookery.system import interrupts
from rookery.system.requirements import need

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from rookery.core.options import Value

# The colours of web/static/style.css, in its light theme.
GROUND, RAISED, BOARD = "#f7f3ea", "#fffdf8", "#ebe4d5"
INK, SOFT, LINE, EDGE = "#1f1c17", "#5f584b", "#d9d0bd", "#8b8271"
ACCENTS = {"gotham": "#8f5300", "gamma": "#17703f", "sixseven": "#b93a24", "gaterun": "#6a3fc4"}
ACCENT = "#3d4f8f"
PLAYERS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#3a3a3a")

WIDTH, MARGIN, GAP = 9.0, 0.45, 0.55
"""The page's width, its margins and the space between panels, in inches."""
TITLE, HEAD, TEXT, SMALL = 20, 11, 9.5, 8.5
"""Sizes of type, in points; 10 are 14 pixels where the picture is 900 wide."""
ENDINGS = (".svg", ".png")

SETTINGS = {
    "font.family": "sans-serif",
    # DejaVu Sans, the last, comes with Matplotlib. A browser looks through the list by itself, as the text stays text.
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
    """A part of a page: how high it is, in inches, and what draws it from its top left corner at a given width."""

    height: float
    draw: Callable[[Page, float, float, float], None]


def column(many: int) -> float:
    """The width of each of so many columns; the more, the closer they stand."""
    gap = GAP if many <= 2 else 0.35
    return (WIDTH - 2 * MARGIN + gap) / many - gap


class Page:
    """A figure on which things are placed in inches, counted from the top left corner."""

    def __init__(self, height: float) -> None:
        from matplotlib.figure import Figure

        self.height = height
        self.figure: Figure = Figure(figsize=(WIDTH, height), facecolor=GROUND)

    def axes(self, x: float, y: float, width: float, height: float) -> Axes:
        """Axes with their top left corner there."""
        h = self.height
        return self.figure.add_axes((x / WIDTH, 1 - (y + height) / h, width / WIDTH, height / h))

    def text(self, x: float, y: float, text: str, **how: Any) -> None:
        """Text whose first line has its top there."""
        self.figure.text(x / WIDTH, 1 - y / self.height, text, **{"va": "top", **how})

    def head(self, x: float, y: float, title: str, note: str = "") -> None:
        """The heading of a panel, `HEADING` high, with a note of what it shows."""
        self.text(x, y, title, size=HEAD, weight="bold")
        self.text(x, y + 0.21, note, size=SMALL, color=SOFT)


HEADING = 0.5


Band = Sequence[Sequence[Panel]]
"""Columns of panels, side by side."""


def in_rows(panels: Sequence[Panel], across: int) -> list[Band]:
    """Panels side by side, so many in a row; the last row may have empty places."""
    return [
        [panels[at : at + 1] for at in range(start, start + across)] for start in range(0, len(panels), across or 1)
    ]


def laid_out(title: str, lines: Sequence[str], bands: Sequence[Band], accent: str, footnote: str) -> Page:
    """The page with its header, its bands from the top down, and the footnote."""
    header = 0.75 + 0.2 * len(lines)
    heights = [max(sum(panel.height + GAP for panel in panels) for panels in band) for band in bands]
    page = Page(MARGIN + header + sum(heights) + MARGIN - 0.15)
    page.text(MARGIN, MARGIN - 0.05, title, size=TITLE, weight="bold", color=accent)
    for number, line in enumerate(lines):
        page.text(MARGIN, MARGIN + 0.41 + 0.2 * number, line, color=SOFT)
    y = MARGIN + header
    for band, height in zip(bands, heights, strict=True):
        width = column(len(band))
        for index, panels in enumerate(band):
            top = y
            for panel in panels:
                panel.draw(page, MARGIN + index * (WIDTH - 2 * MARGIN - width) / max(1, len(band) - 1), top, width)
                top += panel.height + GAP
        y += height
    page.text(MARGIN, page.height - MARGIN - 0.05, footnote, size=SMALL, color=SOFT)
    return page


@contextmanager
def settings() -> Iterator[None]:
    """Matplotlib as these pictures need it, whatever it was set to; it is left as it was."""
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(SETTINGS)  # type: ignore[arg-type]  # typed by the names of all settings
        yield


def check(path: str) -> None:
    """Refuse a path of another kind of picture, and to draw without Matplotlib; it can be asked before the games."""
    if not path.lower().endswith(ENDINGS):
        raise OptionError(f"A picture's name ends in .svg or .png; '{path}' does not.")
    need("lab", "A picture", "matplotlib")


def save(page: Page, path: str, title: str) -> None:
    """Write the picture, which is the same bytes for the same page."""
    written = io.BytesIO()
    kind = path.lower().rpartition(".")[2]
    about = {"svg": {"Title": title, "Creator": "Rookery", "Date": None}, "png": {"Title": title, "Software": None}}
    page.figure.savefig(written, format=kind, dpi=150, metadata=about[kind])
    try:
        with interrupts.held():
            Path(path).write_bytes(written.getvalue())
    except (OSError, ValueError) as problem:  # a ValueError is a path no system takes
        reason = problem.strerror if isinstance(problem, OSError) else problem
        raise RookeryError(f"'{path}' cannot be written: {reason}.") from None


def digits(low: float, high: float) -> int:
    """The places after the point that an interval is worth: so many that its reach is seen, not many more."""
    reach = (high - low) / 2
    return min(4, max(0, math.ceil(0.5 - math.log10(reach)))) if reach > 0 else 2


def estimate(value: float, interval: Sequence[float] | None, unit: str = "") -> str:
    """A value with the interval it lies in.

    >>> estimate(1.4012, (1.3571, 1.4429), "%")
    '1.40% (1.36–1.44)'
    """
    if interval is None or interval[0] == interval[1]:
        return (f"{value:,.2f}".rstrip("0").rstrip(".") + unit).replace("-", "−")
    low, high = interval
    places = digits(low, high)
    to = "–" if low >= 0 else " to "
    return f"{value:,.{places}f}{unit} ({low:,.{places}f}{to}{high:,.{places}f})".replace("-", "−")


def in_words(name: str, value: Value) -> str:
    """An option as it is said.

    >>> in_words("rate", 0.67), in_words("pass_out", False), in_words("jump", True)
    ('rate 0.67', 'no pass out', 'jump')
    """
    plain = name.replace("_", " ")
    if isinstance(value, bool):
        return plain if value else f"no {plain}"
    return f"{plain} {said(value)}"


def said(value: Value) -> str:
    """The value of an option as it is said."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.10g}" if isinstance(value, float) else str(value)
