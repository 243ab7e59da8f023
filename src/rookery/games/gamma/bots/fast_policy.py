"""The settler's policy on boards too large to search: the heaviest of a sample of moves, by the prior.

It does not copy the position or go through the whole board in Python.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from rookery.games.gamma import areas, board, rules
from rookery.games.gamma.board import AREAS, HEIGHT, LIMIT, OWNER, PLAYERS, WIDTH
from rookery.games.gamma.bots.prior import is_tight, locality, move_weight, prior_factors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rookery.core.bot import Budget
    from rookery.core.state import State
    from rookery.core.stream import Stream

ENOUGH = 200
"""Moves in a sample."""
TRIES = 400
"""Random places tried before the board is scanned."""
RECENT = 8
"""Rounds of play that count as recent."""
CROWD = 1000
"""With more players than this, others count as having an area to spare, without a look."""


def fast_policy(state: State, budget: Budget, stream: Stream) -> dict[int, float]:
    """The weights of some legal actions of the player to move, at least one."""
    words, player = state.words, state.turn
    cells = words[WIDTH] * words[HEIGHT]
    full, factors = words[words[AREAS] + player] >= words[LIMIT], prior_factors()
    tight = words[PLAYERS] <= CROWD and is_tight(words, player)
    last = state.last
    place_of_last = board.place_of(words, last % cells) if last is not None and last < 2 * cells else 0
    found: dict[int, float] = {}
    if rules.free(words, player) > 0:
        for place in _beside_own(state, stream) if full else _free(words, stream):
            if place and rules.may_move(words, player, place):
                weight = move_weight(words, player, place, full, tight, factors)
                found[board.cell_of(words, place)] = weight * locality(words, place, place_of_last, factors)
            if budget.spent(len(found)) or len(found) >= ENOUGH:
                break
    else:
        for place in _beside_own(state, stream):
            if place and _may_surely_take(words, player, place):
                found[cells + board.cell_of(words, place)] = float(board.touches(words, place, 0))
            if budget.spent(len(found)) or len(found) >= ENOUGH:
                break
    return found or {2 * cells: 0.0}


def _free(words: list[int], stream: Stream) -> Iterator[int]:
    """Random free places, then all of them; 0 for a try that found none."""
    up = words[WIDTH] + 1
    span = up * words[HEIGHT]
    for _ in range(TRIES):
        place = up + stream.below(span)
        yield place if words[words[OWNER] + place] == 0 else 0
    yield from _owned(words, 0, stream)


def _beside_own(state: State, stream: Stream) -> Iterator[int]:
    """The places beside cells of the player to move, beginning with recent ones; 0 before each cell."""
    words, player = state.words, state.turn
    for place in chain(_recent(state), _owned(words, player, stream)):
        yield 0
        for k in range(4 if place else 0):
            yield board.side(words, place, k)


def _recent(state: State) -> Iterator[int]:
    """The places of the player's last actions that are still its own."""
    words, cells = state.words, state.game.action_count // 2
    for action in state.history[-RECENT * words[PLAYERS] :]:
        place = board.place_of(words, action % cells)
        if action < 2 * cells and words[words[OWNER] + place] == state.turn:
            yield place


def _owned(words: list[int], owner: int, stream: Stream) -> Iterator[int]:
    """All places of an owner, from a random place on; 0 after each stretch without one."""
    up = words[WIDTH] + 1
    span = up * words[HEIGHT]
    start = stream.below(span)
    for first, end in ((start, span), (0, start)):
        at = first
        while at < end:
            stop = min(end, at + 500_000)
            try:
                at = words.index(owner, words[OWNER] + up + at, words[OWNER] + up + stop) - words[OWNER] - up
                yield up + at
                at += 1
            except ValueError:
                at = stop
                yield 0


def _may_surely_take(words: list[int], player: int, place: int) -> bool:
    """Whether a golden move succeeds for certain, judged by the cells around it alone."""
    whose = words[words[OWNER] + place]
    if whose <= 0 or whose == player or words[words[board.SPENT] + player]:
        return False
    return areas.arcs(words, place) <= rules.parts_allowed(words, place)
