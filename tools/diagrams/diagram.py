"""A diagram of a strategy page: a position, the bot that analyses it, and how its analysis is drawn and described.

`gamma.py` and `gaterun.py` have the diagrams; `pages.py` writes them into the documentation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.pictures.board import Mark, drawing

import rookery
from rookery.core.bot import Analysis
from rookery.core.state import State

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "play"
GAMES = FOLDER / "games.jsonl"
PANELS = {"gaterun": ("walls left",), "gamma": ("cells", "areas", "golden move")}
"""The panels shown for each player below a board."""


@dataclass(frozen=True)
class Diagram:
    """A position, the bot that analyses it, and what the drawing and its caption show of the analysis."""

    name: str
    source: str
    """Where the position comes from."""
    state: Callable[[], State]
    bot: str
    marks: Callable[[State, Analysis], Sequence[Mark]]
    caption: Callable[[State, Analysis], str]

    def render(self, title: str) -> tuple[str, str]:
        """The drawing and its caption."""
        state = self.state()
        found = rookery.bot(state.game.name, self.bot).analyse(state)
        picture = drawing(state, self.marks(state, found), PANELS[state.game.name], title)
        return picture, f"{self.source}, {player(state)} to move. {self.caption(state, found)}"


def from_game(number: int, plies: int) -> tuple[str, Callable[[], State]]:
    """The source and the position: game `number` of `GAMES`, counted from 1, after this many plies."""

    def state() -> State:
        return rookery.record(GAMES.read_text(encoding="utf-8").splitlines()[number - 1]).replay(plies=plies)

    return f"Game {number} after {plies} moves", state


def after(state: State, *names: str) -> State:
    """The position after some moves."""
    then = state.copy()
    for name in names:
        then.play(then.game.action(name))
    return then


def playout(state: State, bot: str, plies: int) -> list[str]:
    """The next moves when one bot plays all seats."""
    player_bot, now = rookery.bot(state.game.name, bot), state.copy()
    names: list[str] = []
    while not now.over and len(names) < plies:
        names.append(player_bot.analyse(now).candidates[0].name)
        now.play(now.game.action(names[-1]))
    return names


def player(state: State) -> str:
    """The name of the player to move, as in the middle of a sentence."""
    return state.scene().players[state.turn - 1].replace("Player", "player")


def signed(value: float, places: int = 1) -> str:
    return f"{value:+.{places}f}".replace("-", "−")


def moves(state: State, names: Sequence[str]) -> str:
    """A sequence of moves in words."""
    return ", ".join(map(state.game.phrase_of, names))
