"""The bots of Gotham Loops and its levels."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import deque
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from rookery.core.bot import Analysis, Bot, Budget, Candidate, Random
from rookery.core.notation import counted
from rookery.core.rules import CHANCE
from rookery.games.gotham import rules
from rookery.games.gotham.bots.planner import LEAST, Plan, entered, planner, straight_home
from rookery.games.gotham.bots.reviewer import GothamReviewer
from rookery.games.gotham.game import GothamLoops
from rookery.games.gotham.rules import AT, CITY_SIZE, HOME, ROUND, ROUNDS, RULES, TABLE, TOTAL

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from rookery.core.game import Game
    from rookery.core.state import State
    from rookery.core.stream import Stream


class HomeNow(NamedTuple):
    """What it brings to end the current round by going straight home."""

    line: list[int]
    """The directions."""
    chance: float
    """The probability to get there."""
    points: float
    """The expected points in the end."""


MAX_REACH = 12
"""The most cells that a ring reaches from home."""


@dataclass(frozen=True)
class PlanBot(Bot):
    """A bot that makes a plan and follows it. Subclasses say how."""

    plays: ClassVar[type[Game] | None] = GothamLoops
    unit: ClassVar[str] = "points in the end"
    compiled_part: ClassVar[str] = "planner"

    @abstractmethod
    def make_plan(self, words: list[int], budget: Budget) -> Plan:
        """The plan for a position with a player to move."""

    def later_plan(self, words: list[int], budget: Budget) -> Plan | None:
        """The plan for the rounds after one, at the start of the next; None if it is the same however that one ends."""
        return None

    def ready(self, game: Game) -> None:
        planner()

    def search(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        words = list(state.words)
        found = self._with_later_rounds(state, self.make_plan(words, budget), budget)
        line, total = directions_home(words, found), expected(words, found)
        home = self._home_now(state, found, budget)
        if home and home.points > total:
            line, total = home.line, home.points
        values = {line[0]: total}
        for direction in state.actions():
            points = home.points if home and home.line == [direction] else otherwise(words, found, direction)
            values.setdefault(direction, min(total, points))
        order = sorted(values, key=lambda direction: (direction != line[0], -values[direction]))
        name = state.game.name_of
        candidates = tuple(Candidate(each, name(each), values[each]) for each in order)
        facts = tuple(prospects(state, found, home))
        return Analysis(total, tuple(name(each) for each in line), candidates, found.nodes, facts=facts)

    def _with_later_rounds(self, state: State, found: Plan, budget: Budget) -> Plan:
        """The plan, with its later rounds planned again for the case that this one gets home.

        Those of `_home_now` are planned again too: else the two would not compare.
        """
        words = list(state.words)
        if words[ROUND] == ROUNDS - 1:
            return found
        later = self.later_plan(after_home(state, directions_home(words, found)), budget)
        if later is None:
            return found
        return max(found, planner().rerouted(found, later), key=lambda plan: expected(words, plan))

    def _home_now(self, state: State, found: Plan, budget: Budget) -> HomeNow | None:
        """What going straight home brings, with the later rounds planned for the cells that are visited then."""
        words = list(state.words)
        done = found.progress(words)
        assert done is not None
        begun = found.routes[0][:done]
        if not begun:
            return None
        route = (*begun, *(straight_home(words, words[AT]) if words[RULES] != TABLE else ()))
        line = directions(words, (*route[done:], words[HOME]))
        plans = [found.routes[1:]]
        if words[ROUND] < ROUNDS - 1 and (later := self.later_plan(after_home(state, line), budget)):
            plans.append(later.routes)
        points = max(planner().value(words, [route, *each], done) for each in plans)
        return HomeNow(line, chance_home(words, route, done), words[TOTAL] + points)

    def search_best(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        """Only the step of the plan, without values of the others."""
        words = list(state.words)
        found = self.make_plan(words, budget)
        step = directions_home(words, found)[0]
        name = state.game.name_of(step)
        return Analysis(found.total, (name,), (Candidate(step, name, found.total),), found.nodes)


@dataclass(frozen=True)
class Ring(PlanBot):
    """Walks the same loop in every round, a rectangle with home at its edge: of all these the one that promises most.

    Its values are the points it expects to have in the end. It takes no time, whatever its budget.
    """

    name: ClassVar[str] = "ring"

    def make_plan(self, words: list[int], budget: Budget) -> Plan:
        route = best_ring(words[CITY_SIZE], words[rules.COINS], words[RULES])
        return planner().from_routes(words, [route] * (ROUNDS - words[ROUND]))


@dataclass(frozen=True)
class Greedy(PlanBot):
    """Goes for the loop that promises most points in this round alone, and does not think of later ones.

    Its values are the points it expects to have when the round is over. A node is a change of its loop that it tries.
    """

    name: ClassVar[str] = "greedy"
    unit: ClassVar[str] = "points after this round"

    def make_plan(self, words: list[int], budget: Budget) -> Plan:
        return planner().plan(words, 1, budget)


@dataclass(frozen=True)
class Foresight(PlanBot):
    """Plans all rounds that are left together, and plans again after each of them.

    Its values are the points it expects to have in the end. A node is a change of its plan that it tries: unless it is
    given nodes, 800,000 for the first plan and 32,000 for every other, or as many as there is time for.
    """

    name: ClassVar[str] = "planner"

    def make_plan(self, words: list[int], budget: Budget) -> Plan:
        found = planner().plan(words, ROUNDS, budget)
        if found.nodes >= min(LEAST, budget.nodes or LEAST):
            return found
        # There was no time to plan: a plan that takes none may be better.
        return max(found, Ring().make_plan(words, budget), key=lambda plan: expected(words, plan))

    def later_plan(self, words: list[int], budget: Budget) -> Plan:
        return planner().plan(words, ROUNDS, budget)


def after_home(state: State, line: Sequence[int]) -> list[int]:
    """The position at the start of the next round if these steps lead home and all checks are passed."""
    trial = state.copy()
    for direction in line:
        trial.play(direction)
        if trial.turn == CHANCE:
            trial.play(rules.SAFE)
    return list(trial.words)


def prospects(state: State, plan: Plan, home: HomeNow | None) -> Iterator[tuple[str, str]]:
    """Facts for an analysis: the odds so far and of getting home, and the expected points of going on or home."""
    words = list(state.words)
    number, done = words[ROUND], plan.progress(words)
    assert done is not None
    begun, rest = plan.routes[0][:done], plan.routes[0][done:]
    if home:
        yield "This loop so far", f"{odds_so_far(state):.0%} to get here"
        yield "Going home now", f"{home.chance:.0%} to get there, {home.points:.1f} points in the end"
    if rest:
        through = chance_home(words, plan.routes[0], done)
        yield "Going on", f"{through:.0%} to get home, {expected(words, plan):.1f} points in the end"
    elif begun:
        best = max((otherwise(words, plan, way) for way in checked_ways(words)), default=None)
        if best is not None:
            yield "Going on", f"{best:.1f} points in the end"
    left = ROUNDS - number - 1
    if left and len(plan.routes) > 1:
        later = sum(plan.worth[1:])
        yield f"Later {'rounds' if left > 1 else 'round'}", f"{later:.1f} points planned in {counted(left, 'round')}"


def expected(words: list[int], plan: Plan) -> float:
    """The expected points of following a plan from a position on, given that all checks so far were passed."""
    done = plan.progress(words)
    assert done is not None
    return words[TOTAL] + planner().value(words, plan.routes, done)


def checked_ways(words: list[int]) -> list[int]:
    """The directions to cells that need a check."""
    beside = {way: rules.neighbour(words, words[AT], way) for way in range(4)}
    return [way for way, cell in beside.items() if cell >= 0 and rules.needs_check(words, cell)]


def chance_home(words: list[int], route: Sequence[int], done: int) -> float:
    """The probability that the current round gets home on a route of which `done` cells have been entered."""
    return math.prod(1.0 - rules.risk(words, cell) for cell in route[done:])


def odds_so_far(state: State) -> float:
    """The probability of passing all checks of the current round so far. For a game set up in the middle of a round, it
    takes each cell as entered once.
    """
    words = list(state.words)
    checked: list[int] = []
    past = state.copy()
    while past.history and past.words[ROUND] == words[ROUND]:
        if past.history[-1] == rules.SAFE:
            checked.append(past.words[AT])
        past.undo()
    if past.words[ROUND] == words[ROUND]:  # the game was set up with these
        checked += entered(past.words)
    return math.prod(1.0 - rules.risk(words, cell) for cell in checked)


def directions_home(words: list[int], plan: Plan) -> list[int]:
    """The directions from here to the end of the round, as planned; the safest shortest loop if no cell is planned."""
    here, done = words[AT], plan.progress(words)
    assert done is not None
    rest = plan.routes[0][done:]
    if here == words[HOME] and not rest:
        beside = [rules.neighbour(words, here, direction) for direction in range(4)]
        rest = (min(beside, key=lambda cell: rules.risk(words, cell)),)
    return directions(words, (*rest, words[HOME]))


def directions(words: list[int], cells: Sequence[int]) -> list[int]:
    """The directions from here to these cells, one after the other."""
    here, own = words[AT], set(entered(words))
    found: list[int] = []
    for cell in cells:
        found += path(words, here, cell, own)
        own.add(cell)
        here = cell
    return found


def path(words: list[int], start: int, goal: int, own: Collection[int]) -> list[int]:
    """The directions of a shortest way to a cell over the cells `own`."""
    came: dict[int, tuple[int, int]] = {}
    waiting = deque([start])
    while goal not in came:
        cell = waiting.popleft()
        for direction in range(4):
            beside = rules.neighbour(words, cell, direction)
            if beside == goal or (beside in own and beside not in came):
                came[beside] = cell, direction
                waiting.append(beside)
    directions = []
    while goal != start:
        goal, direction = came[goal]
        directions.append(direction)
    return directions[::-1]


def otherwise(words: list[int], plan: Plan, direction: int) -> float:
    """The expected points if the player first takes another step than planned, and then follows the plan as far as
    possible: a lower bound.
    """
    cell, done = rules.neighbour(words, words[AT], direction), plan.progress(words)
    assert done is not None
    begun, rest = plan.routes[0][:done], plan.routes[0][done:]
    if cell == words[HOME]:
        route = begun
    elif words[RULES] == TABLE:
        route = begun + rest if cell in begun else (*begun, cell, *(each for each in rest if each != cell))
    else:
        route = (*begun, cell, *straight_home(words, cell))
    return words[TOTAL] + planner().value(words, [route, *plan.routes[1:]], done)


@cache
def best_ring(size: int, coins: int, rule_set: int) -> tuple[int, ...]:
    """The rectangle with home on its edge that is expected to score most when walked in every round."""
    config = (size, coins, rule_set)
    words = [0] * rules.size(config)
    rules.start(words, config)
    most = min(size // 2, MAX_REACH)
    rings = [
        ring(words, tall, wide, left)
        for tall in range(1, most + 1)
        for wide in range(1, 2 * most + 1)
        for left in range(max(0, wide - most), min(wide, most) + 1)
    ]
    return max(rings, key=lambda route: planner().value(words, [route] * ROUNDS, 0))


def ring(words: list[int], tall: int, wide: int, left: int) -> tuple[int, ...]:
    """The cells of a rectangle above home, clockwise, with `left` of its columns left of home."""
    n, cell, found = words[CITY_SIZE], words[HOME], []
    for step, many in ((-1, left), (-n, tall), (1, wide), (n, tall), (-1, wide - left)):
        for _ in range(many):
            cell += step
            found.append(cell)
    return tuple(found[:-1])


BOTS: Mapping[str, type[Bot]] = {each.name: each for each in (Random, Ring, Greedy, Foresight)}

LEVELS = (
    "ring:slip=0.3",
    "ring:slip=0.1",
    "ring",
    "greedy:nodes=1000",
    "greedy:nodes=3000",
    "greedy:nodes=10000",
    "planner:nodes=2500",
    "planner:nodes=4000",
    "planner:nodes=6000",
    "planner",
)
"""What each level does for a plan: `nodes` are changes it tries, and `slip` is the share of steps made at random."""

REVIEWER = GothamReviewer
