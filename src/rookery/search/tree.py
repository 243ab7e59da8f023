"""Monte Carlo tree search: a generic algorithm over the rule functions, specialised per game by `compiled.py`.

Each play-out goes down the tree from the root, every player preferring what has brought it most and what has been
tried least (UCT, with a reward of its own for each player), chance drawing its outcomes; then `rules.pick` plays the
game to its end, and every node on the way learns how it went. Where actions are many, an action is also judged by the
games in which it came later (RAVE). `rules` may be a *guide* instead: a module with the same functions, but with an
`actions` that leaves out what is not worth a look, or a `pick` that plays better than at random.

The tree is a pool of nodes. Node 0 is the root; the children of a node follow each other, except those of a chance
node, which come one by one and are linked. Positions are not kept: each play-out replays its way from the root.
"""

from __future__ import annotations

from math import inf, sqrt

from rookery.core.rules import CHANCE, OVER, STATE_SIZE, TURN
from rookery.core.stream import below
from rookery.search.control import LIMIT, NODES, STOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Rules, Weights, Words

rules: Rules = None  # type: ignore[assignment]
"""The game's rules, or a guide; there are none until the module is specialised."""

ACTION, VISITS, FIRST, COUNT, NEXT, PROOF, KIN = 0, 1, 2, 3, 4, 5, 6
"""The rows of `tree`, for each node: the action or outcome that leads to it, how often it was visited, its first child,
how many children follow each other there, the next child of the same chance node, how the game will end, and its kin:
games through its parent in which the same player did the same, then or later."""
FIELDS = 7

REWARDS, KIN_REWARDS, LEADS = 0, 1, 2
"""The rows of `sums`, for each node: the rewards of the player who moved there, in its games and in those of its kin;
for children of the root also by how many points the player to move came out ahead of the best other."""
SUMS = 3

DRAW = -1
"""The proof that neither of two players can win; a player's number is the proof that this player can, 0 is none."""

PLAYERS, POINTS, MOST, RIPE, LEAST, USED, PLIES = 0, 1, 2, 3, 4, 5, 6
"""The words of `plan`: how many players there are; 1 if a player alone collects points, and does not win or lose; the
actions after which a play-out is broken off; the visits after which a node gets children; how many actions there must
be for more than one play-out; the nodes in use; the plies of the last play-out."""
PLANS = 7

EXPLORE, RAVE, LOW, HIGH, BEST, SHARE, LEAD = 0, 1, 2, 3, 4, 5, 6
"""The words of `scale`: how much a child gains by having been tried little; the visits up to which its kin count more
than its own games (0: never); the least and the most reward there can be or, with points, there has been. Then of the
last play-out: the best score, what it was worth, and the lead of the player at the root."""
SCALES = 7

EVERY = 8
"""One of so many visits of a node goes to a child that was not tried."""
WIDEST = 4096
"""A node with more actions than this gets only some of them as children."""
SOME = 256
"""So many."""
DEEPEST = 512
"""Nodes on a way down the tree at most."""
TRACED = 4096
"""Plies of a play-out that are noted."""


def search(
    root: Words,
    s: Words,
    r: Words,
    control: Words,
    plan: Words,
    scale: Weights,
    tree: Sequence[Words],
    sums: Sequence[Weights],
    path: Words,
    trace: Words,
    out: Words,
    seen: Words,
) -> None:
    """Grow a tree from the position `root` until the search is stopped or its end is proven.

    The others are buffers: `s` for a position and one word more, `path` for the nodes on the way down the tree, `trace`
    for the actions of a play-out, each with who made it, `out` and `seen` for all actions of the game.
    """
    if control[STOP]:
        return
    for word in range(root[STATE_SIZE], len(s)):
        s[word] = 0
    for action in range(len(seen)):
        seen[action] = 0
    plan[USED] = 1
    clear(tree, sums, 0, -1)
    while undecided(tree, plan, root[TURN]):
        if control[LIMIT] > 0 and control[NODES] >= control[LIMIT]:
            control[STOP] = 1
        restore(root, s)
        depth = simulate(s, r, control, plan, scale, tree, sums, path, trace, out)
        if depth == 0:
            return
        control[NODES] += 1
        judge(s, plan, scale, root[TURN])
        learn(s, scale, tree, sums, path, trace, depth)
        if scale[RAVE] > 0.0:
            learn_of_kin(s, plan, scale, tree, sums, path, trace, seen, depth, control[NODES])


