"""A start with a game that is not compiled yet: pages and weak bots at once, strong bots as soon as they are compiled."""

from __future__ import annotations

import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.web.arcade import Arcade

from rookery.engine import code_cache
from rookery.engine.warmup import compile_part, is_ready, level_parts
from rookery.games import find

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.conftest import Comes

PATIENCE = 180.0
"""Seconds for compiling, on a machine that does other things as well."""


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Arcade]:
    """A server that finds machine code of the other games, but none of GateRun."""
    for game in map(find, ("gotham", "gamma", "sixseven")):
        for part in level_parts(game):
            if not is_ready(game, part):
                compile_part(game, part)
    left_out = shutil.ignore_patterns("*gaterun*", "*.tmp.*")  # and what another worker is just writing
    shutil.copytree(code_cache.cache_home(), tmp_path / "cache", ignore=left_out)
    monkeypatch.setenv("ROOKERY_CACHE", str(tmp_path / "cache"))
    server = Arcade(tmp_path / "arcade.db")
    yield server
    server.end()
    assert server.log.read_text() == ""


def test_nobody_waits_for_a_compiler_but_strong_bots(fresh: Arcade, comes: Comes) -> None:
    ada = fresh.person()
    compiling = ada.get("/api/compiling")
    assert compiling["ready"] < compiling["parts"] == 4
    visitor = comes(fresh)
    visitor.open("/")
    sign = visitor.see(".masthead .compiling", "Preparing strong bots:", "of 4")

    weak = ada.set_up("gaterun", "here", "3")
    with ada.at(weak["id"]) as page:
        page.play("1,3")
        page.until(lambda page: page.shown["ply"] >= 2)
        assert not page.shown["preparing"]
    assert ada.get("/api/compiling")["ready"] < 4, "the weak bot has answered without machine code"

    strong = ada.set_up("gaterun", "here", "10")
    waited = False
    deadline = time.monotonic() + PATIENCE
    with ada.at(strong["id"]) as page:
        page.play("1,3")
        while page.shown["ply"] < 2:
            page.hear(PATIENCE)
            waited |= page.shown["preparing"]
            assert time.monotonic() < deadline
        assert not page.shown["preparing"]
    assert waited, "a bot that thinks by the clock waits for its machine code"
    while ada.get("/api/compiling")["ready"] < 4:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    expect(sign).to_have_count(0)


def test_a_bot_with_a_clock_does_not_wait(fresh: Arcade) -> None:
    ada = fresh.person()
    timed = ada.set_up("gaterun", "here", "10", clock={"minutes": 1, "increment": 0})
    with ada.at(timed["id"]) as page:
        page.play("1,3")
        page.until(lambda page: page.shown["ply"] >= 2)
        assert not page.shown["preparing"]
    assert ada.get("/api/compiling")["ready"] < 4


def test_a_server_that_is_killed_leaves_no_compiler_behind(fresh: Arcade) -> None:
    children = Path(f"/proc/{fresh.process.pid}/task")
    if not children.exists():
        pytest.skip("looks at processes by way of /proc")

    def started() -> list[str]:
        return [pid for task in children.iterdir() for pid in (task / "children").read_text().split()]

    deadline = time.monotonic() + PATIENCE
    while not (found := started()):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    fresh.end(kill=True)
    while any(Path(f"/proc/{pid}").exists() for pid in found):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    fresh.start()  # for the fixture, which ends it
