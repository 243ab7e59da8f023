"""Gamma: areas, golden moves and the known pitfalls, on boards drawn as text; turn play; boards of millions of cells."""

from __future__ import annotations

import math
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.gamma import Board

import rookery
from rookery.core.errors import IllegalAction, PositionError
from rookery.core.game import Achievement
from rookery.core.stream import Stream
from rookery.games.gamma import areas, board, rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rookery.core.state import State


def drawn(board: str, areas: int, turn: int = 1, players: int = 2, spent: str = "-") -> State:
    """A position from a board drawn with the top row first."""
    rows = board.split()
    game = rookery.game("gamma", width=len(rows[0]), height=len(rows), players=players, areas=areas)
    return game.position(f"{'/'.join(rows)} {turn} {spent} -")


def names(state: State, letter: str) -> set[str]:
    return {name[2:] for name in map(state.game.name_of, state.actions()) if name[0] == letter}


def play(state: State, *texts: str) -> None:
    for text in texts:
        state.play(state.game.action(text))


def test_columns_are_counted_from_the_left_and_rows_from_the_bottom() -> None:
    state = rookery.game("gamma", width=3, height=2).start()
    play(state, "m 2 0")
    assert state.json()["rows"] == ["...", "..1"]


def test_with_all_areas_in_use_only_cells_next_to_them_are_free() -> None:
    state = drawn("1... .... ...2", areas=1)
    assert names(state, "m") == {"1 2", "0 1"}
    assert rules.free(state.words, 1) == 2
    with pytest.raises(IllegalAction, match=r"You may have 1 area at most, and that cell would start one more\."):
        play(state, "m 3 2")


def test_a_golden_move_may_not_split_the_victim_over_the_limit() -> None:
    state = drawn("1.. 222 ...", areas=1)
    assert names(state, "g") == {"0 1"}
    with pytest.raises(IllegalAction, match=r"You may have 1 area at most, and that cell would start one more\."):
        play(state, "g 1 1")
    state = drawn(".1. 222 ...", areas=1)
    assert names(state, "g") == set()
    with pytest.raises(IllegalAction, match="Without that cell its owner would have more than 1 area"):
        play(state, "g 1 1")


def test_an_area_with_a_cycle_is_not_split_by_losing_a_cell_of_it() -> None:
    """The pitfall of the original: the split must be counted with the taken cell gone."""
    ring = drawn("1222 .2.2 .222", areas=1)
    assert names(ring, "g") == {"1 2"}
    play(ring, "g 1 2")
    assert ring.json()["rows"] == ["1122", ".2.2", ".222"]
    assert ring.words[ring.words[board.AREAS] + 2] == 1


@pytest.mark.parametrize(
    ("board", "areas", "expected"),
    [
        ("222. 2.2. 2222 ...1", 1, {"3 1"}),
        ("222. 2.21 2222 ....", 1, {"2 2", "3 1"}),
        ("222. 2.2. 2222 ..1.", 1, set()),
        ("222. 2.2. 2222 .11.", 2, {"0 1", "1 1", "2 1", "3 1", "0 2", "2 2", "0 3", "1 3", "2 3"}),
        (".2. 212 .2.", 4, {"1 0", "0 1", "2 1", "1 2"}),
        ("2.2 222 212", 1, {"0 0", "2 0"}),
    ],
)
def test_a_ring_with_a_tail_is_split_only_where_the_tail_begins(board: str, areas: int, expected: set[str]) -> None:
    assert names(drawn(board, areas), "g") == expected


def test_each_player_has_one_golden_move_and_a_refused_one_keeps_the_right() -> None:
    state = drawn("12.", areas=2)
    with pytest.raises(IllegalAction, match=r"A golden move takes a cell of another player; that one is your own\."):
        play(state, "g 0 0")
    with pytest.raises(IllegalAction, match=r"A golden move takes a cell of another player; that one is free\."):
        play(state, "g 2 0")
    play(state, "g 1 0", "pass")
    with pytest.raises(IllegalAction, match="You have made your golden move already; there is one for each player"):
        play(state, "g 0 0")


def test_taking_the_last_cell_of_a_player_leaves_it_without_areas() -> None:
    state = drawn("12.", areas=1)
    play(state, "g 1 0")
    assert state.scores() == (2, 0)
    assert state.words[state.words[board.AREAS] + 2] == 0
    assert state.turn == 2, "player 2 may start a new area"


