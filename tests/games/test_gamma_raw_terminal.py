"""Gamma by keys: scripts from a pipe, and a real terminal, which is put back as it was whatever happens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("termios", reason="keys are read from terminals of POSIX systems")
from tests.terminal.pty import Terminal

from rookery.games.gamma.protocol import raw_terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

GAMMA = [sys.executable, "-m", "rookery", "gamma"]
UP, DOWN, RIGHT, LEFT, END = b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D", b"\x04"


# ---- from a pipe ----


def script(keys: bytes) -> tuple[str, list[str]]:
    """The board and the summary after a script of keys, the `I` line among them."""
    done = subprocess.run(GAMMA, input=keys, capture_output=True, text=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    lines = done.stdout.decode().splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("Player 1: "))
    return "/".join(lines[:first]), lines[first:]


@pytest.mark.parametrize(
    ("keys", "board"),
    [
        (b"I 3 2 2 2\n", ".../..."),
        (b"I 3 2 2 2\n ", "1../..."),
        (b"I 3 2 2 2\n" + UP + LEFT + b" " + RIGHT + b" ", "12./..."),
        (b"I 3 2 2 2\n" + DOWN * 5 + RIGHT * 9 + b" ", ".../..1"),
        (b"I 3 2 2 2\n  ", "1../..."),
        (b"I 3 2 2 2\n g", "2../..."),
        (b"I 3 2 2 2\n GG", "1../..."),
        (b"I 3 2 2 2\n g" + RIGHT + b" ", "21./..."),
        (b"I 3 2 2 2\nc ", "2../..."),
        (b"I 3 2 2 2\ncCcCc ", "2../..."),
        (b"I 3 2 2 2\n " + END + RIGHT + b" ", "1../..."),
        (b"I 3 2 2 2\n\x1b ", "1../..."),
        (b"I 3 2 2 2\n\x1b\x1b[C ", ".1./..."),
        (b"I 3 2 2 2\n\x1b[\x04 ", "1../..."),
        (b"I 3 2 2 2\n\x1b\x04 ", ".../..."),
        (b"I 3 2 2 2\n\x1b[ " + RIGHT + b" ", ".1./..."),
        (b"I 3 2 2 2\nhello\x00\xff\r\n\t ", "1../..."),
        (b"I 2 1 2 1\n " + RIGHT + b" gg", "12"),
        (b"I 2 1 12 1\n " + RIGHT + b" ", " 1  2"),
    ],
)
def test_keys_from_a_pipe(keys: bytes, board: str) -> None:
    assert script(keys)[0] == board


def test_a_game_that_is_stopped_has_no_winner() -> None:
    assert script(b"I 3 1 2 1\n ")[1] == [
        "Player 1: 1 cell, golden move left",
        "Player 2: 0 cells, golden move left",
        "Stopped: player 1 is ahead.",
    ]
    assert script(b"I 3 1 3 1\n" + END)[1][-1] == "Stopped: players 1, 2 and 3 are level."


def test_the_summary_names_the_winner_or_the_draw_and_who_has_a_golden_move() -> None:
    # Player 1 takes the left cell, player 2 takes it by the golden move, player 1 takes it back: nobody can act.
    assert script(b"I 1 1 2 1\n gg")[1] == [
        "Player 1: 1 cell, golden move made",
        "Player 2: 0 cells, golden move made",
        "Player 1 wins.",
    ]
    assert script(b"I 2 1 2 1\n " + RIGHT + b" " + b"g" + LEFT + b"g")[1][-1] == "A draw between players 1 and 2."


def test_the_game_ends_by_itself_when_nobody_can_act() -> None:
    keys = b"I 2 1 1 1\n " + RIGHT + b" "
    with subprocess.Popen(GAMMA, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        process.stdin.write(keys)
        process.stdin.flush()
        assert process.stdout.read() == b"11\nPlayer 1: 2 cells, golden move left\nPlayer 1 wins.\n"


def test_interactive_mode_may_come_after_errors_but_not_after_a_board() -> None:
    done = subprocess.run(GAMMA, input=b"x\nI 0 1 1 1\n\nI 2 1 2 1\n ", capture_output=True)
    assert done.stderr == b"ERROR 1\nERROR 2\n"
    assert done.stdout.startswith(b"1.\n")
    done = subprocess.run(GAMMA, input=b"B 1 1 1 1\nI 2 1 2 1\n ", capture_output=True)
    assert done.stdout == b"OK 1\n"
    assert done.stderr == b"ERROR 2\nERROR 3\n"


# ---- on a terminal ----


@contextmanager
def playing(columns: int = 80, lines: int = 24, **environment: str) -> Iterator[Terminal]:
    """A game on a terminal, its first picture drawn."""
    with Terminal(GAMMA, columns, lines, **environment) as terminal:
        terminal.type(b"I 5 4 2 3\n")
        terminal.until(raw_terminal.ENTER.encode())
        terminal.until(b"^D end")
        yield terminal


def test_a_game_on_a_terminal() -> None:
    with playing() as terminal:
        terminal.type(b" ")
        picture = terminal.until(b"^D end")
        assert b"Player 2" in picture
        assert b"cells 0   areas 0 of 3   to take 19   golden move left" in picture
        assert b"[1!]" in picture, "player 2 may take it, and the cursor is on it"
        terminal.type(RIGHT + b" " + END)
        code, rest = terminal.end()
        assert code == 0
        after = rest.split(raw_terminal.LEAVE.encode())[1].decode().replace("\r\n", "\n")
        assert after == (
            "12...\n.....\n.....\n.....\nPlayer 1: 1 cell, golden move left\nPlayer 2: 1 cell, golden move left\n"
            "Stopped: players 1 and 2 are level.\n"
        )


def test_the_game_ends_on_a_terminal_when_nobody_can_act() -> None:
    with Terminal(GAMMA) as terminal:
        terminal.type(b"I 1 1 1 1\n")
        terminal.until(b"^D end")
        terminal.type(b" ")
        code, rest = terminal.end()
        assert code == 0
        assert b"Player 1 wins." in rest


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGINT])
def test_a_signal_leaves_the_terminal_as_it_was(number: signal.Signals) -> None:
    with playing() as terminal:
        assert terminal.settings() != terminal.before
        terminal.process.send_signal(number)
        code, rest = terminal.end()
        assert code == (130 if number == signal.SIGINT else -number)
        assert raw_terminal.LEAVE.encode() in rest
        assert b"Traceback" not in rest


def test_a_crash_leaves_the_terminal_as_it_was() -> None:
    code = "from rookery.games.gamma.protocol import raw_terminal\nwith raw_terminal.raw(0):\n    1 / 0"
    with Terminal([sys.executable, "-c", code]) as terminal:
        status, rest = terminal.end()
        assert status == 1
        assert rest.index(raw_terminal.LEAVE.encode()) < rest.index(b"ZeroDivisionError")


def test_a_closed_terminal_ends_the_game() -> None:
    with playing() as terminal:
        terminal.close()
        assert terminal.process.wait(timeout=20) != 0


@pytest.mark.parametrize(("columns", "lines", "high"), [(80, 5, 6), (19, 24, 8), (10, 3, 8)])
def test_a_window_too_small_is_refused_and_left_untouched(columns: int, lines: int, high: int) -> None:
    with Terminal(GAMMA, columns, lines) as terminal:
        terminal.type(b"I 5 4 2 3\n")
        code, rest = terminal.end()
        assert code == 1
        assert b"\x1b" not in rest
        assert (
            f"The board needs a window of 20 columns and {high} lines; this one has {columns} and {lines}.".encode()
            in rest
        )


@pytest.mark.parametrize(("columns", "lines"), [(20, 8), (80, 6), (40, 12)])
def test_a_window_just_large_enough_shows_all_that_must_be_seen(columns: int, lines: int) -> None:
    with Terminal(GAMMA, columns, lines) as terminal:
        terminal.type(b"I 5 4 2 3\n")
        terminal.until(raw_terminal.ENTER.encode())
        picture = terminal.until(b"\x1b[J").replace(b"\r\r\n\x1b[K", b" ")
        for words in (b"Player 1", b"to move", b"cells 0", b"to take 20", b"golden move left"):
            assert words in picture.replace(b"  ", b" ")
        terminal.type(END)
        assert terminal.end()[0] == 0


def test_a_window_that_shrinks_says_so_and_recovers() -> None:
    with playing() as terminal:
        terminal.resize(18, 7)
        terminal.until(b"The board needs a")
        terminal.type(b" ")
        terminal.until(b"The board needs a")
        terminal.resize(80, 24)
        assert b"Player 1" in terminal.until(b"^D end"), "what cannot be seen is not played"
        terminal.resize(18, 7)
        terminal.until(b"The board needs a")
        terminal.type(END)
        code, rest = terminal.end()
        assert code == 0
        assert b"Player 1: 0 cells" in rest


def test_stopping_and_going_on() -> None:
    with playing() as terminal:
        terminal.process.send_signal(signal.SIGTSTP)
        terminal.until(raw_terminal.LEAVE.encode())
        assert os.waitid(os.P_PID, terminal.process.pid, os.WSTOPPED | os.WNOWAIT) is not None
        assert terminal.settings() == terminal.before
        terminal.process.send_signal(signal.SIGCONT)
        terminal.until(raw_terminal.ENTER.encode())
        terminal.until(b"^D end")
        terminal.type(END)
        assert terminal.end()[0] == 0


def test_no_color_keeps_the_signs_and_drops_the_colours() -> None:
    with Terminal(GAMMA, NO_COLOR="1") as terminal:
        terminal.type(b"I 5 4 2 1\n")
        terminal.until(b"^D end")
        terminal.type(b" ")
        terminal.until(b"^D end")
        terminal.type(RIGHT + b" ")
        picture = terminal.until(b"^D end")
        assert b"\x1b[4m1" in picture, "mine is underlined"
        assert b"2!" in picture
        assert b"-" in picture
        for colour in (b"33m", b"36m", b"43m", b"42m", b"33;"):
            assert colour not in picture
        terminal.type(END)
        assert terminal.end()[0] == 0
