"""An agent that learns 67! from scratch: advantage actor-critic (A2C) in plain NumPy, on 512 games at a time.

    python examples/learn_sixseven.py --rounds 3000 --plot curve.svg

The agent does not know the rules. It uses only Gymnasium's interface: observations, action masks, and a reward of 1 for
a 67. At first 67s are rare, so it also gets a small reward for every step that it survives. The vectorised environment
steps all games together, which takes a small part of the time; most of it goes into the network, which has one hidden
layer, and its gradient.

Sources: A2C, Mnih et al. 2016; generalised advantage estimation (GAE), Schulman et al. 2016; Adam, Kingma and Ba 2015.
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
"""Games played at the same time, steps of each in a round, and the size of the hidden layer."""
DISCOUNT, GAE_LAMBDA = 0.997, 0.9
LEARNING_RATE, ENTROPY_BONUS = 0.005, 0.001
WIN_REWARD, SURVIVAL_REWARD = 5.0, 0.02
"""Rewards that the agent learns from: for a 67, and for every step."""
WINDOW = 40
"""Rounds between two points of the learning curve."""
BUCKETS = numpy.array([0, 1, 2, 3, 5, 8, 12, 20, 35, 67, 68])
"""Lower bounds of the buckets that numbers are put in: only their rough size matters."""
CODES = numpy.eye(4 + len(BUCKETS) + 1, dtype=numpy.float32)[:, 1:]
"""One-hot codes: zeros for an empty cell, one for each operator and one for each bucket."""


def encode(observations: NDArray[Any]) -> Array:
    """Observations as input of the network: for every cell the code of its operator, or of its number's bucket."""
    kinds, values = observations[..., 0], observations[..., 1]
    operators = numpy.maximum(kinds - 1, 0)
    codes = numpy.where(kinds == 1, 4 + numpy.searchsorted(BUCKETS, values, side="right"), operators)
    encoded: Array = CODES[codes].reshape(len(observations), -1)
    return encoded


@dataclass
class Network:
    """A network with one hidden layer; its outputs are a logit for each action and, last, the value of the position."""

    inputs: int
    actions: int
    random: numpy.random.Generator
    weights: list[Array] = field(init=False)

    def __post_init__(self) -> None:
        shapes = [(self.inputs + 1, HIDDEN), (HIDDEN + 1, self.actions + 1)]
        scales = [0.1, 0.01]
        draw = self.random.standard_normal
        self.weights = [draw(shape, numpy.float32) * scale for shape, scale in zip(shapes, scales, strict=True)]
        self.means = [numpy.zeros_like(each) for each in self.weights]  # Adam's first moments
        self.squares = [numpy.zeros_like(each) for each in self.weights]  # and its second moments
        self.updates = 0

    def forward(self, inputs: Array) -> tuple[Array, Array, Array]:
        """The hidden layer, the logits and the values."""
        first, second = self.weights
        hidden = numpy.maximum(inputs @ first[:-1] + first[-1], 0)
        outputs = hidden @ second[:-1] + second[-1]
        return hidden, outputs[:, :-1], outputs[:, -1]

    def update(self, inputs: Array, hidden: Array, output_gradient: Array) -> None:
        """Take one step of Adam, given the gradient of the loss with respect to the outputs."""
        second = self.weights[1]
        hidden_gradient = (output_gradient @ second[:-1].T) * (hidden > 0)
        gradients = [
            numpy.vstack([inputs.T @ hidden_gradient, hidden_gradient.sum(axis=0)]),
            numpy.vstack([hidden.T @ output_gradient, output_gradient.sum(axis=0)]),
        ]
        self.updates += 1
        for weight, mean, square, gradient in zip(self.weights, self.means, self.squares, gradients, strict=True):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            unbiased_mean, unbiased_square = mean / (1 - 0.9**self.updates), square / (1 - 0.999**self.updates)
            weight -= LEARNING_RATE * unbiased_mean / (numpy.sqrt(unbiased_square) + 1e-8)


def masked_softmax(logits: Array, mask: NDArray[Any]) -> Array:
    """The probability of each action, 0 for illegal ones."""
    legal = numpy.where(mask, logits, -1e9)
    powers = numpy.exp(legal - legal.max(axis=1, keepdims=True)) * mask
    probabilities: Array = powers / numpy.maximum(powers.sum(axis=1, keepdims=True), 1e-9)
    return probabilities


