"""GateRun solved: every position against a search by hand, larger boards against their own rules, and the bot that knows."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import pytest
from tests.oracles import gaterun as oracle
from tests.tiers import slow

import rookery
from rookery.core.bot import make_bot
from rookery.core.errors import OptionError
from rookery.core.stream import Stream
from rookery.engine import compiling
from rookery.games.gaterun import rules
from rookery.games.gaterun.bots import perfect, records, retrograde, wall_sets
from rookery.games.gaterun.bots.solver import Table, Verdict, load_binomials
from rookery.games.gaterun.game import GateRun

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rookery.core.state import State

Place = tuple[oracle.Cell, oracle.Cell, frozenset[oracle.Edge], int, tuple[int, int], tuple[bool, bool]]
"""The pawns, the walls, the player to move, the walls left and who may still jump."""


class Referee(oracle.GateRun):
    """The oracle, with a memory for paths."""

    def has_path(self, player: int, walls: set[oracle.Edge]) -> bool:
        return path(self.size, self.goal_row(player), self.pawns[player], frozenset(walls))


@functools.cache
def path(size: int, goal_row: int, cell: oracle.Cell, walls: frozenset[oracle.Edge]) -> bool:
    game = oracle.GateRun(size=size)
    player = 1 if goal_row == size - 1 else 2
    game.pawns[player] = cell
    return game.has_path(player, set(walls))


def referee(size: int, place: Place) -> Referee:
    p1, p2, walls, turn, left, jumps = place
    game = Referee(size=size, walls=left[0], walls2=left[1])
    game.pawns, game.walls, game.mover = {1: p1, 2: p2}, set(walls), turn
    game.jumps = {1: jumps[0], 2: jumps[1]}
    game.seen = {game.snapshot(): 1}
    return game


def place_of(game: oracle.GateRun) -> Place:
    walls, left, jumps = frozenset(game.walls), (game.left[1], game.left[2]), (game.jumps[1], game.jumps[2])
    return (game.pawns[1], game.pawns[2], walls, game.mover, left, jumps)


def after(size: int, place: Place) -> list[Place]:
    """What the player to move can lead to."""
    game = referee(size, place)
    found = []
    for text in game.actions():
        p1, p2, walls, turn, left, jumps = place
        if "|" in text:
            walls |= {oracle.read_edge(text)}
            left = (left[0] - 1, left[1]) if turn == 1 else (left[0], left[1] - 1)
        elif text != "pass":
            cell = oracle.read_cell(text.removeprefix("jump "))
            p1, p2 = (cell, p2) if turn == 1 else (p1, cell)
            if text.startswith("jump"):
                jumps = (False, jumps[1]) if turn == 1 else (jumps[0], False)
        found.append((p1, p2, walls, 3 - turn, left, jumps))
    return found


def winner(size: int, place: Place) -> int:
    return 1 if place[0][0] == size - 1 else 2 if place[1][0] == 0 else 0


def by_hand(game: GateRun) -> dict[Place, Verdict]:
    """The verdict on every position that can be reached: from the ends back, a ply a round."""
    size = game.size
    start = place_of(oracle.GateRun(**game.options))  # type: ignore[arg-type]
    following: dict[Place, list[Place]] = {}
    known: dict[Place, Verdict] = {}
    waiting = [start]
    while waiting:
        place = waiting.pop()
        if place in following or place in known:
            continue
        if winner(size, place):
            known[place] = Verdict(winner(size, place), 0)
        else:
            following[place] = after(size, place)
            waiting += following[place]
    plies, last = 0, 0
    draw = Verdict(0, None)
    while plies - last < 2:
        plies += 1
        fresh = {}
        for place, nexts in following.items():
            winners = {known.get(each, draw).winner for each in nexts} if place not in known else set()
            turn = place[3]
            if turn in winners:
                fresh[place] = Verdict(turn, plies)
            elif winners == {3 - turn}:
                fresh[place] = Verdict(3 - turn, plies)
        known |= fresh
        last = plies if fresh else last
    return {place: known.get(place, draw) for place in following}


def words_of(game: GateRun, place: Place) -> list[int]:
    p1, p2, walls, turn, left, jumps = place
    state = game.position(
        {
            "pawns": [p1, p2],
            "walls": [oracle.edge_text(edge) for edge in walls],
            "turn": turn,
            "left": left,
            "jump": jumps,
            "rotate": [False, False],
            "ply": turn - 1,
            "past": [],
        }
    )
    return state.words


def solved(**options: int) -> Table:
    table = Table(GateRun.make(**options))
    table.build(whole=True, workers=2)
    return table


@pytest.mark.parametrize(
    "options",
    [
        {"size": 3, "walls": 0, "jump": True},
        {"size": 3, "walls": 1},
        {"size": 3, "walls": 1, "jump": True},
        pytest.param({"size": 3, "walls": 2, "walls2": 1}, marks=slow),
        pytest.param({"size": 3, "walls": 0, "walls2": 3}, marks=slow),
        {"size": 4, "walls": 0, "jump": True},
        pytest.param({"size": 4, "walls": 1, "walls2": 0, "jump": True}, marks=slow),
        {"size": 4, "walls": 0, "walls2": 1},
        pytest.param({"size": 5, "walls": 1, "walls2": 0}, marks=slow),
    ],
    ids=str,
)
def test_every_position_ends_as_found_by_hand(options: dict[str, int]) -> None:
    game, table = GateRun.make(**options), solved(**options)
    expected = by_hand(game)
    for place, verdict in expected.items():
        assert table.verdict(words_of(game, place)) == verdict, place


def in_random_games(game: GateRun, seed: int, games: int) -> Iterable[State]:
    """Every position of some random games, the ends left out."""
    for number in range(games):
        state, stream = game.start(), Stream(seed, number)
        while not state.over:
            yield state
            state.play(state.pick(stream))


@pytest.mark.parametrize(
    "options",
    [
        {"size": 3, "walls": 8},
        {"size": 3, "walls": 2, "walls2": 12, "jump": True},
        {"size": 4, "walls": 3},
        {"size": 4, "walls": 2, "jump": True},
        {"size": 5, "walls": 2},
        {"size": 6, "walls": 1, "jump": True},
        {"size": 7, "walls": 0, "walls2": 2},
    ],
    ids=str,
)
def test_a_position_is_worth_what_its_best_action_leads_to(options: dict[str, int]) -> None:
    """If that is so everywhere, wins get shorter with every ply and a draw can be held: the table is right."""
    game, table = GateRun.make(**options), solved(**options)
    results = set()
    for state in in_random_games(game, seed=3, games=12):
        mover, found = state.turn, table.verdict(state.words)
        following = []
        for action in state.actions():
            words = list(state.words)
            words[rules.PLY] = words[rules.SEEN] = 0  # no draw by repetition or by length
            rules.perform(words, action)
            following.append(table.verdict(words))
        best = max(following, key=lambda verdict: verdict.worth(mover))
        assert found == Verdict(best.winner, None if best.plies is None else best.plies + 1), state
        results.add(found.winner)
    assert results >= {1, 2}


@pytest.mark.parametrize(
    ("size", "walls", "value", "distance"),
    [
        *((3, walls, "P1", plies) for walls, plies in ((0, 3), (1, 7), (2, 13))),
        *((3, walls, "draw", None) for walls in range(3, 9)),
        *((5, walls, "P1", plies) for walls, plies in ((0, 7), (1, 11), (2, 15))),
        *((7, walls, "P1", plies) for walls, plies in ((0, 11), (1, 15))),
        *((4, walls, "P2", plies) for walls, plies in ((0, 6), (1, 10), (2, 14), (3, 22))),
        *((6, walls, "P2", plies) for walls, plies in ((0, 10), (1, 14))),
    ],
)
def test_the_value_of_small_games(size: int, walls: int, value: str, distance: int | None) -> None:
    """Of odd sizes the values were found before by another program; the rest is this one's."""
    game = GateRun(size=size, walls=walls)
    found = game.solver().run(2).content()
    assert (found["value"], found["distance"]) == (value, distance)
    assert found["first_moves"].keys() == set(map(game.name_of, game.start().actions()))
    best = [plies for name, plies in found["first_move_distances"].items() if found["first_moves"][name] == value]
    assert (min(best) if value == "P1" else max(best) if value == "P2" else best[0]) == distance
    possible = {"P1": {"P1", "draw", "P2"}, "draw": {"draw", "P2"}, "P2": {"P2"}}[value]
    assert set(found["first_moves"].values()) <= possible


