"""How people learn a game on its page: the rules one key away, the goal, and a guided first game that needs no rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.web.browser import STILL, Visitor

from rookery.games import find

if TYPE_CHECKING:
    from tests.web.arcade import Person
    from tests.web.conftest import Comes

GAMES = ("gotham", "gamma", "sixseven", "gaterun")
FAR_TOO_MANY = 60


def follow(visitor: Visitor) -> int:
    """Do what the page outlines, again and again, knowing no rules, until nothing more is asked for; how often that was
    an outline, and not a button that goes on.
    """
    asked = 0
    for _ in range(FAR_TOO_MANY):
        visitor.page.wait_for_selector("[data-prompt], .strip .button, .learn h2")
        if visitor(".learn h2").count():
            return asked
        if visitor(".strip .button").filter(visible=True).count():
            visitor(".strip .button").click()
            continue
        step = visitor.see(".guide-head").inner_text()
        where = visitor("[data-prompt]").first.get_attribute("data-prompt") or ""
        if where in ("up", "right", "down", "left"):
            visitor.press(f"Arrow{where.capitalize()}")
        else:
            visitor.click(where)
            visitor.page.wait_for_timeout(60)
            if visitor(".board .bubble").filter(has_text="confirm").count():
                visitor.click(where)
        asked += 1
        expect(visitor(".guide-head").filter(has_text=step.splitlines()[0])).to_have_count(0)
    raise AssertionError("the guided game does not end")


@pytest.mark.parametrize("game", GAMES)
def test_who_knows_no_rules_finishes_the_guided_game(comes: Comes, game: str) -> None:
    zoe = comes()
    zoe.sit_down(game)
    zoe.see(".goal", "Goal: ")
    zoe(".offer .button").first.click()
    zoe.see(".guide-head", "Step 1 of 5")
    assert not zoe.faults()
    lesson = find(game).lesson()
    assert lesson is not None
    assert follow(zoe) == len(lesson.steps)
    zoe.see(".learn", "You know the game now", lesson.ending)
    assert not zoe.faults()
    zoe(".learn .button.primary").click()
    zoe.see(".goal")
    zoe.not_see(".offer")
    assert zoe.ask("GET", f"/api/games/{zoe.id}/record")["options"] == find(game)().options


def test_the_guide_can_be_skipped_and_begun_again(zoe: Visitor) -> None:
    first = zoe.sit_down("sixseven")
    zoe(".offer .button").first.click()
    zoe.see(".guide-prompt", "Slide left")
    zoe.press("ArrowRight")
    zoe.see(".board .bubble", "You may do that too, but let us try this first. Slide left")
    zoe.see_moves(0)
    zoe.button("Skip the guide").click()
    zoe.page.wait_for_url(f"**/game/{first}")
    zoe.see(".goal", "Goal: Make a tile of exactly 67.")
    zoe.not_see(".offer")
    zoe.press("i")
    zoe.button("Guided first game").click()
    zoe.see(".guide-head", "Step 1 of 5")
    zoe.open_whole("/")
    zoe.button("Learn GateRun in a guided game").click()
    zoe.see(".guide-prompt", "Your pawn is the one")


def test_the_rules_are_one_key_away_and_do_not_move_the_board(comes: Comes) -> None:
    zoe = comes()
    zoe.sit_down("gaterun", "here", "here", options={"rotate": True, "size": 5})
    zoe.button("No, thanks").click()
    zoe.not_see(".offer")
    zoe.place("0,2").focus()
    before = zoe.box(".board")
    zoe.press("i")
    zoe.see("dialog.rules-sheet", "Goal: Be the first", "turn a wall by a quarter")
    zoe.see("dialog .demo.ready")
    assert not zoe.faults()
    assert zoe.box(".board") == before
    zoe.press("Escape")
    expect(zoe("dialog")).to_have_count(0)
    expect(zoe.place("0,2")).to_be_focused()
    zoe.press("ArrowUp")
    zoe.see_moves(1)
    zoe.not_see(".goal")


def test_without_motion_the_pictures_of_the_rules_are_stills_with_steps(comes: Comes) -> None:
    pip = comes(**STILL)
    pip.sit_down("sixseven")
    pip.button("Rules").click()
    example = pip("dialog .example").nth(1)
    expect(example.locator("output")).to_have_text("Step 1 of 2")
    expect(example.locator(".piece")).to_have_count(15)
    example.get_by_role("button", name="Step on").click()
    expect(example.locator("output")).to_have_text("Step 2 of 2")
    expect(example.locator(".piece")).to_have_count(9)
    pip.button("Close").click()
    expect(pip.button("Rules")).to_be_focused()


def test_skipping_is_quiet_and_asks_once(zoe: Visitor) -> None:
    zoe.sit_down("gamma", "here", "here", options={"width": 4, "height": 4, "areas": 2})
    skip = zoe("[data-role=pass]")
    assert zoe.box("[data-role=pass]")["width"] < 0.6 * zoe.box(".acts")["width"]
    skip.click()
    zoe.see(".question", "Skip a turn? There is still something else you can do.")
    zoe.button("Keep playing").click()
    zoe.press("c")
    zoe(".question .primary").click()
    zoe.see_moves(1)
    zoe.click("0,0")
    zoe.see_moves(2)
    skip.click()
    zoe.not_see(".question")
    zoe.see_moves(3)


def test_a_guided_game_counts_for_nothing(ada: Person) -> None:
    info = ada.post("/api/catalogue/sixseven/lesson")
    assert (info["kind"], info["goal"]) == ("lesson", "Make a tile of exactly 67.")
    lesson = find("sixseven").lesson()
    assert lesson is not None
    with ada.at(info["id"]) as page:
        for step in lesson.steps:
            assert page.shown["guide"]["prompt"] == step.prompt
            assert page.play(step.actions[0])["is"] == "ack"
        page.until(lambda page: page.over)
        assert page.shown["guide"]["done"]
    assert ada.get("/api/games?which=mine")["games"] == []
    assert ada.get("/api/me")["games"].get("sixseven", {}).get("played", 0) == 0


def test_the_others_play_what_the_lesson_says(ada: Person) -> None:
    lesson = find("gaterun").lesson()
    assert lesson is not None
    with ada.at(ada.post("/api/catalogue/gaterun/lesson")["id"]) as page:
        refused = page.ask("play", action="0,1", ply=0)
        assert refused["why"] == f"You may do that too, but let us try this first. {lesson.steps[0].prompt}"
        for number, step in enumerate(lesson.steps):
            page.until(lambda page: page.over or page.shown["mine"])
            assert page.play(step.actions[0])["is"] == "ack"
            page.until(lambda page: page.over or page.shown["mine"])
            if step.replies:
                assert page.plies[-1] == (step.replies[0], 2)
            assert page.shown["guide"]["step"] == number + 2
        page.ask("undo")
        page.until(lambda page: page.shown["guide"]["step"] == len(lesson.steps))
