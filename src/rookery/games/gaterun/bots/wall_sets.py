"""The layers of a solved GateRun: where each table stands, and the sets of walls one after the other.

A layer has the positions with a number of walls on the board, its *total*. It has all sets of `total` edges, in the
order of their rank (the combinatorial number system: Knuth, The Art of Computer Programming 4A, 7.2.1.3); for each set
every way the two players can have put up that many walls; for each way the jumps left, if the game has jumps; and for
these two tables, with P1 and with P2 to move.
"""

from __future__ import annotations

from typing import NamedTuple

from rookery.games.gaterun.bots.race import MOST_CELLS, dead_ends
from rookery.games.gaterun.geometry import (
    Board,
    east_edges,
    edge_count,
    first_cell,
    goal,
    is_east,
    neighbours,
    south_edges,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Words

MOST_EDGES = 84
"""The edges of the largest board."""

# The words of `board`: its size, the open edges, the cells with a single open edge, and the cells that P1 and P2 may be
# on.
BOARD_N, BOARD_EAST, BOARD_SOUTH, DEAD_ENDS, CELLS1, CELLS2 = 0, 1, 2, 3, 4, 5
BOARD_WORDS = 6


class Setup(NamedTuple):
    """The game that is solved: the size of the board, the walls of both players, and whether there are jumps."""

    n: int
    walls1: int
    walls2: int
    jump: int


class RetrogradeState(NamedTuple):
    """The buffers of a worker, about the set of walls it is at; most have a set of P1's cells for each cell of P2."""

    choose: Sequence[Words]
    """`choose[j][k]` is the number of ways to choose j of k."""
    board: Words
    walls: Words
    """The edges with a wall, ascending."""
    larger: Words
    """The ranks of the sets with one wall more."""
    wins1: Words
    """Where P1, to move, wins."""
    losses1: Words
    wins2: Words
    """Where P2, to move, wins."""
    losses2: Words
    open1: Words
    """Where P1 has an exit (a wall or a jump) that is not known to lose."""
    open2: Words
    exits1: Sequence[Words]
    """For each byte, where it is the best that P1 can get by an exit."""
    exits2: Sequence[Words]
    seen1: Words
    """For each byte, the cells of P2 for which `exits1` has any."""
    seen2: Words


SHAPES = {
    "choose": (MOST_EDGES + 2, MOST_EDGES + 1),
    "board": (BOARD_WORDS,),
    "walls": (MOST_EDGES,),
    "larger": (MOST_EDGES,),
    "wins1": (MOST_CELLS,),
    "losses1": (MOST_CELLS,),
    "wins2": (MOST_CELLS,),
    "losses2": (MOST_CELLS,),
    "open1": (MOST_CELLS,),
    "open2": (MOST_CELLS,),
    "exits1": (256, MOST_CELLS),
    "exits2": (256, MOST_CELLS),
    "seen1": (256,),
    "seen2": (256,),
}
"""The sizes of these buffers."""


def last_layer(n: int, walls1: int, walls2: int) -> int:
    """The most walls that can be on the board: each pawn needs at least an open edge to its goal row."""
    return min(walls1 + walls2, edge_count(n) - 2)


def least_used(total: int, walls2: int) -> int:
    """The fewest walls that P1 can have put up if `total` are on the board."""
    return max(0, total - walls2)


def splits(total: int, walls1: int, walls2: int) -> int:
    """In how many ways the players can have put up `total` walls."""
    return min(total, walls1) - least_used(total, walls2) + 1


def pairs(n: int) -> int:
    """Bytes of a table."""
    return (n * (n - 1)) ** 2


def pair_of(n: int, pawn1: int, pawn2: int) -> int:
    """Where in a table a pair of cells stands."""
    return row_of(n, pawn2) + pawn1


def row_of(n: int, pawn2: int) -> int:
    """Where in a table the pairs with a cell of P2 begin."""
    return (pawn2 - n) * n * (n - 1)


def table_of(setup: Setup, total: int, rank: int, used1: int, jumps: int, turn: int) -> int:
    """Where in its layer a table starts; `jumps` are those left, P1's counting 1 and P2's counting 2."""
    at = rank * splits(total, setup.walls1, setup.walls2) + used1 - least_used(total, setup.walls2)
    if setup.jump:
        at = 4 * at + jumps
    return (2 * at + turn - 1) * pairs(setup.n)


def find_set(t: RetrogradeState, total: int, rank: int) -> None:
    """Write down the walls of the set of a rank, ascending."""
    edge = MOST_EDGES
    for size in range(total, 0, -1):
        while t.choose[size][edge] > rank:
            edge -= 1
        rank -= t.choose[size][edge]
        t.walls[size - 1] = edge


def next_set(t: RetrogradeState, total: int) -> None:
    """Write down the set of the next rank: the first wall that can moves on, those before it go to the beginning."""
    k = 0
    while k < total - 1 and t.walls[k] + 1 == t.walls[k + 1]:
        t.walls[k] = k
        k += 1
    t.walls[k] += 1


def find_larger(t: RetrogradeState, total: int, edges: int) -> int:
    """Write down the ranks of the sets with one wall more; return how many there are.

    The k-th wall of a set, from 0, adds to its rank the ways to choose k + 1 of the edges before it; a wall put in
    moves those above it one place up.
    """
    below, above, k, count = 0, 0, 0, 0
    for j in range(total):
        above += t.choose[j + 2][t.walls[j]]
    for edge in range(edges):
        if k < total and t.walls[k] == edge:
            below += t.choose[k + 1][edge]
            above -= t.choose[k + 2][edge]
            k += 1
        else:
            t.larger[count] = below + t.choose[k + 1][edge] + above
            count += 1
    return count


def load_set(t: RetrogradeState, n: int, total: int) -> None:
    """Write down what the walls of a set leave open, and where the pawns may be."""
    east, south = east_edges(n), south_edges(n)
    for k in range(total):
        edge = t.walls[k]
        if is_east(n, edge):
            east ^= 1 << first_cell(n, edge)
        else:
            south ^= 1 << first_cell(n, edge)
    t.board[BOARD_N], t.board[BOARD_EAST], t.board[BOARD_SOUTH] = n, east, south
    t.board[DEAD_ENDS] = dead_ends(Board(n, east, south))
    t.board[CELLS1] = joined(goal(n, 1), east, south, n) & ~goal(n, 1)
    t.board[CELLS2] = joined(goal(n, 2), east, south, n) & ~goal(n, 2)


def joined(cells: int, east: int, south: int, n: int) -> int:
    """The cells that have a path to these, and these."""
    before = 0
    while before != cells:
        before = cells
        cells |= neighbours(cells, east, south, n)
    return cells
