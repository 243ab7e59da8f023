"""The quick rules of 67!, and the options that a daily challenge may have."""

from __future__ import annotations

from rookery.core.game import Challenge

QUICK_RULES = (
    "Slide all tiles left, right, up or down. Make a 67, and you have won.",
    "Tiles are numbers and the operators +, − and ×. Where a slide brings number, operator, number together in a "
    "line, the three become their result: 5, ×, 8 turns into 40.",
    "It is always worked out from left to right and from top to bottom, whichever way you slide. A result has to "
    "wait for the next slide before it joins again. Two numbers side by side do not join, nor do two operators.",
    "After every slide two new tiles appear on empty cells: digits from 0 to 9, or operators. Numbers may grow as "
    "large as they like, and fall below zero.",
    "A slide must change something. When none does, the game is lost.",
)

CHALLENGES = (
    Challenge({}),
    Challenge({"variant": "pairs"}),
    Challenge({"variant": "final"}),
    Challenge({"variant": "original"}),
    Challenge({"operators": "+*"}),
    Challenge({"variant": "final", "rate": 0.6}),
    Challenge({"rows": 5, "cols": 5, "variant": "final", "rate": 0.67}),
    Challenge({"rows": 5, "cols": 5, "tiles": 1}),
    Challenge({"rows": 5, "cols": 6, "variant": "final"}),
    Challenge({"rows": 5, "cols": 7, "variant": "pairs", "rate": 0.6}),
    Challenge({"rows": 6, "cols": 6, "operators": "+*", "rate": 0.4}),
    Challenge({"rows": 6, "cols": 6, "variant": "final", "rate": 0.6}),
    Challenge({"rows": 7, "cols": 7, "tiles": 3}),
)
"""All can be won: the bot `greedy` wins between a tenth and a half of the games, most of them in 30 to 120 moves."""
