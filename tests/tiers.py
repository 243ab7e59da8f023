"""The tiers of the suite: what is marked slow is left out of `make test` and run by `make test-all`.

A test is slow that guards a study or repeats, with other seeds, what a test of the usual tier does once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable

slow = pytest.mark.slow


def mostly_slow(values: Iterable[Any], usual: int = 1) -> list[Any]:
    """Values of a parameter, of which the first few belong to the usual tier and the others are slow."""
    return [value if k < usual else pytest.param(value, marks=slow) for k, value in enumerate(values)]
