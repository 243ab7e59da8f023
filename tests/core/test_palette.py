"""The colours of Python and of the page's and the documentation's style sheets are the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rookery
from rookery.core import palette

ROOT = Path(__file__).parents[2]
STYLE = Path(rookery.__file__).parent / "web" / "static" / "style.css"
VARIABLES = {
    "soft": "ink-soft",
    **{name: name for name in ("ground", "raised", "sunk", "ink", "line", "edge", "good", "bad", "gold")},
    **{name: name for name in ("board", "cell", "barred", "wall", "accent")},
    "cell_edge": "cell-edge",
}
"""Fields of a theme, and what the page calls them."""


def values(css: str, selector: str) -> dict[str, tuple[str, str]]:
    """The variables that a rule sets to colours, each with its value in the light and in the dark theme."""
    found = re.search(rf"(?m)^{re.escape(selector)} {{(.*?)}}", css, re.DOTALL)
    assert found is not None, f"there is no rule {selector}"
    values = {}
    for name, value in re.findall(r"--([\w-]+):\s*([^;]+);", found[1]):
        colours = [full(colour) for colour in re.findall(r"#[0-9a-f]+", value)]
        if colours and value.startswith(("#", "light-dark(#")):
            values[name] = colours[0], colours[-1]
    return values


def full(colour: str) -> str:
    """A colour with six digits: #fff is #ffffff."""
    return "#" + "".join(2 * digit for digit in colour[1:]) if len(colour) == 4 else colour


@pytest.fixture(scope="module")
def style() -> str:
    return STYLE.read_text(encoding="utf-8")


def test_the_page_has_the_colours_of_the_themes(style: str) -> None:
    root = values(style, ":root")
    themes = (palette.LIGHT, palette.DARK)
    for field in palette.Theme._fields[: -len(("accents", "players", "player_text"))]:
        assert root[VARIABLES[field]] == tuple(getattr(theme, field) for theme in themes), field


def test_the_page_has_the_colours_of_players_and_rounds(style: str) -> None:
    root = values(style, ":root")
    for number in range(1, 9):
        for variable, name in ((f"p{number}", "players"), (f"p{number}-ink", "player_text")):
            known = tuple(getattr(theme, name)[number - 1] for theme in (palette.LIGHT, palette.DARK))
            assert root[variable] == known, variable
    assert tuple(root[f"r{number}"] for number in range(1, 8)) == tuple((each, each) for each in palette.ROUND_COLOURS)
    assert {name: root[name][0] for name in palette.ROLE_COLOURS} == palette.ROLE_COLOURS
    assert root["tile-low"][1] == palette.NUMBER_TILE


def test_the_page_has_the_accents_of_the_games(style: str) -> None:
    for game in palette.LIGHT.accents:
        accents = tuple(theme.accents[game] for theme in (palette.LIGHT, palette.DARK))
        assert values(style, f'[data-game="{game}"]')["accent"] == accents


def test_the_documentation_has_the_accents_of_the_games() -> None:
    style = (ROOT / "docs" / "_static" / "rookery.css").read_text(encoding="utf-8")
    sections = {"gotham": "gotham-loops", "gamma": "gamma", "sixseven": "sixty-seven", "gaterun": "gaterun"}
    for game, section in sections.items():
        found = values(style, f"body:has(section#{section})")
        assert found["accent"][0] == palette.LIGHT.accents[game]
        assert found["accent-dark"][0] == palette.DARK.accents[game]


def test_a_theme_has_an_accent_for_every_game() -> None:
    assert palette.DARK.accent_of("gamma") == "#66cf94"
    assert palette.theme(dark=False).accent_of("thin_ice") == palette.LIGHT.accent
