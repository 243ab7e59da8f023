"""The daily challenges and one's own page: begun, finished, shared, ranked, counted, taken along and deleted."""

from __future__ import annotations

import json

from playwright.sync_api import expect
from tests.web.browser import Visitor
from tests.web.conftest import Comes


def walk_the_rounds(zoe: Visitor) -> None:
    """Seven times one step out and one back."""
    zoe.see(".board[data-mine]")
    count = len(zoe.moves)
    for _ in range(14):
        for key in ("ArrowUp", "ArrowDown"):
            if zoe.over or (key == "ArrowDown" and zoe(".strip").is_visible()):
                break
            zoe.press(key)
            zoe.see_moves(count := count + 1)
        if zoe.over:
            break
    zoe.see(".result")


def test_a_challenge_is_played_shared_and_ranked(comes: Comes) -> None:
    zoe = comes(permissions=["clipboard-read", "clipboard-write"])
    zoe.ask("PATCH", "/api/me", {"name": "Zoë"})
    zoe.open("/daily")
    card = zoe(".daily-card[data-game=gotham]")
    expect(card).to_contain_text("Be the first today")
    (challenge,) = (each for each in zoe.ask("GET", "/api/daily")["games"] if each["game"] == "gotham")
    assert f"{challenge['options'].get('rules', 'table')} rules" in challenge["text"] and "coin" in challenge["text"]
    expect(card).to_contain_text(challenge["text"])
    expect(zoe(".leader-table")).to_contain_text("Be the first.")
    card.get_by_role("button", name="Play").click()
    zoe.see(".board[data-mine]")
    zoe.see(".foot", "Daily of ")
    for help in ("undo", "hint", "evaluate", "odds", "restart"):
        expect(zoe.tool(help)).to_be_hidden()
    zoe.press("ArrowUp")
    zoe.see_moves(1)
    zoe.open("/daily")
    expect(card).to_contain_text("In progress")
    card.get_by_role("button", name="Continue").click()
    if not zoe(".strip").is_visible():
        zoe.see(".board[data-mine]")
        zoe.press("ArrowDown")
        zoe.see_moves(2)
    walk_the_rounds(zoe)
    zoe(".result").get_by_role("button", name="Share").click()
    zoe.see("#toasts", "Result copied.")
    (mine,) = (each for each in zoe.ask("GET", "/api/daily")["games"] if each["game"] == "gotham")
    shared = zoe.page.evaluate("navigator.clipboard.readText()").removeprefix(mine["share"]).split()
    assert len(shared[0]) == 7 and set(shared[0]) <= set("🟩🟥"), "a square for each round"
    assert shared[1:] == [f"{zoe.base}/daily"], "the game itself would give the challenge away"
    zoe.open("/daily")
    expect(card).to_contain_text(mine["feat"])
    expect(card).to_contain_text("#1 of 1")
    zoe.page.evaluate("navigator.clipboard.writeText('')")
    card.get_by_role("button", name="Share").click()
    zoe.see("#toasts", "copied")
    assert zoe.page.evaluate("navigator.clipboard.readText()") == mine["share"]
    expect(zoe(".leader-table tr.you")).to_contain_text("Zoë")
    expect(zoe(".leader-table tr.you")).to_contain_text(mine["feat"])
    zoe.page.get_by_role("tab", name="Gamma").click()
    expect(zoe(".leader-table")).to_contain_text("Be the first.")
    zoe.page.get_by_label("The day before").click()
    expect(zoe(".leader-table")).to_contain_text("No results on that day.")
    zoe.open("/")
    zoe.see(".daily-strip [data-game=gotham]", "#1 of 1")
    zoe.see(".daily-strip [data-game=gotham]", challenge["text"])


def test_the_name_is_changed_and_seen_by_others(zoe: Visitor, comes: Comes) -> None:
    zoe.open("/profile")
    zoe("#my-name").fill("  Zoë of the Rooks ")
    zoe.button("Save").click()
    zoe.see("#name-note", "Saved. Your name is Zoë of the Rooks.")
    info = zoe.set_up("gaterun", "here", "invite")
    other = comes()
    other.open(info["invite"])
    other.see(".invite", "Zoë of the Rooks")
    zoe.page.reload()
    expect(zoe("#my-name")).to_have_value("Zoë of the Rooks")


def test_figures_lists_export_and_farewell(zoe: Visitor) -> None:
    zoe.open("/profile")
    zoe.see(".careers", "Not played yet.")
    zoe.sit_down("gotham")
    walk_the_rounds(zoe)
    played = zoe.id
    zoe.sit_down("gaterun", "here", "1", options={"size": 3})
    zoe.open("/profile")
    zoe.see(".career[data-game=gotham]", "1 game", "Best", "point")
    zoe.see(".career[data-game=gaterun]")
    expect(zoe(".game-row")).to_have_count(2)
    with zoe.page.expect_download() as download:
        zoe.page.get_by_text("Download my data").click()
    kept = json.loads(download.value.path().read_text())
    assert played in json.dumps(kept)
    with zoe.page.expect_download() as record:
        zoe(f".game-row[data-id='{played}'] .download").click()
    assert json.loads(record.value.path().read_text())["game"] == "gotham"
    zoe.button("Delete my data…").click()
    zoe.see("dialog", "This cannot be undone.")
    zoe.button("Cancel").click()
    zoe.not_see("dialog")
    zoe.button("Delete my data…").click()
    zoe.button("Delete everything").click()
    zoe.see("#toasts", "Your data was deleted.")
    zoe.open("/profile")
    zoe.see(".careers", "Not played yet.")
    expect(zoe(".game-row")).to_have_count(0)
