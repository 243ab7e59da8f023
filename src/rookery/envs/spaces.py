"""What environments share: spaces, batches, seats, and checks of arguments."""

from __future__ import annotations

import sys
from functools import cache
from operator import index
from typing import TYPE_CHECKING, Any

import numpy
from gymnasium.spaces import Box, Discrete

from rookery.core.arguments import shown
from rookery.core.errors import OptionError
from rookery.engine import code_cache
from rookery.engine.batch import GameBatch, rehearse
from rookery.system.requirements import need

if TYPE_CHECKING:
    from rookery.core.game import Game

RENDER_MODES = ("ansi", "rgb_array", "human")
FPS = 4
"""Positions per second in a window or a video."""
FIRST = numpy.zeros(1, dtype=numpy.int64)
"""The index of the only game in a batch of one."""
SEEDS = 1 << 63
"""The number of seeds; larger ones are taken modulo this."""


def make_batch(game: Game, many: int = 1, **given: int) -> GameBatch:
    """A batch of games. The first batch of a game compiles its code, with a message."""
    prepare(type(game))
    return GameBatch(game, many, **given)


@cache
def prepare(game: type[Game]) -> None:
    """Compile the code that steps a game, unless it is compiled."""
    need("envs", "An environment", "numba")
    kernel: Any = game.kernel
    if kernel.__name__.startswith("rookery.") and not code_cache.is_ready(kernel):
        print(f"Compiling {game.title}, once …", file=sys.stderr, flush=True)
        rehearse(game())


def observation_space(game: Game) -> Box:
    """The observation space: integer planes, shape rows × cols × planes."""
    spec = game.observation_spec()
    kind: Any = numpy.dtype(spec.kind)
    low, high = (
        numpy.broadcast_to(numpy.array(bounds, dtype=kind), spec.shape)
        for bounds in ([plane.low for plane in spec.planes], [plane.high for plane in spec.planes])
    )
    return Box(low, high, dtype=kind)


def action_space(game: Game) -> Discrete:
    """The action space: a discrete number for each action."""
    return Discrete(game.action_count)


def seat_of(game: Game, opponent: str | None, seat: int | None) -> int:
    """The seat of an agent that plays against opponents; 0 if it plays every seat."""
    if opponent is None and seat is None:
        return 0
    if game.players == 1:
        raise OptionError(f"{game.title} has one player: leave out opponent and seat.")
    if opponent is None:
        raise OptionError("A seat needs an opponent: pass opponent='random' too.")
    if opponent != "random":
        raise OptionError(f"The opponent is 'random', or None to play every seat, not {shown(opponent)}.")
    return 1 if seat is None else whole(seat, f"The seat is a number from 1 to {game.players}", 1, game.players)


def count_of(what: str, given: Any, most: int) -> int:
    """A whole number from 1 to `most`."""
    return whole(given, f"{what} takes a whole number from 1 to {most}", 1, most)


def seed_of(given: Any) -> int:
    """A seed, reduced to the number of a random stream."""
    return whole(given, "A seed is a whole number from 0 up", 0) % SEEDS


def whole(given: Any, wanted: str, low: int, high: int | None = None) -> int:
    """A whole number within bounds, from Python or NumPy; otherwise raises OptionError with the sentence `wanted`."""
    try:
        number = index(given)
    except TypeError:
        number = low - 1
    if isinstance(given, bool | numpy.bool_) or number < low or (high is not None and number > high):
        raise OptionError(f"{wanted}, not {shown(given)}.")
    return number


def check_mode(mode: str | None) -> str | None:
    """The render mode, if it is supported."""
    if mode is not None and mode not in RENDER_MODES:
        raise OptionError(f"The render mode is one of {', '.join(RENDER_MODES)}, or None, not {shown(mode)}.")
    return mode
