"""Threads that stand by, for work in compiled code that takes less time than calling a thread would; and how many cores
there are for them.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING
from weakref import finalize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Tasks = SimpleQueue[Callable[[], object] | None]
    Outcomes = SimpleQueue[BaseException | None]


@contextmanager
def threads(many: int) -> Iterator[ThreadPoolExecutor]:
    """A pool of threads that is waited for at the end, but not if somebody has had enough of waiting."""
    pool = ThreadPoolExecutor(many)
    try:
        yield pool
    except KeyboardInterrupt:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    except BaseException:
        pool.shutdown(cancel_futures=True)
        raise
    else:
        pool.shutdown(cancel_futures=True)


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class ThreadPool:
    """So many threads. They are called when they are first needed, and go home when they are dismissed, or when nobody
    knows of the crew any more.
    """

    def __init__(self, many: int) -> None:
        self.many = many
        self.process = 0
        """The process in which they stand by, if they do: in a fork of it there are none."""

    def run(self, tasks: Sequence[Callable[[], object]]) -> None:
        """Carry out tasks, the first here and the others in the threads, and wait for all of them, whatever happens."""
        if len(tasks) > 1 and self.process != os.getpid():
            self._call()
        try:
            for task in tasks[1:]:
                self.tasks.put(task)
            tasks[0]()
            errors = [self.outcomes.get() for _ in tasks[1:]]
        except BaseException:  # somebody may have had enough of waiting; nothing of this must reach the next run
            self.close()
            raise
        for error in errors:
            if error is not None:
                raise error

    def close(self) -> None:
        """Send all home, and wait until they are gone; the next run calls others."""
        if self.process == os.getpid():
            self.farewell()
            for thread in self.threads:
                thread.join()
        self.process = 0

    def _call(self) -> None:
        self.tasks: Tasks = SimpleQueue()
        self.outcomes: Outcomes = SimpleQueue()
        self.threads = [
            Thread(target=stand_by, args=(self.tasks, self.outcomes), daemon=True) for _ in range(self.many)
        ]
        for thread in self.threads:
            thread.start()
        self.process = os.getpid()
        self.farewell = finalize(self, send_home, self.tasks, self.many)


def stand_by(tasks: Tasks, outcomes: Outcomes) -> None:
    """Carry out one task after the other, and tell how it went."""
    while (task := tasks.get()) is not None:
        try:
            task()
        except BaseException as error:
            outcomes.put(error)
        else:
            outcomes.put(None)
        del task  # it may hold large arrays


def send_home(tasks: Tasks, many: int) -> None:
    for _ in range(many):
        tasks.put(None)
