"""GateRun solved layer by layer: all positions with a number of walls on the board, from those with one wall more.

A layer has all sets of so many edges, in the order of their rank among these; for each set every way the two players
can have put up that many walls; for each way the jumps left, if the game has jumps; and for these two tables of bytes,
one with P1 and one with P2 to move, with a byte for each pair of cells before the pawns' goal rows. A byte says who
wins, and with which of its own moves, so that the larger is the better for P1:

    255 − m   P1 wins with its m-th move
    m         P2 wins with its m-th move
    128       nobody wins

A pair that is no position, both pawns on one cell or one of them without a path, has the byte that is worst for the
player who could move there. So the best of several bytes is found without asking which of them count.

Play without end is a draw; the draws by repetition and by length are left out, and no wall is ever turned.
"""

from __future__ import annotations

from rookery.games.gaterun.bots.race import CELLS, cells_before_goal, dead_ends
from rookery.games.gaterun.geometry import (
    Board,
    east_edges,
    edge_count,
    first_cell,
    goal,
    is_east,
    neighbours,
    popcount,
    south_edges,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Words

MOST_EDGES = 84
"""The edges of the largest board."""
DRAW = 128
DEEPEST = 125
"""The latest move that a byte can tell; a win with a later one is noted as if it were with this."""
UNUSED = 126
"""A byte that no position has."""
WORST1, WORST2 = 0, 255
"""What is worse for P1, and for P2, than any position."""

# The words a worker needs. About the set it is at: the board's size, the open edges, the cells with a single open edge,
# those that P1 and P2 may be on, the walls, and the ranks of the sets with one wall more.
SIZE, EAST, SOUTH, DEAD_ENDS, CELLS1, CELLS2, WALLS = 0, 1, 2, 3, 4, 5, 6
LARGER = WALLS + MOST_EDGES
# And about positions, for each cell of P2 a set of cells of P1: where P1, to move, wins or loses, and where P2 does;
# where P1, and P2, has an exit (a wall or a jump) that is not known to lose; and, for each byte, where it is the best
# that P1, and P2, can get by an exit. `SEEN` has, for each byte, the cells of P2 for which there are any.
WINS1 = LARGER + MOST_EDGES
LOSSES1 = WINS1 + CELLS
WINS2 = LOSSES1 + CELLS
LOSSES2 = WINS2 + CELLS
OPEN1 = LOSSES2 + CELLS
OPEN2 = OPEN1 + CELLS
EXITS1 = OPEN2 + CELLS
EXITS2 = EXITS1 + 256 * CELLS
SEEN1 = EXITS2 + 256 * CELLS
SEEN2 = SEEN1 + 256
WORK_WORDS = SEEN2 + 256


def last_layer(n: int, walls1: int, walls2: int) -> int:
    """The most walls that can be on the board: each pawn needs at least an open edge to its goal row."""
    return min(walls1 + walls2, edge_count(n) - 2)


def least_used(total: int, walls2: int) -> int:
    """The fewest walls that P1 can have put up if so many are on the board."""
    return max(0, total - walls2)


def splits(total: int, walls1: int, walls2: int) -> int:
    """In how many ways the players can have put up so many walls."""
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


def table_of(
    n: int, walls1: int, walls2: int, jump: int, total: int, rank: int, used1: int, jumps: int, turn: int
) -> int:
    """Where in its layer a table stands; `jumps` are those left, P1's counting 1 and P2's counting 2."""
    at = rank * splits(total, walls1, walls2) + used1 - least_used(total, walls2)
    if jump:
        at = 4 * at + jumps
    return (2 * at + turn - 1) * pairs(n)


def solve_sets(
    layer: Words,
    above: Words,
    choose: Words,
    work: Words,
    best: Words,
    n: int,
    walls1: int,
    walls2: int,
    jump: int,
    total: int,
    first: int,
    count: int,
) -> int:
    """Solve some sets of the layer with `total` walls, from the one of rank `first` on; return how many positions.

    `above` is the layer with one wall more, if there is one. `choose` has the number of ways to choose j of k as its
    word (MOST_EDGES + 1)·j + k. `work` holds zeros at first and is left to the same worker; `best` has room for two
    tables.
    """
    positions = 0
    more = total < last_layer(n, walls1, walls2)
    find_set(choose, work, total, first)
    for rank in range(first, first + count):
        look_at_set(work, n, total)
        larger = find_larger(choose, work, total, edge_count(n)) if more else 0
        there = 2 * many_pairs(work[CELLS1], work[CELLS2])
        for used1 in range(least_used(total, walls2), min(total, walls1) + 1):
            for jumps in range(4 if jump else 1):
                at = table_of(n, walls1, walls2, jump, total, rank, used1, jumps, 1)
                wall1, wall2 = used1 < walls1, total - used1 < walls2
                if wall1 or jumps & 1:
                    fill(best, 0, pairs(n), WORST1)
                if wall2 or jumps & 2:
                    fill(best, pairs(n), pairs(n), WORST2)
                for k in range(larger if there else 0):
                    if wall1:
                        after = table_of(n, walls1, walls2, jump, total + 1, work[LARGER + k], used1 + 1, jumps, 2)
                        take_larger(best, 0, above, after, pairs(n))
                    if wall2:
                        after = table_of(n, walls1, walls2, jump, total + 1, work[LARGER + k], used1, jumps, 1)
                        take_smaller(best, pairs(n), above, after, pairs(n))
                if jumps & 1:
                    add_jumps1(best, 0, layer, at - 2 * pairs(n) + pairs(n), work)
                if jumps & 2:
                    add_jumps2(best, pairs(n), layer, at - 4 * pairs(n), work)
                sort_exits1(work, best, 0, wall1 or (jumps & 1) != 0)
                sort_exits2(work, best, pairs(n), wall2 or (jumps & 2) != 0)
                settle(layer, at, work)
                positions += there
        next_set(work, total)
    return positions


def find_set(choose: Words, work: Words, total: int, rank: int) -> None:
    """Write down the walls of the set of a rank, ascending."""
    edge = MOST_EDGES
    for size in range(total, 0, -1):
        while choose[(MOST_EDGES + 1) * size + edge] > rank:
            edge -= 1
        rank -= choose[(MOST_EDGES + 1) * size + edge]
        work[WALLS + size - 1] = edge


def next_set(work: Words, total: int) -> None:
    """Write down the set of the next rank: the first wall that can moves on, those before it go to the beginning."""
    k = 0
    while k < total - 1 and work[WALLS + k] + 1 == work[WALLS + k + 1]:
        work[WALLS + k] = k
        k += 1
    work[WALLS + k] += 1


def find_larger(choose: Words, work: Words, total: int, edges: int) -> int:
    """Write down the ranks of the sets with one wall more; return how many there are.

    The k-th wall of a set, from 0, adds to its rank the ways to choose k + 1 of the edges before it; a wall put in
    moves those above it one place up.
    """
    below, above, k, count = 0, 0, 0, 0
    for j in range(total):
        above += choose[(MOST_EDGES + 1) * (j + 2) + work[WALLS + j]]
    for edge in range(edges):
        if k < total and work[WALLS + k] == edge:
            below += choose[(MOST_EDGES + 1) * (k + 1) + edge]
            above -= choose[(MOST_EDGES + 1) * (k + 2) + edge]
            k += 1
        else:
            work[LARGER + count] = below + choose[(MOST_EDGES + 1) * (k + 1) + edge] + above
            count += 1
    return count


def look_at_set(work: Words, n: int, total: int) -> None:
    """Write down what the walls of a set leave open, and where the pawns may be."""
    east, south = east_edges(n), south_edges(n)
    for k in range(total):
        edge = work[WALLS + k]
        if is_east(n, edge):
            east ^= 1 << first_cell(n, edge)
        else:
            south ^= 1 << first_cell(n, edge)
    work[SIZE], work[EAST], work[SOUTH] = n, east, south
    work[DEAD_ENDS] = dead_ends(Board(n, east, south))
    work[CELLS1] = joined(goal(n, 1), east, south, n) & ~goal(n, 1)
    work[CELLS2] = joined(goal(n, 2), east, south, n) & ~goal(n, 2)


def joined(cells: int, east: int, south: int, n: int) -> int:
    """The cells that have a path to these, and these."""
    before = 0
    while before != cells:
        before = cells
        cells |= neighbours(cells, east, south, n)
    return cells


def many_pairs(cells1: int, cells2: int) -> int:
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


def add_jumps1(best: Words, at: int, layer: Words, after: int, work: Words) -> None:
    """Add P1's jumps, which lead to another table of the layer, to the best it can get by walls."""
    n = work[SIZE]
    for over in range(n, n * n):
        near = neighbours(1 << over, work[EAST], work[SOUTH], n)
        for delta in (1, -1, n, -n):
            here, there = over - delta, over + delta
            if in_set(near, here) and in_set(near, there) and in_set(work[CELLS1], here) and in_set(work[CELLS2], over):
                byte = WORST2 if in_set(goal(n, 1), there) else layer[after + pair_of(n, there, over)]
                best[at + pair_of(n, here, over)] = max(best[at + pair_of(n, here, over)], byte)


def add_jumps2(best: Words, at: int, layer: Words, after: int, work: Words) -> None:
    """Add P2's jumps likewise."""
    n = work[SIZE]
    for over in range(n * (n - 1)):
        near = neighbours(1 << over, work[EAST], work[SOUTH], n)
        for delta in (1, -1, n, -n):
            here, there = over - delta, over + delta
            if in_set(near, here) and in_set(near, there) and in_set(work[CELLS2], here) and in_set(work[CELLS1], over):
                byte = WORST1 if in_set(goal(n, 2), there) else layer[after + pair_of(n, over, there)]
                best[at + pair_of(n, over, here)] = min(best[at + pair_of(n, over, here)], byte)


def in_set(cells: int, cell: int) -> bool:
    return cell >= 0 and ((cells >> cell) & 1) != 0


def sort_exits1(work: Words, best: Words, at: int, any_exit: bool) -> None:
    """Sort P1's positions by the best that a wall or a jump gives there."""
    sort_exits(work, best, at, any_exit, EXITS1, SEEN1, WORST1)
    for cell in range(work[SIZE], work[SIZE] ** 2):
        work[OPEN1 + cell] = work[CELLS1] & ~work[EXITS1 + WORST1 * CELLS + cell]


def sort_exits2(work: Words, best: Words, at: int, any_exit: bool) -> None:
    """Sort P2's likewise."""
    sort_exits(work, best, at, any_exit, EXITS2, SEEN2, WORST2)
    for cell in range(work[SIZE], work[SIZE] ** 2):
        work[OPEN2 + cell] = work[CELLS1] & ~work[EXITS2 + WORST2 * CELLS + cell]


def sort_exits(work: Words, best: Words, at: int, any_exit: bool, exits: int, seen: int, worst: int) -> None:
    n = work[SIZE]
    for cell in range(n, n * n):
        if any_exit:
            for k in range(n * (n - 1)):
                byte = best[at + row_of(n, cell) + k]
                work[exits + byte * CELLS + cell] |= 1 << k
                work[seen + byte] |= 1 << cell
        else:
            work[exits + worst * CELLS + cell] = cells_before_goal(n)
            work[seen + worst] |= 1 << cell


def settle(layer: Words, at: int, work: Words) -> None:
    """Write the two tables of a set: find the wins with the first move, the losses to it, the wins with the second, …

    A win with the m-th move is a step or an exit to a loss to the move before. A loss to the m-th move is where all
    steps and exits lead to wins with that move or an earlier one.
    """
    n = work[SIZE]
    start_tables(layer, at, work)
    last = last_exit(work)
    m, lost1, lost2 = 0, goal(n, 2), work[CELLS2]
    while m < last or lost1 or lost2:
        m += 1
        won1 = find_wins1(layer, at, work, m, lost2)
        won2 = find_wins2(layer, at + pairs(n), work, m, lost1)
        lost1 = find_losses1(layer, at, work, m, won2)
        lost2 = find_losses2(layer, at + pairs(n), work, m, won1)
    forget_exits(work)


def start_tables(layer: Words, at: int, work: Words) -> None:
    """Write down that every position is a draw, and what is over: a pawn that steps onto its goal row has won."""
    n, cells1, cells2 = work[SIZE], work[CELLS1], work[CELLS2]
    fill(layer, at, 2 * pairs(n), DRAW)
    for cell in range(n * n):
        here = 1 << cell
        work[WINS1 + cell], work[LOSSES1 + cell] = 0, 0 if cell >= n else cells1 & ~here
        work[WINS2 + cell], work[LOSSES2 + cell] = 0, goal(n, 1) & ~here
        if cell >= n:
            none = cells_before_goal(n) & ~cells1 | here if cells2 & here else cells_before_goal(n)
            write(layer, at + row_of(n, cell), none & cells_before_goal(n), WORST2)
            write(layer, at + pairs(n) + row_of(n, cell), none & cells_before_goal(n), WORST1)


def write(layer: Words, row: int, cells: int, byte: int) -> None:
    """Write a byte for each of the cells of P1."""
    while cells != 0:
        layer[row + popcount((cells & -cells) - 1)] = byte
        cells &= cells - 1


def last_exit(work: Words) -> int:
    """The latest winning move after an exit."""
    for m in range(DEEPEST + 1, 0, -1):
        if work[SEEN1 + 256 - m] or work[SEEN1 + m] or work[SEEN2 + m - 1] or work[SEEN2 + 255 - m]:
            return m
    return 0


def find_wins1(layer: Words, at: int, work: Words, m: int, lost2: int) -> int:
    """Find where P1, to move, wins with its m-th move, P2 having lost positions on some cells; return P2's cells."""
    n, east, south, cells1 = work[SIZE], work[EAST], work[SOUTH], work[CELLS1]
    exit = 256 - m if m <= DEEPEST + 1 else UNUSED
    due, found = (lost2 | work[SEEN1 + exit]) & work[CELLS2], 0
    while due != 0:
        here = due & -due
        due ^= here
        cell = popcount(here - 1)
        lost = work[LOSSES2 + cell]
        wins = neighbours(lost & ~here, east, south, n) | work[EXITS1 + exit * CELLS + cell]
        wins |= lost & stuck1(work, cell)
        wins &= cells1 & ~here & ~work[WINS1 + cell]
        if wins != 0:
            found |= here
            work[WINS1 + cell] |= wins
            write(layer, at + row_of(n, cell), wins, 255 - min(m, DEEPEST))
    return found


def find_wins2(layer: Words, at: int, work: Words, m: int, lost1: int) -> int:
    """Find where P2, to move, wins with its m-th move."""
    n, cells1 = work[SIZE], work[CELLS1]
    exit = m - 1 if m <= DEEPEST + 1 else UNUSED
    due, found = (beside(work, lost1) | work[SEEN2 + exit]) & work[CELLS2], 0
    while due != 0:
        here = due & -due
        due ^= here
        cell = popcount(here - 1)
        near = neighbours(here, work[EAST], work[SOUTH], n)
        wins = work[EXITS2 + exit * CELLS + cell] | (work[LOSSES1 + cell] & stuck2(work, cell))
        if near & (here << 1):
            wins |= work[LOSSES1 + cell + 1]
        if near & (here >> 1):
            wins |= work[LOSSES1 + cell - 1]
        if near & (here << n):
            wins |= work[LOSSES1 + cell + n]
        if near & (here >> n):
            wins |= work[LOSSES1 + cell - n]
        wins &= cells1 & ~here & ~work[WINS2 + cell]
        if wins != 0:
            found |= here
            work[WINS2 + cell] |= wins
            write(layer, at + row_of(n, cell), wins, min(m, DEEPEST))
    return found


def find_losses1(layer: Words, at: int, work: Words, m: int, won2: int) -> int:
    """Find where P1, to move, loses to P2's m-th move."""
    n, east, south, cells1 = work[SIZE], work[EAST], work[SOUTH], work[CELLS1]
    exit = m if m <= DEEPEST + 1 else UNUSED
    due, found = (won2 | work[SEEN1 + exit]) & work[CELLS2], 0
    while due != 0:
        here = due & -due
        due ^= here
        cell = popcount(here - 1)
        work[OPEN1 + cell] &= ~work[EXITS1 + exit * CELLS + cell]
        kept = ((1 << (n * n)) - 1) & ~work[WINS2 + cell]
        safe = neighbours(kept & ~here, east, south, n) | work[OPEN1 + cell] | (kept & stuck1(work, cell))
        losses = cells1 & ~here & ~safe & ~work[LOSSES1 + cell]
        if losses != 0:
            found |= here
            work[LOSSES1 + cell] |= losses
            write(layer, at + row_of(n, cell), losses, min(m, DEEPEST))
    return found


def find_losses2(layer: Words, at: int, work: Words, m: int, won1: int) -> int:
    """Find where P2, to move, loses to P1's m-th move."""
    n, cells1 = work[SIZE], work[CELLS1]
    exit = 255 - m if m <= DEEPEST + 1 else UNUSED
    due, found = (beside(work, won1) | work[SEEN2 + exit]) & work[CELLS2], 0
    while due != 0:
        here = due & -due
        due ^= here
        cell = popcount(here - 1)
        near = neighbours(here, work[EAST], work[SOUTH], n)
        work[OPEN2 + cell] &= ~work[EXITS2 + exit * CELLS + cell]
        losses = cells1 & ~here & ~work[OPEN2 + cell] & (work[WINS1 + cell] | ~stuck2(work, cell))
        if near & (here << 1):
            losses &= work[WINS1 + cell + 1] | (here << 1)
        if near & (here >> 1):
            losses &= work[WINS1 + cell - 1] | (here >> 1)
        if near & (here << n):
            losses &= work[WINS1 + cell + n] | (here << n)
        if near & (here >> n):
            losses &= work[WINS1 + cell - n] | (here >> n)
        losses &= ~work[LOSSES2 + cell]
        if losses != 0:
            found |= here
            work[LOSSES2 + cell] |= losses
            write(layer, at + row_of(n, cell), losses, 255 - min(m, DEEPEST))
    return found


def stuck1(work: Words, cell: int) -> int:
    """The cells on which P1 can only pass: P2 stands in its one way out, and it has no exit."""
    near = neighbours(1 << cell, work[EAST], work[SOUTH], work[SIZE])
    return near & work[DEAD_ENDS] & work[EXITS1 + WORST1 * CELLS + cell]


def stuck2(work: Words, cell: int) -> int:
    """The cell of P1, if any, that leaves P2 on this cell nothing but to pass."""
    if not in_set(work[DEAD_ENDS], cell):
        return 0
    return neighbours(1 << cell, work[EAST], work[SOUTH], work[SIZE]) & work[EXITS2 + WORST2 * CELLS + cell]


def beside(work: Words, cells: int) -> int:
    """The cells from which P2 gets to one of these, by a step or by passing."""
    return neighbours(cells, work[EAST], work[SOUTH], work[SIZE]) | (cells & work[DEAD_ENDS])


def forget_exits(work: Words) -> None:
    """Empty what was sorted, for the next tables."""
    for byte in range(256):
        forget(work, SEEN1 + byte, EXITS1 + byte * CELLS)
        forget(work, SEEN2 + byte, EXITS2 + byte * CELLS)


def forget(work: Words, seen: int, exits: int) -> None:
    cells = work[seen]
    work[seen] = 0
    while cells != 0:
        work[exits + popcount((cells & -cells) - 1)] = 0
        cells &= cells - 1
