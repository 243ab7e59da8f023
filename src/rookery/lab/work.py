"""Where the work of the lab is done: threads or processes of this machine, or a Dask cluster.

All of them are executors in the sense of `concurrent.futures`; what is sent there is a function with plain values.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import active_children, get_context
from typing import TYPE_CHECKING, Any, TypeVar

from rookery.core.errors import OptionError, RookeryError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

T = TypeVar("T")

RETRIES = 20
"""How often a cluster does a piece of work again whose worker was lost."""
AHEAD = 3
"""Pieces of work given out for each worker, so that none waits for the next one."""


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True)
class Place:
    """Somewhere to work: an executor and how much it does at a time."""

    executor: Executor
    workers: int

    @property
    def shares_memory(self) -> bool:
        """Whether what is fetched here, such as machine code, is there for the workers too."""
        return isinstance(self.executor, ThreadPoolExecutor)

    def in_order(self, pieces: Iterable[tuple[Callable[..., T], tuple[Any, ...]]]) -> Iterator[T]:
        """The results of the calls, in their order, with a few calls under way at any time."""
        waiting: deque[Future[T]] = deque()
        try:
            for function, arguments in pieces:
                waiting.append(self.executor.submit(function, *arguments))
                while len(waiting) >= AHEAD * self.workers:
                    yield _result(waiting.popleft())
            while waiting:
                yield _result(waiting.popleft())
        finally:
            for future in waiting:
                future.cancel()


def _result(future: Future[T]) -> T:
    try:
        return future.result()
    except BrokenProcessPool:
        raise RookeryError("A worker process ended before its work was done; perhaps memory ran out.") from None


@contextmanager
def place(on: str, workers: int | None, *, compiled: bool) -> Iterator[Place]:
    """The place a person named: `local` (threads for compiled work, else processes), `threads`, `processes`, or
    `dask:ADDRESS`. Left early, work that has not begun is dropped.
    """
    if on.startswith("dask:"):
        with _cluster(on.removeprefix("dask:"), workers) as found:
            yield found
        return
    if on not in ("local", "threads", "processes"):
        raise OptionError(f"on takes local, threads, processes or dask:ADDRESS, not '{on}'.")
    many = workers or cores()
    executor: Executor
    if on == "threads" or (on == "local" and compiled):
        executor = ThreadPoolExecutor(many)
    else:
        # A fresh interpreter for each worker: copying this one, with its threads, could copy a lock that is held.
        executor = ProcessPoolExecutor(many, get_context("spawn"), _ignore_interrupts)
    try:
        yield Place(executor, many)
    except KeyboardInterrupt:
        for process in active_children():
            process.terminate()  # nobody will ask for what it is doing
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _ignore_interrupts() -> None:
    """Ctrl-C is for the process that was started by hand; it tells the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _cluster(address: str, workers: int | None) -> Iterator[Place]:
    try:
        from distributed import Client
    except ImportError:
        raise RookeryError("A cluster needs 'distributed': install it with pip install 'rookery[lab]'.") from None
    try:
        client: Any = Client(address, timeout=10, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as problem:
        raise RookeryError(f"There is no Dask scheduler at '{address}' to work on: {problem}.") from None
    with client:
        many = sum(client.nthreads().values())
        if many == 0:
            raise RookeryError(f"The Dask scheduler at '{address}' has no workers yet.")
        executor = client.get_executor(pure=False, retries=RETRIES)
        try:
            yield Place(executor, min(many, workers or many))
        finally:
            executor.shutdown(wait=False)
