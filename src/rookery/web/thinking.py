"""Where bots think: on threads of their own, first come, first served, so that the server answers meanwhile."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar

from rookery.engine.threads import cores
from rookery.engine.warmup import Compiler, Part, level_parts
from rookery.games import address, at_address, find, playable
from rookery.search.bot_runner import BotRunner

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from rookery.core.bot import Analysis, Bot
    from rookery.core.game import Game
    from rookery.core.state import State
    from rookery.core.stream import Stream
    from rookery.search.cancel import CancelToken

log = logging.getLogger("rookery.web")

T = TypeVar("T")

PATIENCE = 5_000
"""Milliseconds for a move, whatever the bot would like."""

ANALYSIS = 600
"""Milliseconds for a hint."""


class Thinking:
    """The bots' threads, and the processes that compile for them."""

    def __init__(self, workers: int | None = None) -> None:
        self._threads = ThreadPoolExecutor(workers or cores(), thread_name_prefix="bot")
        self._compiler: Compiler | None = None
        self._runner = BotRunner(self.work, None, address)

    def warm(self) -> None:
        """Compile what bots need beside everything else; it is loaded when a bot is to play."""
        if find_spec("numba") is None:  # not imported here: that takes a second, in which nobody would be served
            return
        self._compiler = Compiler(_needed(), at_address, processes=cores(), low_priority=True)
        self._runner = BotRunner(self.work, self._compiler, address)
        for future in self._compiler.futures.values():
            future.add_done_callback(_log)

    @property
    def progress(self) -> tuple[int, int]:
        """How many parts of machine code are ready, of how many that the levels of all games need."""
        futures = [] if self._compiler is None else [self._compiler.futures[part] for part in _needed()]
        return sum(future.done() for future in futures), len(futures)

    async def choose(
        self, bot: Bot, state: State, stream: Stream, token: CancelToken, *, wait: Callable[[], None] | None
    ) -> int:
        """The bot's action in a position of its own; about `wait` see `BotRunner.choose`."""
        limit = min(bot.ms or PATIENCE, PATIENCE)
        return await self._runner.choose(bot, state, stream, token, ms=limit, wait=wait)

    async def analyse(self, bot: Bot, state: State, token: CancelToken) -> Analysis:
        """What the bot thinks of a position of its own, as soon as its machine code is ready."""
        return await self._runner.analyse(bot, state, token, ms=ANALYSIS, wait=lambda: None)

    async def prepare(self, bot: Bot, game: Game) -> None:
        """Load the bot's machine code, if it is compiled, so that the first move does not wait for it."""
        if bot.compiled_part and self._runner.ready(bot, game):
            await self.work(lambda: bot.ready(game))

    def close(self) -> None:
        if self._compiler is not None:
            self._compiler.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def work(self, work: Callable[[], T]) -> T:
        """Anything else that takes long."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


def _needed() -> list[Part]:
    """What the levels of all games need."""
    return [Part(address(name), part) for name in playable() for part in level_parts(find(name))]


def _log(future: Future[None]) -> None:
    if not future.cancelled() and (problem := future.exception()) is not None:
        log.warning("It will be compiled when it is needed: %s", problem)
