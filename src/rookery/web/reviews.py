"""Reviews of games in the background: computed once, kept in the database, cancelled when nobody asks for them.

The server that is asked first searches, one position after the other, after all moves of all visitors. Every second it
saves what it has found. Another server that is asked reads that, and notes that somebody still wants it; if nobody
works on the review, the next request to begin makes it go on where it stopped. If two servers work on the same review,
they find the same.
"""

from __future__ import annotations

import logging
import os
from contextlib import aclosing
from hashlib import sha256
from importlib.util import find_spec
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from rookery.core.errors import OptionError
from rookery.search.cancel import Cancelled
from rookery.search.review import Review
from rookery.web import review_repository as repository
from rookery.web.permissions import why_no_review
from rookery.web.review_info import review_info
from rookery.web.rooms import Refused
from rookery.web.views import names_for

if TYPE_CHECKING:
    import asyncio

    from rookery.core.names import Names
    from rookery.core.review import ReviewedPly, Reviewer
    from rookery.web.domain import StoredGame
    from rookery.web.fair_queue import Client
    from rookery.web.registry import RoomRegistry
    from rookery.web.review_messages import ReviewInfo
    from rookery.web.review_repository import StoredReview

log = logging.getLogger("rookery.web")

VERSION = 2
"""Counted up when reviews are made in another way, so that those in the database are made anew."""
MOST_PLIES = 1_000
"""The plies of the longest game that is reviewed."""
PATIENCE = float(os.environ.get("ROOKERY_REVIEW_PATIENCE", "10"))
"""Seconds without a request after which a review is cancelled."""
SAVE = 1.0
"""Seconds between two savings."""
ALIVE = 5.0
"""Seconds after which a server that did not save works no more on a review."""


class Asked(NamedTuple):
    """A question how far the review of a game is."""

    stored: StoredGame
    reviewer: Reviewer
    method: str
    """How it is to be made; plies that were reviewed in another way are of no use."""
    names: Names
    """What the reader calls the players."""
    first: int
    """The first ply to tell of, from 0."""

    @property
    def made(self) -> str:
        """What tells this review from others: the method and the plies."""
        plies = "\n".join(self.stored.plies)
        return f"{self.method} {sha256(plies.encode()).hexdigest()[:16]}"

    def known(self, found: StoredReview | None) -> tuple[ReviewedPly, ...]:
        """The plies of an earlier review of this game that can be kept, as far as its plies are still the same."""
        return found.plies if found is not None and found.made.rpartition(" ")[0] == self.method else ()

    def info(self, review: Review, status: Any) -> ReviewInfo:
        """How far the review is, with its plies from the first on that was asked for."""
        return review_info(review, status, self.names, self.first)


class Working:
    """A review that this server works on."""

    def __init__(self, review: Review, made: str) -> None:
        self.review, self.made = review, made
        self.asked = monotonic()
        self.saved = len(review.plies)
        self.task: asyncio.Task[Any] | None = None


class Reviews:
    """Begins, continues and cancels the reviews of games, and answers how far they are."""

    def __init__(self, registry: RoomRegistry) -> None:
        self._registry, self._store = registry, registry.store
        self._working: dict[str, Working] = {}

    @property
    def working(self) -> int:
        """How many reviews this server works on."""
        return len(self._working)

    async def begin(self, id: str, client: Client, first: int) -> ReviewInfo:
        """Begin the review of a game, or go on with it, unless it is done or under way; return how far it is."""
        asked = await self._allowed(id, client, first)
        found = await self._store.read(lambda connection: repository.load(connection, id))
        own, now, made = self._working.get(id), self._store.now(), asked.made
        if own is not None and own.made == made:
            own.asked = monotonic()
            return asked.info(own.review, "running")
        review = Review(asked.stored.record(), asked.reviewer, asked.known(found))
        if review.game.done and found is not None and found.made == made:
            return asked.info(review, "done")
        if found is not None and found.made == made and now - found.worked < ALIVE:
            await self._store.write(lambda connection: repository.ask(connection, id, now), id)
            return asked.info(review, "running")
        if not review.plies or found is None or found.made != made:
            await self._registry.quota.take("reviews", client)
        keep = len(review.plies)
        await self._store.write(lambda connection: repository.begin(connection, id, made, keep, now), id)
        if own is not None:
            own.review.cancel()
        self._working[id] = work = Working(review, made)
        work.task = self._registry.spawn(self._work(id, work, client))
        return asked.info(review, "running")

    async def progress(self, id: str, client: Client, first: int) -> ReviewInfo:
        """How far the review of a game is; whoever asks still wants it."""
        asked = await self._allowed(id, client, first)
        own, now = self._working.get(id), self._store.now()
        if own is not None and own.made == asked.made:
            own.asked = monotonic()
            return asked.info(own.review, "running")
        found = await self._store.read(lambda connection: repository.load(connection, id))
        same = found is not None and found.made == asked.made
        review = Review(asked.stored.record(), asked.reviewer, found.plies if found is not None and same else ())
        if review.game.done and same:
            return asked.info(review, "done")
        if found is None or not same or now - found.worked >= ALIVE:
            return asked.info(review, "stopped")
        await self._store.write(lambda connection: repository.ask(connection, id, now), id)
        return asked.info(review, "running")

    def stop(self) -> None:
        """Cancel all reviews; another server may go on with them."""
        for work in self._working.values():
            work.review.cancel()

    async def _allowed(self, id: str, client: Client, first: int) -> Asked:
        """The question, if the game may be reviewed; else an error."""
        stored = await self._registry.stored(id, client)
        why = why_no_review(stored, client.person, self._store.now())
        if why:
            raise Refused(why)
        if stored.length > MOST_PLIES:
            raise OptionError(
                f"The arcade reviews games of up to {MOST_PLIES:,} plies; download the record, and `rookery review` "
                "reviews it."
            )
        if find_spec("numba") is None:
            raise OptionError("This arcade cannot review games, because its server runs without Numba.")
        game = stored.made()
        reviewer = type(game).reviewer().of(game)
        names = names_for(stored, client.person)
        return Asked(stored, reviewer, f"{VERSION} {reviewer.bot} {reviewer.nodes}", names, first)

    async def _work(self, id: str, work: Working, client: Client) -> None:
        """Review a game until it is done, or nobody asks for it any more."""
        review, last = work.review, monotonic()
        try:
            async with aclosing(self._registry.bots.review(review, client)) as steps:
                async for _ in steps:
                    if monotonic() - last > SAVE:
                        last = monotonic()
                        if not await self._save(id, work):
                            return
            await self._save(id, work)
        except Cancelled:
            await self._save(id, work)
        except Exception:
            log.exception("The review of a game of %s failed", review.record.game.name)
        finally:
            review.cancel()
            if self._working.get(id) is work:
                del self._working[id]

    async def _save(self, id: str, work: Working) -> bool:
        """Save what was found since the last time; whether to go on."""
        first, new, now = work.saved, tuple(work.review.plies[work.saved :]), self._store.now()
        there = await self._store.write(
            lambda connection: repository.add(connection, id, work.made, first, new, now), id
        )
        if there is None:
            return False
        work.saved += len(new)
        elsewhere = now - there if self._store.shared else PATIENCE
        wanted = min(monotonic() - work.asked, elsewhere) < PATIENCE
        if not wanted or work.review.token.cancelled:
            await self._store.write(lambda connection: repository.rest(connection, id, work.made), id)
        return wanted
