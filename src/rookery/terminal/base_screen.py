"""Base classes of the screens: any screen, and one with a board and a sidebar."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, cast

from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Footer, Static

from rookery.terminal.board import Board
from rookery.terminal.grid import minimum_size
from rookery.terminal.sidebar import ActionList, LazyText, MessageText, MoveList, Status

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.events import Resize
    from textual.widget import Widget

    from rookery.core.game import Game
    from rookery.core.scene import Scene
    from rookery.terminal.app import RookeryApp
    from rookery.terminal.palette import Palette

SIDE_COLUMNS, SIDE_LINES = 25, 10
"""Columns of a sidebar beside the board, and lines of one below it."""
BAR_LINES = 2
"""Lines of the title bar and the footer together."""


class BaseScreen(Screen[None]):
    """A screen of the app."""

    @property
    def arcade(self) -> RookeryApp:
        """The app, with its own type."""
        return cast("RookeryApp", self.app)


class BoardScreen(BaseScreen):
    """A screen with a board and a sidebar. If the window is too small, it says how large it must be."""

    AUTO_FOCUS = "#board"
    scene: Scene | None = None

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game on the board."""

    @property
    def palette(self) -> Palette:
        return self.arcade.palette_for(self.game.name)

    def compose(self) -> ComposeResult:
        yield LazyText(id="title")
        with Horizontal(id="main"):
            yield Board(id="board")
            with Vertical(id="side"):
                yield MessageText(id="message", markup=False)
                yield LazyText(id="advice", markup=False)
                yield Status(id="status", markup=False)
                yield from self.compose_side()
                yield ActionList(id="actions")
                yield MoveList(id="moves")
        yield Static(id="small", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def compose_side(self) -> list[Widget]:
        """Further widgets of the sidebar."""
        return []

    @property
    def board(self) -> Board:
        return self.query_one("#board", Board)

    def repaint(self) -> None:
        """Redraw with the current palette."""
        self.board.palette = self.palette
        self.refresh_all(animate=False)

    @abstractmethod
    def refresh_all(self, *, animate: bool) -> None:
        """Show the current position."""

    def on_mount(self) -> None:
        self.arcade.apply_theme(self.game.name)
        self.board.palette = self.palette

    def on_screen_resume(self) -> None:
        self.arcade.apply_theme(self.game.name)

    def on_resize(self, event: Resize) -> None:
        self.fit(event.size.width, event.size.height)

    def fit(self, width: int, height: int) -> None:
        """Lay out the board and the sidebar for a window of this size, or say that it is too small."""
        if self.scene is None:
            return
        wide, high = minimum_size(self.scene)
        beside = width >= wide + SIDE_COLUMNS and height >= high + BAR_LINES
        under = width >= max(wide, SIDE_COLUMNS) and height >= high + BAR_LINES + SIDE_LINES
        self.set_class(not beside and under, "tall")
        self.set_class(not beside and not under, "small")
        self.set_class(beside and width >= 110, "wide")
        needed = f"{wide + SIDE_COLUMNS} columns and {high + BAR_LINES} lines"
        self.query_one("#small", Static).update(
            f"{self.game.title} needs a window of {needed}.\nThis one has {width} and {height}: please make it larger."
        )
