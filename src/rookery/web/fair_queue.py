"""A fair queue for work on threads: however much one visitor asks for, the others' work is done in between.

Visitors take turns, first by address and then by person (start-time fair queueing: Goyal, Vin & Cheng 1996): next comes
the work of the visitor who has had the least time so far. Short work has a thread that long work never gets, and nobody
has long work on all threads at once. What waits may be bounded: beyond, a visitor is told to try again later.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import deque
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from threading import Condition, Thread, get_native_id
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from rookery.core.errors import RookeryError
from rookery.search.cancel import Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable

    from rookery.search.cancel import CancelToken
    from rookery.web.metrics import Figure

T = TypeVar("T")

SHORT = 0.05
"""Seconds up to which work counts as short."""
NICE = 5
"""How much lower the priority of the threads for long work is, where the system has priorities of threads."""
FORGET = 10_000
"""Visitors whose turns are remembered before those with nothing to do are forgotten."""


class Busy(RookeryError):
    """So much of a visitor's work is waiting that no more is taken."""

    def __init__(self) -> None:
        super().__init__("Too many bots are waiting to think for you, or for your address; try again in a moment.")


class Client(NamedTuple):
    """For whom work is done."""

    address: str = ""
    person: str = ""


SERVER = Client()
"""The server itself, for work that nobody asked for."""


class Bound(NamedTuple):
    """How much work may wait."""

    person: int
    address: int


class Figures(NamedTuple):
    """The figures of a queue."""

    waiting: Figure
    """How much work waits."""
    waited: Figure
    """How long it has waited when it begins."""
    refused: Figure
    """How much was refused."""


@dataclass(eq=False)
class Job:
    """Work that waits for a thread, and who waits for its result."""

    work: Callable[[], Any]
    client: Client
    seconds: float
    """How long it is expected to take."""
    later: bool
    """Whether it waits until no other work does."""
    loop: asyncio.AbstractEventLoop
    result: asyncio.Future[Any]
    since: float = field(default_factory=monotonic)

    @property
    def long(self) -> bool:
        return self.seconds > SHORT


@dataclass
class Turns:
    """What one party has been given: the time so far, and how much long work it has on threads now; what waits."""

    seconds: float = 0.0
    running: int = 0
    waiting: int = 0
    jobs: deque[Job] = field(default_factory=deque)


