"""What the arcade keeps of a game: its seats, its plies and how it stands. Nothing here knows how it is stored."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from json import dumps
from typing import TYPE_CHECKING, Any

from rookery.core.record import Record
from rookery.games import game as make_game

if TYPE_CHECKING:
    from rookery.core.game import Game

DELETED_PERSON = "somebody"
"""The name that takes the place of a deleted person's."""
LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # pragma: allowlist secret
"""Letters and digits of an id; those that look alike are left out."""


def today(now: float) -> str:
    """The day of the daily challenge, at a time of the store; it changes at midnight UTC."""
    return datetime.fromtimestamp(now, UTC).date().isoformat()


def new_id() -> str:
    """A new game id: short enough to read aloud, too long to guess."""
    return "".join(secrets.choice(LETTERS) for _ in range(10))


def new_seed() -> int:
    """A new seed, which nobody can guess."""
    return secrets.randbits(62)


@dataclass
class Seat:
    """A player's seat: held by a person (by id) or a bot (by name), or still open."""

    number: int
    kind: str
    """"person", "open" or "bot"."""
    name: str = ""
    holder: str | None = None
    bot: str | None = None
    left: float | None = None
    """Milliseconds on the clock."""

    @property
    def signature(self) -> str:
        """The player's name as records keep it."""
        return f"bot {self.bot}" if self.kind == "bot" else self.name


@dataclass
class StoredGame:
    """A game as the store keeps it. Plies from `length` on were undone and can be redone."""

    id: str
    game: str
    options: dict[str, Any]
    seed: int
    owner: str
    seats: list[Seat]
    kind: str = "game"
    start: str | None = None
    day: str | None = None
    token: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    odds: str = "ask"
    listed: bool = False
    clock: dict[str, float] | None = None
    status: str = "playing"
    length: int = 0
    takebacks: int = 0
    ending: dict[str, Any] | None = None
    result: dict[str, Any] | None = None
    rematch: str | None = None
    created: float = 0.0
    changed: float = 0.0
    """When it was set up and changed last, in the time of the database."""
    version: int = 0
    """How often the game was changed."""
    asked: dict[str, Any] | None = None
    """A request that waits for answers: "what", "by" which seat, and the people who "agreed"."""
    ticking: int = 0
    """The player whose clock runs; 0 if none does."""
    since: float | None = None
    """Since when it runs, in the time of the database."""
    due: float | None = None
    """When the game has to be looked after, if nobody has changed it by then: a bot moves, or a clock has run out."""
    near: str | None = None
    """A digest of the address of who set it up, while it waits in the lobby."""
    plies: list[str] = field(default_factory=list)
    achievement: str | None = None
    """The owner's achievement, in words."""

    def made(self) -> Game:
        """The game with its options."""
        return make_game(self.game, **self.options)

    def record(self) -> Record:
        """The game as a record, without the plies that were undone."""
        players = tuple(seat.signature for seat in self.seats)
        return Record(
            self.made(), players, tuple(self.plies[: self.length]), self.start, self.result, ending=self.ending
        )

    def outcome(self, seat: Seat, winners: list[int]) -> str | None:
        """How the game ended for a person: "won", "drawn", "lost", or alone "ended"; None against oneself, and for a
        game from a position on, which is practice.
        """
        if self.start is not None or seat.holder is None or sum(each.holder == seat.holder for each in self.seats) > 1:
            return None
        if seat.number in winners:
            return "won" if len(winners) == 1 else "drawn"
        if len(self.seats) == 1:
            return "ended"
        return "lost" if winners else "drawn"

    def open_today(self, now: float) -> bool:
        """Whether this is a challenge of today: until midnight it is its player's alone."""
        return self.kind == "daily" and (self.day or "") >= today(now)

    @property
    def setup(self) -> str | None:
        """A digest of a game for one player and its options, by which results are compared; None if they cannot be."""
        if len(self.seats) > 1 or self.start is not None or self.takebacks:
            return None
        return sha256(dumps([self.game, self.options], sort_keys=True).encode()).hexdigest()[:16]

    @property
    def people(self) -> set[str]:
        """The ids of all people who hold a seat."""
        return {seat.holder for seat in self.seats if seat.holder is not None}

    @property
    def waiting(self) -> bool:
        """Whether a seat is still open."""
        return any(seat.kind == "open" for seat in self.seats)

    @property
    def local(self) -> bool:
        """Whether at most one person takes part and no seat is open."""
        return len(self.people) <= 1 and not self.waiting

    def seats_of(self, person: str) -> list[int]:
        """The seats that a person holds."""
        return [seat.number for seat in self.seats if person and seat.holder == person]
