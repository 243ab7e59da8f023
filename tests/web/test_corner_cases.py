"""Rough treatment: hostile requests, a store in trouble, and things that happen at the same moment."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import time
from contextlib import AsyncExitStack, asynccontextmanager
from socket import create_connection
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from litestar.testing import TestClient
from sqlalchemy import text
from tests.web.arcade import Arcade, Page, Person, Refusal
from tests.web.test_games import play_out
from websockets.exceptions import ConnectionClosed

from rookery.core.bot import make_bot
from rookery.core.state import State
from rookery.core.stream import Stream
from rookery.games import find, game
from rookery.search.cancel import Cancelled, CancelToken
from rookery.web import new_games, repository, socket
from rookery.web.app import application
from rookery.web.bot_pool import MOVE_MS, BotPool
from rookery.web.domain import Seat, StoredGame
from rookery.web.fair_queue import Busy, Client
from rookery.web.identity import Identity
from rookery.web.limits import Limits, Rate
from rookery.web.live_game import LiveGame, NotSaved
from rookery.web.messages import ClockSetup, NewGame, SeatSetup
from rookery.web.middleware import AccessMiddleware
from rookery.web.registry import NotFound, RoomRegistry
from rookery.web.rooms import Refused, Room
from rookery.web.store import Store
from rookery.web.viewers import MAX_BACKLOG, Broadcaster, Viewer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

ADA, BOB = Client("here", "ada"), Client("there", "bob")


def soon(page: Page, done: Any, messages: int = 60) -> None:
    """Listen until something is the case, but not to a server that says the same thing over and over."""
    for _ in range(messages):
        if done(page):
            return
        page.hear()
    raise AssertionError(f"Not after {messages} messages: {page.info['seats']}, {page.shown}")


# ── what was acknowledged ─────────────────────────────────────────────────────────────────────────────────────────────


def test_an_action_after_a_redo_is_there_after_a_crash(tmp_path: Path) -> None:
    arcade = Arcade(tmp_path / "arcade.db")
    ada = arcade.person()
    info = ada.set_up("gaterun", "here", "here")
    with ada.at(info["id"]) as page:
        page.play("1,3")
        page.play("5,3")
        page.ask("undo")
        page.ask("redo")
        page.until(lambda page: page.shown["ply"] == 2)
        assert page.play("2,3")["ply"] == 3
    arcade.end(kill=True)
    arcade.start()
    with ada.at(info["id"]) as page:
        assert [name for name, _ in page.plies] == ["1,3", "5,3", "2,3"] and page.shown["redo"] == 0
    arcade.end()


# ── clocks ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_game_for_one_has_no_clock(ada: Person) -> None:
    with pytest.raises(Refusal, match="clock") as refusal:
        ada.set_up("sixseven", clock={"minutes": 5})
    assert refusal.value.status == 409


def test_the_bot_that_plays_on_for_whoever_ran_out_of_time_has_time(ada: Person) -> None:
    options = {"players": 3, "width": 5, "height": 5}
    info = ada.set_up("gamma", "here", "here", "3", options=options, clock={"minutes": 0.02, "increment": 5})
    with ada.at(info["id"]) as page:
        page.play(page.choices[0])
        soon(page, lambda page: page.shown["ply"] == 3)
        assert [seat["kind"] for seat in page.info["seats"]] == ["person", "bot", "bot"]
        assert page.shown["clock"]["left"][1] > 1_000


# ── requests nobody means well with ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "content",
    [
        b'{"game": "\xff"}',
        b'{"game": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b"\xff\xfe{\x00",
        b'{"game": "\\ud800"}',
    ],
)
def test_what_is_no_text_or_nested_without_end_cannot_be_understood(arcade: Arcade, content: bytes) -> None:
    for path in ("/api/preview", "/api/records", "/api/games"):
        answer = httpx.post(arcade.base + path, content=content, headers={"Content-Type": "application/json"})
        assert answer.status_code == 400 and answer.json()["detail"].endswith("."), path


@pytest.mark.parametrize("origin", ["http://[", "http://]", "//", "http://a]b", "x" * 5000])
def test_an_origin_that_is_no_address_is_another_site(arcade: Arcade, origin: str) -> None:
    answer = httpx.post(arcade.base + "/api/preview", json={"game": "gaterun"}, headers={"Origin": origin})
    assert answer.status_code == 403


def test_a_message_nested_without_end_is_refused_and_the_connection_stays(ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "here")
    with ada.at(info["id"]) as page:
        page.socket.send('{"x": ' + "[" * 2000 + "]" * 2000 + ', "do": "ping"}')
        assert page.hear()["is"] == "refused" and page.ask("ping")["is"] == "pong"


@pytest.mark.parametrize("player", ["bot ²", "bot ", "bot \u202e", "\x00", "bot " + "9" * 500])
def test_a_record_may_name_its_players_anything(ada: Person, player: str) -> None:
    info = ada.set_up("gaterun", "here", "here")
    record = ada.get(f"/api/games/{info['id']}/record")
    brought = ada.post("/api/records", record | {"players": [player, "Bob"]})
    assert ada.get(f"/api/games/{brought['id']}")["seats"][1]["name"] == "Bob"
    assert ada.get("/api/games")["games"]


def test_a_record_that_begins_with_numbers_of_a_million_digits_is_too_large(ada: Person) -> None:
    huge = "0x" + "f" * 900_000
    start = f"{huge},2/.,. 0 4"
    record = {"rookery": 1, "game": "sixseven", "options": {"rows": 2, "cols": 2}, "players": [""], "plies": []}
    with pytest.raises(Refusal, match="too large") as refusal:
        ada.post("/api/records", record | {"start": start})
    assert refusal.value.status == 409


def test_a_board_of_ten_thousand_cells_is_too_large(ada: Person) -> None:
    wish = {"game": "gotham", "options": {"size": 99}}
    for path in ("/api/games", "/api/preview"):
        with pytest.raises(Refusal, match="too large"):
            ada.post(path, wish)
    with pytest.raises(Refusal, match="too large"):
        ada.get("/api/catalogue/gotham/sheet?size=99")
    assert ada.post("/api/preview", {"game": "gamma", "options": {"width": 31, "height": 31}})["players"] == 2


def test_the_cookies_of_other_programs_on_the_same_machine_do_not_matter() -> None:
    identity = Identity([b"one"])
    signed = identity.signed("ada")
    for cookies in (
        f'theme={{"dark": 1}}; rookery={signed}',
        f"rookery={signed}; =; ;;",
        f"rookery=ada.forged; rookery={signed}",
        f"a=b;rookery={signed}",
    ):
        assert identity.person_in(cookies) == "ada", cookies


def test_starting_over_again_and_again_counts_as_setting_up_games(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'arcade.db'}")
    with TestClient(application(store, Limits(creations=Rate(3, 0.001)))) as client:
        info = client.post("/api/games", json={"game": "gaterun"}).json()
        with client.websocket_connect(f"/ws/games/{info['id']}") as socket:
            answers = [restarted(socket) for _ in range(3)]
    store.close()
    assert [answer["is"] for answer in answers] == ["moved", "moved", "refused"]
    assert "Too many" in answers[2]["why"]


def restarted(socket: Any) -> Any:
    socket.send_json({"do": "restart", "ref": 7})
    while (heard := socket.receive_json()).get("ref") != 7:
        pass
    return heard


def test_a_first_visit_is_within_the_limits_of_one_person(tmp_path: Path) -> None:
    """A browser asks for all files of the page: for a game's, and for the others to keep them."""
    store = Store(f"sqlite:///{tmp_path / 'arcade.db'}")
    with TestClient(application(store, Limits.shared_by(1))) as client:
        worker = client.get("/service-worker.js").text
        (base,), (names,) = (re.findall(rf'const {name} = "([^"]*)"', worker) for name in ("BASE", "FILES"))
        paths = ["/", "/play/gaterun", *["/api/catalogue"] * 20, *(f"{base}/{name}" for name in names.split())]
        answers = [client.get(path).status_code for path in paths]
    store.close()
    assert len(answers) > 80 and set(answers) == {200}


