"""The Python side of a tree search: it allocates the tree, holds the search to its budget, and reads the result."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from rookery.core.stream import WORDS, seed_stream
from rookery.engine.workspaces import Buffers
from rookery.search.control import CONTROLS, NODE_LIMIT, NODES, STOP, limited
from rookery.search.tree import MAX_DEPTH, Tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from rookery.core.bot import Budget
    from rookery.core.game import Game
    from rookery.core.stream import Stream

DEFAULT_NODES = 2000
"""Simulations for a move if the budget sets no limit."""
POOL = 1 << 19
"""The most nodes of a tree."""
PADDING = 24
"""Entries between two columns, so that those of one node do not compete for the same lines of the processor's cache."""
TRUSTED = 10
"""Visits that make a node part of the best line."""


class TreeWorkspace(ABC):
    """The tree of one search after another, for one thread."""

    game: Game
    """The game of the last search."""
    me: int
    """The player to move at its root."""

    def __init__(self, *, compiled: bool, pool: int = POOL) -> None:
        self.compiled = compiled
        self.buffers = Buffers(compiled=compiled)
        self.pool = pool
        ints, floats = self.buffers.ints, self.buffers.floats
        self.tree = Tree(ints(1), *self.columns(ints, 6), *self.columns(floats, 3))
        self.r, self.control, self.path = ints(WORDS), ints(CONTROLS), ints(MAX_DEPTH)

    def columns(self, allocate: Callable[..., Any], count: int) -> list[Any]:
        """Columns of the tree."""
        return [row[: self.pool] for row in allocate(self.pool + PADDING, rows=count)]

    @abstractmethod
    def run(self) -> None:
        """Run the kernel."""

    @abstractmethod
    def best_child(self, node: int) -> int:
        """The most trusted child of a node; 0 if it has none."""

    def compile(self) -> None:
        """Compile the kernel, by a search that stops at once."""
        self.control[STOP] = 1
        self.run()

    def run_within(self, budget: Budget, stream: Stream) -> None:
        """Run the kernel until the budget is used up."""
        for word in range(CONTROLS):
            self.control[word] = 0
        self.tree.child_count[0] = 0
        seed_stream(self.r, stream.bits() << 31 | stream.bits() >> 1, 0)
        with limited(budget, self.control):
            if budget.ms is None and budget.nodes is None:
                self.control[NODE_LIMIT] = DEFAULT_NODES
            self.run()

    @property
    def nodes(self) -> int:
        """The simulations of the last search."""
        return int(self.control[NODES])

    def children(self, node: int) -> range:
        """The children of a node at which a player is to move."""
        first, count = int(self.tree.first_child[node]), int(self.tree.child_count[node])
        return range(first, first + count)

    def line(self, child: int) -> list[int]:
        """The most trusted nodes from a child of the root on, up to the first with few visits or a chance node."""
        line = [child]
        while child := self.best_child(child):
            if self.tree.visits[child] < TRUSTED:
                break
            line.append(child)
        return line

    def name(self, node: int) -> str:
        """The action that leads to a node, as text."""
        return self.game.name_of(int(self.tree.action[node]))

    def mean(self, column: Any, node: int) -> float:
        """A column's sum by the visits of the node; 0 without visits."""
        visits = int(self.tree.visits[node])
        return float(column[node]) / visits if visits else 0.0
