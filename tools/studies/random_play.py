"""A study of random play: it repeats the tables published with 67! and adds short studies of the other games.

    make study              # everything, about a quarter of an hour on two cores
    make study SHARE=0.01   # a hundredth of the games, to try it out

It writes docs/study.md and the figures and data in docs/study/. After an interruption, the same command continues.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rookery.core.palette import LIGHT
from rookery.games import find
from rookery.lab import figure
from rookery.lab.backend import open_backend
from rookery.lab.experiment import Experiment
from rookery.lab.intervals import gap, wilson
from rookery.lab.plot import draw
from rookery.lab.report import content, mean, percent
from rookery.lab.simulate import Checkpoint, Run, grid, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rookery.core.options import Value
    from rookery.lab.intervals import Counts

DOCS = Path(__file__).resolve().parents[2] / "docs"
FOLDER = DOCS / "study"
KEPT = DOCS / "_build" / "study"
"""Where counts are kept between runs."""
SEED = 67
TIMES = 100
"""Our games for each game in the published tables."""
Z999 = 3.2905
"""The 99.95% quantile of the normal distribution, for two-sided 99.9% intervals."""


@dataclass(frozen=True)
class Row:
    """A row of a table published with 67!; averages that it does not give are None."""

    rows: int
    cols: int
    games: int
    wins: int
    moves: int | None = None
    win_moves: int | None = None


@dataclass(frozen=True)
class Table:
    """A table published with 67!: the options all its rows share, and its rows."""

    variant: str
    operators: str
    rate: float
    tiles: int
    rows: tuple[Row, ...]

    @property
    def title(self) -> str:
        """What its rows have in common."""
        signs = self.operators.replace("-", "−").replace("*", "×")
        return f"`{self.variant}`, {' '.join(signs)}, operator rate {self.rate:g}, {self.tiles} tiles a turn"


TABLES = (
    Table("original", "+-", 0.5, 2, (
        Row(6, 7, 10_000, 3), Row(7, 7, 10_000, 9), Row(8, 8, 10_000, 117, 137, 180), Row(9, 9, 1_000, 93, 320, 337),
        Row(10, 10, 1_000, 239, 641, 679),
    )),
    Table("original", "+-*", 0.5, 2, (
        Row(6, 7, 10_000, 125, 49, 41), Row(7, 7, 10_000, 221, 68, 53), Row(8, 8, 10_000, 532, 134, 99),
        Row(9, 9, 1_000, 118, 298, 194), Row(10, 10, 1_000, 292, 632, 563),
    )),
    Table("modified", "+-*", 0.5, 2, (
        Row(6, 7, 10_000, 167, 51, 39), Row(7, 7, 10_000, 232, 71, 54), Row(8, 8, 10_000, 538, 141, 104),
        Row(9, 9, 1_000, 125, 311, 218), Row(10, 10, 1_000, 294, 643, 542),
    )),
    Table("final", "+-", 0.67, 2, (Row(6, 7, 5_000, 166, 278, 325),)),
    Table("final", "+-*", 0.6, 2, (
        Row(5, 5, 10_000, 100, 44, 38), Row(6, 6, 10_000, 314, 106, 72), Row(6, 7, 5_000, 271, 157, 106),
        Row(7, 7, 3_000, 249, 239, 156), Row(8, 8, 1_000, 200, 518, 380),
    )),
    Table("final", "+-*", 0.67, 2, (
        Row(5, 5, 10_000, 114, 51, 43), Row(6, 6, 5_000, 288, 186, 139), Row(6, 7, 5_000, 687, 407, 333),
        Row(7, 7, 1_000, 325, 1152, 1007),
    )),
    Table("final", "+-*", 0.67, 3, (
        Row(5, 5, 10_000, 73, 30, 27), Row(6, 6, 10_000, 283, 77, 60), Row(6, 7, 5_000, 281, 133, 100),
        Row(7, 7, 3_000, 356, 279, 218), Row(8, 8, 1_000, 625, 1315, 1263),
    )),
    Table("final", "+-*", 0.67, 4, (
        Row(5, 5, 10_000, 53, 23, 20), Row(6, 6, 10_000, 193, 50, 41), Row(6, 7, 5_000, 206, 78, 55),
        Row(7, 7, 3_000, 241, 141, 101), Row(8, 8, 1_000, 328, 528, 448),
    )),
    Table("pairs", "+-", 0.67, 2, (Row(6, 7, 5_000, 180, 278, 310),)),
    Table("pairs", "+-*", 0.67, 2, (Row(6, 7, 5_000, 612, 420, 314),)),
    Table("pairs", "+-*", 0.67, 4, (Row(6, 7, 5_000, 219, 80, 59),)),
)  # fmt: skip

Runs = list[tuple[Run, dict[str, "Value"]]]


def main() -> None:
    """Play what is missing, then write the page."""
    parser = argparse.ArgumentParser(description="Study random play and write docs/study.md.")
    parser.add_argument("--share", type=float, default=1.0, help="the share of the games to play (default 1)")
    parser.add_argument("--workers", type=int, help="games at a time (default: one a core)")
    chosen = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    KEPT.mkdir(parents=True, exist_ok=True)
    study = Study(chosen.share, chosen.workers)
    parts = [sixseven(study), gotham(study), gamma(study), gaterun(study)]
    (DOCS / "study.md").write_text("\n".join([HEAD, *parts]), encoding="utf-8")


HEAD = """\
# Random play, studied

