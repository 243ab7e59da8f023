"""The settler's playouts: each game is played to its end by the prior, from wherever the tree search left off.

Moves are drawn in proportion to their weights (`prior.py`), often close to the last one. For AMAF statistics a playout
notes when each cell was taken first, and by whom. The functions are kernels: they run interpreted and compiled.
"""

from __future__ import annotations

from typing import NamedTuple

from rookery.core.rules import OVER, TURN
from rookery.core.stream import below
from rookery.games.gamma.board import AREAS, CELLS, HEIGHT, LIMIT, OWNER, PLAYERS, WIDTH, cell_of, touches
from rookery.games.gamma.bots.prior import is_tight, move_weight
from rookery.games.gamma.rules import free, may_take, move, next_player, take
from rookery.search import control

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Weights, Words

MARGIN_SHARE = 0.2
"""The share of the reward that depends on the lead in cells; the rest is for winning."""
MARGIN = 5.0
"""A lead of this many cells earns half of that share."""
NEARBY = 300
"""Of 1024 moves, those that are drawn from the cells around the last one."""
SIDE_FACTOR = 1.5
"""How much more the sides of the last move weigh than its corners."""
TRIES = 4
"""Draws after which the best of them is played."""
ACCEPT_WEIGHT = 8.0
"""The weight from which a move is played as soon as it is drawn."""

LAST_PLACE, NOW = 0, 1
"""The words of `Simulation.scalars`: the place of the last move, 0 if there is none; when the simulation began."""
SCALARS = 2


class Simulation(NamedTuple):
    """The buffers of one simulation, which begins in the tree and ends with a playout."""

    s: Words
    """The position."""
    r: Words
    """The random stream."""
    control: Words
    scalars: Words
    factors: Weights
    """The factors of the prior."""
    free_places: Words
    slot: Words
    """Where each free place stands in `free_places`."""
    taken_at: Words
    """For each action, when it was first made in the last simulation that had it: `NOW` plus its ply."""
    taken_by: Words
    """The player who made it then."""
    reward: Weights
    """At the end, for each player: the reward,"""
    lead: Weights
    """the lead over the best other player,"""
    won: Weights
    """and the share of the win."""


def playout(sim: Simulation, ply: int) -> None:
    """Play the game to its end from a ply on. Players pass only if they have nothing to take or wait to take last."""
    s, now, last = sim.s, sim.scalars[NOW], sim.scalars[LAST_PLACE]
    cells = s[WIDTH] * s[HEIGHT]
    left = gather(sim)
    while s[TURN] != OVER and not sim.control[control.STOP]:
        player, action = s[TURN], -1
        if free(s, player) > 0:
            last = pick_move(sim, player, left, last)
            left -= 1
            sim.slot[sim.free_places[left]] = sim.slot[last]
            sim.free_places[sim.slot[last]] = sim.free_places[left]
            action = cell_of(s, last)
            move(s, player, last)
        elif not waits(s, player):
            last = pick_golden(s, sim.r, player)
            action = cells + cell_of(s, last)
            take(s, player, last)
        if action >= 0:
            if sim.taken_at[action] < now:
                sim.taken_at[action] = now + ply
                sim.taken_by[action] = player
            ply += 1
        following = next_player(s, player)
        s[TURN] = following if following > 0 else OVER


def waits(s: Words, player: int) -> bool:
    """Whether a player with nothing but the golden move keeps it: among several players it is best to take last, so
    nobody takes while another still has moves.
    """
    if s[PLAYERS] > 2:
        for other in range(1, s[PLAYERS] + 1):
            if other != player and free(s, other) > 0:
                return True
    return False


def gather(sim: Simulation) -> int:
    """List the free places; return how many there are."""
    s = sim.s
    count, up = 0, s[WIDTH] + 1
    for place in range(up, up * (s[HEIGHT] + 1)):
        if s[s[OWNER] + place] == 0:
            sim.free_places[count] = place
            sim.slot[place] = count
            count += 1
    return count


def pick_move(sim: Simulation, player: int, left: int, last: int) -> int:
    """Draw a place for a player who has a move, by weight: around the last one, or among all the free places left.

    Weighting every free place would take too long, so a few are drawn and accepted by weight, else the heaviest is.
    """
    s, r, pool = sim.s, sim.r, sim.free_places
    full, tight = s[s[AREAS] + player] >= s[LIMIT], is_tight(s, player)
    found, most = 0, 0.0
    if last > 0 and below(r, 1024) < NEARBY:
        up = s[WIDTH] + 1
        for k in range(8):
            place = last + around(k, up)
            if place > 0 and s[s[OWNER] + place] == 0:
                weight = move_weight(s, player, place, full, tight, sim.factors)
                if k < 4:
                    weight *= SIDE_FACTOR
                most += weight
                if below(r, 65536) * most < weight * 65536.0:
                    found = place
        if found > 0:
            return found
    most = 0.0
    for _ in range(TRIES):
        place = pool[below(r, left)]
        weight = move_weight(s, player, place, full, tight, sim.factors)
        if below(r, 65536) * ACCEPT_WEIGHT < weight * 65536.0:
            return place
        if weight > most:
            found, most = place, weight
    if found > 0:
        return found
    at = below(r, left)
    while full and touches(s, pool[at], player) == 0:
        at = at + 1 if at + 1 < left else 0
    return pool[at]


def around(k: int, up: int) -> int:
    """The way from a place to its k-th neighbour: the four sides, then the four corners."""
    if k < 4:
        return up if k == 0 else 1 if k == 1 else -up if k == 2 else -1
    return up + 1 if k == 4 else up - 1 if k == 5 else 1 - up if k == 6 else -up - 1


def pick_golden(s: Words, r: Words, player: int) -> int:
    """A place for a player with nothing but the golden move: one that opens most, then one of the strongest player."""
    up, cells = s[WIDTH] + 1, s[WIDTH] * s[HEIGHT]
    best, found, equals = -1, 0, 0
    for place in range(up, up * (s[HEIGHT] + 1)):
        owner = s[s[OWNER] + place]
        if owner > 0 and owner != player:
            gain = touches(s, place, 0) * 4 * cells + 2 * s[s[CELLS] + owner] + free(s, owner)
            if gain >= best and may_take(s, player, place):
                if gain > best:
                    best, found, equals = gain, place, 1
                else:
                    equals += 1
                    if below(r, equals) == 0:
                        found = place
    return found


def score_playout(sim: Simulation) -> None:
    """Write each player's share of the win, lead over the best other player, and reward."""
    s, players = sim.s, sim.s[PLAYERS]
    best, second, equals = -1, -1, 0
    for player in range(1, players + 1):
        cells = s[s[CELLS] + player]
        if cells > best:
            best, second, equals = cells, best, 1
        elif cells == best:
            second, equals = cells, equals + 1
        elif cells > second:
            second = cells
    for player in range(1, players + 1):
        cells = s[s[CELLS] + player]
        lead = cells - (second if cells == best else best) if players > 1 else cells
        size = lead if lead > 0 else -lead
        sim.lead[player] = float(lead)
        sim.won[player] = 1.0 / equals if cells == best else 0.0
        margin = 0.5 + 0.5 * lead / (MARGIN + size)
        sim.reward[player] = (1.0 - MARGIN_SHARE) * sim.won[player] + MARGIN_SHARE * margin
