"""The main menu, and the list of finished games."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.binding import Binding
from textual.widgets import DataTable, Footer, OptionList, Static
from textual.widgets.option_list import Option

from rookery.core.bot import make_bot
from rookery.core.errors import RookeryError
from rookery.core.names import NOBODY
from rookery.core.notation import counted
from rookery.core.palette import theme
from rookery.core.strength import name_of_spec
from rookery.core.text_board import shortened
from rookery.games import find, playable
from rookery.terminal.base_screen import BaseScreen
from rookery.terminal.dialogs import AskFile, Help
from rookery.terminal.files import read_record
from rookery.terminal.form import DEFAULT_LEVEL, NewGame
from rookery.terminal.replay import Replay
from rookery.terminal.session import BOT, PERSON, Session, random_seed, recorded_names

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
    """The main menu: games to start, and open games to resume."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "help", "Help", key_display="?"),
        Binding("n", "options", "Options"),
        Binding("l", "load", "Load"),
        Binding("v", "scores", "Scores"),
        Binding("delete,backspace", "delete", "Delete", key_display="del"),
        Binding("f2", "app.toggle_theme", "Light/dark"),
        Binding("q", "app.leave", "Quit"),
    ]
    AUTO_FOCUS = "#menu"

    def __init__(self) -> None:
        super().__init__()
        self.open_games: list[SavedGame] = []
        self._to_delete: SavedGame | None = None
        """The open game whose deletion waits for a second key press."""

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
        """Rebuild the list; open games may have changed."""
        tint = theme(dark=self.arcade.dark).accent if self.arcade.colours == "many" else ""
        lines = LOGO.split("\n")
        headings = [
            "Rookery",
            "Grid games to play alone, with others or against bots.",
            "Press Enter to play, n to set options.",
        ]
        welcome = Text()
        for line, words in zip(lines, headings, strict=True):
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
        tint = theme(dark=self.arcade.dark).accent_of(game.name) if self.arcade.colours == "many" else ""
        width = max(20, self.size.width - 11)
        text = Text.assemble((f"{number}  ", "dim"), (game.title, f"bold {tint}"))
        text.append(f"\n   {shortened(game.summary, width)}\n")
        return text

    def _open_title(self, saved: SavedGame) -> Text:
        text = Text("▸  ")
        text.append(f"Resume {title_of(saved.game)}", "bold")
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
        """Start a game with default options."""
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
        """The highlighted game with default options, or the first game."""
        at = self.query_one("#menu", OptionList).highlighted or 0
        return find(playable()[at if at < len(playable()) else 0])()

    def action_help(self) -> None:
        """Show the rules of the highlighted game, and the keys."""
        self.app.push_screen(Help(self.highlighted_game(), None))

    def action_options(self) -> None:
        """Set up the highlighted game."""
        game = self.highlighted_game()

        def start(session: Session | None) -> None:
            if session is not None:
                self.arcade.start_session(session)

        self.app.push_screen(NewGame(game, default_bots(game)), start)

    def action_load(self) -> None:
        """Replay a game from a file."""

        def read(record: Record | None) -> None:
            if record is not None:
                self.app.push_screen(Replay(record))

        self.app.push_screen(AskFile("Replay a game from a file", "", "Open", lambda name, _: read_record(name)), read)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only an open game can be deleted."""
        return action != "delete" or self._highlighted_save() is not None

    def _highlighted_save(self) -> SavedGame | None:
        """The highlighted open game, if one is highlighted."""
        at = (self.query_one("#menu", OptionList).highlighted or 0) - len(playable())
        return self.open_games[at] if 0 <= at < len(self.open_games) else None

    def on_option_list_option_highlighted(self) -> None:
        if self._to_delete is None or self._to_delete is not self._highlighted_save():
            self._to_delete = None
            self.say(self.arcade.store.error)
        self.refresh_bindings()

    def action_delete(self) -> None:
        """Delete the highlighted open game, on the second key press."""
        saved = self._highlighted_save()
        if saved is None:
            return
        if self._to_delete is not saved:
            self._to_delete = saved
            self.say(f"Press Delete again to delete this game of {title_of(saved.game)}.")
            return
        self.arcade.store.delete(saved.path)
        self.fill()

    def action_scores(self) -> None:
        """Show the finished games."""
        self.app.push_screen(Scores())


class Scores(BaseScreen):
    """Finished games, newest first; Enter replays one."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "app.pop_screen", "Menu", key_display="esc")]
    AUTO_FOCUS = "#games"

    def compose(self) -> ComposeResult:
        yield Static(" ♜ Scores and finished games", id="title", markup=False)
        yield Static(id="said", markup=False)
        yield DataTable(id="games", cursor_type="row", zebra_stripes=True)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        table: DataTable[str] = self.query_one("#games", DataTable)
        table.add_columns("when", "game", "result", "opponents")
        self.saved = self.arcade.store.finished_games()
        for saved in self.saved:
            table.add_row(ago(saved.when), title_of(saved.game), result(saved), opponents(saved))
        if not self.saved:
            self.query_one("#said", Static).update("No finished games yet.")

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        saved = self.saved[event.cursor_row]
        try:
            self.app.push_screen(Replay(read_record(str(saved.path), saved.number)))
        except RookeryError as problem:
            self.query_one("#said", Static).update(str(problem))


def default_bots(game: Game, level: str = DEFAULT_LEVEL) -> dict[int, Bot]:
    """Bots for all seats but the first."""
    return {player: make_bot(game, level) for player in range(2, game.players + 1)}


def title_of(name: str) -> str:
    """A game's title, or its name if this installation does not have the game."""
    try:
        return find(name).title
    except RookeryError:
        return name


def opponents(saved: SavedGame) -> str:
    """The opponents, in a few words."""
    bots = [opponent_label(saved.game, name.removeprefix(BOT)) for name in saved.players if name.startswith(BOT)]
    people = sum(name == PERSON for name in saved.players)
    if not bots:
        return "alone" if len(saved.players) == 1 else f"{people} people"
    return ", ".join(dict.fromkeys(bots)) if people else f"bots only: {', '.join(dict.fromkeys(bots))}"


def opponent_label(game: str, spec: str) -> str:
    """What a bot is called, or the text in the record if this installation does not have the game."""
    try:
        return name_of_spec(find(game), spec)
    except RookeryError:
        return spec


def result(saved: SavedGame) -> str:
    """The achievement of the only person, or else who won."""
    if saved.achievement:
        return saved.achievement
    if not saved.winners:
        return "no winner"
    try:
        names = recorded_names(find(saved.game), saved.players)
    except RookeryError:
        names = NOBODY
    return "won by " + " and ".join(map(names.of, saved.winners))


def ago(when: datetime) -> str:
    """How long ago a time was, in words."""
    seconds = (datetime.now(UTC) - when).total_seconds()
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            return f"{counted(int(seconds // size), unit)} ago"
    return "just now"
