"""Gamma as a game played in turns: its options, its actions by name, and why one is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rookery.core.errors import OptionError
from rookery.core.game import Game
from rookery.core.notation import counted, number
from rookery.core.options import option
from rookery.games.gamma import position, rules, scene

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from rookery.core.bot import Bot
    from rookery.core.scene import Scene
    from rookery.core.state import State

LARGEST = 100_000_000
"""Cells of the largest board that can be asked for; every cell takes some fifty bytes."""


@dataclass(frozen=True)
class Gamma(Game):
    """Area control for any number of players: take cells, in few areas, and once in a game a cell of somebody else.

    Actions: `m 3 4` takes the free cell in column 3 from the left, row 4 from the bottom; `g 3 4` is the golden move on
    it; `pass` skips the turn.
    """

    name: ClassVar[str] = "gamma"
    title: ClassVar[str] = "Gamma"
    summary: ClassVar[str] = "Take more cells than anyone, in few areas, with one golden move each."
    kernel: ClassVar[Any] = rules
    forms: ClassVar[str] = (
        "moves look like m 3 4, golden moves like g 3 4 (column from the left, row from the bottom), or pass"
    )

    width: int = option(10, "columns of the board", low=1, high=LARGEST)
    height: int = option(10, "rows of the board", low=1, high=LARGEST)
    players: int = option(2, "number of players", low=1, high=1_000_000)
    areas: int = option(4, "areas a player may have", low=1, high=2**32 - 1)

    def check(self) -> None:
        if self.width * self.height > LARGEST:
            raise OptionError(f"width times height may be {LARGEST} at most, not {self.width * self.height}.")

    @property
    def cells(self) -> int:
        """Cells of the board."""
        return self.width * self.height

    @property
    def config(self) -> tuple[int, ...]:
        return (self.width, self.height, self.players, self.areas, 1)

    @property
    def action_count(self) -> int:
        return 2 * self.cells + 1

    def spell(self, action: int) -> str:
        if action == 2 * self.cells:
            return "pass"
        y, x = divmod(action % self.cells, self.width)
        return f"{'m' if action < self.cells else 'g'} {x} {y}"

    def parse(self, text: str) -> int:
        if text == "pass":
            return 2 * self.cells
        letter, x, y = text.split(" ")
        col, row = number(x), number(y)
        if col >= self.width or row >= self.height:
            raise ValueError(text)
        return {"m": 0, "g": self.cells}[letter] + row * self.width + col

    def why_not(self, state: State, action: int) -> str:
        words, player = state.words, state.turn
        y, x = divmod(action % self.cells, self.width)
        place = rules.place_of(words, action % self.cells)
        owner = words[words[rules.OWNER] + place]
        full = words[words[rules.AREAS] + player] == self.areas and not rules.touches(words, place, player)
        alone = f"Player {player} may have {counted(self.areas, 'area')}, and {x} {y} would be one more."
        if action < self.cells:
            return alone if owner == 0 else f"The cell {x} {y} belongs to player {owner}."
        if words[words[rules.SPENT] + player]:
            return f"Player {player} has made its golden move already."
        if owner in (0, player):
            return f"A golden move takes a cell of another player; {x} {y} is " + ("your own." if owner else "free.")
        return alone if full else f"Without {x} {y} player {owner} would have more than {counted(self.areas, 'area')}."

    def key(self, state: State) -> Hashable:
        return position.key(state)

    def describe(self, state: State) -> dict[str, Any]:
        return position.describe(self, state.words)

    def compose(self, fields: Mapping[str, Any]) -> list[int]:
        return position.compose(self, fields)

    def write(self, fields: Mapping[str, Any]) -> str:
        return position.write(fields)

    def read(self, text: str) -> dict[str, Any]:
        return position.read(text)

    def scene(self, state: State, viewer: int, *, odds: bool) -> Scene:
        return scene.scene(self, state)

    @classmethod
    def bots(cls) -> Mapping[str, type[Bot]]:
        from rookery.games.gamma.bot import BOTS

        return BOTS
