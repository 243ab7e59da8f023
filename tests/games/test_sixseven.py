"""67!: every example of the rules, in all variants, directions and axes; exact values; where tiles go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.sixseven import slide_line, slide_line_to_end

import rookery
from rookery.core.errors import IllegalAction, PositionError
from rookery.core.game import Achievement
from rookery.core.rules import LEFT
from rookery.core.state import State
from rookery.core.stream import Stream
from rookery.games.sixseven import rules

VARIANTS = ("original", "modified", "pairs", "final")


def slid(line: str, direction: str, variant: str) -> str:
    """A line, as text, after a slide; along a row for left and right, a column for up and down."""
    tiles = line.split()
    upright = direction in ("up", "down")
    # A second line that cannot move by itself keeps the board from being stuck or empty.
    board = [[tile, "."] for tile in tiles] if upright else [tiles, ["."] * len(tiles)]
    text = "/".join(",".join(row) for row in board).replace("_", ".") + " 0 1"
    game = rookery.game("sixseven", rows=len(board), cols=len(board[0]), variant=variant)
    state = game.position(text)
    if state.legal(game.action(direction)):
        state.play(game.action(direction))
    rows = state.json()["rows"]
    return " ".join(row[0] for row in rows).replace(".", "_") if upright else " ".join(rows[0]).replace(".", "_")


EXAMPLES = [
    # line, slid to the left or up, slid to the right or down; None where the rules give no example
    ("1 + 2 + 3", "3 + 3 _ _", None, VARIANTS),
    ("5 - 9 - 3", None, "_ _ 5 - 6", VARIANTS),
    ("5 - 4", "1 _ _", "_ _ 1", VARIANTS),
    ("_ 1 + 2 _", "3 _ _ _ _", "_ _ _ _ 3", VARIANTS),
    ("1 + 2 3", "3 3 _ _", "_ _ 3 3", VARIANTS),
    ("8 + _ 0", "8 + 0 _", "_ 8 + 0", ("original",)),
    ("8 + _ 0", "8 _ _ _", "_ _ _ 8", ("modified", "pairs", "final")),
    ("+ + + +", "+ + + +", "+ + + +", ("original", "modified")),
    ("+ + + +", "+ + _ _", "_ _ + +", ("pairs",)),
    ("+ + + +", "+ _ _ _", "_ _ _ +", ("final",)),
    ("+ + +", "+ + _", "_ + +", ("pairs",)),
    ("3 * * 4", "12 _ _ _", "_ _ _ 12", ("pairs", "final")),
    ("3 * * 4", "3 * * 4", "3 * * 4", ("original", "modified")),
    ("+ - + -", "+ - + -", "+ - + -", VARIANTS),
    ("2 * 3 + 4 - 5", "6 + -1 _ _ _ _", "_ _ _ _ 6 + -1", VARIANTS),
    ("2 - -3", "5 _ _", "_ _ 5", VARIANTS),
    ("1 + _ 2 - 3", "1 + -1 _ _ _", "_ _ _ 1 + -1", ("original",)),
    ("1 + _ 2 - 3", "3 - 3 _ _ _", "_ _ _ 1 + -1", ("modified", "pairs", "final")),
    ("7 8 9", "7 8 9", "7 8 9", VARIANTS),
]


@pytest.mark.parametrize(
    ("line", "front", "back", "variant"),
    [(line, front, back, variant) for line, front, back, variants in EXAMPLES for variant in variants],
)
def test_examples_in_all_directions(line: str, front: str | None, back: str | None, variant: str) -> None:
    for directions, expected in ((("left", "up"), front), (("right", "down"), back)):
        for direction in directions:
            if expected is not None:
                assert slid(line, direction, variant) == expected, direction


TILE = st.one_of(st.sampled_from("____+-*+-*"), st.integers(-99, 99).map(str), st.integers(0, 9).map(str))


@given(st.lists(TILE, min_size=2, max_size=20), st.sampled_from(VARIANTS))
def test_any_line_slides_as_the_oracle_says(tiles: list[str], variant: str) -> None:
    if set(tiles) <= {"_"} or "67" in tiles:
        return
    parsed: list[int | str | None] = [None if t == "_" else t if t in "+-*" else int(t) for t in tiles]
    for directions, oracle in ((("left", "up"), slide_line), (("right", "down"), slide_line_to_end)):
        expected = " ".join("_" if tile is None else str(tile) for tile in oracle(list(parsed), variant))
        for direction in directions:
            assert slid(" ".join(tiles), direction, variant) == expected


def test_values_are_exact_however_large() -> None:
    game = rookery.game("sixseven", rows=2, cols=3, tiles=1)
    big = 10**40 + 7
    state = game.position(f"{big},*,{big}/.,.,. 0 1")
    state.play(game.action("left"))
    assert state.json()["rows"][0][0] == str(big * big)
    huge = 10**5000
    words = list(state.words)
    words[rules.TILE] = rules.number(huge)
    again = game.position(State(game, words).position())
    assert again.words[rules.TILE] == rules.number(huge)
    assert "…" in str(again) or "e" in str(again)


def test_compiled_values_stay_within_their_limit_and_agree_below_it() -> None:
    game = rookery.game("sixseven", rows=2, cols=3)
    limit = rules.MACHINE_LIMIT
    state = game.position(f"99999,*,99999/-99999,*,{limit - 1} 0 1")
    words = game.compiled_words(state)
    rules.slide(words, LEFT)
    assert rules.value_of(words[rules.TILE]) == limit
    assert rules.value_of(words[rules.TILE + 3]) == -limit


def test_a_67_wins_and_nothing_appears_after_it() -> None:
    game = rookery.game("sixseven", rows=2, cols=3)
    state = game.position("60,+,7/.,.,. 0 9")
    state.play(game.action("left"))
    assert state.over
    assert state.winners() == (1,)
    assert state.scene().message == "67! Won in 10 moves."


def test_no_slide_left_loses_and_counts_one_move_more() -> None:
    game = rookery.game("sixseven", rows=2, cols=2, tiles=1)
    state = game.position("1,2/3,. 1 4")
    state.play(game.action("1,1=4"))
    assert state.over
    assert state.winners() == ()
    assert rules.moves(state.words, state.words[rules.SLIDES]) == 5


def test_a_slide_that_changes_nothing_is_illegal() -> None:
    game = rookery.game("sixseven", rows=2, cols=3)
    state = game.position("1,2,./3,.,. 0 1")
    with pytest.raises(IllegalAction, match="Nothing would move: sliding left changes no tile"):
        state.play(game.action("left"))


def test_a_tile_appears_on_an_empty_cell_only() -> None:
    game = rookery.game("sixseven", rows=2, cols=3)
    state = game.position("1,2,./3,.,. 0 1")
    state.play(game.action("right"))
    with pytest.raises(IllegalAction, match=r"That cell is not empty\."):
        state.play(game.action("0,2=4"))


def test_a_start_has_as_many_tiles_as_asked_for_or_all_there_is_room_for() -> None:
    for tiles, expected in ((1, 1), (3, 3), (4, 4), (9, 4)):
        state: State = rookery.game("sixseven", rows=2, cols=2, tiles=tiles).start()
        plies = 0
        while state.turn == 0:
            state.play(state.chances()[0][0])
            plies += 1
        assert plies == expected


def test_rates_and_operators_set_the_odds_of_new_tiles() -> None:
    game = rookery.game("sixseven", rows=2, cols=2, operators="*-", rate=0.67)
    odds = {game.name_of(outcome): weight for outcome, weight in game.start().chances()}
    assert len(odds) == 4 * 12
    assert odds["0,0=7"] == pytest.approx(0.33 / 40, rel=1e-12)
    assert odds["1,1=*"] == pytest.approx(0.67 / 8, rel=1e-12)
    assert "0,0=+" not in odds
    for rate, kinds in ((0.0, set("0123456789")), (1.0, set("+-*"))):
        only = rookery.game("sixseven", rows=2, cols=2, rate=rate)
        assert {only.name_of(outcome)[-1] for outcome, _ in only.start().chances()} == kinds


def test_draws_follow_the_odds() -> None:
    game = rookery.game("sixseven", rows=2, cols=2, operators="+*", rate=0.8)
    state, stream, counts = game.start(), Stream(5), dict[int, int]()
    for _ in range(40_000):
        outcome = state.draw(stream)
        counts[outcome] = counts.get(outcome, 0) + 1
    for outcome, weight in state.chances():
        spread = (40_000 * weight * (1 - weight)) ** 0.5
        assert abs(counts.get(outcome, 0) - 40_000 * weight) < 5 * spread


def test_the_scene_tells_where_every_tile_went() -> None:
    game = rookery.game("sixseven", rows=2, cols=5)
    state = game.position(".,1,+,2,5/.,.,.,.,- 0 1")
    state.play(game.action("left"))
    motions = {(motion.start, motion.end) for motion in state.scene().motions}
    assert motions == {
        ((0, 1), (0, 0)), ((0, 2), (0, 0)), ((0, 3), (0, 0)), ((0, 4), (0, 1)), ((1, 4), (1, 0)),
    }  # fmt: skip
    state.play(game.action("0,4=7"))
    assert {(motion.start, motion.end) for motion in state.scene().motions} == motions
    assert state.scene().cell(0, 4).marks[0].role == "new"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".,./.,. 0 0", "The board cannot be empty when no tile is to appear."),
        ("1,2,3/.,.,. 0 0", "The board must have 2 rows of 2 tiles."),
        ("1,x/.,. 0 0", "'x' is not a tile: write a number, +, -, * or . for none."),
        ("1,007/.,. 0 0", "'007' is not a tile: write a number, +, -, * or . for none."),
        ("1,*/.,. 0 0", "The operator * is not in this game, which has + -."),
        ("1,2/3,4 1 0", "The number of tiles to appear must be a whole number from 0 to 0, not 1."),
        ("1,2/.,. 3 0", "The number of tiles to appear must be a whole number from 0 to 2, not 3."),
        ("67,./.,. 1 5", "A 67 wins the game: a slide must have made it, and no tile is to appear."),
        ("67,./.,. 0 0", "A 67 wins the game: a slide must have made it, and no tile is to appear."),
    ],
)
def test_impossible_positions_are_refused(text: str, message: str) -> None:
    with pytest.raises(PositionError) as caught:
        rookery.game("sixseven", rows=2, cols=2, operators="+-").position(text)
    assert str(caught.value) == message


def test_a_win_is_a_better_achievement_than_any_loss_and_the_sooner_the_better() -> None:
    game = rookery.game("sixseven", rows=2, cols=3)

    def achieved(board: str, slides: int) -> Achievement:
        found = game.achievement(game.position(f"{board} 0 {slides}"), 1)
        assert found is not None
        return found

    soon, late = achieved("67,.,./.,.,.", 1), achieved("67,.,./.,.,.", 500)
    held_out, stuck = achieved("1,2,3/4,5,6", 4000), achieved("1,2,3/4,5,6", 3)
    assert [each.text for each in (soon, late, held_out, stuck)] == [
        "won in 1 move", "won in 500 moves", "lost after 4000 moves", "lost after 3 moves",
    ]  # fmt: skip
    assert soon.points > late.points > held_out.points > stuck.points
    assert game.achievement(game.position("1,2,./4,5,6 0 3"), 1) is None


def test_there_is_nothing_to_point_at() -> None:
    state = rookery.game("sixseven", rows=2, cols=2).position("1,2/.,. 0 1")
    assert state.turn == 1
    assert all(state.game.pointed(state, ((row, col),)) is None for row in range(2) for col in range(2))
