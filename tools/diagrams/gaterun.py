"""The diagrams of docs/gaterun-play.md."""

from __future__ import annotations

from collections.abc import Sequence

from tools.diagrams.diagram import Diagram, after, from_game, moves, playout, signed
from tools.pictures.board import BEST, OTHER, PLAYERS, Mark, Note, Path, line, move, shortest_path

import rookery
from rookery.core.bot import CLEAR, Analysis, Candidate
from rookery.core.notation import counted
from rookery.core.scene import Spot
from rookery.core.state import State

DEEP = "alphabeta:nodes=1000000"
RACER = "alphabeta:nodes=1"
"""It solves positions without walls left exactly, whatever its budget."""
LONGEST = 300
"""The plies of the longest possible game."""
WAITED = 4
"""The waiting moves (walls) played in `gaterun-wait`."""


def value_text(candidate: Candidate) -> str:
    """The value of a move for its player."""
    value = candidate.value
    if abs(value) < CLEAR:
        return f"{chance(candidate)}, {signed(value)} steps"
    plies, end = round(1000 - abs(value)), "a win" if value > 0 else "a loss"
    return f"{end} in {counted(plies, 'move')}" if plies < LONGEST else f"{end} in sight"


def chance(candidate: Candidate) -> str:
    """The chance to win with a move, in per cent."""
    assert candidate.win is not None
    return f"{100 * candidate.win:.0f}%"


def listed(state: State, candidates: Sequence[Candidate]) -> str:
    """Moves with their values."""
    return "; ".join(f"{state.game.phrase(each.action)} {value_text(each)}" for each in candidates)


def is_step(name: str) -> bool:
    return "|" not in name


def pawn(state: State, number: int) -> Spot:
    """Where a player's pawn stands."""
    scene = state.scene()
    return next(
        divmod(at, scene.cols)
        for at, cell in enumerate(scene.cells)
        if any(mark.role == "pawn" and mark.number == number for mark in cell.marks)
    )


def path(state: State, number: int, colour: str = "") -> Path:
    """A shortest path of a player to its goal."""
    row = state.scene().rows - 1 if number == 1 else 0
    return Path(shortest_path(state.scene(), pawn(state, number), row), colour or PLAYERS[number])


def steps(state: State, number: int) -> int:
    """The length of a player's shortest path."""
    return len(path(state, number).spots) - 1


def detour(state: State) -> int:
    """The most steps that one wall of the player to move can add to the opponent's path."""
    other = 3 - state.turn
    walls = [each.action for each in state.scene().choices if each.role == "wall"]
    return max(steps(after(state, wall), other) for wall in walls) - steps(state, other)


def middle_marks(state: State, found: Analysis) -> list[Note]:
    """Steps labelled with the chance to win."""
    return [
        move(state, each.name, chance(each), OTHER if rank else BEST)
        for rank, each in enumerate(found.candidates)
        if is_step(each.name)
    ]


def bridge_marks(state: State, found: Analysis) -> list[Mark]:
    best, other = found.line[0], 3 - state.turn
    return [path(state, other, OTHER), path(after(state, best), other), move(state, best, "", BEST)]


def bridge_caption(state: State, found: Analysis) -> str:
    best, me, other = found.candidates[0], state.turn, 3 - state.turn
    step = next(each for each in found.candidates if is_step(each.name))
    return (
        f"Player {me} has {counted(steps(state, me), 'step')} to go, player {other} only {steps(state, other)}. The "
        f"{moves(state, [best.name])} makes {steps(after(state, best.name), other)} of them: {value_text(best)}. The "
        f"{moves(state, [step.name])} is {value_text(step)}. Best line: {moves(state, found.line)}."
    )


