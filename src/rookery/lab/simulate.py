"""Experiments run chunk by chunk on a backend, with progress, checkpoints and sweeps over options."""

from __future__ import annotations

import itertools
import json
import math
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rookery.core.errors import OptionError, RookeryError
from rookery.core.options import options_of
from rookery.lab.experiment import Experiment, Tally, play
from rookery.system import interrupts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rookery.core.game import Game
    from rookery.core.options import Value
    from rookery.lab.backend import Backend
    from rookery.lab.experiment import Chunk

CHUNK_SECONDS = 0.25
"""The time a chunk should take: long enough to be worth sending, short enough for progress and Ctrl-C."""
LARGEST_CHUNK = 20_000
"""The most games in a chunk; its memory grows with them."""
SAVE_SECONDS = 5.0
"""The time between two saves of a checkpoint."""


@dataclass
class Run:
    """An experiment with the number of games wanted, the counts so far, and the time spent."""

    experiment: Experiment
    games: int
    tally: Tally = field(default_factory=Tally)
    seconds: float = 0.0
    workers: int = 0

    @property
    def done(self) -> bool:
        """Whether all games have been played."""
        return self.tally.games >= self.games


def grid(cls: type[Game], given: dict[str, Value], sweeps: Sequence[str]) -> Iterator[tuple[Game, dict[str, Value]]]:
    """The games of a sweep, each with its swept options; the last sweep changes fastest.

    A sweep is written `rate=0.5,0.6,0.67`; `rows=cols=5,6,7` changes several options together.
    """
    axes = [_axis(cls, text) for text in sweeps]
    _check_unique([*given, *(name for axis in axes for name in axis[0])])
    for values in itertools.product(*(axis for axis in axes)):
        changes = {name: value for part in values for name, value in part.items()}
        yield cls.make(**given, **changes), changes


def _check_unique(names: list[str]) -> None:
    """Refuse an option that is given more than once."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise OptionError(f"{twice} is given twice: set it or sweep over it, once.")


def _axis(cls: type[Game], text: str) -> list[dict[str, Value]]:
    *names, values = text.split("=")
    known = {each.name: each for each in options_of(cls)}
    if not names or not values:
        raise OptionError(f"sweep takes option=value,value,… such as {next(iter(known))}=5,6,7, not '{text}'.")
    plain = [name.strip().replace("-", "_") for name in names]
    _check_unique(plain)
    for name in plain:
        if name not in known:
            raise OptionError(f"{cls.title} has no option '{name}' to sweep over; it has {', '.join(known)}.")
    return [{name: known[name].parse(value.strip()) for name in plain} for value in values.split(",")]


def run(
    runs: Sequence[Run],
    backend: Backend,
    *,
    compiled: bool,
    progress: Callable[[Run], None] = lambda run: None,
    checkpoint: Checkpoint | None = None,
) -> None:
    """Play the games that are missing and call `progress` after each chunk.

    After an interruption every run holds the counts of its first games, without gaps.
    """
    for each in runs:
        each.workers = backend.workers
        if not each.done and backend.shares_memory:
            play(each.experiment, 0, 1, compiled)  # loads machine code, outside the measured time
        began, before = time.perf_counter(), each.seconds
        chunks = _Chunks(each, compiled)
        try:
            for chunk in backend.in_order(chunks):
                chunks.adapt(chunk)
                each.tally = each.tally.plus(chunk.tally)  # atomic: an interruption may come anywhere
                each.seconds = before + time.perf_counter() - began
                progress(each)
                if checkpoint:
                    checkpoint.save_if_due(runs)
        finally:
            if checkpoint:
                checkpoint.save(runs)


class _Chunks:
    """The chunks of an experiment, generated on demand; their size adapts to how long chunks take."""

    def __init__(self, run: Run, compiled: bool) -> None:
        self.run = run
        self.compiled = compiled
        self.size = 1

    def __iter__(self) -> Iterator[tuple[Callable[..., Chunk], tuple[Any, ...]]]:
        first = self.run.tally.games
        while first < self.run.games:
            count = min(self.size, self.run.games - first)
            yield play, (self.run.experiment, first, count, self.compiled)
            first += count

    def adapt(self, chunk: Chunk) -> None:
        """Choose the next size by how long a chunk took, at most four times as large: games differ."""
        fitting = int(chunk.tally.games * CHUNK_SECONDS / max(chunk.seconds, 1e-6))
        self.size = max(1, min(fitting, 4 * chunk.tally.games, LARGEST_CHUNK))


class Checkpoint:
    """A file with the counts so far, to resume from after an interruption or to extend with more games."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self.saved = time.monotonic()

    def resume(self, runs: Sequence[Run]) -> None:
        """Load the file's counts into the runs, if there is a file; it must be of the same experiments."""
        try:
            content = json.loads(self.path.read_text(encoding="utf-8"))
            stored = [(each["experiment"], Tally.from_json(each["tally"]), float(each["seconds"])) for each in content]
            valid = all(tally.valid and math.isfinite(seconds) and seconds >= 0 for _, tally, seconds in stored)
        except FileNotFoundError:
            return
        except (OSError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
            valid = False
        if not valid:
            raise self._invalid()
        wanted = [_plain(each.experiment) for each in runs]
        if [experiment for experiment, _, _ in stored] != wanted:
            raise RookeryError(f"'{self.path}' holds other experiments: resume with the same options, bots and seed.")
        for each, (_, tally, seconds) in zip(runs, stored, strict=True):
            if tally.games and len(tally.counts) != sum(len(map.places) for map in each.experiment.game.maps()):
                raise self._invalid()
            if tally.games > each.games:
                raise RookeryError(f"'{self.path}' holds {tally.games} games already: ask for at least as many.")
            each.tally, each.seconds = tally, seconds

    def _invalid(self) -> RookeryError:
        return RookeryError(f"'{self.path}' cannot be resumed: --resume did not write it, or it is damaged.")

    def save_if_due(self, runs: Sequence[Run]) -> None:
        """Save if the last save was `SAVE_SECONDS` ago."""
        if time.monotonic() - self.saved >= SAVE_SECONDS:
            self.save(runs)

    def save(self, runs: Sequence[Run]) -> None:
        """Write the file atomically: a reader sees the old or the new one."""
        content = [
            {"experiment": _plain(each.experiment), "tally": each.tally.to_json(), "seconds": each.seconds}
            for each in runs
        ]
        temporary = self.path.with_name(self.path.name + ".new")
        try:
            with interrupts.held():
                temporary.write_text(json.dumps(content), encoding="utf-8")
                temporary.replace(self.path)
        except OSError as problem:
            raise RookeryError(f"'{self.path}' cannot be written: {problem.strerror}.") from None
        self.saved = time.monotonic()


def _plain(experiment: Experiment) -> Any:
    """An experiment after a round trip through JSON, without the path of the game's file."""
    content: Any = json.loads(json.dumps(asdict(experiment) | {"source": ""}))
    return content
