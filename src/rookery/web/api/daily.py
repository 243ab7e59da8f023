"""Routes about the daily challenges and their leaderboards."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

from litestar import get, post
from litestar.params import QueryParameter
from sqlalchemy import Connection

from rookery.core.strength import name_of_spec
from rookery.games import find, playable
from rookery.web import new_games, repository
from rookery.web.api.common import (
    AppRequest,
    GameName,
    client_of,
    error_responses,
    person_of,
    registry_of,
    require_game,
)
from rookery.web.domain import StoredGame, today
from rookery.web.fair_queue import Client
from rookery.web.messages import Daily, DailyGame, GameInfo, Leaderboard, LeaderboardRow
from rookery.web.registry import RoomRegistry
from rookery.web.store import MANY_ROWS
from rookery.web.streaks import streaks

LEADERBOARD_ROWS = 100

Day = Annotated[
    str | None, QueryParameter(pattern=r"^\d{4}-\d{2}-\d{2}$", description="a day such as 2026-11-16; default: today")
]


@get("/daily", summary="Today's challenges, and my results in them", responses=error_responses())
async def daily(request: AppRequest) -> Daily:
    registry, person = registry_of(request), person_of(request)
    day = today(registry.store.now())

    def query(connection: Connection) -> list[tuple[DailyGame, StoredGame | None]]:
        return [
            (_daily_game(connection, registry, person, name, day), repository.daily_game(connection, person, name, day))
            for name in playable()
        ]

    found = await registry.store.read(query, client_of(request), MANY_ROWS)
    for each, stored in found:
        each.mine = await registry.info(stored, person) if stored is not None else None
    return Daily(day, [each for each, _ in found])


def _daily_game(connection: Connection, registry: RoomRegistry, person: str, name: str, day: str) -> DailyGame:
    challenge = new_games.challenge_of(registry, name, day)
    rank, players, achievement = repository.standing(connection, name, day, person)
    streak, _ = streaks(repository.days_of(connection, person, name), day)
    found = DailyGame(
        game=name,
        text=find(name).make(**challenge.options).options_text(),
        title=find(name).title,
        options=dict(challenge.options),
        opponents=[name_of_spec(find(name), bot) for bot in challenge.opponents],
        mine=None,
        feat=achievement,
        rank=rank,
        players=players,
        streak=streak,
        share=None,
    )
    found.share = _share_text(found, day)
    return found


async def share_text(registry: RoomRegistry, client: Client, name: str, day: str) -> str | None:
    """A person's result of a day to send to friends; None before there is one."""
    mine = await registry.store.read(lambda found: _daily_game(found, registry, client.person, name, day), client)
    return mine.share


def _share_text(daily: DailyGame, day: str) -> str | None:
    """A result to copy and send to friends; None before there is one."""
    if daily.feat is None:
        return None
    against = f" against {' and '.join(daily.opponents)}" if daily.opponents else ""
    lines = [f"♜ Rookery daily · {daily.title} · {day}", daily.text, daily.feat + against]
    if daily.rank is not None and daily.players > 1:
        lines.append(f"rank {daily.rank} of {daily.players}")
    if daily.streak > 1:
        lines.append(f"{daily.streak} days in a row")
    return "\n".join(lines)


@post("/daily/{name:str}", summary="Start or continue today's challenge", responses=error_responses(404))
async def begin_daily(request: AppRequest, name: GameName) -> GameInfo:
    require_game(name)
    registry = registry_of(request)
    room = await new_games.daily(registry, client_of(request), name, today(registry.store.now()))
    room.driver.wake(here=False)
    return room.info(person_of(request))


@get("/daily/{name:str}/board", summary="The leaderboard of a day", responses=error_responses(404, 409))
async def leaderboard(request: AppRequest, name: GameName, day: Day = None) -> Leaderboard:
    require_game(name)
    current = today(registry_of(request).store.now())
    person, wanted = person_of(request), day or current

    def query(connection: Connection) -> list[LeaderboardRow]:
        rows: list[LeaderboardRow] = []
        best = repository.ranking(connection, name, wanted, LEADERBOARD_ROWS)
        same = Counter(row.moves for row in best)
        for number, row in enumerate(best, start=1):
            tied = number > 1 and best[number - 2].points == row.points
            rank, mine = rows[-1].rank if tied else number, row.person == person
            # Replays would give the solution away while others play.
            id = row.game_id if mine or wanted < current else None
            repeated = row.moves is not None and same[row.moves] > 1
            rows.append(LeaderboardRow(rank, row.name or "Somebody", row.text, mine, id, repeated))
        return rows

    return Leaderboard(wanted, name, await registry_of(request).store.read(query, client_of(request), MANY_ROWS))
