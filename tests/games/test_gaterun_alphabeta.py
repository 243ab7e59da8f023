"""GateRun's alpha-beta: against minimax as in a textbook, against solved boards, and as a bot that keeps the rules."""

from __future__ import annotations

import threading
from copy import deepcopy
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import gaterun as oracle
from tests.tiers import mostly_slow

import rookery
from rookery.core.bot import Budget
from rookery.core.stream import Stream
from rookery.games.gaterun import geometry, rules
from rookery.games.gaterun.bots import alphabeta, move_generation, race, search_state
from rookery.games.gaterun.bots.workspace import AlphaBetaWorkspace, workspace

if TYPE_CHECKING:
    from rookery.core.state import State

BOARDS = st.fixed_dictionaries(
    {
        "size": st.integers(3, 7),
        "walls": st.integers(0, 8),
        "walls2": st.none() | st.integers(0, 8),
        "jump": st.booleans(),
        "rotate": st.booleans(),
    }
)


def position(seed: int, plies: int, **options: object) -> State:
    """A position after some random plies, with a player to move."""
    state, stream = rookery.game("gaterun", **options).start(), Stream(seed)
    for _ in range(plies):
        state.play(state.pick(stream))
        if state.over:
            state.undo()
            break
    return state


def textbook(state: State, depth: int, ply: int = 0) -> int:
    """Negamax over every legal action, as in a textbook, with the evaluation written out anew.

    A step onto the goal row is seen even where the depth ends.
    """
    if state.over:
        return 0 if len(state.winners()) == 2 else ply - alphabeta.WIN
    twin = oracle.twin_of(state)
    me, goal = state.turn, twin.size - 1 if state.turn == 1 else 0
    beside = [cell for cell in oracle.neighbours(twin, twin.pawns[me]) if cell != twin.pawns[3 - me]]
    if any(row == goal for row, _ in beside):
        return alphabeta.WIN - ply - 1
    if depth == 0:
        ahead = oracle.walk(twin, 3 - me) - oracle.walk(twin, me)
        return 10 * ahead + 16 * (twin.left[me] - twin.left[3 - me]) + 4
    values = []
    for action in state.actions():
        state.play(action)
        values.append(-textbook(state, depth - 1, ply + 1))
        state.undo()
    return max(values)


@pytest.mark.parametrize("seed", mostly_slow(range(12), usual=3))
def test_a_search_that_leaves_nothing_out_is_minimax(seed: int) -> None:
    """With walls left, so that no race is solved exactly."""
    options = {"size": 4, "walls": 6, "jump": seed % 2 == 0, "rotate": seed % 3 == 0}
    state = position(seed, 2 * seed % 5, **options)
    work = workspace()
    work.load(state, Stream())
    values = {work.action(code): value for code, value in work.search(2, 1000, full_width=True)}
    assert set(values) == set(state.actions())
    for action, value in values.items():
        state.play(action)
        assert value == -textbook(state, 1, 1), (state.position(), state.game.name_of(action))
        state.undo()


@settings(max_examples=60)
@given(BOARDS, st.integers(0, 2**40), st.integers(0, 40))
def test_the_moves_at_the_root_are_the_legal_actions_with_the_distances_they_leave(
    options: dict[str, int], seed: int, plies: int
) -> None:
    state = position(seed, plies, **options)
    work = AlphaBetaWorkspace(compiled=False)
    work.load(state, Stream())
    distances = {work.action(code): (mine, theirs) for code, _, mine, theirs in work.moves()}
    assert sorted(distances) == sorted(state.actions())
    me, before = state.turn, oracle.twin_of(state)
    for action, (mine, theirs) in distances.items():
        twin, name = deepcopy(before), state.game.name_of(action)
        twin.play(name)
        assert (mine, theirs) == (oracle.walk(twin, me), oracle.walk(twin, 3 - me)), name


