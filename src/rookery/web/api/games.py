"""Routes about games: set up, list, join, play, replay, and upload records."""

from __future__ import annotations

from time import time
from typing import Annotated, Any, Literal

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import FromQuery, JSONBody, QueryParameter
from sqlalchemy import Connection

from rookery.core.errors import OptionError
from rookery.core.record import Record
from rookery.games import game, playable
from rookery.games import record as load_record
from rookery.web import repository
from rookery.web.api.common import AppRequest, GameId, client_of, error_responses, person_of, registry_of
from rookery.web.domain import StoredGame
from rookery.web.messages import (
    ActionResult,
    Frame,
    Frames,
    GameInfo,
    GameList,
    JoinRequest,
    NewGame,
    PlayRequest,
)
from rookery.web.registry import RECENT
from rookery.web.views import check_size, scene_json, settled_states

MAX_FRAMES = 100
SCENE_PLIES = 20
"""How many plies can be replayed in the time that it takes to draw a scene."""
MAX_PLIES = 5_000
MAX_START = 20_000
"""Limits of an uploaded record: plies, and characters of its start position."""


class GamesController(Controller):
    """Set up, list, join, play and replay games."""

    path = "/games"

    @post(summary="Set up a game", responses=error_responses(409, 413, 415))
    async def set_up(self, request: AppRequest, data: JSONBody[NewGame]) -> GameInfo:
        room = await registry_of(request).set_up(client_of(request), data)
        return room.info(person_of(request))

    @get(summary="My games, or games open to join or watch", responses=error_responses(409, 413, 415))
    async def list_games(
        self,
        request: AppRequest,
        which: FromQuery[Literal["mine", "join", "watch"]] = "mine",
        limit: Annotated[int, QueryParameter(ge=1, le=100)] = 20,
    ) -> GameList:
        registry, person = registry_of(request), person_of(request)

        def query(connection: Connection) -> list[StoredGame]:
            if which == "mine":
                return repository.games_of(connection, person, limit)
            status = "waiting" if which == "join" else "playing"
            return repository.public_games(connection, status, time() - RECENT, limit)

        found = await registry.store.read(query)
        return GameList([await registry.info(each, person) for each in found if each.game in playable()])

    @get("/{id:str}", summary="The status of a game", responses=error_responses(404))
    async def fetch(self, request: AppRequest, id: GameId) -> GameInfo:
        room = await registry_of(request).visit(id, client_of(request))
        async with room.lock:
            return room.info(person_of(request))

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
        room = await registry_of(request).visit(id, client_of(request))
        async with room.lock:
            line = room.stored.record().line()
        name = f"{room.stored.game}-{id}.json"
        return Response(
            msgspec.json.decode(line),
            media_type="application/json",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )

    @get("/{id:str}/frames", summary="A game's plies, and some of its scenes", responses=error_responses(404, 409))
    async def frames(
        self,
        request: AppRequest,
        id: GameId,
        first: Annotated[int, QueryParameter(ge=0, le=100_000, description="number of the first frame")] = 0,
        last: Annotated[int, QueryParameter(ge=0, le=100_000, description="number of the last frame")] = 40,
    ) -> Frames:
        room = await registry_of(request).visit(id, client_of(request))
        async with room.lock:
            record, movers = room.stored.record(), list(room.live.movers)

        def draw() -> Frames:
            found: list[Frame] = []
            before, count = None, 0
            for state in settled_states(record):
                if first <= count <= last and len(found) < MAX_FRAMES:
                    scene = state.scene()
                    found.append(Frame(len(state.history), scene_json(scene, before) | {"choices": ()}))
                    before = scene
                count += 1
            return Frames(list(zip(record.plies, movers, strict=True)), found, count)

        return await registry_of(request).replay(draw, client_of(request), len(record.plies) + SCENE_PLIES * MAX_FRAMES)


@post("/records", summary="Upload a record", responses=error_responses(409, 413, 415))
async def upload(request: AppRequest, data: JSONBody[dict[str, Any]]) -> GameInfo:
    plies, start = data.get("plies"), data.get("start")
    if isinstance(plies, list) and len(plies) > MAX_PLIES:
        raise OptionError(f"This record is too long for the arcade: it has more than {MAX_PLIES:,} plies.")
    if isinstance(start, str) and len(start) > MAX_START:
        raise OptionError("This record is too large for the arcade: its start position is too long.")
    registry, client = registry_of(request), client_of(request)
    record = await registry.replay(lambda: _verified(data), client, len(plies) if isinstance(plies, list) else 0)
    room = await registry.upload(client, record)
    return room.info(person_of(request))


def _verified(data: dict[str, Any]) -> Record:
    """The uploaded record, if it is valid and small enough to show."""
    if isinstance(data.get("game"), str) and isinstance(data.get("options"), dict) and data["game"] in playable():
        check_size(game(data["game"], **data["options"]))
    return load_record(msgspec.json.encode(data).decode())
