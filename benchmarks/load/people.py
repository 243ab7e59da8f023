"""People who play and watch games over WebSockets, and what they see: how soon an action is acknowledged, shown to
others and answered by a bot, and which actions were acknowledged.
"""

from __future__ import annotations

import asyncio
import json
import random
import ssl
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

KINDS = ("gotham", "gamma", "sixseven", "gaterun")
FOR_TWO = ("gamma", "gaterun")
LEVELS = 3
"""Bots are of the levels 1 to this one, which are quick."""
ONCE = httpx.Limits(max_keepalive_connections=0)
"""No connection is kept open between requests: a server may just be closing it."""
PATIENCE = 30.0
"""Seconds to wait for an answer."""


class Choice(msgspec.Struct):
    action: str


class Scene(msgspec.Struct):
    choices: list[Choice]


class Heard(msgspec.Struct, rename={"kind": "is"}):
    """What of a message matters here."""

    kind: str
    status: str = ""
    ref: int | None = None
    ply: int = 0
    why: str = ""
    mine: bool = False
    plies: list[tuple[str, int]] | int = []
    scene: Scene | None = None


hear = msgspec.json.Decoder(Heard).decode


@dataclass
class Seen:
    """What the people of a client process saw. Times are in milliseconds."""

    waits: list[float] = field(default_factory=list)
    """From an action to its acknowledgement."""
    shown: list[float] = field(default_factory=list)
    """From an action to when the other person's socket shows it."""
    watched: list[float] = field(default_factory=list)
    """From an action to when a watcher's socket shows it."""
    replies: list[float] = field(default_factory=list)
    """From an action to when a bot has answered it and it is the person's turn again."""
    errors: list[str] = field(default_factory=list)
    reconnected: int = 0
    games: int = 0
    wrong: int = 0
    """Actions that were lost or doubled."""


@dataclass(frozen=True)
class Habits:
    """How people behave."""

    base: str
    think: float = 0.0
    """Mean seconds between seeing the board and acting."""
    reconnect: float = 0.0
    """The share of actions after which somebody's socket is dropped."""
    watchers: int = 5
    """Watchers of a game that has some."""
    seed: int = 67


