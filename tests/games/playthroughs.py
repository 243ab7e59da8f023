"""Golden playthroughs: one random game of each kind as readable text, kept in `playthroughs/`.

`python -m tests.games.playthroughs` writes them anew; then look at what changed, and why.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tests.games.spread import label

import rookery
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream

if TYPE_CHECKING:
    from rookery.core.game import Game

FOLDER = Path(__file__).parent / "playthroughs"
GAMES: list[Game] = [
    rookery.game("gotham", size=7),
    rookery.game("gotham", size=5, rules="online"),
    rookery.game("gotham", size=5, coins=4, rules="app"),
    rookery.game("gamma", width=5, height=4, players=3, areas=2),
    rookery.game("sixseven", rows=4, cols=4, variant="original"),
    rookery.game("sixseven", rows=3, cols=4, variant="final", rate=0.6),
    rookery.game("gaterun", size=4, walls=3),
    rookery.game("gaterun", size=4, walls=3, jump=True, rotate=True),
]
PLIES = 60


def playthrough(game: Game) -> str:
    """A random game: what was played, the position after it, who is next; and the board every ten plies."""
    state, stream = game.start(), Stream(67)
    lines = [f"{game.title} {game.options}", str(state), ""]
    while not state.over and len(state.history) < PLIES:
        action = state.draw(stream) if state.turn == CHANCE else stream.pick(state.actions())
        state.play(action)
        choices = len(state.actions()) or len(state.chances())
        name = game.name_of(action)
        lines.append(
            f"{len(state.history):3} {name:18} {state.position()}  turn {state.turn}, {choices} choices, {state.scores()}"
        )
        if len(state.history) % 10 == 0:
            lines += ["", str(state), ""]
    return "\n".join([*lines, "", str(state), f"winners: {state.winners()}", ""])


def file_of(game: Game) -> Path:
    return FOLDER / f"{label(game)}.txt"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in GAMES:
        file_of(each).write_text(playthrough(each), encoding="utf-8")
