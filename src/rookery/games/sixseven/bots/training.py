"""Training the learned value of 67!: batches of self-play on all cores, with one update of the weights after each."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

from rookery.core.arguments import shown, whole
from rookery.core.errors import OptionError, RookeryError
from rookery.core.solver import MOST_WORKERS
from rookery.core.stream import LAST_SEED, WORDS
from rookery.core.trainer import Trainer
from rookery.engine import compiling
from rookery.engine.workspaces import Buffers
from rookery.games.sixseven import rules
from rookery.games.sixseven.bots import learning, value, weights
from rookery.system.requirements import need

if TYPE_CHECKING:
    from pathlib import Path

    from rookery.games.sixseven.game import SixSeven

BATCH = 32
"""Games played with the same weights, on any number of cores: the result must not depend on that."""
STEPS = 400
"""Slides after which a game is cut off."""
FIRST_RATE, LAST_RATE = 0.9, 0.01
"""The learning rate: how far log-odds move for an error of 1, at first and at the end. It decays exponentially."""
MOST_GAMES = 10**9
RECENT = 2000
"""Games that the win rate shown during training counts."""


class Worker:
    """Plays a share of each batch, and keeps its games until they are learned from. Runs in one thread at a time."""

    def __init__(self, words: list[int], many: int) -> None:
        import numpy

        cells = words[rules.ROWS] * words[rules.COLS]
        allocate, wide = Buffers(compiled=True), value.max_features(cells)
        self.buffers = learning.PlayBuffers(
            start=allocate.copied(words),
            s=allocate.ints(len(words)),
            after=allocate.ints(len(words)),
            r=allocate.ints(WORDS),
            features=value.FeatureBuffers(notes=allocate.ints(value.NOTES * cells), slots=allocate.ints(wide)),
        )
        int32: Any = partial(numpy.zeros, dtype=numpy.int32)  # half the memory of a batch
        self.episodes = learning.Episodes(
            slots=int32((many, STEPS * wide)),
            sizes=int32((many, STEPS)),
            lengths=allocate.ints(many),
            results=allocate.ints(many),
        )
        self.code: Any = compiling.compiled(learning)
        self.many = 0

    def play(self, weights: Any, seed: int, first: int, many: int) -> None:
        """Play the games `first` … `first + many − 1` of a training."""
        self.many = many
        self.code.play_games(self.buffers, self.episodes, weights, seed, first, many)

    def learn(self, weights: Any, rate: float) -> list[bool]:
        """Learn from the games played; return which were won."""
        self.code.learn_games(weights, rate, self.episodes, self.many)
        results: Any = self.episodes.results
        return [result == learning.WON_GAME for result in results[: self.many].tolist()]


class SixSevenTrainer(Trainer):
    """Learns the weights of one game with its options."""

    def __init__(self, game: SixSeven, seed: int, bits: int | None) -> None:
        need("bots", "Training", "numba")
        import numpy

        self.game, self.seed = game, whole(seed, "seed", 0, LAST_SEED)
        self.bits = table_bits(game) if bits is None else whole(bits, "bits", weights.BITS[0], weights.BITS[-1])
        self.table = numpy.zeros(1 << self.bits, numpy.float32)
        self.recent: deque[bool] = deque(maxlen=RECENT)
        self.workers: list[Worker] = []

    def ready(self, workers: int) -> None:
        words = self.game.compiled_words(self.game.start())
        many = min(whole(workers, "workers", 1, MOST_WORKERS), BATCH)
        self.workers = [Worker(words, -(-BATCH // many)) for _ in range(many)]
        self.pool = ThreadPoolExecutor(many)
        first = self.workers[0]
        first.play(self.table[:1].copy(), 0, 0, 1)  # compiles
        first.learn(self.table[:1].copy(), 0.0)

    def batch(self, most: int, done: float) -> None:
        if not self.workers:
            raise RookeryError("The trainer is not ready: call ready() first.")
        if not 0 <= done <= 1:
            raise OptionError(f"done takes a share from 0 to 1, not {shown(done)}.")
        total, many = min(whole(most, "most", 1, MOST_GAMES), BATCH), len(self.workers)
        starts = [total * k // many for k in range(many + 1)]
        playing = [
            self.pool.submit(worker.play, self.table, self.seed, self.games + starts[k], starts[k + 1] - starts[k])
            for k, worker in enumerate(self.workers)
        ]
        for each in playing:
            each.result()
        rate = FIRST_RATE * (LAST_RATE / FIRST_RATE) ** done
        for worker in self.workers:
            self.recent.extend(worker.learn(self.table, rate))
        self.games += total

    def win_rate(self) -> tuple[int, int]:
        return sum(self.recent), len(self.recent)

    def _about(self, about: dict[str, Any]) -> dict[str, Any]:
        """The description of the training that goes into a file."""
        own = {"options": dict(self.game.options), "bits": self.bits, "seed": self.seed, "games": self.games}
        return {**own, **about}

    def keep(self, path: Path, about: dict[str, Any]) -> None:
        more = {"recent": "".join("1" if won else "0" for won in self.recent)}
        weights.pack(path, {**self._about(about), **more}, self.table, level=0)

    def resume(self, path: Path) -> dict[str, Any]:
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
            raise RookeryError(f"'{path}' is damaged: delete it to start again.") from None
        self.table, self.games = table, games
        self.recent.extend(recent)
        return about

    def finish(self, path: Path, about: dict[str, Any]) -> None:
        weights.write(path, self._about(about), self.table)

    def bot(self, path: Path) -> str:
        return f"learned:weights={path}"


def table_bits(game: SixSeven) -> int:
    """The size of the table, as a power of two, that fits the features of a board."""
    cells = game.rows * game.cols
    return 22 if cells > 30 else 21 if cells > 20 else 20
