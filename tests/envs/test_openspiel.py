"""The games as OpenSpiel's: its own test of the interface, and its algorithms run on them."""

from __future__ import annotations

import pickle
from typing import Any

import numpy
import pytest

pyspiel: Any = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import expected_game_score, mcts, minimax  # noqa: E402
from open_spiel.python.observation import make_observation  # noqa: E402
from open_spiel.python.policy import UniformRandomPolicy  # noqa: E402

from rookery.core.errors import RookeryError  # noqa: E402
from rookery.core.stream import Stream  # noqa: E402
from rookery.envs import openspiel  # noqa: E402
from rookery.games import BUILT_IN  # noqa: E402

GAMES = [
    "rookery_gaterun",
    "rookery_gaterun(size=4,walls=3,walls2=1,jump=True,rotate=True)",
    "rookery_gamma(width=5,height=4)",
    "rookery_gamma(width=4,height=3,players=4,areas=1)",
    "rookery_sixseven(rows=4,cols=3)",
    "rookery_sixseven(rows=3,cols=3,variant=final,operators=pt,rate=0.67,tiles=1)",
    "rookery_sixseven(rows=3,cols=3,operators=p)",
    "rookery_gotham(size=5)",
    "rookery_gotham(level=trey,rules=online,size=5,coins=1)",
]


@pytest.mark.parametrize("name", GAMES)
def test_openspiels_own_test(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=5, serialize=True, verbose=False)


def test_all_games_are_there_once() -> None:
    openspiel.register()
    names = [name for name in pyspiel.registered_names() if name.startswith("rookery_")]
    assert sorted(names) == sorted(f"rookery_{name}" for name in BUILT_IN)


@pytest.mark.parametrize("name", GAMES)
def test_it_goes_as_the_game(name: str) -> None:
    game = pyspiel.load_game(name)
    ours, theirs, picks = game.game.start(), game.new_initial_state(), Stream(3)
    observer = make_observation(game)
    first = ours.game.action_count
    for _ in range(200):
        if ours.over:
            break
        if ours.turn == 0:
            assert theirs.is_chance_node()
            assert theirs.chance_outcomes() == [(code - first, chance) for code, chance in ours.chances()]
            assert sum(chance for _, chance in theirs.chance_outcomes()) == pytest.approx(1)
            code = ours.draw(picks)
            assert theirs.action_to_string(code - first) == ours.game.name_of(code)
            theirs.apply_action(code - first)
        else:
            assert theirs.current_player() == ours.turn - 1
            assert theirs.legal_actions() == ours.actions()
            observer.set_from(theirs, ours.turn - 1)
            rows, cols, planes = ours.game.observation_spec().shape
            assert list(observer.dict["observation"].shape) == [planes, rows, cols] == game.observation_tensor_shape()
            assert game.observation_tensor_layout() == pyspiel.TensorLayout.CHW
            expected = numpy.zeros((rows, cols, planes), dtype=int)
            ours.game.observation.observe(ours.words, ours.turn, expected.reshape(-1))
            assert (observer.dict["observation"] == expected.transpose(2, 0, 1)).all()
            code = ours.pick(picks)
            assert theirs.action_to_string(code) == ours.game.name_of(code)
            twin = theirs.clone()
            theirs.apply_action(code)
            assert str(twin) == ours.position(), "a clone stands by itself"
        ours.play(code)
        assert str(theirs) == ours.position()
    assert theirs.is_terminal() == ours.over
    if ours.over and ours.game.players == 1:
        assert theirs.returns() == list(ours.scores())


@pytest.mark.parametrize("name", GAMES)
def test_a_game_can_be_sent_elsewhere(name: str) -> None:
    game = pyspiel.load_game(name)
    twin = pickle.loads(pickle.dumps(game))  # noqa: S301 - our own
    assert str(twin) == str(game) and twin.game == game.game
    again, state = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, game.new_initial_state()))
    assert again.game == game.game and str(state) == game.game.start().position()


