"""The bots of GateRun, and what its levels are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rookery.core import compiled
from rookery.core.bot import Analysis, Bot, Budget, Candidate, Random, ranked
from rookery.core.control import CONTROLS, NODES, STOP, limited
from rookery.core.options import option
from rookery.games.gaterun import rules, search
from rookery.games.gaterun.game import GateRun

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

    def ready(self) -> None:
        if compiled.available():
            state = GateRun(size=3).start()
            _Desk(state, 1).look(1, every=True)

    def think(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        return self._deepen(_Desk(state, self.depth), budget, every=True)

    def decide(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        return self._deepen(_Desk(state, self.depth), budget, every=False)

    def _deepen(self, desk: _Desk, budget: Budget, *, every: bool) -> Analysis:
        best = desk.look(1, every=every)  # whatever the budget: it takes no time to speak of
        with limited(budget, desk.control):
            for depth in range(2, self.depth + 1):
                found = desk.look(depth, every=every)
                if desk.stopped:
                    break
                best = found
        return best


class _Desk:
    """Arrays for one search, compiled if Numba is there, and the words that control it."""

    def __init__(self, state: State, depth: int) -> None:
        self.game, self.me = state.game, state.turn
        words = self.game.machine_words(state)
        wide = search.width(words)
        self.code: Any
        if compiled.available():
            import numpy

            self.code = compiled.compiled(search)
            self.stack: Any = numpy.zeros((depth + 2, len(words)), numpy.int64)
            self.moves: Any = numpy.zeros((depth + 2, wide), numpy.int64)
            self.lines: Any = numpy.full((depth + 2, depth + 3), -1, numpy.int64)
            self.control: Any = numpy.zeros(CONTROLS, numpy.int64)
        else:
            self.code = search
            self.stack = [[0] * len(words) for _ in range(depth + 2)]
            self.moves = [[0] * wide for _ in range(depth + 2)]
            self.lines = [[-1] * (depth + 3) for _ in range(depth + 2)]
            self.control = [0] * CONTROLS
        self.stack[0][:] = words
        count = self.code.order(self.stack[0], self.moves[0])
        self.root = [int(action) for action in self.moves[0][:count]]

    @property
    def stopped(self) -> bool:
        """Whether the search was stopped, so that what it found last is not to be relied on."""
        return bool(self.control[STOP])

    @property
    def nodes(self) -> int:
        return int(self.control[NODES])

    def look(self, depth: int, *, every: bool) -> Analysis:
        """The value of every action at a depth, or only of the best: then the others may be worth less than said."""
        found = []
        for action, value, line in self._values(depth, every=every):
            found.append((Candidate(action, self.game.name_of(action), float(value)), line))
            if self.stopped:
                break
        found.sort(key=lambda pair: -pair[0].value)  # equal values stay in the order of search
        if not every:
            self.root = [candidate.action for candidate, _ in found]  # the best so far first: it rules most others out
        best, line = found[0]
        names = tuple(self.game.name_of(action) for action in line)
        win = None if abs(best.value) < search.WIN / 2 else float(best.value > 0)
        return Analysis(best.value, names, tuple(candidate for candidate, _ in found), self.nodes, win)

    def _values(self, depth: int, *, every: bool) -> Iterator[tuple[int, int, list[int]]]:
        endless = 2 * search.WIN
        low = -endless
        for action in self.root:
            self.code.advance(self.stack, 0, action)
            value = self.code.search(
                self.stack, self.moves, self.lines, self.control, 1, depth - 1, low, endless, self.me
            )
            if not every:
                low = max(low, int(value) - 1)  # just below the best, so that its equals are still told apart
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
