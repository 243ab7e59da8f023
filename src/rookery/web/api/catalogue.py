"""Routes about the games on offer: the catalogue, demos, printouts, previews, and how far the bots are compiled."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import get, post
from litestar.params import JSONBody

from rookery.core.bot import make_bot
from rookery.core.errors import OptionError
from rookery.core.options import options_of, schema_of
from rookery.core.rules import CHANCE
from rookery.core.scene import CHOICE_WORDS
from rookery.core.stream import Stream
from rookery.core.strength import level_names, mechanics
from rookery.engine import compiling
from rookery.games import find, game, playable
from rookery.web import lessons
from rookery.web.api.common import (
    AppRequest,
    GameName,
    client_of,
    error_responses,
    person_of,
    registry_of,
    require_game,
)
from rookery.web.messages import (
    Catalogue,
    Compiling,
    Demo,
    ExampleDemo,
    GameInfo,
    GameKind,
    GameRules,
    Preview,
    PreviewRequest,
    SliderInfo,
    TunableBotInfo,
)
from rookery.web.registry import NotFound
from rookery.web.views import check_size, hides_odds, scene_json

if TYPE_CHECKING:
    from rookery.core.game import Game

DEMO_FRAMES = 28
DEMO_PLIES, PREVIEW_PLIES = 4_000, 400
"""How many plies can be replayed in the time that it takes to make a demo, or to draw a printout or a few positions."""
DEMO_LEVELS = ("5", "4", "3", "5", "2", "4", "1", "5")
"""The bots of a demo by seat; all of them are fast interpreted, because machine code may not be ready."""


@get("/catalogue", summary="All games", responses=error_responses(), sync_to_thread=False)
def catalogue() -> Catalogue:
    return Catalogue([_kind(name) for name in playable()], CHOICE_WORDS)


@lru_cache
def _kind(name: str) -> GameKind:
    cls = find(name)
    default = cls()
    return GameKind(
        name=name,
        title=cls.title,
        summary=cls.summary,
        rules=list(default.quick_rules()),
        players=default.players,
        options=schema_of(cls),
        bots=list(cls.bots()),
        levels=list(cls.levels()),
        level_labels=list(level_names(cls)),
        level_details=[mechanics(make_bot(cls, spec)) for spec in cls.levels()],
        tunable=[
            TunableBotInfo(
                bot.title,
                bot.summary,
                bot.template,
                [
                    SliderInfo(each.option, each.label, list(each.values), list(each.texts()), each.default)
                    for each in bot.sliders
                ],
            )
            for bot in cls.tunable_bots()
        ],
        odds=hides_odds(cls),
        printable=default.printout() is not None,
        lesson=cls.lesson() is not None,
        puzzles=len(cls.puzzles()),
    )


@get("/compiling", summary="How many parts of the bots are compiled", responses=error_responses(), sync_to_thread=False)
def compile_progress(request: AppRequest) -> Compiling:
    return Compiling(*registry_of(request).bots.progress)


@get(
    "/catalogue/{name:str}/demo",
    summary="A short demo game on a small board; the query holds its other options",
    responses=error_responses(404, 409),
)
async def demo(request: AppRequest, name: GameName) -> Demo:
    made = _smaller(await _game_of_query(request, name))
    usual = made == _smaller(type(made)())
    if usual and name in _usual_demos:
        return _usual_demos[name]
    found = await registry_of(request).replay(lambda: _demo(made), client_of(request), DEMO_PLIES)
    if usual:
        _usual_demos[name] = found
    return found


_usual_demos: dict[str, Demo] = {}
"""The demo of each game with its usual options: whoever asks for many others makes nobody wait for these."""


def _smaller(chosen: Game) -> Game:
    """A game with the same options, but on the board of its demo."""
    cls = type(chosen)
    smaller = {key: value for key, value in cls.demo().options.items() if value != cls().options[key]}
    return cls.make(**chosen.options | smaller)


@lru_cache(64)
def _demo(made: Game) -> Demo:
    """A game between bots of different strength."""
    state, stream, before = made.start(), Stream(67), None
    bots = [make_bot(type(made), level) for level in DEMO_LEVELS]
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


@post("/catalogue/{name:str}/lesson", summary="Set up a guided first game", responses=error_responses(404))
async def begin_lesson(request: AppRequest, name: GameName) -> GameInfo:
    require_game(name)
    room = await lessons.begin(registry_of(request), client_of(request), name)
    if room is None:
        raise NotFound(f"{find(name).title} has no guided first game.")
    return room.info(person_of(request))


@get(
    "/catalogue/{name:str}/sheet",
    summary="A printout of a game, to play on paper; the query holds its options",
    responses=error_responses(404, 409),
)
async def sheet(request: AppRequest, name: GameName) -> dict[str, Any]:
    made = await _game_of_query(request, name)
    printout = await registry_of(request).replay(made.printout, client_of(request), PREVIEW_PLIES)
    if printout is None:
        raise NotFound(f"{made.title} cannot be played on paper.")
    content: dict[str, Any] = msgspec.to_builtins(printout)
    return content


@get(
    "/catalogue/{name:str}/rules",
    summary="The quick rules of a game; the query holds its options",
    responses=error_responses(404, 409),
)
async def rules(request: AppRequest, name: GameName) -> GameRules:
    made = await _game_of_query(request, name)

    def work() -> GameRules:
        return GameRules(dict(made.options), made.options_text(), list(made.quick_rules()), _examples(made))

    return await registry_of(request).replay(work, client_of(request), PREVIEW_PLIES)


async def _game_of_query(request: AppRequest, name: str) -> Game:
    """The game with the options in the query, which are written as on the command line."""
    require_game(name)
    cls = find(name)
    known = {each.name: each for each in options_of(cls)}
    given: dict[str, Any] = {}
    for key, value in request.query_params.items():
        if key not in known:
            raise OptionError(f"{cls.title} has no option '{key[:40]}'; it has {', '.join(known)}.")
        given[key] = known[key].parse(value)
    return await registry_of(request).replay(lambda: check_size(cls.make(**given)), client_of(request), PREVIEW_PLIES)


@post(
    "/preview",
    summary="What a game with these options looks like",
    status_code=200,
    responses=error_responses(409, 413, 415),
)
async def preview(request: AppRequest, data: JSONBody[PreviewRequest]) -> Preview:
    return await registry_of(request).replay(lambda: _preview(data), client_of(request), PREVIEW_PLIES)


def _preview(data: PreviewRequest) -> Preview:
    made = check_size(game(data.game, **data.options))
    state = made.start()
    stream = Stream(67)
    while state.turn == CHANCE:
        state.play(state.draw(stream))
    return Preview(
        players=made.players,
        scene=scene_json(state.scene()),
        text=made.options_text(),
        rules=list(made.quick_rules()),
        examples=_examples(made),
    )


def _examples(made: Game) -> list[ExampleDemo]:
    return [
        ExampleDemo(
            each.caption,
            [scene_json(now, past) for past, now in zip((None, *each.scenes[:-1]), each.scenes, strict=True)],
        )
        for each in made.examples()
    ]
