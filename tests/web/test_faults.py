"""Servers, their database and the network between them fail under play. No acknowledged action is lost or doubled, no
history forks, and people are told the truth. Servers and PostgreSQL are real processes.

`benchmarks/arcade_faults.py` does the same at random moments, a thousand times.
"""

from __future__ import annotations

import asyncio
import os
import re
import signal
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import sleep, time
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from sqlalchemy import text
from tests.web.arcade import PATIENCE, Arcade, Page, Person, Refusal
from tests.web.network import Network
from tests.web.postgres import Postgres
from websockets.exceptions import ConnectionClosed

from rookery.web import repository
from rookery.web.caretaker import STANDSTILL
from rookery.web.domain import Seat, StoredGame
from rookery.web.store import TRIES, Store, Unanswered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

GRACE = "1.5"
"""Seconds that a bot has before another server moves it, in these tests."""
WEB = Path(__file__).parents[2] / "src" / "rookery" / "web"


class Servers:
    """Two servers on one database, each by a network of its own."""

    def __init__(self, postgres: Postgres, folder: Path, count: int = 2) -> None:
        self.url = postgres.database()
        self.networks = [Network(postgres.port) for _ in range(count)]
        with ThreadPoolExecutor(count) as pool:
            self.all = list(pool.map(lambda k: self._server(folder, k), range(count)))

    def _server(self, folder: Path, number: int) -> Arcade:
        return Arcade(folder / f"{number}.db", "--db", self.networks[number].url(self.url))

    def person(self) -> list[Person]:
        """Somebody who asks any of the servers: the same person once for each."""
        same = [Person(arcade) for arcade in self.all]
        same[0].get("/api/me")
        for each in same[1:]:
            each.client = same[0].client
        return same

    def sql(self, command: str, **values: Any) -> list[Any]:
        """Run a command on the database; the rows that it finds."""
        with psycopg.connect(self.url.replace("+psycopg", "")) as connection:
            found = connection.execute(command.encode(), values)
            return found.fetchall() if found.description else []

    def end(self) -> None:
        for arcade in self.all:
            arcade.process.send_signal(signal.SIGCONT)
            if arcade.process.returncode is None:
                arcade.end(kill=True)
        for network in self.networks:
            network.close()


@pytest.fixture(scope="module")
def kept(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    servers = Servers(postgres, tmp_path_factory.mktemp("kept"))
    yield servers
    servers.end()


@pytest.fixture
def shared(kept: Servers) -> Iterator[Servers]:
    """Servers for the tests that end none."""
    yield kept
    for arcade, network in zip(kept.all, kept.networks, strict=True):
        arcade.process.send_signal(signal.SIGCONT)
        network.mend()


@pytest.fixture
def servers(postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Servers]:
    monkeypatch.setenv("ROOKERY_BOT_GRACE", GRACE)
    servers = Servers(postgres, tmp_path)
    yield servers
    servers.end()


@pytest.fixture
def store(postgres: Postgres) -> Iterator[Store]:
    store = Store(postgres.database())
    yield store
    store.close()


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """The answers, or refusals, to requests that are made at the same time."""

    def answer(call: Callable[[], Any]) -> Any:
        try:
            return call()
        except Refusal as refusal:
            return refusal

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(answer, calls))


def eventually(done: Callable[[], Any]) -> Any:
    """What is found as soon as there is something; requests that fail are made again."""
    for _ in range(int(2 * PATIENCE / 0.1)):
        try:
            if found := done():
                return found
        except (Refusal, OSError, ConnectionClosed):
            pass
        sleep(0.1)
    raise TimeoutError


def two_people(servers: Servers, **more: Any) -> tuple[list[Person], list[Person], str]:
    """A game of two people."""
    ada, bob = servers.person(), servers.person()
    info = ada[0].set_up("gaterun", "here", "invite", **more)
    bob[1].post(f"/api/games/{info['id']}/join", {"token": info["invite"].partition("#")[2]})
    return ada, bob, info["id"]