def test_positions_are_counted_and_foreseen() -> None:
    """A position: two cells with paths to goal rows not reached yet, a set of walls, who placed how many, whose turn."""
    size, edges = 3, sorted(oracle.edges(3))
    cells = [(row, col) for row in range(size) for col in range(size)]
    count = 0
    for chosen in range(2 ** len(edges)):
        walls = frozenset(edge for k, edge in enumerate(edges) if chosen >> k & 1)
        ways = {0: 1, 1: 2, 2: 2, 3: 1}.get(len(walls), 0)  # of two walls and one wall
        if ways:
            ones = [cell for cell in cells if cell[0] < 2 and path(size, 2, cell, walls)]
            twos = [cell for cell in cells if cell[0] > 0 and path(size, 0, cell, walls)]
            count += ways * 2 * sum(one != two for one in ones for two in twos)
    solver = GateRun(size=3, walls=2, walls2=1).solver()
    steps: list[int] = []
    found = solver.run(2, steps.append)
    assert found.content()["states"] == count
    estimate = solver.estimate()
    assert count <= estimate.positions < 1.1 * count
    assert steps == sorted(steps)
    assert steps[-1] == estimate.steps == 1 + 12 + 66 + 220
    assert estimate.memory == found.content()["memory"] == 2 * 36 * (220 * 1 + 66 * 2)


