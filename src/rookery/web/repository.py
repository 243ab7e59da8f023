"""All SQL about games and people: functions that load, save and query them over an open connection."""

from __future__ import annotations

from hashlib import sha256
from time import time
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, func, insert, select, update

from rookery.web.domain import DELETED_PERSON, Seat, StoredGame
from rookery.web.schema import achievements, games, people, plies, revoked, seats

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection, RowMapping

    from rookery.core.game import Achievement

STAND_IN = "5"
"""The bot that takes over from a person who left a game of more than two."""
BATCH = 500
"""Games per statement; databases limit the number of parameters."""


COLUMNS = [column.name for column in games.columns]


def add(connection: Connection, stored: StoredGame) -> None:
    """Insert a new game."""
    connection.execute(insert(games).values({name: getattr(stored, name) for name in COLUMNS} | {"length": None}))
    connection.execute(insert(seats), [_row(stored.id, seat) for seat in stored.seats])
    if stored.plies:
        append(connection, stored.id, 0, stored.plies)


def append(connection: Connection, id: str, first: int, names: Iterable[str], *, over: bool = False) -> None:
    """Insert plies from number `first` on; with `over`, in place of undone ones."""
    if over:
        connection.execute(delete(plies).where(plies.c.game_id == id, plies.c.number >= first))
        change(connection, id, length=None)
    rows = [{"game_id": id, "number": number, "name": name} for number, name in enumerate(names, start=first)]
    connection.execute(insert(plies), rows)


def change(connection: Connection, id: str, **columns: Any) -> None:
    """Update columns of a game."""
    connection.execute(update(games).where(games.c.id == id).values(columns))


def set_seat(connection: Connection, id: str, seat: Seat) -> None:
    """Update a seat: who holds it, and the time left."""
    where = (seats.c.game_id == id) & (seats.c.number == seat.number)
    connection.execute(update(seats).where(where).values(_row(id, seat)))


def set_left(connection: Connection, id: str, left: list[float]) -> None:
    """Update the time that each player has left."""
    for number, ms in enumerate(left, start=1):
        where = (seats.c.game_id == id) & (seats.c.number == number)
        connection.execute(update(seats).where(where).values(left=ms))


def set_outcomes(connection: Connection, stored: StoredGame, result: dict[str, Any] | None) -> None:
    """Note how a game ended for everybody; without a result, that it has not ended."""
    for seat in stored.seats:
        outcome = None if result is None else stored.outcome(seat, result["winners"])
        where = (seats.c.game_id == stored.id) & (seats.c.number == seat.number)
        connection.execute(update(seats).where(where).values(outcome=outcome))


def add_achievements(
    connection: Connection, stored: StoredGame, achieved: list[tuple[Seat, Achievement]], plies: Iterable[str]
) -> None:
    """Insert the achievements of a finished game, with a digest of its plies."""
    moves = sha256("\n".join(plies).encode()).hexdigest()[:16] if achieved else ""
    for seat, feat in achieved:
        row = {
            "game_id": stored.id,
            "seat": seat.number,
            "person": seat.holder,
            "game": stored.game,
            "day": stored.day,
            "points": feat.points,
            "text": feat.text,
            "takebacks": stored.takebacks,
            "moves": moves,
        }
        connection.execute(insert(achievements).values(row))


def delete_achievements(connection: Connection, id: str) -> None:
    """Delete the achievements of a game whose end was undone."""
    connection.execute(delete(achievements).where(achievements.c.game_id == id))


def load(connection: Connection, id: str) -> StoredGame | None:
    """A game with its plies, or None."""
    row = connection.execute(select(games).where(games.c.id == id)).mappings().first()
    if row is None:
        return None
    stored = _games_of_rows(connection, [row])[0]
    found = connection.execute(select(plies.c.name).where(plies.c.game_id == id).order_by(plies.c.number))
    stored.plies = [name for (name,) in found]
    return stored


def games_of(connection: Connection, person: str, limit: int) -> list[StoredGame]:
    """The games a person owns or plays in, latest first; without their plies."""
    return _select_games(connection, _involving(person), limit)


