"""A token with which a bot's search can be cancelled."""

from __future__ import annotations

from rookery.core.bot import Budget


class CancelToken:
    """Cancels one search, before it begins or while it runs."""

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
        """Stop the search, or let it not begin."""
        self.cancelled = True
        if self._budget is not None:
            self._budget.cancel()
