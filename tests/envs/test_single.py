"""The games as single environments of Gymnasium's, against its own checks and against the games themselves."""

from __future__ import annotations

import copy
import os
import pickle
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import gymnasium
import numpy
import pygame
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from tests.games.spread import THIN_ICE

from rookery.core.errors import RookeryError
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.envs import IDS, single
from rookery.games import from_file

TRIES: list[tuple[str, dict[str, Any]]] = [
    ("rookery/SixSeven-v0", {}),
    ("rookery/SixSeven-v0", {"rows": 3, "cols": 2, "variant": "final", "rate": 0.67, "tiles": 1}),
    ("rookery/SixSeven-v0", {"rows": 9, "cols": 9, "operators": "+"}),
    ("rookery/GothamLoops-v0", {}),
    ("rookery/GothamLoops-v0", {"size": 5, "rules": "online"}),
    ("rookery/GothamLoops-v0", {"size": 5, "rules": "app"}),
    ("rookery/GateRun-v0", {}),
    ("rookery/GateRun-v0", {"size": 4, "walls": 3, "jump": True, "rotate": True, "opponent": "random", "seat": 2}),
    ("rookery/Gamma-v0", {}),
    ("rookery/Gamma-v0", {"width": 4, "height": 3, "players": 3, "areas": 2, "opponent": "random"}),
]


def made(name: str, **options: Any) -> single.GameEnv:
    env = gymnasium.make(name, **options)
    assert isinstance(env, single.GameEnv), "nothing is wrapped around it"
    return env


def legal(info: dict[str, Any], stream: Stream) -> int:
    return int(stream.pick(numpy.flatnonzero(info["action_mask"]).tolist()))


@pytest.mark.parametrize(("name", "options"), TRIES)
def test_gymnasiums_own_checks(name: str, options: dict[str, Any]) -> None:
    check_env(made(name, **options))


def test_compiling_is_said_and_done_once(tmp_path: Path) -> None:
    program = "import gymnasium; gymnasium.make('rookery.envs:rookery/GothamLoops-v0').reset(seed=1)"
    told = []
    for _ in range(2):
        run = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "ROOKERY_CACHE": str(tmp_path)},
        )
        assert (run.returncode, run.stdout) == (0, ""), run.stderr
        told.append(run.stderr)
    assert told == ["Compiling Gotham Loops, once …\n", ""]


@pytest.mark.parametrize(("name", "options"), TRIES)
def test_a_seed_makes_the_game(name: str, options: dict[str, Any]) -> None:
    def course(env: single.GameEnv, seed: int | None) -> list[Any]:
        seen, info = env.reset(seed=seed)
        found, picks = [seen.tolist()], Stream(3)
        for _ in range(40):
            seen, reward, over, _, info = env.step(legal(info, picks))
            found += [seen.tolist(), reward]
            if over:
                break
        return found

    env = made(name, **options)
    first, then, later = course(env, 7), course(env, None), course(env, 7)
    assert first == later == course(made(name, **options), 7)
    by_chance = env.game.code_count > env.game.action_count or "opponent" in options
    assert (first != then) == by_chance
    assert (first != course(env, 8)) == by_chance
    assert (course(made(name, **options), None) != course(made(name, **options), None)) == by_chance


def test_the_stream_is_that_of_the_game() -> None:
    """A game of Rookery's own with the same seed and actions goes the same way."""
    env = made("rookery/GothamLoops-v0")
    _, info = env.reset(seed=12)
    state, stream, picks = env.game.start(), Stream(12), Stream(1)
    total, over = 0.0, False
    while not over:
        action = legal(info, picks)
        _, reward, over, _, info = env.step(action)
        state.play(action)
        while state.turn == CHANCE:
            state.play(state.draw(stream))
        total += reward
        assert env.state().position() == state.position()
    assert total == state.scores()[0] > 0


def test_the_return_of_67_is_whether_it_was_won() -> None:
    env = made("rookery/SixSeven-v0", variant="final", rate=0.67)
    picks, results = Stream(5), []
    for seed in range(60):
        _, info = env.reset(seed=seed)
        total, over = 0.0, False
        while not over:
            _, reward, over, cut, info = env.step(legal(info, picks))
            assert not cut
            total += reward
        assert not info["action_mask"].any()
        results.append(total)
        assert total == env.state().scores()[0]
    assert set(results) == {0.0, 1.0}


