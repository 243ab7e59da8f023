"""The geometry of a GateRun board: sets of cells, edges, goal rows and distances, without a position of the game.

Cells are numbered row by row from the top, `cell = row·N + column`. A set of cells is a bitboard: one integer with the
bit of every cell in it (chessprogramming wiki, "Bitboards"). A board of up to 7×7 cells fits a signed 64-bit integer.

The edges between neighbouring cells are numbered too: first the east edges (between two cells of a row), row by row,
then the south edges. Which edges are open is stored as two sets of cells: `east` has the cells whose right-hand edge
can be crossed, `south` those whose lower edge can.
"""

from __future__ import annotations

from typing import NamedTuple


class Board(NamedTuple):
    """The size of a board and its open edges."""

    n: int
    east: int
    south: int


def east_edges(n: int) -> int:
    """The cells that have an east edge: all but the last column."""
    cells = 0
    for row in range(n):
        cells |= ((1 << (n - 1)) - 1) << (row * n)
    return cells


def south_edges(n: int) -> int:
    """The cells that have a south edge: all but the last row."""
    return (1 << (n * (n - 1))) - 1


def edge_count(n: int) -> int:
    return 2 * n * (n - 1)


def first_cell(n: int, edge: int) -> int:
    """The upper or left cell of an edge."""
    if edge < n * (n - 1):
        return edge // (n - 1) * n + edge % (n - 1)
    return edge - n * (n - 1)


def east_edge(n: int, cell: int) -> int:
    """The number of a cell's east edge: one less for each row above, whose last cell has none."""
    return cell - cell // n


def south_edge(n: int, cell: int) -> int:
    return n * (n - 1) + cell


def is_east(n: int, edge: int) -> bool:
    """Whether an edge lies between two cells of a row."""
    return edge < n * (n - 1)


def turned(n: int, edge: int, way: int) -> int:
    """The edge onto which a wall turns by 90°, or −1 if that is no edge of the board.

    Ways 0 and 1 turn about the upper or left end of the wall, 2 and 3 about the other; even ones to the upper or left.
    """
    cell = first_cell(n, edge)
    row, col = cell // n, cell % n
    if is_east(n, edge):
        row += way // 2 - 1  # the wall hangs below the row of the post it turns about
        col += way % 2
        if row < 0 or row > n - 2:
            return -1
        return south_edge(n, row * n + col)
    col += way // 2 - 1
    row += way % 2
    if col < 0 or col > n - 2:
        return -1
    return east_edge(n, row * n + col)


def popcount(cells: int) -> int:
    """How popcount cells a set has."""
    count = 0
    while cells != 0:  # compiled, this very loop is a single instruction
        cells &= cells - 1
        count += 1
    return count


def nth(cells: int, k: int) -> int:
    """The k-th cell of a set, from 0."""
    for _ in range(k):
        cells &= cells - 1
    return popcount((cells & -cells) - 1)


def neighbours(cells: int, east: int, south: int, n: int) -> int:
    """The cells next to any of these with no wall between."""
    return ((cells & east) << 1) | ((cells >> 1) & east) | ((cells & south) << n) | ((cells >> n) & south)


def goal(n: int, player: int) -> int:
    """The row a player wants to reach, as a set of cells."""
    return ((1 << n) - 1) << (n * (n - 1) if player == 1 else 0)


def distance_from(cell: int, target: int, east: int, south: int, n: int) -> int:
    """Steps from a cell to a set of cells through open edges, the pawns out of the way; −1 if there is no path."""
    reached = 1 << cell
    steps = 0
    while (reached & target) == 0:
        spread = reached | neighbours(reached, east, south, n)
        if spread == reached:
            return -1
        reached = spread
        steps += 1
    return steps
