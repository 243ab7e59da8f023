"""The game of an environment, and size limits. It imports none of the environment libraries: all adapters use it."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy

from rookery import games
from rookery.core.errors import OptionError

if TYPE_CHECKING:
    from rookery.core.game import Game

MAX_OBSERVATION = 10_000_000
"""The most numbers in an observation."""
MAX_PLAYERS = 1000
"""The most players of a game."""


def game_of(name: str, options: dict[str, Any]) -> Game:
    """The game with this name and options, if it is within the limits. Options may be NumPy numbers."""
    plain = {each: value.item() if isinstance(value, numpy.generic) else value for each, value in options.items()}
    game = games.game(name, **plain)
    if game.players > MAX_PLAYERS:
        raise OptionError(f"An environment has at most {MAX_PLAYERS} players, not {game.players}.")
    if (size := prod(game.observation_spec().shape)) > MAX_OBSERVATION:
        raise OptionError(
            f"With these options an observation has {size} numbers; at most {MAX_OBSERVATION} are supported."
        )
    return game
