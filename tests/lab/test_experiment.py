"""Experiments: the same counts however they are cut, and the values that independent programs give."""

from __future__ import annotations

import json
import math
import pickle
import random
import statistics
import tracemalloc
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.spread import THIN_ICE
from tests.oracles import Oracle
from tests.oracles.gamma import Gamma
from tests.oracles.gaterun import GateRun
from tests.oracles.gotham import Gotham
from tests.oracles.sixseven import SixSeven

import rookery
from rookery.core.bot import make_bot
from rookery.core.errors import OptionError, RookeryError, UnknownName
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.games import from_file
from rookery.lab.experiment import Experiment, Tally, play

if TYPE_CHECKING:
    from collections.abc import Callable

    from rookery.lab.intervals import Counts


def asked(name: str, bots: tuple[str, ...] = ("random",), *, seed: int = 7, most: int = 10**6, **options: Any) -> Experiment:  # fmt: skip
    return Experiment.of(rookery.game(name, **options), bots, seed=seed, most=most)


def of_file(**options: Any) -> Experiment:
    return Experiment.of(from_file(THIN_ICE).make(**options), seed=7, source=THIN_ICE)


# ---- asking ----


def test_an_experiment_is_plain_values() -> None:
    experiment = asked("gaterun", ("5", "random"), size=5)
    assert experiment.bots == ("alphabeta:nodes=150,slip=0.1", "random"), "bots are written in their one form"
    assert pickle.loads(pickle.dumps(experiment)) == experiment  # noqa: S301 - our own
    assert hash(experiment) == hash(asked("gaterun", (experiment.bots[0], "random"), size=5))
    assert experiment.game == rookery.game("gaterun", size=5)


def test_only_games_of_random_bots_are_left_to_the_loop() -> None:
    assert asked("gaterun").random
    assert asked("gaterun", ("random", "random")).random
    assert not asked("gaterun", ("random", "greedy")).random
    assert asked("gaterun", ("greedy",)).repeatable
    assert not asked("gaterun", ("minimax:ms=5", "random")).repeatable


@pytest.mark.parametrize(
    ("bots", "error", "words"),
    [
        (("random", "random", "random"), RookeryError, "not 3"),
        ((), RookeryError, "not 0"),
        (("nobody",), UnknownName, "GateRun has no bot 'nobody'; it has random, runner, greedy, minimax, mcts, alphabeta, perfect, and the levels 1 to 10"),
        (("11",), UnknownName, "Levels go from 1 to 10, not 11"),
        (("greedy:depth=2",), OptionError, "'depth=2' is not a parameter of the bot greedy"),
    ],
)  # fmt: skip
def test_bots_that_cannot_sit_down_are_refused(bots: tuple[str, ...], error: type[RookeryError], words: str) -> None:
    with pytest.raises(error) as refused:
        asked("gaterun", bots)
    assert words in str(refused.value)


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_a_seed_that_is_none_is_refused(seed: int) -> None:
    with pytest.raises(RookeryError, match="seed takes a whole number from 0"):
        asked("gaterun", seed=seed)


# ---- cutting and merging ----

CUT = [
    asked("gotham", size=5),
    asked("gamma", width=4, height=4, players=3, areas=2),
    asked("sixseven", rows=5, cols=5, variant="final", rate=0.6),
    asked("sixseven", rows=4, cols=4, most=12),
    asked("gaterun", size=4, walls=4, jump=True, rotate=True),
    of_file(rows=4, cols=4),
]
WHOLE = 600


def named(experiment: Experiment) -> str:
    return f"{experiment.name}-{experiment.most}" if experiment.most < 10**6 else experiment.name


@pytest.fixture(scope="module")
def wholes() -> dict[Experiment, Tally]:
    return {experiment: play(experiment, 0, WHOLE).tally for experiment in CUT}


@pytest.mark.parametrize("experiment", CUT, ids=named)
@settings(max_examples=15)
@given(cuts=st.sets(st.integers(1, WHOLE - 1), max_size=12), order=st.randoms(use_true_random=False))
def test_pieces_merged_in_any_order_are_the_whole(
    experiment: Experiment, cuts: set[int], order: random.Random, wholes: dict[Experiment, Tally]
) -> None:
    edges = [0, *sorted(cuts), WHOLE]
    pieces = [(low, high - low) for low, high in pairwise(edges)]
    order.shuffle(pieces)
    merged = Tally()
    for first, count in pieces:
        merged.merge(play(experiment, first, count).tally)
    assert merged == wholes[experiment]
    assert json.dumps(merged.to_json()) == json.dumps(wholes[experiment].to_json()), "bit for bit"


