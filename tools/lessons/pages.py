"""Draws the diagrams of the strategy pages and writes a caption with the bots' analysis below each.

Run it with `python -m tools.lessons.pages`, or `make diagrams`. The positions come from games in docs/play/games.jsonl
or from a solved board. Bots search a number of nodes, never by the clock, so the result is always the same; a test
checks that the pages are up to date.
"""

from __future__ import annotations

import re
from pathlib import Path

from tools.lessons import gamma, gaterun
from tools.lessons.lesson import FOLDER

DOCS = Path(__file__).resolve().parents[2] / "docs"
LESSONS = {each.name: each for each in (*gaterun.LESSONS, *gamma.LESSONS)}
PAGES = ("gaterun-play.md", "gamma-play.md")
DIAGRAM = re.compile(r"^(!\[(?P<title>[^\]]+)\]\(play/(?P<name>[\w-]+)\.svg\)\n\n)\*.*\*$", re.MULTILINE)
"""A diagram on a page, with its caption below it."""


def rewrite(text: str) -> tuple[str, dict[str, str]]:
    """A page with its captions rewritten, and its diagrams by name."""
    diagrams: dict[str, str] = {}

    def updated(found: re.Match[str]) -> str:
        diagrams[found["name"]], caption = LESSONS[found["name"]].render(found["title"])
        return f"{found[1]}*{caption}*"

    return DIAGRAM.sub(updated, text), diagrams


def main() -> None:
    """Write all diagrams and captions."""
    for name in PAGES:
        path = DOCS / name
        text, diagrams = rewrite(path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")
        for each, drawing in diagrams.items():
            (FOLDER / f"{each}.svg").write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main()
