"""The settler's workspace: the arrays of its search, compiled if Numba is there, and its results."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rookery.core.bot import Analysis, Budget, Candidate
from rookery.core.rules import STATE_SIZE
from rookery.engine import compiling
from rookery.engine.workspaces import thread_workspace
from rookery.games.gamma import board, rules
from rookery.games.gamma.bots import playout, settler
from rookery.games.gamma.bots.fitted import SETTLED, SHARPER
from rookery.games.gamma.bots.prior import prior_factors
from rookery.games.gamma.bots.proof import REGION_WORDS
from rookery.search.tree import DRAW
from rookery.search.workspace import POOL, TRUSTED, TreeWorkspace

if TYPE_CHECKING:
    from rookery.core.state import State
    from rookery.core.stream import Stream


class Workspace(TreeWorkspace):
    """The settler's arrays, for one search after another of one thread."""

    def __init__(self, *, compiled: bool, pool: int = POOL) -> None:
        super().__init__(compiled=compiled, pool=pool)
        self.code: Any = compiling.compiled(settler) if compiled else settler
        ints, floats = self.buffers.ints, self.buffers.floats
        factors = prior_factors()
        self.factors = floats(len(factors))
        self.factors[:] = factors
        self.settler_columns = settler.SettlerColumns(*self.columns(ints, 2), *self.columns(floats, 2))
        self._allocate((1, 1, 1, 1, 1))
        self.compile()
        self.best_child(0)
        self.candidates()

    def _allocate(self, config: tuple[int, ...]) -> None:
        """Allocate the arrays whose sizes depend on the board."""
        self.config = config
        ints, floats = self.buffers.ints, self.buffers.floats
        cells, places, players = config[0] * config[1], board.places(config), config[2]
        words = [0] * rules.size(config)
        rules.start(words, config)
        sim = playout.Simulation(
            s=ints(len(words)),
            r=self.r,
            control=self.control,
            scalars=ints(playout.SCALARS),
            factors=self.factors,
            free_places=ints(places),
            slot=ints(places),
            taken_at=ints(2 * cells + 1),
            taken_by=ints(2 * cells + 1),
            reward=floats(players + 1),
            lead=floats(players + 1),
            won=floats(players + 1),
        )
        self.arrays = settler.Search(
            root=self.buffers.copied(words[: words[STATE_SIZE]]),
            last=ints(1),
            sim=sim,
            tree=self.tree,
            columns=self.settler_columns,
            path=self.path,
            actions=ints(2 * cells + 1),
            regions=ints(REGION_WORDS * cells),
        )

    def run(self) -> None:
        self.code.run(self.arrays)

    def search(self, state: State, budget: Budget, stream: Stream) -> None:
        """Grow a tree from a position."""
        self.game, self.me = state.game, state.turn
        if self.config != self.game.config:
            self._allocate(self.game.config)
        words, cells = state.words, self.game.action_count // 2
        self.taken = 1 - words[board.FREE] / cells
        self.arrays.root[:] = self.buffers.copied(words[: words[STATE_SIZE]])
        last = state.last
        on_board = last is not None and last < 2 * cells
        self.arrays.last[0] = board.place_of(words, (last or 0) % cells) if on_board else 0
        self.run_within(budget, stream)

    def best_child(self, node: int) -> int:
        count = self.code.best_line(self.tree, self.settler_columns, self.path, node, 0)
        return int(self.path[0]) if count else 0

    def line(self, child: int) -> list[int]:
        count = self.code.best_line(self.tree, self.settler_columns, self.path, child, TRUSTED)
        return [child, *(int(node) for node in self.path[:count])]

    def candidates(self) -> list[int]:
        """The children of the root that are known well enough to report, best first."""
        count = self.code.rank_visited(self.tree, self.settler_columns, self.arrays.actions)
        order = [int(child) for child in self.arrays.actions[:count]]
        return order[:1] + [child for child in order[1:] if self._is_known(child)]

    def _is_known(self, child: int) -> bool:
        return bool(self.tree.proof[child] or self.tree.visits[child] >= TRUSTED)

    def analysis(self, order: list[int]) -> Analysis:
        """The result for some children of the root, given best first."""
        candidates, line = tuple(self._candidate(child) for child in order), self.line(order[0])
        best, names = candidates[0], tuple(self.name(child) for child in line)
        return Analysis(best.value, names, candidates, self.nodes, best.win, self._forced(order[0], line))

    def _candidate(self, child: int) -> Candidate:
        win, proof = None, int(self.tree.proof[child])
        if proof:
            win = 0.5 if proof == DRAW else float(proof == self.me)
        elif self.tree.visits[child]:
            win = calibrated(self.mean(self.settler_columns.won, child), self.taken)
        return Candidate(int(self.tree.action[child]), self.name(child), self.mean(self.tree.lead, child), win)

    def _forced(self, best: int, line: list[int]) -> int | None:
        """The plies to a proven end, if all who can take something do."""
        proof = int(self.tree.proof[best])
        if proof in (0, DRAW) or (proof != self.me and int(self.tree.proof[0]) == 0):
            return None
        words = [int(word) for word in self.arrays.root] + [0] * (rules.size(self.config) - len(self.arrays.root))
        for child in line:
            rules.perform(words, int(self.tree.action[child]))
        plies = len(line) + (words[board.FREE] if words[0] > 0 else 0)
        return plies if proof == self.me else -plies


def calibrated(share: float, taken: float) -> float:
    """The probability of winning when a search won this share of its simulations with this share of cells taken.

    Simulations by the prior underrate the better side, the more so the later in the game (`fitted.py`).
    """
    power = 1 + SHARPER * min(1.0, SETTLED * taken)
    sure, unsure = math.pow(share, power), math.pow(1 - share, power)
    return sure / (sure + unsure)


def workspace() -> Workspace:
    """The workspace of this thread."""
    return thread_workspace(Workspace)
