"""What workers and the process in which their bots think tell each other: requests and answers, each with the number
of the request, as MessagePack, each with its length before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from rookery.core.bot import Analysis
from rookery.core.record import Record
from rookery.core.review import ReviewedPly
from rookery.core.state import PackedState, State
from rookery.games import address, at_address
from rookery.search.review import Review
from rookery.web.fair_queue import Client

if TYPE_CHECKING:
    import asyncio

    from rookery.core.game import Game

LENGTH = 4
"""Bytes of the length of a message."""

T = TypeVar("T")


class Message(msgspec.Struct, array_like=True):
    """What all messages have in common."""


class GameAt(Message):
    """A game, as another process finds it."""

    address: str
    options: dict[str, Any]

    @classmethod
    def of(cls, game: Game) -> GameAt:
        """How to find a game."""
        return cls(address(game.name), game.options)

    def made(self) -> Game:
        """The game."""
        return at_address(self.address).make(**self.options)


class Choose(Message, tag="choose"):
    """Let a bot choose an action."""

    id: int
    client: Client
    game: GameAt
    bot: str
    state: PackedState
    stream: list[int]
    waits: bool
    """Whether the bot may wait for its machine code."""

    def position(self) -> State:
        """The position in which it chooses."""
        return State.unpacked(self.game.made(), self.state)


class Analyse(Message, tag="analyse"):
    """Let a bot analyse a position."""

    id: int
    client: Client
    game: GameAt
    bot: str
    state: PackedState

    def position(self) -> State:
        """The position that it analyses."""
        return State.unpacked(self.game.made(), self.state)


class Prepare(Message, tag="prepare"):
    """Load the machine code of a bot."""

    id: int
    client: Client
    game: GameAt
    bot: str


class MakeReview(Message, tag="review"):
    """Review a game; its first plies may be known."""

    id: int
    client: Client
    game: GameAt
    start: str | None
    plies: list[str]
    known: list[ReviewedPly]

    @classmethod
    def of(cls, id: int, client: Client, review: Review) -> MakeReview:
        """What makes the rest of a review."""
        record = review.record
        return cls(id, client, GameAt.of(record.game), record.start, [*record.plies], review.plies)

    def review(self) -> Review:
        """The review, as far as it has come."""
        game = self.game.made()
        record = Record(game, ("",) * game.players, tuple(self.plies), self.start)
        return Review(record, type(game).reviewer().of(game), self.known)


class Cancel(Message, tag="cancel"):
    """Nobody wants the answer to a request any more."""

    id: int


Request = Choose | Analyse | Prepare | MakeReview | Cancel


class Waiting(Message, tag="waiting"):
    """The bot waits for its machine code."""

    id: int


class Reviewed(Message, tag="reviewed"):
    """A review goes on: what was found, from a ply on."""

    id: int
    first: int
    plies: list[ReviewedPly]


class Done(Message, tag="done"):
    """What was asked for is done: the action that was chosen, or the analysis, if it was one of these."""

    id: int
    action: int | None = None
    analysis: Analysis | None = None


class Failed(Message, tag="failed"):
    """A request failed: because too much waits ("busy"), or it was cancelled ("cancelled"), or by an error."""

    id: int
    how: str
    why: str = ""


class Progress(Message, tag="progress"):
    """How many parts of machine code are ready, and how many the levels of all games need."""

    ready: int
    total: int


Answer = Waiting | Reviewed | Done | Failed | Progress

requests = msgspec.msgpack.Decoder(Request)
answers = msgspec.msgpack.Decoder(Answer)
_encoder = msgspec.msgpack.Encoder()


def framed(message: Message) -> bytes:
    """A message as bytes."""
    data = _encoder.encode(message)
    return len(data).to_bytes(LENGTH, "big") + data


async def read(reader: asyncio.StreamReader, decoder: msgspec.msgpack.Decoder[T]) -> T:
    """The next message."""
    length = int.from_bytes(await reader.readexactly(LENGTH), "big")
    return decoder.decode(await reader.readexactly(length))
