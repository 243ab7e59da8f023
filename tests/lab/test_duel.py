"""Duels: fair schedules, and games that can be repeated and replayed."""

from __future__ import annotations

import pickle
from collections import Counter, defaultdict
from itertools import combinations, permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.lab.duels import duel, played_here, records, shown

from rookery.cli import main
from rookery.core.errors import OptionError, RookeryError, UnknownName
from rookery.core.stream import Stream
from rookery.games import game
from rookery.lab.backend import open_backend
from rookery.lab.duel import (
    Duel,
    Result,
    Schedule,
    has_time_limits,
    open_game,
    play_opening,
    run,
    split_bots,
    write_records,
)
from rookery.lab.standings import content

if TYPE_CHECKING:
    pass

THIN_ICE = str(Path(__file__).parents[2] / "examples" / "thin_ice.py")


# ---- naming bots ----


@pytest.mark.parametrize(
    ("text", "bots"),
    [
        ("minimax:depth=3,ms=50,random,7", ["minimax:depth=3,ms=50", "random", "7"]),
        ("random", ["random"]),
        ("random,greedy", ["random", "greedy"]),
        ("greedy:slip=0.5,greedy:slip=0.2,nodes=9", ["greedy:slip=0.5", "greedy:slip=0.2,nodes=9"]),
        (" random , 5:slip=0.1 , nodes=7 ", ["random", "5:slip=0.1,nodes=7"]),
        ("7,slip=0.1,nodes=3,greedy", ["7:slip=0.1,nodes=3", "greedy"]),
        ("random,odd:name", ["random", "odd:name"]),
        ("a:b=c:d=e,f=g:h", ["a:b=c:d=e,f=g:h"]),
    ],
)
def test_a_parameter_belongs_to_the_bot_before_it(text: str, bots: list[str]) -> None:
    assert split_bots(text) == bots


@pytest.mark.parametrize("text", ["", " ", ",", "random,", ",random", "random,,greedy"])
def test_a_missing_bot_is_noticed(text: str) -> None:
    with pytest.raises(OptionError, match=r"^A bot is missing in '.*': separate bots by one comma\.$"):
        split_bots(text)


def test_a_parameter_needs_a_bot_before_it() -> None:
    with pytest.raises(OptionError, match=r"^'depth=3' is a parameter without a bot: write a bot as NAME:key=value\.$"):
        split_bots("depth=3,random")


# ---- asking for a duel ----


def test_bots_are_written_in_their_one_form() -> None:
    asked = duel("gaterun", "5,minimax:depth=3,slip=0.0,1:slip=0.5", 2)
    assert asked.bots == ("alphabeta:nodes=150,slip=0.1", "minimax", "alphabeta:nodes=100,slip=0.5")


def test_a_duel_is_plain_values() -> None:
    asked = duel("gaterun", "5,random", 3, size=5)
    assert pickle.loads(pickle.dumps(asked)) == asked  # noqa: S301 - our own
    assert hash(asked) == hash(duel("gaterun", "alphabeta:nodes=150,slip=0.1,random", 4, size=5))


@pytest.mark.parametrize(
    ("name", "options", "bots", "asked", "each", "total"),
    [
        ("gaterun", {}, "random,greedy", 1, 2, 2),
        ("gaterun", {}, "random,greedy", 6, 6, 6),
        ("gaterun", {}, "random,greedy,8", 5, 6, 18),
        ("gamma", {"players": 3}, "random,greedy,8", 4, 6, 6),
        ("gamma", {"players": 3}, "random,greedy,8,7", 3, 3, 12),
        ("gamma", {"players": 1}, "random,greedy,8,7", 3, 3, 12),
        ("gotham", {}, "random,greedy", 5, 5, 10),
    ],
)
def test_games_are_rounded_up_so_that_seats_can_be_balanced(
    name: str, options: dict[str, Any], bots: str, asked: int, each: int, total: int
) -> None:
    found = duel(name, bots, asked, **options)
    assert (found.schedule.games, found.total) == (each, total)


@pytest.mark.parametrize(
    ("name", "options", "bots", "more", "error", "sentence"),
    [
        ("gaterun", {}, ["random"], {}, OptionError, "A duel in GateRun takes 2 bots or more, not 1."),
        ("gaterun", {}, [], {}, OptionError, "A duel in GateRun takes 2 bots or more, not 0."),
        ("gotham", {}, ["random"], {}, OptionError, "A duel in Gotham Loops takes 2 bots or more, not 1."),
        ("gamma", {"players": 3}, ["random", "greedy"], {}, OptionError, "A duel in Gamma for 3 players takes 3 bots or more, not 2."),
        ("gaterun", {}, ["random", "oracle"], {}, UnknownName, "GateRun has no bot 'oracle'; it has random, runner, greedy, minimax, mcts, alphabeta, perfect, and the levels 1 to 10."),
        ("gaterun", {}, ["random", "greedy"], {"games": 0}, OptionError, "games takes a whole number from 1 to 1000000000, not 0."),
        ("gaterun", {}, ["random", "greedy"], {"seed": -1}, OptionError, "seed takes a whole number from 0 to 9223372036854775807, not -1."),
        ("gaterun", {}, ["random", "greedy"], {"opening": -1}, OptionError, "opening takes a whole number from 0 to 1000, not -1."),
        ("gaterun", {}, ["random", "greedy"], {"most": 0}, OptionError, "most takes a whole number from 1 to 1000000000, not 0."),
    ],
)  # fmt: skip
def test_what_cannot_be_a_duel_is_refused_in_a_sentence(
    name: str, options: dict[str, Any], bots: list[str], more: dict[str, int], error: type[RookeryError], sentence: str
) -> None:
    given = {"games": 2, "seed": 1} | more
    with pytest.raises(error) as refused:
        Duel.of(game(name, **options), bots, Schedule(**given))
    assert str(refused.value) == sentence


