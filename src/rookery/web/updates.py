"""The messages that the server sends over a WebSocket; those that it gets are in `messages`."""

from __future__ import annotations

from msgspec import Struct, field

from rookery.web.messages import GameInfo, Ref, SceneJSON, SceneUpdateJSON


class GameUpdate(GameInfo, tag_field="is", tag="game"):
    """The game as the viewer sees it, when something of it has changed."""


class ClockTimes(Struct):
    """The milliseconds left for each player, and the player whose clock runs, or 0."""

    left: list[int]
    running: int


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


ServerMessage = GameUpdate | SceneUpdate | Acknowledged | Refusal | Pong | EarlierPosition | Moved | AnalysisReply
