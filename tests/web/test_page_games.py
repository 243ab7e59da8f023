"""The games in the page, each played to its end: by mouse alone, by keyboard alone, from the home page in two clicks."""

from __future__ import annotations

import itertools
import json

import pytest
from playwright.sync_api import expect
from tests.web.browser import Visitor

import rookery
from rookery.core.record import Record
from rookery.games import BUILT_IN

SMALL = {"width": 3, "height": 3, "areas": 2}
GATES = {"size": 3, "walls": 2}
TILES = {"rows": 3, "cols": 3, "rate": 0, "tiles": 2}
"""Digits alone never join, so the board fills up within a few slides."""


def see_the_end(zoe: Visitor) -> None:
    zoe.see(".play[data-over] .result", "Play again", "Review")
    expect(zoe(".status .whose")).to_have_text("Game over")
    assert zoe.ask("GET", f"/api/games/{zoe.id}")["status"] == "over"


@pytest.mark.parametrize("game", BUILT_IN)
def test_two_clicks_from_the_home_page_a_move_is_made(zoe: Visitor, game: str) -> None:
    zoe.open("/")
    zoe(f".game-card[data-game={game}]").get_by_role("button", name="Play").click()
    zoe.see(".board[data-mine]")
    if game == "sixseven":
        ways = itertools.cycle(("left", "up", "right", "down"))
        while not zoe.moves:
            zoe.drag(next(ways))
            zoe.page.wait_for_selector(".ply, .bubble:visible")
    else:
        zoe.page.mouse.click(*zoe.centre(".board .cell:has(.dot)"))
    zoe.page.wait_for_selector(".ply")


def test_nothing_stands_out_of_a_card_of_the_home_page(zoe: Visitor) -> None:
    outside = """cards => cards.flatMap(card => {
        const { paddingLeft, paddingRight } = getComputedStyle(card), box = card.getBoundingClientRect();
        const left = box.left + parseFloat(paddingLeft), right = box.right - parseFloat(paddingRight);
        return [...card.querySelectorAll("a, button, h2, p")].filter(each => {
            const own = each.getBoundingClientRect();
            return own.left < left - 2 || own.right > right + 2;
        }).map(each => `${card.dataset.game}: ${each.textContent}`);
    })"""
    zoe.open_whole("/")
    for width in (1180, 1080, 900, 700, 360):
        zoe.page.set_viewport_size({"width": width, "height": 900})
        assert zoe.page.locator(".game-card").evaluate_all(outside) == [], width


# -- By mouse ---------------------------------------------------------------------------------------------------------


def test_gaterun_is_played_to_its_end_by_mouse(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "here", options=GATES)
    for count, place in enumerate(("1,0|2,0", "0,2|1,2", "1,1", "2,0", "2,1"), start=1):
        zoe.click(place)
        zoe.see_moves(count)
    see_the_end(zoe)
    zoe.see(".result", "Player 1 reached the other side.")
    assert zoe.place("1,0|2,0").get_attribute("class") == "edge wall"


def confirm(visitor: Visitor) -> None:
    """Skip all the same, if the page asks."""
    if visitor(".question").count():
        visitor.press("Enter")


def test_gamma_is_played_to_its_end_by_mouse(zoe: Visitor) -> None:
    zoe.sit_down("gamma", "here", "here", options=SMALL)
    for count in range(1, 30):
        free = zoe(".board .cell[data-role=free]")
        if free.count():
            at = free.first.get_attribute("data-at")
            assert at is not None
            zoe.click(at)
        else:
            zoe(".act[data-role=pass]").click()
            confirm(zoe)
        zoe.see_moves(count)
        if zoe.over:
            break
    see_the_end(zoe)
    zoe.see(".result", "Player ")


def test_gotham_is_played_to_its_end_by_mouse_and_rests_after_every_round(zoe: Visitor) -> None:
    zoe.sit_down("gotham")
    count = 0
    for number in range(1, 8):
        zoe.click("5,6")
        zoe.see_moves(count := count + 1)
        if not zoe(".board .cell[data-role=failed]").count() and not zoe.over:
            zoe.click("6,6")
            zoe.see_moves(count := count + 1)
        if number < 7:
            zoe.see(".strip", f"Round {number + 1} starts at home.")
            if number % 2:
                zoe(".strip button").click()
                zoe.not_see(".strip")
    see_the_end(zoe)
    zoe.see(".result", "You brought home", "Rounds")
    assert zoe(".result .pip").count() == 7


def test_each_caught_round_of_gotham_carries_its_mark(zoe: Visitor) -> None:
    game = rookery.game("gotham")
    state = game.start()
    for name in ("up", "caught") * 2 + ("up", "safe", "down") + ("up", "caught") * 4:
        state.play(game.action(name))
    info = zoe.ask("POST", "/api/records", json.loads(Record.of(state).line()))
    for page, figures in ((f"/replay/{info['id']}?ply=15", ".replay-figures"), (f"/game/{info['id']}", ".result")):
        zoe.open(page)
        rounds = zoe(f"{figures} .pip")
        expect(rounds).to_have_count(7)
        seen = [each.inner_text().split() for each in rounds.all()]
        assert seen == [["✕", "caught"]] * 2 + [["1"]] + [["✕", "caught"]] * 4
        assert rounds.nth(0).get_attribute("title") == "Round 1: caught"
        assert rounds.nth(2).get_attribute("title") == "Round 3: 1"


