"""The example programs that need packages which Rookery does not: they run where those are installed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.parametrize("algorithm", ["ppo", "qrdqn", "maskable"])
def test_agents_are_trained_in_the_original_environment(algorithm: str) -> None:
    pytest.importorskip("stable_baselines3")
    pytest.importorskip("sb3_contrib")
    command = [
        sys.executable,
        str(EXAMPLES / "train_sixseven.py"),
        algorithm,
        "--steps",
        "2048",
        "--games",
        "3",
        "--json",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert found["algorithm"] == algorithm and found["games"] == 3 and 0 <= found["wins"] <= 3
