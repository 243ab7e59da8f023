"""The planner of Gotham Loops: makes plans by simulated annealing, evaluates routes, and remembers its plans."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any
from zlib import crc32

from rookery.core.rules import STATE_SIZE
from rookery.core.stream import WORDS, seed_stream
from rookery.engine import compiling
from rookery.engine.workspaces import Buffers, thread_workspace
from rookery.games.gotham import rules
from rookery.games.gotham.bots import annealing, changes, plan
from rookery.games.gotham.bots.plan import PlanBuffers
from rookery.games.gotham.rules import AT, HOME, POINTS, ROUND, ROUNDS, TOTAL, VISITS
from rookery.search.control import CONTROLS, NODE_LIMIT, NODES, limited

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rookery.core.bot import Budget

FIRST, AGAIN = 800_000, 32_000
"""Changes tried for the first plan of a game, and for one that starts from another plan or is for one round only."""
TRIAL, TRIALS = 50_000, 0.5
"""Changes of one trial, and the share of all changes that go into trials; the rest improve the best trial. Restarts pay
off because a long annealing ends in another local optimum than a short one, not in a better one."""
PACE = 600_000.0
"""Changes a second, as long as nothing was measured."""
HASTE, LEAST = 0.8, 1000
"""The share of its time that a plan aims to use, and the fewest changes it tries."""
REMEMBERED = 256
"""Plans a planner remembers."""


@dataclass(frozen=True)
class Plan:
    """Routes for the remaining rounds, from a position on."""

    words: tuple[int, ...]
    routes: tuple[tuple[int, ...], ...]
    """For each round the cells to enter, in order; in the current round those entered already come first."""
    begun: int
    """How many cells have been entered already."""
    worth: tuple[float, ...]
    """The expected points of each round."""
    through: tuple[float, ...]
    """The probability that each round gets home."""
    nodes: int
    """The changes tried."""

    @property
    def total(self) -> float:
        """The expected points at the end of the game."""
        return self.words[TOTAL] + sum(self.worth)

    @cached_property
    def _prefixes(self) -> dict[tuple[frozenset[int], int], int]:
        """How much of the current route is done, by the cells entered and the last of them."""
        route, found = self.routes[0], {}
        for length in range(self.begun, len(route) + 1):
            found[frozenset(route[:length]), self._last(route, length)] = length
        return found

    def _last(self, route: Sequence[int], length: int) -> int:
        """The last cell entered; −1 at the table, where walking back is free and it does not matter."""
        if self.words[rules.RULES] == rules.TABLE:
            return -1
        return route[length - 1] if length else self.words[HOME]

    def progress(self, words: Sequence[int]) -> int | None:
        """How much of the current route is done in a position; None if the position is not on the route."""
        at = -1 if words[rules.RULES] == rules.TABLE else words[AT]
        return self._prefixes.get((entered(words), at))


def entered(words: Sequence[int]) -> frozenset[int]:
    """The cells entered in the current round."""
    bit, city = 1 << words[ROUND], words[rules.CITY_SIZE] ** 2
    return frozenset(cell for cell in range(city) if words[VISITS + cell] & bit)


def so_far(words: Sequence[int]) -> list[int]:
    """The cells entered in the current round, the player's own cell last."""
    return sorted(entered(words), key=lambda cell: (cell == words[AT], cell))


def straight_home(words: Sequence[int], cell: int) -> list[int]:
    """The cells on a shortest way home, without both ends."""
    n, home = words[rules.CITY_SIZE], words[HOME]
    found: list[int] = []
    while True:
        if cell % n != home % n:
            cell += 1 if cell % n < home % n else -1
        elif cell != home:
            cell += n if cell < home else -n
        if cell == home:
            return found
        found.append(cell)


