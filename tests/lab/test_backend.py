"""Where work is done: results in order, little given out ahead, workers lost, and a real cluster of processes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from multiprocessing import active_children
from typing import TYPE_CHECKING

import pytest
from tests.ending import module
from tests.games.spread import THIN_ICE

import rookery
from rookery.core.errors import OptionError, RookeryError
from rookery.engine.threads import cores
from rookery.lab.backend import AHEAD, Backend, open_backend
from rookery.lab.experiment import Experiment, play
from rookery.lab.simulate import Run, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.lab.conftest import Said, Started


def late(number: int) -> int:
    """The earlier ones take longer."""
    time.sleep(0.05 if number % 3 == 0 else 0)
    return number


def test_results_come_in_the_order_of_the_calls() -> None:
    with open_backend("threads", 4, compiled=True) as here:
        assert list(here.in_order((late, (number,)) for number in range(30))) == list(range(30))


def test_little_is_given_out_ahead() -> None:
    """An experiment of a million million games is not cut up beforehand."""
    asked = 0

    def pieces() -> Iterator[tuple[Callable[[int], int], tuple[int]]]:
        nonlocal asked
        for number in range(10**9):
            asked += 1
            yield late, (number,)

    with open_backend("threads", 2, compiled=True) as here:
        results = here.in_order(pieces())
        assert [next(results) for _ in range(10)] == list(range(10))
        assert asked <= 10 + AHEAD * 2
        results.close()  # type: ignore[attr-defined]


def test_work_that_has_not_begun_is_dropped() -> None:
    gate, begun = threading.Event(), []

    def blocked(number: int) -> None:
        begun.append(number)
        gate.wait(10)

    with open_backend("threads", 1, compiled=True) as here:
        results = here.in_order((blocked, (number,)) for number in range(9))
        threading.Timer(0.2, gate.set).start()
        next(results)
    results.close()  # type: ignore[attr-defined]
    assert len(begun) <= 1 + AHEAD
    with pytest.raises(RuntimeError):
        here.executor.submit(blocked, 0)


@pytest.mark.parametrize(
    ("on", "compiled", "shared"),
    [
        ("local", True, True),
        ("local", False, False),
        ("threads", False, True),
        ("processes", True, False),
    ],
)
def test_compiled_work_is_done_by_threads_and_other_work_by_processes(on: str, compiled: bool, shared: bool) -> None:
    with open_backend(on, None, compiled=compiled) as here:
        assert here.shares_memory is shared
        assert here.workers == cores() == len(os.sched_getaffinity(0))


@pytest.mark.parametrize("on", ["mars", "", "dask", "LOCAL"])
def test_there_are_no_other_places(on: str) -> None:
    with pytest.raises(OptionError) as refused, open_backend(on, None, compiled=True):
        pass
    assert str(refused.value) == f"on takes local, threads, processes or dask:ADDRESS, not '{on}'."


def test_a_worker_process_that_ends_is_told_in_a_sentence() -> None:
    with pytest.raises(RookeryError) as told, open_backend("processes", 2, compiled=False) as here:
        list(here.in_order((signal.raise_signal, (signal.SIGKILL,)) for _ in range(4)))
    assert str(told.value) == "A worker process ended early; it may have run out of memory."


def test_an_error_in_the_work_comes_through() -> None:
    """As where the file with the game has gone."""
    lost = Run(Experiment("thin_ice", (), source="/nowhere/thin_ice.py"), 5)
    with (
        pytest.raises(RookeryError, match="There is no file '/nowhere/thin_ice"),
        open_backend("processes", 1, compiled=True) as here,
    ):
        run([lost], here, compiled=True)


def test_an_interruption_is_for_the_process_that_was_started_by_hand() -> None:
    """In a terminal Ctrl-C reaches the workers too, also while they are still starting up."""
    with open_backend("processes", 2, compiled=False) as here:
        results = here.in_order((late, (number,)) for number in range(12))
        interrupted = threading.Thread(target=interrupt, args=(2,))
        interrupted.start()
        found = list(results)
        interrupted.join()
        interrupt(2)
        assert found == list(range(12))
        assert list(here.in_order((late, (number,)) for number in range(12))) == list(range(12))


def interrupt(many: int) -> None:
    """Interrupt the worker processes as soon as there are so many."""
    deadline = time.monotonic() + 20
    while len(active_children()) < many and time.monotonic() < deadline:
        time.sleep(0.001)
    for each in active_children():
        assert each.pid is not None
        os.kill(each.pid, signal.SIGINT)


# ---- a cluster ----


class Cluster:
    """A Dask scheduler and its workers, each a process of its own on this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "scheduler.json"
        self.processes: list[subprocess.Popen[bytes]] = []
        self.scheduler = self.dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-show")

    def dask(self, kind: str, *arguments: str) -> subprocess.Popen[bytes]:
        log = self.folder / f"{len(self.processes)}.log"
        common = ("--no-dashboard", "--scheduler-file", str(self.file))
        with log.open("wb") as out:
            process = subprocess.Popen(
                module("dask", kind, *common, *arguments), stdout=out, stderr=out, cwd=self.folder
            )
        self.processes.append(process)
        return process

    def worker(self) -> subprocess.Popen[bytes]:
        folder = self.folder / f"worker-{len(self.processes)}"
        return self.dask("worker", "--no-nanny", "--nthreads", "1", "--host", "127.0.0.1", "--local-directory", str(folder))  # fmt: skip

    @property
    def address(self) -> str:
        return str(json.loads(self.file.read_text())["address"])

    def stop(self) -> None:
        for process in reversed(self.processes):
            if process.poll() is None:
                process.kill()
            process.wait()


READY = (
    "import sys; from distributed import Client; Client(sys.argv[1], timeout=30).wait_for_workers(int(sys.argv[2]), 60)"
)