class Visitor:
    """Somebody with a cookie of their own, and a WebSocket."""

    context: ssl.SSLContext | None = None
    """Made once, because that takes long; nothing here uses TLS."""

    def __init__(self, base: str) -> None:
        if Visitor.context is None:
            Visitor.context = ssl.create_default_context()
        self.base = base
        self.client = httpx.AsyncClient(base_url=base, timeout=PATIENCE, verify=Visitor.context, limits=ONCE)
        self.socket: ClientConnection | None = None

    async def post(self, path: str, content: Any) -> Any:
        answer = await self.client.post(path, json=content)
        answer.raise_for_status()
        return answer.json()

    async def connect(self, id: str) -> ClientConnection:
        """Open a game."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        self.socket = await connect(
            self.base.replace("http", "ws") + f"/ws/games/{id}",
            additional_headers={"Cookie": cookie} if cookie else {},
            compression=None,
            max_size=None,
            ping_interval=None,
            open_timeout=PATIENCE,
        )
        return self.socket

    def drop(self) -> None:
        """Lose the connection without a goodbye, as a phone does."""
        if self.socket is not None:
            self.socket.transport.abort()

    async def leave(self) -> None:
        if self.socket is not None:
            await self.socket.close()
        await self.client.aclose()


class Match:
    """One game after another, of one kind of the mix: who plays, and what was acknowledged in each game."""

    def __init__(self, number: int, kind: str, habits: Habits, seen: Seen) -> None:
        self.number, self.kind, self.habits, self.seen = number, kind, habits, seen
        self.random = random.Random(f"{habits.seed} {number}")
        kinds = FOR_TWO if kind in ("bots", "pairs") else KINDS
        self.game = kinds[number % len(kinds)]
        self.stopping = False
        self.acknowledged: dict[str, list[tuple[int, str]]] = {}
        """By game, the ply that an action was played at, and its text."""
        self.unsure: dict[str, set[tuple[int, str]]] = {}
        """Actions whose player lost the connection before the acknowledgement: they may count or not."""
        self.sent: tuple[int, int, float] | None = None
        """The last action: whose it was, at which ply, and when it was sent."""
        self.acts: list[tuple[str, int, float]] = []
        """All actions: the game, the ply, and when they were sent."""
        self.players = [Player(self, seat) for seat in range(1, 3 if kind == "pairs" else 2)]
        self.watchers = [Watcher(self) for _ in range(habits.watchers if kind == "spectators" else 0)]

    @property
    def everybody(self) -> list[Player | Watcher]:
        return [*self.players, *self.watchers]

    async def prepare(self) -> None:
        """Set up a game; everybody opens it."""
        two = self.game in FOR_TWO
        seats: list[dict[str, Any]] = [{"kind": "here"}] * (2 if two else 1)
        if self.kind == "pairs":
            seats = [{"kind": "here"}, {"kind": "invite"}]
        elif self.kind == "bots":
            level = self.number // len(FOR_TWO) % LEVELS + 1
            seats = [{"kind": "here"}, {"kind": "bot", "bot": str(level)}]
        wish = {"game": self.game, "options": {"players": 2} if self.game == "gamma" else {}, "seats": seats}
        host, *guests = self.players
        info = await host.visitor.post("/api/games", wish)
        self.id: str = info["id"]
        self.acknowledged[self.id], self.unsure[self.id], self.sent = [], set(), None
        for guest in guests:
            token = info["invite"].partition("#")[2]
            await guest.visitor.post(f"/api/games/{self.id}/join", {"token": token})
        for each in self.everybody:
            await each.enter()
        self.seen.games += 1

    async def run(self) -> None:
        """Play until told to stop."""
        while not self.stopping:
            watching = [asyncio.create_task(watcher.watch()) for watcher in self.watchers]
            try:
                await asyncio.gather(*(player.play() for player in self.players))
            finally:
                for task in watching:
                    task.cancel()
            for each in self.everybody:
                if each.visitor.socket is not None:
                    await each.visitor.socket.close()
            if not self.stopping:
                await self.prepare()

    def stop(self) -> None:
        """Begin no further action; whoever waits for an acknowledgement still hears it."""
        self.stopping = True
        for player in self.players:
            if not player.waiting:
                player.visitor.drop()

    async def lost_or_doubled(self) -> int:
        """How many acknowledged actions are not where they were acknowledged, and how many others are there."""
        wrong = 0
        for id, acknowledged in self.acknowledged.items():
            answer = await self.players[0].visitor.client.get(f"/api/games/{id}/frames?first=0&last=0")
            answer.raise_for_status()
            people = {1} if self.kind == "bots" else {1, 2}
            kept = {(ply, name) for ply, (name, by) in enumerate(answer.json()["plies"]) if by in people}
            wrong += len(set(acknowledged) - kept) + len(kept - set(acknowledged) - self.unsure[id])
            wrong += len(acknowledged) - len(set(acknowledged))
        return wrong


class Player:
    """Somebody who acts whenever it is their turn."""

    def __init__(self, match: Match, seat: int) -> None:
        self.match, self.seat = match, seat
        self.visitor = Visitor(match.habits.base)
        self.ref, self.at, self.sent, self.waiting = 0, 0, 0.0, ""
        self.ready: Heard | None = None
        self.over = self.unsure = False
        """Whether the game is over, and whether the connection was lost before the last acknowledgement."""

    async def enter(self) -> None:
        """Open the game; what was on its way is lost."""
        self.waiting, self.ready, self.over = "", None, False
        await self.visitor.connect(self.match.id)

    async def play(self) -> None:
        """Play until the game is over, or until told to stop."""
        match = self.match
        while True:
            try:
                if not self.waiting and self.ready is not None and await self._act(self.ready):
                    await self.enter()
                if match.stopping and not self.waiting:
                    return
                assert self.visitor.socket is not None
                if self._over(hear(await self.visitor.socket.recv())):
                    return
            except ConnectionClosed as problem:
                if match.stopping and not self.waiting:
                    return
                match.seen.errors.append(f"connection lost: {problem}")
                self._is_unsure()
                await self.enter()

    async def _act(self, ready: Heard) -> bool:
        """Think and act; return whether the connection was lost meanwhile."""
        match, habits = self.match, self.match.habits
        assert ready.scene is not None and self.visitor.socket is not None
        if habits.think:
            await asyncio.sleep(habits.think * match.random.uniform(0.5, 1.5))
        if match.stopping:
            return False
        self.ref, self.waiting = self.ref + 1, match.random.choice(ready.scene.choices).action
        self.sent, self.at, self.ready = perf_counter(), ready.ply, None
        match.sent = (self.seat, self.at, self.sent)
        match.acts.append((match.id, self.at, self.sent))
        message = {"do": "play", "action": self.waiting, "ply": self.at, "ref": self.ref}
        await self.visitor.socket.send(json.dumps(message))
        if match.random.random() >= habits.reconnect:
            return False
        if match.random.random() < 0.5:  # else it has been acknowledged when the connection is lost
            while self.waiting and not self._over(hear(await self.visitor.socket.recv())):
                pass
        match.sent = None
        self._is_unsure()
        self.visitor.drop()
        match.seen.reconnected += 1
        return True

    def _is_unsure(self) -> None:
        if self.waiting:
            self.match.unsure[self.match.id].add((self.at, self.waiting))
            self.unsure, self.waiting = True, ""

    def _over(self, heard: Heard) -> bool:
        """Take in a message; return whether the game is over, and the last action acknowledged."""
        match, seen = self.match, self.match.seen
        if heard.kind == "ack" and heard.ref == self.ref and self.waiting:
            if not match.stopping:
                seen.waits.append((perf_counter() - self.sent) * 1000)
            match.acknowledged[match.id].append((self.at, self.waiting))
            self.waiting, self.unsure = "", False
        elif heard.kind == "refused":
            if not self.unsure:
                seen.errors.append(heard.why)
            self.waiting = ""
        elif heard.kind == "game":
            self.over = heard.status == "over"
        elif heard.kind == "scene" and isinstance(heard.plies, list):
            self._shown(heard, heard.plies)
            self.ready = heard if heard.mine else None
        return self.over and not self.waiting

    def _shown(self, heard: Heard, plies: list[tuple[str, int]]) -> None:
        """Note how long it took until what others played was shown."""
        match = self.match
        if match.stopping:
            return
        if (
            match.kind == "pairs"
            and match.sent is not None
            and match.sent[0] != self.seat
            and heard.ply > match.sent[1]
        ):
            match.seen.shown.append((perf_counter() - match.sent[2]) * 1000)
            match.sent = None
        elif match.kind == "bots" and heard.mine and self.sent and any(by > 1 for _, by in plies):
            match.seen.replies.append((perf_counter() - self.sent) * 1000)
            self.sent = 0.0


class Watcher:
    """Somebody who only watches."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.visitor = Visitor(match.habits.base)
        self.ply = 0

    async def enter(self) -> None:
        """Open the game."""
        self.ply = 0
        await self.visitor.connect(self.match.id)

    async def watch(self) -> None:
        """Look at every scene, and note how old the action is that it shows."""
        match = self.match
        while True:
            assert self.visitor.socket is not None
            try:
                heard = hear(await self.visitor.socket.recv())
            except ConnectionClosed as problem:
                if match.stopping:
                    return
                match.seen.errors.append(f"a watcher's connection was lost: {problem}")
                await self.enter()
                continue
            if heard.kind == "scene":
                if match.sent is not None and self.ply <= match.sent[1] < heard.ply and not match.stopping:
                    match.seen.watched.append((perf_counter() - match.sent[2]) * 1000)
                self.ply = heard.ply
