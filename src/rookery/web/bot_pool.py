"""A pool of threads for bots, so that searches block neither the event loop nor the bots of other visitors.

A server that is alone has a pool of its own. Several workers of one machine share the pool of another process, which
they ask in the same way (`remote_bots.py`, `bot_process.py`): `Bots` is what both can do.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections import OrderedDict
from contextlib import suppress
from importlib.util import find_spec
from time import monotonic, thread_time
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from rookery.core.bot import make_bot
from rookery.core.errors import OptionError
from rookery.engine.threads import cores
from rookery.engine.warmup import Compiler, Part, level_parts
from rookery.games import address, at_address, find, playable
from rookery.search.bot_runner import BotRunner
from rookery.search.control import alarm
from rookery.web import metrics
from rookery.web.fair_queue import SHORT, Bound, Busy, FairQueue, Figures

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from concurrent.futures import Future

    from rookery.core.bot import Analysis, Bot
    from rookery.core.game import Game
    from rookery.core.state import State
    from rookery.core.stream import Stream
    from rookery.search.cancel import CancelToken
    from rookery.search.review import Review
    from rookery.web.fair_queue import Client

T = TypeVar("T")

log = logging.getLogger("rookery.web")

MOVE_MS = 5_000
"""The longest search for a move, in milliseconds, whatever the bot's own budget."""

MOVE_NODES = 2_000_000
"""The most nodes that a visitor's bot may have for a move."""

ANALYSIS_MS = 600
"""The search time for a hint, in milliseconds."""

STEP = 0.1
"""Seconds that a step of a review is expected to take: too long for the thread that quick bots have for themselves."""

UNKNOWN_NODE, UNKNOWN_MOVE, LOADING = 20e-6, 1.0, 1.0
"""Seconds that a node and a move are expected to take before any was timed, and the loading of machine code."""
OVERTIME = 0.1
"""Seconds after which a bot that was expected to be quick has to begin again elsewhere."""
FADING = 0.99
"""How much of a long move's time counts after each quick move that follows it. Some bots think once and then play many
moves of one plan; dozens of such games must not make them look quick."""
REMEMBERED = 2_000
"""Bots and games whose times are remembered."""
MOST_WAITING = 20
"""Moves and analyses of one person that may wait."""
ADDRESS_SHARE = 8
"""How many of an address may wait, for each of the people who may share it."""
PUT_OFF = 2.0
"""Seconds after which work that was refused is offered again, about."""


class Bots(Protocol):
    """What lets bots think. Whatever has to wait for too much else of the same visitor raises `Busy`; what nobody wants
    any more, `Cancelled`. States must be copies.
    """

    def start(self) -> None:
        """Get ready, in the background."""

    @property
    def progress(self) -> tuple[int, int]:
        """How many parts of machine code are ready, and how many the levels of all games need."""

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
        """The bot's action. For `wait` see `BotRunner.choose`."""

    async def analyse(self, bot: Bot, state: State, token: CancelToken, client: Client) -> Analysis:
        """The bot's analysis, once its machine code is ready. Moves come before it."""

    def review(self, review: Review, client: Client) -> AsyncGenerator[None, None]:
        """Make a review; pause after each search. Moves and analyses of all visitors come before it."""

    async def prepare(self, bot: Bot, game: Game, client: Client) -> None:
        """Load the bot's machine code if it is compiled, so that the first move is fast."""

    def close(self) -> None:
        """End all searches."""


def visitor_bot(game: Game, spec: str) -> Bot:
    """The bot that a visitor asked for. It may not read files, nor ask for more than the server gives a move."""
    bot = make_bot(game, spec, files=False)
    for name, given, most in (("ms", bot.ms, MOVE_MS), ("nodes", bot.nodes, MOVE_NODES)):
        if given is not None and given > most:
            raise OptionError(f"{name} may be {most} at most in an arcade, not {given}.")
    return bot


class Estimates:
    """How long bots take, by what they took before."""

    def __init__(self) -> None:
        self._seconds: OrderedDict[Any, float] = OrderedDict()

    def of(self, bot: Bot, game: Game) -> float:
        """The seconds a bot is expected to take for a move."""
        if bot.ms is not None:
            return min(bot.ms, MOVE_MS) / 1000
        unknown = UNKNOWN_MOVE if bot.nodes is None else bot.nodes * UNKNOWN_NODE
        return min(self._seconds.get((game, str(bot)), unknown), MOVE_MS / 1000)

    def note(self, bot: Bot, game: Game, seconds: float) -> None:
        """Remember the processor time of a move: of this very bot, so that what others ask for changes nothing."""
        before = self._seconds.pop((game, str(bot)), 0.0)
        self._seconds[game, str(bot)] = max(seconds, FADING * before)
        if len(self._seconds) > REMEMBERED:
            self._seconds.popitem(last=False)


