"""Duels for the tests: asked for in a line, played in this process, and read back from their records."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any

from rich.console import Console

from rookery.games import game, record
from rookery.lab.backend import open_backend
from rookery.lab.duel import Duel, Result, Schedule, run, split_bots
from rookery.lab.standings import table

if TYPE_CHECKING:
    from rookery.core.record import Record


def duel(
    name: str, bots: str, games: int, *, opening: int = 2, seed: int = 7, most: int = 10_000, **options: Any
) -> Duel:
    return Duel.of(game(name, **options), split_bots(bots), Schedule(games, seed, opening, most))


def played_here(asked: Duel) -> Result:
    with open_backend("threads", 1, compiled=False) as here:
        return run(Result(asked), here)


def records(result: Result) -> list[Record]:
    return [record(played.record) for played in result.played]


def shown(result: Result) -> str:
    output = StringIO()
    Console(file=output, width=80).print(table(result))
    return output.getvalue()
