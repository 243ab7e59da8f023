"""`rookery simulate`: play many games and report wins, scores and lengths."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rookery.cli import flags
from rookery.cli.lab import common
from rookery.core.errors import OptionError
from rookery.engine import compiling

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from rookery.core.game import Game
    from rookery.core.options import Value
    from rookery.lab.simulate import Checkpoint, Run

    Runs = Sequence[tuple[Run, dict[str, Value]]]


def simulate(given: list[str]) -> int:
    """Play many games with a bot and report the results."""
    about = "Play many games and report wins, scores and lengths with confidence intervals."
    named, parser = common.playing_parser("simulate", about, given)
    _add_flags(parser)
    cls, chosen = common.parse("simulate", named, parser, given)
    common.need_packages("rich")
    if chosen["json"] and chosen["csv"]:
        raise OptionError("Choose --json or --csv: both write to standard output.")
    runs = _runs(cls, chosen, common.source_of(given))
    common.check_plot(chosen["plot"])
    compiled = compiling.available() and not chosen["interpreted"]
    _notify(runs, slow=not compiled and not chosen["interpreted"])
    checkpoint = _checkpoint(chosen["resume"], [run for run, _ in runs])
    code = 0 if _play(runs, chosen, checkpoint, compiled=compiled) else common.INTERRUPTED
    begun = [(run, changes) for run, changes in runs if run.tally.games]
    if begun:
        _report(begun, chosen)
    return code


def _add_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--games", default="1000", metavar="N", help="how many (default 1000)")
    parser.add_argument(
        "--bot",
        nargs="+",
        action="extend",
        default=[],
        metavar="LEVEL",
        help="who plays: one bot for all seats or one per seat, by level or name (default random)",
    )
    parser.add_argument(
        "--sweep",
        action="append",
        default=[],
        metavar="OPTION=A,B,…",
        help="run all of these values; several sweeps make a grid; rows=cols=5,6 changes both",
    )
    parser.add_argument("--csv", action="store_true", help="print one row for each combination of options")
    parser.add_argument("--plot", metavar="FILE", help="draw a figure into FILE.svg or FILE.png")
    parser.add_argument(
        "--resume", metavar="FILE", help="save progress to this file, and continue from it if it exists"
    )
    parser.add_argument("--limit", default="1000000", metavar="N", help="stop a game after N moves (default 1000000)")
    parser.add_argument("--interpreted", action="store_true", help="play random games without the compiler, slowly")


def _runs(cls: type[Game], chosen: dict[str, Any], source: str) -> Runs:
    """The runs that the flags ask for, each with its swept options."""
    from rookery.lab.experiment import Experiment
    from rookery.lab.simulate import Run, grid

    games = flags.whole("games", chosen["games"], 1, common.MOST_GAMES)
    seed = common.seed_of(chosen)
    most = flags.whole("limit", chosen["limit"], 1, common.MOST_GAMES)
    bots = chosen["bot"] or ["random"]
    return [
        (Run(Experiment.of(game, bots, seed=seed, most=most, source=source), games), changes)
        for game, changes in grid(cls, flags.options(cls, chosen), chosen["sweep"])
    ]


def _notify(runs: Runs, *, slow: bool) -> None:
    """Print what a person should know about these runs before they start."""
    if slow:
        common.notify("Numba is not installed: random games are played interpreted, hundreds of times slower.")
    common.notify_remarks((run.experiment.game, run.experiment.bots) for run, _ in runs)
    if not all(run.experiment.repeatable for run, _ in runs):
        common.notify("A bot has a time limit: another run may give other results.")


def _checkpoint(path: str | None, runs: list[Run]) -> Checkpoint | None:
    """The checkpoint of --resume, loaded into the runs."""
    if not path:
        return None
    from rookery.lab.simulate import Checkpoint

    checkpoint = Checkpoint(path)
    checkpoint.resume(runs)
    checkpoint.save(runs)  # fail now, not after hours, if it cannot be written
    return checkpoint


def _play(runs: Runs, chosen: dict[str, Any], checkpoint: Checkpoint | None, *, compiled: bool) -> bool:
    """Play the games with a progress bar; return whether all were played, without an interruption."""
    from rookery.lab import simulate as lab
    from rookery.lab.backend import open_backend

    random = all(run.experiment.random for run, _ in runs)
    total = sum(run.games for run, _ in runs)
    with common.progress_bar("games", total) as show:

        def progress(_: Run) -> None:
            show(sum(run.tally.games for run, _ in runs))

        try:
            with open_backend(chosen["on"], common.workers_of(chosen), compiled=compiled and random) as backend:
                each = [run for run, _ in runs]
                lab.run(each, backend, compiled=compiled, progress=progress, checkpoint=checkpoint)
        except KeyboardInterrupt:
            done = False
        else:
            done = True
    if not done:
        common.notify(f"Interrupted after {sum(run.tally.games for run, _ in runs):,} of {total:,} games.")
    return done


def _report(runs: Runs, chosen: dict[str, Any]) -> None:
    from rookery.lab import report

    if chosen["plot"]:
        from rookery.lab.plot import draw

        draw(runs, chosen["plot"])
    if chosen["json"]:
        print(report.as_json(runs))
    elif chosen["csv"]:
        print(report.as_csv(runs))
    else:
        common.show(report.as_table(runs))
        if chosen["plot"]:
            print(f"The figure is in {chosen['plot']}.")
