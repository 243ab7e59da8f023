"""Rooms: a live game and the people who play and watch it. A room applies their actions, moves the bots, runs the clock
and tells all viewers what changed.

A room changes its game only under its lock, and announces a change only after it is saved. So an action that anybody
has seen survives a crash.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager
from time import monotonic
from typing import TYPE_CHECKING

from rookery.core.bot import make_bot
from rookery.core.errors import RookeryError
from rookery.search.cancel import CancelToken
from rookery.web.audience import Audience
from rookery.web.bot_pool import visitor_bot
from rookery.web.domain import Seat
from rookery.web.live_game import Conflict, NotSaved, bot_stream
from rookery.web.messages import GameInfo, PendingRequest, Permissions
from rookery.web.permissions import permissions, undo_target
from rookery.web.views import RoomStatus, game_info, is_local

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from rookery.web.fair_queue import Client
    from rookery.web.live_game import LiveGame
    from rookery.web.registry import RoomRegistry
    from rookery.web.viewers import Viewer

log = logging.getLogger("rookery.web")

PACE = 0.5
"""Seconds between moves in a game of bots only."""
RETRY = 5
"""Seconds before a failed bot move or time-out is tried again."""


class Refused(RookeryError):
    """The game does not allow this now."""


class Room:
    """One live game, its viewers, and the lock under which it changes."""

    def __init__(self, live: LiveGame, registry: RoomRegistry, client: Client) -> None:
        self.client = client
        """For whom the bots think: whoever opened the room or played last."""
        self.live = live
        self.stored = live.stored
        self.registry = registry
        self.lock = asyncio.Lock()
        self.audience = Audience(self)
        self.used = monotonic()
        self._closed = False
        self.pending: PendingRequest | None = None
        self._agreed: set[str] = set()
        self._bots: asyncio.Task[None] | None = None
        self._token: CancelToken | None = None
        self.preparing = False
        """Whether a bot is waiting for its machine code."""
        self._timer: asyncio.TimerHandle | None = None

    # ── status ─────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def viewers(self) -> set[Viewer]:
        """Who watches now."""
        return self.audience.viewers

    @property
    def busy(self) -> bool:
        """Whether the room is in use: somebody watches, a clock runs, or a bot is thinking."""
        clock = self.live.clock
        return bool(self.viewers or self.lock.locked() or (clock and clock.running) or self._bots_playing)

    def mine(self, person: str) -> bool:
        """Whether the person is to move."""
        seat = self.live.seat_to_move
        return seat is not None and bool(person) and seat.holder == person

    def info(self, person: str) -> GameInfo:
        """The game as a person sees it."""
        people = self.stored.people
        return game_info(
            self.stored,
            person,
            RoomStatus(
                online={viewer.person for viewer in self.viewers},
                watchers=sum(viewer.person not in people for viewer in self.viewers),
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
        async with self.lock:
            if self._closed:
                raise Refused("The game has moved on; open it again.")
            try:
                yield
            except Conflict:
                self.registry.close_room(self.stored.id)
                raise

    def close(self) -> None:
        """Stop bots and the clock and disconnect all viewers; a later room may open the game again."""
        self._closed = True
        self._cancel_search()
        if self._timer is not None:
            self._timer.cancel()
        self.audience.close()

    async def play(self, client: Client, text: str, seen: int | None) -> int:
        """Play a person's action; return the number of plies once it is saved."""
        live, person = self.live, client.person
        async with self._exclusive():
            if self.stored.kind == "daily" and not self.stored.open_today:
                raise Refused("The day of this challenge is over.")
            if seen is not None and seen != live.ply:
                raise Refused("The game has moved on; look at the board again.")
            seat = live.seat_to_move
            if seat is None:
                raise Refused(self._why_no_turn())
            if not self.mine(person):
                whose = "the bot" if seat.kind == "bot" else seat.name or f"player {seat.number}"
                raise Refused(f"It is {whose}'s turn." if person in self.stored.people else "You are watching.")
            await live.advance(live.game.action(text))
            self.client = client
            self.pending = None
            self.changed()
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
            if not self.may(person).undo or target is None:
                raise Refused("There is nothing to undo.")
            if is_local(self.stored):
                await self._rewind(target)
            elif self.pending is not None:
                raise Refused("Somebody has already asked to undo a move.")
            else:
                seat = next(seat.number for seat in self.stored.seats if seat.holder == person)
                self.pending, self._agreed = PendingRequest("undo", seat), {person}
            self.changed()

    async def answer(self, person: str, yes: bool) -> None:
        """Answer a request to undo; everybody has to agree."""
        async with self._exclusive():
            if self.pending is None or person not in self.stored.people - self._agreed:
                raise Refused("There is no request to answer.")
            target = undo_target(self.live, self.stored.seats[self.pending.by - 1].holder or "")
            self._agreed.add(person)
            if not yes or target is None:
                self.pending = None
            elif self._agreed >= self.stored.people:
                self.pending = None
                await self._rewind(target)
            self.changed()

    async def redo(self, person: str) -> None:
        """Redo what was undone, up to a person's next decision."""
        live = self.live
        async with self._exclusive():
            if not self.may(person).redo:
                raise Refused("There is nothing to redo.")
            await live.forward()
            self._cancel_search()
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
            fresh = await self.live.new_game(self.registry.new_seed(), shift=0)
            self._cancel_search()
            self.changed()
            return fresh

    async def rematch(self, person: str) -> str:
        """Set up a rematch, everybody one seat further; return its id. There is at most one rematch of a game."""
        async with self._exclusive():
            if self.stored.rematch is None:
                if not self.may(person).rematch:
                    raise Refused("A rematch is possible when the game is over.")
                await self.live.new_game(self.registry.new_seed(), shift=1)
                self.changed()
            assert self.stored.rematch is not None
            return self.stored.rematch

    async def _rewind(self, target: int) -> None:
        await self.live.rewind(target)
        self._cancel_search()
        self.audience.rewind(target)

    async def _assign_seat(self, seat: Seat) -> None:
        if self.live.clock is not None:
            seat.left = self.live.clock.now()[seat.number - 1]
        await self.live.assign_seat(seat)
        self._cancel_search()
        self.changed()

    async def _forfeit(self, player: int, how: str) -> None:
        await self.live.forfeit(player, how)
        self.pending = None
        self._cancel_search()
        self.changed()

    # ── broadcasting ────────────────────────────────────────────────────────────────────────────────────────────────

    def changed(self) -> None:
        """Schedule an update of all viewers, and let bots and the clock go on."""
        self.used = monotonic()
        self.audience.stale = True
        self.registry.broadcaster.schedule(self)
        self.wake()

    def enter(self, viewer: Viewer) -> None:
        """Let somebody watch."""
        self.used = monotonic()
        self.audience.enter(viewer)
        self.wake()

    def leave(self, viewer: Viewer) -> None:
        """Somebody watches no longer."""
        self.used = monotonic()
        self.audience.leave(viewer)

    def broadcast(self) -> None:
        """Send every viewer what is new."""
        self.audience.broadcast()

    # ── bots and clocks ───────────────────────────────────────────────────────────────────────────────────────────────

    def wake(self) -> None:
        """Start the clock and the bot to move. A game of bots only goes on while somebody watches."""
        if self._closed:
            return
        if self.live.clock is not None:
            self._run_clock()
        if self._bot_to_move is not None and not self._bots_playing and (self.stored.people or self.viewers):
            self._bots = asyncio.create_task(self._play_bots())

    @property
    def _bots_playing(self) -> bool:
        return self._bots is not None and not self._bots.done()

    @property
    def _bot_to_move(self) -> Seat | None:
        seat = self.live.seat_to_move
        return seat if seat is not None and seat.kind == "bot" else None

    def _cancel_search(self) -> None:
        """Cancel the search of the bot to move; its result is obsolete."""
        if self._token is not None:
            self._token.cancel()
            self._token = None

    async def _play_bots(self) -> None:
        """Let bots move until it is a person's turn, the game is over, or nobody watches a game of bots only."""
        try:
            while (seat := self._bot_to_move) is not None and not self._closed:
                if not self.stored.people:
                    await asyncio.sleep(PACE)
                    if not self.viewers:
                        return
                await self._move(seat)
        except Conflict:
            self.registry.close_room(self.stored.id)
        except Exception as problem:
            if not isinstance(problem, NotSaved):
                log.exception("A bot of %s failed", self.stored.game)
            asyncio.get_running_loop().call_later(RETRY, self.wake)

    async def _move(self, seat: Seat) -> None:
        """Let a bot search, and play its move unless the position changed meanwhile."""
        live = self.live
        async with self.lock:  # an action may not be saved yet
            if self._bot_to_move is not seat:
                return
            state = live.state.copy()
            self._token = token = CancelToken()
        bot = make_bot(live.game, seat.bot or "1", files=False)
        stream = bot_stream(self.stored.seed, state.ply)
        # A bot whose clock runs does not wait for machine code.
        wait = self._prepare if live.clock is None else None
        try:
            action = await self.registry.bots.choose(bot, state, stream, token, self.client, wait=wait)
        finally:
            self.preparing = False
        async with self.lock:
            if self._token is token and self._bot_to_move is seat:
                await live.advance(action)
                self.pending = None
                self.changed()

    def _prepare(self) -> None:
        """Tell the viewers that a bot is waiting for its machine code."""
        self.preparing = True
        self.registry.broadcaster.schedule(self)

    def _run_clock(self) -> None:
        """Run the clock of the player to move, from the first move on, and set a timer for when it runs out."""
        live, clock = self.live, self.live.clock
        assert clock is not None
        player = live.turn if live.turn > 0 and any(live.movers) else 0
        clock.run(player)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if player:
            ply = live.ply
            delay = clock.now()[player - 1] / 1000
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(delay, lambda: self.registry.spawn(self._time_out(player, ply)))

    async def _time_out(self, player: int, ply: int) -> None:
        clock = self.live.clock
        async with self.lock:
            if clock is None or self._closed or (self.live.turn, self.live.ply) != (player, ply):
                return
            if clock.now()[player - 1] > 0:
                self._run_clock()
                return
            try:
                await self._forfeit(player, "time")
            except NotSaved:
                asyncio.get_running_loop().call_later(RETRY, self.wake)
