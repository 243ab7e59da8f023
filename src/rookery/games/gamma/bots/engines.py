"""The bots of Gamma, and what its levels are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rookery.core.bot import Analysis, Bot, Budget, Random, ranked
from rookery.games.gamma import rules
from rookery.games.gamma.bots.fast_policy import fast_policy
from rookery.games.gamma.bots.reviewer import GammaReviewer
from rookery.games.gamma.bots.workspace import Workspace, workspace
from rookery.games.gamma.game import Gamma
from rookery.search.mcts import Mcts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rookery.core.game import Game
    from rookery.core.state import State
    from rookery.core.stream import Stream

GOLDEN_PRICE = 6.0
"""What a golden move must bring beyond itself to be worth spending while there are other moves."""
LARGEST = 60_000
"""Words of the largest position that is searched; on a larger board even one simulation takes too long."""


@dataclass(frozen=True)
class Greedy(Bot):
    """Looks one action ahead: its cells and the cells it could take, minus those of the best opponent.

    A cell counts two, a cell that could be taken one. The golden move has a price, so that it is kept until there is
    nothing else.
    """

    name: ClassVar[str] = "greedy"
    plays: ClassVar[type[Game] | None] = Gamma

    def search(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        trial, me, cells = state.copy(), state.turn, state.game.action_count // 2
        price = GOLDEN_PRICE if rules.free(state.words, me) else 0.0
        values: dict[int, float] = {}
        for nodes, action in enumerate(state.actions()):
            if values and budget.spent(nodes):
                break
            trial.play(action)
            others = [standing(trial.words, player) for player in range(1, state.game.players + 1) if player != me]
            values[action] = standing(trial.words, me) - max(others, default=0.0)
            if cells <= action < 2 * cells:
                values[action] -= price
            trial.undo()
        return ranked(state, values, nodes=len(values))


def standing(words: list[int], player: int) -> float:
    """Cells owned, twice, and cells that could be taken."""
    return 2.0 * rules.busy(words, player) + rules.free(words, player)


@dataclass(frozen=True)
class Settler(Bot):
    """Monte Carlo tree search with RAVE, a fitted prior over moves, and proofs of decided games.

    Its values are in cells ahead of the best other player at the end; alone, in cells. Candidates are in the order of
    their visits, which is how much it trusts them. A node is one simulation; with a single one it plays by the prior.
    On a board of more than about thirty thousand cells it does not search, but plays the best of a sample by the prior.
    """

    name: ClassVar[str] = "settler"
    plays: ClassVar[type[Game] | None] = Gamma
    unit: ClassVar[str] = "cells ahead"
    lists: ClassVar[bool] = False
    compiled_part: ClassVar[str] = "settler"

    def ready(self, game: Game) -> None:
        workspace()

    def search(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        found = self._searched(state, budget, stream)
        if found is None:
            return _unsearched(state, budget, stream)
        return found.analysis(found.candidates() or [found.best_child(0)])

    def search_best(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        """With the best candidate only."""
        found = self._searched(state, budget, stream)
        return _unsearched(state, budget, stream) if found is None else found.analysis([found.best_child(0)])

    def _searched(self, state: State, budget: Budget, stream: Stream) -> Workspace | None:
        """The workspace after a search; None if the board is too large or there was no time to begin."""
        if state.words.state_size > LARGEST:
            return None
        found = workspace()
        found.search(state, budget, stream)
        return found if found.children(0) else None


def _unsearched(state: State, budget: Budget, stream: Stream) -> Analysis:
    """The best of a sample by the prior; on a board that could be searched the whole sample, whatever the budget."""
    weights = fast_policy(state, budget if state.words.state_size > LARGEST else Budget(), stream)
    best = max(weights, key=lambda action: weights[action])
    return ranked(state, {best: 0.0}, nodes=len(weights))


BOTS: Mapping[str, type[Bot]] = {each.name: each for each in (Random, Greedy, Mcts, Settler)}

LEVELS = (
    "greedy:slip=0.6",
    "greedy",
    "settler:nodes=1,slip=0.5",
    "settler:nodes=1,slip=0.25",
    "settler:nodes=1,slip=0.1",
    "settler:nodes=20",
    "settler:nodes=70",
    "settler:nodes=220",
    "settler:nodes=700",
    "settler:ms=100",
)
"""What each level does for a move: `nodes` are simulations, and `slip` is the share of moves played at random. Only
the last thinks by the clock."""

REVIEWER = GammaReviewer
