"""Gamma for newcomers: the goal, the quick rules, the options in words, and the daily challenges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery.core.game import Challenge
from rookery.core.notation import counted

if TYPE_CHECKING:
    from rookery.games.gamma.game import Gamma


def quick_rules(game: Gamma) -> tuple[str, ...]:
    alone, areas = game.players == 1, counted(game.areas, "area")
    limit = (
        "you may have only one: after your first cell, only cells beside your own are open to you."
        if game.areas == 1
        else f"you may have {areas} at most. With {game.areas}, only cells beside your own are open to you; a cell "
        "between two areas joins them into one."
    )
    rules = [
        "Take as many cells of the board as you can, one a turn."
        if alone
        else "Everybody takes cells of the board, one a turn. Whoever has the most cells in the end wins.",
        f"On your turn take any free cell. Your cells that touch by their sides form an area, and {limit}",
    ]
    if not alone:
        rules += [
            "Once in the game you may make a golden move: take a cell that belongs to somebody else. It must leave "
            f"neither of you with more than {areas}. If it is refused, you keep it for later.",
            "You may also skip your turn. Who can do nothing is left out until something opens up again.",
        ]
    if alone:
        end = "The game ends when you can take no cell" + (", or skip a turn." if game.pass_out else ".")
    else:
        skipped = ", or when everyone who can has skipped in a row" if game.pass_out else ""
        end = f"The game ends when nobody can act{skipped}. Equal best is a draw."
    return (*rules, end)


def goal(game: Gamma, player: int = 0) -> str:
    areas = counted(game.areas, "area")
    if game.players == 1:
        return f"Take as many cells as you can, in {areas} at most."
    return f"Take more cells than {'the other' if game.players == 2 else 'anybody else'}, in {areas} at most."


def options_text(game: Gamma) -> str:
    players = [counted(game.players, "player")] * (game.players != 2)
    passing = ["no end by passing"] * (not game.pass_out)
    return ", ".join([f"{game.width}×{game.height}", *players, counted(game.areas, "area"), *passing])


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
