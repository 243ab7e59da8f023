"""The end of a game on its page: the card, where it stands, what it says, and what is shared."""

from __future__ import annotations

from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import expect
from tests.tiers import mostly_slow
from tests.web.browser import DARK, PHONE, STILL, Visitor
from tests.web.conftest import Comes

GATES = {"size": 3, "walls": 0}
CLIPBOARD = ["clipboard-read", "clipboard-write"]


def race(zoe: Visitor, *seats: str, **more: Any) -> str:
    """A short game of GateRun until one more step wins; its id."""
    id = zoe.sit_down("gaterun", *(seats or ("here", "here")), options=GATES, **more)
    for count, at in enumerate(("1,1", "2,0"), start=1):
        zoe.click(at)
        zoe.see_moves(count)
    return id


def title(zoe: Visitor, text: str) -> None:
    expect(zoe("#ending-title")).to_have_text(text)


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900), (320, 568)])
def test_the_board_stays_where_it_is_when_the_game_ends(comes: Comes, width: int, height: int) -> None:
    zoe = comes(viewport={"width": width, "height": height})
    race(zoe)
    before = zoe.box(".board svg")
    zoe.click("2,1")
    card = zoe.see(".ending", "Player 1 reached the other side. Player 2 had 2 steps to go.")
    assert zoe.box(".board svg") == before
    assert zoe.page.evaluate("document.activeElement.classList.contains('ending')")
    assert zoe.page.evaluate("document.documentElement.scrollWidth") <= width
    zoe.page.wait_for_timeout(200)
    box = card.bounding_box()
    assert box is not None and box["y"] + box["height"] <= height and box["x"] >= 0
    if width > 720:
        assert box["x"] >= before["x"] + before["width"], "it stands beside the board"
    zoe.press("Escape")
    zoe.not_see(".ending")
    assert zoe.box(".board svg") == before
    zoe.button("Show the result").click()
    zoe.see(".ending")
    zoe.page.wait_for_timeout(600)
    zoe.page.mouse.click(before["x"] + 20, before["y"] + 20)
    zoe.not_see(".ending")


def test_the_card_closes_to_where_the_focus_was_and_comes_back_by_its_button(zoe: Visitor) -> None:
    race(zoe)
    zoe.click("2,1")
    zoe.see(".ending")
    zoe.button("Close the result").click()
    zoe.not_see(".ending")
    assert zoe.page.evaluate("document.activeElement.closest('.board, .ending-reopen') !== null")
    zoe.button("Show the result").focus()
    zoe.press("Enter")
    zoe.see(".ending")
    zoe.press("Escape")
    expect(zoe.button("Show the result")).to_be_focused()


def test_the_end_is_told_to_each_in_one_sentence(zoe: Visitor) -> None:
    zoe.sit_down("gamma", "here", "here", options={"width": 2, "height": 1, "areas": 1})
    for count, at in enumerate(("0,0", "0,1"), start=1):
        zoe.click(at)
        zoe.see_moves(count)
    zoe.press("c", "Enter")
    zoe.see_moves(3)
    zoe.press("c")
    title(zoe, "A draw between Player 1 and Player 2, with 1 cell each.")
    zoe.sit_down("gaterun", "here", "3")
    zoe.tool("resign").click()
    zoe(".question .primary").click()
    title(zoe, "You resigned, so Casual bot won.")
    assert not zoe(".ending.won").count()
    zoe.sit_down("gaterun", "here", "here", clock={"minutes": 0.02, "increment": 0})
    zoe.click("1,3")
    title(zoe, "Player 2 ran out of time, so Player 1 won.")
    assert "You wins" not in zoe("main").inner_text()


def test_alone_a_new_best_is_celebrated_quietly(zoe: Visitor) -> None:
    options = {"width": 3, "height": 1, "areas": 1, "players": 1}
    for cells in (("0,0",), ("0,0", "0,1", "0,2")):
        zoe.sit_down("gamma", options=options)
        for count, at in enumerate(cells, start=1):
            zoe.click(at)
            zoe.see_moves(count)
        if len(cells) < 3:
            zoe.press("c", "Enter")
        title(zoe, f"You took {len(cells)} cell{'s' * (len(cells) > 1)}.")
    zoe.see(".ending-best.new", "★", "Your new best; before, it was: 1 cell.")
    zoe(".ending").get_by_role("button", name="Options").click()
    zoe.page.wait_for_url("**/play/gamma")
    expect(zoe.page.get_by_label("Width")).to_have_value("3")


def test_the_shared_text_is_what_is_in_the_clipboard(comes: Comes) -> None:
    zoe = comes(permissions=CLIPBOARD)
    id = race(zoe)
    zoe.click("2,1")
    zoe(".ending").get_by_role("button", name="Share").click()
    zoe.see(".note", "Result copied.")
    assert zoe.page.evaluate("navigator.clipboard.readText()").splitlines() == [
        "♜ Rookery · GateRun · 3×3, 0 walls",
        "Player 1 reached the other side. Player 2 had 2 steps to go.",
        *("⬜🟦⬜", "⬜🟦⬜", "🟠🔵⬜"),
        f"{zoe.base}/replay/{id}",
    ]


def test_the_picture_is_a_png_of_the_board(zoe: Visitor) -> None:
    id = race(zoe)
    zoe.click("2,1")
    with zoe.page.expect_download() as download:
        zoe(".ending").get_by_role("button", name="Picture").click()
    assert download.value.suggested_filename == f"rookery-gaterun-{id}.png"
    with Image.open(download.value.path()) as picture:
        assert picture.format == "PNG" and picture.width == 1080 and picture.height > 1000
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 20) or ()}
    assert (0, 114, 178) in colours and (230, 159, 0) in colours, "both pawns are to be seen"


@pytest.mark.parametrize("how", mostly_slow([PHONE | DARK, {}]))
def test_the_card_can_be_used_by_everybody(comes: Comes, how: dict[str, Any]) -> None:
    zoe = comes(**STILL, **how)
    zoe.open(f"/game/{finished_walk(zoe)}")
    zoe.see(".ending", "You brought home")
    zoe(".ending-levels summary").click()
    zoe.see(".ending-levels li", "Level 1 68 points")
    assert not zoe.faults()


def finished_walk(zoe: Visitor) -> str:
    """Seven rounds of Gotham Loops over the API, each as far as the first cell."""
    info = zoe.set_up("gotham")
    while True:
        plies = zoe.ask("GET", f"/api/games/{info['id']}/record")["plies"]
        if zoe.ask("GET", f"/api/games/{info['id']}")["status"] == "over":
            return str(info["id"])
        action = "down" if plies and plies[-1] == "safe" else "up"
        zoe.ask("POST", f"/api/games/{info['id']}/actions", {"action": action})
