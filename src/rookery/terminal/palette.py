"""The colours of the terminal: the family's own in light and dark, the sixteen every terminal has, or none at all.

A drawing names what it paints; a palette says in which colour, and whether by other means, bold or reversed, where
there is no colour. Every sign that matters is a character too, so nothing is lost without.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache


@dataclass(frozen=True)
class Ink:
    """How something is written: colours as Rich names them, none where the terminal's own will do."""

    fore: str | None = None
    back: str | None = None
    bold: bool = False
    dim: bool = False
    under: bool = False
    reverse: bool = False

    def on(self, back: str | None) -> Ink:
        """The same on another ground."""
        return _grounded(self, back)


@cache
def _grounded(ink: Ink, back: str | None) -> Ink:
    return replace(ink, back=back)


@dataclass(frozen=True)
class Palette:
    """What each thing on a board is painted with."""

    soft: Ink
    """What may be overlooked: names of rows and columns, a dot on an empty cell."""
    cells: tuple[Ink, Ink]
    """Cells in turn, as on a chequered board."""
    gap: Ink
    """Between cells."""
    frame: Ink
    barred: Ink
    blocked: Ink
    home: Ink
    safe: Ink
    failed: Ink
    trail: Ink
    here: Ink
    wall: Ink
    last_wall: Ink
    accent: Ink
    """The cursor, what may be done, what is advised."""
    gold: Ink
    tile: tuple[Ink, Ink]
    """A number, small and large."""
    cold: tuple[Ink, Ink]
    """A number below zero, close to it and far from it."""
    operator: Ink
    players: tuple[Ink, ...]
    goals: tuple[Ink, ...]
    rounds: tuple[Ink, ...]
    blends: bool = field(default=False)
    """Whether colours can be mixed."""

    def player(self, number: int) -> Ink:
        """Beyond those there are, colours repeat; the number tells players apart."""
        return self.players[(number - 1) % len(self.players)]

    def goal(self, number: int) -> Ink:
        return self.goals[(number - 1) % len(self.goals)]

    def round(self, number: int) -> Ink:
        return self.rounds[(number - 1) % len(self.rounds)]

    def number(self, size: float, *, cold: bool) -> Ink:
        """A tile's ink, by its size from 0 to 1."""
        low, high = self.cold if cold else self.tile
        if not self.blends or low.back is None or high.back is None:
            return high if size > 0.5 else low
        return replace(low, back=blend(low.back, high.back, size))


def blend(low: str, high: str, share: float) -> str:
    """A colour between two, written `#rrggbb`."""
    parts = [round(int(low[at : at + 2], 16) * (1 - share) + int(high[at : at + 2], 16) * share) for at in (1, 3, 5)]
    return "#" + "".join(f"{part:02x}" for part in parts)


OWN = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442")
"""Okabe and Ito's colours, which everybody can tell apart."""
OWN_INK = ("#ffffff", "#1a1300", "#00140e", "#1f0714", "#04141f", "#160900", "#1c1a00")
ROUND = ("#e69f00", "#56b4e9", "#1fb88a", "#f0e442", "#dd8cba", "#ff6f47", "#f4f4f4")


def _family(*, dark: bool, accent: str, night: bool) -> Palette:
    """The palette of a game in the light or the dark. A night board is dark whatever the theme."""
    soft, line = ("#a9adb9", "#4b5368") if dark else ("#5f584b", "#b9ad97")
    even, odd, ground = ("#232836", "#1e222d", "#14171f") if dark else ("#fffdf8", "#f3ecdf", "#f7f3ea")
    sign, shade = soft, ("#171b25" if dark else "#e3dac8")
    if night:
        even, odd, sign, shade = "#1a2347", "#161d3d", "#a8b3dc", "#0b1026"
    goals = tuple(Ink(blend(even, colour, 0.55), blend(even, colour, 0.16)) for colour in OWN)
    return Palette(
        soft=Ink(soft),
        cells=(Ink(sign, even), Ink(sign, odd)),
        gap=Ink(line, ground),
        frame=Ink(soft),
        barred=Ink(sign, shade),
        blocked=Ink("#5b8fb5" if dark else "#3d6f93", "#0d2233" if dark else "#cfe2ee"),
        home=Ink("#ffffff", "#cf3b31", bold=True),
        safe=Ink("#ffffff", "#17804f", bold=True),
        failed=Ink("#ffffff", "#a3261d", bold=True),
        trail=Ink("#ffffff", "#2a72b8"),
        here=Ink("#1c1300", "#ffb84d", bold=True),
        wall=Ink("#f1efe8" if dark else "#2a2620", ground, bold=True),
        last_wall=Ink(accent, ground, bold=True),
        accent=Ink(accent, bold=True),
        gold=Ink("#ffc94d" if dark else "#7a5200", bold=True),
        tile=(Ink("#22160f", "#e3d3c6" if dark else "#f3dcc9", bold=True), Ink("#22160f", "#f58b70", bold=True)),
        cold=(Ink("#0f1722", "#ccd8e6", bold=True), Ink("#0f1722", "#74aee6", bold=True)),
        operator=Ink("#ffb29f" if dark else "#8f2b18", "#3a2b2c" if dark else "#e9d6cb", bold=True),
        players=tuple(Ink(text, back, bold=True) for back, text in zip(OWN, OWN_INK, strict=True)),
        goals=goals,
        rounds=tuple(Ink(colour) for colour in ROUND),
        blends=True,
    )


