"""The command `solve`: its answers and pictures, what it refuses before it begins, and its end by Ctrl-C."""

from __future__ import annotations

import math
import re
import signal
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from tests.games.spread import THIN_ICE

import rookery
from rookery.core.record import Record
from rookery.games.gotham.bots import solver as gotham
from rookery.lab import solve
from rookery.system.memory import free_memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.lab.conftest import Said, Started

    from rookery.core.scene import Spot


def test_the_answer_for_programs(typed: Callable[..., Said]) -> None:
    said = typed("solve", "gaterun", "--size", 3, "--walls", 1, "--json")
    assert (said.code, said.err) == (0, "")
    found = said.found
    assert found["seconds"] >= 0
    assert found["memory"] == 2 * 36 * (66 * 1 + 12 * 2)
    assert found["workers"] >= 1
    first_moves = found["first_moves"]
    assert [name for name, value in first_moves.items() if value == "P1"] == ["1,1"]
    assert [name for name, value in first_moves.items() if value == "draw"] == ["0,0", "0,2"]
    assert list(first_moves.values()).count("P2") == 12
    assert {found["first_move_distances"][name] for name in ("0,0", "0,2")} == {None}
    assert found["first_move_distances"]["0,1|1,1"] == 6
    rest = {name: found[name] for name in ("game", "options", "value", "distance", "states")}
    assert rest == {
        "game": "gaterun",
        "options": {"size": 3, "walls": 1, "walls2": None, "jump": False, "rotate": False},
        "value": "P1",
        "distance": 7,
        "states": 5958,
    }


@pytest.mark.parametrize(
    "options", ["--size 4 --walls 2 --walls2 1 --jump", "--size 5 --walls 1", "--size 3 --walls 8"]
)
def test_one_thread_answers_as_several_do(options: str, typed: Callable[..., Said]) -> None:
    one, several = (typed("solve", "gaterun", *options.split(), "--json", "--workers", many) for many in (1, 3))
    assert one.same == several.same
    assert (one.found["workers"], several.found["workers"]) == (1, 3)


def test_the_answer_for_people(typed: Callable[..., Said]) -> None:
    said = typed("solve", "gaterun", "--size", 3, "--walls", 2)
    assert (said.code, said.err) == (0, "")
    lines = [" ".join(line.split()) for line in said.out.splitlines()]
    assert lines[0] == "GateRun: size 3, walls 2, jump no, rotate no"
    assert "value P1 wins in 13 plies" in lines
    assert "positions 68,764" in lines
    assert re.search(r"^ time +[\d.]+ s on \d+ threads?", said.out, re.MULTILINE)
    assert "0 . 1 ." in lines


def test_a_draw_has_no_length(typed: Callable[..., Said]) -> None:
    found = typed("solve", "gaterun", "--size", 3, "--walls", 3, "--json").found
    assert (found["value"], found["distance"]) == ("draw", None)
    assert set(found["first_moves"].values()) == {"draw", "P2"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("", "Which game? Write it after the command, such as rookery solve gaterun."),
        ("sixseven", "67! has no solver; Gotham Loops and GateRun can be solved."),
        (f"{THIN_ICE}", "Thin Ice has no solver; Gotham Loops and GateRun can be solved."),
        ("gaterun --size 3 --rotate", "GateRun cannot be solved with walls that turn: leave out rotate."),
        ("gaterun --size 9", "size takes a whole number from 3 to 7, not '9'."),
        ("gaterun --memory much", "memory takes a number from 0 to 1000000, not 'much'."),
        ("gaterun --workers 0", "workers takes a whole number from 1 to 1024, not '0'."),
        (
            "gaterun --size 5 --walls 3 --memory 2",
            "Solving this takes 4.1 GB of memory, for 4,212,290,390 positions, and 2.0 GB are allowed.",
        ),
        (
            "gaterun --memory 100",
            "Solving this takes 329,843,046,462 GB of memory, for about 4·10^20 positions, and 100.0 GB are allowed.",
        ),
        ("gaterun --seed 3", "Unrecognized arguments: --seed 3. Try 'rookery solve gaterun --help'."),
    ],
)
def test_what_cannot_be_solved_is_refused(arguments: str, sentence: str, refused: Callable[..., str]) -> None:
    assert refused("solve", *arguments.split()) == sentence


