"""Thread pools, and the number of cores there are for them.

`ThreadPool` keeps its threads waiting on a queue, for compiled code whose work takes less time than starting a thread.
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
    """A `ThreadPoolExecutor` whose work is waited for at the end, except after Ctrl-C."""
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
    """A pool of `many` threads, started on first use, stopped by `close` or garbage collection."""

    def __init__(self, many: int) -> None:
        self.many = many
        self.process = 0
        """The process the threads run in, 0 if none do. A fork of that process has no threads."""

    def run(self, tasks: Sequence[Callable[[], object]]) -> None:
        """Run tasks, the first in this thread and the others in the pool, and wait for all of them.

        If one fails, its error is raised once all have ended.
        """
        if len(tasks) > 1 and self.process != os.getpid():
            self._start()
        try:
            for task in tasks[1:]:
                self.tasks.put(task)
            tasks[0]()
            errors = [self.outcomes.get() for _ in tasks[1:]]
        except BaseException:  # Ctrl-C, for one: no outcome of this run may reach the next
            self.close()
            raise
        for error in errors:
            if error is not None:
                raise error

    def close(self) -> None:
        """Stop the threads and wait until they have ended; the next run starts new ones."""
        if self.process == os.getpid():
            self.stop()
            for thread in self.threads:
                thread.join()
        self.process = 0

    def _start(self) -> None:
        self.tasks: Tasks = SimpleQueue()
        self.outcomes: Outcomes = SimpleQueue()
        self.threads = [
            Thread(target=run_tasks, args=(self.tasks, self.outcomes), daemon=True) for _ in range(self.many)
        ]
        for thread in self.threads:
            thread.start()
        self.process = os.getpid()
        self.stop = finalize(self, stop_threads, self.tasks, self.many)


def run_tasks(tasks: Tasks, outcomes: Outcomes) -> None:
    """Run one task after the other, and report how each ended."""
    while (task := tasks.get()) is not None:
        try:
            task()
        except BaseException as error:
            outcomes.put(error)
        else:
            outcomes.put(None)
        del task  # it may hold large arrays


def stop_threads(tasks: Tasks, many: int) -> None:
    for _ in range(many):
        tasks.put(None)