def test_what_a_solution_says_to_people() -> None:
    facts = dict(GateRun(size=3, walls=1).solver().run().facts())
    assert facts["value"] == "P1 wins in 7 plies"
    assert facts["positions"] == "5,958"
    drawn = dict(GateRun(size=3, walls=3).solver().run().facts())
    assert drawn["value"] == "a draw"
    assert "GateRun" in GateRun(size=3, walls=1).solver().run().board()


def test_turning_walls_are_not_solved() -> None:
    with pytest.raises(OptionError, match="walls that turn"):
        GateRun(size=3, walls=1, rotate=True).solver()


def solved_sets(config: tuple[int, int, int, int], *, compiled: bool) -> list[bytes]:
    """All layers of a game, solved by the functions compiled or as they are."""
    import numpy

    table = Table(GateRun(size=config[0], walls=config[1], walls2=config[2], jump=bool(config[3])))
    fields, state = records.allocate(wall_sets.RetrogradeState, wall_sets.SHAPES, compiled=compiled)
    load_binomials(fields)
    code = compiling.compiled(retrograde) if compiled else retrograde
    best = bytearray(2 * wall_sets.pairs(config[0]))
    found: list[bytearray] = []
    for total in range(table.last, -1, -1):
        layer = bytearray(table.bytes(total))
        tables: list[Any] = [layer, found[-1] if found else layer, best]
        if compiled:
            tables = [numpy.frombuffer(each, numpy.uint8) for each in tables]
        code.solve_sets(retrograde.Tables(*tables), state, table.setup, total, 0, table.sets(total))
        found.append(layer)
    return list(map(bytes, found))


@pytest.mark.parametrize("config", [(3, 1, 1, 1), (3, 0, 2, 0), (4, 1, 0, 0)])
def test_layers_are_the_same_interpreted(config: tuple[int, int, int, int]) -> None:
    assert solved_sets(config, compiled=False) == solved_sets(config, compiled=True)


