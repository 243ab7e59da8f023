"""The JSON of the API: requests, answers and the WebSocket messages of viewers, checked and encoded by msgspec."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

Name = Annotated[str, Meta(max_length=40)]
Text = Annotated[str, Meta(max_length=200)]
BotName = Annotated[str, Meta(max_length=80, examples=["3", "greedy"])]
Ply = Annotated[int, Meta(ge=0, le=2**31)]
SceneJSON = Annotated[dict[str, Any], Meta(extra={"typescript": "Scene"})]
ChoiceJSON = Annotated[dict[str, Any], Meta(extra={"typescript": "Choice"})]
SceneUpdateJSON = Annotated[dict[str, Any], Meta(extra={"typescript": "AnyScene"})]
OptionsSchema = Annotated[dict[str, Any], Meta(extra={"typescript": "OptionsSchema"})]
Options = Annotated[dict[str, Any], Meta(description="the game's options by name; omitted options have their defaults")]


class Problem(Struct):
    """An error, in one sentence."""

    detail: str


class Health(Struct):
    """The arcade works and its database answers."""

    status: Literal["ok"]
    version: str


# ── requests ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class SeatSetup(Struct, forbid_unknown_fields=True):
    """Who takes a seat: a person at this browser, a person by invitation, or a bot by level or name."""

    kind: Literal["here", "invite", "bot"]
    bot: BotName = "3"


class ClockSetup(Struct, forbid_unknown_fields=True):
    """A clock: minutes per player, and seconds added after every move."""

    minutes: Annotated[float, Meta(gt=0, le=180)]
    increment: Annotated[float, Meta(ge=0, le=180)] = 0.0


class StartPosition(Struct, forbid_unknown_fields=True):
    """A position to play on from: that of a finished game after `ply` plies."""

    game: Annotated[str, Meta(max_length=60, description="the id of the finished game")]
    ply: Ply


class NewGame(Struct, forbid_unknown_fields=True):
    """A game to set up. Without seats, the first is yours and level 3 bots take the others."""

    game: Annotated[str, Meta(max_length=60, examples=["gaterun"])]
    options: Options = {}
    seats: Annotated[list[SeatSetup], Meta(max_length=16)] | None = None
    clock: ClockSetup | None = None
    listed: Annotated[bool, Meta(description="show it to everybody, to join or watch")] = False
    odds: Annotated[
        Literal["ask", "never"], Meta(description="whether players may see hidden odds before the game is over")
    ] = "ask"
    start: StartPosition | None = None


class PreviewRequest(Struct, forbid_unknown_fields=True):
    """A game with options, to preview before it is set up."""

    game: Annotated[str, Meta(max_length=60, examples=["gaterun"])]
    options: Options = {}


class JoinRequest(Struct, forbid_unknown_fields=True):
    """The token of an invitation; a listed game needs none."""

    token: Text = ""


class PlayRequest(Struct, forbid_unknown_fields=True):
    """An action by its text, and the number of plies played when it was chosen."""

    action: Text
    ply: Ply | None = None


class NameChange(Struct, forbid_unknown_fields=True):
    """A person's new name."""

    name: Name


# ── answers ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class SeatInfo(Struct):
    """A seat as one person sees it."""

    number: int
    kind: Literal["person", "open", "bot"]
    name: Annotated[str, Meta(description="what this person calls the player: You, Ada, Casual bot 2, Player 2")]
    label: Annotated[str, Meta(description="the player's own name; empty for a person without a name")]
    bot: str | None
    details: Annotated[str, Meta(description="how the bot works; empty for people")]
    level: int | None
    yours: bool
    online: bool


class Permissions(Struct):
    """What one person may do with a game now."""

    undo: bool = False
    redo: bool = False
    hint: bool = False
    resign: bool = False
    restart: bool = False
    rematch: bool = False
    review: bool = False
    switch: list[int] = []


class PendingRequest(Struct):
    """A request that the other players must agree to."""

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
    goal: Annotated[str, Meta(description="what this person tries to do, in one sentence")]
    options: dict[str, Any]
    kind: Literal["game", "daily", "upload", "lesson"]
    day: str | None
    status: Literal["waiting", "playing", "over", "abandoned"]
    seats: list[SeatInfo]
    people: Annotated[str, Meta(description="who plays, in a few words")]
    you: list[int]
    local: bool
    odds: Literal["ask", "never"] | None
    listed: bool
    clock: ClockSetup | None
    invite: str | None
    may: Permissions
    asked: PendingRequest | None
    ending: Ending | None
    winners: list[int] | None
    result: Annotated[str | None, Meta(description="how it ended, in a few words; null until it is over")]
    scores: list[float]
    plies: int
    watchers: int
    rematch: str | None
    takebacks: int
    feat: str | None
    created: str
    changed: str


class Best(Struct):
    """One person's best result in other games with the same options, in words; none without undos is null."""

    text: str | None


class GameList(Struct):
    """Some games."""

    games: list[GameInfo]


class SliderInfo(Struct):
    """A parameter of a bot with the values to choose from, and each value in words."""

    option: str
    label: str
    values: list[float]
    texts: list[str]
    default: float


