"""GateRun when no wall can be placed or turned any more: a *race*, solved for every pair of pawns at once.

The sides alternate, a player with no step and no jump passes, and play without end is a draw; the draws by repetition
and by length are left out. The solution of a race, for given jumps left, is `RACE_WORDS` words: for each player to move
and each cell of P2 two sets of P1's cells, those from which P1 wins and those from which P2 wins. A pair of cells in
neither set is a draw, or no position at all: both pawns on one cell, or both at home.

Sets of cells are words, as in the rules, so that one look settles all cells of P1.
"""

from __future__ import annotations

from rookery.games.gaterun.rules import goal, many, neighbours

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Words

CELLS = 49
"""The cells of the largest board."""
TURN_WORDS = 2 * CELLS
RACE_WORDS = 2 * TURN_WORDS
"""Words of a solution for given jumps left."""
LENGTH_WORDS = 2 * CELLS * CELLS
"""Words of the lengths that go with it."""


def layer_of(jump1: int, jump2: int) -> int:
    """Where among the solutions of a race the one for these jumps left stands."""
    return jump1 + 2 * jump2


def race_room(jump1: int, jump2: int) -> int:
    """Words that the solutions of a race take with up to these jumps left, each 0 or 1."""
    return (layer_of(jump1, jump2) + 1) * RACE_WORDS


def length_room(jump1: int, jump2: int) -> int:
    """Words that the lengths take with up to these jumps left."""
    return (layer_of(jump1, jump2) + 1) * LENGTH_WORDS


def race_winner(out: Words, base: int, jump1: int, jump2: int, turn: int, pawn1: int, pawn2: int) -> int:
    """The player who wins a solved race; 0 for a draw."""
    at = base + layer_of(jump1, jump2) * RACE_WORDS + (turn - 1) * TURN_WORDS + 2 * pawn2
    if (out[at] >> pawn1) & 1:
        return 1
    return 2 if (out[at + 1] >> pawn1) & 1 else 0


def race_length(far: Words, base: int, jump1: int, jump2: int, turn: int, pawn1: int, pawn2: int) -> int:
    """The plies to the end if the winner hurries and the loser holds out; 0 where it is a draw or over."""
    return far[base + layer_of(jump1, jump2) * LENGTH_WORDS + ((turn - 1) * CELLS + pawn2) * CELLS + pawn1]


def runs_free(n: int, east: int, south: int, runner: int, home: int, steps: int, reach: int) -> bool:
    """Whether a player gets home in so many steps wherever the other goes, who may already be anywhere in `reach`."""
    here = 1 << runner
    for _ in range(steps):
        here = neighbours(here, east, south, n) & ~reach
        reach |= neighbours(reach, east, south, n)
    return (here & home) != 0


def solve_race(out: Words, base: int, n: int, east: int, south: int, jump1: int, jump2: int) -> None:
    """Write the solutions of a race with up to these jumps left into `out`, from `base` on."""
    for left2 in range(jump2 + 1):
        for left1 in range(jump1 + 1):
            set_ends(out, base + layer_of(left1, left2) * RACE_WORDS, n)
            spread(out, base, n, east, south, left1, left2)


def set_ends(out: Words, layer: int, n: int) -> None:
    """Write down what is over, and nothing else: a pawn on its goal row has won, whoever is to move."""
    goal1, goal2 = goal(n, 1), goal(n, 2)
    for cell in range(n * n):
        here = 1 << cell
        for at in range(layer + 2 * cell, layer + RACE_WORDS, TURN_WORDS):
            out[at] = 0 if goal2 & here else goal1 & ~here
            out[at + 1] = on_way(n) & ~here if goal2 & here else 0


def on_way(n: int) -> int:
    """The cells from which P1 has some way to go: all but its goal row."""
    return (1 << (n * (n - 1))) - 1


def spread(out: Words, base: int, n: int, east: int, south: int, jump1: int, jump2: int) -> None:
    """Spread wins from the ends until nothing changes.

    What P2, to move, can do from a cell hangs on what P1 can do when P2 stands on a cell next to it; what P1 can do
    hangs on what P2 can do from the same cell. So a cell is looked at again whenever one next to it has changed.
    """
    one = base + layer_of(jump1, jump2) * RACE_WORDS
    two = one + TURN_WORDS
    less1, less2 = base + layer_of(0, jump2) * RACE_WORDS + TURN_WORDS, base + layer_of(jump1, 0) * RACE_WORDS
    playing = ((1 << (n * n)) - 1) & ~goal(n, 2)
    waiting = playing
    while waiting != 0:
        due, waiting = waiting, 0
        while due != 0:
            here = due & -due
            due ^= here
            cell = many(here - 1)
            won, lost = turn_of_two(out, one, less2, n, east, south, jump2, cell)
            out[two + 2 * cell] |= won
            out[two + 2 * cell + 1] |= lost
            won, lost = turn_of_one(out, two, less1, n, east, south, jump1, cell)
            won |= out[one + 2 * cell]
            lost |= out[one + 2 * cell + 1]
            if won != out[one + 2 * cell] or lost != out[one + 2 * cell + 1]:
                out[one + 2 * cell] = won
                out[one + 2 * cell + 1] = lost
                near = neighbours(here, east, south, n)
                waiting |= near & playing
                if (near & (near - 1)) == 0:
                    waiting |= here  # P2 may have to pass there