def record(person: Person, id: str) -> list[str]:
    found: list[str] = person.get(f"/api/games/{id}/record")["plies"]
    return found


def until_ply(page: Page, ply: int) -> None:
    page.until(lambda page: page.shown["ply"] >= ply)


# ── servers that die or stand still ─────────────────────────────────────────────────────────────────────────────────


def test_a_server_that_stood_still_learns_what_was_played_meanwhile(shared: Servers) -> None:
    ada, bob, id = two_people(shared)
    with ada[0].at(id) as at_first, bob[1].at(id) as at_second, ada[1].at(id) as elsewhere:
        assert at_first.play("1,3")["is"] == "ack"
        until_ply(at_second, 1)
        shared.all[0].process.send_signal(signal.SIGSTOP)
        at_second.play("5,3")
        until_ply(elsewhere, 2)
        assert elsewhere.play("2,3")["is"] == "ack"
        shared.all[0].process.send_signal(signal.SIGCONT)
        answer = at_first.ask("play", action="0,3", ply=2)  # what she saw there is out of date
        assert answer["is"] == "refused" and "moved on" in answer["why"]
        until_ply(at_first, 3)
    assert record(ada[0], id) == record(ada[1], id) == ["1,3", "5,3", "2,3"]


def test_a_bot_moves_though_its_server_was_killed(servers: Servers) -> None:
    ada = servers.person()
    id = ada[0].set_up("gaterun", "here", "minimax:ms=5000")["id"]
    ada[0].post(f"/api/games/{id}/actions", {"action": "1,3"})
    servers.all[0].end(kill=True)
    assert len(record(ada[1], id)) == 1
    assert eventually(lambda: len(record(ada[1], id)) == 2)  # nobody watches there


def test_a_flag_falls_though_its_server_was_killed(servers: Servers) -> None:
    ada, _, id = two_people(servers, clock={"minutes": 0.02, "increment": 0})
    ada[0].post(f"/api/games/{id}/actions", {"action": "1,3"})
    servers.all[0].end(kill=True)
    ended = eventually(lambda: ada[1].get(f"/api/games/{id}")["ending"])
    assert ended == {"how": "time", "player": 2}


# ── PostgreSQL and the network ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("how", ["fast", "immediate", "kill"])
def test_play_goes_on_when_postgresql_has_restarted(shared: Servers, postgres: Postgres, how: str) -> None:
    ada, bob, id = two_people(shared)
    with ada[0].at(id) as at_first, bob[1].at(id) as at_second:
        at_first.play("1,3")
        until_ply(at_second, 1)
        if how == "kill":
            postgres.kill()
        else:
            postgres.stop(how)
        try:
            refused = at_second.ask("play", action="5,3", ply=1)
            assert refused["is"] == "refused" and "ry again" in refused["why"]
        finally:
            postgres.start()
        eventually(lambda: at_second.ask("play", action="5,3", ply=1)["is"] == "ack")
        until_ply(at_first, 2)  # by an event, or by a comparison
    assert record(ada[0], id) == record(bob[1], id) == ["1,3", "5,3"]


def test_an_action_whose_commit_was_not_answered_counts_once_and_is_acknowledged(shared: Servers) -> None:
    ada, _, id = two_people(shared)
    network = shared.networks[0]
    with ada[0].at(id) as page:
        network.disconnect()  # statements of new connections are not prepared, and can be recognised
        network.lose = b"INSERT INTO plies"
        before = network.lost
        assert page.play("1,3")["is"] == "ack"
    assert network.lost == before + 1 and record(ada[1], id) == ["1,3"]


def test_nobody_is_told_that_nothing_changed_if_that_is_not_known(shared: Servers) -> None:
    ada, _, id = two_people(shared)
    network = shared.networks[0]
    with ada[0].at(id) as page:
        network.disconnect()
        network.lose, network.then_cut = b"INSERT INTO plies", True
        refused = page.ask("play", action="1,3", ply=0)
        assert refused["is"] == "refused" and "may have been saved" in refused["why"]
        assert record(ada[1], id) == ["1,3"]
        network.mend()
        until_ply(page, 1)
    assert record(ada[0], id) == record(ada[1], id) == ["1,3"]