def undecided(tree: Sequence[Words], plan: Words, me: int) -> bool:
    """Whether there is more to find out: if a win is proven, whether an action not tried yet would win at once."""
    if tree[VISITS][0] == 0:
        return True
    first, count, proof = tree[FIRST][0], tree[COUNT][0], tree[PROOF][0]
    if proof == 0 or count < plan[LEAST]:
        return count >= plan[LEAST]
    left = False
    for child in range(first, first + count):
        if tree[PROOF][child] == me and tree[COUNT][child] == 0:
            return False
        if tree[VISITS][child] == 0:
            left = True
    return left and proof == me


def clear(tree: Sequence[Words], sums: Sequence[Weights], node: int, action: int) -> None:
    """Set up a node that nobody has visited."""
    for row in range(FIELDS):
        tree[row][node] = 0
    for row in range(SUMS):
        sums[row][node] = 0.0
    tree[ACTION][node] = action


def restore(root: Words, s: Words) -> None:
    """Write the root's position into `s`; scratch stays, but nothing vouches for it."""
    state_size = root[STATE_SIZE]
    for word in range(state_size):
        s[word] = root[word]
    s[state_size] = 0


def simulate(
    s: Words,
    r: Words,
    control: Words,
    plan: Words,
    scale: Weights,
    tree: Sequence[Words],
    sums: Sequence[Weights],
    path: Words,
    trace: Words,
    out: Words,
) -> int:
    """Play a game: down the tree as far as it goes, then as `pick` would; return how many nodes the way down has.

    It is 0 if the search was stopped meanwhile. One loop does both, so that each rule stands in it once: compiled, it
    is put in place of its call, and that takes the compiler long.
    """
    node, depth, ply, made, inside = 0, 1, 0, 0, True
    path[0] = 0
    while s[TURN] != OVER and made < plan[MOST]:
        if control[STOP]:
            return 0
        mover, child, action = s[TURN], 0, 0
        if inside:
            inside = depth < DEEPEST and (node == 0 or tree[VISITS][node] >= plan[RIPE])
            if inside and mover != CHANCE:
                inside = tree[COUNT][node] > 0 or expand(s, r, plan, tree, sums, node, out)
                if inside:
                    child = select(scale, tree, sums, node, mover)
        if child > 0:
            action = tree[ACTION][child]
        elif mover == CHANCE:
            action = rules.draw(s, r)
        else:
            action = rules.pick(s, r)
        if inside:
            if mover == CHANCE:
                child = outcome(plan, tree, sums, node, action)
            elif child == 0:
                child = untried(r, tree, node, action)
                action = tree[ACTION][child]
            inside = child > 0
        if inside:
            node = child
            path[depth] = node
            depth += 1
        if ply < TRACED:
            trace[2 * ply] = action
            trace[2 * ply + 1] = mover
            ply += 1
        rules.perform(s, action)
        if mover != CHANCE:
            made += 1
    plan[PLIES] = ply
    if inside and s[TURN] == OVER:
        prove(s, plan, tree, path, trace, depth)
    return depth


def expand(
    s: Words, r: Words, plan: Words, tree: Sequence[Words], sums: Sequence[Weights], node: int, out: Words
) -> bool:
    """Give a node its children, unless there is no room left."""
    first = plan[USED]
    room = len(tree[ACTION]) - first
    if room == 0:
        return False
    count = rules.actions(s, out)
    if count > WIDEST:
        count = some(r, out, count)
    if count > room:
        return False
    for k in range(count):
        clear(tree, sums, first + k, out[k])
    tree[FIRST][node] = first
    tree[COUNT][node] = count
    plan[USED] = first + count
    return True


