"""The store: reads, and durable writes. When `write` returns, its work is committed.

One thread writes. Work that arrives during a commit shares the next transaction (group commit): a busy server pays for
one commit instead of a hundred, and an idle one does not wait. Ordinary actions that wait are saved by one batch of
statements: PostgreSQL would else be asked, and waited for, twice an action. On PostgreSQL other servers write too. Work
on games is done in the order of their ids, so that two transactions do not wait for each other; when the connection
breaks, work is tried again, which does no harm because it is conditioned on the version of the game.
"""

from __future__ import annotations

import asyncio
import hmac
import random
import secrets
from functools import partial
from itertools import groupby
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import monotonic, sleep, time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sqlalchemy import Connection, delete, func, insert, select
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError

from rookery.core.errors import RookeryError
from rookery.web import metrics, repository, schema
from rookery.web.database import (
    READ_ONLY,
    claim,
    compact,
    create_private,
    engine_of,
    make_private,
    migrate,
    rebuild,
    without_password,
)
from rookery.web.fair_queue import SERVER, FairQueue
from rookery.web.identity import YEAR
from rookery.web.limits import DAY
from rookery.web.repository import Advance

if TYPE_CHECKING:
    from collections.abc import Callable

    from filelock import BaseFileLock

    from rookery.web.fair_queue import Client

T = TypeVar("T")

SIGNING, OLD_KEY = "signing", "signing before"
"""The names of the key that signs cookies, and of the one before it."""
READERS = 3
"""Threads for reading, besides the one for short queries; separate from others, so that queries do not wait for
replays. Visitors take turns on them too."""
MANY_ROWS = 0.2
"""Seconds that a query is expected to take which reads many rows."""
TRIES = 4
"""How often work is tried when the connection to the database breaks."""
SLOW = 0.5
"""Seconds that a comparison of clocks may take; a slower one would be less exact than what is known already."""
LONGEST = 30.0
"""Seconds after which people are told that nobody knows whether their action was saved. A commit waits without limit
for a synchronous standby, and for a network that swallows everything until the system gives the connection up.
"""
CLOSING = 10.0
"""Seconds that pending writes, and queries under way, may take when the store is closed."""
PAUSE = 0.1
"""Seconds between the first two tries, about; twice as many before each further one."""


class Unanswered(RookeryError):
    """The connection broke when work was to be committed, or nothing was heard for long: perhaps it was."""

    def __init__(self) -> None:
        super().__init__("The database did not answer, and this may have been saved. Look again, then try again.")


class Job(NamedTuple):
    """Work that waits for the writer."""

    key: str
    """The game that is changed, if it is one."""
    work: Callable[[Connection], Any] | Advance
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[Any]


class Outrun(Exception):
    """Of some actions that were saved together, one came too late."""


