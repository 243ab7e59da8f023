"""A live game: a game's state in memory and its row in the store, changed together.

A change counts once it is saved; if saving fails, it is undone. Permissions are the room's concern.
"""

from __future__ import annotations

import logging
from time import time
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import IntegrityError

from rookery.core.errors import RookeryError
from rookery.core.record import Record, result_of
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.games import record as load_record
from rookery.web import repository
from rookery.web.clock import Clock
from rookery.web.domain import Seat, StoredGame, new_id
from rookery.web.repository import STAND_IN

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from rookery.core.game import Achievement
    from rookery.core.state import State
    from rookery.web.store import Store

log = logging.getLogger("rookery.web")

FRESHNESS = 10
"""Seconds by which the stored time of the last move may lag behind; that alone is not worth a write."""


class NotSaved(RookeryError):
    """The store failed; the game is unchanged."""


class Conflict(NotSaved):
    """The store has another history of the game than this process."""


class LiveGame:
    """A game in memory: its state, the player of each ply, its clock, and what the store has of it."""

    def __init__(self, stored: StoredGame, store: Store) -> None:
        self.stored = stored
        self.game = stored.made()
        self.state: State = self.game.start() if stored.start is None else self.game.position(stored.start)
        self.movers: list[int] = []
        """The player who played each ply, 0 for chance."""
        self.clock: Clock | None = None
        if stored.clock is not None:
            self.clock = Clock([seat.left or 0.0 for seat in stored.seats], stored.clock["increment"])
        self._store = store
        for name in stored.plies[: stored.length]:
            self._play(self.game.action(name))

    @property
    def ply(self) -> int:
        """How many plies have been played."""
        return len(self.movers)

    @property
    def turn(self) -> int:
        """The player to move; 0 or less if the game is not being played."""
        return self.state.turn if self.stored.status == "playing" else 0

    @property
    def seat_to_move(self) -> Seat | None:
        return self.stored.seats[self.turn - 1] if self.turn > 0 else None

    @property
    def redoable(self) -> int:
        """How many plies can be redone."""
        return len(self.stored.plies) - self.ply

    def begin(self) -> None:
        """Play chance's plies at the start of a game that is not in the store yet.

        They may end it: on a small board of 67!, no slide may be possible from the first tiles.
        """
        self._play_chance()
        self.stored.plies = [self.game.name_of(action) for action in self.state.history]
        self.stored.length = self.ply
        if self.state.over:
            self._apply({"status": "over", "result": result_of(self.state)}, self._achievements())

    def insert(self, connection: Connection) -> None:
        """Insert a game that has begun into the store."""
        repository.add(connection, self.stored)
        if self.stored.result is not None:
            repository.set_outcomes(connection, self.stored, self.stored.result)
            repository.add_achievements(connection, self.stored, self._achievements(), self.stored.plies)

    async def advance(self, action: int) -> None:
        """Play an action and the chance plies that follow; an illegal one raises `IllegalAction`."""
        stored, clock, first = self.stored, self.clock, self.ply
        redone = self.redoable > 0
        left = clock.moved() if clock is not None else None
        self._play(action)
        try:
            names = [self.game.name_of(each) for each in (action, *self._play_chance())]
            changes: dict[str, Any] = {}
            if self.state.over:
                changes = {"status": "over", "result": result_of(self.state)}
            if changes or time() - stored.changed > FRESHNESS:
                changes["changed"] = time()
            achieved = self._achievements()

            def work(connection: Connection) -> None:
                repository.append(connection, stored.id, first, names, over=redone)
                if changes:
                    repository.change(connection, stored.id, **changes)
                if left is not None:
                    repository.set_left(connection, stored.id, left)
                if "result" in changes:
                    repository.set_outcomes(connection, stored, changes["result"])
                    repository.add_achievements(connection, stored, achieved, [*stored.plies[:first], *names])

            await self._save(work)
        except Exception:
            self._undo_to(first)
            raise
        if clock is not None:
            clock.stop(left)
        stored.plies[first:] = names
        stored.length = self.ply
        self._apply(changes, achieved)

    async def rewind(self, target: int) -> None:
        """Undo to a ply; the plies after it can be redone."""
        stored = self.stored
        back = {"status": "playing", "result": None, "changed": time()}
        changes = {"length": target, "takebacks": stored.takebacks + 1, **back}

        def work(connection: Connection) -> None:
            repository.change(connection, stored.id, **changes)
            repository.set_outcomes(connection, stored, None)
            repository.delete_achievements(connection, stored.id)

        await self._save(work)
        self._undo_to(target)
        self._apply(changes, [])
        stored.feat = None

    async def forward(self) -> None:
        """Redo up to a person's next decision."""
        stored, first = self.stored, self.ply
        for name in stored.plies[first:]:
            self._play(self.game.action(name))
            if self.state.turn > 0 and stored.seats[self.state.turn - 1].kind == "person":
                break
        target, result = self.ply, result_of(self.state)
        changes = {"length": target, "status": "over" if result else "playing", "result": result, "changed": time()}
        achieved = self._achievements()
        redo_all = target == len(stored.plies)  # a null length in the store means all plies, later ones too

        def work(connection: Connection) -> None:
            repository.change(connection, stored.id, **changes | {"length": None if redo_all else target})
            repository.set_outcomes(connection, stored, result)
            repository.add_achievements(connection, stored, achieved, stored.plies[:target])

        try:
            await self._save(work)
        except Exception:
            self._undo_to(first)
            raise
        self._apply(changes, achieved)

    async def assign_seat(self, seat: Seat) -> None:
        """Assign a seat; the game starts when no seat is open."""
        stored = self.stored
        seats = [*stored.seats[: seat.number - 1], seat, *stored.seats[seat.number :]]
        begins = stored.status == "waiting" and all(each.kind != "open" for each in seats)
        changes = {"status": "playing" if begins else stored.status, "changed": time()}

        def work(connection: Connection) -> None:
            repository.set_seat(connection, stored.id, seat)
            repository.change(connection, stored.id, **changes)

        await self._save(work)
        stored.seats = seats
        self._apply(changes, [])

    async def forfeit(self, player: int, how: str) -> None:
        """A player resigned or ran out of time: the opponent wins; with more than two players a bot takes over."""
        stored, clock = self.stored, self.clock
        if len(stored.seats) > 2:
            await self.assign_seat(Seat(player, "bot", bot=STAND_IN, left=_full_clock(stored)))
            if clock is not None:
                clock.stop()  # charge the time since the last move
                clock.left[player - 1] = _full_clock(stored) or 0.0
            return
        ending = {"how": how, "player": player}
        result = result_of(self.state, ending)
        changes = {"status": "over", "ending": ending, "result": result, "changed": time()}
        left = clock.now() if clock is not None else None

        def work(connection: Connection) -> None:
            repository.change(connection, stored.id, **changes)
            repository.set_outcomes(connection, stored, result)
            if left is not None:
                repository.set_left(connection, stored.id, left)

        await self._save(work)
        if clock is not None:
            clock.stop(left)
        self._apply(changes, [])

    async def new_game(self, seed: int, *, shift: int) -> str:
        """Set up a game like this one, with everybody `shift` seats further. Without a shift it is a restart, and an
        unfinished game counts as abandoned. Return the new id.
        """
        old, count = self.stored, len(self.stored.seats)
        seats = []
        for number in range(1, count + 1):
            previous = old.seats[(number - 1 - shift) % count]
            seats.append(Seat(number, previous.kind, previous.name, previous.holder, previous.bot, _full_clock(old)))
        same = {name: getattr(old, name) for name in ("game", "options", "owner", "start", "odds", "listed", "clock")}
        successor = StoredGame(id=new_id(), seed=seed, seats=seats, **same)
        live = LiveGame(successor, self._store)
        live.begin()
        changes = {"rematch": successor.id} if shift else {"status": "over" if old.status == "over" else "abandoned"}

        def work(connection: Connection) -> None:
            live.insert(connection)
            repository.change(connection, old.id, **changes)

        await self._save(work)
        self._apply(changes, [])
        return successor.id

    async def _save(self, work: Any) -> None:
        try:
            await self._store.write(work)
        except IntegrityError:
            raise Conflict("This game was changed elsewhere; it is loaded anew. Look at the board again.") from None
        except Exception as problem:
            log.error("A game could not be saved: %s", problem)
            raise NotSaved("This could not be saved, so nothing changed. Try again.") from problem

    def _apply(self, changes: dict[str, Any], achieved: list[tuple[Seat, Achievement]]) -> None:
        for name, value in changes.items():
            setattr(self.stored, name, value)
        for seat, feat in achieved:
            if seat.holder == self.stored.owner:
                self.stored.feat = feat.text

    def _play(self, action: int) -> None:
        mover = self.state.turn
        self.state.play(action)
        self.movers.append(mover)

    def _play_chance(self) -> list[int]:
        """Play chance's plies and return them. Each has its own stream, so an undo and redo draws the same outcome."""
        played = []
        while self.state.turn == CHANCE:
            played.append(self.state.draw(chance_stream(self.stored.seed, self.ply)))
            self._play(played[-1])
        return played

    def _undo_to(self, target: int) -> None:
        while self.ply > target:
            self.state.undo()
            self.movers.pop()

    def _achievements(self) -> list[tuple[Seat, Achievement]]:
        """The achievements of the people in a finished game; a daily challenge is verified by a replay first. Playing
        against oneself achieves nothing.
        """
        if not self.state.over:
            return []
        if self.stored.kind == "daily":
            if not self.stored.open_today:  # replays of others can be seen since midnight
                return []
            self._check_daily()
        holders = [seat.holder for seat in self.stored.seats]
        found = []
        for seat in self.stored.seats:
            achievement = self.game.achievement(self.state, seat.number)
            if achievement is not None and seat.holder and holders.count(seat.holder) == 1:
                found.append((seat, achievement))
        return found

    def _check_daily(self) -> None:
        """Replay the record by the rules, with the chance outcomes of the day."""
        played = self.state.history
        names = tuple(self.game.name_of(action) for action in played)
        players = tuple(seat.signature for seat in self.stored.seats)
        record = load_record(Record(self.game, players, names, self.stored.start, result_of(self.state)).line())
        for ply, state in enumerate(record.states()):
            if state.turn == CHANCE and played[ply] != state.draw(chance_stream(self.stored.seed, ply)):
                raise NotSaved("This game differs from the challenge of the day.")


def chance_stream(seed: int, ply: int) -> Stream:
    """The random stream of chance at a ply."""
    return Stream(seed, 2 * ply)


def bot_stream(seed: int, ply: int) -> Stream:
    """The random stream of a bot at a ply."""
    return Stream(seed, 2 * ply + 1)


def _full_clock(stored: StoredGame) -> float | None:
    """A full clock in milliseconds, if the game has one."""
    return stored.clock["minutes"] * 60_000 if stored.clock else None
