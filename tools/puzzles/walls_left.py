"""The exact outcome of a GateRun position with few walls left, and of every action in it."""

from __future__ import annotations

from typing import Any

from tools.puzzles import layers

from rookery.core.state import State
from rookery.engine import compiling
from rookery.games.gaterun import geometry, rules
from rookery.games.gaterun.game import GateRun

MOST_WALLS = 3
"""Walls left, of both players together, up to which a position is solved: three take some seconds on 7×7."""


class ExactGateRun:
    """Solves positions without jumps and rotations. Layers are kept until `forget`, since positions share them."""

    def __init__(self) -> None:
        import numpy

        self._code: Any = compiling.compiled(layers) if compiling.in_use() else layers
        self._zeros: Any = lambda words: numpy.zeros(words, dtype=numpy.int64)
        self._layers: dict[tuple[int, int, int, int, int], Any] = {}
        self.solved = 0

    def forget(self) -> None:
        self._layers.clear()

    def can(self, state: State) -> bool:
        """Whether a position has few enough walls left, and neither jumps nor rotations."""
        words = state.words
        return walls_left(state) <= MOST_WALLS and not (words[rules.HAS_JUMP] or words[rules.HAS_ROTATE])

    def winner(self, state: State) -> int:
        """Who wins with best play; 0 for a draw. Repetitions and the longest game are left out: a forced win needs
        neither.
        """
        assert isinstance(state.game, GateRun)
        words = state.words
        if state.over:
            return words[rules.WINNER]
        left = words[rules.WALLS + 1], words[rules.WALLS + 2]
        table = self._layer(state.game.size, words[rules.EAST], words[rules.SOUTH], *left)
        return int(self._code.outcome(table, state.turn, words[rules.PAWN + 1], words[rules.PAWN + 2]))

    def values(self, state: State) -> dict[int, int]:
        """For each action 1 if the player to move wins with it, 0 if it draws, −1 if it loses."""
        me, found = state.turn, {}
        for action in state.actions():
            state.play(action)
            winner = self.winner(state)
            state.undo()
            found[action] = 0 if winner == 0 else 1 if winner == me else -1
        return found

    def needing_walls(self, state: State) -> list[tuple[int, int, int]]:
        """With the walls of a position, all pairs of pawns where a player to move wins, but by no step: the player, and
        the cells of P1 and P2.
        """
        assert isinstance(state.game, GateRun)
        words, n = state.words, state.game.size
        east, south = words[rules.EAST], words[rules.SOUTH]
        table = self._layer(n, east, south, words[rules.WALLS + 1], words[rules.WALLS + 2])
        sets, found = [int(word) for word in table], []
        for cell in range(n * n):
            here = 1 << cell
            if here & geometry.goal(n, 2):
                continue
            after_step = sets[layers.index(2, 1, cell)] & ~here
            first = sets[layers.index(1, 1, cell)] & ~geometry.neighbours(after_step, east, south, n)
            second, around = sets[layers.index(2, 2, cell)], geometry.neighbours(here, east, south, n)
            for target in range(n * n):
                if around >> target & 1:
                    second &= ~(sets[layers.index(1, 2, target)] & ~(1 << target))
            for player, wins in ((1, first), (2, second)):
                found += [(player, pawn, cell) for pawn in range(n * n - n) if wins >> pawn & 1 and pawn != cell]
        return found

    def _layer(self, n: int, east: int, south: int, left1: int, left2: int) -> Any:
        key = n, east, south, left1, left2
        if key not in self._layers:
            if left1 + left2 == 1:
                self._solve_last(n, east, south)
            else:
                self._layers[key] = self._solve(n, east, south, left1, left2)
        return self._layers[key]

    def _solve_last(self, n: int, east: int, south: int) -> None:
        tables = self._zeros(2 * layers.TABLE_WORDS)
        walls, work = self._zeros(2 * layers.WALL_WORDS), self._zeros(layers.TABLE_WORDS + layers.WALL_WORDS)
        self._code.last_walls(tables, walls, work, n, east, south)
        self._layers[n, east, south, 1, 0] = tables[: layers.TABLE_WORDS]
        self._layers[n, east, south, 0, 1] = tables[layers.TABLE_WORDS :]
        self.solved += 2

    def _solve(self, n: int, east: int, south: int, left1: int, left2: int) -> Any:
        walls, table = self._zeros(layers.WALL_WORDS), self._zeros(layers.TABLE_WORDS)
        self._code.clear_walls(walls)
        for edge in range(geometry.edge_count(n)) if left1 + left2 else ():
            bit = 1 << geometry.first_cell(n, edge)
            sideways = geometry.is_east(n, edge)
            if not (east if sideways else south) & bit:
                continue
            after = (east & ~bit, south) if sideways else (east, south & ~bit)
            for player, left in ((1, (left1 - 1, left2)), (2, (left1, left2 - 1))):
                if min(left) >= 0:
                    self._code.add_wall(walls, self._layer(n, *after, *left), player, n, *after)
        self._code.settle(table, walls, n, east, south)
        self.solved += 1
        return table


def walls_left(state: State) -> int:
    """The walls both players have left."""
    return state.words[rules.WALLS + 1] + state.words[rules.WALLS + 2]
