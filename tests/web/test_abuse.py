"""One visitor must not spoil it for the others: connections, bots' time, uploads, addresses, names, watchers."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from contextlib import ExitStack, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from sqlalchemy import insert, select
from tests.web.arcade import Arcade, Person, Refusal, behind_no_proxy, get
from websockets.exceptions import ConnectionClosed

from rookery.core.bot import make_bot
from rookery.core.errors import RookeryError
from rookery.core.stream import Stream
from rookery.games import find, game
from rookery.search.cancel import Cancelled, CancelToken
from rookery.web import repository
from rookery.web.audience import PRESENCE
from rookery.web.bot_pool import BotPool, Estimates
from rookery.web.domain import Seat, StoredGame
from rookery.web.fair_queue import SHORT, Bound, Busy, Client, FairQueue
from rookery.web.front import network
from rookery.web.identity import YEAR, Identity
from rookery.web.limits import Limits, TooMany
from rookery.web.middleware import Hosts
from rookery.web.names import checked_name
from rookery.web.quotas import DailyQuota
from rookery.web.schema import games, quotas, seats
from rookery.web.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def raw(arcade: Arcade, data: bytes = b"") -> socket.socket:
    """A connection to a server itself that has sent these bytes."""
    connection = socket.create_connection(("127.0.0.1", int(arcade.ports[0])), timeout=20)
    if data:
        connection.sendall(data)
    return connection


# ── connections ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_header_that_does_not_end_is_refused_early(arcade: Arcade, ada: Person) -> None:
    sent = 0
    with raw(arcade, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ") as connection, suppress(ConnectionError):
        for _ in range(400):
            connection.sendall(b"x" * 65_536)
            sent += 1
            time.sleep(0.001)
    assert sent < 400, "26 MB of a header were taken"
    assert ada.get("/api/health")["status"] == "ok"


@behind_no_proxy
def test_requests_that_are_never_finished_make_room_for_others(arcade: Arcade, ada: Person) -> None:
    most = Limits().waiting
    with ExitStack() as open_ones:
        begun = [open_ones.enter_context(raw(arcade, b"GET / HTTP/1.1\r\nHost: x")) for _ in range(most + 20)]
        assert ada.get("/api/health")["status"] == "ok"
        dropped = 0
        for connection in begun[:20]:
            connection.settimeout(5)
            try:
                dropped += connection.recv(1) == b""
            except ConnectionError:
                dropped += 1
        assert dropped == 20


def test_control_frames_count_as_messages(ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "here")
    with ada.at(info["id"]) as page, pytest.raises(ConnectionClosed):  # noqa: PT012
        for _ in range(20_000):
            page.socket.ping()
        while True:
            page.hear()


def test_one_customer_of_an_ipv6_provider_is_one_address() -> None:
    assert network("2001:db8:1:2::1") == network("2001:db8:1:2:ffff::7") != network("2001:db8:1:3::1")
    assert network("::ffff:192.0.2.1") == network("192.0.2.1") == "192.0.2.1"
    assert network("fe80::1%eth0") == "fe80::/64" and network("") == ""


# ── who asks, and whom ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_page_of_another_name_is_not_answered(arcade: Arcade, ada: Person) -> None:
    port, info = arcade.ports[0], ada.set_up("gaterun", "here", "here")
    for name in ("evil.example", f"evil.example:{port}", "", "127.0.0.1.evil.example", "[::2]"):
        headers = {"Host": name, "Origin": f"http://{name}", "Cookie": ada.cookie}
        answer = httpx.post(f"{arcade.direct}/api/games/{info['id']}/actions", json={"action": "1,3"}, headers=headers)
        assert answer.status_code == 421 and "--allowed-host" in answer.json()["detail"], name
    for name in (f"localhost:{port}", "LOCALHOST", "localhost.", f"[::1]:{port}", "127.0.0.1"):
        assert get(f"{arcade.direct}/api/health", headers={"Host": name}).status_code == 200, name


def test_hosts_of_a_server_for_all_may_be_any_address_but_no_foreign_name() -> None:
    hosts = Hosts(["arcade.example"], addresses=True)
    for name in ("arcade.example:8067", "192.0.2.7", "[2001:db8::1]:80"):
        assert hosts.allow(name)
    for name in ("evil.example", "", "192.0.2.7.evil.example", "[evil"):
        assert not hosts.allow(name)
    assert Hosts(["*"]).allow("whatever")


FORWARDED = {"X-Forwarded-For": "192.0.2.9", "X-Forwarded-Proto": "https"}


def test_nobody_but_a_trusted_proxy_says_for_whom_it_asks(arcade: Arcade) -> None:
    answer = get(arcade.base + "/", headers=FORWARDED)
    assert answer.headers["set-cookie"].startswith("rookery=")
    assert "strict-transport-security" not in answer.headers


def test_behind_a_trusted_proxy_cookies_are_of_tls_only(tmp_path: Path) -> None:
    arcade = Arcade(tmp_path / "arcade.db", "--trusted-proxy", "127.0.0.1", "--allowed-host", "arcade.example")
    answer = get(arcade.base + "/", headers=FORWARDED | {"Host": "arcade.example"})
    cookie = answer.headers["set-cookie"]
    assert answer.status_code == 200 and "strict-transport-security" in answer.headers
    assert cookie.startswith("__Host-rookery=") and "Secure" in cookie and "Path=/" in cookie
    value = cookie.partition(";")[0]
    told = [
        get(f"{arcade.base}/api/me", headers={"Cookie": value} | each).headers.get("set-cookie")
        for each in (FORWARDED, {})
    ]
    assert told[0] is None and told[1] is not None, "a cookie of TLS must count under TLS only"
    arcade.end()
    assert arcade.log.read_text() == ""


def test_a_cookie_is_valid_for_a_year_and_for_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = Identity([b"old"]), Identity([b"new", b"old"])
    assert new.person_in(f"rookery={old.signed('ada')}") == "ada"
    assert Identity([b"new"]).person_in(f"rookery={old.signed('ada')}") is None
    assert old.person_in(f"rookery={old.signed('ada', time.time() - YEAR - 1)}") is None
    assert old.person_in(f"rookery={old.signed('ada', time.time() - YEAR + 60)}") == "ada"
    assert old.person_in(f"rookery={old.signed('ada', time.time() + YEAR)}") is None
    assert Identity([b"old"], {"ada"}).person_in(f"rookery={old.signed('ada')}") is None
    person, issued, mark = old.signed("ada").split(".")
    assert old.person_in(f"rookery={person}.{int(issued, 16) + 1:x}.{mark}") is None


def test_whoever_deletes_themselves_is_nobody_afterwards(arcade: Arcade, ada: Person) -> None:
    ada.ask("PATCH", "/api/me", {"name": "Ada"})
    cookie = ada.cookie
    ada.ask("DELETE", "/api/me")
    for _ in range(2):
        answer = get(arcade.base + "/api/me", headers={"Cookie": cookie})
        assert answer.json()["name"] == "" and "set-cookie" in answer.headers


# ── bots' time ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def queue() -> Iterator[FairQueue]:
    made = FairQueue(2, quick=1, name="test")
    yield made
    made.close()


def test_a_greedy_visitor_waits_and_the_others_do_not(queue: FairQueue) -> None:
    """Twenty long jobs of one visitor do not keep another's long or short work waiting for more than one of them."""
    order: list[str] = []
    gate = threading.Event()

    def job(name: str) -> Any:
        def work() -> None:
            if name == "greedy 0":
                gate.wait(5)
            order.append(name)

        return work

    async def run() -> None:
        greedy = [asyncio.ensure_future(queue.run(job(f"greedy {k}"), Client("a", "x"), 5.0)) for k in range(20)]
        await asyncio.sleep(0.05)
        await asyncio.wait_for(queue.run(job("short"), Client("b", "y"), 0.01), 5)
        await asyncio.wait_for(queue.run(job("long"), Client("b", "y"), 5.0), 5)
        assert order == ["short", "long"], "one visitor had all threads"
        gate.set()
        await asyncio.gather(*greedy)

    asyncio.run(run())
    assert order[2:] == [f"greedy {k}" for k in range(20)]


