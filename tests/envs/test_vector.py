"""Many games at once, against Gymnasium's own way of stepping many single environments."""

from __future__ import annotations

import copy
import pickle
import re
from typing import Any

import gymnasium
import numpy
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode

from rookery.core.errors import RookeryError
from rookery.engine.playouts import Playouts
from rookery.envs.vector import GameVectorEnv

MANY = 5
SHORT: list[tuple[str, dict[str, Any]]] = [
    ("rookery/SixSeven-v0", {"rows": 3, "cols": 3}),
    ("rookery/SixSeven-v0", {"rows": 3, "cols": 3, "observation": "channels", "reward": "shaped"}),
    ("rookery/GothamLoops-v0", {"size": 3, "coins": 3}),
    ("rookery/GateRun-v0", {"size": 3, "walls": 2}),
    ("rookery/GateRun-v0", {"size": 4, "walls": 2, "jump": True, "opponent": "random", "seat": 2}),
    ("rookery/Gamma-v0", {"width": 3, "height": 2, "players": 3}),
]
"""Games that are soon over."""


def made(name: str, many: int = MANY, **options: Any) -> GameVectorEnv:
    envs = gymnasium.make_vec(name, num_envs=many, **options)
    assert isinstance(envs, GameVectorEnv)
    return envs


def legal(infos: dict[str, Any], random: numpy.random.Generator) -> Any:
    """A legal action in each game, the first one where there is none."""
    masks = infos["action_mask"]
    return (random.random(masks.shape) * masks).argmax(axis=1)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("most", [None, 4])
@pytest.mark.parametrize(("name", "options"), SHORT)
def test_it_goes_as_gymnasium_steps_single_games(
    name: str, options: dict[str, Any], most: int | None, mode: AutoresetMode
) -> None:
    ours = made(name, max_episode_steps=most, autoreset_mode=mode, **options)
    theirs = gymnasium.make_vec(
        name,
        num_envs=MANY,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": mode},
        max_episode_steps=most,
        **options,
    )
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]
    (seen, infos), expected = ours.reset(seed=9), theirs.reset(seed=9)
    assert data_equivalence((seen, infos), expected)
    random, ends, cuts = numpy.random.default_rng(1), 0, 0
    for _ in range(200):
        actions = legal(infos, random)
        (*got, infos), (*wanted, told) = ours.step(actions), theirs.step(actions)
        assert data_equivalence(tuple(got), tuple(wanted), exact=True)
        assert_same(infos, told)
        ends, cuts = ends + int(got[2].sum()), cuts + int(got[3].sum())
    assert ends > 0 if most is None else cuts > 0


def assert_same(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """All that Gymnasium tells we tell too; entries of games that its marks leave out do not matter."""
    for name, value in theirs.items():
        if name.startswith("_"):
            assert (ours[name] == value).all(), name
        elif isinstance(value, dict):
            assert_same(ours[name], value)
        else:
            for k in numpy.flatnonzero(theirs[f"_{name}"]):
                assert numpy.array_equal(ours[name][k], value[k]), name


@pytest.mark.parametrize(("name", "options"), SHORT)
def test_games_may_be_left_at_their_end(name: str, options: dict[str, Any]) -> None:
    ours = made(name, autoreset_mode="Disabled", **options)
    theirs = gymnasium.make_vec(
        name, num_envs=MANY, vectorization_mode="sync", vector_kwargs={"autoreset_mode": "Disabled"}, **options
    )
    (_, infos), _ = ours.reset(seed=4), theirs.reset(seed=4)
    random, ends = numpy.random.default_rng(2), 0
    for _ in range(100):
        actions = legal(infos, random)
        (*got, infos), (*wanted, _) = ours.step(actions), theirs.step(actions)
        assert data_equivalence(tuple(got), tuple(wanted), exact=True)
        ended = got[2] | got[3]
        if ended.any():
            ends += 1
            with pytest.raises(ResetNeeded, match="reset_mask"):
                ours.step(actions)
            seen, infos = ours.reset(options={"reset_mask": ended})
            assert numpy.array_equal(seen, theirs.reset(options={"reset_mask": ended})[0])
            assert numpy.array_equal(infos["_action_mask"], ended)
    assert ends > 3


def test_threads_make_no_difference() -> None:
    courses = []
    for threads in (1, 2, 3):
        envs = made("rookery/SixSeven-v0", 300, threads=threads)
        _, infos = envs.reset(seed=1)
        random, course = numpy.random.default_rng(3), []
        for _ in range(50):
            seen, rewards, *_, infos = envs.step(legal(infos, random))
            course += [seen, rewards]
        envs.close()
        courses.append(course)
    assert data_equivalence(courses[0], courses[1], exact=True)
    assert data_equivalence(courses[0], courses[2], exact=True)


def test_seeds() -> None:
    envs = made("rookery/SixSeven-v0", 3)
    first = envs.reset(seed=5)[0]
    assert not (first[0] == first[1]).all()
    assert (envs.reset(seed=[5, 6, 7])[0] == first).all()
    assert (envs.reset(seed=numpy.int64(5))[0] == first).all()  # type: ignore[arg-type]
    assert (envs.reset(seed=numpy.array([5, 6, 7]))[0] == first).all()  # type: ignore[arg-type]
    kept = envs.reset(seed=[5, None, 7])[0]
    assert (kept[[0, 2]] == first[[0, 2]]).all() and not (kept[1] == first[1]).all()
    again = made("rookery/SixSeven-v0", 3)
    assert not (again.reset()[0] == first).all(), "without a seed, any"


def test_a_seat_and_its_rewards() -> None:
    envs = made("rookery/GateRun-v0", 64, size=4, walls=3, opponent="random", seat=2)
    _, infos = envs.reset(seed=0)
    random, results = numpy.random.default_rng(0), []
    for _ in range(200):
        _, rewards, over, _, infos = envs.step(legal(infos, random))
        assert set(infos["player"][~over].tolist()) == {2}
        results += rewards[over].tolist()
        assert not rewards[~over].any()
    winners = Playouts(envs.game).play(1, 0, 2000, 1000).winners
    assert results.count(1.0) / len(results) == pytest.approx(winners.count(2) / 2000, abs=0.06), "as at random"


@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        ([0, 0], "Actions are 3 whole numbers"),
        ([0, 1, 4], "Actions are whole numbers from 0 to 3"),
        ([0, -1, 1], "Actions are whole numbers from 0 to 3"),
        ([0.5, 1, 2], "Actions are 3 whole numbers"),
        (0, "Actions are 3"),
    ],
)
def test_wrong_actions_get_a_sentence(actions: Any, sentence: str) -> None:
    envs = made("rookery/SixSeven-v0", 3)
    envs.reset(seed=1)
    with pytest.raises(RookeryError, match=sentence):
        envs.step(actions)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"many": 0}, "num_envs takes a whole number from 1 to"),
        ({"many": True}, "num_envs takes a whole number from 1 to"),
        ({"render_mode": "human"}, "render_mode='human'"),
        ({"threads": 0}, "threads takes a whole number from 1 to"),
        ({"max_episode_steps": 0}, "max_episode_steps takes a whole number from 1 to"),
        ({"autoreset_mode": "Sometimes"}, "The autoreset mode is one of NextStep, SameStep, Disabled"),
        ({"rows": 99}, "rows takes"),
    ],
)
def test_wrong_options_get_a_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RookeryError, match=re.escape(sentence)):
        made("rookery/SixSeven-v0", **options)


