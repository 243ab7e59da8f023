"""GateRun's baseline bot: minimax that is exact to its depth, interpreted and compiled, and keeps to its budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.oracles import gaterun as oracle

import rookery
from rookery.core.bot import Budget
from rookery.core.stream import Stream
from rookery.engine import compiling
from rookery.games.gaterun import rules
from rookery.games.gaterun.bots import minimax

if TYPE_CHECKING:
    from rookery.core.state import State


def plain_minimax(state: State, depth: int, me: int, ply: int = 0) -> int:
    """Minimax as in a textbook, over every legal action, with the baseline's evaluation written out again."""
    if state.over:
        winners = state.winners()
        return 0 if len(winners) == 2 else (minimax.WIN - ply if winners == (me,) else ply - minimax.WIN)
    if depth == 0:
        twin = oracle.twin_of(state)
        distance = {player: oracle.walk(twin, player) for player in (1, 2)}
        steps = {player: open_steps(twin, player) for player in (1, 2)}
        value = (distance[3 - me] - distance[me]) * 10 + steps[me] - steps[3 - me]
        return value - 5 if twin.left[me] <= 1 else value
    values = []
    for action in state.actions():
        state.play(action)
        values.append(plain_minimax(state, depth - 1, me, ply + 1))
        state.undo()
    return max(values) if state.turn == me else min(values)


def open_steps(twin: oracle.GateRun, player: int) -> int:
    return sum(beside != twin.pawns[3 - player] for beside in oracle.neighbours(twin, twin.pawns[player]))


def test_pawns_in_the_corners_have_their_steps_counted() -> None:
    for cell, steps in ((0, 2), (4, 2), (20, 2), (24, 2), (2, 3), (10, 3), (14, 3), (22, 3), (12, 4)):
        words = list(rookery.game("gaterun", size=5).start().words)
        words[rules.PAWN + 1], words[rules.PAWN + 2] = cell, 11 if cell != 10 else 18
        blocked = 1 if cell in (10, 12) and words[rules.PAWN + 2] == 11 else 0
        assert minimax.steps(words, 1) == steps - blocked, cell


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_baseline_is_exact_to_its_depth(depth: int) -> None:
    options = {"size": 4, "walls": 2} if depth < 3 else {"size": 3, "walls": 1}
    bot = rookery.bot("gaterun", f"minimax:depth={depth}")
    compared = 0
    for index in range(9):
        stream, state = Stream(21, index), rookery.game("gaterun", **options).start()
        for _ in range(stream.below(7)):
            if not state.over:
                state.play(stream.pick(state.actions()))
        if state.over:
            continue
        me = state.turn
        analysis = bot.analyse(state)
        for candidate in analysis.candidates:
            state.play(candidate.action)
            assert plain_minimax(state, depth - 1, me, 1) == candidate.value, (state.position(), candidate)
            state.undo()
            compared += 1
    assert compared > 30


def test_the_baseline_is_the_same_interpreted_and_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    state = rookery.game("gaterun", size=5, walls=3, jump=True, rotate=True).start()
    stream = Stream(2)
    for _ in range(6):
        state.play(stream.pick(state.actions()))
    bot = rookery.bot("gaterun", "minimax:depth=2")
    fast = bot.analyse(state)
    monkeypatch.setattr(compiling, "available", lambda: False)
    assert bot.analyse(state) == fast


def test_the_baseline_tries_wins_first_then_walls_that_lengthen_then_the_rest() -> None:
    state = rookery.game("gaterun", size=5, walls=2).position("3,2/1,2 - P1 2/2 -/- 6")
    out = [0] * state.game.action_count
    count = minimax.order(list(state.words), out)
    ordered = [state.game.name_of(action) for action in out[:count]]
    assert ordered[:2] == ["4,2", "0,2|1,2"]
    assert ordered[2:] == sorted(ordered[2:], key=state.game.action)


def test_ties_are_decided_by_the_seed() -> None:
    state = rookery.game("gaterun", size=5, walls=8).position("1,2/3,2 - P1 8/8 -/- 2")
    bot = rookery.bot("gaterun", "minimax:depth=1")
    best = [each for each in bot.analyse(state).candidates if each.value == bot.analyse(state).value]
    chosen = {bot.choose(state, stream=Stream(seed)) for seed in range(40)}
    assert chosen == {each.action for each in best}


@pytest.mark.parametrize("depth", [2, 3])
def test_the_faster_way_to_choose_finds_the_best_of_the_analysis(depth: int) -> None:
    bot = rookery.bot("gaterun", f"minimax:depth={depth}")
    for index in range(12):
        stream = Stream(31, index)
        state = rookery.game("gaterun", size=5, walls=3, jump=True, rotate=index % 2 == 0).start()
        for _ in range(stream.below(14)):
            if not state.over:
                state.play(stream.pick(state.actions()))
        if state.over:
            continue
        analysis = bot.analyse(state)
        best = {each.action for each in analysis.candidates if each.value == analysis.value}
        decided = bot.search_best(state, Budget(), stream).candidates
        assert {each.action for each in decided if each.value == decided[0].value} == best, state.position()
        assert decided[0].value == analysis.value


def test_a_time_budget_stops_a_deep_search_with_the_best_so_far() -> None:
    state = rookery.game("gaterun").start()
    analysis = rookery.bot("gaterun", "minimax:depth=8").analyse(state, ms=60)
    assert analysis.line[0] == "1,3"
    shallow = rookery.bot("gaterun", "minimax:depth=8").analyse(state, nodes=8000)
    assert shallow.line == rookery.bot("gaterun", "minimax:depth=2").analyse(state).line
