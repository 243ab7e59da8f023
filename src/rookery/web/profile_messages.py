"""The JSON of the API about a person: figures, and everything that is kept."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct


class GameStats(Struct):
    """One person's statistics in one game."""

    played: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    abandoned: int = 0
    best: str | None = None
    streak: int = 0
    best_streak: int = 0


class PuzzleStats(Struct):
    """One person's puzzles of one game."""

    solved: int
    answered: Annotated[int, Meta(description="puzzles that I answered or gave up, solved ones included")]
    rating: int
    days: Annotated[list[str], Meta(description="on which I solved any, such as 2026-11-16")]


class Profile(Struct):
    """A person's name and statistics."""

    name: str
    games: dict[str, GameStats]
    puzzles: Annotated[dict[str, PuzzleStats], Meta(description="of the games in which I answered any")]


class Export(Struct):
    """All data stored about a person."""

    id: str
    name: str
    games: list[dict[str, Any]]
    feats: list[dict[str, Any]]
    puzzles: list[dict[str, Any]]
