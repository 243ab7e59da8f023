"""The settler's tree search for Gamma: plain functions that run interpreted and compiled, like the rules.

Each simulation goes down a tree, then plays the game out as strong players tend to (`taste`). Whoever takes a cell
mostly wants it whatever came before, so every cell a player took in a simulation also says something about taking it at
once (all moves as first): that is what makes a few hundred simulations enough on a board with a hundred cells. Where a
node has been visited seldom this hearsay counts, and how likely the taste makes a move; later its own results do.

The tree is a pool of nodes, the children of a node one after the other. A node whose end is certain says so.
"""

from __future__ import annotations

from math import sqrt

from rookery.core.rules import OVER, STATE_SIZE, TURN
from rookery.core.stream import below
from rookery.games.gamma.bots.prior import appeal, closeness, is_tight
from rookery.games.gamma.bots.proof import DRAW, certain
from rookery.games.gamma.rules import (
    AREAS,
    CELLS,
    FIRST_PASS,
    FREE,
    HEIGHT,
    LIMIT,
    OWNER,
    PASSES_END,
    PLAYERS,
    WIDTH,
    actions,
    cell_of,
    free,
    may_take,
    move,
    next_player,
    perform,
    place_of,
    take,
    touches,
    winner,
)
from rookery.search.control import LIMIT as MOST_NODES
from rookery.search.control import NODES, STOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Weights, Words

ACTION, VISITS, FIRST, COUNT, MOVER, HEARD, PROOF, WHOLE = 0, 1, 2, 3, 4, 5, 6, 7
"""The rows of `tree`, for each node: the action that leads to it (at the root, the one to be avoided), how often it was
visited, its first child, how many there are, who moves there, how often it was heard of, how the game will end, and
whether all actions are children."""
FIELDS = 8

SUM, WON, LEAD, HEARSAY, PRIOR = 0, 1, 2, 3, 4
"""The rows of `sums`, for each node and the player who moved there: rewards, wins, cells ahead, rewards heard of; and
how likely the taste makes the move."""
REALS = 5

RIPE = 2
"""Visits after which a node gets children."""
EXPLORE = 0.5
"""How much the taste counts for a child that has been tried little."""
TRUST = 600.0
"""The visits, three times over, after which a node's own results count as much as what was heard of it."""
UNKNOWN = 0.5
"""What a child is worth that was neither visited nor heard of."""
MARGIN_SHARE = 0.2
"""The share of a reward that depends on how many cells somebody is ahead; the rest is for winning."""
MARGIN = 5.0
"""With a lead of so many cells half of that share is earned."""
NEARBY = 300
"""Of 1024 moves in a play-out, those that are answers close to the last one."""
BESIDE = 1.5
"""How much likelier than at its corners an answer is at the sides of the last move."""
TRIES = 4
"""Draws after which the best of them is taken."""
KEEN = 8.0
"""The appeal of a move that is taken as soon as it is drawn."""
GOLDEN_APPEAL = 0.1
PASS_APPEAL = 0.01
FEW_MOVES = 6
"""With no more moves than this, golden moves are looked at too."""
FEW_ACTIONS = 16
"""With no more actions than this, all are looked at, a pass too."""
ENOUGH = 200
"""Simulations after which a search with a proven end may stop."""
DEEPEST = 512
"""Nodes on a way down the tree at most."""

NO_ACTION = -1
"""What is to be avoided where several play and passes end the game: nothing. Else it is the pass."""

LAST, USED = 0, 1
"""The words of `plan`: the place of the last move, 0 if there is none; the nodes in use."""
PLANS = 2


