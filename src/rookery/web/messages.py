"""What goes over the wire: requests, answers and WebSocket messages, as msgspec checks and encodes them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

Name = Annotated[str, Meta(max_length=40)]
Text = Annotated[str, Meta(max_length=200)]
BotName = Annotated[str, Meta(max_length=80, examples=["3", "greedy"])]
Ply = Annotated[int, Meta(ge=0, le=2**31)]
Options = Annotated[dict[str, Any], Meta(description="the game's options by name; those left out have their defaults")]


class Problem(Struct):
    """What went wrong, in one sentence."""

    detail: str


class Health(Struct):
    """The arcade works and its database answers."""

    status: Literal["ok"]
    version: str


# ── requests ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class SeatWish(Struct, forbid_unknown_fields=True):
    """Who is to sit on a seat: somebody here, somebody by invitation, or a bot by level or name."""

    kind: Literal["here", "invite", "bot"]
    bot: BotName = "3"


class ClockWish(Struct, forbid_unknown_fields=True):
    """Time for each player: minutes for the game, and seconds added with every move."""

    minutes: Annotated[float, Meta(gt=0, le=180)]
    increment: Annotated[float, Meta(ge=0, le=180)] = 0.0


class NewGame(Struct, forbid_unknown_fields=True):
    """A game to be set up. Without seats, the first is yours and bots of level 3 have the others."""

    game: Annotated[str, Meta(max_length=60, examples=["gaterun"])]
    options: Options = {}
    seats: Annotated[list[SeatWish], Meta(max_length=16)] | None = None
    clock: ClockWish | None = None
    listed: Annotated[bool, Meta(description="shown to everybody, to join or to watch")] = False
    odds: Annotated[
        Literal["ask", "never"], Meta(description="whether players may see odds the game hides before it is over")
    ] = "ask"


class Wish(Struct, forbid_unknown_fields=True):
    """A game with options, to be looked at before it is set up."""

    game: Annotated[str, Meta(max_length=60, examples=["gaterun"])]
    options: Options = {}


class Joining(Struct, forbid_unknown_fields=True):
    """The token of an invitation; none is needed for a game that is listed."""

    token: Text = ""


class Played(Struct, forbid_unknown_fields=True):
    """An action by its text, and how many plies had been played when it was chosen."""

    action: Text
    ply: Ply | None = None


class NewName(Struct, forbid_unknown_fields=True):
    """What a person wants to be called."""

    name: Name


# ── answers ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class SeatInfo(Struct):
    """A seat as one person sees it."""

    number: int
    kind: Literal["person", "open", "bot"]
    name: str
    bot: str | None
    level: int | None
    yours: bool
    online: bool


class May(Struct):
    """What one person may do with a game now."""

    undo: bool = False
    redo: bool = False
    hint: bool = False
    resign: bool = False
    restart: bool = False
    rematch: bool = False
    switch: list[int] = []


class Asked(Struct):
    """Something the others must agree to."""

    what: Literal["undo"]
    by: int


class Ending(Struct):
    """How a game ended, if not by its rules."""

    how: Literal["resigned", "time"]
    player: int


class GameInfo(Struct, kw_only=True):
    """A game as one person sees it, without its board."""

    id: str
    game: str
    title: str
    options: dict[str, Any]
    kind: Literal["game", "daily", "upload"]
    day: str | None
    status: Literal["waiting", "playing", "over", "abandoned"]
    seats: list[SeatInfo]
    you: list[int]
    local: bool
    odds: Literal["ask", "never"] | None
    listed: bool
    clock: ClockWish | None
    invite: str | None
    may: May
    asked: Asked | None
    ending: Ending | None
    winners: list[int] | None
    scores: list[float]
    plies: int
    watchers: int
    rematch: str | None
    takebacks: int
    feat: str | None
    created: str
    changed: str


class GameList(Struct):
    """Some games."""

    games: list[GameInfo]


class GameKind(Struct):
    """A game there is: what it is called, how it is played, what can be chosen."""

    name: str
    title: str
    summary: str
    rules: list[str]
    players: int
    options: dict[str, Any]
    bots: list[str]
    levels: list[str]
    odds: bool
    printable: bool


class Catalogue(Struct):
    """The games there are."""

    games: list[GameKind]


class Compiling(Struct):
    """How far the machine code of the levels of all games is; until all of it is ready, strong bots may take longer."""

    ready: int
    parts: int


class Preview(Struct):
    """What a game with some options looks like."""

    players: int
    scene: dict[str, Any]


class Demo(Struct):
    """A short game to look at: a scene, and then what changes in it."""

    frames: list[dict[str, Any]]


class Frame(Struct):
    """The scene after so many plies."""

    ply: int
    scene: dict[str, Any]


class Frames(Struct):
    """All plies of a game, and the scenes of some of them."""

    plies: list[tuple[str, int]]
    frames: list[Frame]
    count: int


class Done(Struct):
    """An action has been carried out and saved."""

    ply: int


class DailyGame(Struct):
    """A game's challenge of the day, and how one person stands in it."""

    game: str
    title: str
    options: dict[str, Any]
    opponents: list[str]
    mine: GameInfo | None
    feat: str | None
    rank: int | None
    players: int
    streak: int
    share: str | None


