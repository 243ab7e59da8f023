"""Reads and writes record files, one record a line; every failure becomes a sentence."""

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
    """The record in line `number` of a file; blank lines do not count."""
    with _explained(name, "read"):
        data = Path(name).expanduser().read_bytes()
    try:
        lines = [line for line in data.decode("utf-8").split("\n") if line.strip()]
    except UnicodeDecodeError as problem:
        raise RecordError(f"'{name}' is not a record file: byte {problem.start + 1} is not UTF-8.") from None
    if not 1 <= number <= len(lines):
        raise RecordError(f"'{name}' has {counted(len(lines), 'record')}; there is no record {number}.")
    try:
        return record(lines[number - 1])
    except RecordError as problem:
        raise RecordError(f"'{name}': {problem}") from None


def write_record(name: str, content: Record, *, replace: bool = False, remedy: str = "") -> None:
    """Write a file with one record. An existing file is replaced only if asked; `remedy` tells the user how to ask."""
    with _explained(name, "written"):
        path = Path(name).expanduser()
        if path.exists() and not replace:
            raise RecordError(f"'{name}' already exists; choose another name{remedy}.")
        with interrupts.held():
            path.write_text(content.line() + "\n", encoding="utf-8")


@contextmanager
def _explained(name: str, done: str) -> Iterator[None]:
    """Turn an error of the file system into a sentence."""
    try:
        yield
    except RecordError:
        raise
    except OSError as problem:
        raise RecordError(f"'{name}' cannot be {done}: {problem.strerror}.") from None
    except (RuntimeError, ValueError):  # no such user, a null byte
        raise RecordError(f"'{name}' cannot be {done}: it is not a valid file name.") from None
