"""The network between servers and PostgreSQL, as a TCP proxy that can be slow, stall, be cut, or lose one answer."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from threading import Event, Thread


class Network:
    """Forwards connections to a port, on a thread of its own."""

    def __init__(self, target: int) -> None:
        self.target = target
        self.port = 0
        self.delay = 0.0
        """Seconds by which everything is late."""
        self.stalled = False
        """Whether nothing arrives, though no connection breaks: half-open, or the other side stands still."""
        self.lose = b""
        """Lose the answer to the next COMMIT of a transaction that has sent this; the connection breaks."""
        self.lost = 0
        """How many answers were lost."""
        self.then_cut = False
        """Whether the network is cut as well when an answer is lost."""
        self.refused = 0
        """How many connections were refused."""
        self._refusing = False
        self._links: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._ready, self._stop = Event(), asyncio.Event()
        self._thread = Thread(target=self._loop.run_until_complete, args=(self._run(),), daemon=True)
        self._thread.start()
        self._ready.wait()

    def url(self, database: str) -> str:
        """A database's URL by way of this network."""
        return database.replace(f":{self.target}/", f":{self.port}/")

    def cut(self) -> None:
        """Break all connections, and refuse new ones until mended."""
        self._refusing = True
        self.disconnect()

    def disconnect(self) -> None:
        """Break all connections; new ones may be made."""
        self._loop.call_soon_threadsafe(self._break)

    def mend(self) -> None:
        """Work as a network should."""
        self.delay, self.stalled = 0.0, False
        self.lose, self.then_cut, self._refusing = b"", False, False

    def close(self) -> None:
        """Break everything for good."""
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._loop.close()

    def _break(self) -> None:
        for link in self._links:
            link.cancel()

    async def _run(self) -> None:
        server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        self._break()
        await asyncio.gather(*self._links, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._refusing:
            self.refused += 1
            writer.transport.abort()
            return
        link = asyncio.get_running_loop().create_task(self._link(reader, writer))
        self._links.add(link)
        link.add_done_callback(self._links.discard)

    async def _link(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Forward one connection until either side ends it."""
        there = None
        try:
            answers, there = await asyncio.open_connection("127.0.0.1", self.target)
            marked = asyncio.Event()
            both = [self._asks(reader, there, marked), self._answers(answers, writer, marked)]
            await asyncio.wait([asyncio.ensure_future(each) for each in both], return_when=asyncio.FIRST_COMPLETED)
        except OSError:
            pass
        finally:
            for each in (writer, there):
                if each is not None:
                    each.transport.abort()

    async def _asks(self, source: asyncio.StreamReader, drain: asyncio.StreamWriter, marked: asyncio.Event) -> None:
        with suppress(OSError):
            while data := await source.read(65536):
                if self.lose and self.lose in data:
                    marked.set()
                await self._forward(data, drain)

    async def _answers(self, source: asyncio.StreamReader, drain: asyncio.StreamWriter, marked: asyncio.Event) -> None:
        with suppress(OSError):
            while data := await source.read(65536):
                if marked.is_set() and b"COMMIT\0" in data:
                    self.lost, self.lose, self._refusing = self.lost + 1, b"", self.then_cut
                    return
                await self._forward(data, drain)

    async def _forward(self, data: bytes, drain: asyncio.StreamWriter) -> None:
        if self.delay:
            await asyncio.sleep(self.delay)
        while self.stalled:
            await asyncio.sleep(0.02)
        drain.write(data)
        await drain.drain()
