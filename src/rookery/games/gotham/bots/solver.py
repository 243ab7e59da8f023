"""The solver of Gotham Loops: the best first loop found, with an upper bound that proves it optimal where the two meet;
for a game under way, the best plan found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from rookery.core.arguments import whole
from rookery.core.bot import Budget
from rookery.core.errors import OptionError
from rookery.core.notation import counted, write_spot
from rookery.core.rules import CHANCE
from rookery.core.solver import MOST_WORKERS, Estimate, Route, Solution, Solver
from rookery.engine.threads import threads
from rookery.games.gotham import rules
from rookery.games.gotham.bots.bound import City, bound
from rookery.games.gotham.bots.planner import Plan, Task, planner, so_far
from rookery.games.gotham.rules import CITY_SIZE, HOME, ROUND, ROUNDS, RULES, TOTAL, VISITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rookery.core.scene import Spot
    from rookery.core.state import State
    from rookery.games.gotham.game import GothamLoops

TRIALS, CHANGES = 8, 300_000
"""Independent annealing runs, and the changes tried in each."""
WORKER_BYTES = 500_000
"""Memory of a worker."""
ROUNDING = 1e-9
"""The relative difference by which a bound may exceed a value and still count as equal."""


class GothamSolver(Solver):
    """Finds the best loop from the start, or the best plan from a position."""

    draws: ClassVar[bool] = True

    def __init__(self, game: GothamLoops, state: State | None) -> None:
        if state is not None:
            game.check_own(state)
        self.game = game
        self.words = list((state or game.start()).words)
        self.saved = state is not None
        if state is not None and state.over:
            raise OptionError("This game is over: there is nothing left to plan.")
        if state is not None and state.turn == CHANCE:
            raise OptionError("A check is under way in this game: nothing can be planned before it is made.")

    @property
    def bounded(self) -> bool:
        """Whether there is an upper bound: only for a first loop."""
        return not self.saved

    def estimate(self) -> Estimate:
        steps = TRIALS + (self.words[CITY_SIZE] - 1 if self.bounded else 0)
        return Estimate(TRIALS * CHANGES, WORKER_BYTES, steps)

    def ready(self) -> None:
        planner()

    def run(self, workers: int = 1, seen: Callable[[int], None] = lambda done: None) -> Solution:
        workers = whole(workers, "workers", 1, MOST_WORKERS)
        last = ROUNDS - 1 if self.saved else self.words[ROUND]
        task, done = Task(self.words, last, so_far(self.words)), 0

        def trial(number: int) -> Plan:
            return planner().anneal(task, Budget(), CHANGES, number)

        best: Plan | None = None
        with threads(workers) as pool:
            for plan in pool.map(trial, range(TRIALS)):
                best = plan if best is None or plan.total > best.total else best
                done += 1
                seen(done)
        assert best is not None
        if not self.bounded:
            return BestPlan(self.game, best)
        city = City(self.words[CITY_SIZE], self.words[rules.COINS], self.words[RULES])
        limit = bound(city, best.total, lambda away: seen(TRIALS + away))
        return BestLoop(self.game, best, limit)


@dataclass(frozen=True)
class _Planned(Solution):
    game: GothamLoops
    plan: Plan

    def spots(self, cells: Iterable[int]) -> tuple[Spot, ...]:
        """Cells as rows and columns."""
        return tuple(divmod(cell, self.game.side) for cell in cells)

    def loops(self) -> list[dict[str, Any]]:
        """The planned rounds as JSON."""
        first = self.plan.words[ROUND] + 1
        return [
            {
                "round": number,
                "value": worth,
                "success": through,
                "points": worth / through,
                "cells": [write_spot(spot) for spot in self.spots(route)],
            }
            for number, (worth, through, route) in enumerate(
                zip(self.plan.worth, self.plan.through, self.plan.routes, strict=True), start=first
            )
        ]

    def routes(self) -> tuple[Route, ...]:
        words, n = self.plan.words, self.game.side
        reached = planner().visit_odds(self.plan)
        found = []
        for loop, route, odds in zip(self.loops(), self.plan.routes, reached, strict=True):
            cells = tuple(dict.fromkeys(route))
            note = f"home with {loop['success']:.0%}, {loop['points']:.1f} points, worth {loop['value']:.2f}"
            found.append(
                Route(
                    f"Round {loop['round']}",
                    note,
                    (n, n),
                    divmod(words[HOME], n),
                    self.spots(cells),
                    tuple(odds[cell] for cell in cells),
                )
            )
        return tuple(found)


@dataclass(frozen=True)
class BestLoop(_Planned):
    """The best first loop found, and an upper bound of all loops."""

    limit: float

    @property
    def proven(self) -> bool:
        return self.limit <= self.plan.total * (1 + ROUNDING)

    def content(self) -> dict[str, Any]:
        (loop,) = self.loops()
        return {
            "value": loop["value"],
            "success": loop["success"],
            "points": round(loop["points"]),
            "bound": self.limit,
            "gap": 0.0 if self.proven else self.limit - loop["value"],
            "proven": self.proven,
            "cells": loop["cells"],
        }

    def facts(self) -> list[tuple[str, str]]:
        found = self.content()
        proof = (
            "no loop promises more: proven"
            if self.proven
            else f"no loop promises more than {self.limit:.4f}, which leaves a gap of {found['gap']:.4f}"
        )
        return [
            ("value", f"{found['value']:.4f} points on average"),
            ("success", f"{found['success']:.4f}"),
            ("points", str(found["points"])),
            ("bound", proof),
        ]


@dataclass(frozen=True)
class BestPlan(_Planned):
    """The best plan found for the remaining rounds."""

    def content(self) -> dict[str, Any]:
        return {
            "value": self.plan.total,
            "banked": self.plan.words[TOTAL],
            "bound": None,
            "proven": False,
            "rounds": self.loops(),
        }

    def facts(self) -> list[tuple[str, str]]:
        words = self.plan.words
        entered = sum((words[VISITS + cell] >> words[ROUND]) & 1 for cell in range(words[CITY_SIZE] ** 2))
        under_way = f", {counted(entered, 'cell')} of round {words[ROUND] + 1} entered" if entered else ""
        return [
            ("value", f"{self.plan.total:.2f} points in the end, as predicted"),
            ("banked", f"{words[TOTAL]} points after {counted(words[ROUND], 'round')}{under_way}"),
        ]
