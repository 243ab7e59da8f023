"""A game clock: the time each player has left."""

from __future__ import annotations

from time import monotonic


class Clock:
    """Milliseconds left for each player. One player's clock runs, or nobody's."""

    def __init__(self, left: list[float], increment: float) -> None:
        self.left = left
        self.running = 0
        self._increment = increment * 1000
        self._since = 0.0

    def now(self) -> list[float]:
        """What is left at this moment."""
        left = list(self.left)
        if self.running:
            left[self.running - 1] -= (monotonic() - self._since) * 1000
        return [max(0.0, ms) for ms in left]

    def moved(self) -> list[float]:
        """What will be left if the player whose clock runs has moved: that player is given the increment."""
        left = self.now()
        if self.running:
            left[self.running - 1] += self._increment
        return left

    def stop(self, left: list[float] | None = None) -> None:
        """Stop the clock that runs, with what is left now, or with so much."""
        self.left, self.running = left or self.now(), 0

    def run(self, player: int) -> None:
        """Let a player's clock run (0: nobody's), if it does not run already."""
        if player != self.running:
            self.stop()
            self.running, self._since = player, monotonic()
