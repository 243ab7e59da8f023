"""Routes about games: set up, list, join, play, replay, and upload records."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import FromQuery, JSONBody, QueryParameter
from sqlalchemy import Connection

from rookery.core.errors import OptionError
from rookery.games import address, playable
from rookery.web import apart, bests, new_games, repository
from rookery.web.api.common import AppRequest, GameId, client_of, error_responses, person_of, registry_of
from rookery.web.domain import StoredGame
from rookery.web.messages import (
    ActionResult,
    Best,
    Frames,
    GameInfo,
    GameList,
    JoinRequest,
    NewGame,
    PlayRequest,
    Position,
)
from rookery.web.new_games import RECENT
from rookery.web.store import MANY_ROWS
from rookery.web.views import names_for

SCENE_PLIES = 20
"""How many plies can be replayed in the time that it takes to draw a scene."""
MAX_LINE = 12
"""How many moves of a line are placed on the board."""
MAX_PLIES = 5_000
MAX_START = 20_000
"""Limits of an uploaded record: plies, and characters of its start position."""


class GamesController(Controller):
    """Set up, list, join, play and replay games."""

    path = "/games"

    @post(summary="Set up a game", responses=error_responses(404, 409, 413, 415))
    async def set_up(self, request: AppRequest, data: JSONBody[NewGame]) -> GameInfo:
        room = await new_games.set_up(registry_of(request), client_of(request), data)
        return room.info(person_of(request))

    @get(summary="My games, or games open to join or watch", responses=error_responses(409, 413, 415))
    async def list_games(
        self,
        request: AppRequest,
        which: FromQuery[Literal["mine", "join", "watch"]] = "mine",
        limit: Annotated[int, QueryParameter(ge=1, le=100)] = 20,
    ) -> GameList:
        registry, person = registry_of(request), person_of(request)
        now = registry.store.now()

        def query(connection: Connection) -> list[StoredGame]:
            if which == "mine":
                return repository.games_of(connection, person, limit, lessons=False)
            status = "waiting" if which == "join" else "playing"
            return repository.public_games(connection, status, now - RECENT, limit)

        found = await registry.store.read(query, client_of(request), MANY_ROWS)
        return GameList([await registry.info(each, person) for each in found if each.game in playable()])

    @get("/{id:str}", summary="The status of a game", responses=error_responses(404))
    async def fetch(self, request: AppRequest, id: GameId) -> GameInfo:
        room = await registry_of(request).visit(id, client_of(request))
        async with room.lock:
            return room.info(person_of(request))

    @get("/{id:str}/best", summary="My best result in other games like this", responses=error_responses(404))
    async def best(self, request: AppRequest, id: GameId) -> Best:
        registry, client = registry_of(request), client_of(request)
        stored = await registry.outline(id, client)
        return Best(
            await registry.store.read(
                lambda connection: bests.best_like(connection, client.person, stored), client, MANY_ROWS
            )
        )

    @post("/{id:str}/join", summary="Take an open seat", status_code=200, responses=error_responses(404, 409, 413, 415))
    async def join(self, request: AppRequest, id: GameId, data: JSONBody[JoinRequest]) -> GameInfo:
        room = await registry_of(request).visit(id, client_of(request))
        await room.join(person_of(request), data.token)
        return room.info(person_of(request))

    @post("/{id:str}/actions", summary="Play an action by its text", responses=error_responses(404, 409, 413, 415))
    async def play(self, request: AppRequest, id: GameId, data: JSONBody[PlayRequest]) -> ActionResult:
        room = await registry_of(request).visit(id, client_of(request))
        return ActionResult(await room.play(client_of(request), data.action, data.ply))

    @get("/{id:str}/record", summary="Download a game's record", responses=error_responses(404))
    async def record(self, request: AppRequest, id: GameId) -> Response[dict[str, Any]]:
        stored = await registry_of(request).stored(id, client_of(request))
        line, name = stored.record().line(), f"{stored.game}-{id}.json"
        return Response(
            msgspec.json.decode(line),
            media_type="application/json",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )

    @get("/{id:str}/frames", summary="A game's plies, and some of its scenes", responses=error_responses(404, 409, 503))
    async def frames(
        self,
        request: AppRequest,
        id: GameId,
        first: Annotated[int, QueryParameter(ge=0, le=100_000, description="number of the first frame")] = 0,
        last: Annotated[int, QueryParameter(ge=0, le=100_000, description="number of the last frame")] = 40,
    ) -> Response[Frames]:
        stored = await registry_of(request).stored(id, client_of(request))
        names = names_for(stored, client_of(request).person)
        replay = apart.Replay(address(stored.game), stored.options, stored.start, stored.plies, names)
        work = len(stored.plies) + SCENE_PLIES * min(last - first + 1, apart.MAX_FRAMES)
        found = await registry_of(request).apart(client_of(request), work, apart.draw_frames, replay, first, last)
        return Response(found, media_type="application/json")  # type: ignore[arg-type]

    @get(
        "/{id:str}/position",
        summary="A position, and where moves from it are",
        responses=error_responses(404, 409, 503),
    )
    async def position(
        self,
        request: AppRequest,
        id: GameId,
        ply: Annotated[int, QueryParameter(ge=0, le=100_000, description="number of plies played")] = 0,
        moves: Annotated[
            str, QueryParameter(max_length=2_000, description="a line of moves, divided by semicolons")
        ] = "",
    ) -> Response[Position]:
        stored, line = (
            await registry_of(request).stored(id, client_of(request)),
            [move for move in moves.split(";") if move][:MAX_LINE],
        )
        names = names_for(stored, client_of(request).person)
        replay = apart.Replay(address(stored.game), stored.options, stored.start, stored.plies, names)
        work = len(stored.plies) + SCENE_PLIES * (1 + len(line))
        found = await registry_of(request).apart(client_of(request), work, apart.draw_position, replay, ply, line)
        return Response(found, media_type="application/json")  # type: ignore[arg-type]


@post("/records", summary="Upload a record", responses=error_responses(409, 413, 415, 503))
async def upload(request: AppRequest, data: JSONBody[dict[str, Any]]) -> GameInfo:
    plies, start = data.get("plies"), data.get("start")
    if isinstance(plies, list) and len(plies) > MAX_PLIES:
        raise OptionError(f"This record is too long for the arcade: it has more than {MAX_PLIES:,} plies.")
    if isinstance(start, str) and len(start) > MAX_START:
        raise OptionError("This record is too large for the arcade: its start position is too long.")
    registry, client = registry_of(request), client_of(request)
    name = data.get("game")
    where = address(name) if isinstance(name, str) and name in playable() else None
    count = len(plies) if isinstance(plies, list) else 0
    line = await registry.apart(client, count, apart.verified, data, where)
    stored = await new_games.upload(registry, client, msgspec.json.decode(line))
    return await registry.info(stored, client.person)
