"""Printouts: what has to be on paper to play a game without a computer. Every surface can print one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rookery.core.scene import Scene


@dataclass(frozen=True)
class Section:
    """A part of the rules: a heading, the sentences under it, and a table if there is one."""

    heading: str
    lines: tuple[str, ...]
    table: tuple[tuple[str, ...], ...] = ()
    """Its rows; the first row and the first column are headings."""


@dataclass(frozen=True)
class Printout:
    """Everything that is printed: the board, a score table, and the rules."""

    title: str
    scene: Scene
    """The board at the start, with everything that players read off its cells."""
    columns: tuple[str, ...]
    """The headings of the score table; the first is above the names of the rows."""
    rows: tuple[str, ...]
    """The names of the rows of the score table; their other cells are blank."""
    rules: tuple[Section, ...]
