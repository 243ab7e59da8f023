"""The rules of Gotham Loops: seven loops from home through a city where entering a new cell is a gamble.

Cells are numbered row by row from the top. One word for each cell has the rounds that visited it, as bits, including
the current round. Tables after these words hold what never changes. Actions are the four directions; the outcomes of a
check are `SAFE` and `CAUGHT`.
"""

from __future__ import annotations

from rookery.core.rules import CHANCE, DOWN, LEFT, OVER, RIGHT, STATE_SIZE, TURN, UP
from rookery.core.stream import below, happens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Weights, Words

ROUNDS = 7
TABLE, ONLINE, APP = 0, 1, 2
"""The rule sets. `app` is what the published web app does, `online` the plain reading of its text."""
SAFE, CAUGHT = 4, 5

CITY_SIZE = 2
COINS = 3
RULES = 4
ROUND = 5
"""The current round, from 0; 7 when the game is over."""
AT = 6
ENTERING = 7
"""The cell whose entry is being checked, −1 if none is."""
POINTS = 8
"""Points of the current round."""
TOTAL = 9
BANKED = 10
"""Points of each finished round; seven words."""
FAILED = 17
"""For each finished round the cell where it failed, −1 if it came home; seven words."""
HOME = 24
CITY = 25
"""Start of a table with one word for each cell: its distance from home times 16, plus a bit for each direction in which
it has a neighbour."""
RISKS = 26
"""Start of a table of the probabilities that a check fails, in units of 2^−53, rounded up; see `risk_index`."""
VISITS = 27

UNIT = 1 << 53
LEAST_ODDS = 0.1
"""Under the rules `app` no check passes with a smaller probability."""


def most_flips(config: Sequence[int]) -> int:
    """The most flips of a cell: one step from home, it and its four neighbours visited in all rounds but the last."""
    return config[0] - 1 + 5 * (ROUNDS - 1)


def risk_count(config: Sequence[int]) -> int:
    """Entries of the table of risks."""
    return ROUNDS * config[0] if config[2] == APP else most_flips(config) + 1


def size(config: Sequence[int]) -> int:
    return VISITS + 2 * config[0] * config[0] + risk_count(config)


