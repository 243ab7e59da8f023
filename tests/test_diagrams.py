"""The strategy pages: their diagrams and captions match what the bots say now, and paths are drawn correctly."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from tools.diagrams import pages
from tools.pictures import board

import rookery
from rookery.core.stream import Stream
from rookery.games.gaterun import rules

ROOT = Path(__file__).resolve().parent.parent
SIZE = 7


@pytest.mark.parametrize("page", pages.PAGES)
def test_diagrams_and_captions_say_what_the_bots_say(page: str) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    rewritten, drawings = pages.rewrite(text)
    assert rewritten == text, "update the captions: make diagrams"
    for name, drawn in drawings.items():
        kept = (ROOT / "docs" / "play" / f"{name}.svg").read_text(encoding="utf-8")
        assert drawn == kept, f"redraw {name}: make diagrams"


def test_every_diagram_is_on_a_page() -> None:
    texts = [(ROOT / "docs" / page).read_text(encoding="utf-8") for page in pages.PAGES]
    shown = [found["name"] for text in texts for found in pages.SHOWN.finditer(text)]
    assert sorted(shown) == sorted(pages.DIAGRAMS)
    assert sorted(shown) == sorted(path.stem for path in (ROOT / "docs" / "play").glob("*.svg"))
    assert "**\n" not in "".join(texts), "a diagram has no caption yet: make diagrams"


def test_the_path_that_a_diagram_shows_is_a_shortest_one() -> None:
    game = rookery.game("gaterun", size=SIZE)
    for index in range(40):
        state, stream = game.start(), Stream(5, index)
        for _ in range(30):
            if not state.over:
                state.play(state.pick(stream))
        for player, row in ((1, SIZE - 1), (2, 0)):
            start = tuple(state.json()["pawns"][player - 1])
            path = board.shortest_path(state.scene(), start, row)
            assert path[0] == start and path[-1][0] == row
            assert len(path) - 1 == rules.distance(state.words, player)
            walled = {frozenset(wall.between) for wall in state.scene().walls}
            for here, to in pairwise(path):
                assert abs(here[0] - to[0]) + abs(here[1] - to[1]) == 1
                assert frozenset((here, to)) not in walled
