"""What servers on one database tell each other: which games have changed, who watches them, who is gone, how much of
the limits an address has used.

An event is a hint to look, never the truth: it is sent after the database has what it says. So an event that is lost or
late costs a delay, until games are compared with the database anyway. An ordinary action is told with the event: if it
is the next one of a game, the others need not read it. Litestar's channel backend for PostgreSQL (LISTEN and NOTIFY)
carries the events. A server that is alone has none, and tells nobody.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import random
import secrets
from contextlib import suppress
from hashlib import sha256
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta

from rookery.web import metrics
from rookery.web.repository import Advance

if TYPE_CHECKING:
    from collections.abc import Callable

    from litestar.channels import ChannelsBackend

    Listener = Callable[[str, Any], None]

log = logging.getLogger("rookery.web")

CHANNEL = "rookery"
MOST_BYTES = 7_000
"""Bytes in a message; PostgreSQL takes 8,000."""
MOST_LETTERS = 1_000
"""Letters in the names of the plies that an event tells of."""
SIGNATURE = 32
"""Characters of a message's signature (HMAC-SHA256, truncated)."""
MOST_WAITING = 20_000
"""Events that may wait to be sent."""
GATHER = 0.004
"""Seconds in which events are gathered into one message."""
BEAT = 5.0
"""Seconds between signs of life."""
SILENCE = 20.0
"""Seconds without a sign of life after which a server counts as gone, or the connection as broken."""


# Anybody who may connect to the database can send events: PostgreSQL asks for no further right. So values are bounded.
Id = Annotated[str, Meta(max_length=64)]
Version = Annotated[int, Meta(ge=-1, le=2**31)]
MOST_COUNT = 100_000
Count = Annotated[int, Meta(ge=0, le=MOST_COUNT)]
MOST_SERVERS = 1_000
"""Servers that are remembered before those that were not heard of lately are forgotten."""


class Hint(msgspec.Struct, array_like=True):
    """What all events have in common."""

    def after(self, before: Any) -> Any:
        """What to send in place of this and of an earlier event with the same key that was not sent yet."""
        return self


class Changed(Hint, tag="c"):
    """A game has a new version."""

    game: Id
    version: Version
    advance: Advance | None = None
    """What was played, if nothing else was changed since the version before it."""

    def after(self, before: Any) -> Changed:
        follows = self.advance is not None and before.advance is not None and self.advance.version == before.version
        return Changed(self.game, self.version, before.advance.then(self.advance) if follows else None).bounded()

    def bounded(self) -> Changed:
        """The same event, without an action whose names are too long to be told."""
        if self.advance is not None and sum(map(len, self.advance.names)) > MOST_LETTERS:
            return Changed(self.game, self.version)
        return self


class Here(Hint, tag="h"):
    """Who watches a game on a server."""

    game: Id
    people: list[Id]
    watchers: Count
    ask: bool
    """Whether the others shall say who watches it there."""


class Revoked(Hint, tag="r"):
    """A person's cookies are no longer valid."""

    person: Id


class Used(Hint, tag="u"):
    """What an address has used of a rate."""

    rate: Id
    address: Id
    count: Count

    def after(self, before: Any) -> Used:
        return Used(self.rate, self.address, min(MOST_COUNT, before.count + self.count))


class Beat(Hint, tag="b"):
    """A sign of life."""


Event = Changed | Here | Revoked | Used | Beat


class Message(msgspec.Struct, array_like=True):
    """Some events of a server."""

    server: Id
    events: list[Event]


