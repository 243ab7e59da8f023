"""How a position of Gamma looks: whose cells are whose, and which of them the player to move may take."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rookery.core.ending import opening
from rookery.core.notation import counted
from rookery.core.rules import OVER, TURN
from rookery.core.scene import REMEMBERED, Cell, Choice, Mark, Panel, Scene, Spot
from rookery.games.gamma import board, rules
from rookery.games.gamma.board import AREAS, OWNER, SPENT, WIDTH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.state import State
    from rookery.games.gamma.game import Gamma

LEGEND = {"golden": "yours by a golden move"}


def look(game: Gamma, state: State, viewer: int, *, odds: bool) -> Scene:
    words, actions = state.words, state.actions()
    takeable = {action for action in actions if action < game.cells}
    golden = {action - game.cells for action in actions if game.cells <= action < 2 * game.cells}
    touched = None if state.last in (None, 2 * game.cells) else (state.last or 0) % game.cells
    marks = dict.fromkeys(takeable, "takeable") | dict.fromkeys(golden, "golden")
    return Scene(
        title=f"{game.title}  {game.width}×{game.height}, at most {counted(game.areas, 'area')}",
        turn=state.turn,
        message=message(state),
        may=may(takeable, golden, state.over),
        rows=game.height,
        cols=game.width,
        cells=tuple(
            cell(game.width, index, owner, marks.get(index, ""), index == touched)
            for y in reversed(range(game.height))
            for index, owner in enumerate(owners(words, y * game.width), start=y * game.width)
        ),
        row_names=tuple(str(y) for y in reversed(range(game.height))),
        col_names=tuple(str(x) for x in range(game.width)),
        players=tuple(f"Player {player}" for player in range(1, game.players + 1)),
        panels=panels(game, words),
        choices=tuple(choice(game, action) for action in actions),
    )


def owners(words: list[int], first: int) -> list[int]:
    """The owners of the cells of a row, whose first cell is given."""
    start = words[OWNER] + board.place_of(words, first)
    return words[start : start + words[WIDTH]]


@lru_cache(REMEMBERED)
def cell(width: int, index: int, owner: int, mark: str, last: bool) -> Cell:
    """A cell, marked if the player to move may take it, by a golden move or by another."""
    y, x = divmod(index, width)
    name = f"column {x}, row {y}, " + (f"player {owner}'s" if owner else "free")
    if mark == "golden":
        return Cell("owned", name + ", can be taken by a golden move", str(owner), owner, (Mark(mark),), last)
    if owner:
        return Cell("owned", name, str(owner), owner, last=last)
    if mark:
        return Cell("free", name + ", can be taken", marks=(Mark(mark),), last=last)
    return Cell("barred", name, last=last)


@lru_cache(REMEMBERED)
def choice(game: Gamma, action: int) -> Choice:
    """What the player to move may do."""
    name = game.name_of(action)
    if action < game.cells:
        return Choice(name, f"take {name[2:]}", "take", (spot(game, action),), here="space")
    if action < 2 * game.cells:
        at = (spot(game, action - game.cells),)
        return Choice(name, f"golden move on {name[2:]}", "golden", at, here="g")
    return Choice(name, "skip your turn", "pass", key="c")


def spot(game: Gamma, index: int) -> Spot:
    y, x = divmod(index, game.width)
    return game.height - 1 - y, x


def panels(game: Gamma, words: list[int]) -> tuple[Panel, ...]:
    found = []
    for player in range(1, game.players + 1):
        found += [
            Panel("cells", str(rules.busy(words, player)), player),
            Panel("areas", f"{words[words[AREAS] + player]} of {game.areas}", player),
            Panel("to take", str(rules.free(words, player)), player),
            Panel("golden move", "used" if words[words[SPENT] + player] else "left", player),
        ]
    return tuple(found)


def may(takeable: set[int], golden: set[int], over: bool) -> str:
    """What the player to move may do."""
    if over:
        return ""
    if not takeable:
        return "Make your golden move, or skip your turn." if golden else "Skip your turn."
    return "Take a free cell" + (", or make your golden move." if golden else ".")


def message(state: State) -> str:
    words = state.words
    if words[TURN] != OVER:
        return f"Player {state.turn} to move."
    best = state.winners()
    cells = counted(rules.busy(words, best[0]), "cell")
    if len(best) == 1:
        return f"Player {best[0]} wins with {cells}."
    names = ", ".join(map(str, best[:-1])) + f" and {best[-1]}"
    return f"A draw between players {names}, with {cells} each."


def ending_text(game: Gamma, state: State, names: Sequence[str]) -> str:
    """How a game ended: who won, and by how many cells."""
    *_, second, most = [0, *sorted(rules.busy(state.words, player) for player in range(1, game.players + 1))]
    best = state.winners()
    if game.players == 1:
        return f"{opening(names[0])} took {counted(most, 'cell')}."
    if len(best) > 1:
        return f"{opening(*(names[player - 1] for player in best))} drew with {counted(most, 'cell')} each."
    return f"{opening(names[best[0] - 1])} won by {counted(most - second, 'cell')}."
