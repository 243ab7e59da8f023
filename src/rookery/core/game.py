"""Games: rules with the options fixed, actions and positions as text, and what else surfaces ask of a game."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from rookery.core.arguments import quoted, shown
from rookery.core.checked import Checked
from rookery.core.ending import emoji_grid, opening
from rookery.core.errors import MalformedAction, OptionError, PositionError
from rookery.core.game_checks import CHECKS, number_of
from rookery.core.notation import counted, plain
from rookery.core.options import Declared
from rookery.core.state import State

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence
    from pathlib import Path

    from rookery.core.bot import Bot
    from rookery.core.checked import Check
    from rookery.core.ending import LevelResults
    from rookery.core.lesson import Lesson
    from rookery.core.names import Names
    from rookery.core.observation import Observation, ObservationSpec
    from rookery.core.options import Value
    from rookery.core.printout import Printout
    from rookery.core.puzzle import Puzzle
    from rookery.core.review import Reviewer
    from rookery.core.rules import Rules
    from rookery.core.scene import Scene, Spot
    from rookery.core.solver import Solver
    from rookery.core.trainer import Trainer
    from rookery.core.tunable import TunableBot


T = TypeVar("T")

ENDLESS = 1_000_000_000
"""More plies than any game has."""


@dataclass(frozen=True)
class Achievement:
    """A player's achievement in a finished game: points, of which more are better, and a text."""

    points: float
    text: str

    @classmethod
    def by_length(cls, score: float, length: int, noun: str) -> Achievement:
        """The achievement in a game where the result counts first (1 a win, ½ a draw, 0 a loss), then the length: a
        quick win is better, and so is a late loss.
        """
        played = counted(length, noun)
        if score == 0.5:
            return cls(0, f"draw after {played}")
        return cls(ENDLESS - length, f"won in {played}") if score else cls(length - ENDLESS, f"lost after {played}")


@dataclass(frozen=True)
class Challenge:
    """A daily challenge: the options of a game, the others at their defaults, and the bots, by name or level, on the
    seats after the first. No bot may have a time budget, so that it plays the same on every machine.
    """

    options: Mapping[str, Value]
    opponents: tuple[str, ...] = ()


@dataclass(frozen=True)
class Example:
    """A moving example of a rule: what happens, in words, and the scenes that show it one after the other."""

    caption: str
    scenes: tuple[Scene, ...]


@dataclass(frozen=True)
class Map:
    """A statistic over many games: a count for each place of the board, which the rules' `tally` adds to.

    A place is given as in a scene's choices: one spot is a cell, two are the edge between them.
    """

    name: str
    places: tuple[tuple[Spot, ...], ...]

    @classmethod
    def of_cells(cls, name: str, rows: int, cols: int) -> Map:
        """A map of all cells, row by row from the top."""
        return cls(name, tuple(((row, col),) for row in range(rows) for col in range(cols)))