def test_players_who_cannot_act_are_skipped_and_come_back() -> None:
    """Player 2 is walled in and at its limit, so player 1 goes on; losing its only cell, player 2 may start anew."""
    state = drawn("21...", areas=1, spent="2")
    play(state, "m 2 0")
    assert state.turn == 1
    play(state, "g 0 0")
    assert state.turn == 2
    assert names(state, "m") == {"3 0", "4 0"}


def test_the_game_ends_when_all_who_can_act_pass_in_a_row() -> None:
    state = rookery.game("gamma", width=3, height=3, players=3).start()
    play(state, "pass", "pass", "m 0 0", "pass", "pass")
    assert not state.over
    play(state, "pass")
    assert state.over
    assert state.winners() == (3,)
    assert state.scene().message == "Player 3 wins with 1 cell."


def test_equal_best_is_a_draw_between_those_players() -> None:
    state = rookery.game("gamma", width=2, height=1, players=3, areas=1).start()
    play(state, "m 0 0", "m 1 0", "pass", "pass", "pass")
    assert state.over
    assert state.winners() == (1, 2)
    assert state.scene().message == "A draw between Player 1 and Player 2, with 1 cell each."


def test_one_player_alone_plays_until_the_board_is_full() -> None:
    state = rookery.game("gamma", width=2, height=1, players=1, areas=1).start()
    play(state, "m 0 0", "m 1 0")
    assert state.over
    assert state.winners() == (1,)


