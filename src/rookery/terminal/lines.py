"""A game line by line: the board is printed, an action or a command is typed. Any terminal will do, or a pipe."""

from __future__ import annotations

from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING

from rookery.core.bot import make_bot
from rookery.core.errors import IllegalAction, MalformedAction, RecordError, RookeryError
from rookery.core.rules import CHANCE
from rookery.core.text_board import text_board
from rookery.terminal.files import read_record, write_record
from rookery.terminal.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable


HELP = """\
Type an action as the board names it ({forms}),
or one of these:
  moves          what you may do now       hint       what a bot would do
  undo, redo     back and forth            odds       show or hide the chances
  save FILE      keep the game             load FILE  take up a kept game
  position       the position as text      new        start again
  help           this page                 quit       leave"""


class LineSession(Session):
    """A session at which lines are read and printed."""

    open = True

    def run(self, ask: Callable[[str], str]) -> None:
        """Play until the game is over or the person leaves; `ask` shows a prompt and returns a line, or EOFError."""
        self.play_chance()
        self.show()
        while self.open:
            try:
                if self._play_others():
                    self.show()
                line = ask("> ")
            except EOFError:
                print()
                break
            try:
                self.answer(line.strip())
            except RookeryError as problem:
                print(problem)

    def show(self) -> None:
        """Print the position, and what to do once the game is over."""
        print()
        print(text_board(self.state.scene(max(self.state.turn, 0), odds=self.odds)))
        if self.state.over:
            print("Type " + AFTER)

    def answer(self, line: str) -> None:
        """Do what a line asks for."""
        word, _, rest = line.partition(" ")
        command = COMMANDS.get(word.lower())
        if command is not None and rest and word.lower() not in WITH_FILE:
            raise IllegalAction(f"Nothing goes after '{word}'; type help for what you can do.")
        if command is not None:
            command(self, rest.strip())
        elif line:
            self._act(line)

    def _act(self, line: str) -> None:
        """Play the action a person typed, by its name or its key."""
        if self.state.over:
            raise IllegalAction(f"The game is over; type {AFTER}")
        try:
            action = self.game.action(line)
        except MalformedAction:
            keys = {choice.key: choice.action for choice in self.state.scene(self.state.turn).choices if choice.key}
            if line.lower() not in keys:
                raise
            action = self.game.action(keys[line.lower()])
        self.act(action)
        if self.state.turn not in self.bots:
            self.show()

    def _play_others(self) -> bool:
        """Let chance and bots play until a person is to move; whether anything happened."""
        moved = self.state.turn == CHANCE
        self.play_chance()
        while self.state.turn in self.bots:
            player, action, moved = self.state.turn, self.bot_action(), True
            self.state.play(action)
            print(f"Player {player}, {self.bots[player]}, plays {self.game.name_of(action)}.")
            self.play_chance()
        return moved

    def moves(self, _: str) -> None:
        """List what may be done."""
        by_role: dict[str, list[str]] = {}
        for choice in self.state.scene(self.state.turn).choices:
            by_role.setdefault(choice.role, []).append(choice.action)
        width = min(get_terminal_size().columns, 100)
        for role, names in by_role.items():
            # Blanks inside a name would let a line break fall there.
            listed = "  ".join(name.replace(" ", "\xa0") for name in names)
            lines = wrap(f"{role}: {listed}", width, subsequent_indent="  ", break_on_hyphens=False)
            print("\n".join(lines).replace("\xa0", " "))
        if not by_role:
            print("Nothing: the game is over.")

    def undo_and_show(self, _: str) -> None:
        """Go back to a person's last decision."""
        self.undo()
        self.show()

    def redo_and_show(self, _: str) -> None:
        """Go forth again."""
        self.redo()
        self.show()

    def hint(self, _: str) -> None:
        """Say what the strongest level would do."""
        bot = make_bot(self.game, "10")
        analysis = bot.analyse(self.state)
        print(f"A bot would play {analysis.line[0]} ({analysis.verdict(bot.unit)})" + _line_of(analysis.line))
        for label, text in analysis.facts:
            print(f"  {label}: {text}")
        if remark := bot.remark(self.game):
            print(remark)

    def toggle_odds(self, _: str) -> None:
        """Show or hide the chances."""
        self.odds = not self.odds
        self.show()

    def save(self, name: str, *, replace: bool = False) -> None:
        """Keep the game in a file."""
        if not name:
            raise RecordError("Say where: save FILE.")
        write_record(name, self.record(), replace=replace, remedy=f", or type save! {name} to replace it")
        game = f"{self.source} " if self.source else ""
        print(f"Saved. Take it up again with: rookery play {game}--load {name}")

    def replace(self, name: str) -> None:
        """Keep the game in a file, whatever was there."""
        self.save(name, replace=True)

    def load(self, name: str) -> None:
        """Take up the game in a file."""
        if not name:
            raise RecordError("Say which: load FILE.")
        self.resume(read_record(name))
        self.show()

    def position(self, _: str) -> None:
        """Print the position as text."""
        print(self.state.position())

    def new(self, _: str) -> None:
        """Start the same game again, with new luck."""
        self.restart()
        self.show()

    def help(self, _: str) -> None:
        """Explain."""
        print(HELP.format(forms=self.game.forms))

    def quit(self, _: str) -> None:
        """Leave."""
        self.open = False


COMMANDS: dict[str, Callable[[LineSession, str], None]] = {
    "moves": LineSession.moves,
    "undo": LineSession.undo_and_show,
    "redo": LineSession.redo_and_show,
    "hint": LineSession.hint,
    "odds": LineSession.toggle_odds,
    "save": LineSession.save,
    "save!": LineSession.replace,
    "load": LineSession.load,
    "position": LineSession.position,
    "new": LineSession.new,
    "help": LineSession.help,
    "?": LineSession.help,
    "quit": LineSession.quit,
    "q": LineSession.quit,
    "exit": LineSession.quit,
}
WITH_FILE = ("save", "save!", "load")
AFTER = "new, undo, save FILE or quit."
"""What can be typed once the game is over."""


def _line_of(line: tuple[str, ...]) -> str:
    more = " …" if len(line) > MAX_LINE else "."
    return f", expecting {' '.join(line[1:MAX_LINE])}{more}" if len(line) > 1 else "."


MAX_LINE = 12
"""MoveList of a line that are shown."""
