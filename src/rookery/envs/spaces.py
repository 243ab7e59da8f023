"""What environments share beside their game: its spaces, who sits where, and numbers that were given."""

from __future__ import annotations

import sys
from functools import cache
from operator import index
from typing import TYPE_CHECKING, Any

import numpy
from gymnasium.spaces import Box, Discrete

from rookery.core.arguments import shown
from rookery.core.errors import OptionError
from rookery.engine import compiling
from rookery.engine.batch import GameBatch, rehearse
from rookery.system.requirements import need

if TYPE_CHECKING:
    from rookery.core.game import Game

RENDER_MODES = ("ansi", "rgb_array", "human")
RATE = 4
"""Positions a second in a window or a film."""
FIRST = numpy.zeros(1, dtype=numpy.int64)
"""The only game there is, where there is one."""
SEEDS = 1 << 63
"""Seeds there are; greater ones are taken modulo this."""


def tables_of(game: Game, many: int = 1, **given: int) -> GameBatch:
    """Tables for so many games. The first ones of a game are compiled, which takes a while and is said."""
    prepare(type(game))
    return GameBatch(game, many, **given)


@cache
def prepare(game: type[Game]) -> None:
    """Compile what steps a game, unless that was done before."""
    need("envs", "An environment", "numba")
    kernel: Any = game.kernel
    if kernel.__name__.startswith("rookery.") and not compiling.is_ready(kernel):
        print(f"Compiling {game.title}, which is kept for the next time …", file=sys.stderr, flush=True)
        rehearse(game())


def seen_space(game: Game) -> Box:
    """The space of what is to be seen: an array of rows × columns × planes."""
    spec = game.observation_spec()
    kind: Any = numpy.dtype(spec.kind)
    low, high = (
        numpy.broadcast_to(numpy.array(bounds, dtype=kind), spec.shape)
        for bounds in ([plane.low for plane in spec.planes], [plane.high for plane in spec.planes])
    )
    return Box(low, high, dtype=kind)


def action_space(game: Game) -> Discrete:
    """The space of actions, by their numbers."""
    return Discrete(game.action_count)


def seat_of(game: Game, opponent: str | None, seat: int | None) -> int:
    """The seat of a learner who plays against others, or 0 if it plays for everybody."""
    if opponent is None and seat is None:
        return 0
    if game.players == 1:
        raise OptionError(f"{game.title} is played alone: there is no opponent and no seat to choose.")
    if opponent is None:
        raise OptionError("A seat is for playing against others: give an opponent too, which is 'random'.")
    if opponent != "random":
        raise OptionError(f"The opponent is 'random', or None to play for everybody, not {shown(opponent)}.")
    return 1 if seat is None else whole(seat, f"The seat is a number from 1 to {game.players}", 1, game.players)


def count_of(what: str, given: Any, most: int) -> int:
    """A whole number from 1 up to the most there may be."""
    return whole(given, f"{what} takes a whole number from 1 to {most}", 1, most)


def seed_of(given: Any) -> int:
    """The number of a random stream."""
    return whole(given, "A seed is a whole number from 0 up", 0) % SEEDS


def whole(given: Any, wanted: str, low: int, high: int | None = None) -> int:
    """A whole number within bounds, Python's or NumPy's; else an error that says what was wanted."""
    try:
        number = index(given)
    except TypeError:
        number = low - 1
    if isinstance(given, bool | numpy.bool_) or number < low or (high is not None and number > high):
        raise OptionError(f"{wanted}, not {shown(given)}.")
    return number


def check_mode(mode: str | None) -> str | None:
    """The render mode, if there is one like it."""
    if mode is not None and mode not in RENDER_MODES:
        raise OptionError(f"The render mode is one of {', '.join(RENDER_MODES)}, or None, not {shown(mode)}.")
    return mode
