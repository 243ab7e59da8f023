"""The functions that every rules module has, and the constants that all of them share.

A rules module is a file of plain functions over one flat array of integers, the *words* of a position. The same source
runs interpreted (the array is a list) and compiled (a NumPy array; see `engine/compiling.py`), with the same results.
That holds if rules use only integers that fit 64 bits with a sign, integer and float arithmetic and `range` loops; no
allocation, no containers, no exceptions, and no negative index, which compiled code does not detect.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import MutableSequence, Sequence
    from typing import Protocol, TypeAlias

    Words: TypeAlias = MutableSequence[int]
    """The words of a position, a random stream, or a buffer that a rule fills with actions."""

    Weights: TypeAlias = MutableSequence[float]
    """A buffer that a rule fills with probabilities."""

    class Rules(Protocol):
        """The functions every rules module has; games add their own."""

        def size(self, config: Sequence[int], /) -> int:
            """The number of words for this configuration, scratch words included."""

        def start(self, s: Words, config: Sequence[int], /) -> None:
            """Write the starting position into `s`, which holds zeros."""

        def actions(self, s: Words, out: Words, /) -> int:
            """Write the legal actions of the player to move into `out`, ascending; return how many."""

        def legal(self, s: Words, action: int, /) -> bool:
            """Whether this action or chance outcome is legal now."""

        def perform(self, s: Words, action: int, /) -> None:
            """Play an action or chance outcome that is known to be legal."""

        def pick(self, s: Words, r: Words, /) -> int:
            """Pick a legal action by the stream `r`, each with equal probability; a pass only if there is no other."""

        def chances(self, s: Words, out: Words, weights: Weights, /) -> int:
            """Write the chance outcomes and their probabilities; return how many."""

        def draw(self, s: Words, r: Words, /) -> int:
            """Pick a chance outcome by the stream `r`, with those probabilities."""

        def score(self, s: Words, player: int, /) -> float:
            """The points of a player now."""

        def winner(self, s: Words, /) -> int:
            """The player who has won; 0 before the end, after a draw, and in a game without winners."""

        def moves(self, s: Words, made: int, /) -> int:
            """The length of a game as the game counts it, after `made` actions of players."""

        def tally(self, s: Words, counts: Words, /) -> None:
            """Add a finished game to the counts of the game's maps, which are concatenated."""


TURN = 0
"""Word 0 of every position: the number of the player to move, `CHANCE` or `OVER`."""

STATE_SIZE = 1
"""Word 1: how many words make up the position. The words after them are scratch and mean nothing between two calls,
with one exception: rules may cache findings about the position there, valid while the first scratch word,
`s[s[STATE_SIZE]]`, is not 0. Code that changes the position other than by `perform` sets that word to 0."""

CHANCE = 0
OVER = -1

UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3
DIRECTIONS = ("up", "right", "down", "left")