def some(r: Words, out: Words, count: int) -> int:
    """Keep only some of so many actions, from all over the list and in its order; return how many."""
    for k in range(SOME):
        first, last = k * count // SOME, (k + 1) * count // SOME
        out[k] = out[first + below(r, last - first)]
    return SOME


def outcome(plan: Words, tree: Sequence[Words], sums: Sequence[Weights], node: int, action: int) -> int:
    """The child of a chance node for an outcome, made if it came up for the first time; 0 if there is no room."""
    child = tree[FIRST][node]
    while child != 0:
        if tree[ACTION][child] == action:
            return child
        child = tree[NEXT][child]
    child = plan[USED]
    if child == len(tree[ACTION]):
        return 0
    clear(tree, sums, child, action)
    tree[NEXT][child] = tree[FIRST][node]
    tree[FIRST][node] = child
    plan[USED] = child + 1
    return child


def select(scale: Weights, tree: Sequence[Words], sums: Sequence[Weights], node: int, player: int) -> int:
    """The child to visit next: a sure win, else the one with the highest bound on what it may be worth.

    It is 0 if that is any child that was not tried. Without RAVE, each is tried once before any other is again. With
    it, one that has no kin is taken to be worth what the others were on average; and now and then one has its turn
    whatever its kin say, lest a win at once be overlooked.
    """
    first, count = tree[FIRST][node], tree[COUNT][node]
    low, rave = scale[LOW], scale[RAVE]
    unit = 1.0 / (scale[HIGH] - low) if scale[HIGH] > low else 1.0
    spread = scale[EXPLORE] * sqrt(logarithm(tree[VISITS][node] + 1))
    best, chosen, won, fresh, left, tried, gained = -1.0, first, 0, False, False, 0, 0.0
    for child in range(first, first + count):
        visits, kin, proof = tree[VISITS][child], tree[KIN][child], tree[PROOF][child]
        if proof == player:
            won = child
        if visits == 0:
            left = True
            if kin == 0:
                fresh = True
                continue
        tried += visits
        gained += sums[REWARDS][child]
        if proof == 0:
            weight = sqrt(rave / (3.0 * visits + rave)) if kin > 0 else 0.0
            value = 0.0
            if kin > 0:
                value = weight * (sums[KIN_REWARDS][child] / kin - low)
            if visits > 0:
                value += (1.0 - weight) * (sums[REWARDS][child] / visits - low)
            value = value * unit + spread / sqrt(visits + 1.0)
        else:
            value = 0.5 if proof == DRAW else -1.0
        if value > best:
            best, chosen = value, child
    if won > 0 and (node > 0 or not left):
        return won
    if left and (won > 0 or tree[VISITS][node] % EVERY == 0):
        return 0
    if fresh and (tried == 0 or rave == 0.0 or (gained / tried - low) * unit > best):
        return 0
    return chosen


def logarithm(n: int) -> float:
    """The logarithm of a whole number to the base 2, straight lines between the powers: the same on every machine."""
    whole = 0
    while n >> (whole + 1) > 0:
        whole += 1
    return whole + n / (1 << whole) - 1.0


def untried(r: Words, tree: Sequence[Words], node: int, action: int) -> int:
    """The child for an action that `pick` came up with, if it was not tried; else another one that was not."""
    actions = tree[ACTION]
    first, last = tree[FIRST][node], tree[FIRST][node] + tree[COUNT][node]
    low, high = first, last
    while low < high:
        middle = (low + high) // 2
        if actions[middle] < action:
            low = middle + 1
        else:
            high = middle
    if low == last or actions[low] != action:
        low = first + below(r, last - first)
    while tree[VISITS][low] > 0:
        low = low + 1 if low + 1 < last else first
    return low


