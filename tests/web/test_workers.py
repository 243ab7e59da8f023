"""Several workers of one server, and several servers on one database, as people and operators meet them."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import httpx
import psutil  # type: ignore[import-untyped]
import pytest
from tests.ending import module
from tests.web.arcade import PATIENCE, Arcade, children_of, workers_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.web.postgres import Postgres


def wait_for(done: object, what: str) -> None:
    end = time.monotonic() + 6 * PATIENCE
    while not done():  # type: ignore[operator]
        assert time.monotonic() < end, what
        time.sleep(0.05)


@pytest.fixture
def several(postgres: Postgres, tmp_path: Path) -> Iterator[Arcade]:
    arcade = Arcade(tmp_path / "several.db", "--db", postgres.database(), "--workers", "2")
    yield arcade
    if arcade.process.poll() is None:
        arcade.end()
    elif arcade.process.stdout is not None:
        arcade.process.stdout.close()


def test_an_sqlite_file_is_for_one_worker(tmp_path: Path) -> None:
    command = module(
        "rookery", "serve", "--no-browser", "--port", "0", "--db", str(tmp_path / "a.db"), "--workers", "2"
    )
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("rookery: An SQLite file is for one worker.") and done.stderr.count("\n") == 1


def test_a_worker_that_dies_is_replaced_and_nobody_loses_a_move(several: Arcade) -> None:
    ada = several.person()
    info = ada.set_up("gaterun", "here", "here")
    before = workers_of(several.process.pid)
    assert len(before) == 2
    with ada.at(info["id"]) as page:
        assert page.play("1,3")["is"] == "ack"
    before[0].kill()
    with ada.at(info["id"]) as page:
        assert page.plies == [("1,3", 1)]
        assert page.play("5,3")["is"] == "ack"
    wait_for(lambda: len(set(workers_of(several.process.pid)) - set(before)) == 1, "no new worker was started")
    assert ada.get(f"/api/games/{info['id']}/record")["plies"] == ["1,3", "5,3"]


def test_a_worker_that_finds_no_database_says_so_and_starts_when_it_is_there(
    several: Arcade, postgres: Postgres
) -> None:
    info = several.person().set_up("gaterun", "here", "here")
    before = workers_of(several.process.pid)
    postgres.stop()
    try:
        for each in before:
            each.kill()
        sentence = "A worker cannot start, and tries again in 3 s. The database postgresql+psycopg://arcade@127.0.0.1:"
        wait_for(lambda: several.log.read_text().count(sentence) >= 3, "nothing was said")
        assert "Traceback" not in several.log.read_text()
    finally:
        postgres.start()

    def is_there() -> bool:
        with suppress(httpx.TransportError):
            return bool(several.person().get(f"/api/games/{info['id']}")["plies"] == 0)
        return False

    wait_for(is_there, "nobody answers")
    assert "Traceback" not in several.log.read_text()


def test_a_server_whose_workers_find_no_database_can_be_stopped(several: Arcade, postgres: Postgres) -> None:
    postgres.stop()
    try:
        for each in workers_of(several.process.pid):
            each.kill()
        wait_for(lambda: "A worker cannot start" in several.log.read_text(), "nothing was said")
        several.end()
        assert several.process.returncode == 0 and "Traceback" not in several.log.read_text()
    finally:
        postgres.start()


def test_workers_end_with_their_supervisor(several: Arcade) -> None:
    serving = workers_of(several.process.pid)
    os.kill(several.process.pid, signal.SIGKILL)
    several.process.wait(PATIENCE)
    gone, alive = psutil.wait_procs(serving, timeout=PATIENCE)
    assert len(gone) == 2 and alive == []


@pytest.mark.parametrize("moment", ["workers start", "they serve"])
def test_ctrl_c_in_a_terminal_ends_all_workers_without_a_word(postgres: Postgres, moment: str) -> None:
    """It reaches the workers too, who must not end on their own: the supervisor tells them to stop."""
    command = module("rookery", "serve", "--no-browser", "--port", "0", "--db", postgres.database(), "--workers", "2")
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        wait_for(lambda: len(children_of(process.pid)) == 3, "two workers and the process of their bots never came")
        workers = children_of(process.pid)
        if moment == "they serve":
            assert process.stdout is not None
            assert process.stdout.readline().startswith("Rookery is running at")
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode in (0, 130) and said.strip() == ""
    assert psutil.wait_procs(workers, timeout=PATIENCE)[1] == []
