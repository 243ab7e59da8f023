"""The state of GateRun's alpha-beta search: its buffers, its encoding of positions and moves, and how a move changes a
position. Plain functions that run interpreted and compiled, like the rules.

The search has an encoding and a move generator (`move_generation.py`) of its own, faster than the rules'. The tests
compare both with the rules, move by move, over random games with all options.

A position is a row of `positions`, seen from the player to move; row 0 is the root. `advance` writes the position after
a move into the next row, so no move is ever taken back. A move is a small code, a kind and a cell (`STEP` to
`ROTATION`), because reading the number of an action takes divisions.

Positions are identified by Zobrist hashing (chessprogramming wiki, "Zobrist Hashing").
"""

from __future__ import annotations

from typing import NamedTuple

from rookery.games.gaterun.bots.race import RACE_WORDS
from rookery.games.gaterun.geometry import east_edge, first_cell, is_east, neighbours, south_edge, turned
from rookery.games.gaterun.rules import LONGEST
from rookery.search.control import CONTROLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Words

MAX_PLY = 60
"""The most plies a search looks ahead."""
MAX_MOVES = 440
"""Room for the moves of a position."""
TABLE_ENTRIES = 1 << 19
"""Entries of the transposition table, two words each; a power of two."""
RACE_SLOTS = 509
"""Solved races that are kept; a prime, so that one wall more or less changes the slot."""

# Move codes: a kind plus a cell. A rotation has a cell, the kind of edge, and one of four ways to turn.
STEP, EAST_WALL, SOUTH_WALL, JUMP, PASS, ROTATION = 0, 64, 128, 192, 256, 512
CODES = 1024

# The words of a position.
OPEN_EAST, OPEN_SOUTH, MY_CELL, THEIR_CELL = 0, 1, 2, 3
MY_WALLS, THEIR_WALLS, MY_JUMPS, THEIR_JUMPS, MY_ROTATIONS, THEIR_ROTATIONS = 4, 5, 6, 7, 8, 9
MY_DISTANCE, THEIR_DISTANCE = 10, 11
"""Steps each player needs if nobody interferes."""
PLAYER = 12
KEY = 13
HALFMOVE_CLOCK = 14
"""Plies since the last move that cannot be taken back."""
MOVE_COUNT = 15
"""How many moves are on the list of this ply."""
POSITION_WORDS = 16

# The words of a move on a list: its code, its score for move ordering, and the distances of both players after it.
CODE, SCORE, MY_NEW_DISTANCE, THEIR_NEW_DISTANCE = 0, 1, 2, 3
MOVE_WORDS = 4

# The words of `root`, which hold for a whole search.
BOARD_SIZE = 0
HAS_JUMPS = 1
ROOT_PLY = 2
"""Plies of the game before the root."""
PAST_COUNT = 3
"""How many positions before the root could come again."""
FULL_WIDTH = 4
"""1 to search all moves to full depth, without selection, reductions or pruning."""
MULTI_PV = 5
"""How many of the best moves at the root get exact values (chessprogramming wiki, "Principal Variation", MultiPV)."""
GOAL_ROW = 6
"""The word before the goal row of player 1."""
GENERATION = 9
"""The number of the search, shifted into the top bits of all keys: a search never meets entries of earlier ones, and
finds its own in the slots they would have anyway."""
GENERATION_SHIFT = 52
SEARCHED = 10
"""How many moves at the root were searched; fewer than all if the search was stopped."""
ROOT_WORDS = 11

# The rows of `layers` and `paths`: the player to move, the opponent, and the former with one more edge closed.
MINE, THEIRS, DETOUR = 0, 1, 2
# The words of a row of `paths`: east and south edges on any shortest path; those of them that every path crosses.
ON_PATH, BRIDGES = 0, 2

# The words of a row of `races`: solutions for all jumps that may be left, and the open edges they belong to.
RACE_EAST = 4 * RACE_WORDS
RACE_SOUTH = RACE_EAST + 1


