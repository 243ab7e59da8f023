"""How fast the learning environments are, each beside something known.

    python -m benchmarks.learning

One environment and 4,096 at a time of 67!, and GateRun beside PettingZoo's connect four under PettingZoo's own loop.
Everything is measured in turn several times; the best of each is what the machine can do when nothing interferes.
Actions are always legal; picking them is timed where a loop picks them itself, and not where it is said so.
"""

from __future__ import annotations

import io
import re
import time
import warnings
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy
import pettingzoo

import rookery.envs  # noqa: F401 - registers the environments

if TYPE_CHECKING:
    from collections.abc import Callable

REPEATS = 5
SECONDS = 1.0
MANY = 4096


def single() -> float:
    """Steps a second of one game of 67!, beginning anew included: observation, mask and all. Actions come from a list
    of random directions, of which the first that is legal is taken.
    """
    env: Any = gymnasium.make("rookery/SixSeven-v0")
    _, info = env.reset(seed=1)
    orders = numpy.random.default_rng(1).permuted(numpy.tile(numpy.arange(4), (997, 1)), axis=1).tolist()
    steps, began = 0, time.perf_counter()
    while time.perf_counter() - began < SECONDS:
        for order in orders:
            mask = info["action_mask"]
            for action in order:
                if mask[action]:
                    break
            _, _, over, _, info = env.step(action)
            if over:
                _, info = env.reset()
        steps += len(orders)
    return steps / (time.perf_counter() - began)


def batch(threads: int | None = None) -> float:
    """Steps a second of many games of 67! together, without the time it takes to pick actions."""
    envs: Any = gymnasium.make_vec("rookery/SixSeven-v0", num_envs=MANY, threads=threads)
    _, infos = envs.reset(seed=1)
    random, spent, steps = numpy.random.default_rng(1), 0.0, 0
    while spent < SECONDS / 2:
        masks = infos["action_mask"]
        actions = (random.random(masks.shape, dtype=numpy.float32) * masks).argmax(axis=1)
        began = time.perf_counter()
        *_, infos = envs.step(actions)
        spent += time.perf_counter() - began
        steps += MANY
    envs.close()
    return steps / spent


def together() -> float:
    """The same, the time to pick actions included."""
    envs: Any = gymnasium.make_vec("rookery/SixSeven-v0", num_envs=MANY)
    _, infos = envs.reset(seed=1)
    random, steps, began = numpy.random.default_rng(1), 0, time.perf_counter()
    while time.perf_counter() - began < SECONDS / 2:
        masks = infos["action_mask"]
        *_, infos = envs.step((random.random(masks.shape, dtype=numpy.float32) * masks).argmax(axis=1))
        steps += MANY
    envs.close()
    return steps / (time.perf_counter() - began)


def petting(name: str) -> float:
    """Turns a second by PettingZoo's own benchmark, which takes five seconds."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.test import performance_benchmark

        told = io.StringIO()
        with redirect_stdout(told):
            performance_benchmark(pettingzoo.make("aec", name))
    found = re.search(r"([\d.]+) turns per second", told.getvalue())
    assert found is not None
    return float(found[1])


def best(*tries: Callable[[], float]) -> list[float]:
    """The best of some repeats of each, taken in turn."""
    rounds = [[each() for each in tries] for _ in range(REPEATS)]
    return [max(column) for column in zip(*rounds, strict=True)]


def main() -> None:
    one, many, alone, picking = best(single, batch, lambda: batch(threads=1), together)
    ours, theirs = best(lambda: petting("rookery/gaterun_v0"), lambda: petting("classic/connect_four_v3"))
    print(f"67!, one game              {one:>12,.0f} steps/s")
    print(f"67!, {MANY:,} games, all cores {many:>11,.0f} steps/s, {many / one:.0f} times one game")
    print(f"67!, {MANY:,} games, one core  {alone:>11,.0f} steps/s")
    print(f"67!, {MANY:,} games, and a policy that picks at random with NumPy {picking:,.0f} steps/s")
    print(f"GateRun as gaterun_v0      {ours:>12,.0f} turns/s, {ours / theirs:.1f} times connect four ({theirs:,.0f})")


if __name__ == "__main__":
    main()
