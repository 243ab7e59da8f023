"""The form for a new game: its options, who plays each seat, and a seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Input, Label, Select, Static

from rookery.core.bot import make_bot
from rookery.core.errors import RookeryError
from rookery.core.options import options_of
from rookery.core.strength import level_names, name_of_spec
from rookery.terminal.dialogs import Field
from rookery.terminal.session import MAX_SEED, PERSON, Session, check_screen_size, parse_seed, random_seed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.widget import Widget

    from rookery.core.bot import Bot
    from rookery.core.game import Game
    from rookery.core.options import Option

DEFAULT_LEVEL = "3"
"""The default level of opponents."""
MAX_SEATS = 16
"""Seats shown in the form; people play the seats beyond."""


def hint(option: Option, value: object) -> str:
    """What an option is for, or what the chosen value means."""
    meanings = dict(zip(option.choices, option.meanings, strict=False))
    return f"{option.title}: {meanings.get(str(value), option.help)}"


class NewGame(ModalScreen[Session | None]):
    """A dialog for options and seats; it returns a session, or None if cancelled."""

    AUTO_FOCUS = "Input, Select"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "Cancel", key_display="esc"),
        Binding("ctrl+s", "start", "Start", priority=True),
    ]

    def __init__(self, game: Game, seats: Mapping[int, Bot] | None = None) -> None:
        super().__init__()
        self.game = game
        self.seats = {player: str(bot) for player, bot in (seats or {}).items()}
        levels = [
            (f"{level}  {name} bot", str(make_bot(type(game), str(level))))
            for level, name in enumerate(level_names(type(game)), start=1)
        ]
        known = {spec for _, spec in levels}
        own = [(name_of_spec(type(game), spec), spec) for spec in self.seats.values() if spec not in known]
        self.seat_choices = [(PERSON, PERSON), *levels, *dict.fromkeys(own)]

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as page:
            page.border_title = f"New game: {self.game.title}"
            page.border_subtitle = "Tab: next, Ctrl-S: start, Esc: cancel"
            with VerticalScroll(id="fields", can_focus=False):
                for option in options_of(type(self.game)):
                    with Horizontal(classes="row"):
                        yield Label(hint(option, self.game.options[option.name]), id=f"h-{option.name}")
                        yield self._field(option)
                yield Vertical(id="seats")
                with Horizontal(classes="row"):
                    yield Label("seed: makes chance and bots repeatable")
                    yield Field("", placeholder="random", id="seed", compact=True)
            yield Static("", classes="wrong", id="wrong", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("Start", id="start", variant="primary", compact=True)
                yield Button("Cancel", id="cancel", compact=True)

    def _field(self, option: Option) -> Widget:
        value = self.game.options[option.name]
        if option.kind is bool:
            answers = [("yes", True), ("no", False)]
            return Select(answers, value=bool(value), allow_blank=False, id=f"o-{option.name}", compact=True)
        if option.choices:
            return Select(
                [(each, each) for each in option.choices],
                value=value,
                allow_blank=False,
                id=f"o-{option.name}",
                compact=True,
            )
        shown = "" if value is None else str(value)
        return Field(shown, placeholder="default" if option.optional else "", id=f"o-{option.name}", compact=True)

    def on_select_changed(self, event: Select.Changed) -> None:
        """Say what the chosen value means."""
        for option in options_of(type(self.game)):
            if event.select.id == f"o-{option.name}" and option.meanings:
                self.query_one(f"#h-{option.name}", Label).update(hint(option, event.value))

    async def on_mount(self) -> None:
        await self._set_seats(self.game.players)

    async def _set_seats(self, players: int) -> None:
        """Show one row for each player, keeping what was chosen."""
        seats = self.query_one("#seats", Vertical)
        for player, chosen in enumerate(self.query("#seats Select").results(Select), start=1):
            self.seats[player] = str(chosen.value)
        await seats.remove_children()
        rows = []
        for player in range(1, min(players, MAX_SEATS) + 1):
            usual = PERSON if player <= self.game.players else str(make_bot(type(self.game), DEFAULT_LEVEL))
            choice: Select[str] = Select(
                self.seat_choices,
                value=self.seats.get(player, usual),
                allow_blank=False,
                id=f"seat-{player}",
                compact=True,
            )
            rows.append(Horizontal(Label(f"seat {player}"), choice, classes="row"))
        await seats.mount(*rows)

    async def on_input_changed(self, event: Input.Changed) -> None:
        try:
            game = self._read_game()
        except RookeryError:
            return
        if min(game.players, MAX_SEATS) != len(self.query("#seats Select")):
            await self._set_seats(game.players)

    def _read_game(self) -> Game:
        """The game with the options in the fields; raises `OptionError` if one is invalid."""
        given: dict[str, Any] = {}
        for option in options_of(type(self.game)):
            field = self.query_one(f"#o-{option.name}")
            if isinstance(field, Select):
                given[option.name] = field.value
            elif isinstance(field, Input) and field.value.strip():
                given[option.name] = option.parse(field.value.strip())
        return type(self.game).make(**given)

    def action_start(self) -> None:
        """Start the game, or show what is wrong."""
        try:
            game = self._read_game()
            check_screen_size(game)
            seat_choices = [str(each.value) for each in self.query("#seats Select").results(Select)]
            if len(seat_choices) != min(game.players, MAX_SEATS):  # the rows are still being replaced
                self.set_timer(0.05, self.action_start)
                return
            seats = {n: make_bot(game, each) for n, each in enumerate(seat_choices, start=1) if each != PERSON}
            typed = self.query_one("#seed", Input).value.strip()
            seed = parse_seed(typed) if typed else random_seed()
            if seed is None:
                raise RookeryError(f"seed takes a whole number from 0 to {MAX_SEED}, not '{typed[:40]}'.")
        except RookeryError as problem:
            self.query_one("#wrong", Static).update(str(problem))
            return
        self.dismiss(Session(game.start(), seats, seed))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.action_start()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "start":
            self.action_start()
        else:
            self.dismiss(None)
