"""How much one person or one address may have in a day, counted in the database: so it holds on all servers together,
and a restart forgets nothing.
"""

from __future__ import annotations

import hmac
from hashlib import sha256
from typing import TYPE_CHECKING

from sqlalchemy import delete

from rookery.web import repository
from rookery.web.limits import DAY, TooMany
from rookery.web.schema import quotas

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from rookery.web.drain import Drain
    from rookery.web.fair_queue import Client
    from rookery.web.limits import Limits
    from rookery.web.store import Store

CHALLENGES = 8
"""Daily challenges that a person may begin in a day: more than there are, as a new cookie makes a new person."""
CHANGES = 50
"""Renamings and deletions of a person in a day. Each leaves a row behind, and a cookie costs nothing."""
PUZZLES = 1000
"""Puzzles that a person may begin in a day: more than there are."""


class DailyQuota:
    """Counts what every person and every address has had today (UTC)."""

    def __init__(self, store: Store, limits: Limits, drain: Drain | None = None) -> None:
        self._store, self._drain = store, drain
        self._most = {
            "games": limits.games_a_day,
            "uploads": limits.uploads_a_day,
            "reviews": limits.reviews_a_day,
            "challenges": CHALLENGES,
            "profile changes": CHANGES,
            "puzzles": PUZZLES,
        }
        self._people = limits.people

    async def take(self, what: str, client: Client) -> None:
        """Count one more of something; raise `TooMany` if that would be too many, and `Stopping` if the
        server is about to stop: every new game is counted here.
        """
        if self._drain is not None:
            self._drain.check()
        day, most = int(self._store.now() // DAY), self._most[what]
        who = ((f"person {client.person}", most), (f"address {client.address}", most * self._people))

        def work(connection: Connection) -> bool:
            return all(take_quota(connection, day, what, self.digest(f"{day} {name}"), limit) for name, limit in who)

        if not await self._store.write(work):
            raise TooMany(f"That is enough {what} for one day; come back tomorrow.")

    def digest(self, text: str) -> str:
        """What stands for an address or a person in the database. A thief of the database has the secret too, and can
        try all addresses: it is a pseudonym for as long as it is kept.
        """
        return hmac.new(self._store.daily_secret, text.encode(), sha256).hexdigest()[:16]

    async def forget(self) -> None:
        """Delete what was counted before today, and from where games were listed that the lobby no longer shows."""
        now = self._store.now()
        today = int(now // DAY)

        def work(connection: Connection) -> None:
            forget_quotas(connection, today)
            repository.forget_near(connection, now - DAY)

        await self._store.write(work)


def take_quota(connection: Connection, day: int, what: str, who: str, most: int) -> bool:
    """Count one more of something that somebody has on a day; False if they have reached the limit."""
    counted = (
        repository.upsert(connection, quotas)
        .values(day=day, what=what, who=who, count=1)
        .on_conflict_do_update(
            index_elements=["day", "what", "who"], set_={"count": quotas.c.count + 1}, where=quotas.c.count < most
        )
        .returning(quotas.c.count)
    )
    return connection.execute(counted).scalar() is not None


def forget_quotas(connection: Connection, before: int) -> None:
    """Delete what was counted before a day."""
    connection.execute(delete(quotas).where(quotas.c.day < before))