def turn_of_one(
    out: Words, two: int, less: int, n: int, east: int, south: int, jump: int, cell: int
) -> tuple[int, int]:
    """The cells from which P1, to move, wins and loses against P2 on a cell.

    `two` and `less` are where the solutions with P2 to move stand: with the same jumps left, and after P1's jump.
    """
    here = 1 << cell
    near = neighbours(here, east, south, n)
    won, kept = out[two + 2 * cell], ~out[two + 2 * cell + 1]
    wins = neighbours(won & ~here, east, south, n)
    safe = neighbours(kept & ~here & ((1 << (n * n)) - 1), east, south, n)
    stuck = shut_in(n, east, south) | (one_way(n, east, south) & near)
    if jump:
        stuck &= ~jumps_over(here, near, n, -1)
        wins |= jumps_over(here, near, n, out[less + 2 * cell])
        safe |= jumps_over(here, near, n, ~out[less + 2 * cell + 1])
    wins |= stuck & won
    safe |= stuck & kept
    mine = on_way(n) & ~here
    return wins & mine, ~safe & mine


def turn_of_two(
    out: Words, one: int, less: int, n: int, east: int, south: int, jump: int, cell: int
) -> tuple[int, int]:
    """The cells of P1 from which it wins and loses when P2, to move, stands on a cell; `one` and `less` as above."""
    here = 1 << cell
    near = neighbours(here, east, south, n)
    won, lost = -1, 0
    if near & (here << 1):
        won &= out[one + 2 * cell + 2] | (here << 1)
        lost |= out[one + 2 * cell + 3]
    if near & (here >> 1):
        won &= out[one + 2 * cell - 2] | (here >> 1)
        lost |= out[one + 2 * cell - 1]
    if near & (here << n):
        won &= out[one + 2 * (cell + n)] | (here << n)
        lost |= out[one + 2 * (cell + n) + 1]
    if near & (here >> n):
        won &= out[one + 2 * (cell - n)] | (here >> n)
        lost |= out[one + 2 * (cell - n) + 1]
    pinned = 0
    if (near & (near - 1)) == 0:
        pinned = near if near else -1
    if jump:
        for delta in (1, -1, n, -n):
            over = shifted(here, delta)
            if near & over and neighbours(over, east, south, n) & shifted(over, delta):
                beyond = less + 2 * (cell + 2 * delta)
                pinned &= ~over
                won &= out[beyond] | ~over
                lost |= out[beyond + 1] & over
    won &= out[one + 2 * cell] | ~pinned
    lost |= out[one + 2 * cell + 1] & pinned
    theirs = on_way(n) & ~here
    return won & theirs, lost & theirs


def shut_in(n: int, east: int, south: int) -> int:
    """The cells with no open edge."""
    return ((1 << (n * n)) - 1) & ~(east | (east << 1) | south | (south << n))


def one_way(n: int, east: int, south: int) -> int:
    """The cells with a single open edge."""
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
    """The cell that lies so many further on, or back."""
    return here << delta if delta > 0 else here >> -delta


def solve_lengths(
    out: Words, base: int, far: Words, start: int, n: int, east: int, south: int, jump1: int, jump2: int
) -> None:
    """Write the solutions of a race as `solve_race` does, and the lengths of its games into `far`, from `start` on.

    After `plies` rounds just the games of so many plies are settled. Who is to move wins in an odd number of plies and
    loses in an even one, so that a round reads nothing it writes, with other jumps left neither.
    """
    for k in range(start, start + length_room(jump1, jump2)):
        far[k] = 0
    for left2 in range(jump2 + 1):
        for left1 in range(jump1 + 1):
            set_ends(out, base + layer_of(left1, left2) * RACE_WORDS, n)
    plies, last = 0, 0
    while plies - last < 2:
        plies += 1
        for left2 in range(jump2 + 1):
            for left1 in range(jump1 + 1):
                if settle(out, base, far, start, n, east, south, left1, left2, plies):
                    last = plies


def settle(
    out: Words,
    base: int,
    far: Words,
    start: int,
    n: int,
    east: int,
    south: int,
    jump1: int,
    jump2: int,
    plies: int,
) -> bool:
    """Settle the games of so many plies; whether there are any."""
    one = base + layer_of(jump1, jump2) * RACE_WORDS
    two = one + TURN_WORDS
    less1, less2 = base + layer_of(0, jump2) * RACE_WORDS + TURN_WORDS, base + layer_of(jump1, 0) * RACE_WORDS
    lengths = start + layer_of(jump1, jump2) * LENGTH_WORDS
    found = False
    for cell in range(n, n * n):
        wins1, losses1 = turn_of_one(out, two, less1, n, east, south, jump1, cell)
        losses2, wins2 = turn_of_two(out, one, less2, n, east, south, jump2, cell)
        if plies % 2:
            fresh1, fresh2, at1, at2 = wins1, wins2, one + 2 * cell, two + 2 * cell + 1
        else:
            fresh1, fresh2, at1, at2 = losses1, losses2, one + 2 * cell + 1, two + 2 * cell
        fresh1, fresh2 = fresh1 & ~out[at1], fresh2 & ~out[at2]
        out[at1] |= fresh1
        out[at2] |= fresh2
        note(far, lengths + cell * CELLS, fresh1, plies)
        note(far, lengths + (CELLS + cell) * CELLS, fresh2, plies)
        found = found or fresh1 != 0 or fresh2 != 0
    return found


def note(far: Words, at: int, cells: int, plies: int) -> None:
    """Write the number of plies for each of the cells."""
    while cells != 0:
        far[at + many((cells & -cells) - 1)] = plies
        cells &= cells - 1
