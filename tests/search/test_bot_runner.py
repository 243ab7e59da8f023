"""Running bots while their machine code is compiled: who stops waiting stops the search, too."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, cast

import rookery
from rookery.core.stream import Stream
from rookery.search.bot_runner import BotRunner
from rookery.search.cancel import CancelToken

if TYPE_CHECKING:
    from collections.abc import Callable

    from rookery.engine.warmup import Compiler


class NeverCompiled:
    """A compiler that does not come to an end."""

    def request(self, part: object, *, first: bool = False) -> Future[None]:
        return Future()


def test_a_cancelled_token_stops_a_search_that_runs_interpreted() -> None:
    state, token = rookery.game("gaterun").start(), CancelToken()
    bot = rookery.bot("gaterun", "alphabeta:nodes=10000000")

    async def cancelled_after(seconds: float) -> int:
        with ThreadPoolExecutor(1) as pool:

            async def in_thread(work: Callable[[], Any]) -> Any:
                return await asyncio.get_running_loop().run_in_executor(pool, work)

            runner = BotRunner(in_thread, cast("Compiler", NeverCompiled()), lambda name: name)
            asyncio.get_running_loop().call_later(seconds, token.cancel)
            return await runner.choose(bot, state, Stream(1), token, ms=None, wait=lambda: None)

    # A search that the token does not stop gives up after a while, and then waits for machine code for ever.
    assert state.legal(asyncio.run(asyncio.wait_for(cancelled_after(0.2), 60)))
