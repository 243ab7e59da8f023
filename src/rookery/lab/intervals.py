"""Error bars: the interval a share lies in, how far two shares are apart, and numbers counted exactly.

Nothing here plays or draws; everything is computed from whole counts, so results gathered on many cores come out the
same in whatever order they arrive.
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
    """How many standard deviations to either side of its mean hold this share of a normal distribution.

    >>> round(z_of(0.99), 4)
    2.5758
    """
    if not 0 < level < 1:
        raise ValueError(f"A level lies between 0 and 1, such as 0.95; this is {level}.")
    return NormalDist().inv_cdf((1 + level) / 2)


Z95: float = z_of(0.95)


def wilson(successes: float, trials: int, level: float = 0.95) -> tuple[float, float]:
    """The interval a share lies in, by Wilson's score (1927); without trials it may be anything from 0 to 1.

    Unlike the share ± its standard error, it holds near 0 and 1 and for few trials. Half a success, as a draw, is fine.

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
    reach = math.sqrt(share * (1 - share) * square + square * square / 4) / (1 + square)
    low = 0.0 if successes == 0 else max(0.0, centre - reach)
    high = 1.0 if successes == trials else min(1.0, centre + reach)
    return low, high


def gap(successes_a: int, trials_a: int, successes_b: int, trials_b: int) -> float:
    """How many standard errors two shares are apart, never below 0: the pooled two-proportion z statistic.

    Two shares of the same thing are more than 1.96 apart one time in twenty. Shares that are both 0 or both 1 are 0
    apart, and so is any share from one of no trials, which contradicts nothing.
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
    """The exact distribution of some numbers: how often each was seen.

    Parts may be merged in any order and grouping, and everything asked of the whole is the same bit for bit: counts
    are whole, a whole number is kept as one however it came (1.0 and True are 1), and the mean and the variance are
    exact fractions, rounded once at the end.

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
        """Count a value once, or so many times."""
        if many < 0:
            raise ValueError(f"Nothing can be seen {many} times.")
        if many:
            self._counts[_plain(value)] += many

    def update(self, values: Iterable[Number]) -> None:
        """Count each of the values once."""
        for value, many in Counter(values).items():
            self.add(value, many)

    def merge(self, other: Counts) -> None:
        """Count all that the other has counted."""
        self._counts.update(other._counts)

    def __eq__(self, other: object) -> bool:
        return self._counts == other._counts if isinstance(other, Counts) else NotImplemented

    def __repr__(self) -> str:
        return f"Counts.from_json({self.to_json()})"

    def items(self) -> list[tuple[Number, int]]:
        """Each value and how often it was seen, ascending."""
        return sorted(self._counts.items())

    @property
    def total(self) -> int:
        """How many values were counted."""
        return self._counts.total()

    @property
    def least(self) -> Number | None:
        """The smallest value; None if there is none."""
        return min(self._counts, default=None)

    @property
    def most(self) -> Number | None:
        """The largest value; None if there is none."""
        return max(self._counts, default=None)

    @property
    def mean(self) -> float | None:
        """The mean; None if nothing was counted."""
        return float(self._sum(1) / self.total) if self._counts else None

    @property
    def variance(self) -> float | None:
        """The sample variance, which divides by one less than the total; None below two values."""
        total = self.total
        if total < 2:
            return None
        return float((self._sum(2) - self._sum(1) ** 2 / total) / (total - 1))

    def interval(self, level: float = 0.95) -> tuple[float, float] | None:
        """The interval the true mean lies in, by the normal approximation; None below two values."""
        mean, variance = self.mean, self.variance
        if mean is None or variance is None:
            return None
        reach = z_of(level) * math.sqrt(variance / self.total)
        return mean - reach, mean + reach

    def quantile(self, p: float) -> Number | None:
        """The smallest value with at least the share p of all at or below it; None if nothing was counted."""
        if not 0 <= p <= 1:
            raise ValueError(f"A quantile is asked for a share from 0 to 1, not {p}.")
        total, seen = self.total, 0
        for value, many in self.items():
            seen += many
            if seen / total >= p:  # a division rounds 7 of 100 to the same number as 0.07 is; 100 * 0.07 is above 7
                return value
        return None

    def histogram(self, bins: int = 40) -> list[tuple[Number, Number, int]]:
        """At most so many bins of equal width, ascending: from where, up to but not including where, and how many.

        They start at the least value and leave no gaps, so some may be empty. If all values are whole, so are the
        widths: a bin for each number where that suffices.
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
        """What `to_json` gave."""
        counts = cls()
        for value, many in pairs:
            counts.add(value, int(many))
        return counts

    def _sum(self, power: int) -> Fraction:
        """The exact sum of all values to this power.

        A float is a whole number over a power of two, of which there are few: adding up the numerators of each
        denominator by themselves leaves few fractions to add.
        """
        sums: defaultdict[int, int] = defaultdict(int)
        for value, many in self._counts.items():
            numerator, denominator = value.as_integer_ratio()
            sums[denominator] += many * numerator**power
        return sum((Fraction(top, bottom**power) for bottom, top in sums.items()), Fraction())


def _plain(value: Number) -> Number:
    """The value as an int if it is whole and as a float if not, from whatever kind of number (NumPy's, say)."""
    if type(value) is int:
        return value
    if not math.isfinite(value):
        raise ValueError(f"Only finite numbers can be counted, not {value}.")
    whole = int(value)
    return whole if whole == value else float(value)
