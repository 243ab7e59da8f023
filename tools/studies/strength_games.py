"""The games behind docs/strength.md: what is played, games kept from one run to the next, and the ratings they give.

`strength.py` plays them and writes the page.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import rookery
from rookery.core.bot import make_bot
from rookery.engine.code_cache import compiled_sources, fingerprint
from rookery.lab.backend import open_backend
from rookery.lab.duel import Duel, Played, Result, Schedule, run
from rookery.lab.intervals import Z95
from rookery.lab.ratings import ELO, rate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rookery.core.game import Game
    from rookery.lab.backend import Backend
    from rookery.lab.ratings import Ranking, Rating


DOCS = Path(__file__).resolve().parents[2] / "docs"
KEPT = DOCS / "_build" / "strength"
"""Where games are kept between runs, and where the page goes if only a share of the games is played."""
SEED = 7
LEVELS = tuple(str(level) for level in range(1, 11))
NEAR = 2
"""Levels further apart do not meet: their games would say next to nothing."""
LADDER, LANDMARK, MATCH = 120, 12, 120
"""Games of two levels; of a reference bot and a level; of a match or a handicap."""


@dataclass(frozen=True)
class Rated:
    """A game whose levels are rated, with simple or well-known bots for reference."""

    game: Game
    landmarks: tuple[str, ...]
    about: str

    @property
    def name(self) -> str:
        """The game's name."""
        return self.game.name


RATED = (
    Rated(
        rookery.game("gaterun"),
        ("random", "runner", "greedy", "minimax:depth=2", "minimax:depth=3", "mcts:nodes=2000"),
        "7×7 with 8 walls each. `minimax:depth=3` plays like the bot of the original GateRun.",
    ),
    Rated(
        rookery.game("gamma"),
        ("random", "greedy", "mcts:ms=100"),
        "10×10, two players, 4 areas each.",
    ),
)


@dataclass(frozen=True)
class Match:
    """The first of these bots against the others."""

    game: Game
    bots: tuple[str, ...]


MATCHES = (
    Match(rookery.game("gaterun"), ("alphabeta:ms=100", "minimax:depth=3")),
    Match(rookery.game("gaterun"), ("alphabeta:ms=5", "minimax:depth=2")),
    Match(rookery.game("gaterun"), ("minimax:depth=3", "minimax:depth=2")),
    Match(rookery.game("gamma"), ("10", "greedy")),
    Match(rookery.game("gamma"), ("10", "mcts:ms=100")),
    Match(rookery.game("gamma", players=4), ("10", "greedy", "greedy", "greedy")),
)
SELF_PLAY = {
    "gaterun": {"alphabeta:nodes=5000": (1000, 4), "alphabeta:nodes=100000": (300, 4)},
    "gamma": {"settler:nodes=1000": (100, 2)},
}
"""Bots that play themselves, with the number of games and of random moves at their start."""
HANDICAPPED = "alphabeta:nodes=5000"
HANDICAPS = (8, 7, 6, 5, 4)
"""Walls of the second player; the first has 8."""


