"""Games as the store keeps them: who sits where, every ply by name, how it stands. All SQL about games lives here."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from time import time
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, func, insert, select, update

from rookery.core.record import Record
from rookery.games import game as make_game
from rookery.web.tables import feats, games, people, plies, seats

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection, RowMapping

    from rookery.core.game import Feat, Game

STAND_IN = "5"
"""The bot that plays on for somebody who left a game of more than two."""
BATCH = 500
"""Games asked for in one statement, which has room for so many ids."""
LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
ABANDONED_AFTER = 24 * 3600
"""Seconds without a move after which an unfinished game counts as abandoned."""


def new_id() -> str:
    """A name for a game, short enough to read out and too long to guess."""
    return "".join(secrets.choice(LETTERS) for _ in range(10))


@dataclass
class Seat:
    """Who plays a number: a person by their id, a bot by its name, or nobody yet."""

    number: int
    kind: str
    name: str = ""
    holder: str | None = None
    bot: str | None = None
    left: float | None = None

    @property
    def signature(self) -> str:
        """The player's name as records keep it."""
        return f"bot {self.bot}" if self.kind == "bot" else self.name


@dataclass
class Entry:
    """A game in the store. Plies from `length` on were taken back and can be played again."""

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
    created: float = field(default_factory=time)
    changed: float = field(default_factory=time)
    plies: list[str] = field(default_factory=list)
    feat: str | None = None
    """What the owner achieved, in words."""

    def made(self) -> Game:
        """The game with its options."""
        return make_game(self.game, **self.options)

    def record(self) -> Record:
        """The game as a record, without what was taken back."""
        players = tuple(seat.signature for seat in self.seats)
        return Record(
            self.made(), players, tuple(self.plies[: self.length]), self.start, self.result, ending=self.ending
        )

    @property
    def people(self) -> set[str]:
        """Everybody who holds a seat."""
        return {seat.holder for seat in self.seats if seat.holder is not None}

    @property
    def waiting(self) -> bool:
        """Whether a seat is still open."""
        return any(seat.kind == "open" for seat in self.seats)


COLUMNS = [column.name for column in games.columns]


def add(connection: Connection, entry: Entry) -> None:
    """Put a new game into the store."""
    connection.execute(insert(games).values({name: getattr(entry, name) for name in COLUMNS} | {"length": None}))
    connection.execute(insert(seats), [_row(entry.id, seat) for seat in entry.seats])
    if entry.plies:
        append(connection, entry.id, 0, entry.plies)


def append(connection: Connection, id: str, first: int, names: Iterable[str], *, over: bool = False) -> None:
    """Add plies from number `first` on; `over` says that some which were taken back stand there."""
    if over:
        connection.execute(delete(plies).where(plies.c.game_id == id, plies.c.number >= first))
        change(connection, id, length=None)
    rows = [{"game_id": id, "number": number, "name": name} for number, name in enumerate(names, start=first)]
    connection.execute(insert(plies), rows)


def change(connection: Connection, id: str, **columns: Any) -> None:
    """Set columns of a game."""
    connection.execute(update(games).where(games.c.id == id).values(columns))


def seat(connection: Connection, id: str, seat: Seat) -> None:
    """Set who sits on a seat, and the time they have left."""
    where = (seats.c.game_id == id) & (seats.c.number == seat.number)
    connection.execute(update(seats).where(where).values(_row(id, seat)))


def set_left(connection: Connection, id: str, left: list[float]) -> None:
    """Set the time that each player has left."""
    for number, ms in enumerate(left, start=1):
        where = (seats.c.game_id == id) & (seats.c.number == number)
        connection.execute(update(seats).where(where).values(left=ms))


def add_feats(connection: Connection, entry: Entry, achieved: list[tuple[Seat, Feat]]) -> None:
    """Note what people achieved in a game that has just ended."""
    for seat, feat in achieved:
        row = {
            "game_id": entry.id,
            "seat": seat.number,
            "person": seat.holder,
            "game": entry.game,
            "day": entry.day,
            "points": feat.points,
            "text": feat.text,
            "takebacks": entry.takebacks,
        }
        connection.execute(insert(feats).values(row))


def drop_feats(connection: Connection, id: str) -> None:
    """Forget what was achieved in a game whose end was taken back."""
    connection.execute(delete(feats).where(feats.c.game_id == id))


def load(connection: Connection, id: str) -> Entry | None:
    """A game, whole."""
    row = connection.execute(select(games).where(games.c.id == id)).mappings().first()
    if row is None:
        return None
    entry = _entries(connection, [row])[0]
    found = connection.execute(select(plies.c.name).where(plies.c.game_id == id).order_by(plies.c.number))
    entry.plies = [name for (name,) in found]
    return entry


def mine(connection: Connection, person: str, limit: int) -> list[Entry]:
    """The games a person set up or holds a seat in, the latest first; without their plies."""
    return _listed(connection, _of(person), limit)


def ids_of(connection: Connection, person: str) -> set[str]:
    """The ids of the games a person set up or holds a seat in."""
    return set(connection.execute(select(games.c.id).where(_of(person))).scalars())


def open_to_all(connection: Connection, status: str, since: float, limit: int) -> list[Entry]:
    """Listed games in which something happened lately; without their plies."""
    return _listed(connection, (games.c.status == status) & games.c.listed & (games.c.changed > since), limit)


def daily(connection: Connection, person: str, game: str, day: str) -> Entry | None:
    """A person's game of a daily challenge; without its plies."""
    where = (games.c.owner == person) & (games.c.game == game) & (games.c.day == day) & (games.c.kind == "daily")
    return next(iter(_listed(connection, where, 1)), None)