class Daily(Struct):
    """The challenges of a day."""

    day: str
    games: list[DailyGame]


class Place(Struct):
    """A row of a leaderboard."""

    rank: int
    name: str
    feat: str
    you: bool
    id: Annotated[str | None, Meta(description="of the game; none before one's own try on the day")]


class Board(Struct):
    """Who did how well on a day."""

    day: str
    game: str
    rows: list[Place]


class Tally(Struct):
    """How one person has done in one game."""

    played: int = 0
    won: int = 0
    lost: int = 0
    drawn: int = 0
    abandoned: int = 0
    best: str | None = None
    streak: int = 0
    best_streak: int = 0


class Me(Struct):
    """A person: their name and how they have done."""

    name: str
    games: dict[str, Tally]


class Export(Struct):
    """Everything kept about a person."""

    id: str
    name: str
    games: list[dict[str, Any]]
    feats: list[dict[str, Any]]


# ── from a WebSocket ──────────────────────────────────────────────────────────────────────────────────────────────────

Ref = Annotated[int, Meta(ge=0, le=2**53)] | None
Spot = tuple[int, int]


class Request(Struct, tag_field="do", forbid_unknown_fields=True):
    """Something a viewer wants; `ref` comes back in the answer."""

    ref: Ref = None


class Play(Request, tag="play", kw_only=True):
    """Carry out an action."""

    action: Text
    ply: Ply | None = None


class Why(Request, tag="why", kw_only=True):
    """Say why nothing can be done at a place."""

    at: Annotated[list[Spot], Meta(min_length=1, max_length=4)]


class Undo(Request, tag="undo"):
    """Take back, or ask the others whether one may."""


class Redo(Request, tag="redo"):
    """Play again what was taken back."""


class Answer(Request, tag="answer", kw_only=True):
    """Answer what another player asked."""

    yes: bool


class TakeSeat(Request, tag="seat", kw_only=True):
    """Give a seat to a bot, or take it oneself."""

    seat: Annotated[int, Meta(ge=1, le=16)]
    bot: BotName | None = None


class Analyse(Request, tag="analyse"):
    """Ask what the best bot thinks."""


class Odds(Request, tag="odds", kw_only=True):
    """Show odds that the game hides, or hide them again."""

    on: bool


class Resign(Request, tag="resign"):
    """Give up."""


class Restart(Request, tag="restart"):
    """The same game from its start."""


class Rematch(Request, tag="rematch"):
    """The same game again, with the seats moved on by one."""


class Look(Request, tag="look", kw_only=True):
    """Show an earlier position."""

    ply: Ply


class Ping(Request, tag="ping"):
    """Ask whether the connection is alive."""


Asking = Play | Why | Undo | Redo | Answer | TakeSeat | Analyse | Odds | Resign | Restart | Rematch | Look | Ping
