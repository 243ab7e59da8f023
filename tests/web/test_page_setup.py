"""Setting up a game in the page, and games the page has never heard of."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from tests.web.arcade import Arcade
from tests.web.browser import Visitor
from tests.web.conftest import Comes

if TYPE_CHECKING:
    from collections.abc import Iterator

from rookery.games import BUILT_IN

EXAMPLE = Path(__file__).parents[2] / "examples" / "thin_ice.py"


@pytest.mark.parametrize("game", BUILT_IN)
def test_every_option_of_a_game_is_on_its_form_with_its_usual_value(zoe: Visitor, game: str) -> None:
    (found,) = (each for each in zoe.ask("GET", "/api/catalogue")["games"] if each["name"] == game)
    zoe.open(f"/play/{game}")
    zoe.see(".setup-picture svg")
    options = found["options"]["properties"]
    shown = [field.get_attribute("data-option") for field in zoe(".setup-form [data-option]").all()]
    assert shown == list(options)
    for name, option in options.items():
        field = zoe(f"[data-option={name}]")
        if option.get("enum"):
            expect(field.locator("input:checked")).to_have_value(option["default"])
        elif option["type"] == "integer":
            expect(field.locator("input")).to_have_value(str(option["default"]))
        elif option["type"] == "boolean":
            assert field.locator("input").is_checked() == option["default"]
    zoe.button("Play").click()
    zoe.see(".board[data-mine]")
    assert zoe.ask("GET", f"/api/games/{zoe.id}")["game"] == game


def test_the_game_is_the_one_that_was_wanted(zoe: Visitor) -> None:
    zoe.open("/play/gaterun")
    zoe("#option-size").fill("5")
    zoe("#option-walls").fill("3")
    zoe("#option-jump").check()
    expect(zoe(".setup-picture svg > .grid > g")).to_have_count(9)
    zoe("#seat-1-bot").check()
    zoe("#seat-1-level").fill("2")
    zoe("#seat-2-here").check()
    zoe.button("Play").click()
    zoe.see(".board[data-mine]")
    info = zoe.ask("GET", f"/api/games/{zoe.id}")
    options = info["options"]
    assert options["size"] == 5 and options["walls"] == 3 and options["jump"] and not options["rotate"]
    assert [(seat["kind"], seat["level"]) for seat in info["seats"]] == [("bot", 2), ("person", None)]
    zoe.see_moves(1)


def test_options_that_do_not_go_together_are_named_in_a_sentence(zoe: Visitor) -> None:
    zoe.excuse("status of 4(00|09)")
    zoe.open("/play/gotham")
    zoe.see(".setup-picture svg")
    zoe("#option-size").fill("8")
    zoe.see(".setup-trouble", "size takes an odd number")
    expect(zoe("#option-size")).to_have_attribute("aria-invalid", "true")
    zoe.button("Play").click()
    zoe.see(".setup-trouble", "size takes an odd number")
    assert "/play/gotham" in zoe.page.url
    zoe("#option-size").fill("9")
    expect(zoe(".setup-trouble")).to_be_empty()
    expect(zoe(".setup-picture svg > .grid > g")).to_have_count(9)
    zoe.button("Play").click()
    zoe.see(".board[data-mine]")


def test_the_seats_follow_the_number_of_players(zoe: Visitor) -> None:
    zoe.open("/play/gamma")
    zoe("#option-players").fill("4")
    expect(zoe(".seat-choice[data-seat]")).to_have_count(4)
    zoe("#preset-here").check()
    zoe("#option-width").fill("4")
    zoe("#option-height").fill("4")
    zoe.see(".setup-caption", "4×4")
    zoe.button("Play").click()
    zoe.see(".board[data-mine]")
    info = zoe.ask("GET", f"/api/games/{zoe.id}")
    assert info["you"] == [1, 2, 3, 4] and info["local"]


def test_a_friend_is_invited_with_a_clock_from_the_form(zoe: Visitor) -> None:
    zoe.open("/play/gaterun?with=friend")
    zoe("input[name=clock][value='3+2']").check()
    zoe.button("Get the link").click()
    zoe.see(".invite", "Invite a friend with this link")
    expect(zoe(".player[data-seat='1'] .clock")).to_have_text("3:00")
    assert not zoe.ask("GET", f"/api/games/{zoe.id}").get("listed")


def test_what_was_chosen_last_is_there_again(zoe: Visitor) -> None:
    zoe.open("/play/gaterun")
    zoe("#option-size").fill("4")
    zoe.see(".setup-picture svg")
    zoe.button("Play").click()
    zoe.see(".board[data-mine]")
    zoe.open("/play/gaterun")
    expect(zoe("#option-size")).to_have_value("4")
    zoe.button("Reset to defaults").click()
    expect(zoe("#option-size")).to_have_value("7")


def test_the_odds_of_gotham_can_be_kept_hidden(zoe: Visitor) -> None:
    zoe.open("/play/gotham")
    zoe("#option-odds").check()
    zoe.button("Play").click()
    zoe.see(".board[data-mine]")
    assert zoe.ask("GET", f"/api/games/{zoe.id}")["odds"] == "never"
    zoe.not_see("[data-tool=odds]")


def test_a_game_that_is_not_there_is_said_to_be_missing(zoe: Visitor) -> None:
    zoe.open("/play/chess")
    zoe.see(".notice", "There is no game called chess.", "Back to the games")
    zoe.open("/game/nowhere")
    zoe.see(".notice", "Not found", "There is no game at this address.")
    zoe.not_see("text=Try again")
    zoe.excuse("status of 404")
    zoe.open("/nowhere")
    zoe.see(".notice", "There is no page at this address.")
    zoe(".notice a").click()
    zoe.see(".game-card")


# -- A game in a file -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def icy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arcade]:
    server = Arcade(tmp_path_factory.mktemp("icy") / "arcade.db", "--game", str(EXAMPLE))
    yield server
    server.end()
    assert server.log.read_text() == ""


def test_a_game_from_a_file_is_drawn_and_played_though_the_page_has_never_heard_of_it(
    comes: Comes, icy: Arcade
) -> None:
    zoe = comes(icy)
    zoe.open("/")
    zoe.see(".game-card[data-game=thin_ice]", "Thin Ice")
    zoe(".game-card[data-game=thin_ice]").get_by_text("Options").click()
    zoe("#option-rows").fill("3")
    zoe("#option-cols").fill("3")
    zoe("#preset-here").check()
    expect(zoe(".setup-picture svg > .grid > g")).to_have_count(3)
    zoe.button("Play").click()
    zoe.see(".board[data-mine]")
    expect(zoe(".pieces .pawn")).to_have_count(2)
    assert zoe.faults() == []
    zoe.click("0,0")
    zoe.see_moves(1)
    expect(zoe.place("0,1")).to_have_attribute("data-role", "blocked")
    zoe.press("ArrowLeft")
    zoe.see_moves(2)
    zoe.tool("undo").click()
    zoe.see_moves(1)
    for count in range(2, 20):
        zoe.await_turn()
        if zoe.over:
            break
        zoe.click(str(zoe(".board .cell:has(.dot)").first.get_attribute("data-at")))
        zoe.see_moves(count)
    zoe.see(".result", "won.")
    zoe(".result").get_by_text("Review", exact=True).click()
    zoe.see(".replay-board .pawn")


def test_a_game_from_a_file_is_played_against_its_bot_and_explains_what_cannot_be_done(
    comes: Comes, icy: Arcade
) -> None:
    zoe = comes(icy)
    zoe.open("/rules/thin_ice")
    zoe.see(".rules", "The floe that a walker leaves melts at once")
    zoe.button("Play now").click()
    zoe.see(".board[data-mine]")
    zoe.press("h")
    zoe.see(".hints .advice")
    zoe.press("ArrowDown")
    zoe.see_moves(2)
    zoe.see(".board[data-mine]")
    zoe.press("ArrowUp")
    zoe.see(".bubble", "no floe to stand on")


@pytest.mark.parametrize(
    ("address", "said", "unsaid"),
    [
        ("/rules/sixseven?variant=final&tiles=3", ["merge into one", "3 new tiles appear"], "do not join, nor"),
        ("/rules/sixseven", ["Two operators side by side do not join", "2 new tiles"], "merge"),
        ("/rules/gotham?rules=online", ["also on the way back", "online rules"], "Walking back"),
        ("/rules/gotham?level=quad&rules=app", ["a corner 10 times", "4 coins, app rules"], "Walking back"),
        ("/rules/gaterun?walls=5&jump=true", ["You have 5 walls", "jump over the other pawn"], "8 walls"),
        ("/rules/gamma?areas=1&players=3", ["you may have only one", "3 players, 1 area"], "4 areas"),
    ],
)
def test_the_rules_are_those_of_the_options(zoe: Visitor, address: str, said: list[str], unsaid: str) -> None:
    zoe.open(address)
    for text in said:
        zoe.see(".rules", text)
    expect(zoe(".rules")).not_to_contain_text(unsaid)


def test_the_rules_change_with_the_options_and_the_example_moves(zoe: Visitor) -> None:
    zoe.open("/play/sixseven")
    zoe(".setup-details summary").click()
    zoe.see(".setup-rules", "Two operators side by side do not join")
    zoe("#option-variant-pairs").check(force=True)
    zoe.see("#option-variant-help", "equal operators merge two by two")
    zoe.see(".setup-rules", "merge two by two")
    zoe.see(".setup-caption", "67!: 6×7, pairs")
    zoe(".example").scroll_into_view_if_needed()
    zoe.see(".example .board", "40")  # 5 × 8, after the slide
    zoe("header.setup-lead a").click()
    zoe.see(".rules-options", "6×7, pairs")


def test_wrong_options_in_the_address_of_the_rules_get_a_sentence(zoe: Visitor) -> None:
    zoe.excuse("status of 4(00|09)")
    zoe.open("/rules/gaterun?walls=many")
    zoe.see("main", "walls takes a whole number from 0 to 84")


def test_the_classic_opponent_has_sliders_for_depth_and_mistakes(zoe: Visitor) -> None:
    zoe.open("/play/gaterun")
    zoe("#seat-2-kind-Classic").check(force=True)
    zoe.see(".seat-rows", "minimax with alpha-beta pruning")
    zoe("#seat-2-depth").fill("2")
    zoe("#seat-2-slip").press("ArrowRight")
    zoe("#seat-2-slip").press("ArrowRight")
    zoe.see("[data-seat='2']", "depth 2")
    zoe.see("[data-seat='2']", "10% mistakes")
    zoe.button("Play").click()
    zoe.see(".board[data-mine]")
    info = zoe.ask("GET", f"/api/games/{zoe.id}")
    assert info["seats"][1]["bot"] == "minimax:ms=100,depth=2,slip=0.1"
    assert info["seats"][1]["label"] == "Classic bot, depth 2, 10% mistakes"
    zoe.see(".side", "Classic bot, depth 2, 10% mistakes")
    zoe.click("1,3")
    zoe.see_moves(2)
    zoe.open("/play/gaterun")
    zoe.see("[data-seat='2']", "depth 2")  # as it was set up last


def test_a_game_that_is_over_at_birth_says_so(zoe: Visitor) -> None:
    info = zoe.ask("POST", "/api/games", {"game": "sixseven", "options": {"rows": 2, "cols": 2, "rate": 0, "tiles": 4}})
    zoe.open(f"/game/{info['id']}")
    zoe.see(".result", "You lost after 0 moves: no slide was left.")
    zoe.open("/")
    expect(zoe(f"[data-id='{info['id']}']")).to_contain_text("Review")
