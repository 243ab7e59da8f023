"""Workspaces: the arrays a search works in and the code it runs, one of each kind for every thread.

This is the only module with thread-local state for searches.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, TypeVar

from rookery.engine import compiling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

W = TypeVar("W")


class Buffers:
    """Allocates the arrays of a workspace: NumPy arrays for compiled code, lists for interpreted code.

    `numpy.zeros` would map its memory page by page during the first search, which can take longer than that search may
    last. So every page is written here.
    """

    def __init__(self, *, compiled: bool) -> None:
        self.compiled = compiled

    def ints(self, size: int, *, rows: int = 0) -> Any:
        """Integer zeros, in one row or in several."""
        return self._filled(0, size, rows, "int64")

    def floats(self, size: int, *, rows: int = 0) -> Any:
        """Floating-point zeros, in one row or in several."""
        return self._filled(0.0, size, rows, "float64")

    def copied(self, values: Iterable[int]) -> Any:
        """A copy of some integers."""
        return compiling.array(list(values)) if self.compiled else list(values)

    def _filled(self, value: float, size: int, rows: int, kind: str) -> Any:
        if not self.compiled:
            return [[value] * size for _ in range(rows)] if rows else [value] * size
        import numpy

        return numpy.full((rows, size) if rows else size, value, kind)


class _Kept(threading.local):
    def __init__(self) -> None:
        self.workspaces: dict[tuple[Any, ...], Any] = {}


_kept = _Kept()


def thread_workspace(kind: Callable[..., W], *key: Any) -> W:
    """The workspace of this thread, `kind(*key, compiled=…)`, made on first use.

    It is compiled unless Numba is missing or the thread is in `compiling.interpreting`. The compiled workspace replaces
    the interpreted one of the same thread, which was needed only until machine code was ready.
    """
    compiled = compiling.in_use()
    if (kind, *key, compiled) not in _kept.workspaces:
        _kept.workspaces[kind, *key, compiled] = kind(*key, compiled=compiled)
        if compiled:
            _kept.workspaces.pop((kind, *key, False), None)
    found: W = _kept.workspaces[kind, *key, compiled]
    return found


def forget_workspaces() -> None:
    """Drop all workspaces of this thread."""
    _kept.workspaces.clear()
