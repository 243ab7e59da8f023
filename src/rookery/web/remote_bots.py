"""The bots of a worker: they think in a process that all workers of the machine share (`bot_process.py`).

If that process dies, its supervisor starts another one, and what was asked for is asked again. An answer that comes
twice changes nothing: a move counts only in the position it was found for.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing, nullcontext, suppress
from itertools import count
from typing import TYPE_CHECKING

import msgspec

from rookery.core.errors import RookeryError
from rookery.search.cancel import Cancelled
from rookery.web import bot_messages as messages
from rookery.web.bot_messages import GameAt, framed
from rookery.web.fair_queue import Busy

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from rookery.core.bot import Analysis, Bot
    from rookery.core.game import Game
    from rookery.core.state import State
    from rookery.core.stream import Stream
    from rookery.search.cancel import CancelToken
    from rookery.search.review import Review
    from rookery.web.bot_messages import Answer, Request
    from rookery.web.fair_queue import Client

log = logging.getLogger("rookery.web")

PAUSE = 0.2
"""Seconds after which a connection that failed is tried again."""
TRIES = 3
"""How often something is asked for while the process dies each time; perhaps that is why it does."""


class BotsLost(RookeryError):
    """The process ended each time it was asked."""

    def __init__(self) -> None:
        super().__init__("The process in which bots think ended; try again in a moment.")


class Failure(RookeryError):
    """An error in the other process, with its traceback."""


class Asked:
    """A request, and the answers to it."""

    def __init__(self, request: Callable[[], Request]) -> None:
        self.request = request
        self.tries = 0
        self.answers: asyncio.Queue[Answer | Exception] = asyncio.Queue()


class RemoteBots:
    """Asks the process at a socket to let bots think."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._ids = count(1)
        self._asked: dict[int, Asked] = {}
        self._writer: asyncio.StreamWriter | None = None
        self._running: asyncio.Task[None] | None = None
        self._progress = 0, 0

    def start(self) -> None:
        """Connect, in the background, and again whenever the connection breaks."""
        self._running = asyncio.create_task(self._run())

    @property
    def progress(self) -> tuple[int, int]:
        """How many parts of machine code are ready, and how many the levels of all games need."""
        return self._progress

    async def choose(
        self,
        bot: Bot,
        state: State,
        stream: Stream,
        token: CancelToken,
        client: Client,
        *,
        wait: Callable[[], None] | None,
    ) -> int:
        """The bot's action."""
        id, game, waits = next(self._ids), GameAt.of(state.game), wait is not None
        request = messages.Choose(id, client, game, str(bot), state.packed(), stream.words, waits)
        done = await self._done(id, lambda: request, token, wait)
        assert done.action is not None
        return done.action

    async def analyse(self, bot: Bot, state: State, token: CancelToken, client: Client) -> Analysis:
        """The bot's analysis."""
        id = next(self._ids)
        request = messages.Analyse(id, client, GameAt.of(state.game), str(bot), state.packed())
        done = await self._done(id, lambda: request, token)
        assert done.analysis is not None
        return done.analysis

    async def review(self, review: Review, client: Client) -> AsyncGenerator[None, None]:
        """Make a review; pause after each search."""
        id = next(self._ids)
        async with aclosing(self._ask(id, lambda: messages.MakeReview.of(id, client, review), review.token)) as found:
            async for answer in found:
                if isinstance(answer, messages.Reviewed):
                    review.plies[answer.first :] = answer.plies
                    yield

    async def prepare(self, bot: Bot, game: Game, client: Client) -> None:
        """Load the bot's machine code."""
        id = next(self._ids)
        await self._done(id, lambda: messages.Prepare(id, client, GameAt.of(game), str(bot)))

    def close(self) -> None:
        """Ask for nothing more; nobody gets an answer."""
        if self._running is not None:
            self._running.cancel()
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        for asked in self._asked.values():
            asked.answers.put_nowait(BotsLost())

    async def _done(
        self,
        id: int,
        request: Callable[[], Request],
        token: CancelToken | None = None,
        wait: Callable[[], None] | None = None,
    ) -> messages.Done:
        """The last answer to a request."""
        async with aclosing(self._ask(id, request, token)) as answers:
            async for answer in answers:
                if isinstance(answer, messages.Done):
                    return answer
                if wait is not None:
                    wait()
        raise AssertionError("a request has a last answer")

    async def _ask(
        self, id: int, request: Callable[[], Request], token: CancelToken | None
    ) -> AsyncGenerator[Answer, None]:
        """The answers to a request. It is made anew if it has to be asked again."""
        asked = self._asked[id] = Asked(request)
        over = False
        try:
            with nullcontext() if token is None else token.watched(lambda: asked.answers.put_nowait(Cancelled())):
                self._send(request())
                while not over:
                    answer = await asked.answers.get()
                    if isinstance(answer, Exception):
                        raise answer
                    over = isinstance(answer, messages.Done | messages.Failed)
                    if isinstance(answer, messages.Failed):
                        raise _error(answer)
                    yield answer
        finally:
            del self._asked[id]
            if not over:
                self._send(messages.Cancel(id))

    def _send(self, request: Request) -> None:
        if self._writer is not None:  # else everything is sent when there is a connection
            self._writer.write(framed(request))

    async def _run(self) -> None:
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_unix_connection(self._path)
                try:
                    await self._connected(reader, writer)
                finally:
                    self._writer = None
                    writer.close()
            await asyncio.sleep(PAUSE)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Ask, and take answers, until the connection breaks."""
        self._writer = writer
        for asked in self._asked.values():
            self._send(asked.request())
        try:
            while True:
                self._take(await messages.read(reader, messages.answers))
        except (asyncio.IncompleteReadError, OSError, msgspec.DecodeError) as problem:
            log.info("The process in which bots think is gone, and is asked again: %s", type(problem).__name__)
        for asked in self._asked.values():
            asked.tries += 1
            if asked.tries >= TRIES:
                asked.answers.put_nowait(BotsLost())

    def _take(self, answer: Answer) -> None:
        if isinstance(answer, messages.Progress):
            self._progress = answer.ready, answer.total
        elif answer.id in self._asked:
            self._asked[answer.id].answers.put_nowait(answer)


def _error(failed: messages.Failed) -> Exception:
    """The error that a request met with."""
    if failed.how == "busy":
        return Busy()
    return Cancelled() if failed.how == "cancelled" else Failure(failed.why)
