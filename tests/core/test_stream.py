"""The random stream: the published generator, stable numbers, interpreted like compiled, and good statistics."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.core import stream
from rookery.core.errors import RookeryError
from rookery.core.stream import Stream
from rookery.engine import compiling

SEEDS = st.integers(0, 2**63 - 1)

GOLDEN = {
    (0, 0): [1435932413, 109154857, 527565245, 2291582823],
    (0, 1): [586037760, 884062190, 2821999585, 2282125906],
    (1, 0): [3010168071, 3880292986, 1079078200, 2085886307],
    (67, 0): [785382206, 1862736734, 1799464110, 1334213762],
    (67, 1000000): [4122606578, 1017434229, 3418889483, 1288680264],
    (2**63 - 1, 2**63 - 1): [3339430034, 2827197965, 1866691536, 3609283093],
}


@pytest.mark.parametrize(("seed", "index"), GOLDEN)
def test_seed_and_index_fix_the_numbers_for_ever(seed: int, index: int) -> None:
    numbers = Stream(seed, index)
    assert [numbers.bits() for _ in range(4)] == GOLDEN[seed, index]


def test_draws_of_every_kind_are_fixed_for_ever() -> None:
    numbers = Stream(7)
    assert [numbers.below(6) for _ in range(10)] == [4, 0, 0, 3, 2, 2, 2, 3, 4, 2]
    assert numbers.uniform() == 0.5042086961053571


@given(st.lists(st.integers(0, 2**32 - 1), min_size=4, max_size=4).filter(any))
def test_it_is_xoshiro128_plus_plus(words: list[int]) -> None:
    """Against the generator as published, with C's 32-bit arithmetic written out."""
    s = list(words)
    for _ in range(20):
        total = (s[0] + s[3]) % 2**32
        expected = ((total << 7 | total >> 25) % 2**32 + s[0]) % 2**32
        shifted = (s[1] << 9) % 2**32
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = (s[3] << 11 | s[3] >> 21) % 2**32
        assert stream.bits(words) == expected
        assert words == s


@given(SEEDS, SEEDS, st.integers(1, 2**31 - 1))
def test_compiled_draws_the_same(seed: int, index: int, n: int) -> None:
    fast = compiling.compiled(stream)
    ours, theirs = Stream(seed, index).words, compiling.array([0] * stream.WORDS)
    fast.seed_stream(theirs, seed, index)
    assert ours == theirs.tolist()
    for _ in range(5):
        assert stream.bits(ours) == fast.bits(theirs)
        assert stream.below(ours, n) == fast.below(theirs, n)
        assert stream.uniform(ours) == fast.uniform(theirs)
    assert ours == theirs.tolist()


@given(SEEDS, st.integers(1, 2**31 - 1))
def test_numbers_stay_in_their_range(seed: int, n: int) -> None:
    numbers = Stream(seed)
    assert 0 <= numbers.bits() < 2**32
    assert 0 <= numbers.below(n) < n
    assert 0 <= numbers.uniform() < 1


def chi_square(counts: list[int]) -> float:
    """How far counts are from equal, in standard deviations of the chi-square distribution."""
    expected = sum(counts) / len(counts)
    free = len(counts) - 1
    square = sum((count - expected) ** 2 for count in counts) / expected
    return (square - free) / math.sqrt(2 * free)


@pytest.mark.parametrize("n", [2, 3, 7, 10, 13, 100, 2**31 - 1])
def test_every_number_is_equally_likely(n: int) -> None:
    numbers, bins = Stream(1), min(n, 64)
    counts = [0] * bins
    for _ in range(60_000):
        counts[numbers.below(n) * bins // n] += 1
    widths = [len(range(-(-k * n // bins), -(-(k + 1) * n // bins))) for k in range(bins)] if n < 10**6 else [1] * bins
    fair = [round(count * sum(widths) / (bins * width)) for count, width in zip(counts, widths, strict=True)]
    assert abs(chi_square(fair)) < 6


def test_a_range_that_does_not_divide_the_words_has_no_bias() -> None:
    """With n near 3/4 of 2^31, multiplication without rejection would favour some numbers by a third."""
    numbers, n, low = Stream(2), 3 * 2**29, 0
    for _ in range(40_000):
        low += numbers.below(n) % 3 == 0
    assert abs(low - 40_000 / 3) < 6 * math.sqrt(40_000 * 2 / 9)


def test_uniform_numbers_have_the_right_mean_and_spread() -> None:
    numbers = Stream(3)
    draws = [numbers.uniform() for _ in range(50_000)]
    mean = sum(draws) / len(draws)
    spread = sum((draw - mean) ** 2 for draw in draws) / len(draws)
    assert abs(mean - 0.5) < 5 * math.sqrt(1 / 12 / len(draws))
    assert abs(spread - 1 / 12) < 0.002


@pytest.mark.parametrize("step", [0, 1, 7])
def test_streams_of_one_experiment_are_independent(step: int) -> None:
    """Over the streams of many games, the draw at any one step is as random as over one stream: bits, pairs, order."""
    draws = []
    for index in range(20_000):
        numbers = Stream(4, index)
        for _ in range(step):
            numbers.bits()
        draws.append(numbers.bits())
    assert len(set(draws)) > len(draws) - 10
    for bit in range(32):
        ones = sum(draw >> bit & 1 for draw in draws)
        assert abs(ones - len(draws) / 2) < 5 * math.sqrt(len(draws) / 4), f"bit {bit}"
    counts = [0] * 256
    for first, second in pairwise(draws):
        counts[(first >> 28) * 16 + (second >> 28)] += 1
    assert abs(chi_square(counts)) < 6


def test_neighbouring_seeds_and_indices_share_nothing() -> None:
    """A change of one bit of seed or index changes half the bits drawn."""
    for base in ((0, 0), (67, 12345)):
        origin = Stream(*base)
        first = [origin.bits() for _ in range(8)]
        for bit in range(63):
            for pair in ((base[0] ^ 1 << bit, base[1]), (base[0], base[1] ^ 1 << bit)):
                other = Stream(*pair)
                changed = sum((a ^ other.bits()).bit_count() for a in first)
                assert 80 < changed < 176, (base, bit)


@pytest.mark.parametrize(("seed", "index"), [(-1, 0), (2**63, 0), (0, -1), (0, 2**63)])
def test_seeds_out_of_range_are_refused(seed: int, index: int) -> None:
    with pytest.raises(RookeryError, match=r"takes a whole number from 0 to 9223372036854775807, not"):
        Stream(seed, index)
