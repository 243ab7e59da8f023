"""Observations for learning programs: integer planes over the board, from the view of the player to move.

A game with environments has an observation module, whose one function keeps to the same restrictions as rules (see
`rules.py`), and an `ObservationSpec` that explains its planes.
"""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from rookery.core.rules import Words

    class Observation(Protocol):
        """The function every observation module has."""

        def observe(self, s: Words, player: int, out: Words, /) -> None:
            """Fill `out` with a player's view: all planes of the first cell, then those of the second, …"""


@dataclass(frozen=True)
class Plane:
    """One plane: what its number for each cell means, and the bounds of that number."""

    meaning: str
    low: int = 0
    high: int = 1


@dataclass(frozen=True)
class ObservationSpec:
    """The shape and the planes of a game's observations: rows × columns × planes."""

    rows: int
    cols: int
    planes: tuple[Plane, ...]

    @property
    def shape(self) -> tuple[int, int, int]:
        return self.rows, self.cols, len(self.planes)

    @property
    def kind(self) -> str:
        """The smallest NumPy dtype that holds every plane's numbers."""
        reach = max(max(-plane.low - 1, plane.high) for plane in self.planes)
        return "int8" if reach < 1 << 7 else "int16" if reach < 1 << 15 else "int32"
