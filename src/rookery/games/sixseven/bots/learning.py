"""Learning to play 67!: games played by the value learned so far, and the weights brought closer to how they ended.

Every slide is the one whose position after it promises most; a slide that wins is always taken. When a game is over,
its positions are gone through backwards: each should have been worth what the next one was, as far as is known, and
what came of it (a λ-return). The weights of all its features share the difference.
"""

from __future__ import annotations

from rookery.core.rules import CHANCE, OVER, TURN
from rookery.core.stream import seed_stream
from rookery.games.sixseven.bots.value import chance, features
from rookery.games.sixseven.rules import SPAWN, WON, can_slide, draw, perform, slide

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rookery.core.rules import Weights, Words

LAMBDA = 0.7
"""How much what came of a position counts, against what the next one seemed to be worth."""
WON_GAME, LOST_GAME, OPEN_GAME = 1, 0, 2
"""How a game ended; an open one was broken off."""


def play_games(
    start: Words,
    s: Words,
    trial: Words,
    r: Words,
    v: Weights,
    notes: Words,
    found: Words,
    seed: int,
    first: int,
    many: int,
    seen: Sequence[Words],
    sizes: Sequence[Words],
    lengths: Words,
    ends: Words,
) -> None:
    """Play the games `first` … `first + many − 1` of a training by the weights `v`.

    Of each game's positions after a slide the features are written into a row of `seen`, one position after the other,
    how many they are into a row of `sizes`, how many positions into `lengths`, and how it ended into `ends`.
    """
    for game in range(many):
        seed_stream(r, seed, first + game)
        for word in range(len(start)):
            s[word] = start[word]
        lengths[game], ends[game] = play_game(s, trial, r, v, notes, found, seen[game], sizes[game])


def play_game(
    s: Words, trial: Words, r: Words, v: Weights, notes: Words, found: Words, seen: Words, sizes: Words
) -> tuple[int, int]:
    """Play one game; return its positions and how it ended."""
    wide = len(found)
    made = 0
    while made < len(sizes):
        while s[TURN] == CHANCE:
            perform(s, draw(s, r))
        if s[TURN] == OVER:
            return made, LOST_GAME
        best, choice = -1e9, SPAWN
        for direction in range(SPAWN):
            if not can_slide(s, direction):
                continue
            for word in range(len(s)):
                trial[word] = s[word]
            slide(trial, direction)
            if trial[WON]:
                return made, WON_GAME
            count = features(trial, len(v) - 1, notes, found)
            total = 0.0
            for k in range(count):
                total += v[found[k]]
            if total > best:
                best, choice = total, direction
                sizes[made] = count
                for k in range(count):
                    seen[made * wide + k] = found[k]
        slide(s, choice)
        made += 1
    return made, OPEN_GAME


def learn_games(
    v: Weights,
    rate: float,
    many: int,
    wide: int,
    seen: Sequence[Words],
    sizes: Sequence[Words],
    lengths: Words,
    ends: Words,
) -> None:
    """Bring the weights closer to how some games ended, one after the other."""
    for game in range(many):
        learn_game(v, rate, wide, seen[game], sizes[game], lengths[game], ends[game])


def learn_game(v: Weights, rate: float, wide: int, seen: Words, sizes: Words, length: int, end: int) -> None:
    """Go through a game backwards; `rate` is how far a position's odds move for a difference of 1."""
    goal, following = float(end), float(end)
    for k in range(length - 1, -1, -1):
        total = 0.0
        for j in range(k * wide, k * wide + sizes[k]):
            total += v[seen[j]]
        value = chance(total)
        if k == length - 1 and end == OPEN_GAME:
            goal = value
        else:
            goal = (1.0 - LAMBDA) * following + LAMBDA * goal
        following = value
        step = rate / sizes[k] * (goal - value)
        for j in range(k * wide, k * wide + sizes[k]):
            v[seen[j]] += step
