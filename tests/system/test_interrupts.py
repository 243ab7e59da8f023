"""Ctrl-C: a command ends soon, whatever it is doing, without a traceback and without half-written files."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from benchmarks.interrupt import COMMANDS, interrupt
from tests.tiers import mostly_slow, posix

from rookery.cli import commands
from rookery.engine.code_cache import cache_home
from rookery.system import interrupts

pytestmark = posix
SOON = 10.0
"""Seconds in which a command must end on a busy machine; alone it takes one or two."""
BEFORE = "import signal, sys, time\nfrom rookery.system import interrupts\ninterrupts.listen()\n"


def run(program: str, *, at: str = "", ignoring: bool = False) -> tuple[int, str, str, float]:
    """Run a program that calls `listen`, and press Ctrl-C once it has written a word; return its exit code, its output,
    and the seconds it took to end.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", BEFORE + program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_ignore if ignoring else None,
    )
    assert process.stdout is not None
    if at:
        assert process.stdout.readline() == f"{at}\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
    began = time.monotonic()
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err, time.monotonic() - began


def _ignore() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def test_a_main_thread_that_stays_in_compiled_code_is_not_waited_for() -> None:
    program = """
import numba
@numba.njit("i8(i8)", nogil=True)
def loop(k):
    while k != -1:
        k = (k * 31 + 7) & 1023
    return k
print("busy", flush=True)
loop(1)
"""
    code, _, err, seconds = run(program, at="busy")
    assert (code, err) == (130, "\n")
    assert seconds < SOON


def test_a_thread_that_still_computes_is_not_waited_for() -> None:
    program = """
import threading
threading.Thread(target=time.sleep, args=(1000,)).start()
print("busy", flush=True)
try:
    time.sleep(1000)
except KeyboardInterrupt:
    print("done so far")
sys.exit(interrupts.leave(130))
"""
    code, out, err, seconds = run(program, at="busy")
    assert (code, out, err) == (130, "done so far\n", "")
    assert seconds < SOON


def test_an_interruption_during_an_import_prints_nothing(tmp_path: Path) -> None:
    (tmp_path / "halfway.py").write_text(
        "import signal\ntry:\n    signal.raise_signal(signal.SIGINT)\nexcept BaseException:\n    print('caught', flush=True)\n"
    )
    code, out, err, _ = run(f"sys.path.insert(0, {str(tmp_path)!r})\nimport halfway\nprint('went on')")
    assert (code, out, err) == (130, "", "\n")


def test_an_interruption_in_a_finaliser_is_not_lost() -> None:
    program = """
class Thing:
    def __del__(self):
        signal.raise_signal(signal.SIGINT)
try:
    thing = Thing()
    del thing
    time.sleep(1000)
except KeyboardInterrupt:
    print("heard")
sys.exit(interrupts.leave(130))
"""
    assert run(program)[:3] == (130, "heard\n", "")


def test_a_command_that_hears_it_and_goes_on_is_ended() -> None:
    program = f"""
interrupts.LATEST = {interrupts.UNHEARD + 0.5}
print("busy", flush=True)
while True:
    try:
        time.sleep(1000)
    except KeyboardInterrupt:
        pass
"""
    code, _, err, seconds = run(program, at="busy")
    assert (code, err) == (130, "\n")
    assert seconds < SOON


def test_a_file_that_is_being_written_is_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    program = f"""
try:
    with interrupts.held():
        with open({str(path)!r}, "w") as file:
            file.write("one ")
            signal.raise_signal(signal.SIGINT)
            file.write("two")
    print("went on")
except KeyboardInterrupt:
    print("heard")
"""
    assert run(program)[:3] == (0, "heard\n", "")
    assert path.read_text() == "one two"


@pytest.mark.parametrize("where", ["_copy", "_keep"])
def test_a_database_is_restored_whole_or_not_at_all(tmp_path: Path, where: str) -> None:
    """Ctrl-C when the backup is copied, and when the old database is out of the way."""
    for name, games in (("arcade.db", 1), ("copy.db", 2)):
        with closing(sqlite3.connect(tmp_path / name)) as connection, connection:
            connection.execute("CREATE TABLE games (id)")
            connection.executemany("INSERT INTO games VALUES (?)", [(number,) for number in range(games)])
    program = f"""
from rookery.cli import database
step = database.{where}
def interrupted(*given):
    found = step(*given)
    signal.raise_signal(signal.SIGINT)
    return found
database.{where} = interrupted
database.restore([{str(tmp_path / "copy.db")!r}, "--db", {str(tmp_path / "arcade.db")!r}])
"""
    assert "KeyboardInterrupt" in run(program)[2]
    with closing(sqlite3.connect(tmp_path / "arcade.db")) as connection:
        (games,) = connection.execute("SELECT COUNT(*) FROM games").fetchone()
    assert games == {"_copy": 1, "_keep": 2}[where]
    assert not list(tmp_path.glob("*.restoring*"))


def test_who_was_told_to_ignore_it_does() -> None:
    """As under nohup, or in the background of a script."""
    program = "print('busy', flush=True)\ntime.sleep(1)\nprint('done')\nsys.exit(interrupts.leave(0))"
    assert run(program, at="busy", ignoring=True)[:3] == (0, "done\n", "")


def test_a_game_without_input_ends_at_once() -> None:
    command = f"exec {sys.executable} -m rookery play gotham --lines <&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_closed_stays_closed() -> None:
    """Nothing else gets the descriptors of standard input and output, where it would be read or written."""
    command = f"exec {sys.executable} -m rookery gamma <&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1


def test_every_command_is_among_those_that_are_interrupted() -> None:
    assert {each.words.split()[0] for each in COMMANDS.values()} == set(commands())


@pytest.mark.parametrize("group", mostly_slow([True, False]), ids=["terminal", "process"])
@pytest.mark.parametrize(
    "name", ["games", "gamma, terminal", "play --lines", "play, terminal", "simulate, threads", "duel", "serve"]
)
def test_commands_end_at_any_moment(name: str, group: bool) -> None:
    """A few of the cases of `python -m benchmarks.interrupt`, at other moments in each run."""
    command = COMMANDS[name]
    delay = random.SystemRandom().uniform(0.2, min(2.0, command.latest))
    outcome = interrupt(command, delay, group=group, cache=cache_home())
    assert outcome.faults(command) == [], (delay, outcome.err)
    assert (outcome.seconds or 0) < SOON, delay


def test_threads_that_still_load_machine_code_do_not_disturb_the_end() -> None:
    program = """
import threading, weakref
sys.setswitchinterval(1e-5)
class Thing: pass
kept = [Thing() for _ in range(20_000)]
for each in kept:
    weakref.finalize(each, int)
def load():
    while True:
        more = Thing()
        weakref.finalize(more, int).detach()
for _ in range(2):
    threading.Thread(target=load, daemon=True).start()
threading.Thread(target=time.sleep, args=(60,)).start()
sys.exit(interrupts.leave(0))
"""
    for _ in range(3):
        assert run(program)[:3] == (0, "", "")
