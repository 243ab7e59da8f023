"""An experiment, many games with given bots and seed, and the exact counts of its outcomes.

Game `i` uses the random stream of (seed, i). So an experiment can be cut into chunks anywhere, which can run on any
machine in any order: merged, they give the same counts bit for bit.
"""

from __future__ import annotations

import functools
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from rookery.core.arguments import whole
from rookery.core.bot import Random, make_bot
from rookery.core.errors import RookeryError
from rookery.core.rules import CHANCE
from rookery.core.stream import LAST_SEED, Stream
from rookery.engine import playouts
from rookery.engine.playouts import UNFINISHED, Results
from rookery.engine.workspaces import thread_workspace
from rookery.games import find, from_file
from rookery.lab.intervals import Counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rookery.core.bot import Bot
    from rookery.core.game import Game
    from rookery.core.options import Value

MOST = 1_000_000
"""The default limit of actions, after which a game is stopped."""


@dataclass(frozen=True)
class Experiment:
    """The definition of an experiment: plain values only, so that it can be sent, stored and compared."""

    name: str
    """The game's."""
    options: tuple[tuple[str, Value], ...]
    bots: tuple[str, ...] = (Random.name,)
    """One bot for all seats, or one for each seat."""
    seed: int = 0
    most: int = MOST
    source: str = ""
    """The Python file that defines the game, if one does."""

    @classmethod
    def of(
        cls, game: Game, bots: Iterable[str] = (Random.name,), *, seed: int = 0, most: int = MOST, source: str = ""
    ) -> Self:
        """An experiment with this game; bots are validated and normalised."""
        specs = tuple(str(make_bot(game, each)) for each in bots)
        if len(specs) not in (1, game.players):
            wanted = f" for all seats or one for each of the {game.players}" if game.players > 1 else ""
            raise RookeryError(f"Name one bot{wanted}, not {len(specs)}.")
        seed, most = whole(seed, "seed", 0, LAST_SEED), whole(most, "most", 0, playouts.LARGEST)
        return cls(game.name, tuple(game.options.items()), specs, seed, most, source)

    @property
    def game(self) -> Game:
        """The game with its options."""
        with _game_lock:
            return _game(self)

    @property
    def seats(self) -> tuple[Bot, ...]:
        """The bot on each seat."""
        bots = tuple(make_bot(self.game, each) for each in self.bots)
        return bots * self.game.players if len(bots) == 1 else bots

    @property
    def random(self) -> bool:
        """Whether all bots play at random, so that the compiled loop can be used."""
        return all(type(bot) is Random for bot in self.seats)

    @property
    def repeatable(self) -> bool:
        """Whether no bot has a time limit: only then do runs give the same result."""
        return all(bot.ms is None for bot in self.seats)


_game_lock = threading.Lock()
"""Threads share one import of a game's file."""


@functools.lru_cache(maxsize=256)
def _game(experiment: Experiment) -> Game:
    cls = from_file(experiment.source) if experiment.source else find(experiment.name)
    return cls.make(**dict(experiment.options))


