"""The outermost layer: how many connections there may be, how long a request may take to arrive, how many frames a
WebSocket may send.

uvicorn reads requests; the classes here extend its protocols, so that a client who sends slowly, too much or nothing at
all costs the others nothing. h11 reads headers, because it bounds their size.
"""

from __future__ import annotations

import socket
import struct
import sys
from contextlib import suppress
from ipaddress import IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING, Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from rookery.core.errors import OptionError
from rookery.web.backlog import Backlog
from rookery.web.limits import TokenBucket

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Iterable

    from rookery.web.limits import Limits

HEADER_SECONDS = 10
"""Seconds in which the headers of a request must arrive."""
BODY_SECONDS = 30
"""Seconds in which the body of a request must arrive."""
PROXY_IDLE_SECONDS = 150
"""Seconds for which a proxy's connection may be idle. A proxy must close it first, else a request may meet its end;
Caddy waits for 120.
"""
READ_SECONDS, LEAST_READ = 20, 4_096
"""Seconds in which somebody must read so many bytes of what waits for them, or all of it."""
SYSTEM_KEEPS = 65_536
"""Bytes of answers that the system may keep for one connection; Linux takes twice as many. By itself it would take
megabytes."""
KEPT_UNCOUNTED = 16_384
"""Bytes of an answer that may wait to be read before they count."""
RESERVED_FILES = 64
"""Open files that are kept for the database and the program itself."""


def network(address: str) -> str:
    """What limits count as one address: an IPv4 address, or the /64 network that one IPv6 customer has."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:  # a socket file or a test
        return address
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return f"{IPv6Address(int(found) >> 64 << 64)}/64"
    return str(found)


class Proxies:
    """The proxies that are trusted to say for whom they ask, given as addresses or networks."""

    def __init__(self, given: Iterable[str] = ()) -> None:
        try:
            self._networks = [ip_network(each) for each in given]
        except ValueError as problem:
            raise OptionError(
                f"--trusted-proxy takes an IP address or a network, such as 127.0.0.1 or 172.16.0.0/12: {problem}."
            ) from None

    def __contains__(self, address: str) -> bool:
        try:
            found = ip_address(address.partition("%")[0])
        except ValueError:  # a socket file or a test
            return False
        if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
            found = found.ipv4_mapped
        return any(found in each for each in self._networks)

    def names(self) -> list[str]:
        """How uvicorn wants them: also as a socket for both versions of IP shows IPv4 addresses."""
        mapped = [
            f"::ffff:{each.network_address}/{96 + each.prefixlen}" for each in self._networks if each.version == 4
        ]
        return [*map(str, self._networks), *mapped]


def most_connections() -> int:
    """How many connections the system lets this process have. The soft limit on open files is raised first."""
    if sys.platform == "win32":
        return 10_000
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return max(16, (65_536 if soft == resource.RLIM_INFINITY else soft) - RESERVED_FILES)


class Connections:
    """All connections by address, which of them have not sent a whole request yet, and what they have not read.

    A trusted proxy may have any number: they are those of many people. `AccessMiddleware` counts requests of each.
    """

    def __init__(self, limits: Limits, most: int, proxies: Proxies) -> None:
        self.limits, self.most, self.proxies = limits, most, proxies
        self.backlog = Backlog(limits.unread)
        self._open: dict[str, int] = {}
        self._total = 0
        self._waiting: dict[str, dict[Front, None]] = {}
        """The connections of an address that owe a request, oldest first."""

    def opened(self, connection: Front) -> bool:
        """Count a new connection; False if there are too many. Those that owe a request make room for it."""
        address = connection.address
        most_here = self.most if connection.is_proxy else self.limits.connections
        if self._open.get(address, 0) >= most_here:
            self._drop_waiting(address)
        if self._total >= self.most:
            self._drop_waiting(max(self._waiting, key=lambda each: len(self._waiting[each]), default=address))
        self._open[address] = self._open.get(address, 0) + 1
        self._total += 1
        return self._open[address] <= most_here and self._total <= self.most

    def closed(self, address: str) -> None:
        self._total -= 1
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]

    def waits(self, connection: Front) -> None:
        """Note that a connection owes a request; an address may have few such connections."""
        waiting = self._waiting.setdefault(connection.address, {})
        waiting[connection] = None
        if len(waiting) > self.limits.waiting and not connection.is_proxy:
            self._drop_waiting(connection.address)

    def arrived(self, connection: Front) -> None:
        """Note that a request has arrived, or that the connection is lost."""
        waiting = self._waiting.get(connection.address)
        if waiting is not None:
            waiting.pop(connection, None)
            if not waiting:
                del self._waiting[connection.address]

    def _drop_waiting(self, address: str) -> None:
        """Close the connection of an address that has owed a request for the longest time."""
        oldest = next(iter(self._waiting.get(address, ())), None)
        if oldest is not None:
            oldest.drop()


class Unread:
    """What a connection has not read of what it was sent: it counts, and it must go on reading."""

    def __init__(self, loop: asyncio.AbstractEventLoop, backlog: Backlog, address: str, transport: Any) -> None:
        """`address` is empty if it is a proxy's."""
        self.address = address
        self._loop, self._backlog, self._transport = loop, backlog, transport
        self._size = 0
        self._next: asyncio.TimerHandle | None = None
        transport.set_write_buffer_limits(high=KEPT_UNCOUNTED)

    def watch(self) -> None:
        """Something waits to be read."""
        self._note()
        if self._next is None and self._size:
            self._next = self._loop.call_later(READ_SECONDS, self._look, self._size)

    def _look(self, before: int) -> None:
        self._next = None
        self._note()
        if before - self._size < min(before, LEAST_READ):
            self.drop()
        else:
            self.watch()

    def _note(self) -> None:
        self._size = self._transport.get_write_buffer_size()
        self._backlog.keep(self, self._size)

    def done(self) -> None:
        """Nothing waits any more, or nobody can read it."""
        if self._next is not None:
            self._next.cancel()
            self._next = None
        self._backlog.keep(self, 0)

    def drop(self) -> None:
        """End the connection at once, and have the system forget what it keeps for it."""
        self.done()
        connection = self._transport.get_extra_info("socket")
        if connection is not None:
            with suppress(OSError):  # it is closed
                linger = struct.pack("hh" if sys.platform == "win32" else "ii", 1, 0)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self._transport.abort()


