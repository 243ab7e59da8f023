"""`rookery puzzles`: the puzzles of a game, or one of them as a board."""

from __future__ import annotations

from rookery.cli import flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.game import Game
    from rookery.core.puzzle import Puzzle


def puzzles(given: list[str]) -> int:
    """List a game's puzzles, or print one."""
    import json

    from rookery.core.errors import UnknownName

    parser = flags.parser("rookery puzzles", "List the puzzles of a game, or show one as a board.")
    parser.add_argument("game", metavar="GAME", help="the game: gaterun or gamma")
    parser.add_argument("id", nargs="?", metavar="ID", help="show this puzzle; the list has the ids")
    parser.add_argument("--theme", metavar="THEME", help="list only puzzles of this theme")
    parser.add_argument("--solution", action="store_true", help="show the solution too")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line, with the solution")
    chosen = parser.parse_args(given)
    cls = flags.named(chosen.game)
    found = [each for each in cls.puzzles() if chosen.theme in (None, each.theme) and chosen.id in (None, each.id)]
    if not found:
        raise UnknownName(_nothing(cls, chosen.theme, chosen.id))
    for puzzle in found:
        if chosen.json:
            print(json.dumps({"game": puzzle.game} | puzzle.json(), ensure_ascii=False))
        elif chosen.id:
            _show(cls, puzzle, solution=chosen.solution)
        else:
            solution = f" {puzzle.solution}" if chosen.solution else ""
            print(f"{puzzle.id}  {puzzle.rating:4}  {puzzle.theme:6}  {puzzle.prompt}{solution}")
    return 0


def _nothing(cls: type[Game], theme: str | None, id: str | None) -> str:
    """Why there is nothing to show."""
    if not cls.puzzles():
        return f"There are no puzzles of {cls.title}."
    if id:
        return f"{cls.title} has no puzzle '{id[:20]}'; `rookery puzzles {cls.name}` lists them."
    themes = sorted({each.theme for each in cls.puzzles()})
    return f"{cls.title} has no puzzles of the theme '{(theme or '')[:20]}'; it has {', '.join(themes)}."


def _show(cls: type[Game], puzzle: Puzzle, *, solution: bool) -> None:
    from rookery.cli.replay import in_words

    state = puzzle.start(cls)
    print(f"{in_words(state)}\n\nYou are player {state.turn}. {puzzle.prompt}")
    if solution:
        print(f"\n{' → '.join(map(state.game.phrase_of, puzzle.line))}\n{puzzle.why}")
