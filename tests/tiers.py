"""The two tiers of the test suite: `make test` leaves out tests marked slow, and `make test-all` runs them too.

A test is marked slow if it protects a study, or repeats another test with other seeds. Some tests are for POSIX systems
only: they use a shell, signals or forks.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

slow = pytest.mark.slow
posix = pytest.mark.skipif(os.name != "posix", reason="uses a shell, signals or forks as on POSIX systems")


def mostly_slow(values: Iterable[Any], usual: int = 1) -> list[Any]:
    """Values of a parameter, or tuples for several: the first `usual` are in the usual tier, the others are marked slow."""
    return [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=() if k < usual else slow)
        for k, value in enumerate(values)
    ]