def test_other_mistakes_get_a_sentence() -> None:
    envs = made("rookery/SixSeven-v0", 3)
    with pytest.raises(ResetNeeded, match="call reset"):
        envs.step(numpy.zeros(3, dtype=int))
    with pytest.raises(ResetNeeded, match="call reset"):
        made("rookery/SixSeven-v0", render_mode="ansi").render()
    with pytest.raises(RookeryError, match="Pass one seed for each of the 3 games, not 2"):
        envs.reset(seed=[1, 2])
    for seeds in ([1, 2, -1], [1, 2, 1.5], -1, 1.5):
        with pytest.raises(RookeryError, match="A seed is a whole number from 0 up, not "):
            envs.reset(seed=seeds)  # type: ignore[arg-type]
    with pytest.raises(RookeryError, match="3 booleans"):
        envs.reset(options={"reset_mask": numpy.zeros(3, dtype=bool)})


@pytest.mark.parametrize("autoreset_mode", list(AutoresetMode))
def test_what_is_returned_is_the_callers(autoreset_mode: AutoresetMode) -> None:
    envs, twin = (made("rookery/SixSeven-v0", 2, autoreset_mode=autoreset_mode) for _ in range(2))
    for each in (envs, twin):
        each.reset(seed=1)
    actions, one = numpy.array([1, 2]), {"reset_mask": numpy.array([True, False])}
    seen, *_, infos = envs.step(actions)
    seen[:], infos["action_mask"][:] = -7, 0
    twin.step(actions)
    if autoreset_mode == AutoresetMode.DISABLED:
        assert (envs.reset(options=one)[0] == twin.reset(options=one)[0]).all()
    assert data_equivalence(envs.step(actions), twin.step(actions), exact=True)
    stepped = twin.step(actions)[0]
    before = stepped.copy()
    begun = twin.reset(seed=2)[0]
    anew = begun.copy()
    twin.reset(seed=3)
    assert (stepped == before).all() and (begun == anew).all(), "nor does a reset change it"


def test_a_copy_goes_its_own_way_from_there() -> None:
    envs = made("rookery/GothamLoops-v0", 300, threads=2, max_episode_steps=9)
    random = numpy.random.default_rng(1)
    _, infos = envs.reset(seed=1)
    for _ in range(4):
        *_, infos = envs.step(legal(infos, random))
    twins = [copy.deepcopy(envs), pickle.loads(pickle.dumps(envs))]  # noqa: S301 - our own
    for _ in range(12):
        actions = legal(infos, random)
        *found, infos = envs.step(actions)
        for twin in twins:
            *again, told = twin.step(actions)
            assert data_equivalence(found, again, exact=True) and data_equivalence(infos, told, exact=True)
    for each in (envs, *twins):
        each.close()


def test_rendering_many() -> None:
    envs = made("rookery/GateRun-v0", 3, render_mode="ansi")
    envs.reset()
    envs.step(numpy.array([envs.game.action("1,3"), envs.game.action("0,4"), 0]))
    one, two, three = envs.render() or ()
    assert one != two and "Player 1 to move" in three
    pixels = made("rookery/GateRun-v0", 2, render_mode="rgb_array")
    pixels.reset()
    assert [frame.shape[2] for frame in pixels.render() or ()] == [3, 3]
    assert pixels.metadata["render_fps"] > 0, "wrappers that show them ask for it"
    assert made("rookery/GateRun-v0").render() is None
