"""The rules of GateRun: two pawns, their walls, and who has reached the other side.

Cells are numbered row by row from the top, `cell = row·N + column`. Two words hold the open edges, one bit a cell:
`EAST` has the bit of a cell whose right-hand edge can be crossed, `SOUTH` of one whose lower edge can. Edges are
numbered east edges first, row by row, then south edges. A board of up to 7×7 cells fits one 64-bit word with a sign.

Actions are numbered: steps by their target cell, walls by their edge, pass, then (with the options) jumps by their
target cell and rotations, four to an edge.
"""

from __future__ import annotations

from rookery.core.rules import OVER, STATE_SIZE, TURN
from rookery.core.stream import below
from rookery.games.gaterun.geometry import (
    distance_from,
    east_edge,
    east_edges,
    edge_count,
    first_cell,
    goal,
    is_east,
    neighbours,
    nth,
    popcount,
    south_edge,
    south_edges,
    turned,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Weights, Words

LONGEST = 300
"""A game is drawn after this many plies."""

PLY = 2
SIZE = 3
WINNER = 4
"""The player who won, 0 as long as nobody has."""
EAST = 5
SOUTH = 6
PAWN = 7
"""The word before the pawn of player 1; so are the next three for what they hold."""
WALLS = 9
JUMPS = 11
ROTATIONS = 13
HAS_JUMP = 16
HAS_ROTATE = 17
SEEN = 18
"""How many positions stand in the list below: the current one and those before it that could come again."""
PAST = 19
"""Positions (pawns and player to move) since the last wall, jump or rotation, which can never be taken back."""
WORDS = PAST + LONGEST + 1

# Scratch: for each player a shortest path, as its length and its edges, and the layers by which it was found.
LENGTH = WORDS
ROUTE_EAST = WORDS + 2
ROUTE_SOUTH = WORDS + 4
LAYERS = WORDS + 7
# And the actions `pick` draws from, a set of cells for each kind: cells to step to, cells whose east edge is to get a
# wall, and so on. Rotations of walls on east edges are four kinds, one for each way to turn; so are the others.
KIND = LAYERS + 50
STEP, EAST_WALL, SOUTH_WALL, JUMP, EAST_ROTATION, SOUTH_ROTATION = 0, 1, 2, 3, 4, 8
KINDS = 12
ALL_WORDS = KIND + KINDS


def size(config: Sequence[int]) -> int:
    return ALL_WORDS


def start(s: Words, config: Sequence[int]) -> None:
    """The configuration is: size, walls of player 1, walls of player 2, jump, rotate."""
    n = config[0]
    s[STATE_SIZE] = WORDS
    s[TURN] = 1
    s[SIZE] = n
    s[PAWN + 1] = n // 2
    s[PAWN + 2] = (n - 1) * n + n // 2
    s[WALLS + 1] = config[1]
    s[WALLS + 2] = config[2]
    s[HAS_JUMP] = config[3]
    s[HAS_ROTATE] = config[4]
    for player in range(1, 3):
        s[JUMPS + player] = config[3]
        s[ROTATIONS + player] = config[4]
    s[EAST] = east_edges(n)
    s[SOUTH] = south_edges(n)
    remember(s)


def pass_action(n: int) -> int:
    return n * n + edge_count(n)


def action_count(n: int, jump: int, rotate: int) -> int:
    if rotate:
        return pass_action(n) + 1 + n * n + 4 * edge_count(n)
    if jump:
        return pass_action(n) + 1 + n * n
    return pass_action(n) + 1


def is_open(s: Words, edge: int) -> bool:
    n = s[SIZE]
    bit = 1 << first_cell(n, edge)
    if is_east(n, edge):
        return (s[EAST] & bit) != 0
    return (s[SOUTH] & bit) != 0


def toggle(s: Words, edge: int) -> None:
    """Put a wall on an open edge, or take the wall away."""
    n = s[SIZE]
    bit = 1 << first_cell(n, edge)
    if is_east(n, edge):
        s[EAST] ^= bit
    else:
        s[SOUTH] ^= bit


def distance(s: Words, player: int) -> int:
    """Steps a player still needs if nobody interferes."""
    n = s[SIZE]
    return distance_from(s[PAWN + player], goal(n, player), s[EAST], s[SOUTH], n)


def has_paths(s: Words, east: int, south: int) -> bool:
    """Whether both pawns could still get through with these edges open."""
    n = s[SIZE]
    return (
        distance_from(s[PAWN + 1], goal(n, 1), east, south, n) >= 0
        and distance_from(s[PAWN + 2], goal(n, 2), east, south, n) >= 0
    )


def keeps_paths(s: Words, east: int, south: int, wall_east: int, wall_south: int) -> bool:
    """The path rule: whether both pawns can still reach their goals after a wall on an open edge, the one bit of the
    last two words.

    A wall that ends at a post which no other touches separates no cells: its two cells stay joined around that post, by
    the three other edges there. This settles most walls without a search. `loose` has these posts, each as the cell
    whose lower right corner it is; none is on the rim, since a cell of the last column or row lacks an edge.
    """
    n = s[SIZE]
    loose = east & (east >> n) & south & (south >> 1)
    if loose & (wall_east | (wall_east >> n) | wall_south | (wall_south >> 1)):
        return True
    return has_paths(s, east ^ wall_east, south ^ wall_south)


def find_routes(s: Words) -> None:
    """Keep a shortest path of each player in scratch: a wall that lies on neither blocks neither player."""
    n, east, south = s[SIZE], s[EAST], s[SOUTH]
    for player in range(1, 3):
        cell, steps = s[PAWN + player], 0
        reached = goal(n, player)
        s[LAYERS] = reached
        while ((reached >> cell) & 1) == 0:
            reached |= neighbours(reached, east, south, n)
            steps += 1
            s[LAYERS + steps] = reached
        s[LENGTH + player] = steps
        route_east, route_south = 0, 0
        while steps > 0:
            steps -= 1
            nearer = s[LAYERS + steps]
            if (east >> cell) & 1 and (nearer >> (cell + 1)) & 1:
                route_east |= 1 << cell
                cell += 1
            elif (south >> cell) & 1 and (nearer >> (cell + n)) & 1:
                route_south |= 1 << cell
                cell += n
            elif cell > 0 and (east >> (cell - 1)) & 1 and (nearer >> (cell - 1)) & 1:
                cell -= 1
                route_east |= 1 << cell
            else:
                cell -= n
                route_south |= 1 << cell
        s[ROUTE_EAST + player] = route_east
        s[ROUTE_SOUTH + player] = route_south


def on_route(s: Words, player: int, edge: int) -> bool:
    """Whether an edge lies on the path that `find_routes` kept for a player."""
    n = s[SIZE]
    routes = s[ROUTE_EAST + player] if is_east(n, edge) else s[ROUTE_SOUTH + player]
    return ((routes >> first_cell(n, edge)) & 1) != 0


def step_cells(s: Words, player: int) -> int:
    """The cells a player may step to."""
    pawn, other = 1 << s[PAWN + player], 1 << s[PAWN + 3 - player]
    return neighbours(pawn, s[EAST], s[SOUTH], s[SIZE]) & ~other


def jump_cells(s: Words, player: int) -> int:
    """The cell a player may jump to, if any: straight behind the opponent next to its pawn, with no wall on the way."""
    n, east, south = s[SIZE], s[EAST], s[SOUTH]
    here, over = s[PAWN + player], s[PAWN + 3 - player]
    behind = 2 * over - here
    if s[JUMPS + player] == 0 or behind < 0 or ((neighbours(1 << here, east, south, n) >> over) & 1) == 0:
        return 0
    return neighbours(1 << over, east, south, n) & (1 << behind)


def may_step(s: Words, player: int, cell: int) -> bool:
    return ((step_cells(s, player) >> cell) & 1) != 0


def may_jump(s: Words, player: int, cell: int) -> bool:
    return ((jump_cells(s, player) >> cell) & 1) != 0


def may_wall(s: Words, player: int, edge: int) -> bool:
    if s[WALLS + player] == 0 or not is_open(s, edge):
        return False
    n = s[SIZE]
    bit = 1 << first_cell(n, edge)
    if is_east(n, edge):
        return keeps_paths(s, s[EAST], s[SOUTH], bit, 0)
    return keeps_paths(s, s[EAST], s[SOUTH], 0, bit)


def may_rotate(s: Words, player: int, edge: int, way: int) -> bool:
    n = s[SIZE]
    target = turned(n, edge, way)
    if s[ROTATIONS + player] == 0 or is_open(s, edge) or target < 0 or not is_open(s, target):
        return False
    old, new = 1 << first_cell(n, edge), 1 << first_cell(n, target)
    if is_east(n, edge):
        return keeps_paths(s, s[EAST] ^ old, s[SOUTH], 0, new)
    return keeps_paths(s, s[EAST], s[SOUTH] ^ old, new, 0)


def permitted(s: Words, player: int, action: int) -> bool:
    """Whether a player to move may do this; passing aside."""
    n = s[SIZE]
    if action < n * n:
        return may_step(s, player, action)
    if action < pass_action(n):
        return may_wall(s, player, action - n * n)
    action -= pass_action(n) + 1
    if action < 0:
        return False
    if action < n * n:
        return may_jump(s, player, action)
    action -= n * n
    return may_rotate(s, player, action // 4, action % 4)


def stuck(s: Words, player: int) -> bool:
    """Whether a player has nothing to do but pass."""
    n = s[SIZE]
    for action in range(action_count(n, s[HAS_JUMP], s[HAS_ROTATE])):
        if permitted(s, player, action):
            return False
    return True


def legal(s: Words, action: int) -> bool:
    player = s[TURN]
    if player == OVER:
        return False
    if action == pass_action(s[SIZE]):
        return stuck(s, player)
    return permitted(s, player, action)


def actions(s: Words, out: Words) -> int:
    """Kind by kind, cell by cell; only walls on a shortest path of somebody need a closer look."""
    n, player, count = s[SIZE], s[TURN], 0
    find_routes(s)
    steps = step_cells(s, player)
    for cell in range(n * n):
        if (steps >> cell) & 1:
            out[count] = cell
            count += 1
    if s[WALLS + player] > 0:
        count = add_walls(s, out, count)
    skills = pass_action(n) + 1
    jumps = jump_cells(s, player)
    if jumps:
        out[count] = skills + nth(jumps, 0)
        count += 1
    if s[ROTATIONS + player] > 0:
        for turn in range(4 * edge_count(n)):
            if may_rotate(s, player, turn // 4, turn % 4):
                out[count] = skills + n * n + turn
                count += 1
    if count == 0:
        out[0] = pass_action(n)
        return 1
    return count


def add_walls(s: Words, out: Words, count: int) -> int:
    """Append the legal walls to the first `count` actions, in the order of their numbers; return the new count."""
    n, east, south = s[SIZE], s[EAST], s[SOUTH]
    risky_east = s[ROUTE_EAST + 1] | s[ROUTE_EAST + 2]
    risky_south = s[ROUTE_SOUTH + 1] | s[ROUTE_SOUTH + 2]
    for cell in range(n * n):
        bit = 1 << cell
        if east & bit and (not risky_east & bit or keeps_paths(s, east, south, bit, 0)):
            out[count] = n * n + east_edge(n, cell)
            count += 1
    for cell in range(n * (n - 1)):
        bit = 1 << cell
        if south & bit and (not risky_south & bit or keeps_paths(s, east, south, 0, bit)):
            out[count] = n * n + south_edge(n, cell)
            count += 1
    return count


def pick(s: Words, r: Words) -> int:
    """Draw from all candidates; one that is not permitted is put aside, which leaves the others equally likely."""
    n, player, left = s[SIZE], s[TURN], find_candidates(s)
    while left > 0:
        k, kind = below(r, left), 0
        while k >= popcount(s[KIND + kind]):
            k -= popcount(s[KIND + kind])
            kind += 1
        cell = nth(s[KIND + kind], k)
        action = action_of(n, kind, cell)
        if permitted(s, player, action):
            return action
        s[KIND + kind] ^= 1 << cell
        left -= 1
    return pass_action(n)


def find_candidates(s: Words) -> int:
    """Write down, by kind, every legal action and some that are not; return how many.

    Walls are all that have an open edge, whatever the path rule says; rotations are all ways to turn all walls.
    """
    n, player, east, south = s[SIZE], s[TURN], s[EAST], s[SOUTH]
    has_wall, has_rotation = s[WALLS + player] > 0, s[ROTATIONS + player] > 0
    s[KIND + STEP] = step_cells(s, player)
    s[KIND + EAST_WALL] = east if has_wall else 0
    s[KIND + SOUTH_WALL] = south if has_wall else 0
    s[KIND + JUMP] = jump_cells(s, player)
    for way in range(4):
        s[KIND + EAST_ROTATION + way] = east_edges(n) ^ east if has_rotation else 0
        s[KIND + SOUTH_ROTATION + way] = south_edges(n) ^ south if has_rotation else 0
    count = 0
    for kind in range(KINDS):
        count += popcount(s[KIND + kind])
    return count


def action_of(n: int, kind: int, cell: int) -> int:
    """The number of the action of a kind that goes to a cell, or that has to do with its east or south edge."""
    if kind == STEP:
        return cell
    if kind == EAST_WALL:
        return n * n + east_edge(n, cell)
    if kind == SOUTH_WALL:
        return n * n + south_edge(n, cell)
    skills = pass_action(n) + 1
    if kind == JUMP:
        return skills + cell
    if kind < SOUTH_ROTATION:
        return skills + n * n + 4 * east_edge(n, cell) + kind - EAST_ROTATION
    return skills + n * n + 4 * south_edge(n, cell) + kind - SOUTH_ROTATION


def perform(s: Words, action: int) -> None:
    n, player = s[SIZE], s[TURN]
    skill = action - pass_action(n) - 1
    s[PLY] += 1
    if action < n * n:
        s[PAWN + player] = action
    elif action < pass_action(n):
        toggle(s, action - n * n)
        s[WALLS + player] -= 1
        s[SEEN] = 0
    elif skill >= n * n:
        edge, way = (skill - n * n) // 4, (skill - n * n) % 4
        toggle(s, edge)
        toggle(s, turned(n, edge, way))
        s[ROTATIONS + player] -= 1
        s[SEEN] = 0
    elif skill >= 0:
        s[PAWN + player] = skill
        s[JUMPS + player] -= 1
        s[SEEN] = 0
    s[TURN] = 3 - player
    if (goal(n, player) >> s[PAWN + player]) & 1:
        s[WINNER] = player
        s[TURN] = OVER
    elif remember(s) >= 3 or s[PLY] == LONGEST:
        s[TURN] = OVER


def code(s: Words) -> int:
    """The pawns and the player to move as one number."""
    return (s[PAWN + 1] * 64 + s[PAWN + 2]) * 4 + s[TURN]


def remember(s: Words) -> int:
    """Add the position to the list; return how often it has now been there."""
    current = code(s)
    s[PAST + s[SEEN]] = current
    s[SEEN] += 1
    times = 0
    for k in range(s[SEEN]):
        if s[PAST + k] == current:
            times += 1
    return times


def chances(s: Words, out: Words, weights: Weights) -> int:
    return 0


def draw(s: Words, r: Words) -> int:
    return -1


def score(s: Words, player: int) -> float:
    """1 for a win, a half for a draw, 0 for a loss and as long as the game goes on."""
    if s[TURN] != OVER:
        return 0.0
    if s[WINNER] == 0:
        return 0.5
    return 1.0 if s[WINNER] == player else 0.0


def winner(s: Words) -> int:
    return s[WINNER]


def moves(s: Words, made: int) -> int:
    """Plies, of both players."""
    return made


def tally(s: Words, counts: Words) -> None:
    """One map: the walls that stand at the end."""
    for edge in range(edge_count(s[SIZE])):
        if not is_open(s, edge):
            counts[edge] += 1
