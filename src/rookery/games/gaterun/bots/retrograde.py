"""GateRun solved by retrograde analysis (chessprogramming wiki, "Retrograde Analysis"): all positions with a number of
walls on the board, from those with one wall more. How they are laid out is in `wall_sets.py`.

A table has a byte for each pair of cells before the pawns' goal rows. A byte says who wins, and with which of its own
moves, so that the larger is the better for P1:

    255 − m   P1 wins with its m-th move
    m         P2 wins with its m-th move
    128       nobody wins

A pair that is no position, both pawns on one cell or one of them without a path, has the byte that is worst for the
player who could move there. So the best of several bytes is found without asking which of them count.

Endless play is a draw; the draws by repetition and by length are left out, and no wall is ever turned.
"""

from __future__ import annotations

from typing import NamedTuple

from rookery.games.gaterun.bots.race import cells_before_goal
from rookery.games.gaterun.bots.wall_sets import (
    BOARD_EAST,
    BOARD_N,
    BOARD_SOUTH,
    CELLS1,
    CELLS2,
    DEAD_ENDS,
    find_larger,
    find_set,
    last_layer,
    least_used,
    load_set,
    next_set,
    pair_of,
    pairs,
    row_of,
    table_of,
)
from rookery.games.gaterun.geometry import edge_count, goal, neighbours, popcount

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Words
    from rookery.games.gaterun.bots.wall_sets import RetrogradeState, Setup

DRAW = 128
DEEPEST = 125
"""The latest move that a byte can tell; a win with a later one is noted as if it were with this."""
UNUSED = 126
"""A byte that no position has."""
WORST1, WORST2 = 0, 255
"""What is worse for P1, and for P2, than any position."""


class Tables(NamedTuple):
    """The bytes a worker reads and writes."""

    layer: Words
    above: Words
    """The layer with one wall more; `layer` itself if there is none."""
    best: Words
    """Room for two tables: the best that each player can get by an exit."""


class Exits(NamedTuple):
    """Positions of one player, to move, by the best that an exit gives."""

    sets: Sequence[Words]
    """For each byte and cell of P2 a set of P1's cells."""
    seen: Words
    """For each byte, the cells of P2 that have any."""
    worst: int


def solve_sets(tables: Tables, t: RetrogradeState, setup: Setup, total: int, first: int, count: int) -> int:
    """Solve some sets of the layer with `total` walls, from the one of rank `first` on; return how many positions."""
    positions = 0
    n, walls1, walls2, jump = setup
    more = total < last_layer(n, walls1, walls2)
    find_set(t, total, first)
    for rank in range(first, first + count):
        load_set(t, n, total)
        pawns = 2 * count_pairs(t.board[CELLS1], t.board[CELLS2])
        larger = find_larger(t, total, edge_count(n)) if more else 0
        for used1 in range(least_used(total, walls2), min(total, walls1) + 1):
            for jumps in range(4 if jump else 1):
                wall1, wall2 = used1 < walls1, total - used1 < walls2
                at = table_of(setup, total, rank, used1, jumps, 1)
                start_exits(tables.best, n, wall1 or (jumps & 1) != 0, wall2 or (jumps & 2) != 0)
                for k in range(larger if pawns else 0):
                    if wall1:
                        after = table_of(setup, total + 1, t.larger[k], used1 + 1, jumps, 2)
                        take_larger(tables.best, 0, tables.above, after, pairs(n))
                    if wall2:
                        after = table_of(setup, total + 1, t.larger[k], used1, jumps, 1)
                        take_smaller(tables.best, pairs(n), tables.above, after, pairs(n))
                if jumps & 1:
                    add_jumps1(tables.best, 0, tables.layer, at - 2 * pairs(n) + pairs(n), t)
                if jumps & 2:
                    add_jumps2(tables.best, pairs(n), tables.layer, at - 4 * pairs(n), t)
                sort_exits1(t, tables.best, 0, wall1 or (jumps & 1) != 0)
                sort_exits2(t, tables.best, pairs(n), wall2 or (jumps & 2) != 0)
                settle(tables.layer, at, t)
                positions += pawns
        next_set(t, total)
    return positions