def test_many_writes_wait_together_for_a_database_that_is_away(postgres: Postgres) -> None:
    network = Network(postgres.port)
    store = Store(network.url(postgres.database()))

    async def work() -> list[Any]:
        await store.read(lambda connection: connection.execute(text("select 1")).scalar())
        network.cut()
        beats = [store.write(lambda connection: repository.beat(connection, 1.0)) for _ in range(12)]
        return await asyncio.gather(*beats, return_exceptions=True)

    problems = asyncio.run(work())
    assert all(isinstance(each, Exception) and not isinstance(each, Unanswered) for each in problems)
    assert network.refused <= 3 * TRIES  # not so many for each
    store.close()
    network.close()


def test_all_queries_of_a_read_see_the_same_moment(store: Store) -> None:
    def add(number: int) -> None:
        stored = StoredGame(str(number), "gaterun", {}, 0, "ada", [Seat(1, "person", holder="ada")])
        with store.engine.begin() as connection:
            repository.add(connection, stored)

    def read(connection: Any) -> tuple[int, int]:
        counts = []
        for number in range(2):
            counts.append(len(repository.game_ids_of(connection, "ada")))
            add(number)
        return counts[0], counts[1]

    assert asyncio.run(store.read(read)) == (0, 0)


def test_while_the_database_is_away_clocks_stand_still(shared: Servers) -> None:
    ada, _, id = two_people(shared, clock={"minutes": 1, "increment": 0})
    ada[0].post(f"/api/games/{id}/actions", {"action": "1,3"})
    shared.sql(  # as if no server had reached it for 100 s
        """with beat as (update heartbeat set at = at - 100)
        update games set since = since - 100, due = due - 100, version = version + 1 where id = %(id)s""",
        id=id,
    )
    beat = "select 1 from heartbeat where at > extract(epoch from now()) - %(most)s"
    eventually(lambda: shared.sql(beat, most=STANDSTILL))
    with ada[1].at(id) as page:
        assert page.info["status"] == "playing" and page.shown["clock"]["left"][1] > 30_000
    assert ada[0].get(f"/api/games/{id}")["ending"] is None


def test_a_clock_is_set_back_by_no_more_than_it_has_run(store: Store) -> None:
    clock = {"minutes": 1.0, "increment": 0.0}
    with store.engine.begin() as connection:
        repository.start(connection, 1000.0, 20.0)
        for id, since in (("old", 900.0), ("young", 1090.0)):
            seats = [Seat(1, "person", holder="ada", left=60_000.0)]
            repository.add(
                connection,
                StoredGame(id, "gaterun", {}, 0, "ada", seats, clock=clock, ticking=1, since=since, due=since + 62),
            )
        assert repository.start(connection, 1100.0, 20.0) == 100.0
        found = [repository.load(connection, id) for id in ("old", "young")]
    assert [(each.since, each.due) for each in found if each] == [(1000.0, 1062.0), (1100.0, 1162.0)]


# ── two servers at once ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_person_who_is_deleted_on_one_server_is_gone_on_the_other(shared: Servers) -> None:
    ada = shared.person()
    id = ada[0].set_up("gaterun", "here", "here")["id"]
    with ada[1].at(id) as page:
        ada[0].ask("DELETE", "/api/me")
        with pytest.raises(ConnectionClosed):
            page.until(lambda _: False)
    with pytest.raises(Refusal, match="There is no game"):
        ada[1].get(f"/api/games/{id}")


def test_a_challenge_that_is_begun_on_two_servers_at_once_is_one_game(shared: Servers) -> None:
    for name in ("gotham", "gamma", "sixseven", "gaterun"):
        ada = shared.person()
        first, second = at_once(*(partial(each.post, f"/api/daily/{name}") for each in ada))
        assert first["id"] == second["id"]


