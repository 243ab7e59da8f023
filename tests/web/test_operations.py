"""What programs ask a server that others rely on: whether it is there, whether it is ready, its figures; and how it stops."""

from __future__ import annotations

import asyncio
import signal
import socket
import tempfile
import time
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from sqlalchemy import create_engine, text
from tests.web.arcade import PATIENCE, Arcade, Page, Person, get, until, workers_of
from tests.web.postgres import Postgres
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from rookery.web.drain import Drain
from rookery.web.operations import Readiness
from rookery.web.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def figures(base: str) -> dict[str, float]:
    """The figures of a server by name and label."""
    lines = [line for line in get(base + "/metrics").text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


@contextmanager
def serving(folder: Path, *flags: str) -> Iterator[Arcade]:
    server = Arcade(folder / "arcade.db", *flags, alone=True)
    try:
        yield server
    finally:
        server.end()


# ── health ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_server_that_works_is_healthy_and_ready_and_sets_no_cookie(arcade: Arcade) -> None:
    for path in ("/healthz", "/readyz"):
        answer = get(arcade.base + path, headers={"Host": "some-pod:8067"})
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
        assert "set-cookie" not in answer.headers and answer.headers["cache-control"] == "no-store"
        assert httpx.head(arcade.base + path).content == b""
        assert httpx.post(arcade.base + path, json={}).status_code == 405


def test_without_its_database_a_server_is_healthy_but_not_ready(postgres: Postgres, tmp_path: Path) -> None:
    with serving(tmp_path, "--db", postgres.database()) as server:
        assert get(server.base + "/readyz").status_code == 200
        postgres.stop()
        try:
            answer = until(lambda: (found := get(server.base + "/readyz", timeout=PATIENCE)).is_error and found)
            assert (answer.status_code, answer.json()) == (503, {"detail": "The database does not answer."})
            assert answer.headers["retry-after"] and get(server.base + "/healthz").status_code == 200
        finally:
            postgres.start()
        until(lambda: get(server.base + "/readyz", timeout=PATIENCE).is_success)


def test_many_who_ask_at_once_are_answered_by_one_look_at_the_database(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'arcade.db'}")
    looks: list[int] = []
    read = store.read

    async def counted(work: Any) -> Any:
        looks.append(1)
        return await read(work)

    async def ask() -> list[str]:
        readiness = Readiness(store, Drain())
        return list(await asyncio.gather(*(readiness.why_not() for _ in range(50))))

    store.read = counted  # type: ignore[method-assign,assignment]
    assert asyncio.run(ask()) == [""] * 50 and len(looks) == 1
    store.close()


# ── metrics ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_figures_are_not_there_unless_they_are_wanted(arcade: Arcade) -> None:
    answer = get(arcade.base + "/metrics")
    assert answer.status_code == 404 and "set-cookie" not in answer.headers


def test_what_is_played_is_counted_and_no_proxy_publishes_it(tmp_path: Path) -> None:
    with serving(tmp_path, "--metrics") as server:
        ada = server.person()
        info = ada.set_up("gaterun", "here", "2", options={"size": 5})
        with ada.at(info["id"]) as page:
            page.play(page.choices[0])
            page.until(lambda page: page.shown["ply"] == 2)
            found = figures(server.base)
        assert found['rookery_actions_total{by="person"}'] == found['rookery_actions_total{by="bot"}'] == 1
        assert found["rookery_games_open"] == found["rookery_sockets_open"] == 1
        assert found["rookery_action_seconds_count"] == 1 and found["rookery_bot_seconds_count"] >= 1
        assert found["rookery_database_write_seconds_count"] > 2 and found["rookery_database_read_seconds_count"] > 0
        assert found['rookery_http_requests_total{status="2xx"}'] >= 1 and found["rookery_bot_queue"] == 0
        assert found["rookery_conflicts_total"] == found["rookery_catch_ups_total"] == found["rookery_jobs_total"] == 0
        assert get(server.base + "/metrics", headers={"X-Forwarded-For": "192.0.2.1"}).status_code == 404
        until(lambda: figures(server.base)["rookery_sockets_open"] == 0)


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the test's own for the temporary files of servers. Its path is short enough for a Unix socket."""
    with tempfile.TemporaryDirectory() as folder:
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr(tempfile, "tempdir", None)
        yield Path(folder)


def test_figures_of_all_workers_are_summed_and_their_folder_goes_away(
    postgres: Postgres, tmp_path: Path, temporary: Path
) -> None:
    with serving(tmp_path, "--db", postgres.database(), "--workers", "2", "--metrics") as server:
        (folder,) = temporary.glob("rookery-metrics-*")
        (bots,) = temporary.glob("rookery-bots-*")
        assert folder.stat().st_mode & 0o777 == bots.stat().st_mode & 0o777 == 0o700
        ada = server.person()
        id = ada.set_up("gamma", "here", "here")["id"]
        for _ in range(6):  # each is answered by some worker
            with ada.at(id) as page:
                assert page.play(page.choices[0])["is"] == "ack"
        # Those of two workers, and of the process in which their bots think.
        until(lambda: len({file.name.rpartition("_")[2] for file in folder.glob("counter_*.db")}) == 3)
        counted = {figures(server.base)['rookery_actions_total{by="person"}'] for _ in range(8)}
        assert counted == {6.0}
        gone = workers_of(server.process.pid)[0]
        gone.kill()
        until(lambda: not list(folder.glob(f"gauge_live*_{gone.pid}.db")))
        assert list(folder.glob(f"counter_{gone.pid}.db"))
    assert server.process.returncode == 0 and not folder.exists() and not bots.exists()


# ── stopping ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_on_sigterm_a_server_is_not_ready_begins_nothing_and_lets_viewers_go(tmp_path: Path) -> None:
    with serving(tmp_path, "--drain", "3") as server:
        ada = server.person()
        info = ada.set_up("gaterun", "here", "here")
        with ada.at(info["id"]) as page:
            page.play("1,3")
            server.process.send_signal(signal.SIGTERM)
            with pytest.raises(ConnectionClosed) as closed:
                page.until(lambda page: False)
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012
            answer = get(server.base + "/readyz")
            assert (answer.status_code, answer.json()) == (503, {"detail": "The server is stopping."})
            assert get(server.base + "/healthz").status_code == 200
            answer = ada.client.post(server.base + "/api/games", json={"game": "gaterun"})
            assert answer.status_code == 503 and int(answer.headers["retry-after"]) > 0
            assert answer.json() == {"detail": "This server is about to restart; try again in a few seconds."}
            with pytest.raises(ConnectionClosed) as closed, ada.at(info["id"]):
                pass
            assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012
            ada.post(f"/api/games/{info['id']}/actions", {"action": "5,3"})  # what is open goes on
        assert server.process.wait(PATIENCE) == 0
        server.end()
        assert server.log.read_text() == ""
        server.start()
        assert ada.get(f"/api/games/{info['id']}")["plies"] == 2


def test_a_request_that_is_open_is_answered(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        ada = server.person()
        id = ada.set_up("gaterun", "here", "here")["id"]
        body = b'{"action": "1,3"}'
        head = f"POST /api/games/{id}/actions HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {ada.cookie}\r\n"
        head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        with closing(socket.create_connection(("127.0.0.1", int(server.port)), PATIENCE)) as raw:
            raw.sendall(head.encode())
            until(lambda: get(server.base + "/healthz").is_success)
            server.process.terminate()
            raw.sendall(body)
            assert raw.recv(65536).startswith(b"HTTP/1.1 201")
        assert server.process.wait(PATIENCE) == 0


def due(url: str, id: str) -> float | None:
    """How long ago somebody had to look after a game."""
    engine = create_engine(url)
    with engine.connect() as connection:
        found = connection.execute(
            text("SELECT extract(epoch FROM clock_timestamp()) - due FROM games WHERE id = :id"), {"id": id}
        ).scalar()
    engine.dispose()
    return None if found is None else float(found)


def test_a_bot_that_was_thinking_is_left_to_another_server(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.database()
    with serving(tmp_path, "--db", url) as server:
        ada = server.person()
        id = ada.set_up("gaterun", "here", "mcts:ms=5000", options={"size": 5})["id"]
        with ada.at(id) as page:
            assert page.ask("play", action=page.choices[0], ply=0)["is"] == "ack"
        ago = due(url, id)
        assert ago is not None and ago < 0, "the bot still has time"
        server.end()
        assert server.process.returncode == 0
        ago = due(url, id)
        assert ago is not None and ago >= 0, "somebody has to look after the game at once"
        server.start()
        until(lambda: len(ada.get(f"/api/games/{id}/record")["plies"]) == 2)  # this opens no room


class Player:
    """Somebody whose page connects again when a server closes the connection, to whichever server answers."""

    def __init__(self, person: Person, id: str, servers: list[Arcade]) -> None:
        self.person, self.id, self.servers = person, id, servers
        self.ply = self.connections = 0
        self.refused: list[str] = []

    def play(self, enough: Callable[[], bool]) -> None:
        """Play and undo by turns until it is enough."""
        end = time.monotonic() + 6 * PATIENCE
        while not enough():
            assert time.monotonic() < end
            try:
                with self.person.at(self.id) as page:
                    self.connections += 1
                    # What was acknowledged stands; what was not may.
                    assert page.shown["ply"] in (self.ply, 1 - self.ply)
                    self.ply = page.shown["ply"]
                    while not enough():
                        self._turn(page)
                        time.sleep(0.01)
            except (ConnectionClosed, InvalidHandshake, OSError):
                self.servers.append(self.servers.pop(0))
                self.person.arcade = self.servers[0]
                time.sleep(0.1)

    def _turn(self, page: Page) -> None:
        wish = {"do": "play", "action": page.choices[0], "ply": 0} if self.ply == 0 else {"do": "undo"}
        answer = page.ask(**wish)
        if answer["is"] != "ack":
            self.refused.append(answer["why"])
            return
        self.ply = 1 - self.ply
        page.until(lambda page: page.shown["ply"] == self.ply)


def test_nobody_loses_a_move_while_one_of_two_servers_stops(postgres: Postgres, tmp_path: Path) -> None:
    url = postgres.database()
    (tmp_path / "other").mkdir()
    with serving(tmp_path, "--db", url) as first, serving(tmp_path / "other", "--db", url) as second:
        ada = first.person()
        player = Player(ada, ada.set_up("gamma", "here", "here")["id"], [first, second])
        turns = iter(range(10**9))
        player.play(lambda: next(turns) > 20)
        first.process.terminate()
        turns = iter(range(10**9))
        player.play(lambda: first.process.poll() is not None and next(turns) > 20)
        assert first.process.returncode == 0 and player.connections >= 2 and player.refused == []


def test_workers_are_replaced_one_by_one_under_play(postgres: Postgres, tmp_path: Path) -> None:
    with serving(tmp_path, "--db", postgres.database(), "--workers", "2") as server:
        ada = server.person()
        player = Player(ada, ada.set_up("gamma", "here", "here")["id"], [server])
        old = until(lambda: len(found := workers_of(server.process.pid)) == 2 and found)
        turns = iter(range(10**9))
        player.play(lambda: next(turns) > 20)
        server.process.send_signal(signal.SIGHUP)
        player.play(lambda: not any(each.is_running() and each.status() != "zombie" for each in old))
        turns = iter(range(10**9))
        player.play(lambda: next(turns) > 20)
        assert player.refused == [] and player.connections >= 2
        assert len(workers_of(server.process.pid)) == 2
        server.end()
        assert server.process.returncode == 0
        assert server.log.read_text() == ""