def prove(s: Words, plan: Words, tree: Sequence[Words], path: Words, trace: Words, depth: int) -> None:
    """Note how a game ended within the tree, and what that proves further up.

    A player who has a child that proves its win will win. If all children are proven and none is, so is the node: with
    two players, a draw if there is one; with more, only if one player wins in all of them.
    """
    players = plan[PLAYERS]
    proof = rules.winner(s)
    if proof == 0 and players == 2:
        proof = DRAW
    tree[PROOF][path[depth - 1]] = proof
    for k in range(depth - 2, -1, -1):
        node, mover = path[k], trace[2 * k + 1]
        if proof == 0 or mover == CHANCE:
            return
        if proof != mover:
            if tree[COUNT][node] == SOME:
                return  # it may have other actions
            for child in range(tree[FIRST][node], tree[FIRST][node] + tree[COUNT][node]):
                other = tree[PROOF][child]
                if other == 0 or (other != proof and players > 2):
                    return
                if other == DRAW:
                    proof = DRAW
        tree[PROOF][node] = proof


def judge(s: Words, plan: Words, scale: Weights, me: int) -> None:
    """Work out what a play-out was worth to whom.

    The best score is worth 1, shared among those who have it; a game that was broken off is shared among all. Who
    plays alone gets 1 for a win or, in a game of points, the points.
    """
    players = plan[PLAYERS]
    best, sharers, mine, other, others = 0.0, 0, 0.0, 0.0, 0
    for player in range(1, players + 1):
        points = rules.score(s, player)
        if sharers == 0 or points > best:
            best, sharers = points, 1
        elif points == best:
            sharers += 1
        if player == me:
            mine = points
        elif others == 0 or points > other:
            other, others = points, 1
    scale[LEAD] = mine - other
    scale[BEST] = best
    scale[SHARE] = 1.0 / sharers
    if players == 1:
        scale[SHARE] = best if plan[POINTS] else 1.0 if rules.winner(s) == 1 else 0.0
    elif s[TURN] != OVER:
        scale[BEST] = -inf
        scale[SHARE] = 1.0 / players
    if plan[POINTS]:
        scale[LOW] = min(scale[LOW], best)
        scale[HIGH] = max(scale[HIGH], best)


def reward(s: Words, scale: Weights, player: int) -> float:
    """What a play-out was worth to a player."""
    return scale[SHARE] if rules.score(s, player) >= scale[BEST] else 0.0


def learn(
    s: Words,
    scale: Weights,
    tree: Sequence[Words],
    sums: Sequence[Weights],
    path: Words,
    trace: Words,
    depth: int,
) -> None:
    """Let every node on the way down know how the game went."""
    for k in range(depth):
        node = path[k]
        tree[VISITS][node] += 1
        if k > 0 and trace[2 * k - 1] != CHANCE:
            sums[REWARDS][node] += reward(s, scale, trace[2 * k - 1])
    if depth > 1:
        sums[LEADS][path[1]] += scale[LEAD]


def learn_of_kin(
    s: Words,
    plan: Words,
    scale: Weights,
    tree: Sequence[Words],
    sums: Sequence[Weights],
    path: Words,
    trace: Words,
    seen: Words,
    depth: int,
    number: int,
) -> None:
    """Let children of nodes on the way down know how it went, if their action was made from there on.

    Going up, `seen` notes for every action of this play-out, which has a number of its own, who made it first.
    """
    base = number * (plan[PLAYERS] + 1)
    last = plan[PLIES]
    for k in range(depth - 1, -1, -1):
        for ply in range(last - 1, k - 1, -1):
            if trace[2 * ply + 1] != CHANCE:
                seen[trace[2 * ply]] = base + trace[2 * ply + 1]
        last = k
        node, mover = path[k], trace[2 * k + 1]
        if tree[COUNT][node] > 0:
            gain = reward(s, scale, mover)
            for child in range(tree[FIRST][node], tree[FIRST][node] + tree[COUNT][node]):
                if seen[tree[ACTION][child]] == base + mover:
                    tree[KIN][child] += 1
                    sums[KIN_REWARDS][child] += gain
