"""What it takes to train a bot: a trainer plays batches of games and learns from them; a file keeps what it learned."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


class Trainer(ABC):
    """Trains for one game with its options fixed. What it learns depends on the seed and on the games played, not on
    the cores they are played on.
    """

    games: int = 0
    """Played and learned from so far."""

    @abstractmethod
    def ready(self, workers: int) -> None:
        """Fetch what is needed to play on so many cores, such as compiled code: it does not count as training."""

    @abstractmethod
    def batch(self, most: int, done: float) -> None:
        """Play at most so many games with what is known, and learn from them; such a share of the training is done."""

    @abstractmethod
    def win_rate(self) -> tuple[int, int]:
        """Of the last games, how many were won, and how many they are."""

    @abstractmethod
    def keep(self, path: Path, about: dict[str, Any]) -> None:
        """Write all that is needed to go on into a file, with what is to be known about the training."""

    @abstractmethod
    def take_up(self, path: Path) -> dict[str, Any]:
        """Go on from such a file; return what was to be known. One of another kind or for another game is refused."""

    @abstractmethod
    def finish(self, path: Path, about: dict[str, Any]) -> None:
        """Write what was learned into a file that bots play by."""

    @abstractmethod
    def bot(self, path: Path) -> str:
        """The bot that plays by such a file, as one writes it."""
