"""The terminal app as a user runs it: a real process on a real pseudo-terminal."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.terminal.pty import Terminal

from rookery.terminal.files import read_record
from rookery.terminal.save_store import SaveStore

PLAY = [sys.executable, "-m", "rookery", "play"]
UP, DOWN, RIGHT, LEFT, ESCAPE, CTRL_C = b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D", b"\x1b", b"\x03"
MANY: dict[str, Any] = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


def open_terminal(folder: Path, *arguments: str, columns: int = 80, lines: int = 24, **environment: str) -> Terminal:
    names = {**MANY, "ROOKERY_DATA": str(folder), **environment}
    return Terminal([*PLAY, *arguments], columns, lines, **names)


def test_start_a_game_from_the_menu_leave_it_and_quit(tmp_path: Path) -> None:
    with open_terminal(tmp_path) as terminal:
        terminal.until_shown("Gotham Loops")
        terminal.type(b"n")
        terminal.until_shown("New game: Gotham Loops")
        terminal.type(ESCAPE)
        terminal.until_gone("New game: Gotham Loops")
        terminal.type(b"4")
        terminal.until_shown("Your turn")
        terminal.type(DOWN)
        terminal.until_shown("1. step to d6")
        terminal.type(ESCAPE)
        terminal.until_shown("Resume GateRun")
        terminal.type(b"q")
        code, rest = terminal.end()
    assert code == 0
    assert b"Traceback" not in rest
    (saved,) = SaveStore(tmp_path / "terminal").open_games()
    assert saved.plies >= 1


def test_a_whole_game_by_keys_on_a_real_terminal(tmp_path: Path) -> None:
    with open_terminal(
        tmp_path, "gaterun", "--size", "3", "--walls", "0", "--bot", "random", "--seed", "3"
    ) as terminal:
        terminal.until_shown("Your turn")
        terminal.type(LEFT)
        terminal.until_shown("Moves: 2")
        terminal.type(DOWN)
        terminal.until_shown("Moves: 4")
        terminal.type(DOWN)
        terminal.until_shown("reached")
        terminal.type(CTRL_C)
        code, rest = terminal.end()
    assert code == 0, rest
    (saved,) = SaveStore(tmp_path / "terminal").finished_games()
    assert saved.winners == (1,)
    done = subprocess.run(
        [sys.executable, "-m", "rookery", "replay", str(saved.path)], capture_output=True, text=True, check=True
    )
    assert "Player 1 has reached the other side and wins." in done.stdout


def test_a_click_on_a_real_terminal(tmp_path: Path) -> None:
    with open_terminal(tmp_path, "gamma", "--width", "3", "--height", "3", "--seed", "1") as terminal:
        terminal.until_shown("Player 1 to move")
        terminal.settle(0.3)
        rows = terminal.shown.split("\n")
        y = next(number for number, row in enumerate(rows) if row.split()[:1] == ["3"])
        terminal.click(rows[y].index("·"), y)
        terminal.until_shown("1. take a3")
        terminal.type(CTRL_C)
        assert terminal.end()[0] == 0


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGHUP, CTRL_C, "closed"])
def test_however_it_ends_the_game_is_saved_and_the_terminal_restored(how: object, tmp_path: Path) -> None:
    with open_terminal(tmp_path, "gaterun", "--seed", "1") as terminal:
        terminal.until_shown("Player 1 to move")
        terminal.type(DOWN)
        terminal.until_shown("Player 2 to move")
        if how == "closed":
            terminal.close()
            assert terminal.process.wait(timeout=30) == -signal.SIGHUP
        else:
            if isinstance(how, bytes):
                terminal.type(how)
            else:
                assert isinstance(how, signal.Signals)
                terminal.process.send_signal(how)
            code, rest = terminal.end()
            assert code == (-how if isinstance(how, signal.Signals) else 0)
            assert b"\x1b[?1049l" in rest and b"\x1b[?25h" in rest
            assert b"Traceback" not in rest
    (saved,) = SaveStore(tmp_path / "terminal").open_games()
    assert read_record(str(saved.path)).replay().position().startswith("1,3/6,3")


def test_a_long_search_does_not_delay_the_end(tmp_path: Path) -> None:
    with open_terminal(tmp_path, "gaterun", "--bot", "alphabeta:ms=60000", "--seed", "1") as terminal:
        terminal.until_shown("Your turn")
        terminal.type(DOWN)
        terminal.until_shown("1s")
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.end()[0] == -signal.SIGTERM


COLOUR = re.compile(rb"\x1b\[[\d;]*m")


EACH_GAME = ((b"1", "Round: 1"), (b"2", "Your turn"), (b"3", "Slide up"), (b"4", "Your turn"))


def looks(folder: Path, games: tuple[tuple[bytes, str], ...] = EACH_GAME, **environment: Any) -> list[str]:
    """All style sequences of the menu and of one game of each kind."""
    with open_terminal(folder, "--seed", "1", **environment) as terminal:
        terminal.until_shown("Scores and finished games")
        for key, sign in games:
            terminal.type(key)
            terminal.until_shown(sign)
            terminal.type(ESCAPE)
            terminal.until_gone(sign)
        return [sequence[2:-1].decode() for sequence in COLOUR.findall(terminal.seen)]


def test_millions_of_colours_where_the_terminal_has_them(tmp_path: Path) -> None:
    assert any("38;2;" in look for look in looks(tmp_path, games=()))


def test_256_colours_where_the_terminal_has_no_more(tmp_path: Path) -> None:
    many = looks(tmp_path, COLORTERM="")
    assert any("38;5;" in look for look in many) and not any("38;2;" in look for look in many)


def test_sixteen_colours_where_the_terminal_has_no_more(tmp_path: Path) -> None:
    few = looks(tmp_path, TERM="xterm", COLORTERM="")
    assert not any("38;5;" in look or "38;2;" in look for look in few)
    assert any(re.search(r"\b(3[1-7]|9[1-7])\b", look) for look in few)


def test_without_colours_nothing_is_coloured_and_everything_is_there(tmp_path: Path) -> None:
    for look in looks(tmp_path, NO_COLOR="1"):
        numbers = set(map(int, filter(None, look.split(";"))))
        assert numbers <= {0, 1, 2, 3, 4, 7, 39, 49}, look


def test_a_window_that_shrinks_says_so_and_recovers(tmp_path: Path) -> None:
    with open_terminal(tmp_path, "gaterun", "--seed", "1") as terminal:
        terminal.until_shown("Player 1 to move")
        terminal.resize(40, 10)
        terminal.until_shown("please")
        terminal.resize(100, 30)
        terminal.until_shown("Player 1 to move")
        terminal.type(DOWN)
        terminal.until_shown("Player 2 to move")


def test_a_record_is_replayed_on_the_screen(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rookery", "replay", "docs/example.jsonl", "--watch"]
    with Terminal(command, **MANY, ROOKERY_DATA=str(tmp_path)) as terminal:
        terminal.until_shown("0/5")
        terminal.type(RIGHT)
        terminal.until_shown("1/5")
        terminal.type(b"q")
        terminal.until_shown("Scores and finished games")
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("rookery: --watch needs a terminal")


@pytest.mark.parametrize("flag", ["--json", "--every"])
def test_watch_excludes_printing_flags(flag: str) -> None:
    command = [sys.executable, "-m", "rookery", "replay", "docs/example.jsonl", "--watch", flag]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr == f"rookery: --watch uses the full screen; leave out {flag}.\n"


@pytest.mark.parametrize("folder", ["/proc/nope", "/proc"])
def test_a_folder_that_cannot_be_written_is_reported_once(folder: str) -> None:
    with open_terminal(
        Path(folder), "gaterun", "--size", "3", "--walls", "0", "--bot", "random", "--seed", "3"
    ) as terminal:
        terminal.until_shown("Games are not saved")
        for key, sign in ((LEFT, "Moves: 2"), (DOWN, "Moves: 4"), (DOWN, "reached")):
            terminal.type(key)
            terminal.until_shown(sign)
            assert "Games are not saved" not in terminal.shown
        terminal.type(ESCAPE)
        terminal.until_shown("Games are not saved")
        terminal.type(b"q")
        assert terminal.end()[0] == 0


def test_on_a_dumb_terminal_the_menu_is_typed_and_can_be_left(tmp_path: Path) -> None:
    with open_terminal(tmp_path, TERM="dumb") as terminal:
        terminal.until(b"Which game? [1] ")
        terminal.type(b"4\n")
        terminal.until(b"Bot level")
        terminal.type(b"Quit\n")
        code, rest = terminal.end()
    assert code == 0
    assert b"No game was chosen." in rest


def test_the_lines_flag_works_on_a_terminal(tmp_path: Path) -> None:
    with open_terminal(tmp_path, "gaterun", "--lines", "--seed", "1") as terminal:
        terminal.until(b"Player 1 to move")
        terminal.type(b"quit\n")
        assert terminal.end()[0] == 0


def test_a_game_in_a_file_is_drawn_without_code_of_its_own(tmp_path: Path) -> None:
    with open_terminal(tmp_path, "examples/thin_ice.py", "--seed", "1", "--bot", "random") as terminal:
        terminal.until_shown("Your turn.")
        terminal.type(DOWN)
        terminal.until_shown("~")


def test_a_saved_game_is_an_ordinary_record(tmp_path: Path) -> None:
    with open_terminal(tmp_path, "sixseven", "--seed", "1") as terminal:
        terminal.until_shown("Slide up")
        terminal.type(LEFT + UP)
        terminal.until_shown("2. slide up")
        terminal.type(CTRL_C)
        terminal.end()
    (saved,) = SaveStore(tmp_path / "terminal").open_games()
    content = json.loads(saved.path.read_text())
    assert content["game"] == "sixseven"
    assert content["tags"]["seed"] == "1"
