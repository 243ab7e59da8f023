"""How strong bots are, from games they finished: maximum-likelihood ratings on the Elo scale, with 95% intervals.

The model is Plackett–Luce (Luce 1959, Plackett 1975): the first place goes to a player with a chance in proportion to
their strength, the second likewise among those left, and so on; for two players it is Bradley and Terry's, which Elo
ratings are. A tie counts as the mean, over the orders it may stand for, of their log-likelihoods, which makes a draw
half a win and half a loss. Ratings are relative: their mean is 0.

It is written here because the libraries do other things: choix fits the model, but knows neither ties nor intervals;
openskill and trueskill keep a running belief that depends on the order of the games.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from rookery.lab.intervals import Z95

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

Ranking = tuple[tuple[int, ...], ...]
"""A finished game: groups of tied bots, best first. Bots are numbered from 0."""
ELO = 400 / math.log(10)
"""Elo points for one unit of log strength."""
ALL_ORDERS = 8
"""The largest tied group whose every order counts; of a larger one, see `_remnants`."""
NEAR = 1e-5
"""A Newton step so small leaves about its square as the error, in log strength: far below a thousandth of a point."""
PATIENCE = 1000
"""More Newton steps than any fit takes."""


@dataclass(frozen=True)
class Rating:
    """A bot's rating and the interval it lies in, 95 times in 100."""

    elo: float
    low: float | None
    """None, as is `high`, if no two bots have met."""
    high: float | None
    bounded: bool
    """Whether the games alone bound the ratings of all bots; if not, imagined draws do."""


def rate(players: int, rankings: Mapping[Ranking, int]) -> list[Rating]:
    """The ratings of bots 0 to players − 1, from how often each ranking came about.

    If some bots never lost to or drew with the rest, or never met them, no finite ratings are the likeliest (Ford
    1957, Hunter 2004). Then each pair of bots is taken to have drawn one more game, a stand-in for a loss not seen yet,
    and the ratings are marked as not bounded.

    The interval of a rating is that of its profile likelihood: all values which the games do not contradict (by the
    likelihood ratio test) when the other ratings suit them best.

    >>> [round(rating.elo) for rating in rate(2, {((0,), (1,)): 30, ((1,), (0,)): 10, ((0, 1),): 20})]
    [60, -60]
    """
    games = _tidy(players, rankings)
    if not any(len(bots) > 1 for bots in (sum(ranking, ()) for ranking in games)):
        return [Rating(0.0, None, None, bounded=False)] * players
    bounded = _connected(players, games)
    if not bounded:
        games.update({(pair,): 1 for pair in combinations(range(players), 2)})
    evidence = _weigh(players, games)
    best = _climb(evidence, np.zeros(players), range(players))
    ends = [[_end(evidence, best, bot, side) for side in (-1, 1)] for bot in range(players)]
    return [
        Rating(float(middle) * ELO, low * ELO, high * ELO, bounded)
        for middle, (low, high) in zip(best - best.mean(), ends, strict=True)
    ]


def _tidy(players: int, rankings: Mapping[Ranking, int]) -> Counter[Ranking]:
    """The rankings, checked, with each tied group ascending."""
    games: Counter[Ranking] = Counter()
    for ranking, many in rankings.items():
        bots = sum(ranking, ())
        if len(set(bots)) < len(bots):
            raise ValueError(f"A bot stands in one place of a ranking only, unlike in {ranking}.")
        if not set(bots) <= set(range(players)):
            raise ValueError(f"Bots have numbers from 0 to {players - 1}, unlike in {ranking}.")
        if many < 0:
            raise ValueError(f"No game is played {many} times, as {ranking} is said to be.")
        if many:
            games[tuple(tuple(sorted(group)) for group in ranking)] += many
    return games


def _connected(players: int, games: Mapping[Ranking, int]) -> bool:
    """Whether every bot leads to every other by steps from a bot to one that beat it or drew with it."""
    beaten_by: list[set[int]] = [set() for _ in range(players)]
    for ranking in games:
        above: set[int] = set()
        for group in ranking:
            above.update(group)
            for bot in group:
                beaten_by[bot] |= above
    for k in range(players):
        for bot in range(players):
            if k in beaten_by[bot]:
                beaten_by[bot] |= beaten_by[k]
    return all(len(reached | {bot}) == players for bot, reached in enumerate(beaten_by))


