"""Standings of duels, which follow from the records alone."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from itertools import permutations
from typing import TYPE_CHECKING

import pytest
from tests.lab.duels import records

from rookery.lab.duel import Result
from rookery.lab.standings import content

if TYPE_CHECKING:
    from collections.abc import Iterator


def pairings(result: Result) -> Iterator[tuple[str, str, float]]:
    """For each pairing a bot, another and the points of the first, from the records alone: slow and obvious."""
    games = records(result)
    if result.duel.game.players > 1:
        groups = [
            [(name, (seat in found.result["winners"], found.result["scores"][seat - 1])) for seat, name in enumerate(found.players, start=1)]
            for found in games
            if found.result
        ]  # fmt: skip
    else:
        sets = [games[at : at + len(result.duel.bots)] for at in range(0, len(games), len(result.duel.bots))]
        groups = [
            [(found.players[0], (True, found.result["scores"][0])) for found in each if found.result] for each in sets
        ]
    for group in groups:
        for (one, merit), (other, its_merit) in permutations(group, 2):
            yield one, other, 1.0 if merit > its_merit else 0.5 if merit == its_merit else 0.0


def test_the_cross_table_follows_from_the_records(any_result: Result) -> None:
    found = content(any_result)
    points: Counter[tuple[str, str]] = Counter()
    games: Counter[tuple[str, str]] = Counter()
    for one, other, won in pairings(any_result):
        points[one, other] += won  # type: ignore[assignment]
        games[one, other] += 1
    names = [player["bot"] for player in found["players"]]
    assert sorted(names) == sorted(any_result.duel.bots)
    for row, one in zip(found["against"], names, strict=True):
        for cell, other in zip(row, names, strict=True):
            assert cell == (None if one == other else [points[one, other], games[one, other]])


def test_scores_follow_from_the_records(any_result: Result) -> None:
    points: defaultdict[str, list[float]] = defaultdict(list)
    for one, _, won in pairings(any_result):
        points[one].append(won)
    for player in content(any_result)["players"]:
        own = points[player["bot"]]
        assert player["score"] == pytest.approx(sum(own) / len(own))
        low, high = player["score_ci95"]
        assert 0 <= low <= player["score"] <= high <= 1
        assert low < high


def test_points_add_up_to_games(pair: Result, three: Result, gamma: Result, gotham: Result) -> None:
    for result, pairings_a_game in ((pair, 1), (three, 1), (gamma, 3), (gotham, 1)):
        cells = [cell for row in content(result)["against"] for cell in row if cell]
        assert sum(points for points, _ in cells) == pairings_a_game * len(result.played)
        assert sum(games for _, games in cells) == 2 * pairings_a_game * len(result.played)


def test_between_two_a_point_is_a_win_or_two_draws(three: Result) -> None:
    found = content(three)
    assert found["games"] == 30
    assert sum(player["draws"] for player in found["players"]) == 2 * found["draws"]
    assert sum(player["wins"] for player in found["players"]) == found["games"] - found["draws"]
    for player in found["players"]:
        assert player["games"] == 20 == player["wins"] + player["draws"] + player["losses"]
        assert player["score"] == pytest.approx((player["wins"] + player["draws"] / 2) / 20)


def test_among_three_a_win_is_to_be_the_only_best(gamma: Result) -> None:
    found, games = content(gamma), records(gamma)
    for player in found["players"]:
        sat = [
            (each.players.index(player["bot"]) + 1, each.result or {})
            for each in games
            if player["bot"] in each.players
        ]
        assert player["games"] == len(sat) == 18
        assert player["wins"] == sum(result["winners"] == [seat] for seat, result in sat)
        assert player["draws"] == sum(seat in result["winners"] and len(result["winners"]) > 1 for seat, result in sat)
        assert player["losses"] == sum(seat not in result["winners"] for seat, result in sat)
    assert found["draws"] == sum(len((each.result or {})["winners"]) > 1 for each in games)
    assert found["draw_rate"] == found["draws"] / found["games"]


def test_alone_wins_are_pairings_with_other_bots(gotham: Result) -> None:
    found = content(gotham)
    assert found["games"] == 36
    won: defaultdict[str, Counter[float]] = defaultdict(Counter)
    for one, _, points in pairings(gotham):
        won[one][points] += 1
    for player in found["players"]:
        counts = won[player["bot"]]
        assert player["games"] == 12
        assert (player["wins"], player["draws"], player["losses"]) == (counts[1.0], counts[0.5], counts[0.0])
        own = [played.scores[0] for played in gotham.played if gotham.duel.bots[played.seats[0]] == player["bot"]]
        assert player["points_mean"] == pytest.approx(sum(own) / 12)
    assert found["first_player_score"] is None
    assert found["first_player_score_ci95"] is None
    assert found["draws"] is None
    assert found["draw_rate"] is None


@pytest.mark.parametrize("name", ["pair", "three", "gamma"])
def test_the_first_player_scores_what_the_records_say(name: str, request: pytest.FixtureRequest) -> None:
    result: Result = request.getfixturevalue(name)
    shares = []
    for each in records(result):
        assert each.result is not None
        first, *others = each.result["scores"]
        shares.append(sum(1.0 if first > other else 0.5 if first == other else 0.0 for other in others) / len(others))
    found = content(result)
    assert found["first_player_score"] == pytest.approx(sum(shares) / len(shares))
    low, high = found["first_player_score_ci95"]
    assert 0 <= low < found["first_player_score"] < high <= 1


def test_moves_and_plies_are_counted(any_result: Result) -> None:
    found = content(any_result)
    plies = [played.plies for played in any_result.played]
    assert found["plies_mean"] == pytest.approx(sum(plies) / len(plies))
    low, high = found["plies_ci95"]
    assert low < found["plies_mean"] < high or low == high == plies[0] == max(plies) == min(plies)
    opened = any_result.duel.schedule.opening * len(plies)
    assert sum(player["moves"] for player in found["players"]) == sum(plies) - opened
    assert all(player["ms_per_move"] > 0 for player in found["players"])


def test_greedy_is_stronger_than_random(pair: Result) -> None:
    best, worst = content(pair)["players"]
    assert (best["bot"], worst["bot"]) == ("greedy", "random")
    assert best["elo"] == -worst["elo"] > 0
    assert best["elo_ci95"][0] > 0 > worst["elo_ci95"][1]
    assert best["score"] + worst["score"] == pytest.approx(1)


def test_players_go_by_elo(any_result: Result) -> None:
    ratings = [player["elo"] for player in content(any_result)["players"]]
    assert ratings == sorted(ratings, reverse=True)
    assert sum(ratings) == pytest.approx(0, abs=0.05)


def test_everything_found_is_json(any_result: Result) -> None:
    found = content(any_result)
    assert json.loads(json.dumps(found, allow_nan=False)).keys() == found.keys()
    promised = {
        "bot",
        "games",
        "wins",
        "draws",
        "losses",
        "score",
        "score_ci95",
        "elo",
        "elo_ci95",
        "bounded",
        "ms_per_move",
        "moves",
    }
    assert all(promised <= player.keys() for player in found["players"])
