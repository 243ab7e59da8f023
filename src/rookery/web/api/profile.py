"""Routes about the person who asks: name and statistics, data export, deletion."""

from __future__ import annotations

from time import time
from typing import Any

import msgspec
from litestar import Controller, Response, delete, get, patch
from litestar.params import JSONBody
from sqlalchemy import Connection

from rookery.core.errors import RookeryError
from rookery.games import find, playable
from rookery.web import repository
from rookery.web.api.common import AppRequest, client_of, error_responses, person_of, registry_of
from rookery.web.domain import StoredGame, today
from rookery.web.messages import Export, GameStats, NameChange, Profile
from rookery.web.names import checked_name
from rookery.web.registry import streaks

ABANDONED_AFTER = 24 * 3600
"""Seconds without a move after which an unfinished game counts as abandoned."""
ALL_GAMES = 1_000_000
EXPORT_PLIES = 20_000
"""How many plies can be replayed in the time that an export takes, about."""


class ProfileController(Controller):
    """What is stored about the person who asks."""

    path = "/me"

    @get(summary="My name and statistics", responses=error_responses())
    async def me(self, request: AppRequest) -> Profile:
        return await registry_of(request).store.read(lambda connection: _profile(connection, person_of(request)))

    @patch(summary="Rename me", responses=error_responses(409, 413, 415))
    async def rename(self, request: AppRequest, data: JSONBody[NameChange]) -> Profile:
        registry, person = registry_of(request), person_of(request)
        name = checked_name(data.name)

        def work(connection: Connection) -> Profile:
            repository.rename(connection, person, name)
            return _profile(connection, person)

        profile = await registry.store.write(work)
        for room in registry.rooms().values():
            if person in room.stored.people:
                for seat in room.stored.seats:
                    if seat.holder == person:
                        seat.name = name
                room.changed()
        return profile

    @get("/export", summary="Download all my data", responses=error_responses())
    async def export(self, request: AppRequest) -> Response[Export]:
        person = person_of(request)

        def gather(connection: Connection) -> Export:
            listed = repository.games_of(connection, person, ALL_GAMES)
            loaded = [repository.load(connection, each.id) for each in listed]
            return Export(
                id=person,
                name=repository.name_of(connection, person),
                games=[_exported(each) for each in loaded if each is not None],
                feats=repository.achievements_of(connection, person),
            )

        registry = registry_of(request)
        found = await registry.replay(lambda: registry.store.read_here(gather), client_of(request), EXPORT_PLIES)
        return Response(found, headers={"Content-Disposition": 'attachment; filename="rookery-my-data.json"'})

    @delete(summary="Delete me: my name, my results, and games only I played", responses=error_responses())
    async def forget(self, request: AppRequest) -> None:
        await registry_of(request).delete_person(person_of(request))


def _exported(stored: StoredGame) -> dict[str, Any]:
    """A game with its record; if the game is no longer offered, with what was played."""
    try:
        record: dict[str, Any] = msgspec.json.decode(stored.record().line())
    except RookeryError:
        record = {"game": stored.game, "options": stored.options, "plies": stored.plies[: stored.length]}
    facts = {name: getattr(stored, name) for name in ("id", "kind", "status", "created")}
    return facts | {"record": record}


def _profile(connection: Connection, person: str) -> Profile:
    stats = {name: GameStats() for name in playable()}
    counted = repository.statistics(connection, person, time() - ABANDONED_AFTER)
    for game, status, recent, outcome, count in counted:
        if game in stats:
            _add(stats[game], count, outcome, abandoned=status == "abandoned" or (status != "over" and not recent))
            if outcome == "ended" and find(game).winnable:
                stats[game].lost += count
    for name, each in stats.items():
        each.best = repository.best(connection, person, name)
        each.streak, each.best_streak = streaks(repository.days_of(connection, person, name), today())
    return Profile(repository.name_of(connection, person), stats)


def _add(stats: GameStats, count: int, outcome: str | None, *, abandoned: bool) -> None:
    """Add some games to the statistics. A game against oneself counts as played, neither won nor lost."""
    stats.played += count
    stats.abandoned += count * abandoned
    stats.won += count * (outcome == "won")
    stats.drawn += count * (outcome == "drawn")
    stats.lost += count * (outcome == "lost")
