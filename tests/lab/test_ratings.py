"""Ratings: the likeliest ones, and intervals that hold the truth, against likelihoods written out order by order."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from dataclasses import asdict
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rookery.lab.ratings import Ranking, Rating, rate

FALL = 3.841459 / 2
"""How far the log-likelihood may fall inside a 95% interval: half of what chi-square with 1 degree exceeds rarely."""


def duel(wins: int, draws: int, losses: int) -> dict[Ranking, int]:
    """Games between bots 0 and 1, seen from bot 0."""
    return {((0,), (1,)): wins, ((0, 1),): draws, ((1,), (0,)): losses}


def orders(group: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The orders a tied group stands for."""
    if len(group) <= 8:
        return list(permutations(group))
    ahead = sorted(group)
    return [tuple(way[k:] + way[:k]) for way in (ahead, ahead[::-1]) for k in range(len(ahead))]


def likelihood(elos: list[float], rankings: dict[Ranking, int]) -> float:
    """The log-likelihood of the ratings: the slow and obvious way."""
    strengths = [10 ** (elo / 400) for elo in elos]
    total = 0.0
    for ranking, many in rankings.items():
        readings = list(product(*map(orders, ranking)))
        for reading in readings:
            order = [bot for group in reading for bot in group]
            for place, bot in enumerate(order):
                chance = strengths[bot] / sum(strengths[other] for other in order[place:])
                total += math.log(chance) * many / len(readings)
    return total


def elos(ratings: list[Rating]) -> list[float]:
    return [rating.elo for rating in ratings]


def held(rating: Rating, truth: float) -> bool:
    assert rating.low is not None
    assert rating.high is not None
    return rating.low <= truth <= rating.high


def simulated(truth: list[float], games: int, seed: int) -> dict[Ranking, int]:
    """Games of all bots at once, each won by the first of exponential clocks that run as fast as the bot is strong."""
    chance, rankings = random.Random(seed), Counter[Ranking]()
    for _ in range(games):
        times = [chance.expovariate(10 ** (elo / 400)) for elo in truth]
        rankings[tuple((bot,) for bot in sorted(range(len(truth)), key=times.__getitem__))] += 1
    return rankings


@given(st.integers(1, 5000), st.integers(0, 5000), st.integers(1, 5000))
@settings(max_examples=30)
def test_two_bots_are_apart_by_the_logarithm_of_their_points(wins: int, draws: int, losses: int) -> None:
    better, worse = rate(2, duel(wins, draws, losses))
    expected = 400 * math.log10((wins + draws / 2) / (losses + draws / 2))
    assert better.elo - worse.elo == pytest.approx(expected, abs=1e-6)
    assert better.elo + worse.elo == pytest.approx(0, abs=1e-9)
    assert better.bounded and worse.bounded


@pytest.mark.parametrize("score", [(30, 20, 10), (7, 0, 3), (1, 0, 1), (400, 100, 300), (990, 0, 10)])
def test_the_interval_of_two_bots_is_that_of_a_grid(score: tuple[int, int, int]) -> None:
    wins, draws, losses = score
    points, lost = wins + draws / 2, losses + draws / 2
    differences = [k / 10 for k in range(-20_000, 20_000)]
    chances = [1 / (1 + 10 ** (-difference / 400)) for difference in differences]
    likelihoods = [points * math.log(chance) + lost * math.log(1 - chance) for chance in chances]
    best = max(likelihoods)
    inside = [difference for difference, value in zip(differences, likelihoods, strict=True) if best - value <= FALL]
    rating, other = rate(2, duel(*score))
    assert rating.low is not None and rating.high is not None
    assert (2 * rating.low, 2 * rating.high) == pytest.approx((inside[0], inside[-1]), abs=0.11)
    assert (other.low, other.high) == pytest.approx((-rating.high, -rating.low), abs=1e-4)


def test_the_95_percent_interval_holds_the_truth_about_95_times_in_100() -> None:
    chance = random.Random(4)
    right = 0
    for _ in range(300):
        wins = sum(chance.random() < 1 / (1 + 10 ** (-120 / 400)) for _ in range(60))
        right += held(rate(2, duel(wins, 0, 60 - wins))[0], 60)
    assert 0.90 <= right / 300 <= 0.99


def test_the_interval_holds_the_truth_about_95_times_in_100_among_three() -> None:
    truth = [80.0, 0.0, -80.0]
    right = sum(held(rate(3, simulated(truth, 40, seed))[1], 0) for seed in range(120))
    assert 0.90 <= right / 120 <= 0.99


