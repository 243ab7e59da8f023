"""Replays games recorded from the web app of Gotham Loops under the rules `app`, and compares everything in them.

    python -m tests.games.app_games games.jsonl.gz

A line of the file is a game: its `level`; for each of its `rounds` the `moves` (row, column, and `safe` or `caught`),
the `running` score after each move, the `odds` of the whole board before the first one and the `visited` cells after
the last one; and its `total`. A game that was left before its end has `over` false.
"""

from __future__ import annotations

import gzip
import json
import sys
from typing import TYPE_CHECKING, Any

import rookery
from rookery.core.rules import CHANCE
from rookery.games.gotham import rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from rookery.core.state import State

TOLERANCE = 1e-9
"""The recorded odds have twelve digits."""


def differences(recorded: Mapping[str, Any]) -> Iterator[str]:
    """Everything in a recorded game that comes out differently here, as sentences."""
    state = rookery.game("gotham", level=recorded["level"], rules="app").start()
    for number, round_ in enumerate(recorded["rounds"]):
        yield from _odds(state, number, round_["odds"])
        for (row, col, outcome), running in zip(round_["moves"], round_["running"], strict=True):
            _step(state, (row, col), outcome)
            ended = state.words[rules.ROUND] > number
            points = state.words[rules.BANKED + number] if ended else state.words[rules.POINTS]
            if points != running:
                yield f"round {number + 1} has {points} points at {row},{col}, not {running}"
        visited = _visited(state, number)
        if visited != {tuple(cell) for cell in round_["visited"]}:
            yield f"round {number + 1} visited {sorted(visited)}"
    if state.scores() != (recorded["total"],):
        yield f"the total is {state.scores()[0]}, not {recorded['total']}"
    if state.over != recorded["over"]:
        yield "the game is over only in one of the two"


def _odds(state: State, number: int, odds: list[list[float]]) -> Iterator[str]:
    words = state.words
    for row, line in enumerate(odds):
        for col, expected in enumerate(line):
            cell = row * len(odds) + col
            ours = 1 - rules.risk(words, cell) if rules.needs_check(words, cell) else 1.0
            if abs(ours - expected) > TOLERANCE:
                yield f"before round {number + 1} the odds at {row},{col} are {ours}, not {expected}"


def _step(state: State, spot: tuple[int, int], outcome: str) -> None:
    action = state.game.pointed(state, (spot,))
    assert action is not None, f"{spot} is not beside the player"
    state.play(action)
    if state.turn == CHANCE:
        state.play(state.game.action(outcome))


def _visited(state: State, number: int) -> set[tuple[int, int]]:
    """The cells that a round visited."""
    size = state.words[rules.CITY_SIZE]
    return {divmod(cell, size) for cell in range(size**2) if state.words[rules.VISITS + cell] >> number & 1}


def read(path: Path | str) -> list[dict[str, Any]]:
    with gzip.open(path, "rt") as file:
        return [json.loads(line) for line in file]


def main() -> int:
    games = read(sys.argv[1])
    found = [f"game {index + 1}: {text}" for index, game in enumerate(games) for text in differences(game)]
    print(*found[:20], sep="\n")
    rounds = [round_ for game in games for round_ in game["rounds"]]
    odds = sum(len(line) for round_ in rounds for line in round_["odds"])
    moves = sum(len(round_["moves"]) for round_ in rounds)
    print(f"{len(games)} games, {len(rounds)} rounds, {moves} moves, {odds} odds: {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
