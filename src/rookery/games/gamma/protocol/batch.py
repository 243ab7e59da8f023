"""Gamma by lines: the driver that feeds standard input to the protocol, block by block.

Small inputs run interpreted, with nothing heavy imported. Where much is to be done (a large file, a large board, or a
session that has already taken a while) the same functions go on compiled, from the same words.
"""

from __future__ import annotations

import os
from time import perf_counter

from rookery.core.errors import RookeryError
from rookery.games.gamma import rules
from rookery.games.gamma.protocol import commands
from rookery.games.gamma.protocol.commands import (
    ANSWERED,
    ARGUMENTS,
    AT,
    BATCH,
    END,
    INTERACTIVE,
    LINE,
    LONGEST_ANSWER,
    MAX_LINES,
    REFUSED,
    ROOM,
    SESSION,
    STARTED,
    WHY,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rookery.games.gamma.protocol.keys import Keys

BLOCK = 1 << 18
"""Bytes read at a time."""
INTERPRETED_LINES = 100
"""Lines carried out between two looks at the clock."""
LARGEST = 1_000_000_000
"""The most cells, and the most players, of a game; most machines have less memory than that takes."""
WORD_BYTES, SHARE_OF_MEMORY = 8, 0.9
"""Bytes of a word of a position, and the share of the free memory that a position may take."""
LARGE_INPUT = 2_000_000
LARGE_GAME = 1_000_000
"""A file with this many bytes, or a game with this many words, is compiled at once."""
PATIENCE, UNPREPARED_PATIENCE = 0.4, 10.0
"""Seconds of interpreted work, done or in sight, for which they are fetched: about what that takes if they have been
compiled before, and if they have not."""


def run(source: int, answers: int, errors: int) -> int:
    """Carry out the commands on a file descriptor, answers and errors going to two others; return the exit code."""
    batch = Batch(answers, errors, large=_size(source) >= LARGE_INPUT)
    parts: list[bytes] = []
    while True:
        batch.flush()
        try:
            chunk = os.read(source, BLOCK)
        except OSError as problem:
            raise RookeryError(f"Cannot read input: {problem.strerror}.") from None
        if chunk and b"\n" not in chunk:
            parts.append(chunk)
            continue
        # The last line counts as one even if nothing ends it.
        block = b"".join(parts) + (chunk or b"\n")
        if not chunk and not parts:
            return 0
        end = block.rfind(b"\n") + 1
        parts = [block[end:]] if end < len(block) else []
        keys = batch.carry_out(block[:end])
        if keys is not None:
            from rookery.games.gamma.protocol import raw_terminal

            batch.flush()
            return raw_terminal.interact(keys, batch.rest + b"".join(parts) if chunk else b"", source)
        if not chunk:
            batch.flush()
            return 0


def _size(source: int) -> int:
    """The bytes of a file; 0 for a pipe or a terminal."""
    try:
        return os.fstat(source).st_size
    except OSError:
        return 0


class Batch:
    """One session: the board, once there is one, what the protocol remembers, and what waits to be written."""

    def __init__(self, answers: int, errors: int, *, large: bool) -> None:
        self.out, self.err = answers, errors
        self.large = large
        self.spent = 0.0
        self.patience = PATIENCE
        self.rest = b""
        self.waiting: dict[int, list[bytes]] = {answers: [], errors: []}
        self.kernel: Any = commands
        self.words: Any = []
        self.session: Any = [0] * SESSION
        self.answers: Any = bytearray(INTERPRETED_LINES * LONGEST_ANSWER)
        self.errors: Any = bytearray(INTERPRETED_LINES * LONGEST_ANSWER)

    def carry_out(self, block: bytes) -> Keys | None:
        """Carry out all lines of a block; if one of them asks for interactive mode, stop and return its game."""
        at, end = 0, len(block)
        while at < end:
            began, first = perf_counter(), at
            compiled = self.kernel is not commands
            self.session[AT], self.session[END] = at, end
            self.session[MAX_LINES] = end if compiled else INTERPRETED_LINES
            data = _bytes(block) if compiled else block
            self.kernel.consume(data, self.words, self.session, self.answers, self.errors)
            at = int(self.session[AT])
            took = perf_counter() - began
            self.spent += took
            ahead = took * (end - at) / max(at - first, 1)
            self._collect()
            if self.session[WHY] == ROOM:
                self._make_room()
            elif self.session[WHY] in (BATCH, INTERACTIVE):
                width, height, players, areas = (int(each) for each in self.session[ARGUMENTS : ARGUMENTS + 4])
                most = rules.LARGEST if self.session[WHY] == INTERACTIVE else LARGEST
                if 0 in (width, height, players, areas) or max(width * height, players) > most:
                    self._refuse()
                elif self.session[WHY] == INTERACTIVE:
                    keys = _interactive(width, height, players, areas)
                    if keys is not None:
                        self.rest = block[at:]
                        return keys
                    self._refuse()
                else:
                    self._start((width, height, players, areas, 0))
            if self.session[STARTED] and self.spent + ahead > self.patience:
                self._compile()
        return None

    def flush(self) -> None:
        """Write what waits."""
        for target, parts in self.waiting.items():
            data = memoryview(b"".join(parts))
            parts.clear()
            while data:
                data = data[os.write(target, data) :]

    def _collect(self) -> None:
        if self.session[ANSWERED]:
            self.waiting[self.out].append(bytes(memoryview(self.answers)[: int(self.session[ANSWERED])]))
        if self.session[REFUSED]:
            self.waiting[self.err].append(bytes(memoryview(self.errors)[: int(self.session[REFUSED])]))

    def _make_room(self) -> None:
        """Enough for a board, if that is what did not fit."""
        self.flush()
        if self.session[STARTED] and self.kernel.board_size(self.words) + LONGEST_ANSWER > len(self.answers):
            room = int(self.kernel.board_size(self.words)) + LONGEST_ANSWER
            self.answers = bytearray(room) if self.kernel is commands else _zeros(room, "uint8")

    def _start(self, config: tuple[int, ...]) -> None:
        """Set up a board; one that does not fit in memory is an error like any other."""
        large = rules.size(config) >= LARGE_GAME
        try:
            if large and not _fits(rules.size(config)):
                raise MemoryError
            if self.large or large:
                self._compile()
            if self.kernel is commands:
                self.words = [0] * rules.size(config)
                rules.start(self.words, config)
            else:
                from rookery.engine import compiling

                self.words = _zeros(rules.size(config), "int64")
                compiling.compiled(rules).start(self.words, config)
        except MemoryError:
            self._refuse()
            return
        self.session[STARTED] = 1
        self.waiting[self.out].append(b"OK %d\n" % self.session[LINE])

    def _refuse(self) -> None:
        self.waiting[self.err].append(b"ERROR %d\n" % self.session[LINE])

    def _compile(self) -> None:
        """Go on with compiled rules, if there is a compiler, from the same words."""
        from rookery.engine import code_cache, compiling

        if self.patience == PATIENCE and not code_cache.is_ready(commands):
            self.patience = UNPREPARED_PATIENCE
            return
        self.patience = float("inf")  # once is enough, whether it works or not
        if self.kernel is not commands or not compiling.available():
            return
        self.kernel = compiling.compiled(commands)
        self.words, self.session = compiling.array(self.words), compiling.array(self.session)
        self.answers, self.errors = _zeros(1 << 20, "uint8"), _zeros(1 << 20, "uint8")


def warm() -> None:
    """Compile the protocol, by a session in which every command comes up."""
    from rookery.engine import code_cache

    quiet = os.open(os.devnull, os.O_WRONLY)
    batch = Batch(quiet, quiet, large=True)
    batch.patience = UNPREPARED_PATIENCE
    batch.carry_out(b"B 3 3 2 1\nm 1 0 0\nm 2 1 0\ng 1 1 0\nb 1\nf 1\nq 1\np\nx\n")
    os.close(quiet)
    code_cache.mark_ready(commands)


def _interactive(width: int, height: int, players: int, areas: int) -> Keys | None:
    """A game to be played by keys, in which passing is only skipping a turn; None if it does not fit in memory."""
    from rookery.games.gamma.game import Gamma
    from rookery.games.gamma.protocol.keys import Keys

    game = Gamma(width=width, height=height, players=players, areas=areas, pass_out=False)
    try:
        return Keys(game.start())
    except MemoryError:
        return None


def _fits(words: int) -> bool:
    """Whether there is memory for a position. The system would grant more, and end the program when it is used."""
    from rookery.system.memory import free_memory

    free = free_memory()
    return free is None or words * WORD_BYTES <= SHARE_OF_MEMORY * free


def _zeros(count: int, kind: str) -> Any:
    import numpy

    return numpy.zeros(count, kind)


def _bytes(block: bytes) -> Any:
    import numpy

    return numpy.frombuffer(block, numpy.uint8)
