"""Bots that think while the screen goes on: each thought on a thread which nobody has to wait for."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from rookery.core.thought import Thought

if TYPE_CHECKING:
    from collections.abc import Callable

    from rookery.core.bot import Bot
    from rookery.core.game import Game

T = TypeVar("T")

SPIN = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


class Thinking:
    """What is being thought about at a table: a bot's move, a hint."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.thoughts: dict[str, Thought] = {}
        self.turn = 0
        """Counts what makes a thought that is under way pointless."""
        self._since = 0.0

    def sign(self, *, moving: bool) -> str:
        """That somebody is thinking, and for how long if it takes long; nothing if nobody is."""
        if not self.thoughts:
            return ""
        passed = perf_counter() - self._since
        sign = SPIN[int(passed * 10) % len(SPIN)] if moving else "…"
        return f"{sign} {passed:.0f}s" if passed >= 1 else sign

    async def out(self, kind: str, bot: Bot, think: Callable[[Thought], T]) -> T:
        """What comes of a thought; it is cut short if nobody waits for it any more."""
        self._since, thought = perf_counter(), Thought()
        self.thoughts[kind] = thought

        def work() -> T:
            bot.ready(self.game)
            return think(thought)

        try:
            return await apart(work)
        except asyncio.CancelledError:
            thought.cut()
            raise
        finally:
            if self.thoughts.get(kind) is thought:
                del self.thoughts[kind]

    def stop(self) -> None:
        """Let whoever thinks come to an end, and take no notice of what comes of it."""
        self.turn += 1
        for thought in self.thoughts.values():
            thought.cut()
        self.thoughts.clear()


async def apart(work: Callable[[], T]) -> T:
    """What comes of something that takes long, done on a thread which nobody has to wait for when the program ends."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def tell(say: Callable[..., None], what: object) -> None:
        with suppress(RuntimeError):  # the program has ended meanwhile
            loop.call_soon_threadsafe(lambda: None if done.done() else say(what))

    def run() -> None:
        try:
            tell(done.set_result, work())
        except Exception as problem:
            tell(done.set_exception, problem)

    Thread(target=run, daemon=True).start()
    return await done
