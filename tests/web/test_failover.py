"""PostgreSQL has a standby that takes over, while people play: what was acknowledged is there, and servers find the new
primary by themselves. Both are real, and the primary waits for the standby before it confirms a commit.
"""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import psycopg
import pytest
from tests.web.arcade import PATIENCE, Arcade, Page, Person, Refusal, get
from tests.web.postgres import Postgres
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from rookery.core.errors import RookeryError
from rookery.web import repository
from rookery.web import store as store_module
from rookery.web.database import parsed, without_password
from rookery.web.domain import Seat, StoredGame
from rookery.web.postgres import address
from rookery.web.store import Store, Unanswered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection

WORD = "unsaid"  # pragma: allowlist secret
TO_AND_FRO = ("1,3", "5,3", "0,3", "6,3")
"""Moves of GateRun that two players can repeat for ever."""


class Pair:
    """A primary and its synchronous standby."""

    def __init__(self, folder: Path) -> None:
        self.primary = Postgres(folder / "primary" / "server")
        try:
            self.standby = Postgres(folder / "standby" / "server", follows=self.primary)
        except BaseException:
            self.primary.stop("immediate")
            raise
        self.url = self.primary.database().replace(
            f":{self.primary.port}/", f":{self.primary.port},127.0.0.1:{self.standby.port}/"
        )
        self.configure("synchronous_standby_names", "*")
        until(lambda: self.ask("select 1 from pg_stat_replication where sync_state = 'sync'"))

    def ask(self, command: str) -> list[Any]:
        """Ask the primary."""
        with psycopg.connect(f"host=127.0.0.1 port={self.primary.port} user=arcade dbname=postgres") as connection:
            found = connection.execute(command.encode())
            return found.fetchall() if found.description else []

    def configure(self, name: str, value: str) -> None:
        """Change a setting of the primary."""
        with psycopg.connect(
            f"host=127.0.0.1 port={self.primary.port} user=arcade dbname=postgres", autocommit=True
        ) as connection:
            connection.execute("SET default_transaction_read_only = off")
            connection.execute(f"ALTER SYSTEM SET {name} = '{value}'".encode())
            connection.execute("SELECT pg_reload_conf()")

    def end(self) -> None:
        for each in (self.standby, self.primary):
            with suppress(subprocess.CalledProcessError):  # it was killed
                each.stop("immediate")


def until(done: Callable[[], Any]) -> Any:
    """What is found as soon as there is something; what fails is tried again."""
    end = time.monotonic() + 9 * PATIENCE
    while time.monotonic() < end:
        with suppress(Refusal, httpx.HTTPError, psycopg.Error):
            if found := done():
                return found
        time.sleep(0.05)
    raise AssertionError("it never came to pass")


def ready(server: Arcade) -> bool:
    return get(server.base + "/readyz", timeout=PATIENCE).is_success


def refuses(server: Arcade) -> bool:
    return not ready(server)


def step(page: Page) -> dict[str, Any]:
    """Play to and fro; the answer."""
    return page.play(TO_AND_FRO[page.shown["ply"] % 4])


@pytest.fixture
def pair() -> Iterator[Pair]:
    with tempfile.TemporaryDirectory(prefix="rookery-postgres-") as folder:
        found = Pair(Path(folder))
        yield found
        found.end()


@pytest.fixture
def servers(pair: Pair, tmp_path: Path) -> Iterator[list[Arcade]]:
    """Two servers, which know the addresses of both."""
    found = [Arcade(tmp_path / f"{number}.db", "--db", pair.url) for number in range(2)]
    yield found
    for each in found:
        each.end(kill=True)


class Player:
    """Somebody who plays both seats of a game, at another server after each refusal, and knows what was acknowledged."""

    def __init__(self, servers: list[Arcade]) -> None:
        self.there = [Person(each) for each in servers]
        for other in self.there[1:]:
            other.client = self.there[0].client
        self.id = self.there[0].set_up("gamma", "here", "here", options={"width": 20, "height": 20})["id"]
        self.known: list[str] = []
        """The actions that were acknowledged."""
        self.refused: list[str] = []
        self.lost: list[str] = []
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.play)
        self.thread.start()

    def play(self) -> None:
        while not self.over.is_set():
            self.there.append(self.there.pop(0))
            with suppress(ConnectionClosed, InvalidHandshake, OSError), self.there[0].at(self.id) as page:
                self.play_at(page)
            time.sleep(0.1)

    def play_at(self, page: Page) -> None:
        """Play on one server until it refuses."""
        shown = [action for action, _ in page.plies]
        if shown[: len(self.known)] != self.known:
            self.lost.append(f"{self.known} became {shown}")
        self.known = shown
        while not self.over.is_set():
            action = page.choices[0]
            answer = page.play(action)
            if answer["is"] != "ack":
                self.refused.append(answer["why"])
                return
            self.known.append(action)

    def end(self) -> None:
        self.over.set()
        self.thread.join()


