"""What an arcade says and offers of Gamma: the rules in a minute, and the challenges a day may bring."""

from __future__ import annotations

from rookery.core.game import Challenge

QUICK_RULES = (
    "Everybody takes cells of the board, one a turn. Whoever has the most cells in the end wins.",
    "On your turn take any free cell. Your cells that touch by their sides form an area, and you may have four "
    "areas at most. With four, only cells beside your own are open to you; a cell between two areas joins them into "
    "one.",
    "Once in the game you may make a golden move: take a cell that belongs to somebody else. It must leave neither "
    "of you with more than four areas. If it is refused, you keep it for later.",
    "You may also skip your turn. Who can do nothing is left out until something opens up again.",
    "The game ends when nobody can act, or when everyone who can has skipped in a row. Equal best is a draw.",
)

CHALLENGES = (
    Challenge({"width": 6, "height": 6, "areas": 3}, ("5",)),
    Challenge({"width": 6, "height": 6, "areas": 4}, ("8",)),
    Challenge({"width": 7, "height": 6, "areas": 3}, ("7",)),
    Challenge({"width": 7, "height": 7, "areas": 3}, ("9",)),
    Challenge({"width": 7, "height": 7, "areas": 4}, ("6",)),
    Challenge({"width": 8, "height": 6, "areas": 4}, ("9",)),
    Challenge({"width": 8, "height": 8, "areas": 3}, ("9",)),
    Challenge({"width": 8, "height": 8, "areas": 4}, ("8",)),
    Challenge({"width": 6, "height": 6, "players": 3, "areas": 3}, ("6", "6")),
    Challenge({"width": 7, "height": 7, "players": 3, "areas": 3}, ("7", "5")),
    Challenge({"width": 7, "height": 7, "players": 3, "areas": 4}, ("9", "9")),
    Challenge({"width": 8, "height": 8, "players": 3, "areas": 4}, ("8", "9")),
)
