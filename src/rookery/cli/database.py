"""`rookery backup`, `restore` and `rekey`: what an operator does with the arcade's database."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from rookery.cli import flags
from rookery.core.errors import RookeryError
from rookery.core.notation import counted
from rookery.system import interrupts
from rookery.system.folders import data_folder

if TYPE_CHECKING:
    from argparse import ArgumentParser

BACK_UP = "pg_dump --format=custom --exclude-schema='rookery_jobs_*' --file={} URL"
PUT_BACK = "pg_restore --exit-on-error --single-transaction --no-owner --dbname=URL {}"
"""What does the same for PostgreSQL."""
PAGES, PAUSE = 1_000, 0.005
"""Pages that are copied at once, and the seconds in between, in which others may write."""


def backup(given: list[str]) -> int:
    """Copy the arcade's database while people play."""
    parser = flags.parser(
        "rookery backup", "Copy the arcade's database into a file, whole and checked, while people play."
    )
    parser.add_argument("file", metavar="FILE", help="the file to write")
    _add_db(parser)
    parser.add_argument("--force", action="store_true", help="overwrite FILE")
    chosen = parser.parse_args(given)
    source, target = _file_of(chosen.db, BACK_UP.format(chosen.file)), Path(chosen.file)
    if target.exists() and not chosen.force:
        raise RookeryError(f"'{target}' exists; choose another name, or add --force.")
    games = _copy(source, target)
    print(f"Copied {source} to {target}: {counted(games, 'game')}, checked.")
    return 0


def restore(given: list[str]) -> int:
    """Put a backup in the place of the arcade's database."""
    parser = flags.parser(
        "rookery restore",
        "Put a backup in the place of the arcade's database. Stop the arcade first; the old database is kept.",
    )
    parser.add_argument("file", metavar="FILE", help="the backup")
    _add_db(parser)
    chosen = parser.parse_args(given)
    from rookery.cli.doctor.data import in_use

    source, target = Path(chosen.file), _file_of(chosen.db, PUT_BACK.format(chosen.file), must_exist=False)
    if in_use(target):
        raise RookeryError(f"An arcade is using {target}; stop it first.")
    fresh = target.with_name(target.name + ".restoring")
    try:
        games = _copy(source, fresh)
        with interrupts.held():  # between the two there is no database
            kept = _keep(target)
            fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)
    print(f"Restored {target} from {source}: {counted(games, 'game')}, checked.")
    if kept is not None:
        print(f"The database before is now {kept}.")
    return 0


def rekey(given: list[str]) -> int:
    """Replace the key that signs cookies."""
    parser = flags.parser(
        "rookery rekey",
        "Replace the key that signs visitors' cookies. Stop an arcade on SQLite first; on PostgreSQL, servers notice "
        "within half a minute. Cookies of the old key stay valid until the next time.",
    )
    _add_db(parser)
    parser.add_argument(
        "--forget", action="store_true", help="make all old cookies invalid: every visitor becomes a new one"
    )
    chosen = parser.parse_args(given)
    from rookery.system.requirements import need

    need("web", "The arcade")
    from rookery.web.serve import database_url
    from rookery.web.store import rotate_keys

    rotate_keys(database_url(chosen.db), forget=chosen.forget)
    print("Cookies are signed with a new key" + (", and all old ones are invalid." if chosen.forget else "."))
    return 0


def _add_db(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--db", metavar="URL", help="the database, a file or a URL (default: $ROOKERY_DB, or else in your data folder)"
    )


def _file_of(given: str | None, otherwise: str, *, must_exist: bool = True) -> Path:
    """The file of an SQLite database; for PostgreSQL there is another command."""
    url = given or os.environ.get("ROOKERY_DB") or str(data_folder() / "arcade.db")
    if "://" in url and not url.startswith("sqlite:///"):
        raise RookeryError(f"This is for SQLite files. For PostgreSQL: {otherwise}")
    file = Path(url.removeprefix("sqlite:///"))
    if must_exist and not file.is_file():
        raise RookeryError(f"There is no database {file}.")
    return file


def _copy(source: Path, target: Path) -> int:
    """Copy a database by SQLite's backup, check the copy, and return how many games it has."""
    if not source.is_file():
        raise RookeryError(f"There is no database {source}.")
    part = target.with_name(target.name + ".part")
    try:
        os.close(os.open(part, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o600))
        with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(part)) as new:
            old.backup(new, pages=PAGES, sleep=PAUSE)
            new.execute("PRAGMA journal_mode=DELETE")
            (answer,) = new.execute("PRAGMA integrity_check(1)").fetchone()
            if answer != "ok":
                raise RookeryError(f"{source} is damaged: {answer}.")
            (games,) = new.execute("SELECT COUNT(*) FROM games").fetchone()
        part.replace(target)
    except sqlite3.Error as problem:
        raise RookeryError(f"{source} cannot be copied: {problem}.") from None
    except OSError as problem:
        raise RookeryError(f"{target} cannot be written: {problem.strerror}.") from None
    finally:
        part.unlink(missing_ok=True)
    return int(games)


def _keep(database: Path) -> Path | None:
    """Rename a database and the files beside it, and return its new name; None if there is none."""
    if not database.exists():
        return None
    number = next(n for n in range(1, 10_000) if not database.with_name(f"{database.name}.before-{n}").exists())
    kept = database.with_name(f"{database.name}.before-{number}")
    for ending in ("", "-wal", "-shm"):
        beside = database.with_name(database.name + ending)
        if beside.exists():
            beside.rename(kept.with_name(kept.name + ending))
    return kept
