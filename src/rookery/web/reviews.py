"""Reviews of games in the background: computed once, kept in the database, cancelled when nobody asks for them.

The server that is asked first searches, one position after the other, after all moves of all visitors. Every second it
saves what it has found. Another server that is asked reads that, and notes that somebody still wants it; if nobody
works on the review, the next request to begin makes it go on where it stopped. If two servers work on the same review,
they find the same.
"""

from __future__ import annotations

import logging
import os
from collections import OrderedDict
from contextlib import aclosing
from importlib.util import find_spec
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from rookery.core.errors import OptionError
from rookery.search.cancel import Cancelled
from rookery.web import review_repository as repository
from rookery.web.permissions import why_no_review
from rookery.web.review_progress import ReviewProgress
from rookery.web.rooms import Refused
from rookery.web.store import MANY_ROWS
from rookery.web.views import names_for

if TYPE_CHECKING:
    import asyncio
    from typing import Any

    from rookery.core.names import Names
    from rookery.web.domain import StoredGame
    from rookery.web.fair_queue import Client
    from rookery.web.registry import RoomRegistry
    from rookery.web.review_messages import ReviewInfo
    from rookery.web.review_repository import StoredReview

log = logging.getLogger("rookery.web")

MOST_PLIES = 1_000
"""The plies of the longest game that is reviewed."""
PATIENCE = float(os.environ.get("ROOKERY_REVIEW_PATIENCE", "10"))
"""Seconds without a request after which a review is cancelled."""
SAVE = 1.0
"""Seconds between two savings."""
ASK = 1.0
"""Seconds between two notes that somebody still wants a review that another server works on."""
KEPT = 20
"""Reviews whose progress is kept in memory."""
PREPARED = 5
"""How many plies can be replayed in the time that it takes to prepare what is told of one."""
ALIVE = 5.0
"""Seconds after which a server that did not save works no more on a review."""


class Look(NamedTuple):
    """What a server sees of the review of a game when somebody asks."""

    known: ReviewProgress
    """How far it is here."""
    head: StoredReview | None
    """What the database says of it, without its plies."""
    names: Names
    """What the reader calls the players."""


class Working:
    """A review that this server works on."""

    def __init__(self, progress: ReviewProgress) -> None:
        self.progress, self.review, self.made = progress, progress.review, progress.made
        self.asked = monotonic()
        self.saved = progress.count
        self.task: asyncio.Task[Any] | None = None


class Reviews:
    """Begins, continues and cancels the reviews of games, and answers how far they are."""

    def __init__(self, registry: RoomRegistry) -> None:
        self._registry, self._store = registry, registry.store
        self._working: dict[str, Working] = {}
        self._known: OrderedDict[str, ReviewProgress] = OrderedDict()
        """The reviews that were asked for last: whoever asks again and again makes nobody read and prepare them."""

    @property
    def working(self) -> int:
        """How many reviews this server works on."""
        return len(self._working)

    async def begin(self, id: str, client: Client, first: int) -> ReviewInfo:
        """Begin the review of a game, or go on with it, unless it is done or under way; return how far it is."""
        known, head, names = look = await self._look(id, client)
        under_way = await self._under_way(id, look)
        if under_way is not None:
            return under_way.info(first, "running", names)
        same = head is not None and head.made == known.made
        if known.done and same:
            return known.info(first, "done", names)
        known = await self._load(id, client, len(known.review.record.plies))  # nothing that was never saved
        if not known.count or not same:
            await self._registry.quota.take("reviews", client)
        made, keep, now = known.made, known.count, self._store.now()
        await self._store.write(lambda connection: repository.begin(connection, id, made, keep, now), id)
        own = self._working.get(id)
        if own is not None:
            own.review.cancel()
        self._working[id] = work = Working(known)
        work.task = self._registry.spawn(self._work(id, work, client))
        return known.info(first, "running", names)

    async def progress(self, id: str, client: Client, first: int) -> ReviewInfo:
        """How far the review of a game is; whoever asks still wants it."""
        look = await self._look(id, client)
        under_way = await self._under_way(id, look)
        known, status = (look.known, "stopped") if under_way is None else (under_way, "running")
        return known.info(first, status, look.names)

    async def _under_way(self, id: str, look: Look) -> ReviewProgress | None:
        """The review, if this server or another one works on it; note that somebody wants it."""
        known, head, own, now = look.known, look.head, self._working.get(id), self._store.now()
        if own is not None and own.made == known.made:
            own.asked, own.progress.version = monotonic(), known.version
            self._known[id] = own.progress
            return own.progress
        if head is None or head.made != known.made or known.done or now - head.worked >= ALIVE:
            return None
        if now - head.asked > ASK:
            await self._store.write(lambda connection: repository.ask(connection, id, now), id)
        return known

    async def _look(self, id: str, client: Client) -> Look:
        """How far the review of a game is; an error if the game may not be reviewed."""
        stored = await self._registry.outline(id, client)
        self._check(stored, client)
        names = names_for(stored, client.person)
        head = await self._store.read(lambda connection: repository.head(connection, id), client)
        known = self._known.get(id)
        another = head is not None and known is not None and head.made not in (known.made, known.found)
        if known is None or known.version != stored.version or another:
            return Look(await self._load(id, client, stored.length or 0), head, names)
        self._known.move_to_end(id)
        if head is not None and head.made == known.made and head.count > known.count and id not in self._working:
            count = known.count
            more = await self._store.read(lambda connection: repository.load(connection, id, count), client, MANY_ROWS)
            if more is not None and more.made == known.made and known.count == count:
                await self._registry.replay(lambda: known.add(more), client, len(more.plies))
        return Look(known, head, names)

    async def _load(self, id: str, client: Client, plies: int) -> ReviewProgress:
        """Read a game and what is known of its review."""
        stored = await self._registry.stored(id, client)
        found = await self._store.read(lambda connection: repository.load(connection, id), client, MANY_ROWS)
        known = await self._registry.replay(lambda: ReviewProgress(stored, found), client, PREPARED * plies)
        self._known[id] = known
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        return known

    def stop(self) -> None:
        """Cancel all reviews; another server may go on with them."""
        for work in self._working.values():
            work.review.cancel()

    def _check(self, stored: StoredGame, client: Client) -> None:
        """Raise an error if a game may not be reviewed, or cannot be."""
        why = why_no_review(stored, client.person, self._store.now())
        if why:
            raise Refused(why)
        if (stored.length or 0) > MOST_PLIES:
            raise OptionError(
                f"The arcade reviews games of up to {MOST_PLIES:,} plies; download the record, and `rookery review` "
                "reviews it."
            )
        if find_spec("numba") is None:
            raise OptionError("This arcade cannot review games, because its server runs without Numba.")

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
