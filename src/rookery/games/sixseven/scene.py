"""How a position of 67! looks: tiles on a grid, and where each came from in the last slide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery.core.rules import CHANCE, DIRECTIONS
from rookery.core.scene import Cell, Choice, Mark, Motion, Panel, Scene
from rookery.games.sixseven import position, rules
from rookery.games.sixseven.rules import EMPTY, KIND, NUMBER, PLUS, SPAWN, TILES

if TYPE_CHECKING:
    from rookery.core.state import State
    from rookery.games.sixseven.game import SixSeven

SIGNS = "+−×"
SPOKEN = ("plus", "minus", "times")


def look(game: SixSeven, state: State, viewer: int, *, odds: bool) -> Scene:
    words = state.words
    appeared, slid = last_turn(state)
    cells = game.rows * game.cols
    numbers = [words[KIND + cells + cell] for cell in range(cells) if words[KIND + cell] == NUMBER]
    largest = position.write_tile(NUMBER, max(numbers, key=abs)) if numbers else "none"
    return Scene(
        title=f"{game.title}  {game.rows}×{game.cols} {game.variant}",
        turn=state.turn,
        message=message(state),
        rows=game.rows,
        cols=game.cols,
        cells=tuple(tile(game, words, cell, new=cell in appeared) for cell in range(game.rows * game.cols)),
        row_names=tuple(map(str, range(game.rows))),
        col_names=tuple(map(str, range(game.cols))),
        panels=(Panel("Moves", str(rules.moves(words))), Panel("Largest", largest)),
        choices=tuple(
            Choice(DIRECTIONS[action], f"slide {DIRECTIONS[action]}", "slide", key=DIRECTIONS[action])
            for action in state.actions()
        ),
        motions=motions(game, state, slid),
    )


def tile(game: SixSeven, words: list[int], cell: int, *, new: bool) -> Cell:
    row, col = divmod(cell, game.cols)
    kind, value = words[KIND + cell], words[KIND + game.rows * game.cols + cell]
    where = f"row {row}, column {col}, "
    if kind == EMPTY:
        return Cell("free", where + "empty")
    marks = (Mark("new"),) if new else ()
    if kind == NUMBER:
        text = position.write_tile(kind, value)
        return Cell("number", where + text, text.replace("-", "−"), marks=marks, last=new)
    return Cell("operator", where + SPOKEN[kind - PLUS], SIGNS[kind - PLUS], marks=marks, last=new)


def last_turn(state: State) -> tuple[set[int], int]:
    """The cells where tiles appeared since the last slide, and how many plies ago that was; 0 if there was none."""
    appeared: set[int] = set()
    for ago, action in enumerate(reversed(state.history), start=1):
        if action < SPAWN:
            return appeared, ago
        appeared.add((action - SPAWN) // TILES)
    return appeared, 0


def motions(game: SixSeven, state: State, slid: int) -> tuple[Motion, ...]:
    """Where every tile went in the last slide, those that merged or collapsed included."""
    if not slid:
        return ()
    words, direction = state.before(slid), state.history[-slid]
    found = []
    for line in range(rules.lines(words, direction)):
        first, step = rules.front(words, direction, line), rules.stride(words, direction)
        rules.slide_line(words, direction, line)
        for place in range(rules.length(words, direction)):
            end = rules.landing(words, direction, place)
            if end not in (-1, place):
                found.append(Motion(divmod(first + place * step, game.cols), divmod(first + end * step, game.cols)))
    return tuple(found)


def message(state: State) -> str:
    words = state.words
    if state.over:
        return f"67! Won in {rules.moves(words)} moves." if words[rules.WON] else "No slide is left: lost."
    if state.turn == CHANCE:
        return "A new tile appears."
    return "Slide up, right, down or left."