class Store:
    """A database by its URL. A missing file is created, an older schema is migrated."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = engine_of(url)
        self.shared = self.engine.dialect.name == "postgresql"
        """Whether other servers may use the database."""
        self._writing = engine_of(url, writing=True) if self.shared else self.engine
        self._reading = self.engine
        if self.shared:
            self._reading = self.engine.execution_options(isolation_level="REPEATABLE READ")
        self._claim: BaseFileLock | None = None
        self._offset = time() - monotonic()
        """What has to be added to this machine's steady clock to have the time of the database."""
        self._timed = False
        """Whether the clocks were ever compared."""
        self._compared = 0.0
        """When the keys and the revoked cookies were last read."""
        try:
            self._claim = claim(self.engine.url)
            create_private(self.engine.url)
            with self.engine.begin() as connection:
                migrate(connection)
                self.keys = _keys(connection)
                self.daily_secret = _secret(connection, "daily", self.keys[0])
                self._set_time(connection)
                self._compared = self.now()
                self.revoked = _revoked(connection, self._compared)
            make_private(self.engine.url)
            if not self.shared:
                self._raw(rebuild)
        except RookeryError:
            self._release()
            raise
        except (SQLAlchemyError, OSError) as problem:
            self._release()
            reason = str(getattr(problem, "orig", None) or problem).splitlines()[0]
            raise RookeryError(f"The database {without_password(url)} cannot be used: {reason}.") from None
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._readers = FairQueue(READERS, quick=1, name="reader", nice=0)
        self._writer = Thread(target=self._write_all, name="store", daemon=True)
        self._writer.start()
        self._closed = False

    @property
    def location(self) -> str:
        """Where the data is: the file, or the URL without its password."""
        url = self.engine.url
        if url.get_backend_name() == "sqlite":
            return str(Path(url.database).resolve()) if url.database else "memory"
        return without_password(str(url))

    @property
    def event_key(self) -> bytes:
        """What servers sign events with."""
        return hmac.digest(self.daily_secret, b"events", "sha256")

    def now(self) -> float:
        """The time in seconds, the same for all servers on the database, however this machine's clock is set."""
        return monotonic() + self._offset

    def synchronise(self, connection: Connection) -> None:
        """Compare this machine's clock with that of the database, and read the keys that sign cookies, if they were
        replaced, and whose cookies are no longer valid.
        """
        self._set_time(connection)
        began = self.now()
        self.keys[:] = _keys(connection)
        # Only the new ones: there may be many. The clocks of machines may differ, by less than a day.
        new = select(schema.revoked.c.person).where(schema.revoked.c.at > self._compared - DAY)
        self.revoked |= set(connection.execute(new).scalars())
        self._compared = began

    def _set_time(self, connection: Connection) -> None:
        if self.shared:
            began = monotonic()
            there = connection.execute(select(func.extract("epoch", func.clock_timestamp()))).scalar()
            if not self._timed or monotonic() - began < SLOW:
                self._offset = float(there or 0) - (began + monotonic()) / 2
                self._timed = True

    async def write(self, work: Callable[[Connection], T], key: str = "") -> T:
        """Run work in a transaction and return once it is committed; several calls may share a transaction. `key` is
        the game that is changed. The work may run again if the connection breaks: then it must find what it did before.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        began = monotonic()
        self._jobs.put(Job(key, work, loop, done))
        given_up = loop.call_later(LONGEST, _fail, (done, Unanswered()))
        try:
            found = await done
        finally:
            given_up.cancel()
        metrics.write_seconds.observe(monotonic() - began)
        return found

    async def read(self, work: Callable[[Connection], T], client: Client = SERVER, seconds: float = 0.0) -> T:
        """Run a query for a client on a reader thread, in fair turns. `seconds` is how long it is expected to take."""
        began = monotonic()
        found = await self._readers.run(partial(self._read, work), client, seconds)
        metrics.read_seconds.observe(monotonic() - began)
        return found

    def _read(self, work: Callable[[Connection], T]) -> T:
        """Run queries in one transaction, so that all see the same moment."""
        with self._reading.connect() as connection:
            if not self.shared:
                connection.exec_driver_sql("BEGIN")
            return work(connection)

    async def compact(self) -> None:
        """Give back what deleted rows took of an SQLite file."""
        if not self.shared:
            await self._readers.run(partial(self._raw, compact), SERVER, MANY_ROWS)

    def look_for_the_primary(self) -> None:
        """Make new connections from now on: the server that those before lead to can only be read."""
        self.engine.dispose()
        self._writing.dispose()

    def _raw(self, work: Callable[[Any], None]) -> None:
        """Run work on a connection as the driver has it, outside of transactions."""
        connection = self.engine.raw_connection()
        try:
            work(connection)
        finally:
            connection.close()

    def close(self) -> None:
        """Finish pending writes, if the database answers, then close; once is enough."""
        if self._closed or not self._writer.is_alive():
            return
        self._closed = True
        self._jobs.put(None)
        self._writer.join(CLOSING)
        self._readers.close(CLOSING)
        self._release()

    def _release(self) -> None:
        self.engine.dispose()
        self._writing.dispose()
        if self._claim is not None:
            self._claim.release()

    def _write_all(self) -> None:
        closing = False
        while not closing:
            jobs = [self._jobs.get()]
            while not self._jobs.empty():
                jobs.append(self._jobs.get())
            closing = None in jobs
            wanted = (job for job in jobs if job is not None and not _is_given_up(job))
            self._commit(sorted(wanted, key=lambda job: job.key))

    def _commit(self, jobs: list[Job]) -> None:
        """Run all jobs in one transaction; if one of them fails, each in its own, so that it affects no other. If the
        database is away, all fail: each would only keep those after it waiting.
        """
        unanswered = False
        for attempt in range(1, TRIES + 1):
            committing = False
            try:
                with self._writing.begin() as connection:
                    answers = _answers(connection, jobs)
                    committing = True
                break
            except Exception as problem:
                unanswered |= committing and self.shared and _is_passing(problem)
                if _sqlstate(problem) == READ_ONLY:
                    self.look_for_the_primary()
                if attempt < TRIES and self.shared and _is_passing(problem):
                    sleep(PAUSE * 2**attempt * random.uniform(0.5, 1))
                    continue
                if len(jobs) == 1 or (self.shared and _is_away(problem)):
                    _fail_all(jobs, Unanswered() if unanswered else problem)
                    return
                for job in jobs:
                    self._commit([job])
                return
        for loop in {job.loop for job in jobs}:  # waking a loop is a system call: once is enough
            done = [(job.done, answer) for job, answer in zip(jobs, answers, strict=True) if job.loop is loop]
            _call(loop, _finish, done)


def _answers(connection: Connection, jobs: list[Job]) -> list[Any]:
    """Run all jobs in their order; ordinary actions that follow each other, together."""
    answers: list[Any] = []
    for _, some in groupby(jobs, key=lambda job: isinstance(job.work, Advance)):
        works = [job.work for job in some]
        advances = [work for work in works if isinstance(work, Advance)]
        if advances:
            advanced = repository.advance(connection, advances)
            if not advanced and len(advances) > 1:
                raise Outrun
            answers += [advanced] * len(advances)
        answers += [work(connection) for work in works if not isinstance(work, Advance)]
    return answers


def _is_passing(problem: Exception) -> bool:
    """Whether the fault is that of the connection, or of two transactions that waited for each other."""
    if not isinstance(problem, DBAPIError):
        return False
    state = _sqlstate(problem) or ""
    if isinstance(problem, (OperationalError, InterfaceError)):
        return state[:2] != "53"  # neither disk nor connections are there again in a moment
    return problem.connection_invalidated or state in ("40001", "40P01")


def _is_away(problem: Exception) -> bool:
    """Whether the database cannot be reached, or cannot write at all."""
    if not isinstance(problem, OperationalError | InterfaceError):
        return False
    state = _sqlstate(problem)
    return state in (None, READ_ONLY) or (
        state[:2] in ("08", "53", "57") and state != "57014"
    )  # that one took too long


def _sqlstate(problem: Exception) -> Any:
    """PostgreSQL's code of a problem; None if the problem is another's, or the connection's."""
    return getattr(getattr(problem, "orig", None), "sqlstate", None)