What happens when nobody thinks? Random play is the first thing to know about a game: how long it lasts, whom it
favours, and what a change of an option does to it. Every figure here comes from `make study`, which plays the games,
draws the pictures and writes this page; it can be run again and gives the same page. Numbers in brackets are 95%
intervals.
"""


class Study:
    """Runs experiments with a checkpoint file for each, and shows progress."""

    def __init__(self, share: float, workers: int | None) -> None:
        self.share = share
        self.workers = workers

    def all(self, name: str, runs: Runs) -> Runs:
        """Play the games of these runs."""
        checkpoint = Checkpoint(str(KEPT / f"{name}-{self.share:g}.json"))
        plain = [each for each, _ in runs]
        checkpoint.resume(plain)

        def progress(now: Run) -> None:
            done, total = sum(each.tally.games for each in plain), sum(each.games for each in plain)
            if sys.stderr.isatty():
                print(f"\r{name}: {done:,} of {total:,} games", end="", file=sys.stderr, flush=True)

        with open_backend("local", self.workers, compiled=True) as found:
            run(plain, found, compiled=True, progress=progress, checkpoint=checkpoint)
        if sys.stderr.isatty():
            print(file=sys.stderr)
        return runs

    def games(self, many: int) -> int:
        """The number of games to play: `many` times the share, at least 2."""
        return max(2, round(many * self.share))

    def sweep(self, name: str, game: str, given: dict[str, Value], sweeps: Sequence[str], games: int) -> Runs:
        """Play a sweep, as `rookery simulate` would."""
        found = grid(find(game), given, sweeps)
        runs = [(Run(Experiment.of(each, seed=SEED), self.games(games)), changes) for each, changes in found]
        return self.all(name, runs)


def sixseven(study: Study) -> str:
    """The published tables beside ours."""
    pairs = [(table, row) for table in TABLES for row in table.rows]
    runs: Runs = []
    for table, row in pairs:
        options = {"variant": table.variant, "operators": table.operators, "rate": table.rate, "tiles": table.tiles}
        game = find("sixseven").make(rows=row.rows, cols=row.cols, **options)
        runs.append((Run(Experiment.of(game, seed=SEED), study.games(row.games * TIMES)), {}))
    study.all("sixseven", runs)
    ours = dict(zip(pairs, (each for each, _ in runs), strict=True))
    draw_comparison(ours, FOLDER / "sixseven.svg")
    kept = {f"{table.title}, {row.rows}×{row.cols}": summary(ours[table, row]) for table, row in pairs}
    (FOLDER / "sixseven.json").write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    games, moves = sum(each.tally.games for each, _ in runs), sum(each.tally.made for each, _ in runs)
    out = [SIXSEVEN.format(times=TIMES, games=games / 1e6, moves=moves / 1e9)]
    for table in TABLES:
        out += [f"### {table.title}\n", *written(table, ours), ""]
    out += [comparison(ours)]
    return "\n".join(out)


SIXSEVEN = """\
## 67!: its tables, {times} times the games

67! came with tables of random games by its author's program. Here is every row of them beside ours, which has {times}
times the games: {games:.1f} million in all, {moves:.2f} billion moves. “z” is how many standard errors the two
shares of wins are apart; one row in a thousand should be further apart than 3.29 by chance. A lost game counts one
move more than slides were made, as in those tables.

