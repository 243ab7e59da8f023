"""The searches of 67!: sampled expectimax over a learned or a hand-made value, and flat Monte Carlo.

Each slide of the root is tried with new tiles drawn at random, and is worth the mean of what the best answer then is
worth: by the value of the position after it (two plies), or by going on from there, with more tiles and the best slide
by value each time (more plies). All slides are tried with the same draws, so that chance favours none of them. Those
that have done worst get no more tries when each has had its share (sequential halving): most go to the closest contest.
"""

from __future__ import annotations

from rookery.core.rules import CHANCE, OVER, TURN
from rookery.core.stream import below, bits, seed_stream
from rookery.games.sixseven.bots.heuristic import MADE, by_hand
from rookery.games.sixseven.bots.value import judge
from rookery.games.sixseven.rules import (
    DIGITS,
    EMPTY,
    FREE,
    RATE,
    SPAWN,
    TILE,
    WHOLE_RATE,
    WON,
    appear,
    can_slide,
    draw,
    operator_at,
    operator_count,
    perform,
    pick,
    slide,
)
from rookery.search.control import LIMIT as MOST_NODES
from rookery.search.control import NODES, STOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Weights, Words

PLIES, TRIES, ROUNDS, AGAIN, VALUED = 0, 1, 2, 3, 4
"""The words of `plan`: plies to look ahead, tries a slide on average, in how many rounds, tries of each answer (with
three plies or more), and how positions are valued."""
PLANS = 5
LEARNED, BY_HAND, PLAYED_OUT = 0, 1, 2
"""Ways to value a position: by weights, by hand, or by playing it out at random."""
COUNTS = 2 * SPAWN + SPAWN * SPAWN
"""Words that `tries` has."""
BOARDS = SPAWN + 5
"""Copies of the board that a search works with."""
APART = ("worth", "settle", "slid")
"""What is compiled once, and not for every call of it."""
LONGEST = 4000
"""Slides after which a play-out is broken off."""


