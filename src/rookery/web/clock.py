"""A game clock with increment (Fischer clock), which several servers can read: it is known since when it runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Clock:
    """Milliseconds left for each player. At most one player's clock runs, since a moment in the time of `now`."""

    def __init__(self, left: list[float], increment: float, now: Callable[[], float]) -> None:
        self.left = left
        self.running = 0
        self.since = 0.0
        self._increment = increment * 1000
        self._now = now

    def now(self) -> list[float]:
        """The time left now."""
        left = list(self.left)
        if self.running:
            left[self.running - 1] -= max(0.0, self._now() - self.since) * 1000
        return [max(0.0, ms) for ms in left]

    def moved(self) -> list[float]:
        """The time left after a move of the player whose clock runs: now, plus the increment."""
        left = self.now()
        if self.running:
            left[self.running - 1] += self._increment
        return left

    def set(self, left: list[float], running: int, since: float | None) -> None:
        """Set the clock as another server has it, or as it is after a change."""
        self.left, self.running, self.since = left, running, since or 0.0
