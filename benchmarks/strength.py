"""How strong the bots are: the levels of GateRun and Gamma rated against each other, with landmarks among them.

    make strength              # everything, an hour on two cores, on which nothing else should run
    make strength SHARE=0.02   # a fiftieth of the games, to try it out

It writes docs/strength.md and the pictures in docs/strength/; with a share below 1 it writes into docs/_build/strength
instead, where it also keeps the games: broken off, it goes on where it was.
"""

from __future__ import annotations

import argparse
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
from benchmarks.worth import Run, Settling, share

import rookery
from rookery.core.bot import make_bot
from rookery.core.errors import RookeryError
from rookery.engine.compiling import fingerprint
from rookery.engine.threads import cores
from rookery.lab import page as paper
from rookery.lab.duel import Duel, Played, Result, run
from rookery.lab.intervals import Z95
from rookery.lab.ratings import ELO, rate
from rookery.lab.standings import content
from rookery.lab.work import place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from rookery.core.game import Game
    from rookery.lab.ratings import Ranking, Rating
    from rookery.lab.work import Place

DOCS = Path(__file__).resolve().parent.parent / "docs"
KEPT = DOCS / "_build" / "strength"
"""Where games are kept between one run and the next, and where pages of a share of the games go."""
SEED = 7
LEVELS = tuple(str(level) for level in range(1, 11))
NEAR = 2
"""Levels that are further apart do not meet: these games would be decided before they began."""
LADDER, LANDMARK, BAR = 120, 12, 120
"""Games of two levels; of a landmark and a level; of the bars and handicaps."""
INTERRUPTED = 130


@dataclass(frozen=True)
class Rated:
    """A game whose levels are rated, and bots that are well known or simple, to be seen among them."""

    game: Game
    landmarks: tuple[str, ...]
    about: str


RATED = (
    Rated(
        rookery.game("gaterun"),
        ("random", "runner", "greedy", "minimax:depth=2", "minimax:depth=3", "mcts:nodes=2000"),
        "7×7 with 8 walls each. `minimax:depth=3` plays as the bot did that GateRun came with.",
    ),
    Rated(
        rookery.game("gamma"),
        ("random", "greedy", "mcts:ms=100"),
        "10×10, two players, 4 areas each.",
    ),
)


@dataclass(frozen=True)
class Bar:
    """A match that says in one figure how good a bot is: the first of these against the others."""

    game: Game
    bots: tuple[str, ...]


BARS = (
    Bar(rookery.game("gaterun"), ("alphabeta:ms=100", "minimax:depth=3")),
    Bar(rookery.game("gaterun"), ("alphabeta:ms=5", "minimax:depth=2")),
    Bar(rookery.game("gaterun"), ("minimax:depth=3", "minimax:depth=2")),
    Bar(rookery.game("gamma"), ("10", "greedy")),
    Bar(rookery.game("gamma"), ("10", "mcts:ms=100")),
    Bar(rookery.game("gamma", players=4), ("10", "greedy", "greedy", "greedy")),
)
RUNNERS = {"alphabeta:nodes=5000": 1000, "alphabeta:nodes=100000": 300}
SETTLERS = {"settler:nodes=1000": 100}
"""Bots that play themselves, to learn how the games are played, and how many games."""
OPENING = 4
"""Random moves with which the first of those games begin."""
HANDICAPPED = "alphabeta:nodes=5000"
HANDICAPS = (8, 7, 6, 5, 4)
"""Walls of the second player."""