class Agent:
    """Plays many games at the same time and learns from them."""

    def __init__(self, seed: int, **board: Any) -> None:
        self.random = numpy.random.default_rng(seed)
        self.envs: Any = gymnasium.make_vec(ID, num_envs=GAMES, autoreset_mode="SameStep", **board)
        self.observations, self.infos = self.envs.reset(seed=seed)
        cells = self.observations.shape[1] * self.observations.shape[2]
        self.network = Network(cells * CODES.shape[1], self.infos["action_mask"].shape[1], self.random)
        self.steps = self.won = self.ended = 0

    def step(self) -> tuple[NDArray[Any], ...]:
        """Take a step in every game; return inputs, hidden layer, policy, values, actions, rewards, and which go on."""
        inputs, mask = encode(self.observations), self.infos["action_mask"]
        hidden, logits, values = self.network.forward(inputs)
        policy = masked_softmax(logits, mask)
        threshold = self.random.random((GAMES, 1), dtype=numpy.float32)
        actions = (policy.cumsum(axis=1) > threshold * policy.sum(axis=1, keepdims=True)).argmax(axis=1)
        self.observations, rewards, over, _, self.infos = self.envs.step(actions)
        self.steps += GAMES
        self.ended += int(over.sum())
        self.won += int(rewards.sum())
        shaped = (WIN_REWARD * rewards + SURVIVAL_REWARD).astype(numpy.float32)
        return inputs, hidden, policy, values, actions, shaped, ~over

    def round(self) -> None:
        """Play some steps, estimate the advantages of the actions (GAE), and update the network."""
        inputs, hidden, policy, values, actions, rewards, goes_on = (
            numpy.stack(each) for each in zip(*(self.step() for _ in range(STEPS)), strict=True)
        )
        next_values = self.network.forward(encode(self.observations))[2]
        advantages, advantage = numpy.zeros_like(values), numpy.zeros_like(next_values)
        for step in reversed(range(STEPS)):
            td_error = rewards[step] + DISCOUNT * next_values * goes_on[step] - values[step]
            advantage = td_error + DISCOUNT * GAE_LAMBDA * goes_on[step] * advantage
            advantages[step], next_values = advantage, values[step]
        self._learn(*(each.reshape(STEPS * GAMES, -1) for each in (inputs, hidden, policy, actions, advantages)))

    def _learn(self, inputs: Array, hidden: Array, policy: Array, actions: NDArray[Any], advantages: Array) -> None:
        """Update the network by the gradient of policy loss, entropy bonus and squared error of the values."""
        count = len(inputs)
        normalised = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
        gradient = numpy.zeros((count, policy.shape[1] + 1), dtype=numpy.float32)
        chosen = numpy.zeros_like(policy)
        numpy.put_along_axis(chosen, actions, 1, axis=1)
        logs = numpy.log(numpy.maximum(policy, 1e-9))
        entropy = -(policy * logs).sum(axis=1, keepdims=True)
        gradient[:, :-1] = normalised * (policy - chosen) + ENTROPY_BONUS * policy * (logs + entropy)
        gradient[:, -1:] = -advantages
        gradient /= count
        self.network.update(inputs, hidden, gradient)


@dataclass
class Point:
    """A point of the learning curve: the share of games won since the point before, and all steps so far."""

    steps: int
    won: float


def train(rounds: int, seed: int) -> list[Point]:
    """Train an agent and print its progress; return the learning curve."""
    agent, curve, began = Agent(seed, **BOARD), [], time.perf_counter()
    for number in range(1, rounds + 1):
        agent.round()
        if number % WINDOW == 0:
            curve.append(Point(agent.steps, agent.won / max(1, agent.ended)))
            agent.won = agent.ended = 0
            spent = time.perf_counter() - began
            line = f"{agent.steps:>12,} steps  {spent:5.0f} s  {100 * curve[-1].won:5.1f}% of games won"
            print(line, file=sys.stderr, flush=True)
    return curve


def draw(curve: list[Point], path: str) -> None:
    """Plot the learning curve beside the share of games that a random player wins."""
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
    parser = argparse.ArgumentParser(description="Train an agent on 67! from scratch.")
    parser.add_argument("--rounds", type=int, default=3000, help="rounds of 16 steps in 512 games each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", metavar="FILE", help="plot the learning curve into a file")
    given = parser.parse_args()
    board = f"{BOARD['rows']}×{BOARD['cols']}, {BOARD['variant']}, rate {BOARD['rate']}"
    print(f"67! on {board}: a random player wins {100 * RANDOM:.0f}% of games.", file=sys.stderr)
    curve = train(given.rounds, given.seed)
    if given.plot and curve:
        draw(curve, given.plot)


if __name__ == "__main__":
    main()
