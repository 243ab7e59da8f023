"""Stopping without a loss: from SIGTERM on, a server says that it is not ready, sets up no more games, tells its
viewers to connect again, gives its bots' moves to other servers, and answers the requests that are open.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from typing import TYPE_CHECKING, Any

from rookery.core.errors import RookeryError
from rookery.web import metrics

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

log = logging.getLogger("rookery.web")

LEAST = 0.3
"""Seconds for which a server that is alone still answers after SIGTERM. A worker stops listening at once, because
others listen at the same port.
"""
RETRY_AFTER = 5
"""Seconds after which another server should be there."""


class Stopping(RookeryError):
    """The server is about to stop and begins nothing new."""

    def __init__(self) -> None:
        super().__init__("This server is about to restart; try again in a few seconds.")


class Drain:
    """Whether the server is about to stop, and what is done then."""

    def __init__(self) -> None:
        self.begun = False
        self._calls: list[Callable[[], Awaitable[None]]] = []
        self._tasks: set[asyncio.Task[None]] = set()

    def on_begin(self, call: Callable[[], Awaitable[None]]) -> None:
        """Have something done when the server is about to stop."""
        self._calls.append(call)

    def check(self) -> None:
        """Raise `Stopping` if the server is about to stop."""
        if self.begun:
            raise Stopping

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to stop; safe in a signal handler."""
        if not self.begun:
            self.begun = True
            loop.call_soon_threadsafe(self._start)

    def _start(self) -> None:
        metrics.draining.set(1)
        for call in self._calls:
            task = asyncio.create_task(self._quietly(call))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _quietly(self, call: Callable[[], Awaitable[None]]) -> None:
        try:
            await call()
        except Exception as problem:  # the database may be away; what is due is then found by the clock
            log.warning("Could not hand over before stopping: %s", str(problem).splitlines()[:1])

    def listen(self, seconds: float) -> None:
        """Begin to stop on SIGTERM, and after some `seconds` call what handles the signal now, which ends the server.
        On SIGUSR1, by which a supervisor announces that all workers stop, only begin.
        """
        loop = asyncio.get_running_loop()
        end: Any = signal.getsignal(signal.SIGTERM)

        def term(number: int, frame: Any) -> None:
            again = self.begun
            self.begin(loop)
            if not callable(end):
                return
            if again or not seconds:
                end(number, frame)
            else:
                loop.call_soon_threadsafe(loop.call_later, seconds, end, number, None)

        signal.signal(signal.SIGTERM, term)
        if hasattr(signal, "SIGUSR1"):
            signal.signal(signal.SIGUSR1, lambda number, frame: self.begin(loop))