def test_connections_count_as_requests() -> None:
    async def work() -> list[str]:
        passed: list[str] = []

        async def app(scope: Any, receive: Any, send: Any) -> None:
            passed.append(scope["type"])

        async def send(message: Any) -> None:
            passed.append(message["type"])

        async def receive() -> Any:
            raise AssertionError("nobody listens")

        middleware = AccessMiddleware(app, Identity([b""]), Limits(requests=Rate(2, 0.001)), lambda path: None)
        for _ in range(3):
            scope: Any = {"type": "websocket", "path": "/ws/games/x", "headers": [], "client": ("1.2.3.4", 5)}
            await middleware(scope, receive, send)
        return passed

    assert asyncio.run(work()) == ["websocket", "websocket", "websocket.close"]


def test_questions_are_answered_one_after_the_other_or_not_at_all(ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "here")
    with ada.at(info["id"]) as page:
        for ref in range(101, 121):
            page.socket.send(json.dumps({"do": "analyse", "ref": ref}))
        answers: dict[int, str] = {}
        while len(answers) < 20:
            heard = page.hear()
            if heard.get("ref", 0) > 100:
                answers[heard["ref"]] = heard["is"]
        assert answers[101] == "analysis" and "refused" in answers.values()
        assert page.ask("analyse")["is"] == "analysis"


