"""What goes on in a room by itself: bots move, clocks run out. A driver does both for one room.

Several servers may have the same game open. The one that made a change lets the bot answer it at once; another one
waits a little, in case that server is gone. If two do the same, the second finds that the game has moved on.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from rookery.core.bot import make_bot
from rookery.search.cancel import Cancelled, CancelToken
from rookery.web import lessons, metrics
from rookery.web.fair_queue import Busy
from rookery.web.live_game import Conflict, NotSaved, bot_stream

if TYPE_CHECKING:
    from rookery.web.domain import Seat
    from rookery.web.rooms import Room

log = logging.getLogger("rookery.web")

PACE = 0.5
"""Seconds between moves in a game of bots only."""
RETRY = 5
"""Seconds before a failed bot move or time-out is tried again."""
OTHERS_FIRST = 1.0
"""Seconds for which a bot's move is left to the server that made the move before."""


class Driver:
    """Lets the bots of a room move, and its clocks run out."""

    def __init__(self, room: Room) -> None:
        self.preparing = False
        """Whether a bot is waiting for its machine code."""
        self._room = room
        self._bots: asyncio.Task[None] | None = None
        self._token: CancelToken | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._later: asyncio.TimerHandle | None = None
        self._closed = False

    @property
    def thinking(self) -> bool:
        """Whether bots are moving."""
        return self._bots is not None and not self._bots.done()

    @property
    def bot_to_move(self) -> Seat | None:
        """The bot whose turn it is."""
        seat = self._room.live.seat_to_move
        return seat if seat is not None and seat.kind == "bot" else None

    @property
    def owes_move(self) -> bool:
        """Whether a bot of a game with people is to move."""
        return self.bot_to_move is not None and bool(self._room.stored.people)

    @property
    def _stopped(self) -> bool:
        """Whether nothing is to go on here: the room is closed, or the server is about to stop."""
        return self._closed or self._room.registry.drain.begun

    def wake(self) -> None:
        """Start the clock and the bot to move. A game of bots only goes on while somebody watches."""
        if self._stopped:
            return
        if self._later is not None:
            self._later.cancel()
            self._later = None
        self._set_timer()
        if self.bot_to_move is not None and not self.thinking and (self._room.stored.people or self._room.viewers):
            self._bots = asyncio.create_task(self._play_bots())

    def wake_later(self) -> None:
        """The same, but let another server move its bot first."""
        if self._stopped:
            return
        self._set_timer()
        if self.bot_to_move is not None and self._later is None:
            self._later = asyncio.get_running_loop().call_later(OTHERS_FIRST, self._wake_now)

    def _wake_now(self) -> None:
        self._later = None
        self.wake()

    def cancel(self) -> None:
        """Cancel the search of the bot to move; its result is obsolete."""
        if self._token is not None:
            self._token.cancel()
            self._token = None

    def close(self) -> None:
        """Stop bots and the clock for good."""
        self._closed = True
        self.cancel()
        for timer in (self._timer, self._later):
            if timer is not None:
                timer.cancel()

    async def finish(self) -> None:
        """Let a bot move that is overdue, or a clock run out, and return when that has happened."""
        self.wake()
        live = self._room.live
        if live.out_of_time:
            await self._time_out(live.out_of_time, live.ply)
        if self._bots is not None:
            await asyncio.wait([self._bots])

    async def _play_bots(self) -> None:
        """Let bots move until it is a person's turn, the game is over, or nobody watches a game of bots only."""
        room = self._room
        try:
            while (seat := self.bot_to_move) is not None and not self._stopped:
                if not room.stored.people:
                    await asyncio.sleep(PACE)
                    if not room.viewers:
                        return
                if not await self._move(seat):
                    break
        except Conflict:
            await room.look_again()
            self.wake_later()
        except Exception as problem:
            if not isinstance(problem, (NotSaved, Busy)):
                log.exception("A bot of %s failed", room.stored.game)
            asyncio.get_running_loop().call_later(RETRY, self.wake)

    async def _move(self, seat: Seat) -> bool:
        """Let a bot search, and play its move unless the position changed meanwhile. False if another server moved
        first: it lets the next bot move too, and this one waits a little.
        """
        room, live = self._room, self._room.live
        async with room.lock:  # an action may not be saved yet
            if self.bot_to_move is not seat:
                return True
            state = live.state.copy()
            self._token = token = CancelToken()
        reply = lessons.reply(live)
        if reply is not None:
            await asyncio.sleep(PACE)  # so that one sees what the other does
        bot = make_bot(live.game, seat.bot or "1", files=False)
        stream = bot_stream(room.stored.seed, state.ply)
        # A bot whose clock runs does not wait for machine code.
        wait = self._prepare if live.clock is None else None
        try:
            action = reply
            if action is None:
                action = await room.registry.bots.choose(bot, state, stream, token, room.client, wait=wait)
        except Cancelled:
            return True
        finally:
            self.preparing = False
        async with room.lock:
            if self._token is token and not self._closed and live.ply == state.ply and self.bot_to_move is not None:
                step = await live.advance(action)
                metrics.actions.add(label="bot")
                room.changed(step)
            elif self._later is not None and live.ply != state.ply:
                return False
        return True

    def _prepare(self) -> None:
        """Tell the viewers that a bot is waiting for its machine code."""
        self.preparing = True
        self._room.registry.broadcaster.schedule(self._room)

    async def check_clock(self) -> None:
        """Make sure that a clock ran out while people could move; `Conflict` if it had to be set back."""
        registry = self._room.registry
        if not registry.store.shared:
            return
        try:
            stood_still = await registry.caretaker.stood_still()
        except (SQLAlchemyError, OSError) as problem:
            raise NotSaved("This could not be saved, so nothing changed. Try again.") from problem
        if stood_still:
            raise Conflict

    def _set_timer(self) -> None:
        """Set a timer for when the clock of the player to move runs out."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        live, clock = self._room.live, self._room.live.clock
        if clock is not None and clock.running:
            player, ply = clock.running, live.ply
            loop, registry = asyncio.get_running_loop(), self._room.registry
            delay = clock.now()[player - 1] / 1000
            self._timer = loop.call_later(delay, lambda: registry.spawn(self._time_out(player, ply)))

    async def _time_out(self, player: int, ply: int) -> None:
        room, live = self._room, self._room.live
        try:
            async with room.lock:
                clock = live.clock
                if clock is None or self._closed or (live.turn, live.ply, clock.running) != (player, ply, player):
                    return
                if clock.now()[player - 1] > 0:
                    self._set_timer()
                    return
                await self.check_clock()
                await live.forfeit(player, "time")
                self.cancel()
                room.changed()
        except Conflict:
            await room.look_again()
        except (NotSaved, SQLAlchemyError):
            asyncio.get_running_loop().call_later(RETRY, self.wake)
