"""What the tests of the lab share: the command typed in this process or started as one of its own, and its answer; some
duels, each played once.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from tests.lab.duels import duel, played_here

from rookery.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rookery.lab.duel import Result

UNLIKE = ("seconds", "moves_per_second", "workers")
"""What may differ between two runs of one experiment."""


@dataclass(frozen=True)
class Said:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def found(self) -> dict[str, Any]:
        """The one JSON object on standard output."""
        lines = self.out.splitlines()
        assert len(lines) == 1, self.out
        content: dict[str, Any] = json.loads(lines[0])
        return content

    @property
    def same(self) -> Any:
        """What must not differ from run to run."""
        return same(self.found)


def same(content: Any) -> Any:
    """A JSON object without what may differ from run to run."""
    if isinstance(content, dict):
        return {name: same(value) for name, value in content.items() if name not in UNLIKE}
    return [same(each) for each in content] if isinstance(content, list) else content


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Run `rookery` in this process."""

    def run(*arguments: object) -> Said:
        capsys.readouterr()
        code = main([str(each) for each in arguments])
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return run


@pytest.fixture
def refused(typed: Callable[..., Said]) -> Callable[..., str]:
    """Run `rookery` with what it must refuse; return the one sentence it says."""

    def run(*arguments: object) -> str:
        said = typed(*arguments)
        assert said.code == 2
        assert said.out == ""
        assert said.err.startswith("rookery: ")
        assert said.err.endswith(".\n")
        assert said.err.count("\n") == 1
        return said.err.removeprefix("rookery: ").rstrip("\n")

    return run


class Started:
    """A process of this test, which does not outlive it."""

    def __init__(self, *arguments: object) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def answer(self, seconds: float = 60) -> Said:
        """What it says until it ends."""
        out, err = self.process.communicate(timeout=seconds)
        return Said(self.process.returncode, out, err)


@pytest.fixture
def start() -> Iterator[Callable[..., Started]]:
    """Start `python` with arguments as a process of its own."""
    begun: list[Started] = []

    def run(*arguments: object) -> Started:
        begun.append(Started(*arguments))
        return begun[-1]

    yield run
    for each in begun:
        # Its workers too: one that lives on would hold the pipes open for ever.
        with suppress(ProcessLookupError):
            os.killpg(each.process.pid, signal.SIGKILL)
        each.process.communicate()


@pytest.fixture
def wait() -> Callable[..., None]:
    """Wait until something is so, and fail if that takes too long."""

    def until(found: Callable[[], object], seconds: float = 120) -> None:
        deadline = time.monotonic() + seconds
        while not found():
            assert time.monotonic() < deadline, "it took too long"
            time.sleep(0.02)

    return until


@pytest.fixture(scope="session", autouse=True)
def _no_cluster_settings() -> None:
    """Settings of a cluster that a person may have made are none of ours."""
    for name in [name for name in os.environ if name.startswith("DASK_")]:
        del os.environ[name]


# ---- duels ----


@pytest.fixture(scope="session")
def pair() -> Result:
    """Two bots of very different strength."""
    return played_here(duel("gaterun", "greedy,random", 24, size=5))


@pytest.fixture(scope="session")
def three() -> Result:
    """A round robin of three bots."""
    return played_here(duel("gaterun", "random,minimax:depth=1,greedy:slip=0.4", 9, size=5))


@pytest.fixture(scope="session")
def gamma() -> Result:
    """Four bots in a game for three."""
    return played_here(duel("gamma", "greedy,random,greedy:slip=0.5,greedy:slip=0.9", 5, width=5, height=5, players=3))


@pytest.fixture(scope="session")
def gotham() -> Result:
    """Three bots that play alone."""
    return played_here(duel("gotham", "greedy,random,greedy:slip=0.5", 12, size=5))


@pytest.fixture(scope="session")
def sixseven() -> Result:
    return played_here(duel("sixseven", "greedy,random", 10, rows=4, cols=4, opening=3))


RESULTS = ["pair", "three", "gamma", "gotham", "sixseven"]


@pytest.fixture(params=RESULTS)
def any_result(request: pytest.FixtureRequest) -> Result:
    found: Result = request.getfixturevalue(request.param)
    return found
