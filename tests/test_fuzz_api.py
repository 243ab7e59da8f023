"""Random calls of the public API in a separate process: no crash, no unexpected error. See tests/fuzz_api."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING

from tests.fuzz_api.running import table, watched

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_every_call_ends_in_an_answer_or_a_sentence() -> None:
    """To investigate a failure: `python -m tests.fuzz_api --calls 2000 --seed 1`."""
    command = [sys.executable, "-m", "tests.fuzz_api", "--calls", "2000", "--seed", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_process_that_dies_is_a_failure_and_its_last_call_is_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    notes = tmp_path / "last"
    code = f"import os; open({str(notes)!r}, 'w').write('bot on a state: choose(7)'); os.kill(os.getpid(), 11)"
    assert watched([sys.executable, "-c", code], notes) == -11
    assert "The process was ended by -11. Its last call: bot on a state: choose(7)" in capfd.readouterr().out


def test_the_table_counts_calls_by_kind_and_outcome() -> None:
    calls = Counter({("state", "answered"): 3, ("state", "refused"): 1, ("game", "failed"): 2})
    assert [line.split() for line in table(calls).splitlines()[1:]] == [
        ["game", "2", "0", "0", "2"],
        ["state", "4", "3", "1", "0"],
        ["all", "6", "3", "1", "2"],
    ]
