"""All SQL about games and people: functions that load, save and query them over an open connection."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import bindparam, case, delete, func, insert, null, select, update
from sqlalchemy.dialects import postgresql, sqlite

from rookery.web.domain import DELETED_PERSON, Seat, StoredGame
from rookery.web.schema import achievements, games, heartbeat, people, plies, puzzle_results, revoked, seats

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import ColumnElement, Connection, RowMapping, Table

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
    rows = [{"game_id": id, "number": number, "name": name} for number, name in enumerate(names, start=first)]
    connection.execute(insert(plies), rows)


def change(connection: Connection, id: str, version: int, **columns: Any) -> bool:
    """Change a game that still has a version, and count the version up; False if it has another one by now. The
    first to change it locks it until the transaction ends.
    """
    where = (games.c.id == id) & (games.c.version == version)
    return connection.execute(update(games).where(where).values(columns | {"version": version + 1})).rowcount == 1


class Advance(msgspec.Struct, frozen=True, array_like=True):
    """An ordinary action: nothing changes but that a game without a clock has more plies."""

    id: str
    version: int
    """The version of the game before."""
    changed: float | None
    """When the game was changed; None leaves the time that is there, and the indexes that it is in."""
    due: float | None
    first: int
    names: list[str]

    def __call__(self, connection: Connection) -> bool:
        """Save the action; False if the game has another version by now."""
        return advance(connection, [self])

    def then(self, later: Advance) -> Advance | None:
        """Both, one after the other; None if they do not follow each other."""
        if later.first != self.first + len(self.names):
            return None
        changed = self.changed if later.changed is None else later.changed
        return Advance(self.id, self.version, changed, later.due, self.first, [*self.names, *later.names])


_ADVANCE = (
    update(games)
    .where(games.c.id == bindparam("its_id"), games.c.version == bindparam("known"))
    .values(due=bindparam("next"), version=bindparam("new"), length=null(), asked=null())
)
_TIMED_ADVANCE = _ADVANCE.values(changed=bindparam("now"))


def advance(connection: Connection, advances: Sequence[Advance]) -> bool:
    """Save actions in different games with three statements at most, however many they are; False if one of the games
    has another version by now: then the transaction must be undone.
    """
    for statement, some in (
        (_ADVANCE, [each for each in advances if each.changed is None]),
        (_TIMED_ADVANCE, [each for each in advances if each.changed is not None]),
    ):
        rows = [{"its_id": each.id, "known": each.version, "new": each.version + 1, "next": each.due} for each in some]
        if statement is _TIMED_ADVANCE:
            rows = [row | {"now": each.changed} for row, each in zip(rows, some, strict=True)]
        if rows and connection.execute(statement, rows).rowcount != len(rows):
            return False
    names = [
        {"game_id": each.id, "number": number, "name": name}
        for each in advances
        for number, name in enumerate(each.names, start=each.first)
    ]
    connection.execute(insert(plies), names)
    return True


def version_of(connection: Connection, id: str) -> int | None:
    """The version of a game; None if there is no such game."""
    return connection.execute(select(games.c.version).where(games.c.id == id)).scalar()


def versions_of(connection: Connection, ids: Sequence[str]) -> dict[str, int]:
    """The versions of the games that exist."""
    found: dict[str, int] = {}
    for first in range(0, len(ids), BATCH):
        some = select(games.c.id, games.c.version).where(games.c.id.in_(ids[first : first + BATCH]))
        found.update((id, version) for id, version in connection.execute(some))
    return found


def beat(connection: Connection, now: float) -> None:
    """Note that a server is alive."""
    connection.execute(update(heartbeat).where(heartbeat.c.id == 1).values(at=now))


def start(connection: Connection, now: float, patience: float) -> float:
    """Note that a server starts. If none was alive for longer than `patience`, all clocks stood still meanwhile: return
    how long that was.
    """
    connection.execute(upsert(connection, heartbeat).values(id=1, at=now).on_conflict_do_nothing())
    last = connection.execute(select(heartbeat.c.at).where(heartbeat.c.id == 1).with_for_update()).scalar()
    assert last is not None
    beat(connection, now)
    gap: float = now - last
    if gap <= patience:
        return 0.0
    running = (games.c.ticking > 0) & (games.c.status == "playing")
    # A clock that began after the last sign of life stood still from its beginning on, as far as anybody knows.
    stood = case((games.c.since > last, now - games.c.since), else_=gap)
    later = {"since": games.c.since + stood, "due": games.c.due + stood, "version": games.c.version + 1}
    connection.execute(update(games).where(running).values(later))
    return gap


def upsert(connection: Connection, table: Table) -> postgresql.Insert | sqlite.Insert:
    """An insertion that can say what happens if the row is there."""
    return postgresql.insert(table) if connection.dialect.name == "postgresql" else sqlite.insert(table)


def forget_near(connection: Connection, before: float) -> None:
    """Forget from where games were set up that nobody has changed since."""
    connection.execute(update(games).where(games.c.near.is_not(None), games.c.changed < before).values(near=None))


def set_seat(connection: Connection, id: str, seat: Seat) -> None:
    """Update a seat: who holds it, and the time left."""
    where = (seats.c.game_id == id) & (seats.c.number == seat.number)
    connection.execute(update(seats).where(where).values(_row(id, seat)))


def set_times(connection: Connection, id: str, before: Sequence[float], left: Sequence[float]) -> None:
    """Update the time that each player has left, where it has changed."""
    for number, (old, new) in enumerate(zip(before, left, strict=True), start=1):
        if old != new:
            where = (seats.c.game_id == id) & (seats.c.number == number)
            connection.execute(update(seats).where(where).values(left=new))


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
    for seat, achievement in achieved:
        row = {
            "game_id": stored.id,
            "seat": seat.number,
            "person": seat.holder,
            "game": stored.game,
            "day": stored.day,
            "points": achievement.points,
            "text": achievement.text,
            "takebacks": stored.takebacks,
            "moves": moves,
            "setup": stored.setup,
        }
        connection.execute(insert(achievements).values(row))


def delete_achievements(connection: Connection, id: str) -> None:
    """Delete the achievements of a game whose end was undone."""
    connection.execute(delete(achievements).where(achievements.c.game_id == id))


def load(connection: Connection, id: str, known: StoredGame | None = None) -> StoredGame | None:
    """A game with its plies, or None. Of a game that is known, only plies that are new are read: unless something was
    undone, the old ones stand.
    """
    row = connection.execute(select(games).where(games.c.id == id)).mappings().first()
    if row is None:
        return None
    kept: list[str] = []
    if known is not None and row["takebacks"] == known.takebacks:
        stand = known.length if row["length"] is None else min(row["length"], known.length)
        kept = known.plies[:stand]
    new = select(plies.c.name).where(plies.c.game_id == id, plies.c.number >= len(kept)).order_by(plies.c.number)
    names = [*kept, *connection.execute(new).scalars()]
    stored = _games_of_rows(connection, [row], {id: len(names)})[0]
    stored.plies = names
    return stored


def outline(connection: Connection, id: str) -> StoredGame | None:
    """A game without its plies, or None."""
    return next(iter(_select_games(connection, games.c.id == id, 1)), None)


def games_of(connection: Connection, person: str, limit: int, *, lessons: bool = True) -> list[StoredGame]:
    """The games a person owns or plays in, latest first; without their plies."""
    where = _involving(person) if lessons else _involving(person) & (games.c.kind != "lesson")
    return _select_games(connection, where, limit)


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


def rename(connection: Connection, person: str, name: str, now: float) -> None:
    """Rename a person, in all their games too."""
    named = upsert(connection, people).values(id=person, name=name, created=now)
    connection.execute(named.on_conflict_do_update(index_elements=["id"], set_={"name": name}))
    connection.execute(update(seats).where(seats.c.holder == person).values(name=name))
    _touch(connection, games.c.id.in_(_held(person)))


def delete_person(connection: Connection, person: str, now: float) -> None:
    """Delete a person: their name, their achievements, and every game that nobody else plays in. In an unfinished
    game of more than two a bot takes their seat. A finished daily challenge stays on its board without a name: else
    somebody could delete a poor result and try again with the same luck.
    """
    # Those who join one of the games at this moment do so before or after, not in between.
    connection.execute(select(games.c.id).where(_involving(person)).order_by(games.c.id).with_for_update()).all()
    others = select(seats.c.number).where(seats.c.game_id == games.c.id, seats.c.holder != person)
    finished_daily = (games.c.kind == "daily") & (games.c.status == "over")
    connection.execute(
        delete(games).where(_involving(person), ~others.exists(), ~finished_daily)
    )  # cascades to seats, plies, achievements
    _touch(connection, _involving(person), asked=None)  # who was asked, or who asks, may be gone
    playing = _involving(person) & (games.c.status == "playing")
    connection.execute(update(games).where(playing).values(due=0.0))  # a bot may have to move now
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
    connection.execute(delete(puzzle_results).where(puzzle_results.c.person == person))
    connection.execute(delete(people).where(people.c.id == person))
    connection.execute(upsert(connection, revoked).values(person=person, at=now).on_conflict_do_nothing())


def delete_old_games(connection: Connection, before: float, limit: int) -> list[str]:
    """Delete games that nobody has changed since a time, not more than a limit; return their ids."""
    old = games.c.changed < before
    ids = list(connection.execute(select(games.c.id).where(old).limit(limit)).scalars())
    return list(connection.execute(delete(games).where(games.c.id.in_(ids), old).returning(games.c.id)).scalars())


def statistics(connection: Connection, person: str, since: float) -> list[tuple[str, str, bool, str | None, int]]:
    """A person's games, counted by game, status, whether they changed since a time, and outcome."""
    recent = games.c.changed > since
    groups = (games.c.game, games.c.status, recent, seats.c.outcome)
    found = connection.execute(
        select(*groups, func.count(games.c.id.distinct()))
        .select_from(seats.join(games, seats.c.game_id == games.c.id))
        .where(seats.c.holder == person, games.c.kind.not_in(("upload", "lesson")))
        .group_by(*groups)
    )
    return [(game, status, bool(fresh), outcome, count) for game, status, fresh, outcome, count in found]


