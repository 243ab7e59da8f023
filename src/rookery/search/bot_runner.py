"""Running bots on threads while their machine code may still be compiled.

Until a bot's machine code is ready, a bot whose move does not depend on the clock plays interpreted: the same move, a
little later. One that would take too long that way, or that thinks by the clock, waits for its machine code.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from rookery.engine import compiling
from rookery.engine.warmup import Part

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from concurrent.futures import Future

    from rookery.core.bot import Analysis, Bot
    from rookery.core.game import Game
    from rookery.core.state import State
    from rookery.core.stream import Stream
    from rookery.engine.warmup import Compiler
    from rookery.search.cancel import CancelToken

T = TypeVar("T")

INTERPRETED = 3.0
"""Seconds for which a bot tries to find its move interpreted before it waits for machine code."""


class InThread(Protocol):
    """Runs a function on another thread."""

    def __call__(self, work: Callable[[], T], /) -> Coroutine[Any, Any, T]: ...


class BotRunner:
    """Runs bots on other threads; without a compiler, as if all machine code were ready."""

    def __init__(self, in_thread: InThread, compiler: Compiler | None, address: Callable[[str], str]) -> None:
        self._in_thread = in_thread
        self._compiler = compiler
        self._address = address
        """What a game is called in another process."""

    async def choose(
        self,
        bot: Bot,
        state: State,
        stream: Stream,
        token: CancelToken,
        *,
        ms: float | None,
        wait: Callable[[], None] | None,
    ) -> int:
        """The bot's action, with at most `ms` milliseconds to think. `wait` is called if the bot has to wait for its
        machine code; without it, the bot does not wait, but plays as well as it can.
        """

        def work() -> int:
            bot.ready(state.game)
            return bot.choose(state, token.budget(ms, bot.nodes), stream)

        if not self.ready(bot, state.game):
            if wait is None:
                return await self._in_thread(_interpreted(work))
            found = await self._interpreted_choice(bot, state, stream, token) if bot.ms is None else None
            if found is not None:
                return found
            wait()
            await self.machine_code(bot, state.game)
        return await self._in_thread(work)

    async def analyse(
        self, bot: Bot, state: State, token: CancelToken, *, ms: float | None, wait: Callable[[], None]
    ) -> Analysis:
        """What the bot thinks of a position, as soon as its machine code is ready; `wait` is called if it is not."""

        def work() -> Analysis:
            bot.ready(state.game)
            return bot.analyse(state, token.budget(ms, None))

        if not self.ready(bot, state.game):
            wait()
            await self.machine_code(bot, state.game)
        return await self._in_thread(work)

    def ready(self, bot: Bot, game: Game) -> bool:
        """Whether the bot's machine code can be run now, if it needs any; it is asked for if not."""
        if self._compiler is None or not bot.compiled_part:
            return True
        return self._compiler.request(self._part(bot, game)).done()

    async def machine_code(self, bot: Bot, game: Game) -> None:
        """Wait for the bot's machine code; if it cannot be compiled in the background, the bot's thread has to."""
        if self._compiler is None or not bot.compiled_part:
            return
        loop, done = asyncio.get_running_loop(), asyncio.Event()

        def tell(_: Future[None]) -> None:
            with suppress(RuntimeError):  # the program has ended
                loop.call_soon_threadsafe(done.set)

        future = self._compiler.request(self._part(bot, game), first=True)
        future.add_done_callback(tell)
        await done.wait()
        if future.cancelled():
            raise asyncio.CancelledError  # the program is ending

    async def _interpreted_choice(self, bot: Bot, state: State, stream: Stream, token: CancelToken) -> int | None:
        """The action the bot would choose with machine code, found without; None if that takes too long."""
        budget, draws = token.budget(None, bot.nodes), stream.copy()

        def work() -> int:
            return bot.choose(state.copy(), budget, draws)

        timer = asyncio.get_running_loop().call_later(INTERPRETED, budget.cancel)
        try:
            found = await self._in_thread(_interpreted(work))
        except asyncio.CancelledError:
            budget.cancel()  # nobody waits for it any more
            raise
        finally:
            timer.cancel()
        if budget.cancelled and not token.cancelled:
            return None
        stream.words[:] = draws.words
        return found

    def _part(self, bot: Bot, game: Game) -> Part:
        return Part(self._address(game.name), bot.compiled_part)


def _interpreted(work: Callable[[], T]) -> Callable[[], T]:
    def interpreted() -> T:
        with compiling.interpreting():
            return work()

    return interpreted