def name_of(connection: Connection, person: str) -> str:
    """What a person wants to be called; nothing if they have not said."""
    return connection.execute(select(people.c.name).where(people.c.id == person)).scalar() or ""


def rename(connection: Connection, person: str, name: str) -> None:
    """Call a person something else, in games past and present."""
    if connection.execute(update(people).where(people.c.id == person).values(name=name)).rowcount == 0:
        connection.execute(insert(people).values(id=person, name=name, created=time()))
    connection.execute(update(seats).where(seats.c.holder == person).values(name=name))


def forget(connection: Connection, person: str) -> None:
    """Delete a person: their name, what they achieved, and every game that nobody else has a part in. In a game of
    more than two that goes on without them, a bot has their seat.
    """
    others = select(seats.c.number).where(seats.c.game_id == games.c.id, seats.c.holder != person)
    connection.execute(delete(games).where(_of(person), ~others.exists()))  # and with it its seats, plies and feats
    connection.execute(update(games).where(games.c.owner == person).values(owner=""))
    third = seats.alias()
    unfinished = select(third.c.number).where(
        third.c.game_id == seats.c.game_id,
        third.c.number == 3,
        games.c.id == third.c.game_id,
        games.c.status.in_(("waiting", "playing")),
    )
    held = update(seats).where(seats.c.holder == person)
    connection.execute(held.where(unfinished.exists()).values(holder=None, name="", kind="bot", bot=STAND_IN))
    connection.execute(held.values(holder=None, name="somebody"))
    connection.execute(delete(feats).where(feats.c.person == person))
    connection.execute(delete(people).where(people.c.id == person))


def ranking(connection: Connection, game: str, day: str, limit: int) -> list[tuple[str, str, str, float]]:
    """Game, person, words and points of the best on a day, best first."""
    found = connection.execute(
        select(feats.c.game_id, feats.c.person, feats.c.text, feats.c.points)
        .where(feats.c.game == game, feats.c.day == day)
        .order_by(feats.c.points.desc(), feats.c.game_id)
        .limit(limit)
    )
    return [(row.game_id, row.person, row.text, row.points) for row in found]


def standing(connection: Connection, game: str, day: str, person: str) -> tuple[int | None, int, str | None]:
    """A person's rank on a day, how many took part, and what the person achieved."""
    where = (feats.c.game == game) & (feats.c.day == day)
    count = connection.execute(select(func.count()).select_from(feats).where(where)).scalar() or 0
    own = connection.execute(select(feats.c.points, feats.c.text).where(where & (feats.c.person == person))).first()
    if own is None:
        return None, count, None
    better = connection.execute(select(func.count()).select_from(feats).where(where & (feats.c.points > own.points)))
    return (better.scalar() or 0) + 1, count, own.text


def days_of(connection: Connection, person: str, game: str) -> list[str]:
    """The days whose challenge a person finished, the latest first."""
    found = connection.execute(
        select(feats.c.day)
        .where(feats.c.person == person, feats.c.game == game, feats.c.day.is_not(None))
        .order_by(feats.c.day.desc())
    )
    return [day for (day,) in found]


def best(connection: Connection, person: str, game: str) -> str | None:
    """The best a person achieved in a game without taking anything back; a loss or a draw is not worth a mention."""
    found = connection.execute(
        select(feats.c.text)
        .where(feats.c.person == person, feats.c.game == game, feats.c.takebacks == 0, feats.c.points > 0)
        .order_by(feats.c.points.desc())
        .limit(1)
    )
    return found.scalar()


def feats_of(connection: Connection, person: str) -> list[dict[str, Any]]:
    """Everything a person achieved."""
    found = connection.execute(select(feats).where(feats.c.person == person)).mappings()
    return [{name: row[name] for name in ("game_id", "game", "day", "points", "text")} for row in found]


def _row(id: str, seat: Seat) -> dict[str, Any]:
    fields = ("number", "kind", "holder", "name", "bot", "left")
    return {"game_id": id} | {name: getattr(seat, name) for name in fields}


def _of(person: str) -> Any:
    held = select(seats.c.game_id).where(seats.c.holder == person)
    return games.c.id.in_(held) | (games.c.owner == person)


def _listed(connection: Connection, where: Any, limit: int) -> list[Entry]:
    found = connection.execute(select(games).where(where).order_by(games.c.changed.desc()).limit(limit)).mappings()
    rows = list(found)
    parts = [rows[first : first + BATCH] for first in range(0, len(rows), BATCH)]
    return [entry for part in parts for entry in _entries(connection, part)]


def _entries(connection: Connection, rows: list[RowMapping]) -> list[Entry]:
    entries = {row["id"]: Entry(**{name: row[name] for name in COLUMNS}, seats=[]) for row in rows}
    whole = [id for id, entry in entries.items() if entry.length is None]
    for entry in entries.values():
        entry.length = entry.length or 0
    counts = select(plies.c.game_id, func.count()).where(plies.c.game_id.in_(whole)).group_by(plies.c.game_id)
    for id, count in connection.execute(counts):
        entries[id].length = count
    found = connection.execute(
        select(seats).where(seats.c.game_id.in_(entries)).order_by(seats.c.game_id, seats.c.number)
    )
    for row in found:
        entries[row.game_id].seats.append(Seat(row.number, row.kind, row.name, row.holder, row.bot, row.left))
    words = connection.execute(
        select(feats.c.game_id, feats.c.person, feats.c.text).where(feats.c.game_id.in_(entries))
    )
    for row in words:
        if row.person == entries[row.game_id].owner:
            entries[row.game_id].feat = row.text
    return list(entries.values())