def test_an_analysis_that_cannot_wait_is_refused_and_several_of_one_position_are_one(tmp_path: Path) -> None:
    class Full(Bots):
        full = True
        analyses = 0

        async def analyse(self, bot: Any, state: State, token: CancelToken, client: Client) -> Any:
            self.analyses += 1
            if self.full:
                raise Busy
            stopped: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            with token.watched(lambda: stopped.set_exception(Cancelled())):
                await stopped

    async def work() -> None:
        async with opened(tmp_path) as registry:
            registry.bots = bots = Full()
            room, viewer = await begun(registry, "gaterun", "here", "here"), Viewer(ADA)
            await socket._analyse(room, viewer, 7)
            busy = "Too many bots are waiting to think for you, or for your address; try again in a moment."
            assert json.loads(await viewer.next() or b"") == {"is": "refused", "ref": 7, "why": busy}
            bots.full = False
            asking = [asyncio.create_task(socket._analyse(room, viewer, ref)) for ref in (8, 9)]
            await until(lambda: bots.analyses == 2)
            await a_while()
            assert bots.analyses == 2, "the position was analysed twice"
            await room.play(ADA, "1,3", None)
            asking.append(asyncio.create_task(socket._analyse(room, viewer, 10)))
            answers = [json.loads(await viewer.next() or b"") for _ in range(2)]
            assert {(each["ref"], each["why"]) for each in answers} == {
                (8, "The position has changed."),
                (9, "The position has changed."),
            }
            viewer.cancel_analysis()
            await asyncio.wait(asking)

    asyncio.run(work())


def test_rooms_that_wait_for_the_database_keep_nobody_busy_and_are_shown_when_saved() -> None:
    looks, saving = 0, True

    class Lock(asyncio.Lock):
        def locked(self) -> bool:
            nonlocal looks
            looks += 1
            return super().locked()

    class Changing:
        """A room that is being changed, and remembers whether it was shown meanwhile."""

        def __init__(self) -> None:
            self.lock: asyncio.Lock = Lock()
            self.viewers, self.shown = {Viewer(ADA)}, list[bool]()

        def broadcast(self) -> bool:
            self.shown.append(saving)
            return False

    async def work() -> list[Changing]:
        nonlocal saving
        broadcaster, rooms = Broadcaster(), [Changing() for _ in range(3)]
        running = asyncio.create_task(broadcaster.run())
        async with AsyncExitStack() as all_of_them:
            for room in rooms:
                await all_of_them.enter_async_context(room.lock)
            for room in (*rooms, *rooms):
                broadcaster.schedule(room)
                await asyncio.sleep(0.05)
            saving = False
        await asyncio.sleep(0.05)
        running.cancel()
        return rooms

    assert [room.shown for room in asyncio.run(work())] == [[False]] * 3
    assert looks == 6, "once for each time that they were scheduled"