@dataclass
class Tally:
    """Exact counts of the outcomes of consecutive games."""

    games: int = 0
    made: int = 0
    """The actions of players."""
    moves: dict[int, Counts] = field(default_factory=dict)
    """The lengths of games by winner: 0 is nobody, −1 a game that was stopped at the limit."""
    scores: dict[int, Counts] = field(default_factory=dict)
    """The scores of each player."""
    win_scores: dict[int, Counts] = field(default_factory=dict)
    """The scores of each player in the games that it won."""
    counts: list[int] = field(default_factory=list)
    """For each place of each of the game's maps."""

    @classmethod
    def of(cls, results: Results, players: int) -> Self:
        """Count the results of some games."""
        tally = cls(len(results.moves), results.made, counts=list(results.counts))
        for (winner, length), many in Counter(zip(results.winners, results.moves, strict=True)).items():
            tally.moves.setdefault(winner, Counts()).add(length, many)
        for player in range(1, players + 1):
            scores, won = Counts(), Counts()
            found = Counter(zip(results.winners, results.scores[player - 1 :: players], strict=True))
            for (winner, score), many in found.items():
                scores.add(score, many)
                if winner == player:
                    won.add(score, many)
            tally.scores[player], tally.win_scores[player] = scores, won
        return tally

    @classmethod
    def of_arrays(cls, players: int, made: int, moves: Any, winners: Any, scores: Any, counts: Any) -> Self:
        """Count results in NumPy arrays: its sorting releases the interpreter lock, so other threads can run."""
        import numpy

        def counted(values: Any) -> Counts:
            found, many = numpy.unique(values, return_counts=True)
            return Counts.from_json(zip(found.tolist(), many.tolist(), strict=True))

        tally = cls(len(moves), made, counts=counts.tolist())
        for winner in numpy.unique(winners).tolist():
            tally.moves[winner] = counted(moves[winners == winner])
        for player in range(1, players + 1):
            own = scores[player - 1 :: players]
            tally.scores[player], tally.win_scores[player] = counted(own), counted(own[winners == player])
        return tally

    def plus(self, other: Tally) -> Tally:
        """A new tally with the counts of both."""
        both = Tally()
        both.merge(self)
        both.merge(other)
        return both

    def merge(self, other: Tally) -> None:
        """Add the counts of another tally."""
        self.games += other.games
        self.made += other.made
        for name in COUNTED:
            for key, counts in getattr(other, name).items():
                getattr(self, name).setdefault(key, Counts()).merge(counts)
        # An empty tally has no counts yet.
        self.counts = [a + b for a, b in zip(self.counts or [0] * len(other.counts), other.counts, strict=True)]

    def won_by(self, player: int) -> Counts:
        """The lengths of the games a player won."""
        return self.moves.get(player, Counts())

    @property
    def unfinished(self) -> int:
        """Games that were stopped at the limit."""
        return self.won_by(UNFINISHED).total

    @property
    def lengths(self) -> Counts:
        """The lengths of all games."""
        everything = Counts()
        for counts in self.moves.values():
            everything.merge(counts)
        return everything

    @property
    def valid(self) -> bool:
        """Whether all parts count the same number of games."""
        return self.games == self.lengths.total and all(self.games == each.total for each in self.scores.values())

    def to_json(self) -> dict[str, Any]:
        """All counts, as JSON."""
        return {
            "games": self.games,
            "made": self.made,
            "counts": self.counts,
            **{
                name: {str(key): counts.to_json() for key, counts in sorted(getattr(self, name).items())}
                for name in COUNTED
            },
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        """The inverse of `to_json`."""
        return cls(
            int(content["games"]),
            int(content["made"]),
            counts=list(map(int, content["counts"])),
            **{name: {int(key): Counts.from_json(pairs) for key, pairs in content[name].items()} for name in COUNTED},
        )


COUNTED = ("moves", "scores", "win_scores")
"""The parts of a tally that are distributions by player."""


@dataclass(frozen=True)
class Chunk:
    """The counts of consecutive games, and the time they took."""

    tally: Tally
    seconds: float


def play(experiment: Experiment, first: int, count: int, compiled: bool = True) -> Chunk:
    """Play games `first` to `first + count − 1` on this core; random play uses machine code if `compiled`."""
    began = time.perf_counter()
    if experiment.random and compiled:
        tally = Tally.of_arrays(
            experiment.game.players,
            *thread_workspace(playouts.Playouts, experiment.game).run(experiment.seed, first, count, experiment.most),
        )
    elif experiment.random:
        plain = playouts.Playouts(experiment.game, compiled=False)
        tally = Tally.of(plain.play(experiment.seed, first, count, experiment.most), experiment.game.players)
    else:
        tally = Tally.of(_with_bots(experiment, first, count), experiment.game.players)
    return Chunk(tally, time.perf_counter() - began)


def _with_bots(experiment: Experiment, first: int, count: int) -> Results:
    """Play games with bots that are not all random; a game's stream decides chance and the bots' random choices."""
    game, seats = experiment.game, experiment.seats
    kernel = game.kernel
    total = 0
    moves: list[int] = []
    winners: list[int] = []
    scores: list[float] = []
    counts = [0] * sum(len(each.places) for each in game.maps())
    for bot in seats:
        bot.ready(game)
    for index in range(first, first + count):
        state, stream, made = game.start(), Stream(experiment.seed, index), 0
        while not state.over and made < experiment.most:
            if state.turn == CHANCE:
                state.play(state.draw(stream))
            else:
                state.play(seats[state.turn - 1].choose(state, stream=stream))
                made += 1
        total += made
        moves.append(kernel.moves(state.words, made))
        winners.append(kernel.winner(state.words) if state.over else UNFINISHED)
        scores += state.scores()
        kernel.tally(state.words, counts)
    return Results(total, moves, winners, scores, counts)
