"""People who go on playing whatever fails, and write down what they did, what they were told, and how long it took.

Each table is one game after another: alone, against a quick bot, or two people whose sockets are on different servers;
some games have clocks. Whoever hears nothing for a while, or loses the connection, tries another server, as the page
does. A line of the log is written before an action is sent and after it is acknowledged.
"""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 4.0
"""Seconds after which somebody who has no answer tries another server."""
CLOCK = {"minutes": 1, "increment": 1}
TABLES: list[dict[str, Any]] = [
    {"game": "gotham"},
    {"game": "gaterun", "seats": ("here", "invite")},
    {"game": "sixseven"},
    {"game": "gaterun", "seats": ("here", "bot")},
    {"game": "gamma", "options": {"players": 2}, "seats": ("here", "invite")},
    {"game": "gaterun", "seats": ("here", "invite"), "clock": CLOCK},
    {"game": "gamma", "options": {"players": 2}, "seats": ("here", "bot")},
    {"game": "gaterun", "seats": ("here", "bot"), "clock": CLOCK},
]


@dataclass
class Table:
    """Where one game is played after another."""

    number: int
    bases: list[str]
    stop: Path
    """A file that says that it is over."""
    log: Any

    def __post_init__(self) -> None:
        self.random = random.Random(self.number)
        self.setup = TABLES[self.number % len(TABLES)]
        self.people = [Person(self, k) for k in range(2 if "invite" in self.setup.get("seats", ()) else 1)]

    def note(self, *what: Any) -> None:
        self.log.write(json.dumps(what) + "\n")

    async def run(self) -> None:
        """Play one game after another."""
        while not self.stop.exists():
            if (game := await self._set_up()) is not None:
                await asyncio.gather(*(person.play(game) for person in self.people))

    async def _set_up(self) -> str | None:
        """Set up a game and let the other one join."""
        wish = {name: value for name, value in self.setup.items() if name != "seats"}
        if "seats" in self.setup:
            wish["seats"] = [{"kind": "bot", "bot": "1"} if s == "bot" else {"kind": s} for s in self.setup["seats"]]
        info = await self.people[0].post("/api/games", wish)
        for person in self.people[1:]:
            token = "" if info is None else info["invite"].partition("#")[2]
            if info is None or await person.post(f"/api/games/{info['id']}/join", {"token": token}) is None:
                return None
        return None if info is None else str(info["id"])


@dataclass
class Sent:
    """An action on its way."""

    ply: int
    action: str
    since: float
    over: Any = None
    """The connection that it was sent over last."""
    interrupted: bool = False


