"""The screen on which a game is played: what keys and the mouse do, bots that move, and saving after every move."""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding
from textual.worker import Worker, WorkerState

from rookery.core.bot import make_bot
from rookery.core.errors import RookeryError
from rookery.terminal.board import Board
from rookery.terminal.cursor import action_at, place_name
from rookery.terminal.dialogs import AskFile, Help
from rookery.terminal.files import read_record, write_record
from rookery.terminal.form import NewGame
from rookery.terminal.play_text import hint_text
from rookery.terminal.play_view import PlayView
from rookery.terminal.session import Session, random_seed
from rookery.terminal.sidebar import ActionList, key_label

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from textual.binding import BindingType
    from textual.events import Key

    from rookery.core.record import Record
    from rookery.core.scene import Choice
    from rookery.terminal.grid import Place

HINT_LEVEL = "10"
"""The level that gives hints."""
HINT_MS = 1000
"""Milliseconds to search for a hint."""
BOT_PAUSE = 0.4
"""Seconds between moves when bots play each other."""
CHOOSE_TARGET = "Choose where it goes: Tab, then Enter. Esc cancels."


class Play(PlayView):
    """A session that is played on the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "place", "Put here"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("h,H", "hint", "Hint", key_display="h"),
        Binding("u,U", "undo", "Undo", key_display="u"),
        Binding("r", "turn", "Turn"),
        Binding("r,R", "redo", "Redo"),
        Binding("n,N", "new", "New", key_display="n"),
        Binding("o,O", "odds", "Odds", key_display="o"),
        Binding("s,S", "save", "Save", key_display="s"),
        Binding("l,L", "load", "Load", key_display="l"),
        Binding("v,V", "replay", "Replay", key_display="v"),
        Binding("m,M", "motion", "Animation", show=False),
        Binding("a,A", "again", "Again", show=False),
        Binding("pageup", "scroll_side(-1)", show=False),
        Binding("pagedown", "scroll_side(1)", show=False),
        Binding("ctrl+d", "end", "End", show=False),
        Binding("escape", "cancel_pick", "Cancel", key_display="esc"),
        Binding("escape", "menu", "Menu", key_display="esc"),
    ]

    def __init__(self, session: Session, path: Path | None = None) -> None:
        super().__init__(session)
        self.path = path
        """The file of the open game."""
        self._sticky_note = ""
        """A note that stays when bots move."""
        self.changed = False
        """Whether anything has been played, so that the game is worth saving."""
        self._saved_as_finished = False
        self._keys = False, False
        """Whether a wall has been picked up, and whether `r` would pick one up."""

    def on_mount(self) -> None:
        super().on_mount()
        self.session.play_chance()
        self.path = self.path or self.arcade.store.new_path(self.session)
        remarks = dict.fromkeys(bot.remark(self.game) for bot in self.session.bots.values())
        self.note = self._sticky_note = " ".join(filter(None, [self.arcade.store.warning(), *remarks]))
        self.set_interval(0.1, self._update_spinner)
        self.refresh_all(animate=False)
        self.fit(self.size.width, self.size.height)
        self._start_bots()

    # -- playing --

    def on_key(self, event: Key) -> None:
        """Let the board handle the key first."""
        if self.has_class("small"):
            return
        shift = event.key.startswith("shift+")
        key = event.key.removeprefix("shift+")
        if key.isupper() and len(key) == 1 and key.lower() != "r":
            key = key.lower()
        if self.board.press(key, shift=shift):
            event.stop()
            event.prevent_default()

    def on_board_chosen(self, message: Board.Chosen) -> None:
        self._play_choice(message.choice)

    def on_action_list_chosen(self, message: ActionList.Chosen) -> None:
        if message.name in ("again", "replay", "menu") and self.over:
            self.call_later(self.run_action, message.name)
            return
        assert self.scene is not None
        chosen = next((choice for choice in self.scene.choices if choice.action == message.name), None)
        if chosen is not None:
            self._play_choice(chosen)

    def _play_choice(self, choice: Choice) -> None:
        """Play an action chosen by a person."""
        if not self.session.person_to_move or self.ended:
            return
        try:
            self.session.act(self.game.action(choice.action))
        except RookeryError as problem:
            self._set_note(str(problem))
            return
        self._after_move()

    def on_board_view_changed(self) -> None:
        """Describe the place at the pointer in the title, and update the footer."""
        board = self.query_one_optional("#board", Board)
        if self.scene is None or board is None:  # the screen may have been closed
            return
        place = board.pointed
        if place != self._pointed:
            self._pointed, self._place = place, "" if place is None else self._describe(place)
        self._show_title()
        if board.picked is not None and self.note != CHOOSE_TARGET:
            self._set_note(CHOOSE_TARGET)
        elif board.picked is None and self.note == CHOOSE_TARGET:
            self._set_note("")
        if (board.picked is not None, board.can_pick_up) != self._keys:
            self._keys = board.picked is not None, board.can_pick_up
            self.refresh_bindings()

    def _describe(self, place: Place) -> str:
        assert self.scene is not None
        action = action_at(self.scene, place) if self.board.can_act else ""
        if self.board.picked is not None:
            action = "Space puts it here"
        return place_name(self.scene, place) + (f": {action}" if action else "")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enable the keys that fit: some need a picked-up wall, others need that there is none."""
        choosing, can_pick_up = self._keys
        if action in ("place", "cancel_pick"):
            return choosing
        if action in ("new", "odds", "save", "load", "replay"):
            return not choosing
        return can_pick_up if action == "turn" else True

    def action_place(self) -> None:
        """Put the picked-up wall at the cursor."""
        self.board.press("enter")

    def action_cancel_pick(self) -> None:
        """Put the picked-up wall back."""
        self.board.press("escape")

    def action_turn(self) -> None:
        """Pick up the wall at the cursor."""
        self.board.press("r")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Report a bot that failed; the game can go on without it."""
        if event.state == WorkerState.ERROR:
            self.bot_tasks.stop()
            self._set_note(f"The bot failed ({event.worker.error}). Undo or leave; the game is saved.")

    def on_board_refused(self, message: Board.Refused) -> None:
        """Say why an action is illegal."""
        state = self.session.state
        try:
            if message.place is not None:
                action = self.game.pointed(state, message.place)
            else:
                action = self.game.action(message.direction or " ")
        except RookeryError:
            action = None
        if message.key:
            self._set_note(f"{key_label(message.key)} does nothing here.")
        elif action is None and message.direction and self.scene is not None:
            self._set_note(f"You cannot go {message.direction} from here.")
        elif action is not None and not state.legal(action):
            self._set_note(state.why_not(action))

    def _after_move(self) -> None:
        """After a person's move: show it, save it, and let bots reply."""
        self.note, self.advice, self.changed = "", Text(), True
        self.bot_tasks.stop()
        self.refresh_all(animate=True)
        self._save()
        self._start_bots()

    def _save(self) -> None:
        """Save the game, among the finished ones once it is over."""
        if not self.changed or self.path is None:
            return
        over = self.session.state.over
        if over and not self._saved_as_finished:
            self.arcade.store.save_finished(self.path, self.session)
        elif not over:
            self.arcade.store.save_open(self.path, self.session)
        self._saved_as_finished = over
        if warning := self.arcade.store.warning():
            self._sticky_note = warning
            self._set_note(warning)

    def stop_and_save(self) -> None:
        """Stop the bots and save the game."""
        self.bot_tasks.stop()
        self._save()

    def _start_bots(self) -> None:
        """Let bots play until a person is to move."""
        if self.session.state.turn in self.session.bots and not self.ended:
            self.run_worker(
                self._play_bots(self.bot_tasks.generation), group="bots", exclusive=True, exit_on_error=False
            )

    async def _play_bots(self, generation: int) -> None:
        session = self.session
        while session.state.turn in session.bots and generation == self.bot_tasks.generation:
            began, player, state = perf_counter(), session.state.turn, session.state.copy()
            action = await self.bot_tasks.choose(session.bots[player], state, session.bot_streams[player])
            if session.bots_only:
                await asyncio.sleep(max(0.0, BOT_PAUSE - (perf_counter() - began)))
            if generation != self.bot_tasks.generation:
                return
            session.state.play(action)
            session.play_chance()
            self.changed = True
            if self.note != self._sticky_note:
                self.note = ""
            self.refresh_all(animate=True)
            self._save()

    # -- other keys --

    def action_undo(self) -> None:
        """Undo to the last decision of a person."""
        self._undo_or_redo(self.session.undo)

    def action_redo(self) -> None:
        """Redo to the next decision of a person."""
        self._undo_or_redo(self.session.redo)

    def _undo_or_redo(self, step: Callable[[], None]) -> None:
        self.bot_tasks.stop()
        self.ended, self.note, self.advice = False, "", Text()
        try:
            step()
        except RookeryError as problem:
            self.note = str(problem)
        self.refresh_all(animate=False)
        self._save()
        self._start_bots()

    def action_odds(self) -> None:
        """Show or hide odds."""
        self.session.odds = not self.session.odds
        self.note = "Odds are shown." if self.session.odds else "Odds are hidden."
        if self.session.odds and not self.session.scene().shows_odds:
            self.note = "There are no odds to show here."
        self.refresh_all(animate=False)

    def action_scroll_side(self, pages: int) -> None:
        """Scroll the sidebar."""
        side = self.query_one("#side")
        side.scroll_relative(y=pages * max(1, side.size.height - 1), animate=False)

    def action_motion(self) -> None:
        """Toggle animation."""
        self.arcade.animated = not self.arcade.animated
        self.arcade.store.set_preferences(motion="on" if self.arcade.animated else "off")
        self._set_note("Animation is on." if self.arcade.animated else "Animation is off.")

    def action_hint(self) -> None:
        """Ask the strongest level for a hint."""
        if not self.session.person_to_move or self.ended:
            self._set_note("There is no move to suggest now.")
            return
        self.run_worker(self._show_hint(self.bot_tasks.generation), group="hint", exclusive=True, exit_on_error=False)

    async def _show_hint(self, generation: int) -> None:
        state, bot = self.session.state.copy(), make_bot(self.game, HINT_LEVEL)
        self._set_note("Looking for a hint …")
        analysis = await self.bot_tasks.analyse(bot, state, HINT_MS)
        if generation != self.bot_tasks.generation:
            return
        self.note = bot.remark(self.game)
        width = self.query_one("#message").size.width - 1  # a scroll bar may take a column
        self.advice = hint_text(self.game, analysis, bot.unit, self.palette, width)
        self._show_side()
        assert self.scene is not None
        places = {choice.at for choice in self.scene.choices if choice.action == analysis.line[0] and choice.at}
        self.board.show_hint(frozenset(place[-2:] if len(place) == 4 else place for place in places))

    def action_help(self) -> None:
        """Show the quick rules and the keys."""
        self.app.push_screen(Help(self.game, self.scene))

    def action_new(self) -> None:
        """Set up another game."""

        def start(session: Session | None) -> None:
            if session is not None:
                self.arcade.start_session(session)

        self.app.push_screen(NewGame(self.game, self.session.bots), start)

    def action_again(self) -> None:
        """Play the same game again, with the same bots."""
        if self.over:
            session = Session(self.session.state, self.session.bots, random_seed(), self.session.source)
            session.odds = self.session.odds
            session.restart()
            self.arcade.start_session(session)

    def action_save(self) -> None:
        """Save the game to a file."""

        def write(name: str, again: bool) -> str:
            remedy = ", or press Enter again to replace it"
            write_record(name, self.session.record(), replace=again, remedy=remedy)
            return name

        def written(name: str | None) -> None:
            if name is not None:
                self._set_note(f"Saved as {name}.")

        self.app.push_screen(AskFile("Save the game as", f"{self.game.name}.json", "Save", write), written)

    def action_load(self) -> None:
        """Load a game from a file."""

        def read(record: Record | None) -> None:
            if record is not None:
                self.arcade.open_record(record)

        self.app.push_screen(AskFile("Load a game from a file", "", "Open", lambda name, _: read_record(name)), read)

    def action_replay(self) -> None:
        """Replay the game from its start."""
        from rookery.terminal.replay import Replay

        self.app.push_screen(Replay(self.session.record()))

    def action_end(self) -> None:
        """End the game here."""
        if self.over:
            self.action_menu()
            return
        self.bot_tasks.stop()
        self.ended, self.note, self.advice = True, "", Text()
        self.refresh_all(animate=False)

    def action_menu(self) -> None:
        """Return to the menu."""
        self.stop_and_save()
        self.app.pop_screen()
