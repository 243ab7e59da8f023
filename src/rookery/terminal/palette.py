"""The palettes: 24-bit colours, light and dark, for each game; the 16 ANSI colours; and monochrome.

Drawing code names what it draws and a palette gives the style. Where there are no colours, bold, underline or reverse
stand in; everything that matters is a character too.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache

from rookery.core import palette
from rookery.core.palette import LIGHT, blend


@dataclass(frozen=True)
class TextStyle:
    """Colours, as Rich names them, and attributes; None is the terminal's own colour."""

    fg: str | None = None
    bg: str | None = None
    bold: bool = False
    dim: bool = False
    underline: bool = False
    reverse: bool = False

    def on(self, back: str | None) -> TextStyle:
        """The same style on another background."""
        return _with_background(self, back)


@cache
def _with_background(style: TextStyle, back: str | None) -> TextStyle:
    return replace(style, bg=back)


@dataclass(frozen=True)
class Palette:
    """The style of everything on a board."""

    muted: TextStyle
    """Secondary text: names of rows and columns, the dot on an empty cell."""
    cells: tuple[TextStyle, TextStyle]
    """Alternating cells, as on a chessboard."""
    gap: TextStyle
    """The space between cells."""
    frame: TextStyle
    barred: TextStyle
    blocked: TextStyle
    home: TextStyle
    safe: TextStyle
    failed: TextStyle
    trail: TextStyle
    here: TextStyle
    wall: TextStyle
    last_wall: TextStyle
    accent: TextStyle
    """The cursor, possible actions and hints."""
    gold: TextStyle
    tile: tuple[TextStyle, TextStyle]
    """Small and large numbers."""
    negative: tuple[TextStyle, TextStyle]
    """Negative numbers, close to zero and far from it."""
    operator: TextStyle
    players: tuple[TextStyle, ...]
    goals: tuple[TextStyle, ...]
    rounds: tuple[TextStyle, ...]
    can_blend: bool = field(default=False)
    """Whether colours can be blended."""

    def player(self, number: int) -> TextStyle:
        """A player's style; styles repeat, and the number tells players apart."""
        return self.players[(number - 1) % len(self.players)]

    def goal(self, number: int) -> TextStyle:
        return self.goals[(number - 1) % len(self.goals)]

    def round(self, number: int) -> TextStyle:
        return self.rounds[(number - 1) % len(self.rounds)]

    def number(self, size: float, *, negative: bool) -> TextStyle:
        """A tile's style by the size of its number, from 0 to 1."""
        low, high = self.negative if negative else self.tile
        if not self.can_blend or low.bg is None or high.bg is None:
            return high if size > 0.5 else low
        return replace(low, bg=blend(low.bg, high.bg, size))


def _palette(*, dark: bool, accent: str, night: bool) -> Palette:
    """A game's palette for a light or dark theme. A night board is dark in both."""
    theme = palette.theme(dark=dark)
    soft, line, ground = theme.soft, theme.cell_edge, theme.ground
    even, odd = theme.cell, theme.raised if dark else "#f3ecdf"
    sign, shade = soft, theme.barred
    if night:
        even, odd, sign, shade = "#1a2347", "#161d3d", "#a8b3dc", "#0b1026"
    goals = tuple(TextStyle(blend(even, colour, 0.55), blend(even, colour, 0.16)) for colour in LIGHT.players)
    return Palette(
        muted=TextStyle(soft),
        cells=(TextStyle(sign, even), TextStyle(sign, odd)),
        gap=TextStyle(line, ground),
        frame=TextStyle(soft),
        barred=TextStyle(sign, shade),
        blocked=TextStyle("#5b8fb5" if dark else "#3d6f93", "#0d2233" if dark else "#cfe2ee"),
        home=TextStyle("#ffffff", palette.ROLE_COLOURS["home"], bold=True),
        safe=TextStyle("#ffffff", "#17804f", bold=True),
        failed=TextStyle("#ffffff", "#a3261d", bold=True),
        trail=TextStyle("#ffffff", "#2a72b8"),
        here=TextStyle("#1c1300", "#ffb84d", bold=True),
        wall=TextStyle(theme.wall, ground, bold=True),
        last_wall=TextStyle(accent, ground, bold=True),
        accent=TextStyle(accent, bold=True),
        gold=TextStyle(theme.gold if dark else "#7a5200", bold=True),
        tile=(
            TextStyle("#22160f", palette.NUMBER_TILE if dark else "#f3dcc9", bold=True),
            TextStyle("#22160f", "#f58b70", bold=True),
        ),
        negative=(TextStyle("#0f1722", "#ccd8e6", bold=True), TextStyle("#0f1722", "#74aee6", bold=True)),
        operator=TextStyle("#ffb29f" if dark else "#8f2b18", "#3a2b2c" if dark else "#e9d6cb", bold=True),
        players=tuple(
            TextStyle(text, back, bold=True) for back, text in zip(LIGHT.players, LIGHT.player_text, strict=True)
        ),
        goals=goals,
        rounds=tuple(TextStyle(colour) for colour in palette.ROUND_COLOURS),
        can_blend=True,
    )


