"""Exact outcomes of Gamma's endings for two players: plain functions that run compiled, like the rules.

An alpha-beta search of every action to the end of the game, with a transposition table. The only cut besides is a
count: a lead that the free cells and the golden moves left cannot make up is a win. It shares no code with the settler
and its proofs, only the rules.
"""

from __future__ import annotations

from typing import NamedTuple

from rookery.core.rules import OVER, TURN
from rookery.games.gamma.board import FIRST_PASS, FREE, HEIGHT, OWNER, SPENT, WIDTH, place_of
from rookery.games.gamma.rules import actions, busy, perform

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Words

NODES, NODE_LIMIT = 0, 1
KEY_WORDS = 3 * 49 + 16
MASK = (1 << 60) - 1


class Ending(NamedTuple):
    """What a search works on."""

    stack: Sequence[Words]
    """For each ply a position, in the words of the rules."""
    moves: Sequence[Words]
    """For each ply room for all actions."""
    history: Words
    """How often an action has cut off a search."""
    keys: Words
    """Random keys of what a position consists of."""
    table: Words
    """Two words for each entry: the key, and the bounds."""
    control: Words
    """Positions looked at, and how many may be."""


def lead(s: Words) -> int:
    """How many cells more player 1 has."""
    return busy(s, 1) - busy(s, 2)


def certain(s: Words) -> int:
    """1 if player 1 leads by more than can change, −1 if player 2 does, else 0."""
    ahead = lead(s)
    if ahead - s[FREE] - 2 * (1 - s[s[SPENT] + 2]) > 0:
        return 1
    if ahead + s[FREE] + 2 * (1 - s[s[SPENT] + 1]) < 0:
        return -1
    return 0


def key_of(s: Words, keys: Words) -> int:
    """A hash of all that the future depends on."""
    cells, key = s[WIDTH] * s[HEIGHT], keys[147 + s[TURN]]
    for cell in range(cells):
        key ^= keys[3 * cell + s[s[OWNER] + place_of(s, cell)]]
    return key ^ keys[150 + s[s[SPENT] + 1]] ^ keys[152 + s[s[SPENT] + 2]] ^ keys[154 + s[FIRST_PASS]]


def value(e: Ending, ply: int, low: int, high: int) -> int:
    """The outcome of the position of a ply: 1 if player 1 wins, 0 for a draw, −1; exact between `low` and `high`."""
    s, moves = e.stack[ply], e.moves[ply]
    if s[TURN] == OVER:
        ahead = lead(s)
        return 1 if ahead > 0 else -1 if ahead < 0 else 0
    sure = certain(s)
    if sure != 0:
        return sure
    e.control[NODES] += 1
    if e.control[NODES] >= e.control[NODE_LIMIT]:
        return 0
    key = key_of(s, e.keys)
    entry = (key & (len(e.table) // 2 - 1)) * 2
    least, most = -1, 1
    if e.table[entry] == key:
        least, most = e.table[entry + 1] // 4 - 1, e.table[entry + 1] % 4 - 1
        if least >= high or least == most:
            return least
        if most <= low:
            return most
    low, high = max(low, least), min(high, most)
    alpha, beta, turn = low, high, s[TURN]
    best, count = -1 if turn == 1 else 1, actions(s, moves)
    for k in range(count):
        bring_first(moves, e.history, k, count)
        copy(s, e.stack[ply + 1])
        perform(e.stack[ply + 1], moves[k])
        result = value(e, ply + 1, alpha, beta)
        if turn == 1:
            best = max(best, result)
            alpha = max(alpha, best)
        else:
            best = min(best, result)
            beta = min(beta, best)
        if alpha >= beta:
            e.history[moves[k]] += 1
            break
    if e.control[NODES] < e.control[NODE_LIMIT]:
        e.table[entry] = key
        e.table[entry + 1] = 4 * ((best if best > low else least) + 1) + (best if best < high else most) + 1
    return best


def bring_first(moves: Words, history: Words, k: int, count: int) -> None:
    """Swap the action with the most cutoffs to the k-th place, from those from there on; a pass stays the last."""
    first = k
    for j in range(k + 1, count - 1):
        if history[moves[j]] > history[moves[first]]:
            first = j
    action = moves[k]
    moves[k] = moves[first]
    moves[first] = action


def copy(source: Words, target: Words) -> None:
    for k in range(len(source)):
        target[k] = source[k]