def as_the_rules_have_it(state: State) -> dict[int, int]:
    """What the row of a position should hold, by the rules; `state` may be over."""
    words, me = state.words, 1 + state.words[rules.PLY] % 2
    other = 3 - me
    return {
        search_state.OPEN_EAST: words[rules.EAST],
        search_state.OPEN_SOUTH: words[rules.SOUTH],
        search_state.MY_CELL: words[rules.PAWN + me],
        search_state.THEIR_CELL: words[rules.PAWN + other],
        search_state.MY_WALLS: words[rules.WALLS + me],
        search_state.THEIR_WALLS: words[rules.WALLS + other],
        search_state.MY_JUMPS: words[rules.JUMPS + me],
        search_state.THEIR_JUMPS: words[rules.JUMPS + other],
        search_state.MY_ROTATIONS: words[rules.ROTATIONS + me],
        search_state.THEIR_ROTATIONS: words[rules.ROTATIONS + other],
        search_state.MY_DISTANCE: rules.distance(words, me),
        search_state.THEIR_DISTANCE: rules.distance(words, other),
        search_state.PLAYER: me,
    }


@settings(max_examples=12)
@given(BOARDS, st.integers(0, 2**40))
def test_moves_and_successors_are_those_of_the_rules_throughout_a_game(options: dict[str, int], seed: int) -> None:
    """A random game is played by the search's own moves: at every ply all of them are compared with the rules', and
    some positions after them word by word. A narrower selection of walls only leaves walls and rotations out.
    """
    state, stream = rookery.game("gaterun", **options).start(), Stream(seed)
    work = AlphaBetaWorkspace(compiled=False)
    work.load(state, Stream())
    t, ply = work.search_state, 0
    while not state.over:
        if ply == search_state.MAX_PLY:
            work.load(state, Stream())
            ply = 0
        selected = {}
        for selection in (move_generation.LENGTHENING, move_generation.ON_PATHS, move_generation.ALL_WALLS):
            move_generation.generate(t, ply, selection)
            selected[selection] = [work.action(move[search_state.CODE]) for move in work.moves(ply)]
        actions = selected[move_generation.ALL_WALLS]
        assert sorted(actions) == sorted(state.actions()), state.position()
        for some in selected.values():
            assert len(some) == len(set(some))
            assert {each for each in actions if each < options["size"] ** 2} <= set(some) <= set(actions)
        looked_at = {stream.below(len(actions)) for _ in range(8)}
        for k in looked_at:
            search_state.advance(t, ply, k)
            state.play(actions[k])
            for field, word in as_the_rules_have_it(state).items():
                assert t.positions[ply + 1][field] == word, (field, state.position())
            assert t.positions[ply + 1][search_state.KEY] == search_state.hash_position(t, ply + 1)
            state.undo()
        chosen = actions.index(state.pick(stream))
        search_state.advance(t, ply, chosen)
        state.play(actions[chosen])
        ply += 1


@settings(max_examples=40)
@given(BOARDS, st.integers(0, 2**40), st.integers(0, 60))
def test_keys_kept_up_to_date_are_those_of_the_position(options: dict[str, int], seed: int, plies: int) -> None:
    state = position(seed, plies, **options)
    work = AlphaBetaWorkspace(compiled=False)
    work.load(state, Stream())
    t = work.search_state
    for k in range(t.positions[0][search_state.MOVE_COUNT]):
        search_state.advance(t, 0, k)
        assert t.positions[1][search_state.KEY] == search_state.hash_position(t, 1)


@pytest.mark.parametrize("seed", range(8))
def test_interpreted_and_compiled_find_the_same(seed: int) -> None:
    state = position(seed, 3 * seed, size=3 + seed % 5, walls=seed % 4, jump=seed % 2 == 0, rotate=seed % 3 == 0)
    found: list[object] = []
    for compiled in (False, True):
        work = AlphaBetaWorkspace(compiled=compiled)
        work.load(state, Stream(seed))
        if work.is_race:
            found.append((work.solve_race(), work.principal_variation(), 0))
            continue
        values = [work.search(depth, 3) for depth in range(1, 5)]
        found.append((values, work.principal_variation(), work.nodes))
    assert found[0] == found[1]


@pytest.mark.parametrize(("size", "walls", "jump"), [(3, 2, False), (3, 1, True), (4, 2, True), (5, 1, False)])
def test_on_solved_boards_it_keeps_what_it_has_and_claims_only_what_is_so(size: int, walls: int, jump: bool) -> None:
    perfect, bot = rookery.bot("gaterun", "perfect"), rookery.bot("gaterun", "alphabeta:nodes=50000")
    forced = 0
    for seed in range(40):
        state = position(seed, seed % 10, size=size, walls=walls, jump=jump)
        exact, found = perfect.analyse(state), bot.analyse(state)
        worth = {each.action: each.win for each in exact.candidates}
        assert worth[found.candidates[0].action] == exact.win, state.position()
        if found.forced is not None:
            assert found.forced == exact.forced, state.position()
            assert found.win == (1.0 if found.forced > 0 else 0.0)
            forced += 1
    assert forced > 10