class BotPool:
    """The bots' threads, and the processes that compile their machine code."""

    def __init__(self, threads: int | None = None, *, people: int = 20) -> None:
        """`people` may share an address."""
        self._queue = FairQueue(
            threads or cores(),
            quick=1,
            name="bot",
            bound=Bound(MOST_WAITING, ADDRESS_SHARE * people),
            figures=Figures(metrics.bot_queue, metrics.bot_wait_seconds, metrics.bot_refusals),
        )
        self._compiler: Compiler | None = None
        self._estimates = Estimates()
        self._loaded: set[tuple[str, str]] = set()
        """The machine code that was loaded before a bot had to move: by game and part."""

    def start(self) -> None:
        """Compile the bots' machine code in the background; it is loaded when a bot first plays."""
        if find_spec("numba") is None:  # importing it would block the server for a second
            return
        self._compiler = Compiler(_needed(), at_address, processes=cores(), low_priority=True)
        for future in self._compiler.futures.values():
            future.add_done_callback(_log)

    @property
    def progress(self) -> tuple[int, int]:
        """How many parts of machine code are ready, and how many the levels of all games need."""
        futures = [] if self._compiler is None else [self._compiler.futures[part] for part in _needed()]
        return sum(future.done() for future in futures), len(futures)

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
        """The bot's action; `state` must be a copy. For `wait` see `BotRunner.choose`."""
        limit = min(bot.ms or MOVE_MS, MOVE_MS)
        seconds = self._estimates.of(bot, state.game)
        ready = self._runner(client, 0.0, token).ready
        if seconds <= SHORT and ready(bot, state.game):
            found = await self._quick_choice(bot, state, stream, token, client)
            if found is not None:
                return found
            seconds = limit / 1000
        # What it takes interpreted says nothing of how long it takes with machine code.
        times = (bot, state.game) if ready(bot, state.game) else None
        runner = self._runner(client, seconds, token, times=times)
        return await runner.choose(bot, state, stream, token, ms=limit, wait=wait)

    async def _quick_choice(
        self, bot: Bot, state: State, stream: Stream, token: CancelToken, client: Client
    ) -> int | None:
        """The action of a bot that is expected to be quick; None if it is not. Then it begins again where it does not
        keep other quick bots waiting.
        """
        draws = stream.copy()

        def work() -> int | None:
            bot.ready(state.game)
            budget = token.budget(min(bot.ms or MOVE_MS, MOVE_MS), bot.nodes)
            began = thread_time()
            with alarm(budget.cancel, OVERTIME):
                action = bot.choose(state.copy(), budget, draws)
            took = thread_time() - began
            if budget.cancelled and not token.cancelled:
                if took > SHORT:  # else the machine is busy, and the bot may be as quick as before
                    self._estimates.note(bot, state.game, MOVE_MS / 1000)
                return None
            self._estimates.note(bot, state.game, took)
            return action

        found = await self._queue.run(_measured(work), client, SHORT, token=token)
        if found is not None:
            stream.words[:] = draws.words
        return found

    async def analyse(self, bot: Bot, state: State, token: CancelToken, client: Client) -> Analysis:
        """The bot's analysis, once its machine code is ready; `state` must be a copy. Moves come before it."""
        runner = self._runner(client, ANALYSIS_MS / 1000, token, later=True)
        return await runner.analyse(bot, state, token, ms=ANALYSIS_MS, wait=lambda: None)

    async def review(self, review: Review, client: Client) -> AsyncGenerator[None, None]:
        """Make a review; pause after each search. Moves and analyses of all visitors come before it."""
        bot, game, token, steps, end = review.reviewer.bot, review.record.game, review.token, review.steps(), object()
        runner = self._runner(client, 0.0, token)
        if not runner.ready(bot, game):
            await runner.machine_code(bot, game)
        work = _measured(lambda: next(steps, end) is not end)
        while True:
            try:
                if not await self._queue.run(work, client, STEP, later=True, token=token):
                    return
            except Busy:
                await asyncio.sleep(PUT_OFF * random.uniform(0.5, 1.5))
                continue
            yield

    async def prepare(self, bot: Bot, game: Game, client: Client) -> None:
        """Load the bot's machine code if it is compiled, so that the first move is fast."""
        part = address(game.name), bot.compiled_part
        if bot.compiled_part and part not in self._loaded and self._runner(client, 0.0).ready(bot, game):
            self._loaded.add(part)
            with suppress(Busy):
                await self._queue.run(lambda: bot.ready(game), client, LOADING)

    def close(self) -> None:
        """End all searches."""
        if self._compiler is not None:
            self._compiler.close()
        self._queue.close()

    def _runner(
        self,
        client: Client,
        seconds: float,
        token: CancelToken | None = None,
        *,
        later: bool = False,
        times: tuple[Bot, Game] | None = None,
    ) -> BotRunner:
        """What runs a bot for somebody, in work of about this many seconds. The processor time of the bot in `times` is
        remembered: not the time in the queue, nor that of loading its machine code, nor what a busy machine adds.
        """

        async def in_thread(work: Callable[[], Any]) -> Any:
            def timed() -> Any:
                if times is None:
                    return work()
                bot, game = times
                bot.ready(game)
                began = thread_time()
                found = work()
                self._estimates.note(bot, game, thread_time() - began)
                return found

            return await self._queue.run(_measured(timed), client, seconds, later=later, token=token)

        return BotRunner(in_thread, self._compiler, address)


def _measured(work: Callable[[], T]) -> Callable[[], T]:
    """Work that counts as a bot's thinking in the figures."""

    def measured() -> T:
        began = monotonic()
        metrics.bots_thinking.add(1)
        try:
            return work()
        finally:
            metrics.bots_thinking.add(-1)
            metrics.bot_seconds.observe(monotonic() - began)

    return measured


def _needed() -> list[Part]:
    """The machine code that the levels of all games need."""
    return [Part(address(name), part) for name in playable() for part in level_parts(find(name))]


def _log(future: Future[None]) -> None:
    if not future.cancelled() and (problem := future.exception()) is not None:
        log.warning("Compiling in the background failed; it is compiled on first use instead: %s", problem)
