"""Exact outcomes of GateRun with few walls left: plain functions that run compiled, like the rules.

A *layer* holds all positions with the same walls on the board and the same walls left: every pair of pawns, either
player to move. Its table has `TABLE_WORDS` words: for each player to move, each winner and each cell of P2, the set of
P1's cells from which that winner wins. A pair in neither set is a draw: nobody can force a win.

A layer is solved by retrograde analysis: wins spread backwards by steps within the layer, and enter it from the layers
with one wall more. It shares no code with the searches and solvers of the package, only the geometry of the board.
"""

from __future__ import annotations

from rookery.games.gaterun.geometry import (
    edge_count,
    first_cell,
    goal,
    is_east,
    neighbours,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Words

CELLS = 49
TABLE_WORDS = 4 * CELLS
WALL_WORDS = 6 * CELLS
"""What walls can do, for each player and each cell of P2: the cells of P1 from which some wall wins, those from which
all walls lose, and those from which there is a wall to place."""


def index(turn: int, winner: int, pawn2: int) -> int:
    """Where in a table the set of P1's cells is."""
    return (2 * (turn - 1) + winner - 1) * CELLS + pawn2


def outcome(table: Words, turn: int, pawn1: int, pawn2: int) -> int:
    """Who wins a position of the layer; 0 for a draw."""
    if (table[index(turn, 1, pawn2)] >> pawn1) & 1:
        return 1
    return 2 if (table[index(turn, 2, pawn2)] >> pawn1) & 1 else 0


def connected(n: int, east: int, south: int, player: int) -> int:
    """The cells with a way to a player's goal row."""
    reached, before = goal(n, player), 0
    while reached != before:
        before = reached
        reached |= neighbours(reached, east, south, n)
    return reached


def clear_walls(walls: Words) -> None:
    """No wall can be placed: none wins, and all none of them lose."""
    for cell in range(CELLS):
        for player in range(2):
            walls[(3 * player) * CELLS + cell] = 0
            walls[(3 * player + 1) * CELLS + cell] = (1 << CELLS) - 1
            walls[(3 * player + 2) * CELLS + cell] = 0


def add_wall(walls: Words, child: Words, player: int, n: int, east: int, south: int) -> None:
    """Count in one wall that a player may place, which leads to the layer `child` with the edges `east` and `south`."""
    first, second = connected(n, east, south, 1), connected(n, east, south, 2)
    at, full = 3 * (player - 1) * CELLS, (1 << CELLS) - 1
    for cell in range(n * n):
        legal = first if (second >> cell) & 1 else 0
        walls[at + cell] |= child[index(3 - player, player, cell)] & legal
        walls[at + CELLS + cell] &= child[index(3 - player, 3 - player, cell)] | (full & ~legal)
        walls[at + 2 * CELLS + cell] |= legal


def settle(table: Words, walls: Words, n: int, east: int, south: int) -> None:
    """Solve a layer, given what walls can do in it."""
    goal1, goal2 = goal(n, 1), goal(n, 2)
    board = (1 << (n * n)) - 1
    for cell in range(n * n):
        here = 1 << cell
        for turn in range(1, 3):
            table[index(turn, 1, cell)] = 0 if goal2 & here else goal1 & ~here
            table[index(turn, 2, cell)] = board & ~here & ~goal1 if goal2 & here else 0
    changed = True
    while changed:
        changed = False
        for cell in range(n * n):
            if ((goal2 >> cell) & 1) == 0:
                changed |= first_to_move(table, walls, cell, n, east, south)
                changed |= second_to_move(table, walls, cell, n, east, south)


def first_to_move(table: Words, walls: Words, cell: int, n: int, east: int, south: int) -> bool:
    """Spread wins to the positions with P1 to move and P2 on a cell; return whether any is new."""
    here, board = 1 << cell, (1 << (n * n)) - 1
    inside = board & ~here & ~goal(n, 1)
    win, loss = table[index(2, 1, cell)] & ~here, table[index(2, 2, cell)]
    can_step = neighbours(board & ~here, east, south, n)
    stuck = ~can_step & ~walls[2 * CELLS + cell]
    wins = walls[cell] | neighbours(win, east, south, n) | (stuck & win)
    escapes = neighbours(board & ~here & ~loss, east, south, n)
    losses = walls[CELLS + cell] & ~escapes & (~stuck | loss)
    return extend(table, 1, cell, wins & inside, losses & inside)


def second_to_move(table: Words, walls: Words, cell: int, n: int, east: int, south: int) -> bool:
    """The same with P2 to move."""
    here, board = 1 << cell, (1 << (n * n)) - 1
    inside = board & ~here & ~goal(n, 1)
    at = 3 * CELLS + cell
    wins, losses, can_step = walls[at], walls[at + CELLS], 0
    around = neighbours(here, east, south, n)
    for target in range(n * n):
        if (around >> target) & 1:
            there = 1 << target
            wins |= table[index(1, 2, target)] & ~there
            losses &= table[index(1, 1, target)] | there
            can_step |= board & ~there
    stuck = ~can_step & ~walls[at + 2 * CELLS]
    wins |= stuck & table[index(1, 2, cell)]
    losses &= ~stuck | table[index(1, 1, cell)]
    return extend(table, 2, cell, losses & inside, wins & inside)


def extend(table: Words, turn: int, cell: int, first: int, second: int) -> bool:
    """Add positions that P1 and P2 win; return whether any is new."""
    one, two = index(turn, 1, cell), index(turn, 2, cell)
    new = (first & ~table[one]) | (second & ~table[two])
    table[one] |= first
    table[two] |= second
    return new != 0


def closed(n: int, edge: int, east: int, south: int) -> bool:
    """Whether there is a wall on an edge."""
    row = east if is_east(n, edge) else south
    return ((row >> first_cell(n, edge)) & 1) == 0


def last_walls(tables: Words, walls: Words, work: Words, n: int, east: int, south: int) -> None:
    """Solve the two layers in which one wall is left: that of P1, then that of P2, into `tables`."""
    first, second, child, none = 0, WALL_WORDS, 0, TABLE_WORDS
    clear_walls(walls[first : first + WALL_WORDS])
    clear_walls(walls[second : second + WALL_WORDS])
    clear_walls(work[none : none + WALL_WORDS])
    for edge in range(edge_count(n)):
        if closed(n, edge, east, south):
            continue
        bit = 1 << first_cell(n, edge)
        east_after = east & ~bit if is_east(n, edge) else east
        south_after = south if is_east(n, edge) else south & ~bit
        settle(work[child : child + TABLE_WORDS], work[none : none + WALL_WORDS], n, east_after, south_after)
        race = work[child : child + TABLE_WORDS]
        add_wall(walls[first : first + WALL_WORDS], race, 1, n, east_after, south_after)
        add_wall(walls[second : second + WALL_WORDS], race, 2, n, east_after, south_after)
    settle(tables[:TABLE_WORDS], walls[first : first + WALL_WORDS], n, east, south)
    settle(tables[TABLE_WORDS : 2 * TABLE_WORDS], walls[second : second + WALL_WORDS], n, east, south)