@pytest.mark.parametrize("experiment", CUT, ids=named)
def test_compiled_and_interpreted_count_the_same(experiment: Experiment) -> None:
    compiled, interpreted = (play(experiment, 20, 40, compiled).tally for compiled in (True, False))
    assert compiled == interpreted
    assert compiled != play(experiment, 21, 40).tally


@pytest.mark.parametrize("experiment", CUT, ids=named)
def test_a_tally_can_be_written_down_and_read_back(experiment: Experiment, wholes: dict[Experiment, Tally]) -> None:
    tally = wholes[experiment]
    again = Tally.from_json(json.loads(json.dumps(tally.to_json())))
    assert again == tally
    again.merge(play(experiment, WHOLE, 10).tally)
    assert again == play(experiment, 0, WHOLE + 10).tally


def test_every_game_is_counted_once(wholes: dict[Experiment, Tally]) -> None:
    for experiment, tally in wholes.items():
        assert tally.games == WHOLE == tally.lengths.total
        assert tally.unfinished == tally.won_by(-1).total
        for player in range(1, experiment.game.players + 1):
            assert tally.scores[player].total == WHOLE
            assert tally.win_scores[player].total == tally.won_by(player).total
    assert 0 < wholes[CUT[3]].unfinished < WHOLE, "some games of 67! take more than twelve slides"


# ---- bots ----


def test_games_of_bots_are_those_played_by_hand() -> None:
    experiment = asked("gaterun", ("greedy:slip=0.3", "random"), size=4, walls=3)
    bots = [make_bot(type(experiment.game), spec) for spec in experiment.bots]
    lengths, scores, winners = [], [], []
    for index in range(5, 13):
        state, stream = experiment.game.start(), Stream(experiment.seed, index)
        while not state.over:
            state.play(bots[state.turn - 1].choose(state, stream=stream))
        lengths.append(len(state.history))
        scores.append(state.scores())
        winners.append(state.winners()[0] if len(state.winners()) == 1 else 0)
    tally = play(experiment, 5, 8).tally
    assert sorted(lengths) == [length for length, many in tally.lengths.items() for _ in range(many)]
    assert {player: tally.won_by(player).total for player in (0, 1, 2)} == {p: winners.count(p) for p in (0, 1, 2)}
    for player in (1, 2):
        assert tally.scores[player].mean == statistics.fmean(each[player - 1] for each in scores)
    assert winners.count(1) > winners.count(2), "one that looks is stronger than one that does not"


def test_games_of_bots_can_be_cut_too() -> None:
    experiment = asked("sixseven", ("greedy:slip=0.5",), rows=3, cols=3)
    merged = play(experiment, 4, 6).tally
    merged.merge(play(experiment, 0, 4).tally)
    assert merged == play(experiment, 0, 10).tally


def test_a_game_of_bots_is_broken_off_too() -> None:
    tally = play(asked("gaterun", ("greedy",), most=4), 0, 3).tally
    assert (tally.unfinished, tally.made, tally.lengths.mean) == (3, 12, 4)


# ---- what independent programs find ----


def z_of_share(counts: int, games: int, share: float) -> float:
    return (counts / games - share) / math.sqrt(share * (1 - share) / games)


@pytest.mark.parametrize(("level", "points"), [("deuce", 21.2), ("trey", 8.07), ("quad", 3.0)])
def test_a_walker_without_a_plan_in_gotham(level: str, points: float) -> None:
    found = play(asked("gotham", level=level, seed=1), 0, 20_000).tally.scores[1]
    assert found.mean == pytest.approx(points, rel=0.03)


