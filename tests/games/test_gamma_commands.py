"""Two million random Gamma commands, on small boards, against the oracle: every answer must be the same."""

from __future__ import annotations

import pytest
from tests.oracles.gamma import Board
from tests.tiers import mostly_slow

from rookery.core.stream import Stream
from rookery.games.gamma import board, rules

COMMANDS = 2_000_000
SHARES = 16
"""The work in so many parts, which the test runner spreads over the cores."""


class Engine:
    """The fast rules behind the commands of the batch protocol."""

    def __init__(self, width: int, height: int, players: int, areas: int) -> None:
        config = (width, height, players, areas, 0)
        self.width, self.height, self.players = width, height, players
        self.words = [0] * rules.size(config)
        rules.start(self.words, config)

    def place(self, player: int, x: int, y: int) -> int:
        """The place of a cell; 0, which is part of the frame, for anything out of range."""
        fits = 1 <= player <= self.players and x < self.width and y < self.height
        return board.place_of(self.words, y * self.width + x) if fits else 0

    def move(self, player: int, x: int, y: int) -> bool:
        place = self.place(player, x, y)
        if not place or not rules.may_move(self.words, player, place):
            return False
        rules.move(self.words, player, place)
        return True

    def golden_move(self, player: int, x: int, y: int) -> bool:
        place = self.place(player, x, y)
        if not place or not rules.may_take(self.words, player, place):
            return False
        rules.take(self.words, player, place)
        return True

    def busy(self, player: int) -> int:
        return rules.busy(self.words, player) if 1 <= player <= self.players else 0

    def free(self, player: int) -> int:
        return rules.free(self.words, player) if 1 <= player <= self.players else 0

    def golden_possible(self, player: int) -> bool:
        return 1 <= player <= self.players and rules.golden(self.words, player)

    def owners(self) -> dict[tuple[int, int], int]:
        first = self.words[board.OWNER]
        cells = [(x, y) for x in range(self.width) for y in range(self.height)]
        found = {(x, y): self.words[first + board.place_of(self.words, y * self.width + x)] for x, y in cells}
        return {cell: owner for cell, owner in found.items() if owner}


def has_cycle(owner: dict[tuple[int, int], int], cell: tuple[int, int]) -> bool:
    """Whether the area of a cell has a cycle: it has at least as many adjacent pairs as cells."""
    area, waiting = {cell}, [cell]
    pairs = 0
    while waiting:
        x, y = waiting.pop()
        for beside in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if owner.get(beside) == owner[cell]:
                pairs += 1
                if beside not in area:
                    area.add(beside)
                    waiting.append(beside)
    return pairs // 2 >= len(area)


@pytest.mark.parametrize("share", mostly_slow(range(SHARES), usual=1))
def test_random_commands_agree_with_the_oracle(share: int) -> None:
    stream = Stream(20, share)
    done, golden, golden_on_cycles, refused_on_cycles = 0, 0, 0, 0
    while done < COMMANDS // SHARES:
        width, height = 1 + stream.below(5), 1 + stream.below(5)
        players, areas = 2 + stream.below(3), 1 + stream.below(3)
        engine, oracle = Engine(width, height, players, areas), Board(width, height, players, areas)
        # In half the games golden moves wait until large areas, with cycles in them, have grown.
        patient = 2 * width * height * stream.below(2)
        for number in range(patient + 3 * width * height):
            player, x, y = stream.below(players + 2), stream.below(width + 1), stream.below(height + 1)
            kind = stream.below(20)
            if number < patient:
                kind, player = 0, player if stream.below(4) == 0 else 1
            if kind < 10:
                assert engine.move(player, x, y) == oracle.move(player, x, y)
            elif kind < 16:
                victim = oracle.owner.get((x, y), 0)
                cyclic = bool(victim) and has_cycle(oracle.owner, (x, y))
                took = oracle.golden_move(player, x, y)
                assert engine.golden_move(player, x, y) == took
                golden += took
                golden_on_cycles += took and cyclic
                refused_on_cycles += cyclic and not took and player not in (victim, *oracle.golden_used)
            elif kind < 17:
                assert engine.busy(player) == oracle.busy(player)
            elif kind < 18:
                assert engine.free(player) == oracle.free(player)
            else:
                assert engine.golden_possible(player) == oracle.golden_possible(player)
            done += 1
        assert engine.owners() == oracle.owner
        for player in range(1, players + 1):
            answers = (engine.busy(player), engine.free(player), engine.golden_possible(player))
            assert answers == (oracle.busy(player), oracle.free(player), oracle.golden_possible(player))
    assert golden > 1000
    assert golden_on_cycles > 100
    assert refused_on_cycles > 100