def door_caption(state: State, found: Analysis) -> str:
    best, me, other = found.candidates[0], state.turn, 3 - state.turn
    step = shortest_path(state.scene(), pawn(state, me), state.scene().rows - 1)[1]
    name = "{},{}".format(*step)
    return (
        f"After the {moves(state, [name])} one wall of player {other} would cost player {me} "
        f"{counted(detour(after(state, name)), 'step')}; after the {moves(state, [best.name])}, only "
        f"{detour(after(state, best.name))}. That is {value_text(best)}: {moves(state, found.line)}. The next best "
        f"move is {listed(state, found.candidates[1:2])}."
    )


def lane_caption(state: State, found: Analysis) -> str:
    me, other, forced = state.turn, 3 - state.turn, found.forced
    assert forced is not None and forced < 0
    return (
        f"No walls are left; player {me} has {counted(steps(state, me), 'step')} to go, player {other} has "
        f"{steps(state, other)}. And yet player {me} loses, in {counted(-forced, 'move')}: "
        f"{moves(state, playout(state, RACER, -forced))}."
    )


def spare_marks(state: State, found: Analysis) -> list[Note]:
    """The winning walls, and the steps that only draw."""
    winning = [move(state, each.name, "", BEST) for each in found.candidates if each.value > 0]
    return [*winning, *(move(state, each.name, "=", OTHER) for each in found.candidates if is_step(each.name))]


def spare_caption(state: State, found: Analysis) -> str:
    winning = [each for each in found.candidates if each.value > 0]
    drawn = [each.name for each in found.candidates if is_step(each.name)]
    assert not any(is_step(each.name) for each in winning)
    assert all(each.value == 0 for each in found.candidates if each.name in drawn)
    idle = [
        each
        for each in winning
        if all(steps(after(state, each.name), number) == steps(state, number) for number in (1, 2))
    ]
    assert len(idle) == len(winning)
    return (
        f"The bot `perfect`, which knows all positions of this board, says: {len(winning)} walls win, those in green, "
        f"and none of them makes any way longer. The {' and the '.join(map(state.game.phrase_of, drawn))} only draw."
    )


def wait_marks(state: State, found: Analysis) -> list[Note]:
    """The waiting moves and the moves that follow, numbered."""
    before = state.copy()
    names: list[str] = []
    while len(names) < 2 * WAITED:
        names.append(before.game.name_of(before.undo()))
    return line(before, [*reversed(names), *playout(state, RACER, 2)])


def wait_caption(state: State, found: Analysis) -> str:
    me, other, forced = state.turn, 3 - state.turn, found.forced
    assert forced is not None and forced < 0
    return (
        f"Player {me} has spent its last {WAITED} walls, 1 to {2 * WAITED - 1}, on waiting, and player {other}, who "
        f"could do nothing at all, has passed after each. Now player {me} must step aside, and loses in "
        f"{counted(-forced, 'move')}: {moves(state, playout(state, RACER, -forced))}."
    )


DIAGRAMS = (
    Diagram(
        "gaterun-middle",
        *from_game(1, 4),
        DEEP,
        middle_marks,
        lambda state, found: f"The best moves: {listed(state, found.candidates)}.",
    ),
    Diagram("gaterun-bridge", *from_game(2, 24), DEEP, bridge_marks, bridge_caption),
    Diagram("gaterun-door", *from_game(3, 22), DEEP, lambda state, found: line(state, found.line), door_caption),
    Diagram(
        "gaterun-lane",
        *from_game(4, 39),
        RACER,
        lambda state, found: [path(state, 1), path(state, 2), *line(state, playout(state, RACER, 4))],
        lane_caption,
    ),
    Diagram(
        "gaterun-spare",
        "A board of 4×4 with 3 walls each",
        lambda: rookery.game("gaterun", size=4, walls=3).position("1,2/2,2 1,0|1,1;2,1|2,2;1,3|2,3 P2 1/2 -/- 5"),
        "perfect",
        spare_marks,
        spare_caption,
    ),
    Diagram("gaterun-wait", *from_game(5, 31), RACER, wait_marks, wait_caption),
)
