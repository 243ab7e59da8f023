"""What all screens of the terminal have in common, and those that show a board even more so."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, cast

from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Footer, Static

from rookery.terminal.board import Board
from rookery.terminal.grid import least
from rookery.terminal.sidebar import Moves, Notice, Offers, Slip, Standing

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.events import Resize
    from textual.widget import Widget

    from rookery.core.game import Game
    from rookery.core.scene import Scene
    from rookery.terminal.app import Rookery
    from rookery.terminal.palette import Palette

SIDE, LOW_SIDE = 25, 10
"""Columns of what stands beside the board, and its lines where it stands below."""
AROUND = 2
"""Lines of the title and of the keys."""


class Room(Screen[None]):
    """A screen of the house."""

    @property
    def house(self) -> Rookery:
        """The program."""
        return cast("Rookery", self.app)


class BoardRoom(Room):
    """A screen with a board and what stands beside it. It says so where the window is too small for it."""

    AUTO_FOCUS = "#board"
    scene: Scene | None = None

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game that is shown."""

    @property
    def palette(self) -> Palette:
        return self.house.palette_for(self.game.name)

    def compose(self) -> ComposeResult:
        yield Slip(id="title")
        with Horizontal(id="table"):
            yield Board(id="board")
            with Vertical(id="side"):
                yield Notice(id="message", markup=False)
                yield Slip(id="advice", markup=False)
                yield Standing(id="standing", markup=False)
                yield from self.compose_side()
                yield Offers(id="offers")
                yield Moves(id="moves")
        yield Static(id="small", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def compose_side(self) -> list[Widget]:
        """What else stands beside the board."""
        return []

    @property
    def board(self) -> Board:
        return self.query_one("#board", Board)

    def repaint(self) -> None:
        """Show the same in other colours."""
        self.board.palette = self.palette
        self.refresh_all(moving=False)

    @abstractmethod
    def refresh_all(self, *, moving: bool) -> None:
        """Show the position as it is now."""

    def on_mount(self) -> None:
        self.house.dress(self.game.name)
        self.board.palette = self.palette

    def on_screen_resume(self) -> None:
        self.house.dress(self.game.name)

    def on_resize(self, event: Resize) -> None:
        self.fit(event.size.width, event.size.height)

    def fit(self, width: int, height: int) -> None:
        """Arrange board and side for a window of this size, or say what it lacks."""
        if self.scene is None:
            return
        wide, high = least(self.scene)
        beside = width >= wide + SIDE and height >= high + AROUND
        under = width >= max(wide, SIDE) and height >= high + AROUND + LOW_SIDE
        self.set_class(not beside and under, "tall")
        self.set_class(not beside and not under, "small")
        self.set_class(beside and width >= 110, "wide")
        needed = f"{wide + SIDE} columns and {high + AROUND} lines"
        self.query_one("#small", Static).update(
            f"{self.game.title} needs a window of {needed}.\nThis one has {width} and {height}: please make it larger."
        )
