"""Client processes. Each plays some of the games; all begin at the same moment, and report what they saw."""

from __future__ import annotations

import asyncio
import multiprocessing
import resource
import traceback
from dataclasses import dataclass, field
from time import perf_counter
from typing import TYPE_CHECKING, Any

import psutil  # type: ignore[import-untyped]
from benchmarks.load.people import PATIENCE, Habits, Match, Seen, Visitor, hear

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from multiprocessing.connection import Connection

AT_ONCE = 20
"""Games that a client process sets up, or asks for, at the same time."""


@dataclass(frozen=True)
class Load:
    """What a client process does: which games of which kinds it plays."""

    habits: Habits
    matches: tuple[tuple[int, str], ...] = ()
    watching: tuple[str, ...] = ()
    """The games to watch, one for each socket."""


@dataclass
class Report:
    """What a client process found."""

    seen: Seen = field(default_factory=Seen)
    acts: list[tuple[str, int, float]] = field(default_factory=list)
    """Actions: the game, the ply, and when they were sent."""
    reached: dict[tuple[str, int], tuple[int, float]] = field(default_factory=dict)
    """By game and ply, how many sockets have shown it, and when the last one did."""


async def some_at_once(work: Callable[[Any], Awaitable[Any]], items: Sequence[Any]) -> list[Any]:
    """Do work for all items, some at a time."""
    done: list[Any] = []
    for first in range(0, len(items), AT_ONCE):
        done += await asyncio.gather(*(work(each) for each in items[first : first + AT_ONCE]))
    return done


class Players:
    """Plays some games."""

    def __init__(self, load: Load) -> None:
        self.report = Report()
        self.matches = [Match(number, kind, load.habits, self.report.seen) for number, kind in load.matches]

    async def prepare(self) -> list[str]:
        """Set up the games; return their ids."""
        await some_at_once(Match.prepare, self.matches)
        return [match.id for match in self.matches]

    async def run(self, until: float) -> None:
        seen = self.report.seen
        tasks = [asyncio.create_task(match.run()) for match in self.matches]
        await asyncio.sleep(until - perf_counter())
        for match in self.matches:
            match.stop()
        ended, late = await asyncio.wait(tasks, timeout=PATIENCE)
        seen.errors += [repr(task.exception()) for task in ended if task.exception() is not None]
        seen.errors += ["an action was not acknowledged"] * len(late)
        for task in late:
            task.cancel()

    async def check(self) -> Report:
        """Compare the records with what was acknowledged."""
        self.report.seen.wrong = sum(await some_at_once(Match.lost_or_doubled, self.matches))
        for match in self.matches:
            self.report.acts += match.acts
            for each in match.everybody:
                await each.visitor.leave()
        return self.report


class Spectators:
    """Watches games and does nothing else."""

    def __init__(self, load: Load) -> None:
        self.report = Report()
        self.watching = [(id, Visitor(load.habits.base)) for id in load.watching]
        self.tasks: list[asyncio.Task[None]] = []

    async def prepare(self) -> list[str]:
        """Open all sockets. Nobody has a cookie, as with links that are opened for the first time. They are read at
        once: the server gives up whoever does not answer its pings.
        """
        await some_at_once(self._open, self.watching)
        return []

    async def _open(self, each: tuple[str, Visitor]) -> None:
        id, visitor = each
        await visitor.connect(id)
        self.tasks.append(asyncio.create_task(self._watch(id, visitor)))

    async def run(self, until: float) -> None:
        await asyncio.sleep(until + 2 - perf_counter())  # so that the last actions are seen too
        for task in self.tasks:
            if task.done():
                self.report.seen.errors.append(f"a spectator's connection was lost: {task.exception()!r}")
            task.cancel()

    async def _watch(self, id: str, visitor: Visitor) -> None:
        reached, last = self.report.reached, -1
        assert visitor.socket is not None
        while True:
            heard = hear(await visitor.socket.recv())
            if heard.kind == "scene":
                for ply in range(last, heard.ply) if last >= 0 else ():
                    reached[id, ply] = (reached.get((id, ply), (0, 0.0))[0] + 1, perf_counter())
                last = heard.ply

    async def check(self) -> Report:
        for _, visitor in self.watching:
            visitor.drop()
        return self.report


async def _work(load: Load, pipe: Connection) -> None:
    """Prepare, wait for the start, run, and report."""
    work = Spectators(load) if load.watching else Players(load)
    pipe.send(await work.prepare())
    until = await asyncio.to_thread(pipe.recv)
    await work.run(until)
    pipe.send("ran")
    pipe.send(await work.check())


def _client(load: Load, pipe: Connection) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard > 0 else soft, hard))
    try:
        import uvloop

        factory = uvloop.new_event_loop
    except ImportError:
        factory = None
    try:
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(_work(load, pipe))
    except BaseException:
        pipe.send(RuntimeError(traceback.format_exc()))


class Client:
    """A client process, as the one that started it sees it."""

    def __init__(self, load: Load) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._pipe, theirs = spawn.Pipe()
        self._process = spawn.Process(target=_client, args=(load, theirs), daemon=True)
        self._process.start()
        self.usage = psutil.Process(self._process.pid)

    def told(self, patience: float = 300) -> Any:
        """The next thing that it says."""
        if not self._pipe.poll(patience):
            raise TimeoutError("a client process did not answer")
        found = self._pipe.recv()
        if isinstance(found, Exception):
            raise found
        return found

    def start(self, until: float) -> None:
        self._pipe.send(until)

    def end(self) -> None:
        self._process.terminate()
        self._process.join()