@cache
def game_palette(name: str, *, dark: bool) -> Palette:
    """A game's palette; Gotham is played at night."""
    return _palette(dark=dark, accent=palette.theme(dark=dark).accent_of(name), night=name == "gotham")


ANSI16 = Palette(
    muted=TextStyle("bright_black"),
    cells=(TextStyle(), TextStyle()),
    gap=TextStyle("bright_black"),
    frame=TextStyle("bright_black"),
    barred=TextStyle("bright_black"),
    blocked=TextStyle("blue"),
    home=TextStyle("bright_white", "red", bold=True),
    safe=TextStyle("bright_white", "green", bold=True),
    failed=TextStyle("bright_white", "red", bold=True),
    trail=TextStyle("bright_white", "blue"),
    here=TextStyle("black", "yellow", bold=True),
    wall=TextStyle(bold=True),
    last_wall=TextStyle("magenta", bold=True),
    accent=TextStyle("cyan", bold=True),
    gold=TextStyle("yellow", bold=True),
    tile=(TextStyle("black", "white"), TextStyle("black", "yellow")),
    negative=(TextStyle("black", "cyan"), TextStyle("bright_white", "blue")),
    operator=TextStyle("yellow", "black", bold=True),
    players=(
        TextStyle("bright_white", "blue", bold=True),
        TextStyle("black", "yellow", bold=True),
        TextStyle("black", "green", bold=True),
        TextStyle("black", "magenta", bold=True),
        TextStyle("black", "cyan", bold=True),
        TextStyle("bright_white", "red", bold=True),
        TextStyle("black", "white", bold=True),
    ),
    goals=(
        TextStyle("blue"),
        TextStyle("yellow"),
        TextStyle("green"),
        TextStyle("magenta"),
        TextStyle("cyan"),
        TextStyle("red"),
        TextStyle("white"),
    ),
    rounds=tuple(map(TextStyle, ("yellow", "cyan", "green", "bright_yellow", "magenta", "red", "bright_white"))),
)
"""The 16 ANSI colours by name, because terminal themes make those legible."""

MONOCHROME = Palette(
    muted=TextStyle(dim=True),
    cells=(TextStyle(), TextStyle()),
    gap=TextStyle(dim=True),
    frame=TextStyle(dim=True),
    barred=TextStyle(dim=True),
    blocked=TextStyle(dim=True),
    home=TextStyle(bold=True),
    safe=TextStyle(bold=True),
    failed=TextStyle(bold=True),
    trail=TextStyle(reverse=True),
    here=TextStyle(bold=True, reverse=True),
    wall=TextStyle(bold=True),
    last_wall=TextStyle(bold=True),
    accent=TextStyle(bold=True),
    gold=TextStyle(bold=True),
    tile=(TextStyle(reverse=True), TextStyle(reverse=True, bold=True)),
    negative=(TextStyle(reverse=True), TextStyle(reverse=True, bold=True)),
    operator=TextStyle(bold=True),
    players=(TextStyle(bold=True, reverse=True), TextStyle(bold=True, underline=True), TextStyle(bold=True)),
    goals=(TextStyle(dim=True),),
    rounds=(TextStyle(),),
)
"""No colours at all."""
