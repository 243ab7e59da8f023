"""The rules compared with slow oracles in random games on unusual boards, each action and outcome by name."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest

import rookery
from rookery.core.errors import RookeryError
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from tests.oracles import Oracle
from tests.oracles.gamma import Gamma
from tests.oracles.gaterun import GateRun
from tests.oracles.gotham import Gotham
from tests.oracles.sixseven import SixSeven
from tests.tiers import mostly_slow

if TYPE_CHECKING:
    from collections.abc import Callable

    from rookery.core.state import State


def follow(state: State, oracle: Oracle, stream: Stream, plies: int = 600) -> int:
    """Play one random game by the rules and the oracle, compare everything at every ply, and return the plies."""
    name_of = state.game.name_of
    for ply in range(plies):
        assert state.turn == oracle.turn, state.position()
        assert state.scores() == oracle.scores(), state.position()
        actions = state.actions()
        assert {name_of(action) for action in actions} == oracle.actions(), state.position()
        chances = {name_of(outcome): weight for outcome, weight in state.chances()}
        expected = oracle.chances()
        assert chances.keys() == expected.keys(), state.position()
        for name, weight in chances.items():
            assert weight == pytest.approx(float(expected[name]), rel=1e-12), (state.position(), name)
        if state.over:
            return ply
        action = state.draw(stream) if state.turn == CHANCE else stream.pick(actions)
        state.play(action)
        oracle.play(name_of(action))
    return plies


def pick(stream: Stream, *items: str) -> str:
    return stream.pick(items)


def gotham(stream: Stream) -> tuple[State, Oracle]:
    size, coins, rules = 3 + 2 * stream.below(5), 1 + stream.below(4), pick(stream, "table", "online", "app")
    return rookery.game("gotham", size=size, coins=coins, rules=rules).start(), Gotham(
        size=size, coins=coins, rules=rules
    )


def gamma(stream: Stream) -> tuple[State, Oracle]:
    width, height, players, areas = 1 + stream.below(6), 1 + stream.below(6), 1 + stream.below(4), 1 + stream.below(4)
    game = rookery.game("gamma", width=width, height=height, players=players, areas=areas)
    return game.start(), Gamma(width=width, height=height, players=players, areas=areas)


def sixseven(stream: Stream) -> tuple[State, Oracle]:
    rows, cols, tiles = 2 + stream.below(5), 2 + stream.below(5), 1 + stream.below(4)
    variant = pick(stream, "original", "modified", "pairs", "final")
    operators = pick(stream, "+", "-", "*", "+-", "-*", "+-*", "*+")
    rate = pick(stream, "0.5", "0.67", "0.123456789", "0.9")
    shape = {"rows": rows, "cols": cols, "tiles": tiles}
    game = rookery.game("sixseven", variant=variant, operators=operators, rate=float(rate), **shape)
    return game.start(), SixSeven(variant=variant, operators=operators, rate=Fraction(rate), **shape)


def gaterun(stream: Stream) -> tuple[State, Oracle]:
    size, walls, walls2 = 3 + stream.below(5), stream.below(9), stream.below(9)
    jump, rotate = stream.below(2) == 1, stream.below(2) == 1
    game = rookery.game("gaterun", size=size, walls=walls, walls2=walls2, jump=jump, rotate=rotate)
    return game.start(), GateRun(size=size, walls=walls, walls2=walls2, jump=jump, rotate=rotate)


@pytest.mark.parametrize(
    ("pair", "games"),
    [(gotham, 150), (gamma, 125), (sixseven, 40), (gaterun, 20)],
    ids=lambda x: getattr(x, "__name__", ""),
)
@pytest.mark.parametrize("part", mostly_slow(range(8)))
def test_random_games_agree_with_the_oracle(
    pair: Callable[[Stream], tuple[State, Oracle]], games: int, part: int
) -> None:
    plies = 0
    for index in range(games):
        stream = Stream(67 + part, index)
        plies += follow(*pair(stream), stream)
    assert plies > games


def test_a_board_that_has_won_is_seen_by_both() -> None:
    """Random games rarely win, so a few are steered: the test chooses the tiles that make 67."""
    wins = 0
    for variant in ("original", "modified", "pairs", "final"):
        game = rookery.game("sixseven", rows=2, cols=5, variant=variant, tiles=3)
        state, oracle = game.start(), SixSeven(rows=2, cols=5, variant=variant, tiles=3)
        for name in ("0,0=7", "0,1=*", "0,2=9", "left", "0,1=+", "0,2=4", "1,4=1", "left"):
            state.play(game.action(name))
            oracle.play(name)
        assert state.over
        assert oracle.turn == -1
        assert state.scores() == oracle.scores() == (1,)
        wins += 1
    assert wins == 4


def test_positions_met_in_random_games_can_be_taken_up_by_the_oracle() -> None:
    """A GateRun position read from text plays like an oracle set up by hand."""
    for index in range(40):
        stream = Stream(5, index)
        game = rookery.game("gaterun", size=5, walls=3, jump=True, rotate=True)
        state = game.start()
        while not state.over and len(state.history) < 12:
            state.play(stream.pick(state.actions()))
        if state.over:
            continue
        fields = state.json()
        state = game.position({**fields, "past": []})
        walls = [tuple(tuple(map(int, cell.split(","))) for cell in name.split("|")) for name in fields["walls"]]
        oracle = GateRun.at(
            5,
            tuple(fields["pawns"][0]),
            tuple(fields["pawns"][1]),
            walls,  # type: ignore[arg-type]
            fields["turn"],
            left=tuple(fields["left"]),
            jump=tuple(fields["jump"]),
            rotate=tuple(fields["rotate"]),
            plies=fields["ply"],
        )
        follow(state, oracle, stream)


def test_refusals_are_the_same_on_both_sides() -> None:
    stream = Stream(9)
    game = rookery.game("gaterun", size=4, walls=4)
    state, oracle = game.start(), GateRun(size=4, walls=4)
    refused = 0
    for _ in range(3000):
        if state.over:
            state, oracle = game.start(), GateRun(size=4, walls=4)
        action = stream.below(game.action_count)
        name = game.name_of(action)
        try:
            state.play(action)
        except RookeryError:
            refused += 1
            with pytest.raises(ValueError):  # noqa: PT011 - the oracle's refusals carry no words
                oracle.play(name)
        else:
            oracle.play(name)
        assert state.turn == oracle.turn
    assert 500 < refused < 2900
