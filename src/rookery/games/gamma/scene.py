"""How a position of Gamma looks: whose cells are whose, and which of them the player to move may take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery.core.notation import counted
from rookery.core.rules import OVER, TURN
from rookery.core.scene import Cell, Choice, Mark, Panel, Scene, Spot
from rookery.games.gamma import board, rules
from rookery.games.gamma.board import AREAS, OWNER, SPENT

if TYPE_CHECKING:
    from rookery.core.state import State
    from rookery.games.gamma.game import Gamma

LEGEND = {"golden": "yours by a golden move"}


def look(game: Gamma, state: State, viewer: int, *, odds: bool) -> Scene:
    words, actions = state.words, state.actions()
    takeable = {action for action in actions if action < game.cells}
    golden = {action - game.cells for action in actions if game.cells <= action < 2 * game.cells}
    touched = None if state.last in (None, 2 * game.cells) else (state.last or 0) % game.cells
    cells = [y * game.width + x for y in reversed(range(game.height)) for x in range(game.width)]
    return Scene(
        title=f"{game.title}  {game.width}×{game.height}, at most {counted(game.areas, 'area')}",
        turn=state.turn,
        message=message(state),
        rows=game.height,
        cols=game.width,
        cells=tuple(cell(game, words, each, takeable, golden, last=each == touched) for each in cells),
        row_names=tuple(str(y) for y in reversed(range(game.height))),
        col_names=tuple(str(x) for x in range(game.width)),
        players=tuple(f"Player {player}" for player in range(1, game.players + 1)),
        panels=panels(game, words),
        choices=choices(game, actions),
    )


def cell(game: Gamma, words: list[int], index: int, takeable: set[int], golden: set[int], *, last: bool) -> Cell:
    y, x = divmod(index, game.width)
    owner = words[words[OWNER] + board.place_of(words, index)]
    name = f"column {x}, row {y}, " + (f"player {owner}'s" if owner else "free")
    if index in golden:
        return Cell("owned", name + ", can be taken by a golden move", str(owner), owner, (Mark("golden"),), last)
    if owner:
        return Cell("owned", name, str(owner), owner, last=last)
    if index in takeable:
        return Cell("free", name + ", can be taken", marks=(Mark("takeable"),), last=last)
    return Cell("barred", name, last=last)


def spot(game: Gamma, index: int) -> Spot:
    y, x = divmod(index, game.width)
    return game.height - 1 - y, x


def choices(game: Gamma, actions: list[int]) -> tuple[Choice, ...]:
    found = []
    for action in actions:
        name = game.name_of(action)
        where = name[2:]
        if action < game.cells:
            found.append(Choice(name, f"take {where}", "take", (spot(game, action),), here="space"))
        elif action < 2 * game.cells:
            at = (spot(game, action - game.cells),)
            found.append(Choice(name, f"golden move on {where}", "golden", at, here="g"))
        else:
            found.append(Choice(name, "skip your turn", "pass", key="c"))
    return tuple(found)


def panels(game: Gamma, words: list[int]) -> tuple[Panel, ...]:
    found = []
    for player in range(1, game.players + 1):
        found += [
            Panel("cells", str(rules.busy(words, player)), player),
            Panel("areas", str(words[words[AREAS] + player]), player),
            Panel("to take", str(rules.free(words, player)), player),
            Panel("golden move", "spent" if words[words[SPENT] + player] else "left", player),
        ]
    return tuple(found)


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