def test_of_two_who_take_the_last_seat_on_two_servers_at_once_one_has_it(shared: Servers) -> None:
    for _ in range(5):
        info = shared.person()[0].set_up("gaterun", "here", "invite")
        token = {"token": info["invite"].partition("#")[2]}
        eve, joe = shared.person(), shared.person()
        path = f"/api/games/{info['id']}/join"
        told = at_once(partial(eve[0].post, path, token), partial(joe[1].post, path, token))
        refused = [each for each in told if isinstance(each, Refusal)]
        assert [each.why for each in refused] == ["All seats are taken; you can watch."]
        holders = shared.sql("select count(distinct holder) from seats where game_id = %(id)s", id=info["id"])
        assert holders == [(2,)]


def test_two_who_take_two_seats_on_two_servers_at_once_both_have_one(shared: Servers) -> None:
    for _ in range(5):
        seats = ("here", "invite", "invite")
        info = shared.person()[0].set_up("gamma", *seats, options={"players": 3})
        token = {"token": info["invite"].partition("#")[2]}
        eve, joe = shared.person(), shared.person()
        path = f"/api/games/{info['id']}/join"
        told = at_once(partial(eve[0].post, path, token), partial(joe[1].post, path, token))
        assert sorted(each["you"] for each in told) == [[2], [3]]


def test_a_rematch_that_is_asked_for_on_two_servers_at_once_is_one_game(shared: Servers) -> None:
    for _ in range(5):
        ada, bob, id = two_people(shared)
        ada[0].post(f"/api/games/{id}/actions", {"action": "1,3"})
        with ada[0].at(id) as at_first, bob[1].at(id) as at_second:
            at_first.ask("resign")
            for page in (at_first, at_second):
                page.until(lambda page: page.over)
            first, second = at_once(partial(at_first.ask, "rematch"), partial(at_second.ask, "rematch"))
        assert first["is"] == second["is"] == "moved" and first["id"] == second["id"]


def test_what_somebody_may_have_in_a_day_is_counted_for_all_servers_together(shared: Servers) -> None:
    ada = shared.person()
    ada[0].set_up("gotham")
    shared.sql("update quotas set count = 10000000 where what = 'games' and count = 1")
    for each in ada:
        with pytest.raises(Refusal, match="enough games for one day"):
            each.set_up("gotham")


# ── clocks that are wrong ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("days", [-3, 500])
def test_a_server_whose_wall_clock_is_wrong_serves_like_the_others(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared: Servers, days: int
) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        f"import time\nreal = time.time\ntime.time = lambda: real() + {days * 86_400}\n"
    )
    with monkeypatch.context() as patch:
        patch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
        wrong = Arcade(tmp_path / "wrong.db", "--db", shared.url)
    try:
        right = shared.person()[0]
        there = Person(wrong)
        there.client = right.client
        info = there.set_up("gaterun", "here", "invite", listed=True)
        assert info["you"] == [1] and right.get(f"/api/games/{info['id']}")["you"] == [1]
        day = datetime.fromtimestamp(time(), UTC).date().isoformat()
        assert there.get("/api/daily")["day"] == right.get("/api/daily")["day"] == day
        waiting = shared.person()[0].get("/api/games?which=join")["games"]
        assert info["id"] in [each["id"] for each in waiting]
        assert there.post("/api/daily/gotham")["id"] == right.post("/api/daily/gotham")["id"]
    finally:
        wrong.end(kill=True)


def test_only_the_store_and_what_has_no_store_read_the_wall_clock() -> None:
    readers = {
        file.relative_to(WEB).as_posix()
        for file in WEB.rglob("*.py")
        if re.search(r"from time import .*\btime\b|time\.time\(|datetime\.now|date\.today", file.read_text())
    }
    assert readers == {"store.py", "identity.py"}
