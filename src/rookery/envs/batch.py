"""Many games as one of Gymnasium's vector environments: `gymnasium.make_vec("rookery/SixSeven-v0", num_envs=4096)`."""

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
from rookery.envs.limits import game_of
from rookery.envs.paint import Easel
from rookery.envs.spaces import (
    RATE,
    SEEDS,
    action_space,
    check_mode,
    count_of,
    seat_of,
    seed_of,
    seen_space,
    tables_of,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

WORTH_A_THREAD = 256
"""Games that a thread should have to itself at least."""


class BatchEnv(VectorEnv[Any, Any, Any]):
    """Many games of a kind, stepped together in compiled code on all cores.

    Game k of `reset(seed=n)` is the one of the single environment's `reset(seed=n + k)`, move for move. `infos` has
    `action_mask`, and with several players `player`, who is to act, and `rewards`, those of all.
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
            raise OptionError("Many games fit no window: the render mode is 'ansi', 'rgb_array' or None.")
        self.easel = Easel(self.game.title, render_mode, RATE)
        self.renewal = mode_of(autoreset_mode)
        self.metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": RATE, "autoreset_mode": self.renewal}
        self.single_observation_space = seen_space(self.game)
        self.single_action_space = action_space(self.game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        usual = min(cores(), max(1, num_envs // WORTH_A_THREAD))
        threads = usual if threads is None else count_of("threads", threads, MOST_THREADS)
        place = seat_of(self.game, opponent, seat)
        self.batch = tables_of(self.game, num_envs, seat=place, most=most, threads=threads)
        self.all = numpy.arange(num_envs)
        self.sown, self.begun = numpy.zeros(num_envs, dtype=bool), False
        self.seen = numpy.zeros(self.observation_space.shape or (), dtype=self.observation_space.dtype)
        """What was last to be seen, for games that are not begun anew with others."""

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin all games anew, or those in `options["reset_mask"]`; the second game has the next seed, and so on."""
        seeds = self._seeds(seed)
        super().reset(seed=None if seed is None else seeds[0])
        which = self._wanted(options)
        self._sow(which, seeds)
        self.seen = self.seen.copy()
        self.seen[which] = self.batch.begin(which)
        masks, rewards = self.batch.masks.copy(), self.batch.rewards.copy()
        return self.seen.copy(), self._infos(masks, rewards, numpy.isin(self.all, which))

    def step(
        self, actions: Any
    ) -> tuple[NDArray[Any], NDArray[numpy.float64], NDArray[numpy.bool_], NDArray[numpy.bool_], dict[str, Any]]:
        """An action in every game, by its number; a game that had ended begins anew instead, unless told otherwise."""
        chosen = numpy.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise OptionError(f"Actions are {self.num_envs} whole numbers, one for each game.")
        if not self.begun:
            raise ResetNeeded("There are no games under way: call reset() first.")
        if self.renewal == AutoresetMode.DISABLED and (self.batch.clocks == ENDED).any():
            raise ResetNeeded("Some games have ended: call reset() with a reset_mask in its options.")
        seen, masks, rewards, gains, over, cut = self.batch.step(numpy.ascontiguousarray(chosen, dtype=numpy.int64))
        infos = self._infos(masks, rewards, numpy.ones(self.num_envs, dtype=bool))
        if self.renewal == AutoresetMode.SAME_STEP and (over.any() or cut.any()):
            infos = self._renewed(seen, infos, over | cut)
        self.seen = seen.copy() if self.renewal == AutoresetMode.DISABLED else seen
        return seen, gains, over, cut, infos

    def render(self) -> tuple[Any, ...] | None:
        """Every game as the render mode wants it."""
        if self.render_mode is None:
            return None
        if not self.begun:
            raise ResetNeeded("There are no games yet: call reset() first.")
        return tuple(self.easel.show(State(self.game, words)) for words in self.batch.games.tolist())

    def close_extras(self, **kwargs: Any) -> None:
        self.batch.close()

    def _wanted(self, options: dict[str, Any] | None) -> NDArray[numpy.int64]:
        """The games that are to begin anew."""
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return self.all
        chosen = numpy.asarray(mask)
        if chosen.shape != (self.num_envs,) or chosen.dtype != bool or not chosen.any():
            raise OptionError(f"The reset mask has {self.num_envs} truth values, not all of them false.")
        return numpy.flatnonzero(chosen)

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        """A seed for every game, if there are some."""
        if seed is None:
            return [None] * self.num_envs
        if not isinstance(seed, Sequence | numpy.ndarray):
            return [seed_of(seed) + k for k in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise OptionError(f"There are {self.num_envs} games, so as many seeds are needed, not {len(seed)}.")
        return [None if each is None else seed_of(each) for each in seed]

    def _sow(self, which: NDArray[numpy.int64], seeds: list[int | None]) -> None:
        """Give games their random streams: those of the seeds, if there are some, and else, if they have none, any."""
        for k in which:
            if seeds[k] is None and not self.sown[k]:
                seeds[k] = int(self.np_random.integers(SEEDS))
        given = {int(k): each % SEEDS for k in which if (each := seeds[k]) is not None}
        self.batch.seed(*(numpy.array(list(each), dtype=numpy.int64) for each in (given, given.values())))
        self.sown[which] = True
        self.begun = bool(self.sown.all())

    def _infos(self, masks: Any, rewards: Any, which: NDArray[numpy.bool_]) -> dict[str, Any]:
        """What Gymnasium's infos look like: for every entry another that tells which games have it."""
        infos = {"action_mask": masks, "_action_mask": which}
        if self.game.players > 1:
            turns = numpy.maximum(self.batch.turns, 0)
            infos |= {"player": turns, "_player": which, "rewards": rewards, "_rewards": which}
        return infos

    def _renewed(self, seen: Any, infos: dict[str, Any], ended: NDArray[numpy.bool_]) -> dict[str, Any]:
        """Begin games that have ended anew at once, in `seen` too; what was last seen in them is added to the infos."""
        which = numpy.flatnonzero(ended)
        last = numpy.full(self.num_envs, None, dtype=object)
        for k in which:
            last[k] = seen[k].copy()
        seen[which] = self.batch.begin(which)
        final = {name: ended if name.startswith("_") else value for name, value in infos.items()}
        infos = self._infos(self.batch.masks.copy(), self.batch.rewards.copy(), infos["_action_mask"])
        return infos | {"final_obs": last, "_final_obs": ended, "final_info": final, "_final_info": ended}


def mode_of(given: AutoresetMode | str) -> AutoresetMode:
    """When a game that has ended begins anew, given as Gymnasium's own or by its name."""
    try:
        return AutoresetMode(given)
    except ValueError:
        known = ", ".join(mode.value for mode in AutoresetMode)
        raise OptionError(f"The autoreset mode is one of {known}, not {shown(given)}.") from None


class SixSevenVectorEnv(BatchEnv):
    """Many games of 67!; see `SixSevenEnv`."""

    name = "sixseven"


class GothamLoopsVectorEnv(BatchEnv):
    """Many games of Gotham Loops; see `GothamLoopsEnv`."""

    name = "gotham"


class GateRunVectorEnv(BatchEnv):
    """Many games of GateRun; see `GateRunEnv`."""

    name = "gaterun"


class GammaVectorEnv(BatchEnv):
    """Many games of Gamma; see `GammaEnv`."""

    name = "gamma"