@pytest.mark.parametrize("seed", range(6))
def test_a_race_ends_when_it_is_said_to(seed: int) -> None:
    state, stream = position(seed, 12, walls=4, jump=seed % 2 == 0), Stream(seed)
    while state.words[rules.WALLS + 1] or state.words[rules.WALLS + 2]:
        state.play(
            next(action for action in state.actions() if action >= 49 or not state.words[rules.WALLS + state.turn])
        )
    bot = rookery.bot("gaterun", "alphabeta")
    found, me = bot.analyse(state), state.turn
    assert found.nodes == 0
    if found.forced is None:
        assert (found.value, found.win) == (0, 0.5)
        return
    assert len(found.line) >= 1
    for _ in range(abs(found.forced)):
        assert not state.over
        state.play(bot.choose(state, stream=stream))
    assert state.winners() == (me if found.forced > 0 else 3 - me,)


def test_a_threat_is_parried_and_a_win_taken() -> None:
    game = rookery.game("gaterun", size=5, walls=3)
    state = game.position("3,2/1,2 - P1 3/3 -/- 8")
    found = rookery.bot("gaterun", "alphabeta:nodes=2000").analyse(state)
    assert (found.line[0], found.forced, found.win) == ("4,2", 1, 1.0)
    state = game.position("2,0/1,2 - P1 3/3 -/- 8")
    assert rookery.bot("gaterun", "alphabeta:nodes=20000").analyse(state).line[0] == "0,2|1,2"


def test_a_bot_that_is_losing_takes_the_draw_by_repetition() -> None:
    """P1 can only shuffle; stepping back where it was makes the position come for the third time."""
    game = rookery.game("gaterun", size=5, walls=2)
    state = game.start()
    for text in ("0,1", "4,1", "0,2", "4,2") * 2:
        assert not state.over
        state.play(game.action(text))
    assert state.over and state.winners() == (1, 2)
    state.undo()
    bot = rookery.bot("gaterun", "alphabeta:nodes=5000")
    draw = next(each for each in bot.analyse(state).candidates if each.name == "4,2")
    assert draw.value == 0 and draw.win == 0.5


def test_the_same_seed_and_nodes_give_the_same_move_whatever_was_searched_before() -> None:
    state = position(3, 6)
    bot = rookery.bot("gaterun", "alphabeta:nodes=3000")
    first = bot.analyse(state), bot.choose(state, stream=Stream(5))
    for seed in range(3):
        bot.choose(position(seed, 9, size=5, jump=True))
    assert (bot.analyse(state), bot.choose(state, stream=Stream(5))) == first


def test_threads_do_not_disturb_each_other() -> None:
    bot, states = rookery.bot("gaterun", "alphabeta:nodes=20000"), [position(seed, 8) for seed in range(4)]
    alone = [bot.analyse(state) for state in states]
    found: dict[int, object] = {}
    threads = [threading.Thread(target=lambda k=k: found.update({k: bot.analyse(states[k])})) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[k] for k in range(4)] == alone


def test_nodes_are_a_limit_and_a_cancelled_search_answers() -> None:
    state = position(3, 4)
    bot = rookery.bot("gaterun", "alphabeta")
    for nodes in (1, 10, 500, 5000):
        first = bot.analyse(state, nodes=1).nodes  # what depth 1 takes, whatever the budget
        assert bot.analyse(state, nodes=nodes).nodes <= max(first, nodes + 1)
    budget = Budget(ms=60_000)
    threading.Timer(0.05, budget.cancel).start()
    assert state.legal(bot.choose(state, budget))
    assert budget.seconds_left is not None and budget.seconds_left > 30
    assert (
        bot.analyse(state, nodes=20_000).depth == rookery.bot("gaterun", "alphabeta:nodes=20000").analyse(state).depth
    )


