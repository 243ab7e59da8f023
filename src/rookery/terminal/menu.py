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
from rookery.terminal.base_screen import BaseScreen
from rookery.terminal.dialogs import AskFile, Help
from rookery.terminal.files import read_record
from rookery.terminal.form import DEFAULT_LEVEL, NewGame
from rookery.terminal.palette import accent
from rookery.terminal.play_text import bot_label
from rookery.terminal.replay import Replay
from rookery.terminal.session import BOT, PERSON, Session, random_seed

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.events import Key

    from rookery.core.bot import Bot
    from rookery.core.game import Game
    from rookery.core.record import Record
    from rookery.terminal.save_store import SavedGame

LOGO = " ▟▙▟▙▟▙ \n  ████  \n ▟████▙ "


class Menu(BaseScreen):
    """The games to choose from."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("n", "options", "Options"),
        Binding("l", "load", "Load"),
        Binding("v", "scores", "Scores"),
        Binding("delete,backspace", "drop", "Drop", key_display="del"),
        Binding("f2", "app.toggle_theme", "Light/dark"),
        Binding("q", "app.leave", "Leave"),
    ]
    AUTO_FOCUS = "#menu"

    def __init__(self) -> None:
        super().__init__()
        self.open_games: list[SavedGame] = []
        self._to_delete: SavedGame | None = None
        """The open game of which it was asked whether it is to be dropped."""

    def compose(self) -> ComposeResult:
        yield Static(id="welcome")
        yield OptionList(id="menu")
        yield Static(id="said", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        self.fill()

    def on_screen_resume(self) -> None:
        self.arcade.apply_theme("")
        self.fill()

    def fill(self) -> None:
        """Write the list anew: what is open may have changed."""
        tint = accent("", dark=self.arcade.dark) if self.arcade.colours == "many" else ""
        lines = LOGO.split("\n")
        beside = ["Rookery", "Games played one orthogonal step at a time.", "Enter plays at once, n has options."]
        welcome = Text()
        for line, words in zip(lines, beside, strict=True):
            welcome.append(line, tint)
            welcome.append(f"  {words}\n", "bold" if words == "Rookery" else "")
        self.query_one("#welcome", Static).update(welcome)
        menu = self.query_one("#menu", OptionList)
        at = menu.highlighted
        menu.clear_options()
        for number, name in enumerate(playable(), start=1):
            menu.add_option(Option(self._title(find(name), number), id=name))
        open_games = [saved for saved in self.arcade.store.open_games() if saved.game in playable()]
        for number, saved in enumerate(open_games):
            menu.add_option(Option(self._open_title(saved), id=f"open-{number}"))
        menu.add_option(Option(Text("   Scores and finished games"), id="scores"))
        self.open_games = open_games
        menu.highlighted = at if at is not None and at < menu.option_count else 0

    def _title(self, game: type[Game], number: int) -> Text:
        tint = accent(game.name, dark=self.arcade.dark) if self.arcade.colours == "many" else ""
        width = max(20, self.size.width - 11)
        text = Text.assemble((f"{number}  ", "dim"), (game.title, f"bold {tint}"))
        text.append(f"\n   {shortened(game.summary, width)}\n")
        return text

    def _open_title(self, saved: SavedGame) -> Text:
        text = Text("▸  ")
        text.append(f"Go on with {title_of(saved.game)}", "bold")
        text.append(f"  {opponents(saved)}, {ago(saved.when)}", "dim")
        return text

    def on_resize(self) -> None:
        self.fill()

    def on_key(self, event: Key) -> None:
        numbers = [str(number) for number in range(1, len(playable()) + 1)]
        if event.key in numbers:
            self._start(find(playable()[numbers.index(event.key)]))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        chosen = event.option_id or ""
        if chosen == "scores":
            self.action_scores()
        elif chosen.startswith("open-"):
            self._resume(self.open_games[int(chosen.removeprefix("open-"))])
        else:
            self._start(find(chosen))

    def _start(self, cls: type[Game]) -> None:
        """Play at once, as the game comes."""
        game = cls()
        try:
            bots = default_bots(game, self.arcade.level or DEFAULT_LEVEL)
        except RookeryError as problem:
            self.say(str(problem))
            return
        seed = random_seed() if self.arcade.seed is None else self.arcade.seed
        self.arcade.start_session(Session(game.start(), bots, seed))

    def _resume(self, saved: SavedGame) -> None:
        try:
            self.arcade.open_record(read_record(str(saved.path)), saved.path)
        except RookeryError as problem:
            self.say(str(problem))

    def say(self, sentence: str) -> None:
        self.query_one("#said", Static).update(sentence)

    def highlighted_game(self) -> Game:
        """The game that is marked in the list, as it comes; the first, if none is."""
        at = self.query_one("#menu", OptionList).highlighted or 0
        return find(playable()[at if at < len(playable()) else 0])()

    def action_help(self) -> None:
        """The rules of the game that is marked, and the keys."""
        self.app.push_screen(Help(self.highlighted_game(), None))

    def action_options(self) -> None:
        """Choose options for the game that is marked."""
        game = self.highlighted_game()

        def begun(session: Session | None) -> None:
            if session is not None:
                self.arcade.start_session(session)

        self.app.push_screen(NewGame(game, default_bots(game)), begun)

    def action_load(self) -> None:
        """Look at the game in a file."""

        def read(record: Record | None) -> None:
            if record is not None:
                self.app.push_screen(Replay(record))

        self.app.push_screen(AskFile("Open the game in", "", "Open", lambda name, _: read_record(name)), read)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only an open game can be dropped."""
        return action != "drop" or self._highlighted_save() is not None

    def _highlighted_save(self) -> SavedGame | None:
        """The open game that is marked in the list, if one is."""
        at = (self.query_one("#menu", OptionList).highlighted or 0) - len(playable())
        return self.open_games[at] if 0 <= at < len(self.open_games) else None

    def on_option_list_option_highlighted(self) -> None:
        if self._to_delete is None or self._to_delete is not self._highlighted_save():
            self._to_delete = None
            self.say(self.arcade.store.error)
        self.refresh_bindings()

    def action_drop(self) -> None:
        """Keep the open game that is marked no longer, once that was asked for twice."""
        saved = self._highlighted_save()
        if saved is None:
            return
        if self._to_delete is not saved:
            self._to_delete = saved
            self.say(f"Press Delete again to drop this game of {title_of(saved.game)} for good.")
            return
        self.arcade.store.delete(saved.path)
        self.fill()

    def action_scores(self) -> None:
        """The games that were played."""
        self.app.push_screen(Scores())


