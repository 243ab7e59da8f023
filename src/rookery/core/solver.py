"""What it takes to solve a game: a solver says what the work will cost and does it; a solution says what was found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from rookery.core.scene import Spot


MOST_WORKERS = 1024
"""Threads that a solver or trainer may have."""


@dataclass(frozen=True)
class Estimate:
    """What solving a game will cost, known before it begins."""

    positions: int
    """Positions to be looked at, or a little fewer."""
    memory: int
    """Bytes that are needed at a time."""
    steps: int
    """Steps of the work, as progress counts them."""


@dataclass(frozen=True)
class Route:
    """Cells of a board in the order in which they should be entered, to be drawn."""

    title: str
    note: str
    """What it promises, in a few words."""
    board: tuple[int, int]
    """Rows and columns."""
    start: Spot
    cells: tuple[Spot, ...]
    odds: tuple[float, ...]
    """For each cell the probability to get there."""


class Solution(ABC):
    """What a solver found out."""

    @abstractmethod
    def content(self) -> dict[str, Any]:
        """For programs: the fields of a JSON object. Each game has its own, and each has `value`."""

    @abstractmethod
    def facts(self) -> list[tuple[str, str]]:
        """For people: what was asked and the answer, a line each, the value first."""

    def board(self) -> str:
        """What the answer is about, drawn as text; nothing if there is nothing to see."""
        return ""

    def routes(self) -> tuple[Route, ...]:
        """The answer as routes over a board, if it is any; they are drawn as text and as pictures."""
        return ()


class Solver(ABC):
    """Solves one game with its options fixed. Making one refuses, in words, options that cannot be solved."""

    steps: ClassVar[str] = "steps"
    """What progress counts."""
    draws: ClassVar[bool] = False
    """Whether its solutions have routes, of which pictures can be drawn."""

    @abstractmethod
    def estimate(self) -> Estimate:
        """What it will cost; this takes no time to speak of."""

    @abstractmethod
    def ready(self) -> None:
        """Fetch what is needed, such as compiled code, so that it is not counted as work."""

    @abstractmethod
    def run(self, workers: int = 1, seen: Callable[[int], None] = lambda done: None) -> Solution:
        """Solve the game with so many threads, calling `seen` with the steps done so far."""
