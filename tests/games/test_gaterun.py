"""GateRun: walls and paths, jump and rotate, draws, counts of positions agreed by the oracle, random play, and pointing."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from tests.oracles import gaterun as oracle

import rookery
from rookery.core.errors import IllegalAction, PositionError
from rookery.core.stream import Stream
from rookery.games.gaterun import rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rookery.core.state import State


def play(state: State, *texts: str) -> None:
    for text in texts:
        state.play(state.game.action(text))


def cell(text: str) -> tuple[int, int]:
    row, col = map(int, text.split(","))
    return row, col


def names(state: State) -> set[str]:
    return set(map(state.game.name_of, state.actions()))


def perft(state: State, depth: int) -> int:
    """Lines of play of a length; the last ply is counted, not played."""
    actions = state.actions()
    if depth == 1:
        return len(actions)
    total = 0
    for action in actions:
        state.play(action)
        total += perft(state, depth - 1)
        state.undo()
    return total


@pytest.mark.parametrize(
    ("options", "depth", "count"),
    [
        ({}, 1, 87),
        ({}, 2, 7_482),
        ({}, 3, 636_047),  # the oracle's own count, which takes it a minute
        ({"size": 3, "walls": 2, "jump": True, "rotate": True}, 3, 3_998),
        ({"size": 4, "walls": 2, "jump": True, "rotate": True}, 2, 774),
        ({"size": 5, "walls": 2, "jump": True, "rotate": True}, 2, 1_934),
        ({"size": 5, "walls": 3, "jump": True, "rotate": True}, 3, 90_383),
        ({"size": 3, "walls": 2}, 5, 162_590),
    ],
)
def test_counts_from_the_start(options: dict[str, int], depth: int, count: int) -> None:
    assert perft(rookery.game("gaterun", **options).start(), depth) == count


@pytest.mark.parametrize(
    ("options", "text", "depth"),
    [
        ({"size": 3, "walls": 3}, "1,1/2,1 0,0|0,1;1,1|1,2 P1 2/2 -/- 2", 3),
        ({"size": 3, "walls": 4, "jump": True}, "1,0/2,0 0,0|0,1;2,1|2,2 P1 3/3 j/j 4", 3),
        ({"size": 4, "walls": 3, "jump": True, "rotate": True}, "1,1/1,2 0,0|0,1;1,1|2,1;2,2|2,3 P2 1/2 jr/r 9", 3),
        ({"size": 5, "walls": 4}, "2,2/2,3 1,2|2,2;2,1|2,2;2,3|3,3;0,0|0,1;4,3|4,4;3,0|4,0 P1 1/1 -/- 10", 2),
        ({"size": 7, "walls": 2, "rotate": True}, "3,3/4,3 3,3|4,3;0,0|1,0 P2 1/1 r/r 7", 2),
        ({"size": 3, "walls": 8}, "0,1/2,1 0,0|0,1;0,0|1,0;1,0|2,0;2,0|2,1;1,1|2,1;0,1|1,1 P1 5/5 -/- 6", 3),
    ],
)
def test_counts_from_set_positions_agree_with_the_oracle(options: dict[str, int], text: str, depth: int) -> None:
    state = rookery.game("gaterun", **options).position(text)
    fields = state.json()
    pawns = [(row, col) for row, col in fields["pawns"]]
    twin = oracle.GateRun.at(
        options["size"],
        pawns[0],
        pawns[1],
        [oracle.edge_between(*map(cell, name.split("|"))) for name in fields["walls"]],
        fields["turn"],
        left=tuple(fields["left"]),
        jump=tuple(fields["jump"]),
        rotate=tuple(fields["rotate"]),
        plies=fields["ply"],
    )
    assert perft(state, depth) == oracle.perft(twin, depth)


def test_a_wall_that_closes_the_last_path_is_refused_and_changes_nothing() -> None:
    """P2 is shut in but for one gate; the wall on it would leave P2 without a way to the other side."""
    game = rookery.game("gaterun", size=3, walls=3)
    state = game.position("0,1/2,1 2,0|2,1;2,1|2,2 P1 2/2 -/- 2")
    before = list(state.words)
    with pytest.raises(IllegalAction) as caught:
        play(state, "1,1|2,1")
    assert str(caught.value) == "That wall would leave the other player without a way to the other side."
    assert list(state.words[: rules.WORDS]) == before[: rules.WORDS]
    for action in range(game.action_count):
        if not state.legal(action):
            with pytest.raises(IllegalAction):
                state.play(action)
            assert list(state.words[: rules.WORDS]) == before[: rules.WORDS]


def test_both_players_cut_off_are_both_told() -> None:
    state = rookery.game("gaterun", size=3, walls=3).position("0,1/2,1 0,0|1,0;0,1|1,1 P1 2/2 -/- 2")
    with pytest.raises(IllegalAction, match="That wall would leave both of you without a way to the other side"):
        play(state, "0,2|1,2")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2,2", "A step goes to a cell next to your pawn."),
        ("2,1", "The other pawn stands there."),
        ("1,2", "A wall stands in the way."),
        ("1,1|1,2", "There is a wall there already."),
        ("pass", "Passing is only for a player who can do nothing else."),
        (
            "jump 1,2",
            "A jump goes over the pawn next to yours, straight to the cell behind it, if no wall is in the way.",
        ),
        ("0,0|0,1>0,0|1,0", "There is no wall there to turn."),
    ],
)
def test_refusals_explain_themselves(text: str, message: str) -> None:
    game = rookery.game("gaterun", size=4, walls=3, jump=True, rotate=True)
    state = game.position("1,1/2,1 1,1|1,2;0,2|1,2 P1 2/2 jr/jr 2")
    with pytest.raises(IllegalAction) as caught:
        play(state, text)
    assert str(caught.value) == message


def test_no_walls_left() -> None:
    state = rookery.game("gaterun", size=3, walls=0).start()
    assert names(state) == {"0,0", "0,2", "1,1"}
    with pytest.raises(IllegalAction, match="You have no walls left"):
        play(state, "0,0|0,1")


def test_handicap_walls() -> None:
    state = rookery.game("gaterun", walls=2, walls2=5).start()
    assert state.json()["left"] == [2, 5]


def test_a_jump_goes_over_the_opponent_once() -> None:
    game = rookery.game("gaterun", size=5, walls=1, jump=True)
    state = game.position("1,2/2,2 - P1 1/1 j/j 4")
    assert "jump 3,2" in names(state)
    play(state, "jump 3,2", "1,2", "2,2", "0,2|0,3")
    assert "jump 0,2" not in names(state)
    with pytest.raises(IllegalAction, match=r"You have no jump left\."):
        play(state, "jump 0,2")
    walled = game.position("1,2/2,2 2,2|3,2 P1 0/1 j/j 4")
    assert not any(name.startswith("jump") for name in names(walled))
    assert not any(name.startswith("jump") for name in names(rookery.game("gaterun").start()))


def test_a_jump_onto_the_goal_row_wins() -> None:
    state = rookery.game("gaterun", size=5, walls=0, jump=True).position("2,2/3,2 - P1 0/0 j/j 4")
    play(state, "jump 4,2")
    assert state.winners() == (1,)


def test_a_wall_turns_about_either_end_onto_four_edges() -> None:
    game = rookery.game("gaterun", size=5, walls=1, rotate=True)
    state = game.position("0,2/4,2 2,2|2,3 P2 0/1 r/r 1")
    turns = {name.partition(">")[2] for name in names(state) if ">" in name}
    assert turns == {"1,2|2,2", "1,3|2,3", "2,2|3,2", "2,3|3,3"}
    play(state, "2,2|2,3>1,2|2,2")
    assert state.json()["walls"] == ["1,2|2,2"]
    assert state.json()["rotate"] == [True, False]
    at_the_rim = game.position("0,2/4,2 0,2|0,3 P2 0/1 r/r 1")
    assert {name.partition(">")[2] for name in names(at_the_rim) if ">" in name} == {"0,2|1,2", "0,3|1,3"}


def test_a_turned_wall_must_leave_both_a_path() -> None:
    """Turned up, the wall 1,1|1,2 would close the only gate of the top row."""
    game = rookery.game("gaterun", size=3, walls=3, rotate=True)
    state = game.position("0,0/2,1 0,1|1,1;0,0|1,0;1,1|1,2 P2 2/1 r/r 3")
    with pytest.raises(PositionError, match="P1 has no way through"):
        game.position("0,0/2,1 0,1|1,1;0,0|1,0;0,2|1,2 P2 2/1 r/r 3")
    with pytest.raises(IllegalAction, match="That wall would leave both of you without a way to the other side"):
        play(state, "1,1|1,2>0,2|1,2")


def test_the_third_time_is_a_draw() -> None:
    state = rookery.game("gaterun", size=5).start()
    there_and_back = ("0,1", "4,1", "0,2", "4,2")
    play(state, *there_and_back)
    assert not state.over
    play(state, *there_and_back)
    assert state.over
    assert state.scores() == (0.5, 0.5)
    assert state.winners() == (1, 2)
    assert state.scene().message == "A draw: this position has come for the third time."


def test_a_wall_makes_earlier_positions_count_no_more() -> None:
    state = rookery.game("gaterun", size=5).start()
    there_and_back = ("0,1", "4,1", "0,2", "4,2")
    play(state, *there_and_back, "0,0|0,1", "4,0|4,1", *there_and_back)
    assert not state.over
    play(state, *there_and_back)
    assert state.over


def test_three_hundred_plies_are_a_draw() -> None:
    game = rookery.game("gaterun", size=5, walls=1)
    state = game.position("1,1/3,3 - P2 1/1 -/- 299")
    play(state, "3,4")
    assert state.over
    assert state.scene().message == "A draw: 300 moves have been played."
    state = game.position("1,1/1,3 - P2 1/1 -/- 299")
    play(state, "0,3")
    assert state.winners() == (2,), "a win on the last ply is a win"


def test_a_player_who_can_do_nothing_passes() -> None:
    """P1 in the corner, its only way out taken by P2, no walls left."""
    state = rookery.game("gaterun", size=3, walls=2).position("0,0/1,0 0,0|0,1;1,0|1,1;0,1|1,1;0,2|1,2 P1 0/0 -/- 6")
    assert names(state) == {"pass"}
    play(state, "pass")
    assert state.turn == 2
    assert state.json()["ply"] == 7


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,1/1,1 - P1 2/2 -/- 0", "Two pawns cannot stand on one cell."),
        ("0,1/2,1 0,0|1,0;0,1|1,1;0,2|1,2 P2 0/1 -/- 3", "P1 has no way through to its goal row."),
        ("0,1/3,1 - P1 2/2 -/- 0", "P2's pawn: the row must be a whole number from 0 to 2, not 3."),
        ("0,1/2,1 0,0|1,1 P1 1/2 -/- 0", "'0,0|1,1' is not an edge of a 3×3 board; write one like 2,3|2,4."),
        ("0,1/2,1 0,0|0,1;0,1|0,0 P1 1/1 -/- 2", "The wall 0,1|0,0 is there twice."),
        ("0,1/2,1 0,0|0,1 P1 2/2 -/- 0", "The board has 1 wall, but the supplies lack 0."),
        ("0,1/2,1 - P1 3/2 -/- 0", "P1's walls left must be a whole number from 0 to 2, not 3."),
        ("0,1/2,1 - P1 2/2 j/- 0", "P1's jump cannot be left in a game without that option."),
        ("0,1/2,1 - P2 2/2 -/- 0", "After 0 plies it is P1's turn, not P2."),
        ("0,1/2,1 - over 2/2 -/- 0", "Nothing has ended this game: no pawn is home, no position came three times."),
        ("2,1/1,1 - P2 2/2 -/- 3", "The game is over here, so the turn must be 'over', not P2."),
        ("2,1/1,1 - over 2/2 -/- 2", "P1 stands on its goal row, but after 2 plies P2 was the last to move."),
        ("2,1/0,1 - over 2/2 -/- 3", "Both pawns cannot have reached their goal rows."),
        ("0,1/2,1 - P1 2/2 -/- 301", "The number of plies must be a whole number from 0 to 300, not 301."),
        ("0,1/2,1 - P2 2/2 -/- 1 0,1/2,0/P1", "The positions of the past do not follow one another by steps and passes."),
        ("0,1/2,1 - P2 2/2 -/- 1 0,1/2,1/P1", "The positions of the past do not follow one another by steps and passes."),
        ("1,0/2,1 - P2 2/2 -/- 11 2,0/2,1/P1", "The positions of the past do not follow one another by steps and passes."),
        ("0,0/2,1 - P2 2/2 -/- 9 " + ";".join(["0,1/2,1/P1", "0,2/2,1/P2", "0,2/2,2/P1", "0,1/2,2/P2"] * 2 + ["0,1/2,1/P1"]), "The positions of the past do not follow one another by steps and passes."),
        ("0,1/2,1 - P1 2/2 -/- 0 0,1/2,1/P2", "The past has 1 position, more than the plies played, 0."),
    ],
)  # fmt: skip
def test_impossible_positions_are_refused(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        rookery.game("gaterun", size=3, walls=2).position(text)
    assert str(caught.value) == message


def test_a_position_seen_before_does_not_play_like_a_new_one() -> None:
    """Once it has come twice, the next time ends the game, so the keys differ; the order of the past does not matter."""
    game = rookery.game("gaterun", size=5, walls=2)
    state = game.start()
    first = state.key()
    play(state, "0,1", "4,1", "0,2", "4,2")
    assert state.key() != first
    one, other = game.start(), game.start()
    play(one, "0,0|0,1", "4,0|4,1", "1,0|1,1")
    play(other, "1,0|1,1", "4,0|4,1", "0,0|0,1")
    assert one.key() == other.key()
    assert one.position() == other.position()


# ---- random play ----


def law(words: list[int], monkeypatch: pytest.MonkeyPatch) -> dict[int, Fraction]:
    """How likely `pick` is to return each action, exactly: it is run once for every way its draws can fall."""
    odds: dict[int, Fraction] = {}
    fallen: list[tuple[int, int]] = []  # a draw and how many it was from
    while True:
        replay = iter(tuple(fallen))

        def below(_: object, n: int, replay: Iterator[tuple[int, int]] = replay) -> int:
            known = next(replay, None)
            if known is None:
                fallen.append((0, n))
                return 0
            assert known[1] == n
            return known[0]

        monkeypatch.setattr(rules, "below", below)
        action = rules.pick(list(words), [])
        odds[action] = odds.get(action, Fraction(0)) + Fraction(1, math.prod(n for _, n in fallen))
        while fallen and fallen[-1][0] == fallen[-1][1] - 1:
            fallen.pop()
        if not fallen:
            return odds
        fallen[-1] = fallen[-1][0] + 1, fallen[-1][1]


@pytest.mark.parametrize(
    ("options", "text", "count"),
    [
        ({}, "0,3/6,3 - P1 8/8 -/- 0", 87),
        ({"size": 3, "walls": 3}, "0,1/2,1 2,0|2,1;2,1|2,2 P1 2/2 -/- 2", 12),  # one wall would shut P2 in
        ({"size": 5, "walls": 1, "jump": True}, "1,2/2,2 - P1 1/1 j/j 4", 44),
        ({"size": 4, "walls": 1, "rotate": True}, "0,1/3,1 0,0|0,1 P2 0/1 r/r 1", 28),  # two ways to turn lead off the board
        ({"size": 4, "walls": 1, "rotate": True}, "0,1/3,1 0,0|1,0;3,2|3,3 P1 0/0 r/r 2", 7),
        ({"size": 3, "walls": 4}, "1,1/2,0 0,0|1,0;0,1|1,1;1,1|2,1;1,2|2,2 P1 2/2 -/- 4", 6),  # a snake of cells: four walls would cut it
        ({"size": 3, "walls": 0}, "1,1/1,2 - P1 0/0 -/- 4", 3),
    ],
)  # fmt: skip
def test_every_legal_action_is_picked_just_as_likely(
    options: dict[str, int], text: str, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = rookery.game("gaterun", **options).position(text)
    assert len(state.actions()) == count
    assert law(state.words, monkeypatch) == dict.fromkeys(state.actions(), Fraction(1, count))


def picked(state: State, draws: int) -> set[int]:
    """The actions that come up when so many are picked; the position stays as it is."""
    words, stream = list(state.words), Stream(17)
    found = {rules.pick(words, stream.words) for _ in range(draws)}
    assert words[: rules.WORDS] == list(state.words[: rules.WORDS])
    return found


@pytest.mark.parametrize("size", [3, 4, 7])
@pytest.mark.parametrize("walls", [0, 1, 8])
@pytest.mark.parametrize("skills", [{}, {"jump": True}, {"rotate": True}, {"jump": True, "rotate": True}])
def test_what_is_picked_is_what_is_legal(size: int, walls: int, skills: dict[str, bool]) -> None:
    for index in range(4):
        state, stream = rookery.game("gaterun", size=size, walls=walls, **skills).start(), Stream(41, index)
        for _ in range(stream.below(4 + 2 * walls)):
            state.play(state.pick(stream))
            if state.over:
                state.undo()
        legal = state.actions()
        assert picked(state, 16 * len(legal)) == set(legal), state.position()


def test_a_jump_is_picked_among_the_rest() -> None:
    for text in (
        "1,2/2,2 - P1 1/1 j/j 4",
        "2,3/2,2 - P1 1/1 j/j 4",
        "1,0/1,1 - P1 1/1 j/j 4",
        "1,1/1,0 - P1 1/1 j/j 4",
    ):
        state = rookery.game("gaterun", size=5, walls=1, jump=True).position(text)
        assert picked(state, 800) == set(state.actions()), text


def test_where_every_wall_would_cut_a_path_the_step_is_picked() -> None:
    """The cells form a snake with the pawns at its ends; of nine candidates only the step is legal."""
    state = rookery.game("gaterun", size=3, walls=4).position("0,0/2,2 0,0|1,0;0,1|1,1;1,1|2,1;1,2|2,2 P1 2/2 -/- 4")
    assert {state.game.name_of(action) for action in picked(state, 200)} == {"0,1"}


@pytest.mark.parametrize(
    ("walls", "text"),
    [
        (2, "0,0/1,0 0,0|0,1;1,0|1,1;0,1|1,1;0,2|1,2 P1 0/0 -/- 6"),
        # With walls in hand, but both edges that are open are the only way of somebody.
        (8, "0,0/1,0 0,0|0,1;0,1|0,2;1,0|1,1;1,1|1,2;2,0|2,1;2,1|2,2;0,1|1,1;0,2|1,2;1,1|2,1;1,2|2,2 P1 3/3 -/- 10"),
    ],
)
def test_a_player_who_is_stuck_picks_the_pass(walls: int, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    state = rookery.game("gaterun", size=3, walls=walls).position(text)
    assert names(state) == {"pass"}
    assert law(state.words, monkeypatch) == {state.game.action("pass"): 1}


# ---- pointing, and results ----


@pytest.mark.parametrize(
    ("at", "meant", "refusal"),
    [
        (((1, 0),), "1,0", None),
        (((1, 1),), "1,1", "A step goes to a cell next to your pawn."),
        (((2, 1),), "2,1", "The other pawn stands there."),
        (((3, 1),), "jump 3,1", None),
        (((1, 3),), "1,3", "A step goes to a cell next to your pawn."),
        (((1, 2),), "1,2", "A wall stands in the way."),
        (((0, 0), (0, 1)), "0,0|0,1", None),
        (((0, 1), (0, 0)), "0,0|0,1", None),
        (((2, 3), (1, 3)), "1,3|2,3", None),
        (((1, 1), (1, 2)), "1,1|1,2", "There is a wall there already."),
    ],
)
def test_pointing_at_a_cell_is_a_step_or_a_jump_and_at_an_edge_a_wall(
    at: tuple[tuple[int, int], ...], meant: str, refusal: str | None
) -> None:
    state = rookery.game("gaterun", size=4, walls=3, jump=True).position("1,1/2,1 1,1|1,2;0,2|1,2 P1 2/2 j/j 2")
    action = state.game.pointed(state, at)
    assert action == state.game.action(meant)
    assert (None if state.legal(action) else state.why_not(action)) == refusal


def test_pointing_behind_the_other_pawn_is_a_jump_only_where_there_are_jumps_and_straight() -> None:
    at, text = ((3, 1),), "1,1/2,1 - P1 3/3 {} 2"
    walker = rookery.game("gaterun", size=4, walls=3).position(text.format("-/-"))
    assert walker.game.pointed(walker, at) == walker.game.action("3,1")
    jumper = rookery.game("gaterun", size=4, walls=3, jump=True)
    spent = jumper.position(text.format("-/j"))
    action = jumper.pointed(spent, at)
    assert action is not None
    assert spent.why_not(action) == "You have no jump left."
    # Counted row by row 1,1 is halfway between 0,3 and 1,3, though neither is beside it.
    aside = jumper.position("0,3/1,1 - P1 3/3 j/j 2")
    assert jumper.pointed(aside, ((1, 3),)) == jumper.action("1,3")


def test_a_wall_that_closes_a_way_can_be_pointed_at_and_the_refusal_says_whom_it_cuts_off() -> None:
    state = rookery.game("gaterun", size=3, walls=3).position("0,1/2,1 2,0|2,1;2,1|2,2 P1 2/2 -/- 2")
    action = state.game.pointed(state, ((1, 1), (2, 1)))
    assert action is not None
    assert state.why_not(action) == "That wall would leave the other player without a way to the other side."


def test_pointing_past_the_board_or_between_cells_that_are_not_neighbours_means_nothing() -> None:
    game = rookery.game("gaterun", size=3)
    state = game.start()
    for nothing in (
        (), ((3, 0),), ((0, 3),), ((-1, 0),), ((0, -1),), ((0, 0), (0, 2)), ((0, 0), (1, 1)), ((0, 0), (0, 0)),
        ((0, 2), (0, 3)), ((0, 2), (1, 0)), ((0, 0), (0, 1), (0, 2)), ((0, 0), (0, 1), (0, 0), (1, 0)),
    ):  # fmt: skip
        assert game.pointed(state, nothing) is None, nothing
    play(state, "1,1", "2,0", "1,2", "2,1", "2,2")
    assert state.over
    assert game.pointed(state, ((1, 1),)) is None


def test_an_achievement_is_the_result_and_then_its_length() -> None:
    game = rookery.game("gaterun", size=3, walls=0)
    state = game.start()
    assert game.achievement(state, 1) is None
    play(state, "1,1", "2,0", "2,1")
    won, lost = game.achievement(state, 1), game.achievement(state, 2)
    assert won is not None
    assert lost is not None
    assert (won.text, lost.text) == ("won in 3 moves", "lost after 3 moves")
    state = game.start()
    play(state, *["0,0", "2,0", "0,1", "2,1"] * 2)
    draw = game.achievement(state, 2)
    assert draw is not None
    assert draw == game.achievement(state, 1)
    assert draw.text == "draw after 8 moves"
    assert won.points > draw.points > lost.points