def test_no_acknowledged_action_is_lost_when_a_standby_takes_over(pair: Pair, servers: list[Arcade]) -> None:
    players = [Player(servers) for _ in range(3)]
    try:
        until(lambda: all(len(each.known) > 5 for each in players))
        pair.primary.kill()
        until(lambda: all(each.refused for each in players))
        pair.standby.promote()
        before = [len(each.known) for each in players]
        until(lambda: all(len(each.known) > known + 5 for each, known in zip(players, before, strict=True)))
    finally:
        for each in players:
            each.end()
    for server in servers:
        until(partial(ready, server))
    for each in players:
        assert each.lost == [] and all("ry again" in why for why in each.refused), each.refused
        assert each.there[0].get(f"/api/games/{each.id}/record")["plies"] == each.known


def test_a_primary_that_was_demoted_is_left_though_it_still_answers(pair: Pair, servers: list[Arcade]) -> None:
    ada = Person(servers[0])
    id = ada.set_up("gaterun", "here", "here")["id"]
    with ada.at(id) as page:
        assert page.play("1,3")["is"] == "ack"
        pair.configure("default_transaction_read_only", "on")
        refused = until(lambda: (answer := step(page))["is"] == "refused" and answer)
        assert "ry again" in refused["why"]
        for server in servers:
            until(partial(refuses, server))
            answer = get(server.base + "/readyz", timeout=PATIENCE)
            assert answer.status_code == 503 and answer.json()["detail"].startswith("The database ")
        with pytest.raises(Refusal) as refusal:
            ada.set_up("gaterun", "here", "here")
        assert refusal.value.status == 503
        pair.standby.promote()
        until(lambda: step(page)["is"] == "ack")
        played = page.shown["ply"]
    for server in servers:
        until(partial(ready, server))
    assert len(Person(servers[1]).get(f"/api/games/{id}/record")["plies"]) == played
    connected = "select count(*) from pg_stat_activity where application_name = 'rookery'"
    until(lambda: pair.ask(connected) == [(0,)])  # nobody listens there for events, or does jobs


def test_what_no_standby_has_confirmed_is_not_acknowledged(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(pair.url)

    async def add(id: str) -> None:
        stored = StoredGame(id, "gaterun", {}, 0, "ada", [Seat(1, "person", holder="ada")])
        await store.write(lambda connection: repository.add(connection, stored))

    def saved(connection: Connection) -> list[str]:
        return [id for id in ("first", "second", "given up", "third") if repository.load(connection, id)]

    try:
        asyncio.run(add("first"))
        pair.standby.stop("immediate")
        with monkeypatch.context() as patch:
            patch.setattr(store_module, "LONGEST", 1.0)
            for id in ("second", "given up"):
                with pytest.raises(Unanswered, match="may have been saved"):
                    asyncio.run(add(id))
        pair.standby.start()
        asyncio.run(add("third"))
        assert asyncio.run(store.read(saved)) == ["first", "second", "third"], (
            "nobody waited any more for what had not been begun"
        )
        pair.standby.stop("immediate")
        monkeypatch.setattr(store_module, "LONGEST", 1.0)
        monkeypatch.setattr(store_module, "CLOSING", 0.5)
        with pytest.raises(Unanswered):
            asyncio.run(add("last"))
    finally:
        store.close()  # which does not wait without limit either


@pytest.mark.parametrize(
    ("given", "understood"),
    [
        (f"postgresql://ada:{WORD}@a:1,b:2/arcade", "postgresql://ada:***@/arcade?host=a%2Cb&port=1%2C2"),
        ("postgresql+psycopg://a,b/arcade", "postgresql+psycopg:///arcade?host=a%2Cb&port=%2C"),
        (
            "postgresql://[::1]:5,b/arcade?sslmode=require",
            "postgresql:///arcade?host=%3A%3A1%2Cb&port=5%2C&sslmode=require",
        ),
        ("postgresql://ada@/arcade?host=a,b&port=1,2", "postgresql://ada@/arcade?host=a%2Cb&port=1%2C2"),
        ("postgresql://ada@a:1/arcade", "postgresql://ada@a:1/arcade"),
    ],
)
def test_a_url_may_name_several_servers(given: str, understood: str) -> None:
    assert without_password(given) == understood
    told = psycopg.conninfo.conninfo_to_dict(address(given))
    assert told["dbname"] == "arcade" and told["target_session_attrs"] == "read-write"
    assert told["host"] == (parsed(given).host or parsed(given).query["host"])


def test_a_url_whose_port_is_no_number_gets_a_sentence() -> None:
    with pytest.raises(RookeryError, match="cannot open the database"):
        Store("postgresql://a:x/arcade")
