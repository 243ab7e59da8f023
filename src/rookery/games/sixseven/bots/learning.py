"""Temporal-difference learning of the value of 67! by self-play (Szubert & Jaśkowski 2014).

The player takes the slide whose afterstate has the highest value; a slide that wins is always taken. After a game, its
afterstates are gone through backwards, and each is moved towards its λ-return (Sutton 1988): a mix of the next
afterstate's value and of the final result. The weights of all features of an afterstate share the step.
"""

from __future__ import annotations

from typing import NamedTuple

from rookery.core.rules import CHANCE, OVER, TURN
from rookery.core.stream import seed_stream
from rookery.games.sixseven.bots.value import FeatureBuffers, features, logistic
from rookery.games.sixseven.rules import SPAWN, WON, can_slide, draw, perform, slide

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Weights, Words

LAMBDA = 0.7
"""The weight of the return so far, against the next afterstate's value."""
WON_GAME, LOST_GAME, OPEN_GAME = 1, 0, 2
"""Results of games; an open one was cut off."""


class PlayBuffers(NamedTuple):
    """Where games are played."""

    start: Words
    s: Words
    after: Words
    """Room for an afterstate."""
    r: Words
    features: FeatureBuffers


class Episodes(NamedTuple):
    """What is kept of games for learning, a row or an item for each."""

    slots: Sequence[Words]
    """The features of all afterstates of a game, each with room for as many as a position may have."""
    sizes: Sequence[Words]
    """How many features each afterstate has. The length of a row is the most slides of a game."""
    lengths: Words
    """How many afterstates a game has."""
    results: Words


def play_games(b: PlayBuffers, episodes: Episodes, weights: Weights, seed: int, first: int, many: int) -> None:
    """Play the games `first` … `first + many − 1` of a training by these weights."""
    for game in range(many):
        seed_stream(b.r, seed, first + game)
        for word in range(len(b.start)):
            b.s[word] = b.start[word]
        episodes.lengths[game], episodes.results[game] = play_game(
            b, weights, episodes.slots[game], episodes.sizes[game]
        )


def play_game(b: PlayBuffers, weights: Weights, slots: Words, sizes: Words) -> tuple[int, int]:
    """Play one game; return how many afterstates it has, and its result."""
    s, after, found = b.s, b.after, b.features.slots
    made = 0
    while made < len(sizes):
        while s[TURN] == CHANCE:
            perform(s, draw(s, b.r))
        if s[TURN] == OVER:
            return made, LOST_GAME
        best, choice = -1e9, SPAWN
        for direction in range(SPAWN):
            if not can_slide(s, direction):
                continue
            for word in range(len(s)):
                after[word] = s[word]
            slide(after, direction)
            if after[WON]:
                return made, WON_GAME
            count = features(after, b.features, len(weights) - 1)
            total = 0.0
            for k in range(count):
                total += weights[found[k]]
            if total > best:
                best, choice = total, direction
                sizes[made] = count
                for k in range(count):
                    slots[made * len(found) + k] = found[k]
        slide(s, choice)
        made += 1
    return made, OPEN_GAME


def learn_games(weights: Weights, rate: float, episodes: Episodes, many: int) -> None:
    """Learn from the first `many` games, one after the other."""
    for game in range(many):
        learn_game(
            weights,
            rate,
            episodes.slots[game],
            episodes.sizes[game],
            episodes.lengths[game],
            episodes.results[game],
        )


def learn_game(weights: Weights, rate: float, slots: Words, sizes: Words, length: int, result: int) -> None:
    """Learn from one game; `rate` is how far the log-odds of an afterstate move for an error of 1."""
    wide = len(slots) // len(sizes)
    target, following = float(result), float(result)
    for k in range(length - 1, -1, -1):
        total = 0.0
        for j in range(k * wide, k * wide + sizes[k]):
            total += weights[slots[j]]
        value = logistic(total)
        if k == length - 1 and result == OPEN_GAME:
            target = value
        else:
            target = (1.0 - LAMBDA) * following + LAMBDA * target
        following = value
        step = rate / sizes[k] * (target - value)
        for j in range(k * wide, k * wide + sizes[k]):
            weights[slots[j]] += step
