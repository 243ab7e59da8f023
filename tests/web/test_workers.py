"""Several workers of one server, and several servers on one database, as people and operators meet them."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from typing import TYPE_CHECKING

import psutil  # type: ignore[import-untyped]
import pytest
from tests.ending import module
from tests.web.arcade import PATIENCE, Arcade, workers_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.web.postgres import Postgres


def wait_for(done: object, what: str) -> None:
    end = time.monotonic() + PATIENCE
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
    before = workers_of(several)
    assert len(before) == 2
    with ada.at(info["id"]) as page:
        assert page.play("1,3")["is"] == "ack"
    before[0].kill()
    with ada.at(info["id"]) as page:
        assert page.plies == [("1,3", 1)]
        assert page.play("5,3")["is"] == "ack"
    wait_for(lambda: len(set(workers_of(several)) - set(before)) == 1, "no new worker was started")
    assert ada.get(f"/api/games/{info['id']}/record")["plies"] == ["1,3", "5,3"]


def test_workers_end_with_their_supervisor(several: Arcade) -> None:
    serving = workers_of(several)
    os.kill(several.process.pid, signal.SIGKILL)
    several.process.wait(PATIENCE)
    gone, alive = psutil.wait_procs(serving, timeout=PATIENCE)
    assert len(gone) == 2 and alive == []
