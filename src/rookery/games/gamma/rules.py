"""The rules of Gamma: players take cells, within a number of areas, and once each a cell of somebody else.

The position keeps the number of cells, of areas, and of free cells next to its own (the *border*) for each player, so a
move costs next to nothing, and `free` is a lookup. `board.py` has the layout of a position, `areas.py` the areas.

Actions: a move is its cell's number, a golden move that plus the number of cells, then pass.
"""

from __future__ import annotations

from rookery.core.rules import OVER, STATE_SIZE, TURN
from rookery.core.stream import below
from rookery.games.gamma.areas import ANSWERS, arcs, cuts_of, parts, settle, split, survey
from rookery.games.gamma.board import (
    AREAS,
    BORDER,
    CELLS,
    FIRST_PASS,
    FRAME,
    FREE,
    HEAD,
    HEIGHT,
    LIMIT,
    OWNER,
    PARENT,
    PASSES_END,
    PLAYERS,
    SPENT,
    WIDTH,
    cell_of,
    place_of,
    places,
    side,
    touches,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Weights, Words

LARGEST = 25_000_000
"""The most cells, and the most players, of a game; a cell takes about fifty bytes, a player forty."""

FEW = 8
"""Drawing random places until one of this many comes up takes about as long as scanning the board for them."""

MAPPED = 4
"""The most players that have a map of their cells."""

NOT_INLINED = ("take",)
"""Called, not inlined: a player makes one golden move in a game."""


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


def busy(s: Words, player: int) -> int:
    """The cells a player owns."""
    return s[s[CELLS] + player]


def free(s: Words, player: int) -> int:
    """The free cells a player could take by a move."""
    if s[s[AREAS] + player] < s[LIMIT]:
        return s[FREE]
    return s[s[BORDER] + player]


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


def golden(s: Words, player: int) -> bool:
    """Whether at least one golden move of a player would succeed now."""
    if s[s[SPENT] + player] or s[FREE] + s[s[CELLS] + player] == s[WIDTH] * s[HEIGHT]:
        return False
    if s[s[AREAS] + player] < s[LIMIT]:
        # Every area has a cell whose loss does not split it, and there is some other player's area.
        return True
    survey(s)
    return s[s[STATE_SIZE] + ANSWERS + player] != 0


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
    """Draw random places until one may be taken; where few may, list them instead.

    Both ways give each action the same probability, so the choice between them does not matter.
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
    """Let the stream pick one of the `moves` places a player may move to; there is at least one."""
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
    """Let the stream pick an action of a player who has this many moves, and its golden move to make."""
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
                if below(r, takes) == 0:  # reservoir sampling: each of them is equally likely in the end
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
