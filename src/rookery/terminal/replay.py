"""A recorded game looked at: forth and back, by keys, by a bar, or by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.text import Text
from textual.binding import Binding
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from rookery.core.bot import make_bot
from rookery.core.errors import RookeryError
from rookery.terminal.board import style_of
from rookery.terminal.dialogs import Help
from rookery.terminal.play import bot_name
from rookery.terminal.room import BoardRoom
from rookery.terminal.sidebar import Moves, Offers, Slip, Standing, numbered
from rookery.terminal.sitting import BOT, Sitting

if TYPE_CHECKING:
    from textual.binding import BindingType
    from textual.events import Click, MouseEvent, MouseMove
    from textual.timer import Timer

    from rookery.core.game import Game
    from rookery.core.record import Record
    from rookery.core.state import State
    from rookery.terminal.palette import Palette

PACE = 0.5
"""Seconds for a ply when the game runs by itself."""
LEAP = 10
"""Plies that a page of keys goes."""


class Scrubber(Widget):
    """A bar from the start of a game to its end, with a mark where one is."""

    class Moved(Message):
        """Another ply was pointed at."""

        def __init__(self, ply: int) -> None:
            super().__init__()
            self.ply = ply

    def __init__(self, plies: int, id: str | None = None) -> None:
        super().__init__(id=id)
        self.plies, self.ply = plies, plies
        self.palette: Palette | None = None

    def show(self, ply: int, palette: Palette) -> None:
        """Move the mark."""
        self.ply, self.palette = ply, palette
        self.refresh()

    @property
    def room(self) -> int:
        """Columns of the bar itself; the rest is for the count."""
        return max(2, self.size.width - len(self._count()) - 1)

    def _count(self) -> str:
        return f"{self.ply}/{self.plies}"

    def render_line(self, y: int) -> Strip:
        if self.palette is None or y:
            return Strip.blank(self.size.width, self.rich_style)
        at = round(self.ply * (self.room - 1) / self.plies) if self.plies else 0
        accent, soft = style_of(self.palette.accent), style_of(self.palette.soft)
        segments = [
            Segment("━" * at, accent),
            Segment("●", accent),
            Segment("─" * (self.room - at - 1), soft),
            Segment(f" {self._count()}"),
        ]
        return Strip(segments).apply_style(self.rich_style).adjust_cell_length(self.size.width, self.rich_style)

    def _point(self, x: int) -> None:
        share = min(1.0, max(0.0, x / max(1, self.room - 1)))
        self.post_message(self.Moved(round(share * self.plies)))

    def on_click(self, event: Click) -> None:
        self._follow(event)

    def on_mouse_move(self, event: MouseMove) -> None:
        if event.button:
            self._follow(event)

    def _follow(self, event: MouseEvent) -> None:
        inside = event.get_content_offset(self)
        if inside is not None:
            self._point(inside.x)


class Replay(BoardRoom):
    """A record on the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1)", "Back", key_display="←"),
        Binding("right", "go(1)", "Forth", key_display="→"),
        Binding("pageup", f"go(-{LEAP})", show=False),
        Binding("pagedown", f"go({LEAP})", show=False),
        Binding("home", "start", "Start"),
        Binding("end", "finish", "End"),
        Binding("space", "run", "Run"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("o", "odds", "Odds"),
        Binding("p", "play_on", "Play on"),
        Binding("escape,q", "close", "Close", key_display="esc"),
    ]

    def __init__(self, record: Record, ply: int = 0) -> None:
        super().__init__()
        self.record = record
        self.state: State = record.replay()
        self.plies = self.state.history
        self.moves = numbered(record.game, self.plies)
        while self.ply > ply:
            self.state.undo()
        self.odds = False
        self._clock: Timer | None = None

    @property
    def game(self) -> Game:
        return self.record.game

    @property
    def ply(self) -> int:
        return len(self.state.history)

    def compose_side(self) -> list[Widget]:
        return [Scrubber(len(self.record.plies), id="scrubber")]

    def on_mount(self) -> None:
        super().on_mount()
        self.refresh_all(moving=False)
        self.fit(self.size.width, self.size.height)

    def refresh_all(self, *, moving: bool) -> None:
        self.scene = self.state.scene(0, odds=self.odds)
        self.board.watched = True
        self.board.show(self.scene, mine=False, moving=moving and self.house.moving)
        title = Text.assemble((" ♜ ", style_of(self.palette.accent)), self.scene.title)
        self.query_one("#title", Slip).write(title)
        last = self.game.name_of(self.plies[self.ply - 1]) if self.ply else "the start"
        message = Text(f"{last}\n", style_of(self.palette.accent))
        message.append(self.scene.message)
        if self.record.ended and self.ply == len(self.plies):
            message.append(f"\n{self.record.ended}")
        self.query_one("#message", Slip).write(message)
        names = [self._known_as(name) for name in self.record.players]
        self.query_one("#standing", Standing).show(self.scene, names, self.palette, "")
        self.query_one("#scrubber", Scrubber).show(self.ply, self.palette)
        self.query_one("#moves", Moves).show(self.moves[: self.ply], self.palette)
        offers = [("play_on", "play on from here", "p")] if not self.state.over else []
        self.query_one("#offers", Offers).show([*offers, ("close", "close", "esc")], self.palette)

    def _known_as(self, name: str) -> str:
        """A player's name; a bot's is its level, where it has one."""
        if not name.startswith(BOT):
            return name or "unknown"
        try:
            return bot_name(type(self.game), make_bot(self.game, name.removeprefix(BOT)))
        except RookeryError:
            return name.removeprefix(BOT)

    def to(self, ply: int, *, moving: bool = False) -> None:
        """Go to a ply."""
        ply = min(len(self.plies), max(0, ply))
        while self.ply > ply:
            self.state.undo()
        while self.ply < ply:
            self.state.play(self.plies[self.ply])
        self.refresh_all(moving=moving)

    def on_scrubber_moved(self, message: Scrubber.Moved) -> None:
        self._halt()
        self.to(message.ply)

    def on_offers_taken(self, message: Offers.Taken) -> None:
        self.call_later(self.run_action, message.name)

    def action_go(self, plies: int) -> None:
        self._halt()
        self.to(self.ply + plies, moving=plies == 1)

    def action_start(self) -> None:
        self._halt()
        self.to(0)

    def action_finish(self) -> None:
        self._halt()
        self.to(len(self.plies))

    def action_run(self) -> None:
        """Let the game run by itself, or halt it."""
        if self._clock is not None:
            self._halt()
            return
        if self.ply == len(self.plies):
            self.to(0)
        self._clock = self.set_interval(PACE, self._next)

    def _next(self) -> None:
        if self._clock is None:  # halted while this beat was on its way
            return
        self.to(self.ply + 1, moving=True)
        if self.ply == len(self.plies):
            self._halt()

    def _halt(self) -> None:
        if self._clock is not None:
            self._clock.stop()
        self._clock = None

    def action_help(self) -> None:
        self.app.push_screen(Help(self.game, None))

    def action_odds(self) -> None:
        self.odds = not self.odds
        self.refresh_all(moving=False)

    def action_play_on(self) -> None:
        """Take the game up from the position that is shown."""
        if self.state.over:
            return
        self._halt()
        self.house.sit_down(Sitting.of(self.record, self.ply))

    def action_close(self) -> None:
        self._halt()
        self.app.pop_screen()
