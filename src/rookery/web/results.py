"""SQL about the results of games for one player: a person's best, and where a result stands among all others.

Results are compared if the game and its options are the same, and no move was taken back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import case, func, select

from rookery.web.schema import achievements

if TYPE_CHECKING:
    from sqlalchemy import Connection

SAMPLE = 10_000
"""The most results that one is compared with. Ids of games are drawn at random, so the first of them by id are a random
sample, and the index `feats_by_setup` has them in this order with their points.
"""


class Best(NamedTuple):
    """A person's best result."""

    points: float
    text: str


class Place(NamedTuple):
    """Where a result stands: how many others there are, and how many of them have fewer points."""

    others: int
    fewer: int


def best_of_others(connection: Connection, person: str, game: str, setup: str, id: str) -> Best | None:
    """A person's best result in all games of a set-up but one."""
    found = connection.execute(
        select(achievements.c.points, achievements.c.text)
        .where(achievements.c.person == person, achievements.c.game == game)
        .where(achievements.c.setup == setup, achievements.c.game_id != id)
        .order_by(achievements.c.points.desc())
        .limit(1)
    ).first()
    return Best(found.points, found.text) if found else None


def place(connection: Connection, setup: str, id: str, points: float) -> Place:
    """Where the result of a game stands among those of other games of its set-up."""
    sample = (
        select(achievements.c.points)
        .where(achievements.c.setup == setup, achievements.c.game_id != id)
        .order_by(achievements.c.game_id)
        .limit(SAMPLE)
        .subquery()
    )
    fewer = func.coalesce(func.sum(case((sample.c.points < points, 1), else_=0)), 0)
    count, below = connection.execute(select(func.count(), fewer).select_from(sample)).one()
    return Place(count, below)