def test_a_viewer_who_does_not_read_is_not_waited_for() -> None:
    async def work() -> int:
        viewer = Viewer(ADA)
        for _ in range(100):
            viewer.send(b" " * (MAX_BACKLOG // 10))
        return sum(len(viewer.outbox.get_nowait() or b"") for _ in range(viewer.outbox.qsize()))

    assert asyncio.run(work()) <= MAX_BACKLOG


# ── games that are no longer offered ──────────────────────────────────────────────────────────────────────────────────


def test_a_game_that_is_no_longer_offered_is_not_in_the_way(tmp_path: Path) -> None:
    arcade = Arcade(tmp_path / "arcade.db")
    ada = arcade.person()
    kept, gone = ada.set_up("gaterun", "here", "here"), ada.set_up("gaterun", "here", "here")
    ada.post(f"/api/games/{gone['id']}/actions", {"action": "1,3"})
    arcade.end()
    arcade.sql("update games set game = 'chess' where id = :id", id=gone["id"])
    arcade.start()
    assert [each["id"] for each in ada.get("/api/games")["games"]] == [kept["id"]]
    for path in ("", "/record", "/frames"):
        with pytest.raises(Refusal, match="no longer offered") as refusal:
            ada.get(f"/api/games/{gone['id']}{path}")
        assert refusal.value.status == 404
    with pytest.raises(ConnectionClosed) as closed, ada.at(gone["id"]):
        pass
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 4404
    exported = {each["id"]: each["record"] for each in ada.get("/api/me/export")["games"]}
    assert exported[gone["id"]]["game"] == "chess" and exported[gone["id"]]["plies"] == ["1,3"]
    arcade.end()
    assert arcade.log.read_text() == ""


# ── the daily challenge ───────────────────────────────────────────────────────────────────────────────────────────────


def test_the_games_of_others_in_a_challenge_can_be_watched_when_its_day_is_over(
    arcade: Arcade, ada: Person, bob: Person
) -> None:
    hers = ada.post("/api/daily/gotham")["id"]
    with ada.at(hers) as page:
        play_out(page)
    his = bob.post("/api/daily/gotham")["id"]
    with bob.at(his) as page:
        play_out(page)
    assert {row["id"] for row in bob.get("/api/daily/gotham/board")["rows"]} == {None, his}
    for path in ("", "/record", "/frames"):
        with pytest.raises(Refusal, match="can be seen tomorrow"):
            bob.get(f"/api/games/{hers}{path}")
    for table, column in (("games", "id"), ("feats", "game_id")):
        arcade.sql(f"update {table} set day = '2026-11-01' where {column} in (:hers, :his)", hers=hers, his=his)  # noqa: S608
    rows = bob.get("/api/daily/gotham/board?day=2026-11-01")["rows"]
    assert {row["id"] for row in rows} == {hers, his}


# ── people who go ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_bot_stops_thinking_when_its_game_is_deleted(tmp_path: Path) -> None:
    arcade = Arcade(tmp_path / "arcade.db")
    ada = arcade.person()
    info = ada.set_up("gaterun", "here", "minimax:depth=8,ms=600")
    with ada.at(info["id"]) as page:
        page.play("1,3")
        ada.ask("DELETE", "/api/me")
    time.sleep(1.5)
    arcade.end()
    assert arcade.log.read_text() == ""


def test_a_bot_plays_on_for_somebody_who_was_forgotten_among_three(arcade: Arcade, ada: Person, bob: Person) -> None:
    cid = arcade.person()
    info = ada.set_up("gamma", "here", "invite", "invite", options={"players": 3, "width": 5, "height": 5})
    for person in (bob, cid):
        person.post(f"/api/games/{info['id']}/join", {"token": info["invite"].partition("#")[2]})
    ada.ask("DELETE", "/api/me")
    with bob.at(info["id"]) as page:
        page.until(lambda page: page.shown["mine"])
        assert page.info["seats"][0]["kind"] == "bot" and page.shown["ply"] == 1


# ── at the same moment ────────────────────────────────────────────────────────────────────────────────────────────────


class Bots(BotPool):
    """Bots that answer when they are told to."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked: list[tuple[State, asyncio.Future[int]]] = []

    async def choose(
        self, bot: Any, state: State, stream: Any, token: CancelToken, client: Client, *, wait: Any
    ) -> int:
        answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.asked.append((state, answer))
        return await answer


class Gate:
    """Holds up what is written, or refuses it."""

    def __init__(self, store: Store) -> None:
        self.open = asyncio.Event()
        self.open.set()
        self.broken = False
        self._write = store.write
        store.write = self.write  # type: ignore[method-assign]

    async def write(self, work: Any, key: str = "") -> Any:
        await self.open.wait()
        if self.broken:
            raise OSError("The disk is full.")
        return await self._write(work, key)


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[RoomRegistry]:
    store = Store(f"sqlite:///{path / 'registry.db'}")
    registry = RoomRegistry(store)
    registry.bots = Bots()
    try:
        yield registry
    finally:
        registry.close()
        store.close()


async def begun(registry: RoomRegistry, name: str, *seats: str, **more: Any) -> Room:
    wishes = [SeatSetup(each) if each in ("here", "invite") else SeatSetup("bot", each) for each in seats]  # type: ignore[arg-type]
    return await new_games.set_up(registry, ADA, NewGame(name, seats=wishes, **more))


async def a_while() -> None:
    """Long enough for what must not happen to happen."""
    await asyncio.sleep(0.2)


async def until(done: Any) -> None:
    """Wait for what must happen."""
    for _ in range(1000):
        if done():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("It did not happen.")


def asked(registry: RoomRegistry) -> list[tuple[State, asyncio.Future[int]]]:
    assert isinstance(registry.bots, Bots)
    return registry.bots.asked


def test_a_bot_does_not_play_what_it_thought_of_another_position(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(tmp_path) as registry:
            room = await begun(registry, "gaterun", "here", "5")
            await room.play(ADA, "1,3", None)
            await until(lambda: len(asked(registry)) == 1)
            await room.undo("ada")
            await room.play(ADA, "5,3|6,3", None)  # a wall before the bot, which then cannot step there
            (_, first), *_ = asked(registry)
            first.set_result(room.live.game.action("5,3"))
            await until(lambda: len(asked(registry)) == 2)
            assert room.live.ply == 1
            state, second = asked(registry)[1]
            assert [room.live.game.name_of(each) for each in state.history] == ["5,3|6,3"]
            second.set_result(room.live.game.action("6,2"))
            await until(lambda: len(room.stored.plies) == 2)
            assert room.stored.plies == ["5,3|6,3", "6,2"]

    asyncio.run(work())


def test_what_is_not_saved_yet_is_told_nobody(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(tmp_path) as registry:
            room = await begun(registry, "gamma", "here", "here", options={"width": 3, "height": 3})
            gate = Gate(registry.store)
            gate.open.clear()
            playing = asyncio.create_task(room.play(ADA, "m 0 0", None))
            await a_while()
            looking = asyncio.create_task(registry.info(room.stored, "bob"))
            asking = asyncio.create_task(room.why([(2, 0)]))
            await a_while()
            assert not playing.done() and not looking.done() and not asking.done()
            gate.open.set()
            assert (await looking).scores == [1, 0] and await asking and await playing == 1

    asyncio.run(work())


def test_a_clock_runs_on_when_a_move_could_not_be_saved(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(tmp_path) as registry:
            room = await begun(registry, "gaterun", "here", "here", clock=ClockSetup(1.0, 100.0))
            gate = Gate(registry.store)
            await room.play(ADA, "1,3", None)
            gate.broken = True
            for _ in range(3):
                with pytest.raises(NotSaved):
                    await room.play(ADA, "5,3", None)
            with pytest.raises(NotSaved):
                await room.resign("ada")
            assert room.live.clock is not None and room.live.clock.running == 2
            assert room.live.clock.now()[1] <= 60_000 and room.live.ply == 1
            gate.broken = False
            await room.play(ADA, "5,3", None)
            assert room.live.clock.left[1] > 150_000

    asyncio.run(work())


def test_whoever_runs_out_of_time_while_the_disk_is_full_loses_later(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr("rookery.web.driver.RETRY", 0.05)

    async def work() -> None:
        async with opened(tmp_path) as registry:
            room = await begun(registry, "gaterun", "here", "here", clock=ClockSetup(0.002))
            gate = Gate(registry.store)
            await room.play(ADA, "1,3", None)
            gate.broken = True
            await asyncio.sleep(0.3)
            assert room.stored.status == "playing"
            gate.broken = False
            await until(lambda: room.stored.ending == {"how": "time", "player": 2})

    asyncio.run(work())


def test_a_room_of_somebody_who_was_forgotten_is_left_for_a_new_one(tmp_path: Path) -> None:
    async def work() -> None:
        async with opened(tmp_path) as registry:
            options = {"players": 3, "width": 4, "height": 4}
            room = await begun(registry, "gamma", "here", "invite", "5", options=options)
            await room.join("bob", room.stored.token)
            await room.play(ADA, "m 0 0", None)
            await room.play(BOB, "m 3 3", None)
            await until(lambda: len(asked(registry)) == 1)
            await registry.delete_person("ada")
            fresh = await registry.room(room.stored.id, ADA)
            assert fresh is not room and "ada" not in fresh.stored.people
            fresh.driver.wake()
            await until(lambda: len(asked(registry)) == 2)
            (_, old), (_, new) = asked(registry)
            old.set_result(room.live.game.action("m 1 0"))
            await a_while()
            with pytest.raises(Refused):
                await room.play(BOB, "m 3 2", None)
            new.set_result(room.live.game.action("m 1 0"))
            await until(lambda: fresh.stored.plies[2:] == ["m 1 0"])

    asyncio.run(work())


def test_a_long_game_does_not_keep_other_rooms_shut(tmp_path: Path, monkeypatch: Any) -> None:
    async def work() -> None:
        async with opened(tmp_path) as registry:
            long, short = (
                await begun(registry, "gaterun", "here", "here"),
                await begun(registry, "gaterun", "here", "here"),
            )
            registry.rooms().clear()

            def slow(stored: Any, store: Any) -> LiveGame:
                if stored.id == long.stored.id:
                    time.sleep(1.5)
                return LiveGame(stored, store)

            monkeypatch.setattr("rookery.web.registry.LiveGame", slow)
            waiting = [asyncio.create_task(registry.room(long.stored.id, ADA)) for _ in range(2)]
            await a_while()
            await asyncio.wait_for(registry.room(short.stored.id, ADA), 1)
            with pytest.raises(NotFound):
                await asyncio.wait_for(registry.room("nowhere", ADA), 1)
            assert not waiting[0].done()
            assert await waiting[0] is await waiting[1]

    asyncio.run(work())


def test_looking_back_over_a_long_game_does_not_hold_up_the_server(tmp_path: Path, monkeypatch: Any) -> None:
    async def work() -> None:
        async with opened(tmp_path) as registry:
            room = await begun(registry, "gaterun", "here", "here")
            monkeypatch.setattr(State, "scene", lambda state, **_: time.sleep(1))
            looking = asyncio.create_task(socket._earlier_scene(room, Viewer(ADA), 0))
            before = time.monotonic()
            await asyncio.sleep(0.01)
            assert time.monotonic() - before < 0.5
            await looking

    asyncio.run(work())


def test_no_bot_thinks_longer_than_people_are_patient() -> None:
    budgets = []

    class Eager:
        def __init__(self, spec: str) -> None:
            made = make_bot(find("gaterun"), spec)
            self.ms, self.nodes, self.name = made.ms, made.nodes, spec

        def ready(self, game: Any) -> None: ...

        def choose(self, state: Any, budget: Any, stream: Any) -> int:
            budgets.append((budget.ms, budget.nodes))
            return 0

    async def work() -> None:
        pool = BotPool(1)
        for spec in ("minimax:ms=3600000", "minimax:nodes=9007199254740992", "minimax:depth=8", "minimax:ms=50"):
            bot: Any = Eager(spec)
            await pool.choose(bot, game("gaterun").start(), Stream(1), CancelToken(), ADA, wait=None)
        pool.close()

    asyncio.run(work())
    assert [ms for ms, _ in budgets] == [MOVE_MS, MOVE_MS, MOVE_MS, 50]


def test_an_error_of_the_database_does_not_tell_what_was_to_be_written(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'store.db'}")

    async def work() -> None:
        statement = text("insert into people (id, name) values (:id, :name)")
        await store.write(lambda connection: connection.execute(statement, {"id": "ada's secret", "name": "Ada"}))

    with pytest.raises(Exception, match="NOT NULL") as problem:
        asyncio.run(work())
    store.close()
    assert "secret" not in str(problem.value)


def test_somebody_with_very_many_games_can_still_be_shown_and_forgotten(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(repository, "BATCH", 20, raising=False)
    store = Store(f"sqlite:///{tmp_path / 'store.db'}")
    with store.engine.begin() as connection:
        assert connection.connection.dbapi_connection is not None
        stored = StoredGame("x", "gaterun", {}, 1, "ada", [Seat(1, "person", holder="ada")])
        for number in range(40):
            stored.id = f"game {number}"
            repository.add(connection, stored)
        connection.connection.dbapi_connection.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 30)
        assert len(repository.games_of(connection, "ada", 1000)) == 40
        repository.delete_person(connection, "ada", 1.0)
        assert repository.games_of(connection, "ada", 1000) == []
    store.close()


def test_a_request_that_is_still_coming_does_not_hold_the_server_up(tmp_path: Path) -> None:
    """It is dropped when the server stops, and nothing is in the log."""
    arcade = Arcade(tmp_path / "arcade.db")
    with create_connection(("127.0.0.1", int(arcade.port))) as visitor:
        head = "POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
        visitor.sendall(head.encode())
        time.sleep(0.5)
        arcade.end()
    assert arcade.process.returncode == 0
    assert arcade.log.read_text() == ""
