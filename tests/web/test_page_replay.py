"""Games watched again and games on paper: going through the plies, links to a position, records brought and taken, print."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect
from tests.web.browser import Visitor

PLIES = ("1,0|2,0", "0,2|1,2", "1,1", "2,0", "2,1")


def finished(zoe: Visitor) -> str:
    """A short game that is over."""
    info = zoe.set_up("gaterun", "here", "here", options={"size": 3, "walls": 2})
    for action in PLIES:
        zoe.ask("POST", f"/api/games/{info['id']}/actions", {"action": action})
    id: str = info["id"]
    return id


def test_a_game_is_gone_through_by_buttons_keys_list_and_scrubber(zoe: Visitor) -> None:
    zoe.open(f"/replay/{finished(zoe)}")
    place, walls = zoe(".replay-place"), zoe(".replay-board .wall")
    expect(place).to_have_text("0 / 5")
    expect(walls).to_have_count(0)
    zoe.page.get_by_label("Forward (→)").click()
    expect(place).to_have_text("1 / 5")
    expect(walls).to_have_count(1)
    zoe.press("ArrowRight")
    expect(walls).to_have_count(2)
    zoe.press("End")
    expect(place).to_have_text("5 / 5")
    zoe.see(".replay-message", "Player 1 has reached the other side and wins.")
    expect(zoe.page.get_by_label("Forward (→)")).to_be_disabled()
    zoe(".scrubber").fill("1")
    expect(walls).to_have_count(1)
    zoe(".replay-move").nth(2).click()
    expect(place).to_have_text("2 / 5")
    assert zoe.page.url.endswith("?ply=2")
    zoe.press("Home")
    expect(place).to_have_text("0 / 5")
    expect(zoe.page.get_by_label("Back (←)")).to_be_disabled()


def test_only_what_can_be_pressed_shows_the_focus(zoe: Visitor) -> None:
    zoe.open("/profile")
    zoe.see("main h1")
    zoe.page.evaluate("id => history.pushState(null, '', `/replay/${id}`)", finished(zoe))
    zoe.press("Tab")  # the page is led by keys
    zoe.page.evaluate("dispatchEvent(new PopStateEvent('popstate'))")
    zoe.see(".replay-board .board")
    zoe.page.evaluate("document.getElementById('main').focus()")
    outline = "document.activeElement.id + ' ' + getComputedStyle(document.activeElement).outlineStyle"
    assert zoe.page.evaluate(outline) == "main none"
    zoe.page.get_by_label("Forward (→)").focus()
    assert zoe.page.evaluate(outline) == " solid"


def test_a_game_plays_by_itself_to_its_end(zoe: Visitor) -> None:
    """The page's clock is the test's, so that no position passes unseen."""
    place, clock, step = zoe(".replay-place"), zoe.page.clock, 225
    clock.install(time=0)
    zoe.open(f"/replay/{finished(zoe)}")
    zoe("#speed").select_option("4")
    clock.pause_at(3600)  # later than any machine comes here
    zoe.page.get_by_label("Play (Space)").click()
    zoe.see("[aria-label='Pause (Space)']")
    expect(place).to_have_text("0 / 5")
    for ply in (1, 2, 3, 4, 5):
        clock.run_for(step)
        expect(place).to_have_text(f"{ply} / 5")
    clock.run_for(step)
    zoe.see("[aria-label='Play (Space)']")
    zoe.press("Home", "Space")
    clock.run_for(step)
    expect(place).to_have_text("1 / 5")
    zoe.press("Space")
    zoe.see("[aria-label='Play (Space)']")
    clock.run_for(10 * step)
    expect(place).to_have_text("1 / 5")


def test_a_link_leads_to_the_position_it_was_made_at(zoe: Visitor) -> None:
    zoe.open(f"/replay/{finished(zoe)}?ply=2")
    expect(zoe(".replay-place")).to_have_text("2 / 5")
    expect(zoe(".replay-board .wall")).to_have_count(2)


def test_chance_belongs_to_the_move_before_it(zoe: Visitor) -> None:
    info = zoe.set_up("gotham", options={"coins": 1})
    for action in ("up", "left"):
        zoe.ask("POST", f"/api/games/{info['id']}/actions", {"action": action})
    zoe.open(f"/replay/{info['id']}")
    expect(zoe(".replay-place")).to_have_text("0 / 2")
    zoe.press("ArrowRight")
    expect(zoe(".replay-place")).to_have_text("1 / 2")
    assert zoe.page.url.endswith("?ply=2")
    zoe.see(".replay-links", "Open game")


def test_a_record_is_taken_and_brought_as_a_file_and_as_text(zoe: Visitor) -> None:
    zoe.open(f"/replay/{finished(zoe)}")
    with zoe.page.expect_download() as download:
        zoe.page.get_by_text("Download record").click()
    file = download.value.path()
    assert json.loads(file.read_text())["plies"] == list(PLIES)
    zoe.open("/replay")
    zoe("#record-file").set_input_files(file)
    expect(zoe(".replay-place")).to_have_text("0 / 5")
    zoe.press("End")
    zoe.see(".replay-message", "Player 1 has reached the other side and wins.")
    zoe.open("/replay")
    zoe("#record-text").fill(json.dumps(json.loads(file.read_text()), indent=2))
    zoe.button("Upload").click()
    expect(zoe(".replay-place")).to_have_text("0 / 5")


def test_a_record_that_does_not_hold_is_refused_with_a_sentence(zoe: Visitor) -> None:
    zoe.excuse("status of 4(00|09)")
    zoe.open("/replay")
    zoe.button("Upload").click()
    zoe.see("[role=alert]", "Choose a file or paste a record.")
    zoe("#record-text").fill("nothing of the kind")
    zoe.button("Upload").click()
    expect(zoe("[role=alert]")).not_to_contain_text("Choose a file")
    record = zoe.ask("GET", f"/api/games/{finished(zoe)}/record")
    zoe("#record-text").fill(json.dumps(record | {"plies": ["0,0", *record["plies"]]}))
    zoe.button("Upload").click()
    zoe.see("[role=alert]", "cannot be played")


# -- Paper ------------------------------------------------------------------------------------------------------------

MILLIMETRES = {"a4": (210, 297), "letter": (215.9, 279.4)}


@pytest.mark.parametrize("paper", MILLIMETRES)
@pytest.mark.parametrize("options", ["level=deuce", "level=quad", "level=quad&rules=app"])
def test_a_game_for_the_table_is_two_pages(zoe: Visitor, options: str, paper: str) -> None:
    zoe.open(f"/print/gotham?{options}&paper={paper}")
    zoe.see(".sheet-grid")
    for side in ("section.sheet:not(.back)", "section.sheet.back"):
        assert zoe(side).evaluate("side => side.scrollHeight <= side.clientHeight"), f"{side} is too long for its page"
    printed = zoe.page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == 2
    boxes = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", printed)
    expected = [side / 25.4 * 72 for side in MILLIMETRES[paper]]
    assert boxes
    for box in boxes:
        assert [float(side) for side in box] == pytest.approx(expected, abs=2)


def test_the_choice_of_level_and_paper_is_in_the_address(zoe: Visitor) -> None:
    zoe.open("/print/gotham")
    zoe("#level-trey").check()
    zoe.page.wait_for_url("**level=trey*")
    zoe.see(".sheet-grid")
    expect(zoe(".sheet-grid > rect:not(.home)")).to_have_count(17 * 17)
    zoe("#paper-letter").check()
    zoe.page.wait_for_url("**paper=letter*")
    assert "level=trey" in zoe.page.url
    expect(zoe("section.sheet.letter")).to_have_count(2)
