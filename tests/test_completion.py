"""Shell completion: the candidates, and what bash, zsh and fish make of them; shells not installed are skipped."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from pathlib import Path
from select import select

import pytest

from rookery.cli import commands, flags
from rookery.cli.completion import FILES, FREE, SCRIPTS, candidates, split
from rookery.core.options import options_of
from rookery.games import BUILT_IN, find
from tests.programs import program


def offered(*words: str) -> list[str]:
    return [word for word, _ in candidates(list(words))]


def test_commands_come_first() -> None:
    assert offered("") == [*commands(), "help", "--help", "--version"]
    assert offered("s") == ["serve", "simulate", "solve"]
    assert offered("help", "du") == ["duel"]
    assert offered("help", "duel", "") == []
    assert offered("dance", "") == []


def test_a_game_follows_the_commands_that_take_one() -> None:
    for command in ("play", "simulate", "duel", "solve", "train", "games", "bench"):
        assert set(BUILT_IN) < set(offered(command, ""))
    assert "gotham" not in offered("serve", "")
    assert offered("play", "ga") == ["gamma", "gaterun", "\tfiles .py"]


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_options_of_the_game_are_offered(name: str) -> None:
    for command in ("play", "simulate", "duel", "solve", "train"):
        flags_offered = offered(command, name, "--")
        for option in options_of(find(name)):
            assert option.flag in flags_offered


def test_options_have_values() -> None:
    assert offered("play", "gotham", "--level", "") == ["deuce", "trey", "quad"]
    assert offered("play", "gotham", "--level", "t") == ["trey"]
    assert offered("play", "gaterun", "--size", "") == ["3", "4", "5", "6", "7"]
    assert offered("play", "gaterun", "--size=") == ["--size=3", "--size=4", "--size=5", "--size=6", "--size=7"]
    assert offered("play", "gaterun", "--jump", "--no-r") == ["--no-rotate"]


def test_bots_are_offered_by_level_by_name_and_with_what_they_take() -> None:
    assert offered("play", "gaterun", "--bot", "")[:10] == [str(level) for level in range(1, 11)]
    assert offered("play", "gaterun", "--bot", "m") == ["minimax", "mcts"]
    assert offered("play", "gaterun", "--bot", "3", "m") == ["minimax", "mcts"]
    assert offered("play", "gaterun", "--bot", "3", "--se") == ["--seat", "--seed"]
    assert offered("play", "gaterun", "--bot", "minimax:d") == ["minimax:depth="]
    assert offered("play", "gaterun", "--bot", "minimax:ms=5,d") == ["minimax:ms=5,depth="]
    assert offered("duel", "gaterun", "--bots", "3,mi") == ["3,minimax"]
    assert offered("play", "--bot", "1") == ["1", "10"]


def test_files_are_left_to_the_shell() -> None:
    assert offered("play", "--load", "x") == ["\tfiles"]
    assert offered("replay", "") == ["\tfiles"]
    assert offered("serve", "--game", "") == ["\tfiles .py"]
    assert offered("simulate", "gotham", "--plot", "") == ["\tfiles"]


def test_a_flag_is_offered_once_unless_it_may_come_again() -> None:
    assert "--seed" not in offered("play", "gotham", "--seed", "1", "--")
    assert "--sweep" in offered("simulate", "gotham", "--sweep", "coins=1,2", "--")
    assert offered("simulate", "gotham", "--sweep", "co") == ["coins="]
    assert offered("play", "gotham", "--seed", "") == []


def test_hidden_flags_stay_hidden() -> None:
    assert offered("warm", "--") == ["--help"]


def test_a_python_file_is_not_run_by_pressing_tab(tmp_path: Path) -> None:
    file = tmp_path / "game.py"
    file.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    assert "--seed" in offered("play", str(file), "--")
    assert not (tmp_path / "ran").exists()


def test_every_value_of_every_flag_is_known() -> None:
    """If a new metavar fails here, complete it or add it to FREE."""
    known = set(FILES) | FREE | {"GAME", "LEVEL", "A,B[,C…]", "OPTION=A,B,…", "BACKEND", "FORM", "SHELL"}
    for name, command in commands().items():
        for action in flags.parser_of(command, [])._actions:
            if action.nargs != 0:
                assert action.metavar in known, (name, action.option_strings)


def test_words_of_a_line() -> None:
    assert split("rookery play ") == ["rookery", "play", ""]
    assert split("rookery play --load 'my fi") == ["rookery", "play", "--load", "my fi"]
    assert split('rookery "a b') == ["rookery", "a b"]


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """The environment of a shell in which `rookery` is ours, in a folder with two files."""
    command = tmp_path / "bin" / "rookery"
    command.parent.mkdir()
    source = Path(find.__code__.co_filename).parents[2]
    command.write_text(f'#!/bin/sh\nPYTHONPATH={source} exec {sys.executable} -m rookery "$@"\n')
    command.chmod(0o755)
    here = tmp_path / "here"
    here.mkdir()
    (here / "ice.py").touch()
    (here / "ice.txt").touch()
    for name, script in SCRIPTS.items():
        (tmp_path / f"completion.{name}").write_text(script)
    (tmp_path / "config").mkdir()
    path = f"{command.parent}{os.pathsep}{os.environ['PATH']}"
    return {
        "PATH": path,
        "HOME": str(here),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "TERM": "dumb",
        "LANG": "C.UTF-8",
    }


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("rookery sim", ["simulate"]),
        ("rookery play gate", ["gaterun"]),
        ("rookery play gaterun --wa", ["--walls", "--walls2"]),
        ("rookery play gotham --level ", ["deuce", "trey", "quad"]),
        ("rookery play gotham --level=", ["deuce", "trey", "quad"]),
        ("rookery play gaterun --bot minimax:d", ["depth="]),
        ("rookery play --load ic", ["ice.py", "ice.txt"]),
        ("rookery serve --game ic", ["ice.py"]),
        ("rookery play ice", ["ice.py"]),
        ("rookery dance ", []),
    ],
)
def test_bash_completes(shell: dict[str, str], tmp_path: Path, typed: str, found: list[str]) -> None:
    """Call the function as bash does, with the word as bash splits it."""
    script = """
        source "$1"; COMP_LINE=$2; COMP_POINT=${#2}; COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
        word=${2##*[ =:]}
        _rookery rookery "$word" x
        for each in "${COMPREPLY[@]}"; do echo "$each"; done
    """
    command = [program("bash"), "--norc", "-c", script, "bash", str(tmp_path / "completion.bash"), typed]
    done = subprocess.run(command, cwd=tmp_path / "here", env=shell, capture_output=True, text=True, check=True)
    assert sorted(done.stdout.split()) == sorted(found)
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("rookery sim", ["simulate"]),
        ("rookery play gaterun --wa", ["--walls", "--walls2"]),
        ("rookery play gotham --level ", ["deuce", "trey", "quad"]),
        ("rookery play gaterun --bot minimax:d", ["minimax:depth="]),
        ("rookery play --load ic", ["ice.py", "ice.txt"]),
        ("rookery dance ", []),
    ],
)
def test_fish_completes(shell: dict[str, str], tmp_path: Path, typed: str, found: list[str]) -> None:
    command = [program("fish"), "--no-config", "-c", 'source $argv[1]; complete -C "$argv[2]"']
    command += [str(tmp_path / "completion.fish"), typed]
    done = subprocess.run(command, cwd=tmp_path / "here", env=shell, capture_output=True, text=True, check=True)
    assert sorted(line.partition("\t")[0] for line in done.stdout.splitlines()) == sorted(found)


@pytest.mark.parametrize(
    ("name", "options", "prompt"),
    [
        ("bash", ["--norc", "--noprofile", "-i"], "PS1='ready> '"),
        ("zsh", ["-f", "-i"], "PS1='ready> '; autoload -Uz compinit; compinit -D -u"),
    ],
)
@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("rookery simu\t", "rookery simulate "),
        ("rookery play gate\t--wa\t2 \t", "rookery play gaterun --walls2 "),
        ("rookery play gotham --level tr\t", "rookery play gotham --level trey "),
        ("rookery play gaterun --bot minimax:de\t3", "rookery play gaterun --bot minimax:depth=3"),
        ("VAR=1 rookery tra\t", "VAR=1 rookery train "),
        ("true && rookery solve go\t", "true && rookery solve gotham "),
    ],
)
def test_tab_in_a_terminal_completes_the_word(
    shell: dict[str, str], tmp_path: Path, name: str, options: list[str], prompt: str, typed: str, shown: str
) -> None:
    """A real interactive shell, driven by keys. At the end the line is quoted and printed, so that all of it shows."""
    keeper, own = pty.openpty()
    process = subprocess.Popen(
        [program(name), *options],
        stdin=own,
        stdout=own,
        stderr=own,
        env=shell,
        cwd=tmp_path / "here",
        start_new_session=True,
    )
    os.close(own)
    try:
        _type(keeper, f"{prompt}; source {tmp_path / f'completion.{name}'}; echo sour''ced\n", "sourced\r\n")
        _type(keeper, f"{typed}{HOME}printf 'LINE <%s>\\n' \"{END}\"\n", f"LINE <{shown.rstrip()}")
    finally:
        process.kill()
        process.wait()
        os.close(keeper)


HOME, END = "\x01", "\x05"


def _type(keeper: int, text: str, awaited: str) -> None:
    """Type into a terminal and read until a text appears."""
    os.write(keeper, text.encode())
    seen, patience = "", time.monotonic() + 30
    while awaited not in seen:
        ready, _, _ = select([keeper], [], [], max(0, patience - time.monotonic()))
        assert ready, f"waited for {awaited!r} and saw {seen!r}"
        seen += os.read(keeper, 65536).decode(errors="replace")
