"""What a learner sees of GateRun: pawns, walls and goal as its own and the other's, and what both have left."""

from __future__ import annotations

from rookery.core.observation import ObservationSpec, Plane
from rookery.core.rules import OVER, TURN
from rookery.games.gaterun.geometry import east_edges, goal, south_edges
from rookery.games.gaterun.rules import (
    EAST,
    JUMPS,
    LONGEST,
    PAST,
    PAWN,
    PLY,
    ROTATIONS,
    SEEN,
    SIZE,
    SOUTH,
    WALLS,
    code,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Words

COUNT = 13


def spec(size: int, walls: int) -> ObservationSpec:
    return ObservationSpec(
        size,
        size,
        (
            Plane("your pawn"),
            Plane("the other's pawn"),
            Plane("a wall on the right-hand edge"),
            Plane("a wall on the lower edge"),
            Plane("the row you want to reach"),
            Plane("walls you have left, in every cell", high=walls),
            Plane("walls the other has left, in every cell", high=walls),
            Plane("jumps you have left, in every cell"),
            Plane("jumps the other has left, in every cell"),
            Plane("rotations you have left, in every cell"),
            Plane("rotations the other has left, in every cell"),
            Plane("plies made, in every cell", high=LONGEST),
            Plane("how often this position was there before, in every cell", high=2),
        ),
    )


def observe(s: Words, player: int, out: Words) -> None:
    n, other = s[SIZE], 3 - player
    east, south, target = east_edges(n) ^ s[EAST], south_edges(n) ^ s[SOUTH], goal(n, player)
    again = times_before(s)
    for cell in range(n * n):
        at = COUNT * cell
        out[at] = int(cell == s[PAWN + player])
        out[at + 1] = int(cell == s[PAWN + other])
        out[at + 2] = (east >> cell) & 1
        out[at + 3] = (south >> cell) & 1
        out[at + 4] = (target >> cell) & 1
        out[at + 5] = s[WALLS + player]
        out[at + 6] = s[WALLS + other]
        out[at + 7] = s[JUMPS + player]
        out[at + 8] = s[JUMPS + other]
        out[at + 9] = s[ROTATIONS + player]
        out[at + 10] = s[ROTATIONS + other]
        out[at + 11] = s[PLY]
        out[at + 12] = again


def times_before(s: Words) -> int:
    """How often the position was there before; 0 once the game is over."""
    if s[TURN] == OVER:
        return 0
    current, times = code(s), -1
    for k in range(s[SEEN]):
        if s[PAST + k] == current:
            times += 1
    return times
