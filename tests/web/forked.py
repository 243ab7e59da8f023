"""Server processes that are forked from one which has imported everything: that takes a tenth of the time of a start.

Each runs what `rookery` runs, as a process of its own, with its own signals, output and end. Tests of how servers start
and of several workers start them as people do.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from multiprocessing import get_context
from multiprocessing.reduction import DupFd
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext

PYTEST = {"PYTEST_CURRENT_TEST", "PYTEST_XDIST_WORKER"}
"""Variables that no server looks at."""
USED = [
    "alembic.runtime.migration",
    "numba",
    "procrastinate",
    "psycopg",
    "rookery.__main__",
    "rookery.cli.serve",
    "rookery.web.postgres",
    "rookery.web.serve",
    "sqlalchemy.dialects.postgresql.psycopg",
    "tests.web.forked",
    "uvicorn.lifespan.on",
    "uvicorn.loops.auto",
    "uvloop",
]


def environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name not in PYTEST}


@cache
def template() -> tuple[ForkServerContext, dict[str, str]]:
    """What forks, and the environment that it has seen."""
    context = get_context("forkserver")
    context.set_forkserver_preload(USED)
    return context, environment()


def can_fork() -> bool:
    """Whether a forked process would see this environment: some modules read it when they are imported."""
    return sys.platform == "linux" and template()[1] == environment()


class Forked:
    """A `rookery` command in a forked process, with what tests use of `subprocess.Popen`."""

    def __init__(self, arguments: list[str], errors: TextIO) -> None:
        ours, its = os.pipe()
        self.stdout = os.fdopen(ours, encoding="utf-8")
        with os.fdopen(its, "wb") as output:
            streams = [Inherited(output.fileno()), Inherited(errors.fileno())]
            self._process = template()[0].Process(target=run, args=(arguments, streams, Path.cwd()))
            self._process.start()
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("rookery", timeout or 0.0)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self._process.exitcode is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()


class Inherited:
    """A file that is handed over to a new process."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __reduce__(self) -> Any:
        return detached, (DupFd(self.number),)


def detached(handed_over: Any) -> int:
    number: int = handed_over.detach()
    return number


def run(arguments: list[str], streams: list[int], folder: Path) -> None:
    """Be a `rookery` command, in the new process."""
    from rookery.__main__ import main

    for number, stream in enumerate(streams, start=1):
        os.dup2(stream, number)
        os.close(stream)
    # The objects that are there were made for other files.
    sys.stdout, sys.stderr = (os.fdopen(number, "w", encoding="utf-8", closefd=False) for number in (1, 2))
    os.chdir(folder)
    sys.argv = ["rookery", *arguments]
    sys.exit(main())
