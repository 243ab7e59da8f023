"""The areas of Gamma's players: joining them, splitting them, and what the loss of a cell would leave.

Areas are kept by union–find (Tarjan 1975; by size, with path halving). A golden move relabels the area from which it
takes a cell. `survey` finds in one pass which cells all players could take, by a depth-first search for cut vertices
(Hopcroft & Tarjan 1973).
"""

from __future__ import annotations

from rookery.core.rules import STATE_SIZE
from rookery.games.gamma.board import AREAS, CELLS, HEIGHT, LIMIT, OWNER, PARENT, PLAYERS, WIDTH, side

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Words

# Scratch, from the word that says whether it is valid: the clock, whether each player has a cell to take, then for each
# place when it was last reached, the lowest it leads back to, the parts its loss would leave, and the search's stack.
CLOCK = 1
ANSWERS = 2

NOT_INLINED = ("parts", "survey")
"""Called, not inlined: they are large and seldom run, but many functions lead to them."""


def settle(s: Words, player: int, place: int) -> None:
    """Give a place to a player and join it with the areas around it."""
    at, up = s[OWNER] + place, s[WIDTH] + 1
    above, right, down, left = s[at + up], s[at + 1], s[at - up], s[at - 1]
    s[at] = player
    s[s[CELLS] + player] += 1
    s[s[PARENT] + place] = -1
    areas = 1
    if above == player:
        areas -= join(s, place, place + up)
    if right == player:
        areas -= join(s, place, place + 1)
    if down == player:
        areas -= join(s, place, place - up)
    if left == player:
        areas -= join(s, place, place - 1)
    s[s[AREAS] + player] += areas


def join(s: Words, place: int, beside: int) -> int:
    """Unite the areas of two places, by size; return how many areas fewer there are."""
    parent = s[PARENT]
    top, other = root(s, place), root(s, beside)
    if other == top:
        return 0
    both = s[parent + top] + s[parent + other]
    if s[parent + other] < s[parent + top]:
        top, other = other, top
    s[parent + top] = both
    s[parent + other] = top
    return 1


def root(s: Words, place: int) -> int:
    """The place that stands for an area, found with path halving."""
    parent = s[PARENT]
    while True:
        up = s[parent + place]
        if up < 0:
            return place
        over = s[parent + up]
        if over < 0:
            return up
        s[parent + place] = over
        place = over


def arcs(s: Words, place: int) -> int:
    """An upper bound on `parts`, from the eight places around; exact if it is 0 or 1.

    It counts the neighbours of the same owner, those linked by the corner between them as one. Neighbours that are not
    linked here may still be linked further away.
    """
    at, up = s[OWNER] + place, s[WIDTH] + 1
    player = s[at]
    above, right = s[at + up] == player, s[at + 1] == player
    down, left = s[at - up] == player, s[at - 1] == player
    count, links = 0, 0
    if above:
        count += 1
        if right and s[at + up + 1] == player:
            links += 1
    if right:
        count += 1
        if down and s[at - up + 1] == player:
            links += 1
    if down:
        count += 1
        if left and s[at - up - 1] == player:
            links += 1
    if left:
        count += 1
        if above and s[at + up - 1] == player:
            links += 1
    # Four links close the ring; the last of them joins nothing.
    return count - links if links < 4 else 1


def parts(s: Words, place: int) -> int:
    """In how many areas the rest of a place's area would lie if the place were gone."""
    owner = s[OWNER]
    victim = s[owner + place]
    scratch = s[STATE_SIZE]
    began = s[scratch + CLOCK]
    marks = scratch + ANSWERS + s[PLAYERS] + 1
    s[scratch + CLOCK] += 1
    s[marks + place] = s[scratch + CLOCK]
    count = 0
    for k in range(4):
        first = side(s, place, k)
        if s[owner + first] == victim and s[marks + first] <= began:
            count += 1
            flood(s, first, began, 0)
    return count


def split(s: Words, place: int) -> int:
    """Free a place and relabel what is left of its area; return in how many areas it lies."""
    victim = s[s[OWNER] + place]
    s[s[OWNER] + place] = 0
    scratch = s[STATE_SIZE]
    began = s[scratch + CLOCK]
    marks = scratch + ANSWERS + s[PLAYERS] + 1
    count = 0
    for k in range(4):
        first = side(s, place, k)
        if s[s[OWNER] + first] == victim and s[marks + first] <= began:
            count += 1
            s[s[PARENT] + first] = -flood(s, first, began, 1)
    return count


