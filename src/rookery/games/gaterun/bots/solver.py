"""GateRun solved exactly: the table of all positions, built layer by layer, and what it says of a game's start.

The value is that of endless play: with nobody able to force a win, a game is a draw. The draws by repetition and by
length do not enter, and they change nothing but games of hundreds of plies: who can win never needs to repeat.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, ClassVar

from rookery.core import arguments
from rookery.core.errors import OptionError, RookeryError
from rookery.core.notation import counted
from rookery.core.rules import OVER, TURN
from rookery.core.solver import MOST_WORKERS, Estimate, Solution, Solver
from rookery.engine import compiling
from rookery.engine.threads import threads
from rookery.games.gaterun import geometry, rules
from rookery.games.gaterun.bots import records, retrograde, wall_sets
from rookery.games.gaterun.position import walls_of
from rookery.system.requirements import need

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rookery.games.gaterun.game import GateRun

CHUNK = 5_000_000
"""Bytes of a layer that a worker fills at a time, in a fraction of a second."""
SHOWN = 8
"""First moves that people are shown; programs get them all."""


@dataclass(frozen=True)
class Verdict:
    """How a position ends if both play as well as can be."""

    winner: int
    """0 for a draw."""
    plies: int | None
    """Until the win, the winner hurrying and the loser holding out; none in a draw."""

    @property
    def name(self) -> str:
        return f"P{self.winner}" if self.winner else "draw"

    def worth(self, player: int) -> int:
        """The larger the better for a player: first the result, then the plies."""
        if self.plies is None:
            return 0
        return 1000 - self.plies if self.winner == player else self.plies - 1000


class Table:
    """All positions of a game, or some of them: layers by the number of walls on the board, as in `retrograde.py`."""

    def __init__(self, game: GateRun) -> None:
        if game.rotate:
            raise OptionError("GateRun cannot be solved with walls that turn: leave out rotate.")
        self.size, self.walls1, self.walls2, self.jump, _ = game.config
        self.setup = wall_sets.Setup(self.size, self.walls1, self.walls2, self.jump)
        self.last = wall_sets.last_layer(self.size, self.walls1, self.walls2)
        self.layers: dict[int, Any] = {}
        self.positions = 0

    def sets(self, total: int) -> int:
        """The number of sets of `total` walls."""
        return math.comb(geometry.edge_count(self.size), total)

    def tables(self, total: int) -> int:
        """The bytes for one of these sets, in two tables for each way to have used the walls and for the jumps left."""
        ways = wall_sets.splits(total, self.walls1, self.walls2) * (4 if self.jump else 1)
        return 2 * ways * wall_sets.pairs(self.size)

    def bytes(self, total: int) -> int:
        """The bytes of a layer."""
        return self.sets(total) * self.tables(total)

    def build(self, *, whole: bool, workers: int = 1, seen: Callable[[int], None] = lambda done: None) -> None:
        """Solve all layers, from that with the most walls down, calling `seen` with the sets done so far.

        Of a layer only the next one needs anything: unless the whole table is wanted, it is then dropped, and the
        positions with no wall and with one wall stay.
        """
        need("bots", "Solving GateRun", "numba")
        workers = arguments.whole(workers, "workers", 1, MOST_WORKERS)
        workspaces: SimpleQueue[RetrogradeWorkspace] = SimpleQueue()
        for _ in range(workers):
            workspaces.put(RetrogradeWorkspace(self))
        done = 0
        with threads(workers) as pool:
            for total in range(self.last, -1, -1):
                self.layers[total] = _bytes(self.bytes(total))
                if not whole:
                    self.layers.pop(total + 2, None)
                for sets, positions in pool.map(lambda chunk: _solve(workspaces, *chunk), self._chunks(total)):
                    done += sets
                    self.positions += positions
                    seen(done)

    def _chunks(self, total: int) -> list[tuple[int, int, int]]:
        """The sets of a layer in chunks: the number of walls, the first rank, the number of sets."""
        sets, most = self.sets(total), max(1, CHUNK // self.tables(total))
        return [(total, first, min(most, sets - first)) for first in range(0, sets, most)]

    def verdict(self, words: Sequence[int]) -> Verdict:
        """How a position ends, given as the rules' words, if its number of walls is in the table."""
        if words[TURN] == OVER:
            winner = words[rules.WINNER]
            return Verdict(winner, 0 if winner else None)
        n, turn = self.size, words[TURN]
        walls = walls_of(n, list(words))
        rank = sum(math.comb(edge, k) for k, edge in enumerate(walls, start=1))
        used1 = self.walls1 - words[rules.WALLS + 1]
        jumps = words[rules.JUMPS + 1] + 2 * words[rules.JUMPS + 2]
        at = wall_sets.table_of(self.setup, len(walls), rank, used1, jumps, turn)
        byte = int(self.layers[len(walls)][at + wall_sets.pair_of(n, words[rules.PAWN + 1], words[rules.PAWN + 2])])
        if byte == retrograde.DRAW:
            return Verdict(0, None)
        winner, own_moves = (1, 255 - byte) if byte > retrograde.DRAW else (2, byte)
        return Verdict(winner, 2 * own_moves - (1 if winner == turn else 0))