class Scores(BaseScreen):
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
        self.saved = self.arcade.store.finished_games()
        for saved in self.saved:
            table.add_row(ago(saved.when), title_of(saved.game), result(saved), opponents(saved))
        if not self.saved:
            self.query_one("#said", Static).update("No game has been finished yet. They will be listed here.")

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        saved = self.saved[event.cursor_row]
        try:
            self.app.push_screen(Replay(read_record(str(saved.path), saved.number)))
        except RookeryError as problem:
            self.query_one("#said", Static).update(str(problem))


def default_bots(game: Game, level: str = DEFAULT_LEVEL) -> dict[int, Bot]:
    """A person on the first seat, and bots on the others."""
    return {player: make_bot(game, level) for player in range(2, game.players + 1)}


def title_of(name: str) -> str:
    """A game's title; its name, if it is not known here."""
    try:
        return find(name).title
    except RookeryError:
        return name


def opponents(saved: SavedGame) -> str:
    """Who else played."""
    bots = [opponent_label(saved.game, name.removeprefix(BOT)) for name in saved.players if name.startswith(BOT)]
    people = sum(name == PERSON for name in saved.players)
    if not bots:
        return "alone" if len(saved.players) == 1 else f"{people} people"
    return ", ".join(dict.fromkeys(bots)) if people else f"watching {', '.join(dict.fromkeys(bots))}"


def opponent_label(game: str, spec: str) -> str:
    """A bot by its level, if the game and its bot are known here."""
    try:
        return bot_label(find(game), make_bot(find(game), spec))
    except RookeryError:
        return spec


def result(saved: SavedGame) -> str:
    """How it went, for the only person if there is one."""
    if saved.achievement:
        return saved.achievement
    if not saved.winners:
        return "nobody won"
    return "won by " + " and ".join(f"player {player}" for player in saved.winners)


def ago(when: datetime) -> str:
    """A time in a few words."""
    seconds = (datetime.now(UTC) - when).total_seconds()
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            return f"{counted(int(seconds // size), unit)} ago"
    return "just now"