def test_a_bot_with_milliseconds_thinks_by_the_clock() -> None:
    assert has_time_limits(duel("gaterun", "random,minimax:ms=20", 2))
    assert not has_time_limits(duel("gaterun", "random,minimax:nodes=20,minimax:depth=2", 2))


# ---- the schedule ----


def test_games_are_numbered_in_the_order_of_the_schedule(any_result: Result) -> None:
    assert any_result.done
    assert [played.number for played in any_result.played] == list(range(any_result.duel.total))
    openings = [played.opening for played in any_result.played]
    assert openings == sorted(openings)
    assert set(openings) == set(range(any_result.duel.openings))


def test_every_bot_sits_on_every_seat_equally_often(any_result: Result) -> None:
    sat = Counter((bot, seat) for played in any_result.played for seat, bot in enumerate(played.seats))
    assert len(sat) == len(any_result.duel.bots) * any_result.duel.game.players
    assert len(set(sat.values())) == 1


def test_every_pair_of_bots_meets_equally_often_either_way_round(three: Result) -> None:
    met = Counter(played.seats for played in three.played)
    assert met == dict.fromkeys(permutations(range(3), 2), 5)


def test_in_a_game_for_three_all_threes_of_bots_meet(gamma: Result) -> None:
    met = Counter(tuple(sorted(played.seats)) for played in gamma.played)
    assert met == dict.fromkeys(combinations(range(4), 3), 6)


def test_only_bots_near_each_other_in_the_list_meet_if_that_is_wanted() -> None:
    ladder = Duel.of(game("gaterun", size=3), ["1", "2", "random", "3", "4"], Schedule(2, near=2))
    assert ladder.tables == [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4)]
    with open_backend("threads", 2, compiled=False) as here:
        result = run(Result(ladder), here)
    assert len(result.played) == ladder.total == 14
    against = content(result)["against"]
    assert sorted(cell[1] for row in against for cell in row if cell) == [0] * 6 + [2] * 14
    assert all(player["games"] in (4, 6, 8) for player in content(result)["players"])


def test_bots_must_be_allowed_to_meet() -> None:
    with pytest.raises(OptionError) as refused:
        Duel.of(game("gamma", players=4), ["1", "2", "3", "4", "5"], Schedule(4, near=2))
    assert str(refused.value) == "near takes 3 at least in a game for 4, not 2."


def test_a_bot_named_several_times_sits_on_as_many_seats() -> None:
    duel = Duel.of(game("gamma", width=3, height=3, players=3), ["greedy", "random", "random"], Schedule(6))
    with open_backend("threads", 2, compiled=False) as here:
        found = content(run(Result(duel), here))
    assert sorted(player["bot"] for player in found["players"]) == ["greedy", "random", "random"]
    assert [player["games"] for player in found["players"]] == [6, 6, 6]
    assert sum(player["wins"] for player in found["players"]) + found["draws"] == 6


def test_an_opening_is_the_same_for_all_bots_and_seats(any_result: Result) -> None:
    starts: defaultdict[int, set[tuple[str, ...]]] = defaultdict(set)
    actions = any_result.duel.game.action_count
    for played, found in zip(any_result.played, records(any_result), strict=True):
        first = open_game(any_result.duel, played.opening).history
        assert sum(action < actions for action in first) == any_result.duel.schedule.opening
        starts[played.opening].add(found.plies[: len(first)])
    assert all(len(plies) == 1 for plies in starts.values())
    assert len(set(map(str, starts.values()))) > 1, "the openings differ from each other"


def test_the_opening_is_left_to_the_stream_of_its_number() -> None:
    asked = duel("gaterun", "greedy,minimax:depth=1", 4, size=5, opening=3)
    for number in range(2):
        state, stream = asked.game.start(), Stream(asked.schedule.seed, 2 * number)
        for _ in range(3):
            state.play(state.pick(stream))
        assert open_game(asked, number).history == state.history


