"""Who looks at the rooms, and the painter who shows them what is new."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

if TYPE_CHECKING:
    from rookery.core.scene import Scene
    from rookery.search.cancel import CancelToken

log = logging.getLogger("rookery.web")

BACKLOG = 2_000_000
"""Bytes a viewer may be behind before the connection is given up."""


class Viewer:
    """One open page: who looks, and what they have been sent."""

    def __init__(self, person: str, address: str = "") -> None:
        self.person = person
        self.address = address
        self.odds = False
        """Whether they want to see odds that the game hides."""
        self.scene: Scene | None = None
        self.known = 0
        """Plies they have been told of that still stand."""
        self.told = b""
        """The last facts sent."""
        self.token: CancelToken | None = None
        """The analysis they are waiting for."""
        self.questions = 0
        """How many analyses they are waiting for, those that are being cut short included."""
        self.outbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._behind = 0

    def send(self, message: Any) -> None:
        """Send a message; a viewer who does not keep up is disconnected, and will come back for the whole picture."""
        data = message if isinstance(message, bytes) else msgspec.json.encode(message)
        self._behind += len(data)
        if self._behind > BACKLOG:
            self.close()
        else:
            self.outbox.put_nowait(data)

    async def next(self) -> bytes | None:
        """What is to be sent next; None if the connection is to be ended."""
        data = await self.outbox.get()
        self._behind -= len(data or b"")
        return data

    def close(self) -> None:
        """End the connection; nothing that is still to be sent matters."""
        while not self.outbox.empty():
            self.outbox.get_nowait()
        self.outbox.put_nowait(None)


class Painted(Protocol):
    """What the painter needs of a room."""

    viewers: set[Viewer]
    lock: asyncio.Lock

    def paint(self) -> None:
        """Send every viewer what is new to them."""


class Painter:
    """Draws rooms for their viewers, one at a time and in turn, so that drawing never holds up an answer for long."""

    def __init__(self) -> None:
        self._due: dict[Painted, None] = {}
        self._wanted = asyncio.Event()

    def ask(self, room: Painted) -> None:
        """Have a room drawn; asked for twice before its turn, it is drawn once, as it is then."""
        if room.viewers:
            self._due[room] = None
            self._wanted.set()

    async def run(self) -> None:
        """Draw as long as the house is open."""
        while True:
            await self._wanted.wait()
            while self._due:
                room = next(iter(self._due))
                del self._due[room]
                if room.lock.locked():  # it is changing: what it would show now may not be saved yet
                    self._due[room] = None
                    await asyncio.sleep(0.001 if len(self._due) == 1 else 0)
                    continue
                try:
                    room.paint()
                except Exception:
                    log.exception("A room could not be drawn")
                await asyncio.sleep(0)
            self._wanted.clear()