def test_a_win_too_long_for_a_byte_is_still_a_win(monkeypatch: pytest.MonkeyPatch) -> None:
    config = (3, 1, 1, 0)
    exact = solved_sets(config, compiled=False)
    monkeypatch.setattr(retrograde, "DEEPEST", 2)
    for rough, fine in zip(solved_sets(config, compiled=False), exact, strict=True):
        assert max(fine[k] for k in range(len(fine)) if fine[k] < 128) > 2
        for short, long in zip(rough, fine, strict=True):
            assert short == (min(long, 2) if long < 128 else long if long == 128 else max(long, 253))


def play_out(state: State, bots: dict[int, object], seed: int) -> State:
    stream = Stream(seed)
    while not state.over:
        state.play(bots[state.turn].choose(state, stream=stream))  # type: ignore[attr-defined]
    return state


@pytest.mark.parametrize("opponent", ["random", "greedy", "minimax:depth=2"])
def test_the_bot_that_knows_wins_what_is_won_and_holds_what_is_drawn(opponent: str) -> None:
    """From positions of random games: it never ends worse than the table says, and wins no later."""
    knows, other = perfect.Perfect(), make_bot(GateRun, opponent)
    tried = set()
    for options in ({"size": 3, "walls": 4}, {"size": 4, "walls": 2, "jump": True}, {"size": 5, "walls": 1}):
        game = GateRun.make(**options)
        table = perfect.table_of(game)
        for number, at in enumerate(in_random_games(game, seed=5, games=4)):
            if number % 3:
                continue
            me = at.turn
            start = game.position({**at.json(), "ply": 1 - at.turn % 2, "past": []})
            verdict = table.verdict(start.words)
            tried.add(verdict.winner == me if verdict.winner else None)
            end = play_out(start, {me: knows, 3 - me: other}, number)
            if verdict.winner == me:
                assert end.winners() == (me,)
                assert verdict.plies is not None
                assert len(end.history) <= verdict.plies
            elif verdict.winner == 0:
                assert end.scores()[me - 1] >= 0.5
            else:
                assert verdict.plies is not None
                assert end.winners() != (3 - me,) or len(end.history) >= verdict.plies
    assert tried == {True, False, None}


def test_two_that_know_play_out_the_solution() -> None:
    game = GateRun(size=5, walls=2)
    end = play_out(game.start(), {1: perfect.Perfect(), 2: perfect.Perfect()}, seed=1)
    assert end.winners() == (1,)
    assert len(end.history) == 15


def test_what_the_bot_that_knows_thinks() -> None:
    game = GateRun(size=5, walls=1)
    state = game.start()
    found = perfect.Perfect().analyse(state)
    assert (found.value, found.win, found.forced, len(found.line)) == (1000 - 11, 1.0, 11, 11)
    assert len(found.candidates) == len(state.actions())
    for name in found.line:
        state.play(game.action(name))
    assert state.winners() == (1,)
    state = game.start()
    state.play(game.action(found.line[0]))
    lost = perfect.Perfect().analyse(state)
    assert (lost.value, lost.win, lost.forced) == (10 - 1000, 0.0, -10)
    drawn = perfect.Perfect().analyse(GateRun(size=3, walls=3).start())
    assert (drawn.value, drawn.win, drawn.forced) == (0, 0.5, None)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "7×7 with 8 walls each is too large"),
        ({"size": 5, "walls": 3}, "5×5 with 3 walls each is too large"),
        ({"size": 5, "walls": 4, "walls2": 2, "jump": True}, "5×5 with 4 and 2 walls and jumps is too large"),
        ({"size": 3, "rotate": True}, "walls that turn"),
    ],
)
def test_the_bot_that_knows_refuses_what_it_cannot_know(options: dict[str, int], said: str) -> None:
    game = rookery.game("gaterun", **options)
    with pytest.raises(OptionError, match=said):
        perfect.Perfect().choose(game.start())
    with pytest.raises(OptionError, match=said):
        make_bot(game, "perfect")
