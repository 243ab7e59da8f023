"""Numbers with intervals, and options, as text for reports and figures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.options import Value


def digits(low: float, high: float) -> int:
    """The decimal places that an interval justifies: enough to show its half-width, few more."""
    margin = (high - low) / 2
    return min(4, max(0, math.ceil(0.5 - math.log10(margin)))) if margin > 0 else 2


def estimate(value: float, interval: Sequence[float] | None, unit: str = "") -> str:
    """A value with its interval.

    >>> estimate(1.4012, (1.3571, 1.4429), "%")
    '1.40% (1.36–1.44)'
    """
    if interval is None or interval[0] == interval[1]:
        return (f"{value:,.2f}".rstrip("0").rstrip(".") + unit).replace("-", "−")
    low, high = interval
    places = digits(low, high)
    to = "–" if low >= 0 else " to "
    return f"{value:,.{places}f}{unit} ({low:,.{places}f}{to}{high:,.{places}f})".replace("-", "−")


def option_text(name: str, value: Value) -> str:
    """An option in words.

    >>> option_text("rate", 0.67), option_text("pass_out", False), option_text("jump", True)
    ('rate 0.67', 'no pass out', 'jump')
    """
    plain = name.replace("_", " ")
    if isinstance(value, bool):
        return plain if value else f"no {plain}"
    return f"{plain} {value_text(value)}"


def value_text(value: Value) -> str:
    """The value of an option in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.10g}" if isinstance(value, float) else str(value)
