"""Random play: a generic algorithm over the rules, specialised for each game by `compiling.py`.

Game `i` of an experiment has the stream of (seed, i), so a game does not depend on which others are played, nor in
which order.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import NamedTuple

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
"""The game's rules. Specialising the module sets this global."""

LARGEST = 10**9
"""The most games of one call, and the most actions of a game."""
UNFINISHED = -1
"""The winner of a game that was cut off."""


def step(s: Words, r: Words) -> int:
    """Perform a random action of the player to move, or a random chance outcome; return it."""
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


class PlayBuffers(NamedTuple):
    """Where games are played: the starting position, and room for a position and a random stream."""

    start: Words
    s: Words
    r: Words


class Outcomes(NamedTuple):
    """What is written about the games of one call."""

    moves: Words
    """The length of each game."""
    winners: Words
    """The winner of each game; `UNFINISHED` if it was cut off."""
    scores: Weights
    """The scores of all players in the first game, then in the second, and so on."""
    counts: Words
    """What the games left on the board, added up."""


def playouts(buffers: PlayBuffers, outcomes: Outcomes, seed: int, first: int, most: int, players: int) -> int:
    """Play as many games as `outcomes` has room for, from number `first` on; return the actions players made.

    Game `i` has the stream of (seed, i), and is cut off after `most` actions.
    """
    start, s, r = buffers.start, buffers.s, buffers.r
    moves, winners, scores, counts = outcomes.moves, outcomes.winners, outcomes.scores, outcomes.counts
    total = 0
    for k in range(len(moves)):
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
    """The results of some consecutive games."""

    made: int
    """The actions players made in all of them."""
    moves: list[int]
    """The length of each game, in the game's own count."""
    winners: list[int]
    """The winner of each: 0 if there was none, `UNFINISHED` if the game was cut off."""
    scores: list[float]
    """The scores of all players in the first game, then in the second, and so on."""
    counts: list[int]
    """What the games left on the board, for each place of each of the game's maps."""


class Playouts:
    """Random play of one game with its options, compiled or interpreted, with the buffers it needs.

    Threads must not share one.
    """

    def __init__(self, game: Game, *, compiled: bool = True) -> None:
        from rookery.core.game import Game
        from rookery.engine import compiling
        from rookery.engine.workspaces import Buffers

        if not isinstance(game, Game):
            raise OptionError(f"Playouts are of a game, not {arguments.shown(game)}.")
        kernel: Any = game.kernel
        start = game.compiled_words(game.start())
        self.players = game.players
        self.places = sum(len(each.places) for each in game.maps())
        self.compiled = compiled
        self.loop = (compiling.compiled if compiled else compiling.interpreted)(sys.modules[__name__], kernel)
        self.allocate = Buffers(compiled=compiled)
        copied = self.allocate.copied
        self.buffers = PlayBuffers(copied(start), copied(start), self.allocate.ints(WORDS))

    def play(self, seed: int, first: int, count: int, most: int) -> Results:
        """Play the games `first` … `first + count − 1` of the experiment `seed`, cut off after `most` actions."""
        made, *parts = self.run(seed, first, count, most)
        return Results(made, *(each.tolist() if self.compiled else each for each in parts))

    def compile(self) -> None:
        """Compile the loop, by playing one action."""
        self.run(seed=0, first=0, count=1, most=1)

    def run(self, seed: int, first: int, count: int, most: int) -> tuple[int, Any, Any, Any, Any]:
        """Like `play`, but return the fields of `Results` as NumPy arrays if the loop is compiled."""
        whole, ints = arguments.whole, self.allocate.ints
        seed, count = whole(seed, "seed", 0, LAST_SEED), whole(count, "count", 0, LARGEST)
        first, most = whole(first, "first", 0, LAST_SEED - max(0, count - 1)), whole(most, "most", 0, LARGEST)
        outcomes = Outcomes(ints(count), ints(count), self.allocate.floats(count * self.players), ints(self.places))
        made = self.loop.playouts(self.buffers, outcomes, seed, first, most, self.players)
        return int(made), *outcomes
