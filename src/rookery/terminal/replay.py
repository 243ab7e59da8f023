"""The replay screen: step through a recorded game by keys, with a progress bar, or automatically."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.text import Text
from textual.binding import Binding
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from rookery.terminal.base_screen import BoardScreen
from rookery.terminal.board import to_rich
from rookery.terminal.dialogs import Help
from rookery.terminal.session import Session, recorded_names
from rookery.terminal.sidebar import ActionList, LazyText, MoveList, Status, number_moves

if TYPE_CHECKING:
    from textual.binding import BindingType
    from textual.events import Click, MouseEvent, MouseMove
    from textual.timer import Timer

    from rookery.core.game import Game
    from rookery.core.names import Names
    from rookery.core.record import Record
    from rookery.core.state import State
    from rookery.terminal.palette import Palette

SECONDS_PER_PLY = 0.5
"""Pace of automatic replay."""
PAGE_PLIES = 10
"""Plies that Page Up and Page Down jump."""


class Scrubber(Widget):
    """A progress bar from the start of the game to its end."""

    class Moved(Message):
        """A ply was chosen on the bar."""

        def __init__(self, ply: int) -> None:
            super().__init__()
            self.ply = ply

    def __init__(self, plies: int, id: str | None = None) -> None:
        super().__init__(id=id)
        self.plies, self.ply = plies, plies
        self.palette: Palette | None = None

    def show(self, ply: int, palette: Palette) -> None:
        """Move the mark to a ply."""
        self.ply, self.palette = ply, palette
        self.refresh()

    @property
    def bar_width(self) -> int:
        """Columns of the bar without the count."""
        return max(2, self.size.width - len(self._count()) - 1)

    def _count(self) -> str:
        return f"{self.ply}/{self.plies}"

    def render_line(self, y: int) -> Strip:
        if self.palette is None or y:
            return Strip.blank(self.size.width, self.rich_style)
        at = round(self.ply * (self.bar_width - 1) / self.plies) if self.plies else 0
        accent, soft = to_rich(self.palette.accent), to_rich(self.palette.muted)
        segments = [
            Segment("━" * at, accent),
            Segment("●", accent),
            Segment("─" * (self.bar_width - at - 1), soft),
            Segment(f" {self._count()}"),
        ]
        return Strip(segments).apply_style(self.rich_style).adjust_cell_length(self.size.width, self.rich_style)

    def _post_ply(self, x: int) -> None:
        fraction = min(1.0, max(0.0, x / max(1, self.bar_width - 1)))
        self.post_message(self.Moved(round(fraction * self.plies)))

    def on_click(self, event: Click) -> None:
        self._on_pointer(event)

    def on_mouse_move(self, event: MouseMove) -> None:
        if event.button:
            self._on_pointer(event)

    def _on_pointer(self, event: MouseEvent) -> None:
        inside = event.get_content_offset(self)
        if inside is not None:
            self._post_ply(inside.x)


class Replay(BoardScreen):
    """A recorded game that is replayed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "go(-1)", "Back", key_display="←"),
        Binding("right", "go(1)", "Forward", key_display="→"),
        Binding("pageup", f"go(-{PAGE_PLIES})", show=False),
        Binding("pagedown", f"go({PAGE_PLIES})", show=False),
        Binding("home", "start", "Start"),
        Binding("end", "finish", "End"),
        Binding("space", "run", "Auto"),
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
        self.moves = number_moves(record.game, self.plies)
        while self.ply > ply:
            self.state.undo()
        self.odds = False
        self._timer: Timer | None = None

    @property
    def game(self) -> Game:
        return self.record.game

    @property
    def ply(self) -> int:
        return self.state.ply

    def compose_side(self) -> list[Widget]:
        return [Scrubber(len(self.record.plies), id="scrubber")]

    def on_mount(self) -> None:
        super().on_mount()
        self.refresh_all(animate=False)
        self.fit(self.size.width, self.size.height)

    def refresh_all(self, *, animate: bool) -> None:
        self.scene = self.state.scene(0, odds=self.odds, names=self.names)
        self.board.read_only = True
        self.board.show(self.scene, can_act=False, animate=animate and self.arcade.animated)
        title = Text.assemble((" ♜ ", to_rich(self.palette.accent)), self.scene.title)
        self.query_one("#title", LazyText).set_text(title)
        last = self.game.phrase(self.plies[self.ply - 1]) if self.ply else "Start"
        message = Text(f"{last}\n", to_rich(self.palette.accent))
        message.append(self.scene.message)
        if self.record.ended and self.ply == len(self.plies):
            message.append(f"\n{self.record.ended}")
        self.query_one("#message", LazyText).set_text(message)
        self.query_one("#status", Status).show(self.scene, "", self.palette, "")
        self.query_one("#scrubber", Scrubber).show(self.ply, self.palette)
        self.query_one("#moves", MoveList).show(self.moves[: self.ply], self.palette)
        actions = [("play_on", "play on from here", "p")] if not self.state.over else []
        self.query_one("#actions", ActionList).show([*actions, ("close", "close", "esc")], self.palette)

    @property
    def names(self) -> Names:
        """What the players are called."""
        return recorded_names(type(self.game), self.record.players)

    def go_to(self, ply: int, *, animate: bool = False) -> None:
        """Show the position after a ply."""
        ply = min(len(self.plies), max(0, ply))
        while self.ply > ply:
            self.state.undo()
        while self.ply < ply:
            self.state.play(self.plies[self.ply])
        self.refresh_all(animate=animate)

    def on_scrubber_moved(self, message: Scrubber.Moved) -> None:
        self._stop()
        self.go_to(message.ply)

    def on_action_list_chosen(self, message: ActionList.Chosen) -> None:
        self.call_later(self.run_action, message.name)

    def action_go(self, plies: int) -> None:
        self._stop()
        self.go_to(self.ply + plies, animate=plies == 1)

    def action_start(self) -> None:
        self._stop()
        self.go_to(0)

    def action_finish(self) -> None:
        self._stop()
        self.go_to(len(self.plies))

    def action_run(self) -> None:
        """Start or stop automatic replay."""
        if self._timer is not None:
            self._stop()
            return
        if self.ply == len(self.plies):
            self.go_to(0)
        self._timer = self.set_interval(SECONDS_PER_PLY, self._next)

    def _next(self) -> None:
        if self._timer is None:  # stopped while this tick was queued
            return
        self.go_to(self.ply + 1, animate=True)
        if self.ply == len(self.plies):
            self._stop()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = None

    def action_help(self) -> None:
        self.app.push_screen(Help(self.game, None))

    def action_odds(self) -> None:
        self.odds = not self.odds
        self.refresh_all(animate=False)

    def action_play_on(self) -> None:
        """Play on from the position shown."""
        if self.state.over:
            return
        self._stop()
        self.arcade.start_session(Session.from_record(self.record, self.ply))

    def action_close(self) -> None:
        self._stop()
        self.app.pop_screen()
