"""Draws the diagrams of the strategy pages and writes a caption with the bots' analysis below each.

Run it with `python -m tools.diagrams.pages`, or `make diagrams`. The positions come from games in docs/play/games.jsonl
or from a solved board. Bots search a number of nodes, never by the clock, so the result is always the same; a test
checks that the pages are up to date.
"""

from __future__ import annotations

import re
from pathlib import Path

from tools.diagrams import gamma, gaterun
from tools.diagrams.diagram import FOLDER

DOCS = Path(__file__).resolve().parents[2] / "docs"
DIAGRAMS = {each.name: each for each in (*gaterun.DIAGRAMS, *gamma.DIAGRAMS)}
PAGES = ("gaterun-play.md", "gamma-play.md")
SHOWN = re.compile(r"^(!\[(?P<title>[^\]]+)\]\(play/(?P<name>[\w-]+)\.svg\)\n\n)\*.*\*$", re.MULTILINE)
"""A diagram on a page, with its caption below it."""


def rewrite(text: str) -> tuple[str, dict[str, str]]:
    """A page with its captions rewritten, and its drawings by name."""
    drawings: dict[str, str] = {}

    def updated(found: re.Match[str]) -> str:
        drawings[found["name"]], caption = DIAGRAMS[found["name"]].render(found["title"])
        return f"{found[1]}*{caption}*"

    return SHOWN.sub(updated, text), drawings


def main() -> None:
    """Write all diagrams and captions."""
    for name in PAGES:
        path = DOCS / name
        text, drawings = rewrite(path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")
        for each, drawing in drawings.items():
            (FOLDER / f"{each}.svg").write_text(drawing, encoding="utf-8")


if __name__ == "__main__":
    main()