def test_what_does_not_fit_this_machine_is_refused(
    monkeypatch: pytest.MonkeyPatch, refused: Callable[..., str], typed: Callable[..., Said]
) -> None:
    monkeypatch.setattr(solve, "free_memory", lambda: 300_000_000)
    assert refused("solve", "gaterun", "--size", 4, "--walls", 5) == (
        "Solving this takes 1.4 GB of memory, for 2,490,758,400 positions, and 300.0 MB are free."
    )
    assert typed("solve", "gaterun", "--size", 3, "--json").found["value"] == "draw"
    monkeypatch.setattr(solve, "free_memory", lambda: None)  # the system does not say
    solve.check_memory(solve.solver_of(rookery.game("gaterun")))


def test_the_memory_of_this_machine_is_known() -> None:
    free = free_memory()
    assert free is not None
    assert 10**8 < free < 10**14


COUNTED = """
import sys
from rookery.cli import main
from rookery.lab import solve
def run(game, solver, workers, seen):
    def told(done):
        seen(done)
        print(done, file=sys.stderr, flush=True)
    return before(game, solver, workers, told)
before, solve.run = solve.run, run
sys.exit(main())
"""
"""The command, which says on standard error how many steps are done."""


@pytest.mark.parametrize("asked", ["gaterun --size 4 --walls 4", "gotham --level quad"])
def test_an_interrupted_solver_has_no_answer(asked: str, start: Callable[..., Started]) -> None:
    begun = start("-c", COUNTED, "solve", *asked.split(), "--json")
    assert begun.process.stderr is not None
    assert int(begun.process.stderr.readline()) > 0
    begun.process.send_signal(signal.SIGINT)
    said = begun.answer(seconds=30)
    assert (said.code, said.out) == (130, "")
    assert said.err.splitlines()[-1] == "rookery: Interrupted: there is no solution before the end."
    assert "Traceback" not in said.err


# ---- Gotham Loops: a loop, or a plan for a saved game ----

HOME = (3, 3)
SVG = "{http://www.w3.org/2000/svg}"


def away(cell: Spot) -> int:
    """The steps from home to a cell of a city of 7×7."""
    return abs(cell[0] - HOME[0]) + abs(cell[1] - HOME[1])


def spots(found: dict[str, Any]) -> list[Spot]:
    """The cells of a loop as rows and columns."""
    return [(int(row), int(col)) for row, col in (text.split(",") for text in found["cells"])]


def beside(one: Spot, other: Spot) -> bool:
    """Whether a step leads from one cell to the other."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def drawn(board: str) -> tuple[Spot, dict[int, Spot]]:
    """Home and the numbered cells of a drawing."""
    signs = {(row, col): sign for row, line in enumerate(board.splitlines()) for col, sign in enumerate(line.split())}
    (home,) = [spot for spot, sign in signs.items() if sign == "⌂"]
    assert set(signs.values()) - {"⌂", "·"} == {sign for sign in signs.values() if sign.isdigit()}
    return home, {int(sign): spot for spot, sign in signs.items() if sign.isdigit()}


def assert_drawn(board: str, cells: list[Spot]) -> None:
    """That a drawing shows these cells, numbered in this order, where they lie as seen from home."""
    (row, col), numbered = drawn(board)
    moved = {number: (spot[0] - row + HOME[0], spot[1] - col + HOME[1]) for number, spot in numbered.items()}
    assert moved == dict(enumerate(cells, start=1))


def texts(path: Path) -> list[str]:
    """What is written in a picture."""
    root = ElementTree.parse(path).getroot()  # noqa: S314
    assert root.tag == f"{SVG}svg"
    return ["".join(each.itertext()).strip() for each in root.iter(f"{SVG}text")]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Less is tried than for people, who want the best."""
    monkeypatch.setattr(gotham, "CHANGES", 2000)


@pytest.fixture
def saved(tmp_path: Path) -> Callable[..., Path]:
    """A file with a game in which these actions were played."""

    def write(name: str, actions: str = "", **options: object) -> Path:
        game = rookery.game(name, **options)
        state = game.start()
        for action in actions.split():
            state.play(game.action(action))
        path = tmp_path / "saved.jsonl"
        path.write_text(Record.of(state).line() + "\n", encoding="utf-8")
        return path

    return write


def test_the_best_loop_for_programs(typed: Callable[..., Said]) -> None:
    said = typed("solve", "gotham", "--size", 7, "--json", "--workers", 2)
    assert (said.code, said.err) == (0, "")
    found = said.found
    assert list(found) == [
        *("game", "options", "value", "success", "points", "bound", "gap", "proven", "cells", "seconds", "workers")
    ]
    assert found["game"] == "gotham"
    assert found["options"] == {"level": "deuce", "rules": "table", "size": 7, "coins": None}
    assert (found["points"], found["gap"], found["proven"], found["workers"]) == (9, 0, True, 2)
    assert found["seconds"] >= 0
    cells = spots(found)
    assert len(set(cells)) == len(cells)
    assert all(any(beside(cell, other) for other in (HOME, *cells[:k])) for k, cell in enumerate(cells))
    assert found["points"] == sum(map(away, cells))
    assert found["success"] == pytest.approx(math.prod(1 - 0.75 ** (7 - away(cell)) for cell in cells))
    assert found["value"] == pytest.approx(found["points"] * found["success"]) == found["bound"]


