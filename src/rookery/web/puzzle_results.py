"""What people have answered to puzzles: the SQL about it, and a person's rating."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import select, update

from rookery.web import repository
from rookery.web.schema import puzzle_results as results

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sqlalchemy import Connection

FIRST_RATING = 1500
STEP, FIRST_STEP, FIRST_ANSWERS = 24, 80, 10
"""The K-factor of the Elo rating (Elo 1978), and that for a person's first answers, which tell most."""


class PuzzleResult(NamedTuple):
    """What a person has done with a puzzle."""

    puzzle: str
    answered: float
    clean: bool
    """Whether the first answer was right."""
    solved: float | None
    revealed: float | None

    @property
    def done(self) -> bool:
        return self.solved is not None or self.revealed is not None


def results_of(connection: Connection, person: str, game: str) -> dict[str, PuzzleResult]:
    """A person's results in a game's puzzles by their ids, the earliest first."""
    columns = (results.c.puzzle, results.c.answered, results.c.clean, results.c.solved, results.c.revealed)
    mine = select(*columns).where(results.c.person == person, results.c.game == game)
    rows = connection.execute(mine.order_by(results.c.answered, results.c.puzzle)).all()
    return {row.puzzle: PuzzleResult(*row) for row in rows}


def games_of(connection: Connection, person: str) -> list[str]:
    """The games in whose puzzles a person has results."""
    found = select(results.c.game).where(results.c.person == person).distinct().order_by(results.c.game)
    return list(connection.execute(found).scalars())


def note_answer(connection: Connection, key: tuple[str, str, str], now: float, *, right: bool) -> None:
    """Note a person's answer to a puzzle of a game. Only the first one says whether it was clean, and who has seen the
    solution no longer solves it.
    """
    _insert(connection, key, now, clean=right)
    if right:
        open_ = (results.c.solved.is_(None), results.c.revealed.is_(None))
        connection.execute(update(results).where(*_of(key), *open_).values(solved=now))


def note_reveal(connection: Connection, key: tuple[str, str, str], now: float) -> None:
    """Note that a person gave a puzzle up."""
    _insert(connection, key, now, clean=False)
    open_ = (results.c.solved.is_(None), results.c.revealed.is_(None))
    connection.execute(update(results).where(*_of(key), *open_).values(revealed=now))


def _insert(connection: Connection, key: tuple[str, str, str], now: float, *, clean: bool) -> None:
    person, game, puzzle = key
    row = {"person": person, "game": game, "puzzle": puzzle, "answered": now, "clean": clean}
    connection.execute(repository.upsert(connection, results).values(row).on_conflict_do_nothing())


def _of(key: tuple[str, str, str]) -> tuple[Any, ...]:
    person, game, puzzle = key
    return results.c.person == person, results.c.game == game, results.c.puzzle == puzzle


def all_results(connection: Connection, person: str) -> list[dict[str, Any]]:
    """Everything kept about a person's puzzles, for the export."""
    columns = [column for column in results.c if column.name != "person"]
    mine = select(*columns).where(results.c.person == person).order_by(results.c.answered)
    return [dict(row) for row in connection.execute(mine).mappings()]


def rating(found: Iterable[PuzzleResult], ratings: Mapping[str, int]) -> int:
    """A person's Elo rating after these results in their order, given the ratings of the puzzles: a clean solution is
    a win against the puzzle, anything else a loss.
    """
    value = float(FIRST_RATING)
    for number, each in enumerate(result for result in found if result.puzzle in ratings):
        expected = 1 / (1 + 10 ** ((ratings[each.puzzle] - value) / 400))
        value += (FIRST_STEP if number < FIRST_ANSWERS else STEP) * (each.clean - expected)
    return round(value)
