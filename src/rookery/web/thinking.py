"""Where bots think: on threads of their own, first come, first served, so that the server answers meanwhile.

Machine code is compiled in the background after a first start. Until a bot's is ready, a bot whose move does not depend
on the clock plays interpreted: the same move, a little later. One that would take too long that way, or that thinks by
the clock, waits for its machine code.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar

from rookery.core import compiled
from rookery.core.crew import cores
from rookery.core.thought import Thought
from rookery.core.warmup import Compiler, Part, level_parts
from rookery.games import address, at_address, find, names

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from rookery.core.bot import Analysis, Bot
    from rookery.core.game import Game
    from rookery.core.state import State
    from rookery.core.stream import Stream

log = logging.getLogger("rookery.web")

T = TypeVar("T")

PATIENCE = 5_000
"""Milliseconds for a move, whatever the bot would like."""

ANALYSIS = 600
"""Milliseconds for a hint."""

INTERPRETED = 3.0
"""Seconds for which a bot tries to find its move interpreted before it waits for machine code."""


class Thinking:
    """The bots' threads, and the processes that compile for them."""

    def __init__(self, workers: int | None = None) -> None:
        self._threads = ThreadPoolExecutor(workers or cores(), thread_name_prefix="bot")
        self._compiler: Compiler | None = None

    def warm(self) -> None:
        """Compile what bots need, or load it, beside everything else."""
        if find_spec("numba") is not None:  # not imported here: that takes a second, in which nobody would be served
            self._compiler = Compiler(_needed(), at_address, processes=cores(), low_priority=True, load=True)
            for future in self._compiler.futures.values():
                future.add_done_callback(_log)

    @property
    def progress(self) -> tuple[int, int]:
        """How many parts of machine code are ready, of how many that the levels of all games need."""
        futures = [] if self._compiler is None else [self._compiler.futures[part] for part in _needed()]
        return sum(future.done() for future in futures), len(futures)

    def ready(self, bot: Bot, game: Game) -> bool:
        """Whether the bot's machine code can be run now, if it needs any."""
        if self._compiler is None or not bot.compiled_part:
            return True
        return self._compiler.request(_part(bot, game)).done()

    async def choose(
        self, bot: Bot, state: State, stream: Stream, thought: Thought, *, wait: Callable[[], None] | None
    ) -> int:
        """The bot's action in a position of its own. `wait` is called if it has to wait for machine code; without it
        the bot does not wait, but plays as well as it can.
        """

        def work() -> int:
            bot.ready(state.game)
            return bot.choose(state, thought.budget(min(bot.ms or PATIENCE, PATIENCE), bot.nodes), stream)

        if not self.ready(bot, state.game):
            if wait is None:
                return await self.work(_interpreted(work))
            found = await self._without_machine_code(bot, state, stream) if bot.ms is None else None
            if found is not None:
                return found
            wait()
            await self._machine_code(bot, state.game)
        return await self.work(work)

    async def analyse(self, bot: Bot, state: State, thought: Thought) -> Analysis:
        """What the bot thinks of a position of its own, as soon as its machine code is ready."""

        def work() -> Analysis:
            bot.ready(state.game)
            return bot.analyse(state, thought.budget(ANALYSIS, None))

        await self._machine_code(bot, state.game)
        return await self.work(work)

    def close(self) -> None:
        if self._compiler is not None:
            self._compiler.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def work(self, work: Callable[[], T]) -> T:
        """Anything else that takes long."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    async def _without_machine_code(self, bot: Bot, state: State, stream: Stream) -> int | None:
        """The action the bot would choose with machine code, found without; None if that takes too long."""
        trial = Thought()

        def work() -> int:
            return bot.choose(state.copy(), trial.budget(None, bot.nodes), stream.copy())

        timer = asyncio.get_running_loop().call_later(INTERPRETED, trial.cut)
        try:
            found = await self.work(_interpreted(work))
        finally:
            timer.cancel()
        return None if trial.cut_short else found

    async def _machine_code(self, bot: Bot, game: Game) -> None:
        """Wait for the bot's machine code; if it cannot be compiled in the background, the bot's thread has to."""
        if self._compiler is None or not bot.compiled_part:
            return
        loop, done = asyncio.get_running_loop(), asyncio.Event()

        def tell(_: Future[None]) -> None:
            with suppress(RuntimeError):  # the server has ended
                loop.call_soon_threadsafe(done.set)

        self._compiler.request(_part(bot, game), first=True).add_done_callback(tell)
        await done.wait()


def _part(bot: Bot, game: Game) -> Part:
    return Part(address(game.name), bot.compiled_part)


def _needed() -> list[Part]:
    """What the levels of all games need."""
    return [Part(address(name), part) for name in names() for part in level_parts(find(name))]


def _interpreted(work: Callable[[], T]) -> Callable[[], T]:
    def interpreted() -> T:
        with compiled.interpreting():
            return work()

    return interpreted


def _log(future: Future[None]) -> None:
    if not future.cancelled() and (problem := future.exception()) is not None:
        log.warning("It will be compiled when it is needed: %s", problem)