@pytest.mark.parametrize("options", ["--size 7", "--size 5 --rules online --coins 1"])
def test_one_thread_finds_the_loop_that_several_find(options: str, typed: Callable[..., Said]) -> None:
    one, several = (typed("solve", "gotham", *options.split(), "--json", "--workers", many) for many in (1, 3))
    assert one.same == several.same
    assert (one.found["workers"], several.found["workers"]) == (1, 3)


@pytest.mark.usefixtures("quick")
def test_the_best_loop_for_people(typed: Callable[..., Said]) -> None:
    found = typed("solve", "gotham", "--size", 7, "--json").found
    said = typed("solve", "gotham", "--size", 7)
    assert (said.code, said.err) == (0, "")
    facts, heading, board = said.out.rstrip().split("\n\n")
    lines = [" ".join(line.split()) for line in said.out.splitlines()]
    assert lines[0] == "Gotham Loops: level deuce, rules table, size 7"
    assert f"value {found['value']:.4f} points on average" in lines
    assert f"success {found['success']:.4f}" in lines
    assert "points 9" in lines
    assert "bound no loop promises more: proven" in lines
    assert re.search(r"^ time +[\d.]+ s on \d+ threads?", facts, re.MULTILINE)
    assert heading == "Round 1\nhome with 29%, 9.0 points, worth 2.64"
    assert_drawn(board, spots(found))


@pytest.mark.usefixtures("quick")
def test_a_bound_that_is_not_met_leaves_a_gap(monkeypatch: pytest.MonkeyPatch, typed: Callable[..., Said]) -> None:
    monkeypatch.setattr(gotham, "bound", lambda city, best, seen: best + 0.25)
    found = typed("solve", "gotham", "--size", 7, "--json").found
    assert not found["proven"]
    assert found["gap"] == pytest.approx(0.25)
    assert found["bound"] == pytest.approx(found["value"] + 0.25)
    said = typed("solve", "gotham", "--size", 7).out
    assert f"no loop promises more than {found['bound']:.4f}, which leaves a gap of 0.2500" in said
    assert "proven" not in said


@pytest.mark.usefixtures("quick")
def test_a_picture_numbers_the_cells(tmp_path: Path, typed: Callable[..., Said]) -> None:
    path = tmp_path / "loop.svg"
    said = typed("solve", "gotham", "--size", 7, "--plot", path)
    assert (said.code, said.err) == (0, "")
    assert said.out.endswith(f"The figure is in {path}.\n")
    written = texts(path)
    assert [text for text in written if text.isdigit()] == ["1", "2", "3", "4"]
    assert "Gotham Loops" in written
    assert "level deuce, rules table, size 7" in written
    assert "Round 1" in written
    assert "home with 29%, 9.0 points, worth 2.64" in written


@pytest.mark.usefixtures("quick")
def test_a_picture_may_be_made_of_points_and_beside_an_answer_for_programs(
    tmp_path: Path, typed: Callable[..., Said]
) -> None:
    path = tmp_path / "loop.png"
    assert typed("solve", "gotham", "--size", 7, "--plot", path, "--json").found["points"] == 9
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert content.endswith(b"IEND\xaeB`\x82")


def test_a_saved_game_is_planned_to_its_end(typed: Callable[..., Said], saved: Callable[..., Path]) -> None:
    """A first round brought 4 points home; of the second, two cells are entered."""
    played = saved("gotham", "up safe right safe down safe left down safe right safe", size=7)
    said = typed("solve", "gotham", "--load", played, "--json", "--workers", 2)
    assert (said.code, said.err) == (0, "")
    found = said.found
    names = ("game", "options", "value", "banked", "bound", "proven", "rounds", "seconds", "workers")
    assert list(found) == [*names]
    assert found["options"] == {"level": "deuce", "rules": "table", "size": 7, "coins": None}
    assert (found["banked"], found["bound"], found["proven"], found["workers"]) == (4, None, False, 2)
    assert [loop["round"] for loop in found["rounds"]] == [2, 3, 4, 5, 6, 7]
    assert found["value"] == pytest.approx(found["banked"] + sum(loop["value"] for loop in found["rounds"]))
    for loop in found["rounds"]:
        assert 0 < loop["success"] < 1
        assert loop["value"] == pytest.approx(loop["points"] * loop["success"])
    assert spots(found["rounds"][0])[:2] == [(4, 3), (4, 4)]


