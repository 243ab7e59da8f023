"""The page on a phone: fingers on the board, and nothing wider than the screen."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.tiers import mostly_slow
from tests.web.browser import PHONE, Visitor
from tests.web.conftest import Comes


def offset(pip: Visitor) -> float:
    return float(pip.page.evaluate("scrollY"))


def test_a_finger_sees_a_wall_before_it_places_it(pip: Visitor) -> None:
    pip.sit_down("gaterun", "here", "here")
    pip.see(".board[data-mine]")
    x, y = pip.middle("3,2|3,3")
    pip.touch("touchStart", (x, y))
    assert abs(pip.centre(".ghost-wall")[0] - x) < 3
    to = pip.middle("2,4|3,4")
    for part in (0.3, 0.6, 1):
        pip.touch("touchMove", (x + (to[0] - x) * part, y + (to[1] - y) * part))
    expect(pip(".ghost-wall")).to_have_count(1)
    pip.page.wait_for_function(  # browsers tell of moves once a frame
        """([x, y]) => {
          const box = document.querySelector(".ghost-wall")?.getBoundingClientRect();
          const near = (low, size, goal) => Math.abs(low + size / 2 - goal) < 3;
          return box && near(box.x, box.width, x) && near(box.y, box.height, y) && box.width > box.height;
        }""",
        arg=to,
    )
    assert pip.moves == []
    pip.touch("touchEnd")
    pip.see_moves(1)
    assert pip.moves == ["wall below e5"]
    expect(pip.place("2,4|3,4")).to_have_class("edge wall last")
    assert offset(pip) == 0


def test_a_finger_close_to_an_edge_catches_it(pip: Visitor) -> None:
    pip.sit_down("gaterun", "here", "here")
    x, y = pip.middle("4,2|4,3")
    pip.touch("touchStart", (x + 9, y + 5))
    pip.see(".ghost-wall")
    pip.touch("touchEnd")
    pip.see_moves(1)
    assert pip.moves == ["wall right of c3"]


def test_a_tap_steps_in_gaterun_and_in_gotham(pip: Visitor) -> None:
    pip.sit_down("gaterun", "here", "here")
    pip.tap("1,3")
    pip.see_moves(1)
    pip.tap("5,3")
    pip.see_moves(2)
    assert pip.moves == ["step to d6", "step to d2"]
    pip.sit_down("gotham")
    pip.tap("5,6")
    pip.see_moves(1)
    pip.sit_down("gotham")
    pip.swipe("left")
    pip.see_moves(1)
    assert pip.moves == ["go left"]


def test_a_tap_takes_a_cell_in_gamma_and_two_make_a_golden_move(pip: Visitor) -> None:
    pip.sit_down("gamma", "here", "here", options={"width": 4, "height": 4, "areas": 2})
    for count, at in enumerate(("0,0", "3,3", "0,3"), start=1):
        pip.tap(at)
        pip.see_moves(count)
    pip.tap("0,0")
    pip.see(".bubble", "Tap again to confirm.")
    assert len(pip.moves) == 3
    pip.tap("0,0")
    pip.see_moves(4)
    assert pip.moves[-1] == "golden a4"


def test_a_tap_anywhere_on_a_cell_to_step_to_steps(pip: Visitor) -> None:
    pip.sit_down("gaterun", "here", "here")
    pip.see(".board[data-mine]")
    box = pip.box('.board [data-at="1,3"] .face')
    pip.touch("touchStart", (box["x"] + box["width"] - 2, box["y"] + box["height"] - 2))
    pip.touch("touchEnd")
    pip.see_moves(1)
    assert pip.moves == ["step to d6"]


def test_whoever_likes_taps_twice(pip: Visitor) -> None:
    pip.sit_down("gaterun", "here", "here")
    pip.button("Settings").click()
    pip.page.get_by_label("After a second tap").check()
    pip.button("Done").click()
    pip.tap("3,2|3,3")
    pip.see(".bubble", "Tap again to confirm.")
    pip.see(".ghosts .ghost-wall")
    assert not pip.moves
    pip.tap("1,3")
    pip.see(".bubble", "Step to d6?", "Tap again to confirm.")
    pip.tap("1,3")
    pip.see_moves(1)
    assert pip.moves == ["step to d6"]


def test_a_swipe_anywhere_on_the_board_slides_and_the_page_stays_where_it_is(pip: Visitor) -> None:
    pip.sit_down("sixseven", options={"rows": 4, "cols": 4})
    for way in itertools.islice(itertools.cycle(("up", "left", "down", "right")), 8):
        pip.swipe(way)
        pip.page.wait_for_selector(".ply, .bubble:visible")
        if len(pip.moves) >= 3 or pip.over:
            break
    assert pip.moves
    assert offset(pip) == 0


def test_two_fingers_on_the_board_do_nothing(pip: Visitor) -> None:
    pip.sit_down("gaterun", "here", "here")
    one, two = pip.middle("4,2|4,3"), pip.middle("2,4|3,4")
    pip.touch("touchStart", one)
    pip.touch("touchStart", one, two)
    pip.touch("touchEnd")
    pip.tap("1,3")
    pip.see_moves(1)
    assert pip.moves == ["step to d6"]


@pytest.mark.parametrize("width", mostly_slow([320, 390]))
def test_no_page_is_wider_than_a_phone(comes: Comes, width: int) -> None:
    how: dict[str, Any] = PHONE | {"viewport": {"width": width, "height": 568 if width == 320 else 844}}
    pip = comes(**how)
    long = "Wilhelmina Featherstonehaugh-Cholmondely"
    pip.excuse("status of 404")
    pip.ask("PATCH", "/api/me", {"name": long})
    games = [
        pip.set_up("gaterun", "here", "3")["id"],
        pip.set_up("gaterun", "here", "invite")["id"],
        pip.set_up("gamma", "here", "3")["id"],
        pip.set_up("gotham", options={"level": "quad"})["id"],
        pip.set_up("sixseven")["id"],
    ]
    pages = ["/", "/daily", "/profile", "/replay", "/print/gotham", "/rules/sixseven", "/game/nowhere", "/nowhere"]
    pages += [f"/play/{game}" for game in ("gotham", "gamma", "sixseven", "gaterun")]
    pages += [f"/game/{id}" for id in games] + [f"/replay/{games[0]}"]
    for path in pages:
        pip.open_whole(path)
        inner, wide = pip.page.evaluate("[innerWidth, document.documentElement.scrollWidth]")
        assert wide <= width and inner == width, (path, wide, inner)


def test_what_a_finger_presses_on_the_page_of_a_game_is_large_enough(pip: Visitor) -> None:
    pip.sit_down("gamma", "here", "3", options={"width": 6, "height": 6})
    pip.see(".board[data-mine]")
    small = []
    for button in pip("main button:visible, main a:visible, .masthead a:visible, .masthead button:visible").all():
        box = button.bounding_box()
        assert box is not None
        if box["height"] < 43.5 or box["width"] < 43.5:
            small.append((button.inner_text(), box["width"], box["height"]))
    assert not small, small
