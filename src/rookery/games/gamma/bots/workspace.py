"""The desk at which the settler thinks: the arrays of its search, compiled if Numba is there, and what was found."""

from __future__ import annotations

import math
from functools import cmp_to_key
from typing import TYPE_CHECKING, Any

from rookery.core.bot import Analysis, Budget, Candidate
from rookery.core.rules import STATE_SIZE
from rookery.core.stream import WORDS, Stream, seed_stream
from rookery.engine import compiling
from rookery.engine.workspaces import thread_workspace
from rookery.games.gamma import rules
from rookery.games.gamma.bots import settler
from rookery.games.gamma.bots.prior import factors
from rookery.games.gamma.bots.proof import DRAW, NOTES
from rookery.games.gamma.bots.settler import ACTION, COUNT, LEAD, PROOF, VISITS, WON
from rookery.search.control import CONTROLS, LIMIT, NODES, STOP, limited

if TYPE_CHECKING:
    from rookery.core.state import State

USUAL = 2000
"""Simulations for a move if nothing is said."""
POOL = 1 << 19
"""Nodes a tree may have."""
TRUSTED = 10
"""Visits that make a node part of the best line."""
SHARPER, SETTLED = 1.2, 3.0
"""Simulations see chances closer together than they are. The odds are raised to a power: 1 on an empty board, growing
evenly to 1 + `SHARPER` when one cell in `SETTLED` is taken. Fitted to games of the settler with itself."""


