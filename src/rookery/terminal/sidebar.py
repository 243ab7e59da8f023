"""What stands beside a board: whose turn it is, how it stands, what can be done by a button, what was done."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from rookery.core.text_board import shortened
from rookery.terminal.board import style_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.events import Click, Leave, MouseMove

    from rookery.core.game import Game
    from rookery.core.scene import Panel, Scene
    from rookery.terminal.palette import Palette

KEY_SIGNS = {"up": "↑", "right": "→", "down": "↓", "left": "←", "space": "space", "esc": "Esc", "r": "r"}
"""Keys that are not written as capitals; `R` is another key than `r`."""
FEW = 2
"""Players of whom all figures are shown; of more, those of the player to move."""
LONGEST = 12
"""Characters of a name that are shown at most."""


def key_sign(key: str) -> str:
    """A key as people write it."""
    return KEY_SIGNS.get(key, key.upper())


class Slip(Static):
    """A text that is written anew only where it changes: to arrange the screen again takes longer than a key may."""

    written: Text | None = None
    least: int = 0
    """Lines that it takes at least."""

    def write(self, text: Text) -> None:
        """Show a text."""
        if self.written is not None and (text.plain, text.spans, text.style) == (
            self.written.plain,
            self.written.spans,
            self.written.style,
        ):
            return
        before, self.written = self.written, text
        self.update(text, layout=before is None or self._lines(before) != self._lines(text))

    def _lines(self, text: Text) -> int:
        return max(self.least, len(text.wrap(self.app.console, max(1, self.size.width))))


class Notice(Slip):
    """What there is to say; usually as much, so that nothing below it has to move."""

    DEFAULT_CSS: ClassVar[str] = "Notice { height: auto; min-height: 5; }"
    least = 5


class Standing(Slip):
    """Every player with who plays, the figures, and what signs on the board mean."""

    _shown: tuple[Scene, Sequence[str], Palette, str] | None = None
    _legend: Text = Text()

    def show(self, scene: Scene, names: Sequence[str], palette: Palette, thinking: str) -> None:
        """Show how it stands; `names` are who plays, `thinking` is what stands behind whose turn it is."""
        if self._shown is None or self._shown[0] is not scene or self._shown[2] is not palette:
            self._legend = _legend(scene, palette)
        self._shown = scene, names, palette, thinking
        self._write()

    def on_resize(self) -> None:
        self._write()

    def _write(self) -> None:
        if self._shown is None:
            return
        scene, names, palette, thinking = self._shown
        text = Text()
        accent = style_of(palette.accent)
        many, digits = len(scene.players) > FEW, len(str(len(scene.players)))
        for owner, title in enumerate(scene.players, start=1):
            here = owner == scene.turn
            panels = [panel for panel in scene.panels if panel.owner == owner]
            text.append("▸" if here else " ", accent)
            text.append(f" {owner:{digits}} ", style_of(palette.player(owner)))
            first = f"{panels[0].label} {panels[0].value}" if many and panels else title
            text.append(f" {first}", Style(bold=here))
            name, sign = f"  {shortened(names[owner - 1], LONGEST)}", f" {thinking}" if here and thinking else ""
            if not sign or len(f"{first}{name}{sign}") + digits + 4 <= self.size.width:
                text.append(name, style_of(palette.soft))
            text.append(f"{sign}\n", accent)
            if here or not many:
                text.append_text(self._figures(panels[many:], palette, " " * (4 if many else 5)))
        if not scene.players and thinking:
            text.append(f"{names[0]} {thinking}\n", accent)
        text.append_text(self._figures([panel for panel in scene.panels if panel.owner == 0], palette, ""))
        text.append_text(self._legend)
        text.rstrip()
        self.write(text)

    def _figures(self, panels: list[Panel], palette: Palette, indent: str) -> Text:
        """A line for each, or two where there is no room for the value behind its label."""
        text = Text()
        for panel in panels:
            fits = len(f"{indent}{panel.label}: {panel.value}") <= self.size.width
            text.append(f"{indent}{panel.label}:" + (" " if fits else f"\n{indent}"), style_of(palette.soft))
            text.append(f"{panel.value}\n", Style(bold=True))
        return text


def _legend(scene: Scene, palette: Palette) -> Text:
    """What signs on the board mean that do not speak for themselves."""
    text = Text()
    marks = {(mark.role, mark.number) for cell in scene.cells for mark in cell.marks}
    rings = sorted(number for role, number in marks if role == "ring")
    if rings:
        text.append("Rings of round ", style_of(palette.soft))
        for number in rings:
            text.append(str(number), style_of(replace(palette.round(number), bold=True)))
        text.append("\n")
    if any(role == "golden" for role, _ in marks):
        text.append("◆ open to golden move\n", style_of(palette.soft))
    return text


class Offers(Widget):
    """What can be done that has no place on the board, a line each, to be clicked; with the key that does the same."""

    DEFAULT_CSS: ClassVar[str] = "Offers { height: auto; }"

    class Taken(Message):
        """An offer was clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.offers: list[tuple[str, str, str]] = []
        self._palette: Palette | None = None
        self._over = -1

    def show(self, offers: list[tuple[str, str, str]], palette: Palette) -> None:
        """Show offers: a name, what it says, and its key."""
        if (offers, palette) != (self.offers, self._palette):
            self.refresh(layout=len(offers) != len(self.offers))
            self.offers, self._palette = offers, palette

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return len(self.offers)

    def render_line(self, y: int) -> Strip:
        if self._palette is None or not 0 <= y < len(self.offers):
            return Strip.blank(self.size.width, self.rich_style)
        _, label, key = self.offers[y]
        sign = key_sign(key)
        accent = style_of(self._palette.accent)
        words = f"{label[:1].upper()}{label[1:]}".ljust(self.size.width)[: max(0, self.size.width - len(sign) - 4)]
        style = Style(reverse=True) if y == self._over else Style()
        segments = [Segment("▸ ", accent), Segment(words, style), Segment(f" {sign} ", accent)]
        return Strip(segments).apply_style(self.rich_style).adjust_cell_length(self.size.width, self.rich_style)

    def on_mouse_move(self, event: MouseMove) -> None:
        self._over = event.y
        self.refresh()

    def on_leave(self, event: Leave) -> None:
        self._over = -1
        self.refresh()

    def on_click(self, event: Click) -> None:
        if 0 <= event.y < len(self.offers):
            self.post_message(self.Taken(self.offers[event.y][0]))


