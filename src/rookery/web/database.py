"""Opening a database: which one a URL names, how its connections are set up, who may read its files, and its tables."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import URL, Connection, create_engine, event, func, inspect, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError

from rookery.core.errors import RookeryError
from rookery.system.folders import PRIVATE, lock, lock_file
from rookery.web import migrations

if TYPE_CHECKING:
    from collections.abc import Callable

    from filelock import BaseFileLock
    from sqlalchemy import Engine
    from sqlalchemy.engine import ExceptionContext

T = TypeVar("T")

STATEMENT_MS = 15_000
"""Milliseconds that PostgreSQL may work on one statement, or wait for a lock."""
IDLE_MS = 4_000
"""Milliseconds for which it waits for the next statement of a transaction. A server that stands still in the middle of
one holds locks that others wait for; it tries again when it goes on."""
FREED = 500
"""Pages of 4 kB that are given back at once."""
PAGES_KEPT = 2_500
"""Up to this many free pages, writing the file again is not worth it."""
MIGRATION = 0x726F6F6B
"""The advisory lock under which a PostgreSQL database gets its tables."""
POOL = 6
"""Connections to PostgreSQL of one server: readers, the writer, and one to spare."""
CONNECTING = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "application_name": "rookery",
    "target_session_attrs": "read-write",
}
"""How soon a connection to PostgreSQL that leads nowhere is given up: seconds, and for `tcp_user_timeout` milliseconds;
and that of several servers the primary is wanted, which is the one that can write.
"""
READ_ONLY = "25006"
"""PostgreSQL's code for a change that a server refuses because it is a standby, or was made read-only."""
SEVERAL = re.compile(
    r"(?P<scheme>postgresql[^:]*)://(?P<user>[^@/?]*@)?(?P<hosts>[^/?]*,[^/?]*)(?P<name>/[^?]*)?\??(?P<more>.*)"
)
"""A URL with several servers, as PostgreSQL's own programs take it."""
HOST = re.compile(r"\[?(?P<host>[^\]]*?)\]?(:(?P<port>\d*))?")


def parsed(text: str) -> URL:
    """A database's URL. Of several servers `//a:1,b:2/name` becomes `///name?host=a,b&port=1,2`, which SQLAlchemy and
    PostgreSQL's library both take.
    """
    several = SEVERAL.fullmatch(text)
    if several is not None:
        found = [HOST.fullmatch(each) for each in several["hosts"].split(",")]
        hosts, ports = (",".join((each[part] or "") if each else "" for each in found) for part in ("host", "port"))
        more = f"&{several['more']}" if several["more"] else ""
        text = f"{several['scheme']}://{several['user'] or ''}{several['name'] or '/'}?host={hosts}&port={ports}{more}"
    try:
        return make_url(text)
    except ValueError:  # the port is no number
        raise ArgumentError("the URL is malformed") from None


def engine_of(url: str, *, writing: bool = False) -> Engine:
    """What connects to a database. The store's writer has a connection to itself, which is not tried out before each
    use: what it does is tried again when a connection is found to be broken.
    """
    try:
        # Parameters are hidden to keep personal data out of logs.
        options: dict[str, Any] = {"hide_parameters": True}
        where = parsed(url)
        if where.get_backend_name() == "postgresql":
            where = where.set(drivername="postgresql+psycopg")
            size = 1 if writing else POOL - 1
            options |= {"pool_pre_ping": not writing, "pool_size": size, "max_overflow": 0, "pool_timeout": 10}
            options["connect_args"] = CONNECTING
        engine = create_engine(where, **options)
    except (ArgumentError, ImportError) as problem:
        raise RookeryError(
            f"Rookery cannot open the database '{without_password(url)}' ({problem}); try sqlite:///arcade.db instead."
        ) from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
    elif engine.dialect.name == "postgresql":
        event.listen(engine, "connect", _set_up_postgresql)
        event.listen(engine, "handle_error", _look_for_the_primary, retval=True)
    return engine


def claim(url: URL) -> BaseFileLock | None:
    """Lock an SQLite file, so that no second server uses it: they could not tell each other what changes."""
    if url.get_backend_name() != "sqlite" or not url.database:
        return None
    folder = lock_file(Path(url.database)).parent
    if not folder.is_dir():  # locking would create it
        raise OSError(f"there is no folder {folder}")
    return lock(Path(url.database))


