"""A check of the doctor's report, and functions that several checks share."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

OK, MISSING, WARNING, PROBLEM = "ok", "missing", "warning", "problem"
"""Fine; an optional part is missing; works but could be better; does not work."""


@dataclass(frozen=True)
class Check:
    """One line of the report: what was checked, the result, and how to fix it."""

    name: str
    state: str
    text: str
    advice: str = ""


def guarded(part: str, probe: Callable[[], Iterator[Check]]) -> Iterator[Check]:
    """The checks of a probe; if the probe raises, that becomes a check."""
    try:
        yield from probe()
    except Exception as problem:
        yield Check(part.lower(), PROBLEM, f"The check failed: {type(problem).__name__}: {problem}.")


def write_error(folder: Path) -> str:
    """Why a folder cannot be written; empty if it can."""
    mark = folder / f".doctor-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        mark.touch()
        mark.unlink()
    except OSError as problem:
        return problem.strerror or str(problem)
    return ""


def size_of(path: Path) -> str:
    """The size of a file, or of all files in a folder, in megabytes."""
    total = 0
    for file in path.rglob("*") if path.is_dir() else [path]:
        try:
            total += file.stat().st_size if file.is_file() else 0
        except OSError:  # deleted meanwhile
            continue
    return f"{total / 10**6:.1f} MB"
