"""Runs a program on a real pseudo-terminal: sends it keys, and reads its output and its screen."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from typing import TYPE_CHECKING, Any, Self

import pyte

if TYPE_CHECKING:
    from types import TracebackType

PATIENCE = 30.0
OURS = ("COLUMNS", "LINES", "NO_COLOR", "COLORTERM")
"""Variables of the tests' own terminal, which the program must not see."""


class Terminal:
    """A program on a pseudo-terminal of a given size."""

    def __init__(self, command: list[str], columns: int = 80, lines: int = 24, **environment: str) -> None:
        self.screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self.screen)
        self.master, self.slave = pty.openpty()
        self.resize(columns, lines)
        self.before = self.settings()
        self.seen = b""
        """Output that no call has returned yet."""
        names = {name: value for name, value in os.environ.items() if name not in OURS}
        self.process = subprocess.Popen(
            command,
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            env={**names, "TERM": "xterm", **environment},
            start_new_session=True,
            preexec_fn=_take_over,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.close()

    def settings(self) -> list[Any]:
        """The terminal's settings: echo, line editing and so on."""
        return termios.tcgetattr(self.slave)

    def resize(self, columns: int, lines: int) -> None:
        """Resize the window; the program receives a signal."""
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.screen.resize(lines, columns)

    def type(self, keys: bytes) -> None:
        """Press keys, given as the bytes that a terminal sends."""
        os.write(self.master, keys)

    def click(self, x: int, y: int) -> None:
        """Click a character; coordinates start at 0."""
        self.type(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m".encode())

    @property
    def shown(self) -> str:
        """The text on the screen."""
        return "\n".join(line.rstrip() for line in self.screen.display).replace("\xa0", " ")

    def until(self, text: bytes) -> bytes:
        """Read until a text appears in the output; return the output up to it."""
        end = time.monotonic() + PATIENCE
        while text not in self.seen:
            assert time.monotonic() < end, f"{text!r} never came, only {self.seen[-600:]!r}"
            self.read(0.1)
        at = self.seen.index(text) + len(text)
        found, self.seen = self.seen[:at], self.seen[at:]
        return found

    def until_shown(self, words: str) -> None:
        """Read until the screen shows a text."""
        end = time.monotonic() + PATIENCE
        while words not in self.shown:
            assert time.monotonic() < end, f"'{words}' never came:\n{self.shown}"
            self.read(0.05)

    def until_gone(self, words: str) -> None:
        """Read until the screen no longer shows a text."""
        end = time.monotonic() + PATIENCE
        while words in self.shown:
            assert time.monotonic() < end, f"'{words}' stays:\n{self.shown}"
            self.read(0.05)

    def settle(self, quiet: float) -> float | None:
        """Read until there has been no output for `quiet` seconds; return when the last came, or None if none did."""
        last = None
        while self.read(quiet):
            last = time.perf_counter()
        return last

    def end(self) -> tuple[int, bytes]:
        """Wait for the end; return the exit code and the rest of the output. The terminal's settings must be restored."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None or self.read(0.05):
            assert time.monotonic() < end, f"it goes on after {self.seen[-600:]!r}"
            self.read(0.05)
        assert self.settings() == self.before
        self.close()
        return self.process.returncode, self.seen

    def close(self) -> None:
        """Close the window."""
        for side in ("master", "slave"):
            if getattr(self, side) >= 0:
                os.close(getattr(self, side))
                setattr(self, side, -1)

    def read(self, wait: float) -> bool:
        """Read output for up to `wait` seconds; return whether there was any."""
        if not select.select([self.master], [], [], wait)[0]:
            return False
        data = os.read(self.master, 1 << 16)
        self.seen += data
        self._stream.feed(data)
        return bool(data)


def _take_over() -> None:
    """Make the pty the controlling terminal, so that closing it sends SIGHUP."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