def main() -> int:
    """Play what is missing, then write the page."""
    parser = argparse.ArgumentParser(description="Rate the bots of GateRun and Gamma and write docs/strength.md.")
    parser.add_argument("--share", type=float, default=1.0, help="the share of the games to play (default 1)")
    parser.add_argument("--workers", type=int, default=cores(), help="games at a time (default, and most: one a core)")
    parser.add_argument("--into", type=Path, help="the folder for the page (default docs, or docs/_build/strength)")
    parser.add_argument(
        "--any-code", action="store_true", help="go on with games that were played before the code changed"
    )
    chosen = parser.parse_args()
    if not 0 < chosen.share <= 1:
        parser.error(f"argument --share: a share lies between 0 and 1, not {chosen.share:g}")
    into = chosen.into or (DOCS if chosen.share == 1 else KEPT)
    (into / "strength").mkdir(parents=True, exist_ok=True)
    KEPT.mkdir(parents=True, exist_ok=True)
    games = Games(chosen.share, min(chosen.workers, cores()), any_code=chosen.any_code)
    try:
        games.play_all()
    except KeyboardInterrupt:
        print("Broken off; the same command goes on from here.", file=sys.stderr)
        return INTERRUPTED
    except RookeryError as problem:
        print(f"strength: {problem}", file=sys.stderr)
        return 1
    (into / "strength.md").write_text(page(games, into), encoding="utf-8")
    print(f"The page is {into / 'strength.md'}.", file=sys.stderr)
    return 0


# The games: what is played, and what has been.


class Games:
    """All duels of the page, each kept in a file of its own while it is played."""

    def __init__(self, share: float, workers: int, *, any_code: bool) -> None:
        self.share = share
        self.workers = workers
        self.any_code = any_code
        self.code = fingerprint()
        self.results: dict[Duel, Result] = {}
        self.ladders = [self._add(each.game, LEVELS, LADDER, near=NEAR) for each in RATED]
        self.landmarks = [
            [
                self._add(each.game, (bot, level), LANDMARK)
                for bot in each.landmarks
                if str(make_bot(each.game, bot)) not in levels(each.game)
                for level in LEVELS
            ]
            for each in RATED
        ]
        self.bars = [self._add(bar.game, bar.bots, BAR) for bar in BARS]
        self.runners = [
            self._add(rookery.game("gaterun"), (bot, bot), many, opening=OPENING) for bot, many in RUNNERS.items()
        ]
        self.settlers = [self._add(rookery.game("gamma"), (bot, bot), many) for bot, many in SETTLERS.items()]
        self.handicaps = {
            walls: self._add(rookery.game("gaterun", walls2=walls), (HANDICAPPED, HANDICAPPED), BAR)
            for walls in HANDICAPS
        }

    def _add(self, game: Game, bots: Sequence[str], many: int, *, near: int = 0, opening: int = 2) -> Duel:
        wanted = max(2, math.ceil(many * self.share))
        duel = Duel.of(game, bots, games=wanted, seed=SEED, opening=opening, near=near)
        self.results[duel] = Result(duel)
        return duel

    def play_all(self) -> None:
        """Play what is missing, a game a core: where a bot thinks by the clock, nothing else may use its core."""
        for duel, result in self.results.items():
            result.played = self._kept(duel)
        before, total = 0, sum(duel.total for duel in self.results)
        with progress(total) as show, place("local", self.workers, compiled=False) as found:
            for duel, result in self.results.items():
                if not result.done:
                    self._play(result, found, before, show)
                before += duel.total

    def _play(self, result: Result, found: Place, before: int, show: Callable[[str, int], None]) -> None:
        """Play the rest of a duel, writing down every game as it comes in."""
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
        """The games of a duel that were kept; none if they are of other bots, or of other code."""
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
        del plain["games"]  # a duel of more games begins with the same ones
        return {"duel": plain, "code": self.code}

    def _path(self, duel: Duel) -> Path:
        options = "-".join(f"{name}{value}" for name, value in duel.options if value not in (None, False))
        bots = "levels" if duel.near else "-".join(duel.bots)
        return KEPT / (re.sub(r"[^\w.-]+", "_", f"{duel.name}-{options}-{bots}") + ".jsonl")


def _read(line: str) -> Played | None:
    """A game that was written down, whose lists were tuples; None if only a part of it was."""
    try:
        fields: dict[str, Any] = json.loads(line)
    except ValueError:
        return None
    fields["ranking"] = tuple(tuple(group) for group in fields["ranking"])
    for name in ("seats", "scores", "winners", "moves", "ms"):
        fields[name] = tuple(fields[name])
    return Played(**fields)


def levels(game: Game) -> list[str]:
    """The bots of the levels, in their one form."""
    return [str(make_bot(game, level)) for level in LEVELS]


def title(duel: Duel) -> str:
    """A duel in a few words."""
    return f"{duel.game.title}, " + ("levels" if duel.near else " – ".join(map(named, duel.bots)))


