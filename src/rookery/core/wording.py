"""A bot's analysis in words: amounts with their units, and the other candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rookery.core.bot import Analysis, Candidate
    from rookery.core.game import Game

LARGE = 100
"""Amounts from here on are written without decimals."""


def amount(value: float, unit: str) -> str:
    """A value with its unit: 19,590 points, 1 step ahead; a negative value turns “ahead” into “behind”."""
    if "ahead" in unit and value < 0:
        value, unit = -value, unit.replace("ahead", "behind")
    number = figure(value)
    if unit.startswith("%"):
        return f"{number}{unit}"
    noun, _, rest = unit.partition(" ")
    return " ".join(filter(None, (number, noun.removesuffix("s") if number == "1" else noun, rest)))


def figure(value: float) -> str:
    """A number as people write it, with one decimal if it is small."""
    written = f"{value:,.0f}" if abs(value) >= LARGE else f"{value:.1f}".removesuffix(".0")
    return "0" if written == "-0" else written


def others(analysis: Analysis, game: Game) -> list[str]:
    """The candidates after the first, best first, in words, each with its value or probability of winning."""
    found = sorted(analysis.candidates[1:], key=_worth, reverse=True)
    return [f"{game.phrase(each.action)} {promise(each)}" for each in found]


def _worth(candidate: Candidate) -> float:
    return candidate.value if candidate.win is None else candidate.win


def promise(candidate: Candidate) -> str:
    """The value of a candidate, or its probability of winning."""
    return figure(candidate.value) if candidate.win is None else f"{100 * candidate.win:.0f}%"
