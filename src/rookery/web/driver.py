"""What goes on in a room by itself: bots move, clocks run out. A driver does both for one room.

Several servers may have the same game open. A bot's move is that server's which brought the game to where it is. While
the bot waits for its turn or thinks, its server puts off when the game is due; the others do nothing until then. If the
game is overdue, its server is gone, and one of the others takes the move over. If two do the same all the same, the
second finds that the game has moved on.
"""

from __future__ import annotations

import asyncio
import logging
import random
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from rookery.core.bot import make_bot
from rookery.search.cancel import Cancelled, CancelToken
from rookery.web import due_repository, lessons, metrics
from rookery.web.due_repository import Due
from rookery.web.fair_queue import Busy
from rookery.web.live_game import BOT_GRACE, Conflict, NotSaved, bot_stream
from rookery.web.store import Unanswered

if TYPE_CHECKING:
    from rookery.web.domain import Seat
    from rookery.web.rooms import Room

log = logging.getLogger("rookery.web")

PACE = 0.5
"""Seconds between moves in a game of bots only."""
RETRY = 5
"""Seconds before a failed bot move or time-out is tried again."""
SOON = 0.1
"""Seconds before this server takes over what nobody looks after."""
LOOK = 2.0
"""Seconds between two looks whether another server still lets bots play among themselves: there, people may leave."""
AWAY = (SQLAlchemyError, OSError, Unanswered)
"""Errors of a database that does not answer."""


