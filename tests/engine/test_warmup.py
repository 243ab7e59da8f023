"""Compiling ahead of time: every bot plays alike while it has no machine code, and compilers end with their parents."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import CancelledError
from pathlib import Path

import pytest
from tests.tiers import mostly_slow, slow

import rookery
from rookery.core.bot import make_bot
from rookery.core.errors import RookeryError
from rookery.core.rules import CHANCE
from rookery.core.state import State
from rookery.core.stream import Stream
from rookery.engine import compiling, warmup
from rookery.engine.warmup import Compiler, Part, all_parts, is_ready, level_parts, parts_of
from rookery.games import address, at_address, find, from_file, names

THIN_ICE = str(Path(__file__).parents[2] / "examples" / "thin_ice.py")


def some_plies_in(name: str, plies: int, seed: int) -> State:
    state, stream = find(name)().start(), Stream(seed)
    while state.turn == CHANCE or (plies and not state.over):
        plies -= state.turn != CHANCE
        state.play(state.draw(stream) if state.turn == CHANCE else state.pick(stream))
    return state


MORE_NODES = {"gotham": (5, 6, 8, 9), "gamma": (7, 8, 9), "sixseven": (8,), "gaterun": (8, 9)}
"""Levels that repeat the bot of a lower one and only search more."""


@pytest.mark.parametrize("plies", mostly_slow([5, 0]))
@pytest.mark.parametrize(
    ("name", "level"),
    [
        pytest.param(name, level, marks=slow if level in more else ())
        for name, more in MORE_NODES.items()
        for level in range(1, 10)
    ],
)
def test_levels_choose_the_same_interpreted(name: str, level: int, plies: int) -> None:
    """So that who plays before machine code is ready meets the same opponent. Level 10 plays by the clock."""
    bot, state = make_bot(find(name), str(level)), some_plies_in(name, plies, seed=level)
    with_machine_code = bot.choose(state, stream=Stream(level))
    with compiling.interpreting():
        assert not compiling.in_use()
        assert bot.choose(state, stream=Stream(level)) == with_machine_code
    assert compiling.in_use()


def test_every_bot_of_a_level_names_its_machine_code() -> None:
    assert {name: level_parts(find(name)) for name in ("gotham", "gamma", "sixseven", "gaterun")} == {
        "gotham": ["planner"],
        "gamma": ["settler"],
        "sixseven": ["search"],
        "gaterun": ["alphabeta"],
    }


def test_what_levels_need_is_compiled_first() -> None:
    parts = all_parts({name: find(name) for name in ("gamma", "gaterun")})
    assert parts[:2] == [Part("gamma", "settler"), Part("gaterun", "alphabeta")]
    assert set(parts) == {Part("gamma", part) for part in ("settler", "mcts", "playouts", "environments", "lines")} | {
        Part("gaterun", part) for part in ("alphabeta", "minimax", "mcts", "playouts", "environments")
    }


def test_a_part_is_compiled_by_another_process_and_found_in_the_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROOKERY_CACHE", str(tmp_path))
    ice = address(from_file(THIN_ICE).name)
    assert ice == THIN_ICE
    part = Part(ice, "playouts")
    assert not is_ready(at_address(ice), "playouts")
    compiler = Compiler([part], at_address, processes=1, low_priority=True)
    compiler.futures[part].result(timeout=120)
    compiler.close()
    assert is_ready(at_address(ice), "playouts")
    assert list(tmp_path.rglob("*.nbc")), "the machine code is in the cache"


def test_what_cannot_be_compiled_is_said() -> None:
    part = Part("gotham", "nonsense")
    compiler = Compiler([part], at_address, processes=1)
    with pytest.raises(RookeryError, match="nonsense of gotham cannot be compiled: KeyError"):
        compiler.futures[part].result(timeout=60)
    compiler.close()


def test_a_compiler_that_is_closed_ends_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOKERY_CACHE", str(tmp_path))
    parts = all_parts({"gamma": find("gamma")})
    compiler = Compiler(parts, at_address, processes=2)
    deadline = time.monotonic() + 60
    while len(compiler._workers) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    processes = [worker._process for worker in compiler._workers]
    compiler.close()
    assert len(processes) == 2 and all(process.poll() is not None for process in processes)
    with pytest.raises(CancelledError):
        compiler.futures[parts[-1]].result(timeout=5)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes by way of /proc")
def test_compilers_end_when_their_parent_is_killed(tmp_path: Path) -> None:
    environment = os.environ | {"ROOKERY_CACHE": str(tmp_path)}
    parent = subprocess.Popen([sys.executable, "-m", "rookery", "warm", "gamma"], env=environment)
    deadline = time.monotonic() + 60
    while len(children := children_of(parent.pid)) < 1 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert children
    parent.kill()
    parent.wait()
    while any(Path(f"/proc/{pid}").exists() for pid in children) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(Path(f"/proc/{pid}").exists() for pid in children)


def children_of(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()] or [
        int(each) for task in Path(f"/proc/{pid}/task").iterdir() for each in (task / "children").read_text().split()
    ]


def test_all_games_have_parts() -> None:
    for name in names():
        assert "playouts" in parts_of(find(name))
    assert rookery.bot("gaterun", "greedy").compiled_part == ""
    assert warmup.level_parts(find("gaterun")) == ["alphabeta"]