@pytest.mark.parametrize("nodes", range(100, 12_000, 700))
def test_a_search_that_is_stopped_anywhere_ranks_its_candidates(nodes: int) -> None:
    found = rookery.bot("gaterun", "alphabeta").analyse(rookery.game("gaterun").start(), nodes=nodes)
    values = [each.value for each in found.candidates]
    assert values == sorted(values, reverse=True)
    assert found.candidates[0].name == found.line[0]
    assert len(found.candidates) == len({each.name for each in found.candidates}) == 5


def test_depth_is_a_limit_too() -> None:
    found = rookery.bot("gaterun", "alphabeta:depth=4").analyse(position(3, 4))
    assert found.depth == 4
    assert len(found.line) <= 5  # a win at once is seen beyond the depth


@settings(max_examples=15)
@given(BOARDS, st.integers(0, 2**40))
def test_whole_games_are_played_by_the_rules(options: dict[str, int], seed: int) -> None:
    state, stream = rookery.game("gaterun", **options).start(), Stream(seed)
    bots = [rookery.bot("gaterun", "alphabeta:nodes=300"), rookery.bot("gaterun", "alphabeta:nodes=60,slip=0.3")]
    while not state.over:
        state.play(bots[state.turn - 1].choose(state, stream=stream))
    assert len(state.history) <= 300


def test_a_proof_knows_the_positions_that_came_before() -> None:
    """A proof starts a new generation of keys; the position that would come for the third time is still seen."""
    game = rookery.game("gaterun", size=5, walls=2)
    state = game.start()
    for text in ("0,1", "4,1", "0,2", "4,2", "0,1", "4,1", "0,2"):
        state.play(game.action(text))
    work = AlphaBetaWorkspace(compiled=False)
    work.load(state, Stream())
    work.prove(2)
    values = {work.action(code): value for code, value in work.search(2, 1000, full_width=True)}
    assert values[game.action("4,2")] == 0


def test_a_wall_that_guards_ones_own_path_is_generated() -> None:
    """P1, in a pocket whose other ways out are long, closes the one upwards: then the one down may not be closed."""
    game = rookery.game("gaterun")
    state = game.start()
    plies = "0,0|0,1 2,0|2,1 1,3 5,3 2,3 4,3 3,3 2,3|2,4 1,3|2,3 5,3|6,3 3,4 4,4 0,4|1,4 3,4|3,5 3,5|4,5 4,4|5,4 2,4|3,4 4,3"
    for text in f"{plies} 4,4 4,2 3,2|4,2 4,3 4,5 4,5|5,5 3,3|4,3 4,4|4,5".split():
        state.play(game.action(text))
    work = AlphaBetaWorkspace(compiled=False)
    work.load(state, Stream())
    move_generation.generate(work.search_state, 0, move_generation.ON_PATHS)
    listed = {game.name_of(work.action(move[search_state.CODE])) for move in work.moves()}
    assert "3,6|4,6" in listed
    state.play(game.action("3,6|4,6"))
    assert not state.legal(game.action("4,6|5,6"))


@pytest.mark.parametrize("jump", [False, True])
def test_a_race_decided_without_solving_it_ends_as_it_does_when_solved(jump: bool) -> None:
    """In every position of random games from the last wall on."""
    work, compared, jumps = AlphaBetaWorkspace(compiled=False), 0, int(jump)
    for seed in range(40):
        size, stream, solved = 3 + seed % 5, Stream(seed), list[int]()
        state = rookery.game("gaterun", size=size, walls=2, jump=jump).start()
        while not state.over and len(state.history) < 60:
            if not any(state.words[rules.WALLS + player] for player in (1, 2)):
                work.load(state, Stream())
                if not solved:
                    solved = [0] * race.race_words(jumps, jumps)
                    board = geometry.Board(size, state.words[rules.EAST], state.words[rules.SOUTH])
                    race.solve_race(solved, board, jumps, jumps)
                left, pawns = state.words[rules.JUMPS + 1 :], state.words[rules.PAWN + 1 :]
                place = race.RacePlace(left[0], left[1], state.turn, pawns[0], pawns[1])
                found = race.race_winner(solved, place)
                assert alphabeta.winner_of_race(work.search_state, 0) == found, state.position()
                compared += 1
            state.play(state.pick(stream))
    assert compared > 300
