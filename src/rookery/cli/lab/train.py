"""`rookery train`: train a bot that learns."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rookery.cli import flags
from rookery.cli.lab import common
from rookery.core.errors import OptionError

if TYPE_CHECKING:
    import argparse

    from rookery.core.game import Game
    from rookery.lab.train import Training


def train(given: list[str]) -> int:
    """Train a bot that learns."""
    about = "Train a bot that learns by self-play. After an interruption, the same command continues."
    named, parser = common.game_parser("train", about, given)
    _add_flags(parser)
    cls, chosen = common.parse("train", named, parser, given)
    common.need_packages("numba", "rich")
    if cls().trainer(0) is not None and (chosen["minutes"] is None) == (chosen["games"] is None):
        raise OptionError("Say how long: pass --minutes M or --games N, one of them.")
    if not chosen["out"]:
        raise OptionError("out takes the file of weights to write, such as --out mine.npz.")

    import json

    from rookery.engine.threads import cores
    from rookery.lab.train import content, progress_text

    training = _training(cls, chosen)
    if training.trainer.games:
        common.notify(f"Continuing after {training.trainer.games:,} games.")
    with common.progress_bar("of the training", 100) as show:
        workers = common.workers_of(chosen) or cores()
        complete = training.run(workers, lambda now: show(100 * now.done, progress_text(now)))
    if not complete:
        common.notify(f"Interrupted: {progress_text(training)}. The same command continues from there.")
        return common.INTERRUPTED
    found = content(training)
    if chosen["json"]:
        print(json.dumps(found, ensure_ascii=False))
    else:
        print(f"{progress_text(training)}, in {training.seconds:,.0f} s.")
        print(f"The weights are in {found['file']}, {found['bytes'] / 10**6:.2f} MB. A bot plays by them with")
        print(f"  rookery simulate {cls.name}{training.flags} --bot {shlex.quote(found['bot'])}")
    return 0


def _add_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--minutes", metavar="M", help="how long")
    parser.add_argument("--games", metavar="N", help="how long, in games: the same seed then gives the same file")
    parser.add_argument("--seed", default="0", metavar="S", help="the random seed (default 0)")
    parser.add_argument("--out", metavar="FILE", help="the file of weights to write, such as mine.npz")
    parser.add_argument(
        "--bits", metavar="B", help="slots of its table, as a power of two (default: depends on the board)"
    )
    parser.add_argument("--workers", metavar="N", help="how many threads (default: one per core)")


def _training(cls: type[Game], chosen: dict[str, Any]) -> Training:
    """The training that the flags ask for, resumed if there is a checkpoint."""
    from rookery.lab.train import Training

    def integer(name: str, low: int, high: int) -> int | None:
        return None if chosen[name] is None else flags.whole(name, chosen[name], low, high)

    minutes = chosen["minutes"]
    return Training(
        cls.make(**flags.options(cls, chosen)),
        Path(chosen["out"]),
        flags.whole("seed", chosen["seed"], 0, 2**53),
        integer("games", 1, common.MOST_GAMES),
        None if minutes is None else common.parse_float("minutes", minutes, 10**6, low=0.001),
        integer("bits", 10, 26),
    )