def test_what_is_seen_keeps_to_its_bounds_to_the_end() -> None:
    """In the last view of Gotham Loops all seven rounds are earlier ones, so that cells may have been visited in each."""
    env = made("rookery/GothamLoops-v0", size=5, coins=1)
    loop, visits, flips = ["up", "right", "down", "down", "left", "left", "up", "right"], 0, 0
    for seed in range(30):
        env.reset(seed=seed)
        over = False
        while not over:
            for name in loop:
                seen, _, over, *_ = env.step(env.game.action(name))
                assert env.observation_space.contains(seen)
                if over:
                    break
        visits, flips = max(visits, seen[..., 2].max()), max(flips, seen[..., 4].max())
    assert visits == 7 and flips > 35


def test_a_game_that_is_over_at_once_ends_with_the_first_action() -> None:
    env = made("rookery/SixSeven-v0", rows=2, cols=2, tiles=4)
    for seed in range(20):
        _, info = env.reset(seed=seed)
        if not info["action_mask"].any():
            _, reward, over, cut, _ = env.step(0)
            assert (reward, over, cut) == (0.0, True, False)
            break
    else:
        pytest.fail("every game could begin")


@pytest.mark.parametrize(("name", "options"), TRIES)
def test_a_copy_goes_its_own_way_from_there(name: str, options: dict[str, Any]) -> None:
    env = made(name, **options)
    _, info = env.reset(seed=3)
    for _ in range(2):
        *_, info = env.step(legal(info, Stream(1)))
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]  # noqa: S301 - our own
    actions = Stream(2)
    for _ in range(30):
        action = legal(info, actions)
        seen, reward, over, _, info = env.step(action)
        for twin in twins:
            again, earned, ended, _, told = twin.step(action)
            assert (again == seen).all() and (earned, ended) == (reward, over)
            assert (told["action_mask"] == info["action_mask"]).all()
        if over:
            break


@pytest.mark.parametrize("action", [None, 1.0, "1", [1], -1, 4, 10**9, 2**70, numpy.int8(4)])
def test_what_cannot_be_an_action_gets_a_sentence(action: Any) -> None:
    env = made("rookery/SixSeven-v0")
    env.reset(seed=1)
    with pytest.raises(RookeryError, match=r"An action is a whole number from 0 to 3, not .*\."):
        env.step(action)
    env.step(1)


def test_an_illegal_action_changes_nothing() -> None:
    env = made("rookery/GateRun-v0")
    seen, info = env.reset()
    for action in numpy.flatnonzero(info["action_mask"] == 0):
        again, reward, over, _, told = env.step(action)
        assert (seen == again).all() and told["player"] == 1 and (reward, over) == (0.0, False)


def test_what_is_returned_is_the_callers() -> None:
    env = made("rookery/SixSeven-v0")
    seen, info = env.reset(seed=1)
    seen[:], info["action_mask"][:] = 4, 0
    again, reward, *_ = env.step(legal({"action_mask": env.action_masks()}, Stream()))
    kept = again.copy()
    env.step(legal({"action_mask": env.action_masks()}, Stream()))
    assert (again == kept).all() and not (seen == again).all() and reward == 0


def test_order_is_looked_after() -> None:
    env = made("rookery/SixSeven-v0", rows=2, cols=2, render_mode="ansi")
    for too_early in (lambda: env.step(0), env.render, env.action_masks):
        with pytest.raises(ResetNeeded, match="call reset"):
            too_early()
    _, info = env.reset(seed=1)
    over, picks = False, Stream()
    while not over:
        *_, over, _, info = env.step(legal(info, picks))
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(0)


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_on_a_seat_it_is_always_ones_turn(seat: int) -> None:
    env = made("rookery/Gamma-v0", width=4, height=4, players=3, opponent="random", seat=seat)
    picks, results = Stream(seat), set()
    for seed in range(30):
        _, info = env.reset(seed=seed)
        over = False
        while not over:
            assert info["player"] == seat
            _, reward, over, _, info = env.step(legal(info, picks))
            assert reward == info["rewards"][seat - 1]
        winner = env.game.kernel.winner(env.state().words)
        assert reward == (0 if winner == 0 else 1 if winner == seat else -1)
        results.add(reward)
    assert {1.0, -1.0} <= results


