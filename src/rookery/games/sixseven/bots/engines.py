"""The bots of 67! and its levels."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rookery.core.bot import WINNING, Analysis, Bot, Budget, Random
from rookery.core.options import option
from rookery.games.sixseven.bots import expectimax
from rookery.games.sixseven.bots import weights as files
from rookery.games.sixseven.bots.reviewer import SixSevenReviewer
from rookery.games.sixseven.bots.workspace import workspace
from rookery.games.sixseven.game import SixSeven

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from rookery.core.game import Game
    from rookery.core.state import State
    from rookery.core.stream import Stream

HALVING_ROUNDS = 2
"""Rounds of sequential halving: after the first only the better half of the slides is sampled."""


@dataclass(frozen=True)
class SearchBot(Bot):
    """A bot that samples slides. Subclasses choose the depth and the evaluation."""

    plays: ClassVar[type[Game] | None] = SixSeven
    compiled_part: ClassVar[str] = "search"

    def ready(self, game: Game) -> None:
        workspace()

    @abstractmethod
    def settings(self, game: Game) -> tuple[tuple[int, ...], Any]:
        """The settings of the search, as in `expectimax.py`, and its weights if it needs any."""

    def search(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        settings, weights = self.settings(state.game)
        return workspace().search(state, settings, weights, budget, stream)


@dataclass(frozen=True)
class Greedy(SearchBot):
    """Looks one slide ahead, and a second one for what it could bring.

    Its value: 100 for a 67, 30 for one in reach, half a point for each empty cell, two for each number that a digit
    could bring to 67 and half of one for each that a second slide would make, minus one for each beyond ±99.
    """

    name: ClassVar[str] = "greedy"

    def settings(self, game: Game) -> tuple[tuple[int, ...], Any]:
        return (1, 1, 1, 1, expectimax.HEURISTIC), None


@dataclass(frozen=True)
class Rollout(SearchBot):
    """Plays many games at random from each slide, and takes the slide with which most of them are won.

    Its value is the share of those games that were won, in per cent. A node is a game.
    """

    name: ClassVar[str] = "rollout"
    unit: ClassVar[str] = "% of random games won"

    n: int = option(200, "random games played after each slide", low=1, high=1_000_000)

    def settings(self, game: Game) -> tuple[tuple[int, ...], Any]:
        return (1, self.n, 1, 1, expectimax.PLAYOUT), None


@dataclass(frozen=True)
class Expectimax(SearchBot):
    """Looks slides ahead over new tiles drawn at random, and values what comes by hand, as `greedy` does.

    Its value is the mean of greedy's over the tiles drawn. A node is a position that it values.
    """

    name: ClassVar[str] = "expectimax"

    plies: int = option(2, "slides it looks ahead", low=1, high=100)
    spawns: int = option(16, "draws of new tiles after each slide", low=1, high=100_000)
    again: int = option(
        4, "times it goes on from each of the two best answers, with three plies or more", low=1, high=1000
    )

    def settings(self, game: Game) -> tuple[tuple[int, ...], Any]:
        return (self.plies, self.spawns, HALVING_ROUNDS, self.again, expectimax.HEURISTIC), None


@dataclass(frozen=True)
class Learned(Expectimax):
    """Looks ahead over new tiles drawn at random, and values what comes by what it has learned from playing itself.

    Its value is the probability to win, in per cent. A node is a position that it values. With options nobody has
    trained it for it plays by what it has learned for similar ones, and where nothing is similar, like `expectimax`.
    """

    name: ClassVar[str] = "learned"
    unit: ClassVar[str] = WINNING

    plies: int = option(5, "slides it looks ahead", low=1, high=100)
    spawns: int = option(32, "draws of new tiles after each slide", low=1, high=100_000)
    weights: str | None = option(None, "a file that `rookery train sixseven` made", file=True)

    def ready(self, game: Game) -> None:
        super().ready(game)
        self.settings(game)

    def accept(self, game: Game) -> None:
        if self.weights is not None:
            files.given(self.weights, _sixseven(game))

    def remark(self, game: Game) -> str:
        found = self._learned(game)
        if found is None:
            return f"There are no weights for {files.title(dict(game.options))}: learned plays like expectimax."
        if found.options != game.options:
            return f"There are no weights for {files.title(dict(game.options))}: learned uses those for {found.title}."
        return ""

    def settings(self, game: Game) -> tuple[tuple[int, ...], Any]:
        found = self._learned(game)
        if found is None:
            return super().settings(game)
        rounds = HALVING_ROUNDS if self.plies > 1 else 1
        return (self.plies, self.spawns if self.plies > 1 else 1, rounds, self.again, expectimax.LEARNED), found.table

    def _learned(self, game: Game) -> files.Weights | None:
        game = _sixseven(game)
        return files.nearest(game) if self.weights is None else files.given(self.weights, game)


def _sixseven(game: Game) -> SixSeven:
    assert isinstance(game, SixSeven)
    return game


BOTS: Mapping[str, type[Bot]] = {each.name: each for each in (Random, Greedy, Rollout, Expectimax, Learned)}

LEVELS = (
    "greedy:slip=0.8",
    "greedy:slip=0.4",
    "greedy",
    "rollout:n=25",
    "learned:plies=1,slip=0.1",
    "learned:plies=1",
    "learned:plies=2,spawns=4",
    "learned:plies=2,spawns=16",
    "learned:plies=3,spawns=16,again=3",
    "learned",
)
"""What each level does; `slip` is the share of slides made at random, and `spawns` are draws of new tiles."""

REVIEWER = SixSevenReviewer