class Games:
    """All duels of the page, or those of some games. Each is kept in a file of its own."""

    def __init__(self, share: float, workers: int, *, any_code: bool, only: Sequence[str] = ()) -> None:
        def is_played(game: str) -> bool:
            return not only or game in only

        self.share = share
        self.workers = workers
        self.any_code = any_code
        self.code = fingerprint(compiled_sources())
        self.results: dict[Duel, Result] = {}
        self.rated = [each for each in RATED if is_played(each.name)]
        self.ladders = {each.name: self._add(each.game, LEVELS, LADDER, near=NEAR) for each in self.rated}
        self.landmarks = {
            each.name: [
                self._add(each.game, (bot, level), LANDMARK)
                for bot in each.landmarks
                if str(make_bot(each.game, bot)) not in levels(each.game)
                for level in LEVELS
            ]
            for each in self.rated
        }
        self.matches = {
            match: self._add(match.game, match.bots, MATCH) for match in MATCHES if is_played(match.game.name)
        }
        self.self_play = {
            name: [
                self._add(rookery.game(name), (bot, bot), many, opening=opening)
                for bot, (many, opening) in bots.items()
            ]
            for name, bots in SELF_PLAY.items()
            if is_played(name)
        }
        self.handicaps = {
            walls: self._add(rookery.game("gaterun", walls2=walls), (HANDICAPPED, HANDICAPPED), MATCH)
            for walls in HANDICAPS
            if is_played("gaterun")
        }

    def _add(self, game: Game, bots: Sequence[str], many: int, *, near: int = 0, opening: int = 2) -> Duel:
        wanted = max(2, math.ceil(many * self.share))
        duel = Duel.of(game, bots, Schedule(wanted, SEED, opening, near=near))
        self.results[duel] = Result(duel)
        return duel

    def play_all(self) -> None:
        """Play what is missing, one game per core: a bot that plays by the clock needs a core to itself."""
        for duel, result in self.results.items():
            result.played = self._kept(duel)
        before, total = 0, sum(duel.total for duel in self.results)
        with progress(total) as show, open_backend("local", self.workers, compiled=False) as found:
            for duel, result in self.results.items():
                if not result.done:
                    self._play(result, found, before, show)
                before += duel.total

    def _play(self, result: Result, found: Backend, before: int, show: Callable[[str, int], None]) -> None:
        """Play the rest of a duel and write every game to its file at once."""
        path, written = self._path(result.duel), len(result.played)
        show(title(result.duel), before + written)
        if not written:
            path.write_text(json.dumps(self._head(result.duel)) + "\n", encoding="utf-8")
        with path.open("a", encoding="utf-8") as file:

            def keep(done: int, total: int) -> None:
                nonlocal written
                file.writelines(json.dumps(asdict(each)) + "\n" for each in result.played[written:])
                file.flush()
                written = done
                show(title(result.duel), before + done)

            run(result, found, keep)

    def _kept(self, duel: Duel) -> list[Played]:
        """The kept games of a duel; none if its bots or the code have changed."""
        path = self._path(duel)
        if not path.exists():
            return []
        head, *lines = path.read_text(encoding="utf-8").splitlines()
        kept, wanted = json.loads(head), self._head(duel)
        if kept["duel"] != wanted["duel"]:
            return []
        if kept["code"] != wanted["code"] and not self.any_code:
            print(f"{title(duel)}: the code has changed since {len(lines)} games were played.", file=sys.stderr)
            return []
        found = list(takewhile(lambda played: played is not None, map(_read, lines)))
        whole = len(found) - len(found) % duel.seatings
        if whole < len(lines):  # the last line was being written
            path.write_text("".join(f"{line}\n" for line in [head, *lines[:whole]]), encoding="utf-8")
        return [played for played in found[: min(whole, duel.total)] if played]

    def _head(self, duel: Duel) -> dict[str, Any]:
        plain: dict[str, Any] = json.loads(json.dumps(asdict(duel)))
        del plain["schedule"]["games"]  # a duel of more games begins with the same ones
        return {"duel": plain, "code": self.code}

    def _path(self, duel: Duel) -> Path:
        options = "-".join(f"{name}{value}" for name, value in duel.options if value not in (None, False))
        bots = "levels" if duel.schedule.near else "-".join(duel.bots)
        return KEPT / (re.sub(r"[^\w.-]+", "_", f"{duel.name}-{options}-{bots}") + ".jsonl")


def _read(line: str) -> Played | None:
    """A game from its line, with lists turned back into tuples; None if the line is incomplete."""
    try:
        fields: dict[str, Any] = json.loads(line)
    except ValueError:
        return None
    fields["ranking"] = tuple(tuple(group) for group in fields["ranking"])
    for name in ("seats", "scores", "winners", "moves", "ms"):
        fields[name] = tuple(fields[name])
    return Played(**fields)


def levels(game: Game) -> list[str]:
    """The bots of the levels, by their normal form."""
    return [str(make_bot(game, level)) for level in LEVELS]


