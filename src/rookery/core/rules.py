"""What a rules module must offer, and the few numbers all of them share.

A rules module is a file of plain functions over one flat array of whole numbers, the *words* of a position. The same
source runs interpreted (the array is a list) and compiled (a NumPy array; see `compiled.py`), with the same results.
To keep it so: only integers that fit 64 bits with a sign, integer and float arithmetic, `range` loops, no allocation,
no containers, no exceptions, and no index below 0: compiled, nothing would notice.
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
        """The functions every rules module has; games add their own beside these."""

        def size(self, config: Sequence[int], /) -> int:
            """Words needed for a game with this configuration, scratch included."""

        def start(self, s: Words, config: Sequence[int], /) -> None:
            """Write the starting position into `s`, which holds zeros."""

        def actions(self, s: Words, out: Words, /) -> int:
            """Write the legal actions of the player to move into `out`, ascending; return how many."""

        def legal(self, s: Words, action: int, /) -> bool:
            """Whether this action, or chance outcome, may happen now."""

        def perform(self, s: Words, action: int, /) -> None:
            """Make an action or chance outcome happen that is known to be legal."""

        def pick(self, s: Words, r: Words, /) -> int:
            """Let the stream `r` pick a legal action, each as likely as the next; a pass only if there is no other."""

        def chances(self, s: Words, out: Words, weights: Weights, /) -> int:
            """Write the outcomes chance can bring and their probabilities; return how many."""

        def draw(self, s: Words, r: Words, /) -> int:
            """Let the stream `r` pick one of the outcomes, with just those probabilities."""

        def score(self, s: Words, player: int, /) -> float:
            """Points of a player now, in the game's own terms."""

        def winner(self, s: Words, /) -> int:
            """The player who has won; 0 as long as nobody has, in a draw, and in a game that is not won or lost."""

        def moves(self, s: Words, made: int, /) -> int:
            """How long a game has been in its own count, players having made so many actions."""

        def tally(self, s: Words, counts: Words, /) -> None:
            """Add what a finished game left on the board to the counts of the game's maps, which lie end to end."""


TURN = 0
"""Word 0 of every position: the number of the player to move, `CHANCE` or `OVER`."""

STATE_SIZE = 1
"""Word 1: how many words make up the position. What lies beyond is scratch: it means nothing between two calls,
except that a rule may keep findings about the position there for as long as word `s[PROPER]`, not 0, vouches for them.
Whoever changes the position other than by `perform` sets that word to 0."""

CHANCE = 0
OVER = -1

UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3
DIRECTIONS = ("up", "right", "down", "left")
