"""How fast games are played on this machine: compiled against interpreted, several threads against one; and how much
bots look at in their time.

Speeds of a busy machine wander, so what is compared is measured in turn, several times, and given as the middle ratio.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import mean, median
from typing import TYPE_CHECKING, Any

from rookery.core.bot import Budget, make_bot
from rookery.core.stream import Stream
from rookery.engine.threads import cores, threads
from rookery.games import find
from rookery.lab.experiment import Experiment, play

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rookery.core.options import Value
    from rookery.lab.experiment import Piece

SETTINGS: tuple[tuple[str, dict[str, Value], str], ...] = (
    ("gotham", {}, "steps"),
    ("gamma", {}, "moves"),
    ("sixseven", {"variant": "final", "rate": 0.67}, "moves"),
    ("sixseven", {}, "moves"),
    ("gaterun", {}, "plies"),
)
"""The games measured, with their options, and what their moves are called."""
THINKERS: tuple[tuple[str, str, str], ...] = (
    ("gamma", "mcts:ms=100", "play-outs"),
    ("gamma", "settler:ms=100", "nodes"),
    ("gaterun", "mcts:ms=100", "play-outs"),
    ("gaterun", "alphabeta:ms=100", "nodes"),
)
"""The bots measured, and what their nodes are."""
POSITIONS = 20
FEW = 500
"""Nodes of the moves that lead to a position."""
REPEATS = 5
SECONDS = 0.4
"""How long one measurement takes, about."""
PIECES = 40


@dataclass(frozen=True)
class Speed:
    """How fast random games of one kind are played, in moves a second."""

    game: str
    options: dict[str, Value]
    noun: str
    compiled: float
    """On one core."""
    interpreted: float
    ratio: float
    """Compiled to interpreted."""
    threads: int
    speedup: float
    """So many threads to one."""

    @property
    def title(self) -> str:
        """The game with the options that matter here."""
        given = next(
            options for name, options, _ in SETTINGS if name == self.game and options.items() <= self.options.items()
        )
        return " ".join([find(self.game).title, *map(str, given.values())])

    def content(self) -> dict[str, Any]:
        """As a JSON object."""
        return {
            "game": self.game,
            "options": self.options,
            "moves": self.noun,
            "compiled_per_second": round(self.compiled),
            "interpreted_per_second": round(self.interpreted),
            "ratio": round(self.ratio, 1),
            "threads": self.threads,
            "speedup": round(self.speedup, 3),
        }


@dataclass(frozen=True)
class Thinking:
    """How much a bot looks at, and how well it keeps to its time, over positions from all through a game."""

    game: str
    bot: str
    noun: str
    positions: int
    per_second: float
    depth: float | None
    """The plies it looks ahead, on average, if it counts them."""
    longest: float
    """The milliseconds its slowest move took."""

    @property
    def title(self) -> str:
        """The game and the bot."""
        return f"{find(self.game).title} {self.bot}"

    def content(self) -> dict[str, Any]:
        """As a JSON object."""
        return {
            "game": self.game,
            "bot": self.bot,
            "nodes": self.noun,
            "positions": self.positions,
            "nodes_per_second": round(self.per_second),
            "depth_mean": None if self.depth is None else round(self.depth, 2),
            "longest_ms": round(self.longest, 1),
        }


def watch(names: list[str]) -> Iterator[Thinking]:
    """How each of the strong bots of these games thinks; of all games if none is named."""
    for name, spec, noun in THINKERS:
        if not names or name in names:
            yield _thinking(name, spec, noun)


def _thinking(name: str, spec: str, noun: str) -> Thinking:
    cls = find(name)
    bot = make_bot(cls, spec)
    bot.ready(cls())
    nodes, seconds, depths = 0, [], []
    for index in range(POSITIONS):
        state, stream = cls().start(), Stream(0, index)
        for _ in range(2):
            state.play(state.pick(stream))
        for _ in range(2 * index):
            if not state.over:
                state.play(bot.choose(state, stream=stream, nodes=FEW))
        if state.over or len(state.actions()) < 2:
            continue
        budget, began = Budget(bot.ms), time.perf_counter()
        found = bot.search_best(state, budget, stream)
        seconds.append(time.perf_counter() - began)
        nodes += found.nodes
        depths += [] if found.depth is None else [found.depth]
    return Thinking(
        name, spec, noun, len(seconds), nodes / sum(seconds), mean(depths) if depths else None, 1000 * max(seconds)
    )


def measure(names: list[str]) -> Iterator[Speed]:
    """The speed of each setting of these games; of all games if none is named."""
    for name, options, noun in SETTINGS:
        if not names or name in names:
            yield _speed(name, options, noun)


def _speed(name: str, options: dict[str, Value], noun: str) -> Speed:
    experiment = Experiment.of(find(name).make(**options))
    play(experiment, 0, 1)
    fast, slow = _enough(experiment, compiled=True), _enough(experiment, compiled=False)
    many = cores()
    alone, plain, ratios, speedups = [], [], [], []
    with threads(many) as pool:
        list(pool.map(lambda k: play(experiment, k, 1), range(many)))  # each thread has buffers of its own
        for _ in range(REPEATS):
            pieces = _pieces(experiment, fast, compiled=True)
            one = _rate(map(play, *pieces))
            several = _rate(pool.map(play, *(each * many for each in pieces)))
            interpreted = _rate(map(play, *_pieces(experiment, slow, compiled=False)))
            alone.append(one)
            plain.append(interpreted)
            ratios.append(one / interpreted)
            speedups.append(several / one)
    options = experiment.game.options
    return Speed(name, options, noun, median(alone), median(plain), median(ratios), many, median(speedups))


def _enough(experiment: Experiment, *, compiled: bool) -> int:
    """So many games that playing them takes about as long as a measurement should."""
    count = 1
    while True:
        seconds = play(experiment, 0, count, compiled).seconds
        if seconds > SECONDS / 4 or count > 10**7:
            return max(1, int(count * SECONDS / seconds))
        count *= 2


def _pieces(experiment: Experiment, games: int, *, compiled: bool) -> tuple[list[Any], ...]:
    """The arguments for playing so many games in several pieces, so that threads come to an end together."""
    size = max(1, games // PIECES)
    return [experiment] * PIECES, [k * size for k in range(PIECES)], [size] * PIECES, [compiled] * PIECES


def _rate(pieces: Iterable[Piece]) -> float:
    """Moves a second, while pieces are being played."""
    began = time.perf_counter()
    made = sum(piece.tally.made for piece in pieces)
    return made / (time.perf_counter() - began)
