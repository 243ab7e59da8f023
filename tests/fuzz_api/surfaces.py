"""Calls of environments and of the lab."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from rookery.lab import duel as duels
from rookery.lab import experiment as experiments
from tests.fuzz_api.values import WRONG, Kind

if TYPE_CHECKING:
    from rookery.core.game import Game
    from tests.fuzz_api.values import Call, Values


class SurfaceCalls:
    def __init__(self, values: Values) -> None:
        self.values = values
        self.kinds = [Kind("environment", 4, self.of_envs), Kind("lab", 2, self.of_lab)]
        self.envs: list[Any] = []

    def of_envs(self) -> Call:
        """Environments of Gymnasium and PettingZoo."""
        v = self.values
        if not self.envs:
            self.envs = made_envs()
        env = v.one(self.envs)
        if getattr(env, "over", False):
            return partial(env.reset)  # PettingZoo has players who are out step once more, in its own way
        many = getattr(env, "num_envs", 0)
        space = env.single_action_space if many else None
        high = int(space.n) if space is not None else int(env.game.action_count)
        single_action = v.one((v.random.randrange(high), v.random.randrange(high), v.number(large=True)))
        actions = [v.random.randrange(high) for _ in range(many)] if many else single_action
        if many and v.chance(0.3):
            actions = v.one(([v.number(large=True)] * many, v.one(WRONG), single_action))
        seed = v.number(large=True)
        if many:
            seed = v.one((seed, [1] * many, [v.number(large=True)] * many, v.one(WRONG)))
        options = v.one((None, None, {"reset_mask": v.one(([True] * many, [1] * many, v.one(WRONG)))}))
        calls: list[Call] = [partial(env.step, actions)] * 6
        calls += [partial(env.reset, seed=seed, options=options), env.reset]
        if hasattr(env, "observe"):
            calls += [partial(env.observe, v.one(("player_1", "player_2", "player_9", 1)))]
        if v.chance(0.02):
            calls = [self.made_with()]
        return v.one(calls)

    def made_with(self) -> Call:
        """Make an environment with one argument that may be wrong."""
        from rookery.envs.vector import SixSevenVectorEnv

        names = ("num_envs", "seat", "opponent", "render_mode", "rows", "max_episode_steps", "threads")
        given = {self.values.one(names): self.values.number()}
        return partial(SixSevenVectorEnv, **{"rows": 3, "cols": 3, **given})

    def of_lab(self) -> Call:
        """Experiments and duels."""
        v = self.values
        game = v.one(v.games[:-2])
        names = [*type(game).bots(), "1", "settler", "greedy:slip=1", v.one(WRONG)]
        bots = [v.one(names) for _ in range(v.one((1, game.players)))]
        if v.chance(0.5):
            given = {"games": v.number(), "seed": v.number(large=True), "opening": v.number()}
            return partial(self.duel, game, bots, given)
        return partial(self.simulated, game, bots, v.number(large=True), v.number(), v.number())

    @staticmethod
    def duel(game: Game, bots: Any, given: dict[str, Any]) -> Any:
        return duels.Duel.of(game, bots, duels.Schedule(**given))

    @staticmethod
    def simulated(game: Game, bots: Any, seed: Any, first: Any, most: Any) -> Any:
        asked = experiments.Experiment.of(game, bots, seed=seed, most=most)
        return experiments.play(asked, first, 1) if asked.random else asked


def made_envs() -> list[Any]:
    from rookery.envs import gamma_v0, gaterun_v0, single, vector

    envs = [
        *(single.SixSevenEnv(rows=3, cols=3), single.GothamLoopsEnv(size=5)),
        *(single.GateRunEnv(size=3, opponent="random", seat=2), single.GammaEnv(width=3, height=3)),
        vector.SixSevenVectorEnv(num_envs=3, rows=3, cols=3),
        vector.GateRunVectorEnv(num_envs=2, size=4, autoreset_mode="SameStep"),
        *(gaterun_v0.env(size=3).unwrapped, gamma_v0.env(width=3, height=3, players=3).unwrapped),
    ]
    for env in envs:
        env.reset()
    return envs
