"""Processes in tests: programs that end with the tests, the descendants of a process, and which of them are left."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING

import psutil  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from collections.abc import Iterable

WITH_TESTS = """
import runpy, sys
from rookery.system.processes import end_with_parent
end_with_parent(int(sys.argv.pop(1)))
sys.argv.pop(0)
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""


def module(name: str, *arguments: str) -> list[str]:
    """The command that runs a module like `python -m`, in a process that ends when this one ends, even if killed."""
    return [sys.executable, "-c", WITH_TESTS, str(os.getpid()), name, *arguments]


def descendants(pid: int) -> list[psutil.Process]:
    """The children of a process, their children, and so on."""
    found: list[psutil.Process] = psutil.Process(pid).children(recursive=True)
    return found


def left(processes: Iterable[psutil.Process], seconds: float) -> list[psutil.Process]:
    """The processes that have not ended after some seconds."""
    deadline = time.monotonic() + seconds
    alive = list(processes)
    while alive and time.monotonic() < deadline:
        alive = [each for each in alive if each.is_running() and each.status() != psutil.STATUS_ZOMBIE]
        time.sleep(0.05)
    return alive
