"""Positions of GateRun as text and JSON.

    0,3/6,3 2,3|2,4;4,1|5,1 P1 7/7 -/- 2
    pawns   walls           turn  left skills plies

`-` stands for no walls, and for no skill left (`j` a jump, `r` a rotation). The turn is `P1`, `P2` or `over`. A
seventh field, left out when empty, lists the positions since the last wall, jump or rotation that could come
again: `pawns/turn;…`. The number of plies must go with the turn, no more: who sets up a puzzle need not count steps.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from rookery.core.arguments import quoted, shown
from rookery.core.errors import PositionError
from rookery.core.game import whole
from rookery.core.notation import counted, number, read_spot, write_spot
from rookery.core.rules import OVER, TURN
from rookery.games.gaterun import geometry, rules
from rookery.games.gaterun.rules import EAST, JUMPS, LONGEST, PAST, PAWN, PLY, ROTATIONS, SEEN, SOUTH, WALLS, WINNER

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from rookery.core.scene import Spot
    from rookery.core.state import State
    from rookery.games.gaterun.game import GateRun

Past = tuple[int, int, int]
"""The two pawns' cells and the player to move."""


def cells_of(n: int, edge: int) -> tuple[Spot, Spot]:
    """The two cells an edge lies between, smaller first."""
    row, col = divmod(geometry.first_cell(n, edge), n)
    return (row, col), (row, col + 1) if geometry.is_east(n, edge) else (row + 1, col)


def turn_of(n: int, turn: int) -> tuple[int, int]:
    """The edges that a turned wall leaves and comes to, by the number of the turn; −1 for an edge off the board."""
    edge, way = divmod(turn, 4)
    return edge, geometry.turned(n, edge, way)


def write_edge(n: int, edge: int) -> str:
    """An edge as `row,column|row,column`, smaller cell first."""
    return "|".join(map(write_spot, cells_of(n, edge)))


def read_edge(n: int, text: str) -> int:
    """The number of an edge; a ValueError if it is none. The cells may come in either order."""
    one, other = (read_spot(part, n, n) for part in text.split("|"))
    edge = edge_between(n, one, other)
    if edge is None:
        raise ValueError(text)
    return edge


def edge_between(n: int, one: Spot, other: Spot) -> int | None:
    """The number of the edge between two cells of the board, in either order; None if they are not neighbours."""
    (row, col), second = sorted((one, other))
    if second == (row, col + 1):
        return geometry.east_edge(n, row * n + col)
    if second == (row + 1, col):
        return geometry.south_edge(n, row * n + col)
    return None


def walls_of(n: int, words: list[int]) -> list[int]:
    """The edges with a wall on them, ascending."""
    return [edge for edge, (word, bit) in enumerate(edges(n)) if not words[word] & bit]


@cache
def edges(n: int) -> list[tuple[int, int]]:
    """For every edge, the word and the bit that say whether it is open."""
    found = []
    for edge in range(geometry.edge_count(n)):
        found.append((EAST if geometry.is_east(n, edge) else SOUTH, 1 << geometry.first_cell(n, edge)))
    return found


def key(game: GateRun, state: State) -> Hashable:
    """Everything but the order in which the positions of the past came."""
    words = state.words
    past = tuple(sorted(words[PAST : PAST + words[SEEN]]))
    return (*words[PLY : ROTATIONS + 3], past)


def describe(game: GateRun, state: State) -> dict[str, Any]:
    n, words = game.size, state.words
    earlier = words[SEEN] if words[WINNER] else words[SEEN] - 1
    past = [_unpack(code) for code in words[PAST : PAST + earlier]]
    return {
        "pawns": [list(divmod(words[PAWN + player], n)) for player in (1, 2)],
        "walls": [write_edge(n, edge) for edge in walls_of(n, words)],
        "turn": "over" if words[TURN] == OVER else words[TURN],
        "left": [words[WALLS + player] for player in (1, 2)],
        "jump": [bool(words[JUMPS + player]) for player in (1, 2)],
        "rotate": [bool(words[ROTATIONS + player]) for player in (1, 2)],
        "ply": words[PLY],
        "past": [[list(divmod(p1, n)), list(divmod(p2, n)), turn] for p1, p2, turn in past],
    }


