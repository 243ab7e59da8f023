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
from typing import TYPE_CHECKING, Any

import msgspec

from rookery.core.bot import make_bot
from rookery.core.errors import RookeryError
from rookery.search.cancel import CancelToken
from rookery.web.bot_pool import visitor_bot
from rookery.web.domain import Seat
from rookery.web.live_game import Conflict, NotSaved, bot_stream
from rookery.web.messages import GameInfo, PendingRequest, Permissions
from rookery.web.permissions import odds_allowed, permissions, undo_target
from rookery.web.views import RoomStatus, game_info, is_local, scene_json

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from rookery.core.scene import Scene
    from rookery.web.fair_queue import Client
    from rookery.web.live_game import LiveGame
    from rookery.web.registry import RoomRegistry
    from rookery.web.viewers import Viewer

log = logging.getLogger("rookery.web")

PACE = 0.5
"""Seconds between moves in a game of bots only."""
PRESENCE = 1.0
"""Seconds after which viewers learn who has come and gone."""
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
        self.viewers: set[Viewer] = set()
        self._newcomers: set[Viewer] = set()
        """Viewers who have been sent nothing yet."""
        self._stale = False
        """Whether all viewers have to be updated."""
        self.used = monotonic()
        self._closed = False
        self._pending: PendingRequest | None = None
        self._agreed: set[str] = set()
        self._bots: asyncio.Task[None] | None = None
        self._token: CancelToken | None = None
        self._preparing = False
        """Whether a bot is waiting for its machine code."""
        self._timer: asyncio.TimerHandle | None = None
        self._presence: asyncio.TimerHandle | None = None
        self._drawn: dict[tuple[int, bool], Scene] = {}
        self._drawn_at: tuple[int, int, str] | None = None

    # ── status ─────────────────────────────────────────────────────────────────────────────────────────────────────

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
                asked=self._pending,
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
        for timer in (self._timer, self._presence):
            if timer is not None:
                timer.cancel()
        for viewer in tuple(self.viewers):
            viewer.close()

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
            self._pending = None
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
            elif self._pending is not None:
                raise Refused("Somebody has already asked to undo a move.")
            else:
                seat = next(seat.number for seat in self.stored.seats if seat.holder == person)
                self._pending, self._agreed = PendingRequest("undo", seat), {person}
            self.changed()

    async def answer(self, person: str, yes: bool) -> None:
        """Answer a request to undo; everybody has to agree."""
        async with self._exclusive():
            if self._pending is None or person not in self.stored.people - self._agreed:
                raise Refused("There is no request to answer.")
            target = undo_target(self.live, self.stored.seats[self._pending.by - 1].holder or "")
            self._agreed.add(person)
            if not yes or target is None:
                self._pending = None
            elif self._agreed >= self.stored.people:
                self._pending = None
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
        for viewer in self.viewers:
            viewer.known_plies = min(viewer.known_plies, target)

    async def _assign_seat(self, seat: Seat) -> None:
        if self.live.clock is not None:
            seat.left = self.live.clock.now()[seat.number - 1]
        await self.live.assign_seat(seat)
        self._cancel_search()
        self.changed()

    async def _forfeit(self, player: int, how: str) -> None:
        await self.live.forfeit(player, how)
        self._pending = None
        self._cancel_search()
        self.changed()

    # ── broadcasting ────────────────────────────────────────────────────────────────────────────────────────────────

    def changed(self) -> None:
        """Schedule an update of all viewers, and let bots and the clock go on."""
        self.used = monotonic()
        self._stale = True
        self.registry.broadcaster.schedule(self)
        self.wake()

    def enter(self, viewer: Viewer) -> None:
        """Let somebody watch. They are sent everything at once; the others learn of them a little later."""
        self.used = monotonic()
        self.viewers.add(viewer)
        self._newcomers.add(viewer)
        self.registry.broadcaster.schedule(self)
        self._presence_changed()
        self.wake()

    def leave(self, viewer: Viewer) -> None:
        """Somebody watches no longer."""
        self.used = monotonic()
        self.viewers.discard(viewer)
        self._newcomers.discard(viewer)
        self._presence_changed()

    def _presence_changed(self) -> None:
        """Tell the viewers soon who is here: many who come or go at once are told of once."""
        if self._presence is None:
            self._presence = asyncio.get_running_loop().call_later(PRESENCE, self._update_presence)

    def _update_presence(self) -> None:
        self._presence = None
        if not self._closed:
            self._stale = True
            self.registry.broadcaster.schedule(self)

    def broadcast(self) -> None:
        """Send every viewer the game info and the scene, as far as they are new. What several are sent is made once."""
        viewers = self.viewers if self._stale else self._newcomers & self.viewers
        self._stale, self._newcomers = False, set()
        scenes: dict[tuple[int, bool], Scene] = {}
        infos: dict[str, tuple[Any, ...]] = {}
        made: dict[Any, bytes] = {}
        for viewer in viewers:
            self._send_info(viewer, infos)
            view = (self._viewpoint(viewer.person), viewer.odds and odds_allowed(self.stored))
            if view not in scenes:
                scenes[view] = self._scene(*view)
            scene, facts = scenes[view], self._facts(self.mine(viewer.person))
            if viewer.scene is scene and viewer.last_facts == facts:
                continue
            key = (view, facts["mine"], viewer.known_plies, id(viewer.scene))
            if key not in made:
                made[key] = msgspec.json.encode(self._scene_message(viewer, scene, facts))
            viewer.send(made[key])
            viewer.scene, viewer.known_plies, viewer.last_facts = scene, self.live.ply, facts

    def _scene(self, player: int, odds: bool) -> Scene:
        """What a player sees. As long as nothing changes it is drawn once."""
        at = (self.live.ply, self.stored.takebacks, self.stored.status)
        if self._drawn_at != at:
            self._drawn_at = at
            self._drawn.clear()
        if (player, odds) not in self._drawn:
            self._drawn[player, odds] = self.live.state.scene(player, odds=odds)
        return self._drawn[player, odds]

    def _send_info(self, viewer: Viewer, infos: dict[str, tuple[Any, ...]]) -> None:
        """Send the game info, unless nothing of it changed but what the scene message repeats. All who only watch get
        the same.
        """
        takes_part = viewer.person in self.stored.people or viewer.person == self.stored.owner
        person = viewer.person if takes_part else ""
        if person not in infos:
            infos[person] = self._info_key(person)
        if infos[person] != viewer.last_info:
            viewer.last_info = infos[person]
            viewer.send({"is": "game"} | msgspec.structs.asdict(self.info(person)))

    def _info_key(self, person: str) -> tuple[Any, ...]:
        """What the game info for a person depends on, without what the scene message repeats."""
        stored = self.stored
        return (
            *(stored.status, stored.ending, stored.takebacks, stored.rematch, stored.feat, self._pending),
            [(seat.kind, seat.name, seat.bot, seat.holder) for seat in stored.seats],
            *(len(self.viewers), {viewer.person for viewer in self.viewers} & stored.people),
            self.may(person),
        )

    def _facts(self, mine: bool) -> dict[str, Any]:
        """What a scene message says beside the scene."""
        live, seat = self.live, self.live.seat_to_move
        return {
            "ply": live.ply,
            "mine": mine,
            "thinking": seat.number if seat is not None and seat.kind == "bot" else 0,
            "preparing": self._preparing,
            "redo": live.redoable,
        }

    def _scene_message(self, viewer: Viewer, scene: Scene, facts: dict[str, Any]) -> dict[str, Any]:
        live, clock, first = self.live, self.live.clock, viewer.known_plies
        content = scene_json(scene, viewer.scene)
        if not facts["mine"]:
            content["choices"] = ()
        return {
            "is": "scene",
            "from": first,
            "plies": list(zip(self.stored.plies[first : live.ply], live.movers[first:], strict=True)),
            "scene": content,
            "clock": clock and {"left": [round(ms) for ms in clock.now()], "running": clock.running},
            **facts,
        }

    def _viewpoint(self, person: str) -> int:
        """The player whose view of the game a person gets; 0 for watchers."""
        if self.mine(person):
            return self.live.turn
        return next((seat.number for seat in self.stored.seats if person and seat.holder == person), 0)

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
        stream = bot_stream(self.stored.seed, len(state.history))
        # A bot whose clock runs does not wait for machine code.
        wait = self._prepare if live.clock is None else None
        try:
            action = await self.registry.bots.choose(bot, state, stream, token, self.client, wait=wait)
        finally:
            self._preparing = False
        async with self.lock:
            if self._token is token and self._bot_to_move is seat:
                await live.advance(action)
                self._pending = None
                self.changed()

    def _prepare(self) -> None:
        """Tell the viewers that a bot is waiting for its machine code."""
        self._preparing = True
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
