"""Training of bots: a trainer plays batches of games, learns from them, and saves the result to a file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


class Trainer(ABC):
    """Trains a bot for one game with its options fixed. The result depends on the seed and the number of games, not on
    the number of cores.
    """

    games: int = 0
    """Games played and learned from so far."""

    @abstractmethod
    def ready(self, workers: int) -> None:
        """Load what is needed to play on `workers` cores, such as compiled code, before training is timed."""

    @abstractmethod
    def batch(self, most: int, done: float) -> None:
        """Play at most `most` games with the current weights and learn from them; `done` is the share of the training
        done so far.
        """

    @abstractmethod
    def win_rate(self) -> tuple[int, int]:
        """Of the last games: the number won, and the number played."""

    @abstractmethod
    def keep(self, path: Path, about: dict[str, Any]) -> None:
        """Write a checkpoint: all that is needed to continue, with facts about the training."""

    @abstractmethod
    def resume(self, path: Path) -> dict[str, Any]:
        """Continue from a checkpoint and return its facts; a file for another game or trainer is refused."""

    @abstractmethod
    def finish(self, path: Path, about: dict[str, Any]) -> None:
        """Write the learned weights into a file that bots use."""

    @abstractmethod
    def bot(self, path: Path) -> str:
        """The spec of the bot that uses such a file."""
