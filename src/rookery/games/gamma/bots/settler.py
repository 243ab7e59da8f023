"""The settler's tree search for Gamma: a kernel that runs interpreted and compiled, like the rules.

Each simulation descends the tree, then plays the game out by the prior (`playout.py`). A player who takes a cell mostly
wants it whatever came before, so every cell taken in a simulation also says something about taking it at once (AMAF and
RAVE: Gelly & Silver 2011): that is what makes a few hundred simulations enough on a board of a hundred cells. Children
are chosen by their mean with AMAF statistics mixed in, plus the prior (PUCT: Rosin 2011; a progressive bias: Chaslot et
al. 2008), which dominate at low visit counts. Proven ends are backed up (MCTS-Solver: Winands, Björnsson & Saito 2008);
`proof.py` finds them long before the board is full.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from rookery.core.rules import OVER, TURN
from rookery.games.gamma.board import (
    AREAS,
    FIRST_PASS,
    FREE,
    HEIGHT,
    LIMIT,
    OWNER,
    PASSES_END,
    PLAYERS,
    WIDTH,
    place_of,
    touches,
)
from rookery.games.gamma.bots.playout import LAST_PLACE, NOW, playout, score_playout
from rookery.games.gamma.bots.prior import is_tight, locality, move_weight
from rookery.games.gamma.bots.proof import prove
from rookery.games.gamma.rules import actions, free, next_player, perform, winner
from rookery.search import control
from rookery.search.tree import DRAW, MAX_DEPTH, amaf_share, children_proof, clear_node, proof_rank, restore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Weights, Words
    from rookery.games.gamma.bots.playout import Simulation
    from rookery.search.tree import Tree

EXPAND_AFTER = 2
"""Visits after which a node gets children."""
EXPLORE = 0.5
"""The weight of the prior for a child with few visits."""
AMAF_EQUIVALENCE = 600.0
"""The visits at which a child's AMAF mean counts as much as its own."""
UNKNOWN = 0.5
"""The value of a child without visits and AMAF visits."""
GOLDEN_WEIGHT = 0.1
PASS_WEIGHT, PASS_SHARE = 0.01, 0.1
"""What the prior gives golden moves and passes, as it is fitted to moves only: a fixed weight, but to a pass at most a
share of the lightest move's."""
FEW_MOVES = 6
"""With no more moves than this, golden moves become children too."""
FEW_ACTIONS = 16
"""With no more actions than this, all become children, a pass too."""
ENOUGH = 200
"""Simulations after which a search with a proven end stops."""

NO_ACTION = -1
"""The action to avoid where several play and passes end the game: none. Elsewhere it is the pass."""


class SettlerColumns(NamedTuple):
    """What the settler stores of each node, beside the columns of `search.tree.Tree`."""

    mover: Words
    """The player to move at a node with children."""
    complete: Words
    """1 if all actions are children."""
    won: Weights
    """The sum of the shares of the win."""
    prior: Weights
    """The probability of the move by the prior."""


class Search(NamedTuple):
    """What a search works on."""

    root: Words
    """The position to search."""
    last: Words
    """One word: the place of the last move before it, 0 if there is none."""
    sim: Simulation
    tree: Tree
    """The root's action is the one to avoid."""
    columns: SettlerColumns
    path: Words
    """The nodes of the descent."""
    actions: Words
    """Room for all actions."""
    regions: Words
    """Room for a proof."""


def run(search: Search) -> None:
    """Grow the tree from the root until the search is stopped or nothing is left to find out."""
    root, sim, tree, control_words = search.root, search.sim, search.tree, search.sim.control
    if control_words[control.STOP]:
        return
    for action in range(len(sim.taken_at)):
        sim.taken_at[action] = 0
    cells = root[WIDTH] * root[HEIGHT]
    clear(tree, search.columns, 0, NO_ACTION if root[PLAYERS] > 2 and root[PASSES_END] else 2 * cells, 0.0)
    tree.used[0] = 1
    sim.scalars[NOW] = 0
    while tree.proof[0] == 0 or control_words[control.NODES] < ENOUGH:
        if control_words[control.NODE_LIMIT] > 0 and control_words[control.NODES] >= control_words[control.NODE_LIMIT]:
            control_words[control.STOP] = 1
        if control_words[control.STOP]:
            return
        sim.scalars[NOW] += 3 * cells + MAX_DEPTH
        restore(root, sim.s)
        depth = descend(search)
        playout(sim, depth)
        if control_words[control.STOP]:
            return
        control_words[control.NODES] += 1
        score_playout(sim)
        backpropagate(search, depth)
        if tree.child_count[0] == 1:
            return


