"""How games of Gamma are reviewed: by the settler, with reasons in cells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rookery.core.names import marker
from rookery.core.notation import counted
from rookery.core.review import Reviewer, Scale
from rookery.games.gamma import rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.state import State


@dataclass(frozen=True)
class GammaReviewer(Reviewer):
    """Compares which cells are open to the players after two moves."""

    spec: ClassVar[str] = "settler"
    default_nodes: ClassVar[int | None] = 3_000

    def scale(self, first: float) -> Scale:
        """Alone, a tenth of the board counts as much as a win."""
        if self.in_points:
            return Scale("points", "cells in the end", max(1.0, (self.game.action_count // 2) / 10))
        return super().scale(first)

    def why(self, state: State, best: Sequence[int], played: Sequence[int]) -> str:
        me, cells = state.turn, state.game.action_count // 2
        better, worse = (f"“{state.game.phrase(line[0])}”" for line in (best, played))
        good, bad = open_cells(state, best[0]), open_cells(state, played[0])
        others = [player for player in range(1, state.game.players + 1) if player != me]
        hurt = max(others, key=lambda player: bad[player] - good[player], default=me)
        fewer, more = bad[hurt] - good[hurt], good[me] - bad[me]
        if fewer > max(0, more) and hurt != me:
            return f"{better} leaves {marker(hurt)} {counted(fewer, 'cell')} fewer to take than {worse}."
        if more > 0:
            return f"{better} leaves {marker(me)} {counted(more, 'cell')} more to take than {worse}."
        if cells <= best[0] < 2 * cells:
            return f"The golden move {better} takes a cell from another player now."
        if cells <= played[0] < 2 * cells:
            return "The golden move is worth more later."
        return ""


def open_cells(state: State, action: int) -> list[int]:
    """How many cells each player could take by a move after an action, by the players' numbers."""
    after = state.copy()
    after.play(action)
    return [0, *(rules.free(after.words, player) for player in range(1, state.game.players + 1))]
