"""GateRun when no wall can be placed or turned any more: a *race*, solved for every pair of pawns at once.

The players alternate, a player with no step and no jump passes, and endless play is a draw; the draws by repetition and
by length are left out. This is retrograde analysis (chessprogramming wiki, "Retrograde Analysis"): wins and losses
spread from the ends of the game backwards.

The solution for given jumps left takes `RACE_WORDS` words: for each player to move and each cell of P2 two sets of P1's
cells, those from which P1 wins and those from which P2 wins. A pair of cells in neither set is a draw, or no position
at all: both pawns on one cell, or both on their goal rows. Since a set is one word, one operation settles all cells of
P1.
"""

from __future__ import annotations

from typing import NamedTuple

from rookery.games.gaterun.geometry import goal, neighbours, popcount

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Words
    from rookery.games.gaterun.geometry import Board

MOST_CELLS = 49
"""The cells of the largest board."""
TURN_WORDS = 2 * MOST_CELLS
RACE_WORDS = 2 * TURN_WORDS
"""Words of a solution for given jumps left."""
LENGTH_WORDS = 2 * MOST_CELLS * MOST_CELLS
"""Words of the lengths for given jumps left."""


class RacePlace(NamedTuple):
    """A position of a race: the jumps both players have left, the player to move, and the cells of the pawns."""

    jump1: int
    jump2: int
    turn: int
    pawn1: int
    pawn2: int


def index_of(jump1: int, jump2: int) -> int:
    """The index of the solution for these jumps left among the solutions of a race."""
    return jump1 + 2 * jump2


def race_words(jump1: int, jump2: int) -> int:
    """The size of the solutions of a race with up to these jumps left, each 0 or 1."""
    return (index_of(jump1, jump2) + 1) * RACE_WORDS


def length_words(jump1: int, jump2: int) -> int:
    """The size of the lengths with up to these jumps left."""
    return (index_of(jump1, jump2) + 1) * LENGTH_WORDS


def race_winner(solved: Words, place: RacePlace) -> int:
    """The player who wins a solved race; 0 for a draw."""
    at = index_of(place.jump1, place.jump2) * RACE_WORDS + (place.turn - 1) * TURN_WORDS + 2 * place.pawn2
    if (solved[at] >> place.pawn1) & 1:
        return 1
    return 2 if (solved[at + 1] >> place.pawn1) & 1 else 0


def race_length(lengths: Words, place: RacePlace) -> int:
    """The plies to the end if the winner hurries and the loser holds out; 0 where it is a draw or over."""
    start = index_of(place.jump1, place.jump2) * LENGTH_WORDS
    return lengths[start + ((place.turn - 1) * MOST_CELLS + place.pawn2) * MOST_CELLS + place.pawn1]


def runs_free(board: Board, cell: int, target: int, steps: int, reach: int) -> bool:
    """Whether a player reaches the target in `steps` steps wherever the other goes, who may be anywhere in `reach`."""
    n, east, south = board
    here = 1 << cell
    for _ in range(steps):
        here = neighbours(here, east, south, n) & ~reach
        reach |= neighbours(reach, east, south, n)
    return (here & target) != 0


def solve_race(solved: Words, board: Board, jump1: int, jump2: int) -> None:
    """Write the solutions of a race with up to these jumps left."""
    for left2 in range(jump2 + 1):
        for left1 in range(jump1 + 1):
            set_ends(solved, index_of(left1, left2) * RACE_WORDS, board.n)
            spread(solved, board, left1, left2)


def set_ends(solved: Words, start: int, n: int) -> None:
    """Write down what is over, and nothing else: a pawn on its goal row has won, whoever is to move."""
    goal1, goal2 = goal(n, 1), goal(n, 2)
    for cell in range(n * n):
        here = 1 << cell
        for at in range(start + 2 * cell, start + RACE_WORDS, TURN_WORDS):
            solved[at] = 0 if goal2 & here else goal1 & ~here
            solved[at + 1] = cells_before_goal(n) & ~here if goal2 & here else 0


