"""How a position of GateRun looks: pawns on cells, walls on edges, goals at both ends."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rookery.core.ending import DISCS, FREE, SQUARES, WIDEST, opening
from rookery.core.notation import counted, write_spot
from rookery.core.rules import DIRECTIONS, TURN
from rookery.core.scene import REMEMBERED, Cell, Choice, Mark, Motion, Panel, Scene, Wall
from rookery.games.gaterun import geometry, position, rules
from rookery.games.gaterun.rules import JUMPS, PAWN, PLY, ROTATIONS, WALLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.state import State
    from rookery.games.gaterun.game import GateRun

STEPS = {(-1, 0): DIRECTIONS[0], (0, 1): DIRECTIONS[1], (1, 0): DIRECTIONS[2], (0, -1): DIRECTIONS[3]}


def look(game: GateRun, state: State, viewer: int, *, odds: bool) -> Scene:
    n, words, actions = game.size, state.words, state.actions()
    before = state.before() if state.last is not None else list(words)
    names = tuple(str(index) for index in range(n))
    return Scene(
        title=game.title,
        turn=state.turn,
        message=message(state, actions),
        may=may(game, state, actions),
        rows=n,
        cols=n,
        cells=cells(n, words, before),
        row_names=names,
        col_names=names,
        players=("P1", "P2"),
        edges=True,
        walls=walls(n, state, before),
        panels=panels(game, words),
        choices=choices(game, state, actions),
        motions=motions(n, words, before),
    )


def cells(n: int, words: list[int], before: list[int]) -> tuple[Cell, ...]:
    pawns, was = ({each[PAWN + player]: player for player in (2, 1)} for each in (words, before))
    found = list(without_pawns(n))
    for index in {*pawns, *was}:
        pawn = pawns.get(index, 0)
        found[index] = cell(n, index, pawn, pawn != was.get(index, 0))
    return tuple(found)


@lru_cache(REMEMBERED)
def without_pawns(n: int) -> tuple[Cell, ...]:
    return tuple(cell(n, index, 0, False) for index in range(n * n))


@lru_cache(REMEMBERED)
def cell(n: int, index: int, pawn: int, last: bool) -> Cell:
    """A cell with a player's pawn on it, or 0."""
    row, col = divmod(index, n)
    owner = 1 if row == n - 1 else 2 if row == 0 else 0
    name = f"row {row}, column {col}"
    if owner:
        name += f", goal of P{owner}"
    if pawn:
        name += f", P{pawn}'s pawn"
    marks = (Mark("pawn", pawn),) if pawn else ()
    return Cell("goal" if owner else "free", name, owner=owner, marks=marks, last=last)


def walls(n: int, state: State, before: list[int]) -> tuple[Wall, ...]:
    built = builders(n, state)
    standing = position.walls_of(n, state.words)
    return tuple(wall(n, edge, rules.is_open(before, edge), built.get(edge, 0)) for edge in standing)


def builders(n: int, state: State) -> dict[int, int]:
    """Who put up each wall since the start, by edge. A position does not say, so the plies do; a wall that is turned
    stays with its builder. Walls of a start position are nobody's.
    """
    found: dict[int, int] = {}
    skills = rules.pass_action(n) + 1 + n * n
    for number, action in enumerate(state.history, start=state.words[PLY] - state.ply):
        if n * n <= action < rules.pass_action(n):
            found[action - n * n] = 1 + number % 2
        elif action >= skills:
            edge, way = divmod(action - skills, 4)
            found[geometry.turned(n, edge, way)] = found.pop(edge, 0)
    return found


@lru_cache(REMEMBERED)
def wall(n: int, edge: int, last: bool, owner: int) -> Wall:
    """A wall, which may have been built in the last ply, and the player who put it up, or 0."""
    first, second = position.cells_of(n, edge)
    whose = f"P{owner}'s wall" if owner else "wall"
    name = f"{whose} between {write_spot(first)} and {write_spot(second)}"
    return Wall((first, second), name, last=last, owner=owner)


def motions(n: int, words: list[int], before: list[int]) -> tuple[Motion, ...]:
    pairs = [(before[PAWN + player], words[PAWN + player]) for player in (1, 2)]
    return tuple(Motion(divmod(old, n), divmod(new, n)) for old, new in pairs if old != new)