def start_exits(best: Words, n: int, any_exit1: bool, any_exit2: bool) -> None:
    """Before any exit is looked at, the best of them is the worst."""
    if any_exit1:
        fill(best, 0, pairs(n), WORST1)
    if any_exit2:
        fill(best, pairs(n), pairs(n), WORST2)


def count_pairs(cells1: int, cells2: int) -> int:
    """How many pairs of two different cells there are, one of each set."""
    return popcount(cells1) * popcount(cells2) - popcount(cells1 & cells2)


def fill(table: Words, at: int, count: int, byte: int) -> None:
    for k in range(at, at + count):
        table[k] = byte


def take_larger(best: Words, at: int, table: Words, start: int, count: int) -> None:
    """Make each of some bytes at least as large as that of a table."""
    for k in range(count):
        best[at + k] = max(best[at + k], table[start + k])


def take_smaller(best: Words, at: int, table: Words, start: int, count: int) -> None:
    """Make each of some bytes at most as large as that of a table."""
    for k in range(count):
        best[at + k] = min(best[at + k], table[start + k])


def add_jumps1(best: Words, at: int, layer: Words, after: int, t: RetrogradeState) -> None:
    """Add P1's jumps, which lead to another table of the layer, to the best it can get by walls."""
    n, cells1, cells2 = t.board[BOARD_N], t.board[CELLS1], t.board[CELLS2]
    for over in range(n, n * n):
        near = neighbours(1 << over, t.board[BOARD_EAST], t.board[BOARD_SOUTH], n)
        for delta in (1, -1, n, -n):
            here, there = over - delta, over + delta
            if in_set(near, here) and in_set(near, there) and in_set(cells1, here) and in_set(cells2, over):
                byte = WORST2 if in_set(goal(n, 1), there) else layer[after + pair_of(n, there, over)]
                best[at + pair_of(n, here, over)] = max(best[at + pair_of(n, here, over)], byte)


def add_jumps2(best: Words, at: int, layer: Words, after: int, t: RetrogradeState) -> None:
    """Add P2's jumps likewise."""
    n, cells1, cells2 = t.board[BOARD_N], t.board[CELLS1], t.board[CELLS2]
    for over in range(n * (n - 1)):
        near = neighbours(1 << over, t.board[BOARD_EAST], t.board[BOARD_SOUTH], n)
        for delta in (1, -1, n, -n):
            here, there = over - delta, over + delta
            if in_set(near, here) and in_set(near, there) and in_set(cells2, here) and in_set(cells1, over):
                byte = WORST1 if in_set(goal(n, 2), there) else layer[after + pair_of(n, over, there)]
                best[at + pair_of(n, over, here)] = min(best[at + pair_of(n, over, here)], byte)


def in_set(cells: int, cell: int) -> bool:
    return cell >= 0 and ((cells >> cell) & 1) != 0


def sort_exits1(t: RetrogradeState, best: Words, at: int, any_exit: bool) -> None:
    """Sort P1's positions by the best that a wall or a jump gives there."""
    sort_exits(t.board[BOARD_N], best, at, any_exit, Exits(t.exits1, t.seen1, WORST1))
    for cell in range(t.board[BOARD_N], t.board[BOARD_N] ** 2):
        t.open1[cell] = t.board[CELLS1] & ~t.exits1[WORST1][cell]


def sort_exits2(t: RetrogradeState, best: Words, at: int, any_exit: bool) -> None:
    """Sort P2's likewise."""
    sort_exits(t.board[BOARD_N], best, at, any_exit, Exits(t.exits2, t.seen2, WORST2))
    for cell in range(t.board[BOARD_N], t.board[BOARD_N] ** 2):
        t.open2[cell] = t.board[CELLS1] & ~t.exits2[WORST2][cell]


def sort_exits(n: int, best: Words, at: int, any_exit: bool, exits: Exits) -> None:
    """Sort positions by the best byte of an exit, from `at` on; without exits, all get the worst."""
    sets, seen, worst = exits
    for cell in range(n, n * n):
        if any_exit:
            for k in range(n * (n - 1)):
                byte = best[at + row_of(n, cell) + k]
                sets[byte][cell] |= 1 << k
                seen[byte] |= 1 << cell
        else:
            sets[worst][cell] = cells_before_goal(n)
            seen[worst] |= 1 << cell


