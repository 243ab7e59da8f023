"""What the arcade uses of PostgreSQL beside tables: LISTEN and NOTIFY for events, and a durable queue of jobs
(procrastinate). Imported only if the database is PostgreSQL.
"""

from __future__ import annotations

import asyncio
import logging
import random
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import procrastinate
import psycopg
from litestar.channels.backends.psycopg import PsycoPgChannelsBackend
from procrastinate.exceptions import AlreadyEnqueued
from psycopg import sql
from sqlalchemy.exc import SQLAlchemyError

from rookery.core.errors import RookeryError
from rookery.web.database import CONNECTING, IDLE_MS, MIGRATION, parsed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

log = logging.getLogger("rookery.web")
for each in ("procrastinate", "psycopg.pool"):  # what they say takes many lines, and is said here in one
    logging.getLogger(each).setLevel(logging.CRITICAL)

SCHEMA = f"rookery_jobs_{procrastinate.__version__.replace('.', '_')}"
"""Where the queue's tables are. A job only says which game to look at, and is made again if it is lost; so another
version of the library starts with tables of its own.
"""
CONCURRENT = 8
"""Games that one server looks after at the same time, besides those that are open there."""
HEARTBEAT, STALLED = 5.0, 20.0
"""Seconds between a worker's signs of life, and after which its jobs are given to others."""


def address(url: str) -> str:
    """A database URL as PostgreSQL's own library takes it."""
    found = parsed(url).set(drivername="postgresql").update_query_dict({k: str(v) for k, v in CONNECTING.items()})
    return found.render_as_string(hide_password=False)


class Channels(PsycoPgChannelsBackend):
    """Litestar's channels over LISTEN and NOTIFY. One connection sends all messages; Litestar opens one for each."""

    def __init__(self, url: str) -> None:
        super().__init__(address(url))
        self._sender: psycopg.AsyncConnection[Any] | None = None

    async def publish(self, data: bytes, channels: Iterable[str]) -> None:
        """Publish data to channels. A server that is no longer the primary is left: nobody else listens there."""
        if self._sender is None:
            self._sender = await psycopg.AsyncConnection.connect(self._pg_dsn, autocommit=True)
        for channel in channels:
            told = await self._sender.execute(
                "SELECT pg_notify(%s, %s), current_setting('transaction_read_only')", (channel, data.decode())
            )
            if (await told.fetchone() or ("", "on"))[1] == "on":
                raise psycopg.errors.ReadOnlySqlTransaction("this server is no longer the primary")

    async def on_shutdown(self) -> None:
        """Close both connections."""
        if self._sender is not None:
            await self._sender.close()
        await super().on_shutdown()


class JobQueue:
    """The queue of games that somebody has to look after. Every server adds what is overdue, and each job is done by
    one of them; if that one dies, by another.
    """

    def __init__(self, url: str, tend: Callable[[str], Awaitable[None]], clean: Callable[[], Awaitable[None]]) -> None:
        self._url = address(url)
        connector = procrastinate.PsycopgConnector(
            conninfo=self._url, kwargs={"options": f"-c search_path={SCHEMA}"}, min_size=1, max_size=4, timeout=10
        )
        self._app = procrastinate.App(connector=connector)

        @self._app.task(name="tend", retry=procrastinate.RetryStrategy(max_attempts=3, exponential_wait=2))
        async def look_after(game: str) -> None:
            try:
                await tend(game)
            except (SQLAlchemyError, RookeryError) as problem:
                log.warning("A game could not be looked after: %s", str(problem).splitlines()[:1])
                raise
            except Exception:
                log.exception("A game could not be looked after")
                raise

        @self._app.periodic(cron="17 * * * *")
        @self._app.task(name="clean", queueing_lock="clean")
        async def clean_up(timestamp: int) -> None:
            await clean()

        @self._app.periodic(cron="* * * * *")
        @self._app.task(name="retry stalled jobs", queueing_lock="stalled")
        async def retry_stalled(timestamp: int) -> None:
            for job in await self._app.job_manager.get_stalled_jobs(seconds_since_heartbeat=STALLED):
                await self._app.job_manager.retry_job(job)

        self._tend = look_after
        self._open = False

    async def add(self, games: Iterable[str]) -> None:
        """Have games looked after by any server that has time; those that wait already are not added again."""
        if not self._open:
            return
        for game in games:
            with suppress(AlreadyEnqueued):
                await self._tend.configure(queueing_lock=game).defer_async(game=game)

    async def run(self) -> None:
        """Do jobs until cancelled; connect again whenever the connection breaks."""
        while True:
            try:
                await self._create()
                async with self._app.open_async():
                    self._open = True
                    await self._app.run_worker_async(
                        concurrency=CONCURRENT,
                        install_signal_handlers=False,
                        delete_jobs="always",
                        update_heartbeat_interval=HEARTBEAT,
                        stalled_worker_timeout=STALLED,
                        shutdown_graceful_timeout=1,
                    )
            except Exception as problem:
                log.warning("Jobs are not done now: %s", str(problem).splitlines()[:1])
            finally:
                self._open = False
            await asyncio.sleep(random.uniform(1, 3))

    async def _create(self) -> None:
        """Create the queue's tables, if they are not there."""
        async with await psycopg.AsyncConnection.connect(self._url) as connection:
            await connection.execute(f"SET idle_in_transaction_session_timeout = {IDLE_MS}")
            await connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION,))
            found = await connection.execute("SELECT to_regclass(%s)", (f"{SCHEMA}.procrastinate_jobs",))
            if (await found.fetchone() or (None,))[0] is not None:
                return
            await connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(SCHEMA)))
            await connection.execute(sql.SQL("SET LOCAL search_path TO {}").format(sql.Identifier(SCHEMA)))
            await connection.execute(procrastinate.schema.SchemaManager.get_schema())
