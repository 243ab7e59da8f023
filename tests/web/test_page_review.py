"""The review of a game on its page: grades, graph, better moves, and learning from mistakes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect
from tests.web.browser import STILL, Visitor
from tests.web.conftest import Comes

if TYPE_CHECKING:
    from playwright.sync_api import Route


def lost(zoe: Visitor) -> str:
    """A short game of GateRun on its page, in which player 1 walks past a win and player 2 takes theirs; its id."""
    id = zoe.sit_down("gaterun", "here", "here", options={"size": 3, "walls": 0})
    for count, at in enumerate(("1,1", "2,0", "0,1", "1,0", "1,1", "0,0"), start=1):
        zoe.click(at)
        zoe.see_moves(count)
    return id


def test_a_finished_game_is_reviewed_stepped_through_and_learned_from(comes: Comes) -> None:
    zoe = comes(**STILL)
    lost(zoe)
    zoe(".ending").get_by_role("link", name="Review").click()
    zoe.page.wait_for_url("**/review/*")
    zoe.not_see(".review-progress")
    graph = zoe.page.get_by_role("img", name="Graph: to win")
    expect(graph).to_be_visible()
    expect(zoe(".review-summary li .review-accuracy")).to_have_count(2)
    assert not (found := zoe.faults()), found

    expect(zoe(".replay-move .grade.blunder")).not_to_have_count(0)
    zoe(".replay-move:has(.grade.blunder)").first.click()
    expect(zoe(".replay-place")).to_have_text("3 / 6")
    zoe.see(".review-detail", "Blunder", "The step to b1 wins in 1 move.")
    zoe(".review-best .chip").first.click()
    expect(zoe(".board .hints .advice")).to_have_count(1)
    zoe.see(".replay-message", "Instead: step to b1.")
    zoe.press("ArrowRight")
    expect(zoe(".replay-place")).to_have_text("4 / 6")
    expect(zoe(".board .hints .advice")).to_have_count(0)
    zoe.press("Home")
    expect(zoe(".replay-place")).to_have_text("0 / 6")
    zoe.press("End", "ArrowLeft")
    expect(zoe(".replay-place")).to_have_text("5 / 6")
    box = zoe.box(".review-graph")
    zoe.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 5)
    expect(zoe(".replay-place")).to_have_text("3 / 6")

    zoe(".review-values summary").click()
    expect(zoe(".review-table tbody tr").nth(3)).to_have_text(re.compile(r"^3\. step to b3Blunder"))

    zoe.page.get_by_role("button", name="Learn from your mistakes").click()
    zoe.see(".mistakes-task", "Move 3: “step to b3” was a blunder.")
    zoe.see(".board[data-mine]")
    zoe.click("0,1")
    zoe.see(".mistakes-words.wrong", "Not yet")
    assert not (found := zoe.faults()), found
    zoe.click("2,1")
    zoe.see(".mistakes-words.right", "Right! The step to b1 wins in 1 move.")
    zoe.button("Back to the review").click()
    zoe.see(".review-detail", "Blunder")
    zoe.press("ArrowLeft")
    expect(zoe(".replay-place")).to_have_text("2 / 6")
    zoe.button("Play on from here").click()
    zoe.page.wait_for_url("**/game/*")
    zoe.see(".board[data-mine]")
    zoe.click("2,1")
    expect(zoe("#ending-title")).to_contain_text("You reached the other side")


def test_a_review_that_goes_on_does_not_show_the_answer_beside_the_question(comes: Comes) -> None:
    zoe = comes(**STILL)
    lost(zoe)

    def unfinished(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"status": "running"})

    zoe.page.route("**/api/games/*/review*", unfinished)
    zoe(".ending").get_by_role("link", name="Review").click()
    zoe(".replay-move:has(.grade.blunder)").first.click()
    zoe.see(".review-detail", "The step to b1 wins in 1 move.")
    zoe.page.get_by_role("button", name="Learn from your mistakes").click()
    zoe.see(".mistakes-task", "Move 3: “step to b3” was a blunder.")
    for _ in range(2):  # when the second answer comes, the page has shown the first
        with zoe.page.expect_response("**/api/games/*/review*"):
            pass
    zoe.not_see(".review-detail")
    zoe.page.unroute_all(behavior="ignoreErrors")


def test_a_game_that_goes_on_is_refused_with_a_sentence(zoe: Visitor) -> None:
    zoe.excuse("status of 409")
    zoe.open(f"/review/{zoe.set_up('gaterun', 'here', 'invite')['id']}")
    zoe.see(".review-refused", "it can be reviewed when it is over")
    zoe.see(".review .board svg[role=grid]")
