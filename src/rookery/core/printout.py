"""A game for the kitchen table: what has to be on paper to play it without a computer. Surfaces print any sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rookery.core.scene import Scene


@dataclass(frozen=True)
class Section:
    """A part of the rules: a heading, and what stands under it, sentence by sentence."""

    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Printout:
    """Everything that is printed: the board, a table to keep the score in, and the rules for people at a table."""

    title: str
    scene: Scene
    """The board before the game, with whatever has to be read off its cells while playing."""
    columns: tuple[str, ...]
    """The headings of the score table; the first one stands above the names of the rows."""
    rows: tuple[str, ...]
    """The names of the rows of the score table, which are empty otherwise."""
    rules: tuple[Section, ...]
