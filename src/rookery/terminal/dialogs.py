"""Dialogs: help, and a prompt for a file name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.reactive import reactive
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Markdown, Static

from rookery.core.errors import RecordError, RookeryError
from rookery.terminal.cursor import ARROWS
from rookery.terminal.sidebar import key_label

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from rookery.core.game import Game
    from rookery.core.scene import Scene

T = TypeVar("T")

HELP = Path(__file__).with_name("help.md")


class Field(Input):
    """A text field without a blinking cursor."""

    cursor_blink = reactive(default=False, init=False)


class Help(ModalScreen[None]):
    """The quick rules, and what keys and signs mean."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q", "dismiss", "Close", key_display="esc"),
    ]

    def __init__(self, game: Game, scene: Scene | None) -> None:
        super().__init__()
        self.game, self.scene = game, scene

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog") as page:
            page.border_title = self.game.title
            page.border_subtitle = "Esc closes, arrows scroll"
            yield Markdown(self.page(), open_links=False)

    def page(self) -> str:
        """The help page, in Markdown."""
        rules = "\n\n".join(self.game.quick_rules())
        own: dict[str, str] = {}
        for choice in self.scene.choices if self.scene else ():
            if choice.key:
                key = "arrows" if choice.key in ARROWS else key_label(choice.key)
                own.setdefault(key, choice.role if choice.at or key == "arrows" else choice.label)
            if choice.here:
                own.setdefault(key_label(choice.here), f"{choice.role}, at the cursor")
        rows = "\n".join(f"| {key} | {what} |" for key, what in own.items())
        now = f"\n\n## Now\n\n| key | what it does |\n|---|---|\n{rows}" if rows else ""
        return f"{rules}{now}\n\n{HELP.read_text(encoding='utf-8')}"


class AskFile(ModalScreen[T | None]):
    """Asks for a file name until `attempt` succeeds or the user cancels.

    `attempt` takes the name, and whether the same name was refused the last time; it may raise a `RookeryError`.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Cancel", key_display="esc")]

    def __init__(self, question: str, name: str, button: str, attempt: Callable[[str, bool], T]) -> None:
        super().__init__()
        self.question, self.given, self.button, self.attempt = question, name, button, attempt
        self.refused = ""

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label(self.question, classes="head")
            yield Field(self.given, placeholder="file name", id="name")
            yield Static("", classes="wrong", id="wrong", markup=False)
            with Horizontal(classes="buttons"):
                yield Button(self.button, id="go", variant="primary", compact=True)
                yield Button("Cancel", id="cancel", compact=True)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._try(event.value.strip())

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "go":
            self._try(self.query_one("#name", Field).value.strip())
        else:
            self.dismiss(None)

    def _try(self, name: str) -> None:
        try:
            if not name:
                raise RecordError("Type a file name, or press Esc to cancel.")
            found = self.attempt(name, name == self.refused)
        except RookeryError as problem:
            self.refused = name
            self.query_one("#wrong", Static).update(str(problem))
        else:
            self.dismiss(found)
