"""What the lab's commands share: flags, checks of arguments, messages, tables and a progress bar."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rookery.cli import flags
from rookery.core.errors import OptionError
from rookery.system.requirements import need

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable, Iterator

    from rich.console import RenderableType

    from rookery.core.game import Game

MOST_GAMES = 10**12
INTERRUPTED = 130
"""The exit code after Ctrl-C."""

# ---- flags ----


def game_parser(command: str, about: str, given: list[str]) -> tuple[type[Game] | None, argparse.ArgumentParser]:
    """The game that the arguments name, if any, and a parser with the flags that all lab commands share."""
    name = given[0] if given and not given[0].startswith("-") else ""
    cls = flags.named(name) if name else None
    more = "" if name else " GAME is one of the games, or a Python file that defines one; its options follow it."
    parser = flags.parser(f"rookery {command} {name or 'GAME'}", about + more)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return cls, parser


def playing_parser(command: str, about: str, given: list[str]) -> tuple[type[Game] | None, argparse.ArgumentParser]:
    """The same, with the flags of commands that play games on a backend."""
    cls, parser = game_parser(command, about, given)
    parser.add_argument("--seed", default="0", metavar="S", help="the same seed gives the same games (default 0)")
    parser.add_argument("--on", default="local", metavar="BACKEND", help="local, threads, processes or dask:ADDRESS")
    parser.add_argument("--workers", metavar="N", help="how many games at a time (default: one per core)")
    return cls, parser


def parse(
    command: str,
    cls: type[Game] | None,
    parser: argparse.ArgumentParser,
    given: list[str],
    example: str = "sixseven",
) -> tuple[type[Game], dict[str, Any]]:
    """The game and the parsed flags; without a game, only --help works."""
    if cls is None:
        parser.parse_args(given)
        raise OptionError(f"Which game? Write it after the command, such as rookery {command} {example}.")
    flags.add_options(parser, cls)
    return cls, vars(parser.parse_args(flags.joined(given[1:])))


# ---- arguments ----


def seed_of(chosen: dict[str, Any]) -> int:
    """The value of --seed."""
    return flags.whole("seed", chosen["seed"], 0, 2**63 - 1)


def workers_of(chosen: dict[str, Any]) -> int | None:
    """The value of --workers; None for the default."""
    return None if chosen["workers"] is None else flags.whole("workers", chosen["workers"], 1, 1024)


def source_of(given: list[str]) -> str:
    """The Python file that defines the game, if one does."""
    return str(Path(given[0]).resolve()) if given[0].endswith(".py") else ""


def parse_float(name: str, text: str, high: float, low: float = 0) -> float:
    """A number within bounds, from a flag of this name."""
    from rookery.core.options import Option

    value = Option(name, float, None, "", low=low, high=high).parse(text)
    assert isinstance(value, float)
    return value


def check_plot(path: str | None) -> None:
    """Refuse a figure that cannot be drawn or written, before anything is played."""
    if path is None:
        return
    from rookery.lab.plot import check_path

    check_path(path)
    check_file(path)


def check_file(path: str | None) -> None:
    """Refuse a file that cannot be written, before anything is played."""
    if path is None:
        return
    file = Path(path)
    if file.is_dir():
        raise OptionError(f"'{path}' cannot be written: it is a folder.")
    if not file.absolute().parent.is_dir():
        raise OptionError(f"'{path}' cannot be written: its folder does not exist.")


def need_packages(*packages: str) -> None:
    """Refuse to start without packages of the extra `lab`."""
    need("lab", "The lab", *packages)


# ---- output ----


def notify(sentence: str) -> None:
    """Print a sentence on standard error."""
    print(f"rookery: {sentence}", file=sys.stderr)


def notify_remarks(playing: Iterable[tuple[Game, Iterable[str]]]) -> None:
    """Print the bots' remarks on how they play these games, each once."""
    from rookery.core.bot import make_bot

    remarks = [make_bot(game, spec).remark(game) for game, specs in playing for spec in specs]
    for sentence in dict.fromkeys(filter(None, remarks)):
        notify(sentence)


def show(parts: Iterable[RenderableType]) -> None:
    """Print tables; 160 characters wide if standard output is not a terminal."""
    from rich.console import Console

    console = Console(highlight=False) if sys.stdout.isatty() else Console(highlight=False, width=160)
    for part in parts:
        console.print(part)
        console.print()


@contextmanager
def progress_bar(noun: str, total: int) -> Iterator[Callable[..., None]]:
    """A progress bar on a terminal, nothing elsewhere. Call it with the amount done and, if wanted, a note."""
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
        *(TimeElapsedColumn(), TextColumn("elapsed,"), TimeRemainingColumn(), TextColumn("left")),
        TextColumn("{task.fields[note]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total, note="")
        yield lambda done, note="": progress.update(task, completed=done, note=note)
