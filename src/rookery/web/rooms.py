"""Rooms: a game that is open here, and the people who play and watch it. A room applies their actions and tells all
viewers what changed; its driver moves the bots and runs the clock.

A room changes its game only under its lock, and announces a change only after it is saved. So an action that anybody
has seen survives a crash. The game may be open on other servers too: if one of them was faster, the room reads what
happened.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from rookery.core.errors import RookeryError
from rookery.web import lessons, metrics, repository
from rookery.web.audience import Audience
from rookery.web.bot_pool import visitor_bot
from rookery.web.domain import Seat, new_seed
from rookery.web.driver import Driver
from rookery.web.live_game import Conflict
from rookery.web.messages import GameInfo, PendingRequest, Permissions
from rookery.web.permissions import permissions, undo_target
from rookery.web.views import RoomStatus, game_info

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from rookery.web.fair_queue import Client
    from rookery.web.live_game import LiveGame
    from rookery.web.registry import RoomRegistry
    from rookery.web.repository import Advance
    from rookery.web.viewers import Viewer

T = TypeVar("T")

log = logging.getLogger("rookery.web")

TRIES = 4
"""How often something is tried that others may have been faster with."""


class Refused(RookeryError):
    """The game does not allow this now."""


class Room:
    """One live game, its viewers, and the lock under which it changes."""

    def __init__(self, live: LiveGame, registry: RoomRegistry, client: Client) -> None:
        self.client = client
        """For whom the bots think: the one who opened the room or played last."""
        self.live = live
        self.stored = live.stored
        self.registry = registry
        self.lock = asyncio.Lock()
        self.audience = Audience(self)
        self.driver = Driver(self)
        self.used = monotonic()
        self._closed = False

    # ── status ─────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def viewers(self) -> set[Viewer]:
        """Who watches now."""
        return self.audience.viewers

    @property
    def busy(self) -> bool:
        """Whether the room is in use: somebody watches, a clock runs, or a bot is thinking."""
        clock = self.live.clock
        return bool(self.viewers or self.lock.locked() or (clock and clock.running) or self.driver.thinking)

    @property
    def pending(self) -> PendingRequest | None:
        """The request that waits for answers."""
        asked = self.stored.asked
        return PendingRequest(asked["what"], asked["by"]) if asked else None

    def mine(self, person: str) -> bool:
        """Whether the person is to move."""
        seat = self.live.seat_to_move
        return seat is not None and bool(person) and seat.holder == person

    def info(self, person: str) -> GameInfo:
        """The game as a person sees it."""
        online, watchers = self.registry.presence.of(self)
        return game_info(
            self.stored,
            person,
            self.registry.store.now(),
            RoomStatus(
                online=online,
                watchers=watchers,
                may=self.may(person),
                asked=self.pending,
                scores=self.live.state.scores(),
            ),
        )

    def may(self, person: str) -> Permissions:
        """What a person may do now."""
        return permissions(self.live, person)

    def _why_no_turn(self) -> str:
        """Why it is nobody's turn."""
        if self.stored.status == "waiting":
            return "The game begins when every seat is taken."
        return "The game is over." if self.stored.status == "over" else "This game was abandoned; start a new one."

    # ── actions ───────────────────────────────────────────────────────────────────────────────────────────────────────

    @asynccontextmanager
    async def _exclusive(self) -> AsyncIterator[None]:
        """Hold the lock; refuse if the room has closed and a later one may have the game."""
        try:
            async with self.lock:
                if self._closed:
                    raise Refused("The game has moved on; open it again.")
                yield
        except Conflict:
            await self.look_again()
            raise

    async def _again(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do something that makes sense whatever others have done meanwhile; after a conflict it is tried again."""
        for _ in range(TRIES - 1):
            with suppress(Conflict):
                return await work()
        return await work()

    async def look_again(self, version: int | None = None, advance: Advance | None = None) -> None:
        """Catch up if the database answers; else the next comparison does."""
        try:
            await self.catch_up(version, advance)
        except (SQLAlchemyError, OSError) as problem:
            log.warning("A game could not be read again: %s", str(problem).splitlines()[:1])

    async def catch_up(self, version: int | None = None, advance: Advance | None = None) -> None:
        """Read what other servers have changed, unless the version that they told of is known by now. If they told of
        an action, and it is the next one, there is nothing to read.
        """
        async with self.lock:
            known = self.stored
            if self._closed or (version is not None and version <= known.version):
                return
            found = self.live.after(advance, version) if advance is not None and version is not None else None
            if found is None:
                found = await self.registry.store.read(
                    lambda connection: repository.load(connection, known.id, known), self.client
                )
            if found is None:  # it was deleted
                self.registry.close_room(known.id)
            elif found.version > known.version:
                try:
                    kept = self.live.refresh(found)
                except Exception:  # what is here is neither the old game nor the new one
                    self.registry.close_room(known.id)
                    raise
                metrics.catch_ups.add()
                self.audience.rewind(kept)
                self.changed_elsewhere()

    def close(self) -> None:
        """Stop bots and the clock and disconnect all viewers; a later room may open the game again."""
        self._closed = True
        self.driver.close()
        self.audience.close()

    async def play(self, client: Client, text: str, seen: int | None) -> int:
        """Play a person's action; return the number of plies once it is saved. If only something else has changed
        meanwhile, such as a name, it is tried again.
        """
        live = self.live
        for _ in range(TRIES - 1):
            position = (live.ply, self.stored.takebacks)
            try:
                return await self._play(client, text, seen)
            except Conflict:
                if seen is not None and seen < live.ply and self._is_this(text, seen, client.person):
                    return live.ply  # it was saved, but the answer of the database was lost
                if position != (live.ply, self.stored.takebacks):
                    raise
        return await self._play(client, text, seen)

    def _is_this(self, text: str, ply: int, person: str) -> bool:
        """Whether this is what a person played at a ply."""
        live, mover = self.live, self.live.movers[ply]
        if not mover or self.stored.seats[mover - 1].holder != person:
            return False
        return self.stored.plies[ply] == live.game.name_of(live.game.action(text))

    async def _play(self, client: Client, text: str, seen: int | None) -> int:
        live, person, began = self.live, client.person, monotonic()
        async with self._exclusive():
            if self.stored.kind == "daily" and not self.stored.open_today(self.registry.store.now()):
                raise Refused("The day of this challenge is over.")
            if seen is not None and seen != live.ply:
                raise Refused("The game has moved on; look at the board again.")
            seat = live.seat_to_move
            if seat is None:
                raise Refused(self._why_no_turn())
            if not self.mine(person):
                whose = "the bot" if seat.kind == "bot" else seat.name or f"player {seat.number}"
                raise Refused(f"It is {whose}'s turn." if person in self.stored.people else "You are watching.")
            if live.out_of_time:
                await self.driver.check_clock()
                await self._forfeit(live.out_of_time, "time")
                raise Refused("Your time has run out.")
            action = live.game.action(text)
            lessons.check(live, action)
            advance = await live.advance(action)
            metrics.actions.add(label="person")
            metrics.action_seconds.observe(monotonic() - began)
            self.client = client
            self.changed(advance)
            return live.ply

    async def why(self, at: list[tuple[int, int]]) -> str:
        """Why no action is possible at a cell or an edge."""
        live = self.live
        async with self.lock:  # an action may not be saved yet
            if live.turn <= 0:
                return self._why_no_turn()
            action = live.game.pointed(live.state, tuple(at))
            if action is None:
                return "No action is possible there."
            return "This action is legal." if live.state.legal(action) else live.state.why_not(action)

    async def undo(self, person: str) -> None:
        """Undo to the person's last decision; in a game with other people, ask them first."""
        async with self._exclusive():
            target = undo_target(self.live, person)
            if self.pending is not None:
                raise Refused("Somebody has already asked to undo a move.")
            if not self.may(person).undo or target is None:
                raise Refused("There is nothing to undo.")
            if self.stored.local:
                await self._rewind(target)
            else:
                seat = next(seat.number for seat in self.stored.seats if seat.holder == person)
                await self.live.ask({"what": "undo", "by": seat, "agreed": [person]})
            self.changed()

    async def answer(self, person: str, yes: bool) -> None:
        """Answer a request to undo; everybody has to agree."""
        async with self._exclusive():
            asked: dict[str, Any] = self.stored.asked or {}
            agreed = set(asked.get("agreed", ()))
            if not asked or person not in self.stored.people - agreed:
                raise Refused("There is no request to answer.")
            target = undo_target(self.live, self.stored.seats[asked["by"] - 1].holder or "")
            agreed.add(person)
            if not yes or target is None:
                await self.live.ask(None)
            elif agreed >= self.stored.people:
                await self._rewind(target)
            else:
                await self.live.ask(asked | {"agreed": sorted(agreed)})
            self.changed()

    async def redo(self, person: str) -> None:
        """Redo what was undone, up to a person's next decision."""
        live = self.live
        async with self._exclusive():
            if not self.may(person).redo:
                raise Refused("There is nothing to redo.")
            await live.forward()
            self.changed()

    async def take_seat(self, person: str, number: int, bot: str | None) -> None:
        """Give a seat to a bot, or take it."""
        async with self._exclusive():
            if number not in self.may(person).switch:
                raise Refused("You cannot change who plays this seat.")
            if bot is not None:
                visitor_bot(self.live.game, bot)
                seat = Seat(number, "bot", bot=bot)
            else:
                seat = Seat(number, "person", await self.registry.name_of(person), person)
            await self._assign_seat(seat)

    async def join(self, person: str, token: str) -> None:
        """Take an open seat, by invitation or in a listed game."""
        await self._again(lambda: self._join(person, token))

    async def _join(self, person: str, token: str) -> None:
        async with self._exclusive():
            stored = self.stored
            if token != stored.token and (token or not stored.listed):
                raise Refused("This invitation is for another game. Ask for the link again.")
            if person in stored.people:
                return
            open_seat = next((seat for seat in stored.seats if seat.kind == "open"), None)
            if open_seat is None:
                raise Refused("All seats are taken; you can watch.")
            await self._assign_seat(Seat(open_seat.number, "person", await self.registry.name_of(person), person))

    async def resign(self, person: str) -> None:
        """Resign."""
        async with self._exclusive():
            if not self.may(person).resign:
                raise Refused("There is nothing to resign.")
            held = [seat.number for seat in self.stored.seats if seat.holder == person]
            await self._forfeit(self.live.turn if self.live.turn in held else held[0], "resigned")

    async def restart(self, person: str) -> str:
        """Start a local game over; return the id of the new game."""
        async with self._exclusive():
            if not self.may(person).restart:
                raise Refused("Only a game without other people can be restarted.")
            fresh = await self.live.new_game(new_seed(), shift=0)
            self.changed()
            return fresh

    async def rematch(self, person: str) -> str:
        """Set up a rematch, everybody one seat further; return its id. There is at most one rematch of a game."""
        return await self._again(lambda: self._rematch(person))

    async def _rematch(self, person: str) -> str:
        async with self._exclusive():
            if self.stored.rematch is None:
                if not self.may(person).rematch:
                    raise Refused("A rematch is possible when the game is over.")
                await self.live.new_game(new_seed(), shift=1)
                self.changed()
            assert self.stored.rematch is not None
            return self.stored.rematch

    async def _rewind(self, target: int) -> None:
        await self.live.rewind(target)
        self.audience.rewind(target)

    async def _assign_seat(self, seat: Seat) -> None:
        await self.live.assign_seat(seat)
        self.changed()

    async def _forfeit(self, player: int, how: str) -> None:
        await self.live.forfeit(player, how)
        self.changed()

    # ── broadcasting ────────────────────────────────────────────────────────────────────────────────────────────────

    def changed(self, advance: Advance | None = None) -> None:
        """Something was changed here, by an ordinary action if that is given: tell viewers and other servers, and let
        bots and the clock go on.
        """
        self._update_viewers()
        self.registry.events.changed(self.stored.id, self.stored.version, advance)
        self.driver.wake()

    def changed_elsewhere(self) -> None:
        """Something was changed by another server: tell viewers; what goes on by itself is that server's."""
        self._update_viewers()
        self.driver.wake(here=False)

    def _update_viewers(self) -> None:
        self.used = monotonic()
        self.audience.update()

    def enter(self, viewer: Viewer) -> None:
        """Let somebody watch."""
        if self._closed:  # they come back, to another room
            viewer.close()
            return
        self.used = monotonic()
        self.audience.enter(viewer)
        self.live.watched = True
        self.driver.wake(here=False)

    def leave(self, viewer: Viewer) -> None:
        """Somebody watches no longer."""
        self.used = monotonic()
        self.audience.leave(viewer)
        self.live.watched = bool(self.viewers)

    def broadcast(self) -> bool:
        """Send some viewers what is new; return whether others wait for it."""
        return self.audience.broadcast()