def start(s: Words, config: Sequence[int]) -> None:
    """The configuration is: size (odd), coins, rule set."""
    n = config[0]
    s[STATE_SIZE] = size(config)
    s[TURN] = 1
    s[CITY_SIZE] = n
    s[COINS] = config[1]
    s[RULES] = config[2]
    s[HOME] = (n * n) // 2
    s[AT] = s[HOME]
    s[ENTERING] = -1
    for k in range(ROUNDS):
        s[FAILED + k] = -1
    s[CITY] = VISITS + n * n
    s[RISKS] = s[CITY] + n * n
    for row in range(n):
        for col in range(n):
            away = abs(row - n // 2) + abs(col - n // 2)
            ways = int(row > 0) << UP | int(col < n - 1) << RIGHT | int(row < n - 1) << DOWN | int(col > 0) << LEFT
            s[s[CITY] + row * n + col] = away << 4 | ways
    for index in range(risk_count(config)):
        share = indexed_risk(s, index) * UNIT
        s[s[RISKS] + index] = int(share) + int(share > int(share))


def all_wrong(coins: int, count: int) -> float:
    """The probability that none of `count` throws of the coins shows heads on all of them."""
    power, base = 1.0, 1.0 - 1.0 / (1 << coins)
    while count > 0:
        if count & 1:
            power *= base
        base *= base
        count >>= 1
    return power


def home(s: Words) -> int:
    return s[HOME]


def distance(s: Words, cell: int) -> int:
    """Steps from home."""
    return s[s[CITY] + cell] >> 4


def has_way(s: Words, cell: int, direction: int) -> int:
    """1 if the cell has a neighbour in this direction, else 0."""
    return (s[s[CITY] + cell] >> direction) & 1


def neighbour(s: Words, cell: int, direction: int) -> int:
    """The neighbour in a direction, or −1 off the board."""
    if not has_way(s, cell, direction):
        return -1
    if direction == UP:
        return cell - s[CITY_SIZE]
    if direction == RIGHT:
        return cell + 1
    if direction == DOWN:
        return cell + s[CITY_SIZE]
    return cell - 1


def bits_set(x: int) -> int:
    count = 0
    while x:
        x &= x - 1
        count += 1
    return count


def earlier(s: Words, cell: int) -> int:
    """The earlier rounds that visited a cell, as bits."""
    return s[VISITS + cell] & ((1 << s[ROUND]) - 1)


def entered(s: Words, cell: int) -> bool:
    """Whether a cell was entered in the current round."""
    return ((s[VISITS + cell] >> s[ROUND]) & 1) != 0


def extra_flips(s: Words, cell: int) -> int:
    """The flips that earlier rounds add: one for each visit to the cell or a neighbour; under `online` and `app`, one
    for each round with such a visit.
    """
    rounds = earlier(s, cell)
    extra = bits_set(rounds)
    for direction in range(4):
        beside = neighbour(s, cell, direction)
        if beside >= 0:
            extra += bits_set(earlier(s, beside))
            rounds |= earlier(s, beside)
    return extra if s[RULES] == TABLE else bits_set(rounds)


def flips(s: Words, cell: int) -> int:
    """How often the coins may be thrown to enter a cell. Under `app` the odds differ a little: see `app_odds`."""
    return s[CITY_SIZE] - distance(s, cell) + extra_flips(s, cell)


def app_odds(s: Words, away: int, extra: int) -> float:
    """The probability to pass a check under the rules `app`, by the distance from home and the extra flips.

    The web app takes the odds of the first round and scales them by how much the extra flips would add to a cell with
    one flip less.
    """
    base = max(1, s[CITY_SIZE] - 1 - away)
    first = max(LEAST_ODDS, 1.0 - all_wrong(s[COINS], s[CITY_SIZE] - away))
    gain = (1.0 - all_wrong(s[COINS], base + extra)) / (1.0 - all_wrong(s[COINS], base))
    return max(LEAST_ODDS, min(1.0, gain * first))


def risk_index(s: Words, cell: int) -> int:
    """The entry of the table of risks for a cell: its flips; under `app`, its distance from home and extra flips."""
    return ROUNDS * distance(s, cell) + extra_flips(s, cell) if s[RULES] == APP else flips(s, cell)


def indexed_risk(s: Words, index: int) -> float:
    """The probability that a check fails, by `risk_index`."""
    if s[RULES] == APP:
        return 1.0 - app_odds(s, index // ROUNDS, index % ROUNDS)
    return all_wrong(s[COINS], index)


def risk(s: Words, cell: int) -> float:
    """The probability that the check of a cell fails."""
    return indexed_risk(s, risk_index(s, cell))


def worth(s: Words, cell: int) -> int:
    """The points for entering a cell now."""
    if entered(s, cell):
        return 0
    return max(0, distance(s, cell) - bits_set(earlier(s, cell)))


def needs_check(s: Words, cell: int) -> bool:
    if cell == home(s):
        return False
    return s[RULES] != TABLE or not entered(s, cell)


def legal(s: Words, action: int) -> bool:
    if s[TURN] == CHANCE:
        return action == SAFE or action == CAUGHT
    return s[TURN] != OVER and action < SAFE and has_way(s, s[AT], action) == 1


def actions(s: Words, out: Words) -> int:
    count = 0
    for direction in range(4):
        if has_way(s, s[AT], direction):
            out[count] = direction
            count += 1
    return count


def pick(s: Words, r: Words) -> int:
    action = below(r, 4)
    while not has_way(s, s[AT], action):
        action = below(r, 4)
    return action


def perform(s: Words, action: int) -> None:
    if action == SAFE:
        enter(s, s[ENTERING])
        s[TURN] = 1
    elif action == CAUGHT:
        s[FAILED + s[ROUND]] = s[ENTERING]
        if s[RULES] == APP:
            s[VISITS + s[ENTERING]] |= 1 << s[ROUND]
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


def enter(s: Words, cell: int) -> None:
    s[POINTS] += worth(s, cell)
    s[VISITS + cell] |= 1 << s[ROUND]
    s[AT] = cell
    s[ENTERING] = -1


def end_round(s: Words, points: int) -> None:
    """Bank the points, and start the next round at home if there is one."""
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
    return CAUGHT if happens(r, s[s[RISKS] + risk_index(s, s[ENTERING])]) else SAFE


def score(s: Words, player: int) -> float:
    """The points banked so far."""
    return float(s[TOTAL])


def winner(s: Words) -> int:
    """Always 0: only points count."""
    return 0


def moves(s: Words, made: int) -> int:
    """Steps tried, including those that failed."""
    return made


def tally(s: Words, counts: Words) -> None:
    """Two maps: how many rounds visited each cell, and how many failed there."""
    cells = s[CITY_SIZE] * s[CITY_SIZE]
    for cell in range(cells):
        counts[cell] += bits_set(s[VISITS + cell])
    for k in range(ROUNDS):
        if s[FAILED + k] >= 0:
            counts[cells + s[FAILED + k]] += 1
