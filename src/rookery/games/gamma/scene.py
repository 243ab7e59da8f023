"""How a position of Gamma looks: whose cells are whose, and which of them the player to move may take."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rookery.core.ending import listed, opening
from rookery.core.notation import counted, edge_names, square
from rookery.core.rules import OVER, TURN
from rookery.core.scene import REMEMBERED, Cell, Choice, Mark, Panel, Scene, Spot
from rookery.games.gamma import board, rules
from rookery.games.gamma.board import AREAS, OWNER, SPENT, WIDTH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.names import Names
    from rookery.core.state import State
    from rookery.games.gamma.game import Gamma

LEGEND = {"golden": "yours by a golden move"}


def look(game: Gamma, state: State, viewer: int, *, odds: bool, names: Names) -> Scene:
    words, actions = state.words, state.actions()
    whose = ("", *(names.owned(player) for player in range(1, game.players + 1)))
    row_names, col_names = edge_names(game.height, game.width)
    takeable = {action for action in actions if action < game.cells}
    golden = {action - game.cells for action in actions if game.cells <= action < 2 * game.cells}
    touched = None if state.last in (None, 2 * game.cells) else (state.last or 0) % game.cells
    marks = dict.fromkeys(takeable, "takeable") | dict.fromkeys(golden, "golden")
    return Scene(
        title=f"{game.title}  {game.width}×{game.height}, at most {counted(game.areas, 'area')}",
        turn=state.turn,
        message=message(state, names),
        may=may(takeable, golden, state.over),
        rows=game.height,
        cols=game.width,
        cells=tuple(
            cell((game.width, game.height, index), owner, whose[owner], marks.get(index, ""), index == touched)
            for y in reversed(range(game.height))
            for index, owner in enumerate(owners(words, y * game.width), start=y * game.width)
        ),
        row_names=row_names,
        col_names=col_names,
        players=names.all(game.players),
        panels=panels(game, words),
        choices=tuple(choice(game, action) for action in actions),
    )


def owners(words: list[int], first: int) -> list[int]:
    """The owners of the cells of a row, whose first cell is given."""
    start = words[OWNER] + board.place_of(words, first)
    return words[start : start + words[WIDTH]]


@lru_cache(REMEMBERED)
def cell(place: tuple[int, int, int], owner: int, whose: str, mark: str, last: bool) -> Cell:
    """A cell, given by the board's width and height and its index; `whose` is its owner in words. It is marked if the
    player to move may take it, by a golden move or by another.
    """
    name = f"{called(*place)}, {whose or 'free'}"
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
    name, words = game.name_of(action), game.phrase(action)
    if action < game.cells:
        return Choice(name, words, "take", (spot(game, action),), here="space")
    if action < 2 * game.cells:
        return Choice(name, words, "golden", (spot(game, action - game.cells),), here="g")
    return Choice(name, words, "pass", key="c")


def called(width: int, height: int, index: int) -> str:
    """What a cell is called in words: d4."""
    y, x = divmod(index, width)
    return square((height - 1 - y, x), height)


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


def message(state: State, names: Names) -> str:
    words = state.words
    if words[TURN] != OVER:
        return f"{names.turn(state.turn)}."
    best = state.winners()
    cells = rules.busy(words, best[0])
    if len(best) == 1:
        return f"{names.does(best[0], 'win', 'wins')} with {counted(cells, 'cell')}."
    return drawn(["you" if player == names.you else names.of(player) for player in best], cells)


def drawn(names: Sequence[str], cells: int) -> str:
    """A draw, with the names of those who have the most cells."""
    return f"A draw between {listed(names)}, with {counted(cells, 'cell')} each."


def ending_text(game: Gamma, state: State, names: Sequence[str]) -> str:
    """How a game ended: who won, and by how many cells."""
    *_, second, most = [0, *sorted(rules.busy(state.words, player) for player in range(1, game.players + 1))]
    best = state.winners()
    if game.players == 1:
        return f"{opening(names[0])} took {counted(most, 'cell')}."
    if len(best) > 1:
        return drawn([names[player - 1] for player in best], most)
    return f"{opening(names[best[0] - 1])} won by {counted(most - second, 'cell')}."
