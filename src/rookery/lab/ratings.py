"""Maximum-likelihood ratings of bots on the Elo scale, with 95% intervals.

The model is Plackett–Luce (Luce 1959, Plackett 1975): a player takes the first place with a probability proportional to
its strength, the second likewise among the rest, and so on. For two players it is the Bradley–Terry model (1952), on
which Elo ratings are based. The log-likelihood of a tie is the mean over the orders of the tied players, so a draw is
half a win and half a loss. Ratings are relative: their mean is 0.

No library does this: choix fits the model without ties and intervals; openskill and trueskill update beliefs game by
game, so their ratings depend on the order of the games.
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
"""Elo points per unit of log strength."""
ALL_ORDERS = 8
"""The largest tied group for which all orders are averaged; for larger ones see `_remnants`."""
TOLERANCE = 1e-5
"""The size of the last Newton step, in log strength; the error is about its square, far below 0.001 Elo."""
MAX_STEPS = 1000
"""A limit of Newton steps that no fit reaches."""


@dataclass(frozen=True)
class Rating:
    """A bot's rating with its 95% interval."""

    elo: float
    low: float | None
    """None, as is `high`, if no two bots have met."""
    high: float | None
    bounded: bool
    """Whether the games bound the ratings of all bots; if not, one draw per pair is added."""


def rate(players: int, rankings: Mapping[Ranking, int]) -> list[Rating]:
    """The ratings of bots 0 to players − 1, from the counts of each ranking.

    If some bots never lost to or drew with the rest, or never met them, the maximum-likelihood ratings are infinite
    (Ford 1957, Hunter 2004). Then one draw is added for each pair of bots, and the ratings are marked as not bounded.

    Intervals are profile likelihood intervals: all values of a rating that a likelihood-ratio test does not reject when
    the other ratings are fitted to it.

    >>> [round(rating.elo) for rating in rate(2, {((0,), (1,)): 30, ((1,), (0,)): 10, ((0, 1),): 20})]
    [60, -60]
    """
    games = _normalise(players, rankings)
    if not any(len(bots) > 1 for bots in (sum(ranking, ()) for ranking in games)):
        return [Rating(0.0, None, None, bounded=False)] * players
    bounded = _connected(players, games)
    if not bounded:
        games.update({(pair,): 1 for pair in combinations(range(players), 2)})
    evidence = _collect(players, games)
    best = _maximise(evidence, np.zeros(players), range(players))
    ends = [[_interval_end(evidence, best, bot, side) for side in (-1, 1)] for bot in range(players)]
    return [
        Rating(float(middle) * ELO, low * ELO, high * ELO, bounded)
        for middle, (low, high) in zip(best - best.mean(), ends, strict=True)
    ]


def _normalise(players: int, rankings: Mapping[Ranking, int]) -> Counter[Ranking]:
    """The rankings, validated, with each tied group ascending."""
    games: Counter[Ranking] = Counter()
    for ranking, many in rankings.items():
        bots = sum(ranking, ())
        if len(set(bots)) < len(bots):
            raise ValueError(f"A bot has only one place in a ranking, unlike in {ranking}.")
        if not set(bots) <= set(range(players)):
            raise ValueError(f"Bots have numbers from 0 to {players - 1}, unlike in {ranking}.")
        if many < 0:
            raise ValueError(f"A ranking cannot occur {many} times, as {ranking} does.")
        if many:
            games[tuple(tuple(sorted(group)) for group in ranking)] += many
    return games


