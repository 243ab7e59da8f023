"""The house: every room that is in use, and what they share: the store, the bots' threads, the painter."""

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
from rookery.web import ledger
from rookery.web.ledger import Entry, Seat, new_id
from rookery.web.messages import SeatWish
from rookery.web.rooms import Room
from rookery.web.table import Table
from rookery.web.thinking import Thinking
from rookery.web.viewers import Painter
from rookery.web.views import clean, fit, info

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from rookery.core.game import Challenge, Game
    from rookery.core.record import Record
    from rookery.web.messages import ClockWish, GameInfo, NewGame
    from rookery.web.store import Store

IDLE = 600
"""Seconds after which a room nobody uses is put away; the store has everything."""


class Missing(RookeryError):
    """There is no such thing here."""


class House:
    """Opens rooms when they are asked for and puts them away when nobody needs them."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.thinking = Thinking()
        self.painter = Painter()
        self._rooms: dict[str, Room] = {}
        self._doors: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[Any]] = set()

    def open(self) -> None:
        """Start what runs beside the rooms."""
        self.spawn(self.painter.run())
        self.spawn(self._tidy())
        self.thinking.warm()

    def close(self) -> None:
        for room in self._rooms.values():
            room.close()
        for task in tuple(self._tasks):
            task.cancel()
        self.thinking.close()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run something beside everything else."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def room(self, id: str) -> Room:
        """The room of a game."""
        if id not in self._rooms:
            async with self._door(id):
                if id not in self._rooms:
                    self._rooms[id] = await self._open(id)
        room = self._rooms[id]
        room.used = monotonic()
        return room

    def _door(self, id: str) -> asyncio.Lock:
        """Keeps a game from being opened twice at the same time, and from being opened while it is being deleted."""
        return self._doors.setdefault(id, asyncio.Lock())

    async def _open(self, id: str) -> Room:
        entry = await self.store.read(lambda connection: ledger.load(connection, id))
        if entry is None:
            raise Missing("There is no game at this address.")
        try:
            return Room(await asyncio.to_thread(Table, entry, self.store), self)
        except RookeryError as problem:
            raise Missing(f"This game is not offered here any more: {problem}") from None

    async def info(self, entry: Entry, person: str) -> GameInfo:
        """A game of the store as a person sees it, with what only its room knows if it is in use."""
        room = self._rooms.get(entry.id)
        if room is None:
            return info(entry, person)
        async with room.lock:  # what is being played may not be saved yet
            return room.info(person)

    def rooms(self) -> dict[str, Room]:
        """The rooms in use, by the ids of their games."""
        return self._rooms

    async def name_of(self, person: str) -> str:
        return await self.store.read(lambda connection: ledger.name_of(connection, person))

    def new_seed(self) -> int:
        return secrets.randbits(62)

    async def set_up(self, person: str, wish: NewGame) -> Room:
        """A new game as a person wants it."""
        made = await asyncio.to_thread(lambda: fit(game(wish.game, **wish.options)))
        wishes = wish.seats
        if wishes is None:
            wishes = [SeatWish("here"), *(SeatWish("bot") for _ in range(made.players - 1))]
        if len(wishes) != made.players:
            raise OptionError(f"{made.title} needs {counted(made.players, 'seat')} here, not {len(wishes)}.")
        if wish.clock is not None and made.players == 1:
            raise OptionError("A game for one player has no clock: nobody could win on time.")
        name = await self.name_of(person)
        left = wish.clock.minutes * 60_000 if wish.clock else None
        seats = [_seated(number, each, made, person, name, left) for number, each in enumerate(wishes, start=1)]
        for spec in {seat.bot for seat in seats if seat.bot}:
            self.spawn(self.thinking.prepare(make_bot(made, spec, files=False), made))
        entry = Entry(
            id=new_id(),
            game=made.name,
            options=made.options,
            seed=self.new_seed(),
            owner=person,
            seats=seats,
            odds=wish.odds,
            listed=wish.listed,
            clock=_clock(wish.clock),
            status="waiting" if any(seat.kind == "open" for seat in seats) else "playing",
        )
        return await self._open_new(entry)

    async def upload(self, person: str, record: Record) -> Room:
        """A record somebody brought, to be looked at."""
        seats = [_signed(number, name) for number, name in enumerate(record.players, start=1)]
        entry = Entry(
            id=new_id(),
            game=record.game.name,
            options=record.game.options,
            seed=0,
            owner=person,
            seats=seats,
            kind="upload",
            start=record.start,
            odds="ask" if record.result else "never",  # it may be a game whose odds are hidden, still going on
            status="over" if record.result else "abandoned",
            length=len(record.plies),
            ending=record.ending,
            result=record.result,
            plies=[record.game.name_of(record.game.action(ply)) for ply in record.plies],
        )
        await self.store.write(lambda connection: ledger.add(connection, entry))
        return await self.room(entry.id)

    async def daily(self, person: str, name: str, day: str) -> Room:
        """A person's game of the challenge of a day: the one they began, or a new one."""
        challenge = self.challenge(name, day)
        made = fit(game(name, **challenge.options))
        own = await self.name_of(person)
        seats = [Seat(1, "person", own, person)]
        seats += [Seat(number, "bot", bot=bot) for number, bot in enumerate(challenge.opponents, start=2)]
        entry = Entry(
            id=new_id(),
            game=name,
            options=made.options,
            seed=self._of_the_day(name, day),
            owner=person,
            seats=seats,
            kind="daily",
            day=day,
            odds="never",
        )
        Table(entry, self.store).begin()

        def once(connection: Any) -> str:
            begun = ledger.daily(connection, person, name, day)
            if begun is not None:
                return begun.id
            ledger.add(connection, entry)
            return entry.id

        return await self.room(await self.store.write(once))

    def challenge(self, name: str, day: str) -> Challenge:
        """The challenge of a game on a day: the same for everybody."""
        challenges = find(name).challenges()
        return challenges[self._of_the_day(f"challenge {name}", day) % len(challenges)]

    def _of_the_day(self, what: str, day: str) -> int:
        """A number that nobody can know beforehand who does not know the server's secret."""
        return int.from_bytes(hmac.new(self.store.secret, f"daily {day} {what}".encode(), sha256).digest()[:7], "big")

    async def _open_new(self, entry: Entry) -> Room:
        table = Table(entry, self.store)
        table.begin()
        self._rooms[entry.id] = room = Room(table, self)  # before it is saved, so that whoever deletes it finds it
        try:
            await self.store.write(lambda connection: ledger.add(connection, entry))
        except Exception:
            self._put_away(entry.id)
            raise
        room.wake()
        return room

    async def _tidy(self) -> None:
        while True:
            await asyncio.sleep(IDLE / 10)
            for id, room in tuple(self._rooms.items()):
                if monotonic() - room.used > IDLE and not room.busy:
                    self._put_away(id)

    async def forget(self, person: str) -> None:
        """Delete a person. Their rooms stand still meanwhile; whoever else is there comes back to a new one."""

        def work(connection: Any) -> set[str]:
            ids = ledger.ids_of(connection, person)
            ledger.forget(connection, person)
            return ids

        async with AsyncExitStack() as held:
            for id in sorted(await self.store.read(lambda connection: ledger.ids_of(connection, person))):
                await held.enter_async_context(self._door(id))
                if id in self._rooms:
                    await held.enter_async_context(self._rooms[id].lock)
            for id in await self.store.write(work):
                self._put_away(id)

    def _put_away(self, id: str) -> None:
        room = self._rooms.pop(id, None)
        if room is not None:
            room.close()