class Moves(Widget):
    """The last of what was done, as many as there is room for."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.moves: Sequence[tuple[int, str]] = ()
        self._palette: Palette | None = None

    def show(self, moves: Sequence[tuple[int, str]], palette: Palette) -> None:
        """Show the last of some moves, by their numbers and names; chance has no number."""
        self.moves, self._palette = moves, palette
        self.refresh()

    def render(self) -> Text:
        """As many as there is room for, whatever that is when they are drawn."""
        wide, high = max(8, self.size.width), max(1, self.size.height)
        soft = style_of(self._palette.soft) if self._palette is not None else Style()
        moves = [
            Text.assemble((f"{number}. ", soft), name) if number else Text(name, soft)
            for number, name in self.moves[-(wide * high // 4 + 1) :]
        ]
        return Text("\n").join(in_rows(moves, wide)[-high:])


def in_rows(pieces: Sequence[Text], wide: int) -> list[Text]:
    """Short texts side by side, as many in a row as there is room for."""
    rows: list[Text] = []
    for piece in pieces:
        if rows and len(rows[-1]) + len(piece) + 2 <= wide:
            rows[-1].append("  ").append_text(piece)
        else:
            rows.append(piece.copy())
    return rows


def numbered(game: Game, actions: Sequence[int]) -> list[tuple[int, str]]:
    """Actions by their names, and by numbers those that players chose; chance has 0."""
    found = []
    chosen = 0
    for action in actions:
        chosen += action < game.action_count
        found.append((chosen if action < game.action_count else 0, game.name_of(action)))
    return found
