"""Monte Carlo tree search for any game: a kernel over the rule functions, specialised per game by `compiling.py`.

Each simulation descends the tree by UCT (Kocsis & Szepesvári 2006), with rewards per player and outcomes drawn at
chance nodes; then `rules.pick` plays the game to its end, and the result is backpropagated. In games with many actions,
RAVE (Gelly & Silver 2011) adds statistics of actions that came later in a simulation. Ends of the game that the tree
reaches are proven upwards (MCTS-Solver: Winands, Björnsson & Saito 2008).

`rules` may be a module of a bot instead of the game's (`Mcts.search_rules`): the same functions, but with an `actions`
that leaves out poor ones, or a `pick` that plays better than at random. Children of chance nodes are created one by one
and linked.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import NamedTuple

from rookery.core.rules import CHANCE, OVER, STATE_SIZE, TURN
from rookery.core.stream import below
from rookery.search.control import NODE_LIMIT, NODES, STOP
from rookery.search.tree import DRAW, MAX_DEPTH, amaf_share, children_proof, clear_node, restore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Rules, Weights, Words
    from rookery.search.tree import Tree

rules: Rules = None  # type: ignore[assignment]
"""The game's rules, or a bot's `search_rules`; set when the module is specialised."""

PLAYERS, SOLO_POINTS, MAX_ACTIONS, EXPAND_AFTER, MIN_CHOICES, PLIES = 0, 1, 2, 3, 4, 5
"""The words of `Search.scalars`: the number of players; 1 if a single player collects points instead of winning or
losing; the actions after which a playout is broken off; the visits after which a node gets children; how many actions
there must be for more than one simulation; the plies of the last simulation."""
SCALARS = 6

EXPLORE, AMAF_EQUIVALENCE, LOW, HIGH, BEST, SHARE, LEAD = 0, 1, 2, 3, 4, 5, 6
"""The entries of `Search.values`: the weight of exploration; the visits at which a child's AMAF mean counts as much as
its own (0: no RAVE); the lowest and the highest possible reward or, with points, those seen so far. Of the last
simulation: the best score, its reward, and the lead of the player at the root."""
VALUES = 7

UNTRIED_EVERY = 8
"""One in this many visits of a node goes to an untried child."""
WIDEST = 4096
"""A node with more actions than this gets a sample of them as children."""
SAMPLE = 256
"""The size of that sample."""
MAX_TRACE = 4096
"""The plies of a simulation that are recorded."""


class Search(NamedTuple):
    """What a search works on: its input, its tree, and the buffers of one simulation."""

    root: Words
    """The position to search."""
    control: Words
    r: Words
    """The random stream."""
    scalars: Words
    values: Weights
    tree: Tree
    next_outcome: Words
    """A column of the tree: the next child of the same chance node."""
    s: Words
    """The position of the simulation, and one word more."""
    path: Words
    """The nodes of the descent."""
    trace: Words
    """The actions of the simulation, each followed by its mover."""
    actions: Words
    """Room for all actions of the game."""
    amaf_mover: Words
    """For each action, the simulation that last contained it and who took it first from the current node on."""


def run(search: Search) -> None:
    """Grow the tree from the root until the search is stopped or the end of the game is proven."""
    root, s, control = search.root, search.s, search.control
    if control[STOP]:
        return
    for word in range(root[STATE_SIZE], len(s)):
        s[word] = 0
    for action in range(len(search.amaf_mover)):
        search.amaf_mover[action] = 0
    search.tree.used[0] = 1
    clear_node(search.tree, 0, -1)
    while is_open(search.tree, root[TURN], search.scalars[MIN_CHOICES]):
        if control[NODE_LIMIT] > 0 and control[NODES] >= control[NODE_LIMIT]:
            control[STOP] = 1
        restore(root, s)
        depth = simulate(search)
        if depth == 0:
            return
        control[NODES] += 1
        score_playout(search)
        backpropagate(search, depth)
        if search.values[AMAF_EQUIVALENCE] > 0.0:
            backpropagate_amaf(search, depth)


def is_open(tree: Tree, me: int, min_choices: int) -> bool:
    """Whether there is more to find out. With a proven win, that is whether an untried action might win at once."""
    if tree.visits[0] == 0:
        return True
    first, count, proof = tree.first_child[0], tree.child_count[0], tree.proof[0]
    if proof == 0 or count < min_choices:
        return count >= min_choices
    untried = False
    for child in range(first, first + count):
        if tree.proof[child] == me and tree.child_count[child] == 0:
            return False
        if tree.visits[child] == 0:
            untried = True
    return untried and proof == me


def simulate(search: Search) -> int:
    """Play a game, down the tree and then by `pick`; return the nodes on the path, 0 if the search was stopped.

    One loop does both, so that each rule is inlined once: inlining it twice would double the time to compile.
    """
    s, r, scalars, tree, trace = search.s, search.r, search.scalars, search.tree, search.trace
    node, depth, ply, made, inside = 0, 1, 0, 0, True
    search.path[0] = 0
    while s[TURN] != OVER and made < scalars[MAX_ACTIONS]:
        if search.control[STOP]:
            return 0
        mover, child, action = s[TURN], 0, 0
        if inside:
            inside = depth < MAX_DEPTH and (node == 0 or tree.visits[node] >= scalars[EXPAND_AFTER])
            if inside and mover != CHANCE:
                inside = tree.child_count[node] > 0 or expand(tree, s, r, search.actions, node)
                if inside:
                    child = select(tree, search.values, node, mover)
        if child > 0:
            action = tree.action[child]
        elif mover == CHANCE:
            action = rules.draw(s, r)
        else:
            action = rules.pick(s, r)
        if inside:
            if mover == CHANCE:
                child = outcome(tree, search.next_outcome, node, action)
            elif child == 0:
                child = untried(tree, r, node, action)
                action = tree.action[child]
            inside = child > 0
        if inside:
            node = child
            search.path[depth] = node
            depth += 1
        if ply < MAX_TRACE:
            trace[2 * ply] = action
            trace[2 * ply + 1] = mover
            ply += 1
        rules.perform(s, action)
        if mover != CHANCE:
            made += 1
    scalars[PLIES] = ply
    if inside and s[TURN] == OVER:
        prove(search, depth)
    return depth


def expand(tree: Tree, s: Words, r: Words, actions: Words, node: int) -> bool:
    """Give a node its children; False if the tree is full."""
    first = tree.used[0]
    room = len(tree.action) - first
    if room == 0:
        return False
    count = rules.actions(s, actions)
    if count > WIDEST:
        count = sample(r, actions, count)
    if count > room:
        return False
    for k in range(count):
        clear_node(tree, first + k, actions[k])
    tree.first_child[node] = first
    tree.child_count[node] = count
    tree.used[0] = first + count
    return True


def sample(r: Words, actions: Words, count: int) -> int:
    """Keep `SAMPLE` of `count` actions, spread over the list and in its order; return how many."""
    for k in range(SAMPLE):
        first, last = k * count // SAMPLE, (k + 1) * count // SAMPLE
        actions[k] = actions[first + below(r, last - first)]
    return SAMPLE


def outcome(tree: Tree, next_outcome: Words, node: int, action: int) -> int:
    """The child of a chance node for an outcome, created if it is new; 0 if the tree is full."""
    child = tree.first_child[node]
    while child != 0:
        if tree.action[child] == action:
            return child
        child = next_outcome[child]
    child = tree.used[0]
    if child == len(tree.action):
        return 0
    clear_node(tree, child, action)
    next_outcome[child] = tree.first_child[node]
    tree.first_child[node] = child
    tree.used[0] = child + 1
    return child


def select(tree: Tree, values: Weights, node: int, player: int) -> int:
    """The child to visit next: a proven win, else the one with the highest upper bound; 0 for any untried child.

    Without RAVE, each child is tried once before any other is tried again. With it, a child without AMAF visits counts
    as an average one; and every now and then any untried child gets a visit, so that an immediate win is not missed.
    """
    first, count = tree.first_child[node], tree.child_count[node]
    low, equivalence = values[LOW], values[AMAF_EQUIVALENCE]
    unit = 1.0 / (values[HIGH] - low) if values[HIGH] > low else 1.0
    spread = values[EXPLORE] * sqrt(log2(tree.visits[node] + 1))
    best, chosen, won, unknown, left, tried, gained = -1.0, first, 0, False, False, 0, 0.0
    for child in range(first, first + count):
        visits, amaf_visits, proof = tree.visits[child], tree.amaf_visits[child], tree.proof[child]
        if proof == player:
            won = child
        if visits == 0:
            left = True
            if amaf_visits == 0:
                unknown = True
                continue
        tried += visits
        gained += tree.reward[child]
        if proof == 0:
            share = amaf_share(visits, equivalence) if amaf_visits > 0 else 0.0
            value = 0.0
            if amaf_visits > 0:
                value = share * (tree.amaf_reward[child] / amaf_visits - low)
            if visits > 0:
                value += (1.0 - share) * (tree.reward[child] / visits - low)
            value = value * unit + spread / sqrt(visits + 1.0)
        else:
            value = 0.5 if proof == DRAW else -1.0
        if value > best:
            best, chosen = value, child
    if won > 0 and (node > 0 or not left):
        return won
    if left and (won > 0 or tree.visits[node] % UNTRIED_EVERY == 0):
        return 0
    if unknown and (tried == 0 or equivalence == 0.0 or (gained / tried - low) * unit > best):
        return 0
    return chosen


def log2(n: int) -> float:
    """The binary logarithm, linear between the powers of 2, so that it is the same on every machine."""
    whole = 0
    while n >> (whole + 1) > 0:
        whole += 1
    return whole + n / (1 << whole) - 1.0


def untried(tree: Tree, r: Words, node: int, action: int) -> int:
    """The child for an action that `pick` chose, if it is untried; else another untried child."""
    actions = tree.action
    first, last = tree.first_child[node], tree.first_child[node] + tree.child_count[node]
    low, high = first, last
    while low < high:
        middle = (low + high) // 2
        if actions[middle] < action:
            low = middle + 1
        else:
            high = middle
    if low == last or actions[low] != action:
        low = first + below(r, last - first)
    while tree.visits[low] > 0:
        low = low + 1 if low + 1 < last else first
    return low


def prove(search: Search, depth: int) -> None:
    """Record the end of a game that the tree reached, and what it proves further up."""
    tree, path = search.tree, search.path
    proof = rules.winner(search.s)
    if proof == 0 and search.scalars[PLAYERS] == 2:
        proof = DRAW
    tree.proof[path[depth - 1]] = proof
    for k in range(depth - 2, -1, -1):
        node, mover = path[k], search.trace[2 * k + 1]
        if proof == 0 or mover == CHANCE:
            return
        if proof != mover:
            proof = children_proof(tree, node, mover, tree.child_count[node] != SAMPLE)
            if proof == 0:
                return
        tree.proof[node] = proof


def score_playout(search: Search) -> None:
    """Find the reward of a simulation, and who gets it.

    The players with the best score share 1; all players share it in a game that was broken off. A single player gets 1
    for a win or, in a game of points, the points.
    """
    s, values, players, me = search.s, search.values, search.scalars[PLAYERS], search.root[TURN]
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
    values[LEAD] = mine - other
    values[BEST] = best
    values[SHARE] = 1.0 / sharers
    if players == 1:
        values[SHARE] = best if search.scalars[SOLO_POINTS] else 1.0 if rules.winner(s) == 1 else 0.0
    elif s[TURN] != OVER:
        values[BEST] = -inf
        values[SHARE] = 1.0 / players
    if search.scalars[SOLO_POINTS]:
        values[LOW] = min(values[LOW], best)
        values[HIGH] = max(values[HIGH], best)


def reward(s: Words, values: Weights, player: int) -> float:
    """A player's reward for the simulation."""
    return values[SHARE] if rules.score(s, player) >= values[BEST] else 0.0


