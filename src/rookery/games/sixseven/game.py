"""67! as a `Game`: options, names of actions and outcomes, and why an action is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from rookery.core.game import Achievement, Game, Map
from rookery.core.notation import read_spot, write_spot
from rookery.core.options import in_forms, option
from rookery.core.rules import DIRECTIONS
from rookery.games.sixseven import guide, observation, position, rules
from rookery.games.sixseven.lesson import LESSON
from rookery.games.sixseven.level_results import RESULTS
from rookery.games.sixseven.scene import emoji, ending_text, look

if TYPE_CHECKING:
    from rookery.core.ending import LevelResults
    from rookery.core.game import Challenge
    from rookery.core.lesson import Lesson
    from rookery.core.observation import ObservationSpec
    from rookery.core.state import State
    from rookery.core.trainer import Trainer

VARIANTS = {
    "original": "number, operator, number join only if they stand side by side before the slide",
    "modified": "number, operator, number join also across gaps",
    "pairs": "as modified, and equal operators merge two by two",
    "final": "as modified, and a run of equal operators merges into one",
}
"""The variants in the order of their numbers in `rules.py`, with what each means."""
TILES = "0123456789+-*"


@dataclass(frozen=True)
class SixSeven(Game):
    """2048 with arithmetic: slide numbers and operators together until one of them is 67.

    Actions: `up`, `right`, `down`, `left`. A new tile is written `2,5=7` or `0,3=+`: row, column and what appears.
    """

    name: ClassVar[str] = "sixseven"
    title: ClassVar[str] = "67!"
    summary: ClassVar[str] = "Slide numbers and operators together until one of them is 67."
    bots_module: ClassVar[str] = "rookery.games.sixseven.bots.engines"
    kernel: ClassVar[Any] = rules
    observation: ClassVar[Any] = observation
    forms = "slides are up, right, down and left"

    rows: int = option(6, "rows of the board", low=2, high=20)
    cols: int = option(7, "columns of the board", low=2, high=20)
    variant: str = option("modified", "when the tiles of a line join", choices=VARIANTS)
    operators: str = option("+-*", "operators that appear", letters={"+": "+", "-": "−", "*": "×"})
    rate: float = in_forms(
        option(0.5, "share of the new tiles that are operators: 0.5 is half of them", low=0, high=1),
        label="operator rate",
    )
    tiles: int = in_forms(option(2, "tiles that appear after each slide", low=1, high=400), label="new tiles", most=20)

    @property
    def players(self) -> int:
        return 1

    @property
    def config(self) -> tuple[int, ...]:
        bits = sum(1 << position.SIGNS.index(sign) for sign in self.operators)
        rate = round(self.rate * rules.WHOLE_RATE)
        return (self.rows, self.cols, list(VARIANTS).index(self.variant), bits, rate, self.tiles, 0)

    @property
    def action_count(self) -> int:
        return rules.SPAWN

    @property
    def code_count(self) -> int:
        return rules.SPAWN + self.rows * self.cols * rules.TILES

    def spell(self, action: int) -> str:
        if action < rules.SPAWN:
            return DIRECTIONS[action]
        cell, tile = divmod(action - rules.SPAWN, rules.TILES)
        return f"{write_spot(divmod(cell, self.cols))}={TILES[tile]}"

    def phrase(self, action: int) -> str:
        """An action in words: `slide left`; a new tile: `7 at row 2, column 5`."""
        if action < rules.SPAWN:
            return f"slide {DIRECTIONS[action]}"
        cell, tile = divmod(action - rules.SPAWN, rules.TILES)
        row, col = divmod(cell, self.cols)
        return f"{guide.SIGNS.get(TILES[tile], TILES[tile])} at row {row}, column {col}"

    def parse(self, text: str) -> int:
        if text in DIRECTIONS:
            return DIRECTIONS.index(text)
        where, _, tile = text.partition("=")
        row, col = read_spot(where, self.rows, self.cols)
        if len(tile) != 1:
            raise ValueError(text)
        return rules.SPAWN + (row * self.cols + col) * rules.TILES + TILES.index(tile)

    def why_not(self, state: State, action: int) -> str:
        if action < rules.SPAWN:
            return f"Nothing would move: sliding {DIRECTIONS[action]} changes no tile."
        cell, tile = divmod(action - rules.SPAWN, rules.TILES)
        if state.words[rules.TILE + cell] != rules.EMPTY:
            return "That cell is not empty."
        return f"The tile {TILES[tile]} does not appear with these options."

    def winners(self, state: State) -> tuple[int, ...]:
        return (1,) if state.words[rules.WON] else ()

    def achievement(self, state: State, player: int) -> Achievement | None:
        """A win in few moves, or a loss after many."""
        return Achievement.by_length(state.scores()[0], state.words[rules.SLIDES], "move") if state.over else None

    key = position.key
    describe = position.describe
    compose = position.compose
    write = position.write
    read = position.read
    scene = look
    ending_text = ending_text
    emoji = emoji
    goal = guide.goal
    quick_rules = guide.quick_rules
    options_text = guide.options_text
    examples = guide.examples

    def compiled_words(self, state: State) -> list[int]:
        words, limit = list(state.words), rules.MACHINE_LIMIT
        words[rules.VALUE_LIMIT] = limit
        for cell in range(rules.TILE, len(words)):
            if rules.is_number(words[cell]):
                words[cell] = rules.number(max(-limit, min(limit, rules.value_of(words[cell]))))
        return words

    def trainer(self, seed: int, bits: int | None = None) -> Trainer:
        from rookery.games.sixseven.bots.training import SixSevenTrainer

        return SixSevenTrainer(self, seed, bits)

    def observation_spec(self) -> ObservationSpec:
        return observation.spec(self.rows, self.cols)

    def maps(self) -> tuple[Map, ...]:
        return (Map.of_cells("where the 67 was made", self.rows, self.cols),)

    def level_results(self) -> LevelResults | None:
        return RESULTS if self == type(self)() else None

    @classmethod
    def challenges(cls) -> tuple[Challenge, ...]:
        return guide.CHALLENGES

    @classmethod
    def lesson(cls) -> Lesson:
        return LESSON

    @classmethod
    def demo(cls) -> Self:
        return cls(rows=4, cols=5)
