"""Where Rookery keeps a user's data on this machine, and the lock beside a database."""

from __future__ import annotations

import os
from pathlib import Path

from rookery.core.errors import RookeryError


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
