"""A bot trained: for so many games or minutes, kept from time to time, and taken up again where it was broken off."""

from __future__ import annotations

import shlex
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rookery.core.errors import OptionError, RookeryError
from rookery.core.notation import counted
from rookery.core.options import options_of
from rookery.games import find, playable
from rookery.lab.intervals import wilson
from rookery.system import interrupts

if TYPE_CHECKING:
    from collections.abc import Callable

    from rookery.core.game import Game
    from rookery.core.trainer import Trainer

KEPT_EVERY = 60.0
"""Seconds after which a training is kept."""
MINUTE = 60.0


@dataclass
class Course:
    """A training: what for, how long, and where it is kept. Either the games or the minutes say how long."""

    game: Game
    path: Path
    seed: int = 0
    games: int | None = None
    minutes: float | None = None
    bits: int | None = None
    seconds: float = 0.0
    """Spent so far."""
    trainer: Trainer = field(init=False)

    def __post_init__(self) -> None:
        trainer = self.game.trainer(self.seed, self.bits)
        if trainer is None:
            can = [find(name).title for name in playable() if find(name)().trainer(0) is not None]
            raise OptionError(f"{self.game.title} has no bot that learns; {' and '.join(can)} has.")
        self.trainer = trainer
        if "," in str(self.path):
            raise OptionError("A comma cannot be part of the file's name: bots could not be told it.")
        if self.path.is_dir():
            raise OptionError(f"'{self.path}' cannot be written: it is a folder.")
        if self.path.exists():
            raise OptionError(f"There is a '{self.path}' already: choose another name, or delete it to train anew.")
        if not self.path.absolute().parent.is_dir():
            raise OptionError(f"'{self.path}' cannot be written: its folder is not there.")
        if self.part.exists():
            self._take_up()

    @property
    def part(self) -> Path:
        """Where it is kept before it ends."""
        return self.path.with_name(self.path.name + ".part")

    @property
    def done(self) -> float:
        """The share that is done."""
        if self.games is not None:
            return min(1.0, self.trainer.games / self.games)
        assert self.minutes is not None
        return min(1.0, self.seconds / (MINUTE * self.minutes))

    def run(self, workers: int, seen: Callable[[Course], None] = lambda course: None) -> bool:
        """Train to the end with so many threads, calling `seen` after every batch; whether it came to the end.

        Ctrl-C ends it after the batch that is being played, and it is kept.
        """
        self._keep()  # before hours are spent: can it be written?
        self.trainer.ready(workers)
        with interrupts.deferred() as stop:
            self._train(stop, seen)
        if self.done < 1.0:
            self._keep()
            return False
        self.trainer.finish(self.path, self.about())
        self.part.unlink(missing_ok=True)
        return True

    def _train(self, stop: interrupts.Flag, seen: Callable[[Course], None]) -> None:
        kept = last = time.perf_counter()
        while self.done < 1.0 and not stop.came:
            left = 10**9 if self.games is None else self.games - self.trainer.games
            self.trainer.batch(left, self.done)
            now = time.perf_counter()
            self.seconds += now - last
            last = now
            seen(self)
            if now - kept > KEPT_EVERY:
                self._keep()
                kept = time.perf_counter()

    def about(self) -> dict[str, Any]:
        """What is to be known about it beside what the trainer says itself."""
        won, of = self.trainer.win_rate()
        return {"command": self.command, "win_rate": won / of if of else None}

    @property
    def flags(self) -> str:
        """The options that are not as they come, as one types them."""
        return "".join(
            f" {each.flag} {shlex.quote(str(self.game.options[each.name]))}"
            for each in options_of(type(self.game))
            if self.game.options[each.name] != each.default
        )

    @property
    def command(self) -> str:
        """What makes the file again: the same to the byte for a number of games, as good for a number of minutes."""
        length = f"--games {self.games}" if self.games is not None else f"--minutes {self.minutes:g}"
        bits = [] if self.bits is None else [f"--bits {self.bits}"]
        return " ".join(
            [
                f"rookery train {self.game.name}{self.flags}",
                length,
                *bits,
                f"--seed {self.seed}",
                f"--out {shlex.quote(self.path.name)}",
            ]
        )

    def _keep(self) -> None:
        asked = {"games": self.games, "minutes": self.minutes}
        self.trainer.keep(self.part, {**self.about(), "asked": asked, "seconds": self.seconds})

    def _take_up(self) -> None:
        try:
            about = self.trainer.take_up(self.part)
            asked, seconds = about["asked"], float(about["seconds"])
            how = f"{asked['games']:,} games" if asked["games"] else f"{asked['minutes']:g} minutes"
        except RookeryError:
            raise
        except (AttributeError, LookupError, TypeError, ValueError):
            raise RookeryError(f"'{self.part}' is damaged: delete it to train anew.") from None
        if asked != {"games": self.games, "minutes": self.minutes}:
            raise OptionError(
                f"'{self.part}' is a training for {how}: ask for as many, choose another name, or delete it."
            )
        self.seconds = seconds


def live(course: Course) -> str:
    """Where a training is, in a few words."""
    won, of = course.trainer.win_rate()
    low, high = wilson(won, of)
    rate = f", {won / of:.1%} of the last {of:,} won ({100 * low:.1f}–{100 * high:.1f})" if of else ""
    return f"{counted(course.trainer.games, 'game')}{rate}"


def content(course: Course) -> dict[str, Any]:
    """What came of a training, as a JSON object."""
    won, of = course.trainer.win_rate()
    return {
        "game": course.game.name,
        "options": course.game.options,
        "seed": course.seed,
        "games": course.trainer.games,
        "win_rate": won / of if of else None,
        "win_rate_ci95": list(wilson(won, of)) if of else None,
        "file": str(course.path),
        "bytes": course.path.stat().st_size,
        "bot": course.trainer.bot(course.path),
        "command": course.command,
        "seconds": round(course.seconds, 1),
    }
