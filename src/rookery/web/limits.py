"""Limits for visitors: rates, and how much one person or one address may have in a day."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic, time
from typing import TYPE_CHECKING

from rookery.core.errors import RookeryError

if TYPE_CHECKING:
    from collections.abc import Mapping

MANY = 10_000
"""Addresses whose rates are remembered before those that have recovered are forgotten."""
DAY = 24 * 3600


class TooMany(RookeryError):
    """A visitor has had as much as one may have."""


@dataclass(frozen=True)
class Rate:
    """A rate limit: the burst size, and the sustained rate per second."""

    burst: float
    per_second: float


@dataclass(frozen=True)
class Limits:
    """Limits for one address, one person or one connection."""

    requests: Rate = Rate(1200, 120)
    """From one address."""
    creations: Rate = Rate(600, 10)
    """Games, joins and uploads from one address."""
    uploads: Rate = Rate(20, 0.5)
    """Uploads from one address."""
    visits: Rate = Rate(300, 20)
    """WebSockets that one address opens."""
    messages: Rate = Rate(600, 200)
    """On one WebSocket."""
    connections: int = 600
    """Connections of one address."""
    waiting: int = 64
    """Connections of one address that have not sent a whole request."""
    sockets: int = 400
    """WebSockets of one address."""
    body: int = 1_000_000
    """Bytes in a request."""
    message: int = 4_096
    """Bytes in a WebSocket message."""
    games_a_day: int = 500
    """New games of one person."""
    uploads_a_day: int = 50
    """Uploaded records of one person."""
    people: int = 20
    """How many people may share an address: the limits of an address are for so many."""

    @classmethod
    def shared_by(cls, people: int) -> Limits:
        """The limits for a server where so many people may share an address."""
        return cls(
            requests=Rate(60 * people, 6 * people),
            creations=Rate(30 * people, people / 2),
            uploads=Rate(people, people / 40),
            visits=Rate(15 * people, people),
            connections=30 * people,
            waiting=max(64, 3 * people),
            sockets=20 * people,
            people=people,
        )


class TokenBucket:
    """A token bucket: refills at a rate; every request takes a token."""

    __slots__ = ("at", "left", "rate")

    def __init__(self, rate: Rate) -> None:
        self.rate, self.left, self.at = rate, rate.burst, monotonic()

    def take(self) -> float:
        """Take a token and return 0, or return the seconds to wait."""
        now = monotonic()
        self.left = min(self.rate.burst, self.left + (now - self.at) * self.rate.per_second)
        self.at = now
        if self.left < 1:
            return (1 - self.left) / self.rate.per_second
        self.left -= 1
        return 0.0

    @property
    def full(self) -> bool:
        return self.left + (monotonic() - self.at) * self.rate.per_second >= self.rate.burst


def bucket_of(buckets: dict[str, TokenBucket], address: str, rate: Rate) -> TokenBucket:
    """The bucket of an address; when there are very many, full ones are dropped."""
    if address not in buckets:
        if len(buckets) >= MANY:
            for each in [each for each, bucket in buckets.items() if bucket.full]:
                del buckets[each]
        buckets[address] = TokenBucket(rate)
    return buckets[address]


class DailyQuota:
    """Counts what every person and every address has had today (UTC). A restart of the server forgets it."""

    def __init__(self, most: Mapping[str, int], people: int) -> None:
        self._most, self._people = most, people
        self._day = 0
        self._had: dict[tuple[str, str, str], int] = {}

    def take(self, what: str, person: str, address: str) -> None:
        """Count one more of something; raise `TooMany` if that would be too many."""
        day = int(time() // DAY)
        if day != self._day:
            self._day, self._had = day, {}
        most = self._most[what]
        keys = {("person", person, what): most, ("address", address, what): most * self._people}
        if any(self._had.get(key, 0) >= limit for key, limit in keys.items()):
            raise TooMany(f"That is enough {what} for one day; come back tomorrow.")
        for key in keys:
            self._had[key] = self._had.get(key, 0) + 1
