"""Runs bots on background threads, so that the screen stays responsive."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from rookery.engine.warmup import Compiler
from rookery.games import address, at_address
from rookery.search.bot_runner import BotRunner
from rookery.search.cancel import CancelToken

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from rookery.core.bot import Analysis, Bot
    from rookery.core.state import State
    from rookery.core.stream import Stream

T = TypeVar("T")

SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


class BotTasks:
    """The searches under way for one game: a bot's move, a hint."""

    def __init__(self) -> None:
        self.compiling = False
        """Whether a search is waiting for its machine code to be compiled."""
        self.tokens: dict[str, CancelToken] = {}
        self.generation = 0
        """Counts cancellations; a result from an older generation is discarded."""
        self._started = 0.0

    def status(self, *, animate: bool) -> str:
        """A spinner while a bot searches, with the seconds if it takes long; empty if none does."""
        if not self.tokens:
            return ""
        passed = perf_counter() - self._started
        spinner = SPINNER[int(passed * 10) % len(SPINNER)] if animate else "…"
        if self.compiling:
            return f"{spinner} compiling {passed:.0f}s"
        return f"{spinner} {passed:.0f}s" if passed >= 1 else spinner

    async def choose(self, bot: Bot, state: State, stream: Stream) -> int:
        """The bot's action; cancelling the task stops the search."""
        return await self._run(
            "bot", lambda token: _runner().choose(bot, state, stream, token, ms=bot.ms, wait=self._wait)
        )

    async def analyse(self, bot: Bot, state: State, ms: float) -> Analysis:
        """The bot's analysis of a position; cancelling the task stops the search."""
        return await self._run("hint", lambda token: _runner().analyse(bot, state, token, ms=ms, wait=self._wait))

    def _wait(self) -> None:
        self.compiling = True

    async def _run(self, kind: str, search: Callable[[CancelToken], Coroutine[Any, Any, T]]) -> T:
        self._started, token = perf_counter(), CancelToken()
        self.tokens[kind] = token
        try:
            return await search(token)
        except asyncio.CancelledError:
            token.cancel()
            raise
        finally:
            self.compiling = False
            if self.tokens.get(kind) is token:
                del self.tokens[kind]

    def stop(self) -> None:
        """Cancel all searches and discard their results."""
        self.generation += 1
        for token in self.tokens.values():
            token.cancel()
        self.tokens.clear()


@cache
def _runner() -> BotRunner:
    """The runner of all bots in this process; it compiles a bot's code when the bot is first used."""
    compiler = Compiler([], at_address, processes=1, load=True) if find_spec("numba") is not None else None
    return BotRunner(run_in_thread, compiler, address)


async def run_in_thread(work: Callable[[], T]) -> T:
    """Run a function on a daemon thread, which does not delay the program's end, and await its result."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def report(set_outcome: Callable[..., None], outcome: object) -> None:
        with suppress(RuntimeError):  # the loop has been closed meanwhile
            loop.call_soon_threadsafe(lambda: None if done.done() else set_outcome(outcome))

    def run() -> None:
        try:
            report(done.set_result, work())
        except Exception as problem:
            report(done.set_exception, problem)

    Thread(target=run, daemon=True).start()
    return await done
