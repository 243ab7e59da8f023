"""The puzzles' pages: a wrong try and its answer, the right one, the solution; by mouse, by touch, by keys alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect
from tests.web.browser import DARK, PHONE, STILL, Visitor
from tests.web.conftest import Comes

from rookery.games import find

if TYPE_CHECKING:
    from rookery.core.puzzle import Puzzle

STOP = next(puzzle for puzzle in find("gaterun").puzzles() if puzzle.id == "5f811da7")
CUT = next(puzzle for puzzle in find("gamma").puzzles() if puzzle.id == "bb6f21c7")


def sit_down(zoe: Visitor, puzzle: Puzzle) -> None:
    zoe.open(f"/puzzles/{puzzle.game}/{puzzle.id}")
    zoe.see(".board[data-mine]")
    zoe.see(".puzzle-prompt", puzzle.prompt)


def in_words(puzzle: Puzzle) -> list[str]:
    """The line of a puzzle as people read it."""
    game = find(puzzle.game).make(**puzzle.options)
    return [game.phrase_of(name) for name in puzzle.line]


def spoken(zoe: Visitor, text: str) -> None:
    expect(zoe(".board [aria-live]")).to_have_text(text)


def test_a_wrong_move_is_refuted_on_the_board_and_the_right_one_explained(zoe: Visitor) -> None:
    zoe.open("/")
    zoe.page.get_by_role("link", name="Puzzles of GateRun").click()
    zoe.see(".puzzle-card", "0 of 320 solved", "Your rating 1500")
    assert not zoe.page.get_by_role("link", name="Puzzles of 67!").count()
    sit_down(zoe, STOP)
    zoe.click("5,3|6,3")
    zoe.see(".bubble", "already")
    zoe.click("1,5")
    zoe.see(
        ".puzzle-verdict.wrong",
        "✕",
        "Wrong: the answer to “step to f6” is “step to g6”, and with best play it is only a draw.",
    )
    spoken(zoe, "Wrong: the answer to “step to f6” is “step to g6”, and with best play it is only a draw.")
    expect(zoe.place("1,6")).to_have_attribute("aria-label", "g6, Player 2's pawn")
    zoe.see(".ply[aria-current]", "step to g6")
    zoe.not_see(".board[data-mine]")
    zoe.button("Try again").click()
    zoe.see(".board[data-mine]")
    zoe.not_see(".puzzle-verdict")
    expect(zoe.place("2,6")).to_have_attribute("aria-label", "g5, Player 2's pawn")
    zoe.click(STOP.solution)
    zoe.see(".puzzle-verdict.right", "✓", f"Right. {STOP.why}")
    assert zoe.moves == in_words(STOP)
    expect(zoe(".ply").first).not_to_have_attribute("aria-current", "true")  # the line plays by itself
    zoe(".ply").last.click()
    expect(zoe.place("6,5")).to_have_attribute("aria-label", re.compile("^f1, .*your pawn"))
    zoe.press("n")
    zoe.page.wait_for_url(lambda url: "/puzzles/gaterun/" in url and not url.endswith(STOP.id))
    zoe.see(".board[data-mine]")
    zoe.page.get_by_role("link", name="All puzzles of GateRun").click()
    zoe.see(".puzzle-card", "1 of 320 solved")
    zoe.page.get_by_role("link", name="Profile").click()
    zoe.see(".career[data-game=gaterun]", "1 puzzle solved")


def test_a_puzzle_is_solved_by_keys_and_every_state_of_it_can_be_used_by_everybody(comes: Comes) -> None:
    zoe = comes(**STILL)
    for path, ready in (("/puzzles", ".puzzle-solved"), ("/puzzles/gamma", ".puzzle-theme")):
        zoe.open_whole(path)
        zoe.see(ready)
        assert not zoe.faults(), path
    sit_down(zoe, CUT)
    assert not zoe.faults()
    zoe.press("ArrowRight")
    zoe.walk_to("5,1")
    zoe.press("Enter")
    zoe.see(".puzzle-verdict.wrong", "Wrong: the answer to “take b1” is “take a5”")
    expect(zoe.button("Try again")).to_be_focused()
    assert not zoe.faults()
    zoe.press("Enter")
    zoe.see(".board[data-mine]")
    zoe.walk_to("1,0")
    zoe.press("Enter")
    zoe.see(".puzzle-verdict.right", CUT.why)
    zoe.see(".ply[aria-current]", in_words(CUT)[-1])  # at once, as nothing may move
    assert not zoe.faults()
    expect(zoe.button("Next puzzle")).to_be_focused()
    zoe.press("Enter")
    zoe.page.wait_for_url(lambda url: "/puzzles/gamma/" in url and not url.endswith(CUT.id))


def test_the_solution_is_shown_to_who_gives_up_with_a_phone(comes: Comes) -> None:
    pip = comes(**PHONE, **DARK, **STILL)
    sit_down(pip, CUT)
    assert pip.page.evaluate("document.documentElement.scrollWidth") <= 390
    pip.button("Show the solution").tap()
    pip.see(".puzzle-verdict.shown", f"The solution is “take a5”. {CUT.why}")
    pip.see(".ply[aria-current]", in_words(CUT)[-1])
    assert not pip.faults("color-contrast")
    pip.button("Try again").tap()
    pip.see(".board[data-mine]")
    pip.see(".puzzle-figures", "You have seen the solution")
