"""Thin Ice, a complete game in one file: two walkers on drifting ice; each floe melts when a walker leaves it.

Play it with `rookery play examples/thin_ice.py --bot 5`. CONTRIBUTING.md walks through it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rookery.core.bot import Analysis, Bot, Budget, Random, ranked
from rookery.core.errors import PositionError
from rookery.core.game import Game, Map, whole
from rookery.core.observation import ObservationSpec, Plane
from rookery.core.options import option
from rookery.core.rules import DIRECTIONS, DOWN, LEFT, OVER, RIGHT, STATE_SIZE, TURN, UP
from rookery.core.scene import Cell, Choice, Mark, Panel, Scene
from rookery.core.stream import below
from rookery.games import add

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rookery.core.names import Names
    from rookery.core.rules import Weights, Words
    from rookery.core.scene import Spot
    from rookery.core.state import State
    from rookery.core.stream import Stream

# ---- the rules: plain functions over the words of a position, as `rookery.core.rules.Rules` describes them ----

ROWS, COLS, WALKER, ICE = 2, 3, 4, 7
"""Indices of words: WALKER + player is the walker's cell; from ICE on there is a word for each cell, 1 for a floe."""


def size(config: Sequence[int]) -> int:
    return ICE + config[0] * config[1]


def start(s: Words, config: Sequence[int]) -> None:
    s[TURN], s[STATE_SIZE], s[ROWS], s[COLS] = 1, size(config), config[0], config[1]
    for cell in range(s[ROWS] * s[COLS]):
        s[ICE + cell] = 1
    s[WALKER + 1] = s[COLS] // 2
    s[WALKER + 2] = s[ROWS] * s[COLS] - 1 - s[COLS] // 2


def target(s: Words, player: int, direction: int) -> int:
    """The cell that a step leads to, or −1 if there is no free floe."""
    cell = s[WALKER + player]
    row, col = cell // s[COLS], cell % s[COLS]
    if direction == UP and row > 0:
        cell -= s[COLS]
    elif direction == DOWN and row < s[ROWS] - 1:
        cell += s[COLS]
    elif direction == LEFT and col > 0:
        cell -= 1
    elif direction == RIGHT and col < s[COLS] - 1:
        cell += 1
    if cell == s[WALKER + 1] or cell == s[WALKER + 2] or not s[ICE + cell]:
        return -1
    return cell


def legal(s: Words, action: int) -> bool:
    return s[TURN] != OVER and target(s, s[TURN], action) >= 0


def actions(s: Words, out: Words) -> int:
    count = 0
    for direction in range(4):
        if target(s, s[TURN], direction) >= 0:
            out[count] = direction
            count += 1
    return count


def pick(s: Words, r: Words) -> int:
    action = below(r, 4)
    while target(s, s[TURN], action) < 0:
        action = below(r, 4)
    return action


def perform(s: Words, action: int) -> None:
    player = s[TURN]
    s[ICE + s[WALKER + player]] = 0
    s[WALKER + player] = target(s, player, action)
    s[TURN] = 3 - player if steps(s, 3 - player) > 0 else OVER


def steps(s: Words, player: int) -> int:
    """The number of steps a player could take."""
    count = 0
    for direction in range(4):
        if target(s, player, direction) >= 0:
            count += 1
    return count


def chances(s: Words, out: Words, weights: Weights) -> int:
    """None: this game has no chance."""
    return 0


def draw(s: Words, r: Words) -> int:
    return -1


def score(s: Words, player: int) -> float:
    return 1.0 if winner(s) == player else 0.0


def winner(s: Words) -> int:
    """The walker who stepped last, because the other one cannot."""
    return last_to_move(s) if s[TURN] == OVER else 0


def last_to_move(s: Words) -> int:
    """The player who stepped last: each step melts one floe, so the number of melted floes tells."""
    gone = 0
    for cell in range(s[ROWS] * s[COLS]):
        gone += 1 - s[ICE + cell]
    return 1 if gone % 2 == 1 else 2


def moves(s: Words, made: int) -> int:
    return made


def tally(s: Words, counts: Words) -> None:
    """Count, for each cell, the games that end with a floe there."""
    for cell in range(s[ROWS] * s[COLS]):
        counts[cell] += s[ICE + cell]


def observe(s: Words, player: int, out: Words) -> None:
    """Write three planes: ice, the player's own walker, the other walker."""
    for cell in range(s[ROWS] * s[COLS]):
        out[3 * cell] = s[ICE + cell]
        out[3 * cell + 1] = int(s[WALKER + player] == cell)
        out[3 * cell + 2] = int(s[WALKER + 3 - player] == cell)


# ---- a bot ----