class Desk:
    """Arrays for one search after another. Not to be shared between threads."""

    def __init__(self, *, compiled: bool) -> None:
        self.compiled = compiled
        self.code: Any = compiling.compiled(settler) if self.compiled else settler
        self.tree = self._rows(settler.FIELDS, POOL, real=False)
        self.sums = self._rows(settler.REALS, POOL, real=True)
        self.taste = self._array(factors(), real=True)
        self.r, self.control, self.plan, self.path = (
            self._words(many) for many in (WORDS, CONTROLS, settler.PLANS, settler.DEEPEST + 1)
        )
        self.config: tuple[int, ...] = ()
        self._lay((1, 1, 1, 1, 1))
        self.control[STOP] = 1
        self._run()  # does nothing, but is compiled
        self.code.best_child(self.tree, self.sums, 0)
        self.code.is_better(self.tree, self.sums, 0, 0, 0)
        self.code.visited(self.tree, 0, self.out)

    @property
    def nodes(self) -> int:
        """The simulations of the last search."""
        return int(self.control[NODES])

    def search(self, state: State, budget: Budget, stream: Stream) -> None:
        """Grow a tree from a position."""
        self.game, self.me = state.game, state.turn
        if self.config != self.game.config:
            self._lay(self.game.config)
        words, cells = state.words, self.game.action_count // 2
        self.taken = 1 - words[rules.FREE] / cells
        self.root[:] = self._array(words[: words[STATE_SIZE]], real=False)
        last = state.last
        on_board = last is not None and last < 2 * cells
        self.plan[:] = self._array([rules.place_of(words, (last or 0) % cells) if on_board else 0, 0], real=False)
        for word in range(CONTROLS):
            self.control[word] = 0
        self.tree[COUNT][0] = 0
        seed_stream(self.r, stream.bits() << 31 | stream.bits() >> 1, 0)
        with limited(budget, self.control):
            if budget.ms is None and budget.nodes is None:
                self.control[LIMIT] = USUAL
            self._run()

    def _run(self) -> None:
        self.code.search(
            self.root,
            self.s,
            self.r,
            self.control,
            self.plan,
            self.tree,
            self.sums,
            self.pool,
            self.seat,
            self.when,
            self.path,
            self.out,
            self.notes,
            self.taste,
            self.reward,
            self.lead,
            self.won,
        )

    def best(self) -> int:
        """The child of the root to be trusted most; 0 if the search was stopped before it began."""
        return int(self.code.best_child(self.tree, self.sums, 0))

    def children(self) -> list[int]:
        """The children of the root that are known well enough to speak of, best first."""
        count = self.code.visited(self.tree, 0, self.out)
        found = [int(child) for child in self.out[:count]]

        def compare(one: int, other: int) -> int:
            better = self.code.is_better
            ahead, behind = better(self.tree, self.sums, 0, one, other), better(self.tree, self.sums, 0, other, one)
            return int(behind) - int(ahead)

        order = sorted(found, key=cmp_to_key(compare))
        return order[:1] + [child for child in order[1:] if self._is_known(child)]

    def _is_known(self, child: int) -> bool:
        return bool(self.tree[PROOF][child] or self.tree[VISITS][child] >= TRUSTED)

    def analysis(self, order: list[int]) -> Analysis:
        """What was found about some children of the root, given best first."""
        candidates = tuple(self._candidate(child) for child in order)
        line = self._line(order[0])
        names = tuple(self._name(child) for child in line)
        return Analysis(
            candidates[0].value, names, candidates, self.nodes, candidates[0].win, self._forced(order[0], line)
        )

    def _candidate(self, child: int) -> Candidate:
        visits, proof = int(self.tree[VISITS][child]), int(self.tree[PROOF][child])
        win: float | None = None
        if proof:
            win = 0.5 if proof == DRAW else float(proof == self.me)
        elif visits:
            win = calibrated(float(self.sums[WON][child]) / visits, self.taken)
        value = float(self.sums[LEAD][child]) / visits if visits else 0.0
        return Candidate(int(self.tree[ACTION][child]), self._name(child), value, win)

    def _line(self, child: int) -> list[int]:
        """From a child of the root on, the best children as long as they were visited often."""
        line = [child]
        while following := int(self.code.best_child(self.tree, self.sums, child)):
            child = following
            if self.tree[VISITS][child] < TRUSTED:
                break
            line.append(child)
        return line

    def _forced(self, best: int, line: list[int]) -> int | None:
        """The plies to a proven end, if all who can take something do."""
        proof = int(self.tree[PROOF][best])
        if proof in (0, DRAW) or (proof != self.me and int(self.tree[PROOF][0]) == 0):
            return None
        words = [int(word) for word in self.root] + [0] * (rules.size(self.config) - len(self.root))
        plies = 0
        for child in line:
            rules.perform(words, int(self.tree[ACTION][child]))
            plies += 1
        plies += words[rules.FREE] if words[0] > 0 else 0
        return plies if proof == self.me else -plies

    def _name(self, child: int) -> str:
        return self.game.name_of(int(self.tree[ACTION][child]))

    def _lay(self, config: tuple[int, ...]) -> None:
        """Lay out the arrays whose sizes depend on the board."""
        self.config = config
        cells, places, players = config[0] * config[1], rules.places(config), config[2]
        words = [0] * rules.size(config)
        rules.start(words, config)
        self.root = self._array(words[: words[STATE_SIZE]], real=False)
        self.s, self.pool, self.seat, self.when, self.out, self.notes = (
            self._words(many) for many in (len(words), places, places, 2 * cells + 1, 2 * cells + 1, NOTES * cells)
        )
        self.reward, self.lead, self.won = (self._array([0.0] * (players + 1), real=True) for _ in range(3))

    def _words(self, many: int) -> Any:
        return self._array([0] * many, real=False)

    def _array(self, numbers: Any, *, real: bool) -> Any:
        if not self.compiled:
            return list(numbers)
        import numpy

        return numpy.array(numbers, numpy.float64 if real else numpy.int64)

    def _rows(self, rows: int, many: int, *, real: bool) -> Any:
        if not self.compiled:
            return [[0.0 if real else 0] * many for _ in range(rows)]
        import numpy

        # Zeros would take memory as it is used, and to wait for it can take longer than a search may.
        return numpy.full((rows, many), 0, numpy.float64 if real else numpy.int64)


def calibrated(share: float, taken: float) -> float:
    """The probability of winning when a search won this share of its simulations with this share of cells taken."""
    power = 1 + SHARPER * min(1.0, SETTLED * taken)
    sure, unsure = math.pow(share, power), math.pow(1 - share, power)
    return sure / (sure + unsure)


def desk() -> Desk:
    """The workspace of this thread."""
    return thread_workspace(Desk)