class Driver:
    """Lets the bots of a room move, and its clocks run out."""

    def __init__(self, room: Room) -> None:
        self.preparing = False
        """Whether a bot is waiting for its machine code."""
        self.held = False
        """Whether the bot's move is this server's."""
        self._at: tuple[object, ...] | None = None
        """Where the game was when that was decided."""
        self._refused = False
        """Whether the bot's move was put off, because too much else of the same visitor waits."""
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
        """Whether a bot is to move, and the move is this server's."""
        return self.held and self.bot_to_move is not None

    @property
    def must_put_off(self) -> bool:
        """Whether others would soon take the bot's move over, although it waits or thinks here."""
        due, now = self._room.stored.due, self._room.registry.store.now()
        at_work = self.owes_move and (self.thinking or self._refused)
        return at_work and due is not None and due - now < BOT_GRACE * 2 / 3

    @property
    def _unattended(self) -> bool:
        """Whether any server may look after the game now, as far as is known here."""
        due = self._room.stored.due
        return due is None or due <= self._room.registry.store.now()

    @property
    def _stopped(self) -> bool:
        """Whether nothing is to go on here: the room is closed, or the server is about to stop."""
        return self._closed or self._room.registry.drain.begun

    def wake(self, *, here: bool = True) -> None:
        """Let the clock run, and the bot to move think, after a change that was made here or elsewhere. If the game is
        where it was, who lets the bot think stays the same. A game of bots only goes on while somebody watches.
        """
        if self._where() != self._at:
            self._at, self.held = self._where(), here or not self._room.registry.store.shared
            self.cancel()
        self._go_on()

    def _where(self) -> tuple[object, ...]:
        """Where the game is, as far as a bot's search depends on it."""
        stored, seat = self._room.stored, self.bot_to_move
        return self._room.live.ply, stored.takebacks, stored.status, seat and (seat.number, seat.bot)

    def _go_on(self) -> None:
        """Start the clock, and the bot to move if that is this server's; else look later."""
        self._cancel_look()
        if self._stopped:
            return
        self._set_timer()
        stored, now = self._room.stored, self._room.registry.store.now()
        if self.bot_to_move is None or not (stored.people or self._room.viewers):
            return
        if not self.held or self._unattended:
            wait = SOON if stored.due is None else max(SOON, stored.due - now)
            self._look_in(wait if stored.people else min(wait, LOOK))
        elif not self.thinking:
            self._bots = asyncio.create_task(self._play_bots())

    def _look_in(self, seconds: float) -> None:
        """Go on in some seconds, if the move is this server's, or another one does not look after it any more."""
        self._cancel_look()
        spawn = self._room.registry.spawn
        self._later = asyncio.get_running_loop().call_later(seconds, lambda: spawn(self._look()))

    def _cancel_look(self) -> None:
        if self._later is not None:
            self._later.cancel()
            self._later = None

    async def _look(self) -> None:
        self._later = None
        if self._stopped or self.bot_to_move is None:
            return
        try:
            if not self.held or self._unattended:
                await self.take_over()
        except AWAY:
            self._look_in(RETRY)
        else:
            self._go_on()

    async def take_over(self) -> bool:
        """Look after the game, if nobody does by now: whether this server has to."""
        room, store, version = self._room, self._room.registry.store, self._room.stored.version
        id, now, due = room.stored.id, store.now(), room.live.next_due()
        found = await store.write(lambda connection: due_repository.take_over(connection, id, version, now, due), id)
        known = room.stored.due
        if not await self._is_known(found, version):
            return False
        taken = due is not None and room.stored.due == due
        if taken:
            self._at, self.held = self._where(), True
        elif room.stored.due != known:  # it is another server's
            self.held = False
            self.cancel()
        return taken

    async def put_off(self) -> None:
        """Have others not look after the game yet, because its bot still waits or thinks here."""
        due = self._room.live.next_due()
        if await self._set_due(due) and self._room.stored.due != due:  # another server has taken it over
            self.held = False
            self.cancel()
            self._go_on()

    async def _leave(self) -> None:
        """Leave a game of bots only to other servers, because nobody watches it here any more."""
        try:
            await self._set_due(None)
        except AWAY as problem:
            log.warning("A game could not be left to others: %s", str(problem).splitlines()[:1])
        self.held = False
        self._go_on()

    async def _set_due(self, due: float | None) -> bool:
        """Set when others look after the game, if it is this server's; False if it has changed."""
        stored, store = self._room.stored, self._room.registry.store
        id, known = stored.id, Due(stored.version, stored.due)
        found = await store.write(lambda connection: due_repository.put_off(connection, id, known, due), id)
        return await self._is_known(found, known.version)

    async def _is_known(self, found: Due | None, version: int) -> bool:
        """Note when the game is due; catch up, and return False, if it is not the version that was known."""
        stored = self._room.stored
        if found is None or found.version != version:
            await self._room.look_again()
            return False
        if stored.version == version:
            stored.due = found.due
        return stored.version == version

    def cancel(self) -> None:
        """Cancel the search of the bot to move; its result is obsolete."""
        if self._token is not None:
            token, self._token = self._token, None
            token.cancel()

    def close(self) -> None:
        """Stop bots and the clock for good."""
        self._closed = True
        self.cancel()
        for timer in (self._timer, self._later):
            if timer is not None:
                timer.cancel()

    async def finish(self) -> None:
        """Let a bot move that was taken over, or a clock run out, and return when that has happened."""
        self._go_on()
        live = self._room.live
        if live.out_of_time:
            await self._time_out(live.out_of_time, live.ply)
        if self._bots is not None:
            await asyncio.wait([self._bots])

    async def _play_bots(self) -> None:
        """Let bots move until it is a person's turn, the game is over, another server has moved, or nobody watches a
        game of bots only.
        """
        room, self._refused = self._room, False
        try:
            while self.held and not self._stopped and (seat := self.bot_to_move) is not None:
                if not room.stored.people:
                    await asyncio.sleep(PACE)
                    if not room.viewers:
                        await self._leave()
                        return
                try:
                    await self._move(seat)
                except Conflict:
                    await room.look_again()
        except Busy:
            self._refused = True
        except Exception as problem:
            if not isinstance(problem, NotSaved):
                log.exception("A bot of %s failed", room.stored.game)
        if self.held and not self._stopped and self.bot_to_move is not None:
            self._look_in(RETRY * random.uniform(0.5, 1))

    async def _move(self, seat: Seat) -> None:
        """Let a bot search, and play its move unless the position changed meanwhile."""
        room, live = self._room, self._room.live
        async with room.lock:  # an action may not be saved yet
            if self.bot_to_move is not seat:
                return
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
            return
        finally:
            self.preparing = False
        async with room.lock:
            if self._token is token and not self._closed and live.ply == state.ply and self.bot_to_move is not None:
                step = await live.advance(action)
                metrics.actions.add(label="bot")
                room.changed(step)

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
                room.changed()
        except Conflict:
            await room.look_again()
        except (NotSaved, SQLAlchemyError):
            asyncio.get_running_loop().call_later(RETRY, self._go_on)