class RetrogradeWorkspace:
    """What a worker needs beside the layers."""

    def __init__(self, table: Table) -> None:
        import numpy

        self.table = table
        self.code = compiling.compiled(retrograde)
        fields, self._kernel_state = records.allocate(wall_sets.RetrogradeState, wall_sets.SHAPES, compiled=True)
        load_binomials(fields)
        self.best: Any = numpy.zeros(2 * wall_sets.pairs(table.size), numpy.uint8)

    def solve(self, total: int, first: int, count: int) -> int:
        """Solve some sets of a layer; return how many positions they have."""
        layer = self.table.layers[total]
        tables = retrograde.Tables(layer, self.table.layers.get(total + 1, layer), self.best)
        return int(self.code.solve_sets(tables, self._kernel_state, self.table.setup, total, first, count))


def load_binomials(state: wall_sets.RetrogradeState) -> None:
    """Write down the binomial coefficients; those too large for a layer are cut off, to fit a word."""
    for j, row in enumerate(state.choose):
        row[:] = [min(math.comb(k, j), 2**56) for k in range(wall_sets.MOST_EDGES + 1)]


def _solve(workspaces: SimpleQueue[RetrogradeWorkspace], total: int, first: int, count: int) -> tuple[int, int]:
    """Solve some sets in a workspace that is free; return how many they are, and their positions."""
    workspace = workspaces.get()
    try:
        return count, workspace.solve(total, first, count)
    finally:
        workspaces.put(workspace)


def _bytes(count: int) -> Any:
    import numpy

    try:
        return numpy.empty(count, numpy.uint8)
    except (MemoryError, ValueError):
        raise RookeryError(f"There is no room for a table of {count:,} bytes.") from None


class GateRunSolver(Solver):
    """Solves a game from its start, with the length of perfect play, keeping two layers of the table at a time."""

    steps: ClassVar[str] = "sets of walls"

    def __init__(self, game: GateRun) -> None:
        self.game = game
        self.table = Table(game)

    def estimate(self) -> Estimate:
        table, n = self.table, self.game.size
        totals = range(table.last + 1)
        pairs = wall_sets.pairs(n) - n * (n - 2)  # the pawns are on two cells
        return Estimate(
            positions=sum(table.bytes(total) for total in totals) // wall_sets.pairs(n) * pairs,
            memory=max(table.bytes(total) + (table.bytes(total + 1) if total < table.last else 0) for total in totals),
            steps=sum(map(table.sets, totals)),
        )

    def ready(self) -> None:
        Table(replace(self.game, size=3, walls=0, walls2=0)).build(whole=False)

    def run(self, workers: int = 1, seen: Callable[[int], None] = lambda done: None) -> GateRunSolution:
        self.table.build(whole=False, workers=workers, seen=seen)
        start = self.game.start()
        moves = {}
        for action in start.actions():
            start.play(action)
            moves[self.game.name_of(action)] = self.table.verdict(start.words)
            start.undo()
        found = self.table.verdict(start.words)
        return GateRunSolution(self.game, found, moves, self.table.positions, self.estimate().memory)


@dataclass(frozen=True)
class GateRunSolution(Solution):
    """The value of a game, and of every first move."""

    game: GateRun
    verdict: Verdict
    moves: dict[str, Verdict]
    positions: int
    memory: int

    def content(self) -> dict[str, Any]:
        return {
            "value": self.verdict.name,
            "distance": self.verdict.plies,
            "first_moves": {name: after.name for name, after in self.moves.items()},
            "first_move_distances": {
                name: None if after.plies is None else after.plies + 1 for name, after in self.moves.items()
            },
            "states": self.positions,
            "memory": self.memory,
        }

    def facts(self) -> list[tuple[str, str]]:
        winner, plies = self.verdict.winner, self.verdict.plies
        best = max(after.worth(1) for after in self.moves.values())
        names = [name for name, after in self.moves.items() if after.worth(1) == best]
        more = f"  and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        results = [after.winner for after in self.moves.values()]
        return [
            ("value", "a draw" if plies is None else f"P{winner} wins in {counted(plies, 'ply')}"),
            ("best first moves", "  ".join(names[:SHOWN]) + more),
            ("first moves", f"{results.count(1)} win, {results.count(0)} draw, {results.count(2)} lose"),
            ("positions", f"{self.positions:,}"),
        ]

    def board(self) -> str:
        return str(self.game.start())
