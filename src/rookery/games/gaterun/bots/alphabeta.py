"""Alpha-beta for GateRun: a selective principal-variation search over bitboards, plain functions that run interpreted
and compiled, like the rules.

`w` is the desk, with the positions of the current line as rows (see `rows.py`); `table` is the transposition table, two
words an entry. Which walls are looked at: all of them at the root, further down those on a shortest path of the
opponent and those that guard one's own, and near the leaves only those that make the opponent's longer.
"""

from __future__ import annotations

from rookery.games.gaterun.bots.race import race_winner, runs_free, solve_race
from rookery.games.gaterun.bots.search_state import (
    ALL,
    CLOSE,
    CODE,
    CODES,
    COUNTS,
    DEEPEST,
    EAST,
    FULL,
    GAINING,
    GOALS,
    HISTORY,
    JUMPS,
    KEPT,
    KEY,
    KILLERS,
    MINE,
    MOVE,
    MOVES,
    MY_JUMP,
    MY_TURN,
    MY_WALLS,
    MY_WAY,
    PACE,
    PASS,
    PLAYER,
    PLIES,
    RACE,
    RACES,
    RANK,
    RESERVE,
    ROW,
    ROWS,
    SALTED,
    SIZE,
    SOUTH,
    STEP,
    STILL,
    TEMPO,
    THEIR_JUMP,
    THEIR_TURN,
    THEIR_WALLS,
    THEIR_WAY,
    THEIRS,
    WANTED,
    WIDTH,
    advance,
    generate,
    repeats,
    winning_cells,
)
from rookery.games.gaterun.rules import LONGEST, many, neighbours
from rookery.search.control import LIMIT, NODES, STOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Words

WIN = 30_000
"""The value of a win at the root; a win further on is worth a little less, so that the shorter one is chosen."""
CERTAIN = WIN - 1000
"""Values beyond this are wins."""
HASTY = 4
"""With so few plies to go, a position two steps a ply better than needed is taken to be good enough."""
MIX = 331
"""Walls on south edges are multiplied by this, so that they are not kept where those on east edges are."""

# An entry of the table: the key, and in one word the value, its kind, the depth and the move.
EXACT, LOWER, UPPER = 0, 1, 2


def evaluate(w: Words, row: int) -> int:
    """What a position is worth to the player to move, judged by the ways and the walls in hand."""
    ahead = w[row + THEIR_WAY] - w[row + MY_WAY]
    return PACE * ahead + RESERVE * (w[row + MY_WALLS] - w[row + THEIR_WALLS]) + TEMPO


def search(w: Words, table: Words, control: Words, ply: int, depth: int, low: int, high: int) -> int:
    """The value of the position in a row to the player to move there, if it lies between `low` and `high`.

    At the root the moves are those on the list already, in the order they have there, and the value of each is
    written to it in place of its rank; those of the `WANTED` best are exact, any other is not above what is written.
    """
    row = ROWS + ply * ROW
    key = w[row + KEY]
    if ply > 0:
        control[NODES] += 1
        if w[row + THEIR_WAY] == 0:
            return ply - WIN
        if w[PLIES] + ply >= LONGEST or (w[row + STILL] >= 4 and repeats(w, ply)):
            return 0
        if winning_cells(w, row):
            return WIN - ply - 1
        if w[row + MY_WALLS] + w[row + THEIR_WALLS] + w[row + MY_TURN] + w[row + THEIR_TURN] == 0:
            return race(w, ply)
        if depth <= 0 or ply >= DEEPEST:
            return evaluate(w, row)
        if control[LIMIT] > 0 and control[NODES] >= control[LIMIT]:
            control[STOP] = 1
        if control[STOP]:
            return 0
        known = -1
        entry = find_entry(table, key)
        if table[entry] == key:
            stored = table[entry + 1]
            known = stored & (CODES - 1)
            if ((stored >> 12) & 63) >= depth:
                value = (stored >> 18) - 65536
                if value > CERTAIN:
                    value -= ply
                elif value < -CERTAIN:
                    value += ply
                kind = (stored >> 10) & 3
                if kind == EXACT or (kind == LOWER and value >= high) or (kind == UPPER and value <= low):
                    return value
        if depth <= HASTY and not w[FULL] and high > -CERTAIN and evaluate(w, row) - 2 * PACE * depth >= high:
            return evaluate(w, row)
        generate(w, ply, ALL if w[FULL] else CLOSE if depth >= 3 else GAINING)
        rank(w, ply, known)
    count = w[COUNTS + ply]
    first = MOVES + ply * WIDTH * MOVE
    best, best_code, floor = -WIN, PASS, low
    for k in range(count):
        move = first + k * MOVE
        if ply > 0:
            bring_best(w, move, count - k)
        elif k >= w[WANTED]:
            floor = nth_best(w, k, w[WANTED])
        code = w[move + CODE]
        advance(w, ply, move)
        if k == 0 or floor == low == -WIN:
            value = -search(w, table, control, ply + 1, depth - 1, -high, -floor)
        else:
            less = 0
            if depth >= 3 and k >= 2 and not w[FULL]:
                less = reduction(k, depth)
            value = -search(w, table, control, ply + 1, depth - 1 - less, -floor - 1, -floor)
            if value > floor and less:
                value = -search(w, table, control, ply + 1, depth - 1, -floor - 1, -floor)
            if floor < value < high:
                value = -search(w, table, control, ply + 1, depth - 1, -high, -floor)
        if control[STOP]:
            return k
        if ply == 0:
            w[move + RANK] = value
        if value > best:
            best, best_code = value, code
            if ply > 0 and value > floor:
                floor = value
            if value >= high:
                refute(w, ply, code, depth)
                break
    kind = EXACT
    if best >= high:
        kind = LOWER
    elif best <= low:
        kind = UPPER
    kept = best
    if best > CERTAIN:
        kept += ply
    elif best < -CERTAIN:
        kept -= ply
    entry = choose_entry(table, key, depth)
    table[entry] = key
    table[entry + 1] = ((kept + 65536) << 18) | (depth << 12) | (kind << 10) | best_code
    return best if ply > 0 else count