def test_the_truth_is_recovered_from_games_of_three() -> None:
    truth = [150.0, 0.0, -150.0]
    ratings = rate(3, simulated(truth, 5000, seed=5))
    for rating, true in zip(ratings, truth, strict=True):
        assert held(rating, true)
        assert rating.elo == pytest.approx(true, abs=15)
        assert rating.low is not None and rating.high is not None
        assert rating.high - rating.low < 20


MIXED: dict[Ranking, int] = {
    ((0,), (1,), (2,)): 9,
    ((2,), (0,), (1,)): 4,
    ((1, 2), (0,)): 3,
    ((0,), (1, 2)): 5,
    ((0, 1, 2),): 6,
    ((1,), (0,)): 7,
    ((2, 1),): 2,
}


def test_no_ratings_are_likelier_than_those_found() -> None:
    found = elos(rate(3, MIXED))
    best = likelihood(found, MIXED)
    for bot, change in product(range(3), (-1, -0.01, 0.01, 1)):
        moved = [elo + change * (other == bot) for other, elo in enumerate(found)]
        assert likelihood(moved, MIXED) < best


@pytest.mark.parametrize("bot", [0, 1, 2])
def test_the_ends_of_an_interval_are_as_unlikely_as_may_be_when_the_others_suit_best(bot: int) -> None:
    ratings = rate(3, MIXED)
    least = likelihood(elos(ratings), MIXED) - FALL
    for end in (ratings[bot].low, ratings[bot].high):
        assert end is not None
        profile = []
        for apart in range(-400, 401):
            others = iter([(-end + apart) / 2, (-end - apart) / 2])
            profile.append(likelihood([end if each == bot else next(others) for each in range(3)], MIXED))
        assert max(profile) == pytest.approx(least, abs=1e-3)


@pytest.mark.parametrize("size", [4, 6, 9])
def test_a_large_tie_is_the_mean_of_its_orders(size: int) -> None:
    order: Ranking = tuple((bot,) for bot in range(size))
    rankings = {(tuple(range(size)),): 3, order: 2, order[::-1]: 1, ((0,), (2,)): 4, ((2,), (0,)): 1}
    found = elos(rate(size, rankings))
    best = likelihood(found, rankings)
    for bot, change in product(range(size), (-0.1, 0.1)):
        moved = [elo + change * (other == bot) for other, elo in enumerate(found)]
        assert likelihood(moved, rankings) < best


@pytest.mark.parametrize("size", [2, 3, 4, 7, 12])
def test_bots_that_always_tie_are_equally_strong(size: int) -> None:
    ratings = rate(size, {(tuple(range(size)),): 50})
    assert elos(ratings) == pytest.approx([0] * size, abs=1e-9)
    first = ratings[0]
    for rating in ratings:
        assert rating.bounded
        assert held(rating, 0)
        assert (rating.low, rating.high) == pytest.approx((first.low, first.high), abs=1e-3)


games = st.dictionaries(
    st.permutations(range(4)).flatmap(
        lambda bots: st.sampled_from(
            [
                tuple((bot,) for bot in bots),
                ((bots[0],), (bots[1], bots[2]), (bots[3],)),
                (tuple(bots),),
                ((bots[0], bots[1]), (bots[2],)),
                ((bots[0],), (bots[1],)),
            ]
        )
    ),
    st.integers(1, 20),
    max_size=8,
)


@given(games, st.randoms(use_true_random=False))
@settings(max_examples=12)
def test_the_order_of_the_games_does_not_matter(rankings: dict[Ranking, int], chance: random.Random) -> None:
    def restated(ranking: Ranking) -> Ranking:
        return tuple(tuple(chance.sample(group, len(group))) for group in ranking)

    shuffled = Counter[Ranking]()
    for ranking, many in chance.sample(sorted(rankings.items()), len(rankings)):
        for _ in range(many):
            shuffled[restated(ranking)] += 1
    assert rate(4, shuffled) == rate(4, rankings)


@given(games, st.permutations(range(4)))
@settings(max_examples=12)
def test_bots_under_other_numbers_have_the_same_ratings(rankings: dict[Ranking, int], number: list[int]) -> None:
    renumbered = Counter[Ranking]()
    for ranking, many in rankings.items():
        renumbered[tuple(tuple(number[bot] for bot in group) for group in ranking)] += many
    before, after = rate(4, rankings), rate(4, renumbered)
    for bot in range(4):
        for part in ("elo", "low", "high", "bounded"):
            assert getattr(after[number[bot]], part) == pytest.approx(getattr(before[bot], part), abs=1e-3)


