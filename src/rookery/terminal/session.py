"""A game in progress: the position, the bots, the undone plies, and the random streams of chance and bots.

Nothing here prints or draws.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from rookery.core.bot import make_bot
from rookery.core.errors import IllegalAction, MalformedAction, OptionError, RookeryError
from rookery.core.names import Names
from rookery.core.notation import counted
from rookery.core.record import Record
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.core.strength import bot_name, name_of_spec, told_apart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.bot import Bot
    from rookery.core.game import Game
    from rookery.core.scene import Scene
    from rookery.core.state import State

BOT = "bot "
"""Prefix of a bot's name in a record."""
PERSON = "person"
STREAMS_PER_PLY = 1_000_000
"""A resumed game of n plies draws its chance from stream n × this number, so as not to repeat earlier draws."""


class Session:
    """A game in progress, with bots on some seats and people on the others."""

    def __init__(self, state: State, bots: dict[int, Bot], seed: int, source: str = "") -> None:
        self.state = state
        self.bots = bots
        self.seed = seed
        self.source = source
        """The Python file that defines the game, unless it is built in."""
        self.chance_stream = Stream(seed, STREAMS_PER_PLY * state.ply)
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
        """Whether bots play all seats."""
        return len(self.bots) == self.game.players

    @property
    def names(self) -> Names:
        """What the players are called: bots by their strength, and the only person "You"."""
        seats = range(1, self.game.players + 1)
        people = [player for player in seats if player not in self.bots]
        given = (bot_name(type(self.game), self.bots[seat]) if seat in self.bots else "" for seat in seats)
        return Names(told_apart(tuple(given)), people[0] if len(people) == 1 else 0)

    def scene(self) -> Scene:
        """What the player to move sees."""
        return self.state.scene(max(self.state.turn, 0), odds=self.odds, names=self.names)

    def action_of(self, text: str) -> int:
        """The action that a person types: by its name, in words as people read it, or by the key that plays it."""
        try:
            return self.game.action(text)
        except MalformedAction:
            plain = " ".join(text.lower().split())
            for choice in self.scene().choices:
                if plain in (choice.key, choice.label.lower()):
                    return self.game.action(choice.action)
            many = self.game.action_count
            said = (action for action in range(many) if many <= MAX_ACTIONS and self.game.phrase(action) == plain)
            if (action := next(said, None)) is not None:
                return action
            raise

    def act(self, action: int) -> None:
        """Play a person's action, and chance after it."""
        if self.state.over:
            raise IllegalAction("The game is over.")
        if action >= self.game.action_count:
            raise IllegalAction("That is a chance outcome; you cannot choose it.")
        self.state.play(action)
        self.undone.clear()
        self.play_chance()

    def play_chance(self) -> None:
        """Play while it is chance's turn."""
        while self.state.turn == CHANCE:
            self.state.play(self.state.draw(self.chance_stream))

    def bot_action(self) -> int:
        """The action of the bot to move; it is not played yet."""
        player = self.state.turn
        return self.bots[player].choose(self.state.copy(), stream=self.bot_streams[player])

    def undo(self) -> None:
        """Undo to the last decision of a person, through bots and chance."""
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
        """Redo to the next decision of a person."""
        if not self.undone:
            raise IllegalAction("There is nothing to redo.")
        self.state.play(self.undone.pop())
        while self.undone and not self.person_to_move:
            self.state.play(self.undone.pop())

    def restart(self) -> None:
        """Restart the game with new random numbers."""
        origin = self.state.origin
        self.state = self.game.start() if origin is None else self.game.position(origin)
        self.undone.clear()
        self.play_chance()

    @classmethod
    def from_record(cls, record: Record, plies: int | None = None) -> Self:
        """A session that resumes a record, from its end or after some plies, with the same bots."""
        seed = parse_seed(record.tags.get("seed", ""))
        return cls(record.replay(plies), bots_in(record), random_seed() if seed is None else seed)

    def resume(self, record: Record) -> None:
        """Replace the game by a recorded one."""
        self.state, self.bots = record.replay(), bots_in(record)
        self.bot_streams = {player: Stream(self.seed, player) for player in self.bots}
        self.undone.clear()

    def record(self, tags: dict[str, str] | None = None) -> Record:
        """The game so far as a record."""
        seats = range(1, self.game.players + 1)
        names = tuple(f"{BOT}{self.bots[player]}" if player in self.bots else PERSON for player in seats)
        return Record.of(self.state, names, {"seed": str(self.seed)} | (tags or {}))


MAX_SEED = 2**63 - 1
MAX_ACTIONS = 25_000
"""Actions a game may have on the full screen, which lists the legal ones after every key."""


def check_screen_size(game: Game) -> None:
    """Refuse a game that is too large for the full screen."""
    if game.action_count > MAX_ACTIONS:
        raise OptionError("This board is too large for the screen; play it line by line with rookery play --lines.")


def parse_seed(text: str) -> int | None:
    """The seed in a text; None if it is not a valid seed."""
    if text.isascii() and text.isdigit() and len(text) <= len(str(MAX_SEED)) and int(text) <= MAX_SEED:
        return int(text)
    return None


def random_seed() -> int:
    """A random seed."""
    return int.from_bytes(os.urandom(4), "little")


def assign_bots(game: Game, specs: list[str], seat: int) -> dict[int, Bot]:
    """Assign bots to seats in order. The person's seat stays free unless there is a bot for every seat."""
    if len(specs) > game.players:
        raise OptionError(f"bot takes at most {counted(game.players, 'opponent')} in this game, not {len(specs)}.")
    free = [player for player in range(1, game.players + 1) if player != seat or len(specs) == game.players]
    return {player: make_bot(game, spec) for player, spec in zip(free, specs, strict=False)}


def recorded_names(game: type[Game], players: Sequence[str]) -> Names:
    """What the players of a record are called: bots by their strength, and people without a name by their seats."""
    given = (name_of_spec(game, name.removeprefix(BOT)) if name.startswith(BOT) else name for name in players)
    return Names(told_apart(tuple("" if name == PERSON else name for name in given)))


def bots_in(record: Record) -> dict[int, Bot]:
    """The bots of a recorded game; a person takes the seat of a bot that this installation does not have."""
    bots = {}
    for player, name in enumerate(record.players, start=1):
        if name.startswith(BOT):
            with suppress(RookeryError):
                bots[player] = make_bot(record.game, name.removeprefix(BOT))
    return bots
