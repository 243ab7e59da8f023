"""The registry of open rooms, and what they share: the store, the bot pool and the broadcaster."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from contextlib import AsyncExitStack
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from time import monotonic
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from rookery.core.bot import make_bot
from rookery.core.errors import OptionError, RookeryError
from rookery.core.notation import counted
from rookery.games import find, game
from rookery.web import repository
from rookery.web.bot_pool import BotPool, visitor_bot
from rookery.web.domain import Seat, StoredGame, new_id
from rookery.web.live_game import LiveGame
from rookery.web.messages import SeatSetup
from rookery.web.rooms import Room
from rookery.web.viewers import Broadcaster
from rookery.web.views import check_size, clean_name, game_info

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from rookery.core.game import Challenge, Game
    from rookery.core.record import Record
    from rookery.web.messages import ClockSetup, GameInfo, NewGame
    from rookery.web.store import Store

IDLE = 600
"""Seconds after which an unused room is closed; the store has everything."""


class NotFound(RookeryError):
    """What was asked for does not exist."""


class RoomRegistry:
    """Opens rooms on demand and closes idle ones."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.bots = BotPool()
        self.broadcaster = Broadcaster()
        self._rooms: dict[str, Room] = {}
        self._load_locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[Any]] = set()

    def open(self) -> None:
        """Start the background tasks."""
        self.spawn(self.broadcaster.run())
        self.spawn(self._close_idle_rooms())
        self.bots.warm()

    def close(self) -> None:
        for room in self._rooms.values():
            room.close()
        for task in tuple(self._tasks):
            task.cancel()
        self.bots.close()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run a coroutine as a background task."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def room(self, id: str) -> Room:
        """The room of a game."""
        if id not in self._rooms:
            async with self._load_lock(id):
                if id not in self._rooms:
                    self._rooms[id] = await self._open(id)
        room = self._rooms[id]
        room.used = monotonic()
        return room

    def _load_lock(self, id: str) -> asyncio.Lock:
        """The lock that keeps a game from being loaded twice at once, or while it is being deleted."""
        return self._load_locks.setdefault(id, asyncio.Lock())

    async def _open(self, id: str) -> Room:
        stored = await self.store.read(lambda connection: repository.load(connection, id))
        if stored is None:
            raise NotFound("There is no game at this address.")
        try:
            return Room(await asyncio.to_thread(LiveGame, stored, self.store), self)
        except RookeryError as problem:
            raise NotFound(f"This game is no longer offered: {problem}") from None

    async def info(self, stored: StoredGame, person: str) -> GameInfo:
        """A stored game as a person sees it; with its room's status if one is open."""
        room = self._rooms.get(stored.id)
        if room is None:
            return game_info(stored, person)
        async with room.lock:  # an action may not be saved yet
            return room.info(person)

    def rooms(self) -> dict[str, Room]:
        """The open rooms by game id."""
        return self._rooms

    async def name_of(self, person: str) -> str:
        return await self.store.read(lambda connection: repository.name_of(connection, person))

    def new_seed(self) -> int:
        return secrets.randbits(62)

    async def set_up(self, person: str, setup: NewGame) -> Room:
        """Set up a new game."""
        made = await asyncio.to_thread(lambda: check_size(game(setup.game, **setup.options)))
        setups = setup.seats
        if setups is None:
            setups = [SeatSetup("here"), *(SeatSetup("bot") for _ in range(made.players - 1))]
        if len(setups) != made.players:
            raise OptionError(
                f"{made.title} has {counted(made.players, 'seat')} with these options, not {len(setups)}."
            )
        if setup.clock is not None and made.players == 1:
            raise OptionError("A game for one player cannot have a clock.")
        name = await self.name_of(person)
        left = setup.clock.minutes * 60_000 if setup.clock else None
        seats = [
            _seat_from_setup(number, each, made, person, name, left) for number, each in enumerate(setups, start=1)
        ]
        for spec in {seat.bot for seat in seats if seat.bot}:
            self.spawn(self.bots.prepare(make_bot(made, spec, files=False), made))
        stored = StoredGame(
            id=new_id(),
            game=made.name,
            options=made.options,
            seed=self.new_seed(),
            owner=person,
            seats=seats,
            odds=setup.odds,
            listed=setup.listed,
            clock=_clock_column(setup.clock),
            status="waiting" if any(seat.kind == "open" for seat in seats) else "playing",
        )
        return await self._open_new(stored)

    async def upload(self, person: str, record: Record) -> Room:
        """Store an uploaded record, to watch."""
        seats = [_seat_from_record(number, name) for number, name in enumerate(record.players, start=1)]
        stored = StoredGame(
            id=new_id(),
            game=record.game.name,
            options=record.game.options,
            seed=0,
            owner=person,
            seats=seats,
            kind="upload",
            start=record.start,
            odds="ask" if record.result else "never",  # it may be a copy of a game in progress that hides its odds
            status="over" if record.result else "abandoned",
            length=len(record.plies),
            ending=record.ending,
            result=record.result,
            plies=[record.game.name_of(record.game.action(ply)) for ply in record.plies],
        )
        await self.store.write(lambda connection: repository.add(connection, stored))
        return await self.room(stored.id)

    async def daily(self, person: str, name: str, day: str) -> Room:
        """A person's game of a daily challenge: the one they started, or a new one."""
        challenge = self.challenge(name, day)
        made = check_size(game(name, **challenge.options))
        own = await self.name_of(person)
        seats = [Seat(1, "person", own, person)]
        seats += [Seat(number, "bot", bot=bot) for number, bot in enumerate(challenge.opponents, start=2)]
        stored = StoredGame(
            id=new_id(),
            game=name,
            options=made.options,
            seed=self._daily_number(name, day),
            owner=person,
            seats=seats,
            kind="daily",
            day=day,
            odds="never",
        )
        live = LiveGame(stored, self.store)
        live.begin()

        def once(connection: Any) -> str:
            begun = repository.daily_game(connection, person, name, day)
            if begun is not None:
                return begun.id
            live.insert(connection)
            return stored.id

        return await self.room(await self.store.write(once))

    def challenge(self, name: str, day: str) -> Challenge:
        """A game's challenge of a day, the same for everybody."""
        challenges = find(name).challenges()
        return challenges[self._daily_number(f"challenge {name}", day) % len(challenges)]

    def _daily_number(self, what: str, day: str) -> int:
        """A number of the day that cannot be predicted without the server's secret (an HMAC)."""
        return int.from_bytes(hmac.new(self.store.secret, f"daily {day} {what}".encode(), sha256).digest()[:7], "big")

    async def _open_new(self, stored: StoredGame) -> Room:
        live = LiveGame(stored, self.store)
        live.begin()
        self._rooms[stored.id] = room = Room(live, self)  # before it is saved, so that a concurrent deletion finds it
        try:
            await self.store.write(live.insert)
        except Exception:
            self._close_room(stored.id)
            raise
        room.wake()
        return room

    async def _close_idle_rooms(self) -> None:
        while True:
            await asyncio.sleep(IDLE / 10)
            for id, room in tuple(self._rooms.items()):
                if monotonic() - room.used > IDLE and not room.busy:
                    self._close_room(id)

    async def delete_person(self, person: str) -> None:
        """Delete a person. Their rooms are locked meanwhile and closed after; other viewers reconnect to a new room."""

        def work(connection: Any) -> set[str]:
            ids = repository.game_ids_of(connection, person)
            repository.delete_person(connection, person)
            return ids

        async with AsyncExitStack() as held:
            for id in sorted(await self.store.read(lambda connection: repository.game_ids_of(connection, person))):
                await held.enter_async_context(self._load_lock(id))
                if id in self._rooms:
                    await held.enter_async_context(self._rooms[id].lock)
            for id in await self.store.write(work):
                self._close_room(id)

    def _close_room(self, id: str) -> None:
        room = self._rooms.pop(id, None)
        if room is not None:
            room.close()