def test_turns_go_round_and_analyses_come_last() -> None:
    order: list[str] = []

    def job(name: str) -> Any:
        def work() -> None:
            order.append(name)
            time.sleep(0.01)

        return work

    async def run() -> None:
        queue = FairQueue(1, quick=0, name="test")
        first = asyncio.ensure_future(queue.run(lambda: time.sleep(0.1), Client("a", "x"), 1.0))
        await asyncio.sleep(0.02)
        jobs = [asyncio.ensure_future(queue.run(job("hint"), Client("c", "z"), 1.0, later=True))]
        jobs += [asyncio.ensure_future(queue.run(job("x"), Client("a", "x"), 1.0)) for _ in range(3)]
        jobs += [asyncio.ensure_future(queue.run(job("y"), Client("b", "y"), 1.0)) for _ in range(3)]
        await asyncio.gather(first, *jobs)
        queue.close()

    asyncio.run(run())
    assert order[-1] == "hint" and order[0] == "y", order
    assert order.index("x") < 5, "the turns did not go round"


def test_work_that_fails_or_is_given_up_harms_no_other(queue: FairQueue) -> None:
    def fail() -> None:
        raise ValueError("no")

    async def run() -> None:
        with pytest.raises(ValueError, match="no"):
            await queue.run(fail, Client(), 0.0)
        given_up = asyncio.ensure_future(queue.run(lambda: time.sleep(0.05), Client(), 0.0))
        await asyncio.sleep(0)
        given_up.cancel()
        assert await asyncio.wait_for(queue.run(lambda: 7, Client(), 0.0), 5) == 7

    asyncio.run(run())


