"""The commands of the lab: `simulate`, `duel`, `solve`, `train` and `bench`; progress on a terminal, then tables, JSON
or CSV.
"""

from __future__ import annotations

import shlex
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rookery.cli import flags
from rookery.core.errors import OptionError
from rookery.engine import compiling
from rookery.system.requirements import need

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator

    from rich.console import RenderableType
    from rich.table import Table

    from rookery.core.game import Game
    from rookery.core.state import State
    from rookery.lab.bench import Thinking

MOST_GAMES = 10**12
INTERRUPTED = 130


def simulate(given: list[str]) -> int:
    """Play many games with a bot and report what came of them."""
    named, parser = _of_game("simulate", "Play many games and report wins, scores and lengths with error bars.", given)
    parser.add_argument("--games", default="1000", metavar="N", help="how many (default 1000)")
    parser.add_argument(
        "--bot",
        nargs="+",
        action="extend",
        default=[],
        metavar="LEVEL",
        help="who plays: one for all seats or one a seat, by level or name (default random)",
    )
    parser.add_argument(
        "--sweep",
        action="append",
        default=[],
        metavar="OPTION=A,B,…",
        help="run all of these values; several sweeps make a grid; rows=cols=5,6 changes both",
    )
    parser.add_argument("--csv", action="store_true", help="a row for each combination of options, on standard output")
    parser.add_argument("--plot", metavar="FILE", help="draw a picture into FILE.svg or FILE.png")
    parser.add_argument("--resume", metavar="FILE", help="keep what is done in this file, and go on from what it holds")
    parser.add_argument(
        "--limit", default="1000000", metavar="N", help="break a game off after N moves (default 1000000)"
    )
    parser.add_argument("--interpreted", action="store_true", help="play random games without the compiler, slowly")
    cls, chosen = _chosen("simulate", named, parser, given)
    _need("rich")
    if chosen["json"] and chosen["csv"]:
        raise OptionError("Choose --json or --csv: standard output holds one of them.")

    from rookery.lab import simulate as lab
    from rookery.lab.experiment import Experiment
    from rookery.lab.work import place

    games, seed = (
        flags.whole("games", chosen["games"], 1, MOST_GAMES),
        flags.whole("seed", chosen["seed"], 0, 2**63 - 1),
    )
    most = flags.whole("limit", chosen["limit"], 1, MOST_GAMES)
    runs = [
        (
            lab.Run(
                Experiment.of(game, chosen["bot"] or ["random"], seed=seed, most=most, source=_source(given)), games
            ),
            changes,
        )
        for game, changes in lab.grid(cls, flags.options(cls, chosen), chosen["sweep"])
    ]
    _check_picture(chosen["plot"])
    compiled = compiling.available() and not chosen["interpreted"]
    if not compiled and not chosen["interpreted"]:
        _say("Numba is not installed: random games are played interpreted, hundreds of times slower.")
    _remark((run.experiment.game, run.experiment.bots) for run, _ in runs)
    if not all(run.experiment.repeatable for run, _ in runs):
        _say("A bot thinks by the clock: another run may come out differently.")
    keep = lab.Keep(chosen["resume"]) if chosen["resume"] else None
    if keep:
        keep.take_up([run for run, _ in runs])
        keep.now([run for run, _ in runs])  # before hours are spent: can it be written?
    random = all(run.experiment.random for run, _ in runs)
    code = 0
    with _progress("games", sum(run.games for run, _ in runs)) as show:
        try:
            with place(chosen["on"], _workers(chosen), compiled=compiled and random) as found:
                lab.run(
                    [run for run, _ in runs],
                    found,
                    compiled=compiled,
                    keep=keep,
                    seen=lambda _: show(sum(run.tally.games for run, _ in runs)),
                )
        except KeyboardInterrupt:
            code = INTERRUPTED
    begun = [(run, changes) for run, changes in runs if run.tally.games]
    if code:
        done = sum(run.tally.games for run, _ in runs)
        _say(f"Interrupted after {done:,} of {sum(run.games for run, _ in runs):,} games.")
        if not begun:
            return code
    _report_simulation(begun, chosen)
    return code


def _report_simulation(runs: list[tuple[Any, Any]], chosen: dict[str, Any]) -> None:
    from rookery.lab import report

    if chosen["plot"]:
        from rookery.lab.picture import draw

        draw(runs, chosen["plot"])
    if chosen["json"]:
        print(report.as_json(runs))
    elif chosen["csv"]:
        print(report.as_csv(runs))
    else:
        _show(report.as_table(runs))
        if chosen["plot"]:
            print(f"The picture is in {chosen['plot']}.")


