"""The bot that plays any game by Monte Carlo tree search, and the workspace of its search (the kernel is `uct.py`)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rookery.core.bot import Analysis, Bot, Budget, Candidate, ranked
from rookery.core.game import Game
from rookery.core.options import option
from rookery.core.rules import STATE_SIZE
from rookery.engine import compiling
from rookery.engine.workspaces import thread_workspace
from rookery.search import uct
from rookery.search.tree import DRAW
from rookery.search.workspace import POOL, TreeWorkspace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.state import State
    from rookery.core.stream import Stream

MAX_ACTIONS = 1_000_000
"""Actions after which a playout is broken off."""
LARGEST = 250_000
"""Words of the largest position that is searched; in a larger one even one playout would take too long, and an action
is picked at random."""
EXPAND_AFTER = 1
"""Visits after which a node gets children."""
MANY_ACTIONS = 32
"""A game with this many actions is searched with RAVE and less exploration by default."""
RAVE, EXPLORE, EXPLORE_WITH_RAVE = 3000.0, 0.5, 0.03


@dataclass(frozen=True)
class Settings:
    """The parameters of a search."""

    explore: float
    """The weight of exploration."""
    rave: float = 0.0
    """The visits at which AMAF statistics count as much as a child's own; 0 turns RAVE off."""
    min_choices: int = 1
    """With fewer actions than this there is only one simulation."""


