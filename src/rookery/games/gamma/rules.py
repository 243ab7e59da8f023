"""The rules of Gamma: players take cells, within a number of areas, and once each a cell of somebody else.

A cell is numbered `y·width + x`, y from the bottom. Inside, it has a *place*: the board lies in a frame of places that
belong to nobody (`FRAME`), one column wide, because the right-hand frame of a row is also the left-hand one of the row
above. So every cell has four neighbours, at ±1 and ± a stride.

Areas are kept by union–find, and with them for each player the number of cells, of areas, and of free cells next to
its own (the *border*): a move costs next to nothing, and `free` is read off. A golden move labels the area anew that
it takes a cell from. Whether a golden move exists is found for all players at once, in one pass (`survey`).

Actions: a move is its cell's number, a golden move that plus the number of cells, then pass.
"""

from __future__ import annotations

from rookery.core.rules import OVER, STATE_SIZE, TURN
from rookery.core.stream import below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Weights, Words

FRAME = -1
LARGEST = 25_000_000
"""The most cells, and the most players, of a game; a cell takes about fifty bytes, a player forty."""

FEW = 8
"""Drawing places until one of so many comes up takes about as long as going through the board for them."""

MAPPED = 4
"""So many players at most have a map of their cells."""

WIDTH = 2
HEIGHT = 3
PLAYERS = 4
LIMIT = 5
"""The most areas a player may have."""
PASSES_END = 6
"""Whether the game ends once every player who can act has passed in a row."""
FIRST_PASS = 7
"""The player who began the current row of passes; 0 if the last action was none."""
FREE = 8
"""Free cells on the board."""
CELLS = 9
"""Where the players' cells are counted: player p's at s[CELLS] + p; likewise the next three."""
AREAS = 10
BORDER = 11
SPENT = 12
"""1 once a player has made its golden move."""
OWNER = 13
"""Where the owners of places begin: 0 for a free cell."""
PARENT = 14
"""Where union–find begins: the parent of a place, or for a root minus the size of its area."""
HEAD = 15

# Scratch, from the word that vouches for it on: the clock, whether each player has a cell to take, then for each place
# when it was last reached, the lowest it leads back to, the parts its loss would leave, and the stack of the search.
CLOCK = 1
ANSWERS = 2


def places(config: Sequence[int]) -> int:
    return (config[0] + 1) * (config[1] + 2)


def size(config: Sequence[int]) -> int:
    return HEAD + 5 * (config[2] + 1) + ANSWERS + 6 * places(config)


def start(s: Words, config: Sequence[int]) -> None:
    """The configuration is: width, height, players, areas, whether passes end the game."""
    width, height, players = config[0], config[1], config[2]
    s[TURN] = 1
    s[WIDTH] = width
    s[HEIGHT] = height
    s[PLAYERS] = players
    s[LIMIT] = config[3]
    s[PASSES_END] = config[4]
    s[FREE] = width * height
    for k in range(4):
        s[CELLS + k] = HEAD + k * (players + 1)
    s[OWNER] = HEAD + 4 * (players + 1)
    s[PARENT] = s[OWNER] + places(config)
    s[STATE_SIZE] = s[PARENT] + places(config)
    frame = s[OWNER]
    for x in range(width + 1):
        s[frame + x] = FRAME
        s[frame + (height + 1) * (width + 1) + x] = FRAME
    for y in range(height):
        s[frame + (y + 1) * (width + 1) + width] = FRAME


def place_of(s: Words, cell: int) -> int:
    """Before it lie the places of the cells before it, the frame at the bottom and that of the rows before."""
    width = s[WIDTH]
    return cell + cell // width + width + 1


def cell_of(s: Words, place: int) -> int:
    width = s[WIDTH]
    return place - place // (width + 1) - width


def side(s: Words, place: int, k: int) -> int:
    """The k-th neighbour of a place, 0 to 3."""
    if k == 0:
        return place + s[WIDTH] + 1
    if k == 1:
        return place + 1
    if k == 2:
        return place - s[WIDTH] - 1
    return place - 1


def busy(s: Words, player: int) -> int:
    """The cells a player owns."""
    return s[s[CELLS] + player]


def free(s: Words, player: int) -> int:
    """The free cells a player could take by a move."""
    if s[s[AREAS] + player] < s[LIMIT]:
        return s[FREE]
    return s[s[BORDER] + player]


def touches(s: Words, place: int, player: int) -> int:
    """How many neighbours of a place a player owns."""
    owner, up = s[OWNER] + place, s[WIDTH] + 1
    count = 0
    if s[owner + up] == player:
        count += 1
    if s[owner + 1] == player:
        count += 1
    if s[owner - up] == player:
        count += 1
    if s[owner - 1] == player:
        count += 1
    return count


def may_move(s: Words, player: int, place: int) -> bool:
    if s[s[OWNER] + place] != 0:
        return False
    return s[s[AREAS] + player] < s[LIMIT] or touches(s, place, player) > 0


