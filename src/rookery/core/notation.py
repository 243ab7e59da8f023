"""How cells and whole numbers are written in actions and positions, the same in every game."""

from __future__ import annotations

from rookery.core.scene import Spot


def number(text: str) -> int:
    """A whole number from 0 in plain digits; anything else is a ValueError."""
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise ValueError(text)
    return int(text)


def counted(count: int, noun: str) -> str:
    """A number with its noun: 1 cell, 2 cells."""
    return f"{count} {noun}" + ("" if count == 1 else "s")


def write_spot(spot: Spot) -> str:
    """A cell as `row,column`."""
    return f"{spot[0]},{spot[1]}"


def read_spot(text: str, rows: int, cols: int) -> Spot:
    """The cell written as `row,column`; a ValueError if it is none of the board."""
    row, col = (number(part.strip()) for part in text.split(","))
    if row >= rows or col >= cols:
        raise ValueError(text)
    return row, col
