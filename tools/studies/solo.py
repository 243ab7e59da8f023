"""How well the bots play the solo games, 67! and Gotham Loops.

    make alone               # everything, an hour or two on two cores
    make alone SHARE=0.02    # a fiftieth of the games, to try it out

It plays the games, draws the figures in docs/alone/ and writes the tables into docs/sixseven-play.md and
docs/gotham-play.md, between the marks there. After an interruption, the same command continues. Times are means over
the moves of some games, on one core of an idle machine.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rookery
from rookery.core.bot import make_bot
from rookery.core.palette import LIGHT
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.games.gotham import rules as gotham_rules
from rookery.games.sixseven import rules as sixseven_rules
from rookery.lab import figure, solve
from rookery.lab.figure import EDGE, HEADING, INK, LINE, SOFT, Panel
from rookery.lab.intervals import Z95, wilson

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from matplotlib.axes import Axes

    from rookery.core.game import Game
    from rookery.lab.figure import Canvas

DOCS = Path(__file__).resolve().parents[2] / "docs"
FOLDER = DOCS / "alone"
KEPT = DOCS / "_build" / "alone"
SEED = 67
CHUNK = 10
"""Games that a worker plays per task."""
TIMED = 3
"""Games whose moves are timed."""


@dataclass(frozen=True)
class Match:
    """A bot, a game, and how often it is played."""

    game: str
    options: tuple[tuple[str, Any], ...]
    bot: str
    games: int

    @property
    def name(self) -> str:
        """A file name."""
        return re.sub(r"[^\w.]+", "-", f"{self.game} {dict(self.options)} {self.bot} {self.games}").strip("-")

    def made(self) -> Game:
        return rookery.game(self.game, **dict(self.options))


@dataclass
class Outcome:
    """The outcome of a match: the score of every game; for each round of Gotham Loops how many got home and how many
    cells they entered; for 67! how the 67 was made.
    """

    scores: list[float] = field(default_factory=list)
    home: list[int] = field(default_factory=lambda: [0] * gotham_rules.ROUNDS)
    cells: list[int] = field(default_factory=lambda: [0] * gotham_rules.ROUNDS)
    ways: dict[str, int] = field(default_factory=dict)
    ms: float = 0.0

    @property
    def mean(self) -> float:
        return sum(self.scores) / len(self.scores)

    @property
    def margin(self) -> float:
        """The half-width of the 95% interval of the mean."""
        spread = sum((each - self.mean) ** 2 for each in self.scores) / max(1, len(self.scores) - 1)
        return Z95 * math.sqrt(spread / len(self.scores))

    @property
    def wins(self) -> tuple[float, float, float]:
        """The share won, with its Wilson interval."""
        won = sum(self.scores)
        low, high = wilson(won, len(self.scores))
        return won / len(self.scores), low, high

    def add(self, other: Outcome) -> None:
        self.scores += other.scores
        for k in range(gotham_rules.ROUNDS):
            self.home[k] += other.home[k]
            self.cells[k] += other.cells[k]
        for way, many in other.ways.items():
            self.ways[way] = self.ways.get(way, 0) + many


def play(match: Match, first: int, many: int) -> Outcome:
    """Play some games of a match."""
    game, found = match.made(), Outcome()
    bot = make_bot(game, match.bot)
    for number in range(first, first + many):
        state, stream, bot_stream = game.start(), Stream(SEED, number), Stream(SEED + 1, number)
        while not state.over:
            if state.turn == CHANCE:
                state.play(state.draw(stream))
            else:
                before, action = list(state.words), bot.choose(state, stream=bot_stream)
                state.play(action)
        if match.game == "sixseven" and state.scores()[0]:
            way = recipe(before, action)
            found.ways[way] = found.ways.get(way, 0) + 1
        found.scores.append(float(state.scores()[0]))
        if match.game == "gotham":
            words, home = state.words, state.words[gotham_rules.HOME]
            for k in range(gotham_rules.ROUNDS):
                found.home[k] += words[gotham_rules.FAILED + k] < 0
                cells = range(words[gotham_rules.CITY_SIZE] ** 2)
                found.cells[k] += sum((words[gotham_rules.VISITS + cell] >> k) & 1 for cell in cells if cell != home)
    return found


def recipe(words: list[int], direction: int) -> str:
    """How the winning slide makes the 67, in words."""
    for line in range(words[sixseven_rules.LINES + direction]):
        first, step = sixseven_rules.front(words, direction, line), words[sixseven_rules.STRIDE + direction]
        cells = [first + step * k for k in range(words[sixseven_rules.LENGTH + direction])]
        tiles = [words[sixseven_rules.TILE + cell] for cell in sorted(cells)]
        tiles = [tile for tile in tiles if tile != sixseven_rules.EMPTY]
        for one, operator, other in zip(tiles, tiles[1:], tiles[2:], strict=False):
            if not (one & 1 and other & 1 and not operator & 1):
                continue
            a, b = sixseven_rules.value_of(one), sixseven_rules.value_of(other)
            if sixseven_rules.result(a, operator, b, 0) != sixseven_rules.GOAL:
                continue
            if operator == sixseven_rules.PLUS:
                return "58 to 66 plus a digit" if 0 < min(a, b) <= 9 else "another sum"
            return "68 to 76 minus a digit" if 0 < b <= 9 else "another difference"
    return "after operators merged"


def timed(match: Match) -> float:
    """The mean time of a move, in milliseconds."""
    game = match.made()
    bot, spent, moves = make_bot(game, match.bot), 0.0, 0
    bot.ready(game)
    for number in range(TIMED + 1):
        state, stream = game.start(), Stream(SEED + 2, number)
        while not state.over:
            if state.turn == CHANCE:
                state.play(state.draw(stream))
                continue
            began = time.perf_counter()
            action = bot.choose(state, stream=stream)
            if number:  # the first game warms up
                spent += time.perf_counter() - began
                moves += 1
            state.play(action)
    return 1000 * spent / moves


class Games:
    """Plays matches, keeps each in a file of its own, and shows progress."""

    def __init__(self, share: float, pool: ProcessPoolExecutor) -> None:
        self.share, self.pool = share, pool
        self.found: dict[Match, Outcome] = {}

    def __getitem__(self, match: Match) -> Outcome:
        if match not in self.found:
            self.found[match] = self._played(match)
        return self.found[match]

    def _played(self, match: Match) -> Outcome:
        games = max(CHUNK, round(self.share * match.games))
        file = KEPT / f"{match.name}-{games}.json"
        if file.exists():
            return Outcome(**json.loads(file.read_text(encoding="utf-8")))
        print(f"{match.bot}: {games} games of {match.game} {dict(match.options)}", file=sys.stderr, flush=True)
        found = Outcome()
        chunks = range(0, games, CHUNK)
        for chunk in self.pool.map(play, *zip(*((match, k, min(CHUNK, games - k)) for k in chunks), strict=True)):
            found.add(chunk)
        found.ms = timed(match)
        file.write_text(json.dumps(asdict(found)), encoding="utf-8")
        return found


# ---- 67! ----

MODIFIED: tuple[tuple[str, Any], ...] = ()
BOTS = (
    ("random", 20_000),
    ("greedy", 2000),
    ("expectimax", 800),
    ("rollout:n=200", 400),
    ("learned:plies=1", 2000),
    ("learned:plies=2,spawns=4", 1000),
    ("learned:plies=2,spawns=16", 1000),
    ("learned:plies=3,spawns=16,again=3", 1000),
    ("learned", 800),
)
BOARDS: tuple[tuple[str, dict[str, Any], str, int], ...] = (
    ("6×7 `modified`, rate 0.5", {}, "learned", 800),
    ("6×7 `final`, rate 0.67", {"variant": "final", "rate": 0.67}, "learned:plies=2,spawns=16", 800),
    (
        "5×5 `final`, rate 0.67",
        {"rows": 5, "cols": 5, "variant": "final", "rate": 0.67},
        "learned:plies=2,spawns=16",
        800,
    ),
    ("4×4 `final`, rate 0.67", {"rows": 4, "cols": 4, "variant": "final", "rate": 0.67}, "learned", 800),
    ("4×4 `original`, rate 0.5", {"rows": 4, "cols": 4, "variant": "original"}, "learned:plies=3", 4000),
)


def sixseven(games: Games) -> dict[str, str]:
    """The tables of 67!, and its figure."""
    found = {bot: games[Match("sixseven", MODIFIED, bot, many)] for bot, many in BOTS}
    draw_times(found, FOLDER / "sixseven-time.svg")
    bots = [f"| `{bot}` | {percent(each)} | {milliseconds(each.ms)} |" for bot, each in found.items()]
    ways = found["learned"].ways
    shares = [
        f"| {way} | {many / sum(ways.values()):.0%} |" for way, many in sorted(ways.items(), key=lambda each: -each[1])
    ]
    levels = []
    for level, spec in enumerate(rookery.games.find("sixseven").levels(), start=1):
        each = games[Match("sixseven", MODIFIED, spec, dict(BOTS).get(spec, 1000))]
        levels.append(f"| {level} | `{spec}` | {percent(each)} | {milliseconds(each.ms)} |")
    boards = []
    for title, options, bot, many in BOARDS:
        each = games[Match("sixseven", tuple(options.items()), bot, many)]
        boards.append(f"| {title} | `{bot}` | {percent(each)} | {milliseconds(each.ms)} |")
    return {
        "bots": "\n".join(["| bot | games won | ms a move |", "|---|---|---|", *bots]),
        "levels": "\n".join(["| level | bot | games won | ms a move |", "|---|---|---|---|", *levels]),
        "ways": "\n".join(["| the 67 is made of | of the games won |", "|---|---|", *shares]),
        "boards": "\n".join(["| board | bot | games won | ms a move |", "|---|---|---|---|", *boards]),
    }


def percent(found: Outcome) -> str:
    share, low, high = found.wins
    return f"{100 * share:.1f}% ({100 * low:.1f}–{100 * high:.1f})"


def milliseconds(ms: float) -> str:
    return f"{ms:.2g}" if ms < 10 else f"{ms:.0f}"


def draw_times(found: dict[str, Outcome], path: Path) -> None:
    """Draw the share won against the time for a move."""
    from matplotlib.ticker import FuncFormatter

    def drawn(canvas: Canvas, x: float, y: float, width: float) -> None:
        canvas.heading(x, y, "Games won, against the time for a move", "6×7 modified, per cent; one core")
        axes = canvas.axes(x + 0.5, y + HEADING, width - 0.7, 4.2)
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.grid(axis="y", color=LINE, linewidth=0.8)
        axes.set(ylim=(-2, 102), xlabel="milliseconds a move")
        for bot, each in found.items():
            share, low, high = (100 * part for part in each.wins)
            learned = bot.startswith("learned")
            colour = LIGHT.accents["sixseven"] if learned else EDGE
            axes.errorbar(
                [each.ms],
                [share],
                [[share - low], [high - share]],
                fmt="o" if learned else "s",
                color=colour,
                capsize=3,
            )
            side, where = ("right", (-7, 5)) if learned else ("left", (7, -4))
            axes.annotate(
                bot, (each.ms, share), where, textcoords="offset points", ha=side, color=INK, size=figure.SMALL
            )

    draw_page([Panel(HEADING + 4.8, drawn)], "67!", "what the bots reach in their time", "sixseven", path)


# ---- Gotham Loops ----

WALKERS = (("random", 20_000), ("ring", 2000), ("greedy", 2000), ("planner", 2000))
CITIES = (("deuce", "table"), ("trey", "table"), ("quad", "table"), ("deuce", "online"), ("trey", "online"))


def gotham(games: Games) -> dict[str, str]:
    """The tables of Gotham Loops, and its figures."""
    totals = []
    for level, rule_set in CITIES:
        cells = []
        for bot, many in WALKERS:
            each = games[city_match(level, rule_set, bot, many)]
            cells.append(f"{each.mean:.1f} ± {each.margin:.1f}")
        totals.append(f"| {level} | {rule_set} | {' | '.join(cells)} |")
    levels = []
    for number, spec in enumerate(rookery.games.find("gotham").levels(), start=1):
        each = games[city_match("deuce", "table", spec, dict(WALKERS).get(spec, 2000))]
        levels.append(f"| {number} | `{spec}` | {each.mean:.1f} ± {each.margin:.1f} | {milliseconds(each.ms)} |")
    shown = {bot: games[city_match("deuce", "table", bot, many)] for bot, many in WALKERS[2:]}
    draw_rounds(shown, FOLDER / "gotham-rounds.svg")
    game = rookery.game("gotham")
    solver = solve.solver_of(game, game.start())
    solve.draw(solve.run(game, solver, 2), str(FOLDER / "gotham-plan.svg"))
    rounds = [
        f"| {k + 1} | "
        + " | ".join(f"{share(each.home[k], each):.0%} | {share(each.cells[k], each):.1f}" for each in shown.values())
        + " |"
        for k in range(gotham_rules.ROUNDS)
    ]
    head = " | ".join(f"`{bot}` gets home | cells entered" for bot in shown)
    return {
        "totals": "\n".join(
            [
                "| level | rules | " + " | ".join(f"`{bot}`" for bot, _ in WALKERS) + " |",
                "|---|---|---|---|---|---|",
                *totals,
            ]
        ),
        "levels": "\n".join(["| level | bot | points | ms a step |", "|---|---|---|---|", *levels]),
        "rounds": "\n".join([f"| round | {head} |", "|---|---|---|---|---|", *rounds]),
    }


def share(count: int, found: Outcome) -> float:
    return count / len(found.scores)


def city_match(level: str, rule_set: str, bot: str, many: int) -> Match:
    return Match("gotham", (("level", level), ("rules", rule_set)), bot, many)


def draw_rounds(found: dict[str, Outcome], path: Path) -> None:
    """Draw how many rounds get home, and how many cells they enter, by round."""

    def panel(title: str, note: str, values: Callable[[Outcome], Sequence[float]], high: float | None) -> Panel:
        def drawn(canvas: Canvas, x: float, y: float, width: float) -> None:
            canvas.heading(x, y, title, note)
            axes = canvas.axes(x + 0.3, y + HEADING, width - 0.4, 2.8)
            lines(axes, {bot: values(each) for bot, each in found.items()}, high)

        return Panel(HEADING + 3.3, drawn)

    def lines(axes: Axes, drawn: dict[str, Sequence[float]], high: float | None) -> None:
        axes.grid(axis="y", color=LINE, linewidth=0.8)
        axes.set(xlabel="round", ylim=(0, high))
        for (bot, values), style, colour in zip(
            drawn.items(), ("--s", "-o"), (EDGE, LIGHT.accents["gotham"]), strict=True
        ):
            axes.plot(range(1, len(values) + 1), values, style, color=colour, markersize=4)
            axes.annotate(bot, (len(values), values[-1]), (-4, 7), textcoords="offset points", ha="right", color=SOFT)

    panels = [
        panel("Rounds that get home", "per cent", lambda each: [100 * share(count, each) for count in each.home], 100),
        panel(
            "Cells entered",
            "a round, those that fail included",
            lambda each: [share(k, each) for k in each.cells],
            None,
        ),
    ]
    draw_page(panels, "Gotham Loops", "deuce, table, what each round is for", "gotham", path)


def draw_page(panels: Sequence[Panel], title: str, line: str, name: str, path: Path) -> None:
    with figure.settings():
        bands = figure.in_rows(panels, len(panels))
        footnote = "Whiskers: 95% intervals." if len(panels) == 1 else "Over all games of the table beside it."
        canvas = figure.compose(title, [line], bands, LIGHT.accents[name], footnote)
        figure.save(canvas, str(path), f"{title}: {line}")


# ---- the pages ----

MARKED = re.compile(r"(<!-- table: (?P<name>\w+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def written(text: str, batch: dict[str, str]) -> str:
    """A page with its tables rewritten."""
    return MARKED.sub(lambda found: f"{found[1]}\n{batch[found['name']]}\n\n{found[4]}", text)


def main() -> None:
    """Play what is missing, then write the pages."""
    parser = argparse.ArgumentParser(description="Play 67! and Gotham Loops and write the pages on playing them well.")
    parser.add_argument("--share", type=float, default=1.0, help="the share of the games to play (default 1)")
    parser.add_argument("--workers", type=int, default=2, help="games at a time (default 2)")
    chosen = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    KEPT.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(chosen.workers) as pool:
        games = Games(chosen.share, pool)
        for name, batch in pages(games):
            path = DOCS / f"{name}-play.md"
            path.write_text(written(path.read_text(encoding="utf-8"), batch), encoding="utf-8")


def pages(games: Games) -> Iterator[tuple[str, dict[str, str]]]:
    yield "gotham", gotham(games)
    yield "sixseven", sixseven(games)


if __name__ == "__main__":
    main()
