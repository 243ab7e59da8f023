"""States: queries, play and undo; and a refused action leaves no changes, whatever the rules wrote."""

from __future__ import annotations

import types
from typing import Any

import numpy
import pytest

import rookery
from rookery.core.errors import IllegalAction, MalformedAction, PositionError
from rookery.core.rules import CHANCE, TURN
from rookery.core.state import State
from rookery.core.stream import Stream
from rookery.core.text_board import text_board
from rookery.games import BUILT_IN
from rookery.games.gamma import areas
from rookery.games.gamma import rules as gamma


def clumsy(refuse: bool) -> State:
    """GateRun with rules that write before they refuse an action or raise an error."""
    game = rookery.game("gaterun")
    kernel: Any = game.kernel
    rules = types.ModuleType("clumsy")
    rules.__dict__.update(vars(kernel))

    def legal(s: list[int], action: int) -> bool:
        s[TURN] = 77
        s[5] ^= 1
        return not refuse

    def perform(s: list[int], action: int) -> None:
        s[TURN] = 78
        raise ZeroDivisionError

    rules.legal = legal  # type: ignore[attr-defined]
    rules.perform = perform  # type: ignore[attr-defined]
    wrong = type("Wrong", (type(game),), {"kernel": rules})()
    return State(wrong, game.start().words)


def test_what_a_rule_wrote_before_refusing_is_taken_back() -> None:
    state = clumsy(refuse=True)
    before = list(state.words)
    with pytest.raises(IllegalAction):
        state.play(0)
    assert list(state.words) == before
    assert state.history == ()


def test_what_a_rule_wrote_before_falling_over_is_taken_back() -> None:
    state = clumsy(refuse=False)
    before = list(state.words)
    with pytest.raises(ZeroDivisionError):
        state.play(0)
    assert list(state.words) == before


def test_undo_at_the_start_is_refused() -> None:
    with pytest.raises(IllegalAction, match="There is nothing to undo"):
        rookery.game("gamma").start().undo()


def test_draw_is_for_chance_only() -> None:
    with pytest.raises(IllegalAction, match="It is not chance's turn in this position"):
        rookery.game("gaterun").start().draw(Stream())


def test_the_wrong_side_to_act_is_named() -> None:
    game = rookery.game("gotham")
    state = game.start()
    with pytest.raises(IllegalAction, match="It is player 1's turn, not chance's"):
        state.play(game.action("safe"))
    state.play(game.action("up"))
    assert state.turn == CHANCE
    with pytest.raises(IllegalAction, match="It is chance's turn, not a player's"):
        state.play(game.action("up"))
    with pytest.raises(IllegalAction, match="Gotham Loops has no action 99"):
        state.play(99)


def test_malformed_illegal_and_impossible_are_different_errors() -> None:
    game = rookery.game("gaterun")
    with pytest.raises(MalformedAction):
        game.action("north by north-west")
    with pytest.raises(IllegalAction):
        game.start().play(game.action("6,6"))
    with pytest.raises(PositionError):
        game.position("6,6")
    with pytest.raises(MalformedAction, match="GateRun has no action -1"):
        game.name_of(-1)


def test_before_gives_the_words_of_some_plies_ago() -> None:
    game = rookery.game("gaterun")
    state = game.start()
    start = list(state.words)
    state.play(game.action("1,3"))
    middle = list(state.words)
    state.play(game.action("5,3"))
    state_size = state.words.state_size
    assert state.before()[:state_size] == middle[:state_size]
    assert state.before(2)[:state_size] == start[:state_size]
    with pytest.raises(IllegalAction, match="2 plies have been played; cannot go back 3"):
        state.before(3)


def test_words_of_the_past_do_not_claim_to_know_what_was_found_out_later() -> None:
    game = rookery.game("gamma", width=4, height=1, areas=1)
    state = game.position("1.2. 1 - -")
    state.play(game.action("m 1 0"))
    areas.survey(state.words)
    assert not gamma.golden(state.before(), 1)
    assert gamma.golden(list(state.words), 1)


def test_numbers_of_numpy_become_plain_ones() -> None:
    game = rookery.game("sixseven", rows=2, cols=3, tiles=1)
    state = game.position(".,*,9000000000000000000/.,.,. 1 1")
    state.play(numpy.int64(game.action("0,0=9")))
    state.play(game.action("left"))
    assert state.json()["rows"][0][0] == "81000000000000000000"
    assert all(type(word) is int for word in state.words)


def test_a_state_shows_itself() -> None:
    state = rookery.game("gaterun", size=3).start()
    assert (
        repr(state)
        == "<State of GateRun(size=3, walls=8, walls2=None, jump=False, rotate=False): 0,1/2,1 - P1 8/8 -/- 0>"
    )
    assert str(state).splitlines()[3] == "0   .   1   ."


def test_states_of_different_games_never_share_a_key() -> None:
    assert rookery.game("gaterun", size=5).start().key() != rookery.game("gaterun", size=5, jump=True).start().key()


def test_finished_games_play_the_same_if_they_came_out_the_same() -> None:
    game = rookery.game("gaterun", size=3, walls=0)
    one, other = game.start(), game.start()
    for texts, state in ((("0,0", "2,0", "1,0", "2,1", "2,0"), one), (("1,1", "2,0", "2,1"), other)):
        for text in texts:
            state.play(game.action(text))
    assert one.over
    assert other.over
    assert one.key() == other.key()


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_state_that_was_packed_has_the_same_future_and_the_same_past(name: str) -> None:
    state, stream = rookery.game(name).start(), Stream(8)
    for _ in range(30):
        if not state.over:
            state.play(state.draw(stream) if state.turn == CHANCE else state.pick(stream))
    packed = state.packed()
    assert all(type(each) is int for each in packed.words)
    twin = State.unpacked(state.game, packed)
    assert (twin.key(), twin.history, twin.origin) == (state.key(), state.history, state.origin)
    played = state.ply
    while twin.history:
        twin.undo()
    assert twin.key() == state.game.start().key()
    assert state.ply == played > 0, "both share a history"


def test_the_text_board_explains_signs_in_the_game_s_words() -> None:
    game = rookery.game("gotham", size=3)
    state = game.start()
    for name in ("up", "caught"):
        state.play(game.action(name))
    assert "x caught" in str(state)
    assert "x failed" in text_board(state.scene())
