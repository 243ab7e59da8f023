"""The command `solve`: its answers, what it refuses before it begins, and its end by Ctrl-C."""

from __future__ import annotations

import re
import signal
from typing import TYPE_CHECKING

import pytest
from tests.games.spread import THIN_ICE

import rookery
from rookery.lab import solve

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.lab.conftest import Said, Started


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
        ("", "Which game? Write it after the command: rookery solve gaterun, for example."),
        ("sixseven", "67! has no solver; GateRun can be solved."),
        (f"{THIN_ICE}", "Thin Ice has no solver; GateRun can be solved."),
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
    solve.check_room(solve.solver_of(rookery.game("gaterun")))


def test_the_memory_of_this_machine_is_known() -> None:
    free = solve.free_memory()
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
"""The command, which says on standard error how many sets of walls are done."""


def test_an_interrupted_solver_has_no_answer(start: Callable[..., Started]) -> None:
    begun = start("-c", COUNTED, "solve", "gaterun", "--size", 4, "--walls", 4, "--json")
    assert begun.process.stderr is not None
    assert int(begun.process.stderr.readline()) > 0
    begun.process.send_signal(signal.SIGINT)
    said = begun.answer(seconds=30)
    assert (said.code, said.out) == (130, "")
    assert said.err.splitlines()[-1] == "rookery: Interrupted; there is no answer before the end."
    assert "Traceback" not in said.err
