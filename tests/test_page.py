"""The runner of tutorials detects differences from a page, and leaves no process running."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.page import agrees, asked, fenced, follow, typed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "tutorial"
    found.mkdir()
    return found


def console(*lines: str) -> str:
    return "\n".join(["```console", *lines, "```", ""])


def test_steps_share_one_shell_and_one_folder(folder: Path) -> None:
    page = (
        console("$ name=ann", "$ mkdir here && cd here") + "Go on:\n" + console("$ echo $name ${PWD##*/}", "ann here")
    )
    follow(page, folder)


def test_what_is_typed_reaches_the_command() -> None:
    ((command, said),) = asked("$ rookery play gamma \\\n    --width 5\n…\n> m 2 2\n…\n>\n")
    assert command == "rookery play gamma \\\n    --width 5"
    assert typed(said) == "m 2 2\n"


def test_files_are_saved_and_edited(folder: Path) -> None:
    page = """
```python
# one.py
number = 1
print(number)
```

```diff
--- one.py
-number = 1
+number = 2
 print(number)
```
"""
    follow(page + console("$ python one.py", "2"), folder)


@pytest.mark.parametrize(
    "page",
    [
        console("$ echo one", "two"),
        console("$ echo one", "one", "two"),
        console("$ echo one"),
        console("$ false"),
        console("$ exit 0"),
        console("$ rookery games chess", "…"),
        console("$ rookery games chess", "rookery: There is no game 'go'…"),
        console("$ true", "rookery: There is no game 'chess'."),
        "```diff\n--- one.py\n-a\n+b\n```\n",
    ],
)
def test_a_tutorial_that_is_wrong_is_found_out(page: str, folder: Path) -> None:
    (folder / "one.py").write_text("b = 1\n", encoding="utf-8")
    with pytest.raises(AssertionError):
        follow(page, folder)


def test_a_refusal_the_page_shows_is_as_it_should_be(folder: Path) -> None:
    follow(console("$ rookery games chess", "rookery: There is no game 'chess'; there are …"), folder)


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for the process in /proc")
def test_nothing_is_left_running(folder: Path) -> None:
    follow(console("$ sleep 600 & echo $! > ../number", "$ test -s ../number"), folder)
    status = Path("/proc", (folder.parent / "number").read_text().strip(), "stat")
    until = time.monotonic() + 30
    while status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z":
        assert time.monotonic() < until, "it still runs"
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("said", "printed", "same"),
    [
        ("a\nb\n", "a  \nb\n\n", True),
        ("a\n…\nd", "a\nb\nc\nd\n", True),
        ("a\n…\nd", "a\nd\n", True),
        ("a …%\n", "a 71%\n", True),
        ("a …%\n", "a 71\n", False),
        ("a.b", "axb", False),
        ("…", "", True),
        ("a\n…\nd", "a\nb\nc\n", False),
        ("", "a", False),
        ("a", "", False),
    ],
)
def test_what_a_page_says_is_compared_line_by_line(said: str, printed: str, same: bool) -> None:
    assert agrees(said, printed) is same


def test_blocks_know_their_lines() -> None:
    (block,) = fenced("A page\n\n```pycon\n>>> 1\n1\n```\n```text\nno\n```\n", "pycon")
    assert (block.line, block.text) == (4, ">>> 1\n1\n")
