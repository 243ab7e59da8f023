"""What people see of puzzles: the task, the verdict on a move, and the line of the solution."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from rookery.core.names import Names
from rookery.core.puzzle import THEMES
from rookery.games import find
from rookery.web.puzzle_messages import PuzzleOverview, PuzzleStep, PuzzleTask, PuzzleTheme, PuzzleVerdict
from rookery.web.puzzle_results import rating
from rookery.web.registry import NotFound
from rookery.web.views import scene_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rookery.core.puzzle import Puzzle, Refutation
    from rookery.web.puzzle_results import PuzzleResult


@cache
def puzzles_by_id(game: str) -> dict[str, Puzzle]:
    """The puzzles of a game; `NotFound` if it has none."""
    found = {puzzle.id: puzzle for puzzle in find(game).puzzles()}
    if not found:
        raise NotFound(f"There are no puzzles of {find(game).title}.")
    return found


def puzzle_of(game: str, id: str) -> Puzzle:
    found = puzzles_by_id(game)
    if id not in found:
        raise NotFound("There is no such puzzle.")
    return found[id]


def my_rating(game: str, results: Mapping[str, PuzzleResult]) -> int:
    return rating(results.values(), {id: puzzle.rating for id, puzzle in puzzles_by_id(game).items()})


def overview(game: str, results: Mapping[str, PuzzleResult], theme: str | None, after: str | None) -> PuzzleOverview:
    """All puzzles of a game, and the next one for a person: of a theme, and another than `after`, if they are given."""
    puzzles, mine = puzzles_by_id(game), my_rating(game, results)
    solved = {id for id, result in results.items() if result.solved is not None}
    themes = [
        PuzzleTheme(name, title, len(of), sum(puzzle.id in solved for puzzle in of))
        for name, title in THEMES.items()
        if (of := [puzzle for puzzle in puzzles.values() if puzzle.theme == name])
    ]
    if theme is not None and theme not in {each.theme for each in themes}:
        raise NotFound(f"There are no such puzzles of {find(game).title}.")
    waiting = [
        puzzle
        for puzzle in puzzles.values()
        if theme in (None, puzzle.theme)
        and puzzle.id != after
        and not (puzzle.id in results and results[puzzle.id].done)
    ]
    chosen = min(waiting, key=lambda puzzle: (abs(puzzle.rating - mine), puzzle.id), default=None)
    return PuzzleOverview(
        game=game,
        count=len(puzzles),
        solved=len(solved & puzzles.keys()),
        rating=mine,
        themes=themes,
        next=chosen.id if chosen else None,
    )


def task(puzzle: Puzzle, result: PuzzleResult | None) -> PuzzleTask:
    state = puzzle.start(find(puzzle.game))
    return PuzzleTask(
        id=puzzle.id,
        game=puzzle.game,
        options=dict(state.game.options),
        text=state.game.options_text(),
        theme=puzzle.theme,
        title=THEMES[puzzle.theme],
        rating=puzzle.rating,
        prompt=puzzle.prompt,
        player=state.turn,
        position=puzzle.position,
        scene=scene_json(state.scene(names=Names(you=state.turn))),
        solved=result is not None and result.solved is not None,
        revealed=result is not None and result.revealed is not None,
    )


def checked_move(puzzle: Puzzle, text: str) -> str:
    """The name of a legal move given as text; an error says why it is none."""
    state = puzzle.start(find(puzzle.game))
    action = state.game.action(text)
    state.play(action)
    return state.game.name_of(action)


def why_not(puzzle: Puzzle, at: list[tuple[int, int]]) -> str:
    """Why no move is possible at a cell or an edge."""
    state = puzzle.start(find(puzzle.game))
    action = state.game.pointed(state, tuple(at))
    if action is None:
        return "No move is possible there."
    return "This move is legal." if state.legal(action) else state.why_not(action)


def steps(puzzle: Puzzle, names: tuple[str, ...]) -> list[PuzzleStep]:
    """Moves from the puzzle's position on, and the positions after them."""
    state, found = puzzle.start(find(puzzle.game)), []
    solver = Names(you=state.turn)
    for name in names:
        player = state.turn
        state.play(state.game.action(name))
        found.append(PuzzleStep(name, state.game.phrase_of(name), player, scene_json(state.scene(names=solver))))
    return found


def verdict(puzzle: Puzzle, move: str, results: Mapping[str, PuzzleResult]) -> PuzzleVerdict:
    """The verdict on a move, after it was noted among a person's results."""
    result = results[puzzle.id]
    refutation = puzzle.refutation(move)
    if refutation is None:
        text, shown = f"Right. {puzzle.why}", puzzle.line
    else:
        text, shown = why_wrong(puzzle, move, refutation), (move, *filter(None, [refutation.reply]))
    return PuzzleVerdict(
        right=refutation is None,
        text=text,
        steps=steps(puzzle, shown),
        solution=puzzle.solution if result.done else None,
        solved=result.solved is not None,
        revealed=result.revealed is not None,
        rating=my_rating(puzzle.game, results),
    )


def why_wrong(puzzle: Puzzle, move: str, refutation: Refutation) -> str:
    """Why a move fails, in words."""
    game = find(puzzle.game).make(**puzzle.options)
    end = "you lose" if refutation.outcome == "loss" else "it is only a draw"
    if not refutation.reply:
        return f"Wrong: after “{game.phrase_of(move)}”, with best play {end}."
    reply = game.phrase_of(refutation.reply)
    return f"Wrong: the answer to “{game.phrase_of(move)}” is “{reply}”, and with best play {end}."


def solution(puzzle: Puzzle, results: Mapping[str, PuzzleResult]) -> PuzzleVerdict:
    """The solution, for a person with these results who gives up or has solved it."""
    result = results[puzzle.id]
    phrase = find(puzzle.game).make(**puzzle.options).phrase_of(puzzle.solution)
    return PuzzleVerdict(
        right=False,
        text=f"The solution is “{phrase}”. {puzzle.why}",
        steps=steps(puzzle, puzzle.line),
        solution=puzzle.solution,
        solved=result.solved is not None,
        revealed=result.revealed is not None,
        rating=my_rating(puzzle.game, results),
    )
