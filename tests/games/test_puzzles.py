"""Puzzles: their solvers against independent ones, and the puzzles shipped, solved again."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from tests.tiers import mostly_slow, slow

from rookery.core.puzzle import THEMES
from rookery.core.stream import Stream
from rookery.engine import compiling
from rookery.games import find, game
from rookery.games.gaterun.bots.perfect import Perfect
from rookery.games.gaterun.game import GateRun

if TYPE_CHECKING:
    from rookery.core.puzzle import Puzzle
    from rookery.core.state import State

mine: Any = pytest.importorskip("tools.puzzles.mine", reason="the tools are not part of the package")
from tools.puzzles.finder import grouped, single_best  # noqa: E402 - after the check that they are there
from tools.puzzles.free_cells import ExactGamma  # noqa: E402
from tools.puzzles.walls_left import ExactGateRun, walls_left  # noqa: E402

GAMES = ("gaterun", "gamma")


@pytest.mark.parametrize("size", mostly_slow([3, 4, 5, 6]))
def test_gaterun_with_few_walls_left_is_solved_as_the_perfect_bot_plays(size: int) -> None:
    exact, stream = ExactGateRun(), Stream(5)
    for _ in range(5):
        state = game("gaterun", size=size, walls=1).start()
        while not state.over and state.ply < 25:
            values = {each.action: (each.value > 0) - (each.value < 0) for each in Perfect().analyse(state).candidates}
            assert exact.values(state) == values, state.position()
            state.play(state.pick(stream))


def test_positions_that_need_a_wall_are_won_by_no_step() -> None:
    exact = ExactGateRun()
    state = game("gaterun", size=4, walls=1).position("1,1/2,2 - P1 1/1 -/- 0")
    places = exact.needing_walls(state)
    assert places
    for player, pawn1, pawn2 in places[::7]:
        fields = state.json() | {"pawns": [divmod(pawn1, 4), divmod(pawn2, 4)], "turn": player, "ply": player - 1}
        values = exact.values(state.game.position(fields))
        assert max(values.values()) == 1 and all(value < 1 for action, value in values.items() if action < 16)


def test_gammas_endings_are_solved_as_by_looking_at_everything() -> None:
    with compiling.interpreting():  # compiling would take longer
        exact = ExactGamma()
    stream = Stream(3)
    for number in range(6):
        state = game("gamma", width=3, height=3, areas=1 + number % 3).start()
        for _ in range(4 + number % 3):
            if not state.over:
                state.play(state.pick(stream))
        assert state.over or exact.winner(state) == best_result(state, {}), state.position()


def best_result(state: State, known: dict[Any, int]) -> int:
    """The winner with best play, 0 for a draw."""
    if state.over:
        one, two = state.scores()
        return 0 if one == two else 1 if one > two else 2
    key = state.turn, state.game.key(state)
    if key not in known:
        results = set()
        for action in state.actions():
            state.play(action)
            results.add(best_result(state, known))
            state.undo()
        known[key] = state.turn if state.turn in results else 0 if 0 in results else 3 - state.turn
    return known[key]


def test_a_single_best_action_is_the_only_one_with_the_best_outcome() -> None:
    assert single_best({5: 1, 6: 0, 7: -1}) == 5 and single_best({5: 0, 6: -1}) == 5
    assert single_best({5: 1, 6: 1}) is None and single_best({5: -1}) is None


def test_the_most_common_refutation_names_no_moves() -> None:
    wrong = grouped({"a": ("loss", "x"), "b": ("draw", "y"), "c": ("loss", "x")})
    assert [(each.outcome, each.reply, each.tries) for each in wrong] == [("loss", "x", ()), ("draw", "y", ("b",))]


@cache
def finder(name: str) -> Any:
    return mine.FINDERS[name]()


@pytest.mark.parametrize("name", GAMES)
def test_there_are_many_puzzles_of_all_kinds_and_no_two_are_alike(name: str) -> None:
    puzzles = find(name).puzzles()
    assert len(puzzles) >= {"gaterun": 300, "gamma": 150}[name]
    assert len({puzzle.id for puzzle in puzzles}) == len(puzzles)
    assert len({finder(name).likeness(puzzle) for puzzle in puzzles}) == len(puzzles)
    ratings = [puzzle.rating for puzzle in puzzles]
    assert ratings == sorted(ratings) and ratings[0] < 1400 and ratings[-1] > 2400
    assert Counter(puzzle.theme for puzzle in puzzles).keys() <= THEMES.keys()
    file = find(name).puzzles_file
    assert file is not None and file.stat().st_size < 300_000


@pytest.mark.parametrize("name", GAMES)
def test_a_puzzles_line_can_be_played_and_begins_with_the_solution(name: str) -> None:
    for puzzle in find(name).puzzles():
        state = puzzle.start(find(name))
        assert puzzle.line[0] == puzzle.solution and puzzle.prompt.endswith(".") and puzzle.why.endswith(".")
        legal = {state.game.name_of(action) for action in state.actions()}
        assert all(set(each.tries) < legal - {puzzle.solution} for each in puzzle.wrong)
        for move in puzzle.line:
            state.play(state.game.action(move))


def sample(name: str) -> list[Puzzle]:
    """A puzzle of each theme that is solved quickly."""
    quick = (each for each in find(name).puzzles() if is_quick(each))
    return list({puzzle.theme: puzzle for puzzle in quick}.values())


def is_quick(puzzle: Puzzle) -> bool:
    if puzzle.game == "gaterun":
        return walls_left(puzzle.start(GateRun)) <= 1
    return bool(puzzle.evidence["nodes"] < 60)


@pytest.mark.parametrize("name", GAMES)
def test_some_of_the_puzzles_shipped_are_right(name: str) -> None:
    with compiling.interpreting() if name == "gamma" else nullcontext():
        for puzzle in sample(name):
            assert not list(mine.FINDERS[name]().faults(puzzle)), puzzle.id


@slow
@pytest.mark.parametrize("name", GAMES)
def test_all_puzzles_shipped_are_right(name: str) -> None:
    for puzzle in find(name).puzzles():
        assert not list(finder(name).faults(puzzle)), puzzle.id
