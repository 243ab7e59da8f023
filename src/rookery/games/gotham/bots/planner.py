"""Plans for Gotham Loops as Python sees them: the desk on which one is made, and plans kept as long as they hold."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any
from zlib import crc32

from rookery.core.rules import STATE_SIZE
from rookery.core.stream import WORDS, seed_stream
from rookery.engine import compiling
from rookery.engine.workspaces import thread_workspace
from rookery.games.gotham import rules
from rookery.games.gotham.bots import plan
from rookery.games.gotham.bots.plan import Desk
from rookery.games.gotham.rules import AT, HOME, POINTS, ROUND, ROUNDS, TOTAL, VISITS
from rookery.search.control import CONTROLS, LIMIT, NODES, limited

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rookery.core.bot import Budget

FIRST, AGAIN = 800_000, 32_000
"""Changes tried for the first plan of a game, and for one that takes up another or is for one round only."""
TRIAL, TRIALS = 50_000, 0.5
"""Changes of one trial, and the share of all changes that go into trials; the rest improve the best of these. One long
search is no better than a short one: it ends in another place, which may be better or worse."""
WAYS_TO_TURN = 8
PACE = 600_000.0
"""Changes tried in a second, before it is known how many there are."""
HASTE, LEAST = 0.8, 1000
"""The share of its time that a plan is made for, and the fewest changes it is made of."""
REMEMBERED = 256
"""Plans that are kept."""


@dataclass(frozen=True)
class Plan:
    """What to do in the rounds that are left, from a position on."""

    words: tuple[int, ...]
    routes: tuple[tuple[int, ...], ...]
    """For each round the cells to enter, in this order; in the round under way those entered already come first."""
    begun: int
    """How many those are."""
    worth: tuple[float, ...]
    """The points that each round should bring."""
    through: tuple[float, ...]
    """The probability that each round gets home."""
    nodes: int
    """The changes tried for it."""

    @property
    def total(self) -> float:
        """The points the whole game should have in the end."""
        return self.words[TOTAL] + sum(self.worth)

    @cached_property
    def _prefixes(self) -> dict[tuple[frozenset[int], int], int]:
        """Where in the route of the round one is, by the cells entered and the last of them."""
        route, found = self.routes[0], {}
        for length in range(self.begun, len(route) + 1):
            found[frozenset(route[:length]), self._last(route, length)] = length
        return found

    def _last(self, route: Sequence[int], length: int) -> int:
        """The last cell entered, where it matters; walking back over one's own cells is free at the table."""
        if self.words[rules.RULES] == rules.TABLE:
            return -1
        return route[length - 1] if length else self.words[HOME]

    def progress(self, words: Sequence[int]) -> int | None:
        """How much of the round's route has been done in a position; None if it is not on the way."""
        at = -1 if words[rules.RULES] == rules.TABLE else words[AT]
        return self._prefixes.get((entered(words), at))


def entered(words: Sequence[int]) -> frozenset[int]:
    """The cells entered in the round under way."""
    bit, city = 1 << words[ROUND], words[rules.SIZE] ** 2
    return frozenset(cell for cell in range(city) if words[VISITS + cell] & bit)


def so_far(words: Sequence[int]) -> list[int]:
    """The cells entered in the round under way, the one where the player is last."""
    return sorted(entered(words), key=lambda cell: (cell == words[AT], cell))


def straight_home(words: Sequence[int], cell: int) -> list[int]:
    """The cells on the way from one straight home, both left out."""
    n, home = words[rules.SIZE], words[HOME]
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
    """The position with which a round began that is under way or over."""
    found, city = list(words), words[rules.SIZE] ** 2
    for cell in range(city):
        found[VISITS + cell] &= (1 << number) - 1
    for k in range(number, ROUNDS):
        found[rules.BANKED + k] = 0
        found[rules.FAILED + k] = -1
    found[TOTAL] = sum(found[rules.BANKED : rules.BANKED + ROUNDS])
    found[ROUND], found[AT], found[rules.ENTERING], found[POINTS], found[0] = number, found[HOME], -1, 0, 1
    return found


