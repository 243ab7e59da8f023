"""Two people at two browsers in one game: invited by a link, cut off, back again, asking and answering, playing once more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.web.arcade import Arcade
from tests.web.browser import Visitor
from tests.web.conftest import Comes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOST = r"WebSocket connection to|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|Failed to load resource"


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Arcade]:
    """An arcade for tests that end it."""
    server = Arcade(tmp_path / "arcade.db")
    yield server
    server.end()
    assert server.log.read_text() == ""


def meet(zoe: Visitor, yan: Visitor, size: int = 5) -> None:
    """Zoe sets up a game, Yan comes by her link; both are at its page, and Zoe begins."""
    zoe.sit_down("gaterun", "here", "invite", options={"size": size, "walls": 3})
    zoe.see(".invite", "Invite a friend with this link")
    yan.open(zoe("input[aria-label='Link to this game']").input_value())
    yan.see(".invite", "You are invited")
    yan.button("Join").click()
    zoe.see(".board[data-mine]")
    yan.see(".status .whose", "to move")


def test_a_friend_comes_by_the_link_and_both_see_each_others_moves(comes: Comes) -> None:
    zoe, yan = comes(), comes()
    zoe.ask("PATCH", "/api/me", {"name": "Zoë"})
    yan.ask("PATCH", "/api/me", {"name": "Yan"})
    meet(zoe, yan)
    assert "#" not in yan.page.url
    zoe.see(".player[data-seat='2']", "Yan", "online")
    yan.see(".player[data-seat='1']", "Zoë")
    yan.click("3,2")
    assert yan.moves == []
    zoe.click("1,2")
    yan.see_moves(1)
    yan.see(".board[data-mine]")
    yan.see(".status .whose", "Your turn")
    yan.click("3,0|4,0")
    zoe.see_moves(2)
    expect(zoe.place("3,0|4,0")).to_have_class("edge wall last")
    for visitor in (zoe, yan):
        visitor.not_see("[data-tool=hint]")
    yan.context.close()
    expect(zoe(".player[data-seat='2'] .online.on")).to_have_count(0)


def test_play_goes_on_after_a_lost_connection_and_what_was_missed_is_shown(comes: Comes) -> None:
    zoe, yan = comes(), comes()
    meet(zoe, yan)
    yan.excuse(LOST)
    zoe.click("1,2")
    yan.see_moves(1)
    yan.context.set_offline(True)
    yan.see(".offline", "Connection lost")
    yan.see(".status .whose", "Connection lost")
    zoe.see(".player[data-seat='2']", "away")
    yan.click("3,2")
    yan.context.set_offline(False)
    yan.not_see(".offline")
    zoe.see_moves(2)
    yan.context.set_offline(True)
    yan.see(".offline")
    zoe.click("1,0|1,1")
    zoe.see_moves(3)
    assert len(yan.moves) == 2
    yan.context.set_offline(False)
    yan.see_moves(3)
    yan.not_see(".offline")
    yan.click("2,2")
    zoe.see_moves(4)
    assert zoe.moves == yan.moves == ["step to c4", "step to c2", "wall right of a4", "step to c3"]


def test_play_goes_on_after_the_server_was_killed_and_started_again(comes: Comes, mortal: Arcade) -> None:
    zoe, yan = comes(mortal), comes(mortal)
    for visitor in (zoe, yan):
        visitor.excuse(LOST)
    meet(zoe, yan)
    zoe.click("1,2")
    yan.see_moves(1)
    mortal.end(kill=True)
    for visitor in (zoe, yan):
        visitor.see(".offline", "Connection lost")
    # What is done now is done as soon as the server is back.
    yan.click("3,2")
    mortal.start()
    for visitor in (zoe, yan):
        visitor.not_see(".offline")
        visitor.see_moves(2)
    zoe.click("2,2")
    for visitor in (zoe, yan):
        visitor.see_moves(3)
        assert visitor.moves == ["step to c4", "step to c2", "step to c3"]


def test_somebody_without_a_seat_watches(comes: Comes) -> None:
    zoe, yan, wim = comes(), comes(), comes()
    meet(zoe, yan)
    wim.open(f"/game/{zoe.id}")
    wim.see(".board svg[role=grid]")
    zoe.see(".foot", "1 watching")
    wim.not_see("[data-tool=undo], [data-tool=resign], [data-tool=hint], .invite")
    wim.click("1,2")
    assert wim.moves == []
    zoe.click("1,2")
    wim.see_moves(1)
    wim(".brand").click()
    wim.see(".game-card")
    expect(zoe(".foot")).not_to_contain_text("watching")


def test_a_move_is_taken_back_only_with_the_others_consent(comes: Comes) -> None:
    zoe, yan = comes(), comes()
    meet(zoe, yan)
    zoe.click("1,2")
    yan.see_moves(1)
    zoe.tool("undo").click()
    zoe.see(".question", "Waiting for an answer")
    yan.see(".question", "asks to undo a move")
    yan.button("No").click()
    zoe.not_see(".question")
    assert len(zoe.moves) == 1
    zoe.press("u")
    yan.button("Allow").click()
    for visitor in (zoe, yan):
        visitor.see_moves(0)
        visitor.not_see(".question")
    zoe.see(".board[data-mine]")


def test_after_the_end_a_rematch_brings_both_into_a_new_game_with_sides_changed(comes: Comes) -> None:
    zoe, yan = comes(), comes()
    meet(zoe, yan, size=3)
    for player, at in ((zoe, "1,1"), (yan, "2,0"), (zoe, "2,1")):
        player.see(".board[data-mine]")
        player.click(at)
    zoe.see(".result", "You reached the other side. Player 2 had 2 steps to go.")
    yan.see(".result", "Player 1 reached the other side. You had 2 steps to go.")
    old = zoe.id
    zoe.button("Rematch").click()
    zoe.page.wait_for_url(lambda url: old not in url)
    yan(".result").get_by_text("Go to the rematch").click()
    yan.see(".board[data-mine]")
    assert yan.id == zoe.id != old
    yan.click("1,1")
    zoe.see_moves(1)
    zoe.see(".board[data-mine]")


def test_a_listed_game_is_joined_from_the_home_page(comes: Comes) -> None:
    zoe, yan = comes(), comes()
    zoe.ask("PATCH", "/api/me", {"name": "Zoë the host"})
    zoe.sit_down("gamma", "here", "invite", listed=True, options={"width": 4, "height": 4})
    yan.open("/")
    yan.see(".open-games", "Zoë the host")
    yan(".open-games .game-row").filter(has_text="Zoë the host").get_by_role("button", name="Join").click()
    zoe.see(".board[data-mine]")
    yan.see(".board svg[role=grid]")
    assert yan.id == zoe.id


def test_the_same_person_in_two_windows_sees_one_game(zoe: Visitor) -> None:
    zoe.sit_down("gaterun", "here", "here", options={"size": 5})
    other = zoe.context.new_page()
    other.goto(f"/game/{zoe.id}")
    other.wait_for_selector(".board[data-mine]")
    zoe.click("1,2")
    expect(other.locator(".ply")).to_have_count(1)
    other.keyboard.press("ArrowDown")
    zoe.see_moves(2)
    other.close()
