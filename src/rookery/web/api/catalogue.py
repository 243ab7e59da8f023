"""Routes about the games on offer: the catalogue, demos, printouts, previews, and how far the bots are compiled."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Any

import msgspec
from litestar import get, post
from litestar.params import JSONBody

from rookery.core.bot import make_bot
from rookery.core.errors import OptionError
from rookery.core.options import options_of, schema_of
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.engine import compiling
from rookery.games import find, game, playable
from rookery.web.api.common import AppRequest, GameName, error_responses, registry_of, require_game
from rookery.web.messages import Catalogue, Compiling, Demo, GameKind, Preview, PreviewRequest
from rookery.web.registry import NotFound
from rookery.web.views import bot_label, check_size, hides_odds, scene_json

DEMO_FRAMES = 28
DEMO_LEVELS = ("5", "4", "3", "5", "2", "4", "1", "5")
"""The bots of a demo by seat; all of them are fast interpreted, because machine code may not be ready."""


@get("/catalogue", summary="All games", responses=error_responses(), sync_to_thread=False)
def catalogue() -> Catalogue:
    return Catalogue([_kind(name) for name in playable()])


@lru_cache
def _kind(name: str) -> GameKind:
    cls = find(name)
    default = cls()
    return GameKind(
        name=name,
        title=cls.title,
        summary=cls.summary,
        rules=list(cls.quick_rules or (cls.summary,)),
        players=default.players,
        options=schema_of(cls),
        bots=list(cls.bots()),
        levels=list(cls.levels()),
        level_labels=[bot_label(make_bot(cls, spec)) for spec in cls.levels()],
        odds=hides_odds(cls),
        printable=default.printout() is not None,
    )


@get("/compiling", summary="How many parts of the bots are compiled", responses=error_responses(), sync_to_thread=False)
def compile_progress(request: AppRequest) -> Compiling:
    return Compiling(*registry_of(request).bots.progress)


@get("/catalogue/{name:str}/demo", summary="A short demo game", responses=error_responses(404))
async def demo(request: AppRequest, name: GameName) -> Demo:
    require_game(name)
    return await asyncio.to_thread(_demo, name)


@lru_cache
def _demo(name: str) -> Demo:
    """A game between bots of different strength on a small board."""
    made = find(name).demo()
    state, stream, before = made.start(), Stream(67), None
    bots = [make_bot(find(name), level) for level in DEMO_LEVELS]
    frames: list[dict[str, Any]] = []
    while len(frames) < DEMO_FRAMES:
        while state.turn == CHANCE:
            state.play(state.draw(stream))
        scene = state.scene()
        frames.append(scene_json(scene, before) | {"choices": (), "panels": ()})
        before = scene
        if state.over:
            break
        with compiling.interpreting():
            state.play(bots[(state.turn - 1) % len(bots)].choose(state, stream=stream))
    return Demo(frames)


@get(
    "/catalogue/{name:str}/sheet",
    summary="A printout of a game, to play on paper; the query holds its options",
    responses=error_responses(404, 409),
)
async def sheet(request: AppRequest, name: GameName) -> dict[str, Any]:
    require_game(name)
    cls = find(name)
    known = {each.name: each for each in options_of(cls)}
    given: dict[str, Any] = {}
    for key, value in request.query_params.items():
        if key not in known:
            raise OptionError(f"{cls.title} has no option '{key[:40]}'; it has {', '.join(known)}.")
        given[key] = known[key].parse(value)
    printout = await asyncio.to_thread(lambda: check_size(cls.make(**given)).printout())
    if printout is None:
        raise NotFound(f"{cls.title} cannot be played on paper.")
    content: dict[str, Any] = msgspec.to_builtins(printout)
    return content


@post(
    "/preview",
    summary="What a game with these options looks like",
    status_code=200,
    responses=error_responses(409, 413, 415),
)
async def preview(data: JSONBody[PreviewRequest]) -> Preview:
    return await asyncio.to_thread(_preview, data)


def _preview(data: PreviewRequest) -> Preview:
    made = check_size(game(data.game, **data.options))
    state = made.start()
    stream = Stream(67)
    while state.turn == CHANCE:
        state.play(state.draw(stream))
    return Preview(made.players, scene_json(state.scene()))