def listed_by(connection: Connection, person: str, near: str, since: float) -> tuple[int, int]:
    """How many listed games of a person wait for somebody to join, and how many of an address."""
    waiting = games.c.listed & (games.c.status == "waiting") & (games.c.changed > since)
    count = select(func.count()).select_from(games)
    own, nearby = (
        connection.execute(count.where(waiting & where)).scalar() or 0
        for where in (games.c.owner == person, games.c.near == near)
    )
    return own, nearby


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


def achievements_of(connection: Connection, person: str) -> list[dict[str, Any]]:
    """All achievements of a person."""
    found = connection.execute(select(achievements).where(achievements.c.person == person)).mappings()
    return [{name: row[name] for name in ("game_id", "game", "day", "points", "text")} for row in found]


def ply_count() -> ColumnElement[int]:
    """How many plies a game has, undone ones too: they have no gaps, so the last number says it, which the database
    finds in the index. Counting them would read them all.
    """
    last = select(func.max(plies.c.number)).where(plies.c.game_id == games.c.id).scalar_subquery()
    return func.coalesce(last + 1, 0)


def _row(id: str, seat: Seat) -> dict[str, Any]:
    fields = ("number", "kind", "holder", "name", "bot", "left")
    return {"game_id": id} | {name: getattr(seat, name) for name in fields}


