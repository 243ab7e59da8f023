"""The searches of 67!: sampled expectimax and flat Monte Carlo.

Expectimax takes the maximum over slides and the mean over new tiles. There are too many tiles to try them all, so the
mean is over samples (sparse sampling: Kearns, Mansour & Ng 2002). Each sample of a slide draws new tiles and takes the
value of the best answer: the value of its afterstate, the position after the slide (two plies), or the mean of greedy
rollouts that go on from there to the given depth (more plies).

All slides are sampled with the same random numbers, so that luck favours none of them (common random numbers). Samples
are spent in rounds, and after each round only the better half of the slides goes on (sequential halving: Karnin, Koren
& Somekh 2013).
"""

from __future__ import annotations

from typing import NamedTuple

from rookery.core.rules import CHANCE, OVER, TURN
from rookery.core.stream import below, bits, seed_stream
from rookery.games.sixseven.bots.heuristic import WIN, heuristic_value
from rookery.games.sixseven.bots.value import FeatureBuffers, win_probability
from rookery.games.sixseven.rules import (
    DIGITS,
    EMPTY,
    EMPTY_COUNT,
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
from rookery.search.control import NODE_LIMIT, NODES, STOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Weights, Words

PLIES, SAMPLES, ROUNDS, ROLLOUTS, EVALUATION = 0, 1, 2, 3, 4
"""Indices of `settings`: plies to look ahead; samples for each slide, on average; rounds they are spent in; rollouts
from each answer, with three plies or more; and how positions are evaluated."""
SETTINGS = 5
LEARNED, HEURISTIC, PLAYOUT = 0, 1, 2
"""Evaluations: by learned weights, by hand-written rules, or by a random playout."""
VISITS, ROUNDS_IN, ANSWERS = 0, SPAWN, 2 * SPAWN
"""Sections of `counts`: samples of each slide; rounds each slide took part in; and for each slide how often each answer
to it was the best."""
COUNTS = ANSWERS + SPAWN * SPAWN
SAMPLED, ANSWERED, ROLLED, TRIED, SPARE = SPAWN, SPAWN + 1, SPAWN + 2, SPAWN + 3, SPAWN + 4
"""Rows of `boards`, after the afterstates of the root's slides: a sample with its new tiles, an answer to it, a
rollout, a slide tried in a rollout, and a board for evaluations."""
BOARDS = SPAWN + 5
NOT_INLINED = ("playout", "spawn_tiles", "set_afterstate")
LONGEST = 4000
"""Slides after which a playout is cut off."""


class SearchBuffers(NamedTuple):
    """The arrays of a search."""

    root: Words
    boards: Sequence[Words]
    r: Words
    control: Words
    settings: Words
    weights: Weights
    """32-bit floats; only used by the learned evaluation."""
    features: FeatureBuffers
    counts: Words
    sums: Weights
    """For each slide of the root, the values of its samples added up."""


def search(b: SearchBuffers) -> None:
    """Sample the slides of the root, and write `counts` and `sums`.

    A slide that is not possible gets no samples. If one wins, it gets the only sample.
    """
    left, many = expand(b)
    if many == 0:
        return
    rounds = b.settings[ROUNDS] if many > 2 else 1
    total = b.settings[SAMPLES] * many
    for k in range(rounds):
        for direction in range(SPAWN):
            b.counts[ROUNDS_IN + direction] += (left >> direction) & 1
        for _ in range(max(1, total // (rounds * many))):
            seed = bits(b.r)
            for direction in range(SPAWN):
                if (left >> direction) & 1:
                    seed_stream(b.r, seed, 0)
                    value = sample(b, direction)
                    if b.control[STOP] and b.counts[VISITS + direction] > 0:
                        return
                    b.counts[VISITS + direction] += 1
                    b.sums[direction] += value
            if b.control[NODE_LIMIT] > 0 and b.control[NODES] >= b.control[NODE_LIMIT]:
                return
        fewer = (many + 1) // 2
        while k + 1 < rounds and many > fewer:
            left &= ~(1 << worst(left, b.counts, b.sums))
            many -= 1


def expand(b: SearchBuffers) -> tuple[int, int]:
    """Write the afterstates of the root's slides; return the possible slides, as bits, and how many they are.

    If a slide wins, it gets its sample here, and none is left.
    """
    left, many = 0, 0
    for k in range(len(b.counts)):
        b.counts[k] = 0
    for direction in range(SPAWN):
        b.sums[direction] = 0.0
    for direction in range(SPAWN):
        if can_slide(b.root, direction):
            set_afterstate(b.root, b.boards[direction], direction)
            if b.boards[direction][WON]:
                b.counts[VISITS + direction] = 1
                b.sums[direction] = 1.0
                return 0, 0
            left |= 1 << direction
            many += 1
    return left, many


def copy(s: Words, to: Words) -> None:
    for word in range(len(s)):
        to[word] = s[word]


def set_afterstate(s: Words, to: Words, direction: int) -> None:
    """Write the position after a slide."""
    copy(s, to)
    slide(to, direction)


def worst(left: int, counts: Words, sums: Weights) -> int:
    """Of the slides that are left, the one with the lowest mean."""
    found, lowest = 0, 1e9
    for direction in range(SPAWN):
        if (left >> direction) & 1 and sums[direction] / counts[VISITS + direction] < lowest:
            found, lowest = direction, sums[direction] / counts[VISITS + direction]
    return found


def sample(b: SearchBuffers, first: int) -> float:
    """One sample of a slide: draw new tiles, and take the value of the best answer; with one ply, of the slide."""
    if b.settings[PLIES] == 1:
        return evaluate(b, b.boards[first])
    s = b.boards[SAMPLED]
    copy(b.boards[first], s)
    spawn_tiles(s, b.r)
    if s[TURN] == OVER:
        return 0.0
    after = b.boards[ANSWERED]
    best, second, best_way, second_way = -1.0, -1.0, 0, 0
    for direction in range(SPAWN):
        if can_slide(s, direction):
            set_afterstate(s, after, direction)
            if after[WON]:
                b.counts[answer_index(first, direction)] += 1
                return 1.0
            value = evaluate(b, after)
            if value > best:
                second, second_way = best, best_way
                best, best_way = value, direction
            elif value > second:
                second, second_way = value, direction
    if b.settings[PLIES] > 2:
        seed = bits(b.r)
        seed_stream(b.r, seed, 1)
        best = rollouts(b, s, best_way)
        if second >= 0.0:
            seed_stream(b.r, seed, 1)
            second = rollouts(b, s, second_way)
            if second > best:
                best, best_way = second, second_way
    b.counts[answer_index(first, best_way)] += 1
    return best


def answer_index(first: int, direction: int) -> int:
    """Where `counts` has how often a slide was the best answer to another."""
    return ANSWERS + first * SPAWN + direction


def rollouts(b: SearchBuffers, s: Words, direction: int) -> float:
    """The mean value of several rollouts from an answer: new tiles, then the slide with the best value, for as many
    slides as there are plies left.
    """
    after, state = b.boards[ANSWERED], b.boards[ROLLED]
    set_afterstate(s, after, direction)
    total, many = 0.0, 0
    for _ in range(b.settings[ROLLOUTS]):
        copy(after, state)
        best, left = 0.0, b.settings[PLIES] - 2
        while left > 0:
            left -= 1
            spawn_tiles(state, b.r)
            best, choice = best_slide(b, state)
            if choice == SPAWN or best >= 1.0:
                left = 0
            elif left > 0:
                slide(state, choice)
        total += best
        many += 1
        if b.control[STOP]:
            break
    return total / many


def best_slide(b: SearchBuffers, s: Words) -> tuple[float, int]:
    """The best value of an afterstate, and its slide; 0 and `SPAWN` if there is no slide."""
    after, best, choice = b.boards[TRIED], 0.0, SPAWN
    if s[TURN] != OVER:
        for direction in range(SPAWN):
            if best < 1.0 and can_slide(s, direction):
                set_afterstate(s, after, direction)
                value = 1.0 if after[WON] else evaluate(b, after)
                if choice == SPAWN or value > best:
                    best, choice = value, direction
    return best, choice


def spawn_tiles(s: Words, r: Words) -> None:
    """Draw the new tiles, with the same number of draws for each tile.

    `rules.draw` has the same distribution, but draws until it finds an empty cell. Here two positions with the same
    stream get the same tiles, in corresponding places: that is what makes the random numbers common.
    """
    while s[TURN] == CHANCE:
        left, cell = below(r, s[EMPTY_COUNT]), 0
        while s[TILE + cell] != EMPTY or left > 0:
            left -= int(s[TILE + cell] == EMPTY)
            cell += 1
        is_digit = below(r, WHOLE_RATE) >= s[RATE]
        digit, choice = below(r, DIGITS), below(r, operator_count(s))
        appear(s, cell, digit if is_digit else DIGITS + operator_at(s, choice))


def evaluate(b: SearchBuffers, s: Words) -> float:
    """The value of an afterstate, from 0 to 1.

    It is inlined, because a call would copy all buffers; what it calls takes few.
    """
    b.control[NODES] += 1
    if b.settings[EVALUATION] == LEARNED:
        return win_probability(s, b.weights, b.features)
    if b.settings[EVALUATION] == PLAYOUT:
        return playout(s, b.boards[SPARE], b.r)
    return heuristic_value(s, b.boards[SPARE]) / WIN


def playout(s: Words, spare: Words, r: Words) -> float:
    """1 if random play from here wins, else 0."""
    copy(s, spare)
    made = 0
    while spare[TURN] != OVER and made < LONGEST:
        if spare[TURN] == CHANCE:
            perform(spare, draw(spare, r))
        else:
            slide(spare, pick(spare, r))
            made += 1
    return float(spare[WON])