def clear(tree: Tree, columns: SettlerColumns, node: int, action: int, prior: float) -> None:
    """Set up a node without visits."""
    clear_node(tree, node, action)
    columns.mover[node] = 0
    columns.complete[node] = 0
    columns.won[node] = 0.0
    columns.prior[node] = prior


def descend(search: Search) -> int:
    """Go down the tree to a node without children; return how many actions that takes."""
    sim, tree = search.sim, search.tree
    s, now, cells = sim.s, sim.scalars[NOW], sim.s[WIDTH] * sim.s[HEIGHT]
    node, depth, last = 0, 0, search.last[0]
    search.path[0] = 0
    while s[TURN] != OVER and depth < MAX_DEPTH - 1:
        if tree.child_count[node] == 0:
            if node > 0 and (tree.visits[node] < EXPAND_AFTER or is_waiting(s)):
                break
            if not expand(search, node, last):
                break
        node = select(tree, search.columns, node)
        action = tree.action[node]
        if sim.taken_at[action] < now:
            sim.taken_at[action] = now + depth
            sim.taken_by[action] = s[TURN]
        last = place_of(s, action % cells) if action < 2 * cells else 0
        perform(s, action)
        depth += 1
        search.path[depth] = node
    if s[TURN] == OVER and s[PLAYERS] > 1:
        found = winner(s)
        tree.proof[node] = found if found > 0 else DRAW if s[PLAYERS] == 2 else 0
    sim.scalars[LAST_PLACE] = last
    return depth


def is_waiting(s: Words) -> bool:
    """Whether one of several players has nothing left but the golden move. Then it may pay to wait, if passes end the
    game, and the others may take from anyone: such positions are played out, not searched.
    """
    return s[PLAYERS] > 2 and s[PASSES_END] != 0 and free(s, s[TURN]) == 0


def may_wait(s: Words) -> bool:
    """Whether the player to move can pass without ending the game."""
    player = s[TURN]
    return next_player(s, player) != (s[FIRST_PASS] if s[FIRST_PASS] > 0 else player)


def expand(search: Search, node: int, last: int) -> bool:
    """Give a node its children with their priors, and prove its end if possible; False if the tree is full."""
    s, out, tree = search.sim.s, search.actions, search.tree
    if node > 0 and tree.proof[node] == 0:
        tree.proof[node] = prove(s, search.regions)
    if tree.used[0] + len(out) > len(tree.action):
        return False
    count, cells, player = actions(s, out), s[WIDTH] * s[HEIGHT], s[TURN]
    waiting = is_waiting(s)
    if waiting and s[FREE] == 0:
        count = keep_one_per_victim(s, out, count)
    few = free(s, player) <= FEW_MOVES
    every = count <= FEW_ACTIONS and s[PASSES_END] != 0
    full, tight = s[s[AREAS] + player] >= s[LIMIT], is_tight(s, player)
    first, total, lightest = tree.used[0], 0.0, PASS_WEIGHT
    child = first
    for k in range(count):
        action = out[k]
        if action < cells:
            place = place_of(s, action)
            weight = move_weight(s, player, place, full, tight, search.sim.factors)
            weight *= locality(s, place, last, search.sim.factors)
            lightest = min(lightest, PASS_SHARE * weight)
        elif waiting and action < 2 * cells and may_wait(s) and touches(s, place_of(s, action - cells), 0) == 0:
            continue  # it opens nothing, and can as well be made later
        elif not every and (child > first and not waiting if action == 2 * cells else not few):
            continue
        else:
            weight = GOLDEN_WEIGHT if action < 2 * cells else lightest
        clear(tree, search.columns, child, action, weight)
        total += weight
        child += 1
    for other in range(first, child):
        search.columns.prior[other] /= total
    tree.first_child[node] = first
    tree.child_count[node] = child - first
    search.columns.mover[node] = player
    search.columns.complete[node] = 1 if child - first == count else 0
    tree.used[0] = child
    return True


