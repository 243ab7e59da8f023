"""Duels: round-robins between bots of one game, with shared openings and balanced seats.

All randomness comes from the duel's seed and the numbers of the opening and the game. So the games of a duel can run
anywhere in any order with the same result, unless a bot has a time limit. `standings` evaluates the games.
"""

from __future__ import annotations

import functools
import math
import time
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from rookery.core.bot import make_bot
from rookery.core.errors import OptionError, RecordError
from rookery.core.options import Option
from rookery.core.record import Record
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.games import find, from_file
from rookery.system import interrupts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rookery.core.bot import Bot
    from rookery.core.game import Game
    from rookery.core.options import Value
    from rookery.core.state import State
    from rookery.lab.backend import Backend
    from rookery.lab.ratings import Ranking

OPENING = 2
"""The default number of random actions at the start of a game."""
MOST = 10_000
"""The default limit of actions, after which a game is stopped."""


def split_bots(text: str) -> list[str]:
    """The bots in a comma-separated list. Commas also separate parameters: key=value belongs to the bot before it.

    >>> split_bots("minimax:depth=3,ms=50,random,7")
    ['minimax:depth=3,ms=50', 'random', '7']
    """
    bots: list[str] = []
    for part in (each.strip() for each in text.split(",")):
        if not part:
            raise OptionError(f"A bot is missing in '{text}': separate bots by one comma.")
        key, equals, _ = part.partition("=")
        if not equals or ":" in key:
            bots.append(part)
        elif bots:
            bots[-1] += ("," if ":" in bots[-1] else ":") + part
        else:
            raise OptionError(f"'{part}' is a parameter without a bot: write a bot as NAME:key=value.")
    return bots


@dataclass(frozen=True)
class Schedule:
    """How many games a duel has, and how they start and end."""

    games: int
    """Games of each table; in a game for one player, games of each bot."""
    seed: int = 0
    opening: int = OPENING
    """Random actions of players before the bots take over."""
    most: int = MOST
    """The limit of actions, after which a game is stopped: a draw between all players; a solo game keeps its score."""
    near: int = 0
    """The largest distance in the list at which bots meet, as on a ladder of levels; 0 for any distance."""

    def __post_init__(self) -> None:
        for bound in BOUNDS:
            bound.check(getattr(self, bound.name))


BOUNDS = (
    Option("games", int, None, "", low=1, high=10**9),
    Option("seed", int, 0, "", low=0, high=2**63 - 1),
    Option("opening", int, OPENING, "", low=0, high=1000),
    Option("most", int, MOST, "", low=1, high=10**9),
    Option("near", int, 0, "", low=0, high=10**9),
)


@dataclass(frozen=True)
class Duel:
    """The definition of a duel: plain values only, so that it can be sent, stored and compared.

    Bots meet at tables. In a game for p ≥ 2 players, every p bots that are `near` each other in the list form a table.
    A solo game has a single table with all bots, each of which plays alone. A bot that is listed several times takes
    part and is rated as often.

    A table plays each opening p times with rotated seats, so that each bot has each seat once: the games of a table are
    a multiple of p. In a solo game, every bot plays each opening once. Opening k is the same for all tables and seats.
    Games are ordered by opening, then by table: stopped anywhere, a duel is still fair, and a duel of more games starts
    with the games of a shorter one.
    """

    name: str
    """The game's."""
    options: tuple[tuple[str, Value], ...]
    bots: tuple[str, ...]
    schedule: Schedule
    source: str = ""
    """The Python file that defines the game, if one does."""

    @classmethod
    def of(cls, game: Game, bots: Iterable[str], schedule: Schedule, *, source: str = "") -> Self:
        """A duel in this game. Bots are normalised; the number of games is rounded up so that seats are balanced."""
        specs = tuple(str(make_bot(game, each)) for each in bots)
        if len(specs) < max(2, game.players):
            players = f" for {game.players} players" if game.players > 2 else ""
            raise OptionError(
                f"A duel in {game.title}{players} takes {max(2, game.players)} bots or more, not {len(specs)}."
            )
        if 0 < schedule.near < game.players - 1:
            least = game.players - 1
            raise OptionError(f"near takes {least} at least in a game for {game.players}, not {schedule.near}.")
        games = math.ceil(schedule.games / game.players) * game.players
        return cls(game.name, tuple(game.options.items()), specs, replace(schedule, games=games), source)

    @property
    def game(self) -> Game:
        """The game with its options."""
        return _game(self)

    @property
    def tables(self) -> list[tuple[int, ...]]:
        """Which bots meet, by their index in `bots`."""
        everybody = range(len(self.bots))
        if self.game.players == 1:
            return [tuple(everybody)]
        apart = self.schedule.near or len(self.bots)
        return [table for table in combinations(everybody, self.game.players) if table[-1] - table[0] <= apart]

    @property
    def openings(self) -> int:
        """The openings that each table plays."""
        return self.schedule.games // self.game.players

    @property
    def seatings(self) -> int:
        """Games of an opening at a table: one for each rotation of the seats, or for each bot of a solo game."""
        return len(self.bots) if self.game.players == 1 else self.game.players

    @property
    def total(self) -> int:
        """The number of games in all."""
        return self.openings * len(self.tables) * self.seatings


@functools.lru_cache(maxsize=256)
def _game(duel: Duel) -> Game:
    cls = from_file(duel.source) if duel.source else find(duel.name)
    return cls.make(**dict(duel.options))


def has_time_limits(duel: Duel) -> bool:
    """Whether a bot has a time limit: then runs differ, and each game needs a core of its own."""
    return any(make_bot(duel.game, spec).ms is not None for spec in duel.bots)