@contextmanager
def cluster(folder: Path, workers: int, wait: Callable[..., None]) -> Iterator[tuple[Cluster, list[subprocess.Popen[bytes]]]]:  # fmt: skip
    found = Cluster(folder)
    try:
        wait(lambda: found.file.exists() and found.file.read_text().endswith("}"))
        begun = [found.worker() for _ in range(workers)]
        if workers:
            subprocess.run([sys.executable, "-c", READY, found.address, str(workers)], check=True, timeout=90)
        yield found, begun
    finally:
        found.stop()


OFTEN = "import sys; from rookery.cli import main; from rookery.lab import simulate; simulate.SAVE_SECONDS = 0.05; sys.exit(main())"
"""The command, which writes what is done more often."""


def kept(path: Path) -> int:
    return sum(each["tally"]["games"] for each in json.loads(path.read_text())) if path.exists() else 0


def test_a_cluster_that_loses_a_worker_finds_what_this_machine_finds(
    tmp_path: Path,
    start: Callable[..., Started],
    wait: Callable[..., None],
    typed: Callable[..., Said],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Dask tries for half a minute to reach a worker that has gone, unless it is told not to.
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "3s")
    with cluster(tmp_path, 2, wait) as (found, (worker, _)):
        on = ("--on", f"dask:{found.address}")
        asked = ("simulate", "sixseven", "--variant", "final", "--rate", 0.67, "--seed", 3, "--json")
        path = tmp_path / "kept"
        begun = start("-c", OFTEN, *asked, "--games", 20_000, *on, "--resume", path)
        wait(lambda: kept(path) >= 20)
        worker.kill()
        worker.wait()
        assert kept(path) < 20_000
        assert begun.process.poll() is None, "the worker is lost while games are played"
        small = ("simulate", THIN_ICE, "--rows", 4, "--games", 200, "--json")
        bots = ("simulate", "gaterun", "--size", 4, "--bot", "greedy", "random", "--games", 12, "--json")
        others = [(each, start("-m", "rookery", *each, *on)) for each in (small, bots)]
        said = begun.answer(90)
        assert (said.code, said.err) == (0, "")
        assert said.found["workers"] == 2
        assert said.same == typed(*asked, "--games", 20_000).same
        for each, other in others:
            answer = other.answer(90)
            assert (answer.code, answer.err) == (0, "")
            assert answer.same == typed(*each, "--on", "threads").same

        again = start("-c", OFTEN, *asked, "--games", 10**9, *on, "--resume", tmp_path / "long")
        wait(lambda: kept(tmp_path / "long") >= 20)
        again.process.send_signal(signal.SIGINT)
        said = again.answer(30)
        assert said.code == 130
        assert said.err == f"rookery: Interrupted after {said.found['games']:,} of 1,000,000,000 games.\n"
        assert said.same == typed(*asked, "--games", said.found["games"]).same


def test_a_scheduler_that_is_lost_or_has_no_workers_is_told_in_a_sentence(
    tmp_path: Path, start: Callable[..., Started], wait: Callable[..., None], typed: Callable[..., Said]
) -> None:
    with cluster(tmp_path, 0, wait) as (found, _):
        asked = ("simulate", "gotham", "--size", 5, "--seed", 3, "--json", "--on", f"dask:{found.address}")
        said = start("-m", "rookery", *asked).answer()
        assert (said.code, said.out) == (2, "")
        assert said.err == f"rookery: The Dask scheduler at '{found.address}' has no workers yet.\n"
        found.worker()
        subprocess.run([sys.executable, "-c", READY, found.address, "1"], check=True, timeout=90)
        path = tmp_path / "kept"
        begun = start("-c", OFTEN, *asked, "--games", 10**9, "--resume", path)
        wait(lambda: kept(path) >= 20)
        found.scheduler.kill()
        said = begun.answer(30)
        assert "Traceback" not in said.err
        assert said.err.startswith("rookery: ")
        assert said.err.count("\n") == 1
        assert said.code == 2
    games = kept(path) + 10
    local = typed(*asked[:-2], "--games", games, "--resume", path)
    assert local.same == typed(*asked[:-2], "--games", games).same, "what is done is kept, and goes on elsewhere"


def test_where_there_is_no_cluster_one_is_told_soon(start: Callable[..., Started], typed: Callable[..., Said]) -> None:
    began = time.monotonic()
    for address in ("tcp://127.0.0.1:1", "", "127.0.0.1:port"):
        asked = ("simulate", "gotham", "--games", 5, "--on", f"dask:{address}")
        # One in a process of its own, so that what is printed at its end is seen; each imports Dask, which takes long.
        said = start("-m", "rookery", *asked).answer(90) if address.startswith("tcp") else typed(*asked)
        assert "Traceback" not in said.err, (address, said.err[-300:])
        assert (said.code, said.out) == (2, "")
        assert said.err.startswith(f"rookery: There is no Dask scheduler at '{address}': ")
        assert said.err.count("\n") == 1
    assert time.monotonic() - began < 60
    for address in ("nowhere", "http://127.0.0.1:1"):
        with (
            pytest.raises(RookeryError, match=f"There is no Dask scheduler at '{address}'"),
            open_backend(f"dask:{address}", None, compiled=False),
        ):
            pass


def test_a_run_takes_what_a_place_gives() -> None:
    """A place is an executor and a number: anything of that kind will do."""
    experiment = Experiment.of(rookery.game("gotham", size=5))
    each = Run(experiment, 500)
    with open_backend("threads", 3, compiled=True) as here:
        run([each], Backend(here.executor, 1), compiled=True)
    assert each.workers == 1
    assert each.tally == play(experiment, 0, 500).tally
