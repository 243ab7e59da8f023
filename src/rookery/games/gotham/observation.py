"""Observations of Gotham Loops: seven integer planes of visits, points and flips."""

from __future__ import annotations

from rookery.core.observation import ObservationSpec, Plane
from rookery.games.gotham.rules import AT, CITY_SIZE, POINTS, ROUND, ROUNDS, bits_set, earlier, entered, flips, worth

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Words

COUNT = 7


def spec(size: int) -> ObservationSpec:
    farthest = size - 1
    return ObservationSpec(
        size,
        size,
        (
            Plane("where you are"),
            Plane("entered in this round"),
            Plane("earlier rounds in which the cell was visited", high=ROUNDS),
            Plane("points for entering it now", high=farthest),
            Plane("flips for entering it", high=size + 5 * ROUNDS),
            Plane("rounds finished, in every cell", high=ROUNDS),
            Plane("points of the round under way, in every cell", high=size * size * farthest),
        ),
    )


def observe(s: Words, player: int, out: Words) -> None:
    rounds, points = s[ROUND], s[POINTS]
    for cell in range(s[CITY_SIZE] * s[CITY_SIZE]):
        at = COUNT * cell
        out[at] = int(cell == s[AT])
        out[at + 1] = int(entered(s, cell))
        out[at + 2] = bits_set(earlier(s, cell))
        out[at + 3] = worth(s, cell)
        out[at + 4] = flips(s, cell)
        out[at + 5] = rounds
        out[at + 6] = points
