"""Arguments that programs pass: whole numbers within bounds, and how an error shows what was passed instead."""

from __future__ import annotations

from operator import index

from rookery.core.errors import OptionError, RookeryError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LONGEST = 60
"""Characters of a value that an error shows."""


def whole(given: Any, name: str, low: int, high: int, error: type[RookeryError] = OptionError) -> int:
    """The argument of that name as a plain `int`; NumPy's integers are accepted. Anything else, or a number out of
    bounds, raises `error` with a sentence.
    """
    try:
        number = low - 1 if isinstance(given, bool) else index(given)
    except TypeError:
        number = low - 1
    if not low <= number <= high:
        raise error(f"{name} takes a whole number from {low} to {high}, not {shown(given)}.")
    return number


def quoted(text: str) -> str:
    """A text as an error shows it: short, in one line, in quotes."""
    line = f"'{' '.join(text.split())}'"
    return line if len(line) <= LONGEST else line[: LONGEST - 3] + "…"


def shown(given: object) -> str:
    """A value as an error shows it: short, in one line. Never raises an error itself."""
    try:
        text = " ".join(repr(given).split())
    except Exception:  # Python refuses to print very long integers, and a class's repr may fail
        text = "a number of thousands of digits" if isinstance(given, int) else f"a {type(given).__name__}"
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "…"
