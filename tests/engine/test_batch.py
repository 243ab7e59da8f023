"""How games are cut up for threads; what stepping them does is tested with the environments."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rookery.engine.batch import MIN_PORTION, portions


@given(st.integers(1, 20_000), st.integers(1, 64))
def test_every_game_is_in_one_portion_and_none_is_larger_than_the_one_before(many: int, threads: int) -> None:
    parts = list(portions(many, threads))
    assert [game for first, past in parts for game in range(first, past)] == list(range(many))
    sizes = [past - first for first, past in parts]
    assert sizes == sorted(sizes, reverse=True)
    assert min(sizes[:-1], default=MIN_PORTION) >= MIN_PORTION


def test_one_thread_takes_all_at_once() -> None:
    assert list(portions(4096, 1)) == [(0, 4096)]
