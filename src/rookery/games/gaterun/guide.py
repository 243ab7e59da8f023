"""GateRun for newcomers: the goal, the quick rules, the options in words, and the daily challenges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery.core.game import Challenge
from rookery.core.notation import counted
from rookery.games.gaterun import rules

if TYPE_CHECKING:
    from rookery.games.gaterun.game import GateRun


def quick_rules(game: GateRun) -> tuple[str, ...]:
    first, second = walls(game)
    told = [
        "Two pawns start on opposite sides of the board. The first to reach the row where the other one started wins."
    ]
    step = (
        "you step to the cell above, below, left or right of your pawn, unless a wall or the other pawn is in the way."
    )
    if first == second == 0:
        told.append(
            "Every turn you step to the cell above, below, left or right of your pawn, unless the other pawn is there."
        )
    else:
        many = f"You have {counted(first, 'wall')}"
        if first != second:
            many = f"Player 1 has {counted(first, 'wall') if first else 'none'}, player 2 has {second or 'none'}"
        told += [
            f"Every turn you do one of two things. Either {step}",
            "Or you put up a wall between two neighbouring cells, to make the other's way longer. "
            f"{many}, and they stay where they are{' unless turned' if game.rotate else ''}.",
            "A wall may never close the last way through: both pawns must still be able to reach the other side.",
        ]
    once = ["jump over the other pawn if it stands beside yours and the cell behind it can be reached"] * game.jump
    once += ["turn a wall by a quarter about one of its ends"] * game.rotate
    if once:
        told.append(f"Once in the game you may {', and once '.join(once)}. That is your turn.")
    told.append(
        "If you can do nothing else, you pass. When the same position comes for the third time, or after "
        f"{rules.LONGEST} turns, the game is a draw."
    )
    return tuple(told)


def walls(game: GateRun) -> tuple[int, int]:
    """The walls of both players at the start."""
    return game.walls, game.walls if game.walls2 is None else game.walls2


def goal(game: GateRun, player: int = 0) -> str:
    if player:
        return f"Reach the row on the far side before P{3 - player}."
    return "Be the first to reach the row where the other pawn started."


def options_text(game: GateRun) -> str:
    first, second = walls(game)
    parts = [f"{game.size}×{game.size}"]
    parts.append(counted(first, "wall") if first == second else f"{first} against {counted(second, 'wall')}")
    return ", ".join(parts + ["jumps"] * game.jump + ["turned walls"] * game.rotate)


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
