"""The description of the API, and whether the server keeps to it whatever it is sent."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.tiers import mostly_slow
from tests.web.arcade import Arcade, get


def test_every_route_is_described_with_its_refusals(arcade: Arcade) -> None:
    description: dict[str, Any] = get(arcade.base + "/api/schema/openapi.json").json()
    paths = description["paths"]
    assert {"/api/games", "/api/games/{id}/actions", "/api/records", "/api/daily", "/api/me"} <= set(paths)
    for path, methods in paths.items():
        for method, operation in methods.items():
            assert operation.get("summary"), (path, method)
            refusals = {status: answer for status, answer in operation["responses"].items() if status >= "400"}
            assert {"400", "403", "429"} <= set(refusals), (path, method)
            for status, answer in refusals.items():
                (content,) = answer["content"].values()
                assert content["schema"]["$ref"].endswith("/Problem"), (path, method, status)


@pytest.mark.parametrize("examples", mostly_slow([2, 10]))
def test_the_server_keeps_to_the_description(arcade: Arcade, tmp_path: Path, examples: int) -> None:
    """Schemathesis makes up requests, sensible and senseless, for every operation, and looks at the answers."""
    command = [str(Path(sys.executable).with_name("schemathesis")), "run", arcade.direct + "/api/schema/openapi.json"]
    command += [
        "--checks",
        "all",
        "--phases",
        "examples,coverage,fuzzing",
        "--max-examples",
        str(examples),
        "--seed",
        "67",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr
    assert " passed" in done.stdout and arcade.process.poll() is None
