"""Costly requests of one visitor keep nobody else waiting: demos, previews, lists, statistics, reviews."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import msgspec
import psycopg
import pytest
from sqlalchemy import event
from tests.web.arcade import NO_TLS, PATIENCE, Arcade, Person

from rookery.search.review import Review
from rookery.web import repository, review_repository
from rookery.web.domain import Seat, StoredGame
from rookery.web.fair_queue import Client
from rookery.web.registry import RoomRegistry
from rookery.web.review_progress import ReviewProgress
from rookery.web.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.postgres import Postgres

WEB = Path(__file__).parents[2] / "src" / "rookery" / "web"


def test_all_costly_work_takes_turns() -> None:
    """Nothing uses the default executor, which serves whoever comes first."""
    files = {
        path.name
        for path in WEB.rglob("*.py")
        if re.search(r"asyncio\.to_thread|sync_to_thread=True|run_in_executor", path.read_text())
    }
    assert not files


def test_a_preview_does_not_wait_for_the_demos_of_somebody_else(arcade: Arcade, ada: Person) -> None:
    address = arcade.base + "/api/catalogue/gotham/demo"
    options = [
        {"level": level, "rules": rules, "coins": coins}
        for coins, level, rules in product(range(2, 14), ("deuce", "trey"), ("app", "online"))
    ]
    away = httpx.HTTPTransport(local_address="127.0.0.2", limits=httpx.Limits(max_connections=100), verify=NO_TLS)
    with httpx.Client(transport=away, timeout=60) as greedy, ThreadPoolExecutor(len(options)) as pool:
        demos = [pool.submit(greedy.get, address, params=each) for each in options]  # type: ignore[arg-type]
        next(each for each in demos if each.result())
        shown = ada.post("/api/preview", {"game": "gamma", "options": {}})
        waiting = sum(not each.done() for each in demos)
        assert shown["players"] == 2 and waiting > len(options) // 2, f"only {waiting} demos came later"
        for each in demos:
            each.cancel()


@pytest.mark.skipif("sys.platform == 'win32'")
def test_a_short_query_does_not_wait_for_the_long_ones_of_somebody_else(postgres: Postgres, tmp_path: Path) -> None:
    """The statistics of one visitor wait for a table; the game of another one is read meanwhile."""
    arcade = Arcade(tmp_path / "arcade.db", "--db", postgres.database())
    greedy, ada = arcade.person(), arcade.person()
    id = ada.set_up("gaterun", "here", "here")["id"]
    greedy.get("/api/me")
    database = arcade.url.replace("+psycopg", "")
    with ThreadPoolExecutor(8) as pool, closing(psycopg.connect(database)) as locking:
        locking.execute("lock table feats in access exclusive mode")
        asked = [pool.submit(greedy.get, "/api/me") for _ in range(8)]
        with psycopg.connect(database, autocommit=True) as looking:
            stuck = "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like '%feats%'"
            while looking.execute(stuck).fetchone() == (0,):
                pass
        assert ada.get(f"/api/games/{id}/record")["game"] == "gaterun"
        assert not any(each.done() for each in asked), "the table was not locked"
        locking.rollback()
        for each in asked:
            assert each.result(PATIENCE)["name"] == ""
    arcade.end()


# ── the store ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(f"sqlite:///{tmp_path / 'arcade.db'}")
    yield opened
    opened.close()


def test_readers_are_shared_by_turns(store: Store) -> None:
    gate, order = threading.Event(), list[str]()

    def slow(_: Any) -> None:
        gate.wait(PATIENCE)
        order.append("greedy")

    def quick(_: Any) -> None:
        order.append("ada")

    async def run() -> None:
        greedy = [asyncio.ensure_future(store.read(slow, Client("a", "x"), 1.0)) for _ in range(10)]
        await asyncio.sleep(0.05)
        await asyncio.wait_for(store.read(quick, Client("b", "y")), PATIENCE)
        gate.set()
        await asyncio.gather(*greedy)

    asyncio.run(run())
    assert order == ["ada", *["greedy"] * 10]


def steps_of(store: Store, work: Any) -> int:
    """How many steps SQLite's machine takes for a query, in thousands."""
    count = 0

    def step() -> int:
        nonlocal count
        count += 1
        return 0

    with store.engine.connect() as connection:
        raw: Any = connection.connection.driver_connection
        raw.set_progress_handler(step, 100)
        work(connection)
        raw.set_progress_handler(None, 0)
    return count


