"""The Bot interface: names and levels, budgets, cancellation, and the relative strength of the first bots."""

from __future__ import annotations

import subprocess
import sys

import pytest

import rookery
from rookery.core.bot import Budget, make_bot
from rookery.core.errors import IllegalAction, OptionError, UnknownName
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.games import BUILT_IN, find


def test_a_bot_is_made_from_its_name_and_parameters() -> None:
    bot = rookery.bot("gaterun", "minimax:depth=2,ms=50,slip=0.1")
    assert str(bot) == "minimax:ms=50,slip=0.1,depth=2"
    assert rookery.bot("gaterun", str(bot)) == bot
    assert str(rookery.bot("gaterun", "minimax")) == "minimax"


def test_a_level_is_a_documented_bot() -> None:
    assert str(rookery.bot("gaterun", level=8)) == str(rookery.bot("gaterun", "8")) == "alphabeta:nodes=5000"
    assert str(rookery.bot("gaterun", "8:ms=20")) == "alphabeta:ms=20,nodes=5000"
    assert str(rookery.bot("sixseven", level=1)) == "greedy:slip=0.8"


def test_the_same_spec_is_parsed_once() -> None:
    game = rookery.game("gaterun", size=5)
    assert (
        make_bot(game, "8:ms=20") is make_bot(type(game), " 8:ms=20 ") is make_bot(game, "alphabeta:nodes=5000,ms=20")
    )


def test_a_kept_bot_that_names_a_file_is_still_refused_without_files() -> None:
    spec = "learned:weights=somewhere.npz"
    assert str(rookery.bot("sixseven", spec)) == spec
    with pytest.raises(OptionError, match="weights names a file, and files stay on their own machine: leave it out"):
        make_bot(find("sixseven"), spec, files=False)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("stockfish", "GateRun has no bot 'stockfish'; it has random, runner, greedy, minimax, mcts, alphabeta, perfect, and the levels 1 to 10."),
        ("0", "Levels go from 1 to 10, not 0."),
        ("11", "Levels go from 1 to 10, not 11."),
        ("minimax:depth=9", "depth takes a whole number from 1 to 8, not '9'."),
        ("minimax:depth", "'depth' is not a parameter of the bot minimax; write key=value with one of ms, nodes, slip, depth."),
        ("greedy:depth=2", "'depth=2' is not a parameter of the bot greedy; write key=value with one of ms, nodes, slip."),
        ("greedy:slip=2", "slip takes a number from 0 to 1, not '2'."),
        ("greedy:ms=0", "ms takes a whole number from 1 to 3600000, not '0'."),
        ("9" * 5000, f"Levels go from 1 to 10, not {'9' * 20}."),
        ("minimax:nodes=" + "9" * 400, "nodes takes a whole number from 1 to 9007199254740992, not '" + "9" * 56 + "…."),
    ],
)  # fmt: skip
def test_wrong_names_and_parameters_get_a_sentence(spec: str, message: str) -> None:
    with pytest.raises((UnknownName, OptionError)) as caught:
        rookery.bot("gaterun", spec)
    assert str(caught.value) == message


def test_a_bot_is_asked_for_by_name_or_by_level_not_both() -> None:
    with pytest.raises(OptionError):
        rookery.bot("gaterun")
    with pytest.raises(OptionError):
        rookery.bot("gaterun", "greedy", level=3)


def test_there_is_no_action_to_choose_when_the_game_is_over_or_chance_moves() -> None:
    bot = rookery.bot("gotham", "greedy")
    game = rookery.game("gotham", size=3)
    state = game.start()
    state.play(game.action("up"))
    assert state.turn == CHANCE
    with pytest.raises(IllegalAction, match="chance moves"):
        bot.choose(state)
    with pytest.raises(IllegalAction, match="Only a position with a player to move"):
        bot.analyse(state)


def test_budgets_are_checked_and_can_be_cancelled() -> None:
    with pytest.raises(OptionError, match="ms takes a number above 0, at most 1000000000000, not 0"):
        Budget(ms=0)
    with pytest.raises(OptionError, match="nodes takes a whole number from 1 to 9007199254740992, not -5"):
        Budget(nodes=-5)
    budget = Budget(nodes=10)
    assert not budget.spent(9)
    assert budget.spent(10)
    budget = Budget()
    assert not budget.spent(10**9)
    budget.cancel()
    assert budget.spent(0)
    state = rookery.game("gaterun").start()
    analysis = rookery.bot("gaterun", "minimax:depth=8").analyse(state, budget)
    assert analysis.candidates


