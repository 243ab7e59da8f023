"""Many games, on many cores: experiments run piece by piece, seen to as they go, broken off and taken up again."""

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
    from rookery.lab.experiment import Piece
    from rookery.lab.work import Place

PIECE_SECONDS = 0.25
"""How long a piece of work should take: long enough to be worth sending, short enough to be seen and broken off."""
LARGEST_PIECE = 20_000
"""Games in a piece at most; what a piece holds in memory grows with them."""
SAVE_SECONDS = 5.0
"""How often what is done is written to the file it can be resumed from."""


@dataclass
class Run:
    """An experiment under way or done: how many games are asked for, what is known so far, and how long it took."""

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
    """The games of a sweep, each with the options in which it differs from the others, the last sweep fastest.

    A sweep is written `rate=0.5,0.6,0.67`; `rows=cols=5,6,7` changes several options together.
    """
    axes = [_axis(cls, text) for text in sweeps]
    _once([*given, *(name for axis in axes for name in axis[0])])
    for values in itertools.product(*(axis for axis in axes)):
        changes = {name: value for part in values for name, value in part.items()}
        yield cls.make(**given, **changes), changes


def _once(names: list[str]) -> None:
    """Refuse an option that is given more than once."""
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise OptionError(f"{twice} is given twice: either fix it or sweep over it, once.")


def _axis(cls: type[Game], text: str) -> list[dict[str, Value]]:
    *names, values = text.split("=")
    known = {each.name: each for each in options_of(cls)}
    if not names or not values:
        raise OptionError(f"sweep takes option=value,value,… such as {next(iter(known))}=5,6,7, not '{text}'.")
    plain = [name.strip().replace("-", "_") for name in names]
    _once(plain)
    for name in plain:
        if name not in known:
            raise OptionError(f"{cls.title} has no option '{name}' to sweep over; it has {', '.join(known)}.")
    return [{name: known[name].parse(value.strip()) for name in plain} for value in values.split(",")]


def run(
    runs: Sequence[Run],
    place: Place,
    *,
    compiled: bool,
    seen: Callable[[Run], None] = lambda run: None,
    keep: Keep | None = None,
) -> None:
    """Play all the games that are missing, calling `seen` whenever some more are counted.

    If it is interrupted, every run holds what was counted until then: its first games, and no others.
    """
    for each in runs:
        each.workers = place.workers
        if not each.done and place.shares_memory:
            play(each.experiment, 0, 1, compiled)  # fetches machine code, which is no part of the time games take
        began, before = time.perf_counter(), each.seconds
        pieces = _Pieces(each, compiled)
        try:
            for piece in place.in_order(pieces):
                pieces.learn(piece)
                each.tally = each.tally.plus(piece.tally)  # whole or not at all: an interruption may come anywhere
                each.seconds = before + time.perf_counter() - began
                seen(each)
                if keep:
                    keep.sometimes(runs)
        finally:
            if keep:
                keep.now(runs)


class _Pieces:
    """The pieces an experiment is cut into, as they are wanted: larger ones once it is known how long they take."""

    def __init__(self, run: Run, compiled: bool) -> None:
        self.run = run
        self.compiled = compiled
        self.size = 1

    def __iter__(self) -> Iterator[tuple[Callable[..., Piece], tuple[Any, ...]]]:
        first = self.run.tally.games
        while first < self.run.games:
            count = min(self.size, self.run.games - first)
            yield play, (self.run.experiment, first, count, self.compiled)
            first += count

    def learn(self, piece: Piece) -> None:
        """Choose the next sizes by how long a piece took; never much larger at once, for games differ."""
        fitting = int(piece.tally.games * PIECE_SECONDS / max(piece.seconds, 1e-6))
        self.size = max(1, min(fitting, 4 * piece.tally.games, LARGEST_PIECE))


class Keep:
    """A file that holds what has been counted, so that it can be taken up again after an interruption, or gone on from
    with more games.
    """

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self.saved = time.monotonic()

    def take_up(self, runs: Sequence[Run]) -> None:
        """Give the runs what the file holds, if there is one; it must be of the same experiments."""
        try:
            content = json.loads(self.path.read_text(encoding="utf-8"))
            kept = [(each["experiment"], Tally.from_json(each["tally"]), float(each["seconds"])) for each in content]
            sound = all(tally.sound and math.isfinite(seconds) and seconds >= 0 for _, tally, seconds in kept)
        except FileNotFoundError:
            return
        except (OSError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
            sound = False
        if not sound:
            raise self._not_ours()
        wanted = [_plain(each.experiment) for each in runs]
        if [experiment for experiment, _, _ in kept] != wanted:
            raise RookeryError(f"'{self.path}' holds other experiments: resume with the same options, bots and seed.")
        for each, (_, tally, seconds) in zip(runs, kept, strict=True):
            if tally.games and len(tally.counts) != sum(len(map.places) for map in each.experiment.game.maps()):
                raise self._not_ours()
            if tally.games > each.games:
                raise RookeryError(f"'{self.path}' holds {tally.games} games already; ask for that many or more.")
            each.tally, each.seconds = tally, seconds

    def _not_ours(self) -> RookeryError:
        return RookeryError(f"'{self.path}' cannot be resumed from: it is not a file that --resume wrote.")

    def sometimes(self, runs: Sequence[Run]) -> None:
        """Write the file if that was a while ago."""
        if time.monotonic() - self.saved >= SAVE_SECONDS:
            self.now(runs)

    def now(self, runs: Sequence[Run]) -> None:
        """Write the file, whole or not at all."""
        content = [
            {"experiment": _plain(each.experiment), "tally": each.tally.to_json(), "seconds": each.seconds}
            for each in runs
        ]
        beside = self.path.with_name(self.path.name + ".new")
        try:
            with interrupts.held():
                beside.write_text(json.dumps(content), encoding="utf-8")
                beside.replace(self.path)
        except OSError as problem:
            raise RookeryError(f"'{self.path}' cannot be written: {problem.strerror}.") from None
        self.saved = time.monotonic()


def _plain(experiment: Experiment) -> Any:
    """An experiment as JSON gives it back. Where the game's file lies does not matter."""
    content: Any = json.loads(json.dumps(asdict(experiment) | {"source": ""}))
    return content
