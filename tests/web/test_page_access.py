"""The pages for those who do not see them, or see them in other colours: no rule of axe is broken, everything has a name."""

from __future__ import annotations

import re
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, expect
from tests.web.arcade import Arcade
from tests.web.browser import STILL, Visitor
from tests.web.conftest import Comes

from rookery.games import BUILT_IN

SHORT = {"size": 3, "walls": 0}
COLOURS = ("color-contrast", "link-in-text-block")
"""The rules that depend on colours."""


def check(zoe: Visitor, path: str, ready: str) -> None:
    """Open a page, wait until it is all there, and let axe look at it."""
    zoe.open_whole(path)
    zoe.see(ready)
    inspect(zoe, path)


def inspect(zoe: Visitor, what: str) -> None:
    """Let axe look at what is there, in the light at everything and in the dark at colours."""
    zoe.page.emulate_media(color_scheme="light")
    assert not (found := zoe.faults()), (what, found)
    zoe.page.emulate_media(color_scheme="dark")
    assert not (found := zoe.faults(*COLOURS)), (what, "in the dark", found)


def finished(zoe: Visitor) -> str:
    """A game that is over, played in a moment."""
    info = zoe.set_up("gaterun", "here", "here", options=SHORT)
    for action in ("1,1", "2,0", "2,1"):
        zoe.ask("POST", f"/api/games/{info['id']}/actions", {"action": action})
    id: str = info["id"]
    return id


@pytest.mark.parametrize(
    ("wrong", "heard"),
    [
        ("() => console.error('Ouch')", "Ouch"),
        ("() => { setTimeout(() => { throw new Error('Ouch'); }); }", "page error"),
        ("() => document.body.setAttribute('style', 'color: red')", "Content Security Policy"),
        ("() => fetch('/api/nothing')", "status of 404"),
    ],
)
def test_no_complaint_of_a_page_goes_unheard(arcade: Arcade, browser: Browser, wrong: str, heard: str) -> None:
    visitor = Visitor(browser, arcade.base)
    visitor.open("/replay")
    visitor.see(".drop")
    visitor.page.evaluate(wrong)
    visitor.page.wait_for_timeout(50)
    with pytest.raises(AssertionError, match=heard):
        visitor.leave()


def test_axe_sees_what_is_wrong(zoe: Visitor) -> None:
    zoe.open("/replay")
    zoe.see(".drop")
    zoe.page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert [id for id, _, _ in zoe.faults()] == ["button-name"]
    assert zoe.faults(*COLOURS) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_sees_colours_that_are_too_faint(zoe: Visitor, scheme: Literal["light", "dark"]) -> None:
    zoe.open("/replay")
    zoe.see(".drop")
    zoe.page.emulate_media(color_scheme=scheme)
    faint = "color-mix(in srgb, var(--ground) 85%, var(--ink))"
    zoe.page.evaluate("colour => { document.querySelector('main h1').style.color = colour; }", faint)
    assert [id for id, _, _ in zoe.faults(*COLOURS)] == ["color-contrast"]


def test_the_home_page_can_be_used_by_everybody(comes: Comes) -> None:
    zoe = comes(**STILL)
    zoe.ask("PATCH", "/api/me", {"name": "Zoë"})
    finished(zoe)
    zoe.set_up("gamma", "here", "invite", listed=True)
    check(zoe, "/", ".game-card .demo.ready")
    other = comes(**STILL)
    check(other, "/", ".game-card .demo.ready")


@pytest.mark.parametrize("game", BUILT_IN)
def test_the_pages_of_a_game_can_be_used_by_everybody(comes: Comes, game: str) -> None:
    zoe = comes(**STILL)
    check(zoe, f"/play/{game}", ".setup-picture svg")
    check(zoe, f"/rules/{game}", ".rules .demo.ready")
    info = zoe.set_up(game)
    zoe.open(f"/game/{info['id']}")
    zoe.see(".board[data-mine]")
    zoe.tool("evaluate").click()
    zoe.see(".evaluation .verdict")
    inspect(zoe, f"{game}, evaluated")
    if game == "gotham":
        zoe.press("o")
        zoe.see(".board text.odds")
        inspect(zoe, "odds")
        zoe.press("ArrowUp", "ArrowDown")
        zoe.see(".ply")
        inspect(zoe, "a round of gotham")
    elif game == "gaterun":
        zoe.click("2,2|2,3")
    elif game == "gamma":
        zoe.click("0,0")
    else:
        zoe.press("ArrowUp", "ArrowLeft")
    zoe.see(".ply")
    zoe(".switches summary").click()
    inspect(zoe, f"{game}, begun")


