"""What a simulation says, against figures worked out anew from games played by hand, in JSON, CSV and tables."""

from __future__ import annotations

import csv
import io
import json
import math
import statistics
from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console
from tests.games.spread import THIN_ICE

import rookery
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.games import find, from_file
from rookery.lab import report
from rookery.lab.experiment import Experiment, play
from rookery.lab.simulate import Run, grid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rookery.core.game import Game
    from rookery.core.options import Value
    from rookery.core.state import State

SEED = 11
GAMES = 150


def played(game: Game, games: int = GAMES, *, most: int = 10**6, source: str = "") -> Run:
    experiment = Experiment.of(game, seed=SEED, most=most, source=source)
    return Run(experiment, games, play(experiment, 0, games).tally, 2.0, 3)


def by_hand(game: Game, index: int) -> State:
    state, stream = game.start(), Stream(SEED, index)
    while not state.over:
        state.play(state.draw(stream) if state.turn == CHANCE else state.pick(stream))
    return state


def actions(state: State) -> int:
    return sum(action < state.game.action_count for action in state.history)


def wilson(wins: int, games: int) -> tuple[float, float]:
    """The roots p of (p − share)² = z² p (1 − p) / games."""
    z, share = 1.959963984540054, wins / games
    a, b, c = 1 + z * z / games, -(2 * share + z * z / games), share * share
    root = math.sqrt(b * b - 4 * a * c)
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def about(values: list[float]) -> tuple[float, float]:
    """The normal interval around a mean."""
    reach = 1.959963984540054 * statistics.stdev(values) / math.sqrt(len(values))
    return statistics.fmean(values) - reach, statistics.fmean(values) + reach


NAMES = (
    *("game", "options", "bot", "games", "seed", "wins", "win_rate", "win_rate_ci95", "score_mean", "score_ci95"),
    *("moves_mean", "win_moves_mean", "seconds", "moves_per_second", "workers"),
)

RUNS = {
    "gotham": rookery.game("gotham", size=5),
    "gamma": rookery.game("gamma", width=4, height=4, players=3, areas=2),
    "sixseven": rookery.game("sixseven", rows=5, cols=5, variant="final", rate=0.6),
    "gaterun": rookery.game("gaterun", size=4, walls=3),
    "thin_ice": from_file(THIN_ICE).make(rows=4),
}


@pytest.mark.parametrize("game", RUNS.values(), ids=RUNS.keys())
def test_the_figures_are_those_of_the_games(game: Game) -> None:
    source = THIN_ICE if game.name == "thin_ice" else ""
    found = json.loads(json.dumps(report.content(played(game, source=source)), allow_nan=False))
    states = [by_hand(game, index) for index in range(GAMES)]
    assert set(NAMES) <= found.keys()
    assert (found["game"], found["options"], found["bot"]) == (game.name, game.options, "random")
    assert (found["games"], found["seed"], found["unfinished"]) == (GAMES, SEED, 0)
    assert (found["seconds"], found["workers"]) == (2.0, 3)
    assert found["moves_per_second"] == round(sum(map(actions, states)) / 2)
    lost = [game.name == "sixseven" and not state.winners() for state in states]
    lengths: list[float] = [actions(state) + more for state, more in zip(states, lost, strict=True)]
    assert found["moves_mean"] == pytest.approx(statistics.fmean(lengths))
    assert found["moves"]["least"] == min(lengths)
    assert found["moves"]["most"] == max(lengths)
    assert found["moves"]["quantiles"]["0.5"] == pytest.approx(statistics.median_low(lengths))
    assert sum(each["games"] for each in found["moves"]["histogram"]) == GAMES
    for player in found["players"]:
        scores = [state.scores()[player["player"] - 1] for state in states]
        assert player["score_mean"] == pytest.approx(statistics.fmean(scores))
        assert player["score_ci95"] == pytest.approx(about(scores))
        won = [k for k, state in enumerate(states) if state.winners() == (player["player"],)]
        if not game.winnable:
            assert player["wins"] is player["win_rate"] is player["win_rate_ci95"] is player["win_moves_mean"] is None
            continue
        assert player["wins"] == len(won) > 0
        assert player["win_rate"] == len(won) / GAMES
        assert player["win_rate_ci95"] == pytest.approx(wilson(len(won), GAMES))
        assert player["win_moves_mean"] == pytest.approx(statistics.fmean(lengths[k] for k in won))
        assert player["win_score_mean"] == pytest.approx(statistics.fmean(scores[k] for k in won))
    assert {name: found["players"][0][name] for name in NAMES if name in found["players"][0]} == {
        name: found[name] for name in NAMES if name in found["players"][0]
    }
    if game.winnable and game.players > 1:
        draws = sum(len(state.winners()) != 1 for state in states)
        assert found["draws"] == draws == GAMES - sum(player["wins"] for player in found["players"])
        assert found["draw_rate_ci95"] == pytest.approx(wilson(draws, GAMES), abs=1e-12)
    else:
        assert found["draws"] is found["draw_rate"] is found["draw_rate_ci95"] is None


def test_maps_say_what_a_game_leaves_on_a_place() -> None:
    run = played(RUNS["gaterun"])
    (walls,) = report.content(run)["maps"]
    assert len(walls["places"]) == len(walls["per_game"]) == 24
    standing = [len(by_hand(RUNS["gaterun"], index).json()["walls"]) for index in range(GAMES)]
    assert sum(walls["per_game"]) == pytest.approx(statistics.fmean(standing))


