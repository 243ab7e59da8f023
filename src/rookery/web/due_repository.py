"""All SQL about when games are due: by then somebody has to look after a game that nobody has changed.

The server whose bot is to move puts this off while the bot waits or thinks, so whoever finds a game overdue knows that
its server is gone. Of several who find it, one takes it over. Nothing here counts the version up: no change of the game
fails because of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select, update

from rookery.web.schema import games

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import ColumnElement, Connection


class Due(NamedTuple):
    """The version of a game, and when it is due; None if nobody has to look after it."""

    version: int
    due: float | None


def overdue(connection: Connection, now: float, limit: int) -> list[str]:
    """The games that nobody has looked after in time, those that wait longest first."""
    return list(
        connection.execute(select(games.c.id).where(games.c.due < now).order_by(games.c.due).limit(limit)).scalars()
    )


def put_off(connection: Connection, id: str, known: Due, due: float | None) -> Due | None:
    """Have others look after a game later, if it is due as it was known to be. Return what is true now."""
    return _set(connection, id, known.version, games.c.due == known.due, due)


def take_over(connection: Connection, id: str, version: int, now: float, due: float | None) -> Due | None:
    """Look after a game, until it is due again, if nobody else does. Return what is true now."""
    return _set(connection, id, version, games.c.due.is_(None) | (games.c.due <= now), due)


def _set(connection: Connection, id: str, version: int, where: ColumnElement[bool], due: float | None) -> Due | None:
    """Set when a game is due, on a condition. If this runs again, because the answer was lost, it returns the same."""
    connection.execute(update(games).where(games.c.id == id, games.c.version == version, where).values(due=due))
    found = connection.execute(select(games.c.version, games.c.due).where(games.c.id == id)).first()
    return None if found is None else Due(found.version, found.due)


def due_now(connection: Connection, left: Iterable[tuple[str, int]], now: float) -> None:
    """Have games looked after at once that still have these versions."""
    for id, version in left:
        where = (games.c.id == id) & (games.c.version == version) & games.c.due.is_not(None)
        connection.execute(update(games).where(where).values(due=now))


def not_due(connection: Connection, id: str) -> None:
    """Nobody can look after a game."""
    connection.execute(update(games).where(games.c.id == id).values(due=None))