@dataclass(frozen=True)
class _Evidence:
    """All that games say about log strengths t: how often each bot was placed, and from which pools of bots.

    The log-likelihood is the sum of t over all placings, less that of log(sum of exp(t) over the pool) over all
    pools. It is concave, and does not change if all strengths rise alike.
    """

    placings: Vector
    pools: NDArray[np.bool_]
    """A row for each pool, a column for each bot."""
    weights: Vector
    """How often bots were placed from each pool; a tie counts with fractions."""

    def likelihood(self, strengths: Vector) -> float:
        """The log-likelihood of the strengths."""
        return float(self.placings @ strengths - self.weights @ self._sizes(strengths))

    def slope_and_bend(self, strengths: Vector) -> tuple[Vector, Vector]:
        """The first derivatives of the log-likelihood, and the second with their sign turned: a vector, a matrix."""
        chances = np.exp(np.where(self.pools, strengths - self._sizes(strengths)[:, None], -np.inf))
        expected = self.weights @ chances
        return self.placings - expected, np.diag(expected) - (chances.T * self.weights) @ chances

    def _sizes(self, strengths: Vector) -> Vector:
        """The log strength of each pool as a whole."""
        sizes: Vector = np.logaddexp.reduce(np.where(self.pools, strengths, -np.inf), axis=1)
        return sizes


def _weigh(players: int, games: Mapping[Ranking, int]) -> _Evidence:
    """The evidence of the games, the same to the last bit in whatever order they come."""
    placings = np.zeros(players)
    weights: defaultdict[tuple[int, ...], float] = defaultdict(float)
    for ranking, many in sorted(games.items()):
        for place, group in enumerate(ranking):
            behind = sum(ranking[place + 1 :], ())
            placings[list(group)] += many
            for size in range(1, len(group) + 1):
                remnants = _remnants(group, size)
                for remnant in remnants:
                    weights[tuple(sorted(remnant + behind))] += many / len(remnants)
    pools = np.zeros((len(weights), players), dtype=np.bool_)
    for row, pool in enumerate(weights):
        pools[row, list(pool)] = True
    return _Evidence(placings, pools, np.array(list(weights.values())))


def _remnants(group: tuple[int, ...], size: int) -> list[tuple[int, ...]]:
    """What may be left of a tied group when all but `size` are placed, each equally often over the orders that count.

    Those are all orders. Of a group so large that its subsets are too many, they are the rotations of its ascending
    and of its descending order, in which every two bots stand either way round equally often.
    """
    if len(group) <= ALL_ORDERS or size == len(group):
        return list(combinations(group, size))
    return [(group + group)[start : start + size] for start in range(len(group))]


def _climb(evidence: _Evidence, strengths: Vector, free: Sequence[int]) -> Vector:
    """The likeliest strengths when only those of `free` may change, and not their sum: damped Newton.

    Along a step whose changes differ by up to `reach`, the third derivative is at most `reach` times the second (the
    third moment of a bounded thing against its variance). So the step times log(1 + reach) / reach always leads
    uphill, and to the top (Sun and Tran-Dinh 2019); no likelihoods need be compared, whose difference may drown in
    rounding.
    """
    count = len(free)
    for _ in range(PATIENCE):
        slope, bend = evidence.slope_and_bend(strengths)
        system = np.ones((count + 1, count + 1))  # bordered by ones: the changes add up to 0
        system[:count, :count] = bend[np.ix_(free, free)]
        system[count, count] = 0.0
        step = np.zeros_like(strengths)
        step[free] = np.linalg.solve(system, np.append(slope[free], 0.0))[:count]
        reach = float(np.ptp(step))
        if reach <= NEAR:
            return strengths + step
        strengths = strengths + step * (math.log1p(reach) / reach)
    raise ArithmeticError("The likeliest strengths were not found.")


def _end(evidence: _Evidence, best: Vector, bot: int, side: int) -> float:
    """The end, on the side −1 or 1, of the interval of a bot's log strength above the mean of all.

    It is where the profile likelihood has fallen to the least that counts as likely. That it is concave keeps Newton's
    method, once outside of the interval, outside on its way in.
    """
    others = [other for other in range(len(best)) if other != bot]
    least = evidence.likelihood(best) - Z95**2 / 2
    away = np.full(len(best), -side / len(others))
    away[bot] = side
    strengths, distance, change = best, 0.0, 0.25
    for _ in range(PATIENCE):
        strengths = _climb(evidence, strengths + change * away, others)
        distance += change
        excess = evidence.likelihood(strengths) - least
        if excess > 0 and change > 0:
            change = distance
            continue
        slope = evidence.slope_and_bend(strengths)[0] @ away
        change = excess / -float(slope)
        if change >= -NEAR:
            return float(best[bot] - best.mean()) + side * (distance + change)
    raise ArithmeticError("The end of an interval was not found.")
