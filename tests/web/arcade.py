"""A real arcade for tests: a server process on a database file, and people who call it over HTTP and WebSockets."""

from __future__ import annotations

import json
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
from tests.ending import module
from websockets.sync.client import ClientConnection, connect

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = 20.0


class Arcade:
    """A server process, which can be ended any way a process can and started again at the same address and database."""

    def __init__(self, database: Path, *more: str) -> None:
        self.database = database
        self.log = database.with_suffix(".log")
        self.port = "0"
        self.more = more
        self.start()

    def start(self) -> None:
        where = ("--port", self.port, "--db", str(self.database))
        command = module("rookery", "serve", "--no-browser", *where, *self.more)
        with self.log.open("a") as log:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self.process.stdout is not None
        self.base = self.process.stdout.readline().split()[-1].rstrip("/")
        self.port = self.base.rpartition(":")[2]

    def end(self, *, kill: bool = False) -> None:
        if kill:
            self.process.kill()
        else:
            self.process.terminate()
        self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def person(self) -> Person:
        return Person(self)


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
        self.client = httpx.Client(timeout=PATIENCE, limits=httpx.Limits(max_keepalive_connections=0))

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
