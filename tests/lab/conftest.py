"""What the tests of the lab share: the command typed in this process or started as one of its own, and its answer."""

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

from rookery.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
