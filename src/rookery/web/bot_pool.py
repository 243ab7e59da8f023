"""A pool of threads for bots, so that searches do not block the event loop."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import TYPE_CHECKING, TypeVar

from rookery.core.bot import make_bot
from rookery.core.errors import OptionError
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

MOVE_MS = 5_000
"""The longest search for a move, in milliseconds, whatever the bot's own budget."""

MOVE_NODES = 2_000_000
"""The most nodes that a visitor's bot may have for a move."""

ANALYSIS_MS = 600
"""The search time for a hint, in milliseconds."""


def visitor_bot(game: Game, spec: str) -> Bot:
    """The bot that a visitor asked for. It may not read files, nor ask for more than the server gives a move."""
    bot = make_bot(game, spec, files=False)
    for name, given, most in (("ms", bot.ms, MOVE_MS), ("nodes", bot.nodes, MOVE_NODES)):
        if given is not None and given > most:
            raise OptionError(f"{name} may be {most} at most in an arcade, not {given}.")
    return bot


class BotPool:
    """The bots' threads, and the processes that compile their machine code."""

    def __init__(self, workers: int | None = None) -> None:
        self._threads = ThreadPoolExecutor(workers or cores(), thread_name_prefix="bot")
        self._compiler: Compiler | None = None
        self._runner = BotRunner(self.run, None, address)

    def warm(self) -> None:
        """Compile the bots' machine code in the background; it is loaded when a bot first plays."""
        if find_spec("numba") is None:  # importing it would block the server for a second
            return
        self._compiler = Compiler(_needed(), at_address, processes=cores(), low_priority=True)
        self._runner = BotRunner(self.run, self._compiler, address)
        for future in self._compiler.futures.values():
            future.add_done_callback(_log)

    @property
    def progress(self) -> tuple[int, int]:
        """How many parts of machine code are ready, and how many the levels of all games need."""
        futures = [] if self._compiler is None else [self._compiler.futures[part] for part in _needed()]
        return sum(future.done() for future in futures), len(futures)

    async def choose(
        self, bot: Bot, state: State, stream: Stream, token: CancelToken, *, wait: Callable[[], None] | None
    ) -> int:
        """The bot's action; `state` must be a copy. For `wait` see `BotRunner.choose`."""
        limit = min(bot.ms or MOVE_MS, MOVE_MS)
        return await self._runner.choose(bot, state, stream, token, ms=limit, wait=wait)

    async def analyse(self, bot: Bot, state: State, token: CancelToken) -> Analysis:
        """The bot's analysis, once its machine code is ready; `state` must be a copy."""
        return await self._runner.analyse(bot, state, token, ms=ANALYSIS_MS, wait=lambda: None)

    async def prepare(self, bot: Bot, game: Game) -> None:
        """Load the bot's machine code if it is compiled, so that the first move is fast."""
        if bot.compiled_part and self._runner.ready(bot, game):
            await self.run(lambda: bot.ready(game))

    def close(self) -> None:
        if self._compiler is not None:
            self._compiler.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def run(self, work: Callable[[], T]) -> T:
        """Run a function on one of the threads."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)


def _needed() -> list[Part]:
    """The machine code that the levels of all games need."""
    return [Part(address(name), part) for name in playable() for part in level_parts(find(name))]


def _log(future: Future[None]) -> None:
    if not future.cancelled() and (problem := future.exception()) is not None:
        log.warning("Compiling in the background failed; it is compiled on first use instead: %s", problem)
