"""Interrupts every command with Ctrl-C at random moments: how soon it ends, its exit code, its output, what it leaves.

    python -m benchmarks.interrupt                          # every command, with compiled code
    python -m benchmarks.interrupt --fresh --tries 5 duel   # with an empty cache, to interrupt the compiler

Each try has its own folder for files, data and, with --fresh, compiled code. Every other try interrupts the whole
process group, as a terminal does; the others interrupt only the process. Delays count from the start of the process,
so some tries hit the interpreter before the first line of Rookery runs. Those are counted separately. Commands that
need PostgreSQL take the server of `tests/web/postgres.py`; without one they are skipped.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import psutil  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.web.postgres import Postgres

EARLIEST, LATEST = 0.05, 6.0
"""Seconds after which a command is interrupted."""
HANGS = 30.0
"""Seconds after which a command that does not end is killed."""
LEFT_AFTER = 2.0
"""Seconds that child processes have to end after the command."""
MEANT_TO_STAY = re.compile(
    r"kept|mine\.npz\.part|games\.(jsonl|svg)|copy\.db|arcade\.db(\.lock|(\.before-1)?(-wal|-shm)?)"
)
"""Files that commands mean to leave: a plot shows the games played so far, and restoring keeps the old database."""
BEFORE_OURS = {"__init__.py", "__main__.py", "games/__init__.py", "system/__init__.py", "system/interrupts.py"}
"""The files of Rookery that are imported before it handles Ctrl-C."""
PADDING = 40_000_000
"""Bytes by which databases are filled, so that copying one takes a moment."""


@dataclass(frozen=True)
class Command:
    """A command to interrupt, how to start it, and its allowed exit codes."""

    words: str
    codes: frozenset[int] = frozenset({130})
    typed: bytes = b""
    terminal: bool = False
    latest: float = LATEST
    """The longest delay, for commands that end soon by themselves."""
    databases: tuple[str, ...] = ()
    """Files in which the arcade's database lies before. They must be whole afterwards."""
    program: tuple[str, ...] = (sys.executable, "-m", "rookery")


OR_DONE = frozenset({130, 0})
"""For commands that may end before the interrupt, or that end normally on one."""
COMMANDS = {
    "games": Command("games", OR_DONE, latest=0.5),
    "puzzles": Command("puzzles gaterun", OR_DONE, latest=0.4),
    "completion": Command("completion bash", OR_DONE, latest=0.2),
    "doctor": Command("doctor", OR_DONE),
    "replay": Command("replay docs/example.jsonl --every", OR_DONE, latest=0.5),
    "review": Command("review docs/example.jsonl --bot alphabeta --nodes 1000000000", OR_DONE),
    "gamma": Command("gamma", typed=b"B 3 3 2 1\nm 1 0 0\n"),
    "gamma, terminal": Command("gamma", OR_DONE, typed=b"I 5 5 2 2\n", terminal=True),
    "play --lines": Command("play gaterun --bot 10 --lines", typed=b"1,3\n"),
    "play, terminal": Command("play gaterun --bot 10", OR_DONE, terminal=True),
    "play menu, terminal": Command("play", OR_DONE, terminal=True),
    "simulate, threads": Command("simulate sixseven --games 1000000000 --resume kept"),
    "simulate, processes": Command("simulate gotham --games 1000000000 --on processes"),
    "simulate, bots": Command("simulate gaterun --bot 5 --games 100000 --plot games.svg"),
    "simulate, slow bot": Command("simulate gaterun --bot 10 --games 100000 --on threads"),
    "duel": Command("duel gamma --bots 3,5 --games 100000 --records games.jsonl"),
    "solve gaterun": Command("solve gaterun --size 4 --walls 6", OR_DONE),
    "solve gotham": Command("solve gotham --level quad", OR_DONE),
    "train": Command("train sixseven --games 100000000 --out mine.npz"),
    "bench": Command("bench"),
    "serve": Command("serve --port 0 --db arcade.db", OR_DONE),
    "serve --workers": Command("serve --port 0 --workers 2 --db POSTGRES", OR_DONE),
    "backup": Command("backup copy.db --db arcade.db --force", OR_DONE, latest=1.0, databases=("arcade.db", "copy.db")),
    "restore": Command("restore copy.db --db arcade.db", OR_DONE, latest=1.0, databases=("arcade.db", "copy.db")),
    "rekey": Command("rekey --db arcade.db", OR_DONE, databases=("arcade.db",)),
    "warm": Command("warm", OR_DONE),
    "make play": Command("play PORT=0", OR_DONE, program=("make", "--silent", "-C", ".")),
}
USUAL = tuple(name for name in COMMANDS if name not in ("warm", "make play"))


