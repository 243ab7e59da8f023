"""Training the learned value of 67!: batches of games on all cores, and the weights after each of them."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from rookery.core.arguments import shown, whole
from rookery.core.errors import OptionError, RookeryError
from rookery.core.solver import MOST_WORKERS
from rookery.core.stream import LAST_SEED, WORDS
from rookery.core.trainer import Trainer
from rookery.engine import compiling
from rookery.games.sixseven import rules
from rookery.games.sixseven.bots import learning, value, weights
from rookery.system.requirements import need

if TYPE_CHECKING:
    from pathlib import Path

    from rookery.games.sixseven.game import SixSeven

BATCH = 32
"""Games that are played with the same weights. Not fewer on fewer cores: what is learned must not depend on them."""
STEPS = 400
"""Slides after which a game is broken off."""
FIRST_RATE, LAST_RATE = 0.9, 0.01
"""How far the odds of a position move for a difference of 1, at first and in the end; it falls evenly, as a power."""
MOST_GAMES = 10**9
RECENT = 2000
"""Games that the live win rate is over."""


class Table:
    """Where some games of a batch are played."""

    def __init__(self, words: list[int], many: int) -> None:
        import numpy

        cells = words[rules.ROWS] * words[rules.COLS]
        wide = value.room(cells)
        self.start = compiling.array(words)
        self.s, self.trial = self.start.copy(), self.start.copy()
        self.r = compiling.array([0] * WORDS)
        self.notes, self.found = compiling.array([0] * value.NOTES * cells), compiling.array([0] * wide)
        self.seen = numpy.zeros((many, STEPS * wide), numpy.int32)
        self.sizes = numpy.zeros((many, STEPS), numpy.int32)
        self.lengths, self.ends = compiling.array([0] * many), compiling.array([0] * many)
        self.code: Any = compiling.compiled(learning)
        self.many = 0

    def play(self, table: Any, seed: int, first: int, many: int) -> None:
        """Play so many games of a training, from a number on."""
        self.many = many
        self.code.play_games(
            self.start,
            self.s,
            self.trial,
            self.r,
            table,
            self.notes,
            self.found,
            seed,
            first,
            many,
            self.seen,
            self.sizes,
            self.lengths,
            self.ends,
        )

    def learn(self, table: Any, rate: float) -> list[bool]:
        """Learn from the games played; return which were won."""
        self.code.learn_games(table, rate, self.many, len(self.found), self.seen, self.sizes, self.lengths, self.ends)
        return [end == learning.WON_GAME for end in self.ends[: self.many].tolist()]


class SixSevenTrainer(Trainer):
    """Weights in the making."""

    def __init__(self, game: SixSeven, seed: int, bits: int | None) -> None:
        need("bots", "Training", "numba")
        import numpy

        self.game, self.seed = game, whole(seed, "seed", 0, LAST_SEED)
        self.bits = fitting(game) if bits is None else whole(bits, "bits", weights.BITS[0], weights.BITS[-1])
        self.table = numpy.zeros(1 << self.bits, numpy.float32)
        self.recent: deque[bool] = deque(maxlen=RECENT)
        self.parts: list[Table] = []

    def ready(self, workers: int) -> None:
        words = self.game.compiled_words(self.game.start())
        parts = min(whole(workers, "workers", 1, MOST_WORKERS), BATCH)
        self.parts = [Table(words, -(-BATCH // parts)) for _ in range(parts)]
        self.pool = ThreadPoolExecutor(parts)
        part = self.parts[0]
        part.play(self.table[:1].copy(), 0, 0, 1)
        part.learn(self.table[:1].copy(), 0.0)

    def batch(self, most: int, done: float) -> None:
        if not self.parts:
            raise RookeryError("The trainer is not ready: call ready() first.")
        if not 0 <= done <= 1:
            raise OptionError(f"done takes a share from 0 to 1, not {shown(done)}.")
        total, parts = min(whole(most, "most", 1, MOST_GAMES), BATCH), len(self.parts)
        starts = [total * k // parts for k in range(parts + 1)]
        playing = [
            self.pool.submit(part.play, self.table, self.seed, self.games + starts[k], starts[k + 1] - starts[k])
            for k, part in enumerate(self.parts)
        ]
        for each in playing:
            each.result()
        rate = FIRST_RATE * (LAST_RATE / FIRST_RATE) ** done
        for part in self.parts:
            self.recent.extend(part.learn(self.table, rate))
        self.games += total

    def win_rate(self) -> tuple[int, int]:
        return sum(self.recent), len(self.recent)

    def _about(self, about: dict[str, Any]) -> dict[str, Any]:
        """What a file says about the training."""
        own = {"options": dict(self.game.options), "bits": self.bits, "seed": self.seed, "games": self.games}
        return {**own, **about}

    def keep(self, path: Path, about: dict[str, Any]) -> None:
        more = {"recent": "".join("1" if won else "0" for won in self.recent)}
        weights.pack(path, {**self._about(about), **more}, self.table, level=0)

    def take_up(self, path: Path) -> dict[str, Any]:
        about, table = weights.unpacked(path)
        asked = {"options": dict(self.game.options), "bits": self.bits, "seed": self.seed}
        if any(about.get(name) != wanted for name, wanted in asked.items()) or table.dtype != self.table.dtype:
            raise OptionError(
                f"'{path}' is of another training, for {weights.title(about['options'])} with seed "
                f"{about.get('seed')} and {about['bits']} bits: choose another name, or delete it."
            )
        if table.shape != self.table.shape:
            raise RookeryError(f"'{path}' is damaged: its weights are not what it says they are.")
        try:
            games, recent = (
                whole(about["games"], "games", 0, LAST_SEED - BATCH),
                [won == "1" for won in about["recent"]],
            )
        except (LookupError, TypeError, OptionError):
            raise RookeryError(f"'{path}' is damaged: delete it to train anew.") from None
        self.table, self.games = table, games
        self.recent.extend(recent)
        return about

    def finish(self, path: Path, about: dict[str, Any]) -> None:
        weights.write(path, self._about(about), self.table)

    def bot(self, path: Path) -> str:
        return f"learned:weights={path}"


def fitting(game: SixSeven) -> int:
    """The size of the table, as a power of two, that the patterns of a board fit into."""
    cells = game.rows * game.cols
    return 22 if cells > 30 else 21 if cells > 20 else 20
