"""Quick rules, options in words and moving examples: they are true of the game with its options."""

from __future__ import annotations

from typing import Any

import pytest

import rookery
from rookery.games.gotham import rules


def told(name: str, **options: Any) -> str:
    return " ".join(rookery.game(name, **options).quick_rules())


def test_gotham_says_what_is_checked_and_how_likely_it_passes() -> None:
    assert "Walking back over this round's own cells is safe" in told("gotham")
    for rule_set in ("online", "app"):
        text = told("gotham", rules=rule_set)
        assert "also on the way back" in text
        assert "safe." not in text.replace("are safer.", "")
    assert "a cell where you were caught counts as visited" in told("gotham", rules="app").lower()
    assert "counts as visited" not in told("gotham", rules="online")
    for options in ({}, {"level": "quad"}, {"coins": 1, "size": 9}, {"level": "quad", "rules": "app"}):
        words = rookery.game("gotham", **options).start().words
        corner = round(100 * (1 - rules.risk(words, 0)))
        assert f"a corner {corner} times" in told("gotham", **options)


def test_sixseven_says_what_joins_and_what_appears() -> None:
    for variant in ("original", "modified"):
        assert "Two operators side by side do not join" in told("sixseven", variant=variant)
    assert "merge two by two: + + becomes +" in told("sixseven", variant="pairs")
    assert "merge into one: − − − becomes −" in told("sixseven", variant="final", operators="-")
    for variant in ("pairs", "final"):
        assert "operators side by side do not join" not in told("sixseven", variant=variant)
    assert "with no gap" in told("sixseven", variant="original")
    assert "1 new tile appears" in told("sixseven", tiles=1)
    assert "3 new tiles appear" in told("sixseven", tiles=3)
    assert "an operator 67 times out of 100" in told("sixseven", rate=0.67)
    assert "never an operator, so no 67 can be made" in told("sixseven", rate=0)
    text = told("sixseven", operators="+")
    assert "the operator +." in text and "5, +, 8 turns into 13" in text
    assert "×" not in text and "−" not in text


@pytest.mark.parametrize(
    ("variant", "gap", "equal"),
    [
        ("original", "6 + _ 4 becomes 6 + 4", "+ + + 9 stays"),
        ("modified", "6 + _ 4 becomes 10", "+ + + 9 stays"),
        ("pairs", "6 + _ 4 becomes 10", "+ + + 9 becomes + + 9"),
        ("final", "6 + _ 4 becomes 10", "+ + + 9 becomes + 9"),
    ],
)
def test_each_variant_of_sixseven_has_a_moving_example(variant: str, gap: str, equal: str) -> None:
    (example,) = rookery.game("sixseven", variant=variant).examples()
    for text in (f"variant {variant}", "5 × 8 becomes 40", gap, equal, "1 × 2 × 3 becomes 2 × 3"):
        assert text in example.caption.replace("\u00a0", " ")
    before, after = example.scenes
    assert [cell.text for cell in before.cells[:5]] == ["5", "×", "8", "", ""]
    assert [cell.text for cell in after.cells[:5]] == ["40", "", "", "", ""]
    assert after.motions


def test_gamma_says_how_many_areas_and_who_plays() -> None:
    assert "you may have 4 areas at most. With 4," in told("gamma")
    assert "you may have only one: after your first cell" in told("gamma", areas=1)
    assert "neither of you with more than 1 area." in told("gamma", areas=1)
    assert "skipped in a row" not in told("gamma", pass_out=False)
    solo = told("gamma", players=1)
    assert "golden" not in solo and "wins" not in solo


def test_gaterun_says_how_many_walls_and_what_is_allowed_once() -> None:
    assert "You have 8 walls" in told("gaterun")
    assert "You have 5 walls" in told("gaterun", walls=5)
    assert "Player 1 has 6 walls, player 2 has 8" in told("gaterun", walls=6, walls2=8)
    assert "Player 1 has none, player 2 has 3" in told("gaterun", walls=0, walls2=3)
    assert "wall" not in told("gaterun", walls=0)
    assert "jump" not in told("gaterun") and "Once in the game" not in told("gaterun")
    assert "Once in the game you may jump over the other pawn" in told("gaterun", jump=True)
    assert "Once in the game you may turn a wall" in told("gaterun", rotate=True)
    assert "stay where they are unless turned" in told("gaterun", rotate=True)


@pytest.mark.parametrize(
    ("name", "options", "text"),
    [
        ("gotham", {}, "deuce, 13×13, 2 coins, table rules"),
        ("gotham", {"level": "deuce", "coins": 3, "rules": "online"}, "13×13, 3 coins, online rules"),
        ("gotham", {"size": 9, "coins": 1, "rules": "app"}, "9×9, 1 coin, app rules"),
        ("gamma", {}, "10×10, 4 areas"),
        ("gamma", {"players": 3, "areas": 1, "pass_out": False}, "10×10, 3 players, 1 area, no end by passing"),
        ("sixseven", {}, "6×7, modified"),
        (
            "sixseven",
            {"rows": 5, "variant": "final", "operators": "+*", "rate": 0.67, "tiles": 1},
            "5×7, final, only +×, 67 % operators, 1 new tile a turn",
        ),
        ("gaterun", {}, "7×7, 8 walls"),
        (
            "gaterun",
            {"size": 5, "walls": 6, "walls2": 8, "jump": True, "rotate": True},
            "5×5, 6 against 8 walls, jumps, turned walls",
        ),
    ],
)
def test_options_in_words(name: str, options: dict[str, Any], text: str) -> None:
    assert rookery.game(name, **options).options_text() == text