def named(bot: str) -> str:
    """A bot with the parameter that matters, even where it has its usual value."""
    return "minimax:depth=3" if bot == "minimax" else bot


@contextmanager
def progress(total: int) -> Iterator[Callable[[str, int], None]]:
    """A bar on a terminal; elsewhere a line for each duel that begins."""
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


# The ratings.


class Ratings:
    """The ratings of all bots that met in some duels for two players, and how certain their differences are."""

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
        """Whether games alone bound the ratings, without draws that are only assumed."""
        return all(rating.bounded for rating in self.found)

    def gap(self, bot: str, other: str) -> tuple[float, float]:
        """How far a bot is above another, and half the 95% interval of that."""
        ends = np.zeros(len(self.bots))
        ends[self.bots.index(bot)] += 1
        ends[self.bots.index(other)] -= 1
        return self.elo(bot) - self.elo(other), Z95 * math.sqrt(ends @ self._spread @ ends)

    @cached_property
    def _spread(self) -> Any:
        """The covariance of all ratings: the inverse of what the games tell (Fisher's information) about each pair.

        Of a game that the better wins with probability p, that is p (1 − p); a draw counts as any other game, which
        makes intervals a little wider than they need be.
        """
        count = len(self.bots)
        told = np.zeros((count, count))
        for one in range(count):
            for other in range(one):
                games = self.met[frozenset((one, other))] + (0 if self.bounded else 1)
                chance = 1 / (1 + math.exp((self.found[other].elo - self.found[one].elo) / ELO))
                weight = games * chance * (1 - chance)
                told[[one, other], [one, other]] += weight
                told[[one, other], [other, one]] -= weight
        return np.linalg.pinv(told) * ELO**2

    def ms(self, bot: str) -> float | None:
        """The milliseconds that a bot took for a move, on average over all its games."""
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


# The page.

HEAD = """\
# How strong the bots are

The levels of GateRun and Gamma, rated by games against each other. Every figure here comes from `make strength`, which
plays the games with [the lab](lab.md#duels), draws the pictures and writes this page. Every game begins with two random
moves, and each opening is played twice, with either bot in front. Ranges in brackets, and whiskers, are 95% intervals.

Elo is the usual scale: 100 points more mean 64% of the points against the other, 200 mean 76%, 400 mean 91%. Here
level 1 has 0, in either game; the scales of two games cannot be compared. Levels meet those up to two above and below,
{ladder} games each pair. A landmark, a bot that is simple or well known, meets all levels, {landmark} games each.

In a bot's name `nodes` is how many positions it looks at for a move, or games it plays in its head; `ms` is how many
milliseconds it thinks; `slip` is the share of its moves played at random. Milliseconds for a move are those of one core
of the machine that played.
"""


def page(games: Games, into: Path) -> str:
    """The whole page; its pictures are drawn beside it."""
    parts = [HEAD.format(ladder=games.ladders[0].games, landmark=max(2, math.ceil(LANDMARK * games.share)))]
    for rated, ladder, landmarks in zip(RATED, games.ladders, games.landmarks, strict=True):
        result = games.results[ladder]
        ratings = Ratings([result, *(games.results[each] for each in landmarks)])
        picture = f"strength/{rated.game.name}.svg"
        draw(rated, ratings, into / picture)
        parts += [
            f"## {rated.game.title}\n",
            f"{rated.about}\n",
            f"![Elo by level]({picture})\n",
            *level_rows(rated.game, ratings, result),
            "",
            *landmark_rows(rated, ratings),
            "",
            summit(result),
            *([] if ratings.bounded else [ASSUMED]),
        ]
    parts += [BARRED, *bar_rows(games), ""]
    runs = [Run(games.results[duel].played, duel.opening).texts for duel in games.runners]
    parts += [WORTH, *equal_rows(games.runners, runs), "", HANDICAPPED_PLAY, *handicap_rows(games), ""]
    settlings = [Settling(games.results[duel].played, duel.opening).texts for duel in games.settlers]
    parts += [SETTLED, *equal_rows(games.settlers, settlings), ""]
    return "\n".join(parts)