![Shares of wins, theirs beside ours](study/sixseven.svg)
"""


def written(table: Table, ours: Mapping[tuple[Table, Row], Run]) -> Iterable[str]:
    """The rows of a table, theirs and ours."""
    yield "| board | | games | won | moves | moves if won | z |"
    yield "|---|---|--:|--:|--:|--:|--:|"
    for row in table.rows:
        found = ours[table, row]
        tally = found.tally
        theirs = percent(row.wins / row.games, wilson(row.wins, row.games))
        averages = f"{row.moves or '–'} | {row.win_moves or '–'}"
        z = gap(row.wins, row.games, tally.won_by(1).total, tally.games)
        yield f"| {row.rows}×{row.cols} | theirs | {row.games:,} | {theirs} | {averages} | |"
        seen = content(found)
        won = shown(seen, "win_rate")
        moves = shown(seen, "moves_mean")
        win_moves = shown(seen, "win_moves_mean")
        yield f"| | ours | {tally.games:,} | {won} | {moves} | {win_moves} | {z:.2f} |"


def comparison(ours: Mapping[tuple[Table, Row], Run]) -> str:
    """Where the two differ by more than chance explains."""
    far, apart, moves = [], [], []
    for (table, row), found in ours.items():
        tally = found.tally
        where = f"{row.rows}×{row.cols} {table.title}"
        z = gap(row.wins, row.games, tally.won_by(1).total, tally.games)
        low, high = wilson(tally.won_by(1).total, tally.games)
        if not low <= row.wins / row.games <= high:
            apart.append((z, where))
        if z > Z999:
            far.append(where)
        for name, theirs, counts, games in (
            ("moves", row.moves, tally.lengths, row.games),
            ("moves if won", row.win_moves, tally.won_by(1), row.wins),
        ):
            if theirs is not None:
                off = distance(theirs, counts, games)
                if off > Z999:
                    mine = mean(counts.mean, counts.interval())
                    moves.append(f"{where}: {name}, {theirs} against {mine}, {off:.1f} standard errors")
    total = len(ours)
    largest, where = max(apart)
    agreement = (
        f"all {total} rows agree within 99.9% (z below 3.29); the largest gap is {largest:.2f}, for {where}."
        if not far
        else f"these are further apart than chance explains in one of a thousand cases: {'; '.join(far)}."
    )
    said = [
        "### Where they differ\n",
        f"Their share of wins lies outside our 95% interval in {len(apart)} of {total} rows. That is what their small "
        "numbers of games would lead to: our intervals are ten times narrower. Both together, " + agreement,
        "",
        (
            "The mean numbers of moves agree as well, all within 99.9%."
            if not moves
            else "The mean numbers of moves agree within 99.9%, but for: " + "; ".join(moves) + "."
        ),
        "",
        LIMIT,
    ]
    return "\n".join(said)


LIMIT = """\
Values of tiles grow without bound. Compiled play does not follow a value once it is beyond a billion: of 1,500 games of
6×7 `final` played again with exact numbers, 509 of which ended with such values on the board, every one took the same
course.
"""


def distance(theirs: float, counts: Counts, games: int) -> float:
    """The distance of a rounded mean over this many games from ours, in standard errors of the difference."""
    ours, variance = counts.mean, counts.variance
    if ours is None or not variance or not games:
        return 0.0
    error = math.sqrt(variance * (1 / games + 1 / counts.total))
    return max(0.0, abs(theirs - ours) - 0.5) / error


def draw_comparison(ours: Mapping[tuple[Table, Row], Run], path: Path) -> None:
    """Draw all rows: the published share of wins with its interval, and ours."""
    pairs = list(ours)
    with figure.settings():
        height = 0.19 * len(pairs) + 0.32 * len(TABLES)
        canvas = figure.Canvas(height + 2.0)
        canvas.text(
            figure.MARGIN, 0.4, "67!: their tables and ours", size=16, weight="bold", color=LIGHT.accents["sixseven"]
        )
        canvas.text(
            figure.MARGIN,
            0.75,
            "Share of random games won; lines are 95% intervals, ours mostly narrower than their marks.",
            color=figure.SOFT,
        )
        axes = canvas.axes(3.6, 1.2, figure.WIDTH - 3.6 - figure.MARGIN, height)
        axes.set_xscale("log")
        y, marks, names = 0.0, [], []
        for table in TABLES:
            y += 0.8
            axes.text(
                -0.02,
                y,
                table.title.replace("`", ""),
                transform=axes.get_yaxis_transform(),
                ha="right",
                va="center",
                size=7.5,
                weight="bold",
            )
            for row in table.rows:
                y += 1
                tally = ours[table, row].tally
                mine = tally.won_by(1).total / tally.games
                low, high = wilson(row.wins, row.games)
                share = row.wins / row.games
                axes.plot([100 * low, 100 * high], [y, y], color=figure.EDGE, linewidth=1.2, zorder=2)
                axes.plot(
                    [100 * share], [y], "o", color=figure.GROUND, markeredgecolor=figure.SOFT, markersize=5, zorder=3
                )
                axes.plot([100 * mine], [y], "D", color=LIGHT.accents["sixseven"], markersize=4, zorder=4)
                marks.append(y)
                names.append(f"{row.rows}×{row.cols}")
            y += 0.4
        axes.set_yticks(marks, names)
        axes.tick_params(axis="y", length=0)
        axes.set_ylim(y + 0.5, 0)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}%")
        axes.grid(axis="x", color=figure.LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        canvas.text(figure.MARGIN, height + 1.65, "Circles are theirs, the filled marks ours.", color=figure.SOFT)
        figure.save(canvas, str(path), "67!: their tables and ours")


def summary(found: Run) -> dict[str, Any]:
    """The summary numbers of a run, without distributions, maps and times."""
    left_out = ("players", "moves", "win_moves", "maps", "seconds", "moves_per_second", "workers")
    return {name: value for name, value in content(found).items() if name not in left_out}


def shown(seen: Mapping[str, Any], name: str) -> str:
    """A number as text, with its interval."""
    interval = seen[name.removesuffix("_mean") + "_ci95"]
    return percent(seen[name], interval) if name.endswith("_rate") else mean(seen[name], interval)


def gotham(study: Study) -> str:
    """The random walker, by level."""
    runs = study.sweep("gotham", "gotham", {}, ["rules=table,online", "level=deuce,trey,quad"], 1_000_000)
    draw(runs[:1], str(FOLDER / "gotham-deuce.svg"))
    out = [GOTHAM, "| rules | level | points | steps | points, middle half | best |", "|---|---|--:|--:|--:|--:|"]
    for each, changes in runs:
        seen, scores = content(each), each.tally.scores[1]
        spread = f"{scores.quantile(0.25)}–{scores.quantile(0.75)}"
        out.append(
            f"| {changes['rules']} | {changes['level']} | {shown(seen, 'score_mean')} "
            f"| {shown(seen, 'moves_mean')} | {spread} | {scores.most:g} |"
        )
    deuce = runs[0][0].tally
    game = runs[0][0].experiment.game
    cells = len(game.maps()[0].places)
    failed = sum(deuce.counts[cells:]) / deuce.games
    out.append(
        f"\nOn deuce with table rules {failed:.2f} of the seven rounds fail: a walker without a plan comes home often, "
        "as it rarely gets far. A program written apart from ours had given 21.2, 7.8 and 3.0 points for the three "
        "levels of the table rules, without an interval; for the second, lower than ours, another short program gives "
        "8.01 (7.88–8.14) in 30,000 games.\n"
    )
    return "\n".join(out)


GOTHAM = """\
## Gotham Loops: the random walker