@dataclass
class Person:
    """Somebody at a table."""

    table: Table
    number: int
    cookie: str = ""
    sent: Sent | None = None
    plies: list[str] = field(default_factory=list)
    """What they were shown of the game."""
    refs: list[tuple[int, str]] = field(default_factory=list)
    """The ply and the text of every message."""
    answered: float | None = None
    """Since when they wait for a bot."""

    def server(self) -> str:
        return self.table.random.choice(self.table.bases)

    async def post(self, path: str, content: Any) -> Any:
        """Ask one server after the other until one does it; None if that is never."""
        since = monotonic()
        while not self.table.stop.exists():
            headers = {"Cookie": self.cookie} if self.cookie else {}
            try:
                async with httpx.AsyncClient(base_url=self.server(), headers=headers, timeout=PATIENCE) as client:
                    if not self.cookie:  # if the answer to a first action is lost, whoever did it is lost too
                        await client.get("/api/me")
                    if "rookery" in client.cookies:
                        self.cookie = f"rookery={client.cookies['rookery']}"
                    answer = await client.post(path, json=content)
                    if answer.is_success:
                        self.table.note("wait", "request", monotonic() - since)
                        return answer.json()
                    self.table.note("refused", answer.status_code, answer.json()["detail"])
                    if answer.status_code in (404, 409) and "moved on" not in answer.text:
                        return None
            except (httpx.HTTPError, ValueError):
                pass
            await asyncio.sleep(self.table.random.uniform(0.1, 0.4))
        return None

    async def play(self, game: str) -> None:
        """Play until the game is over."""
        self.sent, self.plies, self.answered, over = None, [], None, False
        while not over and not self.table.stop.exists():
            address = self.server().replace("http", "ws") + f"/ws/games/{game}"
            headers = {"Cookie": self.cookie}
            try:
                async with connect(
                    address,
                    additional_headers=headers,
                    compression=None,
                    max_size=None,
                    open_timeout=PATIENCE,
                    ping_interval=None,
                    close_timeout=0.2,
                ) as socket:
                    over = await self._follow(socket, game)
            except (OSError, WebSocketException, TimeoutError, EOFError):
                await asyncio.sleep(self.table.random.uniform(0.05, 0.3))
            if self.sent is not None:
                self.sent.interrupted = True
        self.table.note("shown", game, self.plies)

    async def _follow(self, socket: ClientConnection, game: str) -> bool:
        """Play at one server; whether the game is over."""
        while not self.table.stop.exists():
            heard = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE if self.sent else 3 * PATIENCE))
            if heard["is"] == "game" and heard["status"] == "over":
                return True
            if heard["is"] == "scene":
                self._look(heard, game)
                if heard["mine"] and heard["scene"]["choices"]:
                    await self._act(socket, game, heard)
            elif heard["is"] == "ack":
                ply, action = self.refs[heard["ref"]]
                self.table.note("ack", game, ply, action)
                if self.sent is not None and self.sent.ply == ply:
                    self._done()
            elif heard["is"] == "refused":
                self.table.note("refused", 0, heard["why"])
                if self.sent is not None and self.refs[heard["ref"]][0] == self.sent.ply:
                    self.sent.interrupted = True
                    await asyncio.sleep(self.table.random.uniform(0.1, 0.4))
                    await self._send(socket, game)
        return False

    def _look(self, heard: dict[str, Any], game: str) -> None:
        """Take in what is shown; what was shown once stands, as nobody undoes."""
        first, new = heard["from"], [name for name, _ in heard["plies"]]
        old = self.plies[first : first + len(new)]
        if old != new[: len(old)]:
            self.table.note("forked", game, first, old, new)
        self.plies[first : first + len(new)] = new
        if self.sent is not None and heard["ply"] > self.sent.ply:
            self._done()

    async def _act(self, socket: ClientConnection, game: str, heard: dict[str, Any]) -> None:
        """Choose an action, or send the same one again."""
        if self.answered is not None and "bot" in self.table.setup.get("seats", ()):
            self.table.note("wait", "bot", monotonic() - self.answered)
        self.answered = None
        if self.sent is None:
            await asyncio.sleep(self.table.random.uniform(0, 0.2))
            self.sent = Sent(heard["ply"], self.table.random.choice(heard["scene"]["choices"])["action"], monotonic())
        if self.sent.over is not socket:
            await self._send(socket, game)

    async def _send(self, socket: ClientConnection, game: str) -> None:
        if self.sent is not None:
            self.sent.over = socket
            self.refs.append((self.sent.ply, self.sent.action))
            message = {"do": "play", "action": self.sent.action, "ply": self.sent.ply, "ref": len(self.refs) - 1}
            self.table.note("sent", game, self.sent.ply, self.sent.action)
            await socket.send(json.dumps(message))

    def _done(self) -> None:
        assert self.sent is not None
        kind = "interrupted" if self.sent.interrupted else "action"
        self.table.note("wait", kind, monotonic() - self.sent.since)
        self.sent, self.answered = None, monotonic()


def people(numbers: range, bases: list[str], stop: Path, log: Path) -> None:
    """Let people play at some tables until told to stop: what a client process does."""

    async def play() -> None:
        with log.open("a", buffering=1) as file:
            await asyncio.gather(*(Table(number, bases, stop, file).run() for number in numbers))

    asyncio.run(play())
