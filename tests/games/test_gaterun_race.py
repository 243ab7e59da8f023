"""Races of GateRun, no wall left to place: winners and lengths of all pairs of pawns, against a search by hand."""

from __future__ import annotations

import random
from itertools import product

import pytest
from tests.oracles import gaterun as oracle

from rookery.engine import compiling
from rookery.games.gaterun import geometry, position, rules
from rookery.games.gaterun.bots import race

Spot = tuple[int, int]
Place = tuple[Spot, Spot, int, bool, bool]
"""The pawns, the player to move, and who may still jump."""


def by_hand(size: int, walls: set[oracle.Edge], jump: bool) -> dict[Place, tuple[int, int]]:
    """Winner and length of every position in which nobody has a wall; a draw is (0, 0).

    What is certain is certain: a position is won if some action leads to one lost by the opponent, and lost if all lead
    to won ones. In round `plies` all positions that far from their end become certain.
    """
    cells = list(product(range(size), range(size)))
    after: dict[Place, list[Place]] = {}
    known: dict[Place, tuple[int, int]] = {}
    flags = (False, True) if jump else (False,)
    for p1, p2, turn, jump1, jump2 in product(cells, cells, (1, 2), flags, flags):
        if p1 == p2 or (p1[0] == size - 1 and p2[0] == 0):
            continue
        game = oracle.GateRun.at(size, p1, p2, walls, turn, (0, 0), (jump1, jump2))
        place = (p1, p2, turn, jump1, jump2)
        if game.winner:
            known[place] = (game.winner, 0)
            continue
        after[place] = []
        for text in game.steps() | game.jumpings() or {"pass"}:
            pawns, left = dict(game.pawns), dict(game.jumps)
            if text != "pass":
                pawns[turn] = oracle.read_cell(text.removeprefix("jump "))
                left[turn] = left[turn] and not text.startswith("jump")
            after[place].append((pawns[1], pawns[2], 3 - turn, left[1], left[2]))
    plies, last = 0, 0
    while plies - last < 2:
        plies += 1
        fresh: dict[Place, tuple[int, int]] = {}
        for place, nexts in after.items():
            if place in known:
                continue
            winners = [known.get(each, (0, 0))[0] for each in nexts]
            if place[2] in winners:
                fresh[place] = (place[2], plies)
            elif set(winners) == {3 - place[2]}:
                fresh[place] = (3 - place[2], plies)
        known |= fresh
        last = plies if fresh else last
    return {place: known.get(place, (0, 0)) for place in (*after, *known)}


def some_walls(size: int, count: int, seed: int) -> tuple[int, int, set[oracle.Edge]]:
    east, south = geometry.east_edges(size), geometry.south_edges(size)
    words = [0] * rules.ALL_WORDS
    words[rules.SIZE], words[rules.EAST], words[rules.SOUTH] = size, east, south
    walls = set()
    for edge in random.Random(seed).sample(range(geometry.edge_count(size)), count):
        rules.toggle(words, edge)
        walls.add(oracle.edge_between(*position.cells_of(size, edge)))
    return words[rules.EAST], words[rules.SOUTH], walls


RACES = [
    *((3, count, seed, True) for count in (0, 2, 4, 6, 9, 12) for seed in range(4)),
    *((4, count, seed, True) for count in (0, 5, 9, 14) for seed in range(2)),
    (5, 0, 0, True),
    (5, 10, 1, True),
    (5, 18, 2, True),
    (6, 20, 3, False),
    (7, 16, 4, False),
    (7, 30, 5, False),
    (7, 22, 6, True),
]


@pytest.mark.parametrize(("size", "count", "seed", "jump"), RACES)
def test_every_pair_of_pawns_ends_as_found_by_hand(size: int, count: int, seed: int, jump: bool) -> None:
    east, south, walls = some_walls(size, count, seed)
    code = compiling.compiled(race)
    words, length_words = race.race_words(jump, jump), race.length_words(jump, jump)
    quick, exact, lengths = (compiling.array([-1] * (count + 9)) for count in (words, words, length_words))
    board = geometry.Board(size, east, south)
    code.solve_race(quick, board, int(jump), int(jump))
    code.solve_lengths(exact, lengths, board, int(jump), int(jump))
    expected = by_hand(size, walls, jump)
    assert len(expected) == (4 if jump else 1) * 2 * (size**2 * (size**2 - 1) - size**2)
    for (p1, p2, turn, jump1, jump2), (winner, plies) in expected.items():
        place = race.RacePlace(int(jump1), int(jump2), turn, p1[0] * size + p1[1], p2[0] * size + p2[1])
        assert race.race_winner(quick, place) == winner, place
        assert race.race_winner(exact, place) == winner, place
        assert race.race_length(lengths, place) == plies, place
    for array in (quick, exact, lengths):
        assert set(array[-9:]) == {-1}, "nothing is written behind the solution"


@pytest.mark.parametrize(("jump1", "jump2"), list(product((0, 1), repeat=2)))
def test_races_are_the_same_interpreted(jump1: int, jump2: int) -> None:
    for size, count in ((3, 3), (5, 9), (7, 20)):
        east, south, _ = some_walls(size, count, seed=9)
        code = compiling.compiled(race)
        board = geometry.Board(size, east, south)
        for solve in ("solve_race", "solve_lengths"):
            words, lengths = [0] * race.race_words(jump1, jump2), [0] * race.length_words(jump1, jump2)
            fast_words, fast_lengths = compiling.array(words), compiling.array(lengths)
            more, fast_more = ([lengths], [fast_lengths]) if solve == "solve_lengths" else ([], [])
            getattr(race, solve)(words, *more, board, jump1, jump2)
            getattr(code, solve)(fast_words, *fast_more, board, jump1, jump2)
            assert words == list(fast_words)
            assert lengths == list(fast_lengths)


def test_a_pawn_shut_in_passes_and_the_other_walks_home() -> None:
    """P1 stands in a corner with walls all around; P2 needs two steps, and P1 passes in between."""
    words = [0] * rules.ALL_WORDS
    words[rules.SIZE], words[rules.EAST], words[rules.SOUTH] = 3, geometry.east_edges(3), geometry.south_edges(3)
    for text in ("0,0|0,1", "0,0|1,0"):
        rules.toggle(words, position.read_edge(3, text))
    solved, lengths = [0] * race.RACE_WORDS, [0] * race.LENGTH_WORDS
    race.solve_lengths(solved, lengths, geometry.Board(3, words[rules.EAST], words[rules.SOUTH]), 0, 0)
    assert race.race_winner(solved, race.RacePlace(0, 0, 1, 0, 8)) == 2
    assert race.race_length(lengths, race.RacePlace(0, 0, 1, 0, 8)) == 4
    assert race.race_length(lengths, race.RacePlace(0, 0, 2, 0, 8)) == 3
