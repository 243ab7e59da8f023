"""Positions of Gamma as text and JSON.

    ..12./.3(12).. 2 1,3 -
    board          turn spent passed

Rows from the top, `.` for a free cell, the player's digit, players from 10 on in brackets. The turn is a player's
number or `over`. `spent` lists the players whose golden move is gone; `passed` is the player who began the
current row of passes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rookery.core.arguments import quoted
from rookery.core.errors import PositionError
from rookery.core.game import whole
from rookery.core.notation import counted, number
from rookery.core.rules import OVER, TURN
from rookery.games.gamma import board, rules
from rookery.games.gamma.board import AREAS, FIRST_PASS, LIMIT, OWNER, PARENT, SPENT

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from rookery.core.state import State
    from rookery.games.gamma.game import Gamma

CELL = re.compile(r"[.1-9]|\((\d+)\)", re.ASCII)


def key(game: Gamma, state: State) -> Hashable:
    """Who owns what, who has spent its golden move, and who began passing."""
    words = state.words
    owners, spent = words[words[OWNER] : words[PARENT]], words[words[SPENT] : words[OWNER]]
    return (tuple(owners), tuple(spent), words[FIRST_PASS])


def describe(game: Gamma, state: State) -> dict[str, Any]:
    words, rows = state.words, []
    for y in reversed(range(game.height)):
        first = words[OWNER] + board.place_of(words, y * game.width)
        rows.append("".join(write_owner(owner) for owner in words[first : first + game.width]))
    return {
        "rows": rows,
        "turn": "over" if words[TURN] == OVER else words[TURN],
        "spent": [player for player in range(1, game.players + 1) if words[words[SPENT] + player]],
        "passed": words[FIRST_PASS] or None,
    }


def write_owner(owner: int) -> str:
    return "." if owner == 0 else str(owner) if owner < 10 else f"({owner})"


def write(game: Gamma, fields: Mapping[str, Any]) -> str:
    spent = ",".join(map(str, fields["spent"])) or "-"
    return f"{'/'.join(fields['rows'])} {fields['turn']} {spent} {fields['passed'] or '-'}"


def read(game: Gamma, text: str) -> dict[str, Any]:
    rows, turn, spent, passed = text.split()
    return {
        "rows": rows.split("/"),
        "turn": turn if turn == "over" else number(turn),
        "spent": [] if spent == "-" else [number(part) for part in spent.split(",")],
        "passed": None if passed == "-" else number(passed),
    }


def compose(game: Gamma, fields: Mapping[str, Any]) -> list[int]:
    """The words of a position, built by taking every cell in turn with the limit of areas lifted meanwhile."""
    words = [0] * rules.size(game.config)
    rules.start(words, game.config)
    rows = [_read_row(row) for row in fields["rows"]]
    if len(rows) != game.height or any(len(row) != game.width for row in rows):
        raise PositionError(f"The board must have {game.height} rows of {game.width} cells.")
    for y, row in enumerate(reversed(rows)):
        for x, owner in enumerate(row):
            if owner > game.players:
                raise PositionError(f"Player {owner} is on the board, but the game has {game.players}.")
            if owner:
                rules.move(words, owner, board.place_of(words, y * game.width + x))
    for player in range(1, game.players + 1):
        if words[words[AREAS] + player] > words[LIMIT]:
            has, most = words[words[AREAS] + player], game.areas
            raise PositionError(f"Player {player} has {counted(has, 'area')}, more than the {most} allowed.")
    for player in fields["spent"]:
        whole(player, "A player whose golden move is spent", 1, game.players)
        if words[words[SPENT] + player]:
            raise PositionError(f"Player {player}'s golden move is spent twice.")
        words[words[SPENT] + player] = 1
    _set_turn(game, words, fields["turn"], fields["passed"])
    return words


def _read_row(text: str) -> list[int]:
    owners, at = [], 0
    while at < len(text):
        found = CELL.match(text, at)
        if not found or (found[1] and not number(found[1]) >= 10):
            raise PositionError(f"{quoted(text)} is not a row: write . for a free cell, 1 to 9, or (12) for a player.")
        owners.append(0 if found[0] == "." else int(found[1] or found[0]))
        at = found.end()
    return owners


def _set_turn(game: Gamma, words: list[int], turn: object, passed: object) -> None:
    if passed is not None:
        words[FIRST_PASS] = whole(passed, "The player who began passing", 1, game.players)
        if not rules.can_act(words, words[FIRST_PASS]):
            raise PositionError(f"Player {passed} cannot have passed, as it can do nothing.")
    if turn == "over":
        passed_out = words[FIRST_PASS] and game.pass_out
        if not passed_out and rules.next_player(words, game.players):
            able = rules.next_player(words, game.players)
            raise PositionError(f"The game is not over: player {able} can still act.")
        words[TURN] = OVER
        return
    words[TURN] = whole(turn, "The turn", 1, game.players)
    if not rules.can_act(words, words[TURN]):
        raise PositionError(f"It cannot be player {turn}'s turn, as it can do nothing.")
    if words[TURN] == words[FIRST_PASS] and game.pass_out:
        raise PositionError(f"It cannot be player {turn}'s turn again: all have passed, and the game is over.")
