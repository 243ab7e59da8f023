"""How finished games are told: one sentence for everybody, emoji to share, and what the bots reach."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import rookery
from rookery.core.ending import tell
from rookery.core.stream import Stream
from rookery.games import BUILT_IN, from_file

if TYPE_CHECKING:
    from rookery.core.state import State

ROOT = Path(__file__).parents[2]


def played(name: str, *actions: str, **options: Any) -> State:
    game = rookery.game(name, **options)
    state = game.start()
    for action in actions:
        state.play(game.action(action))
    return state


RACE = ("1,1", "2,0", "2,1")
GAMMA = {"width": 2, "height": 1, "areas": 1}


def test_gaterun_says_who_reached_the_other_side_and_how_far_the_other_was() -> None:
    state = played("gaterun", *RACE, size=3, walls=0)
    assert tell(state, ["you", "Casual bot"]) == "You reached the other side. Casual bot had 2 steps to go."
    assert tell(state, ["ida", "you"]) == "ida reached the other side. You had 2 steps to go."


def test_a_draw_of_gaterun_is_told_as_beside_the_board() -> None:
    state = played("gaterun", *("0,1", "4,1", "0,2", "4,2") * 2, size=5)
    assert tell(state, ["you", "Ida"]) == state.scene().message == "A draw: this position has come for the third time."


def test_gamma_says_by_how_many_cells() -> None:
    state = played("gamma", "m 0 0", "m 1 0", "pass", "pass", **GAMMA)
    assert tell(state, ["you", "Ida"]) == "A draw between you and Ida, with 1 cell each."
    state = played("gamma", "m 0 0", "m 2 0", "m 1 0", "pass", "pass", width=3, height=1, areas=1)
    assert state.over
    assert tell(state, ["Gentle bot", "you"]) == "Gentle bot won by 1 cell."
    state = played("gamma", "m 0 0", "m 1 0", width=2, height=1, players=1)
    assert tell(state, ["you"]) == "You took 2 cells."


def test_gotham_says_what_came_home() -> None:
    state = played("gotham", *("up", "safe", "down"), *("up", "caught") * 6)
    assert tell(state, ["you"]) == "You brought home 1 point in 1 of 7 rounds."
    assert state.game.emoji(state) == "🟩🟥🟥🟥🟥🟥🟥"
    assert tell(played("gotham", *("up", "caught") * 7), ["you"]) == "You brought home no points."


def test_sixseven_says_after_how_many_moves() -> None:
    game = rookery.game("sixseven", rows=2, cols=2, tiles=1)
    state, stream = game.start(), Stream(1)
    while not state.over:
        state.play(state.draw(stream) if state.turn == 0 else state.pick(stream))
    assert re.fullmatch(r"You lost after \d+ moves?: no slide was left\.", tell(state, ["you"]))


def test_who_gave_up_or_ran_out_of_time_is_told_with_who_won() -> None:
    state = played("gaterun", "1,3")
    names = ["you", "Casual bot"]
    assert tell(state, names, {"how": "resigned", "player": 1}) == "You resigned, so Casual bot won."
    assert tell(state, names, {"how": "resigned", "player": 2}) == "Casual bot resigned, so you won."
    assert tell(state, names, {"how": "time", "player": 2}) == "Casual bot ran out of time, so you won."
    assert tell(state, names) == "This game was not finished."


@pytest.mark.parametrize("name", [*BUILT_IN, "thin ice"])
def test_every_game_is_told_in_one_line_and_nobody_wins_in_the_wrong_person(name: str) -> None:
    game = from_file(str(ROOT / "examples" / "thin_ice.py"))() if name == "thin ice" else rookery.game(name)
    state, stream = game.start(), Stream(3)
    while not state.over:
        state.play(state.draw(stream) if state.turn == 0 else state.pick(stream))
    names = ["you", *(f"P{player}" for player in range(2, game.players + 1))]
    text = tell(state, names)
    assert text[0].isupper() and text.endswith(".") and "\n" not in text and "ou wins" not in text
    grid = game.emoji(state)
    assert len({len(line) for line in grid.splitlines()}) == 1


def test_gaterun_shares_the_ways_of_both_pawns() -> None:
    state = played("gaterun", *RACE, size=3, walls=0)
    assert state.game.emoji(state) == "⬜🟦⬜\n⬜🟦⬜\n🟠🔵⬜"


def test_a_board_that_would_wrap_is_not_shared() -> None:
    assert rookery.game("gamma", width=15, height=3).emoji(rookery.game("gamma", width=15, height=3).start()) == ""


@pytest.mark.parametrize("name", ["gotham", "sixseven"])
def test_what_the_levels_reach_is_what_the_page_on_playing_well_says(name: str) -> None:
    table = (ROOT / "docs" / f"{name}-play.md").read_text().partition("<!-- table: levels -->")[2].partition("<!--")[0]
    measured = [float(figure) for figure in re.findall(r"^\| \d+ \| `[^`]+` \| ([\d.]+)", table, re.MULTILINE)]
    results = rookery.game(name).level_results()
    assert results is not None and list(results.values) == measured and len(measured) == 10


def test_a_result_stands_between_two_levels() -> None:
    results = rookery.game("gotham").level_results()
    assert results is not None
    assert results.around(210) == "On average, a level 4 bot brings home 205 points, and a level 5 bot 243."
    assert results.around(10) == "On average, a level 1 bot brings home 68 points."
    assert results.around(400) == "On average, even bots of level 10 bring home only 310 points."
    wins = rookery.game("sixseven").level_results()
    assert wins is not None
    assert wins.around(1) == "A level 1 bot wins 4% of its games, a level 5 bot 67%, a level 10 bot 98%."
    assert rookery.game("gotham", level="trey").level_results() is None
