"""Processes that end when their parent ends: `CONTEXT` for pools, `end_with_parent` for other processes.

A worker that waits for work does not notice that its parent was killed: the pipe it reads from stays open, because
every worker holds both ends of it. So each worker has a thread that waits for the end of the parent and then ends the
process, whatever it is doing: compiled code and the compiler release the interpreter's lock, so the thread gets to run.
(Linux could send a signal, but does so when the *thread* that started the process ends.)

    from concurrent.futures import ProcessPoolExecutor
    from rookery.system.processes import CONTEXT

    with ProcessPoolExecutor(2, CONTEXT) as pool:
        …

Workers ignore Ctrl-C, which a terminal sends to all processes of a command: the main process handles it and ends them.
A process that is forked, or started as a program, has to call `end_with_parent` itself.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import TYPE_CHECKING

from rookery.system import interrupts

if TYPE_CHECKING:
    from collections.abc import Iterator

ORPHANED = 1
"""The exit code of a process whose parent has ended."""
LOOK_SECONDS = 0.5


class Worker(SpawnProcess):
    """A process with a fresh interpreter that ends with its parent and ignores Ctrl-C."""

    def start(self) -> None:
        """Start the process; Ctrl-C is held until it has started, because a half-started process cannot be ended."""
        with interrupts.held(), ctrl_c_blocked():
            super().start()

    def run(self) -> None:
        """Run in the new process."""
        end_with_parent()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        _unblock()
        super().run()


class Context(SpawnContext):
    """The context whose processes are workers.

    They are spawned: forking a process with threads could copy a lock while it is held.
    """

    Process = Worker


CONTEXT = Context()


def end_with_parent(parent: int | None = None) -> None:
    """End this process as soon as its parent has ended.

    The parent is the process that started this one by `multiprocessing`, or else the one with this process id.
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
        raise ValueError("This process was not started by multiprocessing: pass the parent's process id.")
    os._exit(ORPHANED)


@contextmanager
def ctrl_c_blocked() -> Iterator[None]:
    """Block Ctrl-C in this thread until the block is done. A process that is started meanwhile inherits that for good,
    unless it unblocks the signal.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # it unblocks the signal when it starts, which the first process makes it do
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _unblock() -> None:
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
