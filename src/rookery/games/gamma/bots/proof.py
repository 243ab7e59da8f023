"""Proofs of wins and draws in Gamma for two players, from the cells that a player is sure to hold.

A region is a maximal connected set of free cells. A player who has all its areas can enter only the regions beside its
own cells. It stays out of the others for good unless it gets an area back, by joining two of its own across a region
that touches both, or makes its golden move. So the cells of a region that only the other player touches are *safe* for
that player, except for what a golden move can open.
"""

from __future__ import annotations

from rookery.games.gamma.board import (
    AREAS,
    CELLS,
    FIRST_PASS,
    FREE,
    HEIGHT,
    LIMIT,
    OWNER,
    PARENT,
    PLAYERS,
    SPENT,
    WIDTH,
    cell_of,
    place_of,
    side,
)
from rookery.search.tree import DRAW

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Words

SEVERAL = -1
"""Stands for the area of a player that touches a region if there are several; 0 if there is none."""
REGION_WORDS = 5
"""Words per cell of the buffer `regions`. It holds five tables: for each cell its region, from 1; a stack of cells; for
each region its number of cells, and the area of player 1 and of player 2 that touches it."""


def prove(s: Words, regions: Words) -> int:
    """The player who wins with best play, if that is certain; `DRAW` if both can hold a draw; 0 without a proof."""
    if s[PLAYERS] != 2 or s[FIRST_PASS] != 0:  # after a pass, another may end the game at once
        return 0
    cells = s[WIDTH] * s[HEIGHT]
    if s[FREE] + s[s[CELLS] + 1] <= cells // 2 and s[FREE] + s[s[CELLS] + 2] <= cells // 2:
        return 0
    count = 0
    if s[s[AREAS] + 1] >= s[LIMIT] or s[s[AREAS] + 2] >= s[LIMIT]:
        count = divide(s, regions)
    first, second = hold(s, regions, count, 1), hold(s, regions, count, 2)
    if 2 * first > cells:
        return 1
    if 2 * second > cells:
        return 2
    return DRAW if 2 * first == cells and 2 * second == cells else 0


def hold(s: Words, regions: Words, count: int, player: int) -> int:
    """The cells that a player can be sure to have in the end, given `count` regions."""
    other, cells = 3 - player, s[WIDTH] * s[HEIGHT]
    sizes, mine, theirs = 2 * cells, (2 + player) * cells, (2 + other) * cells
    has = s[s[CELLS] + player]
    loss = 0 if s[s[SPENT] + other] or has == 0 else 1
    if s[s[AREAS] + other] < s[LIMIT]:
        return has - loss
    safe = 0
    for region in range(count):
        if regions[theirs + region] == SEVERAL:
            return has - loss
        if regions[theirs + region] == 0 and regions[mine + region] != 0:
            safe += regions[sizes + region]
    if loss == 0 or safe == 0:
        return has + safe - loss
    worst = 0
    for cell in range(cells):
        place = place_of(s, cell)
        if s[s[OWNER] + place] == player:
            broken = opened(s, regions, place, other)
            if broken < 0:
                return has - loss
            if broken > worst:
                worst = broken
    return has + safe - worst - loss


def opened(s: Words, regions: Words, place: int, taker: int) -> int:
    """The safe cells that a golden move on this place, now or later, could open; −1 if it could join two areas."""
    cells = s[WIDTH] * s[HEIGHT]
    sizes, areas = 2 * cells, (2 + taker) * cells
    from_area, total, one, two, three = 0, 0, -1, -1, -1
    for k in range(4):
        beside = side(s, place, k)
        whose = s[s[OWNER] + beside]
        area = 0
        if whose == taker:
            area = top(s, beside)
        elif whose == 0:
            region = regions[cell_of(s, beside)] - 1
            area = regions[areas + region]
            if area == 0 and region != one and region != two and region != three:
                total += regions[sizes + region]
                one, two, three = region, one, two
        if area > 0:
            if from_area > 0 and area != from_area:
                return -1
            from_area = area
    return total if from_area > 0 else 0


def divide(s: Words, regions: Words) -> int:
    """Fill in all regions; return how many there are."""
    cells, count = s[WIDTH] * s[HEIGHT], 0
    for cell in range(cells):
        regions[cell] = 0
    for cell in range(cells):
        if regions[cell] == 0 and s[s[OWNER] + place_of(s, cell)] == 0:
            reach(s, regions, cell, count)
            count += 1
    return count


def reach(s: Words, regions: Words, first: int, region: int) -> None:
    """Fill in one region by a flood fill from its first cell."""
    cells, waiting = s[WIDTH] * s[HEIGHT], 1
    regions[cells] = first
    regions[first] = region + 1
    regions[2 * cells + region] = 0
    regions[3 * cells + region] = 0
    regions[4 * cells + region] = 0
    while waiting > 0:
        waiting -= 1
        place = place_of(s, regions[cells + waiting])
        regions[2 * cells + region] += 1
        for k in range(4):
            beside = side(s, place, k)
            whose = s[s[OWNER] + beside]
            if whose > 0:
                at, area = (2 + whose) * cells + region, top(s, beside)
                if regions[at] == 0:
                    regions[at] = area
                elif regions[at] != area:
                    regions[at] = SEVERAL
            elif whose == 0:
                cell = cell_of(s, beside)
                if regions[cell] == 0:
                    regions[cell] = region + 1
                    regions[cells + waiting] = cell
                    waiting += 1


def top(s: Words, place: int) -> int:
    """The place that stands for an area, found without path compression, so that the position does not change."""
    parent = s[PARENT]
    while s[parent + place] >= 0:
        place = s[parent + place]
    return place
