"""Compiling ahead of time: the parts of a game that can be compiled, and worker processes that compile them.

A *part* is the machine code of one feature of a game: of a bot, of random play, of the environments. Worker processes
compile parts, because Numba would block every other thread of a program. They write to the cache on disk, and the
program loads the machine code from there.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from filelock import FileLock

from rookery.core.errors import RookeryError
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.engine import code_cache
from rookery.engine.batch import rehearse
from rookery.engine.playouts import Playouts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from rookery.core.bot import Bot
    from rookery.core.game import Game

NODES = 50
"""The node budget of a bot that runs only to be compiled."""
NICENESS = 10
DONE, FAILED = "done", "failed"
"""A worker's answer when a part is compiled, or cannot be."""
STARTS = 3
"""Workers tried for a part before it is given up."""


@dataclass(frozen=True)
class Part:
    """A part of a game, by names that are valid in another process, too."""

    game: str
    """The game's name, or the file it came from."""
    name: str


def parts_of(cls: type[Game]) -> dict[str, Callable[[], None]]:
    """For each part of a game a function that compiles it: the bots of its levels first, then its other bots, then the
    rest.
    """
    by_part: dict[str, list[type[Bot]]] = {part: [] for part in level_parts(cls)}
    for bot in cls.bots().values():
        if bot.compiled_part:
            by_part.setdefault(bot.compiled_part, []).append(bot)

    def run(kinds: list[type[Bot]]) -> Callable[[], None]:
        return lambda: _run_bots(cls(), kinds)

    parts = {part: run(kinds) for part, kinds in by_part.items()}
    parts["playouts"] = lambda: Playouts(cls()).compile()
    if cls.observation is not None:
        parts["environments"] = lambda: rehearse(cls())
    return parts | dict(cls.compiled_parts())


def _run_bots(game: Game, kinds: list[type[Bot]]) -> None:
    """Let bots choose and analyse at the start of a game: this compiles all they call."""
    state = game.start()
    while state.turn == CHANCE:
        state.play(state.draw(Stream()))
    for kind in kinds:
        bot = kind()
        bot.ready(game)
        bot.choose(state, stream=Stream(), nodes=NODES)
        bot.analyse(state, nodes=NODES)


def compile_part(cls: type[Game], name: str) -> None:
    """Compile a part of a game, or load it from the cache, and mark it as ready."""
    parts_of(cls)[name]()
    with suppress(OSError):
        _mark(cls, name).touch()


def is_ready(cls: type[Game], name: str) -> bool:
    """Whether a part of a game is in the cache, so that it loads without compiling."""
    return _mark(cls, name).exists()


def _lock_of(cls: type[Game], name: str) -> FileLock:
    """The lock that keeps two programs from compiling the same part at the same time."""
    return FileLock(_mark(cls, name).with_suffix(".lock"))


def _mark(cls: type[Game], name: str) -> Path:
    kernel: Any = cls.kernel
    return code_cache.marks_folder(kernel) / f"{cls.name}-{name}.ready"