ASSUMED = """\
Some bots won, or lost, all their games with the others; games alone would put no bound to their Elo. So each pair is
taken to have drawn one game more.
"""
BARRED = """\
## Bars

Matches that say in one figure how good a bot is. The score is the share of the points, a draw being half a point.
"""
WORTH = """\
## What a wall is worth

Equal bots play GateRun from four random moves. Their positions, and who won, tell what it is worth to have more walls
in hand than the other, or to be on move, against having fewer steps to go. They also tell what bots do with their
walls: those that cost the other nothing at once build fences, or close ways that one does not want to be sent.
"""
SETTLED = """\
## How settlers play

Equal bots play Gamma, from two random moves.
"""
HANDICAPPED_PLAY = f"""\
With fewer walls for the second player, `{HANDICAPPED}` on both sides and two random moves to begin with:
"""


def level_rows(game: Game, ratings: Ratings, result: Result) -> Iterable[str]:
    """A row for each level."""
    yield "| level | bot | Elo | gap to the level below | score against it | ms a move |"
    yield "|--:|---|--:|--:|--:|--:|"
    names = levels(game)
    for at, bot in enumerate(names):
        gap = score = "–"
        if at:
            gap = with_reach(*ratings.gap(bot, names[at - 1]))
            score = share(*points(result, at, at - 1))
        elo = with_reach(*ratings.gap(bot, names[0])) if at else "0"
        yield f"| {at + 1} | `{bot}` | {elo} | {gap} | {score} | {milliseconds(ratings.ms(bot))} |"


def landmark_rows(rated: Rated, ratings: Ratings) -> Iterable[str]:
    """A row for each landmark, the strongest last."""
    names = levels(rated.game)
    found = sorted((str(make_bot(rated.game, each)) for each in rated.landmarks), key=ratings.elo)
    yield "| landmark | Elo | ms a move | |"
    yield "|---|--:|--:|---|"
    for bot in found:
        told = f"is level {names.index(bot) + 1}" if bot in names else between(bot, names, ratings)
        elo = "0" if bot == names[0] else with_reach(*ratings.gap(bot, names[0]))
        yield f"| `{named(bot)}` | {elo} | {milliseconds(ratings.ms(bot))} | {told} |"


def between(bot: str, names: Sequence[str], ratings: Ratings) -> str:
    """Where among the levels a bot stands."""
    below = [at for at, name in enumerate(names, start=1) if ratings.elo(name) <= ratings.elo(bot)]
    if not below:
        return "below level 1"
    return f"above level {max(below)}"


def summit(result: Result) -> str:
    """How the two highest levels play each other."""
    top = Result(result.duel, [each for each in result.played if set(each.seats) == {len(LEVELS) - 2, len(LEVELS) - 1}])
    seen = content(top)
    first = share(seen["first_player_score"] * seen["games"], seen["games"])
    return (
        f"When the two highest levels meet, the first player scores {first}, {100 * seen['draw_rate']:.0f}% of the "
        f"games are drawn, and a game takes {seen['plies_mean']:.0f} plies.\n"
    )


def bar_rows(games: Games) -> Iterable[str]:
    """A row for each bar."""
    yield "| game | bot | against | games | won | drawn | lost | score |"
    yield "|---|---|---|--:|--:|--:|--:|--:|"
    for bar, duel in zip(BARS, games.bars, strict=True):
        result = games.results[duel]
        wins = draws = 0
        total = 0.0
        for played in result.played:
            first = played.ranking[0]
            wins += first == (0,)
            draws += 0 in first and len(first) > 1
            below = next(place for place, group in enumerate(played.ranking) if 0 in group)
            ahead = sum(map(len, played.ranking[below + 1 :])) + (len(played.ranking[below]) - 1) / 2
            total += ahead / (duel.game.players - 1)
        many = len(result.played)
        game = duel.game.title + (f", {duel.game.players} players" if duel.game.players > 2 else "")
        other = f"`{named(duel.bots[1])}`"
        others = f"{len(bar.bots) - 1} × {other}" if len(bar.bots) > 2 else other
        yield (
            f"| {game} | `{named(duel.bots[0])}` | {others} | {many} | {wins} | {draws} | {many - wins - draws} "
            f"| {share(total, many)} |"
        )
    if any(bar.game.players > 2 for bar in BARS):
        yield "\nAmong four players a game counts as three, one with each of the others; a share of the win is a draw."