def today() -> str:
    """The day of the daily challenge; days change at midnight UTC."""
    return datetime.now(UTC).date().isoformat()


def streaks(days: list[str], now: str) -> tuple[int, int]:
    """How many days in a row up to now, today's still being open, and the most there ever were."""
    dates = sorted({date.fromisoformat(day) for day in days})
    runs: list[list[date]] = []
    for each in dates:
        if runs and each - runs[-1][-1] == timedelta(days=1):
            runs[-1].append(each)
        else:
            runs.append([each])
    current = len(runs[-1]) if runs and date.fromisoformat(now) - runs[-1][-1] <= timedelta(days=1) else 0
    return current, max(map(len, runs), default=0)


def _seated(number: int, wish: SeatWish, made: Game, person: str, name: str, left: float | None) -> Seat:
    if wish.kind == "bot":
        make_bot(made, wish.bot, files=False)
        return Seat(number, "bot", bot=wish.bot, left=left)
    if wish.kind == "invite":
        return Seat(number, "open", left=left)
    return Seat(number, "person", name, person, left=left)


def _signed(number: int, name: str) -> Seat:
    if name.startswith("bot "):
        return Seat(number, "bot", bot=name.removeprefix("bot ")[:80])
    return Seat(number, "person", clean(name)[:80] or f"Player {number}")


def _clock(wish: ClockWish | None) -> dict[str, float] | None:
    return {"minutes": wish.minutes, "increment": wish.increment} if wish else None
