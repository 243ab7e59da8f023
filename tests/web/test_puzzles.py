"""Puzzles in the arcade: the next one, an answer with its reply, the solution, and what is kept about a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.web.arcade import Person, Refusal

from rookery.games import find

if TYPE_CHECKING:
    from rookery.core.puzzle import Puzzle

GATERUN = {puzzle.id: puzzle for puzzle in find("gaterun").puzzles()}


def next_puzzle(person: Person, game: str = "gaterun", query: str = "") -> Puzzle:
    id = person.get(f"/api/puzzles/{game}{query}")["next"]
    return next(puzzle for puzzle in find(game).puzzles() if puzzle.id == id)


def answer(person: Person, puzzle: Puzzle, move: str) -> dict[str, Any]:
    found = person.post(f"/api/puzzles/{puzzle.game}/{puzzle.id}/answer", {"action": move})
    assert isinstance(found, dict)
    return found


def wrong_move(puzzle: Puzzle) -> str:
    """A wrong move that the opponent answers."""
    state = puzzle.start(find(puzzle.game))
    for action in state.actions():
        refutation = puzzle.refutation(state.game.name_of(action))
        if refutation and refutation.reply:
            return state.game.name_of(action)
    raise AssertionError(puzzle.id)


def test_a_puzzle_comes_without_its_solution(ada: Person) -> None:
    puzzle = next_puzzle(ada)
    task = ada.get(f"/api/puzzles/gaterun/{puzzle.id}")
    assert task["prompt"] == puzzle.prompt and task["position"] == puzzle.position and task["scene"]["cells"]
    assert not task["solved"] and not {"solution", "line", "why", "wrong"} & task.keys()
    assert puzzle.solution in [choice["action"] for choice in task["scene"]["choices"]]


def test_a_wrong_move_is_answered_and_the_right_one_explained(ada: Person) -> None:
    before, puzzle = ada.get("/api/puzzles/gaterun"), next_puzzle(ada)
    move = wrong_move(puzzle)
    refutation = puzzle.refutation(move)
    assert refutation is not None
    wrong = answer(ada, puzzle, move)
    assert not wrong["right"] and wrong["solution"] is None and wrong["text"].startswith("Wrong: ")
    assert [step["action"] for step in wrong["steps"]] == [move, refutation.reply]
    assert all(f"“{step['phrase']}”" in wrong["text"] for step in wrong["steps"])
    assert wrong["rating"] < before["rating"]
    assert next_puzzle(ada) is not None
    right = answer(ada, puzzle, puzzle.solution.upper())
    assert right["right"] and right["solved"] and right["solution"] == puzzle.solution and puzzle.why in right["text"]
    assert tuple(step["action"] for step in right["steps"]) == puzzle.line
    assert right["rating"] == wrong["rating"], "only the first answer counts"
    after = ada.get("/api/puzzles/gaterun")
    assert after["solved"] == 1 and after["next"] != puzzle.id
    assert {"theme": puzzle.theme, "solved": 1}.items() <= next(
        each for each in after["themes"] if each["theme"] == puzzle.theme
    ).items()


@pytest.mark.parametrize("player", [1, 2])
def test_the_solver_is_called_you_in_the_task_and_in_its_steps(ada: Person, player: int) -> None:
    puzzle = next(puzzle for puzzle in GATERUN.values() if puzzle.start(find("gaterun")).turn == player)
    scene = ada.get(f"/api/puzzles/gaterun/{puzzle.id}")["scene"]
    shown = answer(ada, puzzle, puzzle.solution)
    for each in (scene, *(step["scene"] for step in shown["steps"])):
        names = [f"Player {seat}" if seat != player else "You" for seat in (1, 2)]
        assert each["players"] == names and sum("your pawn" in cell["name"] for cell in each["cells"]) == 1


def test_a_rating_rises_with_what_is_solved_at_once(ada: Person) -> None:
    first = next_puzzle(ada)
    rating = answer(ada, first, first.solution)["rating"]
    assert rating > 1500 and abs(next_puzzle(ada).rating - rating) <= 300


def test_who_gives_up_sees_the_solution_and_no_longer_solves_it(ada: Person) -> None:
    puzzle = next_puzzle(ada)
    shown = ada.post(f"/api/puzzles/gaterun/{puzzle.id}/solution")
    assert shown["revealed"] and shown["solution"] == puzzle.solution and puzzle.why in shown["text"]
    assert answer(ada, puzzle, puzzle.solution) | {"rating": 0} == {
        **answer(ada, puzzle, puzzle.solution), "rating": 0, "right": True, "solved": False, "revealed": True,
    }  # fmt: skip
    assert ada.get("/api/puzzles/gaterun")["solved"] == 0


def test_a_place_where_no_move_is_possible_is_explained(ada: Person) -> None:
    puzzle = next(each for each in GATERUN.values() if each.position.startswith("2,5/2,6 0,4|1,4;"))
    for at, says in (([[0, 4], [1, 4]], "already"), ([[6, 6]], "step")):
        found = ada.post(f"/api/puzzles/gaterun/{puzzle.id}/why", {"at": at})
        assert says in found["text"], found
    assert ada.get("/api/puzzles/gaterun")["rating"] == 1500


def test_puzzles_can_be_chosen_by_theme_and_skipped(ada: Person) -> None:
    theme = next(puzzle.theme for puzzle in GATERUN.values())
    puzzle = next_puzzle(ada, query=f"?theme={theme}")
    assert puzzle.theme == theme
    another = next_puzzle(ada, query=f"?theme={theme}&after={puzzle.id}")
    assert another.theme == theme and another.id != puzzle.id
    assert next_puzzle(ada, "gamma").game == "gamma"


@pytest.mark.parametrize(
    ("path", "action", "says"),
    [
        ("/api/puzzles/gotham", None, "There are no puzzles of Gotham Loops."),
        ("/api/puzzles/chess", None, "There is no game 'chess'"),
        ("/api/puzzles/gaterun?theme=golden", None, "There are no such puzzles of GateRun."),
        ("/api/puzzles/gaterun/none", None, "There is no such puzzle."),
        (f"/api/puzzles/gaterun/{next(iter(GATERUN))}/answer", "up", "is not an action of GateRun"),
    ],
)
def test_what_is_not_there_is_refused_in_a_sentence(ada: Person, path: str, action: str | None, says: str) -> None:
    with pytest.raises(Refusal, match=says.replace(".", r"\.")):
        ada.get(path) if action is None else ada.post(path, {"action": action})


def test_solved_puzzles_are_on_my_page_and_go_with_me(ada: Person) -> None:
    puzzle = next_puzzle(ada)
    answer(ada, puzzle, puzzle.solution)
    mine = ada.get("/api/me")["puzzles"]["gaterun"]
    assert (mine["solved"], mine["answered"], len(mine["days"])) == (1, 1, 1) and mine["rating"] > 1500
    (kept,) = ada.get("/api/me/export")["puzzles"]
    assert kept["puzzle"] == puzzle.id and kept["clean"] and kept["solved"]
