"""Scenes of 67!: tiles on a grid, and where each moved in the last slide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery.core.rules import CHANCE, DIRECTIONS
from rookery.core.scene import Cell, Choice, Mark, Motion, Panel, Scene
from rookery.games.sixseven import position, rules
from rookery.games.sixseven.rules import EMPTY, SPAWN, TILE, TILES, is_number, value_of

if TYPE_CHECKING:
    from rookery.core.state import State
    from rookery.games.sixseven.game import SixSeven

SIGNS = "+−×"
SPOKEN = ("plus", "minus", "times")


def look(game: SixSeven, state: State, viewer: int, *, odds: bool) -> Scene:
    words = state.words
    appeared, slid = last_turn(state)
    numbers = [tile for tile in position.tiles(words) if is_number(tile)]
    largest = shown(max(numbers, key=lambda tile: abs(value_of(tile)))) if numbers else "none"
    return Scene(
        title=f"{game.title}  {game.rows}×{game.cols} {game.variant}",
        turn=state.turn,
        message=message(state),
        rows=game.rows,
        cols=game.cols,
        cells=tuple(tile_on(game, words, cell, new=cell in appeared) for cell in range(game.rows * game.cols)),
        row_names=tuple(map(str, range(game.rows))),
        col_names=tuple(map(str, range(game.cols))),
        panels=(Panel("Moves", str(rules.moves(words, words[rules.SLIDES]))), Panel("Largest", largest)),
        choices=tuple(
            Choice(DIRECTIONS[action], f"slide {DIRECTIONS[action]}", "slide", key=DIRECTIONS[action])
            for action in state.actions()
        ),
        motions=motions(game, state, slid),
    )


def tile_on(game: SixSeven, words: list[int], cell: int, *, new: bool) -> Cell:
    row, col = divmod(cell, game.cols)
    tile = words[TILE + cell]
    where = f"row {row}, column {col}, "
    if tile == EMPTY:
        return Cell("free", where + "empty")
    marks = (Mark("new"),) if new else ()
    if is_number(tile):
        return Cell("number", where + position.write_tile(tile), shown(tile), marks=marks, last=new)
    sign = position.SIGNS.index(position.write_tile(tile))
    return Cell("operator", where + SPOKEN[sign], SIGNS[sign], marks=marks, last=new)


def shown(number: int) -> str:
    """A number with a typographic minus sign."""
    return position.write_tile(number).replace("-", "−")


def last_turn(state: State) -> tuple[set[int], int]:
    """The cells where tiles appeared since the last slide, and how many plies ago that was; 0 if there was none."""
    appeared: set[int] = set()
    for ago, action in enumerate(reversed(state.history), start=1):
        if action < SPAWN:
            return appeared, ago
        appeared.add((action - SPAWN) // TILES)
    return appeared, 0


def motions(game: SixSeven, state: State, slid: int) -> tuple[Motion, ...]:
    """Where every tile moved in the last slide, including those that merged or collapsed."""
    if not slid:
        return ()
    words, direction = state.before(slid), state.history[-slid]
    found = []
    for line in range(words[rules.LINES + direction]):
        first, step = rules.front(words, direction, line), words[rules.STRIDE + direction]
        for place, end in enumerate(landings(words, direction, line)):
            if end != place and words[TILE + first + place * step] != EMPTY:
                found.append(Motion(divmod(first + place * step, game.cols), divmod(first + end * step, game.cols)))
    return tuple(found)


def landings(words: list[int], direction: int, line: int) -> list[int]:
    """For each place of a line, counted from the front, where its tile ends.

    Without the tiles behind it, a tile would be the last of its line after the slide. The tiles behind can only pull it
    further to the front, by merging or collapsing with it.
    """
    many, step = words[rules.LENGTH + direction], words[rules.STRIDE + direction]
    first = rules.front(words, direction, line)
    ends = []
    for place in range(many):
        trial = list(words)
        for behind in range(place + 1, many):
            trial[TILE + first + behind * step] = EMPTY
        ends.append(rules.slide_line(trial, TILE + first, step, many) - 1)
    return [min(ends[place:]) for place in range(many)]


def message(state: State) -> str:
    words = state.words
    if state.over:
        return (
            f"67! Won in {rules.moves(words, words[rules.SLIDES])} moves."
            if words[rules.WON]
            else "No slide is left: lost."
        )
    if state.turn == CHANCE:
        return "A new tile appears."
    return "Slide up, right, down or left."