def _check_picture(path: str | None) -> None:
    """Refuse what cannot be drawn before anything is played."""
    if path is None:
        return
    from rookery.lab.picture import check

    check(path)
    _check_file(path)


def _check_file(path: str | None) -> None:
    """Refuse a file that cannot be written before anything is played."""
    if path is None:
        return
    file = Path(path)
    if file.is_dir():
        raise OptionError(f"'{path}' cannot be written: it is a folder.")
    if not file.absolute().parent.is_dir():
        raise OptionError(f"'{path}' cannot be written: its folder is not there.")


def duel(given: list[str]) -> int:
    """Play bots against each other and rate them."""
    named, parser = _of_game(
        "duel", "Play bots against each other, with balanced seats and openings, and rate them.", given
    )
    parser.add_argument(
        "--bots", metavar="A,B[,C…]", help="two bots or more, by level or name, such as 3,minimax:depth=2"
    )
    parser.add_argument("--games", default="100", metavar="N", help="games of each pair (default 100)")
    parser.add_argument("--opening", default="2", metavar="N", help="random moves to begin with (default 2)")
    parser.add_argument("--near", default="0", metavar="N", help="only bots so close in the list meet (default: all)")
    parser.add_argument("--records", metavar="FILE", help="write every game into FILE, a record a line")
    cls, chosen = _chosen("duel", named, parser, given)
    _need("numpy", "rich")
    if not chosen["bots"]:
        raise OptionError("bots takes two bots or more, such as --bots 3,7.")

    import json

    from rookery.core.bot import make_bot
    from rookery.engine.threads import cores
    from rookery.lab import duel as lab
    from rookery.lab import standings
    from rookery.lab.work import place

    asked = lab.Duel.of(
        cls.make(**flags.options(cls, chosen)),
        lab.split_bots(chosen["bots"]),
        games=flags.whole("games", chosen["games"], 1, MOST_GAMES),
        seed=flags.whole("seed", chosen["seed"], 0, 2**63 - 1),
        opening=flags.whole("opening", chosen["opening"], 0, 1000),
        near=flags.whole("near", chosen["near"], 0, 10**9),
        source=_source(given),
    )
    _check_file(chosen["records"])
    workers = _workers(chosen)
    _remark([(asked.game, asked.bots)])
    if lab.thinks_by_clock(asked):
        _say("A bot thinks by the clock: another run may come out differently.")
        if not chosen["on"].startswith("dask:") and workers is not None and workers > cores():
            workers = cores()
            _say(f"So that each has a core to itself, {workers} games are played at a time.")
    for spec in asked.bots:
        make_bot(cls, spec).ready(asked.game)  # compiles what is not compiled yet, once for all workers
    result, code = lab.Result(asked), 0
    with _progress("games", asked.total) as show:
        try:
            with place(chosen["on"], workers, compiled=False) as found:
                lab.run(result, found, seen=lambda done, total: show(done))
        except KeyboardInterrupt:
            code = INTERRUPTED
    if code:
        _say(f"Interrupted after {len(result.played):,} of {asked.total:,} games.")
    if chosen["records"]:
        lab.write_records(chosen["records"], result.played)
    if chosen["json"]:
        print(json.dumps(standings.content(result), ensure_ascii=False))
    elif result.played:
        _show([standings.table(result)])
    return code


def solve(given: list[str]) -> int:
    """Solve a game, where that can be done: who wins if both play as well as can be, or the best way to go."""
    named, parser = _about_game("solve", "Solve a game, where that can be done.", given)
    parser.add_argument("--load", metavar="FILE", help="a saved game to go on from, not the start")
    parser.add_argument("--plot", metavar="FILE", help="draw routes into FILE.svg or FILE.png")
    parser.add_argument("--workers", metavar="N", help="how many threads (default: one a core)")
    parser.add_argument("--memory", metavar="GB", help="the most memory to take (default: what is free)")
    cls, chosen = _chosen("solve", named, parser, given, "gaterun")
    _need("numba", "rich")

    import json

    from rookery.engine.threads import cores
    from rookery.lab import solve as lab

    state = _saved(cls, chosen) if chosen["load"] else None
    game = state.game if state else cls.make(**flags.options(cls, chosen))
    workers = _workers(chosen) or cores()
    solver = lab.solver_of(game, state)
    if chosen["plot"]:
        lab.check_picture(game, solver)
        _check_picture(chosen["plot"])
    lab.check_room(solver, _bytes(chosen["memory"]))
    with _progress(solver.steps, solver.estimate().steps) as show:
        try:
            solved = lab.run(game, solver, workers, show)
        except KeyboardInterrupt:
            solved = None
    if solved is None:
        _say("Interrupted; there is no answer before the end.")
        return INTERRUPTED
    if chosen["plot"]:
        lab.draw(solved, chosen["plot"])
    if chosen["json"]:
        print(json.dumps(lab.content(solved), ensure_ascii=False))
    else:
        _show(lab.table(solved))
        if chosen["plot"]:
            print(f"The picture is in {chosen['plot']}.")
    return 0


