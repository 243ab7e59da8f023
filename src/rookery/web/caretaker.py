"""What a server does from time to time: look after games that are overdue, compare the games that are open here with
the database, forget what is old.
"""

from __future__ import annotations

import asyncio
import logging
import random
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from rookery.core.errors import RookeryError
from rookery.web import due_repository, metrics, repository
from rookery.web.events import Used
from rookery.web.fair_queue import SERVER
from rookery.web.limits import DAY
from rookery.web.live_game import BOT_GRACE

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterable

    from rookery.web.registry import RoomRegistry

log = logging.getLogger("rookery.web")

SWEEP = 2.0
"""Seconds between two looks for games that are overdue."""
OVERDUE = 50
"""Games that are looked after at once."""
COMPARE = 4.0
"""Seconds between two comparisons with the database; an event that was lost is made up for by then."""
SYNCHRONISE = 15.0
"""Seconds between two comparisons of the clocks, and of whose cookies are valid."""
HEARTBEAT, STANDSTILL = 2.0, 6.0
"""Seconds between two notes that a server is alive, and after which none was: then all clocks stood still meanwhile."""
SHARE, NOTABLE = 0.5, 3
"""Seconds between two reports of what addresses have used, and how much of a rate is worth a report."""
CLEAN = 3600.0
"""Seconds between two deletions of what is old."""
IDLE = 600
"""Seconds after which an unused room is closed; the store has everything."""
OLD_GAMES = 500
"""Games that are deleted at once because of their age."""


class Jobs(Protocol):
    """Where games are put that somebody has to look after."""

    async def add(self, games: Iterable[str]) -> None:
        """Have games looked after."""

    async def run(self) -> None:
        """Do jobs until cancelled."""


class LocalJobs:
    """The jobs of a server that is alone: it does them itself."""

    def __init__(self, tend: Callable[[str], Awaitable[None]]) -> None:
        self._tend = tend
        self._running: dict[str, asyncio.Task[None]] = {}

    async def add(self, games: Iterable[str]) -> None:
        """Have games looked after, unless that is being done."""
        for game in games:
            if game not in self._running:
                self._running[game] = asyncio.create_task(self._do(game))

    async def _do(self, game: str) -> None:
        try:
            await self._tend(game)
        except Exception:
            log.exception("A game could not be looked after")
        finally:
            del self._running[game]

    async def run(self) -> None:
        """Nothing has to run: jobs are done as they are added."""


class Caretaker:
    """Does what has to be done from time to time, for a registry of rooms."""

    def __init__(self, registry: RoomRegistry, keep_days: float | None) -> None:
        self._registry, self._store = registry, registry.store
        self._keep_days = keep_days
        self._tasks: set[asyncio.Task[Any]] = set()
        self.jobs: Jobs = LocalJobs(self.tend)
        if self._store.shared:
            from rookery.web.postgres import JobQueue

            self.jobs = JobQueue(self._store.url, self.tend, self.clean)
        registry.events.on_gap(self.compare_soon)

    async def start(self) -> None:
        """Start all that goes on from time to time."""
        await self._quietly(self._begin)
        spawn, every = self._spawn, self._every
        spawn(self.jobs.run())
        spawn(every(SWEEP, self._sweep))
        spawn(every(HEARTBEAT, self._beat))
        spawn(every(BOT_GRACE / 3, self._put_off))
        spawn(every(IDLE / 10, self._close_idle_rooms))
        if self._store.shared:
            spawn(every(COMPARE, self.compare))
            spawn(every(SYNCHRONISE, self._synchronise))
            spawn(every(SHARE, self._share_rates))
        else:
            spawn(every(CLEAN, self.clean))

    def stop(self) -> None:
        """Stop, and take no more jobs."""
        for task in tuple(self._tasks):
            task.cancel()

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        task = self._registry.spawn(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def tend(self, game: str) -> None:
        """Look after a game: let its bot move, or its clock run out. Nothing happens if that has been done."""
        try:
            room = await self._registry.room(game, SERVER)
        except RookeryError:  # it is gone, or no longer offered
            await self._store.write(lambda connection: due_repository.not_due(connection, game), game)
            return
        await room.catch_up()
        if await room.driver.take_over():
            await room.driver.finish()
        metrics.jobs.add()

    async def clean(self) -> None:
        """Delete what is old: games that nobody has changed for long, and what was counted on earlier days."""
        await self._registry.quota.forget()
        if self._keep_days is not None:
            while await self._delete_some(self._store.now() - self._keep_days * DAY) == OLD_GAMES:
                await asyncio.sleep(1)
        await self._store.compact()

    async def _delete_some(self, before: float) -> int:
        """Delete some games that nobody has changed since; return how many."""
        gone = await self._store.write(lambda connection: repository.delete_old_games(connection, before, OLD_GAMES))
        for id in gone:
            self._registry.deleted(id)
        return len(gone)

    async def compare(self) -> None:
        """Compare the games that are open here with the database, and read those that have changed."""
        rooms = {id: room for id, room in self._registry.rooms().items() if room.busy}
        versions = await self._store.read(lambda connection: repository.versions_of(connection, [*rooms]))
        for id, room in rooms.items():
            if versions.get(id) != room.stored.version and not room.lock.locked():
                await self._quietly(room.catch_up)

    def compare_soon(self) -> None:
        """Compare at once, because events may have been missed."""
        self._registry.spawn(self._quietly(self.compare))

    async def _every(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        """Do something again and again. Servers that start together do not do it together."""
        while True:
            await self._quietly(work)
            await asyncio.sleep(seconds * random.uniform(0.8, 1.2))

    async def _quietly(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            await work()
        except Exception as problem:  # the database may be away; it is tried again
            log.warning("Could not %s: %s", work.__name__.strip("_"), str(problem).splitlines()[:1])

    async def _sweep(self) -> None:
        now = self._store.now()
        found = await self._store.read(lambda connection: due_repository.overdue(connection, now, OVERDUE))
        if found:
            await self.jobs.add(found)

    async def _put_off(self) -> None:
        """Have other servers leave the bots' moves to this one that still wait or are thought about here. All are
        written in one transaction.
        """
        moves = [room.driver.put_off() for room in self._registry.rooms().values() if room.driver.must_put_off]
        for problem in await asyncio.gather(*moves, return_exceptions=True):
            if isinstance(problem, Exception):
                raise problem

    async def _beat(self) -> None:
        """Note that a server is alive, if clocks are running: while none is alive, they stand still."""
        if self._store.shared:  # all servers do so always: if none could, the database was away
            await self.stood_still()
        elif any(room.live.clock and room.live.clock.running for room in self._registry.rooms().values()):
            now = self._store.now()
            await self._store.write(lambda connection: repository.beat(connection, now))

    async def stood_still(self) -> bool:
        """Note that a server is alive. If none could for long, nobody could move: set all clocks back by that."""
        now = self._store.now()
        return await self._store.write(lambda connection: repository.start(connection, now, STANDSTILL)) > 0

    async def _begin(self) -> None:
        await self.stood_still()

    async def _synchronise(self) -> None:
        await self._store.read(self._store.synchronise)
        self._registry.presence.announce()

    async def _share_rates(self) -> None:
        for (rate, address), count in self._registry.rates.used_here().items():
            if count >= NOTABLE or rate in ("uploads", "creations"):
                self._registry.events.send((rate, address), Used(rate, address, count))

    async def _close_idle_rooms(self) -> None:
        for id, room in tuple(self._registry.rooms().items()):
            if monotonic() - room.used > IDLE and not room.busy:
                self._registry.close_room(id)