@dataclass(frozen=True)
class Game(Declared, Checked, ABC):
    """A game with its options fixed: frozen, hashable and cheap. `start()` returns a `State` to play.

    Methods that programs call with actions, players or states check these (`game_checks.py`), and so do the overrides
    of a subclass.
    """

    _checks: ClassVar[Mapping[str, Check]] = CHECKS

    noun: ClassVar[str] = "game"
    name: ClassVar[str]
    """What people type."""
    title: ClassVar[str]
    """What people read."""
    summary: ClassVar[str]
    """The game in one sentence."""
    legend: ClassVar[Mapping[str, str]] = {}
    """This game's words for roles in a scene, such as `failed`, in the legend of the plain-text board; the others are
    explained as in `text_board.MEANINGS`."""
    winnable: ClassVar[bool] = True
    """Whether the game has winners; if not, only points count."""
    longest: ClassVar[int | None] = None
    """The most plies a game can have, if the rules limit them."""
    bots_module: ClassVar[str] = ""
    """The module with the game's `BOTS`, `LEVELS` and `TUNABLE_BOTS`, imported when one of them is asked for."""
    puzzles_file: ClassVar[Path | None] = None
    """The file with the game's puzzles, if it has any."""
    kernel: ClassVar[Rules]
    """The module of rule functions."""
    observation: ClassVar[Observation | None] = None
    """The observation module, if the game has environments."""

    @property
    @abstractmethod
    def players(self) -> int:
        """The number of players."""

    @property
    @abstractmethod
    def config(self) -> tuple[int, ...]:
        """The options as the rules take them."""

    @property
    @abstractmethod
    def action_count(self) -> int:
        """Actions are the numbers 0 … action_count − 1."""

    @property
    def code_count(self) -> int:
        """Chance outcomes are the numbers action_count … code_count − 1."""
        return self.action_count

    def start(self) -> State:
        """A new game."""
        words = [0] * self.kernel.size(self.config)
        self.kernel.start(words, self.config)
        return State(self, words)

    def position(self, given: str | Mapping[str, Any]) -> State:
        """A game that starts from a position, given as text or as a JSON object; impossible positions are refused."""
        try:
            fields = self.read(given.strip()) if isinstance(given, str) else given
            words = self.compose(fields)
        except PositionError:
            raise
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError, OverflowError) as error:
            raise PositionError(f"This is not a position of {self.title}; one looks like: {self._example()}") from error
        state = State(self, words)
        state.origin = state.position()
        return state

    def name_of(self, action: int) -> str:
        """The name of an action or chance outcome: what people type, records keep and the web sends."""
        return self.spell(number_of(self, action))

    def action(self, text: str) -> int:
        """The action or chance outcome of that name; case and extra spaces do not matter."""
        if not isinstance(text, str):
            raise MalformedAction(f"The name of an action is text, not {shown(text)}; {self.forms}.")
        plain = " ".join(text.lower().split())
        try:
            action = self.parse(plain)
        except (ValueError, KeyError):
            action = -1
        if not 0 <= action < self.code_count:
            raise MalformedAction(f"{quoted(text)} is not an action of {self.title}; {self.forms}.")
        return action

    @property
    @abstractmethod
    def forms(self) -> str:
        """How people write actions, as the second half of a sentence."""

    @abstractmethod
    def spell(self, action: int) -> str:
        """The name of a valid action or outcome."""

    def phrase(self, action: int) -> str:
        """An action or chance outcome in words, such as "wall below d4": how people read it everywhere. No two legal
        actions of a position have the same. By default, the name.
        """
        return self.name_of(action)

    def phrase_of(self, name: str) -> str:
        """The action or outcome of that name in words; a name that the game does not know stays as it is."""
        if not isinstance(name, str):
            raise MalformedAction(f"The name of an action is text, not {shown(name)}.")
        try:
            return self.phrase(self.action(name))
        except MalformedAction:
            return name

    @abstractmethod
    def parse(self, text: str) -> int:
        """The action named by a lower-case text with single spaces; a ValueError or KeyError if there is none."""

    @abstractmethod
    def why_not(self, state: State, action: int) -> str:
        """Why an action of the player to move is illegal, as a sentence to that player. It names no cell: the reader
        has just pointed at one, typed it in words or written it in notation.
        """

    def pointed(self, state: State, at: tuple[Spot, ...]) -> int | None:
        """The action that a click on a place stands for, legal or not, so that `why_not` can explain a refusal: one
        spot is a cell, two are the edge between them. None if there is no such action, or no player is to move.
        """
        return None

    def winners(self, state: State) -> tuple[int, ...]:
        """The winners of a finished game; by default, those with the best score."""
        scores = state.scores()
        return tuple(player for player, score in enumerate(scores, start=1) if score == max(scores))

    def achievement(self, state: State, player: int) -> Achievement | None:
        """A player's achievement in a finished game, by default the score; None while the game goes on."""
        if not state.over:
            return None
        score = plain(state.scores()[player - 1])
        return Achievement(score, counted(score, "point"))

    def ending_text(self, state: State, names: Sequence[str]) -> str:
        """How a game ended by its rules, in a sentence or two; `names` are the players' names within a sentence."""
        if self.players == 1:
            return f"{opening(names[0])} finished with {counted(plain(state.scores()[0]), 'point')}."
        winners = [names[player - 1] for player in self.winners(state)]
        return f"{opening(*winners)} {'won' if len(winners) == 1 else 'drew'}." if winners else "Nobody won."

    def emoji(self, state: State) -> str:
        """A finished game as lines of emoji, to share; by default, the board. Empty if there is no good one."""
        return emoji_grid(state.scene())

    def level_results(self) -> LevelResults | None:
        """What the bots of each level reach with these options, if it was measured."""
        return None

    def key(self, state: State) -> Hashable:
        """All that the future of a state depends on, besides the turn, and nothing else; by default, its words without
        the scratch words.
        """
        return tuple(state.words[: state.words.state_size])

    @abstractmethod
    def describe(self, state: State) -> dict[str, Any]:
        """The position as a JSON object."""

    @abstractmethod
    def compose(self, fields: Mapping[str, Any]) -> list[int]:
        """The words of a position given as a JSON object; `PositionError` if it is impossible."""

    def write(self, fields: Mapping[str, Any]) -> str:
        """The JSON object as one line of text; by default, as JSON."""
        return json.dumps(fields, separators=(",", ":"))

    def read(self, text: str) -> dict[str, Any]:
        """The JSON object of a line of text; a ValueError if the text has another form."""
        return dict(json.loads(text))

    @abstractmethod
    def scene(self, state: State, viewer: int, *, odds: bool, names: Names) -> Scene:
        """What a viewer sees; `names` says what the players are called."""

    def in_notation(self, state: State) -> Scene:
        """What programs and those who write them see: rows and columns as the names of actions say them. By default,
        people and programs call them alike.
        """
        return state.scene()

    @classmethod
    def bots(cls) -> Mapping[str, type[Bot]]:
        """The game's bots by name; by default, those of `bots_module`, else a random player."""
        from rookery.core.bot import Random

        return cls._of_bots_module("BOTS", {Random.name: Random})

    @classmethod
    def levels(cls) -> tuple[str, ...]:
        """The bots, with their parameters, that play at levels 1 to 10; by default, those of `bots_module`, else the
        last of `bots()` with fewer random moves at each level.
        """
        best = list(cls.bots())[-1]
        return cls._of_bots_module("LEVELS", (*(f"{best}:slip={(10 - level) / 10}" for level in range(1, 10)), best))

    @classmethod
    def tunable_bots(cls) -> tuple[TunableBot, ...]:
        """Bots that people may tune by hand, beside the levels; by default, those of `bots_module`."""
        return cls._of_bots_module("TUNABLE_BOTS", ())

    @classmethod
    def reviewer(cls) -> type[Reviewer]:
        """What judges the positions of a finished game; by default, that of `bots_module`, else its strongest bot."""
        from rookery.core.review import Reviewer

        return cls._of_bots_module("REVIEWER", Reviewer)

    @classmethod
    def _of_bots_module(cls, name: str, default: T) -> T:
        found: T = getattr(import_module(cls.bots_module), name, default) if cls.bots_module else default
        return found

    @classmethod
    def challenges(cls) -> tuple[Challenge, ...]:
        """The daily challenges, of which each day takes one; by default, the game with its default options against
        bots of level 5.
        """
        return (Challenge({}, ("5",) * (cls().players - 1)),)

    @classmethod
    def puzzles(cls) -> tuple[Puzzle, ...]:
        """The game's puzzles, read from their file when they are first asked for, the easy ones first."""
        from rookery.core.puzzle import read_puzzles

        return read_puzzles(cls.name, cls.puzzles_file) if cls.puzzles_file else ()

    @classmethod
    def demo(cls) -> Self:
        """The game on a small board, for demonstrations."""
        return cls()

    def quick_rules(self) -> tuple[str, ...]:
        """The rules with these options, as a few short paragraphs; by default, the summary."""
        return (self.summary,)

    def examples(self) -> tuple[Example, ...]:
        """Moving examples of the rules with these options, beside `quick_rules`."""
        return ()

    def goal(self, player: int = 0) -> str:
        """What a player tries to do with these options, in one short sentence; 0 is for everybody. By default, the
        summary.
        """
        return self.summary

    @classmethod
    def lesson(cls) -> Lesson | None:
        """A guided first game; None if there is none."""
        return None

    def options_text(self) -> str:
        """These options in a few words, such as `7×7, 6 walls`; by default, those that are not at their defaults."""
        defaults = type(self)().options
        changed = [(name, value) for name, value in self.options.items() if value != defaults[name]]
        return ", ".join(
            name if value is True else f"{name} {'no' if value is False else value}" for name, value in changed
        )

    def log_fields(self, state: State) -> dict[str, Any]:
        """Further fields of a step in the log of a game, from the state before it; see `Record.steps`."""
        return {}

    def printout(self) -> Printout | None:
        """What to print to play the game without a computer, if that is possible."""
        return None

    def check_own(self, state: State) -> None:
        """Raise a `PositionError` unless this is a state of this game with the same options."""
        if not isinstance(state, State):
            raise PositionError(f"This is not a State: {shown(state)}.")
        if state.game is not self and state.game != self:
            other = "the same game with other options" if type(state.game) is type(self) else state.game.title
            raise PositionError(f"This is not a state of {self.title} with these options, but of {other}.")

    def solver(self, state: State | None = None) -> Solver | None:
        """The game's solver, from the start or from a state; None if it has none. An `OptionError` if these options, or
        this state, cannot be solved.
        """
        return None

    def trainer(self, seed: int, bits: int | None = None) -> Trainer | None:
        """The trainer of the game's learning bot, if any; `bits` is the size of its weights as a power of two."""
        return None

    def observation_spec(self) -> ObservationSpec:
        """The shape and the planes of observations; an `OptionError` if the game has none."""
        raise OptionError(f"{self.title} has no observation module, so there are no environments for it.")

    @classmethod
    def compiled_parts(cls) -> Mapping[str, Callable[[], None]]:
        """Further parts of this game that can be compiled ahead of time, by name, with the functions that do so. Bots,
        random play and environments need no entry.
        """
        return {}

    def maps(self) -> tuple[Map, ...]:
        """The maps to which the rules' `tally` adds a finished game."""
        return ()

    def compiled_words(self, state: State) -> list[int]:
        """The words for compiled code; each must fit a signed 64-bit integer."""
        return list(state.words)

    def _example(self) -> str:
        return self.start().position()


def whole(value: object, what: str, low: int, high: int) -> int:
    """A field of a position as a whole number within bounds; a `PositionError` that names it otherwise."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        plain = isinstance(value, str | float) or (isinstance(value, int) and value.bit_length() < 1000)
        shown = repr(value)[:60] if plain else "something else"
        raise PositionError(f"{what} must be a whole number from {low} to {high}, not {shown}.")
    return value
