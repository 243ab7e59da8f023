"""Puzzles: positions with a single best move, and what is known about the right move and the wrong ones.

They come as lines of JSON in a file beside a game's module. `tools/puzzles` finds and verifies them.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

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
        """A puzzle of a game from the JSON of its file."""
        line = tuple(fields["line"])
        wrong = tuple(Refutation(outcome, reply, tuple(tries)) for outcome, reply, tries in fields["wrong"])
        return cls(**{**fields, "game": game, "solution": line[0], "line": line, "wrong": wrong})

    def json(self) -> dict[str, Any]:
        """The puzzle as it is kept in the file, whose name says the game; the line begins with the solution."""
        fields = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in ("game", "solution")}
        return fields | {"line": list(self.line), "wrong": [[w.outcome, w.reply, list(w.tries)] for w in self.wrong]}

    def refutation(self, move: str) -> Refutation | None:
        """Why a move fails; None for the solution."""
        if move == self.solution:
            return None
        named = next((each for each in self.wrong if move in each.tries), None)
        return named or next(each for each in self.wrong if not each.tries)

    def start(self, kind: type[Game]) -> State:
        """The position, ready to play, given the game's class."""
        return kind.make(**self.options).position(self.position)


@functools.cache
def read_puzzles(game: str, file: Path) -> tuple[Puzzle, ...]:
    """The puzzles of a game in their file, read once, the easy ones first."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return tuple(Puzzle.of_json(game, json.loads(line)) for line in lines)
