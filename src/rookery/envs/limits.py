"""The game of an environment, and how large it may be. It imports no library of environments, so that each has it."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

import numpy

from rookery import games
from rookery.core.errors import OptionError

if TYPE_CHECKING:
    from rookery.core.game import Game

LARGEST = 10_000_000
"""Numbers that an observation has at most."""
CROWD = 1000
"""Players of a game at most."""


def game_of(name: str, options: dict[str, Any]) -> Game:
    """The game of that name, if a learner can take in all there is to be seen of it. Options may be NumPy's numbers."""
    plain = {each: value.item() if isinstance(value, numpy.generic) else value for each, value in options.items()}
    game = games.game(name, **plain)
    if game.players > CROWD:
        raise OptionError(f"Learners can have {CROWD - 1} others about them at most, not {game.players - 1}.")
    if (size := prod(game.observation_spec().shape)) > LARGEST:
        raise OptionError(f"With these options there are {size} numbers to be seen; {LARGEST} are the most.")
    return game
