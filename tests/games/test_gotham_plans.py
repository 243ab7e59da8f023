"""Plans for Gotham Loops: what they promise against slow reckoning, loops against all loops, bounds, and the bots."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.gotham import Gotham

import rookery
from rookery.core.bot import Budget, make_bot
from rookery.core.errors import OptionError
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.games.gotham import rules
from rookery.games.gotham.bots.bound import City, bound
from rookery.games.gotham.bots.planner import Plan, Planner, Task, opening, planner
from rookery.games.gotham.game import RULE_SETS

if TYPE_CHECKING:
    from rookery.core.game import Game
    from rookery.core.solver import Solution
    from rookery.core.state import State

Cell = tuple[int, int]
DIRECTIONS = ("up", "right", "down", "left")


def city(**options: object) -> Game:
    return rookery.game("gotham", **options)


def solved(game: Game, state: State | None = None) -> Solution:
    """What the solver finds with two threads."""
    solver = game.solver(state)
    assert solver is not None
    return solver.run(2)


def walked(game: Game, *steps: str) -> State:
    """A game in which these steps were made, all checks coming out well."""
    state = game.start()
    for step in steps:
        if state.turn == CHANCE:
            state.play(game.action("safe"))
        state.play(game.action(step))
    if state.turn == CHANCE:
        state.play(game.action("safe"))
    return state


def oracle(game: Game) -> Gotham:
    size, coins, _ = game.config
    return Gotham(size=size, coins=coins, rules=str(game.options["rules"]))


# ---- what a plan promises ----


def reckoned(game: Game, route: list[int]) -> tuple[float, int]:
    """The probability that a first round gets home on a route, and its points, by the oracle."""
    size = game.config[0]
    slow = oracle(game)
    through, points = 1.0, 0
    for number in route:
        cell = divmod(number, size)
        if cell not in slow.entered or game.options["rules"] != "table":
            through *= float(slow.odds(cell))
        points += slow.worth(cell)
        slow.enter(cell)
    return through, points


@pytest.mark.parametrize("rule_set", ["table", "online", "app"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=30, deadline=None)
def test_a_round_promises_what_the_oracle_reckons(rule_set: str, seed: int) -> None:
    game, stream = city(size=7, rules=rule_set), Stream(seed)
    words = list(game.start().words)
    route = grown(game, stream) if rule_set == "table" else closed_walk(game, stream)
    through, points = reckoned(game, route)
    assert planner().value(words, [route], 0) == pytest.approx(through * points)


@pytest.mark.parametrize("rule_set", ["table", "online", "app"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_a_later_round_promises_what_the_rules_reckon(rule_set: str, seed: int) -> None:
    """What earlier rounds visited is certain by then: the planner's flips and points are those of the rules."""
    game, stream = city(size=7, coins=2, rules=rule_set), Stream(seed)
    state, number = game.start(), 1 + seed % 6
    while state.words[rules.ROUND] < number:
        state.play(state.draw(stream) if state.turn == CHANCE else state.pick(stream))
    words = opening(state.words, number)
    route = grown(game, stream) if rule_set == "table" else closed_walk(game, stream)
    played, through = list(words), 1.0
    for cell in route:
        if rules.needs_check(played, cell):
            through *= 1 - rules.risk(played, cell)
        rules.enter(played, cell)
    assert planner().value(words, [route], 0) == pytest.approx(through * played[rules.POINTS])
    assert planner().from_routes(words, [route]).through[0] == pytest.approx(through)


def grown(game: Game, stream: Stream) -> list[int]:
    """Cells that can be entered one after the other, each beside one entered before."""
    words = list(game.start().words)
    home = words[rules.HOME]
    found = [rules.neighbour(words, home, stream.below(4))]
    for _ in range(stream.below(12)):
        cell = rules.neighbour(words, stream.pick(found), stream.below(4))
        if cell >= 0 and cell != home and cell not in found:
            found.append(cell)
    return found


def closed_walk(game: Game, stream: Stream) -> list[int]:
    """The cells of a walk from home and back, home left out at both ends."""
    words = list(game.start().words)
    home = words[rules.HOME]
    found = [rules.neighbour(words, home, stream.below(4))]
    while len(found) < 30:
        cell = rules.neighbour(words, found[-1], stream.below(4))
        if cell == home:
            break
        if cell >= 0:
            found.append(cell)
    row, col = divmod(home, words[rules.CITY_SIZE])
    while math.dist(divmod(found[-1], words[rules.CITY_SIZE]), (row, col)) > 1:
        at_row, at_col = divmod(found[-1], words[rules.CITY_SIZE])
        if at_row != row:
            at_row += 1 if at_row < row else -1
        else:
            at_col += 1 if at_col < col else -1
        found.append(at_row * words[rules.CITY_SIZE] + at_col)
    return found


