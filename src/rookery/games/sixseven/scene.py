"""Scenes of 67!: tiles on a grid, and where each moved in the last slide."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rookery.core.ending import emoji_grid, opening
from rookery.core.notation import counted
from rookery.core.rules import CHANCE, DIRECTIONS
from rookery.core.scene import REMEMBERED, Cell, Choice, Mark, Motion, Panel, Scene
from rookery.games.sixseven import position, rules
from rookery.games.sixseven.rules import EMPTY, GOAL, SPAWN, TILE, TILES, is_number, value_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.names import Names
    from rookery.core.state import State
    from rookery.games.sixseven.game import SixSeven

SIGNS = "+−×"
SPOKEN = ("plus", "minus", "times")


def look(game: SixSeven, state: State, viewer: int, *, odds: bool, names: Names) -> Scene:
    words, cells = state.words, game.rows * game.cols
    appeared, slid, direction = last_turn(state)
    numbers = [tile for tile in position.tiles(words) if is_number(tile)]
    closest = shown(min(numbers, key=lambda tile: abs(value_of(tile) - GOAL))) if numbers else "none"
    return Scene(
        title=f"{game.title}  {game.rows}×{game.cols} {game.variant}",
        turn=state.turn,
        message=message(state),
        cheer=cheer(state) if state.over else (),
        rows=game.rows,
        cols=game.cols,
        cells=tuple(tile_on(game.cols, cell, words[TILE + cell], cell in appeared) for cell in range(cells)),
        row_names=tuple(map(str, range(game.rows))),
        col_names=tuple(map(str, range(game.cols))),
        panels=(Panel("Moves", str(words[rules.SLIDES])), Panel("Closest to 67", closest)),
        choices=tuple(
            Choice(DIRECTIONS[action], game.phrase(action), "slide", key=DIRECTIONS[action])
            for action in state.actions()
        ),
        motions=motions(game, state, slid, direction),
    )


@lru_cache(REMEMBERED)
def tile_on(cols: int, cell: int, tile: int, new: bool) -> Cell:
    row, col = divmod(cell, cols)
    where = f"row {row}, column {col}, "
    if tile == EMPTY:
        return Cell("free", where + "empty")
    marks = (Mark("new"),) if new else ()
    if is_number(tile) and value_of(tile) == GOAL:
        return Cell("number", where + "67, which wins", shown(tile), marks=(*marks, Mark("won")), last=new)
    if is_number(tile):
        return Cell("number", where + position.write_tile(tile), shown(tile), marks=marks, last=new)
    sign = position.SIGNS.index(position.write_tile(tile))
    return Cell("operator", where + SPOKEN[sign], SIGNS[sign], marks=marks, last=new)


def shown(number: int) -> str:
    """A number with a typographic minus sign."""
    return position.write_tile(number).replace("-", "−")


def last_turn(state: State) -> tuple[set[int], int, int]:
    """The cells where tiles appeared since the last slide, how many plies ago that was (0: there was none), and its
    direction.
    """
    appeared: set[int] = set()
    for ago, action in enumerate(state.backwards(), start=1):
        if action < SPAWN:
            return appeared, ago, action
        appeared.add((action - SPAWN) // TILES)
    return appeared, 0, 0


def motions(game: SixSeven, state: State, slid: int, direction: int) -> tuple[Motion, ...]:
    """Where every tile moved in the last slide, including those that merged or collapsed."""
    if not slid:
        return ()
    words = state.before(slid)
    many, step = words[rules.LENGTH + direction], words[rules.STRIDE + direction]
    found = []
    for line in range(words[rules.LINES + direction]):
        first = rules.front(words, direction, line)
        tiles = tuple(words[TILE + first + place * step] for place in range(many))
        for place, end in enumerate(landings(words[rules.VARIANT], tiles)):
            if end != place and tiles[place] != EMPTY:
                found.append(Motion(divmod(first + place * step, game.cols), divmod(first + end * step, game.cols)))
    return tuple(found)


@lru_cache(REMEMBERED)
def landings(variant: int, tiles: tuple[int, ...]) -> list[int]:
    """For each place of a line, counted from the front, where its tile ends.

    Without the tiles behind it, a tile would be the last of its line after the slide. The tiles behind can only pull it
    further to the front, by merging or collapsing with it.
    """
    ends = []
    for place in range(len(tiles)):
        trial = [0] * TILE + [*tiles[: place + 1], *[EMPTY] * (len(tiles) - place - 1)]
        trial[rules.VARIANT] = variant
        ends.append(rules.slide_line(trial, TILE, 1, len(tiles)) - 1)
    return [min(ends[place:]) for place in range(len(tiles))]


def message(state: State) -> str:
    if state.over:
        return " ".join(cheer(state)) or "No slide is left: lost."
    if state.turn == CHANCE:
        return "A new tile appears."
    return "Slide up, right, down or left."


def cheer(state: State) -> tuple[str, ...]:
    """How a win is celebrated; empty if the game is lost."""
    words = state.words
    return ("67!", f"Won in {counted(words[rules.SLIDES], 'move')}.") if words[rules.WON] else ()


def ending_text(game: SixSeven, state: State, names: Sequence[str]) -> str:
    """How a game ended, and after how many moves."""
    words = state.words
    moves = counted(words[rules.SLIDES], "move")
    if words[rules.WON]:
        return f"{opening(names[0])} made 67 in {moves}."
    return f"{opening(names[0])} lost after {moves}: no slide was left."


def emoji(game: SixSeven, state: State) -> str:
    """Numbers and operators, and a star where the 67 is."""
    scene = state.scene()
    grid = emoji_grid(scene)
    if not grid or not state.words[rules.WON]:
        return grid
    rows = [list(line) for line in grid.split("\n")]
    for index, each in enumerate(scene.cells):
        if each.text == "67":
            rows[index // scene.cols][index % scene.cols] = "⭐"
    return "\n".join(map("".join, rows))
