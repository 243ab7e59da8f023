"""How a position of GateRun looks: pawns on cells, walls on edges, goals at both ends."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rookery.core.ending import DISCS, FREE_SQUARE, SQUARES, WIDEST, opening
from rookery.core.notation import counted, edge_names, square
from rookery.core.rules import DIRECTIONS, TURN
from rookery.core.scene import REMEMBERED, Cell, Choice, Mark, Motion, Panel, Scene, Wall
from rookery.games.gaterun import geometry, position, rules
from rookery.games.gaterun.rules import JUMPS, PAWN, PLY, ROTATIONS, WALLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.names import Names
    from rookery.core.state import State
    from rookery.games.gaterun.game import GateRun

STEPS = {(-1, 0): DIRECTIONS[0], (0, 1): DIRECTIONS[1], (1, 0): DIRECTIONS[2], (0, -1): DIRECTIONS[3]}


def look(game: GateRun, state: State, viewer: int, *, odds: bool, names: Names) -> Scene:
    n, words, actions = game.size, state.words, state.actions()
    before = state.before() if state.last is not None else list(words)
    row_names, col_names = edge_names(n, n)
    return Scene(
        title=game.title,
        turn=state.turn,
        message=message(state, actions, names, row_names),
        may=may(game, state, actions),
        rows=n,
        cols=n,
        cells=cells(n, words, before, names),
        row_names=row_names,
        col_names=col_names,
        players=names.all(2),
        edges=True,
        walls=walls(n, state, before, names),
        panels=panels(game, words),
        choices=choices(game, state, actions),
        motions=motions(n, words, before),
    )


def cells(n: int, words: list[int], before: list[int], names: Names) -> tuple[Cell, ...]:
    pawns, was = ({each[PAWN + player]: player for player in (2, 1)} for each in (words, before))
    found = list(without_pawns(n, names))
    for index in {*pawns, *was}:
        pawn = pawns.get(index, 0)
        found[index] = cell(n, index, pawn, pawn != was.get(index, 0), names)
    return tuple(found)


@lru_cache(REMEMBERED)
def without_pawns(n: int, names: Names) -> tuple[Cell, ...]:
    return tuple(cell(n, index, 0, False, names) for index in range(n * n))


@lru_cache(REMEMBERED)
def cell(n: int, index: int, pawn: int, last: bool, names: Names) -> Cell:
    """A cell with a player's pawn on it, or 0."""
    row, col = divmod(index, n)
    owner = 1 if row == n - 1 else 2 if row == 0 else 0
    name = square((row, col), n)
    if owner:
        name += f", {names.whose(owner)} goal"
    if pawn:
        name += f", {names.whose(pawn)} pawn"
    marks = (Mark("pawn", pawn),) if pawn else ()
    return Cell("goal" if owner else "free", name, owner=owner, marks=marks, last=last)


def walls(n: int, state: State, before: list[int], names: Names) -> tuple[Wall, ...]:
    built, found = builders(n, state), []
    for edge in position.walls_of(n, state.words):
        owner = built.get(edge, 0)
        found.append(wall(n, edge, rules.is_open(before, edge), owner, names.whose(owner) if owner else ""))
    return tuple(found)


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
def wall(n: int, edge: int, last: bool, owner: int, whose: str) -> Wall:
    """A wall, which may have been built in the last ply, and the player who put it up, or 0, whose wall it is."""
    return Wall(position.cells_of(n, edge), f"{whose} wall {place(n, edge)}".lstrip(), last=last, owner=owner)


def place(n: int, edge: int) -> str:
    """Where an edge is, in words: "below d4", "right of d4"."""
    first, second = position.cells_of(n, edge)
    return f"{'right of' if first[0] == second[0] else 'below'} {square(first, n)}"


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
    found.append(Panel("Moves", str(words[PLY])))
    return tuple(found)


def choices(game: GateRun, state: State, actions: list[int]) -> tuple[Choice, ...]:
    here = state.words[PAWN + max(state.turn, 1)]
    return tuple(choice(game, action, here if action < game.size**2 else 0) for action in actions)


@lru_cache(REMEMBERED)
def choice(game: GateRun, action: int, here: int) -> Choice:
    """What the player to move may do; a step goes from the cell `here`."""
    n, name, words = game.size, game.name_of(action), game.phrase(action)
    skill = action - rules.pass_action(n) - 1
    if action < n * n:
        (row, col), to = divmod(here, n), divmod(action, n)
        return Choice(name, words, "step", (to,), key=STEPS[to[0] - row, to[1] - col])
    if skill < -1:
        return Choice(name, words, "wall", position.cells_of(n, action - n * n), here="space")
    if skill == -1:
        return Choice(name, words, "pass", key="p")
    if skill < n * n:
        return Choice(name, words, "jump", (divmod(skill, n),), key="j")
    edge, target = position.turn_of(n, skill - n * n)
    at = (*position.cells_of(n, edge), *position.cells_of(n, target))
    return Choice(name, words, "rotate", at, here="r")


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


def message(state: State, actions: list[int], names: Names, row_names: Sequence[str]) -> str:
    words = state.words
    if not state.over:
        goal = row_names[-1 if state.turn == 1 else 0]
        if actions == [rules.pass_action(words[rules.SIZE])]:
            return f"{names.of(state.turn)} can only pass."
        acts = "step or put up a wall" if words[WALLS + state.turn] else "step"
        return f"{names.turn(state.turn)}, heading for row {goal}: {acts}."
    if winner := words[rules.WINNER]:
        wins = "win" if winner == names.you else "wins"
        return f"{names.does(winner, 'have', 'has')} reached the other side and {wins}."
    return drawn(words)


def drawn(words: list[int]) -> str:
    """Why a game was drawn."""
    if words[PLY] == rules.LONGEST:
        return f"A draw: {rules.LONGEST} moves have been played."
    return "A draw: this position has come for the third time."


def ending_text(game: GateRun, state: State, names: Sequence[str]) -> str:
    """How a game ended: who reached the other side, and how far the other player was. Boards may be turned."""
    words = state.words
    winner = words[rules.WINNER]
    if not winner:
        return drawn(words)
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
    found = [FREE_SQUARE] * (n * n)
    for player in (1, 2):
        for index in visits[player]:
            found[index] = SQUARES[player - 1] if found[index] == FREE_SQUARE else SQUARES[3]
    for player in (1, 2):
        found[state.words[PAWN + player]] = DISCS[player - 1]
    return "\n".join("".join(found[row * n : row * n + n]) for row in range(n))