def test_a_visitor_with_too_much_waiting_is_told_so_and_the_others_are_not() -> None:
    gate = threading.Event()

    async def run() -> None:
        queue = FairQueue(1, quick=0, name="test", bound=Bound(person=3, address=5))
        running = asyncio.ensure_future(queue.run(lambda: gate.wait(10), Client("z", "z")))
        await asyncio.sleep(0.05)
        waiting = [asyncio.ensure_future(queue.run(lambda: None, Client("a", who))) for who in "xxxyy"]
        await asyncio.sleep(0)
        for who in "xy":  # three of a person, five of an address
            with pytest.raises(Busy, match=r"^Too many bots are waiting .* try again in a moment\.$"):
                await queue.run(lambda: None, Client("a", who))
        elsewhere = asyncio.ensure_future(queue.run(lambda: 7, Client("b", "x")))
        await asyncio.sleep(0)
        assert not elsewhere.done()
        gate.set()
        assert await elsewhere == 7
        await asyncio.gather(running, *waiting)
        assert await queue.run(lambda: 8, Client("a", "x")) == 8, "there is room again"
        queue.close()

    asyncio.run(run())


def test_what_nobody_wants_any_more_leaves_the_queue_at_once() -> None:
    gate, done = threading.Event(), list[str]()

    async def run() -> None:
        queue = FairQueue(1, quick=0, name="test", bound=Bound(person=2, address=2))
        ada, tokens = Client("a", "ada"), [CancelToken() for _ in range(2)]
        running = asyncio.ensure_future(queue.run(lambda: gate.wait(10), ada))
        await asyncio.sleep(0.05)
        jobs = [asyncio.ensure_future(queue.run(lambda: done.append("job"), ada, token=each)) for each in tokens]
        await asyncio.sleep(0)
        tokens[0].cancel()
        with pytest.raises(Cancelled):
            await jobs[0]
        jobs[1].cancel()
        await asyncio.sleep(0)
        again = [asyncio.ensure_future(queue.run(lambda: done.append("again"), ada)) for _ in range(2)]
        await asyncio.sleep(0)
        gate.set()
        await asyncio.gather(running, *again)
        with pytest.raises(Cancelled):
            await queue.run(lambda: done.append("late"), ada, token=tokens[0])
        queue.close()

    asyncio.run(run())
    assert done == ["again", "again"]