@pytest.mark.usefixtures("quick")
def test_one_thread_plans_as_several_do(typed: Callable[..., Said], saved: Callable[..., Path]) -> None:
    played = saved("gotham", "up safe", size=5, rules="online")
    one, several = (typed("solve", "gotham", "--load", played, "--json", "--workers", many) for many in (1, 3))
    assert one.same == several.same
    assert one.found["options"]["rules"] == "online"


@pytest.mark.usefixtures("quick")
def test_a_plan_for_people_draws_every_round(
    tmp_path: Path, typed: Callable[..., Said], saved: Callable[..., Path]
) -> None:
    played = saved("gotham", "up safe right safe down safe left down safe right safe", size=7)
    found = typed("solve", "gotham", "--load", played, "--json").found
    path = tmp_path / "plan.svg"
    said = typed("solve", "gotham", "--load", played, "--plot", path)
    assert (said.code, said.err) == (0, "")
    lines = [" ".join(line.split()) for line in said.out.splitlines()]
    assert lines[0] == "Gotham Loops: level deuce, rules table, size 7"
    assert f"value {found['value']:.2f} points in the end, as predicted" in lines
    assert "banked 4 points after 1 round, 2 cells of round 2 entered" in lines
    assert said.out.count("⌂") == 6
    written = texts(path)
    for loop in found["rounds"]:
        note = f"home with {loop['success']:.0%}, {loop['points']:.1f} points, worth {loop['value']:.2f}"
        assert re.search(rf"\bRound {loop['round']}\b", said.out)
        assert note in said.out
        assert f"Round {loop['round']}" in written
        assert note in written
    numbers = sorted(int(text) for text in written if text.isdigit())
    assert numbers == sorted(number for loop in found["rounds"] for number in range(1, len(set(loop["cells"])) + 1))


def too_late(*_: object) -> None:
    raise AssertionError("something is solved before the refusal")


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("gaterun --size 3 --plot x.svg", "A solution of GateRun has no figure: leave out --plot."),
        ("gotham --plot x.gif", "A figure's file name ends in .svg or .png, unlike 'x.gif'."),
        ("gotham --plot x", "A figure's file name ends in .svg or .png, unlike 'x'."),
        ("gotham --plot no/x.svg", "'no/x.svg' cannot be written: its folder does not exist."),
        ("gotham --plot folder.png", "'folder.png' cannot be written: it is a folder."),
        ("gotham --size 4", "size takes an odd number, so that home is the centre, not 4."),
        ("gotham --load none.jsonl", "'none.jsonl' cannot be read: No such file or directory."),
        ("gotham --load folder.png", "'folder.png' cannot be read: Is a directory."),
        ("gotham --load text", "'text': This is not a Rookery record: a record is one line of JSON."),
        ("gotham --load empty", "'empty' has 0 records; there is no record 1."),
        ("sixseven --load none.jsonl", "'none.jsonl' cannot be read: No such file or directory."),
    ],
)
def test_files_that_cannot_be_used_are_refused_before_anything_is_solved(
    asked: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: Callable[..., str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(solve, "run", too_late)
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "text").write_text("It was a dark and stormy night.\n")
    (tmp_path / "empty").touch()
    assert refused("solve", *asked.split()) == sentence
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "folder.png", "text"]


@pytest.mark.parametrize(
    ("name", "actions", "more", "sentence"),
    [
        ("gotham", "up caught " * 7, "", "This game is over: there is nothing left to plan."),
        ("gotham", "up", "", "A check is under way in this game: nothing can be planned before it is made."),
        ("gotham", "", "--size 3", "--load names a whole game: leave out the game's options."),
        ("gotham", "", "--rules online", "--load names a whole game: leave out the game's options."),
        ("gaterun", "", "", "'saved.jsonl' holds a game of GateRun, not of Gotham Loops."),
    ],
)
def test_a_saved_game_that_cannot_be_planned_is_refused(
    name: str,
    actions: str,
    more: str,
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    saved: Callable[..., Path],
    refused: Callable[..., str],
) -> None:
    monkeypatch.setattr(solve, "run", too_late)
    monkeypatch.chdir(tmp_path)
    saved(name, actions, size=3)
    assert refused("solve", "gotham", "--load", "saved.jsonl", *more.split()) == sentence


def test_a_race_is_solved_from_its_start_only(saved: Callable[..., Path], refused: Callable[..., str]) -> None:
    played = saved("gaterun", size=3, walls=1)
    assert refused("solve", "gaterun", "--load", played) == (
        "GateRun is solved from its start only, not from a saved game."
    )