def write(game: GateRun, fields: Mapping[str, Any]) -> str:
    pawns = "/".join(write_spot(spot) for spot in fields["pawns"])
    turn = fields["turn"] if fields["turn"] == "over" else f"P{fields['turn']}"
    skills = "/".join(
        ("j" * jump + "r" * rotate) or "-" for jump, rotate in zip(fields["jump"], fields["rotate"], strict=True)
    )
    parts = [
        pawns,
        ";".join(fields["walls"]) or "-",
        turn,
        "/".join(map(str, fields["left"])),
        skills,
        str(fields["ply"]),
    ]
    if fields["past"]:
        parts.append(";".join(f"{write_spot(p1)}/{write_spot(p2)}/P{turn}" for p1, p2, turn in fields["past"]))
    return " ".join(parts)


def read(game: GateRun, text: str) -> dict[str, Any]:
    pawns, walls, turn, left, skills, ply, *past = text.split()
    own_skills = [side if side != "-" else "" for side in skills.split("/")]
    if len(past) > 1 or not all(side in ("", "j", "r", "jr") for side in own_skills):
        raise ValueError(text)
    return {
        "pawns": [_spot(part) for part in pawns.split("/")],
        "walls": [] if walls == "-" else walls.split(";"),
        "turn": turn if turn == "over" else {"P1": 1, "P2": 2}[turn.upper()],
        "left": [number(part) for part in left.split("/")],
        "jump": ["j" in side for side in own_skills],
        "rotate": ["r" in side for side in own_skills],
        "ply": number(ply),
        "past": [_read_past(part) for part in past[0].split(";")] if past else [],
    }


def compose(game: GateRun, fields: Mapping[str, Any]) -> list[int]:
    """The words of a position, every part of it checked against the others."""
    n = game.size
    words = [0] * rules.size(game.config)
    rules.start(words, game.config)
    supply = {player: words[WALLS + player] for player in (1, 2)}
    for player in (1, 2):
        words[PAWN + player] = _cell(n, fields["pawns"][player - 1], f"P{player}'s pawn")
        words[WALLS + player] = whole(fields["left"][player - 1], f"P{player}'s walls left", 0, supply[player])
        words[JUMPS + player] = _skill(fields["jump"][player - 1], game.jump, f"P{player}'s jump")
        words[ROTATIONS + player] = _skill(fields["rotate"][player - 1], game.rotate, f"P{player}'s rotation")
    if len(fields["pawns"]) != 2 or len(fields["left"]) != 2:
        raise PositionError("GateRun has two players: two pawns, two numbers of walls left.")
    _place_walls(n, words, fields["walls"], placed=sum(supply.values()) - words[WALLS + 1] - words[WALLS + 2])
    _check_pawns(n, words)
    words[PLY] = whole(fields["ply"], "The number of plies", 0, LONGEST)
    _set_past(n, words, fields.get("past", []))
    _set_turn(n, words, fields["turn"])
    return words


def _place_walls(n: int, words: list[int], names: list[str], placed: int) -> None:
    for name in names:
        try:
            edge = read_edge(n, name)
        except ValueError:
            raise PositionError(f"{quoted(name)} is not an edge of a {n}×{n} board; write one like 2,3|2,4.") from None
        if not rules.is_open(words, edge):
            raise PositionError(f"The wall {name} is there twice.")
        rules.toggle(words, edge)
    if len(names) != placed:
        raise PositionError(f"The board has {counted(len(names), 'wall')}, but the supplies lack {placed}.")


