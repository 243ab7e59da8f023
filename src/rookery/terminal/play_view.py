"""The screen of a game, as far as it shows something; `play.py` adds what keys and the mouse do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from rookery.terminal.base_screen import BoardScreen
from rookery.terminal.board import to_rich
from rookery.terminal.bot_tasks import BotTasks
from rookery.terminal.play_text import result_text
from rookery.terminal.sidebar import ActionList, LazyText, MoveList, Status, number_moves

if TYPE_CHECKING:
    from rookery.core.game import Game
    from rookery.terminal.grid import Place
    from rookery.terminal.session import Session


class PlayView(BoardScreen):
    """A session: its board, message, status, actions and moves."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.bot_tasks = BotTasks()
        self.ended = False
        """Whether the player has ended the game before its end by the rules."""
        self.note = ""
        """Shown below the scene's message: why an action is refused, what was saved."""
        self.advice = Text()
        """The hint, if there is one."""
        self._pointed: Place | None = None
        self._place = ""
        """Describes the place at the pointer and what can be done there."""
        self._announced = ("", "", "")
        """The texts shown last; new text is scrolled into view."""

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def over(self) -> bool:
        return self.ended or self.session.state.over

    def refresh_all(self, *, animate: bool) -> None:
        if self.query_one_optional("#board") is None:  # a key may arrive before the screen is mounted
            return
        state = self.session.state
        self.scene = self.session.scene()
        can_act = self.session.person_to_move and not self.ended
        self.board.show(self.scene, can_act=can_act, animate=animate and self.arcade.animated)
        self._pointed, self._place = self.board.pointed, ""
        self._show_title()
        self._show_side()
        chosen = [action for action in state.history if action < self.game.action_count]
        self.query_one("#moves", MoveList).show(number_moves(self.game, chosen), self.palette)

    def _show_title(self) -> None:
        """Show the game with its options and seed, or describe the place at the pointer."""
        assert self.scene is not None
        name = self.game.title if self._place else self.scene.title
        title = Text.assemble((" ♜ ", to_rich(self.palette.accent)), name)
        more, part = self._place or f"seed {self.session.seed}", self.board.visible_part
        title.append(f"   {more}" + (f"   {part}" if part else ""), to_rich(self.palette.muted))
        self.query_one("#title", LazyText).set_text(title)

    def _show_side(self) -> None:
        if self.scene is None:
            return
        message = self.result_message if self.over else self.scene.message
        text = Text(message, to_rich(self.palette.accent) if self.over else "")
        if self.note:
            text.append(f"\n{self.note}", to_rich(self.palette.gold))
        self.query_one("#message", LazyText).set_text(text)
        self._show_status()
        choices = [] if self.ended or not self.session.person_to_move else self.scene.choices
        actions = [(choice.action, choice.label, choice.key) for choice in choices if not choice.at]
        if self.over:
            actions = [
                ("again", "play again", "a"),
                ("replay", "watch the replay", "v"),
                ("menu", "other games", "esc"),
            ]
        self.query_one("#actions", ActionList).show(actions, self.palette)
        advice_text = self.query_one("#advice", LazyText)
        advice_text.display = bool(self.advice)
        advice_text.set_text(self.advice)
        if (message, self.note, self.advice.plain) != self._announced:
            self._announced = message, self.note, self.advice.plain
            self.query_one("#side").scroll_home(animate=False)

    def _show_status(self) -> None:
        assert self.scene is not None
        alone = "" if self.scene.players else self.session.names.of(1)
        self.query_one("#status", Status).show(
            self.scene, alone, self.palette, self.bot_tasks.status(animate=self.arcade.animated)
        )

    def _update_spinner(self) -> None:
        if self.bot_tasks.tokens and self.scene is not None:
            self._show_status()

    @property
    def result_message(self) -> str:
        """The result, or the standing if the player has ended the game early."""
        assert self.scene is not None
        names = ["you" if name == "You" else name for name in self.session.names.all(self.game.players)]
        return result_text(self.session.state, self.scene, names)

    def _set_note(self, note: str) -> None:
        self.note = note
        self._show_side()
