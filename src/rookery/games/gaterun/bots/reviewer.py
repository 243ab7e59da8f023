"""How games of GateRun are reviewed: by alpha-beta, with reasons in steps of the pawns' ways."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rookery.core.errors import IllegalAction
from rookery.core.names import marker
from rookery.core.notation import counted
from rookery.core.review import Reviewer
from rookery.games.gaterun import rules

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.state import State


@dataclass(frozen=True)
class GateRunReviewer(Reviewer):
    """Compares what two lines do to the ways of both pawns."""

    spec: ClassVar[str] = "alphabeta"
    default_nodes: ClassVar[int | None] = 400_000
    accepting: ClassVar[int] = 40

    def why(self, state: State, best: Sequence[int], played: Sequence[int]) -> str:
        me, other, name = state.turn, 3 - state.turn, state.game.phrase
        better = told(state, best[0])
        if moves := moves_to_win(state, best, me):
            return f"{better} wins in {counted(moves, 'move')}."
        before, good, bad = ways(state), ways(after(state, best[:1])), ways(after(state, played[:1]))
        longer, price = good[other] - before[other], good[me] - before[me]
        if longer > 0:
            own = f", and {marker(me, 'owned')} by {price}" if price > 0 else ""
            return f"{better} lengthens {marker(other, 'whose')} way by {longer}{own}."
        if moves := moves_to_win(state, played, other):
            return f"After “{name(played[0])}” {marker(other, 'win|wins')} in {counted(moves, 'move')}."
        answered = ways(after(state, played[:2]))[me] - bad[me]
        if answered > 0:
            answer = told(after(state, played[:1]), played[1])
            answer = answer[0].lower() + answer[1:]
            return f"After “{name(played[0])}” {answer} lengthens {marker(me, 'whose')} way by {answered}."
        if good[me] < min(before[me], bad[me]):
            theirs = f"{marker(other, 'have|has')} {good[other]}"
            return f"{better} leaves {marker(me)} {counted(good[me], 'step')} to go, and {theirs}."
        plies = min(len(best), len(played))
        ahead, instead = (lead(after(state, line[:plies]), me) for line in (best, played))
        if ahead > instead and plies > 1:
            later = "Some moves later" if plies > 2 else "After the answer"
            lead_with, lead_without = standing(ahead), standing(instead)
            return f"{later} {marker(me, 'are|is')} {lead_with} with “{name(best[0])}”, and {lead_without} without."
        return ""


def after(state: State, line: Sequence[int]) -> State:
    """The state after some actions, or at the end of the game if that comes first."""
    found = state.copy()
    with suppress(IllegalAction):
        for action in line:
            found.play(action)
    return found


def ways(state: State) -> tuple[int, int, int]:
    """The lengths of the players' ways, by their numbers."""
    return 0, rules.distance(state.words, 1), rules.distance(state.words, 2)


def lead(state: State, player: int) -> int:
    """How many steps a player's way is shorter than the other's."""
    found = ways(state)
    return found[3 - player] - found[player]


def standing(ahead: int) -> str:
    """A lead in words."""
    return "level" if ahead == 0 else f"{counted(abs(ahead), 'step')} {'ahead' if ahead > 0 else 'behind'}"


def moves_to_win(state: State, line: Sequence[int], player: int) -> int:
    """How many of their own moves a player needs to win in a line; 0 if they do not win."""
    end = after(state, line)
    plies = end.ply - state.ply if end.winners() == (player,) else 0
    return (plies + 1) // 2 if state.turn == player else plies // 2


def told(state: State, action: int) -> str:
    """An action as the beginning of a sentence."""
    phrase, passing = state.game.phrase(action), rules.pass_action(state.words[rules.SIZE])
    return f"To {phrase}" if action == passing or phrase.startswith("turn") else f"The {phrase}"
