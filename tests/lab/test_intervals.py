"""Error bars: Wilson's interval, how far two shares are apart, and exact distributions."""

from __future__ import annotations

import json
import math
import random
import statistics
from itertools import pairwise
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rookery.lab.intervals import Z95, Counts, Number, gap, wilson, z_of

numbers = st.one_of(st.integers(-1000, 1000), st.floats(-1e6, 1e6), st.integers(-20, 20).map(lambda k: k / 4))
samples = st.lists(numbers, max_size=60)


def test_the_middle_95_percent_of_a_normal_distribution() -> None:
    assert pytest.approx(1.959964, abs=1e-6) == Z95 == z_of(0.95)
    assert z_of(0.5) == pytest.approx(0.674490, abs=1e-6)


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, math.nan])
def test_a_level_is_a_share(level: float) -> None:
    with pytest.raises(ValueError, match="A confidence level lies between 0 and 1"):
        z_of(level)


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        (0, 10, 0, 0.2775),
        (10, 10, 0.7225, 1),
        (5, 10, 0.2366, 0.7634),
        (81, 263, 0.2553, 0.3662),  # Newcombe 1998, Statistics in Medicine 17, table I, method 3: as the next three
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=5.1e-5)


def test_wilson_holds_the_shares_from_which_the_one_seen_is_not_too_far() -> None:
    """The definition: both ends are z standard errors, their own, away from what was seen."""
    seen, trials = 125 / 10_000, 10_000
    low, high = wilson(125, trials)
    assert low < seen < high
    for end in (low, high):
        assert abs(end - seen) / math.sqrt(end * (1 - end) / trials) == pytest.approx(Z95)


@given(st.integers(0, 10**9), st.integers(0, 10**9), st.floats(0.01, 0.9999))
def test_wilson_stays_within_0_and_1_and_holds_what_was_seen(successes: int, failures: int, level: float) -> None:
    trials = successes + failures
    low, high = wilson(successes, trials, level)
    assert 0 <= low <= high <= 1
    assert (low == 0) == (successes == 0)
    assert (high == 1) == (failures == 0)
    assert trials == 0 or low <= successes / trials <= high


def test_nothing_is_known_without_trials() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


@pytest.mark.parametrize(("successes", "trials"), [(-1, 10), (11, 10), (1, 0)])
def test_there_are_no_more_successes_than_trials(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match=f"There cannot be {successes} successes in {trials} trials"):
        wilson(successes, trials)
    with pytest.raises(ValueError, match="There cannot be"):
        gap(1, 2, successes, trials)


@pytest.mark.parametrize("share", [0.03, 0.3, 0.5])
def test_wilson_holds_the_true_share_about_95_times_in_100(share: float) -> None:
    chance = random.Random(1)
    held = 0
    for _ in range(2000):
        low, high = wilson(sum(chance.random() < share for _ in range(80)), 80)
        held += low <= share <= high
    assert 0.92 < held / 2000 < 0.98


def test_shares_are_apart_by_standard_errors() -> None:
    """45 of 100 against 60 of 100: 0.15, and an error of √(0.525 · 0.475 / 50)."""
    assert gap(45, 100, 60, 100) == gap(60, 100, 45, 100) == pytest.approx(0.15 / math.sqrt(0.525 * 0.475 / 50))
    assert gap(450, 1000, 60, 100) < gap(450, 1000, 600, 1000)
    assert gap(3, 9, 1, 3) == 0


@pytest.mark.parametrize("shares", [(0, 5, 0, 900), (5, 5, 900, 900), (3, 5, 0, 0), (0, 0, 3, 5)])
def test_shares_are_not_apart_if_all_is_alike_or_nothing_known(shares: tuple[int, int, int, int]) -> None:
    assert gap(*shares) == 0.0


def test_equal_shares_are_1_96_apart_one_time_in_twenty() -> None:
    chance = random.Random(2)
    counts = [
        (sum(chance.random() < 0.4 for _ in range(100)), sum(chance.random() < 0.4 for _ in range(60)))
        for _ in range(2000)
    ]
    far = sum(gap(a, 100, b, 60) > Z95 for a, b in counts)
    assert 0.03 < far / 2000 < 0.07


def everything(counts: Counts) -> str:
    """All there is to know of a distribution, to the last bit."""
    known = (
        counts.total, counts.mean, counts.variance, counts.interval(), counts.least, counts.most,
        [counts.quantile(k / 10) for k in range(11)], counts.histogram(7), counts.to_json(),
    )  # fmt: skip
    return repr(known)


