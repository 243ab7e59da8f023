"""Rooms: a table with the people around it. Who may do what, who sees what, when a bot moves and a clock rings.

A room changes its table only under its lock, and tells nobody of a change before the store has it; so whoever has been
told of an action will find it there after a crash.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

import msgspec

from rookery.core.bot import make_bot
from rookery.core.errors import IllegalAction, RookeryError
from rookery.search.cancel import CancelToken
from rookery.web.ledger import Seat
from rookery.web.messages import Asked, GameInfo, May
from rookery.web.table import NotSaved, whim
from rookery.web.views import info, is_local, shown

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from rookery.core.scene import Scene
    from rookery.web.house import House
    from rookery.web.table import Table
    from rookery.web.viewers import Viewer

log = logging.getLogger("rookery.web")

PACE = 0.5
"""Seconds between the moves of bots when nobody but bots plays."""
RETRY = 5
"""Seconds after which a bot that could not move tries again."""


class Refused(RookeryError):
    """Something that cannot be done in a game now."""


class Room:
    """One table, its viewers, and the lock under which it changes."""

    def __init__(self, table: Table, house: House) -> None:
        self.table = table
        self.entry = table.entry
        self.house = house
        self.lock = asyncio.Lock()
        self.viewers: set[Viewer] = set()
        self.used = monotonic()
        self._closed = False
        self._asked: Asked | None = None
        self._agreed: set[str] = set()
        self._bots: asyncio.Task[None] | None = None
        self._token: CancelToken | None = None
        self._preparing = False
        """Whether a bot waits for its machine code."""
        self._alarm: asyncio.TimerHandle | None = None

    # ── what people may do and see ────────────────────────────────────────────────────────────────────────────────────

    @property
    def busy(self) -> bool:
        """Whether something goes on here that needs the room."""
        clock = self.table.clock
        return bool(self.viewers or self.lock.locked() or (clock and clock.running) or self._bots_play)

    @property
    def local(self) -> bool:
        """Whether nobody but one person has a part in the game."""
        return is_local(self.entry)

    @property
    def odds_allowed(self) -> bool:
        """Whether odds that the game hides may be shown."""
        return self.entry.odds == "ask" or self.entry.status == "over"

    def mine(self, person: str) -> bool:
        """Whether the person is to move."""
        seat = self.table.seat_to_move
        return seat is not None and bool(person) and seat.holder == person

    def info(self, person: str) -> GameInfo:
        """The game as a person sees it."""
        seated = self.entry.people
        return info(
            self.entry,
            person,
            online={viewer.person for viewer in self.viewers},
            watchers=sum(viewer.person not in seated for viewer in self.viewers),
            may=self.may(person),
            asked=self._asked,
            scores=self.table.state.scores(),
        )

    def may(self, person: str) -> May:
        """What a person may do now."""
        entry, local = self.entry, self.local
        plays = bool(person) and (person in entry.people or (local and person == entry.owner))
        if entry.kind == "upload" or not plays:
            return May()
        free = entry.kind == "game" and entry.status != "abandoned"
        return May(
            undo=free and self._undo_to(person) is not None,
            redo=free and local and self.table.redoable > 0 and not entry.ending,
            hint=free and local and self.table.turn > 0 and self.odds_allowed,
            resign=entry.status == "playing" and len(entry.seats) > 1 and person in entry.people,
            restart=entry.kind == "game" and local,
            rematch=free and not local and entry.status == "over",
            switch=self._switchable(person) if free else [],
        )

    def _switchable(self, person: str) -> list[int]:
        entry = self.entry
        if entry.status not in ("waiting", "playing"):
            return []
        if self.local:
            return [seat.number for seat in entry.seats]
        return [seat.number for seat in entry.seats if seat.kind == "open" and entry.owner == person]

    def _undo_to(self, person: str) -> int | None:
        """The ply to go back to: alone, where a person last decided; with others, where this person did."""
        entry, local = self.entry, self.local
        if entry.ending or (entry.status == "over" and not local):
            return None
        deciding = {seat.number for seat in entry.seats if seat.holder and (local or seat.holder == person)}
        movers = self.table.movers
        return next((ply for ply in reversed(range(len(movers))) if movers[ply] in deciding), None)

    def _why_nobody(self) -> str:
        """Why nobody is to move."""
        if self.entry.status == "waiting":
            return "The game begins when every seat is taken."
        return "The game is over." if self.entry.status == "over" else "This game was left; start a new one."

    # ── what people do ────────────────────────────────────────────────────────────────────────────────────────────────

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """Nobody else changes the game meanwhile, here or in a room that was opened after this one."""
        async with self.lock:
            if self._closed:
                raise Refused("The game has moved on; open it again.")
            yield

    def close(self) -> None:
        """Leave the game to a room that is opened later: nobody stays, no bot moves, no clock rings here any more."""
        self._closed = True
        self._cut()
        if self._alarm is not None:
            self._alarm.cancel()
        for viewer in tuple(self.viewers):
            viewer.close()

    async def play(self, person: str, text: str, seen: int | None) -> int:
        """Carry out an action of a person who is to move; return the number of plies once it is saved."""
        table = self.table
        async with self._alone():
            if seen is not None and seen != table.ply:
                raise Refused("The game has moved on; look at the board again.")
            seat = table.seat_to_move
            if seat is None:
                raise Refused(self._why_nobody())
            if not self.mine(person):
                whose = "a bot" if seat.kind == "bot" else seat.name or f"player {seat.number}"
                raise Refused(f"It is the turn of {whose}." if person in self.entry.people else "You are watching.")
            action = table.game.action(text)
            if not table.state.legal(action):
                raise IllegalAction(table.state.why_not(action))
            await table.advance(action)
            self._asked = None
            self.changed()
            return table.ply

    async def why(self, at: list[tuple[int, int]]) -> str:
        """Why nothing can be done at a place."""
        table = self.table
        async with self.lock:  # what is being played may not be saved yet
            if table.turn <= 0:
                return self._why_nobody()
            action = table.game.pointed(table.state, tuple(at))
            if action is None:
                return "Nothing can be done there."
            return "That can be done." if table.state.legal(action) else table.state.why_not(action)

    async def undo(self, person: str) -> None:
        """Take back to the person's last decision, or ask the other people whether one may."""
        async with self._alone():
            target = self._undo_to(person)
            if not self.may(person).undo or target is None:
                raise Refused("There is nothing you can take back.")
            if self.local:
                await self._rewind(target)
            elif self._asked is not None:
                raise Refused("Somebody has already asked to take back a move.")
            else:
                seat = next(seat.number for seat in self.entry.seats if seat.holder == person)
                self._asked, self._agreed = Asked("undo", seat), {person}
            self.changed()

    async def answer(self, person: str, yes: bool) -> None:
        """Agree to what was asked, or not; taking back needs everybody's consent."""
        async with self._alone():
            if self._asked is None or person not in self.entry.people - self._agreed:
                raise Refused("Nobody has asked you anything.")
            target = self._undo_to(self.entry.seats[self._asked.by - 1].holder or "")
            self._agreed.add(person)
            if not yes or target is None:
                self._asked = None
            elif self._agreed >= self.entry.people:
                self._asked = None
                await self._rewind(target)
            self.changed()

    async def redo(self, person: str) -> None:
        """Play again what was taken back, up to the next decision of a person."""
        table = self.table
        async with self._alone():
            if not self.may(person).redo:
                raise Refused("There is nothing to play again.")
            ahead = table.state.copy()
            for name in self.entry.plies[table.ply :]:
                ahead.play(table.game.action(name))
                if ahead.turn > 0 and self.entry.seats[ahead.turn - 1].kind == "person":
                    break
            await table.forward(len(ahead.history))
            self._cut()
            self.changed()

    async def take_seat(self, person: str, number: int, bot: str | None) -> None:
        """Give a seat to a bot or take it oneself."""
        async with self._alone():
            if number not in self.may(person).switch:
                raise Refused("That seat is not yours to give.")
            if bot is not None:
                make_bot(self.table.game, bot, files=False)
                seat = Seat(number, "bot", bot=bot)
            else:
                seat = Seat(number, "person", await self.house.name_of(person), person)
            await self._sit(seat)

    async def join(self, person: str, token: str) -> None:
        """Take an open seat, by invitation or because the game is listed."""
        async with self._alone():
            entry = self.entry
            if token != entry.token and (token or not entry.listed):
                raise Refused("This invitation is not for this game. Ask for the link again.")
            if person in entry.people:
                return
            open_seat = next((seat for seat in entry.seats if seat.kind == "open"), None)
            if open_seat is None:
                raise Refused("Every seat is taken by now; you can watch.")
            await self._sit(Seat(open_seat.number, "person", await self.house.name_of(person), person))

    async def resign(self, person: str) -> None:
        """Give up."""
        async with self._alone():
            if not self.may(person).resign:
                raise Refused("There is nothing to resign.")
            held = [seat.number for seat in self.entry.seats if seat.holder == person]
            await self._leave(self.table.turn if self.table.turn in held else held[0], "resigned")

    async def restart(self, person: str) -> str:
        """The same game anew, for somebody who plays alone; return its id."""
        async with self._alone():
            if not self.may(person).restart:
                raise Refused("Only a game without other people can be started again.")
            fresh = await self.table.again(self.house.new_seed(), shift=0)
            self._cut()
            self.changed()
            return fresh

    async def rematch(self, person: str) -> str:
        """The same game again with the same people, each a seat further; asked for twice, it is the same rematch."""
        async with self._alone():
            if self.entry.rematch is None:
                if not self.may(person).rematch:
                    raise Refused("A rematch comes after the game.")
                await self.table.again(self.house.new_seed(), shift=1)
                self.changed()
            assert self.entry.rematch is not None
            return self.entry.rematch

    async def _rewind(self, target: int) -> None:
        await self.table.rewind(target)
        self._cut()
        for viewer in self.viewers:
            viewer.known = min(viewer.known, target)

    async def _sit(self, seat: Seat) -> None:
        if self.table.clock is not None:
            seat.left = self.table.clock.now()[seat.number - 1]
        await self.table.seat(seat)
        self._cut()
        self.changed()

    async def _leave(self, player: int, how: str) -> None:
        await self.table.leave(player, how)
        self._asked = None
        self._cut()
        self.changed()

    # ── what people are shown ─────────────────────────────────────────────────────────────────────────────────────────

    def changed(self) -> None:
        """Tell the viewers as soon as there is time for it, and go on."""
        self.used = monotonic()
        self.house.painter.ask(self)
        self.wake()

    def paint(self) -> None:
        """Send every viewer the facts and the scene that are new to them."""
        scenes: dict[tuple[int, bool], Scene] = {}
        for viewer in self.viewers:
            self._tell_facts(viewer)
            key = (self._eyes(viewer.person), viewer.odds and self.odds_allowed)
            if key not in scenes:
                scenes[key] = self.table.state.scene(key[0], odds=key[1])
            viewer.send(self._picture(viewer, scenes[key]))
            viewer.scene, viewer.known = scenes[key], self.table.ply

    def _tell_facts(self, viewer: Viewer) -> None:
        """Send the facts, unless nothing changed but what the scene tells as well."""
        facts = self.info(viewer.person)
        essence = msgspec.json.encode(msgspec.structs.replace(facts, plies=0, scores=[], changed=""))
        if essence != viewer.told:
            viewer.told = essence
            viewer.send({"is": "game"} | msgspec.structs.asdict(facts))

    def _picture(self, viewer: Viewer, scene: Scene) -> dict[str, Any]:
        table, first = self.table, viewer.known
        mine = self.mine(viewer.person)
        seat, clock = table.seat_to_move, table.clock
        content = shown(scene, viewer.scene)
        if not mine:
            content["choices"] = ()
        return {
            "is": "scene",
            "ply": table.ply,
            "from": first,
            "plies": list(zip(self.entry.plies[first : table.ply], table.movers[first:], strict=True)),
            "scene": content,
            "mine": mine,
            "clock": clock and {"left": [round(ms) for ms in clock.now()], "running": clock.running},
            "thinking": seat.number if seat is not None and seat.kind == "bot" else 0,
            "preparing": self._preparing,
            "redo": table.redoable,
        }

    def _eyes(self, person: str) -> int:
        """The player through whose eyes a person looks."""
        if self.mine(person):
            return self.table.turn
        return next((seat.number for seat in self.entry.seats if person and seat.holder == person), 0)

    # ── bots and clocks ───────────────────────────────────────────────────────────────────────────────────────────────

    def wake(self) -> None:
        """Go on if a bot is to move or a clock to run. Bots among themselves play only for somebody who looks."""
        if self._closed:
            return
        if self.table.clock is not None:
            self._wind()
        if self._bot_to_move is not None and not self._bots_play and (self.entry.people or self.viewers):
            self._bots = asyncio.create_task(self._let_bots_play())

    @property
    def _bots_play(self) -> bool:
        return self._bots is not None and not self._bots.done()

    @property
    def _bot_to_move(self) -> Seat | None:
        seat = self.table.seat_to_move
        return seat if seat is not None and seat.kind == "bot" else None

    def _cut(self) -> None:
        """Whatever a bot thinks about is no longer of interest."""
        if self._token is not None:
            self._token.cancel()
            self._token = None

    async def _let_bots_play(self) -> None:
        """Play for bots until a person is to move, the game is over, or nobody looks at bots among themselves."""
        try:
            while (seat := self._bot_to_move) is not None and not self._closed:
                if not self.entry.people:
                    await asyncio.sleep(PACE)
                    if not self.viewers:
                        return
                await self._move(seat)
        except Exception as problem:
            if not isinstance(problem, NotSaved):
                log.exception("A bot of %s came to grief", self.entry.game)
            asyncio.get_running_loop().call_later(RETRY, self.wake)

    async def _move(self, seat: Seat) -> None:
        """Let a bot think, and play what it chose unless something else happened meanwhile."""
        table = self.table
        async with self.lock:  # what is being played may not be saved yet
            if self._bot_to_move is not seat:
                return
            state = table.state.copy()
            self._token = token = CancelToken()
        bot = make_bot(table.game, seat.bot or "1", files=False)
        stream = whim(self.entry.seed, len(state.history))
        # A bot whose clock runs does not wait for machine code.
        wait = self._prepare if table.clock is None else None
        try:
            action = await self.house.thinking.choose(bot, state, stream, token, wait=wait)
        finally:
            self._preparing = False
        async with self.lock:
            if self._token is token and self._bot_to_move is seat:
                await table.advance(action)
                self._asked = None
                self.changed()

    def _prepare(self) -> None:
        """Tell the viewers that a bot waits for its machine code."""
        self._preparing = True
        self.house.painter.ask(self)

    def _wind(self) -> None:
        """Let the right clock run, from the first move on, and ring when it has run out."""
        table, clock = self.table, self.table.clock
        assert clock is not None
        player = table.turn if table.turn > 0 and any(table.movers) else 0
        clock.run(player)
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if player:
            ply = table.ply
            delay = clock.now()[player - 1] / 1000
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(delay, lambda: self.house.spawn(self._ring(player, ply)))

    async def _ring(self, player: int, ply: int) -> None:
        clock = self.table.clock
        async with self.lock:
            if clock is None or self._closed or (self.table.turn, self.table.ply) != (player, ply):
                return
            if clock.now()[player - 1] > 0:
                self._wind()
                return
            try:
                await self._leave(player, "time")
            except NotSaved:
                asyncio.get_running_loop().call_later(RETRY, self.wake)
