"""A live game: a game's state in memory and its row in the store, changed together.

A change counts once it is saved; if saving fails, or another server was faster, it is undone. Permissions are the
room's concern.
"""

from __future__ import annotations

import logging
import os
import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from rookery.core.errors import RookeryError
from rookery.core.lesson import chance_stream
from rookery.core.record import Record, result_of
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.games import record as load_record
from rookery.web import metrics, repository
from rookery.web.clock import Clock
from rookery.web.domain import Seat, StoredGame, new_id
from rookery.web.repository import STAND_IN, Advance
from rookery.web.store import Unanswered

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from rookery.core.game import Achievement
    from rookery.core.state import State
    from rookery.web.store import Store

log = logging.getLogger("rookery.web")

BOT_GRACE = float(os.environ.get("ROOKERY_BOT_GRACE", "15"))
"""Seconds after which a bot should have moved. If it has not, its server is gone or very busy, and another one takes
over."""
FRESHNESS = 10.0
"""Seconds by which the stored time of the last change may lag behind: three indexes would change with it."""
FLAG_GRACE = 2.0
"""Seconds after which a server that has the game open should have noticed that a clock ran out."""


class NotSaved(RookeryError):
    """The store failed; the game is unchanged."""


class Conflict(NotSaved):
    """Another server, or somebody before, has changed the game."""

    def __init__(self) -> None:
        super().__init__("The game has moved on; look at the board again.")


class Plies(NamedTuple):
    """What an ordinary action adds to a game."""

    first: int
    names: list[str]