def search(
    root: Words,
    s: Words,
    r: Words,
    control: Words,
    plan: Words,
    tree: Sequence[Words],
    sums: Sequence[Weights],
    pool: Words,
    seat: Words,
    when: Words,
    path: Words,
    out: Words,
    notes: Words,
    taste: Weights,
    reward: Weights,
    lead: Weights,
    won: Weights,
) -> None:
    """Grow a tree from the position `root` until the search is stopped or nothing is left to find out.

    All else are buffers: `s` for a position, `pool` and `seat` for the free places and where they stand in the pool,
    `when` for who took a cell first and when, `path` for the way down the tree, `out` for actions, `notes` for
    what is certain; `reward`, `lead` and `won` have a place for each player. `taste` holds the factors of the taste.
    """
    if control[STOP]:
        return
    for action in range(len(when)):
        when[action] = 0
    cells, crowd = root[WIDTH] * root[HEIGHT], root[PLAYERS] + 1
    clear(tree, sums, 0, NO_ACTION if root[PLAYERS] > 2 and root[PASSES_END] else 2 * cells, 0.0)
    plan[USED] = 1
    now = 0
    while tree[PROOF][0] == 0 or control[NODES] < ENOUGH:
        if control[MOST_NODES] > 0 and control[NODES] >= control[MOST_NODES]:
            control[STOP] = 1
        if control[STOP]:
            return
        now += (3 * cells + DEEPEST) * crowd
        restore(root, s)
        depth, last = descend(s, plan, tree, sums, when, now, path, out, notes, taste)
        playout(s, r, control, pool, seat, when, now, depth, last, taste)
        if control[STOP]:
            return
        control[NODES] += 1
        reckon(s, reward, lead, won)
        learn(tree, sums, when, now, crowd, path, depth, reward, lead, won)
        if tree[COUNT][0] == 1:
            return


def restore(root: Words, s: Words) -> None:
    """Write the root's position into `s`; scratch stays, but nothing vouches for it."""
    state_size = root[STATE_SIZE]
    for word in range(state_size):
        s[word] = root[word]
    s[state_size] = 0


def clear(tree: Sequence[Words], sums: Sequence[Weights], node: int, action: int, prior: float) -> None:
    """Set up a node that nobody has visited."""
    for field in range(FIELDS):
        tree[field][node] = 0
    tree[ACTION][node] = action
    for field in range(REALS):
        sums[field][node] = 0.0
    sums[PRIOR][node] = prior


def descend(
    s: Words,
    plan: Words,
    tree: Sequence[Words],
    sums: Sequence[Weights],
    when: Words,
    now: int,
    path: Words,
    out: Words,
    notes: Words,
    taste: Weights,
) -> tuple[int, int]:
    """Go down the tree as far as it reaches; return how many actions that were, and the last place."""
    node, depth, last = 0, 0, plan[LAST]
    cells, crowd = s[WIDTH] * s[HEIGHT], s[PLAYERS] + 1
    path[0] = 0
    while s[TURN] != OVER and depth < DEEPEST - 1:
        if tree[COUNT][node] == 0:
            if node > 0 and (tree[VISITS][node] < RIPE or is_waiting(s)):
                break
            if not expand(s, plan, tree, sums, node, last, out, notes, taste):
                break
        node = select(tree, sums, node)
        action = tree[ACTION][node]
        if when[action] < now:
            when[action] = now + depth * crowd + s[TURN]
        last = place_of(s, action % cells) if action < 2 * cells else 0
        perform(s, action)
        depth += 1
        path[depth] = node
    if s[TURN] == OVER and s[PLAYERS] > 1:
        found = winner(s)
        tree[PROOF][node] = found if found > 0 else DRAW if s[PLAYERS] == 2 else 0
    return depth, last


def is_waiting(s: Words) -> bool:
    """Whether one of several players has nothing left but the golden move. Then it may pay to wait, if there is an end
    to waiting, and whom the others take from is a matter of taste: what comes after is played out, not calculated.
    """
    return s[PLAYERS] > 2 and s[PASSES_END] != 0 and free(s, s[TURN]) == 0


def may_wait(s: Words) -> bool:
    """Whether the player to move can pass without ending the game."""
    player = s[TURN]
    return next_player(s, player) != (s[FIRST_PASS] if s[FIRST_PASS] > 0 else player)


