"""Solvers of games: a solver estimates its cost and does the work; a solution holds the result."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from rookery.core.scene import Spot


MOST_WORKERS = 1024
"""The most threads that a solver or trainer may use."""


@dataclass(frozen=True)
class Estimate:
    """What solving a game will cost, known in advance."""

    positions: int
    """Positions to look at: an upper bound, slightly above the actual number."""
    memory: int
    """Bytes needed at the same time."""
    steps: int
    """Steps of the work, as the progress bar counts them."""


@dataclass(frozen=True)
class Route:
    """A route over a board, to be drawn: cells in the order in which they are entered."""

    title: str
    note: str
    """The expected result, in a few words."""
    board: tuple[int, int]
    """Rows and columns."""
    start: Spot
    cells: tuple[Spot, ...]
    odds: tuple[float, ...]
    """For each cell, the probability of reaching it."""


class Solution(ABC):
    """The result of a solver."""

    @abstractmethod
    def content(self) -> dict[str, Any]:
        """The result for programs: the fields of a JSON object. Each game has its own, and all have `value`."""

    @abstractmethod
    def facts(self) -> list[tuple[str, str]]:
        """The result for people: labels and texts, a line each, the value first."""

    def board(self) -> str:
        """A text drawing that goes with the result; empty if there is none."""
        return ""

    def routes(self) -> tuple[Route, ...]:
        """The routes in the result, if any; they are drawn as text and as figures."""
        return ()


class Solver(ABC):
    """Solves one game with its options fixed. The constructor raises an `OptionError` for options it cannot solve."""

    steps: ClassVar[str] = "steps"
    """What the progress bar counts."""
    draws: ClassVar[bool] = False
    """Whether its solutions have routes that can be drawn."""

    @abstractmethod
    def estimate(self) -> Estimate:
        """What solving will cost; this takes almost no time."""

    @abstractmethod
    def ready(self) -> None:
        """Load what is needed, such as compiled code, before the work is timed."""

    @abstractmethod
    def run(self, workers: int = 1, seen: Callable[[int], None] = lambda done: None) -> Solution:
        """Solve the game with `workers` threads, calling `seen` with the number of steps done so far."""