def keep_one_per_victim(s: Words, out: Words, count: int) -> int:
    """On a full board, keep one golden move for each player it takes from; return how many actions are left. Who does
    not take yet can still do so when others have.
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


def select(tree: Tree, columns: SettlerColumns, node: int) -> int:
    """The child to visit next: the highest mean, AMAF mixed in, plus the prior; a proven loss only if all are."""
    first, count, mover = tree.first_child[node], tree.child_count[node], columns.mover[node]
    explore = EXPLORE * sqrt(tree.visits[node] + 1.0)
    best, found = -2.0, first
    for child in range(first, first + count):
        visits, amaf_visits = tree.visits[child], tree.amaf_visits[child]
        value = UNKNOWN
        if amaf_visits > 0:
            value = tree.amaf_reward[child] / amaf_visits
        if visits > 0:
            mean = tree.reward[child] / visits
            if amaf_visits > 0:
                share = amaf_share(visits, AMAF_EQUIVALENCE)
                value = (1.0 - share) * mean + share * value
            else:
                value = mean
        value += explore * columns.prior[child] / (visits + 1.0)
        if tree.proof[child] > 0 and tree.proof[child] != mover:
            value = -1.0
        if value > best:
            best, found = value, child
    return found


def backpropagate(search: Search, depth: int) -> None:
    """Add the simulation to the nodes on its path, and to the AMAF statistics of their siblings."""
    tree, sim, path = search.tree, search.sim, search.path
    for k in range(depth - 1, -1, -1):
        node, child = path[k], path[k + 1]
        mover = search.columns.mover[node]
        tree.visits[child] += 1
        tree.reward[child] += sim.reward[mover]
        tree.lead[child] += sim.lead[mover]
        search.columns.won[child] += sim.won[mover]
        backpropagate_amaf(search, node, k)
        if tree.proof[child] != 0 and tree.proof[node] == 0:
            tree.proof[node] = children_proof(tree, node, mover, search.columns.complete[node] != 0)
    tree.visits[0] += 1


def backpropagate_amaf(search: Search, node: int, ply: int) -> None:
    """Add the simulation to the children of a node, at this ply, whose actions the mover took, there or later."""
    tree, sim, mover = search.tree, search.sim, search.columns.mover[node]
    first, reward, since = tree.first_child[node], sim.reward[mover], sim.scalars[NOW] + ply
    for child in range(first, first + tree.child_count[node]):
        action = tree.action[child]
        if sim.taken_at[action] >= since and sim.taken_by[action] == mover:
            tree.amaf_visits[child] += 1
            tree.amaf_reward[child] += reward


def best_line(tree: Tree, columns: SettlerColumns, path: Words, node: int, min_visits: int) -> int:
    """Write the most trusted descendants of a node, as far as they have enough visits, into `path`; return how many."""
    count = 0
    while count < MAX_DEPTH:
        node = best_child(tree, columns, node)
        if node == 0 or tree.visits[node] < min_visits:
            break
        path[count] = node
        count += 1
    return count


def best_child(tree: Tree, columns: SettlerColumns, node: int) -> int:
    """The most trusted child of a node; 0 if it has none."""
    first, best = tree.first_child[node], 0
    for child in range(first, first + tree.child_count[node]):
        if best == 0 or is_better(tree, columns, node, child, best):
            best = child
    return best


def is_better(tree: Tree, columns: SettlerColumns, node: int, one: int, other: int) -> bool:
    """Whether one child of a node is trusted more than another: by proofs, then visits, rewards and the prior."""
    mover, proof, avoided = columns.mover[node], tree.proof[node], tree.action[0]
    rank, rank_of_other = proof_rank(tree.proof[one], mover, proof), proof_rank(tree.proof[other], mover, proof)
    if rank != rank_of_other:
        return rank > rank_of_other
    if (tree.action[one] == avoided) != (tree.action[other] == avoided):
        return tree.action[other] == avoided  # a player who wins anyway should not give cells away
    if tree.visits[one] != tree.visits[other]:
        return tree.visits[one] > tree.visits[other]
    if tree.reward[one] != tree.reward[other]:
        return tree.reward[one] > tree.reward[other]
    if columns.prior[one] != columns.prior[other]:
        return columns.prior[one] > columns.prior[other]
    return one < other


def rank_visited(tree: Tree, columns: SettlerColumns, out: Words) -> int:
    """Write the root's children with visits into `out`, most trusted first (Shellsort); return how many."""
    count = 0
    for child in range(tree.first_child[0], tree.first_child[0] + tree.child_count[0]):
        if tree.visits[child] > 0:
            out[count] = child
            count += 1
    gap = count // 2
    while gap > 0:
        for k in range(gap, count):
            child, at = out[k], k
            while at >= gap and is_better(tree, columns, 0, child, out[at - gap]):
                out[at] = out[at - gap]
                at -= gap
            out[at] = child
        gap //= 2
    return count
