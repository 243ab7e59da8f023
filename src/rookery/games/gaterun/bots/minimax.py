"""The baseline search of GateRun: minimax with alpha-beta pruning, over positions of the rules (chessprogramming wiki,
"Minimax", "Alpha-Beta"). Plain functions that run interpreted and compiled, like the rules.
"""

from __future__ import annotations

from typing import NamedTuple

from rookery.core.rules import OVER, TURN
from rookery.games.gaterun.geometry import distance_from, edge_count, first_cell, goal, is_east, popcount
from rookery.games.gaterun.rules import (
    EAST,
    HAS_JUMP,
    HAS_ROTATE,
    LAYERS,
    LENGTH,
    PAST,
    PAWN,
    SEEN,
    SIZE,
    SOUTH,
    WALLS,
    WINNER,
    action_count,
    actions,
    distance,
    on_route,
    perform,
    step_cells,
)
from rookery.search.control import NODE_LIMIT, NODES, STOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Words

KNOWN_DISTANCE = LAYERS
"""The word before the known distance of player 1, −1 if unknown; kept in scratch of the rules that is free here."""

WIN = 1_000_000
"""The value of a win at the root; each ply to it takes one off, so that the shortest win is chosen."""


class MinimaxState(NamedTuple):
    """The buffers of a search."""

    stack: Sequence[Words]
    """For each ply a position, in the words of the rules."""
    moves: Sequence[Words]
    """For each ply its actions."""
    lines: Sequence[Words]
    """For each ply the best line from there on, ended by −1."""
    control: Words


def evaluate(s: Words, me: int) -> int:
    """What a position is worth to a player: paths first, then pawn steps, then a wall in reserve."""
    other = 3 - me
    value = (known_distance(s, other) - known_distance(s, me)) * 10 + steps(s, me) - steps(s, other)
    if s[WALLS + me] <= 1:
        value -= 5
    return value


def known_distance(s: Words, player: int) -> int:
    """A player's distance: the one kept when the position was made, else searched for."""
    return s[KNOWN_DISTANCE + player] if s[KNOWN_DISTANCE + player] >= 0 else distance(s, player)


def steps(s: Words, player: int) -> int:
    """How many steps a player's pawn could take."""
    return popcount(step_cells(s, player))


def advance(stack: Sequence[Words], ply: int, action: int) -> None:
    """Write the position after an action into the next row, with the distances that it leaves as they are.

    A step leaves the opponent's; a wall leaves that of a player whose shortest path, kept by `order`, it does not
    cross.
    """
    s, after = stack[ply], stack[ply + 1]
    n, mover = s[SIZE], s[TURN]
    for k in range(PAST + s[SEEN]):
        after[k] = s[k]
    perform(after, action)
    edge = action - n * n
    for player in range(1, 3):
        wall = 0 <= edge < edge_count(n)
        same = not on_route(s, player, edge) if wall else edge < 0 and player != mover
        after[KNOWN_DISTANCE + player] = s[LENGTH + player] if same else -1


def order(s: Words, out: Words) -> int:
    """The legal actions: winning ones, then walls that lengthen the opponent's path, then the others."""
    count = actions(s, out)  # leaves a shortest path of each player in scratch
    front = 0
    for k in range(count):
        if wins(s, out[k]):
            bring_forward(out, k, front)
            front += 1
    for k in range(front, count):
        if lengthens(s, out[k]):
            bring_forward(out, k, front)
            front += 1
    return count


def bring_forward(out: Words, k: int, front: int) -> None:
    """Move the k-th action to the front, the others keeping their order."""
    action = out[k]
    for j in range(k, front, -1):
        out[j] = out[j - 1]
    out[front] = action


def wins(s: Words, action: int) -> bool:
    """Whether an action takes the pawn to its goal."""
    n = s[SIZE]
    landing = action if action < n * n else action - n * n - edge_count(n) - 1
    return 0 <= landing < n * n and ((goal(n, s[TURN]) >> landing) & 1) != 0


def lengthens(s: Words, action: int) -> bool:
    """Whether an action is a wall that makes the opponent's path longer."""
    n, other = s[SIZE], 3 - s[TURN]
    edge = action - n * n
    if edge < 0 or edge >= edge_count(n) or not on_route(s, other, edge):
        return False
    bit = 1 << first_cell(n, edge)
    east = s[EAST] ^ bit if is_east(n, edge) else s[EAST]
    south = s[SOUTH] if is_east(n, edge) else s[SOUTH] ^ bit
    return distance_from(s[PAWN + other], goal(n, other), east, south, n) > s[LENGTH + other]


def search(t: MinimaxState, ply: int, depth: int, low: int, high: int, me: int) -> int:
    """The value to `me` of the position of a ply, exact to the depth if it lies between `low` and `high`."""
    s, moves = t.stack[ply], t.moves[ply]
    t.lines[ply][0] = -1
    t.control[NODES] += 1
    if s[TURN] == OVER:
        if s[WINNER] == 0:
            return 0
        return WIN - ply if s[WINNER] == me else ply - WIN
    if depth == 0:
        return evaluate(s, me)
    if t.control[NODE_LIMIT] > 0 and t.control[NODES] >= t.control[NODE_LIMIT]:
        t.control[STOP] = 1
    best = low if s[TURN] == me else high
    for k in range(order(s, moves)):
        if t.control[STOP]:
            return best
        advance(t.stack, ply, moves[k])
        if s[TURN] == me:
            value = search(t, ply + 1, depth - 1, best, high, me)
            better = value > best
        else:
            value = search(t, ply + 1, depth - 1, low, best, me)
            better = value < best
        if better:
            best = value
            keep_line(t.lines, ply, moves[k])
            if (s[TURN] == me and best >= high) or (s[TURN] != me and best <= low):
                return best
    return best


def keep_line(lines: Sequence[Words], ply: int, action: int) -> None:
    """The best line from here: the action and the best line after it."""
    lines[ply][0] = action
    k = 0
    while lines[ply + 1][k] >= 0:
        lines[ply][k + 1] = lines[ply + 1][k]
        k += 1
    lines[ply][k + 1] = -1


def width(s: Words) -> int:
    """The most actions a position of this game can have."""
    return action_count(s[SIZE], s[HAS_JUMP], s[HAS_ROTATE])
