"""What the calls of the fuzz are made of: games, states, bots and records, and values that are wrong almost everywhere."""

from __future__ import annotations

import copy
import json
import math
import random
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy

import rookery
from rookery.core.bot import Budget, make_bot
from rookery.core.record import Record
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.games import from_file

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rookery.core.bot import Bot
    from rookery.core.game import Game
    from rookery.core.state import State

    Call: TypeAlias = Callable[[], Any]

T = TypeVar("T")
THIN_ICE = str(Path(__file__).parent.parent.parent / "examples" / "thin_ice.py")
STATES = 60
"""States of each game that are kept."""
FIRST = 12
"""The first states of each game, which are never replaced."""

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("gotham", {}),
    ("gotham", {"size": 3, "coins": 1}),
    ("gotham", {"size": 5, "rules": "online"}),
    ("gamma", {"width": 4, "height": 4}),
    ("gamma", {"width": 1, "height": 1, "players": 1, "areas": 1}),
    ("gamma", {"width": 7, "height": 2, "players": 3, "areas": 2}),
    ("gamma", {"width": 6, "height": 6, "players": 12, "pass_out": False}),
    ("sixseven", {"rows": 4, "cols": 4, "variant": "final", "rate": 0.67}),
    ("sixseven", {"rows": 2, "cols": 8, "variant": "original"}),
    ("sixseven", {"rows": 8, "cols": 2, "variant": "pairs", "tiles": 3}),
    ("gaterun", {}),
    ("gaterun", {"size": 3, "walls": 1}),
    ("gaterun", {"size": 4, "walls": 2, "jump": True, "rotate": True}),
    ("gaterun", {"size": 5, "walls": 0, "walls2": 3}),
)
WRONG: tuple[Any, ...] = (
    *(-1, -(2**63), 2**63, 2**64, 10**5000, -1.5, 0.5, math.nan, math.inf, -math.inf),
    *("", "up", "-1", "over", "\0", "é" * 100, "x" * 5000, b"up"),
    *([], [1], [[[1]]], {}, {"turn": 1}, set(), object(), int),
    *(numpy.float64(1.5), numpy.array([1, 2]), numpy.zeros((2, 2)), numpy.bool_(True), Ellipsis, len, 1j),
)
"""Values that are wrong almost everywhere."""
NUMBERS: tuple[Any, ...] = (0, 1, 2, 3, 5, 9, 17, True, numpy.int64(1), numpy.int8(2), numpy.uint64(3))
LARGE: tuple[Any, ...] = (1000, 2**31 - 1, 2**31, 2**32, 2**53, 2**63 - 1, numpy.int64(2**62))


@dataclass(frozen=True)
class Kind:
    """A kind of calls: its name in the table, how many there are of it beside the others, and what makes one."""

    name: str
    share: int
    make: Callable[[], Call]