def test_without_a_seat_one_plays_for_everybody() -> None:
    env = made("rookery/GateRun-v0", size=3, walls=0)
    _, info = env.reset()
    assert info["player"] == 1
    seen, reward, over, _, info = env.step(env.game.action("1,1"))
    assert (info["player"], reward, over) == (2, 0.0, False)
    assert seen[2, 1, 0] == 1 and seen[1, 1, 1] == 1 and seen[0, :, 4].all(), "the second player's own view"
    *_, info = env.step(env.game.action("2,0"))
    seen, reward, over, _, info = env.step(env.game.action("2,1"))
    assert (reward, over, info["player"], info["rewards"].tolist()) == (1.0, True, 0, [1.0, -1.0])
    assert seen[2, 1, 0] == 1, "the last view is the winner's"


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("rookery/SixSeven-v0", {"rows": 1}, "rows takes"),
        ("rookery/SixSeven-v0", {"sides": 1}, "no option 'sides'"),
        ("rookery/SixSeven-v0", {"opponent": "random"}, "67! has one player"),
        ("rookery/GateRun-v0", {"opponent": "minimax"}, "The opponent is 'random'"),
        ("rookery/GateRun-v0", {"opponent": "random", "seat": 3}, "from 1 to 2, not 3"),
        ("rookery/GateRun-v0", {"opponent": "random", "seat": True}, "from 1 to 2, not True"),
        ("rookery/GateRun-v0", {"seat": 1}, "A seat needs an opponent"),
        ("rookery/Gamma-v0", {"width": 5000, "height": 5000}, "at most 10000000 are supported"),
        ("rookery/Gamma-v0", {"players": 25_000_000}, "An environment has at most 1000 players"),
    ],
)
def test_bad_options_get_a_sentence(name: str, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RookeryError, match=re.escape(sentence)):
        gymnasium.make(name, **options)


def test_numbers_may_be_numpys() -> None:
    env = made("rookery/SixSeven-v0", rows=numpy.int64(4), rate=numpy.float64(0.25))
    assert env.game.options["rows"] == 4 and env.game.options["rate"] == 0.25
    assert (env.reset(seed=numpy.int64(5))[0] == env.reset(seed=5)[0]).all()  # type: ignore[arg-type]
    with pytest.raises(RookeryError, match=r"A seed is a whole number from 0 up, not -1\."):
        env.reset(seed=-1)
    assert made("rookery/GateRun-v0", opponent="random", seat=numpy.int8(2)).batch.seat == 2


def test_rendering() -> None:
    text, pixels, window = (made("rookery/GateRun-v0", render_mode=mode) for mode in ("ansi", "rgb_array", "human"))
    for env in (text, pixels, window):
        env.reset(seed=1)
    assert "Player 1 to move" in text.render()
    before = pixels.render()
    pixels.step(pixels.game.action("1,3"))
    after = pixels.render()
    assert before.dtype == numpy.uint8 and before.shape[2] == 3 and (before != after).any()
    window.renderer.fps = 0
    assert window.render() is None
    surface = pygame.display.get_surface()
    assert surface is not None and surface.get_size() == (before.shape[1], before.shape[0])
    other = made("rookery/SixSeven-v0", render_mode="human")
    other.reset(seed=1)
    other.close()
    assert not pygame.display.get_init()
    window.reset(seed=1)
    assert pygame.display.get_caption()[0] == "GateRun", "it opens again"
    window.close()
    window.close()
    still = made("rookery/GateRun-v0")
    still.reset()
    assert still.render() is None
    with pytest.raises(RookeryError, match="one of ansi, rgb_array, human"):
        single.GateRunEnv(render_mode="braille")


def test_masks_for_wrappers_that_ask_for_them() -> None:
    env = made("rookery/GothamLoops-v0", size=3)
    _, info = env.reset(seed=1)
    assert env.action_masks().dtype == bool
    assert env.action_masks().tolist() == info["action_mask"].tolist()
    env.step(0)
    assert env.get_wrapper_attr("action_masks")().tolist() == [False, True, True, True], "the top row, unless caught"


