"""A game being played: a person acts by keys or mouse, bots think beside, and everything is kept as it happens."""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding

from rookery.core.bot import Budget, make_bot
from rookery.core.errors import RookeryError
from rookery.terminal.board import style_of
from rookery.terminal.dialogs import AskFile, Help
from rookery.terminal.files import read_record, write_record
from rookery.terminal.form import NewGame
from rookery.terminal.room import BoardRoom
from rookery.terminal.sidebar import Moves, Offers, Slip, Standing
from rookery.terminal.sitting import Sitting

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from textual.binding import BindingType
    from textual.events import Key

    from rookery.core.bot import Analysis, Bot
    from rookery.core.game import Game
    from rookery.core.scene import Choice
    from rookery.terminal.board import Board

ADVISER = "10"
"""The level that gives hints."""
ADVICE = 1000
"""Milliseconds for a hint."""
WATCHED = 0.4
"""Seconds between two moves where bots play each other."""
SPIN = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
SHOWN = 6
"""Moves of a bot's line that are shown, and of its candidates."""


class Play(BoardRoom):
    """A sitting on the screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("h", "hint", "Hint"),
        Binding("u", "undo", "Undo"),
        Binding("r,R", "redo", "Redo", key_display="r"),
        Binding("n", "new", "New"),
        Binding("o", "odds", "Odds"),
        Binding("s", "save", "Save"),
        Binding("l", "load", "Load"),
        Binding("v", "review", "Replay"),
        Binding("m", "motion", "Motion", show=False),
        Binding("ctrl+d", "end", "End", show=False),
        Binding("escape", "menu", "Menu", key_display="esc"),
    ]

    def __init__(self, sitting: Sitting, path: Path | None = None) -> None:
        super().__init__()
        self.sitting = sitting
        self.path = path
        """Where the game is kept while it is open."""
        self.note = ""
        """What there is to say beside the scene's message: why something cannot be done, what was saved."""
        self.advice = Text()
        self.ended = False
        """Whether the person has ended a game that could go on."""
        self.begun = False
        """Whether anybody has done anything, so that the game is worth keeping."""
        self._kept = False
        self._thought: Budget | None = None
        self._since = 0.0
        self._turn = 0
        """Counts what makes a thought that is under way pointless."""

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
        self.note = " ".join(filter(None, remarks))
        self.set_interval(0.1, self._spin)
        self.refresh_all(moving=False)
        self.fit(self.size.width, self.size.height)
        self._others()

    # -- showing --

    def refresh_all(self, *, moving: bool) -> None:
        state = self.sitting.state
        self.scene = state.scene(max(state.turn, 0), odds=self.sitting.odds)
        mine = self.sitting.persons and not self.ended
        self.board.show(self.scene, mine=mine, moving=moving and self.house.moving)
        title = Text.assemble((" ♜ ", style_of(self.palette.accent)), self.scene.title)
        title.append(f"   seed {self.sitting.seed}", style_of(self.palette.soft))
        self.query_one("#title", Slip).write(title)
        self._show_side()
        names = [self.game.name_of(action) for action in state.history if action < self.game.action_count]
        self.query_one("#moves", Moves).show(names, self.palette)

    def _show_side(self) -> None:
        assert self.scene is not None
        message = self.final if self.over else self.scene.message
        text = Text(message, style_of(self.palette.accent) if self.over else "")
        if self.note:
            text.append(f"\n{self.note}", style_of(self.palette.gold))
        self.query_one("#message", Slip).write(text)
        self._show_standing()
        choices = [] if self.ended or not self.sitting.persons else self.scene.choices
        offers = [(choice.action, choice.label, choice.key) for choice in choices if not choice.at]
        if self.over:
            offers = [("new", "play again", "n"), ("review", "look at it again", "v"), ("menu", "other games", "esc")]
        self.query_one("#offers", Offers).show(offers, self.palette)
        self.query_one("#advice", Slip).write(self.advice)

    def _show_standing(self) -> None:
        assert self.scene is not None
        names = [self._sitter(player) for player in range(1, self.game.players + 1)]
        self.query_one("#standing", Standing).show(self.scene, names, self.palette, self._thinking())

    def _sitter(self, player: int) -> str:
        """Who plays: you, a person, or a bot by its level."""
        if player not in self.sitting.seats:
            return "you" if len(self.sitting.seats) == self.game.players - 1 else "person"
        return bot_name(self.game, self.sitting.seats[player])

    def _thinking(self) -> str:
        if self._thought is None:
            return ""
        passed = perf_counter() - self._since
        sign = SPIN[int(passed * 10) % len(SPIN)] if self.house.moving else "…"
        return f"{sign} {passed:.0f} s" if passed >= 1 else sign

    def _spin(self) -> None:
        if self._thought is not None and self.scene is not None:
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
        if len(scores) == 1 or not any(scores):
            return "You have ended the game." if len(scores) == 1 else "You have ended the game; nobody has won."
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
        if message.name in ("new", "review", "menu") and self.over:
            self.call_later(self.run_action, message.name)
            return
        assert self.scene is not None
        for choice in self.scene.choices:
            if choice.action == message.name:
                self._do(choice)

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

    def on_board_refused(self, message: Board.Refused) -> None:
        """Explain why something cannot be done."""
        state = self.sitting.state
        try:
            if message.place is not None:
                action = self.game.pointed(state, message.place)
            else:
                action = self.game.action(message.way)
        except RookeryError:
            action = None
        if action is None and message.way and self.scene is not None:
            self._say(f"There is no way {message.way} from here.")
        elif action is not None and not state.legal(action):
            self._say(state.why_not(action))

    def _say(self, note: str) -> None:
        self.note = note
        self._show_side()

    def _moved(self) -> None:
        """Something happened: show it, keep it, and let the others answer."""
        self.note, self.advice, self.begun = "", Text(), True
        self._turn += 1
        self.refresh_all(moving=True)
        self._keep()
        self._others()

    def _keep(self) -> None:
        """Keep the game as it is: among the finished ones once it is over."""
        assert self.path is not None
        if not self.begun:
            return
        if self.sitting.state.over:
            if not self._kept:
                self.house.shelf.keep_finished(self.path, self.sitting)
            self._kept = True
        else:
            self.house.shelf.keep_open(self.path, self.sitting)

    def put_away(self) -> None:
        """Leave the table: nobody thinks any more, and the game is kept."""
        self._stop_thinking()
        self._keep()

    def _others(self) -> None:
        """Let bots play until a person is to move."""
        if self.sitting.state.turn in self.sitting.seats and not self.ended:
            self.run_worker(self._answers(self._turn), group="bots", exclusive=True, exit_on_error=False)

    async def _answers(self, turn: int) -> None:
        sitting = self.sitting
        while sitting.state.turn in sitting.seats and turn == self._turn:
            began = perf_counter()
            bot = sitting.seats[sitting.state.turn]
            try:
                action = await asyncio.to_thread(self._chosen, bot, sitting)
            except RookeryError as problem:
                self._thought = None
                self._say(str(problem))
                return
            if turn != self._turn or action is None:
                return
            self._thought = None
            if sitting.watched:
                await asyncio.sleep(max(0.0, WATCHED - (perf_counter() - began)))
                if turn != self._turn:
                    return
            sitting.state.play(action)
            sitting.settle()
            self.begun = True
            self.refresh_all(moving=True)
            self._keep()

    def _chosen(self, bot: Bot, sitting: Sitting) -> int | None:
        """What a bot does, found on a thread of its own; None if nobody wants to know any more."""
        self._since = perf_counter()
        waiting = self._thought = Budget()
        bot.ready(sitting.game)
        if waiting.cancelled:
            return None
        budget = self._thought = Budget(bot.ms, bot.nodes)
        action = sitting.reply(budget)
        return None if budget.cancelled else action

    def _stop_thinking(self) -> None:
        """Let whoever thinks come to an end, and take no notice of what comes of it."""
        self._turn += 1
        if self._thought is not None:
            self._thought.cancel()
        self._thought = None

    # -- what else there is --

    def action_undo(self) -> None:
        """Back to the last decision."""
        self._back_or_forth(self.sitting.undo)

    def action_redo(self) -> None:
        """Forth again."""
        self._back_or_forth(self.sitting.redo)

    def _back_or_forth(self, go: Callable[[], None]) -> None:
        self._stop_thinking()
        self.ended = False
        try:
            go()
        except RookeryError as problem:
            self._say(str(problem))
        else:
            self.note, self.advice = "", Text()
            self.refresh_all(moving=False)
            self._keep()
        self._others()

    def action_odds(self) -> None:
        """Show or hide chances."""
        self.sitting.odds = not self.sitting.odds
        self.note = "Chances are shown." if self.sitting.odds else "Chances are hidden."
        self.refresh_all(moving=False)

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
        self.run_worker(self._advised(self._turn), group="hint", exclusive=True, exit_on_error=False)

    async def _advised(self, turn: int) -> None:
        state = self.sitting.state.copy()
        bot = make_bot(self.game, ADVISER)
        self._since = perf_counter()
        self._thought = Budget()
        self._say("A bot is looking at it.")

        def think() -> Analysis:
            bot.ready(state.game)
            budget = self._thought = Budget(ADVICE)
            return bot.analyse(state, budget)

        try:
            analysis = await asyncio.to_thread(think)
        except RookeryError as problem:
            self._say(str(problem))
            return
        finally:
            if turn == self._turn:
                self._thought = None
        if turn != self._turn:
            return
        self.note = bot.remark(self.game)
        self.advice = self._advice(analysis, bot.unit)
        self._show_side()
        assert self.scene is not None
        places = {choice.at for choice in self.scene.choices if choice.action == analysis.line[0] and choice.at}
        self.board.advise(frozenset(place[-2:] if len(place) == 4 else place for place in places))

    def _advice(self, analysis: Analysis, unit: str) -> Text:
        """What a bot thinks, in a few lines."""
        text = Text()
        text.append(f"Hint: {analysis.line[0]}\n", style_of(self.palette.accent))
        text.append(f"{analysis.verdict(unit)}\n")
        if len(analysis.line) > 1:
            more = " …" if len(analysis.line) > SHOWN else ""
            text.append(f"then {' '.join(analysis.line[1:SHOWN])}{more}\n", style_of(self.palette.soft))
        for label, fact in analysis.facts:
            text.append(f"{label}: {fact}\n")
        for each in analysis.candidates[1:SHOWN]:
            said = f"{100 * each.win:.0f}%" if each.win is not None else f"{each.value:.4g}"
            text.append(f"{each.name} {said}  ".replace(" ", "\xa0", each.name.count(" ")), style_of(self.palette.soft))
        text.rstrip()
        return text

    def action_help(self) -> None:
        """The rules in a minute, and the keys."""
        self.app.push_screen(Help(self.game, self.scene))

    def action_new(self) -> None:
        """Choose options and seats for another game."""

        def begun(sitting: Sitting | None) -> None:
            if sitting is not None:
                self.put_away()
                self.app.switch_screen(Play(sitting))

        self.app.push_screen(NewGame(self.game, self.sitting.seats), begun)

    def action_save(self) -> None:
        """Keep the game in a file of the person's choice."""

        def chosen(name: str | None) -> None:
            if not name:
                return
            try:
                write_record(name.rstrip("!").rstrip(), self.sitting.record(), replace=name.endswith("!"))
            except RookeryError as problem:
                self._say(
                    str(problem).replace("type save! ", "put ! behind the name: ").removesuffix(" to replace it.")
                )
            else:
                self._say(f"Saved as {name.rstrip('!')}.")

        self.app.push_screen(AskFile("Save the game as", f"{self.game.name}.json", "Save"), chosen)

    def action_load(self) -> None:
        """Take up a game in a file."""

        def chosen(name: str | None) -> None:
            if not name:
                return
            try:
                record = read_record(name)
                sitting = Sitting(self.sitting.state, {}, self.sitting.seed)
                sitting.take_up(record)
            except RookeryError as problem:
                self._say(str(problem))
                return
            self.put_away()
            self.app.switch_screen(Play(sitting))

        self.app.push_screen(AskFile("Take up the game in", "", "Open"), chosen)

    def action_review(self) -> None:
        """Look at the game from its start."""
        from rookery.terminal.replay import Replay

        self.app.push_screen(Replay(self.sitting.record()))

    def action_end(self) -> None:
        """End the game here."""
        if self.over:
            self.action_menu()
            return
        self._stop_thinking()
        self.ended, self.note, self.advice = True, "", Text()
        self.refresh_all(moving=False)

    def action_menu(self) -> None:
        """Leave the table."""
        self.put_away()
        self.app.pop_screen()


def bot_name(game: Game, bot: Bot) -> str:
    """A bot by its level if it has one, else by its own name."""
    levels = {make_bot(type(game), str(level)): level for level in range(1, len(game.levels()) + 1)}
    return f"level {levels[bot]}" if bot in levels else str(bot)