def flood(s: Words, first: int, began: int, label: int) -> int:
    """Reach every place of an area from its first, marking what is reached; return how many.

    A place counts as reached if it was marked after `began`. With `label` all of them become children of the first.
    """
    owner = s[OWNER]
    player = s[owner + first]
    width, height = s[WIDTH], s[HEIGHT]
    scratch = s[STATE_SIZE]
    marks = scratch + ANSWERS + s[PLAYERS] + 1
    stack = marks + 3 * (width + 1) * (height + 2)
    s[scratch + CLOCK] += 1
    now = s[scratch + CLOCK]
    s[marks + first] = now
    s[stack] = first
    waiting, count = 1, 0
    while waiting > 0:
        waiting -= 1
        place = s[stack + waiting]
        count += 1
        for k in range(4):
            beside = side(s, place, k)
            if s[owner + beside] == player and s[marks + beside] <= began:
                s[marks + beside] = now
                s[stack + waiting] = beside
                waiting += 1
                if label:
                    s[s[PARENT] + beside] = first
    return count


def survey(s: Words) -> None:
    """Find for every player whether a cell next to its own could be taken; once for a position.

    One depth-first search numbers the places of each area in the order it reaches them. A place splits off a part
    for each child from which nothing before the place can be reached; unless the search began at it, what lies
    before is a further part.
    """
    scratch = s[STATE_SIZE]
    if s[scratch]:
        return
    owner, width, height = s[OWNER], s[WIDTH], s[HEIGHT]
    marks = scratch + ANSWERS + s[PLAYERS] + 1
    for player in range(1, s[PLAYERS] + 1):
        s[scratch + ANSWERS + player] = 0
    began = s[scratch + CLOCK]
    for y in range(height):
        for place in range((y + 1) * (width + 1), (y + 1) * (width + 1) + width):
            if s[owner + place] > 0 and s[marks + place] <= began:
                count_cuts(s, place, began)
    cuts = cuts_of(s)
    for y in range(height):
        for place in range((y + 1) * (width + 1), (y + 1) * (width + 1) + width):
            victim = s[owner + place]
            if victim > 0 and s[s[AREAS] + victim] - 1 + s[cuts + place] <= s[LIMIT]:
                for k in range(4):
                    taker = s[owner + side(s, place, k)]
                    if taker > 0 and taker != victim:
                        s[scratch + ANSWERS + taker] = 1
    s[scratch] = 1


def count_cuts(s: Words, first: int, began: int) -> None:
    """Count for each place of one area the parts its loss would leave."""
    owner, width, height = s[OWNER], s[WIDTH], s[HEIGHT]
    many = (width + 1) * (height + 2)
    scratch = s[STATE_SIZE]
    marks = scratch + ANSWERS + s[PLAYERS] + 1
    low, cuts, stack = marks + many, marks + 2 * many, marks + 3 * many
    player = s[owner + first]
    clock = s[scratch + CLOCK] + 1
    s[marks + first] = clock
    s[low + first] = clock
    s[cuts + first] = 0
    s[stack] = first * 4
    depth = 0
    spent = False  # whether all sides of the place on top have been looked at
    while depth >= 0:
        place, k = s[stack + depth] >> 2, s[stack + depth] & 3
        beside = side(s, place, k)
        if not spent and s[owner + beside] == player:
            if s[marks + beside] <= began:
                clock += 1
                s[marks + beside] = clock
                s[low + beside] = clock
                s[cuts + beside] = 1
                depth += 1
                s[stack + depth] = beside * 4
                continue
            if s[marks + beside] < s[low + place]:
                s[low + place] = s[marks + beside]
        spent = False
        if k < 3:
            s[stack + depth] += 1
            continue
        depth -= 1
        if depth >= 0:
            above = s[stack + depth] >> 2
            if s[low + place] >= s[marks + above]:
                s[cuts + above] += 1
            elif s[low + place] < s[low + above]:
                s[low + above] = s[low + place]
            spent = True  # the side it came from is done
    s[scratch + CLOCK] = clock


def cuts_of(s: Words) -> int:
    """Where a survey keeps, for each place, the parts its loss would leave."""
    return s[STATE_SIZE] + ANSWERS + s[PLAYERS] + 1 + 2 * (s[WIDTH] + 1) * (s[HEIGHT] + 2)
