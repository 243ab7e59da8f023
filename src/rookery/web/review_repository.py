"""All SQL about reviews: functions that load and save them over an open connection."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlalchemy import delete, func, select, update

from rookery.core.review import ReviewedPly
from rookery.web.repository import upsert
from rookery.web.schema import reviewed, reviews

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection


@dataclass(frozen=True)
class StoredReview:
    """A review as the database has it."""

    made: str
    """With which bot, budget and plies it was made."""
    worked: float
    """When a server last worked on it."""
    asked: float
    """When somebody last asked for it."""
    count: int
    """How many plies are reviewed."""
    plies: tuple[ReviewedPly, ...] = ()


def head(connection: Connection, id: str) -> StoredReview | None:
    """The review of a game, as far as it was saved, without its plies."""
    row = connection.execute(select(reviews).where(reviews.c.game_id == id)).first()
    if row is None:
        return None
    last = connection.execute(select(func.max(reviewed.c.number)).where(reviewed.c.game_id == id)).scalar()
    return StoredReview(row.made, row.worked, row.asked, 0 if last is None else last + 1)


def load(connection: Connection, id: str, first: int = 0) -> StoredReview | None:
    """The same, with its plies from a number on."""
    found = head(connection, id)
    if found is None:
        return None
    some = select(reviewed).where(reviewed.c.game_id == id, reviewed.c.number >= first).order_by(reviewed.c.number)
    plies = tuple(ReviewedPly.of_content(json.loads(each.content)) for each in connection.execute(some))
    return replace(found, plies=plies)


def begin(connection: Connection, id: str, made: str, keep: int, now: float) -> None:
    """Note that a server works on a review; of an earlier one, the first plies are kept."""
    begun = {"made": made, "worked": now, "asked": now}
    row = upsert(connection, reviews).values(begun | {"game_id": id})
    connection.execute(row.on_conflict_do_update(index_elements=["game_id"], set_=begun))
    connection.execute(delete(reviewed).where(reviewed.c.game_id == id, reviewed.c.number >= keep))


def add(
    connection: Connection, id: str, made: str, first: int, plies: Sequence[ReviewedPly], now: float
) -> float | None:
    """Save more plies, from number `first` on, and return when somebody last asked for the review; None if the game is
    gone, or another review of it has begun. If another server has saved the same, nothing changes.
    """
    same = (reviews.c.game_id == id) & (reviews.c.made == made)
    asked = connection.execute(update(reviews).where(same).values(worked=now).returning(reviews.c.asked)).scalar()
    if asked is not None and plies:
        rows = [
            {"game_id": id, "number": number, "content": json.dumps(each.content(), separators=(",", ":"))}
            for number, each in enumerate(plies, start=first)
        ]
        connection.execute(upsert(connection, reviewed).values(rows).on_conflict_do_nothing())
    return asked


def ask(connection: Connection, id: str, now: float) -> None:
    """Note that somebody wants a review."""
    connection.execute(update(reviews).where(reviews.c.game_id == id).values(asked=now))


def rest(connection: Connection, id: str, made: str) -> None:
    """Note that nobody works on a review any more."""
    connection.execute(update(reviews).where(reviews.c.game_id == id, reviews.c.made == made).values(worked=0.0))