class Compiler:
    """Compiles parts of games in worker processes, which end when this process does, even if it is killed.

    Every part has a future, which is done once the part is ready. With `load` the part is also loaded into this
    process first. `find` turns a part's game into its class.
    """

    def __init__(
        self,
        parts: Iterable[Part],
        find: Callable[[str], type[Game]],
        *,
        processes: int,
        low_priority: bool = False,
        load: bool = False,
    ) -> None:
        self._find, self._processes, self._low_priority, self._load = find, processes, low_priority, load
        self._lock = Lock()
        self._waiting: deque[Part] = deque()
        self._threads = 0
        self._workers: set[_Worker] = set()
        self._closed = False
        self.futures: dict[Part, Future[None]] = {}
        for part in parts:
            self.request(part)

    def request(self, part: Part, *, first: bool = False) -> Future[None]:
        """Queue a part unless it was queued before; `first` moves it to the front."""
        with self._lock:
            if part not in self.futures:
                self.futures[part] = Future()
                self._waiting.append(part)
            if first and part in self._waiting:
                self._waiting.remove(part)
                self._waiting.appendleft(part)
            if self._waiting and self._threads < self._processes and not self._closed:
                self._threads += 1
                Thread(target=self._work, name="compiler", daemon=True).start()
            return self.futures[part]

    def close(self) -> None:
        """Kill the workers; cancel all futures that are not done."""
        with self._lock:
            self._closed = True
            self._waiting.clear()
            for worker in self._workers:
                worker.end()
        for future in self.futures.values():
            future.cancel()

    def _work(self) -> None:
        """Run in a thread: compile parts with one worker until none is left."""
        worker = None
        while (part := self._next()) is not None:
            future = self.futures[part]
            try:
                cls = self._find(part.game)
                for attempt in range(STARTS):
                    if is_ready(cls, part.name):
                        break
                    worker = worker or self._start()
                    try:
                        with _lock_of(cls, part.name):
                            if not is_ready(cls, part.name):  # another program may have been compiling it
                                worker.compile(part)
                    except WorkerLost:
                        self._drop(worker)
                        worker = None
                        if attempt + 1 == STARTS or self._closed:
                            raise
                if self._load and not self._closed:
                    compile_part(cls, part.name)
            except Exception as problem:
                with suppress(InvalidStateError):  # it was cancelled
                    if self._closed:
                        future.cancel()
                    else:
                        future.set_exception(problem)
            else:
                with suppress(InvalidStateError):
                    future.set_result(None)
        if worker is not None:
            self._drop(worker)

    def _next(self) -> Part | None:
        """The next part to compile; None if there is none, and the thread ends."""
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._threads -= 1
            return None

    def _start(self) -> _Worker:
        with self._lock:
            if self._closed:
                raise WorkerLost("Compiling was ended.")
            worker = _Worker(low_priority=self._low_priority)
            self._workers.add(worker)
            return worker

    def _drop(self, worker: _Worker) -> None:
        with self._lock:
            self._workers.discard(worker)
        worker.end()


class WorkerLost(RookeryError):
    """A worker process ended before it answered."""


class _Worker:
    """A process that compiles. It reads the names of parts from a pipe, and ends when the pipe is closed."""

    def __init__(self, *, low_priority: bool) -> None:
        command = [sys.executable, "-m", "rookery", "warm", "--worker"]
        # Ctrl-C in a terminal reaches every process of the group; a worker is ended by its parent alone.
        apart: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            command + ["--low-priority"] * low_priority,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            **apart,
        )

    def compile(self, part: Part) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            print(part.name, part.game, sep="\t", file=self._process.stdin, flush=True)
            answer = self._process.stdout.readline()
        except (OSError, ValueError):
            answer = ""
        if answer.strip() == DONE:
            return
        if not answer:
            raise WorkerLost(f"{part.name} of {part.game} was not compiled: the process that did it ended.")
        raise RookeryError(f"{part.name} of {part.game} cannot be compiled: {answer.removeprefix(FAILED).strip()}")

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def run_worker(find: Callable[[str], type[Game]], *, low_priority: bool) -> int:
    """Compile the parts named on standard input, one a line, and answer each with a line.

    The process exits as soon as standard input ends, even in the middle of compiling: its parent is gone then.
    """
    if low_priority and hasattr(os, "nice"):
        os.nice(NICENESS)
    asked: SimpleQueue[str] = SimpleQueue()

    def listen() -> None:
        for line in sys.stdin:
            asked.put(line)
        os._exit(0)

    Thread(target=listen, daemon=True).start()
    while True:
        name, _, game = asked.get().rstrip("\n").partition("\t")
        try:
            compile_part(find(game), name)
            answer = DONE
        except Exception as problem:
            answer = f"{FAILED} {type(problem).__name__}: {' '.join(str(problem).split())}"
        print(answer, flush=True)


def all_parts(games: Mapping[str, type[Game]]) -> list[Part]:
    """The parts of all games, keyed by the name that `find` takes: first those that levels need."""
    return sorted(
        (Part(address, name) for address, cls in games.items() for name in parts_of(cls)),
        key=lambda part: part.name not in level_parts(games[part.game]),
    )


def level_parts(cls: type[Game]) -> list[str]:
    """The parts that the levels of a game need, the strongest level's first."""
    bots = cls.bots()
    parts = [bots[spec.partition(":")[0]].compiled_part for spec in reversed(cls.levels())]
    return [part for part in dict.fromkeys(parts) if part]
