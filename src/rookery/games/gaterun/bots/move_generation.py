"""Moves of GateRun for the alpha-beta search: steps, jumps, walls worth a look, rotations. Plain functions that run
interpreted and compiled, like the rules, and are tested against them move by move.

Which walls matter: the shortest paths of a player form a graph of layers, one layer a step. Where a single edge joins
two layers, a *bridge*, a wall makes every path longer, or closes the last one. No other wall can do either. A wall may
also *guard* the path of the player who places it: once it closes every way round a bridge, the opponent may not put a
wall on that bridge.
"""

from __future__ import annotations

from rookery.games.gaterun.bots.search_state import (
    BOARD_SIZE,
    BRIDGES,
    CODE,
    DETOUR,
    EAST_WALL,
    GOAL_ROW,
    JUMP,
    MINE,
    MOVE_COUNT,
    MOVE_WORDS,
    MY_CELL,
    MY_DISTANCE,
    MY_JUMPS,
    MY_NEW_DISTANCE,
    MY_ROTATIONS,
    MY_WALLS,
    ON_PATH,
    OPEN_EAST,
    OPEN_SOUTH,
    PASS,
    PLAYER,
    ROTATION,
    SCORE,
    SOUTH_WALL,
    STEP,
    THEIR_CELL,
    THEIR_DISTANCE,
    THEIR_NEW_DISTANCE,
    THEIR_WALLS,
    THEIRS,
)
from rookery.games.gaterun.geometry import (
    Board,
    distance_from,
    east_edge,
    east_edges,
    first_cell,
    neighbours,
    popcount,
    south_edge,
    south_edges,
    turned,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Words
    from rookery.games.gaterun.bots.search_state import SearchState

STEP_VALUE, WALL_VALUE = 10, 16
"""What a step ahead of the opponent is worth, and a wall left more than the opponent has."""

LENGTHENING, ON_PATHS, ALL_WALLS = 1, 2, 3
"""Which walls are generated: those that lengthen the opponent's path; all on its shortest paths, and those that guard
one's own; all."""
WORTH_GUARDING = 4
"""A bridge is guarded if the way round is at least this many steps longer."""


def generate(t: SearchState, ply: int, selection: int) -> None:
    """List the moves of a ply: all steps and the selected walls; if there are none, all walls; else a pass."""
    p, moves = t.positions[ply], t.moves[ply]
    p[MOVE_COUNT] = 0
    board = Board(t.root[BOARD_SIZE], p[OPEN_EAST], p[OPEN_SOUTH])
    fill_layers(t.layers[MINE], p[MY_CELL], t.root[GOAL_ROW + p[PLAYER]], board)
    add_steps(t, p, moves, board)
    if p[MY_WALLS] > 0:
        add_walls(t, p, moves, selection)
    if p[MY_ROTATIONS] > 0 and selection > LENGTHENING:
        add_rotations(t, p, moves)
    if p[MOVE_COUNT] == 0 and selection < ALL_WALLS:
        add_other_moves(t, p, moves)
    if p[MOVE_COUNT] == 0:
        add_move(p, moves, PASS, 0, p[MY_DISTANCE], p[THEIR_DISTANCE])


def add_other_moves(t: SearchState, p: Words, moves: Words) -> None:
    """List the walls and rotations that a selection left out."""
    if p[MY_WALLS] > 0:
        add_walls(t, p, moves, ALL_WALLS)
    if p[MY_ROTATIONS] > 0:
        add_rotations(t, p, moves)


def add_move(p: Words, moves: Words, code: int, score: int, my_distance: int, their_distance: int) -> None:
    move = p[MOVE_COUNT] * MOVE_WORDS
    moves[move + CODE] = code
    moves[move + SCORE] = score
    moves[move + MY_NEW_DISTANCE] = my_distance
    moves[move + THEIR_NEW_DISTANCE] = their_distance
    p[MOVE_COUNT] += 1


def fill_layers(layers: Words, cell: int, target: int, board: Board) -> int:
    """Write down the cells within 0, 1, 2, … steps of the target until they include the cell; return how many steps."""
    n, east, south = board
    reached, steps = target, 0
    layers[0] = reached
    while ((reached >> cell) & 1) == 0:
        reached |= neighbours(reached, east, south, n)
        steps += 1
        layers[steps] = reached
    return steps


def trace_paths(paths: Words, layers: Words, cell: int, steps: int, board: Board) -> None:
    """Find the edges of all shortest paths from a cell, given the layers, and the bridges among them."""
    n, east, south = board
    here = 1 << cell
    all_east, all_south, bridges_east, bridges_south = 0, 0, 0, 0
    while steps > 0:
        steps -= 1
        nearer = neighbours(here, east, south, n) & layers[steps]
        across = east & ((here & (nearer >> 1)) | (nearer & (here >> 1)))
        down = south & ((here & (nearer >> n)) | (nearer & (here >> n)))
        if (down == 0 and (across & (across - 1)) == 0) or (across == 0 and (down & (down - 1)) == 0):
            bridges_east |= across
            bridges_south |= down
        all_east |= across
        all_south |= down
        here = nearer
    paths[ON_PATH] = all_east
    paths[ON_PATH + 1] = all_south
    paths[BRIDGES] = bridges_east
    paths[BRIDGES + 1] = bridges_south


def add_steps(t: SearchState, p: Words, moves: Words, board: Board) -> None:
    """List the steps, and the jump if there is one; `layers` has the distances of the player to move."""
    n, east, south = board
    mine, theirs = p[MY_CELL], p[THEIR_CELL]
    my_distance, their_distance = p[MY_DISTANCE], p[THEIR_DISTANCE]
    near = neighbours(1 << mine, east, south, n)
    nearer, as_near = t.layers[MINE][my_distance - 1], t.layers[MINE][my_distance]
    steps = near & ~(1 << theirs)
    while steps:
        cell = popcount((steps & -steps) - 1)
        steps &= steps - 1
        distance = my_distance + 1
        if (nearer >> cell) & 1:
            distance = my_distance - 1
        elif (as_near >> cell) & 1:
            distance = my_distance
        add_move(p, moves, STEP + cell, STEP_VALUE * (my_distance - distance), distance, their_distance)
    if p[MY_JUMPS] and (near >> theirs) & 1:
        behind = 2 * theirs - mine
        if behind >= 0 and (neighbours(1 << theirs, east, south, n) >> behind) & 1:
            distance = distance_from(behind, t.root[GOAL_ROW + p[PLAYER]], east, south, n)
            add_move(p, moves, JUMP + behind, STEP_VALUE * (my_distance - distance), distance, their_distance)


def add_walls(t: SearchState, p: Words, moves: Words, selection: int) -> None:
    """List the selected walls that leave both players a path."""
    board = Board(t.root[BOARD_SIZE], p[OPEN_EAST], p[OPEN_SOUTH])
    trace_paths(t.paths[MINE], t.layers[MINE], p[MY_CELL], p[MY_DISTANCE], board)
    fill_layers(t.layers[THEIRS], p[THEIR_CELL], t.root[GOAL_ROW + 3 - p[PLAYER]], board)
    trace_paths(t.paths[THEIRS], t.layers[THEIRS], p[THEIR_CELL], p[THEIR_DISTANCE], board)
    t.guards[0] = 0
    t.guards[1] = 0
    if selection == ON_PATHS and p[THEIR_WALLS] > 0:
        find_guards(t, p)
    for kind in range(2):  # walls on east edges, then on south edges
        edges = t.paths[THEIRS][BRIDGES + kind]
        if selection == ON_PATHS:
            edges = t.paths[THEIRS][ON_PATH + kind] | t.guards[kind]
        elif selection == ALL_WALLS:
            edges = p[OPEN_EAST + kind]
        while edges:
            edge = edges & -edges
            edges ^= edge
            add_wall(t, p, moves, kind, edge)


def add_wall(t: SearchState, p: Words, moves: Words, kind: int, edge: int) -> None:
    """List a wall on an open edge, the bit of a cell, unless it closes the last path of a player."""
    n, me = t.root[BOARD_SIZE], p[PLAYER]
    east, south = close(p, kind, edge)
    mine, theirs = p[MY_DISTANCE], p[THEIR_DISTANCE]
    if t.paths[THEIRS][BRIDGES + kind] & edge:
        theirs = distance_from(p[THEIR_CELL], t.root[GOAL_ROW + 3 - me], east, south, n)
    if t.paths[MINE][BRIDGES + kind] & edge:
        mine = distance_from(p[MY_CELL], t.root[GOAL_ROW + me], east, south, n)
    if mine >= 0 and theirs >= 0:
        gain = (theirs - p[THEIR_DISTANCE]) - (mine - p[MY_DISTANCE])
        code = (EAST_WALL if kind == 0 else SOUTH_WALL) + popcount(edge - 1)
        add_move(p, moves, code, STEP_VALUE * gain - WALL_VALUE, mine, theirs)


def close(p: Words, kind: int, edge: int) -> tuple[int, int]:
    """The open edges of a position with one more closed, an east edge (kind 0) or a south edge (kind 1)."""
    if kind == 0:
        return p[OPEN_EAST] ^ edge, p[OPEN_SOUTH]
    return p[OPEN_EAST], p[OPEN_SOUTH] ^ edge


def find_guards(t: SearchState, p: Words) -> None:
    """Find the walls that guard a bridge of the player to move: they close every way round it."""
    n, cell, goal_row = t.root[BOARD_SIZE], p[MY_CELL], t.root[GOAL_ROW + p[PLAYER]]
    for kind in range(2):
        bridges = t.paths[MINE][BRIDGES + kind]
        while bridges:
            bridge = bridges & -bridges
            bridges ^= bridge
            east, south = close(p, kind, bridge)
            # A bridge with no way round has distance −1 and needs no guard.
            if distance_from(cell, goal_row, east, south, n) >= p[MY_DISTANCE] + WORTH_GUARDING:
                find_guards_of(t, cell, goal_row, Board(n, east, south))


def find_guards_of(t: SearchState, cell: int, goal_row: int, board: Board) -> None:
    """Find the walls after which a player would have no path left on a board with a bridge closed."""
    n, east, south = board
    steps = fill_layers(t.layers[DETOUR], cell, goal_row, board)
    trace_paths(t.paths[DETOUR], t.layers[DETOUR], cell, steps, board)
    for kind in range(2):
        edges = t.paths[DETOUR][BRIDGES + kind] & ~t.paths[MINE][ON_PATH + kind]
        while edges:
            edge = edges & -edges
            edges ^= edge
            if kind == 0 and distance_from(cell, goal_row, east ^ edge, south, n) < 0:
                t.guards[0] |= edge
            if kind == 1 and distance_from(cell, goal_row, east, south ^ edge, n) < 0:
                t.guards[1] |= edge


def add_rotations(t: SearchState, p: Words, moves: Words) -> None:
    """List the rotations that leave both players a path."""
    n = t.root[BOARD_SIZE]
    for kind in range(2):
        edges = east_edges(n) ^ p[OPEN_EAST] if kind == 0 else south_edges(n) ^ p[OPEN_SOUTH]
        while edges:
            cell = popcount((edges & -edges) - 1)
            edges &= edges - 1
            edge = east_edge(n, cell) if kind == 0 else south_edge(n, cell)
            for way in range(4):
                target = turned(n, edge, way)
                if target >= 0 and (p[OPEN_EAST + 1 - kind] >> first_cell(n, target)) & 1:
                    add_rotation(t, p, moves, ROTATION + (kind * 64 + cell) * 4 + way, 1 << first_cell(n, target))


def add_rotation(t: SearchState, p: Words, moves: Words, code: int, new: int) -> None:
    """List a rotation onto an open edge, the bit of a cell, unless it closes the last path of a player."""
    n, me = t.root[BOARD_SIZE], p[PLAYER]
    old = 1 << ((code - ROTATION) // 4 % 64)
    east, south = p[OPEN_EAST] ^ new, p[OPEN_SOUTH] ^ old
    if code < ROTATION + 256:
        east, south = p[OPEN_EAST] ^ old, p[OPEN_SOUTH] ^ new
    mine = distance_from(p[MY_CELL], t.root[GOAL_ROW + me], east, south, n)
    theirs = distance_from(p[THEIR_CELL], t.root[GOAL_ROW + 3 - me], east, south, n)
    if mine >= 0 and theirs >= 0:
        gain = (theirs - p[THEIR_DISTANCE]) - (mine - p[MY_DISTANCE])
        add_move(p, moves, code, STEP_VALUE * gain - WALL_VALUE, mine, theirs)
