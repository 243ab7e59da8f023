"""How games of Gotham Loops are reviewed: by the planner, with reasons in points and checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rookery.core.bot import Budget
from rookery.core.review import Reviewer, Scale
from rookery.core.rules import CHANCE
from rookery.games.gotham import rules
from rookery.games.gotham.bots.planner import planner
from rookery.games.gotham.rules import HOME, ROUNDS, TOTAL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.bot import Analysis
    from rookery.core.state import State


@dataclass(frozen=True)
class GothamReviewer(Reviewer):
    """The values are the points expected in the end. A step off the plan gets a plan of its own from where it leads,
    which is valued from before the step, so that it has the risk of the step in it.
    """

    spec: ClassVar[str] = "planner"
    default_nodes: ClassVar[int | None] = None
    unit: ClassVar[str] = "points in the end"

    def scale(self, first: float) -> Scale:
        """Two average rounds count as much as a win: so a blunder throws away a third of a round."""
        return Scale("points", self.unit, max(1.0, 2 * first / ROUNDS))

    def outcome_value(self, state: State, action: int, analysis: Analysis) -> float:
        planned = super().outcome_value(state, action, analysis)
        if action == analysis.candidates[0].action:
            return planned
        after = state.copy()
        after.play(action)
        if after.turn != CHANCE:
            return planned
        after.play(rules.SAFE)
        before, words = list(state.words), list(after.words)
        found = planner().plan(words, ROUNDS, Budget(nodes=self.nodes))
        done = found.progress(words)
        if not done:
            return planned
        return max(planned, before[TOTAL] + planner().value(before, found.routes, done - 1))

    def why(self, state: State, best: Sequence[int], played: Sequence[int]) -> str:
        words = list(state.words)

        def name(action: int) -> str:
            return f"“{state.game.phrase(action)}”"

        good, bad = (rules.neighbour(words, words[rules.AT], line[0]) for line in (best, played))
        if good == words[HOME]:
            return f"{name(best[0])} goes home and banks {words[rules.POINTS]} points."
        if bad == words[HOME]:
            return "It is worth going on: the points ahead outweigh the risk."
        risks = [rules.risk(words, cell) if rules.needs_check(words, cell) else 0.0 for cell in (good, bad)]
        if risks[0] < risks[1]:
            return f"{name(best[0])} is safe with {1 - risks[0]:.0%}, {name(played[0])} with {1 - risks[1]:.0%}."
        gains = [rules.worth(words, cell) for cell in (good, bad)]
        if gains[0] > gains[1]:
            return f"{name(best[0])} brings {gains[0]} points now, {name(played[0])} {gains[1]}."
        return f"{name(best[0])} leads to a loop that promises more."
