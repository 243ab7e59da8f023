"""Records in files: one a line, read and written with a sentence for everything that can go wrong."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rookery.core.errors import RecordError
from rookery.core.notation import counted
from rookery.games import record
from rookery.system import interrupts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rookery.core.record import Record


def read_record(name: str, number: int = 1) -> Record:
    """The record in a line of a file, blank lines not counted."""
    with _explained(name, "read"):
        data = Path(name).expanduser().read_bytes()
    try:
        lines = [line for line in data.decode("utf-8").split("\n") if line.strip()]
    except UnicodeDecodeError as problem:
        raise RecordError(f"'{name}' is not a file of records: byte {problem.start + 1} is not UTF-8.") from None
    if not 1 <= number <= len(lines):
        raise RecordError(f"'{name}' has {counted(len(lines), 'record')}; there is no record {number}.")
    try:
        return record(lines[number - 1])
    except RecordError as problem:
        raise RecordError(f"'{name}': {problem}") from None


def write_record(name: str, content: Record, *, replace: bool = False, remedy: str = "") -> None:
    """Write a file with one record; a file that is there is left alone unless it is to be replaced, for which a surface
    has a remedy.
    """
    with _explained(name, "written"):
        path = Path(name).expanduser()
        if path.exists() and not replace:
            raise RecordError(f"There is a '{name}' already; choose another name{remedy}.")
        with interrupts.held():
            path.write_text(content.line() + "\n", encoding="utf-8")


@contextmanager
def _explained(name: str, done: str) -> Iterator[None]:
    """Whatever the system says about a file, as a sentence."""
    try:
        yield
    except RecordError:
        raise
    except OSError as problem:
        raise RecordError(f"'{name}' cannot be {done}: {problem.strerror}.") from None
    except (RuntimeError, ValueError):  # an unknown user's home, a zero byte
        raise RecordError(f"'{name}' cannot be {done}: it is not a file's name.") from None
