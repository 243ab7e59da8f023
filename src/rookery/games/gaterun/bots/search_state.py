"""Positions of GateRun as alpha-beta works with them, and the moves from one to the next: plain functions that run
interpreted and compiled, like the rules.

All lies in one array, the *desk*. A position is a row of it, seen from the player to move, the root in row 0; rows are
written by `advance` and never changed back. Moves have codes of their own (see `STEP` to `ROTATION`), because an
action's number takes divisions to read.

Which walls matter: the shortest paths of a player form a graph of layers; where a layer is crossed by a single edge, a
wall there makes every path longer, or closes the last one. No other wall can do either. And a wall may *guard* the path
of who places it: where it closes the way round, the other may no longer close the path.
"""

from __future__ import annotations

from rookery.core.stream import bits
from rookery.games.gaterun.bots.race import RACE_WORDS
from rookery.games.gaterun.rules import (
    LONGEST,
    distance_from,
    east_edge,
    east_edges,
    first_cell,
    is_east,
    many,
    neighbours,
    south_edge,
    south_edges,
    turned,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Words

TEMPO, PACE, RESERVE = 4, 10, 16
"""What it is worth to be on move, to be a step ahead, and to have a wall in hand more than the other."""

DEEPEST = 60
"""Plies a search goes down at most."""

GAINING, CLOSE, ALL = 1, 2, 3
"""Which walls are listed: those that lengthen the opponent's way; all on its shortest paths, and those that guard one's
own; all there are."""
DETOUR = 4
"""Steps that a wall must cost for it to be worth a wall that guards against it."""

# Codes of moves: a kind and a cell in it. A rotation has a cell, the kind of edge, and one of four ways.
STEP, EAST_WALL, SOUTH_WALL, JUMP, PASS, ROTATION = 0, 64, 128, 192, 256, 512
CODES = 1024

# A row.
EAST, SOUTH, MINE, THEIRS = 0, 1, 2, 3
MY_WALLS, THEIR_WALLS, MY_JUMP, THEIR_JUMP, MY_TURN, THEIR_TURN = 4, 5, 6, 7, 8, 9
MY_WAY, THEIR_WAY = 10, 11
"""Steps each still needs if nobody interferes."""
PLAYER = 12
KEY = 13
STILL = 14
"""Plies since the last move that cannot be taken back."""
ROW = 16

# The desk.
SIZE = 0
JUMPS = 1
"""Whether the game has jumps."""
PLIES = 2
"""Plies of the game before the root."""
SEEN = 3
"""How many positions before the root could come again."""
FULL = 4
"""1 for a search of all moves at all depths, none of them less deep than others."""
WANTED = 5
"""How many of the best moves at the root get exact values."""
GOALS = 6
"""The word before the goal row of player 1."""
SALT = 9
SALTED = 52
"""Keys are salted from this bit on: entries of earlier searches are not met again, and lie where they would anyway."""
# The random numbers that make up keys: of open edges by their cell, of pawns by 64 · player + cell, of walls in hand by
# 128 · player + number, of jumps by player, of rotations by player, and of player 2 to move.
Z_EAST = 10
Z_SOUTH = Z_EAST + 64
Z_PAWN = Z_SOUTH + 64
Z_WALLS = Z_PAWN + 3 * 64
Z_JUMP = Z_WALLS + 3 * 128
Z_ROTATION = Z_JUMP + 3
Z_TURN = Z_ROTATION + 3
SEEN_KEYS = Z_TURN + 1
ROWS = SEEN_KEYS + LONGEST + 1
MINE_LAYERS = ROWS + (DEEPEST + 2) * ROW
THEIR_LAYERS = MINE_LAYERS + 50
ROUND_LAYERS = THEIR_LAYERS + 50
GRAPH = ROUND_LAYERS + 50
"""What `trace` finds: the edges of all shortest paths of a player, and those that alone cross a layer."""
MY_GRAPH, THEIR_GRAPH, ROUND_GRAPH = GRAPH, GRAPH + 4, GRAPH + 8
GUARDS = GRAPH + 12
"""East and south edges where a wall guards the way of the player to move."""
KILLERS = GUARDS + 2
HISTORY = KILLERS + 2 * (DEEPEST + 2)
COUNTS = HISTORY + 2 * CODES
MOVES = COUNTS + DEEPEST + 2
MOVE = 4
"""A move in a list: its code, its rank in the order, and the ways of both after it."""
CODE, RANK, MY_NEW, THEIR_NEW = 0, 1, 2, 3
WIDTH = 440
RACES = MOVES + (DEEPEST + 2) * WIDTH * MOVE
"""Solved races: the walls, then the solutions for all jumps that may be left."""
KEPT = 509
"""How many are kept; a prime, so that one wall more or less makes a difference to where."""
RACE = 2 + 4 * RACE_WORDS
DESK = RACES + KEPT * RACE


def scramble(w: Words, r: Words) -> None:
    """Give every feature of a position its random number."""
    for k in range(Z_EAST, SEEN_KEYS):
        w[k] = ((bits(r) << 20) ^ bits(r)) & ((1 << SALTED) - 1)


def clear(w: Words) -> None:
    """Forget what earlier searches learned about moves."""
    for k in range(KILLERS, MOVES):
        w[k] = 0


def key_of(w: Words, row: int) -> int:
    """The number that stands for the position in a row."""
    n, me = w[SIZE], w[row + PLAYER]
    other = 3 - me
    key = w[SALT] ^ w[Z_PAWN + 64 * me + w[row + MINE]] ^ w[Z_PAWN + 64 * other + w[row + THEIRS]]
    key ^= w[Z_WALLS + 128 * me + w[row + MY_WALLS]] ^ w[Z_WALLS + 128 * other + w[row + THEIR_WALLS]]
    if w[row + MY_JUMP]:
        key ^= w[Z_JUMP + me]
    if w[row + THEIR_JUMP]:
        key ^= w[Z_JUMP + other]
    if w[row + MY_TURN]:
        key ^= w[Z_ROTATION + me]
    if w[row + THEIR_TURN]:
        key ^= w[Z_ROTATION + other]
    if me == 2:
        key ^= w[Z_TURN]
    for cell in range(n * n):
        if (w[row + EAST] >> cell) & 1:
            key ^= w[Z_EAST + cell]
        if (w[row + SOUTH] >> cell) & 1:
            key ^= w[Z_SOUTH + cell]
    return key


def lay(w: Words, at: int, cell: int, target: int, east: int, south: int, n: int) -> int:
    """Write down what lies within 0, 1, 2, … steps of the target, until the cell does; return how many steps."""
    reached, steps = target, 0
    w[at] = reached
    while ((reached >> cell) & 1) == 0:
        reached |= neighbours(reached, east, south, n)
        steps += 1
        w[at + steps] = reached
    return steps


def trace(w: Words, graph: int, at: int, cell: int, steps: int, east: int, south: int, n: int) -> None:
    """Find the edges of all shortest paths from a cell, given the layers, and those that alone cross a layer."""
    here = 1 << cell
    all_east, all_south, sole_east, sole_south = 0, 0, 0, 0
    while steps > 0:
        steps -= 1
        on = neighbours(here, east, south, n) & w[at + steps]
        across = east & ((here & (on >> 1)) | (on & (here >> 1)))
        down = south & ((here & (on >> n)) | (on & (here >> n)))
        if (down == 0 and (across & (across - 1)) == 0) or (across == 0 and (down & (down - 1)) == 0):
            sole_east |= across
            sole_south |= down
        all_east |= across
        all_south |= down
        here = on
    w[graph] = all_east
    w[graph + 1] = all_south
    w[graph + 2] = sole_east
    w[graph + 3] = sole_south


def add(w: Words, ply: int, code: int, rank: int, my_way: int, their_way: int) -> None:
    """Put a move on the list of a ply."""
    at = MOVES + (ply * WIDTH + w[COUNTS + ply]) * MOVE
    w[at + CODE] = code
    w[at + RANK] = rank
    w[at + MY_NEW] = my_way
    w[at + THEIR_NEW] = their_way
    w[COUNTS + ply] += 1


def generate(w: Words, ply: int, walls: int) -> None:
    """List the moves of a ply: all steps, and the walls that are wanted; where that is nothing, all walls, else a
    pass.
    """
    row = ROWS + ply * ROW
    n, east, south, cell = w[SIZE], w[row + EAST], w[row + SOUTH], w[row + MINE]
    me = w[row + PLAYER]
    w[COUNTS + ply] = 0
    my_way, their_way = w[row + MY_WAY], w[row + THEIR_WAY]
    lay(w, MINE_LAYERS, cell, w[GOALS + me], east, south, n)
    around = neighbours(1 << cell, east, south, n)
    nearer, as_near = w[MINE_LAYERS + my_way - 1], w[MINE_LAYERS + my_way]
    steps = around & ~(1 << w[row + THEIRS])
    while steps:
        target = many((steps & -steps) - 1)
        steps &= steps - 1
        way = my_way - 1 if (nearer >> target) & 1 else my_way if (as_near >> target) & 1 else my_way + 1
        add(w, ply, STEP + target, PACE * (my_way - way), way, their_way)
    if w[row + MY_JUMP] and (around >> w[row + THEIRS]) & 1:
        behind = 2 * w[row + THEIRS] - cell
        if behind >= 0 and (neighbours(1 << w[row + THEIRS], east, south, n) >> behind) & 1:
            way = distance_from(behind, w[GOALS + me], east, south, n)
            add(w, ply, JUMP + behind, PACE * (my_way - way), way, their_way)
    if w[row + MY_WALLS] > 0:
        list_walls(w, ply, walls)
    if w[row + MY_TURN] > 0 and walls > GAINING:
        list_rotations(w, ply)
    if w[COUNTS + ply] == 0 and walls < ALL:
        generate_rest(w, ply)
    if w[COUNTS + ply] == 0:
        add(w, ply, PASS, 0, my_way, their_way)


def generate_rest(w: Words, ply: int) -> None:
    """List the walls and rotations that were passed over."""
    row = ROWS + ply * ROW
    if w[row + MY_WALLS] > 0:
        list_walls(w, ply, ALL)
    if w[row + MY_TURN] > 0:
        list_rotations(w, ply)


def list_walls(w: Words, ply: int, walls: int) -> None:
    row = ROWS + ply * ROW
    n, east, south = w[SIZE], w[row + EAST], w[row + SOUTH]
    me = w[row + PLAYER]
    mine, theirs = w[row + MINE], w[row + THEIRS]
    my_way, their_way = w[row + MY_WAY], w[row + THEIR_WAY]
    trace(w, MY_GRAPH, MINE_LAYERS, mine, my_way, east, south, n)
    lay(w, THEIR_LAYERS, theirs, w[GOALS + 3 - me], east, south, n)
    trace(w, THEIR_GRAPH, THEIR_LAYERS, theirs, their_way, east, south, n)
    w[GUARDS] = w[GUARDS + 1] = 0
    if walls == CLOSE and w[row + THEIR_WALLS] > 0:
        guard(w, row)
    for kind in range(2):  # walls on east edges, then on south edges
        sole = w[THEIR_GRAPH + 2 + kind]
        mine_sole = w[MY_GRAPH + 2 + kind]
        edges = sole
        if walls == CLOSE:
            edges = w[THEIR_GRAPH + kind] | w[GUARDS + kind]
        elif walls == ALL:
            edges = east if kind == 0 else south
        while edges:
            bit = edges & -edges
            edges ^= bit
            my_new, their_new = my_way, their_way
            east_after, south_after = (east ^ bit, south) if kind == 0 else (east, south ^ bit)
            if sole & bit:
                their_new = distance_from(theirs, w[GOALS + 3 - me], east_after, south_after, n)
            if mine_sole & bit:
                my_new = distance_from(mine, w[GOALS + me], east_after, south_after, n)
            if my_new >= 0 and their_new >= 0:
                gain = (their_new - their_way) - (my_new - my_way)
                code = (EAST_WALL if kind == 0 else SOUTH_WALL) + many(bit - 1)
                add(w, ply, code, PACE * gain - RESERVE, my_new, their_new)


def guard(w: Words, row: int) -> None:
    """Find the walls after which some wall of the other, one that would cost the player to move a detour, is illegal:
    those that close every way round.
    """
    n, cell, goal = w[SIZE], w[row + MINE], w[GOALS + w[row + PLAYER]]
    for kind in range(2):
        threats = w[MY_GRAPH + 2 + kind]
        while threats:
            bit = threats & -threats
            threats ^= bit
            east, south = (w[row + EAST] ^ bit, w[row + SOUTH]) if kind == 0 else (w[row + EAST], w[row + SOUTH] ^ bit)
            if distance_from(cell, goal, east, south, n) < w[row + MY_WAY] + DETOUR:
                continue  # too little, or illegal already
            steps = lay(w, ROUND_LAYERS, cell, goal, east, south, n)
            trace(w, ROUND_GRAPH, ROUND_LAYERS, cell, steps, east, south, n)
            for other in range(2):
                edges = w[ROUND_GRAPH + 2 + other] & ~w[MY_GRAPH + other]
                while edges:
                    edge = edges & -edges
                    edges ^= edge
                    if other == 0 and distance_from(cell, goal, east ^ edge, south, n) < 0:
                        w[GUARDS] |= edge
                    if other == 1 and distance_from(cell, goal, east, south ^ edge, n) < 0:
                        w[GUARDS + 1] |= edge


def list_rotations(w: Words, ply: int) -> None:
    row = ROWS + ply * ROW
    n, east, south = w[SIZE], w[row + EAST], w[row + SOUTH]
    me = w[row + PLAYER]
    for kind in range(2):
        edges = east_edges(n) ^ east if kind == 0 else south_edges(n) ^ south
        while edges:
            cell = many((edges & -edges) - 1)
            edges &= edges - 1
            edge = east_edge(n, cell) if kind == 0 else south_edge(n, cell)
            for way in range(4):
                target = turned(n, edge, way)
                if target < 0:
                    continue
                old, new = 1 << cell, 1 << first_cell(n, target)
                if kind == 0:
                    if (south & new) == 0:
                        continue
                    east_after, south_after = east ^ old, south ^ new
                else:
                    if (east & new) == 0:
                        continue
                    east_after, south_after = east ^ new, south ^ old
                my_new = distance_from(w[row + MINE], w[GOALS + me], east_after, south_after, n)
                their_new = distance_from(w[row + THEIRS], w[GOALS + 3 - me], east_after, south_after, n)
                if my_new >= 0 and their_new >= 0:
                    gain = (their_new - w[row + THEIR_WAY]) - (my_new - w[row + MY_WAY])
                    code = ROTATION + (kind * 64 + cell) * 4 + way
                    add(w, ply, code, PACE * gain - RESERVE, my_new, their_new)


def advance(w: Words, ply: int, move: int) -> None:
    """Write the position after a move of a list, given by its place, into the next row."""
    row, after = ROWS + ply * ROW, ROWS + (ply + 1) * ROW
    code, me = w[move + CODE], w[row + PLAYER]
    key = w[row + KEY] ^ w[Z_TURN]
    east, south, cell = w[row + EAST], w[row + SOUTH], w[row + MINE]
    walls, jump, turn, still = w[row + MY_WALLS], w[row + MY_JUMP], w[row + MY_TURN], 0
    if code < EAST_WALL:
        key ^= w[Z_PAWN + 64 * me + cell] ^ w[Z_PAWN + 64 * me + code]
        cell = code
        still = w[row + STILL] + 1
    elif code < JUMP:
        if code < SOUTH_WALL:
            east ^= 1 << (code - EAST_WALL)
            key ^= w[Z_EAST + code - EAST_WALL]
        else:
            south ^= 1 << (code - SOUTH_WALL)
            key ^= w[Z_SOUTH + code - SOUTH_WALL]
        key ^= w[Z_WALLS + 128 * me + walls] ^ w[Z_WALLS + 128 * me + walls - 1]
        walls -= 1
    elif code < PASS:
        key ^= w[Z_PAWN + 64 * me + cell] ^ w[Z_PAWN + 64 * me + code - JUMP] ^ w[Z_JUMP + me]
        cell = code - JUMP
        jump -= 1
    elif code >= ROTATION:
        n = w[SIZE]
        edge = turned_edge(n, code)
        old, new = first_cell(n, edge), first_cell(n, turned(n, edge, (code - ROTATION) % 4))
        if is_east(n, edge):
            east ^= 1 << old
            south ^= 1 << new
            key ^= w[Z_EAST + old] ^ w[Z_SOUTH + new]
        else:
            south ^= 1 << old
            east ^= 1 << new
            key ^= w[Z_SOUTH + old] ^ w[Z_EAST + new]
        key ^= w[Z_ROTATION + me]
        turn -= 1
    else:
        still = w[row + STILL] + 1
    w[after + EAST] = east
    w[after + SOUTH] = south
    w[after + MINE] = w[row + THEIRS]
    w[after + THEIRS] = cell
    w[after + MY_WALLS] = w[row + THEIR_WALLS]
    w[after + THEIR_WALLS] = walls
    w[after + MY_JUMP] = w[row + THEIR_JUMP]
    w[after + THEIR_JUMP] = jump
    w[after + MY_TURN] = w[row + THEIR_TURN]
    w[after + THEIR_TURN] = turn
    w[after + MY_WAY] = w[move + THEIR_NEW]
    w[after + THEIR_WAY] = w[move + MY_NEW]
    w[after + PLAYER] = 3 - me
    w[after + KEY] = key
    w[after + STILL] = still


def turned_edge(n: int, code: int) -> int:
    """The edge whose wall a rotation turns."""
    cell = (code - ROTATION) // 4 % 64
    return east_edge(n, cell) if code < ROTATION + 256 else south_edge(n, cell)


def repeats(w: Words, ply: int) -> bool:
    """Whether the position has been there since the root, or before it often enough for a draw."""
    key = w[ROWS + ply * ROW + KEY]
    still = w[ROWS + ply * ROW + STILL]
    back = 4
    while back <= still and back <= ply:
        if w[ROWS + (ply - back) * ROW + KEY] == key:
            return True
        back += 2
    if still <= ply:
        return False
    times = 0
    for k in range(w[SEEN]):
        if w[SEEN_KEYS + k] == key:
            times += 1
    return times >= 2


def winning_cells(w: Words, row: int) -> int:
    """The cells of its goal row that the player to move can step to."""
    if w[row + MY_WAY] > 1:
        return 0
    around = neighbours(1 << w[row + MINE], w[row + EAST], w[row + SOUTH], w[SIZE])
    return around & w[GOALS + w[row + PLAYER]] & ~(1 << w[row + THEIRS])