async def add_games(store: Store, person: str, plies: int, undone: int) -> None:
    for number in range(20):
        stored = StoredGame(
            id=f"{person}{number}",
            game="gaterun",
            options={},
            seed=0,
            owner=person,
            seats=[Seat(1, "person", holder=person), Seat(2, "bot", bot="3")],
            plies=["1,3"] * plies,
        )
        await store.write(partial(repository.add, stored=stored))
        if undone:
            await store.write(partial(repository.change, id=stored.id, version=0, length=plies - undone))


@pytest.mark.parametrize("undone", [0, 1])
def test_a_list_of_games_costs_the_same_however_long_they_are(store: Store, undone: int) -> None:
    asyncio.run(add_games(store, "short", 10, undone))
    asyncio.run(add_games(store, "long", 4_000, undone))

    def listed(person: str) -> Any:
        return lambda connection: repository.games_of(connection, person, 100)

    found = asyncio.run(store.read(listed("long")))
    assert len(found) == 20 and {each.length for each in found} == {4_000 - undone}
    assert steps_of(store, listed("long")) < 2 * steps_of(store, listed("short"))


# ── reviews ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def reviewed(id: str) -> tuple[StoredGame, Review]:
    """A finished game, and its review."""
    plies = ["1,1", "2,0", "0,1"]
    stored = StoredGame(
        id=id,
        game="gaterun",
        options={"size": 3, "walls": 0},
        seed=0,
        owner="ada",
        seats=[Seat(1, "person", holder="ada"), Seat(2, "bot", bot="3")],
        status="over",
        plies=plies,
        length=3,
    )
    review = Review(stored.record(), ReviewProgress(stored, None).review.reviewer)
    for _ in review.steps():
        pass
    return stored, review


def test_who_asks_for_a_review_again_and_again_has_it_read_and_prepared_once(store: Store) -> None:
    stored, review = reviewed("one")
    made = ReviewProgress(stored, None).made

    def save(connection: Any) -> None:
        repository.add(connection, stored)
        review_repository.begin(connection, "one", made, 0, 0.0)
        review_repository.add(connection, "one", made, 0, review.plies[:2], 0.0)

    statements: list[str] = []
    ada = Client("", "ada")

    async def run() -> None:
        await store.write(save)
        registry = RoomRegistry(store)
        first = await registry.reviews.progress("one", ada, 0)
        assert (first.status, first.done, len(first.plies)) == ("stopped", 2, 2)
        statements.clear()
        assert await registry.reviews.progress("one", ada, 0) == first
        assert not [each for each in statements if "plies.name" in each or "content" in each]
        await store.write(lambda found: review_repository.add(found, "one", made, 2, review.plies[2:], 0.0))
        last = await registry.reviews.progress("one", ada, 1)
        assert (last.status, last.done, len(last.plies)) == ("done", 3, 2)
        whole = (await registry.reviews.progress("one", ada, 0)).plies
        told: list[dict[str, Any]] = json.loads(msgspec.json.encode(whole))
        assert [each["name"] for each in told] == stored.plies and told[2]["grade"] == "blunder"
        assert len(told[2]["phrases"]) == len(told[2]["line"]) > 0
        registry.close()

    event.listen(store.engine, "before_cursor_execute", lambda *given: statements.append(given[2]))
    asyncio.run(run())


def test_a_review_of_a_game_that_went_on_is_not_the_old_one(store: Store) -> None:
    stored, review = reviewed("two")
    made = ReviewProgress(stored, None).made

    def save(connection: Any) -> None:
        repository.add(connection, stored)
        review_repository.begin(connection, "two", made, 0, 0.0)
        review_repository.add(connection, "two", made, 0, review.plies, 0.0)

    async def run() -> None:
        await store.write(save)
        registry = RoomRegistry(store)
        assert (await registry.reviews.progress("two", Client("", "ada"), 0)).status == "done"
        await store.write(lambda found: repository.change(found, "two", 0, length=2))
        undone = await registry.reviews.progress("two", Client("", "ada"), 0)
        assert (undone.done, undone.total) == (2, 2)
        registry.close()

    asyncio.run(run())
