"""The registry of open rooms, and what they share: the store, the bot pool and the broadcaster."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakValueDictionary

from sqlalchemy.exc import SQLAlchemyError

from rookery.core.errors import RookeryError
from rookery.games import playable
from rookery.web import due_repository, metrics, repository
from rookery.web.apart import Apart
from rookery.web.bot_pool import BotPool, Bots
from rookery.web.caretaker import Caretaker
from rookery.web.drain import Drain
from rookery.web.events import Changed, Events, Revoked, Used
from rookery.web.fair_queue import Client, FairQueue
from rookery.web.limits import Limits, Rates
from rookery.web.live_game import LiveGame
from rookery.web.presence import Presence
from rookery.web.quotas import DailyQuota
from rookery.web.reviews import Reviews
from rookery.web.rooms import Room
from rookery.web.store import MANY_ROWS
from rookery.web.viewers import Broadcaster
from rookery.web.views import game_info

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from litestar.channels import ChannelsBackend

    from rookery.web.domain import StoredGame
    from rookery.web.messages import GameInfo
    from rookery.web.store import Store

T = TypeVar("T")

IDLE_PLIES = 100_000
"""The most plies in memory of rooms that nobody uses; beyond, those unused for the longest time are closed."""
ROOM_PLIES = 50
"""What a room without any plies counts for."""
REPLAY_THREADS = 2
FEW_PLIES = 2_500
"""Plies that are replayed on a thread; more are replayed in a process of its own."""
PLY_SECONDS = 50e-6
"""Seconds that it takes to replay a ply, about."""
GONE = -1
"""The version of a game that was deleted, in events."""


class NotFound(RookeryError):
    """What was asked for does not exist."""


class RoomRegistry:
    """Opens rooms on demand and closes idle ones."""

    def __init__(
        self,
        store: Store,
        limits: Limits | None = None,
        keep_days: float | None = None,
        channels: Callable[[], ChannelsBackend] | None = None,
        rates: Rates | None = None,
        drain: Drain | None = None,
        bots: Callable[[], Bots] | None = None,
    ) -> None:
        """After `keep_days`, games that nobody changed are deleted; `channels` carry the events of other servers;
        `drain` says when the server is about to stop. `bots` is for bots that do not think in this process.
        """
        self.drain = drain or Drain()
        self.store = store
        self.limits = limits or Limits()
        self.rates = rates or Rates(self.limits, shared=store.shared)
        self.quota = DailyQuota(store, self.limits, self.drain)
        self.events = Events(channels, store.event_key)
        self.presence = Presence(self, self.events)
        self.bots: Bots = BotPool(people=self.limits.people) if bots is None else bots()
        self.replays = FairQueue(REPLAY_THREADS, quick=1, name="replay")
        self._apart = Apart()
        self.reviews = Reviews(self)
        self.broadcaster = Broadcaster()
        self._rooms: dict[str, Room] = {}
        self._load_locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[Any]] = set()
        self.caretaker = Caretaker(self, keep_days)

    async def open(self) -> None:
        """Start the background tasks."""
        self.events.listen(Changed, self._changed_elsewhere)
        self.events.listen(Used, lambda _, event: self.rates.used_elsewhere(event.rate, event.address, event.count))
        self.events.listen(Revoked, lambda _, event: self.store.revoked.add(event.person))
        self.spawn(self.events.run())
        self.spawn(self.broadcaster.run())
        self.drain.on_begin(self._stop)
        await self.caretaker.start()
        self.bots.start()

    def _changed_elsewhere(self, _: str, event: Changed) -> None:
        """Another server has changed a game."""
        if event.version == GONE:
            self._close_for_good(event.game)
            return
        room = self._rooms.get(event.game)
        if room is not None and event.version > room.stored.version:
            self.spawn(room.look_again(event.version, event.advance))

    def deleted(self, id: str) -> None:
        """A game was deleted: close its room here and elsewhere."""
        self._close_for_good(id)
        self.events.changed(id, GONE)

    def _close_for_good(self, id: str) -> None:
        """Close the room of a game that was deleted, and one that is being opened with what was read before."""
        self.close_room(id)
        if id in self._load_locks:
            self.spawn(self._close_when_loaded(id))

    async def _close_when_loaded(self, id: str) -> None:
        async with self._load_lock(id):
            self.close_room(id)

    async def _stop(self) -> None:
        """The server is about to stop: let viewers connect to another one, and others look after the games."""
        self.caretaker.stop()
        self.reviews.stop()
        for room in self._rooms.values():
            room.driver.cancel()
            room.audience.dismiss()
        await self.hand_over()

    async def hand_over(self) -> None:
        """Make the games in which a bot is to move due at once, so that another server lets it move, or this one when
        it starts again.
        """
        left = [(room.stored.id, room.stored.version) for room in self._rooms.values() if room.driver.owes_move]
        now = self.store.now()
        if left:
            with suppress(SQLAlchemyError):  # else another server does it when the bot's time is over
                await self.store.write(lambda connection: due_repository.due_now(connection, left, now))

    def close(self) -> None:
        self.reviews.stop()
        for room in self._rooms.values():
            room.close()
        for task in tuple(self._tasks):
            task.cancel()
        self._apart.close()
        self.bots.close()
        self.replays.close()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Run a coroutine as a background task."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def visit(self, id: str, client: Client) -> Room:
        """The room of a game that somebody wants to see."""
        room = await self.room(id, client)
        if self.store.shared:  # an event may have been lost, or have come while the game was loaded
            version = await self.store.read(lambda connection: repository.version_of(connection, id), client)
            if version != room.stored.version:
                await room.catch_up()
            room = await self.room(id, client)  # it may have been closed
        self._check_visible(room.stored, client)
        return room

    async def stored(self, id: str, client: Client) -> StoredGame:
        """A game that somebody wants to read, as it is stored. No room is opened for it."""
        found = self._shown(await self.store.read(lambda connection: repository.load(connection, id), client), client)
        return replace(found, plies=found.plies[: found.length])

    async def outline(self, id: str, client: Client) -> StoredGame:
        """The same without its plies."""
        return self._shown(await self.store.read(lambda connection: repository.outline(connection, id), client), client)

    def _shown(self, found: StoredGame | None, client: Client) -> StoredGame:
        if found is None:
            raise NotFound("There is no game at this address.")
        self._check_visible(found, client)
        if found.game not in playable():
            raise NotFound(f"This game is no longer offered: there is no game '{found.game}'.")
        return found

    def _check_visible(self, stored: StoredGame, client: Client) -> None:
        if stored.open_today(self.store.now()) and client.person != stored.owner:
            raise NotFound("The games of today's challenge can be seen tomorrow.")

    async def room(self, id: str, client: Client) -> Room:
        """The room of a game; if it is loaded, that is work done for a client."""
        if id not in self._rooms:
            async with self._load_lock(id):
                if id not in self._rooms:
                    self._rooms[id] = await self._open(id, client)
                    metrics.games_open.set(len(self._rooms))
                    self._close_surplus_rooms()
        room = self._rooms[id]
        room.used = monotonic()
        return room

    async def apart(self, client: Client, plies: int, work: Callable[..., T], *arguments: Any) -> T:
        """The result of a function that takes as long as replaying this many plies: in a process of its own if that is
        long, else on a thread, in fair turns.
        """
        if plies <= FEW_PLIES:
            return await self.replay(partial(work, *arguments), client, plies)
        return await self.replay(partial(self._apart.run, plies * PLY_SECONDS, work, *arguments), client, plies)

    async def replay(self, work: Callable[[], T], client: Client, plies: int) -> T:
        """The result of work that replays this many plies, done on a thread in fair turns."""
        return await self.replays.run(work, client, plies * PLY_SECONDS)

    def _load_lock(self, id: str) -> asyncio.Lock:
        """The lock that keeps a game from being loaded twice at once, or while it is being deleted."""
        return self._load_locks.setdefault(id, asyncio.Lock())

    async def _open(self, id: str, client: Client) -> Room:
        stored = await self.store.read(lambda connection: repository.load(connection, id), client)
        if stored is None:
            raise NotFound("There is no game at this address.")
        try:
            live = await self.replay(lambda: LiveGame(stored, self.store), client, len(stored.plies))
            return Room(live, self, client)
        except RookeryError as problem:
            raise NotFound(f"This game is no longer offered: {problem}") from None

    async def info(self, stored: StoredGame, person: str) -> GameInfo:
        """A stored game as a person sees it; with its room's status if one is open."""
        room = self._rooms.get(stored.id)
        if room is None or room.stored.version < stored.version:
            return game_info(stored, person, self.store.now())
        async with room.lock:  # an action may not be saved yet
            return room.info(person)

    def rooms(self) -> dict[str, Room]:
        """The open rooms by game id."""
        return self._rooms

    async def name_of(self, person: str) -> str:
        return await self.store.read(lambda connection: repository.name_of(connection, person), Client("", person))

    async def open_new(self, stored: StoredGame, client: Client) -> Room:
        """Store a game that was set up, and open its room."""
        live = LiveGame(stored, self.store)
        live.begin()
        self._rooms[stored.id] = room = Room(
            live, self, client
        )  # before it is saved, so that a concurrent deletion finds it
        metrics.games_open.set(len(self._rooms))
        try:
            await self.store.write(live.insert)
        except Exception:
            self.close_room(stored.id)
            raise
        room.driver.wake()
        self._close_surplus_rooms()
        return room

    def _close_surplus_rooms(self) -> None:
        """Close rooms that nobody uses, as far as they hold more than there is room for."""
        held = sum(len(room.stored.plies) + ROOM_PLIES for room in self._rooms.values())
        if held <= IDLE_PLIES:
            return
        for id, room in sorted(self._rooms.items(), key=lambda each: each[1].used)[:-1]:
            if held <= IDLE_PLIES:
                break
            if not room.busy:
                held -= len(room.stored.plies) + ROOM_PLIES
                self.close_room(id)

    async def delete_person(self, person: str) -> None:
        """Delete a person. Their rooms are locked meanwhile and closed after; other viewers reconnect to a new room."""

        def find(connection: Any) -> set[str]:
            return repository.game_ids_of(connection, person)

        def work(connection: Any) -> set[str]:
            ids = find(connection)
            repository.delete_person(connection, person, self.store.now())
            return ids

        async with AsyncExitStack() as held:
            known = sorted(await self.store.read(find, Client("", person), MANY_ROWS))
            for id in known:
                await held.enter_async_context(self._load_lock(id))
                if id in self._rooms:
                    await held.enter_async_context(self._rooms[id].lock)
            for id in await self.store.write(work):
                if id in known:  # nobody is opening it: those who wait for its lock read it as it is now
                    self.close_room(id)
                    self.events.changed(id, GONE)
                else:
                    self.deleted(id)
            self.store.revoked.add(person)
            self.events.send(person, Revoked(person))

    def close_room(self, id: str) -> None:
        """Close a room; a later one loads the game again."""
        room = self._rooms.pop(id, None)
        if room is not None:
            metrics.games_open.set(len(self._rooms))
            room.close()
            self.presence.forget(id)