def test_what_a_bot_takes_is_expected_of_that_bot_alone_and_without_the_queue() -> None:
    board, mine, greedy = (
        game("gaterun"),
        make_bot(find("gaterun"), "3"),
        make_bot(find("gaterun"), "alphabeta:nodes=1"),
    )
    estimates = Estimates()
    assert (
        estimates.of(mine, board) <= SHORT < estimates.of(make_bot(find("gaterun"), "alphabeta:nodes=2000000"), board)
    )
    estimates.note(greedy, board, 5.0)
    assert estimates.of(greedy, board) > SHORT and estimates.of(mine, board) <= SHORT

    async def wait_long() -> None:
        pool = BotPool(1)
        bot = make_bot(find("gaterun"), "alphabeta:nodes=9000")  # expected to be long
        busy = [
            asyncio.ensure_future(pool._queue.run(lambda: time.sleep(0.4), Client("a", "x"), 1.0)) for _ in range(2)
        ]
        await asyncio.sleep(0.01)
        await pool.choose(bot, board.start(), Stream(1), CancelToken(), Client("b", "y"), wait=None)
        await asyncio.gather(*busy)
        assert pool._estimates.of(bot, board) < 0.3, "the time in the queue was counted"
        pool.close()

    bot = make_bot(find("gaterun"), "alphabeta:nodes=9000")
    bot.ready(board)
    bot.choose(board.start(), stream=Stream(1))
    asyncio.run(wait_long())


def test_bots_of_one_visitor_do_not_keep_those_of_another_from_answering(arcade: Arcade) -> None:
    """Ten games of eight players with seven bots that think for five seconds each; a level 3 bot still replies."""
    greedy, ada = arcade.person(), arcade.person()
    info = ada.set_up("gaterun", "here", "3")
    with ada.at(info["id"]) as page:
        page.play(page.choices[0])
        page.until(lambda page: page.shown["mine"])
    for _ in range(10):
        seats = ["here", *["mcts:ms=5000"] * 7]
        game = greedy.set_up("gamma", *seats, options={"players": 8})
        greedy.post(f"/api/games/{game['id']}/actions", {"action": "m 0 0"})
    with ada.at(info["id"]) as page:
        page.until(lambda page: page.shown["mine"])
        waits = []
        for _ in range(5):
            began = time.monotonic()
            page.play(page.choices[0])
            page.until(lambda page: page.shown["mine"] or page.over)
            waits.append(time.monotonic() - began)
    assert max(waits) < 4, waits
    began = time.monotonic()
    greedy.ask("DELETE", "/api/me")
    assert time.monotonic() - began < 4


def test_the_server_ends_at_once_while_bots_think(tmp_path: Path) -> None:
    arcade = Arcade(tmp_path / "arcade.db")
    ada = arcade.person()
    for spec in ("planner:nodes=2000000", "planner:ms=5000"):
        ada.set_up("gotham", spec)
    with ExitStack() as watching:
        for game in ada.get("/api/games")["games"]:
            watching.enter_context(ada.at(game["id"]))
        time.sleep(1)
    began = time.monotonic()
    arcade.end()
    assert time.monotonic() - began < 5 and arcade.log.read_text() == ""


# ── quotas ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_day_has_its_ceilings_for_a_person_and_for_an_address(tmp_path: Path) -> None:
    async def take(store: Store) -> None:
        quota = DailyQuota(store, Limits(games_a_day=2, people=2))
        for person in ("ada", "ada", "bob", "bob"):
            await quota.take("games", Client("192.0.2.1", person))
        for person, address in (("ada", "192.0.2.2"), ("cid", "192.0.2.1")):
            with pytest.raises(TooMany, match="That is enough games for one day"):
                await quota.take("games", Client(address, person))
        await quota.take("games", Client("192.0.2.2", "cid"))
        today = store.now()
        store.now = lambda: today + 24 * 3600  # type: ignore[method-assign]
        await quota.take("games", Client("192.0.2.1", "ada"))
        await quota.forget()
        with store.engine.connect() as connection:
            assert len(connection.execute(select(quotas.c.who)).all()) == 2

    store = Store(f"sqlite:///{tmp_path / 'quotas.db'}")
    asyncio.run(take(store))
    store.close()


