"""A game solved: whether there is room for it, the work itself, and the answer for programs, for people and drawn."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rookery.core.errors import OptionError
from rookery.core.notation import counted
from rookery.games import find, playable
from rookery.lab import routes
from rookery.lab.page import said

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from rookery.core.game import Game
    from rookery.core.solver import Solution, Solver
    from rookery.core.state import State

GB = 10**9
SPARE = 200_000_000
"""Bytes that are needed beside the tables, such as for the compiler."""


@dataclass(frozen=True)
class Solved:
    """A game, its solution, and how long it took so many threads."""

    game: Game
    solution: Solution
    seconds: float
    workers: int


def solver_of(game: Game, state: State | None = None) -> Solver:
    """What solves a game, from its start or from a state; one that nothing solves is refused."""
    solver = game.solver(state)
    if solver is None:
        can = [find(name).title for name in playable() if find(name)().solver() is not None]
        raise OptionError(f"{game.title} has no solver; {' and '.join(can)} can be solved.")
    return solver


def check_room(solver: Solver, allowed: int | None = None) -> None:
    """Refuse what takes more memory than allowed, in bytes; unless that is said, than this machine has free."""
    estimate = solver.estimate()
    room, whose = (allowed, "are allowed") if allowed is not None else (free_memory(), "are free")
    if room is not None and estimate.memory + (SPARE if allowed is None else 0) > room:
        raise OptionError(
            f"Solving this takes {amount(estimate.memory)} of memory, for {many(estimate.positions)} positions, "
            f"and {amount(room)} {whose}."
        )


def check_picture(game: Game, solver: Solver) -> None:
    """Refuse to draw what has no routes."""
    if not solver.draws:
        raise OptionError(f"There is no picture of {game.title} solved: leave out --plot.")


def free_memory() -> int | None:
    """The bytes that a program can still have, if the system tells."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            name, _, rest = line.partition(":")
            if name == "MemAvailable":
                return int(rest.split()[0]) * 1024
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def run(game: Game, solver: Solver, workers: int = 1, seen: Callable[[int], None] = lambda done: None) -> Solved:
    """Solve a game with so many threads, calling `seen` with the steps done so far."""
    solver.ready()
    began = time.perf_counter()
    solution = solver.run(workers, seen)
    return Solved(game, solution, time.perf_counter() - began, workers)


def content(solved: Solved) -> dict[str, Any]:
    """The answer as a JSON object: the game's own fields between those that all have."""
    return {
        "game": solved.game.name,
        "options": solved.game.options,
        **solved.solution.content(),
        "seconds": round(solved.seconds, 3),
        "workers": solved.workers,
    }


def table(solved: Solved) -> list[RenderableType]:
    """The answer for people: the facts, and the board they are about."""
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
    board = solved.solution.board() or routes.text(solved.solution.routes())
    if board:
        shown.append(Text(board))
    return shown


def draw(solved: Solved, path: str) -> None:
    """The answer, routes over a board, as a picture."""
    found = solved.solution.routes()
    facts = [f"{name}: {text}" for name, text in solved.solution.facts()]
    routes.draw(found, solved.game.title, [_options(solved.game), *facts], solved.game.name, path)


def _options(game: Game) -> str:
    return ", ".join(f"{name} {said(value)}" for name, value in game.options.items() if value is not None)


def amount(memory: int) -> str:
    """So many bytes, for people."""
    if memory < GB:
        return f"{memory / 10**6:,.1f} MB"
    return f"{memory / GB:,.1f} GB" if memory < 1000 * GB else f"{memory / GB:,.0f} GB"


def many(count: int) -> str:
    """A large number, for people."""
    return f"{count:,}" if count < 10**15 else f"about {count:.0e}".replace("e+", "·10^")
