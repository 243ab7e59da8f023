"""The bots of GateRun and its levels."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, ClassVar

from rookery.core.bot import Analysis, Bot, Budget, Candidate, Random, ranked
from rookery.core.options import option
from rookery.core.stream import Stream
from rookery.core.tunable import Slider, TunableBot
from rookery.engine import compiling
from rookery.games.gaterun import rules
from rookery.games.gaterun.bots import alphabeta, minimax, move_generation, search_state
from rookery.games.gaterun.bots.perfect import Perfect
from rookery.games.gaterun.bots.reviewer import GateRunReviewer
from rookery.games.gaterun.bots.workspace import AlphaBetaWorkspace, MinimaxWorkspace, SearchedAction, workspace
from rookery.games.gaterun.game import GateRun
from rookery.search.control import NODE_LIMIT, limited
from rookery.search.mcts import Mcts

if TYPE_CHECKING:
    from collections.abc import Mapping

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
            MinimaxWorkspace(GateRun(size=3).start(), 1, compiled=True).search(1, every=True)

    def search(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        return self._deepen(state, budget, every=True)

    def search_best(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        return self._deepen(state, budget, every=False)

    def _deepen(self, state: State, budget: Budget, *, every: bool) -> Analysis:
        """Search ever deeper; with `every`, all values are exact, else only that of the best move."""
        work = MinimaxWorkspace(state, self.depth, compiled=compiling.in_use())
        found, nodes = work.search(1, every=every), work.nodes  # takes next to no time, whatever the budget
        with limited(budget, work.control):
            for depth in range(2, self.depth + 1):
                deeper = work.search(depth, every=every)
                if work.stopped:
                    break
                found = deeper
                nodes = work.nodes
        return self._analysis(state, found, nodes)

    def _analysis(self, state: State, found: list[SearchedAction], nodes: int) -> Analysis:
        name = state.game.name_of
        candidates = tuple(Candidate(each.action, name(each.action), float(each.value)) for each in found)
        value = candidates[0].value
        win = None if abs(value) < minimax.WIN / 2 else float(value > 0)
        return Analysis(value, tuple(map(name, found[0].line)), candidates, nodes, win)


@dataclass(frozen=True)
class AlphaBeta(Bot):
    """Looks far ahead at few moves: every step, but only the walls that matter; see `alphabeta.py`.

    Its value is in steps: those its path is shorter than the opponent's, and 1.6 for each wall it has more; 1000 for a
    win in sight, less a point for each ply to it. A win is called forced only if nothing was left out. With
    neither time nor nodes nor depth given, it looks at 100,000 positions.
    """

    name: ClassVar[str] = "alphabeta"
    plays: ClassVar[type[Game] | None] = GateRun
    compiled_part: ClassVar[str] = "alphabeta"
    unit: ClassVar[str] = "steps ahead"
    depth: int | None = option(None, "plies it looks ahead at most", low=1, high=search_state.MAX_PLY)

    def ready(self, game: Game) -> None:
        if compiling.in_use():
            _warm()
        workspace()  # a thread that was not there before gets its own

    def search(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        return self._deepen(state, budget, stream, ANALYSIS_MOVES)

    def search_best(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        return self._deepen(state, budget, stream, 1)

    def _deepen(self, state: State, budget: Budget, stream: Stream, multi_pv: int) -> Analysis:
        """Iterative deepening (chessprogramming wiki), until the budget is spent or the outcome is clear."""
        work = workspace()
        work.load(state, stream)
        if work.is_race:
            return self._analysis(work, state, work.solve_race(), multi_pv, proven=True)
        found, reached = work.search(1, multi_pv), 1  # takes next to no time, whatever the budget
        with limited(budget, work.control):
            if budget.ms is None and budget.nodes is None and self.depth is None:
                work.control[NODE_LIMIT] = DEFAULT_NODES
            for depth in range(2, (self.depth or search_state.MAX_PLY) + 1):
                if work.stopped or _plies_to_win(found[0][1]) <= depth:
                    break
                deeper = work.search(depth, multi_pv)
                found = _merged(deeper, found) if work.stopped else deeper
                reached = depth - work.stopped
            analysis = self._analysis(work, state, found, multi_pv, proven=False)
            plies = _plies_to_win(found[0][1])
            if multi_pv > 1 and plies <= PROOF_DEPTH and not work.stopped:
                proof = work.prove(plies)
                if _plies_to_win(proof) <= plies:
                    analysis = replace(analysis, win=1.0, forced=_plies_to_win(proof))
        return replace(analysis, nodes=work.nodes, depth=reached)

    def _analysis(
        self, work: AlphaBetaWorkspace, state: State, found: list[tuple[int, int]], multi_pv: int, *, proven: bool
    ) -> Analysis:
        name = state.game.name_of
        line = tuple(map(name, work.principal_variation()))
        candidates = tuple(
            Candidate(work.action(code), name(work.action(code)), _steps(value), _win_probability(value, proven=proven))
            for code, value in found[:multi_pv]
        )
        value = found[0][1]
        forced = None
        if proven and value:
            forced = alphabeta.WIN - value if value > 0 else -alphabeta.WIN - value
        best = candidates[0]
        return Analysis(best.value, line, candidates, work.nodes, best.win, forced)


def _merged(deeper: list[tuple[int, int]], before: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The values of a stopped search, completed by those of the search before, one ply less deep.

    The best move stays first. No other gets a higher value, because values of two depths do not compare.
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
    """Compile everything an alpha-beta search calls, races included."""
    for walls in (1, 0):
        AlphaBeta().search(GateRun(size=3, walls=walls).start(), Budget(nodes=100), Stream())


def _plies_to_win(value: int) -> int:
    """The plies to a win that a value stands for; more than a game can have if it is no win."""
    return alphabeta.WIN - value if value > alphabeta.WIN - rules.LONGEST else 2 * rules.LONGEST


def _steps(value: int) -> float:
    """A value of the search in steps."""
    if abs(value) > alphabeta.CERTAIN:
        return value / abs(value) * (1000 - (alphabeta.WIN - abs(value)))
    return value / move_generation.STEP_VALUE


def _win_probability(value: int, *, proven: bool) -> float:
    """The probability of winning that goes with a value of the search."""
    if proven:
        return 0.5 if value == 0 else float(value > 0)
    return min(0.99, max(0.01, 1 / (1 + math.exp(-max(-999, min(999, value)) / LOGISTIC_SCALE))))


ANALYSIS_MOVES = 5
"""Candidates of an alpha-beta analysis."""
DEFAULT_NODES = 100_000
"""The node limit of an alpha-beta search without a budget."""
PROOF_DEPTH = 7
"""Wins within this many plies are proven by a full-width search."""
LOGISTIC_SCALE = 16.0
"""The value that makes a win e times as likely as a loss."""

BOTS: Mapping[str, type[Bot]] = {
    each.name: each for each in (Random, Runner, Greedy, Minimax, Mcts, AlphaBeta, Perfect)
}

TUNABLE_BOTS = (
    TunableBot(
        "Classic",
        "The opponent described by the game's author: minimax with alpha-beta pruning, within a tenth of a second.",
        "minimax:ms=100",
        (
            Slider("depth", "Looks ahead", (1, 2, 3), 3, "depth {:.0f}"),
            Slider("slip", "Mistakes", tuple(percent / 100 for percent in range(0, 55, 5)), 0, "{:.0%} mistakes"),
        ),
    ),
)

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
"""From level to level more nodes and fewer random moves. The last level gets a tenth of a second; all others play alike
on every machine."""

REVIEWER = GateRunReviewer