def test_without_a_stream_a_bot_is_not_always_the_same() -> None:
    state = rookery.game("gaterun").start()
    assert len({rookery.bot("gaterun", "random").choose(state) for _ in range(30)}) > 1
    assert len({rookery.bot("gaterun", level=2).choose(state) for _ in range(40)}) > 1


def test_the_first_move_of_a_process_is_thought_out_within_its_time() -> None:
    """Loading compiled code takes longer than the budget, and must not count against it."""
    code = (
        "import rookery; state = rookery.game('gaterun').start(); "
        "print(rookery.bot('gaterun', level=8).analyse(state, ms=100).line[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1,3\n"


def test_an_analysis_speaks_of_the_position() -> None:
    state = rookery.game("gaterun", size=7).start()
    best = rookery.bot("gaterun", level=10).analyse(state, ms=200)
    assert best.line[0] == "1,3"
    assert best.candidates[0].name == "1,3"
    assert best.value == best.candidates[0].value
    assert best.win == best.candidates[0].win and best.win is not None and 0.5 < best.win < 1
    assert sorted(best.candidates, key=lambda each: -each.value) == list(best.candidates)
    assert len(rookery.bot("gaterun", "minimax:depth=1").analyse(state).candidates) == len(state.actions())
    assert best.nodes > 1000


def test_a_win_in_one_is_seen_and_certain() -> None:
    game = rookery.game("gaterun", size=5, walls=0)
    state = game.position("3,0/4,4 - P1 0/0 -/- 4")
    for spec in ("greedy", "minimax:depth=1", "minimax:depth=3"):
        analysis = rookery.bot("gaterun", spec).analyse(state)
        assert analysis.line[0] == "4,0"
    assert analysis.win == 1.0


def test_a_node_budget_and_a_seed_make_a_bot_deterministic() -> None:
    for name in BUILT_IN:
        for spec in find(name).bots():
            bot = rookery.bot(name, spec)
            options = {"size": 3} if spec == "perfect" else {}
            runs = []
            for _ in range(2):
                state, stream = rookery.game(name, **options).start(), Stream(8)
                while not state.over and len(state.history) < 20:
                    chance = state.turn == CHANCE
                    state.play(state.draw(stream) if chance else bot.choose(state, stream=stream, nodes=300))
                runs.append(state.history)
            assert runs[0] == runs[1], spec


@pytest.mark.parametrize(
    ("name", "options", "stronger", "weaker", "games", "share"),
    [
        ("gaterun", {"size": 5, "walls": 4}, "minimax:depth=2", "greedy", 20, 0.6),
        ("gaterun", {}, "greedy", "random", 20, 0.9),
        ("gaterun", {}, "10", "1", 6, 0.9),
        ("gamma", {}, "greedy", "random", 20, 0.8),
    ],
)
def test_better_bots_win(
    name: str, options: dict[str, int], stronger: str, weaker: str, games: int, share: float
) -> None:
    points = 0.0
    for index in range(games):
        stream, state = Stream(11, index), rookery.game(name, **options).start()
        seats = {1 + index % 2: rookery.bot(name, stronger), 2 - index % 2: rookery.bot(name, weaker)}
        while not state.over:
            state.play(seats[state.turn].choose(state, stream=stream))
        points += (1 + index % 2 in state.winners()) / len(state.winners())
    assert points >= share * games


def mean_score(name: str, spec: str, games: int) -> float:
    total = 0.0
    for index in range(games):
        stream, state, bot = Stream(12, index), rookery.game(name).start(), rookery.bot(name, spec)
        while not state.over:
            state.play(state.draw(stream) if state.turn == CHANCE else bot.choose(state, stream=stream))
        total += state.scores()[0]
    return total / games


def test_greedy_beats_random_at_gotham_loops_and_67() -> None:
    assert mean_score("gotham", "greedy", 20) > 4 * mean_score("gotham", "random", 60)
    assert mean_score("sixseven", "greedy", 40) > 0.15


def test_a_bot_that_does_not_play_a_game_is_refused_before_the_game_starts() -> None:
    assert make_bot(rookery.game("gaterun", size=3), "perfect") == rookery.bot("gaterun", "perfect")
    with pytest.raises(OptionError, match="7×7 with 8 walls each is too large"):
        make_bot(rookery.game("gaterun"), "perfect")
