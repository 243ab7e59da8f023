"""GateRun for newcomers: the quick rules, and the daily challenges to choose from."""

from __future__ import annotations

from rookery.core.game import Challenge

QUICK_RULES = (
    "Two pawns start on opposite sides of the board. The first to reach the row where the other one started wins.",
    "Every turn you do one of two things. Either you step to the cell above, below, left or right of your pawn, "
    "unless a wall or the other pawn is in the way.",
    "Or you put up a wall between two neighbouring cells, to make the other's way longer. You have eight walls, and "
    "they stay where they are.",
    "A wall may never close the last way through: both pawns must still be able to reach the other side.",
    "If you can do neither, you pass. When the same position comes for the third time, or after 300 turns, the game "
    "is a draw.",
)

CHALLENGES = (
    Challenge({"size": 5, "walls": 4}, ("4",)),
    Challenge({"size": 5, "walls": 5}, ("6",)),
    Challenge({"size": 5, "walls": 6}, ("7",)),
    Challenge({"size": 5, "walls": 5, "jump": True}, ("5",)),
    Challenge({"size": 5, "walls": 6, "rotate": True}, ("6",)),
    Challenge({"size": 5, "walls": 6, "jump": True, "rotate": True}, ("8",)),
    Challenge({"size": 7}, ("4",)),
    Challenge({"size": 7}, ("6",)),
    Challenge({"size": 7}, ("8",)),
    Challenge({"size": 7, "jump": True}, ("5",)),
    Challenge({"size": 7, "rotate": True}, ("7",)),
    Challenge({"size": 7, "jump": True, "rotate": True}, ("6",)),
    Challenge({"size": 7, "walls": 6, "walls2": 8}, ("7",)),
    Challenge({"size": 7, "walls": 5, "jump": True, "rotate": True}, ("8",)),
)
