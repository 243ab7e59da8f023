"""The bots of GateRun, and what its levels are made of."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from rookery.core.bot import Analysis, Bot, Budget, Candidate, Random, ranked
from rookery.core.options import option
from rookery.core.stream import Stream
from rookery.engine import compiling
from rookery.games.gaterun import rules
from rookery.games.gaterun.bots import alphabeta, minimax, search_state
from rookery.games.gaterun.bots.perfect import Perfect
from rookery.games.gaterun.bots.workspace import Desk
from rookery.games.gaterun.bots.workspace import desk as desk_of_thread
from rookery.games.gaterun.game import GateRun
from rookery.search.control import CONTROLS, LIMIT, NODES, STOP, limited
from rookery.search.mcts import Mcts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rookery.core.game import Game
    from rookery.core.state import State


@dataclass(frozen=True)
class Greedy(Bot):
    """Looks one action ahead: the opponent's shortest path minus its own, a win above all. Its value is in steps."""

    name: ClassVar[str] = "greedy"
    plays: ClassVar[type[Game] | None] = GateRun
    unit: ClassVar[str] = "steps ahead"

    def search(self, state: State, budget: Budget, stream: Stream) -> Analysis:
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
class Runner(Bot):
    """Runs: a step on a shortest path, as a beginner would, and a wall only if no step is possible.

    Its value is the steps left, below 0.
    """

    name: ClassVar[str] = "runner"
    plays: ClassVar[type[Game] | None] = GateRun
    unit: ClassVar[str] = "steps"

    def search(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        me, cells = state.turn, state.words[rules.SIZE] ** 2
        values: dict[int, float] = {}
        for action in state.actions():
            words = list(state.words)
            rules.perform(words, action)
            values[action] = -float(rules.distance(words, me)) - (0 if action < cells else 1000)
        return ranked(state, values, nodes=len(values))


@dataclass(frozen=True)
class Minimax(Bot):
    """Alpha-beta over all legal actions, exact to its depth unless the budget stops it at a lower one.

    Its value is in tenths of a step: ten for each step its path is shorter than the opponent's, one for each pawn step
    it has more, and minus five with one wall or none; near a million for a win in sight.
    """

    name: ClassVar[str] = "minimax"
    plays: ClassVar[type[Game] | None] = GateRun
    unit: ClassVar[str] = "tenths of a step ahead"
    compiled_part: ClassVar[str] = "minimax"
    depth: int = option(3, "plies it looks ahead", low=1, high=8)

    def ready(self, game: Game) -> None:
        if compiling.in_use():
            state = GateRun(size=3).start()
            _Desk(state, 1).look(1, every=True)

    def search(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        return self._deepen(_Desk(state, self.depth), budget, every=True)

    def search_best(self, state: State, budget: Budget, stream: Stream) -> Analysis:
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


@dataclass(frozen=True)
class AlphaBeta(Bot):
    """Looks far ahead at few moves: every step, but only the walls that matter; see `alphabeta.py`.

    Its value is in steps: those its way is shorter than the opponent's, and 1.6 for each wall it has more in hand; 1000
    for a win in sight, less a point for each ply to it. A win is called forced only where nothing was left out. With
    neither time nor nodes nor depth given, it looks at 100,000 positions.
    """

    name: ClassVar[str] = "alphabeta"
    plays: ClassVar[type[Game] | None] = GateRun
    compiled_part: ClassVar[str] = "alphabeta"
    unit: ClassVar[str] = "steps ahead"
    depth: int | None = option(None, "plies it looks ahead at most", low=1, high=search_state.DEEPEST)

    def ready(self, game: Game) -> None:
        if compiling.in_use():
            _warm()
        desk_of_thread()  # a thread that was not there before gets its own

    def search(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        return self._deepen(state, budget, stream, SHOWN)

    def search_best(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        return self._deepen(state, budget, stream, 1)

    def _deepen(self, state: State, budget: Budget, stream: Stream, wanted: int) -> Analysis:
        desk = desk_of_thread()
        desk.lay_out(state, stream)
        if desk.is_race:
            return self._said(desk, state, desk.race(), wanted, proven=True)
        found, reached = desk.look(1, wanted), 1  # whatever the budget: it takes no time to speak of
        with limited(budget, desk.control):
            if budget.ms is None and budget.nodes is None and self.depth is None:
                desk.control[LIMIT] = USUAL
            for depth in range(2, (self.depth or search_state.DEEPEST) + 1):
                if desk.stopped or _in_sight(found[0][1]) <= depth:
                    break
                more = desk.look(depth, wanted)
                found = _merged(more, found) if desk.stopped else more
                reached = depth - desk.stopped
            said = self._said(desk, state, found, wanted, proven=False)
            plies = _in_sight(found[0][1])
            if wanted > 1 and plies <= PROVABLE and not desk.stopped:
                proof = desk.prove(plies)
                if _in_sight(proof) <= plies:
                    said = replace(said, win=1.0, forced=_in_sight(proof))
        return replace(said, nodes=desk.nodes, depth=reached)

    def _said(self, desk: Desk, state: State, found: list[tuple[int, int]], wanted: int, *, proven: bool) -> Analysis:
        name, line = state.game.name_of, tuple(state.game.name_of(action) for action in desk.line())
        candidates = tuple(
            Candidate(desk.action(code), name(desk.action(code)), _steps(value), _chance(value, proven=proven))
            for code, value in found[:wanted]
        )
        value = found[0][1]
        forced = None
        if proven and value:
            forced = alphabeta.WIN - value if value > 0 else -alphabeta.WIN - value
        best = candidates[0]
        return Analysis(best.value, line, candidates, desk.nodes, best.win, forced)


def _merged(deeper: list[tuple[int, int]], before: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """What a search found that was stopped, with what it found one ply less deep about the moves it did not reach. The
    best move stays first; none is said to be worth more, because values of two depths do not compare.
    """
    if not deeper:
        return before
    code, best = deeper[0]
    others = {**dict(before), **dict(deeper)}
    del others[code]
    ranked = sorted(others.items(), key=lambda pair: -min(pair[1], best))
    return [(code, best), *((each, min(value, best)) for each, value in ranked)]


@cache
def _warm() -> None:
    """Have everything compiled that an alpha-beta search calls, races included."""
    for walls in (1, 0):
        AlphaBeta().search(GateRun(size=3, walls=walls).start(), Budget(nodes=100), Stream())


def _in_sight(value: int) -> int:
    """The plies to a win that a value stands for; more than a game has if it stands for none."""
    return alphabeta.WIN - value if value > alphabeta.WIN - rules.LONGEST else 2 * rules.LONGEST


def _steps(value: int) -> float:
    """A value of the search in steps."""
    if abs(value) > alphabeta.CERTAIN:
        return value / abs(value) * (1000 - (alphabeta.WIN - abs(value)))
    return value / search_state.PACE


def _chance(value: int, *, proven: bool) -> float:
    """The probability of winning that goes with a value of the search."""
    if proven:
        return 0.5 if value == 0 else float(value > 0)
    return min(0.99, max(0.01, 1 / (1 + math.exp(-max(-999, min(999, value)) / SPREAD))))


class _Desk:
    """Arrays for one search, compiled if Numba is there, and the words that control it."""

    def __init__(self, state: State, depth: int) -> None:
        self.game, self.me = state.game, state.turn
        words = self.game.compiled_words(state)
        wide = minimax.width(words)
        self.code: Any
        if compiling.in_use():
            import numpy

            self.code = compiling.compiled(minimax)
            self.stack: Any = numpy.zeros((depth + 2, len(words)), numpy.int64)
            self.moves: Any = numpy.zeros((depth + 2, wide), numpy.int64)
            self.lines: Any = numpy.full((depth + 2, depth + 3), -1, numpy.int64)
            self.control: Any = numpy.zeros(CONTROLS, numpy.int64)
        else:
            self.code = minimax
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
        win = None if abs(best.value) < minimax.WIN / 2 else float(best.value > 0)
        return Analysis(best.value, names, tuple(candidate for candidate, _ in found), self.nodes, win)

    def _values(self, depth: int, *, every: bool) -> Iterator[tuple[int, int, list[int]]]:
        endless = 2 * minimax.WIN
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


SHOWN = 5
"""Candidates of an alpha-beta analysis."""
USUAL = 100_000
"""Positions an alpha-beta search looks at if nothing is said."""
PROVABLE = 7
"""Plies of a win that is worth proving."""
SPREAD = 16.0
"""A value of the search that makes a win e times as likely as a loss."""

BOTS: Mapping[str, type[Bot]] = {
    each.name: each for each in (Random, Runner, Greedy, Minimax, Mcts, AlphaBeta, Perfect)
}

LEVELS = (
    "alphabeta:nodes=100,slip=0.6",
    "alphabeta:nodes=100,slip=0.45",
    "alphabeta:nodes=100,slip=0.3",
    "alphabeta:nodes=100,slip=0.2",
    "alphabeta:nodes=150,slip=0.1",
    "alphabeta:nodes=250",
    "alphabeta:nodes=1000",
    "alphabeta:nodes=5000",
    "alphabeta:nodes=40000",
    "alphabeta:ms=100",
)
"""Ever more positions looked at and ever fewer moves left to chance; the last is the strongest within a tenth of a
second, the others play alike on every machine."""
