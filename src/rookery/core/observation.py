"""What a learner sees of a position: planes of whole numbers over the board, as the player sees it whose turn it is.

A game that can be learned has an observation module, with one function under the same restrictions as rules (see
`rules.py`), and says what its planes mean.
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
            """Write every word of `out`: the planes of the first cell as a player sees them, then of the second, …"""


@dataclass(frozen=True)
class Plane:
    """One number a cell: what it means, and its bounds."""

    meaning: str
    low: int = 0
    high: int = 1


@dataclass(frozen=True)
class ObservationSpec:
    """The planes of a game: an array of rows × columns × planes."""

    rows: int
    cols: int
    planes: tuple[Plane, ...]

    @property
    def shape(self) -> tuple[int, int, int]:
        return self.rows, self.cols, len(self.planes)

    @property
    def kind(self) -> str:
        """The smallest of NumPy's types that holds all numbers."""
        reach = max(max(-plane.low - 1, plane.high) for plane in self.planes)
        return "int8" if reach < 1 << 7 else "int16" if reach < 1 << 15 else "int32"
