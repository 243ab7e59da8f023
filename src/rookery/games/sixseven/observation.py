"""Observations of 67!: two integer planes, the kind of each tile and the number on it."""

from __future__ import annotations

from rookery.core.observation import ObservationSpec, Plane
from rookery.games.sixseven.rules import COLS, EMPTY, MACHINE_LIMIT, ROWS, TILE, is_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Words

PLANES = (
    Plane("the tile: 0 none, 1 a number, 2 plus, 3 minus, 4 times", high=4),
    Plane("the number on it, 0 if there is none", low=-MACHINE_LIMIT, high=MACHINE_LIMIT),
)


def spec(rows: int, cols: int) -> ObservationSpec:
    return ObservationSpec(rows, cols, PLANES)


def observe(s: Words, player: int, out: Words) -> None:
    for cell in range(s[ROWS] * s[COLS]):
        tile = s[TILE + cell]
        half = tile >> 1
        out[2 * cell] = 1 if is_number(tile) else half + 1 if tile != EMPTY else 0
        out[2 * cell + 1] = half if is_number(tile) else 0
