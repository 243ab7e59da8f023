"""Alpha-beta search for GateRun: plain functions that run interpreted and compiled, like the rules.

A principal variation search with iterative deepening (by its caller), over the buffers of a `SearchState`. It uses, as
described under these names on the chessprogramming wiki: a transposition table with Zobrist hashing, killer and history
heuristics for move ordering, null-window searches with re-search ("Principal Variation Search"), reverse futility
pruning and late move reductions. Races, with no wall left to place, are solved exactly (`race.py`).

The search is selective: it tries all walls at the root, further down those on a shortest path of the opponent and those
that guard a path, and near the leaves only those that make the opponent's path longer.
"""

from __future__ import annotations

from rookery.games.gaterun.bots.move_generation import (
    ALL_WALLS,
    LENGTHENING,
    ON_PATHS,
    STEP_VALUE,
    WALL_VALUE,
    generate,
)
from rookery.games.gaterun.bots.race import RacePlace, race_winner, runs_free, solve_race
from rookery.games.gaterun.bots.search_state import (
    BOARD_SIZE,
    CODE,
    CODES,
    FULL_WIDTH,
    GENERATION_SHIFT,
    GOAL_ROW,
    HALFMOVE_CLOCK,
    HAS_JUMPS,
    KEY,
    MAX_PLY,
    MOVE_COUNT,
    MOVE_WORDS,
    MULTI_PV,
    MY_CELL,
    MY_DISTANCE,
    MY_JUMPS,
    MY_ROTATIONS,
    MY_WALLS,
    OPEN_EAST,
    OPEN_SOUTH,
    PASS,
    PLAYER,
    RACE_EAST,
    RACE_SLOTS,
    RACE_SOUTH,
    ROOT_PLY,
    SCORE,
    SEARCHED,
    STEP,
    THEIR_CELL,
    THEIR_DISTANCE,
    THEIR_JUMPS,
    THEIR_ROTATIONS,
    THEIR_WALLS,
    advance,
    is_repetition,
    winning_cells,
)
from rookery.games.gaterun.geometry import Board, neighbours, popcount
from rookery.games.gaterun.rules import LONGEST
from rookery.search.control import NODE_LIMIT, NODES, STOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Words
    from rookery.games.gaterun.bots.search_state import SearchState

WIN = 30_000
"""The value of a win at the root; each ply to it takes one off, so that the shortest win is chosen."""
CERTAIN = WIN - 1000
"""Values beyond this are wins."""
UNKNOWN = WIN + 1
"""No value: the position has to be searched."""
TEMPO_BONUS = 4
"""What it is worth to be the player to move."""
FUTILITY_DEPTH = 4
"""Reverse futility pruning applies with at most this many plies left."""
FUTILITY_MARGIN = 2 * STEP_VALUE
"""For each ply left, how far above the window a position must be to be pruned."""
SOUTH_FACTOR = 331
"""Multiplies the south edges in the hash of a race, so that east and south edges do not collide."""

# An entry of the transposition table is the key and one word: value, depth, bound and move.
EXACT, LOWER, UPPER = 0, 1, 2
BOUND_SHIFT, DEPTH_SHIFT, VALUE_SHIFT = 10, 12, 18
VALUE_OFFSET = 65536
"""Added to a value, so that it is not negative."""