def expand(
    s: Words,
    plan: Words,
    tree: Sequence[Words],
    sums: Sequence[Weights],
    node: int,
    last: int,
    out: Words,
    notes: Words,
    taste: Weights,
) -> bool:
    """Give a node its children, unless there is no room left, or its end is certain."""
    if node > 0 and tree[PROOF][node] == 0:
        tree[PROOF][node] = certain(s, notes)
    if plan[USED] + len(out) > len(tree[ACTION]):
        return False
    count, cells, player = actions(s, out), s[WIDTH] * s[HEIGHT], s[TURN]
    waiting = is_waiting(s)
    if waiting and s[FREE] == 0:
        count = leave_one_each(s, out, count)
    few = free(s, player) <= FEW_MOVES
    every = count <= FEW_ACTIONS and s[PASSES_END] != 0
    full, tight = s[s[AREAS] + player] >= s[LIMIT], is_tight(s, player)
    first, total = plan[USED], 0.0
    child = first
    for k in range(count):
        action = out[k]
        if action < cells:
            place = place_of(s, action)
            prior = appeal(s, player, place, full, tight, taste) * closeness(s, place, last, taste)
        elif waiting and action < 2 * cells and may_wait(s) and touches(s, place_of(s, action - cells), 0) == 0:
            continue  # it opens nothing, and can as well be made later
        elif not every and (child > first and not waiting if action == 2 * cells else not few):
            continue
        else:
            prior = GOLDEN_APPEAL if action < 2 * cells else PASS_APPEAL
        clear(tree, sums, child, action, prior)
        total += prior
        child += 1
    for other in range(first, child):
        sums[PRIOR][other] /= total
    tree[FIRST][node] = first
    tree[COUNT][node] = child - first
    tree[MOVER][node] = player
    tree[WHOLE][node] = 1 if child - first == count else 0
    plan[USED] = child
    return True


def leave_one_each(s: Words, out: Words, count: int) -> int:
    """On a full board, of the golden moves leave one for each player that they take from; return how many actions that
    makes. Who does not take one yet can still do so when others have.
    """
    cells, left = s[WIDTH] * s[HEIGHT], 0
    for k in range(count):
        alike = False
        for j in range(left):
            if out[k] < 2 * cells and owner_at(s, out[j] - cells) == owner_at(s, out[k] - cells):
                alike = True
        if not alike:
            out[left] = out[k]
            left += 1
    return left


def owner_at(s: Words, cell: int) -> int:
    """Who owns a cell."""
    return s[s[OWNER] + place_of(s, cell)]


def select(tree: Sequence[Words], sums: Sequence[Weights], node: int) -> int:
    """The child to visit next: by its results, by what was heard of it, and by taste; a lost one only if all are."""
    first, count, mover = tree[FIRST][node], tree[COUNT][node], tree[MOVER][node]
    keen = EXPLORE * sqrt(tree[VISITS][node] + 1.0)
    best, found = -2.0, first
    for child in range(first, first + count):
        visits, heard = tree[VISITS][child], tree[HEARD][child]
        value = UNKNOWN
        if heard > 0:
            value = sums[HEARSAY][child] / heard
        if visits > 0:
            own = sums[SUM][child] / visits
            if heard > 0:
                share = sqrt(TRUST / (3.0 * visits + TRUST))
                value = (1.0 - share) * own + share * value
            else:
                value = own
        value += keen * sums[PRIOR][child] / (visits + 1.0)
        if tree[PROOF][child] > 0 and tree[PROOF][child] != mover:
            value = -1.0
        if value > best:
            best, found = value, child
    return found


def playout(
    s: Words,
    r: Words,
    control: Words,
    pool: Words,
    seat: Words,
    when: Words,
    now: int,
    made: int,
    last: int,
    taste: Weights,
) -> None:
    """Play the game to its end, each player to its taste, and never passing with something to take."""
    cells, crowd = s[WIDTH] * s[HEIGHT], s[PLAYERS] + 1
    left = gather(s, pool, seat)
    while s[TURN] != OVER and not control[STOP]:
        player = s[TURN]
        if free(s, player) > 0:
            last = pick_move(s, r, pool, left, player, last, taste)
            left -= 1
            seat[pool[left]] = seat[last]
            pool[seat[last]] = pool[left]
            action = cell_of(s, last)
            move(s, player, last)
        elif waits(s, player):
            s[TURN] = next_player(s, player)
            continue
        else:
            last = pick_golden(s, r, player)
            action = cells + cell_of(s, last)
            take(s, player, last)
        if when[action] < now:
            when[action] = now + made * crowd + player
        made += 1
        following = next_player(s, player)
        s[TURN] = following if following > 0 else OVER


