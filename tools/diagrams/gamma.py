"""The diagrams of docs/gamma-play.md."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tools.diagrams.diagram import Diagram, after, from_game, moves, signed
from tools.pictures.board import BEST, OTHER, PLAYERS, Mark, Shade, line, move

import rookery
from rookery.core.bot import Analysis
from rookery.core.notation import counted
from rookery.core.scene import Spot
from rookery.core.state import State

DEEP = "settler:nodes=6000"


@cache
def evaluate(position: str, name: str) -> tuple[float, float]:
    """The chance to win with a move, and the lead in cells at the end, from a search of the position after it.

    Every move gets a search of its own: among a bot's candidates, only the best has been searched deeply.
    """
    state = rookery.game("gamma").position(position)
    me, then = state.turn, after(state, name)
    if then.over:
        scores = then.scores()
        return float(then.winners() == (me,)), scores[me - 1] - scores[2 - me]
    found = rookery.bot("gamma", DEEP).analyse(then)
    assert found.win is not None and then.turn != me
    return 1 - found.win, -found.value


def chances(state: State, names: Sequence[str]) -> list[Mark]:
    """Moves labelled with the chance to win; the first is the best."""
    return [
        move(state, name, f"{100 * evaluate(state.position(), name)[0]:.0f}%", OTHER if rank else BEST)
        for rank, name in enumerate(names)
    ]


def compared(state: State, names: Sequence[str], notes: Sequence[str]) -> str:
    """Moves with a description and their value."""
    parts = []
    for name, note in zip(names, notes, strict=True):
        win, lead = evaluate(state.position(), name)
        parts.append(f"{state.game.phrase_of(name)}{note} {100 * win:.0f}%, {signed(lead)} cells")
    return "; ".join(parts)


def check_best(found: Analysis, name: str) -> None:
    """Check that the bot still finds the move that the diagram is about."""
    assert found.line[0] == name, f"the bot now finds {found.line[0]}"


def areas(state: State, number: int) -> int:
    """How many areas a player has."""
    shown = next(p.value for p in state.scene().panels if p.owner == number and p.label == "areas")
    return int(shown.partition(" of ")[0])


def cells(state: State, number: int) -> int:
    """How many cells a player has."""
    return int(state.scores()[number - 1])


def reachable(state: State, number: int) -> set[Spot]:
    """The free cells that a player's areas can grow to."""
    scene = state.scene()
    spots = {(row, col): scene.cell(row, col).owner for row in range(scene.rows) for col in range(scene.cols)}
    found: set[Spot] = set()
    ends = [spot for spot, owner in spots.items() if owner == number]
    while ends:
        row, col = ends.pop()
        for spot in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            if spots.get(spot) == 0 and spot not in found:
                found.add(spot)
                ends.append(spot)
    return found


AREAS = ("m 7 7", "m 6 1", "m 0 9")
GOLDEN = ("g 3 3", "m 5 1", "m 6 2")
JOIN = ("m 7 3", "m 6 0", "m 2 6")
SEAL = ("m 2 2", "m 1 1", "m 8 4")


def areas_caption(state: State, found: Analysis) -> str:
    check_best(found, AREAS[0])
    why = ", a new area beside the other's:", ", more of an old one:", ", a new one far away:"
    return f"{compared(state, AREAS, why)}."


def golden_caption(state: State, found: Analysis) -> str:
    """The bot's first choice may be another golden move; a search of its own shows this one to be better."""
    best, position = GOLDEN[0], state.position()
    assert found.line[0].startswith("g") and evaluate(position, best)[0] >= evaluate(position, found.line[0])[0]
    reply = rookery.bot("gamma", DEEP).analyse(after(state, best))
    return f"{compared(state, GOLDEN, (':', ':', ':'))}. Best line: {moves(state, (best, *reply.line))}."


def join_caption(state: State, found: Analysis) -> str:
    check_best(found, JOIN[0])
    me = state.turn
    now, then = areas(state, me), areas(after(state, JOIN[0]), me)
    assert then < now
    return (
        f"The move “{moves(state, JOIN[:1])}” makes {then} areas of player {me}'s {now}. "
        f"{compared(state, JOIN, (':', ':', ':'))}. Best line: {moves(state, found.line)}."
    )


def seal_caption(state: State, found: Analysis) -> str:
    check_best(found, SEAL[0])
    return f"{compared(state, SEAL, (':', ':', ':'))}. Best line: {moves(state, found.line)}."


def count_marks(state: State, found: Analysis) -> list[Mark]:
    """The free cells that only one of the players can reach."""
    one, two = reachable(state, 1), reachable(state, 2)
    return [Shade(tuple(sorted(one - two)), PLAYERS[1]), Shade(tuple(sorted(two - one)), PLAYERS[2])]


def count_caption(state: State, found: Analysis) -> str:
    one, two, me = reachable(state, 1), reachable(state, 2), state.turn
    least, most = cells(state, 2) + len(two - one), cells(state, 1) + len(one)
    assert me == 2 and found.forced is not None and found.forced > 0
    return (
        f"Player 2 has {cells(state, 2)} cells and {len(two - one)} that only it can reach: {least}. Player 1 has "
        f"{cells(state, 1)}, {len(one - two)} that only it can reach, and {len(one & two)} that both can: {most} at "
        f"most. The bot has proved it too: won, with {counted(found.forced, 'move')} to go."
    )


def last_caption(state: State, found: Analysis) -> str:
    me, name = state.turn, found.line[0]
    assert found.forced == 1
    one, two = (cells(state, number) for number in (1, 2))
    then = after(state, name)
    return (
        f"The board is full, {one} cells to {two}. But player {me} has its golden move left, and "
        f"{moves(state, [name])} wins with {cells(then, 2)} to {cells(then, 1)}."
    )


DIAGRAMS = (
    Diagram("gamma-areas", *from_game(6, 5), DEEP, lambda state, found: chances(state, AREAS), areas_caption),
    Diagram("gamma-golden", *from_game(7, 11), DEEP, lambda state, found: chances(state, GOLDEN), golden_caption),
    Diagram("gamma-join", *from_game(8, 17), DEEP, lambda state, found: chances(state, JOIN), join_caption),
    Diagram("gamma-seal", *from_game(9, 39), DEEP, lambda state, found: chances(state, SEAL), seal_caption),
    Diagram("gamma-count", *from_game(9, 63), DEEP, count_marks, count_caption),
    Diagram("gamma-last", *from_game(10, 101), DEEP, lambda state, found: line(state, found.line), last_caption),
)