def create_private(url: URL) -> None:
    """Create a database file that only its owner may read: it will hold the secret that signs cookies. SQLite gives the
    files that it makes beside it the same permissions.
    """
    if url.get_backend_name() == "sqlite" and url.database and not Path(url.database).exists():
        os.close(os.open(url.database, os.O_CREAT | os.O_RDWR, PRIVATE))


def make_private(url: URL) -> None:
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
    # auto_vacuum has an effect on a new file only, and before anything is written: see `compact`.
    for pragma in (
        "auto_vacuum=INCREMENTAL",
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        "busy_timeout=5000",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _set_up_postgresql(connection: Any, _: Any) -> None:
    """A statement that takes too long fails; others would wait for it."""
    cursor = connection.cursor()
    for limit in ("statement_timeout", "lock_timeout"):
        cursor.execute(f"SET {limit} = {STATEMENT_MS}")
    cursor.execute(f"SET idle_in_transaction_session_timeout = {IDLE_MS}")
    cursor.close()
    connection.commit()


def _look_for_the_primary(context: ExceptionContext) -> DBAPIError | None:
    """A server that refuses to write is as good as one that is away: all connections to it are given up, and new ones
    lead to the primary.
    """
    problem = context.sqlalchemy_exception
    if not isinstance(problem, DBAPIError) or getattr(problem.orig, "sqlstate", None) != READ_ONLY:
        return None
    context.is_disconnect = True
    told = {"statement": problem.statement, "params": problem.params, "orig": problem.orig}
    return OperationalError(**told, hide_parameters=True, connection_invalidated=True)  # type: ignore[arg-type]


def migrate(connection: Connection) -> None:
    """Create or upgrade the tables, unless they are those of this version; Alembic takes long to import. Of several
    servers that start at once, one does it and the others wait.
    """
    if _is_current(connection):
        return
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL statement_timeout = 0"))
        connection.execute(text("SET LOCAL lock_timeout = 0"))
        connection.execute(select(func.pg_advisory_xact_lock(MIGRATION)))
    config = Config()
    config.set_main_option("script_location", str(migrations.FOLDER))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError:  # it does not know the revision
        raise RookeryError(
            f"The database {without_password(str(connection.engine.url))} was made by a newer version of Rookery: "
            "install that one."
        ) from None


def _is_current(connection: Connection) -> bool:
    """Whether the tables have the newest revision."""
    if not inspect(connection).has_table("alembic_version"):
        return False
    there = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return there == migrations.revisions()[-1]


def compact(connection: Any) -> None:
    """Give what deleted rows took of an SQLite file back to the system, a few pages at a time, so that writers
    wait for milliseconds only. PostgreSQL's autovacuum does this by itself.
    """
    cursor = connection.cursor()
    try:
        while (free := cursor.execute("PRAGMA freelist_count").fetchone()[0]) > 0:
            cursor.executescript(f"PRAGMA incremental_vacuum({FREED})")  # `execute` stops after the first page
            if cursor.execute("PRAGMA freelist_count").fetchone()[0] >= free:  # a file of an older version
                break
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        cursor.close()


def rebuild(connection: Any) -> None:
    """Write an SQLite file again if an earlier version made it, which never gave pages back, and a quarter of it or
    more is free. Nobody else may use it yet.
    """
    cursor = connection.cursor()
    try:
        mode, pages, free = (
            cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ("auto_vacuum", "page_count", "freelist_count")
        )
        if mode == 0 and free > PAGES_KEPT and 4 * free > pages:
            cursor.execute("PRAGMA auto_vacuum=INCREMENTAL")
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    finally:
        cursor.close()


def reading(url: str, work: Callable[[Connection], T]) -> T:
    """Run a query on a connection of its own, as another process has to."""
    engine = engine_of(url)
    try:
        with engine.connect() as connection:
            return work(connection)
    finally:
        engine.dispose()


def without_password(url: str) -> str:
    """A URL without its password, which may be a parameter too."""
    try:
        return parsed(url).difference_update_query(("password", "sslpassword")).render_as_string()
    except ArgumentError:
        return url.partition(":")[0][:60]
