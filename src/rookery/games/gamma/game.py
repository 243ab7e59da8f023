"""Gamma as a game played in turns: its options, its actions by name, and why one is refused."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from rookery.core.errors import OptionError
from rookery.core.game import Achievement, Game, Map
from rookery.core.notation import counted, number, numbers
from rookery.core.options import in_forms, option
from rookery.games.gamma import board, guide, observation, position, rules
from rookery.games.gamma.lesson import LESSON
from rookery.games.gamma.scene import LEGEND, called, ending_text, look

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rookery.core.game import Challenge
    from rookery.core.lesson import Lesson
    from rookery.core.observation import ObservationSpec
    from rookery.core.scene import Scene, Spot
    from rookery.core.state import State


LARGEST_MAP = 10_000
"""Cells of a board that many games are mapped on at most."""


@dataclass(frozen=True)
class Gamma(Game):
    """Area control for any number of players: take cells, in few areas, and once in a game a cell of somebody else.

    Actions: `m 3 4` takes the free cell in column 3 from the left, row 4 from the bottom; `g 3 4` is the golden move on
    it; `pass` skips the turn.
    """

    name: ClassVar[str] = "gamma"
    title: ClassVar[str] = "Gamma"
    summary: ClassVar[str] = "Take more cells than anyone, in few areas, with one golden move each."
    legend: ClassVar[Mapping[str, str]] = LEGEND
    bots_module: ClassVar[str] = "rookery.games.gamma.bots.engines"
    puzzles_file: ClassVar[Path | None] = Path(__file__).with_name("puzzles.jsonl")
    kernel: ClassVar[Any] = rules
    observation: ClassVar[Any] = observation
    forms = "moves look like m 3 4, golden moves like g 3 4 (column from the left, row from the bottom), or pass"

    width: int = in_forms(option(10, "columns of the board", low=1, high=rules.LARGEST), most=30)
    height: int = in_forms(option(10, "rows of the board", low=1, high=rules.LARGEST), most=30)
    players: int = in_forms(option(2, "how many play", low=1, high=rules.LARGEST), most=8)
    areas: int = in_forms(option(4, "areas that your cells may form at most", low=1, high=2**32 - 1), most=100)
    pass_out: bool = in_forms(
        option(True, "the game ends when everyone who can act skips in a row"), label="end by skipping"
    )

    def check(self) -> None:
        if self.width * self.height > rules.LARGEST:
            most = f"width times height may be {rules.LARGEST} at most"
            raise OptionError(f"{most}, not {self.width * self.height}.", "width")

    @property
    def cells(self) -> int:
        """Cells of the board."""
        return self.width * self.height

    @property
    def config(self) -> tuple[int, ...]:
        return (self.width, self.height, self.players, self.areas, int(self.pass_out))

    @property
    def action_count(self) -> int:
        return 2 * self.cells + 1

    def spell(self, action: int) -> str:
        if action == 2 * self.cells:
            return "pass"
        y, x = divmod(action % self.cells, self.width)
        return f"{'m' if action < self.cells else 'g'} {x} {y}"

    def phrase(self, action: int) -> str:
        """An action in words: `take d4`, `golden d4`, `skip a turn`. Columns have letters from the left, rows numbers
        from the bottom, from 1.
        """
        if action == 2 * self.cells:
            return "skip a turn"
        where = called(self.width, self.height, action % self.cells)
        return f"{'take' if action < self.cells else 'golden'} {where}"

    def parse(self, text: str) -> int:
        if text == "pass":
            return 2 * self.cells
        letter, x, y = text.split(" ")
        col, row = number(x), number(y)
        if col >= self.width or row >= self.height:
            raise ValueError(text)
        return {"m": 0, "g": self.cells}[letter] + row * self.width + col

    def in_notation(self, state: State) -> Scene:
        return replace(state.scene(), row_names=numbers(self.height)[::-1], col_names=numbers(self.width))

    def why_not(self, state: State, action: int) -> str:
        words, player = state.words, state.turn
        place = board.place_of(words, action % self.cells)
        owner = words[words[board.OWNER] + place]
        full = words[words[board.AREAS] + player] == self.areas and not board.touches(words, place, player)
        limit = counted(self.areas, "area")
        alone = f"You may have {limit} at most, and that cell would start one more."
        if action < self.cells:
            taken = "is yours already" if owner == player else "belongs to another player"
            return alone if owner == 0 else f"That cell {taken}."
        if words[words[board.SPENT] + player]:
            return "You have made your golden move already; there is one for each player in a game."
        if owner in (0, player):
            return "A golden move takes a cell of another player; that one is " + ("your own." if owner else "free.")
        return alone if full else f"Without that cell its owner would have more than {limit}, which is not allowed."

    def pointed(self, state: State, at: tuple[Spot, ...]) -> int | None:
        """A cell of another player is the golden move on it, any other the move."""
        if state.turn <= 0 or len(at) != 1:
            return None
        row, col = at[0]
        if not (0 <= row < self.height and 0 <= col < self.width):
            return None
        cell = (self.height - 1 - row) * self.width + col
        owner = state.words[state.words[board.OWNER] + board.place_of(state.words, cell)]
        return cell if owner in (0, state.turn) else self.cells + cell

    def achievement(self, state: State, player: int) -> Achievement | None:
        """By how many cells the player is ahead of the best of the others; alone, how many it has."""
        if not state.over:
            return None
        others = [int(score) for score in state.scores()]
        cells = others.pop(player - 1)
        if not others:
            return Achievement(cells, counted(cells, "cell"))
        lead = cells - max(others)
        if lead == 0:
            return Achievement(0, f"draw with {counted(cells, 'cell')}")
        return Achievement(lead, f"{'won' if lead > 0 else 'lost'} by {counted(abs(lead), 'cell')}")

    key = position.key
    describe = position.describe
    compose = position.compose
    write = position.write
    read = position.read
    scene = look
    ending_text = ending_text
    goal = guide.goal
    quick_rules = guide.quick_rules
    options_text = guide.options_text

    def observation_spec(self) -> ObservationSpec:
        return observation.spec(self.width, self.height, self.players)

    def maps(self) -> tuple[Map, ...]:
        """The rules count rows from the bottom, a map from the top."""
        if self.cells > LARGEST_MAP:
            return ()
        spots = tuple(((self.height - 1 - y, x),) for y in range(self.height) for x in range(self.width))
        return tuple(
            Map(f"cells of player {player}", spots) for player in range(1, min(self.players, rules.MAPPED) + 1)
        )

    @classmethod
    def compiled_parts(cls) -> Mapping[str, Callable[[], None]]:
        from rookery.games.gamma.protocol.batch import warm

        return {"lines": warm}

    @classmethod
    def challenges(cls) -> tuple[Challenge, ...]:
        return guide.CHALLENGES

    @classmethod
    def lesson(cls) -> Lesson:
        return LESSON

    @classmethod
    def demo(cls) -> Self:
        return cls(width=6, height=6)