@dataclass
class Outcome:
    """The outcome of an interrupt; `seconds` is the time to the end, None if the command had ended before."""

    delay: float
    code: int | None
    seconds: float | None
    err: str
    """Standard error after the interrupt."""
    left: list[str] = field(default_factory=list)

    @property
    def before_ours(self) -> bool:
        """Whether Python was still starting, or importing what runs before Rookery handles Ctrl-C."""
        ours = set(re.findall(r'.*/rookery/(.+?)"', self.err))
        return self.code in (1, -signal.SIGINT) and "KeyboardInterrupt" in self.err and ours <= BEFORE_OURS

    def faults(self, command: Command) -> list[str]:
        """What is wrong with the outcome."""
        if self.before_ours:
            return []
        found = list(self.left)
        if self.code not in command.codes:
            found.append(f"exit code {self.code}")
        if "Traceback" in self.err or "Exception ignored" in self.err or "resource_tracker" in self.err:
            found.append("traceback")
        if self.seconds is not None and self.err.count("\n") > 1 and not command.terminal:
            found.append(f"{self.err.count(chr(10))} lines on standard error")
        return found


def interrupt(command: Command, delay: float, *, group: bool, cache: Path | None, postgres: str = "") -> Outcome:
    """Start a command, interrupt it after `delay` seconds, and check what it leaves; without a cache, use a new one.
    `postgres` is the URL of a database for a command that needs one.
    """
    folder = Path(tempfile.mkdtemp(prefix="rookery-interrupt-"))
    try:
        (folder / "docs").mkdir()
        shutil.copy(Path(__file__).parent.parent / "docs" / "example.jsonl", folder / "docs")
        (folder / "home").mkdir()
        for name in command.databases:
            (folder / name).write_bytes(database())
        own = {"HOME": str(folder / "home"), "XDG_DATA_HOME": str(folder / "home"), "TERM": "xterm"}
        own["ROOKERY_CACHE"] = str(cache or folder / "cache")
        source = {"PYTHONPATH": os.pathsep.join(filter(None, (str(_source()), os.environ.get("PYTHONPATH"))))}
        program = [*command.program, *shlex.split(command.words.replace("POSTGRES", postgres))]
        outcome = _run(command, program, delay, group, folder, {**os.environ, **source, **own})
        where = cache or folder / "cache"
        outcome.left += [f"{each.name} in the cache" for each in where.glob("**/*.tmp.*")]
        names = {each.name for each in folder.iterdir()} - {"docs", "home", "cache"}
        outcome.left += sorted(name for name in names if not MEANT_TO_STAY.fullmatch(name))
        outcome.left += [f"half of {each.name}" for each in folder.glob("*.svg") if not _is_whole(each)]
        outcome.left += [why for name in command.databases for why in _damage(folder / name)]
        return outcome
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _is_whole(picture: Path) -> bool:
    try:
        ElementTree.parse(picture)  # noqa: S314 - written by the command under test
    except ElementTree.ParseError:
        return False
    return True