def opening(words: Sequence[int], number: int) -> list[int]:
    """The position at the start of a round that is under way or over."""
    found, city = list(words), words[rules.CITY_SIZE] ** 2
    for cell in range(city):
        found[VISITS + cell] &= (1 << number) - 1
    for k in range(number, ROUNDS):
        found[rules.BANKED + k] = 0
        found[rules.FAILED + k] = -1
    found[TOTAL] = sum(found[rules.BANKED : rules.BANKED + ROUNDS])
    found[ROUND], found[AT], found[rules.ENTERING], found[POINTS], found[0] = number, found[HOME], -1, 0, 1
    return found


@dataclass(frozen=True)
class Task:
    """What a plan is made for."""

    words: list[int]
    last: int
    """The last round to plan."""
    begun: list[int] = field(default_factory=list)
    """The cells entered in the current round."""
    model: Plan | None = None
    """A plan to start from."""


class Planner:
    """Makes plans, and remembers them. Threads must not share one."""

    def __init__(self, *, compiled: bool) -> None:
        self.compiled = compiled
        self._annealing, self._changes, self._evaluation = (self._code(each) for each in (annealing, changes, plan))
        self._plans: OrderedDict[Any, Plan] = OrderedDict()
        self._city: tuple[int, ...] = ()
        self._buffers: PlanBuffers
        self._pace = PACE

    def _code(self, module: Any) -> Any:
        return compiling.compiled(module) if self.compiled else module

    def _entry_point(self, function: Any, *arguments: Any) -> Any:
        return compiling.entry_point(function, *arguments) if self.compiled else function

    def plan(self, words: Sequence[int], rounds: int, budget: Budget) -> Plan:
        """A plan for a position with a player to move, for at most this many rounds.

        As long as the player is on the route of the round's plan, the plan stays the same; else a new one is made from
        here. Without a clock, a plan depends on the position and the budget alone, not on earlier plans.
        """
        number = words[ROUND]
        last = min(ROUNDS - 1, number + rounds - 1)
        found = self._plan_round(opening(words, number), last, budget, joint=rounds > 1)
        if found.progress(words) is not None:
            return found
        here = list(words)
        if here[rules.RULES] == rules.TABLE:
            # Any cell will do: a plan must not change while the player walks to its next cell.
            here[AT] = min(entered(words))
        key = self._key(here, last, budget, joint=rounds > 1)
        return self._remembered(key, budget, lambda: self.make(Task(here, last, so_far(here), found), budget))

    def _plan_round(self, words: list[int], last: int, budget: Budget, *, joint: bool) -> Plan:
        """The plan at the start of a round; a joint plan starts from that of the round before."""
        number = words[ROUND]

        def make() -> Plan:
            before = None
            if number and joint:
                past = opening(words, number - 1)
                if budget.ms is None or self._key(past, last, budget, joint=True) in self._plans:
                    before = self._plan_round(past, last, budget, joint=True)
            return self.make(Task(words, last, model=before), budget)

        return self._remembered(self._key(words, last, budget, joint=joint), budget, make)

    def _remembered(self, key: Any, budget: Budget, make: Callable[[], Plan]) -> Plan:
        """A plan from memory, or a new one, which is remembered unless it was cut short."""
        found = self._plans.pop(key, None) or make()
        if budget.cancelled or (budget.ms is not None and found.nodes < LEAST):
            return found
        self._plans[key] = found
        if len(self._plans) > REMEMBERED:
            self._plans.popitem(last=False)
        return found

    def _key(self, words: list[int], last: int, budget: Budget, *, joint: bool) -> Any:
        return (tuple(words[: words[STATE_SIZE]]), last, joint, budget.nodes, budget.ms)

    def make(self, task: Task, budget: Budget) -> Plan:
        """Make a plan: some trials if it starts from nothing, then one annealing from the best of them."""
        usual = AGAIN if task.model or task.last == task.words[ROUND] else FIRST
        most = budget.nodes or (usual if budget.ms is None else self._affordable(usual, budget))
        trials = 0 if task.model else int(most * TRIALS) // TRIAL
        tried: list[Plan] = []
        while len(tried) < trials and not (tried and budget.spent(0)):
            tried.append(self.anneal(task, budget, TRIAL, len(tried)))
        best = max(tried, key=lambda each: each.total, default=task.model)
        if task.model and task.begun:
            best = self._transformed(task.words, task.model, task.begun)
        found = self.anneal(replace(task, model=best), budget, most - trials * TRIAL)
        return replace(found, nodes=found.nodes + sum(each.nodes for each in tried))

    def _transformed(self, words: list[int], model: Plan, begun: list[int]) -> Plan:
        """A plan for a round that left its route: the old plan, turned or mirrored so that it fits best."""

        def continued(symmetry: int) -> Plan:
            b = self._load(words)
            for k, route in enumerate(model.routes, start=words[ROUND]):
                self._set_route(k, [changes.transformed(words, cell, symmetry) for cell in route])
            self._continue(words[ROUND], begun)
            routes = [[int(cell) for cell in b.routes[k][: b.lengths[k]]] for k in range(words[ROUND], ROUNDS)]
            self.value(words, routes[: len(model.routes)], len(begun))
            return self._result(words, len(begun), 0)

        return max(map(continued, range(changes.SYMMETRIES)), key=lambda each: each.total)

    def anneal(self, task: Task, budget: Budget, most: int, trial: int = 0) -> Plan:
        """The plan after at most this many changes. Each trial has its own random numbers."""
        words, number = task.words, task.words[ROUND]
        b = self._load(words)
        for k in range(ROUNDS):
            b.lengths[k] = 0
        if task.model:
            skipped = number - task.model.words[ROUND]
            for k, route in enumerate(task.model.routes[skipped:], start=number):
                self._set_route(k, route)
        if task.begun:
            self._continue(number, task.begun)
        b.facts[plan.BEGUN], b.facts[plan.LAST] = len(task.begun), task.last
        b.facts[plan.WARM] = task.model is not None
        seed_stream(b.r, crc32(repr(words[: words[STATE_SIZE]]).encode()), trial)
        b.control[:] = [0] * CONTROLS
        with limited(budget, b.control):
            b.control[NODE_LIMIT] = most
            began = perf_counter()
            self._annealing.anneal(b)
        if b.control[NODES] >= AGAIN:
            self._pace = int(b.control[NODES]) / (perf_counter() - began)
        return self._result(words, len(task.begun), int(b.control[NODES]))

    def _affordable(self, usual: int, budget: Budget) -> int:
        """The changes there is time for, at the pace of the last plan: the temperature must be low when time is up."""
        return max(LEAST, min(usual, int(HASTE * self._pace * (budget.seconds_left or 0.0))))

    def _result(self, words: Sequence[int], begun: int, nodes: int) -> Plan:
        """The plan in the buffers."""
        b = self._buffers
        rounds = range(words[ROUND], int(b.facts[plan.LAST]) + 1)
        return Plan(
            tuple(words[: words[STATE_SIZE]]),
            tuple(tuple(int(cell) for cell in b.routes[k][: b.lengths[k]]) for k in rounds),
            begun,
            tuple(float(b.worth[k]) for k in rounds),
            tuple(float(b.odds[k][words[HOME]]) for k in rounds),
            nodes,
        )

    def _continue(self, k: int, begun: list[int]) -> None:
        """Make a route begin with the cells entered already. At the table the rest follows as far as it can; else
        the way home does.
        """
        b = self._buffers
        if b.s[rules.RULES] != rules.TABLE:
            self._set_route(k, begun + straight_home(b.s, int(b.s[AT])))
            return
        rest = [int(cell) for cell in b.routes[k][: b.lengths[k]]]
        self._set_route(k, begun + [cell for cell in rest if cell not in begun])
        self._changes.attach(b, k, b.lengths[k], len(begun))

    def from_routes(self, words: list[int], routes: Sequence[Sequence[int]]) -> Plan:
        """A plan with these routes for the remaining rounds; off the first route, it goes straight home first."""
        start = opening(words, words[ROUND])
        self.value(start, routes, 0)
        found = self._result(start, 0, 1)
        if found.progress(words) is not None:
            return found
        begun = so_far(words)
        self.value(words, [begun + straight_home(words, words[AT]), *routes[1:]], len(begun))
        return self._result(words, len(begun), 1)

    def rerouted(self, found: Plan, later: Plan) -> Plan:
        """A plan with the later rounds of another one."""
        self.value(found.words, [found.routes[0], *later.routes], found.begun)
        return self._result(found.words, found.begun, found.nodes)

    def value(self, words: Sequence[int], routes: Sequence[Sequence[int]], begun: int) -> float:
        """The expected points of these routes from a position on; of the first, `begun` cells have been entered."""
        number = words[ROUND]
        b = self._load(words)
        for k, route in enumerate(routes, start=number):
            self._set_route(k, route)
        b.facts[plan.BEGUN], b.facts[plan.LAST] = begun, number + len(routes) - 1
        self._load_visits(b)
        total = float(self._value(b, number))
        self._accept(b, number)
        return total

    def visit_odds(self, plan: Plan) -> list[dict[int, float]]:
        """For each round of a plan the probability that it enters each cell of its route."""
        self.value(plan.words, plan.routes, plan.begun)
        first, odds = plan.words[ROUND], self._buffers.odds
        return [{cell: float(odds[k][cell]) for cell in route} for k, route in enumerate(plan.routes, start=first)]

    def _set_route(self, k: int, route: Sequence[int]) -> None:
        self._buffers.lengths[k] = len(route)
        self._buffers.routes[k][: len(route)] = list(route)

    def _load(self, words: Sequence[int]) -> PlanBuffers:
        """The buffers with a position in them, allocated again if it is of another city."""
        city = tuple(words[word] for word in (rules.CITY_SIZE, rules.COINS, rules.RULES))
        if city != self._city:
            self._city, self._buffers = city, allocated(Buffers(compiled=self.compiled), city, len(words))
            self._buffers.s[:] = list(words)
            self._evaluation.load(self._buffers)
            self._load_visits = self._entry_point(self._evaluation.load_visits, self._buffers)
            self._value = self._entry_point(self._evaluation.value, self._buffers, 0)
            self._accept = self._entry_point(self._evaluation.accept, self._buffers, 0)
        self._buffers.s[:] = list(words)
        return self._buffers


def allocated(allocate: Buffers, city: tuple[int, ...], size: int) -> PlanBuffers:
    """Buffers for plans of a city, given by the configuration of the rules, whose positions have `size` words."""
    ints, floats, cells = allocate.ints, allocate.floats, city[0] ** 2
    longest, steps = cells + plan.MORE, plan.FINE * rules.risk_count(city) + 2
    return PlanBuffers(
        s=ints(size),
        r=ints(WORDS),
        control=ints(CONTROLS),
        facts=ints(plan.FACTS),
        beside=ints(4 * cells),
        passing=floats(steps),
        first_index=ints(cells),
        discount=floats(1),
        routes=ints(longest, rows=ROUNDS),
        lengths=ints(ROUNDS),
        best_routes=ints(longest, rows=ROUNDS),
        best_lengths=ints(ROUNDS),
        spare=ints(2 * longest),
        marks=ints(cells + 1),
        odds=floats(cells + 1, rows=ROUNDS),
        sums=floats(cells + 1, rows=plan.SUMS),
        side=ints(ROUNDS + 1),
        worth=floats(ROUNDS),
        fresh=floats(ROUNDS),
    )


def planner() -> Planner:
    """The planner of this thread."""
    return thread_workspace(Planner)