@given(games)
@settings(max_examples=12)
def test_ratings_lie_around_0_inside_their_finite_intervals(rankings: dict[Ranking, int]) -> None:
    ratings = rate(4, rankings)
    assert math.fsum(elos(ratings)) == pytest.approx(0, abs=1e-6)
    json.dumps([asdict(rating) for rating in ratings], allow_nan=False)
    if rankings:
        for rating in ratings:
            assert rating.low is not None and rating.high is not None
            assert -math.inf < rating.low < rating.elo < rating.high < math.inf


def test_a_bot_that_won_every_game_is_strong_but_not_bounded() -> None:
    winner, loser = rate(2, duel(100, 0, 0))
    assert not winner.bounded and not loser.bounded
    assert winner.elo - loser.elo == pytest.approx(400 * math.log10(100.5 / 0.5))
    assert winner.low is not None and winner.high is not None
    assert 200 < winner.low < winner.high < 2000
    assert rate(2, duel(100, 0, 1))[0].bounded


def test_a_chain_of_bots_is_ranked_but_not_bounded() -> None:
    ratings = rate(3, {((0,), (1,)): 50, ((1,), (2,)): 50})
    assert [rating.bounded for rating in ratings] == [False] * 3
    assert ratings[0].elo > ratings[1].elo + 100 > ratings[2].elo + 200
    closed = rate(3, {((0,), (1,)): 50, ((1,), (2,)): 50, ((2,), (0,)): 50})
    assert [rating.bounded for rating in closed] == [True] * 3
    assert elos(closed) == pytest.approx([0, 0, 0], abs=1e-6)


def test_a_set_of_bots_that_never_lost_to_the_rest_is_not_bounded() -> None:
    level: dict[Ranking, int] = {((0, 1),): 5, ((2, 3),): 5}
    above: Ranking = ((0,), (2,))
    assert not rate(4, {**level, above: 9})[0].bounded
    assert rate(4, {**level, above: 9, above[::-1]: 1})[0].bounded
    assert rate(4, {**level, above: 9, ((1, 3),): 1})[0].bounded


def test_bots_that_never_met_the_rest_are_not_bounded() -> None:
    ratings = rate(3, duel(5, 0, 5))
    assert [rating.bounded for rating in ratings] == [False] * 3
    assert elos(ratings) == pytest.approx([0, 0, 0], abs=1e-6)


@pytest.mark.parametrize(("players", "rankings"), [(1, {}), (1, {((0,),): 8}), (3, {}), (2, {((0,), (1,)): 0})])
def test_nothing_is_known_of_bots_that_did_not_meet(players: int, rankings: dict[Ranking, int]) -> None:
    assert rate(players, rankings) == [Rating(0.0, None, None, bounded=False)] * players


def test_more_games_make_a_narrower_interval() -> None:
    few, many = rate(2, duel(6, 2, 4))[0], rate(2, duel(600, 200, 400))[0]
    assert few.low is not None and few.high is not None and many.low is not None and many.high is not None
    assert few.elo == pytest.approx(many.elo)
    assert 9 < (few.high - few.low) / (many.high - many.low) < 12


def test_long_chains_of_lopsided_duels_are_fitted() -> None:
    """Differences that outgrow what exponentials of ratings could hold side by side."""
    rankings: dict[Ranking, int] = {}
    for bot in range(9):
        rankings |= {((bot,), (bot + 1,)): 10**6, ((bot + 1,), (bot,)): 1}
    ratings = rate(10, rankings)
    assert [rating.elo for rating in ratings] == pytest.approx([2400 * (4.5 - bot) for bot in range(10)], abs=1e-3)


@pytest.mark.parametrize(
    ("ranking", "many", "message"),
    [
        (((0,), (0, 1)), 1, "A bot has only one place in a ranking"),
        (((0,), (2,)), 1, "Bots have numbers from 0 to 1"),
        (((0,), (-1,)), 1, "Bots have numbers from 0 to 1"),
        (((0,), (1,)), -3, "A ranking cannot occur -3 times"),
    ],
)
def test_impossible_games_get_a_sentence(ranking: Ranking, many: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        rate(2, {ranking: many})