def cells_before_goal(n: int) -> int:
    """The cells on which P1 has not reached its goal row."""
    return (1 << (n * (n - 1))) - 1


def spread(solved: Words, board: Board, jump1: int, jump2: int) -> None:
    """Spread wins and losses from the ends until nothing changes.

    What P2, to move, can do from a cell depends on what P1 can do when P2 stands on a cell next to it; what P1 can do
    depends on what P2 can do from the same cell. So a cell is looked at again whenever one next to it has changed.
    """
    n, east, south = board
    one = index_of(jump1, jump2) * RACE_WORDS
    two = one + TURN_WORDS
    jumped1, jumped2 = index_of(0, jump2) * RACE_WORDS + TURN_WORDS, index_of(jump1, 0) * RACE_WORDS
    playing = ((1 << (n * n)) - 1) & ~goal(n, 2)
    changed = playing
    while changed != 0:
        due, changed = changed, 0
        while due != 0:
            here = due & -due
            due ^= here
            cell = popcount(here - 1)
            won, lost = turn_of_two(solved, one, jumped2, board, jump2, cell)
            solved[two + 2 * cell] |= won
            solved[two + 2 * cell + 1] |= lost
            won, lost = turn_of_one(solved, two, jumped1, board, jump1, cell)
            won |= solved[one + 2 * cell]
            lost |= solved[one + 2 * cell + 1]
            if won != solved[one + 2 * cell] or lost != solved[one + 2 * cell + 1]:
                solved[one + 2 * cell] = won
                solved[one + 2 * cell + 1] = lost
                near = neighbours(here, east, south, n)
                changed |= near & playing
                if (near & (near - 1)) == 0:
                    changed |= here  # P2 may have to pass there


def turn_of_one(solved: Words, two: int, jumped: int, board: Board, jump: int, cell: int) -> tuple[int, int]:
    """The cells from which P1, to move, wins and loses against P2 on a cell.

    `two` and `jumped` are where the solutions with P2 to move start: with the same jumps left, and after P1's jump.
    """
    n, east, south = board
    here = 1 << cell
    near = neighbours(here, east, south, n)
    won, kept = solved[two + 2 * cell], ~solved[two + 2 * cell + 1]
    wins = neighbours(won & ~here, east, south, n)
    safe = neighbours(kept & ~here & ((1 << (n * n)) - 1), east, south, n)
    stuck = closed_cells(board) | (dead_ends(board) & near)
    if jump:
        stuck &= ~jumps_over(here, near, n, -1)
        wins |= jumps_over(here, near, n, solved[jumped + 2 * cell])
        safe |= jumps_over(here, near, n, ~solved[jumped + 2 * cell + 1])
    wins |= stuck & won
    safe |= stuck & kept
    mine = cells_before_goal(n) & ~here
    return wins & mine, ~safe & mine


def turn_of_two(solved: Words, one: int, jumped: int, board: Board, jump: int, cell: int) -> tuple[int, int]:
    """The cells of P1 from which it wins and loses when P2, to move, stands on a cell; `one` and `jumped` as above."""
    n, east, south = board
    here = 1 << cell
    near = neighbours(here, east, south, n)
    won, lost = -1, 0
    if near & (here << 1):
        won &= solved[one + 2 * cell + 2] | (here << 1)
        lost |= solved[one + 2 * cell + 3]
    if near & (here >> 1):
        won &= solved[one + 2 * cell - 2] | (here >> 1)
        lost |= solved[one + 2 * cell - 1]
    if near & (here << n):
        won &= solved[one + 2 * (cell + n)] | (here << n)
        lost |= solved[one + 2 * (cell + n) + 1]
    if near & (here >> n):
        won &= solved[one + 2 * (cell - n)] | (here >> n)
        lost |= solved[one + 2 * (cell - n) + 1]
    stuck = 0
    if (near & (near - 1)) == 0:
        stuck = near if near else -1
    if jump:
        for delta in (1, -1, n, -n):
            over = shifted(here, delta)
            if near & over and neighbours(over, east, south, n) & shifted(over, delta):
                beyond = jumped + 2 * (cell + 2 * delta)
                stuck &= ~over
                won &= solved[beyond] | ~over
                lost |= solved[beyond + 1] & over
    won &= solved[one + 2 * cell] | ~stuck
    lost |= solved[one + 2 * cell + 1] & stuck
    theirs = cells_before_goal(n) & ~here
    return won & theirs, lost & theirs


