"""Where Rookery keeps a user's data on this machine, and the lock beside a database."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from rookery.core.errors import RookeryError

if TYPE_CHECKING:
    from filelock import BaseFileLock

PRIVATE = 0o600
"""Permissions of a file that only its owner may read and write."""


def data_folder() -> Path:
    """The user's data folder, created if it does not exist: `$ROOKERY_DATA`, else the platform's default."""
    folder = Path(os.environ.get("ROOKERY_DATA") or _user_data())
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as problem:
        raise RookeryError(f"The folder {folder} cannot be made: {problem.strerror}.") from None
    return folder


def _user_data() -> Path:
    from platformdirs import user_data_path

    return user_data_path("rookery", appauthor=False)


def lock_file(database: Path) -> Path:
    """The file that a server locks while it uses a database; the same for every path that leads to it."""
    real = database.resolve()
    return real.with_name(real.name + ".lock")


def lock(database: Path) -> BaseFileLock | None:
    """Lock a database, or raise `BlockingIOError` if another process has locked it; None on a file system without
    locks.
    """
    from filelock import FileLock, Timeout

    found = FileLock(lock_file(database), timeout=0, mode=PRIVATE, thread_local=False)  # any thread may release it
    try:
        found.acquire()
    except Timeout:
        raise BlockingIOError("another arcade is using it") from None
    except NotImplementedError:
        return None
    return found