def test_a_record_that_goes_to_and_fro_for_ever_is_too_long(ada: Person) -> None:
    plies = ["1,3", "5,3", "0,3", "6,3"] * 1300
    record = {"rookery": 1, "game": "gaterun", "options": {}, "players": ["a", "b"], "plies": plies}
    with pytest.raises(Refusal, match="too long for the arcade"):
        ada.post("/api/records", record)


def test_statistics_of_many_games_are_counted_by_the_database(arcade: Arcade, ada: Person) -> None:
    won = ada.set_up("gaterun", "here", "1")
    person = ada.cookie.partition("=")[2].partition(".")[0]
    with arcade.transaction() as database:
        row = dict(database.execute(select(games).where(games.c.id == won["id"])).mappings().one())
        row |= {"status": "over", "result": {"winners": [1], "scores": [1, 0]}}
        many = [f"many{number}" for number in range(3000)]
        database.execute(insert(games), [row | {"id": id} for id in many])
        held = {"number": 1, "kind": "person", "holder": person, "name": ""}
        outcomes = ("won", "lost", "drawn")
        database.execute(
            insert(seats), [held | {"game_id": id, "outcome": outcomes[k % 3]} for k, id in enumerate(many)]
        )
    began = time.monotonic()
    stats = ada.get("/api/me")["games"]["gaterun"]
    assert (stats["played"], stats["won"], stats["lost"], stats["drawn"]) == (3001, 1000, 1000, 1000)
    assert time.monotonic() - began < 2


def test_the_lobby_is_not_filled_by_one_person(ada: Person, bob: Person) -> None:
    for _ in range(3):
        ada.set_up("gaterun", "here", "invite", listed=True)
    with pytest.raises(Refusal, match="wait in the lobby already") as refusal:
        ada.set_up("gaterun", "here", "invite", listed=True)
    assert refusal.value.status == 429
    ada.set_up("gaterun", "here", "invite")
    assert bob.set_up("gaterun", "here", "invite", listed=True)["listed"]


# ── names ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "name",
    [
        *(
            "You",
            "y o u 1",
            "YOU!",
            "Level 10 bot",
            "Casual bot",
            "e4sy b0t 2",
            "bot 10",
            "Bot",
            "b0t",
            "level 3",
            "Somebody",
            "Open seat",
        ),
        *("Player 2", "Rookery", "Admin", "\u200b\u2060", "\u00ad", "a" + "\u0301" * 39, "Аdа Lovelace", "pаypal"),
        *("—", "ｙｏｕ", "🂡"),
    ],
)
def test_names_that_mislead_are_refused_in_a_sentence(ada: Person, name: str) -> None:
    with pytest.raises(Refusal) as refusal:
        ada.ask("PATCH", "/api/me", {"name": name})
    assert refusal.value.status in (400, 409) and refusal.value.why.endswith(".")


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Zoë", "Zoë"),
        ("  Ann\u200b  Lee ", "Ann Lee"),
        ("ｆｕｌｌ ｗｉｄｔｈ", "full width"),
        ("Дмитрий 7", "Дмитрий 7"),
        ("山田 たろう", "山田 たろう"),
        ("김철수", "김철수"),
        ("नमस्ते", "नमस्ते"),
        ("Botticelli", "Botticelli"),
        ("Abbot 12", "Abbot 12"),
        ("Youssef", "Youssef"),
        ("★ Nova ★", "★ Nova ★"),
        ("", ""),
    ],
)
def test_names_of_people_everywhere_are_kept(name: str, kept: str) -> None:
    assert checked_name(name) == kept


def test_a_name_without_anything_to_see_is_said_to_be_one() -> None:
    with pytest.raises(RookeryError, match="can be seen"):
        checked_name("\u200b\u2060")