class LiveGame:
    """A game in memory: its state, the player of each ply, its clock, and what the store has of it.

    Nobody owns a game. What is here is a view of the store's, which changes only if nobody else was faster.
    """

    def __init__(self, stored: StoredGame, store: Store) -> None:
        self.stored = stored
        self.game = stored.made()
        self.state: State = self.game.start() if stored.start is None else self.game.position(stored.start)
        self.lesson = self.game.lesson() if stored.kind == "lesson" else None
        """What guides the learner, in a guided first game."""
        self.watched = False
        """Whether somebody watches it on this server."""
        self.movers: list[int] = []
        """The player who played each ply, 0 for chance."""
        self.clock: Clock | None = None
        self._store = store
        if stored.clock is not None:
            self.clock = Clock([], stored.clock["increment"], store.now)
        self._set_clock()
        for name in stored.plies[: stored.length]:
            self._play(self.game.action(name))

    def _set_clock(self) -> None:
        """Set the clock as the store has it."""
        if self.clock is not None:
            self.clock.set([seat.left or 0.0 for seat in self.stored.seats], self.stored.ticking, self.stored.since)

    def after(self, advance: Advance, version: int) -> StoredGame | None:
        """The game as the store has it after an action that another server saved; None if that is not the next one."""
        stored = self.stored
        if advance.version != stored.version or advance.first != self.ply or self.redoable:
            return None
        plies = [*stored.plies, *advance.names]
        changed = stored.changed if advance.changed is None else advance.changed
        new: dict[str, Any] = {
            "plies": plies,
            "length": len(plies),
            "due": advance.due,
            "changed": changed,
            "asked": None,
        }
        return replace(stored, version=version, **new)

    def refresh(self, stored: StoredGame) -> int:
        """Take over what the store has by now; return how many plies still stand."""
        old, new = self.stored.plies[: self.ply], stored.plies[: stored.length]
        pairs = enumerate(zip(old, new, strict=False))
        kept = next((ply for ply, (before, after) in pairs if before != after), min(len(old), len(new)))
        self._undo_to(kept)
        for name in new[kept:]:
            self._play(self.game.action(name))
        vars(self.stored).update(vars(stored))
        self._set_clock()
        return kept

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
        self.stored.created = self.stored.changed = now = self._store.now()
        self._play_chance()
        self.stored.plies = [self.game.name_of(action) for action in self.state.history]
        self.stored.length = self.ply
        self.stored.due = self._due(max(0, self.turn), now, None)
        if self.state.over:
            self.stored.status, self.stored.result = "over", result_of(self.state)
            self._note(self._achievements())

    def insert(self, connection: Connection) -> None:
        """Insert a game that has begun into the store, unless a first try has."""
        if repository.version_of(connection, self.stored.id) is not None:
            return
        repository.add(connection, self.stored)
        if self.stored.result is not None:
            repository.set_outcomes(connection, self.stored, self.stored.result)
            repository.add_achievements(connection, self.stored, self._achievements(), self.stored.plies)

    def next_due(self) -> float | None:
        """When somebody else has to look after the game, if nothing happens from now on. Chance sees to it that two
        servers never say the same, so that each can tell whether the store has what it wrote.
        """
        clock = self.clock
        left = clock.now()[clock.running - 1] if clock is not None and clock.running else None
        due = self._due(max(0, self.turn), self._store.now(), left)
        return None if due is None else due + random.random() / 1000

    @property
    def out_of_time(self) -> int:
        """The player whose clock has run out, or 0."""
        clock = self.clock
        return clock.running if clock is not None and clock.running and clock.now()[clock.running - 1] <= 0 else 0

    async def advance(self, action: int) -> Advance | None:
        """Play an action and the chance plies that follow; an illegal one raises `IllegalAction`. If nothing else has
        changed, return what other servers need to play it too.
        """
        stored, first = self.stored, self.ply
        redone = self.redoable > 0
        left = self.clock.moved() if self.clock is not None else None
        self._play(action)
        try:
            names = [self.game.name_of(each) for each in (action, *self._play_chance())]
            result = result_of(self.state) if self.state.over else None
            changes: dict[str, Any] = {"length": self.ply, "asked": None}
            if self.state.over:
                changes |= {"status": "over", "result": result}
            achieved = self._achievements()

            def work(connection: Connection) -> None:
                repository.append(connection, stored.id, first, names, over=redone)
                if result is not None:
                    repository.set_outcomes(connection, stored, result)
                    repository.add_achievements(connection, stored, achieved, [*stored.plies[:first], *names])

            added = Plies(first, names) if result is None and not redone else work
            advance = await self._save(changes, added, turn=self.state.turn, left=left, whole=True)
        except BaseException:  # a cancelled task too may not leave what is perhaps not saved
            self._undo_to(first)
            raise
        stored.plies[first:] = names
        self._note(achieved)
        return advance

    async def rewind(self, target: int) -> None:
        """Undo to a ply; the plies after it can be redone."""
        stored = self.stored
        changes: dict[str, Any] = {"status": "playing", "result": None, "asked": None}
        changes |= {"length": target, "takebacks": stored.takebacks + 1}

        def work(connection: Connection) -> None:
            repository.set_outcomes(connection, stored, None)
            repository.delete_achievements(connection, stored.id)

        await self._save(changes, work, turn=self.movers[target], plies=target)
        self._undo_to(target)
        stored.achievement = None

    async def forward(self) -> None:
        """Redo up to a person's next decision."""
        stored, first = self.stored, self.ply
        for name in stored.plies[first:]:
            self._play(self.game.action(name))
            if self.state.turn > 0 and stored.seats[self.state.turn - 1].kind == "person":
                break
        target, result = self.ply, result_of(self.state)
        changes = {"length": target, "status": "over" if result else "playing", "result": result}
        achieved = self._achievements()

        def work(connection: Connection) -> None:
            repository.set_outcomes(connection, stored, result)
            repository.add_achievements(connection, stored, achieved, stored.plies[:target])

        try:
            await self._save(changes, work, turn=self.state.turn, whole=target == len(stored.plies))
        except BaseException:  # a cancelled task too may not leave what is perhaps not saved
            self._undo_to(first)
            raise
        self._note(achieved)

    async def ask(self, asked: dict[str, Any] | None) -> None:
        """Put a request to the players, or take it back."""
        await self._save({"asked": asked})

    async def assign_seat(self, seat: Seat, *, full_clock: bool = False) -> None:
        """Assign a seat, with the time that was left or a full clock; the game starts when no seat is open."""
        stored, before = self.stored, self.stored.seats
        left = self.clock.now() if self.clock is not None else None
        if left is not None:
            left[seat.number - 1] = seat.left = _full_clock(stored) or 0.0 if full_clock else left[seat.number - 1]
        seats = [*before[: seat.number - 1], seat, *before[seat.number :]]
        begins = stored.status == "waiting" and all(each.kind != "open" for each in seats)
        changes: dict[str, Any] = {"asked": None}  # who was asked, or who asks, may be gone
        changes |= {"status": "playing", "near": None} if begins else {}
        stored.seats = seats
        try:
            await self._save(changes, lambda connection: repository.set_seat(connection, stored.id, seat), left=left)
        except BaseException:
            stored.seats = before
            raise

    async def forfeit(self, player: int, how: str) -> None:
        """A player resigned or ran out of time: the opponent wins; with more than two players a bot takes over."""
        stored, clock = self.stored, self.clock
        if len(stored.seats) > 2:
            await self.assign_seat(Seat(player, "bot", bot=STAND_IN), full_clock=True)
            return
        ending = {"how": how, "player": player}
        result = result_of(self.state, ending)
        left = clock.now() if clock is not None else None
        if left is not None and how == "time":
            left[player - 1] = 0.0
        await self._save(
            {"status": "over", "ending": ending, "result": result, "asked": None},
            lambda connection: repository.set_outcomes(connection, stored, result),
            left=left,
        )

    async def new_game(self, seed: int, *, shift: int) -> str:
        """Set up a game like this one, with everybody `shift` seats further. Without a shift it is a restart, and an
        unfinished game counts as abandoned. Return the new id.
        """
        old, count = self.stored, len(self.stored.seats)
        seats = []
        for number in range(1, count + 1):
            seat = replace(old.seats[(number - 1 - shift) % count], number=number, left=_full_clock(old))
            if shift and seat.kind == "person" and seat.holder is None:  # they were deleted
                seat = replace(seat, kind="bot", name="", bot=STAND_IN)
            seats.append(seat)
        same = {name: getattr(old, name) for name in ("game", "options", "owner", "start", "odds", "listed", "clock")}
        successor = StoredGame(id=new_id(), seed=seed, seats=seats, **same)
        live = LiveGame(successor, self._store)
        live.begin()
        changes = {"rematch": successor.id} if shift else {"status": "over" if old.status == "over" else "abandoned"}
        await self._save(changes, live.insert)
        return successor.id

    async def _save(
        self,
        changes: dict[str, Any],
        work: Callable[[Connection], None] | Plies | None = None,
        *,
        turn: int | None = None,
        plies: int | None = None,
        left: list[float] | None = None,
        whole: bool = False,
    ) -> Advance | None:
        """Save changes of the game, with what `work` does or adds, in one transaction, if nobody was faster: else
        `Conflict`. Then they hold here too. Returned is what was saved, if it was an ordinary action.

        `turn` and `plies` are the player to move and how many plies there are after the change, `left` the clock. With
        `whole` no ply is undone, which the store keeps as a null length.
        """
        stored, now = self.stored, self._store.now()
        playing = changes.get("status", stored.status) == "playing"
        turn = max(0, self.state.turn if turn is None else turn) if playing else 0  # below 0 the game is over
        began = any(self.movers[:plies]) if plies is not None else any(self.movers)
        before = None if self.clock is None else [seat.left or 0.0 for seat in stored.seats]
        if self.clock is not None and left is None:
            left = self.clock.now()
        # A game of bots only stands still while nobody watches, and so does its clock.
        ticking = turn if left is not None and began and stored.people else 0
        changes = changes | {"changed": now, "ticking": ticking, "since": now if ticking else None}
        changes["due"] = self._due(turn, now, left[ticking - 1] if left is not None and ticking else None)
        version = stored.version

        def transaction(connection: Connection) -> bool:
            columns = changes | {"length": None} if whole else changes
            if not repository.change(connection, stored.id, version, **columns):
                return False
            if isinstance(work, Plies):
                repository.append(connection, stored.id, *work)
            elif work is not None:
                work(connection)
            if left is not None and before is not None:
                repository.set_times(connection, stored.id, before, left)
            return True

        if isinstance(work, Plies) and left is None:
            fresh = now - stored.changed < FRESHNESS
            changes["changed"] = stored.changed if fresh else now
            advance = Advance(stored.id, version, None if fresh else now, changes["due"], *work)
            await self._write(advance)
        else:
            advance = None
            await self._write(transaction)
        vars(stored).update(changes, version=version + 1)
        if left is not None:
            for seat, ms in zip(stored.seats, left, strict=True):
                seat.left = ms
            self._set_clock()
        return advance

    async def _write(self, work: Callable[[Connection], bool]) -> None:
        """Have the store do work on the game, which tells whether the game had the version that is known here."""
        try:
            saved = await self._store.write(work, self.stored.id)
        except Unanswered as problem:
            raise NotSaved(str(problem)) from problem
        except Exception as problem:
            log.error("A game could not be saved: %s", str(problem).splitlines()[:1])  # what follows may hold the row
            raise NotSaved("This could not be saved, so nothing changed. Try again.") from problem
        if not saved:
            metrics.conflicts.add()
            raise Conflict

    def _due(self, turn: int, now: float, left: float | None) -> float | None:
        """When somebody has to look after the game, if nothing happens: a bot should have moved by then, or a clock has
        run out. A game of bots only goes on while somebody watches.
        """
        moments = []
        if turn and self.stored.seats[turn - 1].kind == "bot" and (self.stored.people or self.watched):
            moments.append(now + BOT_GRACE)
        if left is not None:
            moments.append(now + left / 1000 + FLAG_GRACE)
        return min(moments, default=None)

    def _note(self, achieved: list[tuple[Seat, Achievement]]) -> None:
        for seat, achievement in achieved:
            if seat.holder == self.stored.owner:
                self.stored.achievement = achievement.text

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
        against oneself achieves nothing, and neither does a guided game or playing on from a position.
        """
        if not self.state.over or self.lesson is not None or self.stored.start is not None:
            return []
        if self.stored.kind == "daily":
            if not self.stored.open_today(self._store.now()):  # replays of others can be seen since midnight
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


def bot_stream(seed: int, ply: int) -> Stream:
    """The random stream of a bot at a ply."""
    return Stream(seed, 2 * ply + 1)


def _full_clock(stored: StoredGame) -> float | None:
    """A full clock in milliseconds, if the game has one."""
    return stored.clock["minutes"] * 60_000 if stored.clock else None