def game_ids_of(connection: Connection, person: str) -> set[str]:
    """The ids of the games a person owns or plays in."""
    return set(connection.execute(select(games.c.id).where(_involving(person))).scalars())


def public_games(connection: Connection, status: str, since: float, limit: int) -> list[StoredGame]:
    """Listed games that changed since a time; without their plies."""
    return _select_games(connection, (games.c.status == status) & games.c.listed & (games.c.changed > since), limit)


def daily_game(connection: Connection, person: str, game: str, day: str) -> StoredGame | None:
    """A person's game of a daily challenge; without its plies."""
    where = (games.c.owner == person) & (games.c.game == game) & (games.c.day == day) & (games.c.kind == "daily")
    return next(iter(_select_games(connection, where, 1)), None)


def name_of(connection: Connection, person: str) -> str:
    """A person's name, or an empty string."""
    return connection.execute(select(people.c.name).where(people.c.id == person)).scalar() or ""


def rename(connection: Connection, person: str, name: str) -> None:
    """Rename a person, in all their games too."""
    if connection.execute(update(people).where(people.c.id == person).values(name=name)).rowcount == 0:
        connection.execute(insert(people).values(id=person, name=name, created=time()))
    connection.execute(update(seats).where(seats.c.holder == person).values(name=name))


def delete_person(connection: Connection, person: str) -> None:
    """Delete a person: their name, their achievements, and every game that nobody else plays in. In an unfinished
    game of more than two a bot takes their seat. A finished daily challenge stays on its board without a name: else
    whoever is not content with a result could delete it and try again with the same luck.
    """
    others = select(seats.c.number).where(seats.c.game_id == games.c.id, seats.c.holder != person)
    finished_daily = (games.c.kind == "daily") & (games.c.status == "over")
    connection.execute(
        delete(games).where(_involving(person), ~others.exists(), ~finished_daily)
    )  # cascades to seats, plies, achievements
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
    connection.execute(held.values(holder=None, name=DELETED_PERSON))
    connection.execute(
        update(achievements).where(achievements.c.person == person, achievements.c.day.is_not(None)).values(person="")
    )
    connection.execute(delete(achievements).where(achievements.c.person == person))
    connection.execute(delete(people).where(people.c.id == person))
    if connection.execute(select(revoked.c.person).where(revoked.c.person == person)).first() is None:
        connection.execute(insert(revoked).values(person=person, at=time()))


def delete_old_games(connection: Connection, before: float, limit: int) -> list[str]:
    """Delete games that nobody has changed since a time, not more than a limit; return their ids."""
    found = connection.execute(select(games.c.id).where(games.c.changed < before).limit(limit))
    ids = list(found.scalars())
    connection.execute(delete(games).where(games.c.id.in_(ids)))
    return ids


def statistics(connection: Connection, person: str, since: float) -> list[tuple[str, str, bool, str | None, int]]:
    """A person's games, counted by game, status, whether they changed since a time, and outcome."""
    recent = games.c.changed > since
    groups = (games.c.game, games.c.status, recent, seats.c.outcome)
    found = connection.execute(
        select(*groups, func.count(games.c.id.distinct()))
        .select_from(seats.join(games, seats.c.game_id == games.c.id))
        .where(seats.c.holder == person, games.c.kind != "upload")
        .group_by(*groups)
    )
    return [(game, status, bool(fresh), outcome, count) for game, status, fresh, outcome, count in found]


def listed_by(connection: Connection, person: str, since: float) -> int:
    """How many listed games of a person wait for somebody to join."""
    where = (games.c.owner == person) & games.c.listed & (games.c.status == "waiting") & (games.c.changed > since)
    return connection.execute(select(func.count()).select_from(games).where(where)).scalar() or 0


