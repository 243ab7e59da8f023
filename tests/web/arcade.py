"""A real arcade for tests: server processes on a database, and people who call them over HTTP and WebSockets.

`ROOKERY_TEST_WEB` names the mode in which the tests run, one of `MODES`. A test that says which database or how many
workers it wants has these in every mode; what a server says to whom asks it itself is tested on one that is `alone`.
"""

from __future__ import annotations

import atexit
import json
import os
import shutil
import ssl
import subprocess
import tempfile
import time
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx
import psutil  # type: ignore[import-untyped]
import pytest
from sqlalchemy import text
from tests.ending import module
from tests.programs import program
from tests.web.forked import Forked, can_fork
from tests.web.postgres import Postgres, free_port
from websockets.sync.client import ClientConnection, connect

from rookery.web.database import engine_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection

PATIENCE = 20.0


class Mode(NamedTuple):
    """On what the arcades of tests run."""

    postgres: bool = True
    servers: int = 1
    workers: int = 1
    proxy: bool = False
    """Whether nginx stands before the servers."""


MODES = {
    "sqlite": Mode(postgres=False),
    "postgres": Mode(),
    "postgres-nginx": Mode(proxy=True),
    "postgres-3": Mode(servers=3, proxy=True),
    "postgres-workers-3": Mode(workers=3),
}
ALONE = Mode(postgres=False), Mode()
"""The modes of an arcade that is alone: one server, without a proxy, on SQLite or on PostgreSQL."""


def _mode(name: str) -> Mode:
    if name not in MODES:
        raise pytest.UsageError(f"ROOKERY_TEST_WEB is one of {', '.join(MODES)}, not '{name}'.")
    return MODES[name]


MODE = _mode(os.environ.get("ROOKERY_TEST_WEB") or "sqlite")

NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Nothing here uses TLS. httpx would read all certificates of the system for each client."""

behind_no_proxy = pytest.mark.skipif(MODE.proxy, reason="about those who ask the server itself")


def get(address: str, **how: Any) -> httpx.Response:
    """Ask for an address once, without a cookie."""
    return httpx.get(address, verify=NO_TLS, **{"timeout": PATIENCE} | how)


def until(done: Callable[[], Any]) -> Any:
    """The first answer that says yes."""
    end = time.monotonic() + 3 * PATIENCE
    while time.monotonic() < end:
        found = done()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("it never came to pass")


@cache
def database_server() -> Postgres:
    """The PostgreSQL server of this test process."""
    folder = Path(tempfile.mkdtemp(prefix="rookery-postgres-"))
    server = Postgres(folder / "server")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    atexit.register(server.stop, "immediate")
    return server


class Arcade:
    """Server processes, which can be ended any way a process can and started again at the same address and database."""

    def __init__(self, database: Path, *more: str, alone: bool = False) -> None:
        """One that is `alone`, or has a database, workers, a name or a trusted proxy of its own, is one server without
        nginx.
        """
        self.database = database
        self.log = database.with_suffix(".log")
        alone = alone or not {"--db", "--workers", "--allowed-host", "--trusted-proxy"}.isdisjoint(more)
        self.mode = ALONE[MODE.postgres] if alone else MODE
        if "--db" in more:
            self.url = more[more.index("--db") + 1]
        else:
            self.url = database_server().database() if self.mode.postgres else f"sqlite:///{database}"
        self.ports = ["0"] * self.mode.servers
        self.more = more
        if self.mode.proxy:
            self.more += ("--trusted-proxy", "127.0.0.1")
        if self.mode.workers > 1:
            self.more += ("--workers", str(self.mode.workers))
        self.proxy: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        self.processes = [self._started(number) for number in range(self.mode.servers)]
        self.process = self.processes[0]
        if self.mode.proxy and self.proxy is None:
            self._start_proxy()
        self.port = self.base.rpartition(":")[2]

    def _started(self, number: int) -> subprocess.Popen[str] | Forked:
        arguments = ["serve", "--no-browser", *self.more, "--port", self.ports[number], "--db", self.url]
        process: subprocess.Popen[str] | Forked
        with self.log.open("a") as log:
            if "--workers" not in arguments and can_fork():
                process = Forked(arguments, log)
            else:
                process = subprocess.Popen(module("rookery", *arguments), stdout=subprocess.PIPE, stderr=log, text=True)
        base = self.announced(process)
        self.ports[number] = base.rpartition(":")[2]
        if not self.mode.proxy:
            self.base = base
        return process

    def announced(self, process: subprocess.Popen[str] | Forked) -> str:
        """The address that a server says it listens at."""
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, self.log.read_text()
        return line.split()[-1].rstrip("/")

    @property
    def direct(self) -> str:
        """The address of the first server itself, which a proxy may stand before."""
        return f"http://127.0.0.1:{self.ports[0]}"

    def _start_proxy(self) -> None:
        """Start nginx, which gives each request to the next server."""
        folder = self.database.with_suffix(".nginx")
        folder.mkdir()
        port = free_port()
        servers = "".join(f"server 127.0.0.1:{each} max_fails=0;" for each in self.ports)
        own = "".join(
            f"{each}_temp_path {folder / each};" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (folder / "nginx.conf").write_text(f"""
            daemon off; master_process off; pid {folder / "pid"}; error_log {folder / "error.log"} crit; {"user root;" if os.getuid() == 0 else ""}
            events {{ worker_connections 4096; }}
            http {{
                access_log off; {own} client_max_body_size 2m;
                map $http_upgrade $connection_upgrade {{ default upgrade; "" ""; }}
                upstream arcade {{ {servers} keepalive 32; }}
                server {{
                    listen 127.0.0.1:{port};
                    location / {{
                        proxy_pass http://arcade; proxy_http_version 1.1; proxy_next_upstream error timeout non_idempotent;
                        proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr;
                        proxy_set_header X-Forwarded-Proto $scheme; proxy_set_header Upgrade $http_upgrade;
                        proxy_set_header Connection $connection_upgrade; proxy_read_timeout 1h;
                    }}
                }}
            }}
        """)
        command = [program("nginx"), "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]
        self.proxy = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        atexit.register(self.proxy.kill)
        self.base = f"http://127.0.0.1:{port}"
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                get(self.base + "/api/health")
                return
            except httpx.TransportError:
                time.sleep(0.02)

    def end(self, *, kill: bool = False) -> None:
        for process in self.processes:
            if kill:
                process.kill()
            else:
                process.terminate()
        for process in self.processes:
            process.wait(PATIENCE)
            assert process.stdout is not None
            process.stdout.close()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Work in the database, behind the servers' backs."""
        engine = engine_of(self.url)
        try:
            with engine.begin() as connection:
                yield connection
        finally:
            engine.dispose()

    def sql(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        """Run a statement in the database; return its rows, if it has any."""
        with self.transaction() as connection:
            done = connection.execute(text(statement), values)
            return [tuple(row) for row in done] if done.returns_rows else []

    def person(self) -> Person:
        return Person(self)


def children_of(supervisor: int) -> list[psutil.Process]:
    """The processes that serve and think; there are others, such as compilers, and some may have ended."""
    found = []
    for child in psutil.Process(supervisor).children():
        with suppress(psutil.Error):
            if "--multiprocessing-fork" in child.cmdline():
                found.append(child)
    return found


def connections_of(process: psutil.Process) -> list[Any]:
    """What a process has to do with TCP."""
    try:
        return list(process.net_connections("tcp"))
    except psutil.Error:
        return []


def workers_of(supervisor: int) -> list[psutil.Process]:
    """The processes that serve: those that listen for visitors."""
    listening = psutil.CONN_LISTEN
    return [each for each in children_of(supervisor) if any(one.status == listening for one in connections_of(each))]


class Refusal(AssertionError):
    """The server said no."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(f"{status}: {why}")
        self.status, self.why = status, why


class Person:
    """Somebody with a browser's manners: keeps the cookie, sends JSON."""

    def __init__(self, arcade: Arcade) -> None:
        self.arcade = arcade
        # Nothing is kept open between requests, so that nothing has to be closed.
        self.client = httpx.Client(timeout=PATIENCE, limits=httpx.Limits(max_keepalive_connections=0), verify=NO_TLS)

    @property
    def cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())

    def ask(self, method: str, path: str, content: Any = None) -> Any:
        answer = self.client.request(method, self.arcade.base + path, json=content)
        if answer.status_code >= 400:
            raise Refusal(answer.status_code, answer.json()["detail"])
        return answer.json() if answer.content else None

    def get(self, path: str) -> Any:
        return self.ask("GET", path)

    def post(self, path: str, content: Any = None) -> Any:
        return self.ask("POST", path, content if content is not None else {})

    def set_up(self, game: str, *seats: str, **more: Any) -> dict[str, Any]:
        """Set up a game; seats are "here", "invite" or a bot's name."""
        wish: dict[str, Any] = {"game": game, **more}
        if seats:
            wish["seats"] = [
                {"kind": each} if each in ("here", "invite") else {"kind": "bot", "bot": each} for each in seats
            ]
        info: dict[str, Any] = self.post("/api/games", wish)
        return info

    @contextmanager
    def at(self, id: str) -> Iterator[Page]:
        """Open a game's WebSocket."""
        address = self.arcade.base.replace("http", "ws") + f"/ws/games/{id}"
        headers = {"Cookie": self.cookie} if self.cookie else {}
        with connect(address, additional_headers=headers, max_size=None) as socket:
            yield Page(socket)


class Page:
    """An open game: what was last shown, and asking for things."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.info: dict[str, Any] = {}
        self.scene: dict[str, Any] = {}
        self.shown: dict[str, Any] = {}
        self.plies: list[tuple[str, int]] = []
        self._refs = 0
        self.until(lambda page: bool(page.info and page.scene))

    def hear(self, timeout: float = PATIENCE) -> dict[str, Any]:
        """The next message, taken in."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout))
        if message["is"] == "game":
            self.info = message
        elif message["is"] == "scene":
            scene = message["scene"]
            if "cells" not in scene:
                cells = list(self.scene["cells"])
                for index, cell in scene.pop("changed"):
                    cells[index] = cell
                scene["cells"] = cells
            self.scene, self.shown = scene, message
            self.plies[message["from"] :] = [(name, by) for name, by in message["plies"]]
        return message

    def until(self, done: Any) -> None:
        """Listen until something is the case."""
        while not done(self):
            self.hear()

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        """Ask for something, and return the answer to it."""
        self._refs += 1
        self.socket.send(json.dumps({"do": do, "ref": self._refs, **more}))
        while True:
            message = self.hear()
            if message.get("ref") == self._refs:
                return message

    def play(self, action: str) -> dict[str, Any]:
        """Play an action and see it on the board."""
        answer = self.ask("play", action=action, ply=self.shown["ply"])
        if answer["is"] == "ack":
            self.until(lambda page: page.shown["ply"] >= answer["ply"])
        return answer

    @property
    def choices(self) -> list[str]:
        return [choice["action"] for choice in self.scene["choices"]]

    @property
    def over(self) -> bool:
        return bool(self.info["status"] == "over")
