"""`rookery solve`: solve a game that has a solver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rookery.cli import flags
from rookery.cli.lab import common

if TYPE_CHECKING:
    from rookery.core.game import Game
    from rookery.core.state import State


def solve(given: list[str]) -> int:
    """Solve a game: who wins with perfect play, or the best routes."""
    named, parser = common.game_parser("solve", "Solve a game: who wins with perfect play, or the best routes.", given)
    parser.add_argument("--load", metavar="FILE", help="start from a saved game")
    parser.add_argument("--plot", metavar="FILE", help="draw routes into FILE.svg or FILE.png")
    parser.add_argument("--workers", metavar="N", help="how many threads (default: one per core)")
    parser.add_argument("--memory", metavar="GB", help="the most memory to use (default: what is free)")
    cls, chosen = common.parse("solve", named, parser, given, "gaterun")
    common.need_packages("numba", "rich")

    import json

    from rookery.engine.threads import cores
    from rookery.lab import solve as lab

    state = _saved(cls, chosen) if chosen["load"] else None
    game = state.game if state else cls.make(**flags.options(cls, chosen))
    workers = common.workers_of(chosen) or cores()
    solver = lab.solver_of(game, state)
    if chosen["plot"]:
        lab.check_plot(game, solver)
        common.check_plot(chosen["plot"])
    lab.check_memory(solver, _bytes(chosen["memory"]))
    with common.progress_bar(solver.steps, solver.estimate().steps) as show:
        try:
            solved = lab.run(game, solver, workers, show)
        except KeyboardInterrupt:
            solved = None
    if solved is None:
        common.notify("Interrupted: there is no solution before the end.")
        return common.INTERRUPTED
    if chosen["plot"]:
        lab.draw(solved, chosen["plot"])
    if chosen["json"]:
        print(json.dumps(lab.content(solved), ensure_ascii=False))
    else:
        common.show(lab.table(solved))
        if chosen["plot"]:
            print(f"The figure is in {chosen['plot']}.")
    return 0


def _saved(cls: type[Game], chosen: dict[str, Any]) -> State:
    """The position of a saved game."""
    from rookery.terminal.files import read_record

    record = read_record(chosen["load"])
    flags.check_load(cls, chosen, record)
    return record.replay()


def _bytes(gigabytes: str | None) -> int | None:
    """The value of --memory, in bytes."""
    return None if gigabytes is None else int(common.parse_float("memory", gigabytes, 10**6) * 10**9)
