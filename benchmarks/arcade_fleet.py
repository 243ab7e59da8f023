"""Server processes that start quickly: each is forked from a process that has imported everything.

A kill needs a start, and importing takes two seconds of processor time. The wall clock of a server can be set wrong.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

JUMPS = (0.0, 3 * 86_400.0, -3 * 86_400.0, 500 * 86_400.0)
"""Seconds by which a server's wall clock may be wrong."""


class Fleet:
    """The process that servers are forked from."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "benchmarks.arcade_fleet"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def start(self, **how: Any) -> int:
        """Start a server; return its process id."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(how) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def end(self) -> None:
        """End the process, and all servers with it."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()


class Server:
    """A server at one address, which can be killed, stopped, and started again."""

    def __init__(self, fleet: Fleet, database: str, port: int, folder: Path) -> None:
        self.base = f"http://127.0.0.1:{port}"
        self._fleet, self._database, self._port = fleet, database, port
        self._said = folder / f"said {port}"
        self.log = folder / f"log {port}"
        self.pid = 0

    def start(self, seconds: float = 30.0) -> bool:
        """Start it; whether it accepts connections before the time is up. The database may be away."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._said.write_text("")
            self.pid = self._fleet.start(
                database=self._database, port=self._port, said=str(self._said), log=str(self.log)
            )
            while self.alive and time.monotonic() < end:
                if self._said.read_text():
                    return True
                time.sleep(0.01)
            time.sleep(0.1)
        return False

    @property
    def alive(self) -> bool:
        return Path(f"/proc/{self.pid}").exists()

    def signal(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it, and return when it is gone."""
        self.signal(signal.SIGKILL)
        while self.alive:
            time.sleep(0.002)


def _serve(how: dict[str, Any]) -> int:
    """Be a server."""
    from rookery.system.processes import end_with_parent
    from rookery.web.serve import serve
    from rookery.web.settings import Settings

    end_with_parent(os.getppid())
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for name, number, flags in (("log", 2, os.O_APPEND), ("said", 1, 0)):
        file = os.open(how[name], os.O_CREAT | os.O_WRONLY | flags, 0o600)
        os.dup2(file, number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    settings = Settings(port=how["port"], database=how["database"], people_per_address=2000)
    return serve(settings, lambda address, _: print(address, flush=True))


def main() -> None:
    """Fork a server for every line that is read."""
    real, wrong = time.time, [0.0]
    time.time = lambda: real() + wrong[0]
    from rookery.web import postgres, serve
    from rookery.web.bot_pool import BotPool

    assert postgres and serve
    BotPool.start = lambda self: None  # type: ignore[method-assign]  # quick bots need no machine code

    def jump(*_: Any) -> None:
        wrong[0] = JUMPS[(JUMPS.index(wrong[0]) + 1) % len(JUMPS)]

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    signal.signal(signal.SIGUSR1, jump)
    for line in sys.stdin:
        pid = os.fork()
        if not pid:
            status = 1
            try:
                status = _serve(json.loads(line))
            except Exception as problem:  # the database is away, or the port is not free yet
                if "cannot" not in str(problem):
                    print(repr(problem), file=sys.stderr, flush=True)
            finally:
                os._exit(status)
        print(pid, flush=True)


if __name__ == "__main__":
    main()