def test_ten_players_are_written_in_brackets() -> None:
    game = rookery.game("gamma", width=2, height=1, players=12, areas=1)
    state = game.position("(12)1 2 - -")
    assert state.position() == "(12)1 2 - -"
    assert state.scores()[11] == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1.1/... 1 - -", "Player 1 has 2 areas, more than the 1 allowed."),
        ("../.. 1 - -", "The board must have 2 rows of 3 cells."),
        ("3../... 1 - -", "Player 3 is on the board, but the game has 2."),
        ("1x./... 1 - -", "'1x.' is not a row: write . for a free cell, 1 to 9, or (12) for a player."),
        ("(1)../... 1 - -", "'(1)..' is not a row: write . for a free cell, 1 to 9, or (12) for a player."),
        ("1../... 3 - -", "The turn must be a whole number from 1 to 2, not 3."),
        ("1../... over - -", "The game is not over: player 1 can still act."),
        ("111/111 2 1,2 -", "It cannot be player 2's turn, as it can do nothing."),
        ("1../... 1 3 -", "A player whose golden move is spent must be a whole number from 1 to 2, not 3."),
        ("1../... 1 1,1 -", "Player 1's golden move is spent twice."),
        ("1../... 1 - 1", "It cannot be player 1's turn again: all have passed, and the game is over."),
        ("111/111 over 1,2 2", "Player 2 cannot have passed, as it can do nothing."),
    ],
)  # fmt: skip
def test_impossible_positions_are_refused(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        rookery.game("gamma", width=3, height=2, areas=1).position(text)
    assert str(caught.value) == message


@given(st.integers(2, 12), st.integers(2, 12), st.integers(1, 3), st.integers(0, 2**32))
def test_what_a_loss_would_split_is_the_same_by_search_and_by_flood(
    width: int, height: int, spare: int, seed: int
) -> None:
    """Two ways to the same answer: the depth-first search over the whole board and the flood around one cell."""
    stream = Stream(seed)
    config = (width, height, 2, width * height, 0)
    words = [0] * rules.size(config)
    rules.start(words, config)
    oracle = Board(width, height, 2, width * height)
    for cell in range(width * height):
        owner = stream.below(3)
        if owner:
            rules.move(words, owner, board.place_of(words, cell))
            oracle.owner[cell % width, cell // width] = owner
    words[board.LIMIT] = oracle.areas = spare + max(words[words[board.AREAS] + player] for player in (1, 2)) - 1
    areas.survey(words)
    cuts = areas.cuts_of(words)
    for cell in range(width * height):
        place = board.place_of(words, cell)
        if words[words[board.OWNER] + place]:
            parts, arcs = areas.parts(words, place), areas.arcs(words, place)
            assert words[cuts + place] == parts
            assert parts <= arcs, "a loss leaves more parts than there are ends around it"
            assert parts == arcs or arcs > 1
    for player in (1, 2):
        assert rules.golden(words, player) == oracle.golden_possible(player)


@pytest.mark.parametrize(
    ("drawing", "arcs", "parts"),
    [
        ("... .2. ...", 0, 0),
        (".2. .2. ...", 1, 1),
        ("222 222 222", 1, 1),
        ("222 222 22.", 1, 1),
        ("22. 222 .22", 2, 2),
        (".2. 222 .2.", 4, 4),
        ("2.2 222 2.2", 2, 2),
        ("222. 2.2. 2222 ....", 2, 1),
    ],
)
def test_what_a_loss_would_split_seen_from_close_by(drawing: str, arcs: int, parts: int) -> None:
    """Of the cell in column 1, row 1; the parts may be joined where they are not seen from it."""
    state = drawn(drawing, areas=4)
    place = board.place_of(state.words, len(drawing.split()[0]) + 1)
    assert areas.arcs(state.words, place) == arcs
    assert areas.parts(state.words, place) == parts


def random_positions(options: dict[str, int], seed: int) -> Iterator[State]:
    """The positions of a game in which nobody passes."""
    state, stream = rookery.game("gamma", **options).start(), Stream(seed)
    while not state.over:
        yield state
        state.play(stream.pick(state.actions()[:-1]))


def assert_picks_are_fair(state: State, draws: int, seed: int = 0) -> None:
    """Every action but the pass is picked, and how often they are differs no more than chance makes it."""
    stream, expected = Stream(seed), state.actions()[:-1]
    picked = Counter(state.pick(stream) for _ in range(draws * len(expected)))
    assert set(picked) == set(expected)
    spread = sum((count - draws) ** 2 / draws for count in picked.values())
    freedom = len(expected) - 1
    assert spread <= freedom + 6 * math.sqrt(2 * freedom), f"{state.position()}: {picked}"


@pytest.mark.parametrize(
    "options",
    [
        {"width": 1, "height": 1},
        {"width": 3, "height": 1},
        {"width": 1, "height": 9, "areas": 2},
        {"width": 4, "height": 4, "players": 3, "areas": 1},
        {"width": 6, "height": 5, "players": 2, "areas": 2},
        {},
    ],
    ids=str,
)
def test_every_move_and_golden_move_is_picked_equally_often(options: dict[str, int]) -> None:
    for seed in range(3):
        for ply, state in enumerate(random_positions(options, seed)):
            if options or ply % 10 == 3 * seed or ply > 90:
                assert_picks_are_fair(state, draws=50, seed=ply)


@pytest.mark.parametrize(
    ("board", "areas", "spent", "expected"),
    [
        # Nearly full: few cells to find, with and without the areas for all of them.
        ("1212112122 2112212211 12121.2112 2121212.21", 40, "1,2", {"m 5 1", "m 7 0"}),
        ("111111222222 111111222222 111.112222.2", 1, "1,2", {"m 3 0"}),
        ("111111222222 111111222222 11111.2222.2", 1, "2", {"m 5 0", "g 6 1", "g 6 2"}),
        # Only a golden move is left: on the end of a chain, on a ring, on the only cell.
        ("1222222", 1, "-", {"g 1 0"}),
        ("12222 12.22 12222", 1, "2", {"g 1 0", "g 1 1", "g 1 2"}),
        ("12", 1, "-", {"g 1 0"}),
        # A chain can lose only its ends, though all of it is within reach.
        ("2222222222 2111111112 211111111.", 1, "2", {"m 9 0", "g 0 0", "g 9 1"}),
    ],
)  # fmt: skip
def test_picking_finds_the_last_few_actions(board: str, areas: int, spent: str, expected: set[str]) -> None:
    state = drawn(board, areas, spent=spent)
    assert {state.game.name_of(action) for action in state.actions()[:-1]} == expected
    assert_picks_are_fair(state, draws=200)


def test_picks_depend_on_the_position_alone() -> None:
    """Neither the way there counts nor what was found out about the position before."""
    for state in random_positions({"width": 5, "height": 5, "players": 3, "areas": 1}, 6):
        composed, surveyed = state.game.position(state.position()), state.copy()
        areas.survey(surveyed.words)
        streams = [Stream(1) for _ in range(3)]
        for _ in range(20):
            picks = {each.pick(stream) for each, stream in zip((state, composed, surveyed), streams, strict=True)}
            assert len(picks) == 1
        assert streams[0].words == streams[1].words == streams[2].words


BIG = """
import re
from pathlib import Path
import rookery
from rookery.games.gamma import board, rules
game = rookery.game("gamma", width=2000, height=2000, players=1000, areas=1)
state = game.start()
words = state.words
for x in range(1500):
    for y in (0, 1):
        place = board.place_of(words, y * 2000 + x)
        assert rules.may_move(words, 7, place)
        rules.move(words, 7, place)
rules.move(words, 1000, board.place_of(words, 2 * 2000))
print(rules.busy(words, 7), rules.free(words, 7), rules.golden(words, 1000), rules.free(words, 1))
state.play(game.action("m 1999 1999"))
state.undo()
# Not getrusage, which counts what the process had before it became this program.
print(state.turn, int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) // 1024)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the memory used from /proc")
def test_four_million_cells_and_a_thousand_players_fit() -> None:
    done = subprocess.run([sys.executable, "-c", BIG], capture_output=True, text=True, check=True)
    answers, after = done.stdout.splitlines()
    # The border of a 1500×2 strip on the ground: its end, and the top less the cell player 1000 took.
    assert answers == "3000 1501 True 3996999"
    turn, megabytes = map(int, after.split())
    assert turn == 1
    assert megabytes < 700


@pytest.mark.parametrize(
    ("spot", "meant", "refusal"),
    [
        ((1, 1), "m 1 1", None),
        ((0, 1), "g 1 2", None),
        ((0, 0), "m 0 2", "That cell is yours already."),
        ((2, 2), "m 2 0", "You may have 1 area at most, and that cell would start one more."),
        ((0, 2), "g 2 2", "You may have 1 area at most, and that cell would start one more."),
    ],
)
def test_pointing_at_a_cell_takes_it_by_a_move_or_else_by_the_golden_move(
    spot: tuple[int, int], meant: str, refusal: str | None
) -> None:
    state = drawn("122 1.. ...", areas=1)
    action = state.game.pointed(state, (spot,))
    assert action == state.game.action(meant)
    assert (None if state.legal(action) else state.why_not(action)) == refusal


def test_pointing_past_the_board_or_at_an_edge_means_nothing_in_gamma() -> None:
    state = drawn("12. ...", areas=1)
    for nothing in (((2, 0),), ((0, 3),), ((-1, 0),), ((0, -1),), (), ((0, 0), (0, 1))):
        assert state.game.pointed(state, nothing) is None
    play(state, "pass", "pass")
    assert state.over
    assert state.game.pointed(state, ((0, 0),)) is None


def test_a_cell_of_somebody_else_is_named_as_such() -> None:
    state = drawn("12.", areas=2)
    assert state.why_not(state.game.action("m 1 0")) == "That cell belongs to another player."


@pytest.mark.parametrize(
    ("board", "achievements"),
    [
        ("11 12", [Achievement(2, "won by 2 cells"), Achievement(-2, "lost by 2 cells")]),
        ("11 22", [Achievement(0, "draw with 2 cells"), Achievement(0, "draw with 2 cells")]),
        (
            "112 233 333",
            [Achievement(-3, "lost by 3 cells"), Achievement(-3, "lost by 3 cells"), Achievement(3, "won by 3 cells")],
        ),
        (
            "122 133 333",
            [Achievement(-3, "lost by 3 cells"), Achievement(-3, "lost by 3 cells"), Achievement(3, "won by 3 cells")],
        ),
        (
            "112 222 112",
            [Achievement(-1, "lost by 1 cell"), Achievement(1, "won by 1 cell"), Achievement(-5, "lost by 5 cells")],
        ),
        ("11 11", [Achievement(4, "4 cells")]),
    ],
)
def test_an_achievement_is_the_lead_over_the_best_of_the_others_and_alone_the_cells(
    board: str, achievements: list[Achievement]
) -> None:
    rows, players = board.split(), len(achievements)
    game = rookery.game("gamma", width=len(rows[0]), height=len(rows), players=players, areas=4)
    spent = ",".join(str(player) for player in range(1, players + 1))
    state = game.position(f"{'/'.join(rows)} over {spent} -")
    assert [game.achievement(state, player) for player in range(1, players + 1)] == achievements
    assert game.achievement(game.start(), 1) is None
