"""Gotham Loops: the seed's example, the odds, both rule sets, and what a player sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rookery
from rookery.core.errors import IllegalAction, PositionError
from rookery.core.game import Achievement
from rookery.games.gotham import rules

if TYPE_CHECKING:
    from rookery.core.state import State

STEP = {(-1, 0): "up", (0, 1): "right", (1, 0): "down", (0, -1): "left"}


def walk(state: State, *cells: tuple[int, int], outcome: str = "safe") -> None:
    """Go from cell to cell, every check coming out the same."""
    game = state.game
    for row, col in cells:
        at_row, at_col = map(int, state.json()["at"].split(","))
        state.play(game.action(STEP[row - at_row, col - at_col]))
        if state.turn == 0:
            state.play(game.action(outcome))


def chance_of(state: State, direction: str) -> float:
    """The probability that a step is safe."""
    state.play(state.game.action(direction))
    safe = {state.game.name_of(outcome): weight for outcome, weight in state.chances()}["safe"]
    state.undo()
    return safe


@pytest.mark.parametrize("rule_set", ["table", "online", "app"])
def test_the_seeds_example_scores_9_then_7_in_all_16(rule_set: str) -> None:
    state = rookery.game("gotham", rules=rule_set).start()
    walk(state, (6, 7), (6, 8), (7, 8), (7, 7), (7, 6), (6, 6))
    assert state.scores() == (9,)
    walk(state, (5, 6), (5, 7), (6, 7), (6, 8), (5, 8), (5, 7), (5, 6), (6, 6))
    assert state.scores() == (16,)
    panels = {panel.label: panel.value for panel in state.scene().panels}
    assert panels["Rounds"] == "9, 7"


def test_first_round_odds_of_deuce() -> None:
    state = rookery.game("gotham").start()
    assert chance_of(state, "up") == pytest.approx(0.968324, abs=5e-7)
    walk(state, *[(6 - k, 6) for k in range(1, 7)], *[(0, 6 + k) for k in range(1, 6)])
    assert chance_of(state, "right") == 0.25


@pytest.mark.parametrize(("level", "size", "coins"), [("deuce", 13, 2), ("trey", 17, 3), ("quad", 21, 4)])
def test_levels(level: str, size: int, coins: int) -> None:
    game = rookery.game("gotham", level=level)
    assert game.config == (size, coins, rules.TABLE)
    words = game.start().words
    corner = 0
    assert rules.distance(words, corner) == size - 1
    assert rules.flips(words, corner) == 1
    assert 1 - rules.risk(words, corner) == 2**-coins


def test_walking_back_is_free_at_the_table_and_checked_online() -> None:
    for rule_set, turn in (("table", 1), ("online", 0)):
        state = rookery.game("gotham", rules=rule_set).start()
        walk(state, (5, 6), (4, 6))
        state.play(state.game.action("down"))
        assert state.turn == turn
        if turn == 0:
            state.play(state.game.action("safe"))
        assert state.scene().panels[1].value == "3"


def test_earlier_visits_give_flips_to_the_cell_and_its_neighbours() -> None:
    table, online = rookery.game("gotham").start(), rookery.game("gotham", rules="online").start()
    for state in (table, online):
        walk(state, (5, 6), (4, 6), (4, 7), (5, 7), (5, 6), (6, 6))
    # 4,6 itself and its neighbours 5,6 and 4,7 were visited, in one round: three flips at the table, one online.
    cell = 4 * 13 + 6
    assert rules.flips(table.words, cell) == 12 - 2 + 1 + 3
    assert rules.flips(online.words, cell) == 12 - 2 + 1 + 1
    # Home was visited by coming back to it: 6,7 has home and 5,7 beside it.
    assert rules.flips(table.words, 6 * 13 + 7) == 12 - 1 + 1 + 2
    assert rules.flips(online.words, 6 * 13 + 7) == 12 - 1 + 1 + 1


def test_a_failed_check_costs_the_round_and_the_cell_is_not_visited() -> None:
    state = rookery.game("gotham").start()
    walk(state, (5, 6), (4, 6))
    state.play(state.game.action("up"))
    state.play(state.game.action("caught"))
    assert state.scores() == (0,)
    assert not state.words[rules.VISITS + 3 * 13 + 6]
    assert state.words[rules.VISITS + 4 * 13 + 6]
    assert not state.words[rules.VISITS + 6 * 13 + 6], "home was not returned to"
    assert state.scene().cell(3, 6).role == "failed"
    assert state.scene().cell(6, 6).role == "home"
    walk(state, (5, 6), (6, 6))
    assert state.scene().cell(6, 6).role == "safe"
    assert state.scene().cell(3, 6).role == "free", "only the last round's end shows"


def test_a_cell_is_worth_one_less_for_each_earlier_round_but_never_less_than_nothing() -> None:
    state = rookery.game("gotham").start()
    for worth in (3, 1, 0, 0):
        before = state.scores()[0]
        walk(state, (5, 6), (4, 6), (5, 6), (6, 6))
        assert state.scores()[0] - before == worth


def test_the_game_is_over_after_seven_rounds() -> None:
    state = rookery.game("gotham", size=3).start()
    for number in range(7):
        assert state.json()["round"] == number + 1
        walk(state, (0, 1), (1, 1))
    assert state.over
    assert state.scene().message == "The seven rounds are over: 1 point."
    with pytest.raises(IllegalAction, match="The game is over"):
        state.play(0)


def test_the_edge_of_the_city_is_explained() -> None:
    state = rookery.game("gotham", size=3).start()
    walk(state, (0, 1))
    with pytest.raises(IllegalAction, match="You cannot go up: the city ends here"):
        state.play(state.game.action("up"))


def test_odds_show_only_when_asked_for() -> None:
    state = rookery.game("gotham").start()
    hidden, shown = state.scene(1), state.scene(1, odds=True)
    assert not any(mark.role == "odds" for cell in hidden.cells for mark in cell.marks)
    assert "per cent" not in "".join(cell.name for cell in hidden.cells)
    assert shown.cell(5, 6).marks[0].text == "97"
    assert shown.cell(0, 0).marks[0].text == "25"
    assert "96.8 per cent safe" in shown.cell(5, 6).name


def test_rings_tell_the_rounds() -> None:
    state = rookery.game("gotham").start()
    walk(state, (5, 6), (6, 6), (5, 6), (5, 7), (5, 6), (6, 6), (6, 5))
    scene = state.scene(1)
    assert [mark.number for mark in scene.cell(5, 6).marks] == [1, 2]
    assert [mark.number for mark in scene.cell(5, 7).marks] == [2]
    assert scene.cell(6, 5).role == "trail"
    assert scene.cell(6, 5).marks[-1].role == "here"


def test_rounds_in_another_order_play_the_same() -> None:
    """At the table only the number of visits counts; online only which cells share a round."""
    one, other = [(5, 6), (6, 6)], [(6, 7), (6, 6)]
    for rule_set in ("table", "online", "app"):
        first, second = (rookery.game("gotham", rules=rule_set).start() for _ in range(2))
        walk(first, *one, *other)
        walk(second, *other, *one)
        assert first.key() == second.key()
        assert first.position() != second.position()
        walk(first, (5, 6))
        walk(second, (6, 7))
        assert first.key() != second.key()


def test_online_only_what_a_round_gave_to_each_cell_matters() -> None:
    """A ring walked twice, an arm to the east in one round and one to the west in the same round or in the other."""
    east, west = ("r r r l l", "r"), ("l l d l l r r d", "l l d d")
    first, second = (rookery.game("gotham", rules="online").start() for _ in range(2))
    for state, rounds in (
        (first, (f"{east[0]} u {west[0]} r r l u", f"r u {west[1]} r r l u")),
        (second, (f"{east[0]} u {west[1]} r r l u", f"r u {west[0]} r r l u")),
    ):
        for way in " ".join(rounds).split():
            state.play(state.game.action({"u": "up", "r": "right", "d": "down", "l": "left"}[way]))
            if state.turn == 0:
                state.play(state.game.action("safe"))
    assert first.json()["round"] == second.json()["round"] == 3
    assert first.json()["rows"] != second.json()["rows"]
    assert first.key() == second.key()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("13./13. 1 6,6 - -", "The board has 13 rows, not 2."),
        ("/".join(["12."] * 13) + " 1 6,6 - -", "Row 0 must have 13 cells."),
        ("/".join(["13."] * 13) + " 8 6,6 - -", "The round must be a whole number from 1 to 7, not 8."),
        ("/".join(["13."] * 13) + " 1 6,7 - -", "The player must be at home at the start of a round, else on a cell entered in this round."),
        ("/".join(["13."] * 13) + " 1 6,6 4,6 -", "The current round cannot have been checked at 4,6."),
        ("/".join(["13."] * 13) + " 2 6,6 - -", "Round 1 did not come home, but the cell where it failed is missing."),
        ("/".join(["13."] * 13) + " 2 6,6 - 3,3", "Round 1 cannot have been checked at 3,3."),
        ("/".join(["13."] * 13) + " 1 6,6 - 5,6", "There are more failed cells than rounds that did not come home."),
        ("/".join(["1,12."] + ["13."] * 12) + " 1 0,0 - -", "The cells of round 1 are not connected, starting next to home."),
        ("/".join(["13."] * 6 + ["5.,1,1.,1,5."] + ["13."] * 6) + " 1 6,5 - -", "The cells of round 1 are not connected, starting next to home."),
        ("/".join(["13."] * 6 + ["7.,1,5."] + ["13."] * 6) + " 2 6,6 - 6,5", "Round 1 cannot have been checked at 6,5."),
        ("/".join(["2,12."] + ["13."] * 12) + " 1 6,6 - -", "A cell is marked as visited after round 1, which has not begun."),
        ("/".join(["13."] * 6 + ["6.,1,6."] + ["13."] * 6) + " 2 6,6 - -", "Round 1 came home without leaving it."),
        ("/".join(["13."] * 6 + ["6.,1,6."] + ["13."] * 6) + " 1 6,6 - -", "The current round cannot have come home already."),
        ("/".join(["13."] * 6 + ["6.,18,6."] + ["13."] * 6) + " 1 6,6 - -", "'18' in row 6 is not a list of rounds, like 12."),
        ("/".join(["13."] * 13) + " over 6,6 - -", "Round 1 did not come home, but the cell where it failed is missing."),
        ("/".join(["13."] * 13) + " 1 6,66 - -", "'6,66' is not a cell of a 13×13 board; write one like 6,7."),
    ],
)  # fmt: skip
def test_impossible_positions_are_refused(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        rookery.game("gotham").position(text)
    assert str(caught.value) == message


@given(st.integers(1, 16), st.integers(1, 49))
def test_risk_is_the_plain_power(coins: int, half: int) -> None:
    words = rookery.game("gotham", size=2 * half + 1, coins=coins).start().words
    for cell in (0, half, 2 * half):
        expected = (1 - 2**-coins) ** rules.flips(words, cell)
        assert rules.risk(words, cell) == pytest.approx(expected, rel=1e-12)


def test_pointing_at_a_cell_beside_one_is_the_way_there() -> None:
    state = rookery.game("gotham", size=3).start()
    game = state.game
    assert [game.pointed(state, (spot,)) for spot in ((0, 1), (1, 2), (2, 1), (1, 0))] == [0, 1, 2, 3]
    for nothing in (((1, 1),), ((0, 0),), ((3, 1),), ((-1, 1),), (), ((0, 1), (1, 1))):
        assert game.pointed(state, nothing) is None
    walk(state, (1, 2))
    assert game.pointed(state, ((1, 1),)) == game.action("left")
    assert game.pointed(state, ((2, 0),)) is None, "the row below begins where this one ends, but not beside it"
    state.play(game.action("up"))
    assert game.pointed(state, ((1, 1),)) is None, "the coins are in the air"


def test_the_eye_may_rest_when_a_round_has_ended_and_another_follows() -> None:
    state = rookery.game("gotham", size=3).start()
    assert state.scene().pause == ""
    for number in range(7):
        state.play(state.game.action("up"))
        assert state.scene().pause == "", "the coins are in the air"
        state.play(state.game.action("caught" if number % 2 else "safe"))
        if number % 2 == 0:
            assert state.scene().pause == "", "away from home"
            state.play(state.game.action("down"))
        assert state.scene().pause == ("" if state.over else "Next round")
    assert state.over


def test_an_achievement_is_the_total() -> None:
    state = rookery.game("gotham", size=3).start()
    for _ in range(7):
        assert state.game.achievement(state, 1) is None
        walk(state, (0, 1), (0, 0), (0, 1), (1, 1))
    assert state.scores() == (4,)
    assert state.game.achievement(state, 1) == Achievement(4, "4 points")


def test_the_printed_city_shows_the_flips_of_the_first_round_and_the_way_to_reckon_points() -> None:
    game = rookery.game("gotham", size=5)
    printout = game.printout()
    assert printout is not None
    assert [" ".join(cell.text or "H" for cell in printout.scene.cells[row * 5 : row * 5 + 5]) for row in range(5)] == [
        "1 2 3 2 1",
        "2 3 4 3 2",
        "3 4 H 4 3",
        "2 3 4 3 2",
        "1 2 3 2 1",
    ]
    assert printout.scene.cell(2, 2).role == "home"
    assert not any(cell.marks for cell in printout.scene.cells)
    assert printout.scene.choices == ()
    words = game.start().words
    for index, cell in enumerate(printout.scene.cells):
        if cell.role != "home":
            assert int(cell.text) == rules.flips(words, index) == 5 - rules.distance(words, index)


def test_the_sheet_has_a_line_for_each_round() -> None:
    printout = rookery.game("gotham").printout()
    assert printout is not None
    assert printout.title == "Gotham Loops, deuce"
    assert printout.columns == ("Round", "Colour", "Points this round", "Total")
    assert printout.rows == ("1", "2", "3", "4", "5", "6", "7")
    assert [section.heading for section in printout.rules] == [
        "What you need", "A round", "The check", "Points", "The end",
    ]  # fmt: skip


def printed(**options: Any) -> str:
    printout = rookery.game("gotham", **options).printout()
    assert printout is not None
    return " ".join(line for section in printout.rules for line in section.lines)


def test_the_rules_on_the_sheet_go_with_the_options() -> None:
    deuce, quad, online = printed(), printed(level="quad"), printed(rules="online")
    assert "2 coins" in deuce
    assert "4 coins" in quad
    assert "12 flips and lets you in about 96.8 times out of 100" in deuce
    assert "20 flips and lets you in about 72.5 times out of 100" in quad
    assert "13 less the number in the cell" in deuce
    assert "21 less the number in the cell" in quad
    assert "Walking back over cells you have entered in this round needs no check" in deuce
    assert "every ring of an earlier round that you find in these five cells" in deuce
    assert "checked again each time you enter it" in online
    assert "every earlier round that has a ring in any of these five cells" in online
    assert "1 coin," in printed(coins=1)
    assert "flip the coin." in printed(coins=1)
