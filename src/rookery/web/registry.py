"""The registry of open rooms, and what they share: the store, the bot pool and the broadcaster."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from hashlib import sha256
from time import monotonic, time
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakValueDictionary

from rookery.core.bot import make_bot
from rookery.core.errors import OptionError, RookeryError
from rookery.core.notation import counted
from rookery.games import find, game, playable
from rookery.web import repository
from rookery.web.apart import Apart
from rookery.web.bot_pool import BotPool, visitor_bot
from rookery.web.domain import Seat, StoredGame, new_id
from rookery.web.fair_queue import Client, FairQueue
from rookery.web.limits import DAY, DailyQuota, Limits, TooMany
from rookery.web.live_game import LiveGame
from rookery.web.messages import SeatSetup
from rookery.web.names import clean_name
from rookery.web.rooms import Room
from rookery.web.viewers import Broadcaster
from rookery.web.views import check_size, game_info

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from rookery.core.game import Challenge, Game
    from rookery.web.messages import ClockSetup, GameInfo, NewGame
    from rookery.web.store import Store

T = TypeVar("T")

IDLE = 600
"""Seconds after which an unused room is closed; the store has everything."""
IDLE_PLIES = 100_000
"""The most plies in memory of rooms that nobody uses; beyond, those unused for the longest time are closed."""
ROOM_PLIES = 50
"""What a room without any plies counts for."""
REPLAY_THREADS = 2
FEW_PLIES = 2_500
"""Plies that are replayed on a thread; more are replayed in a process of its own."""
PLY_SECONDS = 50e-6
"""Seconds that it takes to replay a ply, about."""
LISTED = 3
"""Games of one person that may wait in the lobby."""
RECENT = 15 * 60
"""Seconds after the last action for which a listed game is offered to join or watch."""
OLD_GAMES = 500
"""Games that are deleted at once because of their age."""


CHALLENGES = 8
"""Daily challenges that a person may begin in a day: more than there are, as a new cookie makes a new person."""


class NotFound(RookeryError):
    """What was asked for does not exist."""


class RoomRegistry:
    """Opens rooms on demand and closes idle ones."""

    def __init__(self, store: Store, limits: Limits | None = None, keep_days: float | None = None) -> None:
        self.store = store
        self.limits = limits or Limits()
        self.keep_days = keep_days
        """Days after which a game that nobody changed is deleted; None keeps all."""
        self.quota = DailyQuota(
            {"games": self.limits.games_a_day, "uploads": self.limits.uploads_a_day, "challenges": CHALLENGES},
            self.limits.people,
        )
        self.bots = BotPool()
        self.replays = FairQueue(REPLAY_THREADS, quick=1, name="replay")
        self._apart = Apart()
        self.broadcaster = Broadcaster()
        self._rooms: dict[str, Room] = {}
        self._load_locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[Any]] = set()

    def open(self) -> None:
        """Start the background tasks."""
        self.spawn(self.broadcaster.run())
        self.spawn(self._close_idle_rooms())
        if self.keep_days is not None:
            self.spawn(self._delete_old_games(self.keep_days))
        self.bots.warm()

    def close(self) -> None:
        for room in self._rooms.values():
            room.close()
        for task in tuple(self._tasks):
            task.cancel()
        self._apart.close()
        self.bots.close()
        self.replays.close()

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run a coroutine as a background task."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def visit(self, id: str, client: Client) -> Room:
        """The room of a game that somebody wants to see."""
        room = await self.room(id, client)
        self._check_visible(room.stored, client)
        return room

    async def stored(self, id: str, client: Client) -> StoredGame:
        """A game that somebody wants to read, as it is stored. No room is opened for it."""
        if id in self._rooms:
            room = await self.visit(id, client)
            async with room.lock:  # an action may not be saved yet
                return replace(room.stored, plies=room.stored.plies[: room.stored.length])
        found = await self.store.read(lambda connection: repository.load(connection, id))
        if found is None:
            raise NotFound("There is no game at this address.")
        self._check_visible(found, client)
        if found.game not in playable():
            raise NotFound(f"This game is no longer offered: there is no game '{found.game}'.")
        return replace(found, plies=found.plies[: found.length])

    def _check_visible(self, stored: StoredGame, client: Client) -> None:
        if stored.open_today and client.person != stored.owner:
            raise NotFound("The games of today's challenge can be seen tomorrow.")

    async def room(self, id: str, client: Client) -> Room:
        """The room of a game; if it is loaded, that is work done for a client."""
        if id not in self._rooms:
            async with self._load_lock(id):
                if id not in self._rooms:
                    self._rooms[id] = await self._open(id, client)
                    self._close_surplus_rooms()
        room = self._rooms[id]
        room.used = monotonic()
        return room

    async def apart(self, client: Client, plies: int, work: Callable[..., T], *arguments: Any) -> T:
        """The result of a function, as long as it takes to replay so many plies: in a process of its own if that is
        long, else on a thread, in fair turns.
        """
        if plies <= FEW_PLIES:
            return await self.replay(partial(work, *arguments), client, plies)
        return await self.replay(partial(self._apart.run, work, *arguments), client, plies)

    async def replay(self, work: Callable[[], T], client: Client, plies: int) -> T:
        """The result of work that replays so many plies, done on a thread in fair turns."""
        return await self.replays.run(work, client, plies * PLY_SECONDS)

    def _load_lock(self, id: str) -> asyncio.Lock:
        """The lock that keeps a game from being loaded twice at once, or while it is being deleted."""
        return self._load_locks.setdefault(id, asyncio.Lock())

    async def _open(self, id: str, client: Client) -> Room:
        stored = await self.store.read(lambda connection: repository.load(connection, id))
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

    async def set_up(self, client: Client, setup: NewGame) -> Room:
        """Set up a new game."""
        person = client.person
        made = await self.replay(lambda: check_size(game(setup.game, **setup.options)), client, 0)
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
        waiting = any(seat.kind == "open" for seat in seats)
        if setup.listed and waiting:
            await self._check_lobby(client)
        self.quota.take("games", person, client.address)
        for spec in {seat.bot for seat in seats if seat.bot}:
            self.spawn(self.bots.prepare(make_bot(made, spec, files=False), made, client))
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
            status="waiting" if waiting else "playing",
        )
        return await self._open_new(stored, client)

    async def _check_lobby(self, client: Client) -> None:
        """Refuse a game for the lobby if somebody has enough there, or if their address has."""
        since = time() - RECENT
        own = await self.store.read(lambda connection: repository.listed_by(connection, client.person, since))
        rooms = [room for room in self._rooms.values() if room.stored.listed and room.stored.status == "waiting"]
        near = sum(room.client.address == client.address and room.stored.changed > since for room in rooms)
        if own >= LISTED or near >= max(LISTED, self.limits.people // 2):
            raise TooMany("Enough of your games wait in the lobby already; leave this one unlisted, or wait.")

    async def upload(self, client: Client, record: dict[str, Any]) -> StoredGame:
        """Store an uploaded record that was verified, to watch."""
        self.quota.take("uploads", client.person, client.address)
        result, plies = record.get("result"), record["plies"]
        stored = StoredGame(
            id=new_id(),
            game=record["game"],
            options=record["options"],
            seed=0,
            owner=client.person,
            seats=[_seat_from_record(number, name) for number, name in enumerate(record["players"], start=1)],
            kind="upload",
            start=record.get("start"),
            odds="ask" if result else "never",  # it may be a copy of a game in progress that hides its odds
            status="over" if result else "abandoned",
            length=len(plies),
            ending=record.get("ending"),
            result=result,
            plies=plies,
        )
        await self.store.write(lambda connection: repository.add(connection, stored))
        return stored

    async def daily(self, client: Client, name: str, day: str) -> Room:
        """A person's game of a daily challenge: the one they started, or a new one."""
        person = client.person
        begun = await self.store.read(lambda connection: repository.daily_game(connection, person, name, day))
        if begun is not None:
            return await self.room(begun.id, client)
        self.quota.take("challenges", person, client.address)
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

        return await self.room(await self.store.write(once), client)

    def challenge(self, name: str, day: str) -> Challenge:
        """A game's challenge of a day, the same for everybody."""
        challenges = find(name).challenges()
        return challenges[self._daily_number(f"challenge {name}", day) % len(challenges)]

    def _daily_number(self, what: str, day: str) -> int:
        """A number of the day that cannot be predicted without the server's secret (an HMAC)."""
        return int.from_bytes(
            hmac.new(self.store.daily_secret, f"daily {day} {what}".encode(), sha256).digest()[:7], "big"
        )

    async def _open_new(self, stored: StoredGame, client: Client) -> Room:
        live = LiveGame(stored, self.store)
        live.begin()
        self._rooms[stored.id] = room = Room(
            live, self, client
        )  # before it is saved, so that a concurrent deletion finds it
        try:
            await self.store.write(live.insert)
        except Exception:
            self.close_room(stored.id)
            raise
        room.wake()
        self._close_surplus_rooms()
        return room

    async def _close_idle_rooms(self) -> None:
        while True:
            await asyncio.sleep(IDLE / 10)
            for id, room in tuple(self._rooms.items()):
                if monotonic() - room.used > IDLE and not room.busy:
                    self.close_room(id)

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

    async def _delete_old_games(self, days: float) -> None:
        """Delete games that nobody has changed for so many days; some now, the others a little later."""
        while True:
            gone = await self.store.write(
                lambda connection: repository.delete_old_games(connection, time() - days * DAY, OLD_GAMES)
            )
            for id in gone:
                self.close_room(id)
            await asyncio.sleep(1 if len(gone) == OLD_GAMES else 3600)

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
                self.close_room(id)
            self.store.revoked.add(person)

    def close_room(self, id: str) -> None:
        """Close a room; a later one loads the game anew."""
        room = self._rooms.pop(id, None)
        if room is not None:
            room.close()


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