def test_later_rounds_count_visits_as_often_as_they_are_likely() -> None:
    """Two rounds to the same cell: the second finds it visited, and itself home's neighbour, if the first got there."""
    game = city(size=5)
    words = list(game.start().words)
    right = words[rules.HOME] + 1
    wrong = 0.75
    first = 1 - wrong**4
    # Home is visited too when the first round is over, and lies beside: two flips more, each with that probability,
    # and counted a little less because they come together.
    second = 1 - wrong ** (4 + 2 * first * (1 - 1.5 / 4 * (1 - first)))
    expected = first * 1 + second * max(0, 1 - first)
    assert planner().value(words, [[right], [right]], 0) == pytest.approx(expected)


@pytest.mark.parametrize(("options", "last"), [({}, 6), ({"rules": "online", "size": 9}, 6), ({"level": "trey"}, 0)])
def test_plans_are_the_same_interpreted_and_compiled(options: dict[str, object], last: int) -> None:
    words = list(city(**options).start().words)
    plans = [Planner(compiled=compiled).make(Task(words, last), Budget(nodes=400)) for compiled in (False, True)]
    assert plans[0] == plans[1]
    assert plans[0].total > 0
    assert plans[0].nodes == 400


@pytest.mark.parametrize("rule_set", ["table", "online", "app"])
@given(seed=st.integers(0, 10**6), steps=st.integers(0, 60))
@settings(max_examples=25, deadline=None)
def test_a_plan_can_be_walked(rule_set: str, seed: int, steps: int) -> None:
    """From any position, however it came about, each cell of a plan is reached from those entered before it."""
    game, stream = city(size=7, rules=rule_set), Stream(seed)
    state = game.start()
    for _ in range(steps):
        if state.over:
            return
        state.play(state.draw(stream) if state.turn == CHANCE else state.pick(stream))
    if state.turn != 1:
        return
    words = list(state.words)
    plan = planner().plan(words, 7, Budget(nodes=300))
    done = plan.progress(words)
    assert done is not None
    check_walk(words, plan.routes[0][:done], plan.routes[0][done:], words[rules.AT])
    for route in plan.routes[1:]:
        check_walk(words, (), route, words[rules.HOME])


def check_walk(words: list[int], begun: tuple[int, ...], rest: tuple[int, ...], here: int) -> None:
    home, table = words[rules.HOME], words[rules.RULES] == rules.TABLE
    known = set(begun)
    for cell in rest:
        around = {rules.neighbour(words, cell, direction) for direction in range(4)}
        assert cell != home
        assert known & around if table and known else here in around, "a cell out of reach"
        assert not (table and cell in known), "a cell twice"
        known.add(cell)
        here = cell
    if not table and rest:
        assert home in {rules.neighbour(words, rest[-1], direction) for direction in range(4)}, "not back home"


def test_a_person_who_wanders_far_does_not_outgrow_the_plan() -> None:
    game = city(size=21, coins=1)
    state = walked(game, *(["right"] * 10 + (["up"] + ["left"] * 20 + ["up"] + ["right"] * 20) * 5))
    assert state.turn == 1
    analysis = make_bot(game, "planner").analyse(state, nodes=200)
    assert game.action(analysis.line[0]) in state.actions()


# ---- the best loop, and bounds ----


@cache
def best_of_all(size: int, coins: int, cells: int) -> float:
    """The best loop at the table among all of at most so many cells, by growing every set there is."""
    game = city(size=size, coins=coins)
    words = list(game.start().words)
    home = words[rules.HOME]

    def beside(cell: int) -> set[int]:
        return {rules.neighbour(words, cell, direction) for direction in range(4)} - {-1, home}

    sets = {frozenset({cell}) for cell in beside(home)}
    best = 0.0
    for _ in range(cells):
        for each in sets:
            through = math.prod(1 - rules.risk(words, cell) for cell in each)
            best = max(best, through * sum(rules.distance(words, cell) for cell in each))
        sets = {each | {cell} for each in sets for known in each for cell in beside(known) - each}
    return best


@pytest.mark.parametrize(("size", "coins", "cells"), [(3, 1, 8), (3, 3, 8), (5, 2, 8), (5, 4, 7), (7, 3, 7)])
def test_the_best_loop_is_the_best_of_all(size: int, coins: int, cells: int) -> None:
    found = solved(city(size=size, coins=coins)).content()
    assert found["value"] == pytest.approx(best_of_all(size, coins, cells))
    assert found["proven"]