def panels(game: GateRun, words: list[int]) -> tuple[Panel, ...]:
    found = []
    for player in (1, 2):
        found.append(Panel("steps to go", str(rules.distance(words, player)), player))
        found.append(Panel("walls left", str(words[WALLS + player]), player))
        skills = ["jump"] * words[JUMPS + player] + ["rotate"] * words[ROTATIONS + player]
        if game.jump or game.rotate:
            found.append(Panel("skills left", ", ".join(skills) or "none", player))
    found.append(Panel("Ply", str(words[PLY])))
    return tuple(found)


def choices(game: GateRun, state: State, actions: list[int]) -> tuple[Choice, ...]:
    here = state.words[PAWN + max(state.turn, 1)]
    return tuple(choice(game, action, here if action < game.size**2 else 0) for action in actions)


@lru_cache(REMEMBERED)
def choice(game: GateRun, action: int, here: int) -> Choice:
    """What the player to move may do; a step goes from the cell `here`."""
    n, name = game.size, game.name_of(action)
    skill = action - rules.pass_action(n) - 1
    if action < n * n:
        (row, col), to = divmod(here, n), divmod(action, n)
        way = STEPS[to[0] - row, to[1] - col]
        return Choice(name, f"step to {name}", "step", (to,), key=way)
    if skill < -1:
        return Choice(name, f"wall on {name}", "wall", position.cells_of(n, action - n * n), here="space")
    if skill == -1:
        return Choice(name, "pass, as nothing else can be done", "pass", key="p")
    if skill < n * n:
        return Choice(name, name.replace("jump", "jump to"), "jump", (divmod(skill, n),), key="j")
    old, _, new = name.partition(">")
    edge, way_turned = divmod(skill - n * n, 4)
    target = geometry.turned(n, edge, way_turned)
    at = (*position.cells_of(n, edge), *position.cells_of(n, target))
    return Choice(name, f"turn the wall {old} onto {new}", "rotate", at, here="r")


def may(game: GateRun, state: State, actions: list[int]) -> str:
    """What the player to move may do."""
    if state.over:
        return ""
    n = game.size
    turned = rules.pass_action(n) + 1 + n * n
    kinds = [
        ("step", any(action < n * n for action in actions)),
        ("put up a wall", any(n * n <= action < rules.pass_action(n) for action in actions)),
        ("jump", any(rules.pass_action(n) < action < turned for action in actions)),
        ("turn a wall", any(action >= turned for action in actions)),
    ]
    words = [each for each, possible in kinds if possible]
    if not words:
        return "You can only pass."
    said = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
    return f"{said[0].upper()}{said[1:]}."


def message(state: State, actions: list[int]) -> str:
    words = state.words
    if not state.over:
        who, goal = f"P{state.turn}", words[rules.SIZE] - 1 if state.turn == 1 else 0
        if actions == [rules.pass_action(words[rules.SIZE])]:
            return f"{who} can only pass."
        return f"{who} to move, heading for row {goal}: step" + (
            " or put up a wall." if words[WALLS + state.turn] else "."
        )
    if words[rules.WINNER]:
        return f"P{words[rules.WINNER]} has reached the other side and wins."
    if words[PLY] == rules.LONGEST:
        return f"A draw: {rules.LONGEST} plies have been played."
    return "A draw: this position has come for the third time."


def ending_text(game: GateRun, state: State, names: Sequence[str]) -> str:
    """How a game ended: who reached the other side, and how far the other player was. Boards may be turned."""
    words = state.words
    winner = words[rules.WINNER]
    if not winner:
        why = f"{rules.LONGEST} plies were played" if words[PLY] == rules.LONGEST else "this position came a third time"
        return f"A draw: {why}."
    other = 3 - winner
    left = counted(rules.distance(words, other), "step")
    return f"{opening(names[winner - 1])} reached the other side. {opening(names[other - 1])} had {left} to go."


def emoji(game: GateRun, state: State) -> str:
    """The ways that both pawns took, and where they came to."""
    n, words = game.size, state.before(state.ply)
    if n > WIDEST:
        return ""
    player, visits = words[TURN], {1: {words[PAWN + 1]}, 2: {words[PAWN + 2]}}
    for action in state.history:
        jump = action - rules.pass_action(n) - 1
        if action < n * n:
            visits[player].add(action)
        elif 0 <= jump < n * n:
            visits[player].add(jump)
        player = 3 - player
    found = [FREE] * (n * n)
    for player in (1, 2):
        for index in visits[player]:
            found[index] = SQUARES[player - 1] if found[index] == FREE else SQUARES[3]
    for player in (1, 2):
        found[state.words[PAWN + player]] = DISCS[player - 1]
    return "\n".join("".join(found[row * n : row * n + n]) for row in range(n))
