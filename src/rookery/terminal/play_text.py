"""The text beside the board while a game is played: hints and results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from rookery.core.ending import tell
from rookery.core.notation import counted, plain
from rookery.core.wording import others
from rookery.terminal.board import to_rich
from rookery.terminal.sidebar import flow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.bot import Analysis
    from rookery.core.game import Game
    from rookery.core.scene import Scene
    from rookery.core.state import State
    from rookery.terminal.palette import Palette

MAX_SHOWN = 6
"""Moves shown of a bot's line, and of its candidates."""


def hint_text(game: Game, analysis: Analysis, unit: str, palette: Palette, width: int) -> Text:
    """A bot's best move, its evaluation, the line it expects, and other candidates."""
    text, muted = Text(), to_rich(palette.muted)
    line = [game.phrase_of(name) for name in analysis.line]
    text.append(f"Hint: {line[0]}\n", to_rich(palette.accent))
    text.append(f"{analysis.verdict(unit)}\n")
    if len(line) > 1:
        more = " …" if len(line) > MAX_SHOWN else ""
        text.append(f"then {', '.join(line[1:MAX_SHOWN])}{more}\n", muted)
    for label, fact in analysis.facts:
        text.append(f"{label}: {fact}\n")
    rest = [Text(each, muted) for each in others(analysis, game)[: MAX_SHOWN - 1]]
    text.append_text(Text("\n").join(flow(rest, width)))
    text.rstrip()
    return text


def result_text(state: State, scene: Scene, names: Sequence[str]) -> str:
    """The result by the rules, told with the players' names, or the standing if the player has ended the game early."""
    if state.over:
        return tell(state, names)
    scores = state.scores()
    best = [player for player, score in enumerate(scores, start=1) if score == max(scores)]
    if len(scores) == 1:
        return f"You stopped the game with {counted(plain(scores[0]), 'point')}."
    if not any(scores):
        return "You stopped the game."
    names = [scene.players[player - 1] for player in best]
    if len(names) == 1:
        return f"You stopped the game. {names[0]} {'are' if names[0] == 'You' else 'is'} ahead."
    return f"You stopped the game. {', '.join(names[:-1])} and {names[-1]} are level."
