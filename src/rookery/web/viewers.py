"""Viewers of a room, and the broadcaster that sends them updates."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable

    from rookery.core.bot import Analysis
    from rookery.core.scene import Scene
    from rookery.search.cancel import CancelToken
    from rookery.web.backlog import Backlog
    from rookery.web.fair_queue import Client

log = logging.getLogger("rookery.web")

MAX_BACKLOG = 2_000_000
"""Bytes a viewer may fall behind before being disconnected."""
OVERHEAD = 64
"""Bytes of memory that a queued message takes beside its own."""


class AnalysisUnderWay(NamedTuple):
    """An analysis that is being made."""

    at: tuple[int, int]
    """Of which position: the number of plies and of takebacks."""
    token: CancelToken
    found: asyncio.Task[Analysis]


class Viewer:
    """One open connection: whose it is, and what it has been sent."""

    def __init__(self, client: Client, backlog: Backlog | None = None, drop: Callable[[], None] | None = None) -> None:
        """`backlog` counts what waits for them; `drop` ends their connection even if they do not read."""
        self.client = client
        self.person = client.person
        self.address = client.address
        self.odds = False
        """Whether they asked to see odds that the game hides."""
        self.scene: Scene | None = None
        self.known_plies = 0
        """Plies they have been sent that still stand."""
        self.last_facts: dict[str, Any] = {}
        """What was last said beside the scene."""
        self.last_info: tuple[Any, ...] = ()
        """What the game info last sent depended on."""
        self.analysis: AnalysisUnderWay | None = None
        """The analysis they are waiting for."""
        self.pending_analyses = 0
        """Analyses under way, including those being cancelled."""
        self.outbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._queued_bytes = 0
        self._backlog, self._drop = backlog, drop
        self._closed = False

    def cancel_analysis(self) -> None:
        """Cancel the analysis they are waiting for."""
        if self.analysis is not None:
            self.analysis.token.cancel()
            self.analysis = None

    def send(self, message: Any) -> None:
        """Queue a message. A viewer too far behind is disconnected; after reconnecting they get a full scene."""
        if self._closed:
            return
        data = message if isinstance(message, bytes) else msgspec.json.encode(message)
        self.outbox.put_nowait(data)
        self._note(self._queued_bytes + len(data) + OVERHEAD)
        if self._queued_bytes > MAX_BACKLOG:
            self.drop()

    async def next(self) -> bytes | None:
        """The next message to send; None to close the connection."""
        data = await self.outbox.get()
        if data is not None:
            self._note(self._queued_bytes - len(data) - OVERHEAD)
        return data

    def finish(self) -> None:
        """Close the connection after what is queued."""
        self.outbox.put_nowait(None)

    def close(self) -> None:
        """Close the connection and drop queued messages."""
        self._closed = True
        while not self.outbox.empty():
            self.outbox.get_nowait()
        self._note(0)
        self.outbox.put_nowait(None)

    def drop(self) -> None:
        """The same at once, without a word: they may never read it."""
        self.close()
        if self._drop is not None:
            self._drop()

    def _note(self, queued: int) -> None:
        """Note how many bytes are queued by now."""
        self._queued_bytes = max(0, queued)
        if self._backlog is not None:
            self._backlog.keep(self, self._queued_bytes)


class BroadcastRoom(Protocol):
    """What the broadcaster needs of a room."""

    lock: asyncio.Lock

    @property
    def viewers(self) -> set[Viewer]:
        """Who watches."""

    def broadcast(self) -> bool:
        """Send some viewers what is new; return whether others wait for it."""


class Broadcaster:
    """Updates the viewers of rooms, some of one room at a time, so that it never delays an answer for long."""

    def __init__(self) -> None:
        self._due: dict[BroadcastRoom, None] = {}
        self._wanted = asyncio.Event()
        self._changing: dict[BroadcastRoom, asyncio.Task[None]] = {}

    def schedule(self, room: BroadcastRoom) -> None:
        """Schedule a room; scheduled twice before its turn, it is broadcast once."""
        if room.viewers:
            self._due[room] = None
            self._wanted.set()

    async def run(self) -> None:
        """Broadcast scheduled rooms for ever."""
        try:
            while True:
                await self._wanted.wait()
                while self._due:
                    room = next(iter(self._due))
                    del self._due[room]
                    if not room.lock.locked():
                        if self._broadcast(room):
                            self._due[room] = None  # the others come first
                        await asyncio.sleep(0)
                    elif room not in self._changing:
                        self._changing[room] = asyncio.create_task(self._broadcast_when_saved(room))
                self._wanted.clear()
        finally:
            for task in self._changing.values():
                task.cancel()

    async def _broadcast_when_saved(self, room: BroadcastRoom) -> None:
        """A room is changing, and the change may not be saved yet; the database may be away for long."""
        try:
            async with room.lock:
                more = self._broadcast(room)
            if more:
                self.schedule(room)
        finally:
            del self._changing[room]

    def _broadcast(self, room: BroadcastRoom) -> bool:
        try:
            return room.broadcast()
        except Exception:
            log.exception("A room could not be broadcast")
            return False
