"""A policy that learns 67! from nothing: an actor and a critic in plain NumPy, on a thousand games at a time.

    python examples/learn_sixseven.py --rounds 3000 --plot curve.svg

It knows nothing of the rules. All it has is Gymnasium's interface: what is to be seen, what is legal, and a reward of 1
for a 67. To begin with, 67s are rare, so it is also glad of every step that it survives. The batched environment steps
all games together, which takes a small part of the time; the rest goes into a network with one hidden layer and its
gradient (advantage actor-critic, with generalised advantages and Adam).
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[numpy.float32]

ID = "rookery.envs:rookery/SixSeven-v0"
"""Gymnasium imports the module before the colon, which registers the environment."""
BOARD: dict[str, Any] = {"rows": 5, "cols": 5, "variant": "final", "rate": 0.67}
RANDOM = 0.0104
"""The share of games that a random player wins on this board."""
GAMES, STEPS, HIDDEN = 512, 16, 128
DISCOUNT, TRACE = 0.997, 0.9
SPEED, CURIOSITY = 0.005, 0.001
JOY, COMFORT = 5.0, 0.02
"""What a 67 is worth to it, and a step that it survives."""
WINDOW = 40
"""Rounds over which the share of games won is counted."""
BUCKETS = numpy.array([0, 1, 2, 3, 5, 8, 12, 20, 35, 67, 68])
"""Where numbers are told apart: it matters only roughly how large they are."""
CODES = numpy.eye(4 + len(BUCKETS) + 1, dtype=numpy.float32)[:, 1:]
"""A row for an empty cell, all zeros, one for each operator and one for each bucket."""


def encoded(seen: NDArray[Any]) -> Array:
    """What is to be seen as zeros and ones: for every cell its operator, or in which bucket its number is."""
    kinds, values = seen[..., 0], seen[..., 1]
    operators = numpy.maximum(kinds - 1, 0)
    codes = numpy.where(kinds == 1, 4 + numpy.searchsorted(BUCKETS, values, side="right"), operators)
    found: Array = CODES[codes].reshape(len(seen), -1)
    return found


@dataclass
class Network:
    """One hidden layer; it puts out a preference for each action and, last, what the position is worth."""

    inputs: int
    actions: int
    random: numpy.random.Generator
    weights: list[Array] = field(init=False)

    def __post_init__(self) -> None:
        shapes = [(self.inputs + 1, HIDDEN), (HIDDEN + 1, self.actions + 1)]
        scales = [0.1, 0.01]
        draw = self.random.standard_normal
        self.weights = [draw(shape, numpy.float32) * scale for shape, scale in zip(shapes, scales, strict=True)]
        self.means = [numpy.zeros_like(each) for each in self.weights]
        self.squares = [numpy.zeros_like(each) for each in self.weights]
        self.updates = 0

    def forward(self, inputs: Array) -> tuple[Array, Array, Array]:
        """The hidden layer, the preferences and the worth."""
        first, second = self.weights
        hidden = numpy.maximum(inputs @ first[:-1] + first[-1], 0)
        outputs = hidden @ second[:-1] + second[-1]
        return hidden, outputs[:, :-1], outputs[:, -1]

    def learn(self, inputs: Array, hidden: Array, slope: Array) -> None:
        """Go a step against the slope of what is to be made small, given for the outputs."""
        second = self.weights[1]
        back = (slope @ second[:-1].T) * (hidden > 0)
        slopes = [
            numpy.vstack([inputs.T @ back, back.sum(axis=0)]),
            numpy.vstack([hidden.T @ slope, slope.sum(axis=0)]),
        ]
        self.updates += 1
        for weight, mean, square, each in zip(self.weights, self.means, self.squares, slopes, strict=True):
            mean += 0.1 * (each - mean)
            square += 0.001 * (each**2 - square)
            fair_mean, fair_square = mean / (1 - 0.9**self.updates), square / (1 - 0.999**self.updates)
            weight -= SPEED * fair_mean / (numpy.sqrt(fair_square) + 1e-8)


def chances(preferences: Array, mask: NDArray[Any]) -> Array:
    """The probability of each action; none for those that are not legal."""
    limited = numpy.where(mask, preferences, -1e9)
    powers = numpy.exp(limited - limited.max(axis=1, keepdims=True)) * mask
    shares: Array = powers / numpy.maximum(powers.sum(axis=1, keepdims=True), 1e-9)
    return shares


class Learner:
    """Plays many games and learns from them."""

    def __init__(self, seed: int, **board: Any) -> None:
        self.random = numpy.random.default_rng(seed)
        self.envs: Any = gymnasium.make_vec(ID, num_envs=GAMES, autoreset_mode="SameStep", **board)
        self.seen, self.infos = self.envs.reset(seed=seed)
        cells = self.seen.shape[1] * self.seen.shape[2]
        self.network = Network(cells * CODES.shape[1], self.infos["action_mask"].shape[1], self.random)
        self.steps = self.won = self.ended = 0

    def act(self) -> tuple[NDArray[Any], ...]:
        """A step in every game: what was seen, what the network made of it, what was done, and what came of it."""
        inputs, mask = encoded(self.seen), self.infos["action_mask"]
        hidden, preferences, worth = self.network.forward(inputs)
        likely = chances(preferences, mask)
        threshold = self.random.random((GAMES, 1), dtype=numpy.float32)
        actions = (likely.cumsum(axis=1) > threshold * likely.sum(axis=1, keepdims=True)).argmax(axis=1)
        self.seen, rewards, over, _, self.infos = self.envs.step(actions)
        self.steps += GAMES
        self.ended += int(over.sum())
        self.won += int(rewards.sum())
        felt = (JOY * rewards + COMFORT).astype(numpy.float32)
        return inputs, hidden, likely, worth, actions, felt, ~over

    def round(self) -> None:
        """Play some steps, then learn from them."""
        inputs, hidden, likely, worth, actions, rewards, goes_on = (
            numpy.stack(each) for each in zip(*(self.act() for _ in range(STEPS)), strict=True)
        )
        after = self.network.forward(encoded(self.seen))[2]
        gains, gain = numpy.zeros_like(worth), numpy.zeros_like(after)
        for step in reversed(range(STEPS)):
            surprise = rewards[step] + DISCOUNT * after * goes_on[step] - worth[step]
            gain = surprise + DISCOUNT * TRACE * goes_on[step] * gain
            gains[step], after = gain, worth[step]
        self._learn(*(each.reshape(STEPS * GAMES, -1) for each in (inputs, hidden, likely, actions, gains)))

    def _learn(self, inputs: Array, hidden: Array, likely: Array, actions: NDArray[Any], gains: Array) -> None:
        """Make what went better than expected likelier, keep trying other things, and expect better next time."""
        many = len(inputs)
        better = (gains - gains.mean()) / (gains.std() + 1e-6)
        slope = numpy.zeros((many, likely.shape[1] + 1), dtype=numpy.float32)
        chosen = numpy.zeros_like(likely)
        numpy.put_along_axis(chosen, actions, 1, axis=1)
        logs = numpy.log(numpy.maximum(likely, 1e-9))
        spread = -(likely * logs).sum(axis=1, keepdims=True)
        slope[:, :-1] = better * (likely - chosen) + CURIOSITY * likely * (logs + spread)
        slope[:, -1:] = -gains
        slope /= many
        self.network.learn(inputs, hidden, slope)


@dataclass
class Point:
    """How well it did over some rounds, having made so many steps before."""

    steps: int
    won: float


def train(rounds: int, seed: int) -> list[Point]:
    """Learn for some rounds, and tell how it goes."""
    learner, curve, began = Learner(seed, **BOARD), [], time.perf_counter()
    for number in range(1, rounds + 1):
        learner.round()
        if number % WINDOW == 0:
            curve.append(Point(learner.steps, learner.won / max(1, learner.ended)))
            learner.won = learner.ended = 0
            spent = time.perf_counter() - began
            line = f"{learner.steps:>12,} steps  {spent:5.0f} s  {100 * curve[-1].won:5.1f}% of games won"
            print(line, file=sys.stderr, flush=True)
    return curve


def draw(curve: list[Point], path: str) -> None:
    """The share of games won over the steps made, beside a random player's."""
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 3.4), layout="constrained")
    axes.plot(
        [point.steps / 1e6 for point in curve], [100 * point.won for point in curve], color="#c4452c", label="learner"
    )
    axes.axhline(100 * RANDOM, color="#6b7280", linestyle="--", label="random")
    axes.set(xlabel="million steps", ylabel="games won, %", ylim=(0, None), xlim=(0, None))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, loc="lower right")
    figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None)


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn 67! from nothing.")
    parser.add_argument("--rounds", type=int, default=3000, help="rounds of 16 steps in 512 games each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", metavar="FILE", help="draw the curve")
    given = parser.parse_args()
    board = f"{BOARD['rows']}×{BOARD['cols']}, {BOARD['variant']}, rate {BOARD['rate']}"
    print(f"67! on {board}: a random player wins {100 * RANDOM:.0f}% of games.", file=sys.stderr)
    curve = train(given.rounds, given.seed)
    if given.plot and curve:
        draw(curve, given.plot)


if __name__ == "__main__":
    main()
