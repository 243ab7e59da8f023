"""The exact outcome of a Gamma position with few free cells, and of every action in it."""

from __future__ import annotations

from typing import Any

from tools.puzzles import endings

from rookery.core.rules import OVER
from rookery.core.state import State
from rookery.core.stream import Stream, bits
from rookery.engine import compiling
from rookery.games.gamma import rules
from rookery.games.gamma.game import Gamma

PLIES = 128
ENTRIES = 1 << 17
NODE_LIMIT = 20_000_000
"""Positions after which an ending is given up as too long."""


class TooLong(Exception):
    """An ending has more positions than may be looked at."""


class ExactGamma:
    """Solves endings of two players by looking at everything that can happen."""

    def __init__(self, limit: int = NODE_LIMIT) -> None:
        import numpy

        self._code: Any = compiling.compiled(endings) if compiling.in_use() else endings
        self._zeros: Any = lambda *shape: numpy.zeros(shape, dtype=numpy.int64)
        stream = list(Stream(7).words)
        keys = [((bits(stream) << 28) ^ bits(stream)) & endings.MASK for _ in range(endings.KEY_WORDS)]
        self._keys: Any = compiling.array(keys)
        self._table: Any = self._zeros(2 * ENTRIES)
        self._limit = limit
        self.nodes = 0

    def winner(self, state: State) -> int:
        """Who wins with best play; 0 for a draw. `TooLong` if that takes too many positions."""
        assert isinstance(state.game, Gamma) and state.game.players == 2
        if state.turn == OVER:
            return rules.winner(state.words)
        words = compiling.array(state.words)
        ending = endings.Ending(
            stack=self._zeros(PLIES, len(words)),
            moves=self._zeros(PLIES, state.game.action_count),
            history=self._zeros(state.game.action_count),
            keys=self._keys,
            table=self._table,
            control=compiling.array([0, self._limit]),
        )
        ending.stack[0][:] = words
        self._table[:] = 0
        found = int(self._code.value(ending, 0, -1, 1))
        self.nodes += int(ending.control[endings.NODES])
        if ending.control[endings.NODES] >= self._limit:
            raise TooLong
        return 0 if found == 0 else 1 if found > 0 else 2

    def values(self, state: State) -> dict[int, int]:
        """For each action 1 if the player to move wins with it, 0 if it draws, −1 if it loses."""
        me, found = state.turn, {}
        for action in state.actions():
            state.play(action)
            winner = self.winner(state)
            state.undo()
            found[action] = 0 if winner == 0 else 1 if winner == me else -1
        return found
