"""The observation and the reward of the original environment of 67!, as options of ours.

The author's environment gives a learner five channels instead of two planes, numbers within a bound, and a reward for
every step. What is public says which parts the reward has, but not how the distance to 67 enters it; here it is the
progress of the nearest number, in units of 67 (potential-based shaping, Ng, Harada and Russell 1999). All functions
take the planes of one game or of many, in the last three axes of an array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy
from gymnasium.spaces import Box

from rookery.core.arguments import shown
from rookery.core.errors import OptionError

if TYPE_CHECKING:
    from numpy.typing import NDArray

GOAL = 67
BOUND = 1000
"""Numbers beyond this are shown and measured as this."""
CHANNELS = 5
WIN, LOSS, ILLEGAL, PER_EMPTY_CELL = 100.0, -50.0, -5.0, 0.01
OBSERVATIONS, REWARDS = ("planes", "channels"), ("win", "shaped")


def one_of(what: str, known: tuple[str, ...], given: Any) -> str:
    """The value, if it is one of those known."""
    if given not in known:
        raise OptionError(f"{what} is one of {', '.join(known)}, not {shown(given)}.")
    return str(given)


def channel_space(rows: int, cols: int) -> Box:
    """The space of `channels`."""
    return Box(-1.0, 1.0, (rows, cols, CHANNELS), dtype=numpy.float32)


def channels(planes: NDArray[Any]) -> NDArray[numpy.float32]:
    """For every cell its number as a share of the bound, and whether it has a number, a plus, a minus and a times."""
    kinds, values = planes[..., 0], planes[..., 1]
    share = numpy.clip(values, -BOUND, BOUND) / BOUND
    return numpy.stack([share, *(kinds == kind for kind in range(1, CHANNELS))], axis=-1).astype(numpy.float32)


def distance(planes: NDArray[Any]) -> NDArray[numpy.float64]:
    """How far the nearest number is from 67; on a board without numbers, as far as from 0."""
    is_number = planes[..., 0] == 1
    away = numpy.abs(GOAL - numpy.clip(planes[..., 1].astype(numpy.float64), -BOUND, BOUND))
    nearest: NDArray[numpy.float64] = numpy.where(is_number, away, numpy.inf).min(axis=(-2, -1))
    return numpy.where(is_number.any(axis=(-2, -1)), nearest, GOAL)


def shaped(planes: NDArray[Any], before: Any, *, legal: Any, over: Any, won: Any) -> NDArray[numpy.float64]:
    """The reward of a step: for an illegal one −5; else a hundredth for every empty cell and the progress towards 67,
    and at the end 100 for a win or −50 for a loss. `before` is the distance before the step.
    """
    empty = (planes[..., 0] == 0).sum(axis=(-2, -1))
    step = (
        PER_EMPTY_CELL * empty
        + (before - distance(planes)) / GOAL
        + numpy.where(over, numpy.where(won, WIN, LOSS), 0.0)
    )
    reward: NDArray[numpy.float64] = numpy.where(legal, step, ILLEGAL)
    return reward
