"""The arcade over HTTP: what there is to play, setting games up, playing, replaying, the daily challenge, oneself."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from time import time
from typing import Annotated, Any, Literal

import msgspec
from litestar import Controller, Request, Response, Router, delete, get, patch, post
from litestar.datastructures import State as AppState
from litestar.exceptions import ServiceUnavailableException
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromQuery, JSONBody, PathParameter, QueryParameter
from sqlalchemy import Connection, select
from sqlalchemy.exc import SQLAlchemyError

from rookery import __version__
from rookery.core.bot import make_bot
from rookery.core.errors import OptionError, RookeryError
from rookery.core.options import options_of, schema_of
from rookery.core.record import Record
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.engine import compiling
from rookery.games import find, game, playable
from rookery.games import record as load_record
from rookery.web import ledger
from rookery.web.house import House, Missing, streaks, today
from rookery.web.ledger import ABANDONED_AFTER, Entry
from rookery.web.messages import (
    Board,
    Catalogue,
    Compiling,
    Daily,
    DailyGame,
    Demo,
    Done,
    Export,
    Frame,
    Frames,
    GameInfo,
    GameKind,
    GameList,
    Health,
    Joining,
    Me,
    NewGame,
    NewName,
    Place,
    Played,
    Preview,
    Problem,
    Tally,
    Wish,
)
from rookery.web.views import clean, fit, hides_odds, rests, shown

FRESH = 15 * 60
"""Seconds for which a listed game is offered to be joined or watched after something happened in it."""
MOST_FRAMES = 100
MOST_PLIES = 20_000
MOST_LETTERS = 20_000
"""What a record may hold that somebody brings: plies, and letters in the position it starts from."""
DEMO_FRAMES = 28


def refuses(*codes: int) -> dict[int, ResponseSpec]:
    """How a handler can refuse, for the description of the API."""
    words = {
        400: "It cannot be understood, and why",
        403: "It came from another site",
        404: "There is nothing of that name",
        409: "It is not possible, or not now, and why",
        413: "It is too large",
        415: "It is not JSON",
        429: "Too many requests; wait a moment",
        503: "The database does not answer",
    }
    return {code: ResponseSpec(data_container=Problem, description=words[code]) for code in (*codes, 400, 403, 429)}


GameName = Annotated[str, PathParameter(description="a game's name")]
GameId = Annotated[str, PathParameter(description="a game's id, as it was given when the game was set up")]
Asker = Request[Any, Any, AppState]


def house_of(request: Asker) -> House:
    house: House = request.app.state.house
    return house


def person_of(request: Asker) -> str:
    person: str = request.scope["state"]["person"]
    return person


# ── whether it works ──────────────────────────────────────────────────────────────────────────────────────────────────

HEALTH_SECONDS = 10.0
"""How long the database may take to answer before the arcade counts as not working."""


@get("/health", summary="Whether the arcade and its database work", responses=refuses(503))
async def health(request: Asker) -> Health:
    """For whoever watches over a server: a container engine, a load balancer."""
    try:
        async with asyncio.timeout(HEALTH_SECONDS):
            await house_of(request).store.read(lambda connection: connection.execute(select(1)).scalar())
    except (SQLAlchemyError, TimeoutError):
        raise ServiceUnavailableException("The database does not answer.") from None
    return Health("ok", __version__)


# ── what there is to play ─────────────────────────────────────────────────────────────────────────────────────────────


@get("/catalogue", summary="The games there are", responses=refuses(), sync_to_thread=False)
def catalogue() -> Catalogue:
    return Catalogue([_kind(name) for name in playable()])


@lru_cache
def _kind(name: str) -> GameKind:
    cls = find(name)
    usual = cls()
    return GameKind(
        name=name,
        title=cls.title,
        summary=cls.summary,
        rules=list(cls.quick_rules or (cls.summary,)),
        players=usual.players,
        options=schema_of(cls),
        bots=list(cls.bots()),
        levels=list(cls.levels()),
        odds=hides_odds(cls),
        printable=usual.printout() is not None,
    )


@get("/compiling", summary="How many parts of the bots are compiled", responses=refuses(), sync_to_thread=False)
def compile_progress(request: Asker) -> Compiling:
    return Compiling(*house_of(request).thinking.progress)


@get("/catalogue/{name:str}/demo", summary="A short game to look at", responses=refuses(404))
async def demo(request: Asker, name: GameName) -> Demo:
    _must_exist(name)
    return await asyncio.to_thread(_demo, name)


@lru_cache
def _demo(name: str) -> Demo:
    """Bots of different strength on a small board: such as take no time interpreted, since compiling may go on."""
    made = find(name).demo()
    state, stream, before = made.start(), Stream(67), None
    bots = [make_bot(find(name), level) for level in ("5", "4", "3", "5", "2", "4", "1", "5")]
    frames: list[dict[str, Any]] = []
    while len(frames) < DEMO_FRAMES:
        while state.turn == CHANCE:
            state.play(state.draw(stream))
        scene = state.scene()
        frames.append(shown(scene, before) | {"choices": (), "panels": ()})
        before = scene
        if state.over:
            break
        with compiling.interpreting():
            state.play(bots[(state.turn - 1) % len(bots)].choose(state, stream=stream))
    return Demo(frames)


@get(
    "/catalogue/{name:str}/sheet",
    summary="A game to be printed, for the kitchen table; its options go into the query",
    responses=refuses(404, 409),
)
async def sheet(request: Asker, name: GameName) -> dict[str, Any]:
    _must_exist(name)
    cls = find(name)
    known = {each.name: each for each in options_of(cls)}
    given: dict[str, Any] = {}
    for key, value in request.query_params.items():
        if key not in known:
            raise OptionError(f"{cls.title} has no option '{key[:40]}'; it has {', '.join(known)}.")
        given[key] = known[key].parse(value)
    found = await asyncio.to_thread(lambda: fit(cls.make(**given)).printout())
    if found is None:
        raise Missing(f"{cls.title} cannot be played on paper.")
    content: dict[str, Any] = msgspec.to_builtins(found)
    return content


@post("/preview", summary="What a game with some options looks like", status_code=200, responses=refuses(409, 413, 415))
async def preview(data: JSONBody[Wish]) -> Preview:
    return await asyncio.to_thread(_preview, data)


def _preview(data: Wish) -> Preview:
    made = fit(game(data.game, **data.options))
    state = made.start()
    stream = Stream(67)
    while state.turn == CHANCE:
        state.play(state.draw(stream))
    return Preview(made.players, shown(state.scene()))


def _must_exist(name: str) -> None:
    if name not in playable():
        raise Missing(f"There is no game '{name[:40]}'; there are {', '.join(playable())}.")


# ── games ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


class Games(Controller):
    """Setting games up, finding, joining, playing and replaying them."""

    path = "/games"

    @post(summary="Set up a game", responses=refuses(409, 413, 415))
    async def set_up(self, request: Asker, data: JSONBody[NewGame]) -> GameInfo:
        room = await house_of(request).set_up(person_of(request), data)
        return room.info(person_of(request))

    @get(summary="My games, or those anybody may join or watch", responses=refuses(409, 413, 415))
    async def list_games(
        self,
        request: Asker,
        which: FromQuery[Literal["mine", "join", "watch"]] = "mine",
        limit: Annotated[int, QueryParameter(ge=1, le=100)] = 20,
    ) -> GameList:
        house, person = house_of(request), person_of(request)

        def find_them(connection: Connection) -> list[Entry]:
            if which == "mine":
                return ledger.mine(connection, person, limit)
            status = "waiting" if which == "join" else "playing"
            return ledger.open_to_all(connection, status, time() - FRESH, limit)

        found = await house.store.read(find_them)
        return GameList([await house.info(each, person) for each in found if each.game in playable()])

    @get("/{id:str}", summary="How a game stands", responses=refuses(404))
    async def fetch(self, request: Asker, id: GameId) -> GameInfo:
        room = await house_of(request).room(id)
        async with room.lock:
            return room.info(person_of(request))

    @post("/{id:str}/join", summary="Take an open seat", status_code=200, responses=refuses(404, 409, 413, 415))
    async def join(self, request: Asker, id: GameId, data: JSONBody[Joining]) -> GameInfo:
        room = await house_of(request).room(id)
        await room.join(person_of(request), data.token)
        return room.info(person_of(request))

    @post("/{id:str}/actions", summary="Play an action by its text", responses=refuses(404, 409, 413, 415))
    async def play(self, request: Asker, id: GameId, data: JSONBody[Played]) -> Done:
        room = await house_of(request).room(id)
        return Done(await room.play(person_of(request), data.action, data.ply))

    @get("/{id:str}/record", summary="A game as its record", responses=refuses(404))
    async def record(self, request: Asker, id: GameId) -> Response[dict[str, Any]]:
        room = await house_of(request).room(id)
        async with room.lock:
            line = room.entry.record().line()
        name = f"{room.entry.game}-{id}.json"
        return Response(
            msgspec.json.decode(line),
            media_type="application/json",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )

    @get("/{id:str}/frames", summary="A game's plies, and the scenes of some of them", responses=refuses(404, 409))
    async def frames(
        self,
        request: Asker,
        id: GameId,
        first: Annotated[int, QueryParameter(ge=0, le=100_000, description="the first frame wanted")] = 0,
        last: Annotated[int, QueryParameter(ge=0, le=100_000, description="the last frame wanted")] = 40,
    ) -> Frames:
        room = await house_of(request).room(id)
        async with room.lock:
            kept, movers = room.entry.record(), list(room.table.movers)

        def draw() -> Frames:
            found: list[Frame] = []
            before, count = None, 0
            for state in rests(kept):
                if first <= count <= last and len(found) < MOST_FRAMES:
                    scene = state.scene()
                    found.append(Frame(len(state.history), shown(scene, before) | {"choices": ()}))
                    before = scene
                count += 1
            return Frames(list(zip(kept.plies, movers, strict=True)), found, count)

        return await asyncio.to_thread(draw)


@post("/records", summary="Bring a record, to look at it", responses=refuses(409, 413, 415))
async def upload(
    request: Asker,
    data: JSONBody[dict[str, Any]],
) -> GameInfo:
    house = house_of(request)
    plies, start = data.get("plies"), data.get("start")
    if isinstance(plies, list) and len(plies) > MOST_PLIES:
        raise OptionError(f"This record is too long for the arcade: it has more than {MOST_PLIES:,} plies.")
    if isinstance(start, str) and len(start) > MOST_LETTERS:
        raise OptionError("This record is too large for the arcade: it begins with a position of very many letters.")
    room = await house.upload(person_of(request), await asyncio.to_thread(_verified, data))
    return room.info(person_of(request))


def _verified(data: dict[str, Any]) -> Record:
    """The record somebody brought, if it is one and a page can show it."""
    if isinstance(data.get("game"), str) and isinstance(data.get("options"), dict) and data["game"] in playable():
        fit(game(data["game"], **data["options"]))
    return load_record(msgspec.json.encode(data).decode())


# ── the daily challenge ───────────────────────────────────────────────────────────────────────────────────────────────

Day = Annotated[
    str | None, QueryParameter(pattern=r"^\d{4}-\d{2}-\d{2}$", description="a day, as 2026-11-16; today if left out")
]


@get("/daily", summary="Today's challenges, and how I stand in them", responses=refuses())
async def daily(request: Asker) -> Daily:
    house, person, day = house_of(request), person_of(request), today()

    def look(connection: Connection) -> list[tuple[DailyGame, Entry | None]]:
        return [
            (_daily_game(connection, house, person, name, day), ledger.daily(connection, person, name, day))
            for name in playable()
        ]

    found = await house.store.read(look)
    for each, entry in found:
        each.mine = await house.info(entry, person) if entry is not None else None
    return Daily(day, [each for each, _ in found])


def _daily_game(connection: Connection, house: House, person: str, name: str, day: str) -> DailyGame:
    cls, challenge = find(name), house.challenge(name, day)
    rank, players, feat = ledger.standing(connection, name, day, person)
    streak, _ = streaks(ledger.days_of(connection, person, name), day)
    opponents = [f"level {bot}" if bot.isdigit() else bot for bot in challenge.opponents]
    share = None
    if feat is not None:
        share = _share(cls.title, day, feat, opponents, streak, rank, players)
    return DailyGame(name, cls.title, dict(challenge.options), opponents, None, feat, rank, players, streak, share)


def _share(title: str, day: str, feat: str, opponents: list[str], streak: int, rank: int | None, players: int) -> str:
    """A result to copy and send to friends."""
    against = f" against {' and '.join(opponents)}" if opponents else ""
    lines = [f"♜ Rookery daily · {title} · {day}", feat + against]
    if rank is not None and players > 1:
        lines.append(f"rank {rank} of {players}")
    if streak > 1:
        lines.append(f"{streak} days in a row")
    return "\n".join(lines)


@post("/daily/{name:str}", summary="Begin today's challenge, or go on with it", responses=refuses(404))
async def begin_daily(request: Asker, name: GameName) -> GameInfo:
    _must_exist(name)
    room = await house_of(request).daily(person_of(request), name, today())
    room.wake()
    return room.info(person_of(request))


@get("/daily/{name:str}/board", summary="Who did best on a day", responses=refuses(404, 409))
async def board(request: Asker, name: GameName, day: Day = None) -> Board:
    _must_exist(name)
    person, wanted = person_of(request), day or today()

    def look(connection: Connection) -> list[Place]:
        rows: list[Place] = []
        own = ledger.daily(connection, person, name, wanted)
        tried = wanted < today() or (
            own is not None and own.status == "over"
        )  # who has not must not see how it is done
        best = ledger.ranking(connection, name, wanted, 100)
        for number, (id, who, text, points) in enumerate(best, start=1):
            tied = number > 1 and best[number - 2][3] == points
            called = ledger.name_of(connection, who) or "Somebody"
            rows.append(Place(rows[-1].rank if tied else number, called, text, who == person, id if tried else None))
        return rows

    return Board(wanted, name, await house_of(request).store.read(look))


# ── oneself ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class Oneself(Controller):
    """What is kept about the person who asks."""

    path = "/me"

    @get(summary="My name, and how I have done", responses=refuses())
    async def me(self, request: Asker) -> Me:
        return await house_of(request).store.read(lambda connection: _me(connection, person_of(request)))

    @patch(summary="Call me something else", responses=refuses(409, 413, 415))
    async def rename(self, request: Asker, data: JSONBody[NewName]) -> Me:
        house, person = house_of(request), person_of(request)
        name = clean(data.name)

        def work(connection: Connection) -> Me:
            ledger.rename(connection, person, name)
            return _me(connection, person)

        found = await house.store.write(work)
        for room in house.rooms().values():
            if person in room.entry.people:
                for seat in room.entry.seats:
                    if seat.holder == person:
                        seat.name = name
                room.changed()
        return found

    @get("/export", summary="Everything that is kept about me", responses=refuses())
    async def export(self, request: Asker) -> Response[Export]:
        person = person_of(request)

        def gather(connection: Connection) -> Export:
            kept = []
            for each in ledger.mine(connection, person, 100_000):
                entry = ledger.load(connection, each.id)
                if entry is not None:
                    kept.append({"id": entry.id, "kind": entry.kind, "status": entry.status, "created": entry.created})
                    kept[-1]["record"] = _record_of(entry)
            return Export(person, ledger.name_of(connection, person), kept, ledger.feats_of(connection, person))

        found = await house_of(request).store.read(gather)
        return Response(found, headers={"Content-Disposition": 'attachment; filename="rookery-my-data.json"'})

    @delete(summary="Forget me: my name, my results, and games nobody else has a part in", responses=refuses())
    async def forget(self, request: Asker) -> None:
        await house_of(request).forget(person_of(request))


def _record_of(entry: Entry) -> dict[str, Any]:
    """A game as its record; of a game that is not offered any more, what was played."""
    try:
        content: dict[str, Any] = msgspec.json.decode(entry.record().line())
    except RookeryError:
        content = {"game": entry.game, "options": entry.options, "plies": entry.plies[: entry.length]}
    return content


def _me(connection: Connection, person: str) -> Me:
    tallies = {name: Tally() for name in playable()}
    now = today()
    for entry in ledger.mine(connection, person, 1_000_000):
        if entry.game in tallies and entry.kind != "upload" and person in entry.people:
            _count(tallies[entry.game], entry, person)
    for name, tally in tallies.items():
        tally.best = ledger.best(connection, person, name)
        tally.streak, tally.best_streak = streaks(ledger.days_of(connection, person, name), now)
    return Me(ledger.name_of(connection, person), tallies)


def _count(tally: Tally, entry: Entry, person: str) -> None:
    """Add one game to the figures. Games against oneself are played, neither won nor lost."""
    tally.played += 1
    if entry.status == "abandoned" or (entry.status != "over" and time() - entry.changed > ABANDONED_AFTER):
        tally.abandoned += 1
    if entry.status != "over" or entry.result is None:
        return
    own = {seat.number for seat in entry.seats if seat.holder == person}
    winners = set(entry.result["winners"])
    if len(own) > 1:
        return
    if len(entry.seats) == 1:
        if winners:
            tally.won += 1
        elif find(entry.game).winnable:
            tally.lost += 1
    elif own & winners:
        tally.won, tally.drawn = tally.won + (len(winners) == 1), tally.drawn + (len(winners) > 1)
    elif winners:
        tally.lost += 1
    else:
        tally.drawn += 1


ROUTES = Router(
    "/api",
    route_handlers=[
        health,
        catalogue,
        compile_progress,
        demo,
        sheet,
        preview,
        Games,
        upload,
        daily,
        begin_daily,
        board,
        Oneself,
    ],
)
"""Everything under /api."""