def _check_pawns(n: int, words: list[int]) -> None:
    if words[PAWN + 1] == words[PAWN + 2]:
        raise PositionError("Two pawns cannot stand on one cell.")
    for player in (1, 2):
        if rules.distance(words, player) < 0:
            raise PositionError(f"P{player} has no way through to its goal row.")
    if rules.distance(words, 1) == 0 and rules.distance(words, 2) == 0:
        raise PositionError("Both pawns cannot have reached their goal rows.")


def _set_past(n: int, words: list[int], past: list[Any]) -> None:
    """Set up the oldest position of the past and play on from there to this one, by steps and passes."""
    ply = words[PLY]
    if len(past) > ply:
        raise PositionError(f"The past has {counted(len(past), 'position')}, more than the plies played, {ply}.")
    line: list[Past] = [
        (_cell(n, p1, "A pawn of the past"), _cell(n, p2, "A pawn of the past"), whole(who, "A turn of the past", 1, 2))
        for p1, p2, who in past
    ]
    line.append((words[PAWN + 1], words[PAWN + 2], 1 + ply % 2))
    words[PAWN + 1], words[PAWN + 2], words[TURN] = line[0]
    words[PLY] = ply - len(past)
    words[SEEN] = 0
    fits = line[0][0] != line[0][1] and line[0][2] == 1 + words[PLY] % 2
    rules.remember(words)
    for before, after in pairwise(line):
        mover = before[2]
        action = after[mover - 1] if after[mover - 1] != before[mover - 1] else rules.pass_action(n)
        fits = fits and words[TURN] == mover and rules.legal(words, action)
        if fits:
            rules.perform(words, action)
        fits = fits and (words[PAWN + 1], words[PAWN + 2]) == after[:2]
    if not fits or any(geometry.goal(n, player) >> line[0][player - 1] & 1 for player in (1, 2) if past):
        raise PositionError("The positions of the past do not follow one another by steps and passes.")


def _set_turn(n: int, words: list[int], turn: object) -> None:
    """Check that the turn goes with the number of plies and that the game is over just when the rules say so."""
    ply = words[PLY]
    due, mover = 1 + ply % 2, 2 - ply % 2
    winner = next((player for player in (1, 2) if rules.distance(words, player) == 0), 0)
    if winner and winner != mover:
        raise PositionError(f"P{winner} stands on its goal row, but after {ply} plies P{mover} was the last to move.")
    over = words[TURN] == OVER or winner > 0 or ply == LONGEST
    if over and turn != "over":
        raise PositionError(f"The game is over here, so the turn must be 'over', not {_told(turn)}.")
    if turn == "over" and not over:
        raise PositionError("Nothing has ended this game: no pawn is home, no position came three times.")
    if turn not in ("over", due):
        raise PositionError(f"After {ply} plies it is P{due}'s turn, not {_told(turn)}.")
    if winner and not words[WINNER]:
        words[SEEN] = 0  # a won position is not entered in the list
        words[WINNER] = winner
    words[TURN] = OVER if over else due


def _told(turn: object) -> str:
    return f"P{turn}" if turn in (1, 2) else repr(turn)


def _skill(value: object, allowed: bool, what: str) -> int:
    if not isinstance(value, bool):
        raise PositionError(f"{what} must be true or false, not {shown(value)}.")
    if value and not allowed:
        raise PositionError(f"{what} cannot be left in a game without that option.")
    return int(value)


def _cell(n: int, spot: Any, what: str) -> int:
    row, col = spot
    whole(row, f"{what}: the row", 0, n - 1)
    whole(col, f"{what}: the column", 0, n - 1)
    return int(row * n + col)


def _spot(text: str) -> Spot:
    row, col = (number(part) for part in text.split(","))
    return row, col


def _read_past(text: str) -> tuple[Spot, Spot, int]:
    p1, p2, turn = text.split("/")
    return _spot(p1), _spot(p2), {"P1": 1, "P2": 2}[turn.upper()]


def _unpack(code: int) -> Past:
    return code // 256, code // 4 % 64, code % 4
