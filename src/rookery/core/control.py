"""How a search is watched and stopped: a few words that it shares with whoever started it.

A search adds to `NODES` with each position it looks at, and comes to an end soon after `STOP` is set: by itself once
`LIMIT` is reached, else from another thread, when time is up or nobody wants the answer any more.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import Timer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

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
    timer = Timer(0.0 if left is None else left - min(MARGIN, left / 10), stop)
    timer.daemon = True
    if left is not None:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()