class TunableBotInfo(Struct):
    """A bot with sliders; its spec is the template with each option in braces replaced by the chosen value."""

    title: str
    summary: str
    template: Annotated[str, Meta(examples=["minimax:ms=100,depth={depth}"])]
    sliders: list[SliderInfo]


class GameKind(Struct):
    """A game on offer: its title, rules, options and bots."""

    name: str
    title: str
    summary: str
    rules: list[str]
    players: int
    options: OptionsSchema
    bots: list[str]
    levels: list[str]
    level_labels: Annotated[list[str], Meta(description="what each level is called")]
    level_details: Annotated[list[str], Meta(description="how the bot of each level works")]
    tunable: Annotated[list[TunableBotInfo], Meta(description="bots to tune by hand, beside the levels")]
    odds: bool
    printable: bool
    lesson: Annotated[bool, Meta(description="whether there is a guided first game")]
    puzzles: Annotated[int, Meta(description="how many there are to solve")]


class Catalogue(Struct):
    """All games, and what the roles of choices are called in sentences."""

    games: list[GameKind]
    words: dict[str, str]


class Compiling(Struct):
    """How much of the bots' machine code is compiled; until it is complete, strong bots may take longer."""

    ready: int
    parts: int


class ExampleDemo(Struct):
    """A moving example of a rule: a scene, then the changes."""

    caption: str
    frames: list[SceneUpdateJSON]


class GameRules(Struct):
    """The quick rules of a game with some options."""

    options: dict[str, Any]
    text: Annotated[str, Meta(description="the options in a few words")]
    rules: Annotated[list[str], Meta(description="a paragraph each")]
    examples: list[ExampleDemo]


class Preview(Struct):
    """What a game with some options looks like."""

    players: int
    scene: SceneJSON
    text: Annotated[str, Meta(description="the options in a few words")]
    rules: Annotated[list[str], Meta(description="the quick rules with these options, a paragraph each")]
    examples: list[ExampleDemo]


class Demo(Struct):
    """A short demo game: a scene, then the changes."""

    frames: list[SceneUpdateJSON]


class Frame(Struct):
    """The scene after `ply` plies."""

    ply: int
    scene: SceneUpdateJSON


class Frames(Struct):
    """All plies of a game, the same in words, and some of its scenes."""

    plies: list[tuple[str, int]]
    phrases: list[str]
    frames: list[Frame]
    count: int


class Position(Struct):
    """A position of a game with what could be played in it, and the choices that a line of moves from it makes."""

    ply: int
    scene: SceneJSON
    line: Annotated[
        list[ChoiceJSON], Meta(description="one for each move, up to the first that is unknown because chance decides")
    ]


class ActionResult(Struct):
    """The action was played and saved; the number of plies now."""

    ply: int


class DailyGame(Struct):
    """A game's challenge of the day, and one person's result in it."""

    game: str
    title: str
    options: dict[str, Any]
    text: Annotated[str, Meta(description="the options in a few words")]
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


class LeaderboardRow(Struct):
    """A row of a leaderboard."""

    rank: int
    name: str
    feat: str
    you: bool
    id: Annotated[str | None, Meta(description="of the game; null until the day is over, but for one's own")]
    same: Annotated[bool, Meta(description="whether another game on the board has the same moves")] = False


class Leaderboard(Struct):
    """The leaderboard of a day."""

    day: str
    game: str
    rows: list[LeaderboardRow]


# ── from a WebSocket ──────────────────────────────────────────────────────────────────────────────────────────────────

Ref = Annotated[int, Meta(ge=0, le=2**53)] | None
Spot = tuple[int, int]


class Request(Struct, tag_field="do", forbid_unknown_fields=True):
    """A message of a viewer; the answer repeats `ref`."""

    ref: Ref = None


class Play(Request, tag="play", kw_only=True):
    """Play an action."""

    action: Text
    ply: Ply | None = None


class Why(Request, tag="why", kw_only=True):
    """Ask why no action is possible at a cell or an edge."""

    at: Annotated[list[Spot], Meta(min_length=1, max_length=4)]


class Undo(Request, tag="undo"):
    """Undo, or ask the other players to agree."""


class Redo(Request, tag="redo"):
    """Redo what was undone."""


class Answer(Request, tag="answer", kw_only=True):
    """Answer another player's request."""

    yes: bool


class TakeSeat(Request, tag="seat", kw_only=True):
    """Give a seat to a bot, or take it."""

    seat: Annotated[int, Meta(ge=1, le=16)]
    bot: BotName | None = None


class Analyse(Request, tag="analyse"):
    """Ask for the best bot's analysis."""


class Odds(Request, tag="odds", kw_only=True):
    """Show or hide the odds that the game hides by default."""

    on: bool


class Resign(Request, tag="resign"):
    """Resign."""


class Restart(Request, tag="restart"):
    """Start the same game over."""


class Rematch(Request, tag="rematch"):
    """Ask for a rematch, with everybody one seat further."""


class Look(Request, tag="look", kw_only=True):
    """Show an earlier position."""

    ply: Ply


class Ping(Request, tag="ping"):
    """Check the connection."""


ClientMessage = Play | Why | Undo | Redo | Answer | TakeSeat | Analyse | Odds | Resign | Restart | Rematch | Look | Ping