class FairQueue:
    """Some threads and the work that waits for them. `threads` take any work, `quick` more take short work only."""

    def __init__(
        self,
        threads: int,
        quick: int,
        name: str,
        bound: Bound | None = None,
        figures: Figures | None = None,
        *,
        nice: int = NICE,
    ) -> None:
        self._bound, self._figures, self._nice = bound, figures, nice
        self._changed = Condition()
        self._people: dict[Client, Turns] = {}
        self._addresses: dict[str, Turns] = {}
        self._waiting: set[Client] = set()
        self._closed = False
        self._most_long = max(1, threads - 1)
        """The most threads that long work of one person may have."""
        self._threads = [
            Thread(target=self._run, args=(number < quick,), name=f"{name}-{number}", daemon=True)
            for number in range(threads + quick)
        ]
        for thread in self._threads:
            thread.start()

    async def run(
        self,
        work: Callable[[], T],
        client: Client,
        seconds: float = 0.0,
        *,
        later: bool = False,
        token: CancelToken | None = None,
    ) -> T:
        """The result of some work, done on a thread when it is the client's turn. `later` work yields to all other. If
        too much is waiting it raises `Busy`; if the token is cancelled before it begins, `Cancelled`.
        """
        if token is not None and token.cancelled:
            raise Cancelled
        loop = asyncio.get_running_loop()
        job = Job(work, client, seconds, later, loop, loop.create_future())
        with self._changed:
            if self._closed:
                raise asyncio.CancelledError
            self._add(job)
            self._changed.notify_all()
        try:
            with nullcontext() if token is None else token.watched(lambda: self._give_up(job)):
                result: T = await job.result
                return result
        except asyncio.CancelledError:
            self._give_up(job)
            raise

    def _give_up(self, job: Job) -> None:
        """Take out a job that nobody wants any more, unless it has begun."""
        with self._changed:
            if job not in self._people.get(job.client, Turns()).jobs:
                return
            self._take_out(job)
        if not job.result.done():
            job.result.set_exception(Cancelled)

    def close(self, patience: float = 0.5) -> None:
        """Drop what waits; wait a moment for what runs, but not for ever."""
        with self._changed:
            self._closed = True
            waiting = [job for client in self._waiting for job in self._people[client].jobs]
            self._changed.notify_all()
        for job in waiting:
            job.result.cancel()
        end = monotonic() + patience
        for thread in self._threads:
            thread.join(max(0.0, end - monotonic()))

    def _add(self, job: Job) -> None:
        if len(self._people) > FORGET:
            self._forget()
        turns = self._people.setdefault(job.client, Turns())
        address = self._addresses.setdefault(job.client.address, Turns())
        if self._bound is not None and (
            len(turns.jobs) >= self._bound.person or address.waiting >= self._bound.address
        ):
            if self._figures is not None:
                self._figures.refused.add(1)
            raise Busy
        if job.client not in self._waiting and not turns.running:  # those who did nothing have nothing to catch up on
            turns.seconds = max(turns.seconds, self._least(self._people[each] for each in self._waiting))
            address.seconds = max(address.seconds, self._least(self._addresses[each.address] for each in self._waiting))
        turns.jobs.append(job)
        address.waiting += 1
        if self._figures is not None:
            self._figures.waiting.add(1)
        self._waiting.add(job.client)

    def _take_out(self, job: Job) -> None:
        """Take a job out of those that wait."""
        turns = self._people[job.client]
        turns.jobs.remove(job)
        self._addresses[job.client.address].waiting -= 1
        if self._figures is not None:
            self._figures.waiting.add(-1)
        if not turns.jobs:
            self._waiting.discard(job.client)

    @staticmethod
    def _least(turns: Any) -> float:
        return min((each.seconds for each in turns), default=0.0)

    def _forget(self) -> None:
        for client in [client for client, turns in self._people.items() if not turns.jobs and not turns.running]:
            del self._people[client]
        known = {client.address for client in self._people}
        for address in [address for address in self._addresses if address not in known]:
            del self._addresses[address]

    def _next(self, quick: bool) -> Job | None:
        """Take the job whose turn it is; None if no waiting job may run on this thread now."""
        best: tuple[Any, ...] | None = None
        for client in self._waiting:
            turns = self._people[client]
            job = next((each for each in turns.jobs if self._may_run(each, turns, quick)), None)
            if job is not None:
                rank = (job.later, self._addresses[client.address].seconds, turns.seconds, job.seconds)
                if best is None or rank < best[0]:
                    best = (rank, job)
        if best is None:
            return None
        found: Job = best[1]
        self._take_out(found)
        if self._figures is not None:
            self._figures.waited.observe(monotonic() - found.since)
        return found

    def _may_run(self, job: Job, turns: Turns, quick: bool) -> bool:
        return not job.long or (not quick and turns.running < self._most_long)

    def _run(self, quick: bool) -> None:
        if not quick and self._nice:
            _lower_priority(self._nice)
        while True:
            with self._changed:
                job = self._next(quick)
                while job is None:
                    if self._closed:
                        return
                    self._changed.wait()
                    job = self._next(quick)
                turns, address = self._people[job.client], self._addresses[job.client.address]
                turns.running += job.long
            began = monotonic()
            found, failure = None, None
            try:
                found = job.work() if not job.result.cancelled() else None
            except BaseException as problem:
                failure = problem
            took = monotonic() - began
            with self._changed:
                turns.running -= job.long
                turns.seconds += took
                address.seconds += took
                self._changed.notify_all()
            with suppress(RuntimeError):  # the loop has ended
                job.loop.call_soon_threadsafe(_settle, job.result, found, failure)


def _settle(result: asyncio.Future[Any], found: Any, failure: BaseException | None) -> None:
    if result.done():  # nobody waits for it any more
        return
    if failure is None:
        result.set_result(found)
    else:
        result.set_exception(failure)


def _lower_priority(nice: int) -> None:
    """Let this thread run when others have nothing to do; on Linux, every thread has a priority of its own."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, get_native_id(), nice)