def search(
    root: Words,
    boards: Sequence[Words],
    r: Words,
    control: Words,
    plan: Words,
    v: Weights,
    notes: Words,
    found: Words,
    tries: Words,
    sums: Weights,
) -> None:
    """Try the slides of the position `root`; write how often into `tries`, and what came of it into `sums`.

    A slide that cannot be made has no tries; where one wins, only that is tried. After the tries of the four slides
    there stand the rounds that each was in, and then for each slide how often each answer to it was the best. `boards`
    are copies to work with, the slides of the root in the first four.
    """
    left, many = 0, 0
    for word in range(len(tries)):
        tries[word] = 0
    for direction in range(SPAWN):
        sums[direction] = 0.0
    for direction in range(SPAWN):
        if can_slide(root, direction):
            slid(root, boards[direction], direction)
            if boards[direction][WON]:
                tries[direction] = 1
                sums[direction] = 1.0
                return
            left |= 1 << direction
            many += 1
    rounds = plan[ROUNDS] if many > 2 else 1
    total = plan[TRIES] * many
    for k in range(rounds):
        for direction in range(SPAWN):
            tries[SPAWN + direction] += (left >> direction) & 1
        for _ in range(max(1, total // (rounds * many))):
            again = bits(r)
            for direction in range(SPAWN):
                if (left >> direction) & 1:
                    seed_stream(r, again, 0)
                    value = sample(boards, direction, r, control, plan, v, notes, found, tries)
                    if control[STOP] and tries[direction] > 0:
                        return
                    tries[direction] += 1
                    sums[direction] += value
            if control[MOST_NODES] > 0 and control[NODES] >= control[MOST_NODES]:
                return
        fewer = (many + 1) // 2
        while k + 1 < rounds and many > fewer:
            left &= ~(1 << worst(left, tries, sums))
            many -= 1


def copy(s: Words, to: Words) -> None:
    for word in range(len(s)):
        to[word] = s[word]


def slid(s: Words, to: Words, direction: int) -> None:
    """Write a position after a slide."""
    copy(s, to)
    slide(to, direction)


def worst(left: int, tries: Words, sums: Weights) -> int:
    """Of the slides that are left, the one that has done worst."""
    found, lowest = 0, 1e9
    for direction in range(SPAWN):
        if (left >> direction) & 1 and sums[direction] / tries[direction] < lowest:
            found, lowest = direction, sums[direction] / tries[direction]
    return found


def sample(
    boards: Sequence[Words],
    first: int,
    r: Words,
    control: Words,
    plan: Words,
    v: Weights,
    notes: Words,
    found: Words,
    tries: Words,
) -> float:
    """One try of a slide: new tiles, and what the best answer is then worth; with one ply, what the slide is."""
    if plan[PLIES] == 1:
        return worth(boards[first], boards, r, control, plan, v, notes, found)
    s = boards[SPAWN]
    copy(boards[first], s)
    settle(s, r)
    if s[TURN] == OVER:
        return 0.0
    after = boards[SPAWN + 1]
    best, second, one, other = -1.0, -1.0, 0, 0
    for direction in range(SPAWN):
        if can_slide(s, direction):
            slid(s, after, direction)
            if after[WON]:
                tries[answer(first, direction)] += 1
                return 1.0
            value = worth(after, boards, r, control, plan, v, notes, found)
            if value > best:
                second, other = best, one
                best, one = value, direction
            elif value > second:
                second, other = value, direction
    if plan[PLIES] > 2:
        again = bits(r)
        seed_stream(r, again, 1)
        best = further(s, one, boards, r, control, plan, v, notes, found)
        if second >= 0.0:
            seed_stream(r, again, 1)
            second = further(s, other, boards, r, control, plan, v, notes, found)
            if second > best:
                best, one = second, other
    tries[answer(first, one)] += 1
    return best


def answer(first: int, direction: int) -> int:
    """Where among the tries it is counted how often a slide was the best answer to another."""
    return 2 * SPAWN + first * SPAWN + direction


def further(
    s: Words,
    direction: int,
    boards: Sequence[Words],
    r: Words,
    control: Words,
    plan: Words,
    v: Weights,
    notes: Words,
    found: Words,
) -> float:
    """What an answer is worth by going on from it several times, with new tiles and the best slide by value, for as
    many slides as there are plies left.
    """
    after, then, end = boards[SPAWN + 1], boards[SPAWN + 2], boards[SPAWN + 3]
    slid(s, after, direction)
    total = 0.0
    for _ in range(plan[AGAIN]):
        copy(after, then)
        best, left = 0.0, plan[PLIES] - 2
        while left > 0:
            left -= 1
            settle(then, r)
            best, choice = 0.0, SPAWN
            if then[TURN] != OVER:
                for answer in range(SPAWN):
                    if best < 1.0 and can_slide(then, answer):
                        slid(then, end, answer)
                        value = 1.0 if end[WON] else worth(end, boards, r, control, plan, v, notes, found)
                        if choice == SPAWN or value > best:
                            best, choice = value, answer
            if choice == SPAWN or best >= 1.0:
                left = 0
            elif left > 0:
                slide(then, choice)
        total += best
        if control[STOP]:
            return total
    return total / plan[AGAIN]


def settle(s: Words, r: Words) -> None:
    """Draw the new tiles, each with as many numbers of the stream as any other: so two positions that begin with the
    same stream get the same tiles, in places that correspond, and it shows sooner which of them is better.
    """
    while s[TURN] == CHANCE:
        left, cell = below(r, s[FREE]), 0
        while s[TILE + cell] != EMPTY or left > 0:
            left -= int(s[TILE + cell] == EMPTY)
            cell += 1
        digital = below(r, WHOLE_RATE) >= s[RATE]
        digit, choice = below(r, DIGITS), below(r, operator_count(s))
        appear(s, cell, digit if digital else DIGITS + operator_at(s, choice))


def worth(
    s: Words,
    boards: Sequence[Words],
    r: Words,
    control: Words,
    plan: Words,
    v: Weights,
    notes: Words,
    found: Words,
) -> float:
    """What a position after a slide is worth, from 0 to 1."""
    control[NODES] += 1
    if plan[VALUED] == LEARNED:
        return judge(s, v, notes, found)
    if plan[VALUED] == PLAYED_OUT:
        return played_out(s, boards[SPAWN + 4], r)
    return by_hand(s, boards[SPAWN + 4]) / MADE


def played_out(s: Words, spare: Words, r: Words) -> float:
    """1 if random play from here wins."""
    copy(s, spare)
    made = 0
    while spare[TURN] != OVER and made < LONGEST:
        if spare[TURN] == CHANCE:
            perform(spare, draw(spare, r))
        else:
            slide(spare, pick(spare, r))
            made += 1
    return float(spare[WON])