@cache
def database() -> bytes:
    """The arcade's database, filled with a few megabytes."""
    from rookery.web.store import Store

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "arcade.db"
        Store(f"sqlite:///{file}").close()
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("CREATE TABLE padding (content BLOB)")
            connection.executemany("INSERT INTO padding VALUES (?)", [(bytes(1_000_000),)] * (PADDING // 1_000_000))
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA journal_mode=DELETE")
        return file.read_bytes()


def _damage(file: Path) -> Iterator[str]:
    """What is wrong with a database that was there before."""
    if not file.exists():
        yield f"no {file.name}"
        return
    with closing(sqlite3.connect(file)) as connection:
        try:
            (answer,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            connection.execute("SELECT COUNT(*) FROM games")
        except sqlite3.Error as problem:
            answer = str(problem)
    if answer != "ok":
        yield f"{file.name}: {answer}"


def _source() -> Path:
    import rookery

    return Path(rookery.__file__).parent.parent


def _run(
    command: Command, program: list[str], delay: float, group: bool, folder: Path, environment: dict[str, str]
) -> Outcome:
    heard: list[bytes] = []
    master = slave = -1
    if command.terminal:
        import pty
        import termios

        master, slave = pty.openpty()
        before = termios.tcgetattr(slave)
        process = subprocess.Popen(
            program, cwd=folder, env=environment, stdin=slave, stdout=slave, stderr=slave, preexec_fn=_take_over
        )
        threading.Thread(target=_read, args=(master, heard), daemon=True).start()
        os.write(master, command.typed)
    else:
        process = subprocess.Popen(
            program,
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            preexec_fn=_by_itself,
        )
        assert process.stdin is not None and process.stderr is not None
        threading.Thread(target=_read, args=(process.stderr.fileno(), heard), daemon=True).start()
        process.stdin.write(command.typed)
        process.stdin.flush()
    time.sleep(delay)
    done = process.poll() is not None
    began, before_that = time.monotonic(), len(heard)
    if not done:
        os.killpg(process.pid, signal.SIGINT) if group else process.send_signal(signal.SIGINT)
    code: int | None
    try:
        code = process.wait(HANGS)
    except subprocess.TimeoutExpired:
        code = None
    outcome = Outcome(delay, code, None if done else time.monotonic() - began, "")
    outcome.left += _left(process.pid)
    if code is None:
        process.kill()
        process.wait()
    if command.terminal:
        if not done and termios.tcgetattr(slave) != before:
            outcome.left.append("the terminal's settings")
        time.sleep(0.1)
        shown = b"".join(heard)
        if shown.count(b"\x1b[?1049h") > shown.count(b"\x1b[?1049l"):
            outcome.left.append("the terminal's other screen")
        os.close(slave)
        os.close(master)
    else:
        assert process.stdin is not None and process.stderr is not None
        process.stdin.close()
        time.sleep(0.05)
        process.stderr.close()
    outcome.err = b"".join(heard[before_that:]).decode(errors="replace")
    return outcome


def _by_itself() -> None:
    """Start a new session, in which Ctrl-C works as in a terminal."""
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _take_over() -> None:
    import fcntl
    import termios

    _by_itself()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _read(source: int, heard: list[bytes]) -> None:
    try:
        while data := os.read(source, 1 << 16):
            heard.append(data)
    except OSError:  # closed meanwhile
        return


def _left(session: int) -> list[str]:
    """Processes of a session that do not end; they are killed."""
    deadline = time.monotonic() + LEFT_AFTER
    while found := _others(session):
        if time.monotonic() > deadline:
            names = [" ".join(each.cmdline())[-60:] for each in found]
            for each in found:
                each.kill()
            return [f"process {name}" for name in names]
        time.sleep(0.02)
    return []


def _others(session: int) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if process.pid != session and os.getsid(process.pid) == session and process.status() != "zombie":
                found.append(process)
        except (ProcessLookupError, PermissionError, psutil.Error):
            continue
    return found


def main() -> int:
    """Interrupt commands and print a table; return 1 if something was wrong."""
    parser = argparse.ArgumentParser(description="Interrupt commands at random moments and print the outcomes.")
    parser.add_argument("command", nargs="*", help=f"which ones: {', '.join(COMMANDS)} (default: all but the last two)")
    parser.add_argument("--tries", type=int, default=10, help="tries for each command (default 10)")
    parser.add_argument(
        "--fresh", action="store_true", help="start each try with an empty cache, so that everything compiles"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--latest", type=float, default=LATEST, help=f"the longest delay in seconds (default {LATEST})")
    chosen = parser.parse_args()
    stream, wrong = random.Random(chosen.seed), 0
    cache = None if chosen.fresh else Path(os.environ.get("ROOKERY_CACHE") or Path.home() / ".cache" / "rookery")
    print(f"{'command':22} {'tries':>5} {'slowest':>8} {'median':>7}  {'exit codes':22} {'most lines':>10}  faults")
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen.command or USUAL:
            command, outcomes = COMMANDS[name], []
            server = _postgres(Path(folder) / "postgres") if "POSTGRES" in command.words else None
            if "POSTGRES" in command.words and server is None:
                print(f"{name:22} skipped: there is no PostgreSQL")
                continue
            for k in range(chosen.tries):
                delay = stream.uniform(EARLIEST, min(chosen.latest, command.latest))
                url = server.database() if server is not None else ""
                outcomes.append(interrupt(command, delay, group=k % 2 == 0, cache=cache, postgres=url))
            if server is not None:
                server.stop()
            wrong += _report(name, command, outcomes)
    return 1 if wrong else 0


def _postgres(folder: Path) -> Postgres | None:
    """A server of PostgreSQL, if there is one."""
    from tests.web import postgres

    return postgres.Postgres(folder) if postgres.NAMED or postgres.programs() is not None else None


def _report(name: str, command: Command, outcomes: list[Outcome]) -> int:
    own = [each for each in outcomes if not each.before_ours]
    seconds = sorted(each.seconds for each in own if each.seconds is not None)
    faults = [(each, fault) for each in own for fault in each.faults(command)]
    codes = ", ".join(f"{code} ×{many}" for code, many in sorted(Counter(str(each.code) for each in own).items()))
    slowest, middle = (f"{seconds[-1]:.2f} s", f"{seconds[len(seconds) // 2]:.2f} s") if seconds else ("", "")
    lines = "" if command.terminal else str(max((each.err.count("\n") for each in own), default=0))
    early = len(outcomes) - len(own)
    said = "; ".join(f"{many} × {fault}" for fault, many in Counter(fault for _, fault in faults).items()) or "none"
    started = f" ({early} before Rookery started)" if early else ""
    print(f"{name:22} {len(outcomes):5} {slowest:>8} {middle:>7}  {codes:22} {lines:>10}  {said}{started}", flush=True)
    for each, fault in faults[:3]:
        print(f"    after {each.delay:.2f} s: {fault}\n      " + each.err[-1500:].strip().replace("\n", "\n      "))
    return len(faults)


if __name__ == "__main__":
    sys.exit(main())
