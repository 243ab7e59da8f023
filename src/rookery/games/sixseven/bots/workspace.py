"""The desk at which the bots of 67! think: the arrays of a search, compiled if Numba is there, and what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rookery.core.bot import Analysis, Budget, Candidate
from rookery.core.stream import WORDS, seed_stream
from rookery.engine import compiling
from rookery.engine.workspaces import thread_workspace
from rookery.games.sixseven import rules
from rookery.games.sixseven.bots import expectimax, heuristic, value
from rookery.search.control import CONTROLS, NODES, limited

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.state import State
    from rookery.core.stream import Stream


class Desk:
    """Arrays for one search after another. Not to be shared between threads."""

    def __init__(self, *, compiled: bool) -> None:
        self.compiled = compiled
        self.code: Any = compiling.compiled(expectimax) if self.compiled else expectimax
        self.none = self._reals(1, "float32")
        self.r, self.control, self.plan, self.tries = (
            self._words(many) for many in (WORDS, CONTROLS, expectimax.PLANS, expectimax.COUNTS)
        )
        self.sums = self._reals(rules.SPAWN, "float64")
        self.size = 0

    def search(self, state: State, plan: Sequence[int], weights: Any, budget: Budget, stream: Stream) -> Analysis:
        """What the slides of a position are worth, looked at as planned; see `expectimax.py`."""
        words = state.game.compiled_words(state)
        if len(words) != self.size:
            self._lay(words)
        self.root[:] = self._array(words)
        self.plan[:] = self._array(plan)
        for word in range(CONTROLS):
            self.control[word] = 0
        seed_stream(self.r, stream.bits() << 31 | stream.bits() >> 1, 0)
        with limited(budget, self.control):
            self.code.search(
                self.root,
                self.boards,
                self.r,
                self.control,
                self.plan,
                self.none if weights is None else weights,
                self.notes,
                self.found,
                self.tries,
                self.sums,
            )
        return self._said(state, plan)

    def _said(self, state: State, plan: Sequence[int]) -> Analysis:
        """What was found: slides that took part longest come first, then those that did best."""
        by_hand, name = plan[expectimax.VALUED] == expectimax.BY_HAND, state.game.name_of
        found = {
            direction: float(self.sums[direction]) / int(self.tries[direction])
            for direction in range(rules.SPAWN)
            if self.tries[direction]
        }
        order = sorted(found, key=lambda each: (-int(self.tries[rules.SPAWN + each]), -found[each]))
        candidates = tuple(
            Candidate(each, name(each), heuristic.MADE * found[each], None if by_hand else found[each])
            for each in order
        )
        best = candidates[0]
        answers = [int(self.tries[expectimax.answer(best.action, each)]) for each in range(rules.SPAWN)]
        then = (name(answers.index(max(answers))),) if max(answers) else ()
        return Analysis(best.value, (best.name, *then), candidates, int(self.control[NODES]), best.win)

    def _lay(self, words: Sequence[int]) -> None:
        self.size = len(words)
        cells = words[rules.ROWS] * words[rules.COLS]
        self.root = self._words(len(words))
        self.notes, self.found = self._words(value.NOTES * cells), self._words(value.room(cells))
        if self.compiled:
            import numpy

            self.boards: Any = numpy.zeros((expectimax.BOARDS, len(words)), numpy.int64)
        else:
            self.boards = [[0] * len(words) for _ in range(expectimax.BOARDS)]

    def _words(self, many: int) -> Any:
        return self._array([0] * many)

    def _array(self, numbers: Sequence[int]) -> Any:
        return compiling.array(numbers) if self.compiled else list(numbers)

    def _reals(self, many: int, kind: str) -> Any:
        """Zeros of a kind that NumPy knows by that name."""
        if not self.compiled:
            return [0.0] * many
        import numpy

        return numpy.zeros(many, kind)


def desk() -> Desk:
    """The workspace of this thread."""
    return thread_workspace(Desk)
