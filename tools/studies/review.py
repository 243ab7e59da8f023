"""How far reviews can be trusted: whether ten times the search grades the same, and whether planted blunders are found.

    python -m tools.studies.review agree gaterun --games 30
    python -m tools.studies.review planted gaterun --games 50
    python -m tools.studies.review time

`agree` reviews games of bots of the middle levels twice, the second time with ten times the nodes, and counts moves
with the same grade, with a neighbouring one, and those that both or neither call a fault (an inaccuracy or worse).
`planted` replaces one move of games of strong bots by one that a search of ten times the nodes says loses a quarter of
the game or more, and counts how often the review calls it a mistake or a blunder. `time` reviews games of GateRun of 45
and of 90 plies.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import replace
from itertools import count
from time import perf_counter
from typing import TYPE_CHECKING

import rookery
from rookery.core.bot import make_bot
from rookery.core.record import Record
from rookery.core.review import BLUNDER, FAULTS, GRADES, MISTAKE, NAMES, Reviewer
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.lab.intervals import wilson
from rookery.search.review import Review

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rookery.core.game import Game
    from rookery.core.state import State

MIDDLE = ("4", "5", "6", "7", "8")
STRONG = "9"
OPENING = 4
"""Plies at random at the start of a game of strong bots, which else would all be alike."""
CLEAR = 0.25
"""The loss of a planted blunder at least, as a share of the scale."""
DEEPER = 10
WEAK = ("alphabeta:nodes=100,slip=0.95",)
TRIES = 30
"""Moves at random that are tried for a blunder, at most, in each game."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("agree", "planted", "time"))
    parser.add_argument("game", nargs="?", default="gaterun", choices=rookery.games.names())
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if given.what == "time":
        time(given.seed)
    else:
        {"agree": agree, "planted": planted}[given.what](rookery.game(given.game), given.games, given.seed)


def reviewed(record: Record, reviewer: Reviewer) -> Review:
    """The review of a game, without what else would have been right after mistakes."""
    found = Review(record, reviewer, accept=False)
    for _ in found.steps():
        pass
    return found


def reviewers(game: Game) -> tuple[Reviewer, Reviewer]:
    """The usual reviewer, and one that searches ten times as far."""
    usual = type(game).reviewer().of(game)
    if usual.nodes is not None:
        return usual, replace(usual, nodes=DEEPER * usual.nodes)
    if usual.bot.name == "learned":
        return usual, replace(usual, bot=make_bot(game, f"learned:spawns={DEEPER * usual.bot.spawns}"))  # type: ignore[attr-defined]
    return usual, replace(usual, nodes=DEEPER * 32_000)


def played(game: Game, levels: tuple[str, ...], seed: int, opening: int = 0) -> State:
    """A game of bots, after some plies at random."""
    stream, state = Stream(seed), game.start()
    bots = [make_bot(game, stream.pick(levels)) for _ in range(game.players)]
    while not state.over:
        if state.turn == CHANCE:
            state.play(state.draw(stream))
        elif state.ply < opening:
            state.play(state.pick(stream))
        else:
            state.play(bots[state.turn - 1].choose(state, stream=stream))
    return state


def agree(game: Game, games: int, seed: int) -> None:
    """Compare the grades of reviews with those of deeper ones."""
    usual, deeper = reviewers(game)
    pairs: Counter[tuple[str, str]] = Counter()
    began = perf_counter()
    for number in range(seed, seed + games):
        record = Record.of(played(game, MIDDLE, number))
        both = zip(reviewed(record, usual).plies, reviewed(record, deeper).plies, strict=True)
        pairs.update((one.grade, other.grade) for one, other in both if one.grade and other.grade)
        same = sum(many for (one, other), many in pairs.items() if one == other)
        print(f"game {number}: {same} of {pairs.total()} grades are the same", file=sys.stderr, flush=True)
    moves = pairs.total()
    same = sum(many for (one, other), many in pairs.items() if one == other)
    near = sum(many for pair, many in pairs.items() if abs(NAMES.index(pair[0]) - NAMES.index(pair[1])) <= 1)
    fault = sum(many for (one, other), many in pairs.items() if (one in FAULTS) == (other in FAULTS))
    print(f"{game.title}: {games} games, {moves} graded moves, {perf_counter() - began:.0f} s")
    for what, many in (("same grade", same), ("same or neighbouring grade", near), ("fault or not", fault)):
        print(f"  {what:28} {shared(many, moves)}")
    print("  usual \\ deeper " + "".join(f"{name:>11}" for name, _ in GRADES))
    for one in NAMES:
        print(f"  {one:14}" + "".join(f"{pairs[one, other]:11}" for other in NAMES))


def planted(game: Game, games: int, seed: int) -> None:
    """Count how many blunders are found that were planted."""
    usual, deeper = reviewers(game)
    grades: Counter[str | None] = Counter()
    number = seed
    while grades.total() < games:
        record = with_blunder(game, deeper, number)
        if record is not None:
            grades[reviewed(record, usual).plies[-1].grade] += 1
            print(f"game {number}: {dict(grades)}", file=sys.stderr, flush=True)
        number += 1
    found = grades[MISTAKE] + grades[BLUNDER]
    print(f"{game.title}: {shared(found, games)} planted blunders found; grades {dict(grades)}")


def with_blunder(game: Game, deeper: Reviewer, seed: int) -> Record | None:
    """A game that ends with a blunder, after strong play; None if none was found in it."""
    end, stream = played(game, (STRONG,), seed, OPENING), Stream(seed, 1)
    record = Record.of(end)
    for _ in range(TRIES):
        state = record.replay(OPENING + stream.below(max(1, end.ply - OPENING)))
        if state.turn <= 0:
            continue
        action = state.pick(stream)
        alone = replace(record, start=state.position(), plies=(game.name_of(action),), result=None)
        if reviewed(alone, deeper).plies[0].loss >= CLEAR:
            return replace(record, plies=(*record.plies[: state.ply], game.name_of(action)), result=None)
    return None


def shared(count: int, total: int) -> str:
    """A count as a share of a total, with its 95% interval."""
    low, high = wilson(count, total)
    return f"{count} of {total}, {100 * count / total:.1f}% ({100 * low:.1f}–{100 * high:.1f})"


def time(seed: int) -> None:
    """Review games of 45 and 90 plies."""
    game = rookery.game("gaterun")
    usual, _ = reviewers(game)
    usual.bot.ready(game)
    for plies in (45, 90):
        record = next(found for found in map(Record.of, games_of(game, seed)) if len(found.plies) >= plies)
        began = perf_counter()
        found = Review(replace(record, plies=record.plies[:plies], result=None), usual)
        for _ in found.steps():
            pass
        grades = Counter(each.grade for each in found.plies)
        print(f"{plies} plies: {perf_counter() - began:.1f} s, {dict(grades)}")


def games_of(game: Game, seed: int) -> Iterator[State]:
    """Games of weak bots, which wander about, one after the other."""
    for number in count(seed):
        yield played(game, WEAK, number)


if __name__ == "__main__":
    main()
