"""A line of the doctor's report, and what several probes need."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

OK, MISSING, WARNING, PROBLEM = "ok", "missing", "warning", "problem"
"""A check is fine; is about something optional that is not there; works but could be better; or does not work."""


@dataclass(frozen=True)
class Check:
    """One thing that was looked at: how it is, and what to do if it is not fine."""

    name: str
    state: str
    text: str
    advice: str = ""


def guarded(part: str, probe: Callable[[], Iterator[Check]]) -> Iterator[Check]:
    """What a probe finds; if it fails, that is found."""
    try:
        yield from probe()
    except Exception as problem:
        yield Check(part.lower(), PROBLEM, f"This cannot be looked at: {type(problem).__name__}: {problem}.")


def write_error(folder: Path) -> str:
    """Why nothing can be written to a folder, if so."""
    mark = folder / f".doctor-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        mark.touch()
        mark.unlink()
    except OSError as problem:
        return problem.strerror or str(problem)
    return ""


def size_of(path: Path) -> str:
    """The size of a file or of all files in a folder, in words."""
    total = 0
    for file in path.rglob("*") if path.is_dir() else [path]:
        try:
            total += file.stat().st_size if file.is_file() else 0
        except OSError:  # gone meanwhile
            continue
    return f"{total / 10**6:.1f} MB"