@pytest.mark.parametrize(
    ("level", "value", "points"), [("deuce", 18.6244, 51), ("trey", 6.8623, 21), ("quad", 2.3445, 10)]
)
def test_the_first_loops_of_the_levels_are_proven(level: str, value: float, points: int) -> None:
    found = solved(city(level=level)).content()
    assert round(found["value"], 4) == value
    assert (found["points"], found["proven"], found["gap"]) == (points, True, 0)
    assert found["bound"] == pytest.approx(found["value"])
    assert found["success"] * found["points"] == pytest.approx(found["value"])


@pytest.mark.parametrize("rule_set", ["table", "online", "app"])
@given(size=st.sampled_from([3, 5, 7, 9]), coins=st.integers(1, 4), seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_no_loop_promises_more_than_the_bound(rule_set: str, size: int, coins: int, seed: int) -> None:
    game, stream = city(size=size, coins=coins, rules=rule_set), Stream(seed)
    route = grown(game, stream) if rule_set == "table" else closed_walk(game, stream)
    through, points = reckoned(game, route)
    assert through * points <= limit(size, coins, rule_set) * (1 + 1e-9)


@cache
def limit(size: int, coins: int, rule_set: str) -> float:
    return bound(City(size, coins, list(RULE_SETS).index(rule_set)), 0.0)


def test_a_bound_is_not_below_what_is_known_and_ends_early_where_ways_are_too_many() -> None:
    assert bound(City(7, 2, rules.TABLE), 1000.0) == 1000.0
    wide = bound(City(31, 1, rules.TABLE), 0.0)
    assert wide <= City(31, 1, rules.TABLE).points
    assert wide >= sum(range(1, 16))


def test_a_gap_is_said_in_words() -> None:
    solution = solved(city(size=9, rules="online"))
    found, facts = solution.content(), dict(solution.facts())
    assert found["proven"] == (found["gap"] == 0)
    assert ("proven" in facts["bound"]) == found["proven"]
    assert found["bound"] >= found["value"] * (1 - 1e-12)


# ---- a game under way ----


def test_a_saved_game_has_a_plan_for_every_round_left() -> None:
    game = city(size=9)
    state = walked(game, "up", "right", "down", "left", "up", "up")
    solution = solved(game, state)
    found = solution.content()
    assert found["banked"] == state.words[rules.TOTAL]
    assert [each["round"] for each in found["rounds"]] == [2, 3, 4, 5, 6, 7]
    assert found["value"] == pytest.approx(found["banked"] + sum(each["value"] for each in found["rounds"]))
    assert found["rounds"][0]["cells"][:2] == ["3,4", "2,4"]
    (first, *_) = solution.routes()
    assert first.odds[:2] == (1, 1)
    assert all(one >= other for one, other in pairwise(first.odds))


def test_what_cannot_be_planned_is_refused() -> None:
    game = city(size=5)
    checked = game.start()
    checked.play(game.action("up"))
    with pytest.raises(OptionError, match="check is under way"):
        game.solver(checked)
    over = game.start()
    stream = Stream(1)
    while not over.over:
        over.play(over.draw(stream) if over.turn == CHANCE else over.pick(stream))
    with pytest.raises(OptionError, match="is over"):
        game.solver(over)


# ---- the bots ----


def test_a_plan_is_kept_to_and_the_same_whatever_was_planned_before() -> None:
    game = city(size=9)
    bot = make_bot(game, "planner:nodes=2000")
    state = game.start()
    first = bot.analyse(state)
    for step in first.line[:3]:
        assert bot.choose(state, stream=Stream(1)) == game.action(step)
        state.play(game.action(step))
        if state.turn == CHANCE:
            state.play(game.action("safe"))
    planner()._plans.clear()
    again = bot.analyse(state)
    assert again.line == first.line[3:]


def test_a_round_begins_with_what_the_ones_before_left() -> None:
    game = city(size=7)
    state = walked(game, "up", "down", "right", "left", "up", "right")
    words = opening(state.words, 2)
    fresh = walked(game, "up", "down", "right", "left")
    assert words[: words[1]] == list(fresh.words)[: words[1]]


@pytest.mark.parametrize("rule_set", ["table", "online", "app"])
def test_an_analysis_says_how_likely_and_what_for(rule_set: str) -> None:
    game = city(rules=rule_set)
    bot = make_bot(game, "planner:nodes=3000")
    state = game.start()
    assert [label for label, _ in bot.analyse(state).facts] == ["Going on", "Later rounds"]
    state = walked(game, "up", "up", "right")
    facts = dict(bot.analyse(state).facts)
    so_far = math.prod(1 - 0.75 ** (13 - away) for away in (1, 2, 3))
    assert facts["This loop so far"] == f"{so_far:.0%} to get here"
    assert facts["Going home now"].startswith("100% to get" if rule_set == "table" else "93% to get")
    assert facts["Later rounds"].endswith("6 rounds")
    on, home = (float(facts[label].split(", ")[-1].split()[0]) for label in ("Going on", "Going home now"))
    assert on >= home - 0.05


def test_going_home_now_counts_with_rounds_that_are_planned_for_it() -> None:
    game = city()
    bot = make_bot(game, "planner:nodes=3000")
    for ways in ("up up right", "up up up left left"):
        out = ways.split()
        back = [{"up": "down", "right": "left", "left": "right"}[way] for way in reversed(out)]
        facts = dict(bot.analyse(walked(game, *out)).facts)
        home = float(facts["Going home now"].split(", ")[-1].split()[0])
        then = planner().plan(walked(game, *out, *back).words, 7, Budget(nodes=3000))
        assert home >= then.total - 0.05


def test_a_walk_back_counts_again_online() -> None:
    game = city(rules="online")
    state = walked(game, "up", "up", "down", "up")
    facts = dict(make_bot(game, "planner:nodes=500").analyse(state).facts)
    so_far = math.prod(1 - 0.75 ** (13 - away) for away in (1, 2, 1, 2))
    assert facts["This loop so far"] == f"{so_far:.0%} to get here"


@pytest.mark.parametrize("spec", ["ring", "greedy:nodes=500", "planner:nodes=500"])
@pytest.mark.parametrize("options", [{"size": 3}, {"size": 7, "rules": "online"}, {"size": 9, "coins": 1}])
def test_bots_play_whole_games(spec: str, options: dict[str, object]) -> None:
    game, stream = city(**options), Stream(5)
    bot, state = make_bot(game, spec), city(**options).start()
    steps = 0
    while not state.over:
        state.play(state.draw(stream) if state.turn == CHANCE else bot.choose(state, stream=stream))
        steps += 1
        assert steps < 2000
    assert state.scores()[0] >= 0


def test_foresight_pays() -> None:
    """Of many games the planner has more points than who looks at one round, and that one more than the ring."""
    means = []
    for spec in ("ring", "greedy:nodes=3000", "planner:nodes=6000"):
        game = city(size=9)
        bot, total = make_bot(game, spec), 0.0
        for number in range(60):
            state, stream = game.start(), Stream(7, number)
            while not state.over:
                state.play(state.draw(stream) if state.turn == CHANCE else bot.choose(state, stream=stream))
            total += state.scores()[0]
        means.append(total / 60)
    ring, greedy, foresight = means
    assert ring < greedy < foresight


def test_a_plan_tells_what_it_is() -> None:
    words = list(city().start().words)
    plan = planner().plan(words, 7, Budget(nodes=1000))
    assert isinstance(plan, Plan)
    assert len(plan.routes) == len(plan.worth) == len(plan.through) == 7
    assert plan.total == pytest.approx(sum(plan.worth))
    assert all(0 <= through <= 1 for through in plan.through)


def test_the_first_step_may_go_any_way() -> None:
    """The city is the same on all sides, so whoever sets out another way than planned has lost nothing."""
    game = city()
    bot = make_bot(game, "planner:nodes=120000")
    ways = [bot.analyse(walked(game, way)) for way in ("up", "right", "down", "left")]
    values = [each.value for each in ways]
    assert max(values) - min(values) < 0.02 * max(values)


def test_a_plan_that_was_cut_short_is_not_remembered() -> None:
    words = list(city(size=7).start().words)
    budget = Budget()
    budget.cancel()
    planner().plan(words, 7, budget)
    assert planner().plan(words, 7, Budget()).nodes > 100_000


def test_greedy_looks_at_the_last_round_alone_too() -> None:
    game = city(size=7)
    state = walked(game, *["up", "down"] * 6)
    assert state.words[rules.ROUND] == 6
    planner()._plans.clear()
    make_bot(game, "greedy:nodes=500").analyse(state)
    assert len(planner()._plans) == 1


def test_an_analysis_counts_the_checks_that_came_out_well() -> None:
    game = city()
    bot = make_bot(game, "planner:nodes=3000")
    state, values = game.start(), []
    for _ in range(3):
        analysis = bot.analyse(state)
        values.append(analysis.value)
        assert dict(analysis.facts)["Going on"].endswith(f" {analysis.value:.1f} points in the end")
        state.play(game.action(analysis.line[0]))
        if state.turn == CHANCE:
            state.play(game.action("safe"))
    assert values == sorted(values)
    assert values[0] < values[-1]
