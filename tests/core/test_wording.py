"""A bot's analysis in words."""

from __future__ import annotations

import pytest

import rookery
from rookery.core.bot import WINNING, Analysis, Candidate
from rookery.core.wording import amount, others


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [
        (-1.59, "steps ahead", "1.6 steps behind"),
        (1.0, "steps ahead", "1 step ahead"),
        (-16, "tenths of a step ahead", "16 tenths of a step behind"),
        (19590.4, "points", "19,590 points"),
        (287.9, "points in the end", "288 points in the end"),
        (1.0, "points", "1 point"),
        (-0.01, "points", "0 points"),
        (45.25, "% of random games won", "45.2% of random games won"),
    ],
)
def test_a_value_is_said_as_people_say_it(value: float, unit: str, said: str) -> None:
    assert amount(value, unit) == said


def analysis(value: float, win: float | None = None, forced: int | None = None) -> Analysis:
    candidates = (Candidate(0, "up", 5, 0.7), Candidate(1, "right", 9, 0.5), Candidate(2, "down", 1, 0.6))
    return Analysis(value, ("up",), candidates, 1, win, forced)


def test_a_verdict_says_what_is_certain_and_else_what_is_likely() -> None:
    assert analysis(3, 0.5, 4).verdict("steps ahead") == "wins in 4 moves"
    assert analysis(3, 0.5, -1).verdict("steps ahead") == "loses in 1 move"
    assert analysis(-2, 0.25).verdict("cells ahead") == "25% to win, 2 cells behind"
    assert analysis(900, 0.99).verdict("steps ahead") == "99% to win"
    assert analysis(70, 0.7).verdict(WINNING) == "70% to win"


def test_other_moves_come_best_first() -> None:
    assert others(analysis(5), rookery.game("gotham")) == ["go down 60%", "go right 50%"]