def backpropagate(search: Search, depth: int) -> None:
    """Add the simulation to the nodes on its path."""
    tree, path, trace = search.tree, search.path, search.trace
    for k in range(depth):
        node = path[k]
        tree.visits[node] += 1
        if k > 0 and trace[2 * k - 1] != CHANCE:
            tree.reward[node] += reward(search.s, search.values, trace[2 * k - 1])
    if depth > 1:
        tree.lead[path[1]] += search.values[LEAD]


def backpropagate_amaf(search: Search, depth: int) -> None:
    """Add the simulation to the children of the nodes on its path whose actions their mover took, there or later.

    Going up the path, `amaf_mover` holds for every action of this simulation who took it first from the node on.
    """
    tree, path, trace, amaf_mover = search.tree, search.path, search.trace, search.amaf_mover
    base = search.control[NODES] * (search.scalars[PLAYERS] + 1)
    last = search.scalars[PLIES]
    for k in range(depth - 1, -1, -1):
        for ply in range(last - 1, k - 1, -1):
            if trace[2 * ply + 1] != CHANCE:
                amaf_mover[trace[2 * ply]] = base + trace[2 * ply + 1]
        last = k
        node, mover = path[k], trace[2 * k + 1]
        if tree.child_count[node] > 0:
            gain = reward(search.s, search.values, mover)
            for child in range(tree.first_child[node], tree.first_child[node] + tree.child_count[node]):
                if amaf_mover[tree.action[child]] == base + mover:
                    tree.amaf_visits[child] += 1
                    tree.amaf_reward[child] += gain