def _connected(players: int, games: Mapping[Ranking, int]) -> bool:
    """Whether the graph with an edge from each bot to those that beat it or drew with it is strongly connected
    (Ford's condition), by Warshall's algorithm.
    """
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
    """The sufficient statistics of the log strengths t: how often each bot was placed, and from which pools of bots.

    The log-likelihood is the sum of t over all placings, less that of log(sum of exp(t) over the pool) over all
    pools. It is concave, and invariant under adding a constant to all strengths.
    """

    placings: Vector
    pools: NDArray[np.bool_]
    """A row for each pool, a column for each bot."""
    weights: Vector
    """How often bots were placed from each pool; ties count in fractions."""

    def likelihood(self, strengths: Vector) -> float:
        """The log-likelihood of the strengths."""
        return float(self.placings @ strengths - self.weights @ self._sizes(strengths))

    def gradient_and_information(self, strengths: Vector) -> tuple[Vector, Vector]:
        """The gradient of the log-likelihood, and its negative Hessian (the observed information)."""
        chances = np.exp(np.where(self.pools, strengths - self._sizes(strengths)[:, None], -np.inf))
        expected = self.weights @ chances
        return self.placings - expected, np.diag(expected) - (chances.T * self.weights) @ chances

    def _sizes(self, strengths: Vector) -> Vector:
        """The log of the total strength of each pool."""
        sizes: Vector = np.logaddexp.reduce(np.where(self.pools, strengths, -np.inf), axis=1)
        return sizes


def _collect(players: int, games: Mapping[Ranking, int]) -> _Evidence:
    """The evidence of the games, bit for bit independent of their order."""
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
    """The sets of `size` bots that are left of a tied group, each equally likely, over the orders that are averaged.

    These are all orders. A large group has too many subsets: there, they are the rotations of its ascending and its
    descending order, in which each of two bots is ahead of the other equally often.
    """
    if len(group) <= ALL_ORDERS or size == len(group):
        return list(combinations(group, size))
    return [(group + group)[start : start + size] for start in range(len(group))]


def _maximise(evidence: _Evidence, strengths: Vector, free: Sequence[int]) -> Vector:
    """The maximum-likelihood strengths if only those of `free` may change, and not their sum: damped Newton.

    Along a step whose components differ by up to `reach`, the third derivative is at most `reach` times the second (the
    third central moment of a bounded variable against its variance): the function is generalised self-concordant. So
    the step times log(1 + reach) / reach always ascends and converges (Sun & Tran-Dinh 2019), without comparing
    likelihoods, whose difference may be lost in rounding.
    """
    count = len(free)
    for _ in range(MAX_STEPS):
        gradient, information = evidence.gradient_and_information(strengths)
        system = np.ones((count + 1, count + 1))  # bordered by ones: the changes add up to 0
        system[:count, :count] = information[np.ix_(free, free)]
        system[count, count] = 0.0
        step = np.zeros_like(strengths)
        step[free] = np.linalg.solve(system, np.append(gradient[free], 0.0))[:count]
        reach = float(np.ptp(step))
        if reach <= TOLERANCE:
            return strengths + step
        strengths = strengths + step * (math.log1p(reach) / reach)
    raise ArithmeticError("The maximum-likelihood ratings were not found.")


def _interval_end(evidence: _Evidence, best: Vector, bot: int, side: int) -> float:
    """The end on one side (−1 or 1) of the profile likelihood interval of a bot's log strength, relative to the mean.

    It is where the profile log-likelihood is z² / 2 below its maximum. The profile is concave: from a point outside the
    interval, Newton's method converges to the end monotonically.
    """
    others = [other for other in range(len(best)) if other != bot]
    least = evidence.likelihood(best) - Z95**2 / 2
    away = np.full(len(best), -side / len(others))
    away[bot] = side
    strengths, distance, change = best, 0.0, 0.25
    for _ in range(MAX_STEPS):
        strengths = _maximise(evidence, strengths + change * away, others)
        distance += change
        excess = evidence.likelihood(strengths) - least
        if excess > 0 and change > 0:
            change = distance
            continue
        slope = evidence.gradient_and_information(strengths)[0] @ away
        change = excess / -float(slope)
        if change >= -TOLERANCE:
            return float(best[bot] - best.mean()) + side * (distance + change)
    raise ArithmeticError("The end of an interval was not found.")
