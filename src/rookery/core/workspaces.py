"""Workspaces: the arrays a search works in, with the code it runs. Each thread has its own, compiled or interpreted."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, TypeVar

from rookery.core import compiled

if TYPE_CHECKING:
    from collections.abc import Callable

W = TypeVar("W")


class _Kept(threading.local):
    def __init__(self) -> None:
        self.workspaces: dict[tuple[Any, ...], Any] = {}


_kept = _Kept()


def thread_workspace(kind: Callable[..., W], *key: Any) -> W:
    """The workspace of this thread, `kind(*key, machine=…)`, made on first use; `machine` says whether it is compiled.

    It is compiled unless Numba is missing or the thread runs code interpreted for now (`compiled.interpreting`). Once
    a thread uses the compiled one, its interpreted one is dropped: that was only for the time until machine code was
    ready.
    """
    machine = compiled.in_use()
    if (kind, *key, machine) not in _kept.workspaces:
        _kept.workspaces[kind, *key, machine] = kind(*key, machine=machine)
        if machine:
            _kept.workspaces.pop((kind, *key, False), None)
    found: W = _kept.workspaces[kind, *key, machine]
    return found


def forget_workspaces() -> None:
    """Drop all workspaces of this thread."""
    _kept.workspaces.clear()
