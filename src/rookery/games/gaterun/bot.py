"""The bots of GateRun, and what its levels are made of."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Timer
from typing import TYPE_CHECKING, Any, ClassVar

from rookery.core import compiled
from rookery.core.bot import Analysis, Bot, Budget, Candidate, Random, ranked
from rookery.core.options import option
from rookery.games.gaterun import rules, search

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rookery.core.state import State
    from rookery.core.stream import Stream


@dataclass(frozen=True)
class Greedy(Bot):
    """Looks one action ahead: the opponent's shortest path minus its own, a win above all. Its value is in steps."""

    name: ClassVar[str] = "greedy"

    def think(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        me = state.turn
        values: dict[int, float] = {}
        for action in state.actions():
            words = list(state.words)
            rules.perform(words, action)
            if words[rules.WINNER]:
                values[action] = 100.0
            else:
                values[action] = float(rules.distance(words, 3 - me) - rules.distance(words, me))
        return ranked(state, values, nodes=len(values))


@dataclass(frozen=True)
class Minimax(Bot):
    """Alpha-beta over all legal actions, exact to its depth unless the budget stops it at a lower one.

    Its value is in tenths of a step: ten for each step its path is shorter than the opponent's, one for each pawn step
    it has more, and minus five with one wall or none; near a million for a win in sight.
    """

    name: ClassVar[str] = "minimax"
    depth: int = option(3, "plies it looks ahead", low=1, high=8)

    def think(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        best: Analysis | None = None
        with _Desk(state, self.depth, budget) as desk:
            for depth in range(1, self.depth + 1):
                found = desk.look(depth)
                if found is None:
                    break
                best = found
            if best is None:
                # Not even one ply could be looked at: the first action in the order of search.
                action = desk.root[0]
                name = state.game.name_of(action)
                best = Analysis(0.0, (name,), (Candidate(action, name, 0.0),), desk.nodes)
        return best


class _Desk:
    """Arrays for one search, compiled if Numba is there, and the clock that stops it."""

    def __init__(self, state: State, depth: int, budget: Budget) -> None:
        self.game, self.me = state.game, state.turn
        self.budget = budget
        words = self.game.machine_words(state)
        wide = search.width(words)
        self.code: Any
        if compiled.available():
            import numpy

            self.code = compiled.compiled(search)
            self.stack: Any = numpy.zeros((depth + 2, len(words)), numpy.int64)
            self.moves: Any = numpy.zeros((depth + 2, wide), numpy.int64)
            self.lines: Any = numpy.full((depth + 2, depth + 3), -1, numpy.int64)
            self.control: Any = numpy.zeros(3, numpy.int64)
        else:
            self.code = search
            self.stack = [[0] * len(words) for _ in range(depth + 2)]
            self.moves = [[0] * wide for _ in range(depth + 2)]
            self.lines = [[-1] * (depth + 3) for _ in range(depth + 2)]
            self.control = [0, 0, 0]
        self.stack[0][:] = words
        count = self.code.order(self.stack[0], self.moves[0])
        self.root = [int(action) for action in self.moves[0][:count]]
        self.control[search.LIMIT] = budget.nodes or 0

    def __enter__(self) -> _Desk:
        self.budget.watch(self._stop)
        left = self.budget.seconds_left
        self._timer = None if left is None else Timer(left, self._stop)
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(self, *problem: object) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _stop(self) -> None:
        self.control[search.STOP] = 1

    @property
    def nodes(self) -> int:
        return int(self.control[search.NODES])

    def look(self, depth: int) -> Analysis | None:
        """The value of every action at a depth; None if the search was stopped on the way."""
        found = []
        for action, value, line in self._values(depth):
            if self.control[search.STOP]:
                return None
            found.append((Candidate(action, self.game.name_of(action), float(value)), line))
        found.sort(key=lambda pair: -pair[0].value)  # equal values stay in the order of search
        best, line = found[0]
        names = tuple(self.game.name_of(action) for action in line)
        win = None if abs(best.value) < search.WIN / 2 else float(best.value > 0)
        return Analysis(best.value, names, tuple(candidate for candidate, _ in found), self.nodes, win)

    def _values(self, depth: int) -> Iterator[tuple[int, int, list[int]]]:
        endless = 2 * search.WIN
        for action in self.root:
            self.code.advance(self.stack, 0, action)
            value = self.code.search(
                self.stack, self.moves, self.lines, self.control, 1, depth - 1, -endless, endless, self.me
            )
            rest = [int(each) for each in self.lines[1]]
            yield action, int(value), [action, *rest[: rest.index(-1)]]


BOTS: Mapping[str, type[Bot]] = {each.name: each for each in (Random, Greedy, Minimax)}

LEVELS = (
    "greedy:slip=0.8",
    "greedy:slip=0.6",
    "greedy:slip=0.4",
    "greedy:slip=0.2",
    "greedy",
    "minimax:depth=1",
    "minimax:depth=2,slip=0.2",
    "minimax:depth=2",
    "minimax:depth=3,slip=0.1",
    "minimax:depth=3",
)