class Values:
    """Draws values from a seed."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.random = random.Random(seed)
        self.folder = folder
        self.games: list[Game] = [
            *(rookery.game(name, **options) for name, options in GAMES),
            from_file(THIN_ICE)(),
            from_file(THIN_ICE).make(rows=3, cols=2),
        ]
        self.states: dict[int, list[State]] = {k: [] for k in range(len(self.games))}
        for k, game in enumerate(self.games):
            self.states[k] = [self.played(game) for _ in range(FIRST)]
        self.bots = [bot for game in self.games for bot in self.bots_of(game)]
        self.records = [Record.of(state) for states in self.states.values() for state in states[:3]]

    def one(self, values: Sequence[T]) -> T:
        return self.random.choice(values)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def number(self, *, large: bool = False) -> Any:
        """A number, most often a small one that could be right, or something wrong."""
        return self.one((NUMBERS, NUMBERS, NUMBERS, LARGE if large else NUMBERS, WRONG)[self.random.randrange(5)])

    def anything(self) -> Any:
        return self.one(
            (self.number(large=True), self.one(WRONG), self.state(), self.one(self.games), self.one(self.bots), None)
        )

    def mostly(self, right: T, share: float = 0.9) -> Any:
        """The right value, or now and then anything."""
        return right if self.chance(share) else self.anything()

    def game(self) -> Any:
        return self.mostly(self.game_only(), 0.95)

    def game_only(self) -> Game:
        return self.one(self.games)

    def state(self) -> State:
        return self.one(self.states[self.random.randrange(len(self.games))])

    def own_state(self, bot: Bot) -> State:
        """A state of a game that the bot plays, in most cases with a player to move."""
        own = [k for k, game in enumerate(self.games) if type(bot) in type(game).bots().values()]
        states = self.states[self.one(own)]
        return self.one([state for state in states if state.turn > 0 or self.chance(0.1)] or states)

    def played(self, game: Game) -> State:
        """A state of a random game, anywhere in it, in most cases with a player to move."""
        state, stream = game.start(), Stream(self.random.randrange(2**63))
        for _ in range(self.random.choice((0, 1, 3, 10, 30, 400))):
            if state.over:
                break
            state.play(state.draw(stream) if state.turn == CHANCE else state.pick(stream))
        while state.turn == CHANCE and self.chance(0.9):
            state.play(state.draw(stream))
        return state

    def keep(self, k: int, state: State) -> None:
        """Keep a state of a game for later calls, in the place of another if there are enough."""
        kept = self.states[k]
        if len(kept) < STATES:
            kept.append(state)
        else:
            kept[self.random.randrange(FIRST, STATES)] = state

    def action(self, game: Game) -> Any:
        """An action or outcome of the game, or something else."""
        return self.one((self.random.randrange(game.code_count), self.number(large=True), self.anything()))

    def name(self, game: Game) -> str:
        """The name of an action or outcome of the game."""
        return game.name_of(self.random.randrange(game.code_count))

    def bots_of(self, game: Game) -> list[Bot]:
        """Every bot and level of a game, with parameters that keep it short."""
        cls = type(game)
        return [make_bot(cls, spec) for spec in (*cls.bots(), *map(str, range(1, 11)))]

    def limits(self) -> dict[str, Any]:
        """A short budget, or a wrong one."""
        short: list[dict[str, Any]] = [{"nodes": self.random.randint(1, 50)}, {"ms": self.random.randint(1, 5)}]
        if self.chance(0.85):
            return self.one(short)
        wrong: Any = self.one(WRONG)
        bad: list[dict[str, Any]] = [{"nodes": wrong}, {"ms": wrong}, {"budget": wrong}, {"nodes": 0}, {"ms": -1}]
        return self.one(bad)

    def budget(self) -> Any:
        return self.mostly(Budget(nodes=self.random.randint(1, 50)))

    def stream(self) -> Any:
        return self.mostly(Stream(self.random.randrange(2**63)))

    def mutated(self, text: str) -> str:
        """The text with a few characters changed, left out, doubled or swapped for others of its kind."""
        signs = list(text)
        for _ in range(self.one((0, 1, 1, 2, 5))):
            at = self.random.randrange(len(signs) + 1)
            with_what = self.one((self.one(text or "0"), self.one('0123456789,./|-+*#;: P{}[]"x\0é')))
            signs[at : at + self.one((0, 1, 1, 3))] = [with_what]
        return "".join(signs)

    def reshaped(self, content: Any) -> Any:
        """JSON with a value somewhere in it replaced, left out or doubled."""
        content = copy.deepcopy(content)
        place = content
        for _ in range(self.random.randrange(1, 5)):
            if not isinstance(place, dict | list) or not place:
                break
            key = self.one(list(place)) if isinstance(place, dict) else self.random.randrange(len(place))
            inner = place[key]
            if isinstance(inner, dict | list) and inner and self.chance(0.6):
                place = inner
                continue
            how = self.random.random()
            if how < 0.2:
                del place[key]
            elif isinstance(inner, str) and how < 0.6:
                place[key] = self.mutated(inner)
            else:
                place[key] = self.one((self.number(large=True), inner, self.one(WRONG)))
            break
        return content


def as_json(content: Any) -> str:
    """As JSON; what JSON has no form for, and numbers that Python would not write, as text."""
    if isinstance(content, dict):
        return "{" + ", ".join(f"{json.dumps(str(key))}: {as_json(value)}" for key, value in content.items()) + "}"
    if isinstance(content, list):
        return "[" + ", ".join(map(as_json, content)) + "]"
    if isinstance(content, int) and abs(content) > 10**100:
        return "1" + "0" * 5000
    return json.dumps(content, default=str)
