"""Benchmarks of this machine: random play compiled and interpreted, on one thread and on several, and bots' searches.

Speeds vary on a busy machine. So alternatives are measured in turn, several times, and compared by the median ratio.
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
    from rookery.lab.experiment import Chunk

SETTINGS: tuple[tuple[str, dict[str, Value], str], ...] = (
    ("gotham", {}, "steps"),
    ("gamma", {}, "moves"),
    ("sixseven", {"variant": "final", "rate": 0.67}, "moves"),
    ("sixseven", {}, "moves"),
    ("gaterun", {}, "plies"),
)
"""The games measured, with their options and the word for their moves."""
BOTS: tuple[tuple[str, str, str], ...] = (
    ("gamma", "mcts:ms=100", "play-outs"),
    ("gamma", "settler:ms=100", "nodes"),
    ("gaterun", "mcts:ms=100", "play-outs"),
    ("gaterun", "alphabeta:ms=100", "nodes"),
)
"""The bots measured, with the word for their nodes."""
POSITIONS = 20
OPENING_NODES = 500
"""The nodes per move on the way to a position."""
REPEATS = 5
SECONDS = 0.4
"""The approximate time of one measurement."""
CHUNKS = 40


@dataclass(frozen=True)
class Speed:
    """The speed of random play in one game, in moves per second."""

    game: str
    options: dict[str, Value]
    noun: str
    compiled: float
    """On one core."""
    interpreted: float
    ratio: float
    """Compiled against interpreted."""
    threads: int
    speedup: float
    """All threads against one."""

    @property
    def title(self) -> str:
        """The game with the options that were set."""
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
class SearchSpeed:
    """The speed of a bot's search, and how well it keeps its time limit, over positions of a whole game."""

    game: str
    bot: str
    noun: str
    positions: int
    per_second: float
    depth: float | None
    """The mean search depth in plies, if the bot reports it."""
    longest: float
    """The time of its slowest move, in milliseconds."""

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


def measure_bots(names: list[str]) -> Iterator[SearchSpeed]:
    """The search speeds of the strong bots of these games, or of all games if none is named."""
    for name, spec, noun in BOTS:
        if not names or name in names:
            yield _search_speed(name, spec, noun)


def _search_speed(name: str, spec: str, noun: str) -> SearchSpeed:
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
                state.play(bot.choose(state, stream=stream, nodes=OPENING_NODES))
        if state.over or len(state.actions()) < 2:
            continue
        budget, began = Budget(bot.ms), time.perf_counter()
        found = bot.search_best(state, budget, stream)
        seconds.append(time.perf_counter() - began)
        nodes += found.nodes
        depths += [] if found.depth is None else [found.depth]
    return SearchSpeed(
        name, spec, noun, len(seconds), nodes / sum(seconds), mean(depths) if depths else None, 1000 * max(seconds)
    )


def measure_games(names: list[str]) -> Iterator[Speed]:
    """The speeds of random play in these games, or in all games if none is named."""
    for name, options, noun in SETTINGS:
        if not names or name in names:
            yield _speed(name, options, noun)


def _speed(name: str, options: dict[str, Value], noun: str) -> Speed:
    experiment = Experiment.of(find(name).make(**options))
    play(experiment, 0, 1)
    fast, slow = _calibrate(experiment, compiled=True), _calibrate(experiment, compiled=False)
    many = cores()
    alone, plain, ratios, speedups = [], [], [], []
    with threads(many) as pool:
        list(pool.map(lambda k: play(experiment, k, 1), range(many)))  # each thread allocates its buffers
        for _ in range(REPEATS):
            chunks = _chunks(experiment, fast, compiled=True)
            one = _rate(map(play, *chunks))
            several = _rate(pool.map(play, *(each * many for each in chunks)))
            interpreted = _rate(map(play, *_chunks(experiment, slow, compiled=False)))
            alone.append(one)
            plain.append(interpreted)
            ratios.append(one / interpreted)
            speedups.append(several / one)
    options = experiment.game.options
    return Speed(name, options, noun, median(alone), median(plain), median(ratios), many, median(speedups))


def _calibrate(experiment: Experiment, *, compiled: bool) -> int:
    """The number of games that take about `SECONDS`."""
    count = 1
    while True:
        seconds = play(experiment, 0, count, compiled).seconds
        if seconds > SECONDS / 4 or count > 10**7:
            return max(1, int(count * SECONDS / seconds))
        count *= 2


def _chunks(experiment: Experiment, games: int, *, compiled: bool) -> tuple[list[Any], ...]:
    """The arguments to play this many games in several chunks, so that threads finish together."""
    size = max(1, games // CHUNKS)
    return [experiment] * CHUNKS, [k * size for k in range(CHUNKS)], [size] * CHUNKS, [compiled] * CHUNKS


def _rate(chunks: Iterable[Chunk]) -> float:
    """The moves per second while these chunks are played."""
    began = time.perf_counter()
    made = sum(chunk.tally.made for chunk in chunks)
    return made / (time.perf_counter() - began)
