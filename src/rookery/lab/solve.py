"""Solving a game: a check of the memory it needs, the work, and the solution as JSON, as tables and as a figure."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rookery.core.errors import OptionError
from rookery.core.notation import counted
from rookery.games import find, playable
from rookery.lab import route_plot
from rookery.lab.formatting import value_text
from rookery.system.memory import free_memory

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from rookery.core.game import Game
    from rookery.core.solver import Solution, Solver
    from rookery.core.state import State

GB = 10**9
OVERHEAD = 200_000_000
"""Bytes needed besides the tables, such as for the compiler."""


@dataclass(frozen=True)
class Solved:
    """A game and its solution, with the time and the number of threads it took."""

    game: Game
    solution: Solution
    seconds: float
    workers: int


def solver_of(game: Game, state: State | None = None) -> Solver:
    """The solver of a game, from its start or from a state; raises OptionError if there is none."""
    solver = game.solver(state)
    if solver is None:
        can = [find(name).title for name in playable() if find(name)().solver() is not None]
        raise OptionError(f"{game.title} has no solver; {' and '.join(can)} can be solved.")
    return solver


def check_memory(solver: Solver, allowed: int | None = None) -> None:
    """Refuse a problem that needs more memory than allowed, in bytes; by default, than this machine has free."""
    estimate = solver.estimate()
    limit, whose = (allowed, "are allowed") if allowed is not None else (free_memory(), "are free")
    if limit is not None and estimate.memory + (OVERHEAD if allowed is None else 0) > limit:
        raise OptionError(
            f"Solving this takes {memory_text(estimate.memory)} of memory, for {count_text(estimate.positions)} "
            f"positions, and {memory_text(limit)} {whose}."
        )


def check_plot(game: Game, solver: Solver) -> None:
    """Refuse to draw a solution without routes."""
    if not solver.draws:
        raise OptionError(f"A solution of {game.title} has no figure: leave out --plot.")


def run(game: Game, solver: Solver, workers: int = 1, progress: Callable[[int], None] = lambda done: None) -> Solved:
    """Solve a game with `workers` threads; `progress` is called with the steps done so far."""
    solver.ready()
    began = time.perf_counter()
    solution = solver.run(workers, progress)
    return Solved(game, solution, time.perf_counter() - began, workers)


def content(solved: Solved) -> dict[str, Any]:
    """The solution as a JSON object: the game's own fields among those that all games have."""
    return {
        "game": solved.game.name,
        "options": solved.game.options,
        **solved.solution.content(),
        "seconds": round(solved.seconds, 3),
        "workers": solved.workers,
    }


def table(solved: Solved) -> list[RenderableType]:
    """The solution as tables: the facts, and the board if there is one."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    facts = Table(box=None, show_header=False)
    facts.add_column(style="bold")
    facts.add_column()
    for name, text in solved.solution.facts():
        facts.add_row(name, Text(text))
    facts.add_row("time", f"{solved.seconds:,.1f} s on {counted(solved.workers, 'thread')}")
    shown: list[RenderableType] = [Group(Text(f"{solved.game.title}: {_options(solved.game)}", style="italic"), facts)]
    board = solved.solution.board() or route_plot.text(solved.solution.routes())
    if board:
        shown.append(Text(board))
    return shown


def draw(solved: Solved, path: str) -> None:
    """Draw the solution's routes into a file."""
    found = solved.solution.routes()
    facts = [f"{name}: {text}" for name, text in solved.solution.facts()]
    route_plot.draw(found, solved.game.title, [_options(solved.game), *facts], solved.game.name, path)


def _options(game: Game) -> str:
    return ", ".join(f"{name} {value_text(value)}" for name, value in game.options.items() if value is not None)


def memory_text(memory: int) -> str:
    """An amount of memory, in MB or GB."""
    if memory < GB:
        return f"{memory / 10**6:,.1f} MB"
    return f"{memory / GB:,.1f} GB" if memory < 1000 * GB else f"{memory / GB:,.0f} GB"


def count_text(count: int) -> str:
    """A large number, rounded from 10^15 on."""
    return f"{count:,}" if count < 10**15 else f"about {count:.0e}".replace("e+", "·10^")
