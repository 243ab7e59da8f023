"""A table: one game and its entry in the store, changed together. Nothing has happened before it is written down.

Every change first goes into the store; if it cannot be saved, the game stays as it was. Who may do what is the room's
business.
"""

from __future__ import annotations

import logging
from time import time
from typing import TYPE_CHECKING, Any

from rookery.core.errors import RookeryError
from rookery.core.record import Record, result_of
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.games import record as load_record
from rookery.web import ledger
from rookery.web.clock import Clock
from rookery.web.ledger import STAND_IN, Entry, Seat, new_id

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from rookery.core.game import Feat
    from rookery.core.state import State
    from rookery.web.store import Store

log = logging.getLogger("rookery.web")

FRESHNESS = 10
"""Seconds by which the store may be behind in when a game was last played; that alone is not worth a write."""


class NotSaved(RookeryError):
    """The store is in trouble; the game is as it was."""


class Table:
    """A game under way: its state, who moved at each ply, its clock, its entry."""

    def __init__(self, entry: Entry, store: Store) -> None:
        self.entry = entry
        self.game = entry.made()
        self.state: State = self.game.start() if entry.start is None else self.game.position(entry.start)
        self.movers: list[int] = []
        """The player who played each ply, 0 for chance."""
        self.clock: Clock | None = None
        if entry.clock is not None:
            self.clock = Clock([seat.left or 0.0 for seat in entry.seats], entry.clock["increment"])
        self._store = store
        for name in entry.plies[: entry.length]:
            self._step(self.game.action(name))

    @property
    def ply(self) -> int:
        """How many plies have been played."""
        return len(self.movers)

    @property
    def turn(self) -> int:
        """The player to move; 0 or less if the game does not run."""
        return self.state.turn if self.entry.status == "playing" else 0

    @property
    def seat_to_move(self) -> Seat | None:
        return self.entry.seats[self.turn - 1] if self.turn > 0 else None

    @property
    def redoable(self) -> int:
        """How many plies that were taken back can be played again."""
        return len(self.entry.plies) - self.ply

    def begin(self) -> None:
        """Draw what chance brings at the start; for a game not yet in the store."""
        self._draw()
        self.entry.plies = [self.game.name_of(action) for action in self.state.history]
        self.entry.length = self.ply

    async def advance(self, action: int) -> None:
        """Play a legal action and what chance makes of it."""
        entry, clock, first = self.entry, self.clock, self.ply
        redone = self.redoable > 0
        left = clock.moved() if clock is not None else None
        self._step(action)
        try:
            self._draw()
            names = [self.game.name_of(each) for each in self.state.history[first:]]
            facts: dict[str, Any] = {}
            if self.state.over:
                facts = {"status": "over", "result": result_of(self.state)}
            if facts or time() - entry.changed > FRESHNESS:
                facts["changed"] = time()
            feats = self._feats()

            def work(connection: Connection) -> None:
                ledger.append(connection, entry.id, first, names, over=redone)
                if facts:
                    ledger.change(connection, entry.id, **facts)
                if left is not None:
                    ledger.set_left(connection, entry.id, left)
                ledger.add_feats(connection, entry, feats)

            await self._save(work)
        except Exception:
            self._take_back(first)
            raise
        if clock is not None:
            clock.stop(left)
        entry.plies[first:] = names
        entry.length = self.ply
        self._note(facts, feats)

    async def rewind(self, target: int) -> None:
        """Take back to a ply; the plies after it stay, to be played again."""
        entry = self.entry
        back = {"status": "playing", "result": None, "changed": time()}
        facts = {"length": target, "takebacks": entry.takebacks + 1, **back}

        def work(connection: Connection) -> None:
            ledger.change(connection, entry.id, **facts)
            ledger.drop_feats(connection, entry.id)

        await self._save(work)
        self._take_back(target)
        self._note(facts, [])
        entry.feat = None

    async def forward(self, target: int) -> None:
        """Play plies that were taken back again."""
        entry, first = self.entry, self.ply
        for name in entry.plies[first:target]:
            self._step(self.game.action(name))
        result = result_of(self.state)
        facts = {"length": target, "status": "over" if result else "playing", "result": result, "changed": time()}
        feats = self._feats()
        whole = target == len(entry.plies)  # then the store counts them again, also those still to come

        def work(connection: Connection) -> None:
            ledger.change(connection, entry.id, **facts | {"length": None if whole else target})
            ledger.add_feats(connection, entry, feats)

        try:
            await self._save(work)
        except Exception:
            self._take_back(first)
            raise
        self._note(facts, feats)

    async def seat(self, seat: Seat) -> None:
        """Put somebody on a seat; the game begins when the last one is taken."""
        entry = self.entry
        seats = [*entry.seats[: seat.number - 1], seat, *entry.seats[seat.number :]]
        begins = entry.status == "waiting" and all(each.kind != "open" for each in seats)
        facts = {"status": "playing" if begins else entry.status, "changed": time()}

        def work(connection: Connection) -> None:
            ledger.seat(connection, entry.id, seat)
            ledger.change(connection, entry.id, **facts)

        await self._save(work)
        entry.seats = seats
        self._note(facts, [])

    async def leave(self, player: int, how: str) -> None:
        """A player resigned or ran out of time: of two the other wins; with more players a bot plays on."""
        entry, clock = self.entry, self.clock
        if len(entry.seats) > 2:
            await self.seat(Seat(player, "bot", bot=STAND_IN, left=_fresh(entry)))
            if clock is not None:
                clock.stop()  # what has run since the last move is the player's own
                clock.left[player - 1] = _fresh(entry) or 0.0
            return
        ending = {"how": how, "player": player}
        facts = {"status": "over", "ending": ending, "result": result_of(self.state, ending), "changed": time()}
        left = clock.now() if clock is not None else None

        def work(connection: Connection) -> None:
            ledger.change(connection, entry.id, **facts)
            if left is not None:
                ledger.set_left(connection, entry.id, left)

        await self._save(work)
        if clock is not None:
            clock.stop(left)
        self._note(facts, [])

    async def again(self, seed: int, *, shift: int) -> str:
        """Set up a new game like this one, everybody moved on by some seats; a game played alone and not over is
        abandoned for it. Return its id.
        """
        old, count = self.entry, len(self.entry.seats)
        seats = []
        for number in range(1, count + 1):
            was = old.seats[(number - 1 - shift) % count]
            seats.append(Seat(number, was.kind, was.name, was.holder, was.bot, _fresh(old)))
        same = {name: getattr(old, name) for name in ("game", "options", "owner", "start", "odds", "listed", "clock")}
        fresh = Entry(id=new_id(), seed=seed, seats=seats, **same)
        Table(fresh, self._store).begin()
        facts = {"rematch": fresh.id} if shift else {"status": "over" if old.status == "over" else "abandoned"}

        def work(connection: Connection) -> None:
            ledger.add(connection, fresh)
            ledger.change(connection, old.id, **facts)

        await self._save(work)
        self._note(facts, [])
        return fresh.id

    async def _save(self, work: Any) -> None:
        try:
            await self._store.write(work)
        except Exception as problem:
            log.error("A change of a game could not be saved: %s", problem)
            raise NotSaved("This could not be saved, so it did not happen. Try again.") from problem

    def _note(self, facts: dict[str, Any], feats: list[tuple[Seat, Feat]]) -> None:
        for name, value in facts.items():
            setattr(self.entry, name, value)
        for seat, feat in feats:
            if seat.holder == self.entry.owner:
                self.entry.feat = feat.text

    def _step(self, action: int) -> None:
        mover = self.state.turn
        self.state.play(action)
        self.movers.append(mover)

    def _draw(self) -> None:
        """Let chance take its turns. Each ply has its own stream, so what was taken back cannot be drawn anew."""
        while self.state.turn == CHANCE:
            self._step(self.state.draw(luck(self.entry.seed, self.ply)))

    def _take_back(self, target: int) -> None:
        while self.ply > target:
            self.state.undo()
            self.movers.pop()

    def _feats(self) -> list[tuple[Seat, Feat]]:
        """What the people in a game that is over achieved; a daily challenge is checked by replaying it first. Who
        played against themselves achieved nothing.
        """
        if not self.state.over:
            return []
        if self.entry.kind == "daily":
            self._check_daily()
        holders = [seat.holder for seat in self.entry.seats]
        found = []
        for seat in self.entry.seats:
            feat = self.game.feat(self.state, seat.number)
            if feat is not None and seat.holder and holders.count(seat.holder) == 1:
                found.append((seat, feat))
        return found

    def _check_daily(self) -> None:
        """Replay the record by the rules, with the luck of the day."""
        played = self.state.history
        names = tuple(self.game.name_of(action) for action in played)
        players = tuple(seat.signature for seat in self.entry.seats)
        record = load_record(Record(self.game, players, names, self.entry.start, result_of(self.state)).line())
        for ply, state in enumerate(record.states()):
            if state.turn == CHANCE and played[ply] != state.draw(luck(self.entry.seed, ply)):
                raise NotSaved("This game did not have the luck of the day.")


def luck(seed: int, ply: int) -> Stream:
    """What chance draws from at a ply of a game."""
    return Stream(seed, 2 * ply)


def whim(seed: int, ply: int) -> Stream:
    """What a bot draws from at a ply of a game."""
    return Stream(seed, 2 * ply + 1)


def _fresh(entry: Entry) -> float | None:
    """A full clock, if the game has one."""
    return entry.clock["minutes"] * 60_000 if entry.clock else None