@pytest.mark.parametrize("name", IDS)
def test_the_docstring_tells_the_truth(name: str) -> None:
    env = made(name)
    told = str(type(env).__doc__)
    (row,) = re.findall(r"\| options \| (.*) \|", told)
    given = dict(re.findall(r"`(\w+)=(.*?)`", row))
    known = {field.name: repr(field.default).replace("'", '"') for field in fields(env.game)}
    if env.game.players > 1:
        known |= {"opponent": "None", "seat": "None"}
    assert given == known
    assert env.game.observation_spec().kind in told
    assert f"| id | `{name}` |" in told and "Version history" in told


def test_a_game_from_a_file_can_be_learned_too() -> None:
    from_file(THIN_ICE)

    class ThinIceEnv(single.GameEnv):
        name = "thin_ice"

    check_env(ThinIceEnv(rows=4, cols=4), skip_render_check=True)


def test_a_game_that_is_over_at_birth_ends_with_the_first_step() -> None:
    """Gymnasium's reset cannot say that a game is over, so the mask is empty and the first step ends it."""
    env = made("rookery/SixSeven-v0", rows=2, cols=2, rate=0, tiles=4)
    _, info = env.reset(seed=1)
    assert env.state().over and not info["action_mask"].any()
    _, reward, terminated, truncated, _ = env.step(0)
    assert (reward, terminated, truncated) == (0.0, True, False)


def test_the_original_observation_of_sixseven_has_five_channels() -> None:
    plain, env = (made("rookery/SixSeven-v0", observation=kind) for kind in ("planes", "channels"))
    (planes, _), (seen, info) = plain.reset(seed=3), env.reset(seed=3)
    stream = Stream(3)
    for _ in range(60):
        assert env.observation_space.contains(seen) and seen.shape == (6, 7, 5)
        for row in range(6):
            for col in range(7):
                kind, value = planes[row, col].tolist()
                expected = [max(-1000, min(1000, value)) / 1000, *(float(kind == each) for each in (1, 2, 3, 4))]
                assert seen[row, col].tolist() == pytest.approx(expected)
        action = legal(info, stream)
        planes = plain.step(action)[0]
        seen, _, over, _, info = env.step(action)
        if over:
            break


def slow_reward(before: Any, after: Any, *, moved: bool, over: bool, won: bool) -> float:
    """The shaped reward, cell by cell."""

    def away(planes: Any) -> int:
        numbers: list[int] = [value for kind, value in planes.reshape(-1, 2).tolist() if kind == 1]
        return min((abs(67 - max(-1000, min(1000, each))) for each in numbers), default=67)

    if not moved:
        return -5.0
    empty: int = sum(kind == 0 for kind, _ in after.reshape(-1, 2).tolist())
    return 0.01 * empty + (away(before) - away(after)) / 67 + (100 if won else -50 if over else 0)


def test_the_shaped_reward_of_sixseven() -> None:
    board = {"variant": "final", "rate": 0.67}
    env, plain = (made("rookery/SixSeven-v0", **board, reward=kind) for kind in ("shaped", "win"))
    stream, ends, seed = Stream(5), set[bool](), 0
    while ends != {True, False}:  # one game in seven is won
        seed += 1
        (before, info), _ = env.reset(seed=seed), plain.reset(seed=seed)
        over = False
        while not over:
            action = stream.below(4)
            moved = bool(info["action_mask"][action])
            after, reward, over, _, info = env.step(action)
            won = plain.step(action)[1] > 0
            assert reward == pytest.approx(slow_reward(before, after, moved=moved, over=over, won=won))
            before = after
        ends.add(won)


def test_the_original_options_of_sixseven_are_checked() -> None:
    for name, given in (("observation", "pixels"), ("reward", "points")):
        with pytest.raises(RookeryError, match=f"{name} is one of .*, not '{given}'"):
            made("rookery/SixSeven-v0", **{name: given})
    limited = gymnasium.make("rookery/SixSeven-v0", max_episode_steps=3)
    limited.reset(seed=1)
    assert [limited.step(action)[3] for action in (0, 1, 2)] == [False, False, True]
