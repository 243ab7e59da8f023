"""The bots of Gamma."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rookery.core.bot import Analysis, Bot, Budget, Random, ranked
from rookery.games.gamma import rules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rookery.core.state import State
    from rookery.core.stream import Stream

GOLDEN_PRICE = 6.0
"""What a golden move must bring beyond itself to be worth spending early."""


@dataclass(frozen=True)
class Greedy(Bot):
    """Looks one action ahead: its cells and the cells it could take, minus those of the best opponent.

    A cell counts two, a cell that could be taken one. The golden move has a price, so that it is kept for later.
    """

    name: ClassVar[str] = "greedy"

    def think(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        trial, me, cells = state.copy(), state.turn, state.game.action_count // 2
        values: dict[int, float] = {}
        for nodes, action in enumerate(state.actions()):
            if values and budget.spent(nodes):
                break
            trial.play(action)
            others = [standing(trial.words, player) for player in range(1, state.game.players + 1) if player != me]
            values[action] = standing(trial.words, me) - max(others, default=0.0)
            if cells <= action < 2 * cells:
                values[action] -= GOLDEN_PRICE
            trial.undo()
        return ranked(state, values, nodes=len(values))


def standing(words: list[int], player: int) -> float:
    """Cells owned, twice, and cells that could be taken."""
    return 2.0 * rules.busy(words, player) + rules.free(words, player)


BOTS: Mapping[str, type[Bot]] = {each.name: each for each in (Random, Greedy)}
