"""The page about the originals: every test that it names exists, and no promise is without a place."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "originals.md").read_text(encoding="utf-8")


def test_every_test_that_the_page_names_exists() -> None:
    defined = {
        name
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert len(named) > 40
    assert named - defined == set()


def test_every_promise_has_a_place_and_a_check() -> None:
    sections = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
    assert [section.partition("\n")[0] for section in sections] == ["Gotham Loops", "Gamma", "67!", "GateRun"]
    for section in sections:
        rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in section.splitlines() if line.startswith("| ")][1:]
        assert len(rows) >= 9
        for row in rows:
            assert len(row) == 3 and all(cell.strip() for cell in row), row


def test_every_file_that_the_page_names_exists() -> None:
    for name in re.findall(r"`(examples/\w+\.py)`", PAGE):
        assert (ROOT / name).is_file()