def title(duel: Duel) -> str:
    """A duel in a few words."""
    return f"{duel.game.title}, " + ("levels" if duel.schedule.near else " – ".join(map(named, duel.bots)))


def named(bot: str) -> str:
    """A bot's name with the parameter that matters, even if it has its default value."""
    return "minimax:depth=3" if bot == "minimax" else bot


@contextmanager
def progress(total: int) -> Iterator[Callable[[str, int], None]]:
    """A progress bar on a terminal; elsewhere a line when a duel starts."""
    if not sys.stderr.isatty():
        said: list[str] = []

        def say(name: str, done: int) -> None:
            if name not in said[-1:]:
                print(f"{done:,} of {total:,} games; {name}", file=sys.stderr, flush=True)
                said.append(name)

        yield say
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("games,"), TimeRemainingColumn(), TextColumn("left"))
    with Progress(*columns, TextColumn("{task.description}"), console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task("", total=total)
        yield lambda name, done: bars.update(task, completed=done, description=name)


class Ratings:
    """The ratings of all bots in some duels for two players, with intervals of their differences."""

    def __init__(self, results: Sequence[Result]) -> None:
        self.results = results
        self.bots = list(dict.fromkeys(bot for result in results for bot in result.duel.bots))
        number = {bot: at for at, bot in enumerate(self.bots)}
        rankings: Counter[Ranking] = Counter()
        for result in results:
            for played in result.played:
                rankings[tuple(tuple(number[result.duel.bots[bot]] for bot in group) for group in played.ranking)] += 1
        self.found: list[Rating] = rate(len(self.bots), rankings)
        self.met: Counter[frozenset[int]] = Counter()
        for ranking, many in rankings.items():
            self.met[frozenset(bot for group in ranking for bot in group)] += many

    def elo(self, bot: str) -> float:
        """A bot's rating; only differences mean anything."""
        return self.found[self.bots.index(bot)].elo

    @property
    def bounded(self) -> bool:
        """Whether the games bound all ratings, so that no draws have to be assumed."""
        return all(rating.bounded for rating in self.found)

    def gap(self, bot: str, other: str) -> tuple[float, float]:
        """The Elo difference of two bots, and the half-width of its 95% interval."""
        ends = np.zeros(len(self.bots))
        ends[self.bots.index(bot)] += 1
        ends[self.bots.index(other)] -= 1
        return self.elo(bot) - self.elo(other), Z95 * math.sqrt(ends @ self._covariance @ ends)

    @cached_property
    def _covariance(self) -> Any:
        """The covariance of all ratings: the pseudo-inverse of the Fisher information of the Bradley–Terry model.

        A game that one bot wins with probability p adds p (1 − p) for its pair. A draw counts as any other game, which
        makes intervals a little too wide.
        """
        count = len(self.bots)
        information = np.zeros((count, count))
        for one in range(count):
            for other in range(one):
                games = self.met[frozenset((one, other))] + (0 if self.bounded else 1)
                chance = 1 / (1 + math.exp((self.found[other].elo - self.found[one].elo) / ELO))
                weight = games * chance * (1 - chance)
                information[[one, other], [one, other]] += weight
                information[[one, other], [other, one]] -= weight
        return np.linalg.pinv(information) * ELO**2

    def ms(self, bot: str) -> float | None:
        """The mean time of a bot's moves over all its games, in milliseconds."""
        moves = took = 0.0
        for result in self.results:
            for played in result.played:
                for seat, at in enumerate(played.seats):
                    if result.duel.bots[at] == bot:
                        moves += played.moves[seat]
                        took += played.ms[seat]
        return took / moves if moves else None


def points(result: Result, bot: int, other: int) -> tuple[float, int]:
    """The points of one bot of a duel against another, and their games."""
    total, games = 0.0, 0
    for played in result.played:
        if {bot, other} <= set(played.seats):
            first = next(place for place, group in enumerate(played.ranking) if bot in group)
            second = next(place for place, group in enumerate(played.ranking) if other in group)
            total += 0.5 if first == second else float(first < second)
            games += 1
    return total, games
