"""Duels: round-robins between bots of one game, from the same openings for all of them, with the seats balanced.

Everything that chance decides comes from the duel's seed and the numbers of the opening and the game, so a duel can be
played piece by piece anywhere and comes out the same, unless a bot thinks by the clock. What the games say about the
bots is worked out in `standings`.
"""

from __future__ import annotations

import functools
import math
import time
from dataclasses import dataclass, field
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
    from rookery.lab.ratings import Ranking
    from rookery.lab.work import Place

OPENING = 2
"""Actions played at random at the start of a game, unless said otherwise."""
MOST = 10_000
"""Actions after which a game is broken off, unless said otherwise."""
BOUNDS = (
    Option("games", int, None, "", low=1, high=10**9),
    Option("seed", int, 0, "", low=0, high=2**63 - 1),
    Option("opening", int, OPENING, "", low=0, high=1000),
    Option("most", int, MOST, "", low=1, high=10**9),
    Option("near", int, 0, "", low=0, high=10**9),
)


def split_bots(text: str) -> list[str]:
    """The bots in a list with commas, which also part a bot's parameters: key=value belongs to the bot before it.

    >>> split_bots("minimax:depth=3,ms=50,random,7")
    ['minimax:depth=3,ms=50', 'random', '7']
    """
    bots: list[str] = []
    for part in (each.strip() for each in text.split(",")):
        if not part:
            raise OptionError(f"There is a bot missing in '{text}': write bots with one comma between two.")
        key, equals, _ = part.partition("=")
        if not equals or ":" in key:
            bots.append(part)
        elif bots:
            bots[-1] += ("," if ":" in bots[-1] else ":") + part
        else:
            raise OptionError(f"'{part}' is a parameter with no bot before it: write a bot as NAME:key=value.")
    return bots


@dataclass(frozen=True)
class Duel:
    """What is asked: plain values only, so that it can be sent anywhere, written down and compared.

    Bots meet at tables. In a game for two that is every pair of bots, in one for p > 2 players every p of them, as long
    as they stand `near` each other in the list; a game for one player has a single table at which all bots sit, and
    each plays alone. A bot named several times sits there as often, and is rated each time.

    A table plays each of its openings p times with the seats rotated, so that each bot sits on each seat once: the
    games of a table are a multiple of p. In a game for one, every bot plays each opening once. Opening k is the same
    for all tables and seats. The schedule goes opening by opening, and within one table by table: broken off anywhere,
    it is still fair, and a duel of more games begins with the games of the smaller one.
    """

    name: str
    """The game's."""
    options: tuple[tuple[str, Value], ...]
    bots: tuple[str, ...]
    games: int
    """For each table; in a game for one player, for each bot."""
    seed: int = 0
    opening: int = OPENING
    """Actions that players make at random before the bots take over."""
    most: int = MOST
    """Actions after which a game is broken off: a draw between all players; who plays alone keeps the points so far."""
    source: str = ""
    """The Python file the game comes from, if it does."""
    near: int = 0
    """How far apart in the list bots may stand to meet, as the levels of a ladder; 0 for any distance."""

    @classmethod
    def of(
        cls,
        game: Game,
        bots: Iterable[str],
        *,
        games: int,
        seed: int = 0,
        opening: int = OPENING,
        most: int = MOST,
        source: str = "",
        near: int = 0,
    ) -> Self:
        """The duel in this game, with `games` rounded up so that seats can be balanced; bots get their one form."""
        for bound, given in zip(BOUNDS, (games, seed, opening, most, near), strict=True):
            bound.check(given)
        specs = tuple(str(make_bot(game, each)) for each in bots)
        if len(specs) < max(2, game.players):
            whose = f"A duel in {game.title}"
            if game.players > 2:
                whose += f" for {game.players} players"
            raise OptionError(f"{whose} takes {max(2, game.players)} bots or more, not {len(specs)}.")
        if 0 < near < game.players - 1:
            raise OptionError(f"near takes {game.players - 1} at least in a game for {game.players}, not {near}.")
        rounded = math.ceil(games / game.players) * game.players
        return cls(game.name, tuple(game.options.items()), specs, rounded, seed, opening, most, source, near)

    @property
    def game(self) -> Game:
        """The game with its options."""
        return _game(self)

    @property
    def tables(self) -> list[tuple[int, ...]]:
        """Who meets whom, bots by their place in `bots`."""
        everybody = range(len(self.bots))
        if self.game.players == 1:
            return [tuple(everybody)]
        apart = self.near or len(self.bots)
        return [table for table in combinations(everybody, self.game.players) if table[-1] - table[0] <= apart]

    @property
    def openings(self) -> int:
        """How many openings each table plays."""
        return self.games // self.game.players

    @property
    def seatings(self) -> int:
        """Games of an opening at a table: as many as bots sit there, whether by turns on each seat or each alone."""
        return len(self.bots) if self.game.players == 1 else self.game.players

    @property
    def total(self) -> int:
        """Games in all."""
        return self.openings * len(self.tables) * self.seatings


@functools.lru_cache(maxsize=256)
def _game(duel: Duel) -> Game:
    cls = from_file(duel.source) if duel.source else find(duel.name)
    return cls.make(**dict(duel.options))


