"""How games of 67! are reviewed: by the learned bot, which values every slide, with reasons in tiles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rookery.core.notation import counted
from rookery.core.review import Reviewer
from rookery.games.sixseven import rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.state import State


@dataclass(frozen=True)
class SixSevenReviewer(Reviewer):
    """The values are probabilities of reaching 67, of all slides by the same search: each has its own chance after it.

    Four times the usual draws of new tiles make them exact to about half a percent.
    """

    spec: ClassVar[str] = "learned:spawns=128"
    default_nodes: ClassVar[int | None] = None
    unit: ClassVar[str] = "to reach 67"

    @property
    def in_points(self) -> bool:
        return False

    def why(self, state: State, best: Sequence[int], played: Sequence[int]) -> str:
        def name(action: int) -> str:
            return f"“{state.game.phrase(action)}”"

        good, bad = after(state, best[0]), after(state, played[0])
        if good.over:
            return f"{name(best[0])} makes 67."
        room, less = good.words[rules.EMPTY_COUNT], bad.words[rules.EMPTY_COUNT]
        if room > less:
            return f"{name(best[0])} leaves {counted(room, 'free cell')}, {name(played[0])} only {less}."
        made = numbers(good) - numbers(state)
        if made and not numbers(bad) - numbers(state):
            return f"{name(best[0])} makes {', '.join(map(str, sorted(made)))}."
        return f"{name(best[0])} leaves tiles that reach 67 more often."


def after(state: State, action: int) -> State:
    """The state after a slide, before new tiles come."""
    found = state.copy()
    found.play(action)
    return found


def numbers(state: State) -> set[int]:
    """The numbers on the board."""
    words = state.words
    tiles = words[rules.TILE : rules.TILE + words[rules.ROWS] * words[rules.COLS]]
    return {rules.value_of(tile) for tile in tiles if rules.is_number(tile)}