def reduction(k: int, depth: int) -> int:
    """How many plies less deep the k-th best move of a list is looked at, until it proves better than those before."""
    if k >= 8 and depth >= 6:
        return 3
    return 2 if k >= 3 and depth >= 4 else 1


def find_entry(table: Words, key: int) -> int:
    """Where the table keeps what it knows of a position, if it does: in the first or the second entry of a pair."""
    entry = (key & (len(table) // 4 - 1)) * 4
    return entry if table[entry] == key else entry + 2


def choose_entry(table: Words, key: int, depth: int) -> int:
    """Where to keep what was found to a depth: first of the pair unless what is there was found to a greater one, in
    this search.
    """
    entry = (key & (len(table) // 4 - 1)) * 4
    there = table[entry]
    if there == key or (there ^ key) >> SALTED != 0 or depth >= ((table[entry + 1] >> 12) & 63):
        return entry
    return entry + 2


def race(w: Words, ply: int) -> int:
    """The value of a position in which no wall can be placed or turned any more."""
    row = ROWS + ply * ROW
    winner = race_ends(w, row)
    if winner == 0:
        return 0
    if winner == w[row + PLAYER]:
        return WIN - LONGEST - ply - 2 * w[row + MY_WAY]
    return ply + 2 * w[row + THEIR_WAY] + LONGEST - WIN


def race_ends(w: Words, row: int) -> int:
    """Who wins a race, 0 for a draw: at a glance if nobody can get in the way, else solved. Races solved are kept."""
    n, east, south, me = w[SIZE], w[row + EAST], w[row + SOUTH], w[row + PLAYER]
    mine, theirs, my_jump, their_jump = w[row + MINE], w[row + THEIRS], w[row + MY_JUMP], w[row + THEIR_JUMP]
    my_way, their_way = w[row + MY_WAY], w[row + THEIR_WAY]
    if my_jump + their_jump == 0:
        if my_way <= their_way:
            if runs_free(n, east, south, mine, w[GOALS + me], my_way, 1 << theirs):
                return me
        else:
            reach = (1 << mine) | neighbours(1 << mine, east, south, n)
            if runs_free(n, east, south, theirs, w[GOALS + 3 - me], their_way, reach):
                return 3 - me
    at = RACES + (east + south % KEPT * MIX) % KEPT * RACE
    if w[at] != east or w[at + 1] != south:
        w[at] = east
        w[at + 1] = south
        solve_race(w, at + 2, n, east, south, w[JUMPS], w[JUMPS])
    if me == 1:
        return race_winner(w, at + 2, my_jump, their_jump, 1, mine, theirs)
    return race_winner(w, at + 2, their_jump, my_jump, 2, theirs, mine)


def known_code(w: Words, table: Words, ply: int) -> int:
    """The best move of a ply, as far as the table knows; −1 if it does not, or if there is none."""
    row = ROWS + ply * ROW
    key = w[row + KEY]
    entry = find_entry(table, key)
    if w[row + THEIR_WAY] == 0 or w[PLIES] + ply >= LONGEST or repeats(w, ply):
        return -1
    goals = winning_cells(w, row)
    if goals:
        return STEP + many((goals & -goals) - 1)
    return table[entry + 1] & (CODES - 1) if table[entry] == key else -1


def rank(w: Words, ply: int, known: int) -> None:
    """Rank the moves of a list: the best one known from before, then by what they change at once and did elsewhere."""
    first = MOVES + ply * WIDTH * MOVE
    killer, second = w[KILLERS + 2 * ply], w[KILLERS + 2 * ply + 1]
    past = HISTORY + (w[ROWS + ply * ROW + PLAYER] - 1) * CODES
    for k in range(w[COUNTS + ply]):
        move = first + k * MOVE
        code = w[move + CODE]
        value = w[move + RANK] * 64 + w[past + code]
        if code == known:
            value += 1 << 30
        elif code == killer:
            value += 900
        elif code == second:
            value += 800
        w[move + RANK] = value


def refute(w: Words, ply: int, code: int, depth: int) -> None:
    """Remember that a move was too good to go on; when one has been so very often, all are remembered half as much."""
    if w[KILLERS + 2 * ply] != code:
        w[KILLERS + 2 * ply + 1] = w[KILLERS + 2 * ply]
        w[KILLERS + 2 * ply] = code
    past = HISTORY + (w[ROWS + ply * ROW + PLAYER] - 1) * CODES
    w[past + code] += depth * depth
    if w[past + code] > 1000:
        for k in range(CODES):
            w[past + k] >>= 1


def bring_best(w: Words, move: int, count: int) -> None:
    """Swap the best of the moves from a place on to that place."""
    best, rank = move, w[move + RANK]
    for k in range(1, count):
        if w[move + k * MOVE + RANK] > rank:
            best = move + k * MOVE
            rank = w[best + RANK]
    if best != move:
        for k in range(MOVE):
            word = w[move + k]
            w[move + k] = w[best + k]
            w[best + k] = word


def nth_best(w: Words, count: int, n: int) -> int:
    """The n-th best value, from 1, of the first moves of the root's list; equal values count once."""
    bound, best = WIN + 1, -WIN
    for _ in range(n):
        best = -WIN
        for k in range(count):
            value = w[MOVES + k * MOVE + RANK]
            if best < value < bound:
                best = value
        bound = best
    return best
