"""Tree search: against brute force where a game can be searched to its end, and compiled against interpreted."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest
from tests.games.spread import THIN_ICE, label
from tests.tiers import mostly_slow

import rookery
from rookery.core.bot import Budget
from rookery.core.errors import IllegalAction, PositionError
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.engine import compiling
from rookery.games import from_file
from rookery.search import mcts, tree, uct
from rookery.search.mcts import Mcts, Settings, Workspace, workspace
from rookery.search.tree import DRAW
from rookery.search.workspace import DEFAULT_NODES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rookery.core.game import Game
    from rookery.core.state import State

pytestmark = pytest.mark.xdist_group("mcts")
"""In one worker, so that the search is compiled once for each game."""

GAMES: list[Game] = [
    rookery.game("gamma", width=4, height=3, areas=2),
    rookery.game("gamma", width=4, height=4, players=3, areas=1),
    rookery.game("gamma", width=3, height=3, players=1, areas=2),
    rookery.game("gaterun", size=4, walls=2, jump=True),
    rookery.game("gotham", size=3, coins=1),
    rookery.game("sixseven", rows=2, cols=3),
    from_file(THIN_ICE).make(rows=3, cols=3),
]


def opened(game: Game, plies: int = 0, seed: int = 0) -> State:
    """A game after so many random actions, or fewer if it would end, with a player to move."""
    state, stream, made = game.start(), Stream(seed), 0
    while True:
        if state.turn == CHANCE:
            state.play(state.draw(stream))
        elif made == plies:
            return state
        else:
            before = len(state.history)
            state.play(state.pick(stream))
            made += 1
            while state.turn == CHANCE:
                state.play(state.draw(stream))
            if state.over:
                while len(state.history) > before:
                    state.undo()
                return state


def after(state: State, action: int) -> State:
    state = state.copy()
    state.play(action)
    return state


def wins_at_once(state: State) -> set[int]:
    """The actions that end the game with the player to move as the only winner."""
    return {action for action in state.actions() if after(state, action).winners() == (state.turn,)}


def values_of(state: State, known: dict[Any, float]) -> dict[int, float]:
    """What each action is worth to player 1 of two, whatever anybody does: 1 a win, a half a draw, 0 a loss."""
    return {action: value_of(after(state, action), known) for action in state.actions()}


def value_of(state: State, known: dict[Any, float]) -> float:
    if state.over:
        return 1 / len(state.winners()) if 1 in state.winners() else 0.0
    key = state.key()
    if key not in known:
        values = values_of(state, known).values()
        known[key] = max(values) if state.turn == 1 else min(values)
    return known[key]


@pytest.mark.parametrize("rave", mostly_slow([0.0, 100.0]))
@pytest.mark.parametrize(
    ("width", "height", "areas", "plies"),
    mostly_slow([(2, 2, 1, 0), (3, 3, 2, 5), (3, 2, 2, 1), (2, 2, 2, 0), (3, 2, 1, 0), (3, 3, 1, 4)], usual=2),
)
def test_on_tiny_boards_of_gamma_it_proves_what_brute_force_finds(
    width: int, height: int, areas: int, plies: int, rave: float
) -> None:
    game = rookery.game("gamma", width=width, height=height, areas=areas)
    known: dict[Any, float] = {}
    for seed in range(6):
        state = opened(game, plies, seed)
        values = values_of(state, known)
        best = (max if state.turn == 1 else min)(values.values())
        at = workspace(game.kernel)
        at.search(state, Budget(nodes=100_000), Stream(seed), Settings(0.5, rave))
        assert at.tree.proof[0] in ({1.0: 1, 0.0: 2}[best],) if best != 0.5 else (0, DRAW)
        for child in at.children(0):
            proof, value = at.tree.proof[child], values[int(at.tree.action[child])]
            assert proof in (0, {1.0: 1, 0.0: 2, 0.5: DRAW}[value])
        for child in at.best():
            assert values[int(at.tree.action[child])] == best
        analysis = Mcts(nodes=100_000, rave=rave).analyse(state)
        assert values[analysis.candidates[0].action] == best
        assert analysis.win == pytest.approx(best if state.turn == 1 else 1 - best, abs=0.05)


@cache
def solved(game: Game) -> dict[str, int]:
    """Who wins each position of a small GateRun, by its text without what was before; positions nobody can win are left out.

    What is sure in ever more plies is found in rounds, until there is nothing new.
    """
    states, found, todo = {}, dict[str, int](), [plain(game.start())]
    while todo:
        text = todo.pop()
        state = states[text] = placed(game, text)
        if state.winners():
            found[text] = state.winners()[0]
        todo += {plain(after(state, action)) for action in state.actions()} - set(states) - set(todo)
    following = {
        text: (state.turn, {plain(after(state, action)) for action in state.actions()})
        for text, state in states.items()
        if not state.over
    }
    size = -1
    while size != len(found):
        size = len(found)
        for text, (turn, texts) in following.items():
            winners = {found.get(each, 0) for each in texts}
            if turn in winners:
                found[text] = turn
            elif winners == {3 - turn}:
                found[text] = 3 - turn
    return found


def placed(game: Game, text: str) -> State:
    """A position late enough for all walls to have been placed, and with nothing before it to come again."""
    over, second = " over " in text, " P2 " in text
    for ply in (21,) if second else (20, 21) if over else (20,):
        with suppress(PositionError):
            return game.position(f"{text} {ply}")
    raise AssertionError(text)


def plain(state: State) -> str:
    return " ".join(state.position().split()[:5])


@pytest.mark.parametrize(("walls", "walls2"), [(0, 0), (1, 0), (0, 1)])
def test_on_tiny_boards_of_gaterun_it_keeps_what_is_won(walls: int, walls2: int) -> None:
    game = rookery.game("gaterun", size=3, walls=walls, walls2=walls2)
    known = solved(game)
    assert known[plain(game.start())] == (2 if walls2 else 1)
    bot, won = Mcts(nodes=3000), 0
    for text, winner in sorted(known.items())[:: len(known) // 60 + 1]:
        state = placed(game, text)
        if state.over:
            continue
        action = bot.choose(state, stream=Stream(7))
        if state.turn == winner:
            won += 1
            assert known.get(plain(after(state, action))) == winner, (text, game.name_of(action))
    assert won >= 5


@pytest.mark.parametrize(
    "game",
    [
        rookery.game("gaterun", size=4, walls=4),
        rookery.game("gamma", width=4, height=3, areas=2),
        rookery.game("gamma", width=4, height=3, players=3, areas=2),
    ],
    ids=label,
)
def test_it_wins_at_once_where_it_can(game: Game) -> None:
    won = 0
    for seed in range(60):
        state = opened(game, plies=10 + seed % 20, seed=seed)
        winning = wins_at_once(state)
        if winning:
            won += 1
            assert Mcts(nodes=2000).choose(state, stream=Stream(seed)) in winning
    assert won > 2


@pytest.mark.parametrize("column", range(5))
def test_it_stops_an_opponent_who_would_win_at_once(column: int) -> None:
    game = rookery.game("gaterun", size=5, walls=2)
    for own in range(5):
        state = game.position(f"2,{own}/1,{column} - P1 2/2 -/- 20")
        safe = {action for action in state.actions() if not wins_at_once(after(state, action))}
        assert 0 < len(safe) < 5
        assert Mcts(nodes=3000).choose(state, stream=Stream(own)) in safe


def test_it_makes_67_if_it_can() -> None:
    game = rookery.game("sixseven", rows=3, cols=3)
    state = game.position("60,+,7/.,.,./3,.,4 0 5")
    action = Mcts(nodes=300).choose(state, stream=Stream(1))
    assert game.name_of(action) in ("left", "right")
    assert Mcts(nodes=300).analyse(state).win == 1.0


def test_in_a_game_of_points_the_value_is_the_points_and_nobody_wins() -> None:
    state = rookery.game("gotham", size=3, coins=1).start()
    analysis = Mcts(nodes=3000).analyse(state)
    assert analysis.win is None
    assert all(each.win is None for each in analysis.candidates)
    assert 0 < analysis.value <= 7 * 2 * 4 + 7 * 4  # a corner is 2 points away, and so is its opposite
    # Going out and home again at once brings a point a round if all goes well; random play, less than half of that.
    assert analysis.nodes == 3000


def nodes_of(at: Workspace) -> Iterator[tuple[int, list[int]]]:
    """Every node of a tree with its children."""
    below_chance = set[int]()
    for node in range(int(at.tree.used[0])):
        children = list(at.children(node))
        if not children and at.tree.first_child[node]:
            child = int(at.tree.first_child[node])
            while child:
                children.append(child)
                child = int(at.arrays.next_outcome[child])
        assert not below_chance & set(children)
        below_chance |= set(children)
        yield node, children


@pytest.mark.parametrize("rave", [0.0, 50.0])
@pytest.mark.parametrize("game", GAMES, ids=label)
def test_visits_add_up_and_rewards_stay_in_bounds(game: Game, rave: float) -> None:
    at = workspace(game.kernel)
    at.search(opened(game), Budget(nodes=700), Stream(3), Settings(0.5, rave))
    assert at.nodes == int(at.tree.visits[0])
    assert at.nodes == 700 or at.tree.proof[0] or len(at.children(0)) == 1
    parents = dict(nodes_of(at))
    assert sum(len(children) for children in parents.values()) == int(at.tree.used[0]) - 1
    for node, children in parents.items():
        visits = int(at.tree.visits[node])
        if children:
            # Each visit but the first, after which it gets children, goes on to one of them.
            assert sum(int(at.tree.visits[child]) for child in children) == visits - (node > 0) * mcts.EXPAND_AFTER
        assert 0 <= at.tree.reward[node] <= visits * (1 if game.winnable else 100)
        assert rave or at.tree.amaf_visits[node] == 0


@pytest.mark.parametrize("game", [*GAMES, rookery.game("gamma", width=5, height=2, areas=1)], ids=label)
def test_the_children_of_every_node_are_its_legal_actions(game: Game) -> None:
    """Also where rules keep findings about a position, which playouts must not hand on to the next."""
    at = workspace(game.kernel)
    for seed in range(12):
        start = opened(game, seed % 6, seed)
        at.search(start, Budget(nodes=200), Stream(seed), Settings(0.3))
        parents = dict(nodes_of(at))
        todo = [(0, start)]
        while todo:
            node, state = todo.pop()
            actions = [int(at.tree.action[child]) for child in parents[node]]
            if state.turn == CHANCE:
                assert {*actions} <= {action for action, _ in state.chances()}
            elif actions:
                assert actions == state.actions()
            following = zip(parents[node], actions, strict=True)
            todo += [(child, after(state, action)) for child, action in following if parents[child]]


@pytest.mark.parametrize("rave", [0.0, 50.0])
@pytest.mark.parametrize("pool", [1 << 14, 60])
@pytest.mark.parametrize("game", GAMES, ids=label)
def test_compiled_and_interpreted_grow_the_same_tree(game: Game, pool: int, rave: float) -> None:
    grown = []
    for compiled in (True, False):
        at = Workspace(game.kernel, compiled=compiled, pool=pool)
        at.search(opened(game, 2), Budget(nodes=150), Stream(11), Settings(0.7, rave))
        used = int(at.tree.used[0])
        rows = [[float(each) for each in row[:used]] for row in (*at.tree[1:], at.arrays.next_outcome)]
        grown.append((at.nodes, used, rows, [int(each) for each in at.r], at.analysis()))
    assert grown[0] == grown[1]
    assert grown[0][1] <= pool


@pytest.mark.parametrize("game", GAMES, ids=label)
def test_it_plays_whole_games_and_two_threads_play_as_one_after_another(game: Game) -> None:
    bot = Mcts(nodes=60)

    def play(seed: int) -> tuple[int, ...]:
        state, stream = game.start(), Stream(seed)
        while not state.over and len(state.history) < 400:
            state.play(state.draw(stream) if state.turn == CHANCE else bot.choose(state, stream=stream))
        return state.history

    alone = [play(seed) for seed in range(4)]
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(play, range(4))) == alone


@pytest.mark.parametrize("nodes", [1, 2, 33, 500])
def test_a_budget_of_nodes_is_kept_to_exactly(nodes: int) -> None:
    state = rookery.game("gamma").start()
    assert Mcts().analyse(state, nodes=nodes).nodes == nodes
    assert Mcts(nodes=nodes).analyse(state).nodes == nodes
    assert Mcts().analyse(state).nodes == DEFAULT_NODES


def test_what_it_says_fits_together() -> None:
    game = rookery.game("gaterun", size=5)
    analysis = Mcts(nodes=5000, rave=0, explore=0.3).analyse(opened(game, 4))
    first = analysis.candidates[0]
    assert (analysis.value, analysis.win, analysis.line[0]) == (first.value, first.win, first.name)
    assert len({each.action for each in analysis.candidates}) == len(analysis.candidates) > 10
    assert all(each.win is not None and each.value == pytest.approx(2 * each.win - 1) for each in analysis.candidates)
    state = opened(game, 4)
    for name in analysis.line:
        state.play(game.action(name))
    assert len(analysis.line) > 1


def test_the_same_seed_gives_the_same_choice_and_another_may_not() -> None:
    state, bot = rookery.game("gamma").start(), Mcts(nodes=50)
    choices = [[bot.choose(state, stream=Stream(seed)) for seed in range(8)] for _ in range(2)]
    assert choices[0] == choices[1]
    assert len(set(choices[0])) > 1


def test_a_cancelled_search_answers_soon() -> None:
    game = rookery.game("gamma")
    state, bot = game.start(), Mcts()
    bot.choose(state, nodes=1)
    budget = Budget(nodes=10**12)
    threading.Timer(0.2, budget.cancel).start()
    began = time.perf_counter()
    assert state.legal(bot.choose(state, budget, Stream(1)))
    assert time.perf_counter() - began < 5
    assert state.legal(bot.choose(state, budget, Stream(1)))  # cancelled before it began
    assert bot.analyse(state, budget).candidates


@pytest.mark.parametrize("side", [70, 250])
def test_it_answers_in_time_on_a_large_board(side: int) -> None:
    state, bot = rookery.game("gamma", width=side, height=side).start(), Mcts(ms=100)
    bot.choose(state, nodes=1)
    began = time.perf_counter()
    assert state.legal(bot.choose(state))
    assert time.perf_counter() - began < 1  # on a quiet machine 0.11; others may be at work


def test_of_very_many_actions_it_looks_at_some() -> None:
    state = rookery.game("gamma", width=70, height=60).start()
    at = workspace(state.game.kernel)
    at.search(state, Budget(nodes=5), Stream(2), Settings(0.5))
    actions = [int(at.tree.action[child]) for child in at.children(0)]
    assert len(actions) == uct.SAMPLE
    assert actions == sorted(set(actions))
    assert all(state.legal(action) for action in actions)


def test_a_position_too_large_to_think_about_still_gets_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    state = rookery.game("gamma").start()
    monkeypatch.setattr(mcts, "LARGEST", 10)
    assert state.legal(Mcts(nodes=10**9).choose(state))
    assert Mcts(nodes=10**9).analyse(state).nodes == 0


def test_an_only_action_is_not_thought_about_but_analysed() -> None:
    game = rookery.game("gamma", width=2, height=1, players=1, areas=1)
    state = game.start()
    while len(state.actions()) > 1:
        state.play(state.actions()[0])
    if not state.over:
        assert Mcts(nodes=10**12).choose(state) == state.actions()[0]


def test_without_a_player_to_move_there_is_nothing_to_choose() -> None:
    state = rookery.game("sixseven").start()
    with pytest.raises(IllegalAction, match="chance moves"):
        Mcts().choose(state)
    with pytest.raises(IllegalAction, match="Only a position with a player to move"):
        Mcts().analyse(state)


def test_without_a_compiler_it_plays_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    state = rookery.game("gamma", width=3, height=3, areas=2).start()
    with_compiler = Mcts(nodes=100).analyse(state)
    monkeypatch.setattr(compiling, "available", lambda: False)
    assert Mcts(nodes=100).analyse(state) == with_compiler
    assert not workspace(state.game.kernel).compiled


def test_a_restored_position_vouches_for_nothing_in_scratch() -> None:
    s = [9] * 7
    tree.restore([1, 4, 7, 8], s)
    assert s == [1, 4, 7, 8, 0, 9, 9]


def test_a_proven_win_stays_proven_when_the_last_child_turns_out_to_lose() -> None:
    """At the root, actions that are left may still be tried after a win is proven, in search of an immediate one."""
    workspace = Workspace(rookery.game("gamma").kernel, compiled=False, pool=4)
    arrays, game = workspace.arrays, rookery.game("gamma", width=2, height=1, areas=1)
    lost = game.position("22 over 1,2 -")
    arrays = arrays._replace(s=list(lost.words))
    arrays.scalars[uct.PLAYERS] = 2
    arrays.tree.first_child[0], arrays.tree.child_count[0] = 1, 2
    arrays.tree.proof[0], arrays.tree.proof[1] = 1, 1
    arrays.path[0], arrays.path[1], arrays.trace[1] = 0, 2, 1
    workspace.code.prove(arrays, 2)
    assert list(arrays.tree.proof[:3]) == [1, 1, 2]