def test_parameters_are_options() -> None:
    assert pyspiel.load_game("rookery_sixseven", {"operators": "+-"}).game.options["operators"] == "+-"
    assert pyspiel.load_game("rookery_sixseven(operators=mt)").game.options["operators"] == "-*"
    assert pyspiel.load_game("rookery_gaterun").max_game_length() == 300
    alone = pyspiel.load_game("rookery_gamma(players=1,width=2,height=2)")
    state = alone.new_initial_state()
    while not state.is_terminal():
        assert state.returns() == [0.0]
        state.apply_action(state.legal_actions()[0])
    assert state.returns() == [4.0] and alone.max_utility() > 4
    with pytest.raises(RookeryError, match="walls takes a whole number from 0"):
        pyspiel.load_game("rookery_gaterun(walls=-1)")
    with pytest.raises(RookeryError, match="at most 10000000 are supported"):
        pyspiel.load_game("rookery_gamma(width=5000,height=5000)")


def test_huge_numbers_are_seen_as_large() -> None:
    game = pyspiel.load_game("rookery_sixseven(rows=2,cols=2)")
    state, observer = game.new_initial_state(), make_observation(game)
    state.state.words[33] = 2 * 10**400 + 1
    observer.set_from(state, 0)
    assert observer.dict["observation"][1, 0, 0] == numpy.float32(10**9)


def test_minimax_finds_the_shortest_way() -> None:
    """Without walls the first pawn takes the middle and is through before the other is."""
    game = pyspiel.load_game("rookery_gaterun(size=3,walls=0)")
    value, action = minimax.alpha_beta_search(
        game, value_function=lambda state: 0, maximum_depth=3, maximizing_player_id=0
    )
    assert (value, game.game.name_of(action)) == (1.0, "1,1")


def test_expected_scores_are_exact() -> None:
    """One cell, and a random player passes every other time. Whoever takes it first wins in the end with ¾: half the
    time nobody takes it away, and else it is taken back every other time. The first player takes it with ½, then the
    second with ¼: ½·½ − ¼·½.
    """
    game = pyspiel.load_game("rookery_gamma(width=1,height=1)")
    values = expected_game_score.policy_value(game.new_initial_state(), [UniformRandomPolicy(game)] * 2)
    assert values.tolist() == [0.125, -0.125]


def test_expected_scores_take_chance_into_account() -> None:
    """On a board of two cells by two with four tiles a turn, most often nothing can slide from the beginning."""
    game = pyspiel.load_game("rookery_sixseven(rows=2,cols=2,tiles=4)")
    state = game.new_initial_state()
    assert state.is_chance_node() and len(state.chance_outcomes()) == 4 * 13
    assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)


@pytest.mark.parametrize("name", ["rookery_gotham(size=3)", "rookery_sixseven(rows=3,cols=3)"])
def test_tree_search_takes_chance_into_account(name: str) -> None:
    game = pyspiel.load_game(name)
    evaluator = mcts.RandomRolloutEvaluator(1, numpy.random.RandomState(1))
    searcher = mcts.MCTSBot(game, 2.0, 20, evaluator, random_state=numpy.random.RandomState(2))
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    assert searcher.step(state) in state.legal_actions()


def test_tree_search_beats_chance() -> None:
    game = pyspiel.load_game("rookery_gaterun(size=4,walls=2)")
    searcher = mcts.MCTSBot(
        game,
        2.0,
        60,
        mcts.RandomRolloutEvaluator(1, numpy.random.RandomState(1)),
        random_state=numpy.random.RandomState(2),
    )
    picks, won = Stream(8), 0
    for number in range(6):
        state = game.new_initial_state()
        while not state.is_terminal():
            mine = state.current_player() == number % 2
            state.apply_action(searcher.step(state) if mine else picks.pick(state.legal_actions()))
        won += state.returns()[number % 2] == 1.0
    assert won >= 5
