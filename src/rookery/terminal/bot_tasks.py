"""Bots that search while the screen goes on: each thought on a thread which nobody has to wait for."""

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
    """What is being thought about at a table: a bot's move, a hint."""

    def __init__(self) -> None:
        self.compiling = False
        """Whether somebody waits for machine code, which is compiled once."""
        self.tokens: dict[str, CancelToken] = {}
        self.generation = 0
        """Counts what makes a thought that is under way pointless."""
        self._started = 0.0

    def status(self, *, animate: bool) -> str:
        """That somebody is thinking, and for how long if it takes long; nothing if nobody is."""
        if not self.tokens:
            return ""
        passed = perf_counter() - self._started
        spinner = SPINNER[int(passed * 10) % len(SPINNER)] if animate else "…"
        if self.compiling:
            return f"{spinner} compiling, once {passed:.0f}s"
        return f"{spinner} {passed:.0f}s" if passed >= 1 else spinner

    async def choose(self, bot: Bot, state: State, stream: Stream) -> int:
        """A bot's action; the search is cut short if nobody waits for it any more."""
        return await self._run(
            "bot", lambda token: _runner().choose(bot, state, stream, token, ms=bot.ms, wait=self._wait)
        )

    async def analyse(self, bot: Bot, state: State, ms: float) -> Analysis:
        """What a bot thinks of a position; the search is cut short if nobody waits for it any more."""
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
        """Let whoever thinks come to an end, and take no notice of what comes of it."""
        self.generation += 1
        for token in self.tokens.values():
            token.cancel()
        self.tokens.clear()


@cache
def _runner() -> BotRunner:
    """Runs all bots of this program; their machine code is compiled when one is first asked."""
    compiler = Compiler([], at_address, processes=1, load=True) if find_spec("numba") is not None else None
    return BotRunner(run_in_thread, compiler, address)


async def run_in_thread(work: Callable[[], T]) -> T:
    """What comes of something that takes long, done on a thread which nobody has to wait for when the program ends."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def report(set_outcome: Callable[..., None], outcome: object) -> None:
        with suppress(RuntimeError):  # the program has ended meanwhile
            loop.call_soon_threadsafe(lambda: None if done.done() else set_outcome(outcome))

    def run() -> None:
        try:
            report(done.set_result, work())
        except Exception as problem:
            report(done.set_exception, problem)

    Thread(target=run, daemon=True).start()
    return await done
