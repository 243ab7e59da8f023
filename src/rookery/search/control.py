"""How a search is watched and stopped: a few words that it shares with whoever started it.

A search adds to `NODES` with each position it looks at, and comes to an end soon after `STOP` is set: by itself once
`LIMIT` is reached, else from another thread, when time is up or nobody wants the answer any more.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import Condition, Thread
from time import perf_counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rookery.core.bot import Budget
    from rookery.core.rules import Words

STOP, NODES, LIMIT = 0, 1, 2
"""Set to stop the search; positions looked at so far; how many there may be (0: any number)."""
CONTROLS = 3

MARGIN = 0.003
"""Seconds before the end at which a search is told to stop, so that it can answer in time; of a short time, a tenth."""


@contextmanager
def limited(budget: Budget, control: Words) -> Iterator[None]:
    """Hold a search to its budget: the number of nodes, the clock and a cancelled budget stop it."""

    def stop() -> None:
        control[STOP] = 1

    control[LIMIT] = budget.nodes or 0
    budget.watch(stop)
    left = budget.seconds_left
    if left is None:
        yield
        return
    _clock.set(stop, left - min(MARGIN, left / 10))
    try:
        yield
    finally:
        _clock.unset(stop)


class _Clock:
    """Calls functions when it is time, from a thread that all searches share: to start one can take milliseconds."""

    def __init__(self) -> None:
        self._alarms: dict[Callable[[], None], float] = {}
        self._changed = Condition()
        self._next = float("inf")
        self._thread: Thread | None = None

    def set(self, ring: Callable[[], None], seconds: float) -> None:
        """Have a function called after so many seconds."""
        at = perf_counter() + seconds
        with self._changed:
            self._alarms[ring] = at
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._watch, name="clock", daemon=True)
                self._thread.start()
            elif at < self._next:
                self._changed.notify()

    def unset(self, ring: Callable[[], None]) -> None:
        """Have the function not called any more."""
        with self._changed:
            self._alarms.pop(ring, None)

    def _watch(self) -> None:
        with self._changed:
            while True:
                now = perf_counter()
                for ring in [ring for ring, at in self._alarms.items() if at <= now]:
                    del self._alarms[ring]
                    ring()
                self._next = min(self._alarms.values(), default=float("inf"))
                self._changed.wait(self._next - now if self._alarms else None)


_clock = _Clock()
