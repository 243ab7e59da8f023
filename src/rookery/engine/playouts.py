"""Random play: a generic algorithm over the rule functions, specialised per game by `compiling.py`.

One loop plays all games. Game `i` of an experiment has the stream of (seed, i), so a game is the same in whatever
company and order it is played.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from rookery.core import arguments  # as a module: functions named here would be compiled with the others
from rookery.core.errors import OptionError
from rookery.core.rules import CHANCE, OVER, TURN
from rookery.core.stream import LAST_SEED, WORDS, seed_stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rookery.core.game import Game
    from rookery.core.rules import Rules, Weights, Words

rules: Rules = None  # type: ignore[assignment]
"""The game's rules; there are none until the module is specialised."""

LARGEST = 10**9
"""The most games of one call, and the most actions of a game."""
UNFINISHED = -1
"""Where the winner would stand, for a game that was broken off."""


def step(s: Words, r: Words) -> int:
    """Let the stream pick an action for the player to move, or an outcome, and make it happen; return it."""
    action = rules.draw(s, r) if s[TURN] == CHANCE else rules.pick(s, r)
    rules.perform(s, action)
    return action


def playout(s: Words, r: Words, most: int) -> int:
    """Play until the game is over or players have made `most` actions; return how many they made."""
    made = 0
    while s[TURN] != OVER and made < most:
        if s[TURN] != CHANCE:
            made += 1
        step(s, r)
    return made


def playouts(
    start: Words,
    s: Words,
    r: Words,
    seed: int,
    first: int,
    count: int,
    most: int,
    players: int,
    moves: Words,
    winners: Words,
    scores: Weights,
    counts: Words,
) -> int:
    """Play the games `first` … `first + count − 1` of an experiment from one position; return the actions made.

    `s` and `r` are buffers for a position and a stream. Of each game the length, the winner (`UNFINISHED` if it was
    broken off after `most` actions) and every player's score are written down; what it left on the board is added to
    `counts`.
    """
    total = 0
    for k in range(count):
        for word in range(len(start)):
            s[word] = start[word]
        seed_stream(r, seed, first + k)
        made = playout(s, r, most)
        total += made
        moves[k] = rules.moves(s, made)
        winners[k] = rules.winner(s) if s[TURN] == OVER else UNFINISHED
        for player in range(players):
            scores[k * players + player] = rules.score(s, player + 1)
        rules.tally(s, counts)
    return total


@dataclass(frozen=True)
class Results:
    """What became of some games in a row."""

    made: int
    """The actions players made in all of them."""
    moves: list[int]
    """The length of each game, in the game's own count."""
    winners: list[int]
    """The winner of each: 0 if there was none, `UNFINISHED` if the game was broken off."""
    scores: list[float]
    """Every player's score of the first game, then of the second, and so on."""
    counts: list[int]
    """What the games left on the board, for each place of each of the game's maps."""


class Playouts:
    """Random play of one game with its options: the compiled loop with the buffers it needs, or the same interpreted.

    Not to be shared between threads.
    """

    def __init__(self, game: Game, *, compiled: bool = True) -> None:
        from rookery.core.game import Game
        from rookery.engine import compiling

        if not isinstance(game, Game):
            raise OptionError(f"Play-outs are of a game, not {arguments.shown(game)}.")
        kernel: Any = game.kernel
        start = game.compiled_words(game.start())
        self.players = game.players
        self.places = sum(len(each.places) for each in game.maps())
        self.compiled = compiled
        self.loop = (compiling.compiled if compiled else compiling.interpreted)(sys.modules[__name__], kernel)
        self.start, self.s, self.r = (self._words(each) for each in (start, start, [0] * WORDS))

    def play(self, seed: int, first: int, count: int, most: int) -> Results:
        """The games `first` … `first + count − 1` of the experiment `seed`, broken off after `most` actions."""
        made, *parts = self.run(seed, first, count, most)
        return Results(made, *(each.tolist() if self.compiled else each for each in parts))

    def compile(self) -> None:
        """Have the loop compiled, by a game that is broken off at once."""
        self.run(seed=0, first=0, count=1, most=1)

    def run(self, seed: int, first: int, count: int, most: int) -> tuple[int, Any, Any, Any, Any]:
        """The same as the loop leaves it: the fields of `Results`, in NumPy's arrays if it is compiled."""
        whole = arguments.whole
        seed, count = whole(seed, "seed", 0, LAST_SEED), whole(count, "count", 0, LARGEST)
        first, most = whole(first, "first", 0, LAST_SEED - max(0, count - 1)), whole(most, "most", 0, LARGEST)
        moves, winners, counts = (self._words([0] * many) for many in (count, count, self.places))
        scores = self._weights(count * self.players)
        buffers = self.start, self.s, self.r
        made = self.loop.playouts(*buffers, seed, first, count, most, self.players, moves, winners, scores, counts)
        return int(made), moves, winners, scores, counts

    def _words(self, words: list[int]) -> Any:
        from rookery.engine import compiling

        return compiling.array(words) if self.compiled else list(words)

    def _weights(self, count: int) -> Any:
        if not self.compiled:
            return [0.0] * count
        import numpy

        return numpy.zeros(count)
