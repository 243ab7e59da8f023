"""The rules of Gotham Loops: seven loops from home through a city where every new cell is a gamble.

Cells are numbered row by row from the top. A word a cell holds the rounds in which it was visited, one bit each, the
current round's among them. Actions are the four directions; the outcomes of a check are `SAFE` and `CAUGHT`.
"""

from __future__ import annotations

from rookery.core.rules import CHANCE, DOWN, LEFT, OVER, PROPER, RIGHT, TURN, UP
from rookery.core.stream import uniform

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Weights, Words

ROUNDS = 7
TABLE, ONLINE = 0, 1
SAFE, CAUGHT = 4, 5

SIZE = 2
COINS = 3
RULES = 4
ROUND = 5
"""The current round, from 0; 7 when the game is over."""
AT = 6
ENTERING = 7
"""The cell whose entry is being checked, −1 if none is."""
POINTS = 8
"""Of the round under way."""
TOTAL = 9
BANKED = 10
"""Points of each finished round; seven words."""
FAILED = 17
"""For each finished round the cell where it failed, or −1; seven words."""
VISITS = 24


def size(config: Sequence[int]) -> int:
    return VISITS + config[0] * config[0]


def start(s: Words, config: Sequence[int]) -> None:
    """The configuration is: size (odd), coins, rule set."""
    s[PROPER] = size(config)
    s[TURN] = 1
    s[SIZE] = config[0]
    s[COINS] = config[1]
    s[RULES] = config[2]
    s[AT] = home(s)
    s[ENTERING] = -1
    for k in range(ROUNDS):
        s[FAILED + k] = -1


def home(s: Words) -> int:
    return (s[SIZE] * s[SIZE]) // 2


def distance(s: Words, cell: int) -> int:
    """Steps from home."""
    n = s[SIZE]
    return abs(cell // n - n // 2) + abs(cell % n - n // 2)


def neighbour(s: Words, cell: int, direction: int) -> int:
    """The cell one step on, or −1 off the board."""
    n = s[SIZE]
    if direction == UP:
        return cell - n if cell >= n else -1
    if direction == RIGHT:
        return cell + 1 if cell % n < n - 1 else -1
    if direction == DOWN:
        return cell + n if cell < n * (n - 1) else -1
    if direction == LEFT:
        return cell - 1 if cell % n > 0 else -1
    return -1


def bits_set(x: int) -> int:
    count = 0
    while x:
        x &= x - 1
        count += 1
    return count


def earlier(s: Words, cell: int) -> int:
    """The previous rounds in which a cell was visited, as bits."""
    return s[VISITS + cell] & ((1 << s[ROUND]) - 1)


def entered(s: Words, cell: int) -> bool:
    """Whether a cell was entered in this round."""
    return ((s[VISITS + cell] >> s[ROUND]) & 1) != 0


def flips(s: Words, cell: int) -> int:
    """How often the coins may be thrown for entering a cell."""
    rounds = earlier(s, cell)
    extra = bits_set(rounds)
    for direction in range(4):
        beside = neighbour(s, cell, direction)
        if beside >= 0:
            extra += bits_set(earlier(s, beside))
            rounds |= earlier(s, beside)
    if s[RULES] == ONLINE:
        extra = bits_set(rounds)
    return s[SIZE] - 1 - distance(s, cell) + 1 + extra


def risk(s: Words, cell: int) -> float:
    """The probability that all flips for a cell go wrong."""
    power, base, left = 1.0, 1.0 - 1.0 / (1 << s[COINS]), flips(s, cell)
    while left > 0:
        if left & 1:
            power *= base
        base *= base
        left >>= 1
    return power


def worth(s: Words, cell: int) -> int:
    """Points for entering a cell now."""
    if entered(s, cell):
        return 0
    return max(0, distance(s, cell) - bits_set(earlier(s, cell)))


def needs_check(s: Words, cell: int) -> bool:
    if cell == home(s):
        return False
    return s[RULES] == ONLINE or not entered(s, cell)


def legal(s: Words, action: int) -> bool:
    if s[TURN] == CHANCE:
        return action == SAFE or action == CAUGHT
    return s[TURN] != OVER and action < SAFE and neighbour(s, s[AT], action) >= 0


def actions(s: Words, out: Words) -> int:
    count = 0
    for direction in range(4):
        if neighbour(s, s[AT], direction) >= 0:
            out[count] = direction
            count += 1
    return count


def play(s: Words, action: int) -> bool:
    if not legal(s, action):
        return False
    if action == SAFE:
        enter(s, s[ENTERING])
        s[TURN] = 1
    elif action == CAUGHT:
        s[FAILED + s[ROUND]] = s[ENTERING]
        s[TURN] = 1
        end_round(s, 0)
    else:
        cell = neighbour(s, s[AT], action)
        if needs_check(s, cell):
            s[ENTERING] = cell
            s[TURN] = CHANCE
        else:
            enter(s, cell)
            if cell == home(s):
                end_round(s, s[POINTS])
    return True


def enter(s: Words, cell: int) -> None:
    s[POINTS] += worth(s, cell)
    s[VISITS + cell] |= 1 << s[ROUND]
    s[AT] = cell
    s[ENTERING] = -1


def end_round(s: Words, points: int) -> None:
    """Bank the points and begin the next round at home, if there is one."""
    s[BANKED + s[ROUND]] = points
    s[TOTAL] += points
    s[POINTS] = 0
    s[AT] = home(s)
    s[ENTERING] = -1
    s[ROUND] += 1
    if s[ROUND] == ROUNDS:
        s[TURN] = OVER


def chances(s: Words, out: Words, weights: Weights) -> int:
    q = risk(s, s[ENTERING])
    out[0], weights[0] = SAFE, 1.0 - q
    out[1], weights[1] = CAUGHT, q
    return 2


def draw(s: Words, r: Words) -> int:
    return CAUGHT if uniform(r) < risk(s, s[ENTERING]) else SAFE


def score(s: Words, player: int) -> float:
    """The points banked so far."""
    return float(s[TOTAL])
