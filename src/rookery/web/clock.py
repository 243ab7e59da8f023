"""A game clock with increment (Fischer clock)."""

from __future__ import annotations

from time import monotonic


class Clock:
    """Milliseconds left for each player. At most one player's clock runs."""

    def __init__(self, left: list[float], increment: float) -> None:
        self.left = left
        self.running = 0
        self._increment = increment * 1000
        self._since = 0.0

    def now(self) -> list[float]:
        """The time left now."""
        left = list(self.left)
        if self.running:
            left[self.running - 1] -= (monotonic() - self._since) * 1000
        return [max(0.0, ms) for ms in left]

    def moved(self) -> list[float]:
        """The time left after a move of the player whose clock runs: now, plus the increment."""
        left = self.now()
        if self.running:
            left[self.running - 1] += self._increment
        return left

    def stop(self, left: list[float] | None = None) -> None:
        """Stop the clock, at the given times or the current ones."""
        self.left, self.running = left or self.now(), 0

    def run(self, player: int) -> None:
        """Run a player's clock (0: nobody's) unless it runs already."""
        if player != self.running:
            self.stop()
            self.running, self._since = player, monotonic()
