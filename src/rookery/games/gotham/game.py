"""Gotham Loops as a `Game`: options, names of actions, and why an action is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from rookery.core.errors import OptionError
from rookery.core.game import Game, Map
from rookery.core.options import in_forms, option
from rookery.core.rules import DIRECTIONS
from rookery.games.gotham import guide, observation, position, rules
from rookery.games.gotham.lesson import LESSON
from rookery.games.gotham.level_results import RESULTS
from rookery.games.gotham.printout import printed
from rookery.games.gotham.scene import LEGEND, emoji, ending_text, look

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rookery.core.ending import LevelResults
    from rookery.core.game import Challenge
    from rookery.core.lesson import Lesson
    from rookery.core.observation import ObservationSpec
    from rookery.core.scene import Spot
    from rookery.core.solver import Solver
    from rookery.core.state import State

LEVELS = {"deuce": (13, 2), "trey": (17, 3), "quad": (21, 4)}
BOARDS = {name: f"{side}×{side} cells, {coins} coins for a check" for name, (side, coins) in LEVELS.items()}
RULE_SETS = {
    "table": "only cells that are new in this round are checked; walking back is safe",
    "online": "every entry is checked, and an earlier round adds one flip to a cell at most",
    "app": "as in the published web app: every entry is checked, and a cell where you were caught counts as visited",
}
"""The rule sets in the order of their numbers in `rules.py`, with what each means."""
NAMES = (*DIRECTIONS, "safe", "caught")


@dataclass(frozen=True)
class GothamLoops(Game):
    """Seven loops from home through a risky city: the farther out, the more points, and the likelier to be caught.

    Actions: `up`, `right`, `down`, `left`. A check comes out `safe` or `caught`.
    """

    name: ClassVar[str] = "gotham"
    title: ClassVar[str] = "Gotham Loops"
    summary: ClassVar[str] = "Seven loops out from home and back: the farther, the more points and the more risk."
    legend: ClassVar[Mapping[str, str]] = LEGEND
    winnable = False
    bots_module: ClassVar[str] = "rookery.games.gotham.bots.engines"
    kernel: ClassVar[Any] = rules
    observation: ClassVar[Any] = observation
    forms = "moves are up, right, down and left"

    level: str = in_forms(option("deuce", "how large the city is, and how risky", choices=BOARDS), label="board")
    rules: str = in_forms(
        option("table", "which cells are checked, and with what odds", choices=RULE_SETS), label="checks"
    )
    size: int | None = in_forms(
        option(None, "cells along a side, an odd number, if not as on the board", low=3, high=99),
        label="city size",
        most=31,
    )
    coins: int | None = in_forms(
        option(None, "coins thrown for a check, if not as on the board: more coins, more risk", low=1, high=16), most=8
    )

    def check(self) -> None:
        if self.side % 2 == 0:
            raise OptionError(f"size takes an odd number, so that home is the centre, not {self.side}.", "size")

    @property
    def side(self) -> int:
        """Cells along a side."""
        return self.size or LEVELS[self.level][0]

    @property
    def rules_number(self) -> int:
        """The rule set as a number of `rules.py`."""
        return list(RULE_SETS).index(self.rules)

    @property
    def players(self) -> int:
        return 1

    @property
    def config(self) -> tuple[int, ...]:
        return (self.side, self.coins or LEVELS[self.level][1], self.rules_number)

    @property
    def action_count(self) -> int:
        return rules.SAFE

    @property
    def code_count(self) -> int:
        return rules.CAUGHT + 1

    def spell(self, action: int) -> str:
        return NAMES[action]

    def phrase(self, action: int) -> str:
        """An action in words: `go up`; an outcome: `safe`, `caught`."""
        return f"go {NAMES[action]}" if action < rules.SAFE else NAMES[action]

    def parse(self, text: str) -> int:
        return NAMES.index(text)

    def why_not(self, state: State, action: int) -> str:
        if action < rules.SAFE:
            return f"You cannot go {DIRECTIONS[action]}: the city ends here."
        return "The check has two outcomes, safe and caught."

    def pointed(self, state: State, at: tuple[Spot, ...]) -> int | None:
        """Pointing at a cell next to the player means the step there."""
        if state.turn <= 0 or len(at) != 1:
            return None
        row, col = at[0]
        if not (0 <= row < self.side and 0 <= col < self.side):
            return None
        cell, here = row * self.side + col, state.words[rules.AT]
        return next((way for way in range(4) if rules.neighbour(state.words, here, way) == cell), None)

    def winners(self, state: State) -> tuple[int, ...]:
        return ()

    key = position.key
    describe = position.describe
    compose = position.compose
    write = position.write
    read = position.read
    log_fields = position.log_fields
    scene = look
    ending_text = ending_text
    emoji = emoji
    goal = guide.goal
    quick_rules = guide.quick_rules
    options_text = guide.options_text
    printout = printed

    def observation_spec(self) -> ObservationSpec:
        return observation.spec(self.side)

    def maps(self) -> tuple[Map, ...]:
        n = self.side
        return (Map.of_cells("rounds that visited a cell", n, n), Map.of_cells("rounds that failed on a cell", n, n))

    def solver(self, state: State | None = None) -> Solver:
        from rookery.games.gotham.bots.solver import GothamSolver

        return GothamSolver(self, state)

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
        return cls(size=7)