@dataclass(frozen=True)
class Greedy(Bot):
    """Looks one step ahead; the value is the number of its own next steps minus the opponent's."""

    name: ClassVar[str] = "greedy"

    def search(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        values = {}
        for action in state.actions():
            words = list(state.words)
            perform(words, action)
            values[action] = float(steps(words, state.turn) - steps(words, 3 - state.turn))
        return ranked(state, values, nodes=len(values))


# ---- the game ----


@add
@dataclass(frozen=True)
class ThinIce(Game):
    """Two walkers on drifting ice; each floe melts when a walker leaves it. A player who cannot step loses."""

    name: ClassVar[str] = "thin_ice"
    title: ClassVar[str] = "Thin Ice"
    summary: ClassVar[str] = "Every floe melts when you leave it: be the last who can step."
    legend: ClassVar[Mapping[str, str]] = {"blocked": "gone"}
    kernel: ClassVar[Any] = sys.modules[__name__]
    observation: ClassVar[Any] = sys.modules[__name__]
    forms = "steps are up, right, down and left"

    rows: int = option(6, "rows of floes", low=2, high=20)
    cols: int = option(7, "columns of floes", low=2, high=20)

    @property
    def players(self) -> int:
        return 2

    def quick_rules(self) -> tuple[str, ...]:
        return (
            f"Two walkers stand on {self.rows * self.cols} floes of drifting ice. They take turns to step to a floe "
            "above, below, left or right.",
            "The floe that a walker leaves melts at once: nobody can step there again. Two cannot share a floe.",
            "A player who cannot step loses.",
        )

    @property
    def config(self) -> tuple[int, ...]:
        return (self.rows, self.cols)

    @property
    def action_count(self) -> int:
        return 4

    def spell(self, action: int) -> str:
        return DIRECTIONS[action]

    def phrase(self, action: int) -> str:
        return f"step {DIRECTIONS[action]}"

    def parse(self, text: str) -> int:
        return DIRECTIONS.index(text)

    def why_not(self, state: State, action: int) -> str:
        return f"There is no floe to stand on {DIRECTIONS[action]} of here."

    def pointed(self, state: State, at: tuple[Spot, ...]) -> int | None:
        if state.turn <= 0 or len(at) != 1:
            return None
        (row, col), (from_row, from_col) = at[0], divmod(state.words[WALKER + state.turn], self.cols)
        ways = {(-1, 0): UP, (0, 1): RIGHT, (1, 0): DOWN, (0, -1): LEFT}
        on_board = 0 <= row < self.rows and 0 <= col < self.cols
        return ways.get((row - from_row, col - from_col)) if on_board else None

    def maps(self) -> tuple[Map, ...]:
        return (Map.of_cells("floes left", self.rows, self.cols),)

    def observation_spec(self) -> ObservationSpec:
        planes = Plane("ice"), Plane("where you are"), Plane("where the other is")
        return ObservationSpec(self.rows, self.cols, planes)

    @classmethod
    def bots(cls) -> Mapping[str, type[Bot]]:
        return {"random": Random, "greedy": Greedy}

    def describe(self, state: State) -> dict[str, Any]:
        words = state.words
        rows = ["".join(".#"[words[ICE + r * self.cols + c]] for c in range(self.cols)) for r in range(self.rows)]
        return {"rows": rows, "walkers": [words[WALKER + 1], words[WALKER + 2]]}

    def compose(self, fields: Mapping[str, Any]) -> list[int]:
        words = [0] * size(self.config)
        start(words, self.config)
        ice = "".join(fields["rows"])
        if [len(row) for row in fields["rows"]] != [self.cols] * self.rows or set(ice) - set(".#"):
            raise PositionError(f"The ice must be {self.rows} rows of {self.cols} signs, # for a floe and . for water.")
        for cell, sign in enumerate(ice):
            words[ICE + cell] = int(sign == "#")
        for player, cell in zip((1, 2), fields["walkers"], strict=True):
            words[WALKER + player] = whole(cell, f"Walker {player}", 0, len(ice) - 1)
            if not words[ICE + cell]:
                raise PositionError(f"Walker {player} would stand in the water.")
        if words[WALKER + 1] == words[WALKER + 2]:
            raise PositionError("Two walkers cannot stand on one floe.")
        due = 3 - last_to_move(words)
        words[TURN] = due if steps(words, due) else OVER
        return words

    def scene(self, state: State, viewer: int, *, odds: bool, names: Names) -> Scene:
        words = state.words
        said = names.does(state.winners()[0], "win", "wins") if state.over else names.turn(state.turn)
        return Scene(
            title=self.title,
            turn=state.turn,
            message=f"{said}.",
            may="" if state.over else "Step to a floe beside you.",
            rows=self.rows,
            cols=self.cols,
            cells=tuple(self._cell(words, cell, names) for cell in range(self.rows * self.cols)),
            row_names=tuple(map(str, range(self.rows))),
            col_names=tuple(map(str, range(self.cols))),
            players=names.all(2),
            panels=tuple(Panel("ways to go", str(steps(words, player)), player) for player in (1, 2)),
            choices=tuple(
                Choice(
                    DIRECTIONS[action],
                    self.phrase(action),
                    "step",
                    (divmod(target(words, state.turn, action), self.cols),),
                    key=DIRECTIONS[action],
                )
                for action in state.actions()
            ),
        )

    def _cell(self, words: list[int], cell: int, names: Names) -> Cell:
        row, col = divmod(cell, self.cols)
        walker = next((player for player in (1, 2) if words[WALKER + player] == cell), 0)
        name = f"row {row}, column {col}, " + ("ice" if words[ICE + cell] else "water")
        if walker:
            return Cell("free", f"{name}, {names.whose(walker)} walker", marks=(Mark("pawn", walker),))
        return Cell("free" if words[ICE + cell] else "blocked", name)