def waits(s: Words, player: int) -> bool:
    """Whether a player with nothing but the golden move keeps it for now: among several the last to take is the best
    off, so not before all the others are out of moves.
    """
    if s[PLAYERS] > 2:
        for other in range(1, s[PLAYERS] + 1):
            if other != player and free(s, other) > 0:
                return True
    return False


def gather(s: Words, pool: Words, seat: Words) -> int:
    """Write the free places into the pool, and where each stands there; return how many."""
    count, up = 0, s[WIDTH] + 1
    for place in range(up, up * (s[HEIGHT] + 1)):
        if s[s[OWNER] + place] == 0:
            pool[count] = place
            seat[place] = count
            count += 1
    return count


def pick_move(s: Words, r: Words, pool: Words, left: int, player: int, last: int, taste: Weights) -> int:
    """A place for a player who has a move, the likelier the more it appeals; often close to the last one."""
    full, tight = s[s[AREAS] + player] >= s[LIMIT], is_tight(s, player)
    found, most = 0, 0.0
    if last > 0 and below(r, 1024) < NEARBY:
        up = s[WIDTH] + 1
        for k in range(8):
            place = last + around(k, up)
            if place > 0 and s[s[OWNER] + place] == 0:
                value = appeal(s, player, place, full, tight, taste)
                if k < 4:
                    value *= BESIDE
                most += value
                if below(r, 65536) * most < value * 65536.0:
                    found = place
        if found > 0:
            return found
    most = 0.0
    for _ in range(TRIES):
        place = pool[below(r, left)]
        value = appeal(s, player, place, full, tight, taste)
        if below(r, 65536) * KEEN < value * 65536.0:
            return place
        if value > most:
            found, most = place, value
    if found > 0:
        return found
    at = below(r, left)
    while full and touches(s, pool[at], player) == 0:
        at = at + 1 if at + 1 < left else 0
    return pool[at]


def around(k: int, up: int) -> int:
    """From a place to its k-th neighbour: the sides, then the corners."""
    if k < 4:
        return up if k == 0 else 1 if k == 1 else -up if k == 2 else -1
    return up + 1 if k == 4 else up - 1 if k == 5 else 1 - up if k == 6 else -up - 1


def pick_golden(s: Words, r: Words, player: int) -> int:
    """A place for a player who has nothing but the golden move: one that opens most, and then of who will have most."""
    up, cells = s[WIDTH] + 1, s[WIDTH] * s[HEIGHT]
    best, found, equals = -1, 0, 0
    for place in range(up, up * (s[HEIGHT] + 1)):
        whose = s[s[OWNER] + place]
        if whose > 0 and whose != player:
            gain = touches(s, place, 0) * 4 * cells + 2 * s[s[CELLS] + whose] + free(s, whose)
            if gain >= best and may_take(s, player, place):
                if gain > best:
                    best, found, equals = gain, place, 1
                else:
                    equals += 1
                    if below(r, equals) == 0:
                        found = place
    return found


def reckon(s: Words, reward: Weights, lead: Weights, won: Weights) -> None:
    """Write down for each player at the end its share of the win, its lead over the best other, and its reward."""
    players = s[PLAYERS]
    best, second, equals = -1, -1, 0
    for player in range(1, players + 1):
        has = s[s[CELLS] + player]
        if has > best:
            best, second, equals = has, best, 1
        elif has == best:
            second, equals = has, equals + 1
        elif has > second:
            second = has
    for player in range(1, players + 1):
        has = s[s[CELLS] + player]
        ahead = has - (second if has == best else best) if players > 1 else has
        size = ahead if ahead > 0 else -ahead
        lead[player] = float(ahead)
        won[player] = 1.0 / equals if has == best else 0.0
        margin = 0.5 + 0.5 * ahead / (MARGIN + size)
        reward[player] = (1.0 - MARGIN_SHARE) * won[player] + MARGIN_SHARE * margin


