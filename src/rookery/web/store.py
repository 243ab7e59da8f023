"""The database connection: migrations, reads, and durable writes. When `write` returns, its work is committed.

One thread writes. Work that arrives during a commit shares the next transaction (group commit): a busy server pays for
one commit instead of a hundred, and an idle one does not wait.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import time
from typing import TYPE_CHECKING, Any, TypeVar

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from filelock import BaseFileLock, FileLock, Timeout
from sqlalchemy import URL, Connection, create_engine, delete, event, func, insert, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from rookery.core.errors import RookeryError
from rookery.system.folders import lock_file
from rookery.web import schema
from rookery.web.identity import YEAR
from rookery.web.limits import DAY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Work = Callable[[Connection], Any]
    Job = tuple[Work, asyncio.AbstractEventLoop, asyncio.Future[Any]]

T = TypeVar("T")

SIGNING, OLD_KEY = "signing", "signing before"
"""The names of the key that signs cookies, and of the one before it."""
PRIVATE = 0o600
"""Permissions of files that only their owner may read and write."""
READERS = 4
"""Threads for reading; separate from other thread pools, so that queries do not wait for replays."""


STATEMENT_MS = 15_000
"""Milliseconds that a server of databases may work on one statement."""
CLAIM = 0x726F6F6B
"""The advisory lock that a server of this program takes in a PostgreSQL database."""


class Store:
    """A database by its URL. A missing file is created, an older schema is migrated."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = _engine(url)
        self._claim: BaseFileLock | None = None
        self._claimed: Connection | None = None
        """The connection that holds the lock of a PostgreSQL database; all writes go through it."""
        try:
            self._claim = _claim(self.engine.url)
            _create_private(self.engine.url)
            if self.engine.dialect.name == "postgresql":
                self._claimed = _claimed(self.engine)
            with self._begin() as connection:
                _migrate(connection)
            with self._begin() as connection:
                self.keys = _keys(connection)
                self.daily_secret = _secret(connection, "daily", self.keys[0])
                self.revoked = _revoked(connection)
            _make_private(self.engine.url)
        except CommandError:  # Alembic does not know the schema's revision
            self._release()
            raise RookeryError(
                f"The database {_without_password(url)} was made by a newer version of Rookery: install that one."
            ) from None
        except (SQLAlchemyError, OSError) as problem:
            self._release()
            reason = str(getattr(problem, "orig", None) or problem).splitlines()[0]
            raise RookeryError(f"The database {_without_password(url)} cannot be used: {reason}.") from None
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._readers = ThreadPoolExecutor(READERS, thread_name_prefix="reader")
        self._writer = Thread(target=self._write_all, name="store", daemon=True)
        self._writer.start()

    @property
    def location(self) -> str:
        """Where the data is: the file, or the URL without its password."""
        url = self.engine.url
        if url.get_backend_name() == "sqlite":
            return str(Path(url.database).resolve()) if url.database else "memory"
        return _without_password(str(url))

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run work in a transaction and return once it is committed; several calls may share a transaction."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._jobs.put((work, loop, done))
        return await done

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run a query on a reader thread."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    def _read(self, work: Callable[[Connection], T]) -> T:
        with self.engine.connect() as connection:
            return work(connection)

    def close(self) -> None:
        """Finish pending writes, then close."""
        self._jobs.put(None)
        self._writer.join()
        self._readers.shutdown()
        self._release()

    def _release(self) -> None:
        if self._claimed is not None:
            self._claimed.close()
        self.engine.dispose()
        if self._claim is not None:
            self._claim.release()

    @contextmanager
    def _begin(self) -> Iterator[Connection]:
        """A transaction, on the connection that holds the lock if there is one. If that was lost, so is the lock."""
        if self._claimed is None:
            with self.engine.begin() as connection:
                yield connection
            return
        if self._claimed.invalidated or self._claimed.closed:
            self._claimed.close()
            self._claimed = _claimed(self.engine)
        with self._claimed.begin():
            yield self._claimed

    def _write_all(self) -> None:
        closing = False
        while not closing:
            jobs = [self._jobs.get()]
            while not self._jobs.empty():
                jobs.append(self._jobs.get())
            closing = None in jobs
            self._commit([job for job in jobs if job is not None])

    def _commit(self, jobs: list[Job]) -> None:
        """Run all jobs in one transaction; if that fails, each in its own, so that one failure affects no other job."""
        try:
            with self._begin() as connection:
                answers = [work(connection) for work, _, _ in jobs]
        except Exception as problem:
            if len(jobs) == 1:
                _, loop, done = jobs[0]
                _call(loop, _fail, done, problem)
                return
            for job in jobs:
                self._commit([job])
            return
        for (_, loop, done), answer in zip(jobs, answers, strict=True):
            _call(loop, _finish, done, answer)


