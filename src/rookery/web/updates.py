"""The messages that the server sends over a WebSocket, and how it tells the end of a game. Those that it gets are in
`messages`.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct, field

from rookery.web.messages import GameInfo, Ref, SceneJSON, SceneUpdateJSON


class GameUpdate(GameInfo, tag_field="is", tag="game"):
    """The game as the viewer sees it, when something of it has changed."""


class ClockTimes(Struct):
    """The milliseconds left for each player, and the player whose clock runs, or 0."""

    left: list[int]
    running: int


class Instruction(Struct):
    """What a guided first game says now."""

    step: int
    """The number of the step that comes next, from 1; one more than there are if all are done."""
    steps: int
    said: str
    """What there is to say about the last step."""
    prompt: str
    """What to do now; after the last step, what has been learned."""
    actions: tuple[str, ...]
    """The actions that count; others are not played."""
    done: bool
    level: int
    """The level of the bots to play against next; 0 in a game for one."""


class SceneUpdate(Struct, tag_field="is", tag="scene", kw_only=True):
    """The position after `ply` plies. `plies` are those from `start` on, and `phrases` the same in words; the viewer
    has been sent those before.
    """

    start: int = field(name="from")
    plies: list[tuple[str, int]]
    phrases: list[str]
    scene: SceneUpdateJSON
    clock: ClockTimes | None
    ply: int
    mine: bool
    thinking: int
    preparing: bool
    redo: int
    guide: Instruction | None


class Reply(Struct, tag_field="is", kw_only=True):
    """The answer to the request with this `ref`."""

    ref: Ref


class Acknowledged(Reply, tag="ack"):
    """It was done and saved; the number of plies now."""

    ply: int


class Refusal(Reply, tag="refused"):
    """It was not done, and why not."""

    why: str


class Pong(Reply, tag="pong"):
    """The connection works."""


class EarlierPosition(Reply, tag="look"):
    """The position after `ply` plies."""

    ply: int
    scene: SceneJSON


class Moved(Reply, tag="moved"):
    """The game goes on as another, with this id."""

    id: str


class CandidateInfo(Struct):
    """A move that a bot considers, and what it promises, in words."""

    action: str
    phrase: str
    value: float
    win: float | None
    text: str


class AnalysisReply(Reply, tag="analysis"):
    """A bot's analysis of the position after `ply` plies, for the player to move; `phrases` are the actions of the line
    in words.
    """

    ply: int
    player: int
    bot: str
    details: str
    value: float
    unit: str
    verdict: str
    remark: str
    facts: tuple[tuple[str, str], ...]
    win: float | None
    forced: int | None
    line: tuple[str, ...]
    phrases: tuple[str, ...]
    candidates: list[CandidateInfo]


class GameEnding(Struct):
    """How a game ended, as one person is told it."""

    text: Annotated[str, Meta(description="one sentence, or two")]
    won: Annotated[bool, Meta(description="whether this person won against somebody")]
    share: Annotated[str, Meta(description="the result with a grid of emoji, to send to friends; the link follows it")]
    link: Annotated[str, Meta(description="the path to share with it")]
    best: str | None = None
    new_best: bool = False
    place: Annotated[str | None, Meta(description="where the result stands among all with these options")] = None
    bots: Annotated[str | None, Meta(description="what bots reach")] = None
    levels: Annotated[list[str], Meta(description="what the bots of level 1, 2, … reach")] = []
    note: str | None = None


ServerMessage = GameUpdate | SceneUpdate | Acknowledged | Refusal | Pong | EarlierPosition | Moved | AnalysisReply
