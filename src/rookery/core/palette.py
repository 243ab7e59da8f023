"""The colours that all surfaces share: of themes, players, rounds and games. What they do not share stays with them.

The page has the same values in `web/static/style.css`; a test compares the two.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Theme(NamedTuple):
    """A light or a dark theme."""

    ground: str
    raised: str
    """What stands out from the ground, such as a card."""
    sunk: str
    ink: str
    soft: str
    """Text of less weight."""
    line: str
    edge: str
    good: str
    bad: str
    gold: str
    board: str
    cell: str
    cell_edge: str
    barred: str
    wall: str
    accent: str
    accents: Mapping[str, str]
    """The accent colour of each game that has its own."""
    players: tuple[str, ...]
    """The palette of Okabe and Ito (2008), which people with colour blindness can tell apart."""
    player_text: tuple[str, ...]
    """The colour of text on each of them."""

    def accent_of(self, game: str) -> str:
        """The accent colour of a game by its name."""
        return self.accents.get(game, self.accent)


LIGHT = Theme(
    ground="#f7f3ea",
    raised="#fffdf8",
    sunk="#ece5d6",
    ink="#1f1c17",
    soft="#5f584b",
    line="#d9d0bd",
    edge="#8b8271",
    good="#13713f",
    bad="#b3261e",
    gold="#b97e00",
    board="#ebe4d5",
    cell="#fffdf8",
    cell_edge="#b9ad97",
    barred="#e3dac8",
    wall="#2a2620",
    accent="#3d4f8f",
    accents={"gotham": "#8f5300", "gamma": "#17703f", "sixseven": "#b93a24", "gaterun": "#6a3fc4"},
    players=("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#3a3a3a"),
    player_text=("#ffffff", "#1a1300", "#00140e", "#1f0714", "#04141f", "#160900", "#1c1a00", "#ffffff"),
)
DARK = Theme(
    ground="#14171f",
    raised="#1e222d",
    sunk="#0e1016",
    ink="#ecebe6",
    soft="#a9adb9",
    line="#333949",
    edge="#7d8597",
    good="#5fd495",
    bad="#ff8a80",
    gold="#ffc94d",
    board="#0e1016",
    cell="#232836",
    cell_edge="#4b5368",
    barred="#171b25",
    wall="#f1efe8",
    accent="#a9b9ff",
    accents={"gotham": "#ffb84d", "gamma": "#66cf94", "sixseven": "#ff9178", "gaterun": "#bda4ff"},
    players=("#2b8fd0", *LIGHT.players[1:7], "#c9ccd3"),
    player_text=("#04121d", *LIGHT.player_text[1:7], "#111111"),
)

ROUND_COLOURS = ("#e69f00", "#56b4e9", "#1fb88a", "#f0e442", "#dd8cba", "#ff6f47", "#f4f4f4")
"""The colours of rounds, on a dark board."""
ROLE_COLOURS = {"home": "#cf3b31", "safe": "#178451", "failed": "#cf3b31", "trail": "#2a7fc9"}
"""The colours of cells with these roles."""
NUMBER_TILE = "#e3d3c6"
"""The colour of a tile with a small number, in the dark theme."""


def theme(*, dark: bool) -> Theme:
    """The dark theme or the light one."""
    return DARK if dark else LIGHT


def blend(low: str, high: str, share: float) -> str:
    """A colour between two `#rrggbb` colours."""
    parts = [round(int(low[at : at + 2], 16) * (1 - share) + int(high[at : at + 2], 16) * share) for at in (1, 3, 5)]
    return "#" + "".join(f"{part:02x}" for part in parts)