def may_take(s: Words, player: int, place: int) -> bool:
    """Whether a player's golden move on this place would succeed."""
    victim = s[s[OWNER] + place]
    if victim <= 0 or victim == player or s[s[SPENT] + player]:
        return False
    if s[s[AREAS] + player] == s[LIMIT] and touches(s, place, player) == 0:
        return False
    return may_lose(s, place)


def may_lose(s: Words, place: int) -> bool:
    """Whether the owner of a place would have no more areas without it than it may."""
    room = parts_allowed(s, place)
    if arcs(s, place) <= room:
        return True
    if s[s[STATE_SIZE]]:  # a survey has found out already
        return s[cuts_of(s) + place] <= room
    return parts(s, place) <= room


def parts_allowed(s: Words, place: int) -> int:
    """In how many areas the rest of a place's area might lie if the place were gone; one at least."""
    return s[LIMIT] - s[s[AREAS] + s[s[OWNER] + place]] + 1


def arcs(s: Words, place: int) -> int:
    """In how many areas the rest of a place's area would seem to lie if the place were gone, seen from close by.

    These are the neighbours of the same owner, each linked with the next if it has the corner between them too. They
    may be joined further away, so that there are as many parts at most; if it is one or none, just as many.
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


def root(s: Words, place: int) -> int:
    """The place that stands for an area; paths are halved on the way."""
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
    """Make one area of those of two places, the smaller joining the larger; return how many areas that is fewer."""
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


def move(s: Words, player: int, place: int) -> None:
    """Take a free cell; known to be legal."""
    at, up = s[OWNER] + place, s[WIDTH] + 1
    above, right, down, left = s[at + up], s[at + 1], s[at - up], s[at - 1]
    more = 0
    if above == 0 and touches(s, place + up, player) == 0:
        more += 1
    if right == 0 and touches(s, place + 1, player) == 0:
        more += 1
    if down == 0 and touches(s, place - up, player) == 0:
        more += 1
    if left == 0 and touches(s, place - 1, player) == 0:
        more += 1
    border = s[BORDER]
    s[border + player] += more
    # The place leaves the border of each owner around it, once.
    if above > 0:
        s[border + above] -= 1
    if right > 0 and right != above:
        s[border + right] -= 1
    if down > 0 and down != above and down != right:
        s[border + down] -= 1
    if left > 0 and left != above and left != right and left != down:
        s[border + left] -= 1
    s[FREE] -= 1
    settle(s, player, place)
    s[s[STATE_SIZE]] = 0


def take(s: Words, player: int, place: int) -> None:
    """Make a golden move; known to be legal."""
    victim = s[s[OWNER] + place]
    for k in range(4):
        beside = side(s, place, k)
        if s[s[OWNER] + beside] == 0:
            if touches(s, beside, victim) == 1:
                s[s[BORDER] + victim] -= 1
            if touches(s, beside, player) == 0:
                s[s[BORDER] + player] += 1
    s[s[CELLS] + victim] -= 1
    s[s[AREAS] + victim] += split(s, place) - 1
    settle(s, player, place)
    s[s[SPENT] + player] = 1
    s[s[STATE_SIZE]] = 0


def split(s: Words, place: int) -> int:
    """Free a place and label what is left of its area anew; return in how many areas it lies."""
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


def golden(s: Words, player: int) -> bool:
    """Whether at least one golden move of a player would succeed now."""
    if s[s[SPENT] + player] or s[FREE] + s[s[CELLS] + player] == s[WIDTH] * s[HEIGHT]:
        return False
    if s[s[AREAS] + player] < s[LIMIT]:
        # Every area has a cell whose loss does not split it, and there is some other player's area.
        return True
    survey(s)
    return s[s[STATE_SIZE] + ANSWERS + player] != 0


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
                search(s, place, began)
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


def cuts_of(s: Words) -> int:
    """Where a survey keeps, for each place, the parts its loss would leave."""
    return s[STATE_SIZE] + ANSWERS + s[PLAYERS] + 1 + 2 * (s[WIDTH] + 1) * (s[HEIGHT] + 2)


def search(s: Words, first: int, began: int) -> None:
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


def can_act(s: Words, player: int) -> bool:
    return free(s, player) > 0 or golden(s, player)


def next_player(s: Words, player: int) -> int:
    """The next player who can act, which may be the same one; 0 if nobody can."""
    for _ in range(s[PLAYERS]):
        player = player + 1 if player < s[PLAYERS] else 1
        if can_act(s, player):
            return player
    return 0


def legal(s: Words, action: int) -> bool:
    player, cells = s[TURN], s[WIDTH] * s[HEIGHT]
    if player == OVER:
        return False
    if action < cells:
        return may_move(s, player, place_of(s, action))
    if action < 2 * cells:
        return may_take(s, player, place_of(s, action - cells))
    return True


def actions(s: Words, out: Words) -> int:
    player, cells, count = s[TURN], s[WIDTH] * s[HEIGHT], 0
    for cell in range(cells):
        if may_move(s, player, place_of(s, cell)):
            out[count] = cell
            count += 1
    if golden(s, player):
        survey(s)
        cuts = cuts_of(s)
        anywhere = s[s[AREAS] + player] < s[LIMIT]
        for cell in range(cells):
            place = place_of(s, cell)
            victim = s[s[OWNER] + place]
            if (
                victim > 0
                and victim != player
                and s[s[AREAS] + victim] - 1 + s[cuts + place] <= s[LIMIT]
                and (anywhere or touches(s, place, player) > 0)
            ):
                out[count] = cells + cell
                count += 1
    out[count] = 2 * cells
    return count + 1


def pick(s: Words, r: Words) -> int:
    """Draw places until one comes up that may be taken; where these seem to be too few for that, count them.

    Each is as likely as the next among those drawn and among those counted, hence on the whole.
    """
    player, cells = s[TURN], s[WIDTH] * s[HEIGHT]
    moves = free(s, player)
    if s[s[SPENT] + player]:
        return cell_of(s, pick_move(s, r, player, moves)) if moves > 0 else 2 * cells
    owner, up = s[OWNER], s[WIDTH] + 1
    span = up * s[HEIGHT]
    anywhere = s[s[AREAS] + player] < s[LIMIT]
    others = cells - s[FREE] - s[s[CELLS] + player]
    if moves + others >= FEW:
        for _ in range(span // FEW):
            place = up + below(r, span)
            whose = s[owner + place]
            if whose >= 0 and whose != player and (anywhere or touches(s, place, player) > 0):
                if whose == 0:
                    return cell_of(s, place)
                if may_lose(s, place):
                    return cells + cell_of(s, place)
    return pick_counted(s, r, player, moves)


def pick_move(s: Words, r: Words, player: int, moves: int) -> int:
    """Let the stream pick one of the places a player may move to; there are so many, at least one."""
    owner, up = s[OWNER], s[WIDTH] + 1
    span = up * s[HEIGHT]
    anywhere = s[s[AREAS] + player] < s[LIMIT]
    if moves >= FEW:
        while True:
            place = up + below(r, span)
            if s[owner + place] == 0 and (anywhere or touches(s, place, player) > 0):
                return place
    place, before = up, below(r, moves)
    while True:
        if s[owner + place] == 0 and (anywhere or touches(s, place, player) > 0):
            if before == 0:
                return place
            before -= 1
        place += 1


def pick_counted(s: Words, r: Words, player: int, moves: int) -> int:
    """Let the stream pick an action of a player who has so many moves and has not made its golden move."""
    owner, up, cells = s[OWNER], s[WIDTH] + 1, s[WIDTH] * s[HEIGHT]
    anywhere = s[s[AREAS] + player] < s[LIMIT]
    takes, taken = 0, 0
    for place in range(up, up * (s[HEIGHT] + 1)):
        whose = s[owner + place]
        if whose > 0 and whose != player and (anywhere or touches(s, place, player) > 0):
            if arcs(s, place) > parts_allowed(s, place):
                survey(s)  # once for all such places, where `may_lose` would flood an area for each
            if may_lose(s, place):
                takes += 1
                if below(r, takes) == 0:  # so that in the end each of them is `taken` as likely as the next
                    taken = place
    if moves + takes == 0:
        return 2 * cells
    if below(r, moves + takes) < moves:
        return cell_of(s, pick_move(s, r, player, moves))
    return cells + cell_of(s, taken)


def perform(s: Words, action: int) -> None:
    player, cells = s[TURN], s[WIDTH] * s[HEIGHT]
    if action == 2 * cells:
        if s[FIRST_PASS] == 0:
            s[FIRST_PASS] = player
    else:
        s[FIRST_PASS] = 0
        if action < cells:
            move(s, player, place_of(s, action))
        else:
            take(s, player, place_of(s, action - cells))
    following = next_player(s, player)
    if following == 0 or (following == s[FIRST_PASS] and s[PASSES_END]):
        following = OVER
    s[TURN] = following


def chances(s: Words, out: Words, weights: Weights) -> int:
    return 0


def draw(s: Words, r: Words) -> int:
    return -1


def score(s: Words, player: int) -> float:
    """The cells a player owns."""
    return float(busy(s, player))


def winner(s: Words) -> int:
    """The player with more cells than any other, once the game is over; 0 in a draw."""
    if s[TURN] != OVER:
        return 0
    best, found = -1, 0
    for player in range(1, s[PLAYERS] + 1):
        if busy(s, player) == best:
            found = 0
        elif busy(s, player) > best:
            best, found = busy(s, player), player
    return found


def moves(s: Words, made: int) -> int:
    """Turns taken: moves, golden moves and passes."""
    return made


def tally(s: Words, counts: Words) -> None:
    """A map for each of the first `MAPPED` players: its cells at the end. Very large boards have no maps."""
    cells = s[WIDTH] * s[HEIGHT] if len(counts) > 0 else 0
    for cell in range(cells):
        owner = s[s[OWNER] + place_of(s, cell)]
        if 0 < owner <= MAPPED:
            counts[(owner - 1) * cells + cell] += 1
