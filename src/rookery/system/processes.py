"""Processes that end with the one that started them: `CONTEXT` for pools, `end_with_parent` for any other.

A worker that waits for work is not told that its parent was killed: the pipe it reads from stays open, because every
worker holds both ends of it. So each has a thread that waits for its parent's end, and then ends the process, whatever
it does meanwhile: compiled code and the compiler run without the interpreter's lock, and leave the thread its turn.
(Linux could send a signal, but does so when the *thread* that started the process ends.)

    from concurrent.futures import ProcessPoolExecutor
    from rookery.system.processes import CONTEXT

    with ProcessPoolExecutor(2, CONTEXT) as pool:
        …

Workers do not hear Ctrl-C, which a terminal sends to all processes of a command: it is for the one that was started by
hand, and that one ends them. A process that is forked, or started as a program, has to call `end_with_parent` itself.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import TYPE_CHECKING

from rookery.system import interrupts

if TYPE_CHECKING:
    from collections.abc import Iterator

ORPHANED = 1
"""The exit code of a process whose parent is gone. Nobody is left to read it."""
LOOK_SECONDS = 0.5


class Worker(SpawnProcess):
    """A process of a fresh interpreter that ends with its parent, and does not hear Ctrl-C."""

    def start(self) -> None:
        """Start it; Ctrl-C waits meanwhile, for half of a process cannot be ended."""
        with interrupts.held(), _blocked():
            super().start()

    def run(self) -> None:
        """What the process does."""
        end_with_parent()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _unblock()
        super().run()


class Context(SpawnContext):
    """The context whose processes are workers.

    They are fresh interpreters: copying this one, with its threads, could copy a lock that is held.
    """

    Process = Worker


CONTEXT = Context()


def end_with_parent(parent: int | None = None) -> None:
    """End this process as soon as its parent has ended.

    The parent is the process that started this one by `multiprocessing`, or else the one of that number.
    """
    threading.Thread(target=_follow, args=(parent,), name="end-with-parent", daemon=True).start()


def _follow(parent: int | None) -> None:
    known = multiprocessing.parent_process()
    if known is not None:
        known.join()
    elif parent is not None:
        while os.getppid() == parent:
            time.sleep(LOOK_SECONDS)
    else:
        raise ValueError("This process was not started by multiprocessing: say which is its parent.")
    os._exit(ORPHANED)


@contextmanager
def _blocked() -> Iterator[None]:
    """Keep Ctrl-C from this thread: a process inherits that, and is not interrupted before it can say what to do."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _unblock() -> None:
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