def test_without_an_opening_bots_play_from_the_start() -> None:
    found = play_opening(duel("gaterun", "greedy,minimax:depth=1", 2, size=5, opening=0), 0)
    assert all(sum(played.moves) == played.plies for played in found)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("gaterun", {"size": 3, "walls": 0}),
        ("gamma", {"width": 2, "height": 2, "players": 3}),
        ("gamma", {"width": 1, "height": 1, "players": 2}),
        ("gotham", {"size": 3}),
        ("sixseven", {"rows": 2, "cols": 2}),
    ],
)
def test_no_opening_ends_the_game(name: str, options: dict[str, Any]) -> None:
    asked = duel(name, "greedy,random,greedy:slip=0.5", 3, opening=500, **options)
    for number in range(20):
        state = open_game(asked, number)
        assert state.turn > 0
        assert len(state.history) < 500
    assert not any(played.unfinished for played in play_opening(asked, 0))


def test_a_game_that_chance_ends_before_anyone_moves_has_no_plies() -> None:
    result = played_here(duel("sixseven", "greedy,random", 2, rows=2, cols=2, tiles=400))
    assert [(played.plies, played.moves) for played in result.played] == [(0, (0,))] * 4
    assert all(found.verify().over for found in records(result))
    assert [player["ms_per_move"] for player in content(result)["players"]] == [None, None]


# ---- the games ----


def test_every_game_can_be_replayed_and_ends_as_it_says(any_result: Result) -> None:
    actions, bots = any_result.duel.game.action_count, any_result.duel.bots
    for played, found in zip(any_result.played, records(any_result), strict=True):
        state = found.verify()
        assert state.over
        assert not played.unfinished
        assert state.game == any_result.duel.game
        assert found.players == tuple(bots[bot] for bot in played.seats)
        assert (state.scores(), state.winners()) == (played.scores, played.winners)
        assert sum(action < actions for action in state.history) == played.plies
        assert sum(played.moves) == played.plies - any_result.duel.schedule.opening
        assert all(ms > 0 for ms, moves in zip(played.ms, played.moves, strict=True) if moves)


def test_winners_come_first_and_the_others_by_their_scores(gamma: Result) -> None:
    for played in gamma.played:
        ranked = [[played.scores[played.seats.index(bot)] for bot in group] for group in played.ranking]
        assert [bots[0] for bots in ranked] == sorted({score for bots in ranked for score in bots}, reverse=True)
        assert all(len(set(bots)) == 1 for bots in ranked)
        assert {played.seats.index(bot) + 1 for bot in played.ranking[0]} == set(played.winners)


def test_a_game_that_is_broken_off_is_a_draw_and_can_be_replayed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = played_here(duel("gaterun", "greedy,random", 4, size=5, most=4))
    assert all(played.unfinished and played.plies == 4 and played.ranking == ((0, 1),) for played in result.played)
    assert all(found.result is None and len(found.plies) == 4 for found in records(result))
    found = content(result)
    assert (found["draws"], found["unfinished"], found["first_player_score"]) == (4, 4, 0.5)
    assert "4 games unfinished." in shown(result)
    write_records(str(tmp_path / "games"), result.played)
    assert main(["replay", str(tmp_path / "games"), "--record", "4"]) == 0
    assert "4 plies" in capsys.readouterr().out


def test_who_is_broken_off_alone_keeps_the_points_so_far() -> None:
    result = played_here(duel("gotham", "greedy,random", 6, size=5, most=12))
    assert any(played.unfinished for played in result.played)
    assert [played.scores for played in result.played] == [found.replay().scores() for found in records(result)]
    first, second = result.played[:2]
    better = Counter({0: first.scores > second.scores, 1: second.scores > first.scores}).most_common(1)[0][0]
    one = Result(result.duel, result.played[:2])
    assert first.scores == second.scores or content(one)["players"][0]["bot"] == result.duel.bots[better]


@pytest.mark.parametrize("name", ["three", "gotham"])
def test_two_processes_find_what_one_thread_found(name: str, request: pytest.FixtureRequest) -> None:
    alone: Result = request.getfixturevalue(name)
    with open_backend("processes", 2, compiled=False) as here:
        together = run(Result(alone.duel), here)
    assert together.played == alone.played
    assert repeatable(together) == repeatable(alone)


def repeatable(result: Result) -> dict[str, Any]:
    """What was found but for the time it took."""
    found = {name: value for name, value in content(result).items() if name not in ("seconds", "workers")}
    found["players"] = [{**player, "ms_per_move": None} for player in found["players"]]
    return found


def test_a_longer_duel_begins_with_the_shorter_one(three: Result) -> None:
    shorter = played_here(duel("gaterun", "random,minimax:depth=1,greedy:slip=0.4", 3, size=5))
    assert shorter.played == three.played[: len(shorter.played)]


def test_another_seed_makes_other_games(pair: Result) -> None:
    other = play_opening(duel("gaterun", "greedy,random", 24, size=5, seed=8), 0)
    assert [played.record for played in other] != [played.record for played in pair.played[:2]]


def test_a_game_from_a_file_can_be_duelled_in() -> None:
    from rookery.games import from_file

    asked = Duel.of(from_file(THIN_ICE)(), ["random", "10"], Schedule(4, seed=1), source=THIN_ICE)
    with open_backend("processes", 1, compiled=False) as here:
        result = run(Result(asked), here)
    assert result.done
    assert all(found.verify().over for found in records(result))
