"""The process for long replays, uploads and exports may die or hang; those who come later must not notice."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil  # type: ignore[import-untyped]
import pytest
from tests.web.arcade import Arcade, Person, Refusal

import rookery
from rookery.core.record import Record
from rookery.core.rules import CHANCE
from rookery.web import apart
from rookery.web.apart import Apart, NotDone

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def arcade(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arcade]:
    """An arcade whose log says what died, and nothing else."""
    server = Arcade(tmp_path_factory.mktemp("arcade") / "arcade.db")
    yield server
    server.end()
    for line in server.log.read_text().splitlines():
        assert line.startswith("Work in another process failed, verified: BrokenProcessPool"), line


def long_record(steps: int = 3_000) -> dict[str, Any]:
    """A record that is long enough to be checked in the other process: somebody walks to and fro."""
    state = rookery.game("gotham").start()
    for name in ("up", "up"):
        state.play(state.game.action(name))
        state.play(max(state.chances(), key=lambda each: each[1])[0] if state.turn == CHANCE else state.actions()[0])
    for number in range(steps):
        state.play(state.game.action(("down", "up")[number % 2]))
    found: dict[str, Any] = json.loads(Record.of(state, ("x",)).line())
    return found


def workers(arcade: Arcade) -> set[psutil.Process]:
    """The workers that the servers have started."""
    started = [each for server in arcade.processes for each in psutil.Process(server.pid).children(recursive=True)]
    found = set()
    for each in started:
        with suppress(psutil.NoSuchProcess):  # it has just ended
            found |= {each} if "spawn_main" in " ".join(each.cmdline()) else set()
    return found


@pytest.fixture(scope="module")
def compilers(arcade: Arcade) -> set[psutil.Process]:
    """The workers that are there before anything was uploaded."""
    return workers(arcade)


def test_an_upload_is_taken_after_the_process_that_checks_it_was_killed(
    arcade: Arcade, compilers: set[psutil.Process], ada: Person
) -> None:
    record = long_record()
    assert ada.post("/api/records", record)["plies"] == 3_004
    for _ in range(2):
        killed = workers(arcade) - compilers
        assert killed, "no process was started"
        for each in killed:
            each.kill()
        psutil.wait_procs(killed, timeout=10)
        id = ada.post("/api/records", record)["id"]
        assert len(ada.get(f"/api/games/{id}/frames?first=0&last=5")["frames"]) == 6


def test_an_upload_whose_check_is_killed_again_and_again_is_refused_in_a_sentence(
    arcade: Arcade, compilers: set[psutil.Process], ada: Person
) -> None:
    record, done = long_record(), threading.Event()

    def kill() -> None:
        while not done.is_set():
            for each in workers(arcade) - compilers:
                with suppress(psutil.NoSuchProcess):
                    each.kill()

    ada.post("/api/records", record)
    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    try:
        with pytest.raises(Refusal, match=r"The server could not do this now.*\.$") as refusal:
            ada.post("/api/records", record)
    finally:
        done.set()
        killer.join()
    assert refusal.value.status == 503
    assert ada.post("/api/records", record)["plies"] == 3_004


# ── without a server ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def other() -> Iterator[Apart]:
    made = Apart()
    yield made
    made.close()


def die_once(mark: str) -> str:
    """Die, unless that has been done."""
    if not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def hang_once(mark: str) -> str:
    """Hang, unless that has been done."""
    if not Path(mark).exists():
        Path(mark).touch()
        time.sleep(600)
    return "done"


def test_what_dies_once_is_done_by_another_process(other: Apart, tmp_path: Path) -> None:
    assert other.run(60.0, die_once, str(tmp_path / "mark")) == "done"


def test_what_hangs_once_is_done_by_another_process(
    other: Apart, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "DEADLINE", 10.0)
    threading.Timer(5.0, lambda: monkeypatch.setattr(apart, "DEADLINE", 60.0)).start()  # a busy machine may be slow
    assert other.run(0.0, hang_once, str(tmp_path / "mark")) == "done"


def test_what_always_hangs_ends_in_an_error_and_other_work_is_done(
    other: Apart, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "DEADLINE", 0.5)
    monkeypatch.setattr(apart, "PATIENCE", 1.0)
    with pytest.raises(NotDone):
        other.run(0.1, time.sleep, 600)
    assert other.run(60.0, abs, -7) == 7
    with pytest.raises(ValueError, match="invalid literal"):
        other.run(60.0, int, "x")


def test_whoever_waits_is_told_when_the_server_ends(other: Apart) -> None:
    process, told = psutil.Process(other.run(0.0, os.getpid)), []

    def wait() -> None:
        with pytest.raises(NotDone):
            other.run(0.0, time.sleep, 600)
        told.append("not done")

    waiting = threading.Thread(target=wait)
    waiting.start()
    time.sleep(0.2)
    other.close()
    waiting.join(10)
    assert told == ["not done"]
    assert process in psutil.wait_procs([process], timeout=10)[0]