def settle(layer: Words, at: int, t: RetrogradeState) -> None:
    """Write the two tables of a set: find the wins with the first move, the losses to it, the wins with the second, …

    A win with the m-th move is a step or an exit to a loss to the move before. A loss to the m-th move is where all
    steps and exits lead to wins with that move or an earlier one.
    """
    n = t.board[BOARD_N]
    start_tables(layer, at, t)
    last = last_exit(t)
    m, lost1, lost2 = 0, goal(n, 2), t.board[CELLS2]
    while m < last or lost1 or lost2:
        m += 1
        won1 = find_wins1(layer, at, t, m, lost2)
        won2 = find_wins2(layer, at + pairs(n), t, m, lost1)
        lost1 = find_losses1(layer, at, t, m, won2)
        lost2 = find_losses2(layer, at + pairs(n), t, m, won1)
    forget_exits(t)


def start_tables(layer: Words, at: int, t: RetrogradeState) -> None:
    """Write down that every position is a draw, and what is over: a pawn that steps onto its goal row has won."""
    n, cells1, cells2 = t.board[BOARD_N], t.board[CELLS1], t.board[CELLS2]
    fill(layer, at, 2 * pairs(n), DRAW)
    for cell in range(n * n):
        here = 1 << cell
        t.wins1[cell], t.losses1[cell] = 0, 0 if cell >= n else cells1 & ~here
        t.wins2[cell], t.losses2[cell] = 0, goal(n, 1) & ~here
        if cell >= n:
            none = cells_before_goal(n) & ~cells1 | here if cells2 & here else cells_before_goal(n)
            write(layer, at + row_of(n, cell), none & cells_before_goal(n), WORST2)
            write(layer, at + pairs(n) + row_of(n, cell), none & cells_before_goal(n), WORST1)


def write(layer: Words, row: int, cells: int, byte: int) -> None:
    """Write a byte for each of the cells of P1."""
    while cells != 0:
        layer[row + popcount((cells & -cells) - 1)] = byte
        cells &= cells - 1


def last_exit(t: RetrogradeState) -> int:
    """The latest winning move after an exit."""
    for m in range(DEEPEST + 1, 0, -1):
        if t.seen1[256 - m] or t.seen1[m] or t.seen2[m - 1] or t.seen2[255 - m]:
            return m
    return 0


def find_wins1(layer: Words, at: int, t: RetrogradeState, m: int, lost2: int) -> int:
    """Find where P1, to move, wins with its m-th move, P2 having lost positions on some cells; return P2's cells."""
    n, east, south, cells1 = t.board[BOARD_N], t.board[BOARD_EAST], t.board[BOARD_SOUTH], t.board[CELLS1]
    exit = 256 - m if m <= DEEPEST + 1 else UNUSED
    due, found = (lost2 | t.seen1[exit]) & t.board[CELLS2], 0
    while due != 0:
        here = due & -due
        due ^= here
        cell = popcount(here - 1)
        lost = t.losses2[cell]
        wins = neighbours(lost & ~here, east, south, n) | t.exits1[exit][cell]
        wins |= lost & stuck1(t, cell)
        wins &= cells1 & ~here & ~t.wins1[cell]
        if wins != 0:
            found |= here
            t.wins1[cell] |= wins
            write(layer, at + row_of(n, cell), wins, 255 - min(m, DEEPEST))
    return found


def find_wins2(layer: Words, at: int, t: RetrogradeState, m: int, lost1: int) -> int:
    """Find where P2, to move, wins with its m-th move."""
    n, cells1 = t.board[BOARD_N], t.board[CELLS1]
    exit = m - 1 if m <= DEEPEST + 1 else UNUSED
    due, found = (beside(t, lost1) | t.seen2[exit]) & t.board[CELLS2], 0
    while due != 0:
        here = due & -due
        due ^= here
        cell = popcount(here - 1)
        near = neighbours(here, t.board[BOARD_EAST], t.board[BOARD_SOUTH], n)
        wins = t.exits2[exit][cell] | (t.losses1[cell] & stuck2(t, cell))
        if near & (here << 1):
            wins |= t.losses1[cell + 1]
        if near & (here >> 1):
            wins |= t.losses1[cell - 1]
        if near & (here << n):
            wins |= t.losses1[cell + n]
        if near & (here >> n):
            wins |= t.losses1[cell - n]
        wins &= cells1 & ~here & ~t.wins2[cell]
        if wins != 0:
            found |= here
            t.wins2[cell] |= wins
            write(layer, at + row_of(n, cell), wins, min(m, DEEPEST))
    return found


