"""What the page of a game says beside its board: hints, questions, pauses and troubles cover no cell and move nothing."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.web.browser import PHONE, Visitor
from tests.web.conftest import Comes

SMALL_PHONE = PHONE | {"viewport": {"width": 320, "height": 568}}


def board_of(visitor: Visitor) -> dict[str, float]:
    return visitor.box(".board svg")


def check_place(visitor: Visitor, selector: str, board: dict[str, float]) -> None:
    """Something is to be seen, whole, beside the board, which is where it was."""
    box = visitor.box(selector)
    assert board_of(visitor) == board
    beside = box["x"] >= board["x"] + board["width"]
    assert beside or box["y"] + box["height"] <= board["y"] or box["y"] >= board["y"] + board["height"], (box, board)
    assert box["x"] >= 0 and box["y"] >= 0
    size = visitor.page.viewport_size
    assert size and box["x"] + box["width"] <= size["width"] and box["y"] + box["height"] <= size["height"], box


def test_hints_take_turns_in_a_line_of_their_own_and_go_with_the_next_move(comes: Comes) -> None:
    pip = comes(**SMALL_PHONE)
    pip.sit_down("gaterun", "here", "here")
    pip.see(".board[data-mine]")
    board = board_of(pip)
    for _ in range(2):
        pip.tool("hint").click()
        pip.see(".hints .advice")
        pip.see(".note", "Hint: ")
    expect(pip(".note p")).to_have_count(1)
    expect(pip("#toasts > *")).to_have_count(0)
    check_place(pip, ".note p", board)
    pip.tap("1,3")
    pip.see_moves(1)
    pip.not_see(".note p")
    assert board_of(pip) == board


def test_a_question_lies_over_the_buttons(comes: Comes) -> None:
    for how in (PHONE, SMALL_PHONE, {}):
        visitor = comes(**how)
        visitor.sit_down("gaterun", "here", "here")
        visitor.click("1,3")
        visitor.see_moves(1)
        board = board_of(visitor)
        visitor.tool("restart").click()
        check_place(visitor, ".question", board)
        visitor.button("Keep playing").click()
        visitor.not_see(".question")
        assert board_of(visitor) == board


def test_a_pause_and_a_look_back_lie_over_the_standing(comes: Comes) -> None:
    for how in (SMALL_PHONE, {}):
        visitor = comes(**how)
        visitor.sit_down("gotham", options={"coins": 16})
        visitor.see(".board[data-mine]")
        board = board_of(visitor)
        visitor.press("ArrowUp")
        visitor.see(".strip", "You were caught", "Next round")
        check_place(visitor, ".strip", board)
        visitor.press("Enter", ",")
        visitor.see(".strip", "Showing the start")
        check_place(visitor, ".strip", board)


def test_a_lost_connection_is_told_beside_the_board(zoe: Visitor) -> None:
    zoe.excuse("ERR_INTERNET_DISCONNECTED")
    zoe.sit_down("gaterun", "here", "here")
    zoe.see(".board[data-mine]")
    board = board_of(zoe)
    zoe.context.set_offline(True)
    zoe.see(".offline", "Connection lost")
    check_place(zoe, ".offline", board)
    zoe.context.set_offline(False)
    zoe.not_see(".offline")


def test_an_evaluation_of_another_position_says_so_and_cannot_be_played(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "here", options={"size": 5, "walls": 2})
    zoe.see(".board[data-mine]")
    zoe.tool("evaluate").click()
    zoe.see(".evaluation .verdict", "Player 1: ")
    zoe.page.evaluate(
        """() => {
          const send = WebSocket.prototype.send;
          WebSocket.prototype.send = function (text) { if (!text.includes('"analyse"')) send.call(this, text); };
        }"""
    )
    zoe.click("1,2")
    zoe.see_moves(1)
    zoe.see(".evaluation[data-stale]", "Analysing…")
    zoe(".evaluation .chip").first.click(force=True)
    zoe.page.wait_for_timeout(200)
    zoe.see_moves(1)


def test_nothing_is_said_of_hints_over_a_finished_board(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "random", options={"size": 3, "walls": 0})
    zoe.see(".board[data-mine]")
    zoe.tool("evaluate").click()
    zoe.see(".evaluation .verdict")
    zoe.click("1,1")
    zoe.see_moves(2)
    zoe.press("h")
    zoe.click("2,1")
    zoe.see(".result")
    zoe.press("h", "e")
    zoe.page.wait_for_timeout(300)
    zoe.not_see(".note p")
    zoe.not_see(".evaluation")
    expect(zoe(".hints > *")).to_have_count(0)
    expect(zoe("[data-seat='1']")).to_contain_text("You")
    expect(zoe("[data-seat='1'] .state")).to_have_text("won")


def test_control_z_takes_back_and_control_y_repeats(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "here")
    zoe.click("1,3")
    zoe.see_moves(1)
    for back, again in (("Control+z", "Control+y"), ("Control+Z", "Control+Shift+Z")):
        zoe.press(back)
        zoe.see_moves(0)
        zoe.press(again)
        zoe.see_moves(1)
