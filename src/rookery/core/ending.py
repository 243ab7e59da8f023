"""The end of a game in words: who did what in one sentence, a grid of emoji to share, and what the bots reach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rookery.core.arguments import finite, shown
from rookery.core.errors import PositionError
from rookery.core.game_checks import check_names
from rookery.core.record import check_ending
from rookery.core.state import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.scene import Cell, Scene

SQUARES = "🟦🟧🟩🟪🟥🟨🟫⬛"
DISCS = "🔵🟠🟢🟣🔴🟡🟤⚫"
"""The colours of players 1 to 8."""
FREE_SQUARE = "⬜"
BY_ROLE = {"home": "🏠", "safe": "🟩", "failed": "🟥", "trail": "🟦", "number": "🟧", "operator": "🟦", "blocked": "⬛"}
WIDEST, TALLEST = 14, 20
"""A larger grid would wrap on a phone, or fill a screen."""


def tell(state: State, names: Sequence[str], ending: dict[str, Any] | None = None) -> str:
    """How a game ended, in one sentence or two. `names` are those of the players as they stand within a sentence, such
    as "you" or "Casual bot". Verbs are in the past, which suits every name.
    """
    if not isinstance(state, State):
        raise PositionError(f"This is not a State: {shown(state)}.")
    check_names(state.game, names)
    if ending is None:
        return state.game.ending_text(state, names) if state.over else "This game was not finished."
    check_ending(state, ending)
    player = ending["player"]
    how = "ran out of time" if ending["how"] == "time" else "resigned"
    scores = {each: score for each, score in enumerate(state.scores(), start=1) if each != player}
    best = [names[each - 1] for each, score in scores.items() if score == max(scores.values())]
    won = f", so {listed(best)} won" if len(best) == 1 else f", so {listed(best)} drew" if best else ""
    return f"{opening(names[player - 1])} {how}{won}."


def opening(*names: str) -> str:
    """Names at the start of a sentence. A name that somebody has chosen stays as it is."""
    return listed(["You" if names[0] == "you" else names[0], *names[1:]])


def listed(names: Sequence[str]) -> str:
    """Some names: you, Ida and P3. "I" comes last."""
    names = sorted(names, key=lambda name: name == "I")
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def emoji_grid(scene: Scene) -> str:
    """A board as lines of emoji; empty if it is too large to be pasted somewhere."""
    if scene.cols > WIDEST or scene.rows > TALLEST:
        return ""
    rows = (scene.cells[first : first + scene.cols] for first in range(0, len(scene.cells), scene.cols))
    return "\n".join("".join(map(_emoji, row)) for row in rows)


def _emoji(cell: Cell) -> str:
    pawn = next((mark.number for mark in cell.marks if mark.role == "pawn"), 0)
    if pawn:
        return DISCS[(pawn - 1) % len(DISCS)]
    if cell.role == "owned" and cell.owner:
        return SQUARES[(cell.owner - 1) % len(SQUARES)]
    return BY_ROLE.get(cell.role, FREE_SQUARE)


@dataclass(frozen=True)
class LevelResults:
    """What bots of level 1, 2, … reach in a game for one player, as measured."""

    values: tuple[float, ...]
    texts: tuple[str, ...]
    """The same as people write them: "205", "67%"."""
    unit: str
    """What follows the first of them in a sentence: "points"."""
    verbs: tuple[str, str]
    """What one bot does, and what several do: "brings home", "bring home"."""
    comparable: bool = True
    """Whether values are in the points of an achievement, so that a result stands between two levels."""

    def around(self, points: float) -> str:
        """A sentence about the levels next to a result; if it cannot be compared, about the lowest, one in the middle
        and the highest.
        """
        points, (one, several) = finite(points, "points"), self.verbs
        if not self.comparable:
            middle, top = len(self.values) // 2, len(self.values)
            low, mid, high = self.texts[0], self.texts[middle - 1], self.texts[-1]
            return f"A level 1 bot {one} {low} {self.unit}, a level {middle} bot {mid}, a level {top} bot {high}."
        above = sum(value < points for value in self.values)
        if above == 0:
            return f"On average, a level 1 bot {one} {self.texts[0]} {self.unit}."
        if above == len(self.values):
            return f"On average, even bots of level {above} {several} only {self.texts[-1]} {self.unit}."
        return (
            f"On average, a level {above} bot {one} {self.texts[above - 1]} {self.unit}, "
            f"and a level {above + 1} bot {self.texts[above]}."
        )