def ranking(connection: Connection, game: str, day: str, limit: int) -> list[Any]:
    """The best on a day, best first: rows with `game_id`, `person`, `name`, `text`, `points` and `moves`."""
    columns = (achievements.c.game_id, achievements.c.person, achievements.c.text, achievements.c.points)
    found = connection.execute(
        select(*columns, achievements.c.moves, people.c.name)
        .select_from(achievements.outerjoin(people, people.c.id == achievements.c.person))
        .where(achievements.c.game == game, achievements.c.day == day)
        .order_by(achievements.c.points.desc(), achievements.c.game_id)
        .limit(limit)
    )
    return list(found)


def standing(connection: Connection, game: str, day: str, person: str) -> tuple[int | None, int, str | None]:
    """A person's rank on a day, the number of participants, and the person's achievement."""
    where = (achievements.c.game == game) & (achievements.c.day == day)
    count = connection.execute(select(func.count()).select_from(achievements).where(where)).scalar() or 0
    own = connection.execute(
        select(achievements.c.points, achievements.c.text).where(where & (achievements.c.person == person))
    ).first()
    if own is None:
        return None, count, None
    better = connection.execute(
        select(func.count()).select_from(achievements).where(where & (achievements.c.points > own.points))
    )
    return (better.scalar() or 0) + 1, count, own.text


def days_of(connection: Connection, person: str, game: str) -> list[str]:
    """The days whose challenge a person finished, latest first."""
    found = connection.execute(
        select(achievements.c.day)
        .where(achievements.c.person == person, achievements.c.game == game, achievements.c.day.is_not(None))
        .order_by(achievements.c.day.desc())
    )
    return [day for (day,) in found]


def best(connection: Connection, person: str, game: str) -> str | None:
    """A person's best achievement in a game without undos; losses and draws do not count."""
    found = connection.execute(
        select(achievements.c.text)
        .where(
            achievements.c.person == person,
            achievements.c.game == game,
            achievements.c.takebacks == 0,
            achievements.c.points > 0,
        )
        .order_by(achievements.c.points.desc())
        .limit(1)
    )
    return found.scalar()


def achievements_of(connection: Connection, person: str) -> list[dict[str, Any]]:
    """All achievements of a person."""
    found = connection.execute(select(achievements).where(achievements.c.person == person)).mappings()
    return [{name: row[name] for name in ("game_id", "game", "day", "points", "text")} for row in found]


def _row(id: str, seat: Seat) -> dict[str, Any]:
    fields = ("number", "kind", "holder", "name", "bot", "left")
    return {"game_id": id} | {name: getattr(seat, name) for name in fields}


def _involving(person: str) -> Any:
    held = select(seats.c.game_id).where(seats.c.holder == person)
    return games.c.id.in_(held) | (games.c.owner == person)


def _select_games(connection: Connection, where: Any, limit: int) -> list[StoredGame]:
    found = connection.execute(select(games).where(where).order_by(games.c.changed.desc()).limit(limit)).mappings()
    rows = list(found)
    parts = [rows[first : first + BATCH] for first in range(0, len(rows), BATCH)]
    return [stored for part in parts for stored in _games_of_rows(connection, part)]


def _games_of_rows(connection: Connection, rows: list[RowMapping]) -> list[StoredGame]:
    """The games of some rows, with their seats and achievements."""
    found = {row["id"]: StoredGame(**{name: row[name] for name in COLUMNS}, seats=[]) for row in rows}
    nothing_undone = [id for id, stored in found.items() if stored.length is None]
    for stored in found.values():
        stored.length = stored.length or 0
    counts = select(plies.c.game_id, func.count()).where(plies.c.game_id.in_(nothing_undone))
    for id, count in connection.execute(counts.group_by(plies.c.game_id)):
        found[id].length = count
    their_seats = select(seats).where(seats.c.game_id.in_(found)).order_by(seats.c.game_id, seats.c.number)
    for row in connection.execute(their_seats):
        found[row.game_id].seats.append(Seat(row.number, row.kind, row.name, row.holder, row.bot, row.left))
    columns = select(achievements.c.game_id, achievements.c.person, achievements.c.text)
    for row in connection.execute(columns.where(achievements.c.game_id.in_(found))):
        if row.person == found[row.game_id].owner:
            found[row.game_id].feat = row.text
    return list(found.values())
