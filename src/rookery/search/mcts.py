"""The bot that plays any game by Monte Carlo tree search, and the desk at which it does."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rookery.core.bot import Analysis, Bot, Budget, Candidate, ranked
from rookery.core.game import Game
from rookery.core.options import option
from rookery.core.rules import STATE_SIZE
from rookery.core.stream import WORDS, seed_stream
from rookery.engine import compiling
from rookery.engine.workspaces import thread_workspace
from rookery.search import tree
from rookery.search.control import CONTROLS, LIMIT, NODES, STOP, limited
from rookery.search.tree import ACTION, COUNT, DRAW, FIRST, LEADS, PROOF, REWARDS, VISITS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.state import State
    from rookery.core.stream import Stream

USUAL = 2000
"""Play-outs for a move if nothing is said."""
POOL = 1 << 19
"""Nodes a tree may have."""
MOST = 1_000_000
"""Actions after which a play-out is broken off."""
LARGEST = 250_000
"""Words of a position for which it is worth while to think; in a larger one an action is picked at random, because
even one play-out would take too long."""
RIPE = 1
"""Visits after which a node gets children."""
MANY = 32
"""A game with so many actions is searched with RAVE, and then looks around less, unless something else is said."""
RAVE, EXPLORE, EXPLORE_RAVE = 3000.0, 0.5, 0.03
TRUSTED = 10
"""Visits that make a node part of the best line."""


@dataclass(frozen=True)
class Mcts(Bot):
    """Monte Carlo tree search: it plays the game out at random many times, more often where that has gone well.

    Its candidates are in the order of their visits, which is how much it trusts them. A value counts by how many points
    it came out ahead of the best other player, on average over the play-outs; alone, the points it got.
    """

    name: ClassVar[str] = "mcts"
    plays: ClassVar[type[Game] | None] = Game
    unit: ClassVar[str] = "points ahead"
    lists: ClassVar[bool] = False
    compiled_part: ClassVar[str] = "mcts"
    guide: ClassVar[Any] = None
    """The module that leads the search, if not the game's rules: the same functions, but perhaps with fewer actions or
    better picks. A guide is for one game, so a bot that has one also sets `plays`, or a game lists it."""

    explore: float | None = option(None, "how much it looks into what it has seldom tried", low=0, high=10)
    rave: float | None = option(
        None, "tries of an action up to which games in which it came later count more", low=0, high=1e9
    )

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        if cls.guide is not None and cls.plays is Game:
            cls.plays = None

    def ready(self, game: Game) -> None:
        desk(self.guide or game.kernel)

    def search(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        at = self._searched(state, budget, stream)
        return _guess(state, stream) if at is None else at.analysis()

    def search_best(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        """With the best candidate only, equals being decided by the stream; an only action is not looked into."""
        at = self._searched(state, budget, stream, least=2)
        return _guess(state, stream) if at is None else at.analysis([stream.pick(at.best())])

    def _searched(self, state: State, budget: Budget, stream: Stream, *, least: int = 1) -> Desk | None:
        """The desk after a search; None if there was no time for it."""
        if is_large(state):
            return None
        at = desk(self.guide or state.game.kernel)
        rave = self.rave
        if rave is None:
            rave = RAVE if state.game.action_count >= MANY else 0.0
        explore = self.explore
        if explore is None:
            explore = EXPLORE_RAVE if rave else EXPLORE
        at.search(state, budget, stream, explore, rave, least=least)
        return at if at.nodes else None


def is_large(state: State) -> bool:
    """Whether a position is too large to think about."""
    return state.words.state_size > LARGEST


def _guess(state: State, stream: Stream) -> Analysis:
    return ranked(state, {state.pick(stream): 0.0}, nodes=0)


class Desk:
    """Arrays for one search after another, led by a module of rules or a guide; compiled if Numba is there.

    Not to be shared between threads.
    """

    def __init__(self, rules: Any, *, compiled: bool, pool: int = POOL) -> None:
        self.compiled = compiled
        self.code: Any = (compiling.compiled if self.compiled else compiling.interpreted)(tree, rules)
        self.root, self.s, self.out, self.seen = (self._words(1) for _ in range(4))
        self.r, self.control, self.plan, self.path, self.trace = (
            self._words(many) for many in (WORDS, CONTROLS, tree.PLANS, tree.DEEPEST, 2 * tree.TRACED)
        )
        self.scale = self._weights(tree.SCALES)
        self.tree, self.sums = self._words(pool, tree.FIELDS), self._weights(pool, tree.SUMS)
        self.control[STOP] = 1
        self._run()  # does nothing, but is compiled

    @property
    def nodes(self) -> int:
        """The play-outs of the last search."""
        return int(self.control[NODES])

    def search(
        self, state: State, budget: Budget, stream: Stream, explore: float, rave: float = 0.0, *, least: int = 1
    ) -> None:
        """Grow a tree from a position; where there are fewer than `least` actions, by one play-out only."""
        self.game = state.game
        self.me = state.turn
        words, alone = self.game.compiled_words(state), self.game.players == 1
        self.points = alone and not self.game.winnable
        if (len(self.root), len(self.s)) != (words[STATE_SIZE], len(words) + 1):
            self.root, self.s = self._words(words[STATE_SIZE]), self._words(len(words) + 1)
        if len(self.out) != self.game.action_count:
            self.out, self.seen = self._words(self.game.action_count), self._words(self.game.action_count)
        self.root[:] = words[: words[STATE_SIZE]]
        self.plan[:] = [self.game.players, int(self.points), MOST, RIPE, least, 0, 0]
        self.scale[:] = [explore, rave, *((math.inf, -math.inf) if self.points else (0.0, 1.0)), 0.0, 0.0, 0.0]
        self.control[:] = [0] * CONTROLS
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
            self.scale,
            self.tree,
            self.sums,
            self.path,
            self.trace,
            self.out,
            self.seen,
        )

    def analysis(self, order: Sequence[int] | None = None) -> Analysis:
        """What was found, about all actions that were tried or, in this order, about some children of the root."""
        if order is None:
            tried = [child for child in self.children(0) if self.tree[VISITS][child]]
            order = sorted(tried, key=lambda child: (*self._trust(0, child), -child), reverse=True)
        candidates = tuple(self._candidate(child) for child in order)
        best = candidates[0]
        return Analysis(best.value, self._line(order[0]), candidates, self.nodes, best.win)

    def best(self) -> list[int]:
        """The children of the root to be trusted most; several if they are equal."""
        most = max(self._trust(0, child) for child in self.children(0))
        return [child for child in self.children(0) if self._trust(0, child) == most]

    def children(self, node: int) -> range:
        """The children of a node where a player is to move."""
        first, count = int(self.tree[FIRST][node]), int(self.tree[COUNT][node])
        return range(first, first + count)

    def win(self, child: int) -> float:
        """The probability that a child of the root wins; in a game of points, the points."""
        proof = int(self.tree[PROOF][child])
        if proof:
            return 0.5 if proof == DRAW else float(proof == self.me)
        return float(self.sums[REWARDS][child]) / int(self.tree[VISITS][child])

    def _trust(self, node: int, child: int) -> tuple[bool, bool, int, float]:
        """Whether a child does not give away what is certain at its node; whether it wins at once; then its visits,
        then its rewards.
        """
        before, after = int(self.tree[PROOF][node]), int(self.tree[PROOF][child])
        keeps = after == before or (before == 0 and after == DRAW)
        ends = keeps and after > 0 and self.tree[COUNT][child] == 0
        return keeps, bool(ends), int(self.tree[VISITS][child]), float(self.sums[REWARDS][child])

    def _candidate(self, child: int) -> Candidate:
        action = int(self.tree[ACTION][child])
        value = float(self.sums[LEADS][child]) / int(self.tree[VISITS][child])
        return Candidate(action, self.game.name_of(action), value, None if self.points else self.win(child))

    def _line(self, child: int) -> tuple[str, ...]:
        """The actions from a child of the root on, as long as they were tried often and chance is not asked."""
        line = [self._name(child)]
        while children := self.children(child):
            child = max((self._trust(child, each), -each) for each in children)[1] * -1
            if self.tree[VISITS][child] < TRUSTED:
                break
            line.append(self._name(child))
        return tuple(line)

    def _name(self, child: int) -> str:
        return self.game.name_of(int(self.tree[ACTION][child]))

    def _words(self, many: int, rows: int = 0) -> Any:
        return self._zeros(many, rows, 0, "int64")

    def _weights(self, many: int, rows: int = 0) -> Any:
        return self._zeros(many, rows, 0.0, "float64")

    def _zeros(self, many: int, rows: int, zero: float, kind: str) -> Any:
        """An array, or so many rows of it, as the code takes it.

        NumPy's zeros would take memory as it is used, and to wait for it can take longer than a search may.
        """
        if not self.compiled:
            return [[zero] * many for _ in range(rows)] if rows else [zero] * many
        import numpy

        return numpy.full((rows, many) if rows else many, zero, kind)


def desk(rules: Any) -> Desk:
    """The workspace of this thread for searches led by a module."""
    return thread_workspace(Desk, rules)
