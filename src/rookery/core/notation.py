"""How games write cells and numbers: in actions and positions, and in words."""

from __future__ import annotations

from rookery.core.scene import Spot


def number(text: str) -> int:
    """A whole number from 0 in plain digits; anything else is a ValueError."""
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise ValueError(text)
    return int(text)


def counted(count: float, noun: str) -> str:
    """A number with its noun: 1 cell, 2 cells, 2 entries, 3 days."""
    if count == 1:
        return f"1 {noun}"
    return f"{count} {noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeou" else f"{count} {noun}s"


def plain(score: float) -> float:
    """A score as an integer where it is one: 3 for 3.0, but 0.5."""
    return int(score) if score == int(score) else score


def write_spot(spot: Spot) -> str:
    """A cell as `row,column`."""
    return f"{spot[0]},{spot[1]}"


def letters(col: int) -> str:
    """The letters of a column from the left: a, b, … z, aa, ab, …"""
    before, last = divmod(col, 26)
    return (letters(before - 1) if before else "") + chr(ord("a") + last)


def square(spot: Spot, rows: int) -> str:
    """A cell in words, by the letters of its column and the number of its row from the bottom: d4."""
    return f"{letters(spot[1])}{rows - spot[0]}"


def numbers(count: int) -> tuple[str, ...]:
    """The numbers from 0 below a count, as text."""
    return tuple(map(str, range(count)))


def edge_names(rows: int, cols: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What stands beside the rows and columns of a board whose cells are called as by `square`."""
    return tuple(str(rows - row) for row in range(rows)), tuple(map(letters, range(cols)))


def read_spot(text: str, rows: int, cols: int) -> Spot:
    """The cell written as `row,column`; a ValueError if it is not on the board."""
    row, col = (number(part.strip()) for part in text.split(","))
    if row >= rows or col >= cols:
        raise ValueError(text)
    return row, col
