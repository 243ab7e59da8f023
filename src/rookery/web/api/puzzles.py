"""Routes about puzzles: the overview, one puzzle, an answer to it, its solution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeVar

from litestar import Controller, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from sqlalchemy import Connection

from rookery.web import puzzle_results, puzzle_views
from rookery.web.api.common import (
    AppRequest,
    GameName,
    client_of,
    error_responses,
    person_of,
    registry_of,
    require_game,
)
from rookery.web.puzzle_messages import (
    PuzzleAnswer,
    PuzzleOverview,
    PuzzlePlace,
    PuzzleRefusal,
    PuzzleTask,
    PuzzleVerdict,
)
from rookery.web.puzzle_results import PuzzleResult

T = TypeVar("T")

FEW_POSITIONS = 100
"""How many plies can be replayed in the time that it takes to draw the positions of a puzzle."""

PuzzleId = Annotated[str, PathParameter(description="a puzzle's id", max_length=16, pattern=r"^[^\x00]+$")]
Theme = Annotated[
    str | None, QueryParameter(description="only puzzles of this theme come next", max_length=20, pattern=r"^[a-z]+$")
]
After = Annotated[
    str | None, QueryParameter(description="the puzzle that does not come next", max_length=16, pattern=r"^[0-9a-f]+$")
]


class PuzzleController(Controller):
    """The puzzles of a game, for the person who asks."""

    path = "/puzzles/{name:str}"

    @get(summary="The puzzles of a game, and the next one for me", responses=error_responses(404))
    async def overview(
        self, request: AppRequest, name: GameName, theme: Theme = None, after: After = None
    ) -> PuzzleOverview:
        require_game(name)
        results = await _results(request, name)
        return await _drawn(request, lambda: puzzle_views.overview(name, results, theme, after))

    @get("/{id:str}", summary="A puzzle, without its solution", responses=error_responses(404))
    async def fetch(self, request: AppRequest, name: GameName, id: PuzzleId) -> PuzzleTask:
        require_game(name)
        puzzle = puzzle_views.puzzle_of(name, id)
        results = await _results(request, name)
        return await _drawn(request, lambda: puzzle_views.task(puzzle, results.get(id)))

    @post(
        "/{id:str}/answer",
        summary="Try a move: whether it is right, and what happens after it",
        status_code=200,
        responses=error_responses(404, 409, 413, 415),
    )
    async def answer(
        self, request: AppRequest, name: GameName, id: PuzzleId, data: JSONBody[PuzzleAnswer]
    ) -> PuzzleVerdict:
        require_game(name)
        puzzle, person = puzzle_views.puzzle_of(name, id), person_of(request)
        move = await _drawn(request, lambda: puzzle_views.checked_move(puzzle, data.action))
        await _count(request, name, id)
        key, now = (person, name, id), registry_of(request).store.now()

        def work(connection: Connection) -> dict[str, PuzzleResult]:
            puzzle_results.note_answer(connection, key, now, right=move == puzzle.solution)
            return puzzle_results.results_of(connection, person, name)

        results = await registry_of(request).store.write(work)
        return await _drawn(request, lambda: puzzle_views.verdict(puzzle, move, results))

    @post(
        "/{id:str}/why",
        summary="Why no move is possible at a cell or an edge",
        status_code=200,
        responses=error_responses(404, 413, 415),
    )
    async def why(
        self, request: AppRequest, name: GameName, id: PuzzleId, data: JSONBody[PuzzlePlace]
    ) -> PuzzleRefusal:
        require_game(name)
        puzzle = puzzle_views.puzzle_of(name, id)
        return PuzzleRefusal(await _drawn(request, lambda: puzzle_views.why_not(puzzle, data.at)))

    @post(
        "/{id:str}/solution",
        summary="Give up and see the solution; after solving it, see it again",
        status_code=200,
        responses=error_responses(404, 409, 413, 415),
    )
    async def solution(self, request: AppRequest, name: GameName, id: PuzzleId) -> PuzzleVerdict:
        require_game(name)
        puzzle, person = puzzle_views.puzzle_of(name, id), person_of(request)
        await _count(request, name, id)
        key, now = (person, name, id), registry_of(request).store.now()

        def work(connection: Connection) -> dict[str, PuzzleResult]:
            puzzle_results.note_reveal(connection, key, now)
            return puzzle_results.results_of(connection, person, name)

        results = await registry_of(request).store.write(work)
        return await _drawn(request, lambda: puzzle_views.solution(puzzle, results))


async def _drawn(request: AppRequest, work: Callable[[], T]) -> T:
    """The result of work on a few positions, done in fair turns."""
    return await registry_of(request).replay(work, client_of(request), FEW_POSITIONS)


async def _results(request: AppRequest, game: str) -> dict[str, PuzzleResult]:
    """The results of the person who asks, in a game's puzzles."""
    client, store = client_of(request), registry_of(request).store
    return await store.read(lambda connection: puzzle_results.results_of(connection, client.person, game), client)


async def _count(request: AppRequest, game: str, id: str) -> None:
    """Count a puzzle that the person has not answered before: it will leave a row behind."""
    if id not in await _results(request, game):
        await registry_of(request).quota.take("puzzles", client_of(request))
