"""Where bots think: on threads of their own, first come, first served, so that the server answers meanwhile."""

from __future__ import annotations

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

from rookery.core.bot import make_bot
from rookery.games import find, playable

if TYPE_CHECKING:
    from collections.abc import Callable

    from rookery.core.bot import Analysis, Bot
    from rookery.core.state import State
    from rookery.core.stream import Stream
    from rookery.core.thought import Thought

T = TypeVar("T")

PATIENCE = 5_000
"""Milliseconds for a move, whatever the bot would like."""

ANALYSIS = 600
"""Milliseconds for a hint."""


class Thinking:
    """The bots' threads. A game has one thought at a time, so games share the cores move by move."""

    def __init__(self, workers: int | None = None) -> None:
        self._threads = ThreadPoolExecutor(workers or os.cpu_count() or 1, thread_name_prefix="bot")

    async def choose(self, bot: Bot, state: State, stream: Stream, thought: Thought) -> int:
        """The bot's action in a position of its own."""

        def work() -> int:
            bot.ready(state.game)
            return bot.choose(state, thought.budget(min(bot.ms or PATIENCE, PATIENCE), bot.nodes), stream)

        return await self.work(work)

    async def analyse(self, bot: Bot, state: State, thought: Thought) -> Analysis:
        """What the bot thinks of a position of its own."""

        def work() -> Analysis:
            bot.ready(state.game)
            return bot.analyse(state, thought.budget(ANALYSIS, None))

        return await self.work(work)

    def warm(self) -> None:
        """Have every level of every game fetch what it needs, before anybody plays."""

        def fetch() -> None:
            for name in playable():
                for level in range(1, 11):
                    make_bot(find(name), str(level)).ready(find(name)())

        self._threads.submit(fetch)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def work(self, work: Callable[[], T]) -> T:
        """Anything else that takes long."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)
