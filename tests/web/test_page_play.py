"""The page of a game: taking back, hints, evaluation, odds, looking back, who plays, and what is explained."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from tests.tiers import mostly_slow
from tests.web.browser import DARK, STILL, Visitor
from tests.web.conftest import Comes


def test_undo_and_redo_by_buttons_and_by_keys(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "here")
    expect(zoe.tool("undo")).to_be_disabled()
    for count, at in enumerate(("1,3", "5,3", "2,2|3,2"), start=1):
        zoe.click(at)
        zoe.see_moves(count)
    zoe.tool("undo").click()
    zoe.see_moves(2)
    expect(zoe.place("2,2|3,2")).to_have_class("edge")
    zoe.press("u")
    zoe.see_moves(1)
    zoe.tool("redo").click()
    zoe.see_moves(2)
    zoe.press("y")
    zoe.see_moves(3)
    expect(zoe.place("2,2|3,2")).to_have_class("edge wall last")
    expect(zoe.tool("redo")).to_be_disabled()
    zoe.see(".foot", "2 moves undone")


def test_against_a_bot_undo_goes_back_to_my_own_decision(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "1")
    zoe.click("1,3")
    zoe.see_moves(2)
    zoe.press("u")
    zoe.see_moves(0)
    zoe.see(".board[data-mine]")
    zoe.see(".plies", "No moves yet.")


def test_a_quick_hand_loses_no_move_and_what_has_become_impossible_is_forgotten(zoe: Visitor) -> None:
    zoe.sit_down("gotham", options={"coins": 16})
    zoe.see(".board[data-mine]")
    strike(zoe, "ArrowUp", "ArrowLeft", "ArrowUp", "ArrowLeft")
    zoe.page.wait_for_timeout(300)
    taken = zoe.moves
    assert taken == ["go up", "go left", "go up", "go left"][: len(taken)]
    assert len(taken) == 4 or zoe(".strip").is_visible()
    zoe.sit_down("gaterun", "here", "here", options={"size": 5})
    zoe.see(".board[data-mine]")
    strike(zoe, "ArrowUp", "ArrowLeft")
    zoe.see_moves(1)
    zoe.press("ArrowDown")
    zoe.see_moves(2)
    zoe.page.wait_for_timeout(100)
    assert zoe.moves == ["step to c4", "step to c2"]


def strike(zoe: Visitor, *keys: str) -> None:
    """All keys before the server can answer the first."""
    zoe.page.evaluate(
        "keys => { for (const key of keys) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })); }",
        list(keys),
    )


def test_restart_asks_first_and_then_begins_the_same_game_anew(zoe: Visitor) -> None:
    old = zoe.sit_down("gaterun", "here", "here", options={"size": 5})
    zoe.click("1,2")
    zoe.see_moves(1)
    zoe.tool("restart").click()
    zoe.see(".question", "Start over?")
    zoe.button("Keep playing").click()
    zoe.not_see(".question")
    zoe.press("n")
    zoe.button("Start over").click()
    zoe.page.wait_for_url(lambda url: old not in url)
    zoe.see_moves(0)
    zoe.see(".board[data-mine]")
    assert zoe.ask("GET", f"/api/games/{zoe.id}")["options"]["size"] == 5


def test_resigning_asks_first_and_shows_who_won(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "3")
    zoe.tool("resign").click()
    zoe.see(".question", "Resign this game?")
    zoe(".question .primary").click()
    zoe.see(".result", "You resigned, so Casual bot won.")
    zoe.not_see(".tools button")


@pytest.mark.parametrize(
    ("game", "sign"),
    mostly_slow(
        [("gaterun", ".advice"), ("sixseven", ".advice-arrow"), ("gamma", ".advice"), ("gotham", ".advice")], 2
    ),
)
def test_a_hint_is_marked_on_the_board_and_said(zoe: Visitor, game: str, sign: str) -> None:
    zoe.sit_down(game)
    zoe.see(".board[data-mine]")
    zoe.tool("hint").click()
    zoe.see(f".hints {sign}")
    zoe.see(".note[role=status]", "Hint: ")


def test_a_hint_goes_away_with_the_next_move(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "here")
    zoe.see(".board[data-mine]")
    zoe.press("h")
    zoe.see(".hints .advice")
    zoe.click("1,3")
    zoe.see_moves(1)
    expect(zoe(".hints > *")).to_have_count(0)


def test_the_evaluation_shows_a_line_that_can_be_played_and_follows_the_game(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "here", options={"size": 5, "walls": 2})
    zoe.see(".board[data-mine]")
    zoe.tool("evaluate").click()
    zoe.see(".evaluation .verdict", "Player 1: ", "to win")
    zoe.see(".evaluation .eval-bar")
    best = zoe.see(".evaluation .line", "Best")
    phrase = best.locator("button").inner_text()
    best.locator("button").hover()
    zoe.see(".hints .advice")
    best.locator("button").click()
    zoe.see_moves(1)
    assert zoe.moves == [phrase] and phrase.startswith(("step to ", "wall "))
    zoe.see(".evaluation .verdict", "Player 2: ")
    zoe.press("e")
    zoe.not_see(".evaluation")


def test_odds_lie_over_gotham_on_request(zoe: Visitor) -> None:
    zoe.sit_down("gotham")
    zoe.see(".board[data-mine]")
    assert not zoe(".board text.odds").count()
    zoe.tool("odds").click()
    zoe.see(".board text.odds")
    expect(zoe.tool("odds")).to_have_attribute("aria-pressed", "true")
    assert "per cent safe" in (zoe.place("5,6").get_attribute("aria-label") or "")
    zoe.press("o")
    expect(zoe(".board text.odds")).to_have_count(0)


def test_odds_that_must_stay_hidden_cannot_be_asked_for(zoe: Visitor) -> None:
    zoe.sit_down("gotham", odds="never")
    zoe.see(".board[data-mine]")
    zoe.not_see("[data-tool=odds]")
    zoe.press("o", "ArrowUp")
    zoe.see_moves(1)
    assert not zoe(".board text.odds").count()


def test_earlier_moves_can_be_looked_at_and_left_again(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "here")
    for count, at in enumerate(("1,3", "5,3", "2,2|3,2"), start=1):
        zoe.click(at)
        zoe.see_moves(count)
    zoe(".ply").first.click()
    zoe.see(".strip", "Showing move 1", "Back to the game")
    expect(zoe(".board .wall")).to_have_count(0)
    expect(zoe(".ply").first).to_have_attribute("aria-current", "true")
    assert not zoe(".board[data-mine]").count()
    zoe.press(",")
    zoe.see(".strip", "Showing the start")
    zoe.press(".", ".")
    zoe.see(".strip", "Showing move 2")
    zoe.button("Back to the game").click()
    zoe.not_see(".strip")
    expect(zoe(".board .wall")).to_have_count(1)
    zoe.see(".board[data-mine]")
    zoe.press(",")
    zoe.see(".strip")
    zoe.press("Escape")
    zoe.not_see(".strip")


def test_a_seat_is_given_to_the_ai_and_taken_back(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "here")
    zoe(".switches summary").click()
    zoe.page.get_by_label("A bot plays player 2").check()
    zoe.see(".player[data-seat='2']", "Casual bot")
    zoe.click("1,3")
    zoe.see_moves(2)
    zoe.see(".board[data-mine]")
    zoe.page.get_by_label("A bot plays player 2").uncheck()
    expect(zoe(".player[data-seat='2']")).not_to_contain_text("bot")
    zoe.click("2,3")
    zoe.see_moves(3)
    zoe.see(".status .whose", "Player 2, your turn")
    zoe.see(".board[data-mine]")


def test_the_strength_of_the_ai_can_be_changed_during_the_game(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "3")
    zoe(".switches summary").click()
    zoe(".switches input[type=range]").last.fill("7")
    zoe.see(".player[data-seat='2']", "Sharp bot")
    assert zoe.ask("GET", f"/api/games/{zoe.id}")["seats"][1]["level"] == 7


def test_a_wall_that_would_shut_somebody_in_is_explained_in_place(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "here", options={"size": 3, "walls": 4})
    for count, at in enumerate(("0,0|1,0", "2,1|2,2", "0,1|1,1"), start=1):
        zoe.click(at)
        zoe.see_moves(count)
    zoe.click("0,2|1,2")
    zoe.see(".bubble", "leave both of you without a way")
    expect(zoe(".board [role=status]")).to_contain_text("leave both of you without a way")
    assert abs(zoe.centre(".bubble")[1] - zoe.middle("0,2|1,2")[1]) < 150
    assert len(zoe.moves) == 3
    zoe.click("1,1")
    zoe.see_moves(4)
    zoe.not_see(".bubble")


def test_the_end_of_the_board_and_an_empty_slide_are_explained(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "here")
    zoe.see(".board[data-mine]")
    zoe.press("ArrowDown")
    zoe.see(".bubble", "That is the edge of the board.")
    zoe.sit_down("sixseven", options={"rows": 2, "cols": 2, "rate": 0, "tiles": 2})
    zoe.see(".board[data-mine]")
    for key in ("ArrowLeft", "ArrowLeft", "ArrowLeft"):
        if not zoe.over:
            zoe.press(key)
            zoe.page.wait_for_timeout(100)
    assert zoe.over or "would change nothing" in zoe(".bubble").inner_text()


def test_a_wall_is_turned_by_mouse_and_by_keys(zoe: Visitor) -> None:
    options = {"size": 5, "walls": 3, "rotate": True, "jump": True}
    zoe.sit_down("gaterun", "here", "here", options=options)
    for count, at in enumerate(("1,2|2,2", "2,0|3,0"), start=1):
        zoe.click(at)
        zoe.see_moves(count)
    zoe.click("1,2|2,2")
    zoe.see(".ghosts .picked")
    zoe.page.mouse.click(*zoe.centre(".ghosts .target"))
    zoe.see_moves(3)
    assert zoe.moves[-1].startswith("turn the wall below c4 to ")
    zoe.walk_to("2,0|3,0", shift=True)
    zoe.press("r")
    zoe.see(".ghosts .picked")
    zoe.press("Tab", "Enter")
    zoe.see_moves(4)
    assert zoe.moves[-1].startswith("turn the wall below a3 to ")


def test_the_keys_are_listed_on_request(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "here")
    zoe.see(".board[data-mine]")
    zoe.press("?")
    zoe.see("dialog.keys", "put up a wall", "undo", "Shift")
    zoe.press("u", "Escape")
    zoe.not_see("dialog.keys")
    zoe(".foot button").last.click()
    zoe.see("dialog.keys")
    zoe.button("Done").click()
    zoe.not_see("dialog.keys")


def test_a_name_with_markup_is_shown_as_text(zoe: Visitor, comes: Comes) -> None:
    name = "<img src=x onerror=alert(1)><b>Zoë"
    zoe.ask("PATCH", "/api/me", {"name": name})
    zoe.sit_down("gaterun", "here", "invite", listed=True)
    zoe.see(".sides", name)
    assert not zoe(".sides .name *").count()
    other = comes()
    other.open("/")
    other.see(".open-games", name[:20])
    assert not other("main img").count()
    zoe.open("/profile")
    expect(zoe("#my-name")).to_have_value(name)


def test_the_theme_is_the_systems_until_one_is_chosen_and_is_kept(zoe: Visitor, comes: Comes) -> None:
    def ground(visitor: Visitor) -> str:
        return str(visitor.page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))

    zoe.open("/")
    zoe.see(".game-card")
    light = ground(zoe)
    night = comes(**DARK)
    night.open("/")
    dark = ground(night)
    assert light != dark
    zoe.button("Settings").click()
    zoe("input[name=theme][value=dark]").check()
    zoe.page.wait_for_function("dark => getComputedStyle(document.documentElement).backgroundColor === dark", arg=dark)
    zoe.button("Done").click()
    zoe.page.reload()
    assert ground(zoe) == dark
    night.button("Settings").click()
    night("input[name=theme][value=light]").check()
    night.page.wait_for_function(
        "light => getComputedStyle(document.documentElement).backgroundColor === light", arg=light
    )


def test_things_move_unless_the_system_or_the_visitor_wants_them_still(zoe: Visitor, comes: Comes) -> None:
    def moved(visitor: Visitor) -> bool:
        """Whether anything was animated from before a step until it was drawn."""
        visitor.page.evaluate(
            """() => {
              window.animated = 0;
              const own = Element.prototype.animate;
              Element.prototype.animate = function (...how) { window.animated += 1; return own.apply(this, how); };
            }"""
        )
        visitor.click("1,3")
        visitor.see_moves(1)
        return bool(visitor.page.evaluate("window.animated"))

    zoe.sit_down("gaterun", "here", "here")
    assert moved(zoe)
    still = comes(**STILL)
    still.sit_down("gaterun", "here", "here")
    assert not moved(still)
    zoe.button("Settings").click()
    zoe("input[name=motion][value=off]").check()
    zoe.button("Done").click()
    zoe.sit_down("gaterun", "here", "here")
    assert not moved(zoe)


def test_what_one_may_do_is_shown_always_or_only_near(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "here")
    zoe.see(".board[data-mine] .dot")
    zoe.button("Settings").click()
    zoe("input[name=show][value=near]").check()
    zoe("input[name=sound][value=on]").check()
    zoe("input[name=labels][value=big]").check()
    zoe.button("Done").click()
    zoe.page.mouse.move(5, 5)
    zoe.not_see(".board .dot")
    zoe.page.mouse.move(*zoe.middle("3,3"))
    zoe.see(".board .dot")
    zoe.click("1,3")
    zoe.see_moves(1)


@pytest.mark.parametrize(
    ("width", "height"), mostly_slow([(1024, 768), (844, 390), (320, 568), (1440, 900), (390, 844)], usual=3)
)
def test_the_whole_board_is_on_the_screen(comes: Comes, width: int, height: int) -> None:
    zoe = comes(viewport={"width": width, "height": height})
    for game in ("gotham", "gamma", "sixseven", "gaterun"):
        zoe.sit_down(game)
        zoe.see(".board[data-mine]")
        box = zoe.box(".board svg")
        assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= height, (game, box)
        assert max(box["width"], box["height"]) > 0.6 * min(width, height)


def test_a_clock_runs_down_in_the_page_and_ends_the_game(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "here", clock={"minutes": 0.03, "increment": 0})
    zoe.click("1,3")
    zoe.see_moves(1)
    zoe.see(".player[data-seat='2'] .clock.running")
    zoe.see(".result", "Player 2 ran out of time, so Player 1 won.")


def test_bots_among_themselves_can_be_watched(zoe: Visitor) -> None:
    zoe.sit_down("gamma", "1", "1", options={"width": 3, "height": 3})
    zoe.see(".sides", "Gentle bot 1")
    zoe.see(".result", "Play again")
    expect(zoe("#ending-title")).to_have_text(
        re.compile(r"^Gentle bot (1|2) won by |^A draw between Gentle bot 1 and Gentle bot 2, with ")
    )


def test_a_draw_is_not_called_a_win(zoe: Visitor) -> None:
    zoe.sit_down("gamma", "here", "here", options={"width": 2, "height": 1, "areas": 1})
    for count, at in enumerate(("0,0", "0,1"), start=1):
        zoe.click(at)
        zoe.see_moves(count)
    zoe.press("c", "Enter")
    zoe.see_moves(3)
    zoe.press("c")
    zoe.see(".result", "A draw between Player 1 and Player 2, with 1 cell each.")
    expect(zoe(".sides")).not_to_contain_text("wins")


def test_a_finished_game_leads_on_to_its_replay_and_to_a_new_one(zoe: Visitor) -> None:
    old = zoe.sit_down("gaterun", "here", "here", options={"size": 3, "walls": 0})
    for count, at in enumerate(("1,1", "2,0", "2,1"), start=1):
        zoe.click(at)
        zoe.see_moves(count)
    zoe.see(".result", "Player 1 reached the other side.")
    with zoe.page.expect_download() as download:
        zoe(".result").get_by_text("Record").click()
    assert '"gaterun"' in download.value.path().read_text()
    zoe(".result").get_by_text("Play again").click()
    zoe.page.wait_for_url(lambda url: old not in url)
    zoe.see(".board[data-mine]")
    zoe.see_moves(0)
    zoe.page.go_back()
    zoe.see(".result")
    zoe(".result").get_by_text("Review", exact=True).click()
    zoe.see(".replay-board .board")
