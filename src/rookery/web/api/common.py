"""What all routes share: who asks, which registry answers, and how a handler can refuse."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request
from litestar.datastructures import State as AppState
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter

from rookery.games import playable
from rookery.web.fair_queue import Client
from rookery.web.messages import Problem
from rookery.web.registry import NotFound, RoomRegistry

GameName = Annotated[str, PathParameter(description="a game's name")]
GameId = Annotated[
    str, PathParameter(description="a game's id, as returned when the game was set up", pattern=r"^[^\x00]+$")
]
AppRequest = Request[Any, Any, AppState]

ERRORS = {
    400: "The request is malformed; the answer says why",
    403: "The request came from another site",
    404: "Not found",
    409: "Not possible, or not now; the answer says why",
    413: "The request is too large",
    415: "The request is not JSON",
    421: "The arcade does not answer to this host name",
    429: "Too many requests; wait a moment",
    503: "Not possible now: the database does not answer, or the server could not do it; try again in a moment",
}


def error_responses(*codes: int) -> dict[int, ResponseSpec]:
    """The errors a handler can answer with, for the OpenAPI description."""
    return {code: ResponseSpec(data_container=Problem, description=ERRORS[code]) for code in (*codes, 400, 403, 429)}


def registry_of(request: AppRequest) -> RoomRegistry:
    """The registry of the server that handles a request."""
    registry: RoomRegistry = request.app.state.registry
    return registry


def client_of(request: AppRequest) -> Client:
    """The person who sent a request, and their address."""
    return Client(request.scope["state"]["address"], request.scope["state"]["person"])


def person_of(request: AppRequest) -> str:
    """The id of the person who sent a request."""
    person: str = request.scope["state"]["person"]
    return person


def require_game(name: str) -> None:
    """Raise `NotFound` if there is no game of this name."""
    if name not in playable():
        raise NotFound(f"There is no game '{name[:40]}'; there are {', '.join(playable())}.")
