"""Gotham Loops for newcomers: the goal, the quick rules, the options in words, and the daily challenges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery.core.game import Challenge
from rookery.core.notation import counted
from rookery.games.gotham import rules

if TYPE_CHECKING:
    from rookery.games.gotham.game import GothamLoops


def quick_rules(game: GothamLoops) -> tuple[str, ...]:
    words = game.start().words
    beside, corner = (round(100 * (1 - rules.risk(words, cell))) for cell in (rules.home(words) + 1, 0))
    odds = f"A cell beside home lets you in {beside} times out of 100, a corner {corner} times."
    if game.rules == "table":
        back = "Walking back over this round's own cells is safe."
        risk = f"But every new cell may be the one where you are caught. {odds} {back}"
    else:
        risk = f"But each time you enter a cell you may be caught, also on the way back. {odds}"
    failed = " A cell where you were caught counts as visited." if game.rules == "app" else ""
    return (
        "You live in the middle of the city. Seven times you set out from home, walk from cell to cell, up, down, left "
        "or right, and come home again.",
        "Every cell you enter for the first time in a round brings points: one for each step it lies away from home. "
        "They are yours only once you are back home.",
        f"{risk} If you are caught, the round is over and brings nothing.",
        "The city learns to know you: cells you visited in earlier rounds, and the cells beside them, are safer. In "
        f"return, each such visit takes a point off the cell itself.{failed}",
        "After seven rounds the game is over. How far do you dare to go, and when do you turn back?",
    )


def goal(game: GothamLoops, player: int = 0) -> str:
    return f"Bring home as many points as you can in {rules.ROUNDS} rounds, and do not get caught."


def options_text(game: GothamLoops) -> str:
    coins = counted(game.config[1], "coin")
    city = f"{game.side}×{game.side}, {coins}"
    named = city if game.size or game.coins else f"{game.level}, {city}"
    return f"{named}, {game.rules} rules"


CHALLENGES = (
    Challenge({"level": "deuce"}),
    Challenge({"level": "trey"}),
    Challenge({"level": "quad"}),
    Challenge({"level": "deuce", "rules": "online"}),
    Challenge({"level": "trey", "rules": "online"}),
    Challenge({"level": "deuce", "coins": 1}),
    Challenge({"level": "deuce", "coins": 3}),
    Challenge({"level": "trey", "coins": 2}),
    Challenge({"size": 9, "coins": 2}),
    Challenge({"size": 9, "coins": 1, "rules": "online"}),
)
