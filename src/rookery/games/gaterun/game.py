"""GateRun as a game: its options, its actions by name, and why one is refused."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from rookery.core.errors import OptionError
from rookery.core.game import Achievement, Game, Map
from rookery.core.names import NOBODY
from rookery.core.notation import numbers, read_spot, square, write_spot
from rookery.core.options import in_forms, option
from rookery.core.rules import TURN
from rookery.games.gaterun import geometry, guide, observation, position, rules
from rookery.games.gaterun.lesson import LESSON
from rookery.games.gaterun.scene import emoji, ending_text, look, message, place

if TYPE_CHECKING:
    from rookery.core.game import Challenge
    from rookery.core.lesson import Lesson
    from rookery.core.observation import ObservationSpec
    from rookery.core.scene import Scene, Spot
    from rookery.core.solver import Solver
    from rookery.core.state import State


@dataclass(frozen=True)
class GateRun(Game):
    """A race of two pawns to the other side, each turn a step or a wall.

    Actions: `1,3` steps to row 1, column 3; `2,3|2,4` puts a wall between two cells; `jump 3,3` jumps over the opponent
    to that cell; `2,3|2,4>2,4|3,4` turns a wall; `pass` is for a player who can do nothing else.
    """

    name: ClassVar[str] = "gaterun"
    title: ClassVar[str] = "GateRun"
    summary: ClassVar[str] = "Race your pawn to the other side; every turn, step or put up a wall."
    longest = rules.LONGEST
    bots_module: ClassVar[str] = "rookery.games.gaterun.bots.engines"
    puzzles_file: ClassVar[Path | None] = Path(__file__).with_name("puzzles.jsonl")
    kernel: ClassVar[Any] = rules
    observation: ClassVar[Any] = observation

    size: int = option(7, "cells along a side of the board", low=3, high=7)
    walls: int = in_forms(option(8, "walls each player may put up", low=0, high=84), most=42)
    walls2: int | None = in_forms(
        option(None, "a handicap: walls of player 2, if not as many", low=0, high=84),
        label="walls of player 2",
        most=42,
    )
    jump: bool = in_forms(option(False, "each player may jump over the other's pawn, once in the game"), label="jumps")
    rotate: bool = in_forms(
        option(False, "each player may turn a wall by a quarter, once in the game"), label="turned walls"
    )

    @property
    def players(self) -> int:
        return 2

    @property
    def forms(self) -> str:
        kinds = ["steps look like 1,2", "walls like 1,1|1,2"]
        kinds += ["jumps like jump 2,1"] * self.jump + ["turned walls like 1,1|1,2>1,2|2,2"] * self.rotate
        return ", ".join(kinds)

    @property
    def config(self) -> tuple[int, ...]:
        walls2 = self.walls if self.walls2 is None else self.walls2
        return (self.size, self.walls, walls2, int(self.jump), int(self.rotate))

    @property
    def action_count(self) -> int:
        return rules.action_count(self.size, self.jump, self.rotate)

    def spell(self, action: int) -> str:
        n = self.size
        skill = action - rules.pass_action(n) - 1
        if action < n * n:
            return write_spot(divmod(action, n))
        if skill < -1:
            return position.write_edge(n, action - n * n)
        if skill == -1:
            return "pass"
        if skill < n * n:
            return "jump " + write_spot(divmod(skill, n))
        edge, way = divmod(skill - n * n, 4)
        target = geometry.turned(n, edge, way)
        old = position.write_edge(n, edge)
        # A turn off the board has a name too, so that every number has one; it is never legal.
        return f"{old}>{position.write_edge(n, target)}" if target >= 0 else f"{old}>{'nesw'[way]}"

    def phrase(self, action: int) -> str:
        """An action in words: `step to d3`, `wall below d4`, `jump to d5`, `turn the wall below d4 to right of d4`,
        `pass`. Columns have letters from the left, rows numbers from the bottom.
        """
        n = self.size
        skill = action - rules.pass_action(n) - 1
        if action < n * n:
            return f"step to {square(divmod(action, n), n)}"
        if skill < -1:
            return f"wall {place(n, action - n * n)}"
        if skill == -1:
            return "pass"
        if skill < n * n:
            return f"jump to {square(divmod(skill, n), n)}"
        edge, target = position.turn_of(n, skill - n * n)
        way = place(n, target) if target >= 0 else f"off the board, {'nesw'[(skill - n * n) % 4]}"
        return f"turn the wall {place(n, edge)} to {way}"

    def parse(self, text: str) -> int:
        n = self.size
        skills = rules.pass_action(n) + 1
        if text == "pass":
            return rules.pass_action(n)
        if text.startswith("jump"):
            row, col = read_spot(text.removeprefix("jump"), n, n)
            return skills + row * n + col
        if ">" in text:
            old, _, new = text.partition(">")
            edge = position.read_edge(n, old.strip())
            if new in tuple("nesw"):
                way = "nesw".index(new)
                if geometry.turned(n, edge, way) >= 0:
                    raise ValueError(text)
            else:
                way = [geometry.turned(n, edge, k) for k in range(4)].index(position.read_edge(n, new.strip()))
            return skills + n * n + 4 * edge + way
        if "|" in text:
            return n * n + position.read_edge(n, text)
        row, col = read_spot(text, n, n)
        return row * n + col

    def in_notation(self, state: State) -> Scene:
        rows = cols = numbers(self.size)
        said = message(state, state.actions(), NOBODY, rows)
        return replace(state.scene(), message=said, row_names=rows, col_names=cols)

    def why_not(self, state: State, action: int) -> str:
        n, words, player = self.size, state.words, state.turn
        skill = action - rules.pass_action(n) - 1
        if action < n * n:
            return self._why_no_step(words, player, action)
        if skill < -1:
            return self._why_no_wall(words, player, action - n * n)
        if skill == -1:
            return "Passing is only for a player who can do nothing else."
        if skill < n * n:
            if not words[rules.JUMPS + player]:
                return "You have no jump" + (" left." if self.jump else " in this game.")
            return "A jump goes over the pawn next to yours, straight to the cell behind it, if no wall is in the way."
        if not words[rules.ROTATIONS + player]:
            return "You have turned a wall already." if self.rotate else "Walls cannot be turned in this game."
        edge, target = position.turn_of(n, skill - n * n)
        if rules.is_open(words, edge):
            return "There is no wall there to turn."
        if target < 0 or not rules.is_open(words, target):
            return "The wall cannot turn there: it needs a free edge of the board."
        return self._cut_off(words, (edge, target))

    def _why_no_step(self, words: list[int], player: int, cell: int) -> str:
        here = words[rules.PAWN + player]
        if cell == words[rules.PAWN + 3 - player]:
            return "The other pawn stands there."
        (row, col), (to_row, to_col) = divmod(here, self.size), divmod(cell, self.size)
        if abs(row - to_row) + abs(col - to_col) != 1:
            return "A step goes to a cell next to your pawn."
        return "A wall stands in the way."

    def _why_no_wall(self, words: list[int], player: int, edge: int) -> str:
        if not words[rules.WALLS + player]:
            return "You have no walls left."
        if not rules.is_open(words, edge):
            return "There is a wall there already."
        return self._cut_off(words, (edge,))

    def _cut_off(self, words: list[int], edges: tuple[int, ...]) -> str:
        after = list(words)
        for edge in edges:
            rules.toggle(after, edge)
        cut = {player for player in (1, 2) if rules.distance(after, player) < 0}
        whom = "both of you" if len(cut) == 2 else "you" if words[TURN] in cut else "the other player"
        return f"That wall would leave {whom} without a way to the other side."

    def pointed(self, state: State, at: tuple[Spot, ...]) -> int | None:
        """An edge is a wall; a cell is a step to it, or a jump where it lies straight behind the other pawn."""
        n, words, player = self.size, state.words, state.turn
        if player <= 0 or len(at) not in (1, 2) or not all(0 <= row < n and 0 <= col < n for row, col in at):
            return None
        if len(at) == 2:
            edge = position.edge_between(n, *at)
            return None if edge is None else n * n + edge
        row, col = at[0]
        here, cell = words[rules.PAWN + player], row * n + col
        straight = {abs(row - here // n), abs(col - here % n)} == {0, 2}
        behind = straight and here + cell == 2 * words[rules.PAWN + 3 - player]
        return rules.pass_action(n) + 1 + cell if self.jump and behind else cell

    def achievement(self, state: State, player: int) -> Achievement | None:
        """A win in few moves, or a loss after many."""
        return Achievement.by_length(state.scores()[player - 1], state.words[rules.PLY], "move") if state.over else None

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

    def solver(self, state: State | None = None) -> Solver:
        from rookery.games.gaterun.bots.solver import GateRunSolver

        if state is not None:
            raise OptionError("GateRun is solved from its start only, not from a saved game.")
        return GateRunSolver(self)

    def observation_spec(self) -> ObservationSpec:
        return observation.spec(self.size, max(self.config[1:3]))

    def maps(self) -> tuple[Map, ...]:
        edges = range(geometry.edge_count(self.size))
        return (Map("walls at the end", tuple(position.cells_of(self.size, edge) for edge in edges)),)

    @classmethod
    def challenges(cls) -> tuple[Challenge, ...]:
        return guide.CHALLENGES

    @classmethod
    def lesson(cls) -> Lesson:
        return LESSON

    @classmethod
    def demo(cls) -> Self:
        return cls(size=5)