@dataclass(frozen=True)
class Mcts(Bot):
    """Monte Carlo tree search: it plays the game out at random many times, more often where that has gone well.

    Its candidates are in the order of their visits, which is how much it trusts them. A value counts by how many points
    it came out ahead of the best other player, on average over the playouts; alone, the points it got.
    """

    name: ClassVar[str] = "mcts"
    plays: ClassVar[type[Game] | None] = Game
    unit: ClassVar[str] = "points ahead"
    lists: ClassVar[bool] = False
    compiled_part: ClassVar[str] = "mcts"
    search_rules: ClassVar[Any] = None
    """The module that leads the search, if not the game's rules: the same functions, but perhaps with fewer actions or
    better picks. Such a module is for one game, so a bot that has one also sets `plays`, or a game lists it."""

    explore: float | None = option(None, "how much it looks into what it has seldom tried", low=0, high=10)
    rave: float | None = option(
        None, "tries of an action up to which games in which it came later count more", low=0, high=1e9
    )

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        if cls.search_rules is not None and cls.plays is Game:
            cls.plays = None

    def ready(self, game: Game) -> None:
        workspace(self.search_rules or game.kernel)

    def search(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        found = self._searched(state, budget, stream)
        return _guess(state, stream) if found is None else found.analysis()

    def search_best(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        """With the best candidate only, ties broken by the stream; an only action is not searched."""
        found = self._searched(state, budget, stream, min_choices=2)
        return _guess(state, stream) if found is None else found.analysis([stream.pick(found.best())])

    def _searched(self, state: State, budget: Budget, stream: Stream, *, min_choices: int = 1) -> Workspace | None:
        """The workspace after a search; None if there was no time for it."""
        if is_large(state):
            return None
        rave = self.rave
        if rave is None:
            rave = RAVE if state.game.action_count >= MANY_ACTIONS else 0.0
        explore = self.explore
        if explore is None:
            explore = EXPLORE_WITH_RAVE if rave else EXPLORE
        found = workspace(self.search_rules or state.game.kernel)
        found.search(state, budget, stream, Settings(explore, rave, min_choices))
        return found if found.nodes else None


def is_large(state: State) -> bool:
    """Whether a position is too large to search."""
    return state.words.state_size > LARGEST


def _guess(state: State, stream: Stream) -> Analysis:
    return ranked(state, {state.pick(stream): 0.0}, nodes=0)


class Workspace(TreeWorkspace):
    """A tree search led by the rules of a game, or by a bot's `search_rules`."""

    def __init__(self, rules: Any, *, compiled: bool, pool: int = POOL) -> None:
        super().__init__(compiled=compiled, pool=pool)
        self.code: Any = (compiling.compiled if compiled else compiling.interpreted)(uct, rules)
        ints, floats = self.buffers.ints, self.buffers.floats
        self.arrays = uct.Search(
            root=ints(1),
            control=self.control,
            r=self.r,
            scalars=ints(uct.SCALARS),
            values=floats(uct.VALUES),
            tree=self.tree,
            next_outcome=self.columns(ints, 1)[0],
            s=ints(1),
            path=self.path,
            trace=ints(2 * uct.MAX_TRACE),
            actions=ints(1),
            amaf_mover=ints(1),
        )
        self.compile()

    def run(self) -> None:
        self.code.run(self.arrays)

    def search(self, state: State, budget: Budget, stream: Stream, settings: Settings) -> None:
        """Grow a tree from a position."""
        self.game, self.me = state.game, state.turn
        self.points = self.game.players == 1 and not self.game.winnable
        words = self.game.compiled_words(state)
        self._allocate(words[STATE_SIZE], len(words) + 1, self.game.action_count)
        self.arrays.root[:] = words[: words[STATE_SIZE]]
        self.arrays.scalars[:] = [
            self.game.players,
            int(self.points),
            MAX_ACTIONS,
            EXPAND_AFTER,
            settings.min_choices,
            0,
        ]
        low, high = (math.inf, -math.inf) if self.points else (0.0, 1.0)
        self.arrays.values[:] = [settings.explore, settings.rave, low, high, 0.0, 0.0, 0.0]
        self.run_within(budget, stream)

    def _allocate(self, root: int, position: int, actions: int) -> None:
        """Make the arrays whose sizes depend on the game fit it."""
        ints = self.buffers.ints
        if (len(self.arrays.root), len(self.arrays.s)) != (root, position):
            self.arrays = self.arrays._replace(root=ints(root), s=ints(position))
        if len(self.arrays.actions) != actions:
            self.arrays = self.arrays._replace(actions=ints(actions), amaf_mover=ints(actions))

    def analysis(self, order: Sequence[int] | None = None) -> Analysis:
        """The result, for all actions that were tried or for some children of the root in this order."""
        if order is None:
            tried = [child for child in self.children(0) if self.tree.visits[child]]
            order = sorted(tried, key=lambda child: (*self._trust(0, child), -child), reverse=True)
        candidates = tuple(self._candidate(child) for child in order)
        best, line = candidates[0], tuple(self.name(child) for child in self.line(order[0]))
        return Analysis(best.value, line, candidates, self.nodes, best.win)

    def best(self) -> list[int]:
        """The most trusted children of the root; several if they are equal."""
        most = max(self._trust(0, child) for child in self.children(0))
        return [child for child in self.children(0) if self._trust(0, child) == most]

    def best_child(self, node: int) -> int:
        return max(self.children(node), key=lambda child: self._trust(node, child), default=0)

    def win(self, child: int) -> float:
        """The probability that a child of the root wins; in a game of points, the points."""
        proof = int(self.tree.proof[child])
        if proof:
            return 0.5 if proof == DRAW else float(proof == self.me)
        return self.mean(self.tree.reward, child)

    def _trust(self, node: int, child: int) -> tuple[bool, bool, int, float]:
        """The order of children: those that keep what is proven, then immediate wins, then by visits and rewards."""
        before, after = int(self.tree.proof[node]), int(self.tree.proof[child])
        keeps = after == before or (before == 0 and after == DRAW)
        ends = keeps and after > 0 and self.tree.child_count[child] == 0
        return keeps, bool(ends), int(self.tree.visits[child]), float(self.tree.reward[child])

    def _candidate(self, child: int) -> Candidate:
        lead, win = self.mean(self.tree.lead, child), None if self.points else self.win(child)
        return Candidate(int(self.tree.action[child]), self.name(child), lead, win)


def workspace(rules: Any) -> Workspace:
    """The workspace of this thread for searches led by a module."""
    return thread_workspace(Workspace, rules)
