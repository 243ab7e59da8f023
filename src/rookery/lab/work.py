"""Where the work of the lab is done: threads or processes of this machine, or a Dask cluster.

All of them are executors in the sense of `concurrent.futures`; what is sent there is a function with plain values.
"""

from __future__ import annotations

import logging
import re
from collections import deque
from concurrent.futures import CancelledError, Executor, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import active_children
from typing import TYPE_CHECKING, Any, TypeVar

from rookery.core.errors import OptionError, RookeryError
from rookery.engine.threads import cores, threads
from rookery.system.processes import CONTEXT, Worker
from rookery.system.requirements import need

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

T = TypeVar("T")

RETRIES = 20
"""How often a cluster does a piece of work again whose worker was lost."""
AHEAD = 3
"""Pieces of work given out for each worker, so that none waits for the next one."""
ADDRESS = re.compile(r"(tcp|tls|ucx|wss?)://\S+:[0-9]+")


@dataclass(frozen=True)
class Place:
    """Somewhere to work: an executor, how much it does at a time, and whether it is still there."""

    executor: Executor
    workers: int
    alive: Callable[[], bool] = lambda: True

    @property
    def shares_memory(self) -> bool:
        """Whether what is fetched here, such as machine code, is there for the workers too."""
        return isinstance(self.executor, ThreadPoolExecutor)

    def in_order(self, pieces: Iterable[tuple[Callable[..., T], tuple[Any, ...]]]) -> Iterator[T]:
        """The results of the calls, in their order, with a few calls under way at any time."""
        waiting: deque[Future[T]] = deque()
        for function, arguments in pieces:
            waiting.append(self.executor.submit(function, *arguments))
            while len(waiting) >= AHEAD * self.workers:
                yield self._result(waiting.popleft())
        while waiting:
            yield self._result(waiting.popleft())

    def _result(self, future: Future[T]) -> T:
        try:
            while True:
                done, _ = wait([future], timeout=1)
                if done:
                    return future.result()
                if not self.alive():
                    raise CancelledError
        except BrokenProcessPool:
            raise RookeryError("A worker process ended before its work was done; perhaps memory ran out.") from None
        except CancelledError:
            raise RookeryError("The connection to the cluster was lost before the work was done.") from None


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
    if on == "threads" or (on == "local" and compiled):
        with threads(many) as pool:
            yield Place(pool, many)
        return
    processes = _processes(many)
    try:
        yield Place(processes, many)
    except KeyboardInterrupt:
        # Nobody will ask for what has begun. The pool must be waited for: left to itself, it may still be closing its
        # pipes when the interpreter needs them.
        for process in active_children():
            if isinstance(process, Worker):
                process.kill()
        raise
    finally:
        processes.shutdown(cancel_futures=True)


def _processes(many: int) -> ProcessPoolExecutor:
    """Worker processes, all of them started: the first results are not late by the time that takes."""
    pool = ProcessPoolExecutor(many, CONTEXT)
    for _ in range(many):
        pool.submit(int)
    return pool


@contextmanager
def _cluster(address: str, workers: int | None) -> Iterator[Place]:
    need("lab", "A cluster", "distributed")
    from distributed import Client

    nothing = f"There is no Dask scheduler at '{address}' to work on"
    if not ADDRESS.fullmatch(address):
        raise RookeryError(f"{nothing}: an address looks like tcp://127.0.0.1:8786.")
    for name in logging.root.manager.loggerDict:
        if name.startswith(("asyncio", "distributed", "tornado")):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # what matters is said by us, in a sentence
    try:
        client: Any = Client(address, timeout=10, set_as_default=False)  # type: ignore[no-untyped-call]  # Dask has no types
    except (OSError, ValueError) as problem:
        raise RookeryError(f"{nothing}: {' '.join(str(problem).split())}.") from None
    with client:
        many = sum(client.nthreads().values())
        if many == 0:
            raise RookeryError(f"The Dask scheduler at '{address}' has no workers yet.")
        executor = client.get_executor(pure=False, retries=RETRIES)
        try:
            yield Place(executor, min(many, workers or many), lambda: client.status == "running")
        finally:
            executor.shutdown(wait=False)