class SearchState(NamedTuple):
    """The buffers of a search."""

    root: Words
    control: Words
    positions: Sequence[Words]
    """For each ply a position."""
    moves: Sequence[Words]
    """For each ply its moves."""
    killers: Sequence[Words]
    """For each ply the last two moves that caused a cutoff."""
    history: Sequence[Words]
    """For each player and move code, how often and how deep it caused cutoffs."""
    table: Words
    """The transposition table."""
    past_keys: Words
    """Keys of the positions before the root that could come again."""
    east_keys: Words
    """Zobrist keys of open east edges by cell."""
    south_keys: Words
    pawn_keys: Sequence[Words]
    """By player and cell."""
    wall_keys: Sequence[Words]
    """By player and walls left."""
    jump_keys: Words
    """By player who has a jump left."""
    rotation_keys: Words
    turn_key: Words
    """One word: player 2 is to move."""
    layers: Sequence[Words]
    """Scratch: the cells within 0, 1, 2, … steps of a goal row."""
    paths: Sequence[Words]
    """Scratch: the edges of shortest paths."""
    guards: Words
    """Scratch: east and south edges where a wall guards the path of the player to move."""
    races: Sequence[Words]
    """Solved races, by a hash of the open edges."""


SHAPES = {
    "root": (ROOT_WORDS,),
    "control": (CONTROLS,),
    "positions": (MAX_PLY + 2, POSITION_WORDS),
    "moves": (MAX_PLY + 2, MAX_MOVES * MOVE_WORDS),
    "killers": (MAX_PLY + 2, 2),
    "history": (3, CODES),
    "table": (2 * TABLE_ENTRIES,),
    "past_keys": (LONGEST + 1,),
    "east_keys": (64,),
    "south_keys": (64,),
    "pawn_keys": (3, 64),
    "wall_keys": (3, 128),
    "jump_keys": (3,),
    "rotation_keys": (3,),
    "turn_key": (1,),
    "layers": (3, 50),
    "paths": (3, 4),
    "guards": (2,),
    "races": (RACE_SLOTS, RACE_SOUTH + 1),
}
"""The sizes of these buffers."""


def hash_position(t: SearchState, ply: int) -> int:
    """The key of a position, computed from scratch; `advance` updates it from move to move."""
    p = t.positions[ply]
    n, me = t.root[BOARD_SIZE], p[PLAYER]
    other = 3 - me
    key = t.root[GENERATION] ^ t.pawn_keys[me][p[MY_CELL]] ^ t.pawn_keys[other][p[THEIR_CELL]]
    key ^= t.wall_keys[me][p[MY_WALLS]] ^ t.wall_keys[other][p[THEIR_WALLS]]
    if p[MY_JUMPS]:
        key ^= t.jump_keys[me]
    if p[THEIR_JUMPS]:
        key ^= t.jump_keys[other]
    if p[MY_ROTATIONS]:
        key ^= t.rotation_keys[me]
    if p[THEIR_ROTATIONS]:
        key ^= t.rotation_keys[other]
    if me == 2:
        key ^= t.turn_key[0]
    for cell in range(n * n):
        if (p[OPEN_EAST] >> cell) & 1:
            key ^= t.east_keys[cell]
        if (p[OPEN_SOUTH] >> cell) & 1:
            key ^= t.south_keys[cell]
    return key


def advance(t: SearchState, ply: int, k: int) -> None:
    """Write the position after the k-th move of a ply into the next row."""
    before, after, moves = t.positions[ply], t.positions[ply + 1], t.moves[ply]
    move, me = k * MOVE_WORDS, before[PLAYER]
    code = moves[move + CODE]
    swap_sides(before, after)
    after[MY_DISTANCE] = moves[move + THEIR_NEW_DISTANCE]
    after[THEIR_DISTANCE] = moves[move + MY_NEW_DISTANCE]
    after[KEY] = before[KEY] ^ t.turn_key[0]
    after[HALFMOVE_CLOCK] = 0
    if code < EAST_WALL:
        move_pawn(t, after, me, code)
        after[HALFMOVE_CLOCK] = before[HALFMOVE_CLOCK] + 1
    elif code < JUMP:
        place_wall(t, after, me, code)
    elif code < PASS:
        move_pawn(t, after, me, code - JUMP)
        after[THEIR_JUMPS] -= 1
        after[KEY] ^= t.jump_keys[me]
    elif code < ROTATION:
        after[HALFMOVE_CLOCK] = before[HALFMOVE_CLOCK] + 1
    else:
        rotate_wall(t, after, me, code)


