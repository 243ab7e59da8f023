"""A game being played: a person acts by keys or mouse, bots think beside, and everything is kept as it happens."""

from __future__ import annotations

import asyncio
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding
from textual.worker import Worker, WorkerState

from rookery.core.bot import make_bot
from rookery.core.errors import RookeryError
from rookery.core.notation import counted, plain
from rookery.core.wording import others
from rookery.terminal.base_screen import BoardScreen
from rookery.terminal.board import Board, to_rich
from rookery.terminal.bot_tasks import BotTasks
from rookery.terminal.cursor import action_at, place_name
from rookery.terminal.dialogs import AskFile, Help
from rookery.terminal.files import read_record, write_record
from rookery.terminal.form import NewGame
from rookery.terminal.session import Session, random_seed
from rookery.terminal.sidebar import ActionList, LazyText, MoveList, Status, flow, key_label, number_moves

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from textual.binding import BindingType
    from textual.events import Key

    from rookery.core.bot import Analysis, Bot
    from rookery.core.game import Game
    from rookery.core.record import Record
    from rookery.core.scene import Choice
    from rookery.terminal.grid import Place

HINT_LEVEL = "10"
"""The level that gives hints."""
HINT_MS = 1000
"""Milliseconds for a hint."""
BOT_PAUSE = 0.4
"""Seconds between two moves where bots play each other."""
CHOOSE_TARGET = "Choose where it goes: Tab, then Enter; Esc lets go."
MAX_SHOWN = 6
"""MoveList of a bot's line that are shown, and of its candidates."""