def today() -> str:
    """The day of the daily challenge; it changes at midnight UTC."""
    return datetime.now(UTC).date().isoformat()


def streaks(days: list[str], now: str) -> tuple[int, int]:
    """The current streak in days, which today may still extend, and the longest one."""
    dates = sorted({date.fromisoformat(day) for day in days})
    runs: list[list[date]] = []
    for each in dates:
        if runs and each - runs[-1][-1] == timedelta(days=1):
            runs[-1].append(each)
        else:
            runs.append([each])
    current = len(runs[-1]) if runs and date.fromisoformat(now) - runs[-1][-1] <= timedelta(days=1) else 0
    return current, max(map(len, runs), default=0)


def _seat_from_setup(number: int, setup: SeatSetup, made: Game, person: str, name: str, left: float | None) -> Seat:
    if setup.kind == "bot":
        visitor_bot(made, setup.bot)
        return Seat(number, "bot", bot=setup.bot, left=left)
    if setup.kind == "invite":
        return Seat(number, "open", left=left)
    return Seat(number, "person", name, person, left=left)


def _seat_from_record(number: int, name: str) -> Seat:
    if name.startswith("bot "):
        return Seat(number, "bot", bot=name.removeprefix("bot ")[:80])
    return Seat(number, "person", clean_name(name)[:80] or f"Player {number}")


def _clock_column(setup: ClockSetup | None) -> dict[str, float] | None:
    return {"minutes": setup.minutes, "increment": setup.increment} if setup else None
