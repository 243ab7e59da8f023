"""The strength study: its intervals cover the truth as often as they should, and games are kept between runs."""

from __future__ import annotations

import math
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tools.studies import strength as study
from tools.studies import strength_games as strength

import rookery
from rookery.lab import duel as lab
from rookery.lab.backend import Backend, open_backend
from rookery.lab.duel import Duel, Played, Result, Schedule
from rookery.lab.ratings import ELO


def made_up(game: Any, elos: dict[str, float], games: int, random: Random) -> Result:
    """A duel whose games were decided by chance, as ratings say they should be."""
    result = Result(Duel.of(game, elos, Schedule(games)))
    for number, (one, other) in enumerate(table for table in result.duel.tables for _ in range(games)):
        a, b = (list(elos.values())[bot] for bot in (one, other))
        chance = 1 / (1 + math.exp((b - a) / ELO))
        ranking: Any = ((one,), (other,)) if random.random() < chance else ((other,), (one,))
        result.played.append(Played(number, 0, (one, other), (0, 0), (), ranking, 10, (5, 5), "", False, (10.0, 20.0)))
    return result


def test_intervals_of_gaps_hold_the_truth_about_as_often_as_they_should() -> None:
    game, random = rookery.game("gaterun", size=3), Random(1)
    elos = {"random": 0.0, "runner": 150.0, "greedy": 250.0}
    held = tried = 0
    for _ in range(150):
        ratings = strength.Ratings([made_up(game, elos, 100, random)])
        for one, other in (("runner", "random"), ("greedy", "runner"), ("greedy", "random")):
            gap, reach = ratings.gap(one, other)
            held += abs(gap - (elos[one] - elos[other])) <= reach
            tried += 1
    assert 0.9 <= held / tried <= 0.99


def test_times_are_means_over_all_moves_of_a_bot() -> None:
    result = made_up(rookery.game("gaterun", size=3), {"random": 0.0, "greedy": 0.0}, 4, Random(2))
    ratings = strength.Ratings([result])
    assert ratings.ms("random") == 2.0  # always in front here: 10 ms for 5 moves
    assert ratings.ms("greedy") == 4.0
    assert ratings.ms("minimax") is None


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[int]:
    """The whole thing on a tiny board with simple bots, and the openings that are really played."""
    game, played = rookery.game("gaterun", size=3, walls=1), []
    play = lab.play_opening

    def noted(duel: Duel, number: int) -> list[Played]:
        played.append(number)
        return play(duel, number)

    def threads(on: str, workers: int, *, compiled: bool) -> AbstractContextManager[Backend]:
        return open_backend("threads", 1, compiled=True)

    for name, value in {
        "LEVELS": ("random", "runner", "greedy"),
        "RATED": (strength.Rated(game, ("minimax:depth=1",), ""),),
        "MATCHES": (strength.Match(game, ("greedy", "random")),),
        "SELF_PLAY": {},
        "HANDICAPS": (),
        "LADDER": 8,
        "LANDMARK": 4,
        "MATCH": 4,
        "KEPT": tmp_path,
        "open_backend": threads,
    }.items():
        monkeypatch.setattr(strength, name, value)
    monkeypatch.setattr(lab, "play_opening", noted)
    return played


def run(share: float = 1.0, *, any_code: bool = False) -> dict[str, list[Played]]:
    games = strength.Games(share, 1, any_code=any_code)
    games.play_all()
    return {strength.title(duel): result.played for duel, result in games.results.items()}


def test_games_are_kept_and_no_game_is_played_twice(small: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    half = run(0.5)
    first = len(small)
    whole = run()
    assert all(whole[title][: len(games)] == games for title, games in half.items())
    openings = 3 * 8 // 2 + 3 * 4 // 2 + 4 // 2
    assert 0 < first < openings and len(small) == openings
    assert run() == whole
    assert len(small) == openings, "everything was there already"


def test_a_game_that_was_being_written_is_played_again(small: list[int], tmp_path: Path) -> None:
    whole = run()
    file = next(tmp_path.glob("*levels.jsonl"))
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(lines[:-1]) + lines[-1][:40], encoding="utf-8")
    small.clear()
    assert run() == whole
    assert len(small) == 1
    assert len(file.read_text(encoding="utf-8").splitlines()) == len(lines)


def test_games_of_other_code_do_not_count_unless_one_says_so(
    small: list[int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run()
    openings = len(small)
    monkeypatch.setattr(strength, "fingerprint", lambda sources: "another")
    run(any_code=True)
    assert len(small) == openings
    run()
    assert len(small) == 2 * openings
    assert "the code has changed" in capsys.readouterr().err


def test_one_game_is_rated_alone_and_the_page_keeps_the_other(
    small: list[int], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gamma = strength.Rated(rookery.game("gamma", width=3, height=3), ("greedy:slip=0.5",), "3×3.")
    for module in (strength, study):
        monkeypatch.setattr(module, "RATED", (*strength.RATED, gamma)[:2])
        monkeypatch.setattr(module, "LEVELS", ("random", "greedy"))
    monkeypatch.setattr("sys.argv", ["strength", "gamma", "--into", str(tmp_path)])
    assert study.main() == 1
    assert "says nothing about GateRun yet" in capsys.readouterr().err and not small

    page = tmp_path / "strength.md"
    page.write_text("# Old\n\n## GateRun\n\nAs it was.\n\n### Walls\n\nToo.\n\n## Gamma\n\nStale.\n", encoding="utf-8")
    assert study.main() == 0
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# How strong the bots are")
    assert (
        "## GateRun\n\nAs it was.\n\n### Walls\n\nToo.\n\n## Gamma\n\n3×3.\n\nEach pair of levels played 8 games"
        in text
    )
    assert "Stale" not in text and (tmp_path / "strength" / "gamma.svg").exists()
    assert not (tmp_path / "strength" / "gaterun.svg").exists()
