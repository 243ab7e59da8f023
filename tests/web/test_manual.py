"""The manual of the arcade: its example runs against a real server, and its tables name what is there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.web.arcade import Arcade, get

from rookery.web import messages

MANUAL = (Path(__file__).parents[2] / "docs" / "arcade.md").read_text(encoding="utf-8")


def test_the_example_of_a_program_runs(arcade: Arcade) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", MANUAL, re.S)
    assert "http://127.0.0.1:8067" in example
    program = example.replace("http://127.0.0.1:8067", arcade.base)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("1,2 ['You', 'Casual bot")


def test_every_message_and_every_route_is_in_the_manual(arcade: Arcade) -> None:
    for kind in messages.Request.__subclasses__():
        assert f"`{kind.__struct_config__.tag}`" in MANUAL, kind
    for path in get(arcade.base + "/api/schema/openapi.json").json()["paths"]:
        shown = re.sub(r"/\{.*", "", path)
        assert shown in MANUAL, path
