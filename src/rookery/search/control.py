"""The control words of a search: a few words that it shares with its caller.

A search counts the positions it looks at in `NODES`, and ends soon after `STOP` is set: by the search itself at
`NODE_LIMIT` nodes, or from another thread when time is up or the budget is cancelled.
"""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from threading import Condition, Lock, Thread
from time import perf_counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rookery.core.bot import Budget
    from rookery.core.rules import Words

STOP, NODES, NODE_LIMIT = 0, 1, 2
"""Set to stop the search; positions looked at so far; the most there may be (0: no limit)."""
CONTROLS = 3

MARGIN = 0.003
"""Seconds before its deadline at which a search is stopped, so that it answers in time; at most a tenth of its time."""


@contextmanager
def limited(budget: Budget, control: Words) -> Iterator[None]:
    """Hold a search to its budget: the number of nodes, the clock and a cancelled budget stop it. Once it has ended,
    nothing does: then the words may be those of another search.
    """
    lasting, lock = True, Lock()

    def stop() -> None:
        with lock:
            if lasting:
                control[STOP] = 1

    control[NODE_LIMIT] = budget.nodes or 0
    budget.watch(stop)
    left = budget.seconds_left
    if left == 0:
        stop()  # now: on a busy machine the thread with the clock may come late
    try:
        with alarm(stop, left - min(MARGIN, left / 10)) if left else nullcontext():
            yield
    finally:
        with lock:
            lasting = False


@contextmanager
def alarm(ring: Callable[[], None], seconds: float) -> Iterator[None]:
    """Call a function from another thread after some seconds, unless the block has ended by then."""
    _clock.set(ring, seconds)
    try:
        yield
    finally:
        _clock.unset(ring)


class _Clock:
    """Calls functions at set times, from one thread for all searches: starting a thread can take milliseconds."""

    def __init__(self) -> None:
        self._alarms: dict[Callable[[], None], float] = {}
        self._changed = Condition()
        self._next = float("inf")
        self._thread: Thread | None = None

    def set(self, ring: Callable[[], None], seconds: float) -> None:
        """Call a function after some seconds."""
        at = perf_counter() + seconds
        with self._changed:
            self._alarms[ring] = at
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._watch, name="clock", daemon=True)
                self._thread.start()
            elif at < self._next:
                self._changed.notify()

    def unset(self, ring: Callable[[], None]) -> None:
        """Do not call the function any more."""
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
