"""What a lesson is: a position, the bot that looks at it, and what of its thoughts is drawn and said; and bots' words.

`lessons.py` has the lessons of all games and writes them into the pages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from docs.diagram import Mark, diagram

import rookery
from rookery.core.bot import Analysis
from rookery.core.state import State

FOLDER = Path(__file__).resolve().parent / "play"
GAMES = FOLDER / "games.jsonl"
FIGURES = {"gaterun": ("walls left",), "gamma": ("cells", "areas", "golden move")}
"""What is said of each player below a board."""


@dataclass(frozen=True)
class Lesson:
    """A position, the bot that looks at it, and what of its thoughts is drawn and said."""

    name: str
    where: str
    """Where the position comes from."""
    state: Callable[[], State]
    bot: str
    marks: Callable[[State, Analysis], Sequence[Mark]]
    said: Callable[[State, Analysis], str]

    def drawn(self, title: str) -> tuple[str, str]:
        """The diagram, and its caption."""
        state = self.state()
        found = rookery.bot(state.game.name, self.bot).analyse(state)
        picture = diagram(state, self.marks(state, found), FIGURES[state.game.name], title)
        return picture, f"{self.where}, {player(state)} to move. {self.said(state, found)}"


def of_game(number: int, plies: int) -> tuple[str, Callable[[], State]]:
    """Where a position comes from, and the position: a game in `GAMES`, by its number from 1, after so many plies."""

    def state() -> State:
        return rookery.record(GAMES.read_text(encoding="utf-8").splitlines()[number - 1]).replay(plies=plies)

    return f"Game {number} after {plies} plies", state


def after(state: State, *names: str) -> State:
    """The position after some moves."""
    then = state.copy()
    for name in names:
        then.play(then.game.action(name))
    return then


def followed(state: State, bot: str, plies: int) -> list[str]:
    """The moves that a bot makes for all players from here on."""
    thinker, now = rookery.bot(state.game.name, bot), state.copy()
    names: list[str] = []
    while not now.over and len(names) < plies:
        names.append(thinker.analyse(now).candidates[0].name)
        now.play(now.game.action(names[-1]))
    return names


def player(state: State) -> str:
    """The player to move, by name, as in the middle of a sentence."""
    return state.scene().players[state.turn - 1].replace("Player", "player")


def signed(value: float, places: int = 1) -> str:
    return f"{value:+.{places}f}".replace("-", "−")


def moves(names: Sequence[str]) -> str:
    """Moves one after the other, as they are typed."""
    return "`" + " ".join(names) + "`" if all(" " not in name for name in names) else ", ".join(f"`{x}`" for x in names)