ACCENTS = {
    True: {"gotham": "#ffb84d", "gamma": "#66cf94", "sixseven": "#ff9178", "gaterun": "#bda4ff"},
    False: {"gotham": "#8f5300", "gamma": "#17703f", "sixseven": "#b93a24", "gaterun": "#6a3fc4"},
}
"""Each game's accent, in the dark and in the light."""
ACCENT = {True: "#a9b9ff", False: "#3d4f8f"}
"""That of everything else."""


def accent(name: str, *, dark: bool) -> str:
    """A game's accent."""
    return ACCENTS[dark].get(name, ACCENT[dark])


@cache
def family(name: str, *, dark: bool) -> Palette:
    """The palette of a game; Gotham's board lies in the night."""
    return _family(dark=dark, accent=accent(name, dark=dark), night=name == "gotham")


SIXTEEN = Palette(
    soft=Ink("bright_black"),
    cells=(Ink(), Ink()),
    gap=Ink("bright_black"),
    frame=Ink("bright_black"),
    barred=Ink("bright_black"),
    blocked=Ink("blue"),
    home=Ink("bright_white", "red", bold=True),
    safe=Ink("bright_white", "green", bold=True),
    failed=Ink("bright_white", "red", bold=True),
    trail=Ink("bright_white", "blue"),
    here=Ink("black", "yellow", bold=True),
    wall=Ink(bold=True),
    last_wall=Ink("magenta", bold=True),
    accent=Ink("cyan", bold=True),
    gold=Ink("yellow", bold=True),
    tile=(Ink("black", "white"), Ink("black", "yellow")),
    cold=(Ink("black", "cyan"), Ink("bright_white", "blue")),
    operator=Ink("yellow", "black", bold=True),
    players=(
        Ink("bright_white", "blue", bold=True),
        Ink("black", "yellow", bold=True),
        Ink("black", "green", bold=True),
        Ink("black", "magenta", bold=True),
        Ink("black", "cyan", bold=True),
        Ink("bright_white", "red", bold=True),
        Ink("black", "white", bold=True),
    ),
    goals=(Ink("blue"), Ink("yellow"), Ink("green"), Ink("magenta"), Ink("cyan"), Ink("red"), Ink("white")),
    rounds=tuple(map(Ink, ("yellow", "cyan", "green", "bright_yellow", "magenta", "red", "bright_white"))),
)
"""By the names of the sixteen colours, which every terminal's theme has made legible."""

PLAIN = Palette(
    soft=Ink(dim=True),
    cells=(Ink(), Ink()),
    gap=Ink(dim=True),
    frame=Ink(dim=True),
    barred=Ink(dim=True),
    blocked=Ink(dim=True),
    home=Ink(bold=True),
    safe=Ink(bold=True),
    failed=Ink(bold=True),
    trail=Ink(reverse=True),
    here=Ink(bold=True, reverse=True),
    wall=Ink(bold=True),
    last_wall=Ink(bold=True),
    accent=Ink(bold=True),
    gold=Ink(bold=True),
    tile=(Ink(reverse=True), Ink(reverse=True, bold=True)),
    cold=(Ink(reverse=True), Ink(reverse=True, bold=True)),
    operator=Ink(bold=True),
    players=(Ink(bold=True, reverse=True), Ink(bold=True, under=True), Ink(bold=True)),
    goals=(Ink(dim=True),),
    rounds=(Ink(),),
)
"""Without any colour."""