class Planner:
    """Makes plans, and remembers them. Not to be shared between threads."""

    def __init__(self, *, compiled: bool) -> None:
        self.compiled = compiled
        self.code: Any = compiling.compiled(plan) if self.compiled else plan
        self._plans: OrderedDict[Any, Plan] = OrderedDict()
        self._city: tuple[int, ...] = ()
        self._desk: Desk
        self._pace = PACE

    def plan(self, words: Sequence[int], rounds: int, budget: Budget) -> Plan:
        """A plan for a position with a player to move, at most so many rounds ahead.

        The plan of the round is kept to as long as the player is on its way; else there is a new one from here. Without
        a clock, what a plan is depends on the position alone and on the budget, not on what was planned before.
        """
        number = words[ROUND]
        last = min(ROUNDS - 1, number + rounds - 1)
        found = self._begun(opening(words, number), last, budget, joint=rounds > 1)
        if found.progress(words) is not None:
            return found
        here = list(words)
        if here[rules.RULES] == rules.TABLE:
            # Wherever among them: a plan must not change while one walks to its next cell.
            here[AT] = min(entered(words))
        key = self._key(here, last, budget, joint=rounds > 1)
        return self._kept(key, budget, lambda: self.made(here, last, budget, found, so_far(here)))

    def _begun(self, words: list[int], last: int, budget: Budget, *, joint: bool) -> Plan:
        """The plan at the beginning of a round; a joint one goes on from that of the round before."""
        number = words[ROUND]

        def anew() -> Plan:
            before = None
            if number and joint:
                past = opening(words, number - 1)
                if budget.ms is None or self._key(past, last, budget, joint=True) in self._plans:
                    before = self._begun(past, last, budget, joint=True)
            return self.made(words, last, budget, before, [])

        return self._kept(self._key(words, last, budget, joint=joint), budget, anew)

    def _kept(self, key: Any, budget: Budget, make: Callable[[], Plan]) -> Plan:
        """A plan that is remembered, or made now; one that was cut short is not worth remembering."""
        found = self._plans.pop(key, None) or make()
        if budget.cancelled:
            return found
        self._plans[key] = found
        if len(self._plans) > REMEMBERED:
            self._plans.popitem(last=False)
        return found

    def _key(self, words: list[int], last: int, budget: Budget, *, joint: bool) -> Any:
        return (tuple(words[: words[STATE_SIZE]]), last, joint, budget.nodes, budget.ms)

    def made(self, words: list[int], last: int, budget: Budget, model: Plan | None, begun: list[int]) -> Plan:
        """A plan up to the last round given, from a model if there is one, with the cells entered already."""
        usual = AGAIN if model or last == words[ROUND] else FIRST
        most = budget.nodes or (usual if budget.ms is None else self._affordable(usual, budget))
        trials = 0 if model else int(most * TRIALS) // TRIAL
        tried: list[Plan] = []
        while len(tried) < trials and not (tried and budget.spent(0)):
            tried.append(self.annealed(words, last, budget, None, begun, TRIAL, len(tried)))
        best = max(tried, key=lambda each: each.total, default=model)
        if model and begun:
            best = self._turned(words, model, begun)
        found = self.annealed(words, last, budget, best, begun, most - trials * TRIAL)
        return replace(found, nodes=found.nodes + sum(each.nodes for each in tried))

    def _turned(self, words: list[int], model: Plan, begun: list[int]) -> Plan:
        """A plan for a round that went another way than its model: the model turned or mirrored as it fits best."""

        def gone_on(turn: int) -> Plan:
            desk = self._laid(words)
            for k, route in enumerate(model.routes, start=words[ROUND]):
                self._write(k, [plan.turned(words, cell, turn) for cell in route])
            self._go_on(words[ROUND], begun)
            routes = [[int(cell) for cell in desk.routes[k][: desk.lengths[k]]] for k in range(words[ROUND], ROUNDS)]
            self.valued(words, routes[: len(model.routes)], len(begun))
            return self._written(words, len(begun), 0)

        return max(map(gone_on, range(WAYS_TO_TURN)), key=lambda each: each.total)

    def annealed(
        self,
        words: list[int],
        last: int,
        budget: Budget,
        model: Plan | None,
        begun: list[int],
        changes: int,
        trial: int = 0,
    ) -> Plan:
        """The plan after so many changes, or as many as there was time for. Another trial has other chances."""
        number = words[ROUND]
        desk = self._laid(words)
        for k in range(ROUNDS):
            desk.lengths[k] = 0
        if model:
            skipped = number - model.words[ROUND]
            for k, route in enumerate(model.routes[skipped:], start=number):
                self._write(k, route)
        if begun:
            self._go_on(number, begun)
        desk.facts[plan.BEGUN], desk.facts[plan.LAST], desk.facts[plan.WARM] = len(begun), last, model is not None
        seed_stream(desk.r, crc32(repr(words[: words[STATE_SIZE]]).encode()), trial)
        desk.control[:] = [0] * CONTROLS
        with limited(budget, desk.control):
            desk.control[LIMIT] = changes
            began = perf_counter()
            self.code.anneal(desk)
        if desk.control[NODES] >= AGAIN:
            self._pace = int(desk.control[NODES]) / (perf_counter() - began)
        return self._written(words, len(begun), int(desk.control[NODES]))

    def _affordable(self, usual: int, budget: Budget) -> int:
        """The changes there is time for, at the pace of the last plan: a plan must have cooled down when time is up."""
        return max(LEAST, min(usual, int(HASTE * self._pace * (budget.seconds_left or 0.0))))

    def _written(self, words: Sequence[int], begun: int, nodes: int) -> Plan:
        """The plan on the desk."""
        desk = self._desk
        rounds = range(words[ROUND], int(desk.facts[plan.LAST]) + 1)
        return Plan(
            tuple(words[: words[STATE_SIZE]]),
            tuple(tuple(int(cell) for cell in desk.routes[k][: desk.lengths[k]]) for k in rounds),
            begun,
            tuple(float(desk.worth[k]) for k in rounds),
            tuple(float(desk.odds[k][words[HOME]]) for k in rounds),
            nodes,
        )

    def _go_on(self, k: int, begun: list[int]) -> None:
        """Make a round begin with cells that have been entered; at the table, it goes on as planned if it can."""
        desk = self._desk
        if desk.s[rules.RULES] == rules.ONLINE:
            self._write(k, begun + straight_home(desk.s, int(desk.s[AT])))
            return
        rest = [int(cell) for cell in desk.routes[k][: desk.lengths[k]]]
        self._write(k, begun + [cell for cell in rest if cell not in begun])
        self.code.attach(desk, k, desk.lengths[k], len(begun))

    def given(self, words: list[int], routes: Sequence[Sequence[int]]) -> Plan:
        """A plan with these routes for all rounds left; from a position off their way it goes straight home first."""
        start = opening(words, words[ROUND])
        self.valued(start, routes, 0)
        found = self._written(start, 0, 1)
        if found.progress(words) is not None:
            return found
        begun = so_far(words)
        self.valued(words, [begun + straight_home(words, words[AT]), *routes[1:]], len(begun))
        return self._written(words, len(begun), 1)

    def valued(self, words: Sequence[int], routes: Sequence[Sequence[int]], begun: int) -> float:
        """The points that a plan with these routes should bring from a position on; the first begins with so many
        cells that have been entered.
        """
        number = words[ROUND]
        desk = self._laid(words)
        for k, route in enumerate(routes, start=number):
            self._write(k, route)
        desk.facts[plan.BEGUN], desk.facts[plan.LAST] = begun, number + len(routes) - 1
        self.code.look_back(desk)
        total = float(self.code.value(desk, number))
        self.code.settle(desk, number)
        return total

    def reached(self, plan: Plan) -> list[dict[int, float]]:
        """For each round of a plan the cells it enters, each with the probability that it gets there."""
        self.valued(plan.words, plan.routes, plan.begun)
        first, odds = plan.words[ROUND], self._desk.odds
        return [{cell: float(odds[k][cell]) for cell in route} for k, route in enumerate(plan.routes, start=first)]

    def _write(self, k: int, route: Sequence[int]) -> None:
        self._desk.lengths[k] = len(route)
        self._desk.routes[k][: len(route)] = list(route)

    def _laid(self, words: Sequence[int]) -> Desk:
        """The desk with a position on it, laid out anew if it is of another city."""
        city = tuple(words[word] for word in (rules.SIZE, rules.COINS, rules.RULES))
        if city != self._city:
            self._city, cells = city, words[rules.SIZE] ** 2
            longest, steps = cells + plan.MORE, plan.FINE * (rules.most_flips(city) + 1) + 2
            self._desk = Desk(
                s=self._words(len(words)),
                r=self._words(WORDS),
                control=self._words(CONTROLS),
                facts=self._words(plan.FACTS),
                beside=self._words(4 * cells),
                passing=self._rows(1, steps, 0.0)[0],
                doubt=self._rows(1, 1, 0.0)[0],
                routes=self._rows(ROUNDS, longest, 0),
                lengths=self._words(ROUNDS),
                best_routes=self._rows(ROUNDS, longest, 0),
                best_lengths=self._words(ROUNDS),
                kept=self._words(2 * longest),
                marks=self._words(cells + 1),
                odds=self._rows(ROUNDS, cells + 1, 0.0),
                sums=self._rows(plan.SUMS, cells + 1, 0.0),
                side=self._words(ROUNDS + 1),
                worth=self._rows(1, ROUNDS, 0.0)[0],
                fresh=self._rows(1, ROUNDS, 0.0)[0],
            )
            self._desk.s[:] = list(words)
            self.code.lay_out(self._desk)
        self._desk.s[:] = list(words)
        return self._desk

    def _words(self, many: int) -> Any:
        return self._rows(1, many, 0)[0]

    def _rows(self, rows: int, many: int, fill: float) -> Any:
        if not self.compiled:
            return [[fill] * many for _ in range(rows)]
        import numpy

        return numpy.full((rows, many), fill, numpy.int64 if isinstance(fill, int) else numpy.float64)


def planner() -> Planner:
    """The planner of the thread that asks."""
    return thread_workspace(Planner)
