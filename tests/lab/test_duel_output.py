"""Duels that are broken off and resumed, their tables for people, and their records in files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.lab.duels import duel, played_here, shown

from rookery.cli import main
from rookery.core.errors import RecordError
from rookery.lab.backend import open_backend
from rookery.lab.duel import Played, Result, run, write_records
from rookery.lab.standings import content

if TYPE_CHECKING:
    pass


# ---- breaking off ----


def test_an_interruption_keeps_what_is_done(three: Result) -> None:
    partly = Result(three.duel)

    def interrupt(done: int, total: int) -> None:
        assert total == 30
        if done >= 8:
            raise KeyboardInterrupt

    with open_backend("threads", 1, compiled=False) as here, pytest.raises(KeyboardInterrupt):
        run(partly, here, interrupt)
    assert partly.played == three.played[:8]
    assert not partly.done
    assert partly.seconds > 0
    found = content(partly)
    assert found["games"] == 8
    assert "8 games" in shown(partly)
    assert "Points against each other, of 2 to 4 in each pairing:" in shown(partly)
    with open_backend("threads", 1, compiled=False) as here:
        run(partly, here)
    assert partly.played == three.played, "and it can be resumed"


def test_before_the_first_game_nothing_is_known() -> None:
    for asked in (duel("gaterun", "greedy,random,8", 2), duel("gotham", "greedy,random", 2)):
        found = content(Result(asked))
        assert json.loads(json.dumps(found))["games"] == 0
        assert {player["score"] for player in found["players"]} == {None}
        assert "0 games." in shown(Result(asked))


def test_progress_is_told_as_games_come_in() -> None:
    told: list[tuple[int, int]] = []
    with open_backend("threads", 1, compiled=False) as here:
        run(Result(duel("gaterun", "random,1", 6, size=3)), here, lambda done, total: told.append((done, total)))
    assert told == [(2, 6), (4, 6), (6, 6)]


# ---- for people, and files ----


def test_the_tables_fit_80_columns(any_result: Result) -> None:
    lines = shown(any_result).splitlines()
    assert max(len(line.rstrip()) for line in lines) <= 80
    assert lines[0].split()[:6] == ["#", "bot", "games", "+", "=", "−"]
    for number, player in enumerate(content(any_result)["players"], start=1):
        words = lines[number].split()
        assert words[0] == str(number)
        assert words[2 : 2 + 4] == [str(player[name]) for name in ("games", "wins", "draws", "losses")]
    assert "…" in lines[1]
    assert f"{content(any_result)['plies_mean']:.1f} plies a game" in lines[-1] + lines[-2]


def test_a_long_spec_is_wrapped_and_nothing_is_cut() -> None:
    bots = "minimax:depth=1,nodes=100000,slip=0.125,minimax:depth=1,nodes=900000,slip=0.125"
    text = shown(played_here(duel("gaterun", bots, 2, size=3)))
    assert text.count("nodes=") == 2
    assert "ms/move" in text
    assert max(map(len, text.splitlines())) <= 80


def test_more_than_two_bots_have_a_cross_table(three: Result, pair: Result) -> None:
    assert "Points against each other, of 10 in each pairing:" in shown(three)
    assert "Points against" not in shown(pair)


def test_ratings_that_games_do_not_bound_are_marked() -> None:
    result = played_here(duel("gaterun", "minimax:depth=2,random", 4, size=5))
    assert [player["wins"] for player in content(result)["players"]] == [4, 0]
    assert "Elo*" in shown(result)
    assert "* The games do not bound Elo: one more draw is assumed for each pair." in shown(result)


def test_records_are_written_a_line_a_game(tmp_path: Path, three: Result, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    write_records(str(file), three.played)
    lines = file.read_text(encoding="utf-8").splitlines()
    assert lines == [played.record for played in three.played]
    assert main(["replay", str(file), "--record", "30"]) == 0
    seats = [three.duel.bots[bot] for bot in three.played[29].seats]
    assert f"Players: 1 {seats[0]}, 2 {seats[1]}." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("missing/games", "'{}' cannot be written: No such file or directory."),
        (".", "'{}' cannot be written: Is a directory."),
        ("a\0b", "'{}' cannot be written: it is not a file's name."),
    ],
)
def test_a_file_that_cannot_be_written_is_told_in_a_sentence(tmp_path: Path, name: str, sentence: str) -> None:
    path = str(tmp_path / name) if name != "." else str(tmp_path)
    with pytest.raises(RecordError) as refused:
        write_records(path, list[Played]())
    assert str(refused.value) == sentence.format(path)