# ── watchers ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_those_who_come_are_told_of_together(arcade: Arcade, ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "here")
    with ada.at(info["id"]) as page, ExitStack() as watching:
        began = time.monotonic()
        for _ in range(40):
            watching.enter_context(arcade.person().at(info["id"]))
        heard = 0
        while page.info["watchers"] < 40:
            page.hear()
            heard += 1
        most = 2 + (time.monotonic() - began) / PRESENCE
        assert heard <= most, f"{heard} messages for 40 watchers, where {most:.0f} may be sent in that time"
        page.play(page.choices[0])
        assert page.shown["ply"] == 1


# ── the store behind the back ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_room_whose_game_was_changed_elsewhere_loads_it_anew(arcade: Arcade, ada: Person) -> None:
    info = ada.set_up("gaterun", "here", "here")
    arcade.sql("insert into plies (game_id, number, name) values (:id, 0, '1,3')", id=info["id"])
    arcade.sql("update games set version = 1 where id = :id", id=info["id"])
    play = f"/api/games/{info['id']}/actions"
    # Servers on PostgreSQL compare games with the database, and may know already.
    with pytest.raises(Refusal, match=r"has moved on|other pawn") as refusal:
        ada.post(play, {"action": "1,3"})
    assert refusal.value.status == 409
    assert ada.get(f"/api/games/{info['id']}")["plies"] == 1
    ada.post(play, {"action": "5,3"})
    assert ada.get(f"/api/games/{info['id']}/record")["plies"] == ["1,3", "5,3"]


def test_a_challenge_closes_at_midnight(arcade: Arcade, ada: Person) -> None:
    id = ada.post("/api/daily/gotham")["id"]
    with arcade.transaction() as database:
        row = dict(database.execute(select(games).where(games.c.id == id)).mappings().one())
        database.execute(insert(games).values(row | {"id": "yesterday", "day": "2026-01-01"}))
        for seat in database.execute(select(seats).where(seats.c.game_id == id)).mappings().all():
            database.execute(insert(seats).values({**seat, "game_id": "yesterday"}))
    with ada.at("yesterday") as page:
        answer = page.ask("play", action=page.choices[0])
        assert answer["is"] == "refused" and answer["why"] == "The day of this challenge is over."
    with ada.at(id) as page:
        assert page.play(page.choices[0])["is"] == "ack"


def test_games_with_the_same_moves_are_marked_on_the_board(arcade: Arcade) -> None:
    def played(person: Person, last: int) -> None:
        with person.at(person.post("/api/daily/sixseven")["id"]) as page:
            while not page.over:
                page.play(page.choices[last if len(page.choices) > 1 else 0])

    for last in (0, 0, -1):
        played(arcade.person(), last)
    rows = arcade.person().get("/api/daily/sixseven/board")["rows"]
    assert sorted(row["same"] for row in rows) == [False, True, True]


def test_old_games_are_deleted_if_the_operator_wants_so(tmp_path: Path) -> None:
    """Servers on PostgreSQL do that once an hour, and not when they start."""
    url = f"sqlite:///{tmp_path / 'arcade.db'}"
    store = Store(url)
    for id, age in (("old", 40), ("fresh", 20)):
        stored = StoredGame(id, "gaterun", {}, 0, "ada", [Seat(1, "person", holder="ada"), Seat(2, "bot", bot="3")])
        stored.changed = time.time() - age * 24 * 3600
        asyncio.run(store.write(partial(repository.add, stored=stored)))
    store.close()
    arcade = Arcade(tmp_path / "arcade.db", "--db", url, "--keep-days", "30")
    try:
        ada = arcade.person()

        def answer() -> str:
            try:
                return str(ada.get("/api/games/old")["status"])
            except Refusal as refusal:
                return refusal.why

        end = time.monotonic() + 20
        while (old := answer()) != "There is no game at this address." and time.monotonic() < end:
            time.sleep(0.05)
        assert old == "There is no game at this address.", arcade.log.read_text()
        assert ada.get("/api/games/fresh")["status"] == "playing"
    finally:
        arcade.end()