class Front(H11Protocol):
    """An HTTP connection that must send its headers in time, and not before others are served."""

    unread: Unread

    def __init__(self, *, tracker: Connections, **given: Any) -> None:
        super().__init__(**given)
        self.tracker = tracker
        self.address = ""
        self.is_proxy = False
        self._deadline: asyncio.TimerHandle | None = None
        self._counted = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        peer = self.client[0] if self.client else ""
        self.address, self.is_proxy = network(peer), peer in self.tracker.proxies
        self.unread = Unread(self.loop, self.tracker.backlog, "" if self.is_proxy else self.address, transport)
        if self.is_proxy:
            self.timeout_keep_alive = PROXY_IDLE_SECONDS
        self._counted = True
        if not self.tracker.opened(self):
            self.drop()
            return
        self._expect()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]:
            self._expect()

    def handle_events(self) -> None:
        super().handle_events()
        if self.conn.their_state is not h11.IDLE:
            self._arrived()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._arrived()
        self.unread.done()
        self._counted = False  # the WebSocket counts now
        super().handle_websocket_upgrade(event)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.unread.watch()

    def resume_writing(self) -> None:
        self.unread.done()
        super().resume_writing()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self.unread.watch()  # it is closed when that was read

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        self.unread.done()
        if self._counted:
            self._counted = False
            self.tracker.closed(self.address)
        super().connection_lost(exc)

    def drop(self) -> None:
        """Close the connection without an answer."""
        self._arrived()
        if self.transport is not None:
            self.transport.abort()

    def _expect(self) -> None:
        """From now on, the headers of a request must arrive in time."""
        if self._deadline is None:
            self.tracker.waits(self)
            self._deadline = self.loop.call_later(HEADER_SECONDS, self.drop)

    def _arrived(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
            self.tracker.arrived(self)


class FrontSocket(WebSocketsSansIOProtocol):
    """A WebSocket whose pings, pongs and fragments count as messages: the library answers them by itself."""

    unread: Unread

    def __init__(self, *, tracker: Connections, **given: Any) -> None:
        super().__init__(**given)
        self.tracker = tracker
        self._frames = TokenBucket(tracker.limits.messages)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        peer = self.client[0] if self.client else ""
        address = "" if peer in self.tracker.proxies else network(peer)
        self.unread = Unread(self.loop, self.tracker.backlog, address, transport)

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        if hasattr(self, "scope"):  # else the request was refused
            self.scope["state"]["drop"] = self.unread.drop

    def pause_writing(self) -> None:
        super().pause_writing()
        self.unread.watch()

    def resume_writing(self) -> None:
        self.unread.done()
        super().resume_writing()

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.close":
            self.unread.watch()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.unread.watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self.unread.done()
        self.tracker.closed(network(self.client[0] if self.client else ""))
        super().connection_lost(exc)

    def handle_ping(self) -> None:
        if self._allowed():
            super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        if self._allowed():
            super().handle_pong(event)

    def handle_cont(self, event: Any) -> None:
        if self._allowed():
            super().handle_cont(event)

    def _allowed(self) -> bool:
        if self._frames.take():
            self.transport.abort()
            return False
        return True