class Play(BoardScreen):
    """A session on the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "place", "Put it here"),
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("h,H", "hint", "Hint", key_display="h"),
        Binding("u,U", "undo", "Undo", key_display="u"),
        Binding("r", "turn", "Turn"),
        Binding("r,R", "redo", "Redo"),
        Binding("n,N", "new", "New", key_display="n"),
        Binding("o,O", "odds", "Odds", key_display="o"),
        Binding("s,S", "save", "Save", key_display="s"),
        Binding("l,L", "load", "Load", key_display="l"),
        Binding("v,V", "review", "Replay", key_display="v"),
        Binding("m,M", "motion", "Motion", show=False),
        Binding("a,A", "again", "Again", show=False),
        Binding("pageup", "scroll_side(-1)", show=False),
        Binding("pagedown", "scroll_side(1)", show=False),
        Binding("ctrl+d", "end", "End", show=False),
        Binding("escape", "cancel_pick", "Let go", key_display="esc"),
        Binding("escape", "menu", "Menu", key_display="esc"),
    ]

    def __init__(self, session: Session, path: Path | None = None) -> None:
        super().__init__()
        self.session = session
        self.path = path
        """Where the game is kept while it is open."""
        self.note = ""
        """What there is to say beside the scene's message: why something cannot be done, what was saved."""
        self._sticky_note = ""
        """What there is to say that stays when bots move."""
        self.advice = Text()
        self.ended = False
        """Whether the person has ended a game that could go on."""
        self.changed = False
        """Whether anybody has done anything, so that the game is worth keeping."""
        self._saved_as_finished = False
        self._pointed: Place | None = None
        self._place = ""
        """What one points at and what can be done there, if one does."""
        self._keys = False, False
        """Whether something has been taken up, and whether `r` would do so."""
        self._announced = ("", "", "")
        """What was said last; what is new is scrolled to."""
        self.bot_tasks = BotTasks()

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def over(self) -> bool:
        return self.ended or self.session.state.over

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

    # -- showing --

    def refresh_all(self, *, animate: bool) -> None:
        if self.query_one_optional("#board") is None:  # keys may come before the screen does
            return
        state = self.session.state
        self.scene = state.scene(max(state.turn, 0), odds=self.session.odds)
        can_act = self.session.person_to_move and not self.ended
        self.board.show(self.scene, can_act=can_act, animate=animate and self.arcade.animated)
        self._pointed, self._place = self.board.pointed, ""
        self._show_title()
        self._show_side()
        chosen = [action for action in state.history if action < self.game.action_count]
        self.query_one("#moves", MoveList).show(number_moves(self.game, chosen), self.palette)

    def _show_title(self) -> None:
        """The game with its options and seed, or what one points at."""
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
                ("review", "look at it again", "v"),
                ("menu", "other games", "esc"),
            ]
        self.query_one("#actions", ActionList).show(actions, self.palette)
        advice = self.advice if self.advice or not self.session.odds else self._odds()
        advice_text = self.query_one("#advice", LazyText)
        advice_text.display = bool(advice)
        advice_text.set_text(advice)
        if (message, self.note, advice.plain) != self._announced:
            self._announced = message, self.note, advice.plain
            self.query_one("#side").scroll_home(animate=False)

    def _show_status(self) -> None:
        assert self.scene is not None
        names = [self._player_name(player) for player in range(1, self.game.players + 1)]
        self.query_one("#status", Status).show(
            self.scene, names, self.palette, self.bot_tasks.status(animate=self.arcade.animated)
        )

    def _player_name(self, player: int) -> str:
        """Who plays: you, a person, or a bot by its level."""
        if player not in self.session.bots:
            return "you" if len(self.session.bots) == self.game.players - 1 else "person"
        return bot_label(type(self.game), self.session.bots[player])

    def _update_spinner(self) -> None:
        if self.bot_tasks.tokens and self.scene is not None:
            self._show_status()

    @property
    def result_message(self) -> str:
        """How it ended: as the rules say, or as it stood when the person ended it."""
        state = self.session.state
        assert self.scene is not None
        if state.over:
            return self.scene.message
        scores = state.scores()
        best = [player for player, score in enumerate(scores, start=1) if score == max(scores)]
        if len(scores) == 1:
            return f"You have ended the game, with {counted(plain(scores[0]), 'point')}."
        if not any(scores):
            return "You have ended the game; nobody has won."
        names = [self.scene.players[player - 1] for player in best]
        if len(names) == 1:
            return f"You have ended the game. {names[0]} wins."
        return f"You have ended the game. A draw between {', '.join(names[:-1])} and {names[-1]}."

    # -- playing --

    def on_key(self, event: Key) -> None:
        """Keys of the scene and of the cursor come first."""
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
        if message.name in ("again", "review", "menu") and self.over:
            self.call_later(self.run_action, message.name)
            return
        assert self.scene is not None
        chosen = next((choice for choice in self.scene.choices if choice.action == message.name), None)
        if chosen is not None:
            self._play_choice(chosen)

    def _play_choice(self, choice: Choice) -> None:
        """Play what a person chose."""
        if not self.session.person_to_move or self.ended:
            return
        try:
            self.session.act(self.game.action(choice.action))
        except RookeryError as problem:
            self._set_note(str(problem))
            return
        self._after_move()

    def on_board_view_changed(self) -> None:
        """Say in words what one points at and what can be done there, and what keys do now."""
        board = self.query_one_optional("#board", Board)
        if self.scene is None or board is None:  # the screen may be gone already
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
        """Some keys mean something only while a wall can be taken up, or has been; others wait until it is put down."""
        choosing, turnable = self._keys
        if action in ("place", "cancel_pick"):
            return choosing
        if action in ("new", "odds", "save", "load", "review"):
            return not choosing
        return turnable if action == "turn" else True

    def action_place(self) -> None:
        """Put what was taken up where the cursor is."""
        self.board.press("enter")

    def action_cancel_pick(self) -> None:
        """Leave what was taken up where it was."""
        self.board.press("escape")

    def action_turn(self) -> None:
        """Take up the wall at the cursor."""
        self.board.press("r")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A bot that breaks down is told of, and the game can go on without it."""
        if event.state == WorkerState.ERROR:
            self.bot_tasks.stop()
            self._set_note(f"The bot cannot go on ({event.worker.error}). Take back, or leave; the game is kept.")

    def on_board_refused(self, message: Board.Refused) -> None:
        """Explain why something cannot be done."""
        state = self.session.state
        try:
            if message.place is not None:
                action = self.game.pointed(state, message.place)
            else:
                action = self.game.action(message.direction or " ")
        except RookeryError:
            action = None
        if message.key:
            self._set_note(f"Nothing can be done there with {key_label(message.key)}.")
        elif action is None and message.direction and self.scene is not None:
            self._set_note(f"There is no way {message.direction} from here.")
        elif action is not None and not state.legal(action):
            self._set_note(state.why_not(action))

    def _set_note(self, note: str) -> None:
        self.note = note
        self._show_side()

    def _after_move(self) -> None:
        """Something happened: show it, keep it, and let the others answer."""
        self.note, self.advice, self.changed = "", Text(), True
        self.bot_tasks.stop()
        self.refresh_all(animate=True)
        self._save()
        self._start_bots()

    def _save(self) -> None:
        """Keep the game as it is: among the finished ones once it is over."""
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
        """Leave the table: nobody thinks any more, and the game is kept."""
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

    # -- what else there is --

    def action_undo(self) -> None:
        """Back to the last decision."""
        self._travel(self.session.undo)

    def action_redo(self) -> None:
        """Forth again."""
        self._travel(self.session.redo)

    def _travel(self, go: Callable[[], None]) -> None:
        self.bot_tasks.stop()
        self.ended, self.note, self.advice = False, "", Text()
        try:
            go()
        except RookeryError as problem:
            self.note = str(problem)
        self.refresh_all(animate=False)
        self._save()
        self._start_bots()

    def action_odds(self) -> None:
        """Show or hide chances."""
        self.session.odds = not self.session.odds
        self.note = "Chances are shown." if self.session.odds else "Chances are hidden."
        if self.session.odds and not self._odds():
            self.note = "There are no chances to show here."
        self.refresh_all(animate=False)

    def _odds(self) -> Text:
        """The chances of what may be done next, which small cells have no room for."""
        text = Text()
        scene = self.session.state.scene(max(self.session.state.turn, 0), odds=self.session.odds)
        for choice in scene.choices:
            for spot in choice.at[:1]:
                odds = [mark.text for mark in scene.cell(*spot).marks if mark.role == "odds"]
                text.append(f"{choice.action} {odds[0]}%\n" if odds else "")
        return text

    def action_scroll_side(self, way: int) -> None:
        """Scroll what stands beside the board."""
        side = self.query_one("#side")
        side.scroll_relative(y=way * max(1, side.size.height - 1), animate=False)

    def action_motion(self) -> None:
        """Have things move on their way, or not."""
        self.arcade.animated = not self.arcade.animated
        self.arcade.store.set_preferences(motion="on" if self.arcade.animated else "off")
        self._set_note("Things move on their way." if self.arcade.animated else "Nothing moves on its way.")

    def action_hint(self) -> None:
        """Ask the strongest level."""
        if not self.session.person_to_move or self.ended:
            self._set_note("There is nothing to decide for you now.")
            return
        self.run_worker(self._show_advice(self.bot_tasks.generation), group="hint", exclusive=True, exit_on_error=False)

    async def _show_advice(self, generation: int) -> None:
        state, bot = self.session.state.copy(), make_bot(self.game, HINT_LEVEL)
        self._set_note("A bot is looking at it.")
        analysis = await self.bot_tasks.analyse(bot, state, HINT_MS)
        if generation != self.bot_tasks.generation:
            return
        self.note = bot.remark(self.game)
        self.advice = self._advice(analysis, bot.unit)
        self._show_side()
        assert self.scene is not None
        places = {choice.at for choice in self.scene.choices if choice.action == analysis.line[0] and choice.at}
        self.board.show_hint(frozenset(place[-2:] if len(place) == 4 else place for place in places))

    def _advice(self, analysis: Analysis, unit: str) -> Text:
        """What a bot thinks, in a few lines."""
        text, soft = Text(), to_rich(self.palette.muted)
        text.append(f"Hint: {analysis.line[0]}\n", to_rich(self.palette.accent))
        text.append(f"{analysis.verdict(unit)}\n")
        if len(analysis.line) > 1:
            more = " …" if len(analysis.line) > MAX_SHOWN else ""
            text.append(f"then {', '.join(analysis.line[1:MAX_SHOWN])}{more}\n", soft)
        for label, fact in analysis.facts:
            text.append(f"{label}: {fact}\n")
        # A bar beside the text may take a column.
        wide = self.query_one("#message").size.width - 1
        rest = [Text(each, soft) for each in others(analysis)[: MAX_SHOWN - 1]]
        text.append_text(Text("\n").join(flow(rest, wide)))
        text.rstrip()
        return text

    def action_help(self) -> None:
        """The rules in a minute, and the keys."""
        self.app.push_screen(Help(self.game, self.scene))

    def action_new(self) -> None:
        """Choose options and seats for another game."""

        def changed(session: Session | None) -> None:
            if session is not None:
                self.arcade.start_session(session)

        self.app.push_screen(NewGame(self.game, self.session.bots), changed)

    def action_again(self) -> None:
        """Play the same game again, with the same others."""
        if self.over:
            session = Session(self.session.state, self.session.bots, random_seed(), self.session.source)
            session.odds = self.session.odds
            session.restart()
            self.arcade.start_session(session)

    def action_save(self) -> None:
        """Keep the game in a file of the person's choice."""

        def write(name: str, again: bool) -> str:
            remedy = ", or press Enter again to replace it"
            write_record(name, self.session.record(), replace=again, remedy=remedy)
            return name

        def written(name: str | None) -> None:
            if name is not None:
                self._set_note(f"Saved as {name}.")

        self.app.push_screen(AskFile("Save the game as", f"{self.game.name}.json", "Save", write), written)

    def action_load(self) -> None:
        """Take up a game in a file."""

        def read(record: Record | None) -> None:
            if record is not None:
                self.arcade.open_record(record)

        self.app.push_screen(AskFile("Take up the game in", "", "Open", lambda name, _: read_record(name)), read)

    def action_review(self) -> None:
        """Look at the game from its start."""
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
        """Leave the table."""
        self.stop_and_save()
        self.app.pop_screen()


@cache
def bot_label(game: type[Game], bot: Bot) -> str:
    """A bot by its level if it has one, else by its own name."""
    levels = {make_bot(game, str(level)): level for level in range(1, len(game.levels()) + 1)}
    return f"level {levels[bot]}" if bot in levels else str(bot)
