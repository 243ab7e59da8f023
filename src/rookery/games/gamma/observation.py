"""What a learner sees of Gamma: everybody's cells and golden moves, its own first, then in the order of turns."""

from __future__ import annotations

from rookery.core.notation import counted
from rookery.core.observation import ObservationSpec, Plane
from rookery.games.gamma.board import FIRST_PASS, HEIGHT, OWNER, PLAYERS, SPENT, WIDTH, place_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Words


def spec(width: int, height: int, players: int) -> ObservationSpec:
    others = [f"the player {counted(k, 'turn')} after you" for k in range(1, players)]
    return ObservationSpec(
        height,
        width,
        (
            Plane("your cells"),
            *(Plane(f"cells of {each}") for each in others),
            Plane("whether you have your golden move, in every cell"),
            *(Plane(f"whether {each} has the golden move, in every cell") for each in others),
            Plane("who began the passes just made, in every cell: 0 nobody, 1 you, 2 the next, …", high=players),
        ),
    )


def observe(s: Words, player: int, out: Words) -> None:
    """Row 0 is the lowest, as in the numbers of the actions."""
    players = s[PLAYERS]
    count, first = 2 * players + 1, s[FIRST_PASS]
    passed = (first - player) % players + 1 if first else 0
    for cell in range(s[WIDTH] * s[HEIGHT]):
        at, owner = count * cell, s[s[OWNER] + place_of(s, cell)]
        for k in range(players):
            whose = (player - 1 + k) % players + 1
            out[at + k] = int(owner == whose)
            out[at + players + k] = 1 - s[s[SPENT] + whose]
        out[at + 2 * players] = passed
