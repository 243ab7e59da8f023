"""Play line by line: prints the board and reads actions and commands. Works in any terminal and in a pipe."""

from __future__ import annotations

from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING

from rookery.core.bot import make_bot
from rookery.core.errors import IllegalAction, RecordError, RookeryError
from rookery.core.rules import CHANCE
from rookery.core.text_board import text_board
from rookery.terminal.files import read_record, write_record
from rookery.terminal.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable


HELP = """\
Type a move in words, as "moves" lists them, or in short ({forms}),
or one of these commands:
  moves          list your legal moves     hint       show what a bot would play
  undo, redo     step back or forward      odds       show or hide odds
  save FILE      save the game             load FILE  load a saved game
  position       print the position        new        start again
  help           show this help            quit       leave"""


class LineSession(Session):
    """A session that reads and prints lines."""

    open = True

    def run(self, ask: Callable[[str], str]) -> None:
        """Play until the user quits. `ask` shows a prompt and returns a line, or raises EOFError."""
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
        """Print the position, and the commands that remain once the game is over."""
        print()
        print(text_board(self.scene(), self.game.legend))
        if self.state.over:
            print("Type " + AFTER)

    def answer(self, line: str) -> None:
        """Carry out a typed line."""
        word, _, rest = line.partition(" ")
        command = COMMANDS.get(word.lower())
        if command is not None and rest and word.lower() not in WITH_FILE:
            raise IllegalAction(f"'{word}' takes no argument; type help for the commands.")
        if command is not None:
            command(self, rest.strip())
        elif line:
            self._act(line)

    def _act(self, line: str) -> None:
        """Play the action with this name or key."""
        if self.state.over:
            raise IllegalAction(f"The game is over; type {AFTER}")
        self.act(self.action_of(line))
        if self.state.turn not in self.bots:
            self.show()

    def _play_others(self) -> bool:
        """Play chance and bots until a person is to move; return whether anything was played."""
        moved = self.state.turn == CHANCE
        self.play_chance()
        while self.state.turn in self.bots:
            player, action, moved = self.state.turn, self.bot_action(), True
            self.state.play(action)
            print(f"{self.names.of(player)}: {self.game.phrase(action)}.")
            self.play_chance()
        return moved

    def moves(self, _: str) -> None:
        """List the legal moves, a paragraph for each kind."""
        by_role: dict[str, list[str]] = {}
        for choice in self.scene().choices:
            by_role.setdefault(choice.role, []).append(choice.label)
        width = min(get_terminal_size().columns, 100)
        for names in by_role.values():
            # Non-breaking spaces keep a move on one line.
            listed = ", ".join(name.replace(" ", "\xa0") for name in names)
            lines = wrap(listed, width, subsequent_indent="  ", break_on_hyphens=False)
            print("\n".join(lines).replace("\xa0", " "))
        if not by_role:
            print("None: the game is over.")

    def undo_and_show(self, _: str) -> None:
        """Undo to the last decision of a person."""
        self.undo()
        self.show()

    def redo_and_show(self, _: str) -> None:
        """Redo to the next decision of a person."""
        self.redo()
        self.show()

    def hint(self, _: str) -> None:
        """Show what the strongest level would play."""
        bot = make_bot(self.game, "10")
        analysis = bot.analyse(self.state)
        line = [self.game.phrase_of(name) for name in analysis.line]
        print(f"Hint: {line[0]} ({analysis.verdict(bot.unit)})" + _line_of(line))
        for label, text in analysis.facts:
            print(f"  {label}: {text}")
        if remark := bot.remark(self.game):
            print(remark)

    def toggle_odds(self, _: str) -> None:
        """Show or hide odds."""
        self.odds = not self.odds
        self.show()

    def save(self, name: str, *, replace: bool = False) -> None:
        """Save the game to a file."""
        if not name:
            raise RecordError("Name a file: save FILE.")
        write_record(name, self.record(), replace=replace, remedy=f", or type save! {name} to replace it")
        game = f"{self.source} " if self.source else ""
        print(f"Saved. Resume with: rookery play {game}--load {name}")

    def replace(self, name: str) -> None:
        """Save the game to a file, replacing what is there."""
        self.save(name, replace=True)

    def load(self, name: str) -> None:
        """Resume the game in a file."""
        if not name:
            raise RecordError("Name a file: load FILE.")
        self.resume(read_record(name))
        self.show()

    def position(self, _: str) -> None:
        """Print the position as text."""
        print(self.state.position())

    def new(self, _: str) -> None:
        """Restart the game with new random numbers."""
        self.restart()
        self.show()

    def help(self, _: str) -> None:
        """Print the commands."""
        print(HELP.format(forms=self.game.forms))

    def quit(self, _: str) -> None:
        """Quit."""
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
"""The commands that remain once the game is over."""


def _line_of(line: list[str]) -> str:
    more = " …" if len(line) > MAX_LINE else "."
    return f", then {', '.join(line[1:MAX_LINE])}{more}" if len(line) > 1 else "."


MAX_LINE = 12
"""Moves shown of a bot's line."""
