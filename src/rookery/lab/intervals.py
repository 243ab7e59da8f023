"""Confidence intervals of shares and means, a test of two shares, and exact distributions of numbers.

Everything is computed from integer counts, so results from many cores are the same in whatever order they arrive.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter, defaultdict
from fractions import Fraction
from statistics import NormalDist
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Number = int | float


def z_of(level: float) -> float:
    """The z value of a two-sided confidence level: the normal distribution has this share within ±z.

    >>> round(z_of(0.99), 4)
    2.5758
    """
    if not 0 < level < 1:
        raise ValueError(f"A confidence level lies between 0 and 1, such as 0.95, unlike {level}.")
    return NormalDist().inv_cdf((1 + level) / 2)


Z95: float = z_of(0.95)


def wilson(successes: float, trials: int, level: float = 0.95) -> tuple[float, float]:
    """The Wilson score interval of a share (Wilson 1927); without trials, 0 to 1.

    Unlike the normal approximation, it is sound near 0 and 1 and for few trials. A draw may count as half a success.

    >>> low, high = wilson(5, 10)
    >>> round(low, 4), round(high, 4)
    (0.2366, 0.7634)
    """
    _check(successes, trials)
    z = z_of(level)
    if trials == 0:
        return 0.0, 1.0
    share, square = successes / trials, z * z / trials
    centre = (share + square / 2) / (1 + square)
    margin = math.sqrt(share * (1 - share) * square + square * square / 4) / (1 + square)
    low = 0.0 if successes == 0 else max(0.0, centre - margin)
    high = 1.0 if successes == trials else min(1.0, centre + margin)
    return low, high


def gap(successes_a: int, trials_a: int, successes_b: int, trials_b: int) -> float:
    """The absolute value of the pooled two-proportion z statistic: how many standard errors two shares are apart.

    For equal true shares it exceeds 1.96 one time in twenty. It is 0 if both shares are 0, both are 1, or one has no
    trials.
    """
    _check(successes_a, trials_a)
    _check(successes_b, trials_b)
    successes, trials = successes_a + successes_b, trials_a + trials_b
    if trials_a == 0 or trials_b == 0 or successes in (0, trials):
        return 0.0
    pooled = successes / trials
    error = math.sqrt(pooled * (1 - pooled) * (1 / trials_a + 1 / trials_b))
    return abs(successes_a / trials_a - successes_b / trials_b) / error


def _check(successes: float, trials: int) -> None:
    if not 0 <= successes <= trials:
        raise ValueError(f"There cannot be {successes} successes in {trials} trials.")


class Counts:
    """An exact distribution of numbers: how often each value occurred.

    Parts can be merged in any order and every statistic of the whole is the same bit for bit: counts are integers,
    integral values are stored as int (1.0 and True are 1), and mean and variance are exact fractions, rounded once at
    the end.

    >>> lengths = Counts([3, 5, 5, 7])
    >>> lengths.mean, lengths.quantile(0.75), lengths.to_json()
    (5.0, 5, [[3, 1], [5, 2], [7, 1]])
    """

    __slots__ = ("_counts",)
    __hash__ = None  # type: ignore[assignment]  # it changes

    def __init__(self, values: Iterable[Number] = ()) -> None:
        self._counts: Counter[Number] = Counter()
        self.update(values)

    def add(self, value: Number, many: int = 1) -> None:
        """Count a value `many` times."""
        if many < 0:
            raise ValueError(f"A value cannot occur {many} times.")
        if many:
            self._counts[_plain(value)] += many

    def update(self, values: Iterable[Number]) -> None:
        """Count each of the values once."""
        for value, many in Counter(values).items():
            self.add(value, many)

    def merge(self, other: Counts) -> None:
        """Add the counts of another distribution."""
        self._counts.update(other._counts)

    def __eq__(self, other: object) -> bool:
        return self._counts == other._counts if isinstance(other, Counts) else NotImplemented

    def __repr__(self) -> str:
        return f"Counts.from_json({self.to_json()})"

    def items(self) -> list[tuple[Number, int]]:
        """Each value with its count, ascending."""
        return sorted(self._counts.items())

    @property
    def total(self) -> int:
        """The number of values."""
        return self._counts.total()

    @property
    def least(self) -> Number | None:
        """The smallest value; None if empty."""
        return min(self._counts, default=None)

    @property
    def most(self) -> Number | None:
        """The largest value; None if empty."""
        return max(self._counts, default=None)

    @property
    def mean(self) -> float | None:
        """The mean; None if empty."""
        return float(self._sum(1) / self.total) if self._counts else None

    @property
    def variance(self) -> float | None:
        """The sample variance (divisor n − 1); None below two values."""
        total = self.total
        if total < 2:
            return None
        return float((self._sum(2) - self._sum(1) ** 2 / total) / (total - 1))

    def interval(self, level: float = 0.95) -> tuple[float, float] | None:
        """The confidence interval of the mean, by the normal approximation; None below two values."""
        mean, variance = self.mean, self.variance
        if mean is None or variance is None:
            return None
        margin = z_of(level) * math.sqrt(variance / self.total)
        return mean - margin, mean + margin

    def quantile(self, p: float) -> Number | None:
        """The smallest value with at least a share p of all values at or below it; None if empty."""
        if not 0 <= p <= 1:
            raise ValueError(f"A quantile takes a share from 0 to 1, not {p}.")
        total, seen = self.total, 0
        for value, many in self.items():
            seen += many
            if seen / total >= p:  # 7 / 100 == 0.07 in floating point, but 100 * 0.07 > 7
                return value
        return None

    def histogram(self, bins: int = 40) -> list[tuple[Number, Number, int]]:
        """At most `bins` bins of equal width, ascending, as (start, end, count); a bin includes its start, not its end.

        Bins start at the least value and leave no gaps, so some may be empty. If all values are integers, so are the
        widths; few values get a bin each.
        """
        if bins < 1:
            raise ValueError(f"A histogram has at least 1 bin, not {bins}.")
        least, most = self.least, self.most
        if least is None or most is None:
            return []
        edges: list[Number]
        if all(isinstance(value, int) for value in self._counts):
            width = math.ceil(Fraction(most - least + 1) / bins)
            edges = [least + width * k for k in range(math.ceil(Fraction(most - least + 1) / width) + 1)]
        else:
            end = math.nextafter(most, math.inf)  # so that the last bin holds the largest value
            inner = {min(least + (most - least) * k / bins, end) for k in range(bins)}
            edges = sorted({least, end} | inner)  # values a few roundings apart make fewer bins
        filled: Counter[int] = Counter()
        for value, many in self._counts.items():
            filled[bisect_right(edges, value) - 1] += many
        return [(edges[k], edges[k + 1], filled[k]) for k in range(len(edges) - 1)]

    def to_json(self) -> list[list[Number]]:
        """Pairs of a value and its count, ascending."""
        return [[value, many] for value, many in self.items()]

    @classmethod
    def from_json(cls, pairs: Iterable[Sequence[Number]]) -> Self:
        """The inverse of `to_json`."""
        counts = cls()
        for value, many in pairs:
            counts.add(value, int(many))
        return counts

    def _sum(self, power: int) -> Fraction:
        """The exact sum of all values to this power.

        Floats have few different denominators, all powers of two: summing the numerators of each first leaves few
        fractions to add.
        """
        sums: defaultdict[int, int] = defaultdict(int)
        for value, many in self._counts.items():
            numerator, denominator = value.as_integer_ratio()
            sums[denominator] += many * numerator**power
        return sum((Fraction(top, bottom**power) for bottom, top in sums.items()), Fraction())


def _plain(value: Number) -> Number:
    """The value as an int if it is integral, else as a float; it may be a NumPy number."""
    if type(value) is int:
        return value
    if not math.isfinite(value):
        raise ValueError(f"Values must be finite numbers, not {value}.")
    whole = int(value)
    return whole if whole == value else float(value)
