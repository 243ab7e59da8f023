"""A game line by line: the board is printed, an action or a command is typed. Any terminal will do, or a pipe."""

from __future__ import annotations

from contextlib import suppress
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING

from rookery.core.bot import make_bot
from rookery.core.errors import IllegalAction, MalformedAction, OptionError, RecordError, RookeryError
from rookery.core.notation import counted
from rookery.core.record import Record
from rookery.core.rules import CHANCE
from rookery.core.sketch import sketch
from rookery.core.stream import Stream
from rookery.terminal.files import read_record, write_record

if TYPE_CHECKING:
    from collections.abc import Callable

    from rookery.core.bot import Bot
    from rookery.core.game import Game
    from rookery.core.state import State

HELP = """\
Type an action as the board names it ({forms}),
or one of these:
  moves          what you may do now       hint       what a bot would do
  undo, redo     back and forth            odds       show or hide the chances
  save FILE      keep the game             load FILE  take up a kept game
  position       the position as text      new        start again
  help           this page                 quit       leave"""


class Sitting:
    """A game at the table: the state, who sits where, and the streams that decide chance and the bots' ties."""

    def __init__(self, state: State, seats: dict[int, Bot], seed: int, source: str = "") -> None:
        self.state = state
        self.seats = seats
        self.seed = seed
        self.source = source
        """The file the game comes from, if it is not one of Rookery's own."""
        self.chance = Stream(seed)
        self.minds = {player: Stream(seed, player) for player in seats}
        self.undone: list[int] = []
        self.odds = False
        self.open = True

    @property
    def game(self) -> Game:
        return self.state.game

    def run(self, ask: Callable[[str], str]) -> None:
        """Play until the game is over or the person leaves; `ask` shows a prompt and returns a line, or EOFError."""
        self._settle()
        self.show()
        while self.open:
            try:
                if self._others_move():
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
        print(sketch(self.state.scene(max(self.state.turn, 0), odds=self.odds)))
        if self.state.over:
            print("Type new, undo, save FILE or quit.")

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
            raise IllegalAction("The game is over; type new, undo, save FILE or quit.")
        try:
            action = self.game.action(line)
        except MalformedAction:
            keys = {choice.key: choice.action for choice in self.state.scene(self.state.turn).choices if choice.key}
            if line.lower() not in keys:
                raise
            action = self.game.action(keys[line.lower()])
        if action >= self.game.action_count:
            raise IllegalAction("Chance is not yours to decide.")
        self.state.play(action)
        self.undone.clear()
        self._settle()
        if self.state.turn not in self.seats:
            self.show()

    def _settle(self) -> None:
        """Let chance have its turns."""
        while self.state.turn == CHANCE:
            self.state.play(self.state.draw(self.chance))

    def _others_move(self) -> bool:
        """Let chance and bots play until a person is to move; whether anything happened."""
        moved = self.state.turn == CHANCE
        self._settle()
        while self.state.turn in self.seats:
            player, moved = self.state.turn, True
            bot = self.seats[player]
            action = bot.choose(self.state, stream=self.minds[player])
            self.state.play(action)
            print(f"Player {player}, {bot}, plays {self.game.name_of(action)}.")
            self._settle()
        return moved

    def _is_persons(self) -> bool:
        return self.state.turn > 0 and self.state.turn not in self.seats

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

    def undo(self, _: str) -> None:
        """Go back to a person's last decision, through bots and chance."""
        taken = []
        while self.state.history:
            taken.append(self.state.undo())
            if self._is_persons():
                self.undone += taken
                self.show()
                return
        for action in reversed(taken):
            self.state.play(action)
        raise IllegalAction("There is nothing to undo.")

    def redo(self, _: str) -> None:
        """Go forth again to the next decision."""
        if not self.undone:
            raise IllegalAction("There is nothing to redo.")
        self.state.play(self.undone.pop())
        while self.undone and not self._is_persons():
            self.state.play(self.undone.pop())
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
        write_record(name, self.record(), replace=replace)
        game = f"{self.source} " if self.source else ""
        print(f"Saved. Take it up again with: rookery play {game}--load {name}")

    def replace(self, name: str) -> None:
        """Keep the game in a file, whatever was there."""
        self.save(name, replace=True)

    def load(self, name: str) -> None:
        """Take up the game in a file."""
        if not name:
            raise RecordError("Say which: load FILE.")
        record = read_record(name)
        self.state, self.seats = record.replay(), seats_in(record)
        self.minds = {player: Stream(self.seed, player) for player in self.seats}
        self.undone.clear()
        self.show()

    def position(self, _: str) -> None:
        """Print the position as text."""
        print(self.state.position())

    def new(self, _: str) -> None:
        """Start the same game again, with new luck."""
        origin = self.state.origin
        self.state = self.game.start() if origin is None else self.game.position(origin)
        self.undone.clear()
        self._settle()
        self.show()

    def help(self, _: str) -> None:
        """Explain."""
        print(HELP.format(forms=self.game.forms))

    def quit(self, _: str) -> None:
        """Leave."""
        self.open = False

    def record(self) -> Record:
        """The game so far, with who plays."""
        seats = range(1, self.game.players + 1)
        names = tuple(f"{BOT}{self.seats[player]}" if player in self.seats else "person" for player in seats)
        return Record.of(self.state, names, {"seed": str(self.seed)})


COMMANDS: dict[str, Callable[[Sitting, str], None]] = {
    "moves": Sitting.moves,
    "undo": Sitting.undo,
    "redo": Sitting.redo,
    "hint": Sitting.hint,
    "odds": Sitting.toggle_odds,
    "save": Sitting.save,
    "save!": Sitting.replace,
    "load": Sitting.load,
    "position": Sitting.position,
    "new": Sitting.new,
    "help": Sitting.help,
    "?": Sitting.help,
    "quit": Sitting.quit,
    "q": Sitting.quit,
    "exit": Sitting.quit,
}
WITH_FILE = ("save", "save!", "load")


BOT = "bot "
"""What the names of bots begin with in a record."""


def seats_of(game: Game, specs: list[str], seat: int) -> dict[int, Bot]:
    """The bots by seat: they fill the seats in order, past the person's unless there are enough for all."""
    if len(specs) > game.players:
        raise OptionError(f"bot takes at most {counted(game.players, 'opponent')} in this game, not {len(specs)}.")
    free = [player for player in range(1, game.players + 1) if player != seat or len(specs) == game.players]
    return {player: make_bot(game, spec) for player, spec in zip(free, specs, strict=False)}


def seats_in(record: Record) -> dict[int, Bot]:
    """The bots that sat in a recorded game; a bot this Rookery does not have leaves its seat to a person."""
    seats = {}
    for player, name in enumerate(record.players, start=1):
        if name.startswith(BOT):
            with suppress(RookeryError):
                seats[player] = make_bot(record.game, name.removeprefix(BOT))
    return seats


def _line_of(line: tuple[str, ...]) -> str:
    more = " …" if len(line) > SHOWN else "."
    return f", expecting {' '.join(line[1:SHOWN])}{more}" if len(line) > 1 else "."


SHOWN = 12
"""Moves of a line that are shown."""