def equal_rows(duels: Sequence[Duel], found: Sequence[Mapping[str, str]]) -> Iterable[str]:
    """What games of equal bots tell, a row for each thing and a column for each bot."""
    yield "| | " + " | ".join(f"`{duel.bots[0]}`" for duel in duels) + " |"
    yield "|---|" + "--:|" * len(found)
    for name in found[0]:
        yield f"| {name} | " + " | ".join(texts[name] for texts in found) + " |"


def handicap_rows(games: Games) -> Iterable[str]:
    """A row for each handicap."""
    yield "| walls | first player's score | first player wins | second wins | draws |"
    yield "|---|--:|--:|--:|--:|"
    for walls, duel in games.handicaps.items():
        played = games.results[duel].played
        counts = Counter(each.winners[0] if len(each.winners) == 1 else 0 for each in played)
        score = share(counts[1] + counts[0] / 2, len(played))
        shares = (f"{100 * counts[each] / len(played):.0f}%" for each in (1, 2, 0))
        yield f"| 8 and {walls} | {score} | {' | '.join(shares)} |"


def with_reach(value: float, reach: float) -> str:
    """A difference of Elo with its interval."""
    return f"{value:+.0f} ({value - reach:+.0f} to {value + reach:+.0f})".replace("-", "−")


def milliseconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def draw(rated: Rated, ratings: Ratings, path: Path) -> None:
    """Elo by level, with whiskers, and the landmarks beside it."""
    names = levels(rated.game)
    accent = paper.ACCENTS[rated.game.name]
    with paper.settings():
        height = 4.6
        printout = paper.Page(height + 1.9)
        printout.text(paper.MARGIN, 0.4, f"{rated.game.title}: the levels", size=16, weight="bold", color=accent)
        note = "Elo above level 1, with 95% intervals; dashed lines are landmarks."
        printout.text(paper.MARGIN, 0.75, note, color=paper.SOFT)
        axes = printout.axes(paper.MARGIN + 0.4, 1.2, paper.WIDTH - 2 * paper.MARGIN - 2.3, height)
        gaps = [ratings.gap(name, names[0]) for name in names]
        for level, (value, reach) in enumerate(gaps, start=1):
            axes.plot([level, level], [value - reach, value + reach], color=accent, linewidth=1.6, zorder=3)
        values = [value for value, _ in gaps]
        axes.plot(range(1, len(names) + 1), values, "o-", color=accent, markersize=6, linewidth=0.8, zorder=4)
        marks = {bot: ratings.gap(bot, names[0])[0] for bot in (str(make_bot(rated.game, x)) for x in rated.landmarks)}
        every = [*marks.values(), *(value + side * reach for value, reach in gaps for side in (-1, 1))]
        low, high = min(every), max(every)
        room = 0.06 * (high - low)
        axes.set_ylim(low - room, high + room)
        axes.set_xlim(0.5, len(names) + 0.5)
        for (bot, value), at in zip(sorted(marks.items(), key=lambda pair: pair[1]), spaced(marks, room), strict=True):
            axes.axhline(value, color=paper.EDGE, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
            axes.annotate(
                named(bot),
                (1, value),
                (1.03, at),
                xycoords=("axes fraction", "data"),
                textcoords=("axes fraction", "data"),
                va="center",
                size=paper.SMALL,
                color=paper.SOFT,
                annotation_clip=False,
                arrowprops={"arrowstyle": "-", "color": paper.EDGE, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 0},
            )
        axes.set_xticks(range(1, len(names) + 1))
        axes.set_xlabel("level")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:+,.0f}".replace("-", "−") if value else "0")
        axes.grid(axis="y", color=paper.LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        paper.save(printout, str(path), f"{rated.game.title}: Elo of the levels")


def spaced(marks: Mapping[str, float], room: float) -> list[float]:
    """Heights for labels, near their values and at least so far apart, the lowest first."""
    found: list[float] = []
    for value in sorted(marks.values()):
        found.append(max(value, found[-1] + room) if found else value)
    return found


if __name__ == "__main__":
    sys.exit(main())