def find_losses1(layer: Words, at: int, t: RetrogradeState, m: int, won2: int) -> int:
    """Find where P1, to move, loses to P2's m-th move."""
    n, east, south, cells1 = t.board[BOARD_N], t.board[BOARD_EAST], t.board[BOARD_SOUTH], t.board[CELLS1]
    exit = m if m <= DEEPEST + 1 else UNUSED
    due, found = (won2 | t.seen1[exit]) & t.board[CELLS2], 0
    while due != 0:
        here = due & -due
        due ^= here
        cell = popcount(here - 1)
        t.open1[cell] &= ~t.exits1[exit][cell]
        kept = ((1 << (n * n)) - 1) & ~t.wins2[cell]
        safe = neighbours(kept & ~here, east, south, n) | t.open1[cell] | (kept & stuck1(t, cell))
        losses = cells1 & ~here & ~safe & ~t.losses1[cell]
        if losses != 0:
            found |= here
            t.losses1[cell] |= losses
            write(layer, at + row_of(n, cell), losses, min(m, DEEPEST))
    return found


def find_losses2(layer: Words, at: int, t: RetrogradeState, m: int, won1: int) -> int:
    """Find where P2, to move, loses to P1's m-th move."""
    n, cells1 = t.board[BOARD_N], t.board[CELLS1]
    exit = 255 - m if m <= DEEPEST + 1 else UNUSED
    due, found = (beside(t, won1) | t.seen2[exit]) & t.board[CELLS2], 0
    while due != 0:
        here = due & -due
        due ^= here
        cell = popcount(here - 1)
        near = neighbours(here, t.board[BOARD_EAST], t.board[BOARD_SOUTH], n)
        t.open2[cell] &= ~t.exits2[exit][cell]
        losses = cells1 & ~here & ~t.open2[cell] & (t.wins1[cell] | ~stuck2(t, cell))
        if near & (here << 1):
            losses &= t.wins1[cell + 1] | (here << 1)
        if near & (here >> 1):
            losses &= t.wins1[cell - 1] | (here >> 1)
        if near & (here << n):
            losses &= t.wins1[cell + n] | (here << n)
        if near & (here >> n):
            losses &= t.wins1[cell - n] | (here >> n)
        losses &= ~t.losses2[cell]
        if losses != 0:
            found |= here
            t.losses2[cell] |= losses
            write(layer, at + row_of(n, cell), losses, 255 - min(m, DEEPEST))
    return found


def stuck1(t: RetrogradeState, cell: int) -> int:
    """The cells on which P1 can only pass: P2 stands in its one way out, and it has no exit."""
    near = neighbours(1 << cell, t.board[BOARD_EAST], t.board[BOARD_SOUTH], t.board[BOARD_N])
    return near & t.board[DEAD_ENDS] & t.exits1[WORST1][cell]


def stuck2(t: RetrogradeState, cell: int) -> int:
    """The cell of P1, if any, that leaves P2 on this cell nothing but to pass."""
    if not in_set(t.board[DEAD_ENDS], cell):
        return 0
    return neighbours(1 << cell, t.board[BOARD_EAST], t.board[BOARD_SOUTH], t.board[BOARD_N]) & t.exits2[WORST2][cell]


def beside(t: RetrogradeState, cells: int) -> int:
    """The cells from which P2 gets to one of these, by a step or by passing."""
    return neighbours(cells, t.board[BOARD_EAST], t.board[BOARD_SOUTH], t.board[BOARD_N]) | (cells & t.board[DEAD_ENDS])


def forget_exits(t: RetrogradeState) -> None:
    """Empty what was sorted, for the next tables."""
    for byte in range(256):
        t.seen1[byte] = clear_cells(t.exits1[byte], t.seen1[byte])
        t.seen2[byte] = clear_cells(t.exits2[byte], t.seen2[byte])


def clear_cells(words: Words, cells: int) -> int:
    """Clear the words of a set of cells; return the empty set."""
    while cells != 0:
        words[popcount((cells & -cells) - 1)] = 0
        cells &= cells - 1
    return cells