def closed_cells(board: Board) -> int:
    """The cells with no open edge."""
    n, east, south = board
    return ((1 << (n * n)) - 1) & ~(east | (east << 1) | south | (south << n))


def dead_ends(board: Board) -> int:
    """The cells with a single open edge."""
    n, east, south = board
    west, north = east << 1, south << n
    several = (east & west) | (south & north) | ((east | west) & (south | north))
    return (east | west | south | north) & ~several


def jumps_over(here: int, near: int, n: int, landing: int) -> int:
    """The cells of P1 from which a jump over P2 lands on one of these; `near` are the cells that P2 is open to."""
    cells = 0
    for delta in (1, n):
        ahead, back = here << delta, here >> delta
        if near & ahead and near & back:
            if landing & ahead:
                cells |= back
            if landing & back:
                cells |= ahead
    return cells


def shifted(here: int, delta: int) -> int:
    """A set of cells moved forward by `delta`, or back if it is negative."""
    return here << delta if delta > 0 else here >> -delta


def solve_lengths(solved: Words, lengths: Words, board: Board, jump1: int, jump2: int) -> None:
    """Write the solutions of a race as `solve_race` does, and the lengths of its games.

    Round `plies` settles the games of that length. The player to move wins in an odd number of plies and loses in an
    even one, so a round reads nothing that it writes, neither with the same jumps left nor with others.
    """
    for k in range(length_words(jump1, jump2)):
        lengths[k] = 0
    for left2 in range(jump2 + 1):
        for left1 in range(jump1 + 1):
            set_ends(solved, index_of(left1, left2) * RACE_WORDS, board.n)
    plies, last = 0, 0
    while plies - last < 2:
        plies += 1
        for left2 in range(jump2 + 1):
            for left1 in range(jump1 + 1):
                if settle(solved, lengths, board, left1, left2, plies):
                    last = plies


def settle(solved: Words, lengths: Words, board: Board, jump1: int, jump2: int, plies: int) -> bool:
    """Mark the positions that end after exactly `plies` plies; return whether there are any."""
    n, one = board.n, index_of(jump1, jump2) * RACE_WORDS
    two = one + TURN_WORDS
    jumped1, jumped2 = index_of(0, jump2) * RACE_WORDS + TURN_WORDS, index_of(jump1, 0) * RACE_WORDS
    start = index_of(jump1, jump2) * LENGTH_WORDS
    found = False
    for cell in range(n, n * n):
        wins1, losses1 = turn_of_one(solved, two, jumped1, board, jump1, cell)
        losses2, wins2 = turn_of_two(solved, one, jumped2, board, jump2, cell)
        if plies % 2:
            fresh1, fresh2, at1, at2 = wins1, wins2, one + 2 * cell, two + 2 * cell + 1
        else:
            fresh1, fresh2, at1, at2 = losses1, losses2, one + 2 * cell + 1, two + 2 * cell
        fresh1, fresh2 = fresh1 & ~solved[at1], fresh2 & ~solved[at2]
        solved[at1] |= fresh1
        solved[at2] |= fresh2
        write_plies(lengths, start + cell * MOST_CELLS, fresh1, plies)
        write_plies(lengths, start + (MOST_CELLS + cell) * MOST_CELLS, fresh2, plies)
        found = found or fresh1 != 0 or fresh2 != 0
    return found


def write_plies(lengths: Words, at: int, cells: int, plies: int) -> None:
    """Write the number of plies for each of the cells."""
    while cells != 0:
        lengths[at + popcount((cells & -cells) - 1)] = plies
        cells &= cells - 1
