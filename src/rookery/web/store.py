"""The database connection: migrations, reads, and durable writes. When `write` returns, its work is committed.

One thread writes. Work that arrives during a commit shares the next transaction (group commit): a busy server pays for
one commit instead of a hundred, and an idle one does not wait.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from filelock import BaseFileLock, FileLock, Timeout
from sqlalchemy import URL, Connection, create_engine, event, insert, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from rookery.core.errors import RookeryError
from rookery.system.folders import lock_file
from rookery.web import schema

if TYPE_CHECKING:
    from collections.abc import Callable

    Work = Callable[[Connection], Any]
    Job = tuple[Work, asyncio.AbstractEventLoop, asyncio.Future[Any]]

T = TypeVar("T")

PRIVATE = 0o600
"""Permissions of files that only their owner may read and write."""
READERS = 4
"""Threads for reading; separate from other thread pools, so that queries do not wait for replays."""


class Store:
    """A database by its URL. A missing file is created, an older schema is migrated."""

    def __init__(self, url: str) -> None:
        self.engine = _engine(url)
        self._claim: BaseFileLock | None = None
        try:
            self._claim = _claim(self.engine.url)
            _create_private(self.engine.url)
            with self.engine.begin() as connection:
                _migrate(connection)
            with self.engine.begin() as connection:
                self.secret = _secret(connection)
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

    def close(self) -> None:
        """Finish pending writes, then close."""
        self._jobs.put(None)
        self._writer.join()
        self._readers.shutdown()
        self._release()

    def _release(self) -> None:
        self.engine.dispose()
        if self._claim is not None:
            self._claim.release()

    def _read(self, work: Callable[[Connection], T]) -> T:
        with self.engine.connect() as connection:
            return work(connection)

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
            with self.engine.begin() as connection:
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
        engine = create_engine(url, hide_parameters=True)  # keeps personal data out of logs
    except (ArgumentError, ImportError) as problem:
        raise RookeryError(
            f"Rookery cannot open the database '{_without_password(url)}' ({problem}); try sqlite:///arcade.db instead."
        ) from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
    return engine


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


def _migrate(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _secret(connection: Connection) -> bytes:
    """The secret that signs cookies and seeds daily challenges; created once per database."""
    table = schema.secrets
    found = connection.execute(select(table.c.value).where(table.c.name == "signing")).scalar()
    if found is None:
        found = secrets.token_hex(32)
        connection.execute(insert(table).values(name="signing", value=found))
    return bytes.fromhex(found)


def _without_password(url: str) -> str:
    """The URL without its password."""
    try:
        return make_url(url).render_as_string()
    except ArgumentError:
        return url[:60]
