"""The process in which the bots of all workers of a machine think, so that turns are fair among all visitors, not only
among those of one worker. It has the same pool as a server that is alone.

Workers ask it over a Unix socket in a folder that only their user can enter. The supervisor of the workers has the
socket, starts the process, starts another one when it dies or does not answer, and ends it. The process ends with its
supervisor, however that ends.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
import tempfile
import threading
import traceback
from contextlib import aclosing, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import msgspec

from rookery.core.bot import make_bot
from rookery.core.stream import Stream
from rookery.games import at_address
from rookery.search.cancel import Cancelled, CancelToken
from rookery.system.processes import CONTEXT
from rookery.web import bot_messages as messages
from rookery.web import logs, metrics
from rookery.web.bot_messages import framed
from rookery.web.bot_pool import BotPool
from rookery.web.fair_queue import Busy

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator
    from multiprocessing.connection import Connection

    from rookery.web.bot_messages import Answer, Request
    from rookery.web.bot_pool import Bots
    from rookery.web.settings import Settings

log = logging.getLogger("rookery.web")

LONGEST_PATH = 70
"""Bytes of the path of the folder for temporary files; beyond, the path of a socket in it may be too long."""
PATIENCE = 15.0
"""Seconds for which the process may not answer its supervisor."""
STARTING = 60.0
"""Seconds for which it may start."""
PAUSE = 1.0
"""Seconds from one start to the next."""
TELL = 1.0
"""Seconds between two looks how much machine code is ready."""


# ── the supervisor's side ─────────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def bots_of_workers(settings: Settings) -> Iterator[BotProcess | None]:
    """The process for several workers, not started yet; None where there are no Unix sockets: workers think there."""
    if settings.workers == 1 or sys.platform == "win32":
        yield None
        return
    short = len(os.fsencode(tempfile.gettempdir())) <= LONGEST_PATH
    where = None if short else "/tmp"  # noqa: S108 - the folder made there is private
    with tempfile.TemporaryDirectory(prefix="rookery-bots-", dir=where, ignore_cleanup_errors=True) as folder:
        bots = BotProcess(settings, Path(folder) / "socket")
        try:
            yield bots
        finally:
            bots.end()


class Child:
    """The process, and the pipe by which it says that it is well."""

    def __init__(self, settings: Settings, listening: socket.socket) -> None:
        self._ours, its = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=think, args=(settings, listening, its), name="bots")
        self.process.start()
        its.close()
        self.began = self._asked = monotonic()
        self.ready = False
        """Whether it has ever answered."""
        self._ask()

    def _ask(self) -> None:
        self._asked = monotonic()
        with suppress(OSError):
            self._ours.send(None)

    def well(self) -> bool:
        """Whether it lives, and has answered in time."""
        with suppress(OSError, EOFError):
            while self._ours.poll():
                self._ours.recv()
                self.ready = True
                self._ask()
        patience = PATIENCE if self.ready else STARTING
        return self.process.is_alive() and monotonic() - self._asked < patience

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self._ours.close()


class BotProcess:
    """The process, as the supervisor has it."""

    def __init__(self, settings: Settings, path: Path) -> None:
        self.path = str(path)
        self._settings = settings
        # The supervisor listens, so that workers can connect, and wait, while there is no process.
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(self.path)
        self._listening.listen(1024)
        self._child: Child | None = None

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        return None if self._child is None else self._child.process.pid

    @property
    def ready(self) -> bool:
        """Whether the process answers."""
        return self._child is not None and self._child.ready

    def keep_alive(self) -> None:
        """Start the process if there is none, or if it has died or does not answer."""
        if self._child is not None:
            if self._child.well() or self._child.began + PAUSE > monotonic():
                return
            log.warning("The process in which bots think has died or does not answer; another one is started.")
            self._child.end()
        self._child = Child(self._settings, self._listening)

    def replace(self) -> None:
        """Start another one, with sources that may be newer, and end this one when that is ready."""
        old, new = self._child, Child(self._settings, self._listening)
        while not new.ready:
            if not new.well():
                log.error("A new process for bots could not be started; the old one stays.")
                new.end()
                return
            sleep(PAUSE / 20)
        self._child = new
        if old is not None:
            old.end()

    def end(self) -> None:
        """End the process, whatever it is doing."""
        if self._child is not None:
            self._child.end()
            self._child = None
        self._listening.close()


# ── in the process ────────────────────────────────────────────────────────────────────────────────────────────────────


def think(settings: Settings, listening: socket.socket, health: Connection) -> None:
    """Be the process in which bots think, until the supervisor ends it."""
    for number in (signal.SIGTERM, signal.SIGHUP):  # that all processes of a group may get: the workers still ask
        signal.signal(number, signal.SIG_IGN)
    logs.set_up(settings.log, access_log=False)
    if settings.metrics:
        metrics.Metrics()
    for file in settings.games:
        at_address(file)
    asyncio.run(_serve(settings, listening, health))


async def _serve(settings: Settings, listening: socket.socket, health: Connection) -> None:
    pool = BotPool(people=settings.people_per_address)
    pool.start()

    async def worker(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await Asking(pool, writer).run(reader)

    async with await asyncio.start_unix_server(worker, sock=listening) as server:
        threading.Thread(target=_say_well, args=(health,), name="health", daemon=True).start()
        await server.serve_forever()


def _say_well(health: Connection) -> None:
    with suppress(OSError, EOFError):
        while True:
            health.recv()
            health.send(None)


class Asking:
    """A worker that asks, and what it has asked for."""

    def __init__(self, bots: Bots, writer: asyncio.StreamWriter) -> None:
        self._bots, self._writer = bots, writer
        self._tokens: dict[int, CancelToken] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self, reader: asyncio.StreamReader) -> None:
        """Do what is asked for until the worker is gone; then nobody wants the rest."""
        self._spawn(self._tell_progress())
        try:
            while True:
                request = await messages.read(reader, messages.requests)
                if isinstance(request, messages.Cancel):
                    if request.id in self._tokens:
                        self._tokens[request.id].cancel()
                else:
                    token = self._tokens[request.id] = CancelToken()
                    self._spawn(self._answer(request, token))
        except (asyncio.IncompleteReadError, OSError):
            pass
        except msgspec.DecodeError as problem:  # it is of another version, and is about to be replaced
            log.warning("What a worker asked of the bots is not understood: %s", problem)
        finally:
            for token in tuple(self._tokens.values()):
                token.cancel()
            for task in tuple(self._tasks):
                task.cancel()
            self._writer.close()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _send(self, answer: Answer) -> None:
        if not self._writer.is_closing():
            self._writer.write(framed(answer))

    async def _tell_progress(self) -> None:
        told = None
        while True:
            if told != self._bots.progress:
                told = self._bots.progress
                self._send(messages.Progress(*told))
            await asyncio.sleep(TELL)

    async def _answer(self, request: Request, token: CancelToken) -> None:
        try:
            self._send(await self._done(request, token))
        except Cancelled:
            self._send(messages.Failed(request.id, "cancelled"))
        except Busy:
            self._send(messages.Failed(request.id, "busy"))
        except Exception:
            self._send(messages.Failed(request.id, "error", traceback.format_exc()))
        finally:
            del self._tokens[request.id]

    async def _done(self, request: Request, token: CancelToken) -> messages.Done:
        """Do what was asked for."""
        bots, id = self._bots, request.id
        match request:
            case messages.Choose():
                state, stream = request.position(), Stream()
                stream.words[:] = request.stream
                bot = make_bot(state.game, request.bot, files=False)
                wait = (lambda: self._send(messages.Waiting(id))) if request.waits else None
                return messages.Done(id, await bots.choose(bot, state, stream, token, request.client, wait=wait))
            case messages.Analyse():
                state = request.position()
                bot = make_bot(state.game, request.bot)
                return messages.Done(id, analysis=await bots.analyse(bot, state, token, request.client))
            case messages.Prepare():
                game = request.game.made()
                await bots.prepare(make_bot(game, request.bot, files=False), game, request.client)
            case messages.MakeReview():
                await self._review(request, token)
        return messages.Done(id)

    async def _review(self, request: messages.MakeReview, token: CancelToken) -> None:
        review = request.review()
        told = len(review.plies)
        with token.watched(review.cancel):
            async with aclosing(self._bots.review(review, request.client)) as steps:
                async for _ in steps:
                    new = review.plies[told:]
                    self._send(messages.Reviewed(request.id, told, new))
                    told += len(new)
            self._send(messages.Reviewed(request.id, told, review.plies[told:]))
