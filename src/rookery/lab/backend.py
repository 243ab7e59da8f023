"""Backends, which run the lab's work: threads or processes of this machine, or a Dask cluster.

Each is an executor as in `concurrent.futures`; a task is a function with plain values as arguments.
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
"""How often a cluster repeats a task after it lost the worker."""
AHEAD = 3
"""Tasks submitted per worker, so that no worker waits for its next one."""
ADDRESS = re.compile(r"(tcp|tls|ucx|wss?)://\S+:[0-9]+")


@dataclass(frozen=True)
class Backend:
    """An executor, its number of workers, and whether it is still connected."""

    executor: Executor
    workers: int
    alive: Callable[[], bool] = lambda: True

    @property
    def shares_memory(self) -> bool:
        """Whether the workers share this process's memory, such as its compiled code."""
        return isinstance(self.executor, ThreadPoolExecutor)

    def in_order(self, tasks: Iterable[tuple[Callable[..., T], tuple[Any, ...]]]) -> Iterator[T]:
        """The results of the calls, in order, with a few calls running at any time."""
        pending: deque[Future[T]] = deque()
        for function, arguments in tasks:
            pending.append(self.executor.submit(function, *arguments))
            while len(pending) >= AHEAD * self.workers:
                yield self._result(pending.popleft())
        while pending:
            yield self._result(pending.popleft())

    def _result(self, future: Future[T]) -> T:
        try:
            while True:
                done, _ = wait([future], timeout=1)
                if done:
                    return future.result()
                if not self.alive():
                    raise CancelledError
        except BrokenProcessPool:
            raise RookeryError("A worker process ended early; it may have run out of memory.") from None
        except CancelledError:
            raise RookeryError("The connection to the cluster was lost before the work was done.") from None


@contextmanager
def open_backend(on: str, workers: int | None, *, compiled: bool) -> Iterator[Backend]:
    """Open a backend by name: `local` (threads for compiled work, else processes), `threads`, `processes` or
    `dask:ADDRESS`. Tasks that have not started are dropped when the block is left.
    """
    if on.startswith("dask:"):
        with _cluster(on.removeprefix("dask:"), workers) as found:
            yield found
        return
    if on not in ("local", "threads", "processes"):
        raise OptionError(f"on takes local, threads, processes or dask:ADDRESS, not '{on}'.")
    count = workers or cores()
    if on == "threads" or (on == "local" and compiled):
        with threads(count) as pool:
            yield Backend(pool, count)
        return
    processes = _processes(count)
    try:
        yield Backend(processes, count)
    except KeyboardInterrupt:
        # Nobody needs the running tasks. Shutdown must wait for the pool: otherwise it may still be closing its pipes
        # when the interpreter exits.
        for process in active_children():
            if isinstance(process, Worker):
                process.kill()
        raise
    finally:
        processes.shutdown(cancel_futures=True)


def _processes(count: int) -> ProcessPoolExecutor:
    """A process pool whose workers have all started, so that start-up does not delay the first results."""
    pool = ProcessPoolExecutor(count, CONTEXT)
    for _ in range(count):
        pool.submit(int)
    return pool


@contextmanager
def _cluster(address: str, workers: int | None) -> Iterator[Backend]:
    need("lab", "A cluster", "distributed")
    from distributed import Client

    refusal = f"There is no Dask scheduler at '{address}'"
    if not ADDRESS.fullmatch(address):
        raise RookeryError(f"{refusal}: an address looks like tcp://127.0.0.1:8786.")
    for name in logging.root.manager.loggerDict:
        if name.startswith(("asyncio", "distributed", "tornado")):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # we report problems ourselves
    try:
        client: Any = Client(address, timeout=10, set_as_default=False)  # type: ignore[no-untyped-call]  # Dask has no types
    except (OSError, ValueError) as problem:
        raise RookeryError(f"{refusal}: {' '.join(str(problem).split())}.") from None
    with client:
        many = sum(client.nthreads().values())
        if many == 0:
            raise RookeryError(f"The Dask scheduler at '{address}' has no workers yet.")
        executor = client.get_executor(pure=False, retries=RETRIES)
        try:
            yield Backend(executor, min(many, workers or many), lambda: client.status == "running")
        finally:
            executor.shutdown(wait=False)
