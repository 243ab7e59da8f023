"""Arguments that programs pass: numbers within bounds, and how an error shows what was passed instead."""

from __future__ import annotations

import math
from operator import index

from rookery.core.errors import OptionError, RecordError, RookeryError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
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


def as_float(given: Any) -> float:
    """A number as a `float`; anything else is nan. NumPy's numbers are accepted."""
    try:
        return math.nan if isinstance(given, str | bytes | bool) else float(given)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def finite(given: Any, name: str) -> float:
    """The argument of that name as a `float`; an `OptionError` for anything but a finite number."""
    number = as_float(given)
    if not math.isfinite(number):
        raise OptionError(f"{name} takes a number, not {shown(given)}.")
    return number


def check_fields(content: Any, fields: Mapping[str, tuple[type, ...]], what: str) -> None:
    """Raise a `RecordError` unless the content is an object with these fields, each of one of its types."""
    if not isinstance(content, dict):
        raise RecordError(f"{what} is an object, not {shown(content)}.")
    if wrong := [name for name in content if name not in fields]:
        raise RecordError(f"{what} has no field {shown(wrong[0])}; it has {', '.join(fields)}.")
    for name, kinds in fields.items():
        if name not in content:
            raise RecordError(f"{what} has a field '{name}', which is not there.")
        if type(content[name]) not in kinds:
            raise RecordError(f"In {what[0].lower()}{what[1:]}, '{name}' cannot be {shown(content[name])}.")


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
