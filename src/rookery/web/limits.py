"""Limits for visitors: the figures, and rates."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from time import monotonic

from rookery.core.errors import RookeryError

MANY = 10_000
"""Addresses whose rates are remembered before those that have recovered are forgotten."""
DAY = 24 * 3600


class TooMany(RookeryError):
    """A visitor has reached a limit."""


@dataclass(frozen=True)
class Rate:
    """A rate limit: the burst size, and the sustained rate per second."""

    burst: float
    per_second: float


@dataclass(frozen=True)
class Limits:
    """Limits for one address, one person or one connection."""

    requests: Rate = Rate(3000, 120)
    """From one address. A first visit takes about a hundred: the page's files, which are kept then."""
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
    unread: int = 20_000_000
    """Bytes that are kept for one address because nobody there reads them."""
    body: int = 1_000_000
    """Bytes in a request."""
    message: int = 4_096
    """Bytes in a WebSocket message."""
    games_a_day: int = 500
    """New games of one person."""
    uploads_a_day: int = 50
    """Uploaded records of one person."""
    reviews_a_day: int = 50
    """Reviews of games that one person begins."""
    people: int = 20
    """How many people may share an address; its limits are for all of them together."""

    @classmethod
    def shared_by(cls, people: int, workers: int = 1) -> Limits:
        """The limits for a server with this many workers, where this many people may share an address. A worker takes
        a larger share of the connections than its own, because nothing spreads them quite evenly.
        """
        share = 1 if workers == 1 else 1.5 / workers
        return cls(
            requests=Rate(150 * people, 6 * people),
            creations=Rate(30 * people, people / 2),
            uploads=Rate(people, people / 40),
            visits=Rate(15 * people, people),
            connections=round(30 * people * share),
            waiting=max(64, 3 * people),
            sockets=round(20 * people * share),
            unread=round(1_000_000 * people * share),
            people=people,
        )


class TokenBucket:
    """A token bucket: refills at a rate; every request takes a token."""

    __slots__ = ("at", "left", "rate")

    def __init__(self, rate: Rate) -> None:
        self.rate, self.left, self.at = rate, rate.burst, monotonic()

    def take(self) -> float:
        """Take a token and return 0, or return the seconds to wait."""
        self.lose(0)
        if self.left < 1:
            return (1 - self.left) / self.rate.per_second
        self.left -= 1
        return 0.0

    def lose(self, count: float) -> None:
        """Refill, and take tokens away, even more than there are: down to what could have been saved up."""
        now = monotonic()
        saved = min(self.rate.burst, self.left + (now - self.at) * self.rate.per_second)
        self.left, self.at = max(-self.rate.burst, saved - count), now

    @property
    def full(self) -> bool:
        return self.left + (monotonic() - self.at) * self.rate.per_second >= self.rate.burst


class Rates:
    """The rates of all addresses, by name. Servers tell each other what an address has used, so that having several of
    them makes the limits no larger.
    """

    def __init__(self, limits: Limits, *, shared: bool = False) -> None:
        """What is used is counted to tell others of it only if the limits are `shared` with other servers."""
        self.shared = shared
        names = ("requests", "visits", "creations", "uploads")
        self._rates: dict[str, Rate] = {name: getattr(limits, name) for name in names}
        self._buckets: dict[str, dict[str, TokenBucket]] = {name: {} for name in names}
        self._used: Counter[tuple[str, str]] = Counter()

    def take(self, name: str, address: str) -> float:
        """Take a token of an address and return 0, or return the seconds to wait."""
        wait = self._bucket(name, address).take()
        if not wait and self.shared:
            self._used[name, address] += 1
        return wait

    def used_elsewhere(self, name: str, address: str, count: int) -> None:
        """Note what an address has used on another server."""
        if name in self._rates:
            self._bucket(name, address).lose(count)

    def used_here(self) -> Counter[tuple[str, str]]:
        """What was used since the last call, by rate and address."""
        used, self._used = self._used, Counter()
        return used

    def _bucket(self, name: str, address: str) -> TokenBucket:
        """The bucket of an address; when there are very many, full ones are dropped."""
        buckets = self._buckets[name]
        if address not in buckets:
            if len(buckets) >= MANY:
                for each in [each for each, bucket in buckets.items() if bucket.full]:
                    del buckets[each]
            buckets[address] = TokenBucket(self._rates[name])
        return buckets[address]
