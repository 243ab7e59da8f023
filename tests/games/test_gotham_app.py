"""The rules `app` of Gotham Loops: games as the web app records them, and what is different from the other rule sets."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from tests.games.app_games import differences
from tests.oracles.gotham import Gotham

import rookery
from rookery.core.errors import PositionError
from rookery.core.stream import Stream
from rookery.games.gotham import rules

SIZES = {"deuce": (13, 2), "trey": (17, 3), "quad": (21, 4)}


def recorded(level: str, seed: int) -> dict[str, Any]:
    """A random game of the oracle, in the form in which games of the web app are recorded."""
    size, coins = SIZES[level]
    slow, stream = Gotham(size=size, coins=coins, rules="app"), Stream(seed)
    rounds: list[dict[str, Any]] = []
    while slow.turn != -1:
        odds = [[float(slow.odds((row, col))) for col in range(size)] for row in range(size)]
        now: dict[str, Any] = {"moves": [], "running": [], "odds": odds}
        while len(slow.rounds) == len(rounds):
            way = stream.pick(sorted(slow.actions()))
            row, col = slow.beside(slow.at, way)
            slow.play(way)
            outcome = "safe"
            if slow.turn == 0:
                outcome = "safe" if stream.uniform() < slow.chances()["safe"] else "caught"
                slow.play(outcome)
            now["moves"].append([row, col, outcome])
            now["running"].append(slow.rounds[-1] if len(slow.rounds) > len(rounds) else slow.points)
        now["visited"] = [list(cell) for cell in sorted(slow.visited[-1])]
        rounds.append(now)
    return {"level": level, "rounds": rounds, "total": sum(slow.rounds), "over": True}


@pytest.mark.parametrize("level", SIZES)
def test_recorded_games_come_out_the_same(level: str) -> None:
    for seed in range(4):
        assert list(differences(recorded(level, seed))) == []


def test_every_kind_of_difference_is_reported() -> None:
    game = recorded("deuce", 1)
    assert any(move[2] == "caught" for round_ in game["rounds"] for move in round_["moves"])
    for change in ("odds", "running", "visited", "total", "over"):
        other = copy.deepcopy(game)
        last = other["rounds"][-1]
        if change == "odds":
            last["odds"][3][4] += 1e-8
        elif change == "running":
            last["running"][0] += 1
        elif change == "visited":
            last["visited"].pop()
        elif change == "total":
            other["total"] += 1
        else:
            other["over"] = False
        assert len(list(differences(other))) == 1, change


def test_a_failed_cell_counts_as_visited_and_costs_a_point() -> None:
    for rule_set, visits in (("online", 0), ("app", 1)):
        game = rookery.game("gotham", rules=rule_set)
        state = game.start()
        for name in ("up", "safe", "up", "caught"):
            state.play(game.action(name))
        cell = 4 * 13 + 6
        assert rules.bits_set(rules.earlier(state.words, cell)) == visits
        assert rules.worth(state.words, cell) == 2 - visits
        assert ("visited in round 1" in state.scene().cell(4, 6).name) == bool(visits)
        again = game.position(state.position())
        assert again.words == state.words


def test_the_odds_of_a_cell_with_one_flip_have_a_floor() -> None:
    """A corner of quad is one throw of four coins: 6.25 per cent, but 10 in the app."""
    for rule_set, odds in (("online", 0.0625), ("app", 0.1)):
        words = rookery.game("gotham", level="quad", rules=rule_set).start().words
        assert 1 - rules.risk(words, 0) == pytest.approx(odds, abs=1e-12)


def test_a_position_must_mark_where_a_round_failed() -> None:
    game = rookery.game("gotham", rules="app", size=3)
    assert game.position("3./1,2./3. 2 1,1 - 1,0").json()["failed"] == ["1,0"]
    with pytest.raises(PositionError, match=r"Round 1 must mark 0,1, where it failed, as visited"):
        game.position("3./1,2./3. 2 1,1 - 0,1")