def test_waiting_finished_and_replayed_games_can_be_used_by_everybody(comes: Comes) -> None:
    zoe = comes(**STILL)
    check(zoe, f"/game/{zoe.set_up('gaterun', 'here', 'invite')['id']}", ".invite")
    id = finished(zoe)
    check(zoe, f"/game/{id}", ".result")
    check(zoe, f"/replay/{id}?ply=2", ".replay-board .board")
    check(zoe, "/replay", ".drop")


def test_the_other_pages_can_be_used_by_everybody(comes: Comes) -> None:
    zoe = comes(**STILL)
    finished(zoe)
    check(zoe, "/daily", ".daily-picture.ready")
    check(zoe, "/profile", ".career")
    check(zoe, "/print/gotham", ".sheet-grid")
    check(zoe, "/game/nowhere", ".notice")
    zoe.excuse("status of 404")
    check(zoe, "/nowhere", ".notice")


def test_dialogs_and_signs_over_the_board_can_be_used_by_everybody(comes: Comes) -> None:
    zoe = comes(**STILL)
    zoe.sit_down("gaterun", "here", "here")
    zoe.see(".board[data-mine]")
    zoe.press("?")
    zoe.see("dialog.keys")
    inspect(zoe, "keys")
    zoe.press("Escape")
    zoe.button("Settings").click()
    zoe.see("dialog")
    inspect(zoe, "settings")
    zoe.press("Escape")
    zoe.press("ArrowDown")
    zoe.see(".bubble")
    zoe.press("h")
    zoe.see(".hints .advice")
    inspect(zoe, "hint")
    zoe.tool("resign").click()
    zoe.see(".question")
    inspect(zoe, "question")


@pytest.mark.parametrize(
    ("game", "options", "rows", "cells"),
    [
        ("gotham", {}, 13, 169),
        ("gamma", {"width": 5, "height": 4}, 4, 20),
        ("sixseven", {"rows": 4, "cols": 5}, 4, 20),
        ("gaterun", {"size": 4}, 7, 16 + 24),
    ],
)
def test_the_board_is_a_grid_of_rows_whose_cells_have_names(
    zoe: Visitor, game: str, options: dict[str, Any], rows: int, cells: int
) -> None:
    zoe.sit_down(game, options=options)
    grid = zoe.page.get_by_role("grid")
    expect(grid.get_by_role("row")).to_have_count(rows)
    expect(grid.get_by_role("gridcell")).to_have_count(cells)
    names = grid.get_by_role("gridcell").evaluate_all("cells => cells.map((cell) => cell.getAttribute('aria-label'))")
    assert all(names) and len(set(names)) == len(names)
    assert zoe(".board [role=gridcell][tabindex='0']").count() == 1
    assert int(grid.get_attribute("aria-rowcount") or 0) == rows


def test_what_happens_is_said_to_those_who_listen(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "1")
    zoe.see(".board[data-mine]")
    zoe.press("ArrowUp")
    zoe.see_moves(2)
    expect(zoe(".board [role=status]")).to_contain_text(re.compile(r"Gentle bot: (step to|wall) "))


def test_the_whole_page_can_be_reached_by_tab_and_its_content_at_once(zoe: Visitor) -> None:
    zoe.open("/")
    zoe.see(".game-card")
    zoe.press("Tab")
    skip = zoe(".skip")
    expect(skip).to_be_focused()
    zoe.press("Enter")
    assert zoe.page.evaluate("document.activeElement.id") == "main"
    reached = set()
    for _ in range(40):
        zoe.press("Tab")
        reached.add(
            zoe.page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")
        )
    assert {"Play Gotham Loops now", "Play GateRun now", "Options of Gamma"} <= reached