def _call(loop: asyncio.AbstractEventLoop, report: Callable[[Any], None], what: Any) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(report, what)


def _is_given_up(job: Job) -> bool:
    """Whether somebody was told to look again, before the work was begun."""
    return job.done.done() and not job.done.cancelled()


def _fail_all(jobs: list[Job], problem: Exception) -> None:
    for job in jobs:
        _call(job.loop, _fail, (job.done, problem))


def _finish(answers: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for done, answer in answers:
        if not done.done():
            done.set_result(answer)


def _fail(failed: tuple[asyncio.Future[Any], Exception]) -> None:
    done, problem = failed
    if not done.done():
        done.set_exception(problem)


def rotate_keys(url: str, *, forget: bool) -> None:
    """Sign cookies with a new key from now on. Cookies of the old key stay valid until the next rotation, unless
    `forget`.
    """
    store, table = Store(url), schema.secrets

    def work(connection: Connection) -> None:
        connection.execute(delete(table).where(table.c.name.in_((SIGNING, OLD_KEY))))
        connection.execute(insert(table).values(name=SIGNING, value=secrets.token_hex(32)))
        if not forget:
            connection.execute(insert(table).values(name=OLD_KEY, value=store.keys[0].hex()))

    try:
        asyncio.run(store.write(work))
    finally:
        store.close()


def _keys(connection: Connection) -> list[bytes]:
    """The keys that sign cookies: the one in use, and the one before it, if cookies of that are still valid."""
    found = [_secret(connection, SIGNING)]
    table = schema.secrets
    old = connection.execute(select(table.c.value).where(table.c.name == OLD_KEY)).scalar()
    return found if old is None else [*found, bytes.fromhex(old)]


def _secret(connection: Connection, name: str, first: bytes | None = None) -> bytes:
    """A secret by its name; created once per database, with a given value or at random."""
    table = schema.secrets
    found = connection.execute(select(table.c.value).where(table.c.name == name)).scalar()
    if found is None:
        found = secrets.token_hex(32) if first is None else first.hex()
        connection.execute(insert(table).values(name=name, value=found))
    return bytes.fromhex(found)


def _revoked(connection: Connection, now: float) -> set[str]:
    """The people whose cookies are no longer valid. Those whose cookies have expired meanwhile are forgotten."""
    table = schema.revoked
    connection.execute(delete(table).where(table.c.at < now - YEAR - DAY))
    return set(connection.execute(select(table.c.person)).scalars())
