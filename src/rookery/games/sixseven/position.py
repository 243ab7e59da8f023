"""Positions of 67! as text and JSON.

    .,.,5,+,3/.,*,.,.,-12/… 0 14
    tiles, rows from the top  spawns slides

`spawns` is the number of tiles still to appear before the player's turn, `slides` the number of slides made. Numbers
with thousands of digits are written in base 16, like 0x1f.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rookery.core.arguments import quoted
from rookery.core.errors import PositionError
from rookery.core.game import whole
from rookery.core.notation import number
from rookery.core.rules import CHANCE, OVER, STATE_SIZE, TURN
from rookery.games.sixseven import rules
from rookery.games.sixseven.rules import EMPTY, EMPTY_COUNT, GOAL, PLUS, SLIDES, SPAWNS, TILE, WON, is_number, value_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from rookery.core.state import State
    from rookery.games.sixseven.game import SixSeven

SIGNS = "+-*"
DECIMAL_BITS = 12_000
"""Python writes integers of up to 4,300 digits in base 10, about this many bits."""
WHOLE = re.compile(r"-?(0|[1-9][0-9]{0,3999}|0x[0-9a-f]+)")


def key(game: SixSeven, state: State) -> Hashable:
    """The tiles, and how many are still to appear; the number of slides does not matter."""
    words = state.words
    return (words[SPAWNS], tuple(tiles(words)))


def tiles(words: list[int]) -> list[int]:
    """The tiles of all cells, row by row."""
    return words[TILE : words[STATE_SIZE]]


def write_tile(tile: int) -> str:
    if tile == EMPTY:
        return "."
    if not is_number(tile):
        return SIGNS[(tile - PLUS) // 2]
    value = value_of(tile)
    return str(value) if value.bit_length() <= DECIMAL_BITS else hex(value)


def read_tile(text: str) -> int:
    """The tile a text stands for; raises ValueError for other texts."""
    if text == ".":
        return EMPTY
    if len(text) == 1 and text in SIGNS:
        return PLUS + 2 * SIGNS.index(text)
    if not WHOLE.fullmatch(text) or text == "-0":
        raise ValueError(text)
    return rules.number(int(text, 16 if "x" in text else 10))


def describe(game: SixSeven, state: State) -> dict[str, Any]:
    words = state.words
    texts = [write_tile(tile) for tile in tiles(words)]
    return {
        "rows": [texts[row * game.cols : (row + 1) * game.cols] for row in range(game.rows)],
        "spawns": words[SPAWNS],
        "slides": words[SLIDES],
    }


def write(game: SixSeven, fields: Mapping[str, Any]) -> str:
    return f"{'/'.join(','.join(row) for row in fields['rows'])} {fields['spawns']} {fields['slides']}"


def read(game: SixSeven, text: str) -> dict[str, Any]:
    rows, spawns, slides = text.split()
    return {"rows": [row.split(",") for row in rows.split("/")], "spawns": number(spawns), "slides": number(slides)}


def compose(game: SixSeven, fields: Mapping[str, Any]) -> list[int]:
    words = [0] * rules.size(game.config)
    rules.start(words, game.config)
    cells = game.rows * game.cols
    rows = [list(row) for row in fields["rows"]]
    if len(rows) != game.rows or any(len(row) != game.cols for row in rows):
        raise PositionError(f"The board must have {game.rows} rows of {game.cols} tiles.")
    for cell, text in enumerate(tile for row in rows for tile in row):
        try:
            tile = read_tile(text)
        except ValueError:
            raise PositionError(f"{quoted(text)} is not a tile: write a number, +, -, * or . for none.") from None
        if tile != EMPTY and not is_number(tile) and text not in game.operators:
            raise PositionError(f"The operator {text} is not in this game, which has {' '.join(game.operators)}.")
        words[TILE + cell] = tile
    words[EMPTY_COUNT] = tiles(words).count(EMPTY)
    words[WON] = int(rules.number(GOAL) in tiles(words))
    words[SLIDES] = whole(fields["slides"], "The number of slides", 0, 2**62)
    words[SPAWNS] = whole(fields["spawns"], "The number of tiles to appear", 0, min(game.tiles, words[EMPTY_COUNT]))
    _set_turn(words, cells)
    return words


def _set_turn(words: list[int], cells: int) -> None:
    if words[WON]:
        if words[SPAWNS] or not words[SLIDES]:
            raise PositionError("A 67 wins the game: a slide must have made it, and no tile is to appear.")
        words[TURN] = OVER
    elif words[SPAWNS]:
        words[TURN] = CHANCE
    elif words[EMPTY_COUNT] == cells:
        raise PositionError("The board cannot be empty when no tile is to appear.")
    else:
        words[TURN] = OVER if rules.stuck(words) else 1
