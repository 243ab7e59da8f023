"""Routes about reviews: begin one, and ask how far it is."""

from __future__ import annotations

from typing import Annotated

from litestar import get, post
from litestar.params import QueryParameter

from rookery.web.api.common import AppRequest, GameId, client_of, error_responses, registry_of
from rookery.web.review_messages import ReviewInfo

First = Annotated[int, QueryParameter(ge=0, le=100_000, description="leave out the plies before this one, from 0")]


@post(
    "/games/{id:str}/review",
    summary="Have a game reviewed, or go on with it",
    status_code=200,
    responses=error_responses(404, 409),
)
async def begin(request: AppRequest, id: GameId, first: First = 0) -> ReviewInfo:
    return await registry_of(request).reviews.begin(id, client_of(request), first)


@get("/games/{id:str}/review", summary="How far a review is", responses=error_responses(404, 409))
async def progress(request: AppRequest, id: GameId, first: First = 0) -> ReviewInfo:
    return await registry_of(request).reviews.progress(id, client_of(request), first)
