"""The tree of a Monte Carlo tree search: its nodes, its proofs, and how much statistics of other moves count.

Both searches grow this tree, the one for any game (`uct.py`) and Gamma's settler. They differ in how they choose moves
and in what they add to a node. The functions are kernels: they run interpreted and compiled, like the rules.

A node is an index into the columns. Node 0 is the root, and the children of a node follow each other. The tree keeps no
positions: every simulation replays its moves from the root.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

from rookery.core.rules import STATE_SIZE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Weights, Words

DRAW = -1
"""The proof that neither of two players can win. A player's number is the proof that it wins; 0 is no proof."""

MAX_DEPTH = 512
"""The most nodes on a path."""


class Tree(NamedTuple):
    """The columns of the tree, one entry for each node; sums are those of the player who moved to the node."""

    used: Words
    """One word: the number of nodes in use."""
    action: Words
    """The action, or the outcome of chance, that leads to the node."""
    visits: Words
    first_child: Words
    child_count: Words
    proof: Words
    amaf_visits: Words
    """Simulations through the parent in which the same player took this action, there or later (all moves as first)."""
    reward: Weights
    """The sum of the rewards."""
    amaf_reward: Weights
    """The sum of the rewards of the simulations in `amaf_visits`."""
    lead: Weights
    """The sum of the leads over the best other player at the end."""


def clear_node(tree: Tree, node: int, action: int) -> None:
    """Set up a node without visits."""
    tree.action[node] = action
    tree.visits[node] = 0
    tree.first_child[node] = 0
    tree.child_count[node] = 0
    tree.proof[node] = 0
    tree.amaf_visits[node] = 0
    tree.reward[node] = 0.0
    tree.amaf_reward[node] = 0.0
    tree.lead[node] = 0.0


def restore(root: Words, s: Words) -> None:
    """Write the root's position into `s`, and mark what the rules keep in scratch as outdated."""
    state_size = root[STATE_SIZE]
    for word in range(state_size):
        s[word] = root[word]
    s[state_size] = 0


def amaf_share(visits: int, equivalence: float) -> float:
    """How much the AMAF mean counts beside a node's own mean (RAVE: Gelly & Silver 2011).

    Both count the same after `equivalence` visits.
    """
    return sqrt(equivalence / (3.0 * visits + equivalence))


def children_proof(tree: Tree, node: int, mover: int, complete: bool) -> int:
    """What the children prove about a node (MCTS-Solver: Winands, Björnsson & Saito 2008); 0 if they prove nothing.

    One child that wins for the mover is enough. Anything else takes a proof of every child, and all actions must be
    children (`complete`). Then the mover takes a draw if there is one; if not, the same player must win everywhere.
    """
    first, other, drawn, unproven = tree.first_child[node], 0, False, not complete
    for child in range(first, first + tree.child_count[node]):
        proof = tree.proof[child]
        if proof == mover:
            return mover
        if proof == DRAW:
            drawn = True
        elif proof == 0 or (other > 0 and proof != other):
            unproven = True
        else:
            other = proof
    if unproven:
        return 0
    return DRAW if drawn else other


def proof_rank(proof: int, mover: int, proof_of_parent: int) -> int:
    """The order of children by their proofs: 2 keeps a proven win or draw, 0 is a proven loss, 1 is any other."""
    if proof == proof_of_parent and (proof == mover or proof == DRAW):
        return 2
    return 0 if proof > 0 and proof != mover else 1