def train(given: list[str]) -> int:
    """Train a bot that learns."""
    named, parser = _about_game(
        "train", "Train a bot that learns by playing itself. Broken off, the same command goes on from there.", given
    )
    parser.add_argument("--minutes", metavar="M", help="how long")
    parser.add_argument("--games", metavar="N", help="how long, in games: the same seed then gives the same file")
    parser.add_argument("--seed", default="0", metavar="S", help="what chance begins with (default 0)")
    parser.add_argument("--out", metavar="FILE", help="the file of weights to write, such as mine.npz")
    parser.add_argument(
        "--bits", metavar="B", help="slots of its table, as a power of two (default: as fits the board)"
    )
    parser.add_argument("--workers", metavar="N", help="how many threads (default: one a core)")
    cls, chosen = _chosen("train", named, parser, given)
    _need("numba", "rich")
    if cls().trainer(0) is not None and (chosen["minutes"] is None) == (chosen["games"] is None):
        raise OptionError("Say how long: --minutes M or --games N, one of them.")
    if not chosen["out"]:
        raise OptionError("out takes the file of weights to write, such as --out mine.npz.")

    import json

    from rookery.engine.threads import cores
    from rookery.lab.train import Course, content, live

    def given_whole(name: str, low: int, high: int) -> int | None:
        return None if chosen[name] is None else flags.whole(name, chosen[name], low, high)

    course = Course(
        cls.make(**flags.options(cls, chosen)),
        Path(chosen["out"]),
        flags.whole("seed", chosen["seed"], 0, 2**53),
        given_whole("games", 1, MOST_GAMES),
        None if chosen["minutes"] is None else _positive("minutes", chosen["minutes"], 10**6, low=0.001),
        given_whole("bits", 10, 26),
    )
    if course.trainer.games:
        _say(f"Going on after {course.trainer.games:,} games.")
    with _progress("of the training", 100) as show:
        ended = course.run(_workers(chosen) or cores(), lambda course: show(100 * course.done, live(course)))
    if not ended:
        _say(f"Interrupted: {live(course)}. The same command goes on from there.")
        return INTERRUPTED
    found = content(course)
    if chosen["json"]:
        print(json.dumps(found, ensure_ascii=False))
    else:
        print(f"{live(course)}, in {course.seconds:,.0f} s.")
        print(f"The weights are in {found['file']}, {found['bytes'] / 10**6:.2f} MB. A bot plays by them with")
        print(f"  rookery simulate {cls.name}{course.flags} --bot {shlex.quote(found['bot'])}")
    return 0


def _saved(cls: type[Game], chosen: dict[str, Any]) -> State:
    """The position of a saved game."""
    from rookery.terminal.files import read_record

    record = read_record(chosen["load"])
    flags.check_load(cls, chosen, record)
    return record.replay()


def _bytes(gigabytes: str | None) -> int | None:
    """An amount of memory as a person gave it."""
    return None if gigabytes is None else int(_positive("memory", gigabytes, 10**6) * 10**9)


def _positive(name: str, text: str, high: float, low: float = 0) -> float:
    """A number within bounds that a person gave."""
    from rookery.core.options import Option

    value = Option(name, float, None, "", low=low, high=high).parse(text)
    assert isinstance(value, float)
    return value


def _source(given: list[str]) -> str:
    """The Python file the game comes from, if it does."""
    return str(Path(given[0]).resolve()) if given[0].endswith(".py") else ""


def _about_game(command: str, about: str, given: list[str]) -> tuple[type[Game] | None, argparse.ArgumentParser]:
    """The game a command is about, if one is named, and a parser with the flags all commands of the lab share."""
    name = given[0] if given and not given[0].startswith("-") else ""
    cls = flags.named(name) if name else None
    more = "" if name else " GAME is one of the games, or a Python file with one; its own options follow it too."
    parser = flags.parser(f"rookery {command} {name or 'GAME'}", about + more)
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    return cls, parser


def _of_game(command: str, about: str, given: list[str]) -> tuple[type[Game] | None, argparse.ArgumentParser]:
    """The same for a command that plays games."""
    cls, parser = _about_game(command, about, given)
    parser.add_argument("--seed", default="0", metavar="S", help="the same seed gives the same games (default 0)")
    parser.add_argument("--on", default="local", metavar="PLACE", help="local, threads, processes or dask:ADDRESS")
    parser.add_argument("--workers", metavar="N", help="how many games at a time (default: one a core)")
    return cls, parser