@pytest.mark.parametrize(
    ("options", "games", "share"),
    [({}, 100_000, 0.0140), ({"variant": "original"}, 100_000, 0.0125), ({"variant": "final", "rate": 0.67}, 20_000, 0.1225)],
)  # fmt: skip
def test_how_often_random_slides_make_a_67(options: dict[str, Any], games: int, share: float) -> None:
    tally = play(asked("sixseven", seed=1, **options), 0, games).tally
    assert abs(z_of_share(tally.won_by(1).total, games, share)) < 4
    if share > 0.1:
        assert tally.lengths.mean == pytest.approx(411, rel=0.03)


def played_slowly(oracle: Oracle, chance: random.Random) -> int:
    """Play an oracle to its end at random, passing only where nothing else is possible; return the actions."""
    made = 0
    while oracle.turn != -1:
        if oracle.turn == CHANCE:
            outcomes = sorted(oracle.chances().items())
            weights = [float(weight) for _, weight in outcomes]
            oracle.play(chance.choices([name for name, _ in outcomes], weights)[0])
        else:
            oracle.play(chance.choice(sorted(oracle.actions() - {"pass"}) or ["pass"]))
            made += 1
    return made


def apart(sample: list[float], counts: Counts) -> float:
    """How many standard errors the means of a sample and of some counts are apart."""
    assert counts.mean is not None and counts.variance is not None
    # The spread of the counts, which are many, is better known; a sample of equal values would have none.
    error = math.sqrt(counts.variance * (1 / len(sample) + 1 / counts.total))
    gap = abs(statistics.fmean(sample) - counts.mean)
    return gap / error if error else gap * math.inf if gap else 0.0


ORACLES: list[tuple[str, Callable[..., Oracle], int, dict[str, Any]]] = [
    ("sixseven", SixSeven, 150, {"rows": 4, "cols": 4}),
    ("sixseven", SixSeven, 60, {"rows": 4, "cols": 4, "variant": "final", "operators": "+*", "rate": 0.4}),
    ("gaterun", GateRun, 400, {"size": 3, "walls": 2}),
    ("gaterun", GateRun, 120, {"size": 4, "walls": 4, "jump": True}),
    ("gamma", Gamma, 150, {"width": 4, "height": 4, "players": 2, "areas": 2}),
    ("gamma", Gamma, 100, {"width": 5, "height": 3, "players": 3, "areas": 1}),
    ("gotham", Gotham, 800, {"size": 5, "coins": 2, "rules": "table"}),
    ("gotham", Gotham, 500, {"size": 7, "coins": 3, "rules": "online"}),
]


@pytest.mark.parametrize(("name", "oracle", "games", "options"), ORACLES, ids=lambda value: str(value)[:20])
def test_the_slow_oracles_find_the_same(
    name: str, oracle: Callable[..., Oracle], games: int, options: dict[str, Any]
) -> None:
    chance = random.Random(2)
    lengths: list[float] = []
    scores: list[list[float]] = []
    for _ in range(games):
        slow = oracle(**options)
        made = played_slowly(slow, chance)
        lengths.append(getattr(slow, "moves", made))
        scores.append([float(score) for score in slow.scores()])
    tally = play(asked(name, seed=2, **options), 0, 50_000).tally
    assert apart(lengths, tally.lengths) < 4
    assert apart([length**2 for length in lengths], squared(tally.lengths)) < 4, "and they are spread alike"
    for player, counts in tally.scores.items():
        assert apart([each[player - 1] for each in scores], counts) < 4


def squared(counts: Counts) -> Counts:
    found = type(counts)()
    for value, many in counts.items():
        found.add(value**2, many)
    return found


def test_a_difference_of_rules_would_be_noticed() -> None:
    """The same comparison with the wrong number of walls, so that it is known to be able to fail."""
    chance = random.Random(2)
    lengths: list[float] = [played_slowly(GateRun(size=3, walls=2), chance) for _ in range(300)]
    assert apart(lengths, play(asked("gaterun", size=3, walls=3), 0, 20_000).tally.lengths) > 6


# ---- memory ----


def test_memory_does_not_grow_with_the_games() -> None:
    experiment, tally = asked("sixseven", rows=2, cols=3), Tally()
    in_use = []
    tracemalloc.start()
    try:
        for first in range(0, 300_000, 10_000):
            tally.merge(play(experiment, first, 10_000).tally)
            in_use.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    assert tally.games == 300_000
    assert max(in_use[-10:]) - max(in_use[:10]) < 200_000, "what is counted, not every game, is kept"