def swap_sides(before: Words, after: Words) -> None:
    """Copy a position as the other player sees it, except for what every move changes."""
    after[OPEN_EAST] = before[OPEN_EAST]
    after[OPEN_SOUTH] = before[OPEN_SOUTH]
    after[MY_CELL] = before[THEIR_CELL]
    after[THEIR_CELL] = before[MY_CELL]
    after[MY_WALLS] = before[THEIR_WALLS]
    after[THEIR_WALLS] = before[MY_WALLS]
    after[MY_JUMPS] = before[THEIR_JUMPS]
    after[THEIR_JUMPS] = before[MY_JUMPS]
    after[MY_ROTATIONS] = before[THEIR_ROTATIONS]
    after[THEIR_ROTATIONS] = before[MY_ROTATIONS]
    after[PLAYER] = 3 - before[PLAYER]


def move_pawn(t: SearchState, after: Words, mover: int, cell: int) -> None:
    """Move the pawn of the player who has just moved, the opponent in this row."""
    after[KEY] ^= t.pawn_keys[mover][after[THEIR_CELL]] ^ t.pawn_keys[mover][cell]
    after[THEIR_CELL] = cell


def place_wall(t: SearchState, after: Words, mover: int, code: int) -> None:
    if code < SOUTH_WALL:
        after[OPEN_EAST] ^= 1 << (code - EAST_WALL)
        after[KEY] ^= t.east_keys[code - EAST_WALL]
    else:
        after[OPEN_SOUTH] ^= 1 << (code - SOUTH_WALL)
        after[KEY] ^= t.south_keys[code - SOUTH_WALL]
    walls = after[THEIR_WALLS]
    after[KEY] ^= t.wall_keys[mover][walls] ^ t.wall_keys[mover][walls - 1]
    after[THEIR_WALLS] = walls - 1


def rotate_wall(t: SearchState, after: Words, mover: int, code: int) -> None:
    n = t.root[BOARD_SIZE]
    edge = rotated_edge(n, code)
    old, new = first_cell(n, edge), first_cell(n, turned(n, edge, (code - ROTATION) % 4))
    if is_east(n, edge):
        after[OPEN_EAST] ^= 1 << old
        after[OPEN_SOUTH] ^= 1 << new
        after[KEY] ^= t.east_keys[old] ^ t.south_keys[new]
    else:
        after[OPEN_SOUTH] ^= 1 << old
        after[OPEN_EAST] ^= 1 << new
        after[KEY] ^= t.south_keys[old] ^ t.east_keys[new]
    after[KEY] ^= t.rotation_keys[mover]
    after[THEIR_ROTATIONS] -= 1


def rotated_edge(n: int, code: int) -> int:
    """The edge whose wall a rotation turns."""
    cell = (code - ROTATION) // 4 % 64
    return east_edge(n, cell) if code < ROTATION + 256 else south_edge(n, cell)


def is_repetition(t: SearchState, ply: int) -> bool:
    """Whether the position came once since the root, or twice before it.

    The first is not a draw by the rules yet, but counts as one, as usual (chessprogramming wiki, "Repetitions").
    """
    key, clock = t.positions[ply][KEY], t.positions[ply][HALFMOVE_CLOCK]
    back = 4
    while back <= clock and back <= ply:
        if t.positions[ply - back][KEY] == key:
            return True
        back += 2
    if clock <= ply:
        return False
    times = 0
    for k in range(t.root[PAST_COUNT]):
        if t.past_keys[k] == key:
            times += 1
    return times >= 2


def winning_cells(t: SearchState, ply: int) -> int:
    """The cells of its goal row that the player to move can step to."""
    p = t.positions[ply]
    if p[MY_DISTANCE] > 1:
        return 0
    near = neighbours(1 << p[MY_CELL], p[OPEN_EAST], p[OPEN_SOUTH], t.root[BOARD_SIZE])
    return near & t.root[GOAL_ROW + p[PLAYER]] & ~(1 << p[THEIR_CELL])