A walker who goes up, right, down or left with equal chances, seven rounds, a million games of each kind.

![The random walker on deuce](study/gotham-deuce.svg)
"""


def gamma(study: Study) -> str:
    """Random play by players and areas."""
    runs = study.sweep("gamma", "gamma", {}, ["players=2,3,4", "areas=1,2,4,8"], 200_000)
    draw(runs, str(FOLDER / "gamma.svg"))
    out = [
        GAMMA,
        "| players | areas | player 1 wins | last player wins | draws | cells of player 1 | turns |",
        "|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for each, changes in runs:
        seen = content(each)
        last = seen["players"][-1]
        out.append(
            f"| {changes['players']} | {changes['areas']} | {shown(seen, 'win_rate')} "
            f"| {shown(last, 'win_rate')} | {shown(seen, 'draw_rate')} "
            f"| {shown(seen, 'score_mean')} | {shown(seen, 'moves_mean')} |"
        )
    return "\n".join([*out, ""])


GAMMA = """\
## Gamma: random play by players and areas

10×10, 200,000 games of each kind; nobody passes while there is something to do. Who has more cells than anyone wins.

![Random play by players and areas](study/gamma.svg)
"""


def gaterun(study: Study) -> str:
    """First-player advantage and length, by size and by walls."""
    by_size = study.sweep("gaterun-size", "gaterun", {}, ["size=3,4,5,6,7"], 500_000)
    by_walls = study.sweep("gaterun-walls", "gaterun", {}, ["walls=0,2,4,8,12,16,24"], 500_000)
    draw(by_walls, str(FOLDER / "gaterun-walls.svg"))
    out = [GATERUN]
    for name, runs in (("size", by_size), ("walls", by_walls)):
        out += [
            f"| {name} | first player's score | first player wins | second wins | draws | plies |",
            "|--:|--:|--:|--:|--:|--:|",
        ]
        for each, changes in runs:
            seen = content(each)
            second = seen["players"][1]
            out.append(
                f"| {changes[name]} | {shown(seen, 'score_mean')} "
                f"| {shown(seen, 'win_rate')} | {shown(second, 'win_rate')} "
                f"| {shown(seen, 'draw_rate')} | {shown(seen, 'moves_mean')} |"
            )
        out.append("")
    return "\n".join(out)


GATERUN = """\
## GateRun: who moves first

Random play on 7×7 with 8 walls each unless said otherwise, 500,000 games of each kind. A draw counts half in a score.
Most games are drawn, for random pawns walk back and forth until a position has been there three times.

![Random play by the number of walls](study/gaterun-walls.svg)
"""


if __name__ == "__main__":
    main()
