"""Where Rookery keeps what belongs to a person on this machine."""

from __future__ import annotations

import os
from pathlib import Path

from rookery.core.errors import RookeryError


def data_folder() -> Path:
    """The folder of the person's own data, made if it is not there: `$ROOKERY_DATA`, else among the user's data."""
    folder = Path(os.environ.get("ROOKERY_DATA") or _user_data())
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise RookeryError(f"The folder {folder} cannot be made: {problem.strerror}.") from None
    return folder


def _user_data() -> Path:
    from platformdirs import user_data_path

    return user_data_path("rookery", appauthor=False)
