"""Bots that have no time to search: they still choose by something, never by luck."""

from __future__ import annotations

from time import sleep
from typing import TYPE_CHECKING

import pytest

import rookery
from rookery.core.bot import Analysis, Budget, make_bot
from rookery.core.stream import Stream
from rookery.games.gotham.bots.engines import Ring, expected
from rookery.search.cancel import CancelToken

if TYPE_CHECKING:
    from collections.abc import Callable

    from rookery.core.state import State


def cancelled() -> Budget:
    token = CancelToken()
    token.cancel()
    return token.budget(600, None)


def run_out() -> Budget:
    budget = Budget(ms=0.01)
    sleep(0.001)
    return budget


NO_TIME = [cancelled, run_out]


def analysed(state: State, bot: str, budget: Budget) -> Analysis:
    found = make_bot(state.game, bot)
    found.ready(state.game)
    return found.analyse(state, budget)


@pytest.mark.parametrize("budget", NO_TIME)
def test_67_takes_the_slide_with_the_best_value(budget: Callable[[], Budget]) -> None:
    game = rookery.game("sixseven")
    state, stream = game.start(), Stream(5)
    for _ in range(6):
        while state.turn != 1:
            state.play(state.draw(stream))
        found = analysed(state, "10", budget())
        one_ply = analysed(state, "learned:plies=1", Budget())
        assert [each.action for each in found.candidates] == [each.action for each in one_ply.candidates]
        assert all(each.win is not None and 0 <= each.win <= 1 for each in found.candidates)
        state.play(found.candidates[0].action)


@pytest.mark.parametrize("budget", NO_TIME)
def test_gamma_takes_the_best_by_the_prior(budget: Callable[[], Budget]) -> None:
    state = rookery.game("gamma", width=6, height=6, areas=2).start()
    for name in ("m 0 0", "m 5 5", "m 1 0", "m 5 4"):
        state.play(state.game.action(name))
    by_prior = analysed(state, "settler:nodes=1", Budget(nodes=1))
    chosen = {analysed(state, "10", budget()).line[0] for _ in range(3)}
    assert chosen == {by_prior.line[0]}


@pytest.mark.parametrize("budget", NO_TIME)
def test_gaterun_looks_a_ply_ahead(budget: Callable[[], Budget]) -> None:
    state = rookery.game("gaterun").start()
    for name in ("1,3", "5,3", "2,3", "4,3"):
        state.play(state.game.action(name))
    found = analysed(state, "10", budget())
    assert found.line[0] == analysed(state, "alphabeta:depth=1", Budget()).line[0]


@pytest.mark.parametrize("budget", NO_TIME)
def test_gotham_walks_the_best_ring(budget: Callable[[], Budget]) -> None:
    game = rookery.game("gotham", level="quad")
    state = game.start()
    words = list(state.words)
    ring = expected(words, Ring().make_plan(words, Budget()))
    assert analysed(state, "10", budget()).value >= ring
