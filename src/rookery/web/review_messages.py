"""The JSON of reviews."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct


class ReviewScale(Struct):
    """How to read the values of a review: `kind` is "win" or "points", `one` is worth as much as a win."""

    kind: str
    unit: str
    one: float


class ReviewGrade(Struct):
    """A grade of moves: its name, the word and the sign for it, and whether it is a fault, which a review explains."""

    name: str
    word: str
    sign: str
    fault: bool


class ReviewPoint(Struct):
    """A value on the graph of a review, and the same in a few characters."""

    value: float
    text: str


class ReviewPlyInfo(Struct, kw_only=True):
    """What a review says of a ply. An outcome of chance has `luck`, a decision all other fields."""

    ply: int
    name: str
    player: int
    value: float | None
    after: float | None
    loss: float
    grade: str | None
    only: bool
    accuracy: float | None
    best: str | None
    line: tuple[str, ...]
    phrases: Annotated[list[str], Meta(description="the line in words")]
    why: str
    accepted: tuple[tuple[str, float], ...]
    luck: float | None
    text: Annotated[str, Meta(description="the values before and after a decision, or what chance did, in words")]
    course: Annotated[
        tuple[ReviewPoint, ReviewPoint] | None,
        Meta(description="these values on the graph, which in a game of two is the first player's"),
    ]


class ReviewPlayer(Struct):
    """How a player played; `text` tells luck and skill apart, in games of chance."""

    player: int
    accuracy: float | None
    grades: Annotated[dict[str, int], Meta(description="how many moves have each grade")]
    lost: float
    luck: float | None
    text: str


class ReviewInfo(Struct, kw_only=True):
    """The review of a game, as far as it has come. If it has stopped, a POST makes it go on."""

    status: Literal["running", "done", "stopped"]
    done: int
    total: int
    bot: str
    nodes: int | None
    scale: ReviewScale | None
    grades: Annotated[list[ReviewGrade], Meta(description="all grades, the best first")]
    plies: list[ReviewPlyInfo]
    players: list[ReviewPlayer]
