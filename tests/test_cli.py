"""The command line: a real process, its output, errors and exit codes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import rookery
from rookery.cli import COMMANDS, usage
from rookery.core.options import options_of, schema_of
from rookery.core.record import Record
from rookery.games import BUILT_IN, find
from tests.games.spread import THIN_ICE


def run(*arguments: str, typed: str = "", code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([sys.executable, "-m", "rookery", *arguments], input=typed, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["dance"],
            "There is no command 'dance'; there are serve, play, gamma, games, puzzles, replay, review, simulate, duel, solve, train, bench, warm, doctor, backup, restore, rekey, completion.",
        ),
        (["simulat"], "There is no command 'simulat'; did you mean simulate?"),
        (["completion", "ksh"], "There is no completion for 'ksh'; choose bash, zsh or fish."),
        (["help", "dule"], "There is no command 'dule'; did you mean duel?"),
        (
            ["play", "chess"],
            "There is no game 'chess'; there are gotham, gamma, sixseven, gaterun.",
        ),
        (["play", "nowhere.py"], "There is no file 'nowhere.py' with a game in it."),
        (["play", "gaterun", "--size", "9"], "size takes a whole number from 3 to 7, not '9'."),
        (["play", "gaterun", "--size", "-3"], "size takes a whole number from 3 to 7, not '-3'."),
        (["play", "gaterun", "--size"], "Argument --size: expected one argument. Try 'rookery play gaterun --help'."),
        (
            ["play", "gaterun", "--colour", "red"],
            "Unrecognized arguments: --colour red. Try 'rookery play gaterun --help'.",
        ),
        (["play", "sixseven", "--operators", "-/"], "operators takes one or more of + - *, not '-/'."),
        (["play", "sixseven", "--rate", "often"], "rate takes a number from 0 to 1, not 'often'."),
        (
            ["play", "gaterun", "--bot", "deep"],
            "GateRun has no bot 'deep'; it has random, runner, greedy, minimax, mcts, alphabeta, perfect, and the levels 1 to 10.",
        ),
        (["play", "gaterun", "--bot", "1", "2", "3"], "bot takes at most 2 opponents in this game, not 3."),
        (["play", "gaterun", "--bot", "1", "--seat", "3"], "seat takes a whole number from 1 to 2, not '3'."),
        (["play", "gaterun", "--seed", "x"], "seed takes a whole number from 0 to 9223372036854775807, not 'x'."),
        (["play", "gaterun", "--seed", "-1"], "seed takes a whole number from 0 to 9223372036854775807, not '-1'."),
        (
            ["play", "gaterun", "--position", "x"],
            "This is not a position of GateRun; one looks like: 0,3/6,3 - P1 8/8 -/- 0",
        ),
        (
            ["play", "gaterun", "--size", "5", "--load", "docs/example.jsonl"],
            "--load names a whole game: leave out the game's options and --position.",
        ),
        (
            ["play", "gamma", "--load", "docs/example.jsonl"],
            "'docs/example.jsonl' holds a game of GateRun, not of Gamma.",
        ),
        (["play", "--load", "nowhere"], "'nowhere' cannot be read: No such file or directory."),
        (["replay"], "The following arguments are required: FILE. Try 'rookery replay --help'."),
        (["replay", "nowhere"], "'nowhere' cannot be read: No such file or directory."),
        (["replay", "."], "'.' cannot be read: Is a directory."),
        (
            ["games", "chess"],
            "There is no game 'chess'; there are gotham, gamma, sixseven, gaterun.",
        ),
    ],
)
def test_bad_input_gets_one_sentence_and_code_2(arguments: list[str], message: str) -> None:
    done = run(*arguments, code=2)
    assert done.stderr == f"rookery: {message}\n"
    assert done.stdout == ""


def test_help_and_version() -> None:
    assert run().stdout == run("--help").stdout
    assert "rookery play" in run("--help").stdout
    assert run("--version").stdout == run("-V").stdout == f"rookery {rookery.__version__}\n"
    assert run("help").stdout == run("help", "--help").stdout == run("--help").stdout
    assert run("help", "serve").stdout == run("serve", "--help").stdout
    assert run("help", "play", "gaterun").stdout == run("play", "gaterun", "--help").stdout
    page = run("play", "gaterun", "--help").stdout
    assert "--walls2" in page
    assert "cells along a side of the board (default 7)" in page


def test_internal_flags_are_not_in_the_help() -> None:
    page = run("warm", "--help").stdout
    assert "--worker" not in page and "SUPPRESS" not in page


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_in_the_help_and_has_help_of_its_own(command: str) -> None:
    assert f"\n  rookery {command}" in usage()
    assert run("help", command).stdout.startswith(f"usage: rookery {command}")


def test_the_database_can_be_named_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOKERY_DB", "nonsense://arcade:secret@nowhere/arcade")  # pragma: allowlist secret
    said = run("serve", "--port", "0", code=2).stderr
    assert "cannot open the database 'nonsense://arcade:***@nowhere/arcade'" in said


def test_games_lists_every_option_with_help() -> None:
    page = run("games").stdout
    for name in BUILT_IN:
        for option in options_of(find(name)):
            assert f"{option.flag} " in page
            assert option.help in page


def test_games_as_json() -> None:
    listing = json.loads(run("games", "--json").stdout)
    assert list(listing) == ["gotham", "gamma", "sixseven", "gaterun"]
    assert listing["gaterun"]["options"] == schema_of(find("gaterun"))
    assert listing["gaterun"]["bots"] == ["random", "runner", "greedy", "minimax", "mcts", "alphabeta", "perfect"]
    assert len(listing["gamma"]["levels"]) == 10


def test_the_menu_leads_into_a_game() -> None:
    done = run("play", "--seed", "5", typed="4\n3\n1,3\nquit\n")
    assert "4  GateRun" in done.stdout
    assert "\nCasual bot: step to d2.\n" in done.stdout
    assert run("play", typed="\n\nquit\n").stdout.count("Gotham Loops") > 1
    assert "No game was chosen" in run("play", typed="").stdout
    puzzled = run("play", "--seed", "1", typed="9\nchess\n2\n99\n5\nquit\n").stdout
    for words in (
        "There is no game '9'",
        "There is no game 'chess'",
        "Levels go from 1 to 10, not 99.",
        "Gamma  10×10",
    ):
        assert words in puzzled


def test_a_seed_makes_a_game_repeatable() -> None:
    typed = "up\nup\nleft\ndown\nright\n" * 3
    first, second, third = (run("play", "gotham", "--seed", seed, typed=typed).stdout for seed in ("1", "1", "2"))
    assert first == second
    assert first != third


def test_every_step_of_a_record_is_listed_with_the_odds_of_chance(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    record = {"rookery": 1, "game": "gotham", "options": {"rules": "app"}, "players": ["ann"]}
    file.write_text(json.dumps(record | {"plies": ["up", "safe", "up", "caught"]}) + "\n")
    lines = run("replay", str(file), "--steps").stdout.splitlines()
    assert [line.split()[:4] for line in lines[1:]] == [
        ["1", "player", "1", "up"], ["2", "chance", "safe", "96.8324%"],
        ["3", "player", "1", "up"], ["4", "chance", "caught", "4.2235%"],
    ]  # fmt: skip
    assert lines[4].endswith("round 1  cell 4,6  points 1  score 0")
    steps = json.loads(run("replay", str(file), "--steps", "--ply", "2", "--json").stdout)["steps"]
    assert [step["ply"] for step in steps] == [1, 2] and steps[1]["probability"] == pytest.approx(0.968323647976)
    assert "leave out --steps" in run("replay", str(file), "--watch", "--steps", code=2).stderr


def test_save_load_and_replay(tmp_path: Path) -> None:
    file = tmp_path / "game.rookery"
    run("play", "gaterun", "--size", "5", "--seed", "1", typed=f"1,2\n3,2\n0,0|0,1\nsave {file}\nquit\n")
    assert [json.loads(line)["plies"] for line in file.read_text().splitlines()] == [["1,2", "3,2", "0,0|0,1"]]
    resumed = run("play", "--load", str(file), typed="position\nquit\n").stdout
    assert "1,2/3,2 0,0|0,1 P2 7/8 -/- 3" in resumed
    page = run("replay", str(file)).stdout
    assert "\n1. step to c4  2. step to c2  3. wall right of a5\n" in page
    assert "\n4   .   .   1   .   .\n" in page, "the board has the letters and numbers of the words"
    assert "After ply 3:" in page
    assert "After ply 1:" in run("replay", str(file), "--ply", "1").stdout
    every = run("replay", str(file), "--every").stdout
    assert every.count("\n\nPly ") == 4 and "\nPly 3: wall right of a5\n" in every
    content = json.loads(run("replay", str(file), "--ply", "2", "--json").stdout)
    assert content["position"].startswith("1,2/3,2 - P1 8/8 -/- 2")
    assert "there is no record 2" in run("replay", str(file), "--record", "2", code=2).stderr
    assert "ply takes a whole number from 0 to 3" in run("replay", str(file), "--ply", "4", code=2).stderr


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.rookery"
    for content, words in (
        (b"", "has 0 records; there is no record 1"),
        (b"\xff\xfe", "is not a record file: byte 1 is not UTF-8"),
        (b'{"rookery": 1, "game": "gaterun", "plies": ["1,3", "5', "breaks off at character 52, in ply 2"),
        (b'{"rookery": 3}', "this Rookery reads up to version 2"),
    ):
        file.write_bytes(content)
        assert words in run("replay", str(file), code=2).stderr


def test_bots_fill_the_seats_in_order() -> None:
    def seats(*arguments: str) -> list[str]:
        done = run("play", "gamma", "--players", "3", *arguments, "--seed", "1", typed="m 0 0\nm 3 3\nquit\n")
        players = re.findall(r"^(.+): cells 0   areas 0", done.stdout, re.MULTILINE)[:3]
        for bot in players:
            assert bot == "You" or f"\n{bot}: take " in done.stdout
        return players

    assert seats("--bot", "random", "greedy") == ["You", "Random bot", "Easy bot"]
    assert seats("--bot", "random", "greedy", "--seat", "2") == ["Random bot", "You", "Easy bot"]
    assert seats("--bot", "random", "greedy", "greedy") == ["Random bot", "Easy bot 2", "Easy bot 3"]


def test_a_game_from_a_file_plays_like_the_others(tmp_path: Path) -> None:
    done = run("play", THIN_ICE, "--bot", "3", "--seed", "2", "--rows", "4", typed="down\nundo\nredo\nmoves\nquit\n")
    assert "Thin Ice" in done.stdout
    assert "\nCasual bot: step up.\n" in done.stdout
    file = tmp_path / "saved"
    saved = run("play", THIN_ICE, typed=f"down\nsave {file}\n").stdout
    assert f"Resume with: rookery play {THIN_ICE} --load {file}" in saved
    assert "Player 2 to move." in run("play", THIN_ICE, "--load", str(file), typed="quit\n").stdout
    assert "There is no game 'thin_ice'" in run("replay", str(file), code=2).stderr
    assert "1. step down" in run("replay", str(file), "--game", THIN_ICE).stdout
    assert "thin_ice: Thin Ice." in run("games", THIN_ICE).stdout
    empty, faulty = tmp_path / "empty.py", tmp_path / "faulty.py"
    empty.write_text("")
    faulty.write_text("1 / 0")
    assert "adds no game" in run("play", str(empty), code=2).stderr
    assert "cannot be run: ZeroDivisionError: division by zero." in run("play", str(faulty), code=2).stderr


def test_a_closed_pipe_is_not_an_error() -> None:
    command = f"{sys.executable} -m rookery games | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    assert done.stderr == ""


def test_output_that_cannot_be_written_is_an_error() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "rookery", "games"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 2
    assert done.stderr == "rookery: Cannot write output: No space left on device.\n"


def test_a_game_in_a_file_named_like_a_module_hides_nothing(tmp_path: Path) -> None:
    file = tmp_path / "json.py"
    file.write_text(Path(THIN_ICE).read_text())
    assert "Saved." in run("play", str(file), typed=f"down\nsave {tmp_path / 'saved'}\n").stdout


def test_odd_bytes_and_encodings_do_no_harm() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rookery", "play", "gaterun"],
        input=b"\xff\xfe\n\x00\n1,3\n" + b"9" * 100_000 + b"\n\xe2\x94\n",
        capture_output=True,
        env={"PYTHONIOENCODING": "ascii", "PATH": ""},
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""


def test_warm_compiles_and_is_silent_in_a_pipe() -> None:
    done = run("warm")
    assert done.stdout == done.stderr == ""


def test_a_resigned_game_is_replayed_with_its_ending_and_can_be_resumed(tmp_path: Path) -> None:
    file = tmp_path / "given-up"
    state = rookery.game("gaterun", size=5).start()
    for text in ("1,2", "3,2"):
        state.play(state.game.action(text))
    file.write_text(Record.of(state, ("ann", "bot 3"), ending={"how": "resigned", "player": 1}).line())
    sentence = "Player 1 resigned: the win goes to player 2.\n"
    assert run("replay", str(file)).stdout.endswith(sentence)
    assert run("replay", str(file), "--every").stdout.endswith(sentence)
    assert sentence not in run("replay", str(file), "--ply", "1").stdout
    whole, part = (json.loads(run("replay", str(file), "--json", *ply).stdout) for ply in ((), ("--ply", "1")))
    assert whole["result"] == {"scores": [0, 0], "winners": [2]}
    assert part["result"] is None
    saved = tmp_path / "saved"
    resumed = run("play", "--load", str(file), "--seed", "1", typed=f"2,2\nsave {saved}\nquit\n").stdout
    assert "\nYour turn, heading for row 1: step or put up a wall.\n" in resumed
    content = json.loads(saved.read_text())
    assert "ending" not in content
    assert content["rookery"] == 1
    assert content["plies"][:3] == ["1,2", "3,2", "2,2"]


def test_a_puzzle_is_printed_in_words_with_the_board_that_they_speak_of() -> None:
    puzzle = find("gaterun").puzzles()[0]
    page = run("puzzles", "gaterun", puzzle.id, "--solution").stdout
    assert "\n    a   b   c   d   e   f   g\n7   ." in page
    solution = " → ".join(map(puzzle.start(find("gaterun")).game.phrase_of, puzzle.line))
    assert solution.startswith("step to ") and f"\n{solution}\n" in page


def test_review_prints_grades_values_and_what_was_better(tmp_path: Path) -> None:
    game = rookery.game("gaterun", size=3, walls=0)
    state = game.start()
    for name in ("1,1", "2,0", "0,1"):
        state.play(game.action(name))
    file = tmp_path / "missed.jsonl"
    file.write_text(Record.of(state).line())
    page = run("review", str(file), "--nodes", "2000").stdout
    assert "GateRun, 3 plies, reviewed by alphabeta, 2,000 nodes a search." in page
    assert "step to b3  blunder" in page and "step to b1: The step to b1 wins in 1 move." in page
    assert "Player 1: accuracy" in page and "1 blunder" in page
    content = json.loads(run("review", str(file), "--nodes", "2000", "--ply", "3", "--json").stdout)
    assert [each["best"] for each in content["plies"]] == ["2,1"] and content["plies"][0]["accepted"][0][0] == "2,1"
    assert "budget in nodes" in run("review", str(file), "--bot", "random", code=2).stderr
