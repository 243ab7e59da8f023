"""The widgets beside a board: messages, players and scores, clickable actions, and the list of moves."""

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
from rookery.terminal.board import to_rich

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.events import Click, Leave, MouseMove

    from rookery.core.game import Game
    from rookery.core.scene import Panel, Scene
    from rookery.terminal.palette import Palette

KEY_LABELS = {"up": "↑", "right": "→", "down": "↓", "left": "←", "space": "space", "esc": "Esc", "r": "r"}
"""Labels of keys that are not shown in capitals; `R` and `r` are different keys."""
MAX_DETAILED = 2
"""Players up to this number show all their figures; of more, only the player to move does."""
MAX_NAME = 12
"""Longest name shown."""


def key_label(key: str) -> str:
    """A key's label."""
    return KEY_LABELS.get(key, key.upper())


class LazyText(Static):
    """A text that updates only when it changes, because a new layout takes longer than a key press should."""

    text: Text | None = None
    min_lines: int = 0
    """Minimum number of lines."""

    def set_text(self, text: Text) -> None:
        """Show a text."""
        if self.text is not None and (text.plain, text.spans, text.style) == (
            self.text.plain,
            self.text.spans,
            self.text.style,
        ):
            return
        before, self.text = self.text, text
        self.update(text, layout=before is None or self._lines(before) != self._lines(text))

    def _lines(self, text: Text) -> int:
        return max(self.min_lines, len(text.wrap(self.app.console, max(1, self.size.width))))


class MessageText(LazyText):
    """The scene's message and a note, with a minimum height so that the widgets below rarely move."""

    DEFAULT_CSS: ClassVar[str] = "MessageText { height: auto; min-height: 5; }"
    min_lines = 5


class Status(LazyText):
    """The players, their figures, and a legend of signs on the board."""

    _shown: tuple[Scene, str, Palette, str] | None = None
    _legend: Text = Text()

    def show(self, scene: Scene, alone: str, palette: Palette, status: str) -> None:
        """Show the players; `alone` is the player of a game for one. `status` follows the player to move."""
        if self._shown is None or self._shown[0] is not scene or self._shown[2] is not palette:
            self._legend = _legend(scene, palette)
        self._shown = scene, alone, palette, status
        self._render_text()

    def on_resize(self) -> None:
        self._render_text()

    def _render_text(self) -> None:
        if self._shown is None:
            return
        scene, alone, palette, status = self._shown
        text = Text()
        accent = to_rich(palette.accent)
        many, digits = len(scene.players) > MAX_DETAILED, len(str(len(scene.players)))
        for owner, title in enumerate(scene.players, start=1):
            here = owner == scene.turn
            panels = [panel for panel in scene.panels if panel.owner == owner]
            text.append("▸" if here else " ", accent)
            text.append(f" {owner:{digits}} ", to_rich(palette.player(owner)))
            first = f"{panels[0].label} {panels[0].value}" if many and panels else title
            text.append(f" {first}", Style(bold=here))
            name, sign = f"  {shortened(title, MAX_NAME)}", f" {status}" if here and status else ""
            if many and (not sign or len(f"{first}{name}{sign}") + digits + 4 <= self.size.width):
                text.append(name, to_rich(palette.muted))
            text.append(f"{sign}\n", accent)
            if here or not many:
                text.append_text(self._panels(panels[many:], palette, " " * (4 if many else 5)))
        if not scene.players and status:
            text.append(f"{alone} {status}\n", accent)
        text.append_text(self._panels([panel for panel in scene.panels if panel.owner == 0], palette, ""))
        text.append_text(self._legend)
        text.rstrip()
        self.set_text(text)

    def _panels(self, panels: list[Panel], palette: Palette, indent: str) -> Text:
        """One line for each panel, or two if the value does not fit beside its label."""
        text = Text()
        for panel in panels:
            fits = len(f"{indent}{panel.label}: {panel.value}") <= self.size.width
            text.append(f"{indent}{panel.label}:" + (" " if fits else f"\n{indent}"), to_rich(palette.muted))
            text.append(f"{panel.value}\n", Style(bold=True))
        return text


def _legend(scene: Scene, palette: Palette) -> Text:
    """The meaning of signs that are not obvious."""
    text = Text()
    marks = {(mark.role, mark.number) for cell in scene.cells for mark in cell.marks}
    rings = sorted(number for role, number in marks if role == "ring")
    if rings:
        text.append("Rings by round: ", to_rich(palette.muted))
        for number in rings:
            text.append(str(number), to_rich(replace(palette.round(number), bold=True)))
        text.append("\n")
    if any(role == "golden" for role, _ in marks):
        text.append("◆ golden move possible\n", to_rich(palette.muted))
    return text


class ActionList(Widget):
    """Actions without a place on the board, one a line, with their keys; they can be clicked."""

    DEFAULT_CSS: ClassVar[str] = "ActionList { height: auto; }"

    class Chosen(Message):
        """An action was clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.actions: list[tuple[str, str, str]] = []
        self._palette: Palette | None = None
        self._over = -1

    def show(self, actions: list[tuple[str, str, str]], palette: Palette) -> None:
        """Show actions, each with its name, label and key."""
        if (actions, palette) != (self.actions, self._palette):
            self.refresh(layout=len(actions) != len(self.actions))
            self.actions, self._palette = actions, palette

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        return len(self.actions)

    def render_line(self, y: int) -> Strip:
        if self._palette is None or not 0 <= y < len(self.actions):
            return Strip.blank(self.size.width, self.rich_style)
        _, label, key = self.actions[y]
        sign = key_label(key)
        accent = to_rich(self._palette.accent)
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
        if 0 <= event.y < len(self.actions):
            self.post_message(self.Chosen(self.actions[event.y][0]))


class MoveList(Widget):
    """The last moves, as many as fit."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self.moves: Sequence[tuple[int, str]] = ()
        self._palette: Palette | None = None

    def show(self, moves: Sequence[tuple[int, str]], palette: Palette) -> None:
        """Show moves by number and name; chance has number 0."""
        self.moves, self._palette = moves, palette
        self.refresh()

    def render(self) -> Text:
        """The last moves that fit the current size."""
        wide, high = max(8, self.size.width), max(1, self.size.height)
        soft = to_rich(self._palette.muted) if self._palette is not None else Style()
        moves = [
            Text.assemble((f"{number}. ", soft), name) if number else Text(name, soft)
            for number, name in self.moves[-(wide * high // 4 + 1) :]
        ]
        return Text("\n").join(flow(moves, wide)[-high:])


def flow(pieces: Sequence[Text], wide: int) -> list[Text]:
    """Short texts side by side, as many in a row as fit."""
    rows: list[Text] = []
    for piece in pieces:
        if rows and len(rows[-1]) + len(piece) + 2 <= wide:
            rows[-1].append("  ").append_text(piece)
        else:
            rows.append(piece.copy())
    return rows


def number_moves(game: Game, actions: Sequence[int]) -> list[tuple[int, str]]:
    """Actions with their numbers, in words; only players' actions count, chance has number 0."""
    found = []
    chosen = 0
    for action in actions:
        chosen += action < game.action_count
        found.append((chosen if action < game.action_count else 0, game.phrase(action)))
    return found
