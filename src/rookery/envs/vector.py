"""Many games as a Gymnasium vector environment: `gymnasium.make_vec("rookery/SixSeven-v0", num_envs=4096)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from rookery.core.arguments import shown
from rookery.core.errors import OptionError
from rookery.core.state import State
from rookery.engine.batch import ENDED, MOST_GAMES, MOST_STEPS, MOST_THREADS
from rookery.engine.threads import cores
from rookery.envs import sixseven_original as original
from rookery.envs.limits import game_of
from rookery.envs.rendering import Renderer
from rookery.envs.spaces import (
    FPS,
    SEEDS,
    action_space,
    check_mode,
    count_of,
    make_batch,
    observation_space,
    seat_of,
    seed_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

GAMES_PER_THREAD = 256
"""The least number of games for which a thread pays off."""


class GameVectorEnv(VectorEnv[Any, Any, Any]):
    """Many games with the same options, stepped together in compiled code on all cores.

    Game k after `reset(seed=n)` is the same as the single environment's after `reset(seed=n + k)`, move for move.
    `infos` has `action_mask`; with several players also `player`, whose turn it is, and `rewards` of all players.
    """

    name: ClassVar[str]

    def __init__(
        self,
        num_envs: int = 1,
        max_episode_steps: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        opponent: str | None = None,
        seat: int | None = None,
        threads: int | None = None,
        **options: Any,
    ) -> None:
        self.game = game_of(self.name, options)
        self.num_envs = num_envs = count_of("num_envs", num_envs, MOST_GAMES)
        most = 0 if max_episode_steps is None else count_of("max_episode_steps", max_episode_steps, MOST_STEPS)
        self.render_mode = check_mode(render_mode)
        if render_mode == "human":
            raise OptionError(
                "render_mode='human' is not supported for vector environments: use 'ansi', 'rgb_array' or None."
            )
        self.renderer = Renderer(self.game.title, render_mode, FPS)
        self.autoreset = autoreset_mode_of(autoreset_mode)
        self.metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": FPS, "autoreset_mode": self.autoreset}
        self.single_observation_space = observation_space(self.game)
        self.single_action_space = action_space(self.game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        default = min(cores(), max(1, num_envs // GAMES_PER_THREAD))
        threads = default if threads is None else count_of("threads", threads, MOST_THREADS)
        own_seat = seat_of(self.game, opponent, seat)
        self.batch = make_batch(self.game, num_envs, seat=own_seat, most=most, threads=threads)
        self.all = numpy.arange(num_envs)
        self.seeded, self.started = numpy.zeros(num_envs, dtype=bool), False
        self.observations = numpy.zeros(self.observation_space.shape or (), dtype=self.observation_space.dtype)
        """The last observations, for games that a partial reset leaves as they are."""

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Restart all games, or those in `options["reset_mask"]`; game k has the seed `seed + k`."""
        seeds = self._seeds(seed)
        super().reset(seed=None if seed is None else seeds[0])
        which = self._selected(options)
        self._seed(which, seeds)
        self.observations = self.observations.copy()
        self.observations[which] = self.batch.begin(which)
        masks, rewards = self.batch.masks.copy(), self.batch.rewards.copy()
        return self.observations.copy(), self._infos(masks, rewards, numpy.isin(self.all, which))

    def step(
        self, actions: Any
    ) -> tuple[NDArray[Any], NDArray[numpy.float64], NDArray[numpy.bool_], NDArray[numpy.bool_], dict[str, Any]]:
        """Take an action in every game. By default, a game that has ended restarts instead."""
        chosen = numpy.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise OptionError(f"Actions are {self.num_envs} whole numbers, one for each game.")
        if not self.started:
            raise ResetNeeded("No games are running: call reset() first.")
        if self.autoreset == AutoresetMode.DISABLED and (self.batch.clocks == ENDED).any():
            raise ResetNeeded("Some games have ended: call reset() with a reset_mask in its options.")
        observations, masks, rewards, gains, over, cut = self.batch.step(
            numpy.ascontiguousarray(chosen, dtype=numpy.int64)
        )
        infos = self._infos(masks, rewards, numpy.ones(self.num_envs, dtype=bool))
        if self.autoreset == AutoresetMode.SAME_STEP and (over.any() or cut.any()):
            infos = self._restart(observations, infos, over | cut)
        self.observations = observations.copy() if self.autoreset == AutoresetMode.DISABLED else observations
        return observations, gains, over, cut, infos

    def render(self) -> tuple[Any, ...] | None:
        """Render every game by the render mode."""
        if self.render_mode is None:
            return None
        if not self.started:
            raise ResetNeeded("No games have started: call reset() first.")
        return tuple(self.renderer.show(State(self.game, words)) for words in self.batch.games.tolist())

    def close_extras(self, **kwargs: Any) -> None:
        self.batch.close()

    def _selected(self, options: dict[str, Any] | None) -> NDArray[numpy.int64]:
        """The games to restart."""
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return self.all
        chosen = numpy.asarray(mask)
        if chosen.shape != (self.num_envs,) or chosen.dtype != bool or not chosen.any():
            raise OptionError(f"The reset mask has {self.num_envs} booleans, at least one of them true.")
        return numpy.flatnonzero(chosen)

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        """A seed for every game; None where none is given."""
        if seed is None:
            return [None] * self.num_envs
        if not isinstance(seed, Sequence | numpy.ndarray):
            return [seed_of(seed) + k for k in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise OptionError(f"Pass one seed for each of the {self.num_envs} games, not {len(seed)}.")
        return [None if each is None else seed_of(each) for each in seed]

    def _seed(self, which: NDArray[numpy.int64], seeds: list[int | None]) -> None:
        """Seed the random streams of games: with the given seeds, else, if a game has no stream yet, at random."""
        for k in which:
            if seeds[k] is None and not self.seeded[k]:
                seeds[k] = int(self.np_random.integers(SEEDS))
        given = {int(k): each % SEEDS for k in which if (each := seeds[k]) is not None}
        self.batch.seed(*(numpy.array(list(each), dtype=numpy.int64) for each in (given, given.values())))
        self.seeded[which] = True
        self.started = bool(self.seeded.all())

    def _infos(self, masks: Any, rewards: Any, which: NDArray[numpy.bool_]) -> dict[str, Any]:
        """Infos in Gymnasium's format: each entry comes with a mask of the games that have it."""
        infos = {"action_mask": masks, "_action_mask": which}
        if self.game.players > 1:
            turns = numpy.maximum(self.batch.turns, 0)
            infos |= {"player": turns, "_player": which, "rewards": rewards, "_rewards": which}
        return infos

    def _restart(self, observations: Any, infos: dict[str, Any], ended: NDArray[numpy.bool_]) -> dict[str, Any]:
        """Restart games that have ended and update `observations`; the infos get their final observations."""
        which = numpy.flatnonzero(ended)
        last = numpy.full(self.num_envs, None, dtype=object)
        for k in which:
            last[k] = observations[k].copy()
        observations[which] = self.batch.begin(which)
        final = {name: ended if name.startswith("_") else value for name, value in infos.items()}
        infos = self._infos(self.batch.masks.copy(), self.batch.rewards.copy(), infos["_action_mask"])
        return infos | {"final_obs": last, "_final_obs": ended, "final_info": final, "_final_info": ended}


def autoreset_mode_of(given: AutoresetMode | str) -> AutoresetMode:
    """An autoreset mode, given as Gymnasium's enum or by its name."""
    try:
        return AutoresetMode(given)
    except ValueError:
        known = ", ".join(mode.value for mode in AutoresetMode)
        raise OptionError(f"The autoreset mode is one of {known}, not {shown(given)}.") from None


class SixSevenVectorEnv(GameVectorEnv):
    """Many games of 67!; see `SixSevenEnv`."""

    name = "sixseven"

    def __init__(self, num_envs: int = 1, observation: str = "planes", reward: str = "win", **options: Any) -> None:
        super().__init__(num_envs, **options)
        self.channels = original.one_of("observation", original.OBSERVATIONS, observation) == "channels"
        self.shaped = original.one_of("reward", original.REWARDS, reward) == "shaped"
        self.distances = numpy.zeros(num_envs)
        """How far the nearest number is from 67, in each game."""
        if self.channels:
            rows, cols, _ = self.single_observation_space.shape or ()
            self.single_observation_space = original.channel_space(rows, cols)
            self.observation_space = batch_space(self.single_observation_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        planes, infos = super().reset(seed=seed, options=options)
        self.distances = original.distance(planes)
        return self._seen(planes), infos

    def step(
        self, actions: Any
    ) -> tuple[NDArray[Any], NDArray[numpy.float64], NDArray[numpy.bool_], NDArray[numpy.bool_], dict[str, Any]]:
        allowed, restarted = self.batch.masks.copy(), self.batch.clocks == ENDED
        planes, rewards, over, cut, infos = super().step(actions)
        final = infos.get("final_obs")
        if self.shaped:
            last = planes
            if final is not None:
                last = planes.copy()
                for k in numpy.flatnonzero(infos["_final_obs"]):
                    last[k] = final[k]
            legal = allowed[self.all, numpy.asarray(actions)].astype(bool) | ~allowed.any(axis=1)
            rewards = original.shaped(last, self.distances, legal=legal, over=over, won=rewards > 0)
            rewards[restarted] = 0.0
            self.distances = original.distance(planes)
        if final is not None and self.channels:
            for k in numpy.flatnonzero(infos["_final_obs"]):
                final[k] = original.channels(final[k])
        return self._seen(planes), rewards, over, cut, infos

    def _seen(self, planes: NDArray[Any]) -> NDArray[Any]:
        return original.channels(planes) if self.channels else planes


class GothamLoopsVectorEnv(GameVectorEnv):
    """Many games of Gotham Loops; see `GothamLoopsEnv`."""

    name = "gotham"


class GateRunVectorEnv(GameVectorEnv):
    """Many games of GateRun; see `GateRunEnv`."""

    name = "gaterun"


class GammaVectorEnv(GameVectorEnv):
    """Many games of Gamma; see `GammaEnv`."""

    name = "gamma"
