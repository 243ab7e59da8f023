"""The quick rules of Gotham Loops, and the options that a daily challenge may have."""

from __future__ import annotations

from rookery.core.game import Challenge

QUICK_RULES = (
    "You live in the middle of the city. Seven times you set out from home, walk from cell to cell, up, down, left "
    "or right, and come home again.",
    "Every cell you enter for the first time in a round brings points: one for each step it lies away from home. "
    "They are yours only once you are back home.",
    "But every new cell may be the one where you are caught. Then the round is over and brings nothing. Near home "
    "that is rare; at the edge of the city it is likely. Walking back over this round's own cells is safe.",
    "The city learns to know you: cells you visited in earlier rounds, and the cells beside them, are safer. In "
    "return, each such visit takes a point off the cell itself.",
    "After seven rounds the game is over. How far do you dare to go, and when do you turn back?",
)

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
