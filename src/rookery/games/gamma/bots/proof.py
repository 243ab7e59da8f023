"""What is certain in a game of Gamma for two: cells a player cannot be kept from holding, and games decided by them.

A region is a maximal connected set of free cells. A player who has all its areas can enter only the regions beside its
own cells, and stays out of the others for good unless it gets an area back, by joining two of its own across a region
that touches both, or makes its golden move. So the cells of a region that only the other player touches are *safe* for
that player, but for what the golden move can break open.
"""

from __future__ import annotations

from rookery.games.gamma.rules import (
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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Words

DRAW = -1
"""Both can hold a draw."""
SEVERAL = -1
"""Where the area of a player that touches a region would stand, if there are several; 0 if there is none."""
NOTES = 5
"""Words for each cell that the notes about a position take: the region it lies in, counted from 1, and the cells still
to be looked at; then for each region its cells, and the area of each player that touches it."""


def certain(s: Words, notes: Words) -> int:
    """The player who will win whatever the other does; `DRAW` if both can hold one; 0 if the game is open."""
    if s[PLAYERS] != 2 or s[FIRST_PASS] != 0:  # after a pass, another may end the game at once
        return 0
    cells = s[WIDTH] * s[HEIGHT]
    if s[FREE] + s[s[CELLS] + 1] <= cells // 2 and s[FREE] + s[s[CELLS] + 2] <= cells // 2:
        return 0
    count = 0
    if s[s[AREAS] + 1] >= s[LIMIT] or s[s[AREAS] + 2] >= s[LIMIT]:
        count = divide(s, notes)
    first, second = hold(s, notes, count, 1), hold(s, notes, count, 2)
    if 2 * first > cells:
        return 1
    if 2 * second > cells:
        return 2
    return DRAW if 2 * first == cells and 2 * second == cells else 0


def hold(s: Words, notes: Words, count: int, player: int) -> int:
    """The cells that a player is sure to have in the end if it wants; the notes tell of so many regions."""
    other, cells = 3 - player, s[WIDTH] * s[HEIGHT]
    sizes, mine, theirs = 2 * cells, (2 + player) * cells, (2 + other) * cells
    has = s[s[CELLS] + player]
    loss = 0 if s[s[SPENT] + other] or has == 0 else 1
    if s[s[AREAS] + other] < s[LIMIT]:
        return has - loss
    safe = 0
    for region in range(count):
        if notes[theirs + region] == SEVERAL:
            return has - loss
        if notes[theirs + region] == 0 and notes[mine + region] != 0:
            safe += notes[sizes + region]
    if loss == 0 or safe == 0:
        return has + safe - loss
    worst = 0
    for cell in range(cells):
        place = place_of(s, cell)
        if s[s[OWNER] + place] == player:
            broken = opened(s, notes, place, other)
            if broken < 0:
                return has - loss
            if broken > worst:
                worst = broken
    return has + safe - worst - loss


def opened(s: Words, notes: Words, place: int, taker: int) -> int:
    """How many safe cells a golden move on this place, now or later, could open; −1 if it could join two areas."""
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
            region = notes[cell_of(s, beside)] - 1
            area = notes[areas + region]
            if area == 0 and region != one and region != two and region != three:
                total += notes[sizes + region]
                one, two, three = region, one, two
        if area > 0:
            if from_area > 0 and area != from_area:
                return -1
            from_area = area
    return total if from_area > 0 else 0


def divide(s: Words, notes: Words) -> int:
    """Write down in which region each free cell lies, and what there is to say of the regions; return how many."""
    cells, count = s[WIDTH] * s[HEIGHT], 0
    for cell in range(cells):
        notes[cell] = 0
    for cell in range(cells):
        if notes[cell] == 0 and s[s[OWNER] + place_of(s, cell)] == 0:
            reach(s, notes, cell, count)
            count += 1
    return count


def reach(s: Words, notes: Words, first: int, region: int) -> None:
    """Write down one region, beginning at its first cell."""
    cells, waiting = s[WIDTH] * s[HEIGHT], 1
    notes[cells] = first
    notes[first] = region + 1
    notes[2 * cells + region] = 0
    notes[3 * cells + region] = 0
    notes[4 * cells + region] = 0
    while waiting > 0:
        waiting -= 1
        place = place_of(s, notes[cells + waiting])
        notes[2 * cells + region] += 1
        for k in range(4):
            beside = side(s, place, k)
            whose = s[s[OWNER] + beside]
            if whose > 0:
                at, area = (2 + whose) * cells + region, top(s, beside)
                if notes[at] == 0:
                    notes[at] = area
                elif notes[at] != area:
                    notes[at] = SEVERAL
            elif whose == 0:
                cell = cell_of(s, beside)
                if notes[cell] == 0:
                    notes[cell] = region + 1
                    notes[cells + waiting] = cell
                    waiting += 1


def top(s: Words, place: int) -> int:
    """The place that stands for an area, found without shortening paths: what is only looked at stays as it is."""
    parent = s[PARENT]
    while s[parent + place] >= 0:
        place = s[parent + place]
    return place
