"""Every example in the documentation is run, and the documentation builds without a warning.

Python examples are fenced as `pycon`, commands as `console`. Each page's Python examples run in an interpreter of
their own, as they would for a reader who starts there; so this file is also the script that runs them.
"""

from __future__ import annotations

import doctest
import os
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(
    str(path.relative_to(ROOT))
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md"))
    if "_build" not in path.parts
)
WITH_PYTHON = (
    "CONTRIBUTING.md",
    "README.md",
    *(f"docs/games/{name}.md" for name in ("gamma", "gaterun", "gotham", "sixseven")),
    *(f"docs/api/{name}.md" for name in ("bot", "conformance", "game", "options", "record", "rookery", "stream")),
    "docs/design.md",
    "docs/lab.md",
    "docs/learning.md",
    "docs/records.md",
    "docs/sixseven-play.md",
)
WITH_COMMANDS = (
    "CONTRIBUTING.md",
    "README.md",
    *(f"docs/games/{name}.md" for name in ("gamma", "gaterun", "gotham", "sixseven")),
    "docs/gotham-play.md",
    "docs/lab.md",
    "docs/playing.md",
    "docs/records.md",
)
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
TYPED = re.compile(r"^> (\S.*)\n", re.MULTILINE)
"""What a person typed after the prompt."""


def blocks(page: str, language: str) -> list[tuple[int, str]]:
    """The fenced blocks of a page in a language, each with the number of its first line."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, found.start(2)) + 1, found[2]) for found in FENCE.finditer(text) if found[1] == language
    ]


def commands(page: str) -> list[tuple[str, str]]:
    """The `$ rookery` commands of a page, or those that feed it, each with what the page says it prints."""
    found = []
    for _, block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            if command.startswith(("rookery", "printf")):
                found.append((command, printed))
    return found


def run_python(page: str) -> int:
    """Run a page's Python examples, which share their names, in order; return how many failed."""
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    names: dict[str, object] = {}
    for line, block in blocks(page, "pycon"):
        examples = doctest.DocTestParser().get_doctest(block, names, page, page, line - 1)
        runner.run(examples, clear_globs=False)
        names = examples.globs
    return runner.summarize(verbose=False).failed


def rookery(command: str, typed: str) -> str:
    """What a `rookery` command prints when this is typed."""
    run = shlex.join([sys.executable, "-m", "rookery"])
    words = ["bash", "-c", f'rookery() {{ {run} "$@"; }}; {command}']
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        words, cwd=ROOT, env=environment, input=typed, capture_output=True, encoding="utf-8", check=False
    )
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout


def plain(text: str) -> list[str]:
    """The lines of a text, blanks at their ends and blank lines at its end left out."""
    return [line.rstrip() for line in text.rstrip().split("\n")]


def agrees(said: list[str], printed: list[str]) -> bool:
    """Whether the lines are the same, a line that is just … standing for any lines."""
    if not said or said[0] != "…":
        return said == printed == [] or (said[:1] == printed[:1] and agrees(said[1:], printed[1:]))
    return any(agrees(said[1:], printed[skipped:]) for skipped in range(len(printed) + 1))


def test_every_page_with_examples_is_listed_and_has_some() -> None:
    assert {page for page in PAGES if ">>> " in (ROOT / page).read_text(encoding="utf-8")} == set(WITH_PYTHON)
    assert {page for page in PAGES if blocks(page, "pycon")} == set(WITH_PYTHON)
    assert {page for page in PAGES if commands(page)} == set(WITH_COMMANDS)


@pytest.mark.parametrize("page", WITH_PYTHON)
def test_python_examples_give_what_the_page_says(page: str) -> None:
    done = subprocess.run([sys.executable, __file__, page], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", WITH_COMMANDS)
def test_commands_print_what_the_page_says(page: str) -> None:
    for command, said in commands(page):
        printed = rookery(command, "".join(line + "\n" for line in TYPED.findall(said)))
        assert agrees(plain(said), plain(printed)), f"$ {command}\n{printed}"


def test_the_documentation_builds_without_warnings(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html"]
    folders = [str(ROOT / "docs"), str(tmp_path / "html"), "-d", str(tmp_path / "doctrees")]
    done = subprocess.run([*words, *folders], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "html" / "index.html").is_file()


def test_the_picture_shows_the_games_as_they_are() -> None:
    drawn = runpy.run_path(str(ROOT / "docs" / "picture.py"))["picture"]()
    kept = (ROOT / "docs" / "rookery.svg").read_text(encoding="utf-8")
    assert drawn == kept, "draw it again: make picture"


if __name__ == "__main__":
    sys.exit(run_python(sys.argv[1]) > 0)
