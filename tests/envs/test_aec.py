"""The games for several players as PettingZoo's, against its own tests and against the games themselves."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy
import pettingzoo
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper
from tests.games.spread import THIN_ICE

from rookery.core.errors import RookeryError
from rookery.core.stream import Stream
from rookery.envs import gamma_v0, gaterun_v0
from rookery.envs.aec import GameAECEnv
from rookery.games import from_file

TRIES: list[tuple[Any, dict[str, Any]]] = [
    (gaterun_v0, {}),
    (gaterun_v0, {"size": 4, "walls": 2, "walls2": 5, "jump": True, "rotate": True}),
    (gamma_v0, {}),
    (gamma_v0, {"width": 4, "height": 3, "players": 5, "areas": 1}),
]
dictionaries = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array", "ignore:Observation space for each agent probably should be"
)
"""PettingZoo would rather have no masks in observations, where its own games have them."""


@dictionaries
@pytest.mark.parametrize(("module", "options"), TRIES)
def test_pettingzoos_own_tests(module: Any, options: dict[str, Any]) -> None:
    api_test(module.env(**options), num_cycles=300)
    seed_test(lambda: module.env(**options), num_cycles=100)


@dictionaries
def test_inside_pettingzoos_wrappers() -> None:
    env = TerminateIllegalWrapper(gaterun_v0.env(size=4), illegal_reward=-1)
    api_test(OrderEnforcingWrapper(AssertOutOfBoundsWrapper(env)), num_cycles=100)


def test_it_can_be_drawn() -> None:
    def made(render_mode: str) -> GameAECEnv:
        env = gamma_v0.env(render_mode=render_mode, width=4, height=3)
        env.renderer.fps = 0
        return env

    render_test(made)
    made("human").close()


@pytest.mark.parametrize(("module", "options"), TRIES)
def test_it_goes_as_the_game(module: Any, options: dict[str, Any]) -> None:
    env = module.env(**options)
    observation: Any = env.game.observation
    for seed in range(5):
        env.reset()
        state, picks = env.game.start(), Stream(seed)
        gained = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            seen, reward, over, cut, _ = env.last()
            gained[agent] += reward
            assert env.observation_space(agent).contains(seen)
            expected = numpy.zeros(env.game.observation_spec().shape, dtype=env.game.observation_spec().kind)
            observation.observe(list(state.words), int(agent.removeprefix("player_")), expected.reshape(-1))
            assert (seen["observation"] == expected).all()
            assert not cut and over == state.over
            if over:
                assert not seen["action_mask"].any()
                env.step(None)
                continue
            assert agent == f"player_{state.turn}"
            assert seen["action_mask"].tolist() == state.mask()
            for other in env.agents:
                assert other == agent or not env.observe(other)["action_mask"].any()
            action = state.pick(picks)
            env.step(action)
            state.play(action)
        winner = env.game.kernel.winner(state.words)
        players = range(1, env.game.players + 1)
        assert list(gained.values()) == [0 if winner == 0 else 1 if winner == each else -1 for each in players]
        assert env.agents == []


@pytest.mark.parametrize("action", [0, -1, 10_000, None])
def test_an_illegal_action_loses(action: int | None) -> None:
    env = gaterun_v0.env()
    env.reset()
    env.step(env.game.action("1,3"))
    env.step(action)
    results = {}
    for agent in env.agent_iter():
        _, reward, over, *_ = env.last()
        assert over
        results[agent] = reward
        env.step(None)
    assert results == {"player_1": 0.0, "player_2": -1.0}


def test_order_is_looked_after() -> None:
    env = gaterun_v0.env()
    for too_early in (env.last, env.render):
        with pytest.raises(ResetNeeded, match="call reset"):
            too_early()
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(0)
    env.reset()
    env.step(None)
    for _ in env.agent_iter():
        env.step(None)
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(None)


def test_a_fault_after_a_game_that_was_cut_short_is_no_cut() -> None:
    env = gaterun_v0.env(max_cycles=1)
    env.reset()
    for name in ("1,3", "5,3"):
        env.step(env.game.action(name))
    assert env.last()[2:4] == (False, True)
    env.reset()
    env.step(None)
    assert env.last()[2:4] == (True, False)


def test_a_game_can_be_cut_short() -> None:
    env = pettingzoo.make("aec", "rookery/gamma_v0", players=3, max_cycles=2)
    env.reset()
    for _ in range(6):
        assert not env.last()[3]
        env.step(env.last()[0]["action_mask"].argmax())
    ends = []
    for _ in env.agent_iter():
        ends.append(env.last()[1:4])
        env.step(None)
    assert ends == [(0.0, False, True)] * 3


def test_it_can_be_sent_to_another_process() -> None:
    env = pickle.loads(pickle.dumps(gamma_v0.env(width=4, height=3, players=3)))  # noqa: S301 - our own
    env.reset()
    assert env.possible_agents == ["player_1", "player_2", "player_3"]
    assert env.last()[0]["observation"].shape == (3, 4, 7)


def test_a_copy_goes_its_own_way_from_there() -> None:
    env = gaterun_v0.env()
    env.reset()
    env.step(env.game.action("1,3"))
    twin = copy.deepcopy(env)
    env.step(env.game.action("5,3"))
    assert (twin.agent_selection, env.agent_selection) == ("player_2", "player_1")
    twin.step(twin.game.action("5,3"))
    assert (twin.last()[0]["observation"] == env.last()[0]["observation"]).all()


def test_bad_options_get_a_sentence() -> None:
    with pytest.raises(RookeryError, match="size takes"):
        gaterun_v0.env(size=99)
    with pytest.raises(RookeryError, match="one of ansi"):
        gaterun_v0.env(render_mode="braille")
    with pytest.raises(RookeryError, match="max_cycles takes"):
        gaterun_v0.env(max_cycles=0)
    with pytest.raises(RookeryError, match=r"max_cycles takes a whole number from 1 to \d+, not 1\.3\."):
        gaterun_v0.env(max_cycles=1.3)  # type: ignore[arg-type]
    with pytest.raises(RookeryError, match="needs two players or more"):
        gamma_v0.env(players=1)


@pytest.mark.parametrize("action", ["1", 1.5, [1]])
def test_what_cannot_be_an_action_gets_a_sentence(action: Any) -> None:
    env = gaterun_v0.env()
    env.reset(seed=numpy.int64(5))  # type: ignore[arg-type]
    with pytest.raises(RookeryError, match=r"An action is a whole number from 0 to 133, not .*\."):
        env.step(action)
    with pytest.raises(RookeryError, match="There is no agent 'player_3'; there are player_1, player_2"):
        env.observe("player_3")
    with pytest.raises(RookeryError, match=r"A seed is a whole number from 0 up, not 1\.5\."):
        env.reset(seed=1.5)  # type: ignore[arg-type]


@dictionaries
def test_a_game_from_a_file() -> None:
    from_file(THIN_ICE)

    class ThinIce(GameAECEnv):
        name = "thin_ice"
        metadata = {**GameAECEnv.metadata, "name": "thin_ice_v0"}  # noqa: RUF012

    api_test(ThinIce(rows=4, cols=4), num_cycles=50)