@given(samples, st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_parts_merged_in_any_order_make_the_same_whole(values: list[Number], chance: random.Random) -> None:
    whole, merged = Counts(values), Counts()
    shuffled = chance.sample(values, len(values))
    cuts = sorted(chance.choices(range(len(values) + 1), k=3))
    parts = [Counts(shuffled[low:high]) for low, high in zip([0, *cuts], [*cuts, len(values)], strict=True)]
    for part in parts:
        merged.merge(part)
    assert merged == whole
    assert everything(merged) == everything(whole)


def test_a_whole_number_is_one_however_it_came() -> None:
    first, second = Counts([1, 1.0, -0.0, True]), Counts([True, 0, 1.0, 1])
    assert everything(first) == everything(second)
    assert json.dumps(first.to_json()) == "[[0, 1], [1, 3]]"


@given(st.lists(numbers, min_size=2, max_size=60))
def test_mean_and_variance_are_those_of_the_values(values: list[Number]) -> None:
    counts = Counts(values)
    assert counts.mean == pytest.approx(statistics.fmean(values), rel=1e-12, abs=1e-9)
    assert counts.mean == float(statistics.mean(map(float, values)))
    assert counts.variance == pytest.approx(statistics.variance(values), rel=1e-12)


def test_a_small_spread_far_from_0_is_not_lost_in_rounding() -> None:
    counts = Counts(10**9 + k / 8 for k in range(3))
    assert counts.mean == 10**9 + 1 / 8
    assert counts.variance == 1 / 64


def test_the_interval_of_the_mean_is_z_standard_errors_wide() -> None:
    counts = Counts([2, 4, 4, 4, 5, 5, 7, 9])
    error = math.sqrt(32 / 7 / 8)
    assert counts.interval() == pytest.approx((5 - Z95 * error, 5 + Z95 * error))
    assert counts.interval(0.5) == pytest.approx((5 - 0.674490 * error, 5 + 0.674490 * error), abs=1e-5)


def test_the_interval_holds_the_true_mean_about_95_times_in_100() -> None:
    chance = random.Random(3)
    held = 0
    for _ in range(1000):
        ends = Counts(chance.randint(1, 6) for _ in range(100)).interval()
        assert ends is not None
        held += ends[0] <= 3.5 <= ends[1]
    assert 0.92 < held / 1000 < 0.98


def test_few_values_say_little() -> None:
    nothing, one = Counts(), Counts([4])
    assert (nothing.total, nothing.mean, nothing.variance, nothing.interval()) == (0, None, None, None)
    assert (nothing.least, nothing.most, nothing.quantile(0.5), nothing.histogram()) == (None, None, None, [])
    assert (one.total, one.mean, one.variance, one.interval()) == (1, 4.0, None, None)
    assert (one.least, one.most, one.quantile(0.5), one.histogram()) == (4, 4, 4, [(4, 5, 1)])


@given(st.lists(numbers, min_size=1, max_size=60), st.floats(0, 1))
@settings(max_examples=50)
def test_a_quantile_is_the_first_value_with_the_share_at_or_below_it(values: list[Number], p: float) -> None:
    ordered = sorted(values)
    expected = next(value for value in ordered if sum(other <= value for other in values) / len(values) >= p)
    assert Counts(values).quantile(p) == expected


def test_quantiles_of_one_to_a_hundred_are_the_percents() -> None:
    counts = Counts(range(1, 101))
    assert [counts.quantile(k / 100) for k in range(1, 101)] == list(range(1, 101))
    assert counts.quantile(0) == 1


@given(st.lists(numbers, min_size=1, max_size=60), st.integers(1, 50))
def test_a_histogram_holds_every_value_in_its_bin(values: list[Number], bins: int) -> None:
    histogram = Counts(values).histogram(bins)
    assert 1 <= len(histogram) <= bins
    assert histogram[0][0] == min(values)
    assert histogram[-1][1] > max(values)
    assert all(before[1] == after[0] for before, after in pairwise(histogram))
    assert all(low < high for low, high, _ in histogram)
    assert [count for _, _, count in histogram] == [
        sum(low <= value < high for value in values) for low, high, _ in histogram
    ]


@given(st.lists(st.integers(-500, 500), min_size=1), st.integers(1, 50))
def test_bins_of_whole_numbers_are_equally_wide_whole_and_no_wider_than_need_be(values: list[int], bins: int) -> None:
    histogram = Counts(values).histogram(bins)
    widths = {high - low for low, high, _ in histogram}
    assert len(widths) == 1
    width = widths.pop()
    assert isinstance(width, int)
    assert width == 1 or (width - 1) * bins < max(values) - min(values) + 1


def test_few_whole_numbers_have_a_bin_each() -> None:
    assert Counts([3, 5, 5, 6.0]).histogram(4) == [(3, 4, 1), (4, 5, 0), (5, 6, 2), (6, 7, 1)]
    assert Counts([3, 5, 5, 6]).histogram(3) == [(3, 5, 1), (5, 7, 3)]


def test_bins_of_other_numbers_are_equally_wide() -> None:
    histogram = Counts([0, 0.25, 0.5, 2]).histogram(4)
    assert [(low, count) for low, _, count in histogram] == [(0, 2), (0.5, 1), (1, 0), (1.5, 1)]
    assert histogram[-1][1] == pytest.approx(2)


@given(samples)
@settings(max_examples=50)
def test_counts_go_through_json(values: list[Number]) -> None:
    counts = Counts(values)
    written = json.dumps(counts.to_json())
    read = Counts.from_json(json.loads(written))
    assert everything(read) == everything(counts)
    assert counts.to_json() == sorted(counts.to_json())


def test_a_value_can_be_counted_many_times_at_once() -> None:
    counts = Counts()
    counts.add(2, 3)
    counts.add(7, 0)
    assert counts == Counts([2, 2, 2])
    assert counts.items() == [(2, 3)]
    with pytest.raises(ValueError, match="A value cannot occur -1 times"):
        counts.add(2, -1)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_only_finite_numbers_can_be_counted(value: float) -> None:
    with pytest.raises(ValueError, match="Values must be finite numbers"):
        Counts([1, value])


def test_questions_that_make_no_sense_get_a_sentence() -> None:
    with pytest.raises(ValueError, match=r"a share from 0 to 1, not 1\.5"):
        Counts([1]).quantile(1.5)
    with pytest.raises(ValueError, match="at least 1 bin, not 0"):
        Counts([1]).histogram(0)


def test_a_million_values_are_counted_in_a_moment() -> None:
    values = [k * k % 1009 for k in range(10**6)]
    began = perf_counter()
    assert Counts(values).total == 10**6
    assert perf_counter() - began < 2
