"""Trains an agent for 67! with Stable-Baselines3, in the environment that the game's author used, and counts its wins.

    pip install 'rookery[envs]' stable-baselines3 sb3-contrib
    python examples/train_sixseven.py ppo --steps 200000
    python examples/train_sixseven.py qrdqn --steps 200000
    python examples/train_sixseven.py maskable --steps 200000

`ppo` and `qrdqn` are the author's two algorithms (Schulman et al. 2017; Dabney et al. 2018). They reported 1 and 18
wins in 1,000 games. `maskable` is PPO that only chooses among legal slides (Huang and Ontañón 2022), and a network that
sees the board in logarithms of its numbers. The environment is Rookery's with the options `observation="channels"` and
`reward="shaped"`, and a limit of 1,000 steps.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import gymnasium
import numpy

ID = "rookery.envs:rookery/SixSeven-v0"
"""Gymnasium imports the module before the colon, which registers the environment."""
MOST_STEPS = 1000
ALGORITHMS = ("ppo", "qrdqn", "maskable")


def make(options: dict[str, Any]) -> gymnasium.Env[Any, Any]:
    """The author's environment."""
    return gymnasium.make(ID, observation="channels", reward="shaped", max_episode_steps=MOST_STEPS, **options)


class LogNumbers(gymnasium.ObservationWrapper[Any, Any, Any]):
    """Numbers as logarithms: 6 and 67 are then far enough apart, and 900 is not far from 1,000."""

    def observation(self, observation: Any) -> Any:
        seen = observation.copy()
        numbers = 1000 * observation[..., 0]
        seen[..., 0] = numpy.sign(numbers) * numpy.log1p(numpy.abs(numbers)) / numpy.log(1001.0)
        return seen


def learner(algorithm: str, options: dict[str, Any], seed: int) -> Any:
    """An untrained agent."""
    common: dict[str, Any] = {"policy": "MlpPolicy", "seed": seed, "device": "cpu"}
    if algorithm == "qrdqn":
        from sb3_contrib import QRDQN

        return QRDQN(env=make(options), buffer_size=100_000, learning_starts=5_000, exploration_fraction=0.3, **common)
    if algorithm == "maskable":
        from sb3_contrib import MaskablePPO

        return MaskablePPO(env=LogNumbers(make(options)), n_steps=1024, gamma=0.995, ent_coef=0.01, **common)
    from stable_baselines3 import PPO

    return PPO(env=make(options), **common)


def wins(agent: Any, algorithm: str, options: dict[str, Any], games: int, first_seed: int) -> int:
    """How many games the agent wins. An agent without a mask that would repeat an illegal slide takes a legal one."""
    env = make(options)
    if algorithm == "maskable":
        env = LogNumbers(env)
    won, random = 0, numpy.random.default_rng(first_seed)
    for game in range(games):
        seen, info = env.reset(seed=first_seed + game)
        over = cut = False
        while not over and not cut:
            mask = info["action_mask"].astype(bool)
            masks = {"action_masks": mask} if algorithm == "maskable" else {}
            action = int(agent.predict(seen, deterministic=True, **masks)[0])
            if mask.any() and not mask[action]:
                action = int(random.choice(numpy.flatnonzero(mask)))
            seen, reward, over, cut, info = env.step(action)
            won += over and float(reward) > 0
    return won


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("algorithm", choices=ALGORITHMS)
    parser.add_argument("--steps", type=int, default=200_000, help="steps of training")
    parser.add_argument("--games", type=int, default=1000, help="games to count wins in")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variant", default="modified")
    parser.add_argument("--rate", type=float, default=0.5, help="share of new tiles that are operators")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    given = parser.parse_args()
    options = {"variant": given.variant, "rate": given.rate}
    began = time.perf_counter()
    agent = learner(given.algorithm, options, given.seed)
    agent.learn(given.steps, progress_bar=False)
    took = time.perf_counter() - began
    won = wins(agent, given.algorithm, options, given.games, first_seed=1_000_000)
    if given.json:
        print(json.dumps({"algorithm": given.algorithm, "steps": given.steps, "games": given.games, "wins": won}))
    else:
        print(f"{given.algorithm}: {won} of {given.games} games won after {given.steps:,} steps in {took:.0f} s.")


if __name__ == "__main__":
    main()
