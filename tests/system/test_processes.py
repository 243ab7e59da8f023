"""Processes that end when their parent ends, whatever they are doing, and that ignore Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from tests.ending import descendants, left, module
from tests.tiers import posix

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from psutil import Process  # type: ignore[import-untyped]

pytestmark = posix
SOON = 10.0
"""Seconds in which processes must have ended; they take far less unless the machine is very busy."""


@pytest.fixture
def start() -> Iterator[Callable[[list[str]], subprocess.Popen[str]]]:
    """Start a program; it and its descendants are ended after the test."""
    begun: list[subprocess.Popen[str]] = []

    def run(command: list[str]) -> subprocess.Popen[str]:
        begun.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True))  # fmt: skip
        return begun[-1]

    yield run
    for each in begun:
        with suppress(ProcessLookupError):
            os.killpg(each.pid, signal.SIGKILL)  # one that is left would hold the pipes open for ever
        each.communicate()


def started(process: subprocess.Popen[str], many: int) -> list[Process]:
    """The descendants of a process, once there are `count` of them."""
    deadline = time.monotonic() + 120
    while len(found := descendants(process.pid)) < many:
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < deadline, "its workers never came"
        time.sleep(0.05)
    return found


WORK = {
    "waiting": "",
    "interpreted": "pool.submit(eval, '[None for _ in iter(int, 1)]')",
    "compiled": "pool.submit(compiled_loop)",
}


@pytest.mark.parametrize("work", WORK)
def test_workers_end_with_their_parent_whatever_they_do(
    work: str, tmp_path: os.PathLike[str], start: Callable[[list[str]], subprocess.Popen[str]]
) -> None:
    program = f"{tmp_path}/program.py"
    with open(program, "w", encoding="utf-8") as file:
        file.write(
            textwrap.dedent(
                f"""
                import sys, time
                from concurrent.futures import ProcessPoolExecutor
                from rookery.system.processes import CONTEXT

                def compiled_loop():
                    import numba
                    @numba.njit("i8(i8)", nogil=True)
                    def loop(k):
                        while k != -1:
                            k = (k * 31 + 7) & 1023
                        return k
                    print("busy", flush=True)
                    loop(1)

                if __name__ == "__main__":
                    pool = ProcessPoolExecutor(2, CONTEXT)
                    pool.submit(int).result()
                    {WORK[work]}
                    if {work != "compiled"}:
                        print("busy", flush=True)
                    time.sleep(1000)
                """
            )
        )
    process = start([sys.executable, program])
    assert process.stdout is not None
    assert process.stdout.readline() == "busy\n"
    workers = started(process, 2)  # one of them is the resource tracker of multiprocessing
    time.sleep(0.2)
    process.kill()
    process.wait()
    assert left(workers, SOON) == []


def test_a_program_ends_with_the_process_that_started_it(start: Callable[[list[str]], subprocess.Popen[str]]) -> None:
    """The servers and clusters of the tests rely on this when the tests are killed."""
    program = (
        "import subprocess, time, tests.ending\n"
        "subprocess.Popen(tests.ending.module('http.server', '0', '--bind', '127.0.0.1'))\n"
        "time.sleep(1000)"
    )
    process = start([sys.executable, "-c", program])
    server = started(process, 1)
    time.sleep(0.5)
    process.kill()
    process.wait()
    assert left(server, SOON) == []


def test_a_program_whose_parent_is_gone_already_does_not_begin() -> None:
    command = module("http.server", "0", "--bind", "127.0.0.1")
    command[3] = "1" if os.getppid() != 1 else "2"  # nobody's parent here
    assert subprocess.run(command, capture_output=True, timeout=60).returncode == 1


COMMANDS = {
    "simulate on processes": ("simulate gaterun --bot greedy --games 1000000 --on processes --workers 2", 3),
    "simulate with a bot": ("simulate gotham --bot greedy --games 1000000", 2),
    "duel": ("duel gaterun --bots greedy,random --games 1000000 --workers 2", 3),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_that_is_killed_leaves_no_process_behind(
    command: str, start: Callable[[list[str]], subprocess.Popen[str]]
) -> None:
    words, many = COMMANDS[command]
    process = start([sys.executable, "-m", "rookery", *words.split()])
    workers = started(process, many)
    time.sleep(0.5)
    process.kill()
    process.wait()
    assert left(workers, SOON) == []


THREADED = {
    "train": "train sixseven --rows 4 --cols 4 --games 1000000 --out {folder}/mine.npz",
    "solve": "solve gaterun --size 4 --walls 4",
    "serve": "serve --port 0 --db {folder}/arcade.db",
}


@pytest.mark.parametrize("command", THREADED)
def test_commands_that_work_by_threads_start_no_process_that_outlives_them(
    command: str, tmp_path: os.PathLike[str], start: Callable[[list[str]], subprocess.Popen[str]]
) -> None:
    process = start([sys.executable, "-m", "rookery", *THREADED[command].format(folder=tmp_path).split()])
    time.sleep(2)
    others = descendants(process.pid)
    process.kill()
    process.wait()
    assert left(others, SOON) == []


def test_ctrl_c_in_a_terminal_is_not_for_workers(start: Callable[[list[str]], subprocess.Popen[str]]) -> None:
    """The signal reaches every process of the command at any time, also while workers start."""
    process = start([sys.executable, "-m", "rookery", *COMMANDS["duel"][0].split()])
    workers = started(process, 2)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert err.count("\n") <= 1
    assert left(workers, SOON) == []
