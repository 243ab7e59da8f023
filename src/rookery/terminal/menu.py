"""The first screen: the games, those that are still open, and those that were played."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding
from textual.widgets import DataTable, Footer, OptionList, Static
from textual.widgets.option_list import Option

from rookery.core.bot import make_bot
from rookery.core.errors import RookeryError
from rookery.core.notation import counted
from rookery.core.text_board import shortened
from rookery.games import find, playable
from rookery.terminal.dialogs import AskFile, Help
from rookery.terminal.files import read_record
from rookery.terminal.form import USUAL, NewGame
from rookery.terminal.palette import accent
from rookery.terminal.play import bot_name
from rookery.terminal.replay import Replay
from rookery.terminal.room import Room
from rookery.terminal.sitting import BOT, PERSON, Sitting, fresh_seed

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.events import Key

    from rookery.core.bot import Bot
    from rookery.core.game import Game
    from rookery.core.record import Record
    from rookery.terminal.shelf import Kept

ROOK = " ▟▙▟▙▟▙ \n  ████  \n ▟████▙ "


class Menu(Room):
    """The games to choose from."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("n", "options", "Options"),
        Binding("l", "load", "Load"),
        Binding("v", "scores", "Scores"),
        Binding("delete,backspace", "drop", "Drop", key_display="del"),
        Binding("f2", "app.look", "Light/dark"),
        Binding("q", "app.leave", "Leave"),
    ]
    AUTO_FOCUS = "#shelf"

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[Kept] = []
        self._dropping: Kept | None = None
        """The open game of which it was asked whether it is to be dropped."""

    def compose(self) -> ComposeResult:
        yield Static(id="welcome")
        yield OptionList(id="shelf")
        yield Static(id="said", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self.fill()

    def on_screen_resume(self) -> None:
        self.house.dress("")
        self.fill()

    def fill(self) -> None:
        """Write the list anew: what is open may have changed."""
        tint = accent("", dark=self.house.dark) if self.house.colours == "many" else ""
        lines = ROOK.split("\n")
        beside = ["Rookery", "Games played one orthogonal step at a time.", "Enter plays at once, n has options."]
        welcome = Text()
        for line, words in zip(lines, beside, strict=True):
            welcome.append(line, tint)
            welcome.append(f"  {words}\n", "bold" if words == "Rookery" else "")
        self.query_one("#welcome", Static).update(welcome)
        shelf = self.query_one("#shelf", OptionList)
        at = shelf.highlighted
        shelf.clear_options()
        for number, name in enumerate(playable(), start=1):
            shelf.add_option(Option(self._title(find(name), number), id=name))
        opened = [kept for kept in self.house.shelf.open_games() if kept.game in playable()]
        for number, kept in enumerate(opened):
            shelf.add_option(Option(self._open_title(kept), id=f"open-{number}"))
        shelf.add_option(Option(Text("   Scores and finished games"), id="scores"))
        self.opened = opened
        shelf.highlighted = at if at is not None and at < shelf.option_count else 0

    def _title(self, game: type[Game], number: int) -> Text:
        tint = accent(game.name, dark=self.house.dark) if self.house.colours == "many" else ""
        room = max(20, self.size.width - 11)
        text = Text.assemble((f"{number}  ", "dim"), (game.title, f"bold {tint}"))
        text.append(f"\n   {shortened(game.summary, room)}\n")
        return text

    def _open_title(self, kept: Kept) -> Text:
        text = Text("▸  ")
        text.append(f"Go on with {title_of(kept.game)}", "bold")
        text.append(f"  {against(kept)}, {ago(kept.when)}", "dim")
        return text

    def on_resize(self) -> None:
        self.fill()

    def on_key(self, event: Key) -> None:
        numbers = [str(number) for number in range(1, len(playable()) + 1)]
        if event.key in numbers:
            self._begin(find(playable()[numbers.index(event.key)]))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        chosen = event.option_id or ""
        if chosen == "scores":
            self.action_scores()
        elif chosen.startswith("open-"):
            self._take_up(self.opened[int(chosen.removeprefix("open-"))])
        else:
            self._begin(find(chosen))

    def _begin(self, cls: type[Game]) -> None:
        """Play at once, as the game comes."""
        game = cls()
        try:
            seats = usual_seats(game, self.house.level or USUAL)
        except RookeryError as problem:
            self.say(str(problem))
            return
        self.house.sit_down(Sitting(game.start(), seats, fresh_seed() if self.house.seed is None else self.house.seed))

    def _take_up(self, kept: Kept) -> None:
        try:
            self.house.take_up(read_record(str(kept.path)), kept.path)
        except RookeryError as problem:
            self.say(str(problem))

    def say(self, sentence: str) -> None:
        self.query_one("#said", Static).update(sentence)

    def marked(self) -> Game:
        """The game that is marked in the list, as it comes; the first, if none is."""
        at = self.query_one("#shelf", OptionList).highlighted or 0
        return find(playable()[at if at < len(playable()) else 0])()

    def action_help(self) -> None:
        """The rules of the game that is marked, and the keys."""
        self.app.push_screen(Help(self.marked(), None))

    def action_options(self) -> None:
        """Choose options for the game that is marked."""
        game = self.marked()

        def begun(sitting: Sitting | None) -> None:
            if sitting is not None:
                self.house.sit_down(sitting)

        self.app.push_screen(NewGame(game, usual_seats(game)), begun)

    def action_load(self) -> None:
        """Look at the game in a file."""

        def read(record: Record | None) -> None:
            if record is not None:
                self.app.push_screen(Replay(record))

        self.app.push_screen(AskFile("Open the game in", "", "Open", lambda name, _: read_record(name)), read)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only an open game can be dropped."""
        return action != "drop" or self._marked_open() is not None

    def _marked_open(self) -> Kept | None:
        """The open game that is marked in the list, if one is."""
        at = (self.query_one("#shelf", OptionList).highlighted or 0) - len(playable())
        return self.opened[at] if 0 <= at < len(self.opened) else None

    def on_option_list_option_highlighted(self) -> None:
        if self._dropping is None or self._dropping is not self._marked_open():
            self._dropping = None
            self.say(self.house.shelf.trouble)
        self.refresh_bindings()

    def action_drop(self) -> None:
        """Keep the open game that is marked no longer, once that was asked for twice."""
        kept = self._marked_open()
        if kept is None:
            return
        if self._dropping is not kept:
            self._dropping = kept
            self.say(f"Press Delete again to drop this game of {title_of(kept.game)} for good.")
            return
        self.house.shelf.drop(kept.path)
        self.fill()

    def action_scores(self) -> None:
        """The games that were played."""
        self.app.push_screen(Scores())


class Scores(Room):
    """Finished games, the newest first; Enter looks at one."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "app.pop_screen", "Menu", key_display="esc")]
    AUTO_FOCUS = "#games"

    def compose(self) -> ComposeResult:
        yield Static(" ♜ Scores and finished games", id="title", markup=False)
        yield Static(id="said", markup=False)
        yield DataTable(id="games", cursor_type="row", zebra_stripes=True)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        table: DataTable[str] = self.query_one("#games", DataTable)
        table.add_columns("when", "game", "result", "against")
        self.kept = self.house.shelf.finished_games()
        for kept in self.kept:
            table.add_row(ago(kept.when), title_of(kept.game), result(kept), against(kept))
        if not self.kept:
            self.query_one("#said", Static).update("No game has been finished yet. They will be listed here.")

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        kept = self.kept[event.cursor_row]
        try:
            self.app.push_screen(Replay(read_record(str(kept.path), kept.number)))
        except RookeryError as problem:
            self.query_one("#said", Static).update(str(problem))


def usual_seats(game: Game, level: str = USUAL) -> dict[int, Bot]:
    """A person on the first seat, and bots on the others."""
    return {player: make_bot(game, level) for player in range(2, game.players + 1)}


def title_of(name: str) -> str:
    """A game's title; its name, if it is not known here."""
    try:
        return find(name).title
    except RookeryError:
        return name


def against(kept: Kept) -> str:
    """Who else played."""
    bots = [known_as(kept.game, name.removeprefix(BOT)) for name in kept.players if name.startswith(BOT)]
    people = sum(name == PERSON for name in kept.players)
    if not bots:
        return "alone" if len(kept.players) == 1 else f"{people} people"
    return ", ".join(dict.fromkeys(bots)) if people else f"watching {', '.join(dict.fromkeys(bots))}"


def known_as(game: str, spec: str) -> str:
    """A bot by its level, if the game and its bot are known here."""
    try:
        return bot_name(find(game), make_bot(find(game), spec))
    except RookeryError:
        return spec


def result(kept: Kept) -> str:
    """How it went, for the only person if there is one."""
    if kept.feat:
        return kept.feat
    if not kept.winners:
        return "nobody won"
    return "won by " + " and ".join(f"player {player}" for player in kept.winners)


def ago(when: datetime) -> str:
    """A time in a few words."""
    seconds = (datetime.now(UTC) - when).total_seconds()
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            return f"{counted(int(seconds // size), unit)} ago"
    return "just now"
