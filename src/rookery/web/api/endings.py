"""The route about the end of a game."""

from __future__ import annotations

from litestar import get

from rookery.web import endings
from rookery.web.api.common import AppRequest, GameId, client_of, error_responses, registry_of
from rookery.web.api.daily import share_text
from rookery.web.updates import GameEnding


@get("/games/{id:str}/ending", summary="How a game ended, and what to share", responses=error_responses(404, 409))
async def game_ending(request: AppRequest, id: GameId) -> GameEnding:
    registry, client = registry_of(request), client_of(request)
    room = await registry.visit(id, client)
    found = await endings.ending(room, client)
    stored = room.stored
    if stored.kind == "daily" and stored.day is not None and stored.owner == client.person:
        text = await share_text(registry, client, stored.game, stored.day)
        found.share = "\n".join(filter(None, (text, endings.emoji_of(room)))) if text else found.share
    return found
