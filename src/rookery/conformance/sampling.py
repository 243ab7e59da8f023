"""What the checks look at: random games, played from a seed, and samples of a game's actions."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rookery.core.rules import CHANCE, STATE_SIZE
from rookery.core.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rookery.core.game import Game
    from rookery.core.state import State

PLIES = 400
"""Plies of a random game that a check follows by default."""
LONG_GAME = 5000
"""Plies that a check follows where each costs little: nearly always to the end of the game."""
SAMPLE = 150
"""The largest number of actions that a check tries, or of times that it picks one."""


def random_game(game: Game, seed: int, plies: int = PLIES) -> Iterator[State]:
    """The states of a random game: the same object each time, a ply further."""
    state, stream = game.start(), Stream(seed)
    yield state
    while not state.over and state.ply < plies:
        state.play(state.draw(stream) if state.turn == CHANCE else stream.pick(state.actions()))
        yield state


def position_words(state: State) -> list[int]:
    """The words of a position without the scratch words."""
    return list(state.words[: state.words[STATE_SIZE]])


def sampled_codes(game: Game, seed: int) -> list[int]:
    """The numbers of all actions and outcomes of a game, or a sample of them if there are many."""
    if game.code_count <= SAMPLE:
        return list(range(game.code_count))
    stream = Stream(seed, sys.maxsize)
    return [stream.below(game.code_count) for _ in range(SAMPLE)]