def search(t: SearchState, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The value of the position of a ply to its player to move, exact if it lies between `alpha` and `beta`.

    A value of `alpha` or less is an upper bound, one of `beta` or more a lower bound (fail-soft).

    At the root (ply 0, with the widest window) the moves are those on its list, in that order. The value of each is
    written to it in place of its score, and `SEARCHED` counts them; the `MULTI_PV` best values are exact, the others
    are upper bounds.
    """
    p, moves = t.positions[ply], t.moves[ply]
    if ply > 0:
        value = value_without_moves(t, ply, depth, alpha, beta)
        if value != UNKNOWN:
            return value
        generate(t, ply, wall_selection(t, depth))
        score_moves(p, moves, t.killers[ply], t.history[p[PLAYER]], table_move(t, p[KEY]))
    best, best_code, low = -WIN, PASS, alpha
    for k in range(p[MOVE_COUNT]):
        if ply > 0:
            pick_best(moves, k, p[MOVE_COUNT])
        elif k >= t.root[MULTI_PV]:
            alpha = nth_best(moves, k, t.root[MULTI_PV])
        advance(t, ply, k)
        null_window = k > 0 and alpha > -WIN
        reduction = late_move_reduction(t, k, depth) if null_window else 0
        value = -search(t, ply + 1, depth - 1 - reduction, -alpha - 1 if null_window else -beta, -alpha)
        if reduction and value > alpha:
            value = -search(t, ply + 1, depth - 1, -alpha - 1, -alpha)
        if null_window and alpha < value < beta:
            value = -search(t, ply + 1, depth - 1, -beta, -alpha)
        if t.control[STOP]:
            return 0
        if ply == 0:
            moves[k * MOVE_WORDS + SCORE] = value
            t.root[SEARCHED] = k + 1
        if value > best:
            best, best_code = value, moves[k * MOVE_WORDS + CODE]
            if ply > 0:
                alpha = max(alpha, value)
            if value >= beta:
                record_cutoff(t.killers[ply], t.history[p[PLAYER]], best_code, depth)
                break
    store(t, ply, depth, best, LOWER if best >= beta else UPPER if best <= low else EXACT, best_code)
    return best


def value_without_moves(t: SearchState, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The value of a position whose moves need not be searched, `UNKNOWN` if they must."""
    p = t.positions[ply]
    value = static_value(t, ply, depth)
    if value != UNKNOWN:
        return value
    if t.control[NODE_LIMIT] > 0 and t.control[NODES] >= t.control[NODE_LIMIT]:
        t.control[STOP] = 1
    if t.control[STOP]:
        return 0
    value = table_value(t, ply, depth, alpha, beta)
    if value != UNKNOWN:
        return value
    # Reverse futility pruning, also called static null move pruning: so far above the window, a search would hardly
    # bring the value down.
    if depth <= FUTILITY_DEPTH and not t.root[FULL_WIDTH] and beta > -CERTAIN:
        value = evaluate(p)
        if value - FUTILITY_MARGIN * depth >= beta:
            return value
    return UNKNOWN


def static_value(t: SearchState, ply: int, depth: int) -> int:
    """The value of a position that needs no search: the game is over, won at once, a race, or the depth is used up."""
    p = t.positions[ply]
    t.control[NODES] += 1
    if p[THEIR_DISTANCE] == 0:
        return ply - WIN
    if t.root[ROOT_PLY] + ply >= LONGEST or (p[HALFMOVE_CLOCK] >= 4 and is_repetition(t, ply)):
        return 0
    if winning_cells(t, ply):
        return WIN - ply - 1
    if p[MY_WALLS] + p[THEIR_WALLS] + p[MY_ROTATIONS] + p[THEIR_ROTATIONS] == 0:
        return race_value(t, ply)
    if depth <= 0 or ply >= MAX_PLY:
        return evaluate(p)
    return UNKNOWN


def evaluate(p: Words) -> int:
    """What a position is worth to the player to move, by the distances and the walls left."""
    ahead = p[THEIR_DISTANCE] - p[MY_DISTANCE]
    return STEP_VALUE * ahead + WALL_VALUE * (p[MY_WALLS] - p[THEIR_WALLS]) + TEMPO_BONUS


def wall_selection(t: SearchState, depth: int) -> int:
    """Which walls to try with `depth` plies left."""
    if t.root[FULL_WIDTH]:
        return ALL_WALLS
    return ON_PATHS if depth >= 3 else LENGTHENING


def late_move_reduction(t: SearchState, k: int, depth: int) -> int:
    """By how many plies to reduce the depth of the k-th move, until it proves better than those before it."""
    if k < 2 or depth < 3 or t.root[FULL_WIDTH]:
        return 0
    if k >= 8 and depth >= 6:
        return 3
    return 2 if k >= 3 and depth >= 4 else 1


# ---- the transposition table ----


def find_entry(table: Words, key: int) -> int:
    """Where the entry of a position is, if there is one: a bucket has two entries."""
    entry = (key & (len(table) // 4 - 1)) * 4
    return entry if table[entry] == key else entry + 2


def entry_to_replace(table: Words, key: int, depth: int) -> int:
    """Where to store an entry: in place of the first of the bucket, unless that is a deeper one of this search."""
    entry = (key & (len(table) // 4 - 1)) * 4
    there = table[entry]
    if there == key or (there ^ key) >> GENERATION_SHIFT != 0 or depth >= ((table[entry + 1] >> DEPTH_SHIFT) & 63):
        return entry
    return entry + 2


def table_value(t: SearchState, ply: int, depth: int, alpha: int, beta: int) -> int:
    """The value in the table, if it was searched deep enough and settles the window."""
    key = t.positions[ply][KEY]
    entry = find_entry(t.table, key)
    if t.table[entry] != key:
        return UNKNOWN
    stored = t.table[entry + 1]
    if ((stored >> DEPTH_SHIFT) & 63) < depth:
        return UNKNOWN
    value = (stored >> VALUE_SHIFT) - VALUE_OFFSET
    if value > CERTAIN:
        value -= ply
    elif value < -CERTAIN:
        value += ply
    bound = (stored >> BOUND_SHIFT) & 3
    if bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha):
        return value
    return UNKNOWN


def table_move(t: SearchState, key: int) -> int:
    """The best move in the table, −1 if there is none."""
    entry = find_entry(t.table, key)
    return t.table[entry + 1] & (CODES - 1) if t.table[entry] == key else -1


def store(t: SearchState, ply: int, depth: int, value: int, bound: int, code: int) -> None:
    """Store a value in the table; that of a win counts its plies from this position, not from the root."""
    if value > CERTAIN:
        value += ply
    elif value < -CERTAIN:
        value -= ply
    key = t.positions[ply][KEY]
    entry = entry_to_replace(t.table, key, depth)
    t.table[entry] = key
    word = ((value + VALUE_OFFSET) << VALUE_SHIFT) | (depth << DEPTH_SHIFT) | (bound << BOUND_SHIFT) | code
    t.table[entry + 1] = word


def tt_move(t: SearchState, ply: int) -> int:
    """The move to follow in the principal variation, −1 where it ends: a win at once, else the one in the table."""
    if t.positions[ply][THEIR_DISTANCE] == 0 or t.root[ROOT_PLY] + ply >= LONGEST or is_repetition(t, ply):
        return -1
    goals = winning_cells(t, ply)
    return STEP + popcount((goals & -goals) - 1) if goals else table_move(t, t.positions[ply][KEY])


# ---- move ordering ----


def score_moves(p: Words, moves: Words, killers: Words, history: Words, first_code: int) -> None:
    """Score the moves of a position: the table's move first, then by what a move gains, killers and history."""
    for k in range(p[MOVE_COUNT]):
        move = k * MOVE_WORDS
        code = moves[move + CODE]
        score = moves[move + SCORE] * 64 + history[code]
        if code == first_code:
            score += 1 << 30
        elif code == killers[0]:
            score += 900
        elif code == killers[1]:
            score += 800
        moves[move + SCORE] = score


def record_cutoff(killers: Words, history: Words, code: int, depth: int) -> None:
    """Record a beta cutoff as a killer and in the history; halve the history table on overflow."""
    if killers[0] != code:
        killers[1] = killers[0]
        killers[0] = code
    history[code] += depth * depth
    if history[code] > 1000:
        for k in range(CODES):
            history[k] >>= 1


def pick_best(moves: Words, k: int, count: int) -> None:
    """Swap the move with the highest score to the k-th place, from those from there on."""
    best, score = k, moves[k * MOVE_WORDS + SCORE]
    for j in range(k + 1, count):
        if moves[j * MOVE_WORDS + SCORE] > score:
            best, score = j, moves[j * MOVE_WORDS + SCORE]
    if best != k:
        for j in range(MOVE_WORDS):
            word = moves[k * MOVE_WORDS + j]
            moves[k * MOVE_WORDS + j] = moves[best * MOVE_WORDS + j]
            moves[best * MOVE_WORDS + j] = word


def nth_best(moves: Words, count: int, n: int) -> int:
    """The n-th best value, from 1, of the first moves of a list; equal values count once."""
    bound, best = WIN + 1, -WIN
    for _ in range(n):
        best = -WIN
        for k in range(count):
            value = moves[k * MOVE_WORDS + SCORE]
            if best < value < bound:
                best = value
        bound = best
    return best


# ---- races ----


def race_value(t: SearchState, ply: int) -> int:
    """The value of a position in which no wall can be placed or turned any more."""
    p = t.positions[ply]
    winner = winner_of_race(t, ply)
    if winner == 0:
        return 0
    if winner == p[PLAYER]:
        return WIN - LONGEST - ply - 2 * p[MY_DISTANCE]
    return ply + 2 * p[THEIR_DISTANCE] + LONGEST - WIN


def winner_of_race(t: SearchState, ply: int) -> int:
    """Who wins a race, 0 for a draw: the player ahead if nobody can get in the way, else as solved."""
    p = t.positions[ply]
    me, mine, theirs = p[PLAYER], p[MY_CELL], p[THEIR_CELL]
    board = Board(t.root[BOARD_SIZE], p[OPEN_EAST], p[OPEN_SOUTH])
    if p[MY_JUMPS] + p[THEIR_JUMPS] == 0:
        if p[MY_DISTANCE] <= p[THEIR_DISTANCE]:
            if runs_free(board, mine, t.root[GOAL_ROW + me], p[MY_DISTANCE], 1 << theirs):
                return me
        else:
            reach = (1 << mine) | neighbours(1 << mine, board.east, board.south, board.n)
            if runs_free(board, theirs, t.root[GOAL_ROW + 3 - me], p[THEIR_DISTANCE], reach):
                return 3 - me
    solved = t.races[slot_of_race(t, board)]
    if me == 1:
        return race_winner(solved, RacePlace(p[MY_JUMPS], p[THEIR_JUMPS], 1, mine, theirs))
    return race_winner(solved, RacePlace(p[THEIR_JUMPS], p[MY_JUMPS], 2, theirs, mine))


def slot_of_race(t: SearchState, board: Board) -> int:
    """The slot with the solution of a race, solved now unless it was there already."""
    slot = (board.east + board.south % RACE_SLOTS * SOUTH_FACTOR) % RACE_SLOTS
    solved = t.races[slot]
    if solved[RACE_EAST] != board.east or solved[RACE_SOUTH] != board.south:
        solved[RACE_EAST] = board.east
        solved[RACE_SOUTH] = board.south
        solve_race(solved, board, t.root[HAS_JUMPS], t.root[HAS_JUMPS])
    return slot