def _held(person: str) -> Any:
    return select(seats.c.game_id).where(seats.c.holder == person)


def _involving(person: str) -> Any:
    return games.c.id.in_(_held(person)) | (games.c.owner == person)


def _touch(connection: Connection, where: Any, **columns: Any) -> None:
    """Count up the versions of games, so that servers that have them in memory read them again."""
    connection.execute(update(games).where(where).values(columns | {"version": games.c.version + 1}))


def _select_games(connection: Connection, where: Any, limit: int) -> list[StoredGame]:
    found = connection.execute(select(games).where(where).order_by(games.c.changed.desc()).limit(limit)).mappings()
    rows = list(found)
    parts = [rows[first : first + BATCH] for first in range(0, len(rows), BATCH)]
    return [stored for part in parts for stored in _games_of_rows(connection, part)]


def _games_of_rows(
    connection: Connection, rows: list[RowMapping], lengths: dict[str, int] | None = None
) -> list[StoredGame]:
    """The games of some rows, with their seats and achievements. `lengths` are their numbers of plies, if known."""
    found = {row["id"]: StoredGame(**{name: row[name] for name in COLUMNS}, seats=[]) for row in rows}
    nothing_undone = [id for id, stored in found.items() if stored.length is None]
    if lengths is None:
        whole = select(games.c.id, ply_count()).where(games.c.id.in_(nothing_undone))
        lengths = {row.id: row[1] for row in connection.execute(whole)}
    for id, stored in found.items():
        stored.length = lengths.get(id, 0) if stored.length is None else stored.length
    their_seats = select(seats).where(seats.c.game_id.in_(found)).order_by(seats.c.game_id, seats.c.number)
    for row in connection.execute(their_seats):
        found[row.game_id].seats.append(Seat(row.number, row.kind, row.name, row.holder, row.bot, row.left))
    over = [id for id, stored in found.items() if stored.status == "over"]
    columns = select(achievements.c.game_id, achievements.c.person, achievements.c.text)
    for row in connection.execute(columns.where(achievements.c.game_id.in_(over))) if over else ():
        if row.person == found[row.game_id].owner:
            found[row.game_id].achievement = row.text
    return list(found.values())
