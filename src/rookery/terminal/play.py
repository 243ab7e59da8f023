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
from rookery.terminal.board import Board, style_of
from rookery.terminal.cursor import deed_at, name_of
from rookery.terminal.dialogs import AskFile, Help
from rookery.terminal.files import read_record, write_record
from rookery.terminal.form import NewGame
from rookery.terminal.room import BoardRoom
from rookery.terminal.sidebar import Moves, Offers, Slip, Standing, in_rows, key_sign, numbered
from rookery.terminal.sitting import Sitting, fresh_seed
from rookery.terminal.thinking import Thinking

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

ADVISER = "10"
"""The level that gives hints."""
ADVICE = 1000
"""Milliseconds for a hint."""
WATCHED = 0.4
"""Seconds between two moves where bots play each other."""
CHOOSING = "Choose where it goes: Tab, then Enter; Esc lets go."
SHOWN = 6
"""Moves of a bot's line that are shown, and of its candidates."""


class Play(BoardRoom):
    """A sitting on the screen."""

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
        Binding("escape", "let_go", "Let go", key_display="esc"),
        Binding("escape", "menu", "Menu", key_display="esc"),
    ]

    def __init__(self, sitting: Sitting, path: Path | None = None) -> None:
        super().__init__()
        self.sitting = sitting
        self.path = path
        """Where the game is kept while it is open."""
        self.note = ""
        """What there is to say beside the scene's message: why something cannot be done, what was saved."""
        self._lasting = ""
        """What there is to say that stays when bots move."""
        self.advice = Text()
        self.ended = False
        """Whether the person has ended a game that could go on."""
        self.begun = False
        """Whether anybody has done anything, so that the game is worth keeping."""
        self._kept = False
        self._pointed: Place | None = None
        self._place = ""
        """What one points at and what can be done there, if one does."""
        self._keys = False, False
        """Whether something has been taken up, and whether `r` would do so."""
        self._told = ("", "", "")
        """What was said last; what is new is scrolled to."""
        self.thinking = Thinking()

    @property
    def game(self) -> Game:
        return self.sitting.game

    @property
    def over(self) -> bool:
        return self.ended or self.sitting.state.over

    def on_mount(self) -> None:
        super().on_mount()
        self.sitting.settle()
        self.path = self.path or self.house.shelf.place_for(self.sitting)
        remarks = dict.fromkeys(bot.remark(self.game) for bot in self.sitting.seats.values())
        self.note = self._lasting = " ".join(filter(None, [self.house.shelf.complaint(), *remarks]))
        self.set_interval(0.1, self._spin)
        self.refresh_all(moving=False)
        self.fit(self.size.width, self.size.height)
        self._others()

    # -- showing --

    def refresh_all(self, *, moving: bool) -> None:
        if self.query_one_optional("#board") is None:  # keys may come before the screen does
            return
        state = self.sitting.state
        self.scene = state.scene(max(state.turn, 0), odds=self.sitting.odds)
        mine = self.sitting.persons and not self.ended
        self.board.show(self.scene, mine=mine, moving=moving and self.house.moving)
        self._pointed, self._place = self.board.pointed, ""
        self._show_title()
        self._show_side()
        chosen = [action for action in state.history if action < self.game.action_count]
        self.query_one("#moves", Moves).show(numbered(self.game, chosen), self.palette)

    def _show_title(self) -> None:
        """The game with its options and seed, or what one points at."""
        assert self.scene is not None
        name = self.game.title if self._place else self.scene.title
        title = Text.assemble((" ♜ ", style_of(self.palette.accent)), name)
        more, part = self._place or f"seed {self.sitting.seed}", self.board.part
        title.append(f"   {more}" + (f"   {part}" if part else ""), style_of(self.palette.soft))
        self.query_one("#title", Slip).write(title)

    def _show_side(self) -> None:
        if self.scene is None:
            return
        message = self.final if self.over else self.scene.message
        text = Text(message, style_of(self.palette.accent) if self.over else "")
        if self.note:
            text.append(f"\n{self.note}", style_of(self.palette.gold))
        self.query_one("#message", Slip).write(text)
        self._show_standing()
        choices = [] if self.ended or not self.sitting.persons else self.scene.choices
        offers = [(choice.action, choice.label, choice.key) for choice in choices if not choice.at]
        if self.over:
            offers = [("again", "play again", "a"), ("review", "look at it again", "v"), ("menu", "other games", "esc")]
        self.query_one("#offers", Offers).show(offers, self.palette)
        advice = self.advice if self.advice or not self.sitting.odds else self._odds()
        slip = self.query_one("#advice", Slip)
        slip.display = bool(advice)
        slip.write(advice)
        if (message, self.note, advice.plain) != self._told:
            self._told = message, self.note, advice.plain
            self.query_one("#side").scroll_home(animate=False)

    def _show_standing(self) -> None:
        assert self.scene is not None
        names = [self._sitter(player) for player in range(1, self.game.players + 1)]
        self.query_one("#standing", Standing).show(
            self.scene, names, self.palette, self.thinking.sign(moving=self.house.moving)
        )

    def _sitter(self, player: int) -> str:
        """Who plays: you, a person, or a bot by its level."""
        if player not in self.sitting.seats:
            return "you" if len(self.sitting.seats) == self.game.players - 1 else "person"
        return bot_name(type(self.game), self.sitting.seats[player])

    def _spin(self) -> None:
        if self.thinking.tokens and self.scene is not None:
            self._show_standing()

    @property
    def final(self) -> str:
        """How it ended: as the rules say, or as it stood when the person ended it."""
        state = self.sitting.state
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
        self._do(message.choice)

    def on_offers_taken(self, message: Offers.Taken) -> None:
        if message.name in ("again", "review", "menu") and self.over:
            self.call_later(self.run_action, message.name)
            return
        assert self.scene is not None
        chosen = next((choice for choice in self.scene.choices if choice.action == message.name), None)
        if chosen is not None:
            self._do(chosen)

    def _do(self, choice: Choice) -> None:
        """Play what a person chose."""
        if not self.sitting.persons or self.ended:
            return
        try:
            self.sitting.act(self.game.action(choice.action))
        except RookeryError as problem:
            self._say(str(problem))
            return
        self._moved()

    def on_board_looked(self) -> None:
        """Say in words what one points at and what can be done there, and what keys do now."""
        board = self.query_one_optional("#board", Board)
        if self.scene is None or board is None:  # the screen may be gone already
            return
        place = board.pointed
        if place != self._pointed:
            self._pointed, self._place = place, "" if place is None else self._told_of(place)
        self._show_title()
        if board.picked is not None and self.note != CHOOSING:
            self._say(CHOOSING)
        elif board.picked is None and self.note == CHOOSING:
            self._say("")
        if (board.picked is not None, board.turnable) != self._keys:
            self._keys = board.picked is not None, board.turnable
            self.refresh_bindings()

    def _told_of(self, place: Place) -> str:
        assert self.scene is not None
        deed = deed_at(self.scene, place) if self.board.mine else ""
        if self.board.picked is not None:
            deed = "Space puts it here"
        return name_of(self.scene, place) + (f": {deed}" if deed else "")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Some keys mean something only while a wall can be taken up, or has been; others wait until it is put down."""
        choosing, turnable = self._keys
        if action in ("place", "let_go"):
            return choosing
        if action in ("new", "odds", "save", "load", "review"):
            return not choosing
        return turnable if action == "turn" else True

    def action_place(self) -> None:
        """Put what was taken up where the cursor is."""
        self.board.press("enter")

    def action_let_go(self) -> None:
        """Leave what was taken up where it was."""
        self.board.press("escape")

    def action_turn(self) -> None:
        """Take up the wall at the cursor."""
        self.board.press("r")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A bot that breaks down is told of, and the game can go on without it."""
        if event.state == WorkerState.ERROR:
            self.thinking.stop()
            self._say(f"The bot cannot go on ({event.worker.error}). Take back, or leave; the game is kept.")

    def on_board_refused(self, message: Board.Refused) -> None:
        """Explain why something cannot be done."""
        state = self.sitting.state
        try:
            if message.place is not None:
                action = self.game.pointed(state, message.place)
            else:
                action = self.game.action(message.way or " ")
        except RookeryError:
            action = None
        if message.key:
            self._say(f"Nothing can be done there with {key_sign(message.key)}.")
        elif action is None and message.way and self.scene is not None:
            self._say(f"There is no way {message.way} from here.")
        elif action is not None and not state.legal(action):
            self._say(state.why_not(action))

    def _say(self, note: str) -> None:
        self.note = note
        self._show_side()

    def _moved(self) -> None:
        """Something happened: show it, keep it, and let the others answer."""
        self.note, self.advice, self.begun = "", Text(), True
        self.thinking.stop()
        self.refresh_all(moving=True)
        self._keep()
        self._others()

    def _keep(self) -> None:
        """Keep the game as it is: among the finished ones once it is over."""
        if not self.begun or self.path is None:
            return
        over = self.sitting.state.over
        if over and not self._kept:
            self.house.shelf.keep_finished(self.path, self.sitting)
        elif not over:
            self.house.shelf.keep_open(self.path, self.sitting)
        self._kept = over
        if complaint := self.house.shelf.complaint():
            self._lasting = complaint
            self._say(complaint)

    def put_away(self) -> None:
        """Leave the table: nobody thinks any more, and the game is kept."""
        self.thinking.stop()
        self._keep()

    def _others(self) -> None:
        """Let bots play until a person is to move."""
        if self.sitting.state.turn in self.sitting.seats and not self.ended:
            self.run_worker(self._answers(self.thinking.turn), group="bots", exclusive=True, exit_on_error=False)

    async def _answers(self, turn: int) -> None:
        sitting = self.sitting
        while sitting.state.turn in sitting.seats and turn == self.thinking.turn:
            began, player, state = perf_counter(), sitting.state.turn, sitting.state.copy()
            action = await self.thinking.choose(sitting.seats[player], state, sitting.minds[player])
            if sitting.watched:
                await asyncio.sleep(max(0.0, WATCHED - (perf_counter() - began)))
            if turn != self.thinking.turn:
                return
            sitting.state.play(action)
            sitting.settle()
            self.begun = True
            if self.note != self._lasting:
                self.note = ""
            self.refresh_all(moving=True)
            self._keep()

    # -- what else there is --

    def action_undo(self) -> None:
        """Back to the last decision."""
        self._back_or_forth(self.sitting.undo)

    def action_redo(self) -> None:
        """Forth again."""
        self._back_or_forth(self.sitting.redo)

    def _back_or_forth(self, go: Callable[[], None]) -> None:
        self.thinking.stop()
        self.ended, self.note, self.advice = False, "", Text()
        try:
            go()
        except RookeryError as problem:
            self.note = str(problem)
        self.refresh_all(moving=False)
        self._keep()
        self._others()

    def action_odds(self) -> None:
        """Show or hide chances."""
        self.sitting.odds = not self.sitting.odds
        self.note = "Chances are shown." if self.sitting.odds else "Chances are hidden."
        if self.sitting.odds and not self._odds():
            self.note = "There are no chances to show here."
        self.refresh_all(moving=False)

    def _odds(self) -> Text:
        """The chances of what may be done next, which small cells have no room for."""
        text = Text()
        scene = self.sitting.state.scene(max(self.sitting.state.turn, 0), odds=self.sitting.odds)
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
        self.house.moving = not self.house.moving
        self.house.shelf.like(motion="on" if self.house.moving else "off")
        self._say("Things move on their way." if self.house.moving else "Nothing moves on its way.")

    def action_hint(self) -> None:
        """Ask the strongest level."""
        if not self.sitting.persons or self.ended:
            self._say("There is nothing to decide for you now.")
            return
        self.run_worker(self._advised(self.thinking.turn), group="hint", exclusive=True, exit_on_error=False)

    async def _advised(self, turn: int) -> None:
        state, bot = self.sitting.state.copy(), make_bot(self.game, ADVISER)
        self._say("A bot is looking at it.")
        analysis = await self.thinking.analyse(bot, state, ADVICE)
        if turn != self.thinking.turn:
            return
        self.note = bot.remark(self.game)
        self.advice = self._advice(analysis, bot.unit)
        self._show_side()
        assert self.scene is not None
        places = {choice.at for choice in self.scene.choices if choice.action == analysis.line[0] and choice.at}
        self.board.advise(frozenset(place[-2:] if len(place) == 4 else place for place in places))

    def _advice(self, analysis: Analysis, unit: str) -> Text:
        """What a bot thinks, in a few lines."""
        text, soft = Text(), style_of(self.palette.soft)
        text.append(f"Hint: {analysis.line[0]}\n", style_of(self.palette.accent))
        text.append(f"{analysis.verdict(unit)}\n")
        if len(analysis.line) > 1:
            more = " …" if len(analysis.line) > SHOWN else ""
            text.append(f"then {', '.join(analysis.line[1:SHOWN])}{more}\n", soft)
        for label, fact in analysis.facts:
            text.append(f"{label}: {fact}\n")
        # A bar beside the text may take a column.
        wide = self.query_one("#message").size.width - 1
        rest = [Text(each, soft) for each in others(analysis)[: SHOWN - 1]]
        text.append_text(Text("\n").join(in_rows(rest, wide)))
        text.rstrip()
        return text

    def action_help(self) -> None:
        """The rules in a minute, and the keys."""
        self.app.push_screen(Help(self.game, self.scene))

    def action_new(self) -> None:
        """Choose options and seats for another game."""

        def begun(sitting: Sitting | None) -> None:
            if sitting is not None:
                self.house.sit_down(sitting)

        self.app.push_screen(NewGame(self.game, self.sitting.seats), begun)

    def action_again(self) -> None:
        """Play the same game again, with the same others."""
        if self.over:
            sitting = Sitting(self.sitting.state, self.sitting.seats, fresh_seed(), self.sitting.source)
            sitting.odds = self.sitting.odds
            sitting.restart()
            self.house.sit_down(sitting)

    def action_save(self) -> None:
        """Keep the game in a file of the person's choice."""

        def write(name: str, again: bool) -> str:
            remedy = ", or press Enter again to replace it"
            write_record(name, self.sitting.record(), replace=again, remedy=remedy)
            return name

        def written(name: str | None) -> None:
            if name is not None:
                self._say(f"Saved as {name}.")

        self.app.push_screen(AskFile("Save the game as", f"{self.game.name}.json", "Save", write), written)

    def action_load(self) -> None:
        """Take up a game in a file."""

        def read(record: Record | None) -> None:
            if record is not None:
                self.house.take_up(record)

        self.app.push_screen(AskFile("Take up the game in", "", "Open", lambda name, _: read_record(name)), read)

    def action_review(self) -> None:
        """Look at the game from its start."""
        from rookery.terminal.replay import Replay

        self.app.push_screen(Replay(self.sitting.record()))

    def action_end(self) -> None:
        """End the game here."""
        if self.over:
            self.action_menu()
            return
        self.thinking.stop()
        self.ended, self.note, self.advice = True, "", Text()
        self.refresh_all(moving=False)

    def action_menu(self) -> None:
        """Leave the table."""
        self.put_away()
        self.app.pop_screen()


@cache
def bot_name(game: type[Game], bot: Bot) -> str:
    """A bot by its level if it has one, else by its own name."""
    levels = {make_bot(game, str(level)): level for level in range(1, len(game.levels()) + 1)}
    return f"level {levels[bot]}" if bot in levels else str(bot)
