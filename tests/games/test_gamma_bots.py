"""Gamma's bots: what is called certain is so by brute force, and the settler plays by the rules on any board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import rookery
from rookery.core.bot import Budget, make_bot
from rookery.core.rules import OVER, STATE_SIZE
from rookery.core.stream import Stream
from rookery.games.gamma import board, rules
from rookery.games.gamma.bots import prior
from rookery.games.gamma.bots.proof import REGION_WORDS, divide, hold, prove
from rookery.games.gamma.bots.workspace import Workspace
from rookery.games.gamma.game import Gamma
from rookery.search.tree import DRAW

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from rookery.core.state import State


def drawn(board: str, areas: int, turn: int = 1, spent: str = "-") -> State:
    rows = board.split()
    game = rookery.game("gamma", width=len(rows[0]), height=len(rows), areas=areas)
    return game.position(f"{'/'.join(rows)} {turn} {spent} -")


def regions(state: State) -> list[int]:
    return [0] * (REGION_WORDS * state.game.action_count)


def held(state: State, player: int) -> int:
    found = regions(state)
    return hold(state.words, found, divide(state.words, found), player)


class Brute:
    """Everything by trying everything: the lead of player 1, or the cells a player can hold, with best play."""

    def __init__(self) -> None:
        self.known: dict[tuple[Hashable, int], int] = {}

    def lead(self, state: State) -> int:
        """The sign says who wins."""
        return self._best(state, 0)

    def cells(self, state: State, player: int) -> int:
        """However hard the other tries to take them away."""
        return self._best(state, player)

    def _best(self, state: State, goal: int) -> int:
        scores = state.scores()
        if state.over:
            return int(scores[goal - 1] if goal else scores[0] - scores[1])
        key = (state.key(), goal)
        if key not in self.known:
            values = []
            for action in state.actions():
                state.play(action)
                values.append(self._best(state, goal))
                state.undo()
            self.known[key] = max(values) if state.turn == (goal or 1) else min(values)
        return self.known[key]


SMALL = ((4, 4, 1), (4, 4, 2), (5, 3, 1), (5, 4, 2), (3, 3, 1), (6, 2, 1), (9, 1, 2), (5, 5, 3))


def positions(times: int = 4, most: int = 4) -> Iterator[State]:
    """Small boards with few cells left after random play, so that all that can follow can be tried.

    In one of three, golden moves have been kept as long as there was something else to do.
    """
    for number, (width, height, areas) in enumerate(SMALL * times):
        game = rookery.game("gamma", width=width, height=height, areas=areas)
        state, stream = game.start(), Stream(5, number)
        spared = number // len(SMALL) % 3 == 0
        left = most - stream.below(3) - spared
        while not state.over and state.words[board.FREE] > left:
            action = state.pick(stream)
            if spared and action >= width * height and rules.free(state.words, state.turn):
                continue
            state.play(action)
        if not state.over:
            yield state


def outcome(lead: int) -> int:
    return 1 if lead > 0 else 2 if lead < 0 else DRAW


def test_what_is_certain_is_so_however_the_game_goes_on() -> None:
    brute, decided, safe = Brute(), 0, 0
    for state in positions(12):
        said = prove(state.words, regions(state))
        if said:
            decided += 1
            assert outcome(brute.lead(state)) == said, state.position()
        for player in (1, 2):
            kept = held(state, player)
            safe += kept > state.scores()[player - 1]
            assert kept <= brute.cells(state, player), state.position()
    assert decided > 5
    assert safe > 5


def test_what_the_search_proves_is_what_brute_force_finds() -> None:
    brute, workspace, proofs = Brute(), Workspace(compiled=True), 0
    for number, state in enumerate(positions()):
        workspace.search(state, Budget(nodes=400), Stream(number))
        tree = workspace.tree
        if tree.proof[0]:
            proofs += 1
            assert outcome(brute.lead(state)) == tree.proof[0], state.position()
        for child in workspace.children(0):
            if tree.proof[child]:
                state.play(int(tree.action[child]))
                assert outcome(brute.lead(state)) == tree.proof[child], state.position()
                state.undo()
    assert proofs > 20


def test_the_settler_keeps_a_proven_win() -> None:
    brute, settler = Brute(), make_bot(Gamma, "settler:nodes=300")
    for number, state in enumerate(positions()):
        sign = 1 if state.turn == 1 else -1
        analysis = settler.analyse(state)
        if analysis.forced and analysis.forced > 0:
            assert analysis.win == 1
            state.play(settler.choose(state, stream=Stream(number)))
            assert sign * brute.lead(state) > 0, state.position()


def test_nothing_is_certain_after_a_pass_that_another_may_answer_by_ending_the_game() -> None:
    board, spent = "1122 .122 112. 112.", "1,2"
    assert prove(drawn(board, 1, 2, spent).words, regions(drawn(board, 1, 2, spent))) == DRAW
    passed = drawn(board, 1, 2, spent)
    passed.play(passed.game.action("pass"))
    assert prove(passed.words, regions(passed)) == 0
    assert Brute().lead(passed) > 0


def test_cells_behind_a_wall_are_safe_from_who_has_no_area_left() -> None:
    walled = "..12. ..12. ..12. ..12."
    assert held(drawn(walled, 1, spent="1,2"), 1) == 4 + 8
    assert held(drawn(walled, 2, spent="1,2"), 1) == 4
    # A golden move on the wall opens all that lies behind it.
    assert held(drawn(walled, 1, spent="1"), 1) == 3


def test_two_areas_that_can_still_be_joined_make_nothing_safe_from_them() -> None:
    assert held(drawn("2...2 11111 ..... .....", 2, spent="1,2"), 1) == 5
    assert held(drawn("2.1.2 11111 ..... .....", 2, spent="1,2"), 1) == 6 + 10


def test_a_decided_game_is_said_to_be_forced() -> None:
    state = drawn("...12 ...12 ...12 ...12 ...12", 1, spent="1,2")
    analysis = make_bot(Gamma, "settler:nodes=500").analyse(state)
    assert analysis.win == 1
    assert analysis.forced == 15
    assert analysis.value == 15
    lost = drawn("...12 ...12 ...12 ...12 ..112", 1, turn=1, spent="1")
    assert make_bot(Gamma, "settler:nodes=500").analyse(lost).nodes > 0


def test_a_move_has_no_weight_exactly_if_it_is_refused() -> None:
    factors = prior.prior_factors()
    for state in positions():
        words, player = state.words, state.turn
        full, tight = words[words[board.AREAS] + player] >= words[board.LIMIT], prior.is_tight(words, player)
        before = list(words)
        for cell in range(state.game.action_count // 2):
            place = board.place_of(words, cell)
            if words[words[board.OWNER] + place] == 0:
                allowed = prior.move_weight(words, player, place, full, tight, factors) > 0
                assert allowed == rules.may_move(words, player, place)
        assert list(words) == before


@pytest.mark.parametrize("options", [{"width": 5, "height": 4}, {"width": 4, "height": 4, "players": 3, "areas": 2}])
def test_the_search_runs_the_same_interpreted_and_compiled(options: dict[str, int]) -> None:
    state = rookery.game("gamma", **options).start()
    slow, fast = Workspace(compiled=False), Workspace(compiled=True)
    while not state.over:
        for workspace in (slow, fast):
            workspace.search(state, Budget(nodes=12), Stream(3, len(state.history)))
        found = [seen(workspace) for workspace in (slow, fast)]
        assert found[0] == found[1]
        state.play(int(slow.tree.action[slow.best_child(0)]))


def seen(workspace: Workspace) -> list[Any]:
    used = int(workspace.tree.used[0])
    columns = (*workspace.tree[1:], *workspace.settler_columns)
    rows = [list(map(float, column[:used])) for column in columns]
    return [used, rows, list(map(int, workspace.control)), workspace.best_child(0)]


ODD = (
    {"width": 1, "height": 1, "players": 1, "areas": 1},
    {"width": 1, "height": 1, "players": 3, "areas": 1},
    {"width": 1, "height": 9, "areas": 1},
    {"width": 9, "height": 1, "areas": 3},
    {"width": 4, "height": 3, "players": 1, "areas": 1},
    {"width": 5, "height": 5, "players": 7, "areas": 1},
    {"width": 3, "height": 3, "players": 40, "areas": 2},
    {"width": 4, "height": 4, "areas": 4294967295},
    {"width": 4, "height": 4, "areas": 1, "pass_out": False},
    {"width": 3, "height": 5, "players": 3, "areas": 2, "pass_out": False},
)


@pytest.mark.parametrize("options", ODD)
def test_the_settler_finishes_games_on_odd_boards(options: dict[str, Any]) -> None:
    state, settler = rookery.game("gamma", **options).start(), make_bot(Gamma, "settler:nodes=20")
    while not state.over:
        assert len(state.history) < 200
        assert state.legal(settler.analyse(state).candidates[0].action)
        state.play(settler.choose(state, stream=Stream(1, len(state.history))))
    assert sum(state.scores()) == state.game.action_count // 2


def test_alone_the_settler_takes_every_cell_and_counts_them() -> None:
    state = rookery.game("gamma", width=4, height=3, players=1, areas=2).start()
    assert make_bot(Gamma, "settler:nodes=20").analyse(state).value == 12


@pytest.mark.parametrize("areas", [1, 4])
def test_on_a_board_too_large_to_think_about_the_settler_glances(areas: int) -> None:
    state, settler = (
        rookery.game("gamma", width=400, height=300, areas=areas).start(),
        make_bot(Gamma, "settler:nodes=9"),
    )
    for number in range(12):
        before = list(state.words)
        action = settler.choose(state, stream=Stream(2, number))
        assert list(state.words[: state.words.state_size]) == before[: before[STATE_SIZE]]
        assert action < 2 * 400 * 300
        state.play(action)
    assert state.scores() == (6, 6)


def test_a_glance_at_a_board_with_nothing_free_finds_a_golden_move() -> None:
    game = rookery.game("gamma", width=60_000, height=2, areas=1)
    state = game.position(f"{'1' * 60_000}/{'2' * 60_000} 1 - -")
    action = make_bot(Gamma, "settler").choose(state, stream=Stream(4))
    assert game.name_of(action)[0] == "g"
    assert state.legal(action)


def test_a_cancelled_search_still_answers() -> None:
    budget = Budget()
    budget.cancel()
    state, settler = rookery.game("gamma").start(), make_bot(Gamma, "settler")
    assert state.legal(settler.choose(state, budget, Stream(1)))
    assert state.legal(settler.analyse(state, budget).candidates[0].action)


def test_with_nodes_and_a_seed_the_settler_repeats_itself() -> None:
    state, settler = rookery.game("gamma").start(), make_bot(Gamma, "settler:nodes=50")
    settler.choose(rookery.game("gamma", width=7, height=3, players=3).start(), stream=Stream(1))
    first = [settler.choose(state, stream=Stream(9, k)) for k in range(3)]
    settler.choose(rookery.game("gamma", width=4).start(), stream=Stream(2))
    assert [settler.choose(state, stream=Stream(9, k)) for k in range(3)] == first


def test_a_thought_covers_every_node_it_was_given() -> None:
    workspace = Workspace(compiled=True)
    workspace.search(rookery.game("gamma").start(), Budget(nodes=177), Stream(1))
    assert workspace.nodes == 177
    assert workspace.tree.visits[0] == 177
    assert workspace.settler_columns.mover[0] == 1
    assert sum(candidate.win is not None for candidate in workspace.analysis(workspace.candidates()).candidates) > 1


def score(one: str, other: str, games: int, **options: int) -> float:
    """The points of the first bot over games from random openings, with the seats changed each time."""
    points = 0.0
    for number in range(games):
        state, stream = rookery.game("gamma", **options).start(), Stream(11, number)
        opening = Stream(12, number // 2)
        for _ in range(2):
            state.play(state.pick(opening))
        bots = [make_bot(Gamma, spec) for spec in ((one, other) if number % 2 == 0 else (other, one))]
        while state.turn != OVER:
            state.play(bots[state.turn - 1].choose(state, stream=stream))
        winners = state.winners()
        points += (1 + number % 2 in winners) / len(winners)
    return points / games


def test_the_settler_beats_greedy_and_search_at_random() -> None:
    assert score("settler:nodes=30", "greedy", 6, width=7, height=7) >= 0.75
    assert score("settler:nodes=60", "mcts:nodes=60", 6, width=7, height=7) >= 0.75


def test_levels_think_by_nodes_up_to_nine_and_by_the_clock_at_ten() -> None:
    bots = [make_bot(Gamma, str(level)) for level in range(1, 11)]
    assert all(bot.ms is None for bot in bots[:9])
    assert bots[9].ms == 100
    for challenge in Gamma.challenges():
        assert all(make_bot(Gamma, each).ms is None for each in challenge.opponents)


def test_of_several_who_have_only_golden_moves_the_settler_takes_last() -> None:
    """All cells are taken. Who passes can still take when the others have, unless all the others have passed."""
    game = rookery.game("gamma", width=3, height=2, players=3, areas=6)
    bot = make_bot(Gamma, "settler:nodes=200")
    for player, passed, wanted in ((1, "-", "pass"), (2, "1", "pass"), (3, "1", "g")):
        state = game.position(f"312/123 {player} - {passed}")
        assert game.name_of(bot.choose(state, stream=Stream(1))).startswith(wanted), state.position()


def test_greedy_keeps_its_golden_move_until_nothing_else_is_left() -> None:
    bot = make_bot(Gamma, "greedy")
    state = drawn("12. 12. 12.", areas=1, turn=2)
    assert state.game.name_of(bot.choose(state)).startswith("m")
    state = drawn("12 12 12", areas=1, turn=2)
    assert state.game.name_of(bot.choose(state)).startswith("g")