def _chosen(
    command: str,
    cls: type[Game] | None,
    parser: argparse.ArgumentParser,
    given: list[str],
    example: str = "sixseven",
) -> tuple[type[Game], dict[str, Any]]:
    """What was typed after the command; without a game there is only help."""
    if cls is None:
        parser.parse_args(given)
        raise OptionError(f"Which game? Write it after the command: rookery {command} {example}, for example.")
    flags.add_options(parser, cls)
    return cls, vars(parser.parse_args(flags.joined(given[1:])))


def _workers(chosen: dict[str, Any]) -> int | None:
    return None if chosen["workers"] is None else flags.whole("workers", chosen["workers"], 1, 1024)


def _need(*packages: str) -> None:
    """Refuse to begin without what the lab is made of."""
    need("lab", "The lab", *packages)


def _say(sentence: str) -> None:
    print(f"rookery: {sentence}", file=sys.stderr)


def _remark(playing: Iterable[tuple[Game, Iterable[str]]]) -> None:
    """Say what is to be known about how bots play these games, once each."""
    from rookery.core.bot import make_bot

    remarks = [make_bot(game, spec).remark(game) for game, specs in playing for spec in specs]
    for sentence in dict.fromkeys(filter(None, remarks)):
        _say(sentence)


def _show(parts: Iterable[RenderableType]) -> None:
    """Print tables; where nobody's terminal says how wide they may be, as wide as they are."""
    from rich.console import Console

    console = Console(highlight=False) if sys.stdout.isatty() else Console(highlight=False, width=160)
    for part in parts:
        console.print(part)
        console.print()


@contextmanager
def _progress(noun: str, total: int) -> Iterator[Callable[..., None]]:
    """A bar on a terminal, and silence elsewhere; it is shown how much is done, and may be told what to say beside."""
    if not sys.stderr.isatty():
        yield lambda done, note="": None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        *(BarColumn(), MofNCompleteColumn(), TextColumn(noun)),
        *(TimeElapsedColumn(), TextColumn("gone,"), TimeRemainingColumn(), TextColumn("left")),
        TextColumn("{task.fields[note]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total, note="")
        yield lambda done, note="": progress.update(task, completed=done, note=note)


def bench(given: list[str]) -> int:
    """Measure how fast random games are played on this machine, and how much its bots look at."""
    from rookery.games import find

    parser = flags.parser(
        "rookery bench", "How fast random games are played here, and how much bots look at in their time."
    )
    parser.add_argument("game", nargs="*", metavar="GAME", help="only these games")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    chosen = parser.parse_args(given)
    for name in chosen.game:
        find(name)
    _need("numba", "rich")

    import json

    from rookery.lab.bench import SETTINGS, THINKERS, measure, watch

    speeds, thoughts = [], []
    total = sum(not chosen.game or name in chosen.game for name, _, _ in SETTINGS + THINKERS)
    with _progress("measured", total) as show:
        for speed in measure(chosen.game):
            speeds.append(speed)
            show(len(speeds))
        for thought in watch(chosen.game):
            thoughts.append(thought)
            show(len(speeds) + len(thoughts))
    if chosen.json:
        found = {"speeds": [each.content() for each in speeds], "bots": [each.content() for each in thoughts]}
        print(json.dumps(found, ensure_ascii=False))
        return 0

    from rich.table import Table

    table = Table(title="Random play, moves a second", title_justify="left", box=None)
    threads = speeds[0].threads
    for name in ("game", "compiled, one core", "interpreted", "ratio", f"{threads} threads to one"):
        table.add_column(name, justify="left" if name == "game" else "right")
    for speed in speeds:
        table.add_row(
            speed.title,
            f"{speed.compiled:,.0f} {speed.noun}",
            f"{speed.interpreted:,.0f}",
            f"{speed.ratio:,.0f} ×",
            f"{speed.speedup:.2f} ×",
        )
    _show([table, *([_thoughts(thoughts)] if thoughts else [])])
    return 0


def _thoughts(thoughts: list[Thinking]) -> Table:
    """How much bots look at in their time, as a table."""
    from rich.table import Table

    table = Table(title="\nBots, over positions from all through a game", title_justify="left", box=None)
    for name in ("bot", "a second", "plies ahead", "slowest move"):
        table.add_column(name, justify="left" if name == "bot" else "right")
    for each in thoughts:
        depth = "" if each.depth is None else f"{each.depth:.1f}"
        table.add_row(each.title, f"{each.per_second:,.0f} {each.noun}", depth, f"{each.longest:.1f} ms")
    return table