class Events:
    """Sends events to the other servers, and passes theirs to the listeners."""

    def __init__(self, backend: Callable[[], ChannelsBackend] | None = None, key: bytes = b"") -> None:
        """Servers with the same secret `key` believe each other. Anybody who may connect to the database can send."""
        self.server = secrets.token_hex(4)
        self._make, self._key = backend, key
        self._listeners: dict[type, list[Listener]] = {}
        self._on_gap: list[Callable[[], None]] = []
        self._waiting: dict[Any, Event] = {}
        self._wanted = asyncio.Event()
        self._heard: dict[str, float] = {}
        """When each server was last heard of."""

    @property
    def alone(self) -> bool:
        """Whether there is nobody to tell."""
        return self._make is None

    def listen(self, kind: type, listener: Listener) -> None:
        """Have a listener called with every event of a kind."""
        self._listeners.setdefault(kind, []).append(listener)

    def on_gap(self, call: Callable[[], None]) -> None:
        """Have something called when events may have been missed."""
        self._on_gap.append(call)

    def living(self) -> set[str]:
        """The other servers that were heard of lately; those that were not are forgotten."""
        since = monotonic() - SILENCE
        for server in [server for server, at in self._heard.items() if at <= since and server != self.server]:
            del self._heard[server]
        return self._heard.keys() - {self.server}

    def changed(self, game: str, version: int, advance: Advance | None = None) -> None:
        """Tell that a game has a new version, by an action if one is given."""
        self.send(game, Changed(game, version, advance).bounded())

    def send(self, key: Any, event: Event) -> None:
        """Send an event soon. A later one with the same key takes its place, or says both."""
        if self._make is not None:
            if len(self._waiting) >= MOST_WAITING:  # nobody can be told now; they compare when they can be
                self._waiting.clear()
            before = self._waiting.get((type(event), key))
            self._waiting[type(event), key] = event if before is None else event.after(before)
            self._wanted.set()

    async def run(self) -> None:
        """Send and hear, and connect again whenever the connection breaks."""
        if self._make is None:
            return
        pause = 0.2
        while True:
            began = monotonic()
            try:
                await self._connected(self._make())
            except Exception as problem:
                log.warning("Events of other servers are not heard now: %s", str(problem).splitlines()[:1])
            pause = 0.2 if monotonic() - began > SILENCE else min(5.0, 2 * pause)
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))

    async def _connected(self, backend: ChannelsBackend) -> None:
        """Send and hear over one connection until it breaks."""
        try:
            async with asyncio.timeout(10):
                await backend.on_startup()
                await backend.subscribe([CHANNEL])
            self._heard[self.server] = monotonic()
            for call in self._on_gap:
                call()
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._hear(backend))
                tasks.create_task(self._send(backend))
                tasks.create_task(self._beat())
        finally:
            with suppress(Exception):
                async with asyncio.timeout(2):
                    await backend.on_shutdown()

    async def _hear(self, backend: ChannelsBackend) -> None:
        decode = msgspec.json.Decoder(Message).decode
        async for _, data in backend.stream_events():
            if not hmac.compare_digest(data[:SIGNATURE], self._signature(data[SIGNATURE:])):
                continue
            try:
                message = decode(data[SIGNATURE:])
            except (msgspec.DecodeError, RecursionError):  # of another version
                continue
            self._note(message.server)
            if message.server != self.server:
                metrics.events.add(len(message.events), "heard")
                for event in message.events:
                    self._tell(message.server, event)

    def _note(self, server: str) -> None:
        """Note that a server was heard of."""
        if len(self._heard) >= MOST_SERVERS:
            self._heard = {each: self._heard[each] for each in (*self.living(), self.server)}
        if server in self._heard or len(self._heard) < MOST_SERVERS:
            self._heard[server] = monotonic()

    def _tell(self, server: str, event: Event) -> None:
        """Call the listeners. One that fails does not keep others from hearing."""
        for listener in self._listeners.get(type(event), ()):
            try:
                listener(server, event)
            except Exception:
                log.exception("An event of another server could not be dealt with")

    async def _send(self, backend: ChannelsBackend) -> None:
        encode = msgspec.json.Encoder().encode
        while True:
            await self._wanted.wait()
            await asyncio.sleep(GATHER)
            self._wanted.clear()
            while self._waiting:
                events: list[Event] = []
                size = 0
                while self._waiting and size < MOST_BYTES:
                    key = next(iter(self._waiting))
                    event = self._waiting[key]
                    size += len(encode(event)) + 1
                    if size < MOST_BYTES or not events:
                        events.append(self._waiting.pop(key))
                data = encode(Message(self.server, events))
                await backend.publish(self._signature(data) + data, [CHANNEL])
                metrics.events.add(len(events), "sent")

    def _signature(self, data: bytes) -> bytes:
        return hmac.new(self._key, data, sha256).hexdigest()[:SIGNATURE].encode()

    async def _beat(self) -> None:
        """Show signs of life. A server that does not hear its own does not hear others either."""
        while True:
            self.send(None, Beat())
            await asyncio.sleep(BEAT)
            if monotonic() - self._heard[self.server] > SILENCE:
                raise TimeoutError("nothing was heard for too long")
