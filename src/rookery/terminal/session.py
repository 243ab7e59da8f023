"""A game at the table: the position, who sits where, what was taken back, and the streams that decide chance and the
bots' ties. Surfaces show it; nothing here prints or draws.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from rookery.core.bot import make_bot
from rookery.core.errors import IllegalAction, OptionError, RookeryError
from rookery.core.notation import counted
from rookery.core.record import Record
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream

if TYPE_CHECKING:
    from rookery.core.bot import Bot
    from rookery.core.game import Game
    from rookery.core.state import State

BOT = "bot "
"""What the names of bots begin with in a record."""
PERSON = "person"
STREAMS_PER_PLY = 1_000_000
"""Times the plies of a game that is taken up: the number of the stream that decides what is still to come in it."""


class Session:
    """A game under way, with bots on some of its seats and people on the others."""

    def __init__(self, state: State, bots: dict[int, Bot], seed: int, source: str = "") -> None:
        self.state = state
        self.bots = bots
        self.seed = seed
        self.source = source
        """The file the game comes from, if it is not one of Rookery's own."""
        self.chance_stream = Stream(seed, STREAMS_PER_PLY * len(state.history))
        self.bot_streams = {player: Stream(seed, player) for player in bots}
        self.undone: list[int] = []
        self.odds = False

    @property
    def game(self) -> Game:
        return self.state.game

    @property
    def person_to_move(self) -> bool:
        """Whether a person is to move."""
        return self.state.turn > 0 and self.state.turn not in self.bots

    @property
    def bots_only(self) -> bool:
        """Whether bots sit on all seats."""
        return len(self.bots) == self.game.players

    def act(self, action: int) -> None:
        """Play an action of a person, and let chance answer."""
        if self.state.over:
            raise IllegalAction("The game is over.")
        if action >= self.game.action_count:
            raise IllegalAction("Chance is not yours to decide.")
        self.state.play(action)
        self.undone.clear()
        self.play_chance()

    def play_chance(self) -> None:
        """Let chance have its turns."""
        while self.state.turn == CHANCE:
            self.state.play(self.state.draw(self.chance_stream))

    def bot_action(self) -> int:
        """What the bot whose turn it is would do; it is not played yet."""
        player = self.state.turn
        return self.bots[player].choose(self.state.copy(), stream=self.bot_streams[player])

    def undo(self) -> None:
        """Go back to a person's last decision, through bots and chance."""
        taken = []
        while self.state.history:
            taken.append(self.state.undo())
            if self.person_to_move:
                self.undone += taken
                return
        for action in reversed(taken):
            self.state.play(action)
        raise IllegalAction("There is nothing to undo.")

    def redo(self) -> None:
        """Go forth again to the next decision."""
        if not self.undone:
            raise IllegalAction("There is nothing to redo.")
        self.state.play(self.undone.pop())
        while self.undone and not self.person_to_move:
            self.state.play(self.undone.pop())

    def restart(self) -> None:
        """Begin the same game again, with new luck."""
        origin = self.state.origin
        self.state = self.game.start() if origin is None else self.game.position(origin)
        self.undone.clear()
        self.play_chance()

    @classmethod
    def from_record(cls, record: Record, plies: int | None = None) -> Self:
        """A recorded game gone on with, from its end or after some plies; the bots sit where they sat."""
        seed = parse_seed(record.tags.get("seed", ""))
        return cls(record.replay(plies), bots_in(record), random_seed() if seed is None else seed)

    def resume(self, record: Record) -> None:
        """Go on with a recorded game instead of this one."""
        self.state, self.bots = record.replay(), bots_in(record)
        self.bot_streams = {player: Stream(self.seed, player) for player in self.bots}
        self.undone.clear()

    def record(self, tags: dict[str, str] | None = None) -> Record:
        """The game so far, with who plays."""
        seats = range(1, self.game.players + 1)
        names = tuple(f"{BOT}{self.bots[player]}" if player in self.bots else PERSON for player in seats)
        return Record.of(self.state, names, {"seed": str(self.seed)} | (tags or {}))


MAX_SEED = 2**63 - 1
MAX_ACTIONS = 25_000
"""Actions that a game may have on the screen, where all that can be done is worked out for every key."""


def check_screen_size(game: Game) -> None:
    """Refuse a game that is too large to be played on the screen."""
    if game.action_count > MAX_ACTIONS:
        raise OptionError("This board is too large for the screen; play it line by line, with rookery play --lines.")


def parse_seed(text: str) -> int | None:
    """The seed that somebody typed; None if it is none."""
    if text.isascii() and text.isdigit() and len(text) <= len(str(MAX_SEED)) and int(text) <= MAX_SEED:
        return int(text)
    return None


def random_seed() -> int:
    """A seed that nobody has chosen."""
    return int.from_bytes(os.urandom(4), "little")


def assign_bots(game: Game, specs: list[str], seat: int) -> dict[int, Bot]:
    """The bots by seat: they fill the seats in order, past the person's unless there are enough for all."""
    if len(specs) > game.players:
        raise OptionError(f"bot takes at most {counted(game.players, 'opponent')} in this game, not {len(specs)}.")
    free = [player for player in range(1, game.players + 1) if player != seat or len(specs) == game.players]
    return {player: make_bot(game, spec) for player, spec in zip(free, specs, strict=False)}


def bots_in(record: Record) -> dict[int, Bot]:
    """The bots that sat in a recorded game; a bot this Rookery does not have leaves its seat to a person."""
    bots = {}
    for player, name in enumerate(record.players, start=1):
        if name.startswith(BOT):
            with suppress(RookeryError):
                bots[player] = make_bot(record.game, name.removeprefix(BOT))
    return bots
