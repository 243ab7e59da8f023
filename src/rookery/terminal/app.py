"""The full-screen app: themes, the stack of screens, signals, and a clean exit."""

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

from rookery.core.palette import theme
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
"""The signal sent when the terminal closes; Windows has none."""
END_SIGNALS = (signal.SIGTERM, HANGUP, signal.SIGINT)
"""Signals that ask the program to end."""
TERMINAL_FD = 0
"""File descriptor of the terminal."""
WATCH_SECONDS = 1.0
"""Seconds between checks that the terminal is still open."""
ANSI_THEME = "ansi-dark"
"""The theme that leaves colours to the terminal."""


def _theme(name: str, *, dark: bool, accent: str) -> Theme:
    colours = theme(dark=dark)
    return Theme(
        name=name,
        primary=accent,
        accent=accent,
        foreground=colours.ink,
        background=colours.ground,
        surface=colours.raised,
        panel=colours.raised if dark else colours.sunk,
        error=colours.bad,
        success=colours.good,
        dark=dark,
    )


class RookeryApp(App[None]):
    """The terminal arcade."""

    TITLE = "Rookery"
    CSS_PATH = "rookery.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave", "Quit", show=False, priority=True),
        Binding("ctrl+q", "leave", "Quit", show=False, priority=True),
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
        """The level of bots and the seed for games started from the menu, if given on the command line."""
        self.signal: int | None = None
        """The signal that ended the program, if one did."""
        self.opened = self.leaving = False
        """Whether the first screens are mounted, and whether the user wants to quit."""
        preferences = self.store.preferences()
        self.dark = preferences.get("look") != "light"
        self.animated = preferences.get("motion") != "off" and self.animation_level != "none"
        for dark in (True, False):
            for name in ("", *theme(dark=dark).accents):
                accent = theme(dark=dark).accent_of(name)
                self.register_theme(_theme(_theme_name(name, dark=dark), dark=dark, accent=accent))
        self.apply_theme("")

    @property
    def colours(self) -> str:
        """The colours available: `none`, `sixteen` or `many`."""
        if self.no_color:
            return "none"
        return "sixteen" if self.console.color_system in (None, "standard") else "many"

    def palette_for(self, game: str) -> Palette:
        """The palette of a game's board."""
        if self.colours == "none":
            return palette.MONOCHROME
        return palette.ANSI16 if self.colours == "sixteen" else palette.game_palette(game, dark=self.dark)

    def apply_theme(self, game: str) -> None:
        """Apply a game's theme, or the default theme."""
        known = game if game in theme(dark=self.dark).accents else ""
        self.theme = ANSI_THEME if self.colours != "many" else _theme_name(known, dark=self.dark)

    async def on_mount(self) -> None:
        loop = asyncio.get_running_loop()
        for number in END_SIGNALS:
            # Not in the main thread, or not on this system.
            with suppress(NotImplementedError, RuntimeError, ValueError):
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
        """Save the current game, if any, and play this one."""
        self._save_games()
        while not isinstance(self.screen, Menu):
            self.pop_screen()
        self.push_screen(Play(session, path))

    def open_record(self, record: Record, path: Path | None = None) -> None:
        """Resume a recorded game. One that ended early, by resignation for example, is only replayed."""
        if record.ending is not None:
            self.push_screen(Replay(record))
        else:
            self.start_session(Session.from_record(record), path)

    def _on_signal(self, number: int) -> None:
        self.signal = number
        if terminal_closed(TERMINAL_FD):
            # The terminal is gone: there are no settings to restore, and a write would block for ever.
            self._save_games()
            _end_by_signal(number)
        self.action_leave()

    def action_leave(self) -> None:
        """Save open games and quit. Wait for a screen that is still mounting: it fails if its widgets disappear."""
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
        """Toggle light and dark."""
        self.dark = not self.dark
        self.store.set_preferences(look="dark" if self.dark else "light")
        for screen in self.screen_stack:
            self.restyle(screen)

    def restyle(self, screen: Screen[object]) -> None:
        """Apply a screen's theme and repaint it."""
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
    """Run the app, starting at the menu, a game or a replay; return the exit code."""
    app = RookeryApp(session, record, None, ply, level, seed)
    Thread(target=_watch_terminal, daemon=True).start()
    app.run()
    if app.signal == signal.SIGINT:  # sent by a program; Ctrl-C is a key binding
        return interrupts.INTERRUPTED
    if app.signal is not None:
        _end_by_signal(app.signal)
    return app.return_code or 0


def terminal_closed(terminal: int) -> bool:
    """Whether a terminal has been closed, as far as the system can tell."""
    if termios is None:
        return False
    try:
        termios.tcgetattr(terminal)
    except termios.error:
        return True
    return False


def _end_by_signal(number: int) -> None:
    """End by the signal's default action, so that the parent process sees which signal it was."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _watch_terminal() -> None:
    """End the program if the terminal has closed without a signal. Every game was saved after its last move."""
    while not terminal_closed(TERMINAL_FD):
        sleep(WATCH_SECONDS)
    sleep(WATCH_SECONDS)
    os._exit(128 + HANGUP)