def test_sixseven_is_played_to_its_end_by_drawing_the_mouse_over_the_board(zoe: Visitor) -> None:
    zoe.sit_down("sixseven", options=TILES)
    for way in itertools.islice(itertools.cycle(("left", "up", "right", "down")), 60):
        before = len(zoe.moves)
        zoe.drag(way)
        slid_or_told(zoe, before)
        if zoe.over:
            break
    see_the_end(zoe)
    zoe.see(".result", "You lost after", "no slide was left.")


def slid_or_told(zoe: Visitor, before: int) -> None:
    """A slide shows, or the page says that nothing would change."""
    zoe.page.wait_for_function(
        "before => document.querySelectorAll('.ply').length > before || !document.querySelector('.bubble').hidden"
        " || document.querySelector('.play[data-over]')",
        arg=before,
    )


# -- By keyboard ------------------------------------------------------------------------------------------------------


def test_gaterun_is_played_to_its_end_by_keyboard(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "here", options=GATES)
    zoe.walk_to("1,0|2,0", shift=True)
    zoe.press("Enter")
    zoe.see_moves(1)
    zoe.walk_to("0,2|1,2", shift=True)
    zoe.press("Space")
    for count, key in enumerate(("ArrowUp", "d", "w"), start=3):
        zoe.see_moves(count - 1)
        zoe.press(key)
    see_the_end(zoe)
    assert zoe.moves == ["wall below a2", "wall below c3", "step to b2", "step to a1", "step to b1"]


def test_no_cell_of_gamma_covers_the_marks_of_another(zoe: Visitor) -> None:
    zoe.sit_down("gamma", "here", "here", options={"width": 5, "height": 4, "areas": 2})
    for count, at in enumerate(("0,0", "1,0", "0,1", "1,1", "0,2", "1,2", "3,3", "2,1"), start=1):
        zoe.click(at)
        zoe.see_moves(count)
    zoe.see('[data-at="1,2"] .golden')
    zoe.see('[data-at="2,1"] .last')
    covered = zoe.page.evaluate(
        """() => [...document.querySelectorAll(".cell .golden, .cell .last")].filter(mark => {
          const areas = document.querySelectorAll(".areas > *");
          const inside = area => {
            const [one, other, pen] = [mark.getBoundingClientRect(), area.getBoundingClientRect(), 2];
            return one.left - pen < other.right && other.left < one.right + pen &&
              one.top - pen < other.bottom && other.top < one.bottom + pen;
          };
          return [...areas].some(
            area => inside(area) && mark.compareDocumentPosition(area) & Node.DOCUMENT_POSITION_FOLLOWING);
        }).length"""
    )
    assert covered == 0


def test_gamma_is_played_to_its_end_by_keyboard_with_a_golden_move(zoe: Visitor) -> None:
    zoe.sit_down("gamma", "here", "here", options=SMALL)
    golden = False
    for count in range(1, 30):
        free = zoe(".board .cell[data-role=free]")
        gold = zoe(".board .cell:has(path.golden)")
        if count > 4 and not golden and gold.count():
            zoe.walk_to(str(gold.first.get_attribute("data-at")))
            zoe.press("g")
            golden = True
        elif free.count():
            zoe.walk_to(str(free.last.get_attribute("data-at")))
            zoe.press("Space" if count % 2 else "Enter")
        else:
            zoe.press("c")
            confirm(zoe)
        zoe.see_moves(count)
        if zoe.over:
            break
    see_the_end(zoe)
    assert golden and any(move.startswith("golden ") for move in zoe.moves)


def test_gotham_is_played_to_its_end_by_keyboard(zoe: Visitor) -> None:
    zoe.sit_down("gotham")
    zoe.see(".board[data-mine]")
    count = 0
    for out, back in itertools.islice(itertools.cycle((("ArrowUp", "ArrowDown"), ("a", "d"), ("w", "s"))), 7):
        zoe.press(out)
        zoe.see_moves(count := count + 1)
        if not zoe(".board .cell[data-role=failed]").count() and not zoe.over:
            zoe.press(back)
            zoe.see_moves(count := count + 1)
        if zoe(".strip").is_visible():
            zoe.press("Enter")
            zoe.not_see(".strip")
    see_the_end(zoe)


def test_sixseven_is_played_to_its_end_by_keyboard(zoe: Visitor) -> None:
    zoe.sit_down("sixseven", options=TILES)
    zoe.see(".board[data-mine]")
    keys = ("ArrowLeft", "w", "d", "ArrowDown", "a", "ArrowUp", "ArrowRight", "s")
    for key in itertools.islice(itertools.cycle(keys), 60):
        before = len(zoe.moves)
        zoe.press(key)
        slid_or_told(zoe, before)
        if zoe.over:
            break
    see_the_end(zoe)
