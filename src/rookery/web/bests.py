"""A person's best results, from the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import Select, select

from rookery.web.schema import achievements, games

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from rookery.web.domain import StoredGame

MOST = 1_000
"""How many results are searched for one with the same options."""


def best(connection: Connection, person: str, game: str) -> str | None:
    """A person's best achievement in a game without undos; losses and draws do not count."""
    return connection.execute(_best_first(person, game).limit(1)).scalar()


def best_like(connection: Connection, person: str, stored: StoredGame) -> str | None:
    """A person's best achievement in other games with the same options as this one."""
    others = achievements.join(games, games.c.id == achievements.c.game_id)
    found = connection.execute(
        _best_first(person, stored.game, games.c.options)
        .select_from(others)
        .where(achievements.c.game_id != stored.id)
        .limit(MOST)
    )
    return next((text for text, options in found if options == stored.options), None)


def _best_first(person: str, game: str, *more: Any) -> Select[Any]:
    return (
        select(achievements.c.text, *more)
        .where(
            achievements.c.person == person,
            achievements.c.game == game,
            achievements.c.takebacks == 0,
            achievements.c.points > 0,
        )
        .order_by(achievements.c.points.desc())
    )
