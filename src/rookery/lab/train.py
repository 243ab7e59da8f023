"""Training a bot for a number of games or minutes, with checkpoints to resume from."""

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

SAVE_SECONDS = 60.0
"""The time between two checkpoints."""
MINUTE = 60.0


@dataclass
class Training:
    """A training: its game, its length in games or in minutes, and the file it writes."""

    game: Game
    path: Path
    seed: int = 0
    games: int | None = None
    minutes: float | None = None
    bits: int | None = None
    seconds: float = 0.0
    """The time spent so far."""
    trainer: Trainer = field(init=False)

    def __post_init__(self) -> None:
        trainer = self.game.trainer(self.seed, self.bits)
        if trainer is None:
            can = [find(name).title for name in playable() if find(name)().trainer(0) is not None]
            raise OptionError(f"{self.game.title} has no bot that learns; {' and '.join(can)} has.")
        self.trainer = trainer
        if "," in str(self.path):
            raise OptionError("The file's name must not contain a comma, which separates a bot's parameters.")
        if self.path.is_dir():
            raise OptionError(f"'{self.path}' cannot be written: it is a folder.")
        if self.path.exists():
            raise OptionError(f"'{self.path}' exists: choose another name, or delete it to train again.")
        if not self.path.absolute().parent.is_dir():
            raise OptionError(f"'{self.path}' cannot be written: its folder does not exist.")
        if self.part.exists():
            self._resume()

    @property
    def part(self) -> Path:
        """The checkpoint file, until the training ends."""
        return self.path.with_name(self.path.name + ".part")

    @property
    def done(self) -> float:
        """The share of the training that is done."""
        if self.games is not None:
            return min(1.0, self.trainer.games / self.games)
        assert self.minutes is not None
        return min(1.0, self.seconds / (MINUTE * self.minutes))

    def run(self, workers: int, progress: Callable[[Training], None] = lambda training: None) -> bool:
        """Train with `workers` threads, calling `progress` after every batch; return whether the training is complete.

        Ctrl-C stops it after the current batch and saves a checkpoint.
        """
        self._save()  # fail now, not after hours, if it cannot be written
        self.trainer.ready(workers)
        with interrupts.deferred() as stop:
            self._train(stop, progress)
        if self.done < 1.0:
            self._save()
            return False
        self.trainer.finish(self.path, self.about())
        self.part.unlink(missing_ok=True)
        return True

    def _train(self, stop: interrupts.Flag, progress: Callable[[Training], None]) -> None:
        saved = last = time.perf_counter()
        while self.done < 1.0 and not stop.came:
            left = 10**9 if self.games is None else self.games - self.trainer.games
            self.trainer.batch(left, self.done)
            now = time.perf_counter()
            self.seconds += now - last
            last = now
            progress(self)
            if now - saved > SAVE_SECONDS:
                self._save()
                saved = time.perf_counter()

    def about(self) -> dict[str, Any]:
        """Metadata for the file, besides the trainer's own."""
        won, of = self.trainer.win_rate()
        return {"command": self.command, "win_rate": won / of if of else None}

    @property
    def flags(self) -> str:
        """The options that differ from their defaults, as flags."""
        return "".join(
            f" {each.flag} {shlex.quote(str(self.game.options[each.name]))}"
            for each in options_of(type(self.game))
            if self.game.options[each.name] != each.default
        )

    @property
    def command(self) -> str:
        """The command that reproduces the file: exactly for a number of games, in quality for a number of minutes."""
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

    def _save(self) -> None:
        asked = {"games": self.games, "minutes": self.minutes}
        self.trainer.keep(self.part, {**self.about(), "asked": asked, "seconds": self.seconds})

    def _resume(self) -> None:
        try:
            about = self.trainer.resume(self.part)
            asked, seconds = about["asked"], float(about["seconds"])
            how = f"{asked['games']:,} games" if asked["games"] else f"{asked['minutes']:g} minutes"
        except RookeryError:
            raise
        except (AttributeError, LookupError, TypeError, ValueError):
            raise RookeryError(f"'{self.part}' is damaged: delete it to start again.") from None
        if asked != {"games": self.games, "minutes": self.minutes}:
            raise OptionError(
                f"'{self.part}' is a training for {how}: ask for the same length, choose another name, or delete it."
            )
        self.seconds = seconds


def progress_text(training: Training) -> str:
    """The progress of a training in a few words."""
    won, of = training.trainer.win_rate()
    low, high = wilson(won, of)
    rate = f", {won / of:.1%} of the last {of:,} won ({100 * low:.1f}–{100 * high:.1f})" if of else ""
    return f"{counted(training.trainer.games, 'game')}{rate}"


def content(training: Training) -> dict[str, Any]:
    """The result of a training as a JSON object."""
    won, of = training.trainer.win_rate()
    return {
        "game": training.game.name,
        "options": training.game.options,
        "seed": training.seed,
        "games": training.trainer.games,
        "win_rate": won / of if of else None,
        "win_rate_ci95": list(wilson(won, of)) if of else None,
        "file": str(training.path),
        "bytes": training.path.stat().st_size,
        "bot": training.trainer.bot(training.path),
        "command": training.command,
        "seconds": round(training.seconds, 1),
    }
