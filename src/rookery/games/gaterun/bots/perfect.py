"""The bot that knows: on boards that are solved in a moment it looks every position up."""

from __future__ import annotations

import functools
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rookery.core.bot import Analysis, Bot, Budget, Candidate
from rookery.core.errors import OptionError
from rookery.core.notation import counted
from rookery.games.gaterun.bots.solver import Table
from rookery.games.gaterun.game import GateRun

if TYPE_CHECKING:
    from rookery.core.game import Game
    from rookery.core.state import State
    from rookery.core.stream import Stream

ROOM = 100_000_000
"""Bytes that the table of a board may take: about a second of work."""


@dataclass(frozen=True)
class Perfect(Bot):
    """Plays perfectly on small boards: wins as soon as it can, holds a draw, and puts off a loss.

    Its value is 1000 less the plies to a win, 0 for a draw, and the plies to a loss less 1000. It knows boards of 3×3
    with any number of walls, 4×4 with 3 each, 5×5 with 2, 6×6 and 7×7 with 1, and fewer; the first time it meets one it
    takes a moment to solve it. Draws by repetition it sees when they come, and it does not plan for them.
    """

    name: ClassVar[str] = "perfect"
    plays: ClassVar[type[Game] | None] = GateRun

    def ready(self, game: Game) -> None:
        assert isinstance(game, GateRun)
        table_of(game)

    def accept(self, game: Game) -> None:
        assert isinstance(game, GateRun)
        _unsolved(game)

    def search(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        found = self.search_best(state, budget, stream)
        if found.forced is None:
            return found
        line, after = list(found.line), state.copy()
        after.play(found.candidates[0].action)
        while not after.over:
            best = _candidates(after)[0]
            line.append(best.name)
            after.play(best.action)
        return Analysis(found.value, tuple(line), found.candidates, found.nodes, found.win, found.forced)

    def search_best(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        candidates = _candidates(state)
        best = candidates[0]
        forced = None if best.value == 0 else int(1000 - best.value if best.value > 0 else -best.value - 1000)
        return Analysis(best.value, (best.name,), candidates, len(candidates), best.win, forced)


def _candidates(state: State) -> tuple[Candidate, ...]:
    """All legal actions with what they lead to, best first."""
    game, me = state.game, state.turn
    assert isinstance(game, GateRun)
    table = table_of(game)
    found = []
    for action in state.actions():
        state.play(action)
        verdict = table.verdict(state.words)
        state.undo()
        worth = verdict.worth(me)
        value = worth - 1 if worth > 0 else worth + 1 if worth < 0 else 0  # the action is a ply itself
        win = 0.5 if verdict.winner == 0 else float(verdict.winner == me)
        found.append(Candidate(action, game.name_of(action), float(value), win))
    return tuple(sorted(found, key=lambda each: -each.value))


def table_of(game: GateRun) -> Table:
    """The solved table of a board, which is kept for the next time; a board that takes long to solve is refused."""
    with _one_at_a_time:
        return _table(game)


_one_at_a_time = threading.Lock()
"""So that threads that meet a board at the same time wait for one of them to solve it."""


@functools.lru_cache(maxsize=4)
def _table(game: GateRun) -> Table:
    table = _unsolved(game)
    table.build(whole=True)
    return table


def _unsolved(game: GateRun) -> Table:
    """The table of a board that can be solved in a moment, still empty."""
    table = Table(game)
    if sum(map(table.bytes, range(table.last + 1))) > ROOM:
        one, two = table.walls1, table.walls2
        walls = f"{counted(one, 'wall')} each" if one == two else f"{one} and {counted(two, 'wall')}"
        raise OptionError(
            "The bot perfect plays on boards that are solved in a moment, such as 3×3 with any number of walls "
            f"or 5×5 with 2 each; {table.size}×{table.size} with {walls}{' and jumps' * table.jump} is too large."
        )
    return table
