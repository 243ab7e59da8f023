"""The JSON of the API's puzzles: requests and answers, checked and encoded by msgspec."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from rookery.web.messages import SceneJSON, Spot, Text


class PuzzleAnswer(Struct, forbid_unknown_fields=True):
    """The move somebody tries, by its text."""

    action: Text


class PuzzlePlace(Struct, forbid_unknown_fields=True):
    """A cell, or the two cells of an edge, where no move is possible."""

    at: Annotated[list[Spot], Meta(min_length=1, max_length=2)]


class PuzzleRefusal(Struct):
    """Why a move is not possible."""

    text: str


class PuzzleTheme(Struct):
    """What some puzzles of a game are about."""

    theme: str
    title: str
    count: int
    solved: int


class PuzzleOverview(Struct):
    """The puzzles of a game, and how far I am."""

    game: str
    count: int
    solved: Annotated[int, Meta(description="by me")]
    rating: Annotated[int, Meta(description="mine: it moves with every first answer")]
    themes: list[PuzzleTheme]
    next: Annotated[str | None, Meta(description="the unsolved puzzle closest to my rating; null if there is none")]


class PuzzleTask(Struct):
    """A puzzle to solve, without its solution."""

    id: str
    game: str
    options: dict[str, Any]
    text: Annotated[str, Meta(description="the options in a few words")]
    theme: str
    title: Annotated[str, Meta(description="the theme in words")]
    rating: Annotated[int, Meta(description="how difficult it is")]
    prompt: Annotated[str, Meta(description="the task in a sentence or two")]
    player: Annotated[int, Meta(description="the player who is to move")]
    position: Annotated[str, Meta(description="the position as text")]
    scene: SceneJSON
    solved: bool
    revealed: Annotated[bool, Meta(description="whether I gave up, and have seen the solution")]


class PuzzleStep(Struct):
    """A move of a line, and the position after it."""

    action: str
    phrase: Annotated[str, Meta(description="the move in words")]
    player: int
    scene: SceneJSON


class PuzzleVerdict(Struct):
    """Whether a move is right, and what happens after it."""

    right: bool
    text: Annotated[str, Meta(description="why, in words")]
    steps: Annotated[list[PuzzleStep], Meta(description="a wrong move and the reply; else the solution and its line")]
    solution: Annotated[str | None, Meta(description="null until I have solved it or given up")]
    solved: bool
    revealed: bool
    rating: Annotated[int, Meta(description="mine, after this answer")]
