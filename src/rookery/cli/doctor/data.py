"""Checks the data folder and the arcade's database, without changing either."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from rookery.cli.doctor.check import OK, PROBLEM, Check, guarded, size_of, write_error
from rookery.core.errors import RookeryError
from rookery.system.folders import lock, lock_file
from rookery.web.migrations import revisions

if TYPE_CHECKING:
    from collections.abc import Iterator

LARGE_DATABASE = 200 * 10**6
"""Larger databases are opened but their pages are not checked, because that takes long."""


def check_data(url: str | None = None) -> Iterator[Check]:
    """Check the user's data folder and the arcade's database."""
    from rookery.system.folders import data_folder

    if url is None:
        try:
            folder = data_folder()
        except RookeryError as problem:
            yield Check("folder", PROBLEM, str(problem), "Set ROOKERY_DATA to a writable folder.")
            return
        why = write_error(folder)
        if why:
            advice = "Set ROOKERY_DATA to a writable folder."
            yield Check("folder", PROBLEM, f"{folder} cannot be written: {why}.", advice)
        else:
            yield Check("folder", OK, f"{folder}, {size_of(folder)}, writable.")
        yield from guarded("database", lambda: _sqlite(folder / "arcade.db"))
    elif "://" not in url or url.startswith("sqlite:///"):
        yield from guarded("database", lambda: _sqlite(Path(url.removeprefix("sqlite:///"))))
    else:
        yield from guarded("database", lambda: _server(url))


def _sqlite(file: Path) -> Iterator[Check]:
    """Check a database file, with the standard library and read-only."""
    if not file.exists():
        yield Check("database", OK, f"{file} does not exist yet; rookery serve creates it.")
        return
    used = in_use(file)
    text = f"{file}, {size_of(file)}"
    try:
        connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=1)
        try:
            if file.stat().st_size <= LARGE_DATABASE:
                (answer,) = connection.execute("PRAGMA quick_check(1)").fetchone()
                if answer != "ok":
                    raise sqlite3.DatabaseError(answer)
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            row = None
            if "alembic_version" in tables:
                row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as problem:
        locked = "locked" in str(problem)
        yield Check(
            "database",
            PROBLEM,
            f"{text}, cannot be read: {problem}.",
            "Another program has locked it; stop that program." if locked else _MOVE_AWAY,
        )
        return
    yield _schema(text + (", in use by a running arcade" if used else ""), row[0] if row else None, bool(tables))


_MOVE_AWAY = "Restore a backup, or move the file away: rookery serve then creates a new one."


def in_use(database: Path) -> bool:
    """Whether a running arcade uses this file: it locks the file next to it."""
    if not lock_file(database).exists():
        return False
    try:
        held = lock(database)
    except BlockingIOError:
        return True
    if held is not None:
        held.release()
    return False


def _schema(text: str, revision: str | None, filled: bool = True) -> Check:
    """Judge a database by the revision of its schema."""
    known = revisions()
    if revision is None:
        if filled:
            return Check("database", PROBLEM, f"{text}, has tables that are not the arcade's.", _MOVE_AWAY)
        return Check("database", OK, f"{text}, empty; rookery serve creates the tables.")
    if revision not in known:
        advice = "Install the newer version: pip install --upgrade rookery"
        return Check("database", PROBLEM, f"{text}, was created by a newer Rookery (schema {revision}).", advice)
    if revision != known[-1]:
        later = f"rookery serve upgrades it to {known[-1]}."
        return Check("database", OK, f"{text}, readable, schema {revision}. {later}")
    return Check("database", OK, f"{text}, readable, schema {revision}, up to date.")


def _server(url: str) -> Iterator[Check]:
    """Check a database on a server, such as PostgreSQL."""
    try:
        from sqlalchemy import inspect, text
        from sqlalchemy.exc import SQLAlchemyError

        from rookery.web.database import engine_of, without_password
    except ImportError:
        yield Check("database", PROBLEM, "A database on a server needs SQLAlchemy.", "pip install 'rookery[web]'")
        return
    shown = without_password(url)
    try:
        engine = engine_of(url)
        try:
            with engine.connect() as connection:
                row = None
                filled = inspect(connection).has_table("alembic_version")
                if filled:
                    row = connection.execute(text("SELECT version_num FROM alembic_version")).first()
        finally:
            engine.dispose()
    except RookeryError as problem:
        advice = "Check the URL. PostgreSQL needs a driver: pip install 'rookery[postgres]'"
        yield Check("database", PROBLEM, str(problem), advice)
    except SQLAlchemyError as problem:
        reason = str(getattr(problem, "orig", None) or problem).splitlines()[0]
        advice = "Check that the server runs and that the URL is right."
        yield Check("database", PROBLEM, f"{shown} cannot be used: {reason}.", advice)
    else:
        yield _schema(shown, row[0] if row else None, filled)
