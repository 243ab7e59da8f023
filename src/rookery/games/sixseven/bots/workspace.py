"""The workspace of the bots of 67!: the arrays of a search, the code it runs, and its result as an analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rookery.core.bot import Analysis, Budget, Candidate
from rookery.core.stream import WORDS, seed_stream
from rookery.engine import compiling
from rookery.engine.workspaces import Buffers, thread_workspace
from rookery.games.sixseven import rules
from rookery.games.sixseven.bots import expectimax, heuristic, value
from rookery.search.control import CONTROLS, NODES, STOP, limited

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.state import State
    from rookery.core.stream import Stream


ENOUGH = 4
"""Samples of each slide that tell more than the values of the slides themselves."""


class Workspace:
    """Runs one search after another. Threads must not share one."""

    def __init__(self, *, compiled: bool) -> None:
        self.compiled = compiled
        self.code: Any = compiling.compiled(expectimax) if compiled else expectimax
        self.no_weights = self._weights([0.0])
        self.buffers: expectimax.SearchBuffers | None = None

    def search(self, state: State, settings: Sequence[int], weights: Any, budget: Budget, stream: Stream) -> Analysis:
        """Search a position with the settings of `expectimax.py`; `weights` may be None if they are not used."""
        words = state.game.compiled_words(state)
        b = self.buffers
        if b is None or len(b.root) != len(words):
            b = self._allocate(words)
        weights = self.no_weights if weights is None else self._weights(weights)
        if b.weights is not weights:
            b = b._replace(weights=weights)
        self.buffers = b
        b.root[:] = words
        b.settings[:] = list(settings)
        b.control[:] = [0] * CONTROLS
        seed_stream(b.r, stream.bits() << 31 | stream.bits() >> 1, 0)
        with limited(budget, b.control):
            self.run(b)
        if settings[expectimax.PLIES] > 1 and is_cut_short(b):
            b.settings[:] = [1, 1, 1, 1, settings[expectimax.EVALUATION]]
            self.run(b)  # takes next to no time, whatever the budget
        return analysis(state, b)

    def _allocate(self, words: Sequence[int]) -> expectimax.SearchBuffers:
        """Buffers for positions of this size, and the code that searches with them."""
        allocate, cells = Buffers(compiled=self.compiled), words[rules.ROWS] * words[rules.COLS]
        buffers = expectimax.SearchBuffers(
            root=allocate.ints(len(words)),
            boards=allocate.ints(len(words), rows=expectimax.BOARDS),
            r=allocate.ints(WORDS),
            control=allocate.ints(CONTROLS),
            settings=allocate.ints(expectimax.SETTINGS),
            weights=self.no_weights,
            features=value.FeatureBuffers(
                notes=allocate.ints(value.NOTES * cells), slots=allocate.ints(value.max_features(cells))
            ),
            counts=allocate.ints(expectimax.COUNTS),
            sums=allocate.floats(rules.SPAWN),
        )
        search = self.code.search
        self.run = compiling.entry_point(search, buffers) if self.compiled else search
        return buffers

    def _weights(self, weights: Any) -> Any:
        """Weights as the code takes them."""
        if not self.compiled:
            return weights
        import numpy

        return numpy.ascontiguousarray(weights, numpy.float32)


def is_cut_short(b: expectimax.SearchBuffers) -> bool:
    """Whether a search was stopped so soon that luck would choose between the slides."""
    fewest = min(filter(None, b.counts[expectimax.VISITS : expectimax.ROUNDS_IN]), default=0)
    return bool(b.control[STOP]) and fewest < ENOUGH


def analysis(state: State, b: expectimax.SearchBuffers) -> Analysis:
    """The result of a search. Slides that took part in most rounds come first, then those with the best mean."""
    heuristic_used, name = b.settings[expectimax.EVALUATION] == expectimax.HEURISTIC, state.game.name_of
    visits, rounds = b.counts[expectimax.VISITS :], b.counts[expectimax.ROUNDS_IN :]
    means = {
        direction: float(b.sums[direction]) / int(visits[direction])
        for direction in range(rules.SPAWN)
        if visits[direction]
    }
    order = sorted(means, key=lambda each: (-int(rounds[each]), -means[each]))
    candidates = tuple(
        Candidate(each, name(each), heuristic.WIN * means[each], None if heuristic_used else means[each])
        for each in order
    )
    best = candidates[0]
    answers = [int(b.counts[expectimax.answer_index(best.action, each)]) for each in range(rules.SPAWN)]
    then = (name(answers.index(max(answers))),) if max(answers) else ()
    return Analysis(best.value, (best.name, *then), candidates, int(b.control[NODES]), best.win)


def workspace() -> Workspace:
    """The workspace of this thread."""
    return thread_workspace(Workspace)