@dataclass(frozen=True)
class Played:
    """A game of a duel. Bots are indices into the duel's `bots`; seats and winners are numbers of players."""

    number: int
    """Counted from 0 over the whole duel."""
    opening: int
    seats: tuple[int, ...]
    """The bot that is player 1, the one that is player 2, …"""
    scores: tuple[float, ...]
    """The game's scores of player 1, of player 2, …"""
    winners: tuple[int, ...]
    ranking: Ranking
    """The bots in this game, best first, in groups of equals; see `rank`."""
    plies: int
    """Actions of players, including the opening."""
    moves: tuple[int, ...]
    """Actions that each player's bot chose."""
    record: str
    """The game's record, a line of JSON; a game stopped at the limit has no result there."""
    unfinished: bool = False
    """Whether it was stopped at the limit."""
    ms: tuple[float, ...] = field(default=(), compare=False)
    """The time that each player's bot took, in milliseconds; the only field that differs between runs."""


def play_opening(duel: Duel, number: int) -> list[Played]:
    """Play the games of an opening at a table; opening k at table t has the number k · tables + t."""
    tables = duel.tables
    opening, at = divmod(number, len(tables))
    start, first = open_game(duel, opening), number * duel.seatings
    seatings = enumerate(_seatings(duel, tables[at]), start=first)
    return [_play(duel, game, opening, seats, start) for game, seats in seatings]


def _seatings(duel: Duel, table: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The bots by seat, player 1 first, in each game of an opening."""
    return [(table[shift:] + table[:shift])[: duel.game.players] for shift in range(duel.seatings)]


def open_game(duel: Duel, opening: int) -> State:
    """A game after its opening, with a player to move.

    If the game ends within the opening, this is the last position with a player to move; without any, the start.
    """
    stream, state = Stream(duel.schedule.seed, 2 * opening), duel.game.start()
    made = kept = 0
    while not state.over:
        if state.turn == CHANCE:
            state.play(state.draw(stream))
            continue
        kept = state.ply
        if made == duel.schedule.opening:
            break
        state.play(state.pick(stream))
        made += 1
    while state.ply > kept:
        state.undo()
    return state


def _play(duel: Duel, number: int, opening: int, seats: tuple[int, ...], start: State) -> Played:
    specs = tuple(duel.bots[bot] for bot in seats)
    bots = _make_bots(duel.game, specs)
    state, stream = start.copy(), Stream(duel.schedule.seed, 2 * number + 1)
    made = sum(action < duel.game.action_count for action in state.history)
    moves, seconds = [0] * len(seats), [0.0] * len(seats)
    while not state.over and made < duel.schedule.most:
        if state.turn == CHANCE:
            state.play(state.draw(stream))
            continue
        seat = state.turn - 1
        began = time.perf_counter()
        action = bots[seat].choose(state, stream=stream)
        seconds[seat] += time.perf_counter() - began
        state.play(action)
        moves[seat] += 1
        made += 1
    return Played(
        number,
        opening,
        seats,
        state.scores(),
        state.winners(),
        rank(state, seats),
        made,
        tuple(moves),
        Record.of(state, specs).line(),
        not state.over,
        tuple(1000 * each for each in seconds),
    )


def _make_bots(game: Game, specs: tuple[str, ...]) -> list[Bot]:
    bots = [make_bot(game, spec) for spec in specs]
    for bot in bots:
        bot.ready(game)
    return bots


def rank(state: State, seats: Sequence[int]) -> Ranking:
    """The bots of a game, best first, in groups of equals: the winners, then the others by their scores.

    All are equal if the game was stopped at the limit, or if it could be won and nobody won.
    """
    winners, scores = state.winners(), state.scores()
    if not state.over or (state.game.winnable and not winners):
        return (tuple(sorted(seats)),)
    return group_by_value({bot: (seat in winners, scores[seat - 1]) for seat, bot in enumerate(seats, start=1)})


def group_by_value(values: dict[int, Any]) -> Ranking:
    """Bots in groups of equal value, the largest value first."""
    groups: dict[Any, list[int]] = {}
    for bot in sorted(values):
        groups.setdefault(values[bot], []).append(bot)
    return tuple(tuple(groups[value]) for value in sorted(groups, reverse=True))


@dataclass
class Result:
    """The games of a duel so far, in order, and the time they took."""

    duel: Duel
    played: list[Played] = field(default_factory=list)
    seconds: float = 0.0
    workers: int = 0

    @property
    def done(self) -> bool:
        """Whether all games have been played."""
        return len(self.played) >= self.duel.total


def run(result: Result, backend: Backend, progress: Callable[[int, int], None] = lambda done, total: None) -> Result:
    """Play the games that are missing; `progress` is called with the number of games done and in all.

    After an interruption the result holds the first games of the duel, without gaps.
    """
    duel, began, before = result.duel, time.perf_counter(), result.seconds
    first, last = len(result.played) // duel.seatings, duel.total // duel.seatings
    result.workers = backend.workers
    try:
        for played in backend.in_order((play_opening, (duel, number)) for number in range(first, last)):
            result.played += played
            progress(len(result.played), duel.total)
    finally:
        result.seconds = before + time.perf_counter() - began
    return result


def write_records(path: str, played: Iterable[Played]) -> None:
    """Write games to a file, one record per line; an existing file is replaced."""
    lines = "".join(each.record + "\n" for each in played)
    try:
        with interrupts.held():
            Path(path).expanduser().write_text(lines, encoding="utf-8")
    except OSError as problem:
        raise RecordError(f"'{path}' cannot be written: {problem.strerror}.") from None
    except (RuntimeError, ValueError):  # the home of an unknown user, or a zero byte
        raise RecordError(f"'{path}' cannot be written: it is not a file's name.") from None