def thinks_by_clock(duel: Duel) -> bool:
    """Whether a bot's time to think is measured: then no run repeats another, and each game needs a core of its own."""
    return any(make_bot(duel.game, spec).ms is not None for spec in duel.bots)


@dataclass(frozen=True)
class Played:
    """A game of a duel. Bots go by their place in the duel's `bots`, seats and winners by the players' numbers."""

    number: int
    """From 0, over the whole schedule."""
    opening: int
    seats: tuple[int, ...]
    """The bot that is player 1, the one that is player 2, …"""
    scores: tuple[float, ...]
    """The points of player 1, of player 2, …, in the game's own terms."""
    winners: tuple[int, ...]
    ranking: Ranking
    """The bots that took part, best first, in groups of equals; see `rank`."""
    plies: int
    """Actions of players, those of the opening included."""
    moves: tuple[int, ...]
    """What each player's bot chose of them."""
    record: str
    """The game as a line of JSON; one that was broken off has no result there."""
    unfinished: bool = False
    """Whether it was broken off."""
    ms: tuple[float, ...] = field(default=(), compare=False)
    """The milliseconds each player's bot took to choose; the one thing that differs from run to run."""


def play_opening(duel: Duel, number: int) -> list[Played]:
    """The games of an opening at a table; opening k at table t has the number k · tables + t."""
    tables = duel.tables
    opening, at = divmod(number, len(tables))
    start, first = open_game(duel, opening), number * duel.seatings
    return [_play(duel, first + way, opening, seats, start) for way, seats in enumerate(_seated(duel, tables[at]))]


def _seated(duel: Duel, table: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Who sits where, player 1 first, in each game of an opening."""
    return [(table[way:] + table[:way])[: duel.game.players] for way in range(duel.seatings)]


def open_game(duel: Duel, opening: int) -> State:
    """A game after its opening, with a player to move.

    If the game would end within it, the opening is what led to the last position with a player to move. (If there is
    none, the game is left to chance from its start.)
    """
    stream, state = Stream(duel.seed, 2 * opening), duel.game.start()
    made = kept = 0
    while not state.over:
        if state.turn == CHANCE:
            state.play(state.draw(stream))
            continue
        kept = len(state.history)
        if made == duel.opening:
            break
        state.play(state.pick(stream))
        made += 1
    while len(state.history) > kept:
        state.undo()
    return state


def _play(duel: Duel, number: int, opening: int, seats: tuple[int, ...], start: State) -> Played:
    specs = tuple(duel.bots[bot] for bot in seats)
    bots = _ready(duel.game, specs)
    state, stream = start.copy(), Stream(duel.seed, 2 * number + 1)
    made = sum(action < duel.game.action_count for action in state.history)
    moves, seconds = [0] * len(seats), [0.0] * len(seats)
    while not state.over and made < duel.most:
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


def _ready(game: Game, specs: tuple[str, ...]) -> list[Bot]:
    bots = [make_bot(game, spec) for spec in specs]
    for bot in bots:
        bot.ready(game)
    return bots


def rank(state: State, seats: Sequence[int]) -> Ranking:
    """The bots of a game, best first, in groups of equals: the winners, then the others by their scores.

    If the game was broken off, or could be won and nobody won it, all are equal.
    """
    winners, scores = state.winners(), state.scores()
    if not state.over or (state.game.winnable and not winners):
        return (tuple(sorted(seats)),)
    return by_merit({bot: (seat in winners, scores[seat - 1]) for seat, bot in enumerate(seats, start=1)})


def by_merit(merits: dict[int, Any]) -> Ranking:
    """Bots in groups of equal merit, the largest first."""
    groups: dict[Any, list[int]] = {}
    for bot in sorted(merits):
        groups.setdefault(merits[bot], []).append(bot)
    return tuple(tuple(groups[merit]) for merit in sorted(groups, reverse=True))


@dataclass
class Result:
    """A duel under way or done: the games so far, in the order of the schedule, and how long they took."""

    duel: Duel
    played: list[Played] = field(default_factory=list)
    seconds: float = 0.0
    workers: int = 0

    @property
    def done(self) -> bool:
        """Whether all games have been played."""
        return len(self.played) >= self.duel.total


def run(result: Result, place: Place, seen: Callable[[int, int], None] = lambda done, total: None) -> Result:
    """Play all the games that are missing, calling `seen` with how many are done, and of how many, as they come in.

    If it is interrupted, the result holds what was played until then: the first games of the schedule, and no others.
    """
    duel, began, before = result.duel, time.perf_counter(), result.seconds
    first, last = len(result.played) // duel.seatings, duel.total // duel.seatings
    result.workers = place.workers
    try:
        for played in place.in_order((play_opening, (duel, number)) for number in range(first, last)):
            result.played += played
            seen(len(result.played), duel.total)
    finally:
        result.seconds = before + time.perf_counter() - began
    return result


def write_records(path: str, played: Iterable[Played]) -> None:
    """Write games to a file, a record a line; a file that is there is replaced."""
    lines = "".join(each.record + "\n" for each in played)
    try:
        with interrupts.held():
            Path(path).expanduser().write_text(lines, encoding="utf-8")
    except OSError as problem:
        raise RecordError(f"'{path}' cannot be written: {problem.strerror}.") from None
    except (RuntimeError, ValueError):  # an unknown user's home, a zero byte
        raise RecordError(f"'{path}' cannot be written: it is not a file's name.") from None
