"""The games in a terminal, as one program: its themes and colours, its screens, and leaving it in good order."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from threading import Thread
from time import sleep
from typing import TYPE_CHECKING, ClassVar

try:
    import termios
except ImportError:  # Windows
    termios = None  # type: ignore[assignment]

from textual.app import App
from textual.binding import Binding
from textual.theme import Theme

from rookery.system import interrupts
from rookery.terminal import palette
from rookery.terminal.menu import Menu
from rookery.terminal.play import Play
from rookery.terminal.replay import Replay
from rookery.terminal.save_store import SaveStore
from rookery.terminal.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from textual.binding import BindingType
    from textual.screen import Screen

    from rookery.core.record import Record
    from rookery.terminal.palette import Palette

HANGUP = getattr(signal, "SIGHUP", signal.SIGTERM)
"""The signal of a terminal that is gone; Windows has none."""
END_SIGNALS = (signal.SIGTERM, HANGUP, signal.SIGINT)
"""Signals that ask the program to end."""
TERMINAL_FD = 0
"""The descriptor of the terminal."""
WATCH_SECONDS = 1.0
"""Seconds after which it is looked whether the terminal is still there."""
ANSI_THEME = "ansi-dark"
"""The theme that leaves colours to the terminal."""


def _theme(name: str, *, dark: bool, accent: str) -> Theme:
    ground, raised, panel = ("#14171f", "#1e222d", "#1e222d") if dark else ("#f7f3ea", "#fffdf8", "#ece5d6")
    return Theme(
        name=name,
        primary=accent,
        accent=accent,
        foreground="#ecebe6" if dark else "#1f1c17",
        background=ground,
        surface=raised,
        panel=panel,
        error="#ff8a80" if dark else "#b3261e",
        success="#5fd495" if dark else "#13713f",
        dark=dark,
    )


class RookeryApp(App[None]):
    """The terminal arcade."""

    TITLE = "Rookery"
    CSS_PATH = "rookery.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave", "Leave", show=False, priority=True),
        Binding("ctrl+q", "leave", "Leave", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", "Pause", show=False),
        Binding("f2", "toggle_theme", "Light or dark", show=False),
    ]

    def __init__(
        self,
        session: Session | None = None,
        record: Record | None = None,
        store: SaveStore | None = None,
        ply: int = 0,
        level: str = "",
        seed: int | None = None,
    ) -> None:
        super().__init__(ansi_color=True if os.environ.get("NO_COLOR") else None)
        self.store = store or SaveStore()
        self.first_session = session
        self.record, self.ply = record, ply
        self.level, self.seed = level, seed
        """The bots against whom games of the menu are played, and the seed, if somebody has chosen them."""
        self.signal: int | None = None
        """The signal that ended the program, if one did."""
        self.opened = self.leaving = False
        """Whether the first screens are up, and whether somebody wants to leave."""
        preferences = self.store.preferences()
        self.dark = preferences.get("look") != "light"
        self.animated = preferences.get("motion") != "off" and self.animation_level != "none"
        for dark in (True, False):
            for name in ("", *palette.ACCENTS[dark]):
                accent = palette.accent(name, dark=dark)
                self.register_theme(_theme(_theme_name(name, dark=dark), dark=dark, accent=accent))
        self.apply_theme("")

    @property
    def colours(self) -> str:
        """What colours there are: `none`, `sixteen` or `many`."""
        if self.no_color:
            return "none"
        return "sixteen" if self.console.color_system in (None, "standard") else "many"

    def palette_for(self, game: str) -> Palette:
        """What a game's board is painted with."""
        if self.colours == "none":
            return palette.MONOCHROME
        return palette.ANSI16 if self.colours == "sixteen" else palette.game_palette(game, dark=self.dark)

    def apply_theme(self, game: str) -> None:
        """Put on the colours of a game, or the app's own."""
        known = game if game in palette.ACCENTS[self.dark] else ""
        self.theme = ANSI_THEME if self.colours != "many" else _theme_name(known, dark=self.dark)

    async def on_mount(self) -> None:
        loop = asyncio.get_running_loop()
        for number in END_SIGNALS:
            with suppress(NotImplementedError, RuntimeError, ValueError):  # not the main thread, or another system
                loop.add_signal_handler(number, self._on_signal, number)
        await self.push_screen(Menu())
        if self.record is not None:
            await self.push_screen(Replay(self.record, self.ply))
        elif self.first_session is not None:
            await self.push_screen(Play(self.first_session))
        self.opened = True
        if self.leaving:
            self.action_leave()

    def start_session(self, session: Session, path: Path | None = None) -> None:
        """Play a game instead of whatever is going on; that is put away."""
        self._save_games()
        while not isinstance(self.screen, Menu):
            self.pop_screen()
        self.push_screen(Play(session, path))

    def open_record(self, record: Record, path: Path | None = None) -> None:
        """Go on with a recorded game; one that was ended otherwise than by the rules can only be looked at."""
        if record.ending is not None:
            self.push_screen(Replay(record))
        else:
            self.start_session(Session.from_record(record), path)

    def _on_signal(self, number: int) -> None:
        self.signal = number
        if terminal_closed(TERMINAL_FD):
            # There is nothing left to put back, and writing would wait for ever.
            self._save_games()
            _end_by_signal(number)
        self.action_leave()

    def action_leave(self) -> None:
        """Keep what is open, and end; screens that are just coming up do so first, for they would miss their parts."""
        self._save_games()
        self.leaving = True
        if self.opened and self.screen.is_mounted:
            self.exit()
        elif self.opened:
            self.screen.call_later(self.exit)

    def _save_games(self) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, Play):
                screen.stop_and_save()

    def action_toggle_theme(self) -> None:
        """Change between light and dark."""
        self.dark = not self.dark
        self.store.set_preferences(look="dark" if self.dark else "light")
        for screen in self.screen_stack:
            self.restyle(screen)

    def restyle(self, screen: Screen[object]) -> None:
        """Put on what a screen wants to be shown in."""
        if isinstance(screen, Play | Replay):
            self.apply_theme(screen.game.name)
            screen.repaint()
        elif isinstance(screen, Menu):
            self.apply_theme("")
            screen.fill()


def _theme_name(game: str, *, dark: bool) -> str:
    return f"rookery-{game or 'base'}-{'dark' if dark else 'light'}"


def run(
    session: Session | None = None,
    record: Record | None = None,
    ply: int = 0,
    level: str = "",
    seed: int | None = None,
) -> int:
    """Open the terminal arcade at its menu, at a table or at a record; return the program's exit code."""
    app = RookeryApp(session, record, None, ply, level, seed)
    Thread(target=_watch_terminal, daemon=True).start()
    app.run()
    if app.signal == signal.SIGINT:  # sent by a program: the key is one of the screen's own
        return interrupts.INTERRUPTED
    if app.signal is not None:
        _end_by_signal(app.signal)
    return app.return_code or 0


def terminal_closed(terminal: int) -> bool:
    """Whether a terminal has been closed, where the system tells."""
    if termios is None:
        return False
    try:
        termios.tcgetattr(terminal)
    except termios.error:
        return True
    return False


def _end_by_signal(number: int) -> None:
    """End by a signal, so that whoever sent it is told that it was followed."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _watch_terminal() -> None:
    """End the program if its terminal is gone and nobody has told it so; every game was kept with its last move."""
    while not terminal_closed(TERMINAL_FD):
        sleep(WATCH_SECONDS)
    sleep(WATCH_SECONDS)
    os._exit(128 + HANGUP)