def _call(loop: asyncio.AbstractEventLoop, report: Callable[..., None], done: asyncio.Future[Any], what: Any) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(report, done, what)


def _finish(done: asyncio.Future[Any], answer: Any) -> None:
    if not done.done():
        done.set_result(answer)


def _fail(done: asyncio.Future[Any], problem: Exception) -> None:
    if not done.done():
        done.set_exception(problem)


def _engine(url: str) -> Any:
    try:
        # Parameters are hidden to keep personal data out of logs.
        engine = create_engine(url, hide_parameters=True, pool_pre_ping=not url.startswith("sqlite"))
    except (ArgumentError, ImportError) as problem:
        raise RookeryError(
            f"Rookery cannot open the database '{_without_password(url)}' ({problem}); try sqlite:///arcade.db instead."
        ) from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
    elif engine.dialect.name == "postgresql":
        event.listen(engine, "connect", _set_up_postgresql)
    return engine


def _claimed(engine: Any) -> Connection:
    """A connection that holds the lock of a PostgreSQL database, so that no second server uses it."""
    connection: Connection = engine.connect()
    if not connection.execute(select(func.pg_try_advisory_lock(CLAIM))).scalar():
        connection.close()
        raise OSError("another arcade is using it")
    connection.commit()
    return connection


def _claim(url: URL) -> BaseFileLock | None:
    """Lock the file, so that no second server uses it: rooms live in one process's memory."""
    if url.get_backend_name() != "sqlite" or not url.database:
        return None
    file = lock_file(Path(url.database))
    if not file.parent.is_dir():  # FileLock would create it
        raise OSError(f"there is no folder {file.parent}")
    claim = FileLock(file, timeout=0, mode=PRIVATE, thread_local=False)  # any thread may close the store
    try:
        claim.acquire()
    except Timeout:
        raise OSError("another arcade is using it") from None
    except NotImplementedError:  # a file system without locks
        return None
    return claim


def _create_private(url: URL) -> None:
    """Create a database file that only its owner may read: it will hold the secret that signs cookies. SQLite gives the
    files that it makes beside it the same permissions.
    """
    if url.get_backend_name() == "sqlite" and url.database and not Path(url.database).exists():
        os.close(os.open(url.database, os.O_CREAT | os.O_RDWR, PRIVATE))


def _make_private(url: URL) -> None:
    """Take from others the permission to read a database file, which an older version may have given."""
    if url.get_backend_name() != "sqlite" or not url.database:
        return
    for file in (Path(url.database + ending) for ending in ("", "-wal", "-shm")):
        with suppress(FileNotFoundError, PermissionError):  # another owner's file may be used all the same
            if file.stat().st_mode & 0o077:
                file.chmod(PRIVATE)


def _set_up_sqlite(connection: Any, _: Any) -> None:
    """WAL mode, so that readers do not wait for the writer; full sync, so that a commit is durable."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _set_up_postgresql(connection: Any, _: Any) -> None:
    """A statement that takes too long fails; others would wait for it."""
    cursor = connection.cursor()
    cursor.execute(f"SET statement_timeout = {STATEMENT_MS}")
    cursor.close()
    connection.commit()


def _migrate(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL statement_timeout = 0"))
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def reading(url: str, work: Callable[[Connection], T]) -> T:
    """Run a query on a connection of its own, as another process has to."""
    engine = _engine(url)
    try:
        with engine.connect() as connection:
            return work(connection)
    finally:
        engine.dispose()


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


def _revoked(connection: Connection) -> set[str]:
    """The people whose cookies are no longer valid. Those whose cookies have expired meanwhile are forgotten."""
    table = schema.revoked
    connection.execute(delete(table).where(table.c.at < time() - YEAR - DAY))
    return set(connection.execute(select(table.c.person)).scalars())


def _without_password(url: str) -> str:
    """The URL without its password."""
    try:
        return make_url(url).render_as_string()
    except ArgumentError:
        return url[:60]
