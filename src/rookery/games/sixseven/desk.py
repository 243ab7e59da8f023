"""The desk at which the bots of 67! think: the arrays of a search, compiled if Numba is there, and what was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rookery.core import compiled
from rookery.core.bot import Analysis, Budget, Candidate
from rookery.core.control import CONTROLS, NODES, limited
from rookery.core.stream import WORDS, sow
from rookery.core.workspaces import thread_workspace
from rookery.games.sixseven import hand, rules, search, value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.state import State
    from rookery.core.stream import Stream


class Desk:
    """Arrays for one search after another. Not to be shared between threads."""

    def __init__(self, *, machine: bool) -> None:
        self.machine = machine
        self.code: Any = compiled.compiled(search) if self.machine else search
        self.none = self._reals(1, "float32")
        self.r, self.control, self.plan, self.tries = (
            self._words(many) for many in (WORDS, CONTROLS, search.PLANS, search.COUNTS)
        )
        self.sums = self._reals(rules.SPAWN, "float64")
        self.size = 0

    def search(self, state: State, plan: Sequence[int], weights: Any, budget: Budget, stream: Stream) -> Analysis:
        """What the slides of a position are worth, looked at as planned; see `search.py`."""
        words = state.game.machine_words(state)
        if len(words) != self.size:
            self._lay(words)
        self.root[:] = self._array(words)
        self.plan[:] = self._array(plan)
        for word in range(CONTROLS):
            self.control[word] = 0
        sow(self.r, stream.bits() << 31 | stream.bits() >> 1, 0)
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
        by_hand, name = plan[search.VALUED] == search.BY_HAND, state.game.name_of
        found = {
            direction: float(self.sums[direction]) / int(self.tries[direction])
            for direction in range(rules.SPAWN)
            if self.tries[direction]
        }
        order = sorted(found, key=lambda each: (-int(self.tries[rules.SPAWN + each]), -found[each]))
        candidates = tuple(
            Candidate(each, name(each), hand.MADE * found[each], None if by_hand else found[each]) for each in order
        )
        best = candidates[0]
        answers = [int(self.tries[search.answer(best.action, each)]) for each in range(rules.SPAWN)]
        then = (name(answers.index(max(answers))),) if max(answers) else ()
        return Analysis(best.value, (best.name, *then), candidates, int(self.control[NODES]), best.win)

    def _lay(self, words: Sequence[int]) -> None:
        self.size = len(words)
        cells = words[rules.ROWS] * words[rules.COLS]
        self.root = self._words(len(words))
        self.notes, self.found = self._words(value.NOTES * cells), self._words(value.room(cells))
        if self.machine:
            import numpy

            self.boards: Any = numpy.zeros((search.BOARDS, len(words)), numpy.int64)
        else:
            self.boards = [[0] * len(words) for _ in range(search.BOARDS)]

    def _words(self, many: int) -> Any:
        return self._array([0] * many)

    def _array(self, numbers: Sequence[int]) -> Any:
        return compiled.array(numbers) if self.machine else list(numbers)

    def _reals(self, many: int, kind: str) -> Any:
        """Zeros of a kind that NumPy knows by that name."""
        if not self.machine:
            return [0.0] * many
        import numpy

        return numpy.zeros(many, kind)


def desk() -> Desk:
    """The workspace of this thread."""
    return thread_workspace(Desk)
