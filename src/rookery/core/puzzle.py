"""Puzzles: positions with a single best move, and what is known about the right move and the wrong ones.

They come as lines of JSON in a file beside a game's module. `tools/puzzles` finds and verifies them.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rookery.core.arguments import check_fields, quoted, shown
from rookery.core.errors import MalformedAction, OptionError, RecordError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from rookery.core.game import Game
    from rookery.core.options import Value
    from rookery.core.state import State

THEMES: Mapping[str, str] = {
    "race": "Win the race",
    "wall": "Find the wall",
    "stop": "Stop them",
    "step": "Step at the right moment",
    "golden": "Find the golden move",
    "cut": "Cut them off",
    "only": "The only move",
    "save": "Save the game",
}
"""What a puzzle is about, and how people call it."""


FIELDS: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("id", "position", "theme", "prompt", "why"), (str,)),
    **dict.fromkeys(("line", "wrong"), (list,)),
    **dict.fromkeys(("options", "evidence"), (dict,)),
    "rating": (int,),
}
"""What the JSON of a puzzle has."""


@dataclass(frozen=True)
class Refutation:
    """Why some moves fail: how the game ends after them, and the reply."""

    outcome: str
    """What they lead to with best play: a "draw" or a "loss"."""
    reply: str
    """The name of the answer; empty if the opponent cannot answer."""
    tries: tuple[str, ...] = ()
    """The names of the moves; empty for all that no other refutation names."""


@dataclass(frozen=True)
class Puzzle:
    """A position, the one best move in it, and what happens after it and after others."""

    game: str
    id: str
    options: Mapping[str, Value]
    position: str
    theme: str
    rating: int
    """How difficult it is, on the scale of the levels' Elo ratings plus 800."""
    prompt: str
    """The task in one sentence."""
    solution: str
    line: tuple[str, ...]
    """The solution and what follows with good play, as names of actions."""
    why: str
    """Why the solution works, in a sentence."""
    wrong: tuple[Refutation, ...]
    evidence: Mapping[str, Any] = field(default_factory=dict)
    """Who verified it, with which budget, and the margin."""

    @classmethod
    def of_json(cls, game: str, fields: Mapping[str, Any]) -> Puzzle:
        """A puzzle of a game from the JSON of its file; a `RecordError` if it is not the JSON of a puzzle."""
        check_fields(fields, FIELDS, "A puzzle")
        line = tuple(fields["line"])
        try:
            wrong = tuple(Refutation(outcome, reply, tuple(tries)) for outcome, reply, tries in fields["wrong"])
            names = [game, *line, *(name for each in wrong for name in (each.outcome, each.reply, *each.tries))]
        except (TypeError, ValueError):
            names = []
        if not line or not names or not all(isinstance(name, str) for name in names):
            raise RecordError(
                "A puzzle has a line of moves, and what is wrong with others: an outcome, a reply, and moves."
            )
        return cls(**{**fields, "game": game, "solution": line[0], "line": line, "wrong": wrong})

    def json(self) -> dict[str, Any]:
        """The puzzle as it is kept in the file, whose name says the game; the line begins with the solution."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in ("game", "solution")}
        return fields | {"line": list(self.line), "wrong": [[w.outcome, w.reply, list(w.tries)] for w in self.wrong]}

    def refutation(self, move: str) -> Refutation | None:
        """Why a legal move fails; None for the solution."""
        if not isinstance(move, str):
            raise MalformedAction(f"The name of a move is text, not {shown(move)}.")
        if move == self.solution:
            return None
        named = [each for each in self.wrong if move in each.tries] or [each for each in self.wrong if not each.tries]
        if not named:
            raise MalformedAction(f"The puzzle says nothing of the move {quoted(move)}.")
        return named[0]

    def start(self, kind: type[Game]) -> State:
        """The position, ready to play, given the game's class."""
        if getattr(kind, "name", None) != self.game:
            raise OptionError(f"This is a puzzle of the game {quoted(self.game)}, not of {shown(kind)}.")
        return kind.make(**self.options).position(self.position)


@functools.cache
def read_puzzles(game: str, file: Path) -> tuple[Puzzle, ...]:
    """The puzzles of a game in their file, read once, the easy ones first."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return tuple(Puzzle.of_json(game, json.loads(line)) for line in lines)
