"""Routes about the person who asks: name and statistics, data export, deletion."""

from __future__ import annotations

from litestar import Controller, Response, delete, get, patch
from litestar.params import JSONBody
from sqlalchemy import Connection

from rookery.games import find, playable
from rookery.web import apart, bests, puzzle_results, puzzle_views, repository
from rookery.web.api.common import AppRequest, client_of, error_responses, person_of, registry_of
from rookery.web.domain import today
from rookery.web.fair_queue import Client
from rookery.web.messages import NameChange
from rookery.web.names import checked_name
from rookery.web.profile_messages import Export, GameStats, Profile, PuzzleStats
from rookery.web.registry import RoomRegistry
from rookery.web.store import MANY_ROWS
from rookery.web.streaks import streaks

ABANDONED_AFTER = 24 * 3600
"""Seconds without a move after which an unfinished game counts as abandoned."""
GAME_PLIES = 20
"""How many plies can be replayed in the time that it takes to export a game, about."""


class ProfileController(Controller):
    """What is stored about the person who asks."""

    path = "/me"

    @get(summary="My name and statistics", responses=error_responses())
    async def me(self, request: AppRequest) -> Profile:
        return await _read_profile(registry_of(request), client_of(request))

    @patch(summary="Rename me", responses=error_responses(409, 413, 415))
    async def rename(self, request: AppRequest, data: JSONBody[NameChange]) -> Profile:
        registry, person = registry_of(request), person_of(request)
        name, now = checked_name(data.name), registry.store.now()
        await registry.quota.take("profile changes", client_of(request))

        await registry.store.write(lambda connection: repository.rename(connection, person, name, now))
        for room in tuple(registry.rooms().values()):
            if person in room.stored.people:
                await room.catch_up()
        return await _read_profile(registry, client_of(request))

    @get("/export", summary="Download all my data", responses=error_responses(503))
    async def export(self, request: AppRequest) -> Response[Export]:
        registry, client = registry_of(request), client_of(request)
        ids = await registry.store.read(
            lambda connection: repository.game_ids_of(connection, client.person), client, MANY_ROWS
        )
        url, plies = registry.store.url, len(ids) * GAME_PLIES
        found = await registry.apart(client, plies, apart.export, url, client.person)
        headers = {"Content-Disposition": 'attachment; filename="rookery-my-data.json"'}
        return Response(found, media_type="application/json", headers=headers)  # type: ignore[arg-type]

    @delete(summary="Delete me: my name, my results, and games only I played", responses=error_responses())
    async def forget(self, request: AppRequest) -> None:
        registry, client = registry_of(request), client_of(request)
        await registry.quota.take("profile changes", client)
        await registry.delete_person(client.person)


async def _read_profile(registry: RoomRegistry, client: Client) -> Profile:
    now = registry.store.now()
    return await registry.store.read(lambda connection: _profile(connection, client.person, now), client, MANY_ROWS)


def _profile(connection: Connection, person: str, now: float) -> Profile:
    stats = {name: GameStats() for name in playable()}
    counted = repository.statistics(connection, person, now - ABANDONED_AFTER)
    for game, status, recent, outcome, count in counted:
        if game in stats:
            _add(stats[game], count, outcome, abandoned=status == "abandoned" or (status != "over" and not recent))
            if outcome == "ended" and find(game).winnable:
                stats[game].lost += count
    for name, each in stats.items():
        each.best = bests.best(connection, person, name)
        each.streak, each.best_streak = streaks(repository.days_of(connection, person, name), today(now))
    answered = [name for name in puzzle_results.games_of(connection, person) if name in stats and find(name).puzzles()]
    puzzles = {name: _puzzles(connection, person, name) for name in answered}
    return Profile(repository.name_of(connection, person), stats, puzzles)


def _puzzles(connection: Connection, person: str, game: str) -> PuzzleStats:
    """What a person has done with the puzzles of a game."""
    results = puzzle_results.results_of(connection, person, game)
    solved = [result.solved for result in results.values() if result.solved is not None]
    days = sorted({today(at) for at in solved})
    return PuzzleStats(len(solved), len(results), puzzle_views.my_rating(game, results), days)


def _add(stats: GameStats, count: int, outcome: str | None, *, abandoned: bool) -> None:
    """Add some games to the statistics. A game against oneself counts as played, neither won nor lost."""
    stats.played += count
    stats.abandoned += count * abandoned
    stats.won += count * (outcome == "won")
    stats.drawn += count * (outcome == "drawn")
    stats.lost += count * (outcome == "lost")