def test_before_the_first_game_nothing_is_known() -> None:
    for game in RUNS.values():
        source = THIN_ICE if game.name == "thin_ice" else ""
        found = report.content(Run(Experiment.of(game, source=source), 10))
        assert found["games"] == 0
        assert found["moves_mean"] is found["score_mean"] is found["moves_per_second"] is None
        json.dumps(found, allow_nan=False)


def test_games_that_are_broken_off_are_neither_won_nor_drawn() -> None:
    found = report.content(played(RUNS["gaterun"], most=3))
    assert (found["unfinished"], found["wins"], found["draws"], found["moves_mean"]) == (GAMES, 0, 0, 3)


def swept(*sweeps: str) -> list[tuple[Run, Mapping[str, Value]]]:
    found = grid(find("sixseven"), {"rows": 3, "cols": 4}, sweeps)
    return [(played(game), changes) for game, changes in found]


def test_one_run_is_one_object_and_a_sweep_one_with_all_of_them() -> None:
    alone = played(RUNS["gotham"])
    assert json.loads(report.as_json([(alone, {})])) == json.loads(json.dumps(report.content(alone)))
    runs = swept("rate=0.5,0.6", "tiles=1,2")
    found = json.loads(report.as_json(runs))
    assert found["game"] == "sixseven"
    assert found["sweep"] == {"rate": [0.5, 0.6], "tiles": [1, 2]}
    assert [(each["options"]["rate"], each["options"]["tiles"]) for each in found["results"]] == [
        (0.5, 1),
        (0.5, 2),
        (0.6, 1),
        (0.6, 2),
    ]
    assert "\n" not in report.as_json(runs)


def number(text: str) -> float | None:
    return float(text) if text else None


@pytest.mark.parametrize("game", RUNS.values(), ids=RUNS.keys())
def test_csv_says_what_json_says(game: Game) -> None:
    run = played(game, source=THIN_ICE if game.name == "thin_ice" else "")
    found: dict[str, Any] = report.content(run)
    (row,) = csv.DictReader(io.StringIO(report.as_csv([(run, {})])))
    for name, value in game.options.items():
        assert row[f"option_{name}"] == ("" if value is None else str(value))
    assert row["bot"] == "random"
    for name in report.CSV_FIELDS:
        if name.endswith("_ci95"):
            ends = [number(row[name + end]) for end in ("_low", "_high")]
            assert ends == ([None, None] if found[name] is None else list(found[name]))
        else:
            assert number(row[name]) == found[name]


def test_csv_has_a_row_for_each_run_of_a_sweep() -> None:
    rows = list(csv.DictReader(io.StringIO(report.as_csv(swept("operators=+-*,+", "rate=0.5,0.6")))))
    assert [(row["option_operators"], row["option_rate"]) for row in rows] == [
        ("+-*", "0.5"),
        ("+-*", "0.6"),
        ("+", "0.5"),
        ("+", "0.6"),
    ]
    assert all(row["games"] == str(GAMES) for row in rows)


def shown(runs: list[tuple[Run, Mapping[str, Value]]], width: int = 160) -> str:
    output = io.StringIO()
    for part in report.as_table(runs):
        Console(file=output, width=width).print(part)
    return output.getvalue()


@pytest.mark.parametrize("game", RUNS.values(), ids=RUNS.keys())
def test_a_table_has_the_figures(game: Game) -> None:
    run = played(game, source=THIN_ICE if game.name == "thin_ice" else "")
    found, page = report.content(run), shown([(run, {})], 80)
    assert game.title in page
    assert f"{GAMES} from seed {SEED}" in page
    assert report.mean(found["moves_mean"], found["moves_ci95"]) in page
    assert f"{found['moves_mean']:.0f}" in page or f"{found['moves_mean']:.1f}" in page
    if game.winnable:
        for player in found["players"]:
            share = report.percent(player["win_rate"], player["win_rate_ci95"])
            assert f"{player['wins']}, {share}" in page
    else:
        assert report.mean(found["score_mean"], found["score_ci95"]) in page
    assert max(map(len, page.splitlines())) <= 80


def test_a_sweep_is_a_table_with_a_row_for_each_run() -> None:
    runs = swept("rate=0.5,0.6", "tiles=1,2")
    lines = shown(runs).splitlines()
    assert [line.split()[:2] for line in lines if "150" in line] == [["0.5", "1"], ["0.5", "2"], ["0.6", "1"], ["0.6", "2"]]  # fmt: skip
    for run, _ in runs:
        found = report.content(run)
        assert report.mean(found["moves_mean"], found["moves_ci95"]) in "\n".join(lines)


def test_games_that_were_broken_off_are_told() -> None:
    assert "unfinished" in shown([(played(RUNS["gaterun"], most=3), {})])
    assert "unfinished" not in shown([(played(RUNS["gaterun"]), {})])


def test_shares_and_means_are_written_with_their_intervals() -> None:
    assert report.percent(None, None) == report.mean(None, None) == "–"
    share = report.percent(0.0140, (0.0133, 0.0147))
    assert all(part in share for part in ("1.40%", "1.33", "1.47"))
    value = report.mean(411.2, (408.9, 413.5))
    assert all(part in value for part in ("411", "409", "414")) or all(part in value for part in ("411.2", "408.9"))