def learn(
    tree: Sequence[Words],
    sums: Sequence[Weights],
    when: Words,
    now: int,
    crowd: int,
    path: Words,
    depth: int,
    reward: Weights,
    lead: Weights,
    won: Weights,
) -> None:
    """Add the end of a simulation to the nodes on its way, and to what was heard of their sisters."""
    for k in range(depth - 1, -1, -1):
        node, child = path[k], path[k + 1]
        mover = tree[MOVER][node]
        value = reward[mover]
        tree[VISITS][child] += 1
        sums[SUM][child] += value
        sums[WON][child] += won[mover]
        sums[LEAD][child] += lead[mover]
        since = now + k * crowd
        first, count = tree[FIRST][node], tree[COUNT][node]
        for other in range(first, first + count):
            taken = when[tree[ACTION][other]]
            if taken >= since and (taken - since) % crowd == mover:
                tree[HEARD][other] += 1
                sums[HEARSAY][other] += value
        if tree[PROOF][child] != 0 and tree[PROOF][node] == 0:
            prove(tree, node)
    tree[VISITS][0] += 1


def prove(tree: Sequence[Words], node: int) -> None:
    """Tell the end of a node from its children: the mover's win if there is one, else the best if all are certain."""
    first, count, mover = tree[FIRST][node], tree[COUNT][node], tree[MOVER][node]
    other, drawn, open_end = 0, False, tree[WHOLE][node] == 0
    for child in range(first, first + count):
        proof = tree[PROOF][child]
        if proof == mover:
            tree[PROOF][node] = mover
            return
        if proof == DRAW:
            drawn = True
        elif proof == 0 or (other > 0 and proof != other):
            open_end = True
        else:
            other = proof
    if not open_end:
        tree[PROOF][node] = DRAW if drawn else other


def best_child(tree: Sequence[Words], sums: Sequence[Weights], node: int) -> int:
    """The child to be trusted most, 0 if there are none: one that keeps what is certain, and does not lose for certain,
    if there is one; then by its visits, its rewards and the taste.
    """
    first, count = tree[FIRST][node], tree[COUNT][node]
    best = 0
    for child in range(first, first + count):
        if best == 0 or is_better(tree, sums, node, child, best):
            best = child
    return best


def is_better(tree: Sequence[Words], sums: Sequence[Weights], node: int, one: int, other: int) -> bool:
    """Whether one child of a node is to be trusted more than another."""
    end, mover = tree[PROOF][node], tree[MOVER][node]
    merit, merit_of_other = rank(tree[PROOF][one], mover, end), rank(tree[PROOF][other], mover, end)
    if merit != merit_of_other:
        return merit > merit_of_other
    if (tree[ACTION][one] == tree[ACTION][0]) != (tree[ACTION][other] == tree[ACTION][0]):
        return tree[ACTION][other] == tree[ACTION][0]  # who wins anyway had better not pass cells up
    if tree[VISITS][one] != tree[VISITS][other]:
        return tree[VISITS][one] > tree[VISITS][other]
    if sums[SUM][one] != sums[SUM][other]:
        return sums[SUM][one] > sums[SUM][other]
    return sums[PRIOR][one] > sums[PRIOR][other]


def rank(proof: int, mover: int, end: int) -> int:
    """Of children: 2 for one that keeps a certain win or draw, 0 for a certain loss, 1 for any other."""
    if proof == end and (end == mover or end == DRAW):
        return 2
    return 0 if proof > 0 and proof != mover else 1


def visited(tree: Sequence[Words], node: int, out: Words) -> int:
    """Write the children that have been visited into `out`; return how many."""
    count = 0
    for child in range(tree[FIRST][node], tree[FIRST][node] + tree[COUNT][node]):
        if tree[VISITS][child] > 0:
            out[count] = child
            count += 1
    return count
