"""A token with which a bot's search can be cancelled."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rookery.core.bot import Budget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Cancelled(Exception):
    """Nobody wants the result any more."""


class CancelToken:
    """Cancels one search, before it begins or while it runs."""

    def __init__(self) -> None:
        self._budget: Budget | None = None
        self._watchers: list[Callable[[], None]] = []
        self.cancelled = False

    def budget(self, ms: float | None, nodes: int | None) -> Budget:
        """The budget, with its clock starting now."""
        self._budget = Budget(ms, nodes)
        if self.cancelled:
            self._budget.cancel()
        return self._budget

    @contextmanager
    def watched(self, watcher: Callable[[], None]) -> Iterator[None]:
        """Call a function if the token is cancelled within the block, or has been before."""
        self._watchers.append(watcher)
        if self.cancelled:
            watcher()
        try:
            yield
        finally:
            self._watchers.remove(watcher)

    def cancel(self) -> None:
        """Stop the search, or let it not begin."""
        self.cancelled = True
        if self._budget is not None:
            self._budget.cancel()
        for watcher in tuple(self._watchers):
            watcher()
