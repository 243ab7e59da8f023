"""The layout of a position of Gamma: its words, its places and their neighbours.

A cell is numbered `y·width + x`, y from the bottom. Inside, it has a *place*: the board lies in a frame of places that
belong to nobody (`FRAME`), one column wide, because the right-hand frame of a row is also the left-hand one of the row
above. So every cell has four neighbours, at ±1 and ± a stride.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Words

FRAME = -1

WIDTH = 2
HEIGHT = 3
PLAYERS = 4
LIMIT = 5
"""The most areas a player may have."""
PASSES_END = 6
"""Whether the game ends once every player who can act has passed in a row."""
FIRST_PASS = 7
"""The player who began the current row of passes; 0 if the last action was none."""
FREE = 8
"""Free cells on the board."""
CELLS = 9
"""Where the players' cells are counted: player p's at s[CELLS] + p; likewise the next three."""
AREAS = 10
BORDER = 11
SPENT = 12
"""1 once a player has made its golden move."""
OWNER = 13
"""Where the owners of places begin: 0 for a free cell."""
PARENT = 14
"""Where union–find begins: the parent of a place, or for a root minus the size of its area."""
HEAD = 15


def places(config: Sequence[int]) -> int:
    return (config[0] + 1) * (config[1] + 2)


def place_of(s: Words, cell: int) -> int:
    """Before it lie the places of the cells before it, the frame at the bottom and that of the rows before."""
    width = s[WIDTH]
    return cell + cell // width + width + 1


def cell_of(s: Words, place: int) -> int:
    width = s[WIDTH]
    return place - place // (width + 1) - width


def side(s: Words, place: int, k: int) -> int:
    """The k-th neighbour of a place, 0 to 3."""
    if k == 0:
        return place + s[WIDTH] + 1
    if k == 1:
        return place + 1
    if k == 2:
        return place - s[WIDTH] - 1
    return place - 1


def touches(s: Words, place: int, player: int) -> int:
    """How many neighbours of a place a player owns."""
    owner, up = s[OWNER] + place, s[WIDTH] + 1
    count = 0
    if s[owner + up] == player:
        count += 1
    if s[owner + 1] == player:
        count += 1
    if s[owner - up] == player:
        count += 1
    if s[owner - 1] == player:
        count += 1
    return count
