"""Draws the diagrams of the pages on playing well, and writes under each of them what the bots say of the position.

Run it with `python -m docs.lessons`, or `make diagrams`. The positions come from games in docs/play/games.jsonl, or are
looked up on a solved board. Bots think with a number of nodes, never by the clock, so everything comes out the same
again; a test holds the pages to that.
"""

from __future__ import annotations

import re
from pathlib import Path

from docs import gamma_lessons, gaterun_lessons
from docs.lesson import FOLDER

DOCS = Path(__file__).resolve().parent
LESSONS = {each.name: each for each in (*gaterun_lessons.LESSONS, *gamma_lessons.LESSONS)}
PAGES = ("gaterun-play.md", "gamma-play.md")
SHOWN = re.compile(r"^(!\[(?P<title>[^\]]+)\]\(play/(?P<name>[\w-]+)\.svg\)\n\n)\*.*\*$", re.MULTILINE)
"""A diagram of a page, with the caption below it."""


def page(text: str) -> tuple[str, dict[str, str]]:
    """A page with its captions written again, and its diagrams by name."""
    diagrams: dict[str, str] = {}

    def again(found: re.Match[str]) -> str:
        diagrams[found["name"]], caption = LESSONS[found["name"]].drawn(found["title"])
        return f"{found[1]}*{caption}*"

    return SHOWN.sub(again, text), diagrams


def main() -> None:
    """Write all diagrams and captions."""
    for name in PAGES:
        path = DOCS / name
        text, diagrams = page(path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")
        for each, drawing in diagrams.items():
            (FOLDER / f"{each}.svg").write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main()
