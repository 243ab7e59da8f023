"""A bot's thought under way, which whoever waits for it can cut short."""

from __future__ import annotations

from rookery.core.bot import Budget


class CancelToken:
    """One thought: it may be cut short before it begins, while it goes on, or not at all."""

    def __init__(self) -> None:
        self._budget: Budget | None = None
        self.cancelled = False

    def budget(self, ms: float | None, nodes: int | None) -> Budget:
        """The budget, with its clock starting now."""
        self._budget = Budget(ms, nodes)
        if self.cancelled:
            self._budget.cancel()
        return self._budget

    def cancel(self) -> None:
        """Come to an end."""
        self.cancelled = True
        if self._budget is not None:
            self._budget.cancel()
