"""Simulations: grids of options, and runs that come out the same wherever they are played and however often broken off."""

from __future__ import annotations

import json
import resource
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.games.spread import THIN_ICE

import rookery
from rookery.core.errors import OptionError, RookeryError
from rookery.games import find, from_file
from rookery.lab import simulate
from rookery.lab.backend import open_backend
from rookery.lab.experiment import Experiment, play
from rookery.lab.intervals import Counts
from rookery.lab.simulate import Checkpoint, Run, grid, run

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.lab.conftest import Said, Started

GOTHAM = Experiment.of(rookery.game("gotham", size=5), seed=7)
SIXSEVEN = Experiment.of(rookery.game("sixseven", rows=4, cols=4), seed=7)
WITH_BOTS = Experiment.of(rookery.game("sixseven", rows=2, cols=3), ["greedy:slip=0.4"], seed=7)


def done(experiment: Experiment, games: int, on: str = "threads", workers: int = 1, *, compiled: bool = True) -> Run:
    each = Run(experiment, games)
    with open_backend(on, workers, compiled=compiled) as here:
        run([each], here, compiled=compiled)
    return each


# ---- grids ----


def changes(name: str, *sweeps: str, **given: Any) -> list[dict[str, Any]]:
    return [changed for _, changed in grid(find(name), given, sweeps)]


def test_the_last_sweep_changes_fastest() -> None:
    assert changes("sixseven", "rate=0.5,0.67", "tiles=1,2") == [
        {"rate": 0.5, "tiles": 1},
        {"rate": 0.5, "tiles": 2},
        {"rate": 0.67, "tiles": 1},
        {"rate": 0.67, "tiles": 2},
    ]


def test_options_can_change_together() -> None:
    games = [game for game, _ in grid(find("sixseven"), {"tiles": 3}, ["rows=cols=5, 4"])]
    assert [(game.options["rows"], game.options["cols"]) for game in games] == [(5, 5), (4, 4)]
    assert {game.options["tiles"] for game in games} == {3}


def test_without_a_sweep_there_is_one_game() -> None:
    assert list(grid(find("gotham"), {"size": 5}, [])) == [(rookery.game("gotham", size=5), {})]


@pytest.mark.parametrize(
    ("name", "sweep", "expected"),
    [
        ("sixseven", "operators=+-*,+,-", ["+-*", "+", "-"]),
        ("sixseven", "variant=final,original", ["final", "original"]),
        ("gaterun", "jump=yes,no", [True, False]),
        ("gamma", "pass-out=no", [False]),
    ],
)
def test_any_kind_of_option_can_be_swept(name: str, sweep: str, expected: list[object]) -> None:
    assert [next(iter(each.values())) for each in changes(name, sweep)] == expected


@pytest.mark.parametrize(
    ("sweeps", "given", "sentence"),
    [
        ([""], {}, "sweep takes option=value,value,… such as rows=5,6,7, not ''."),
        (["rate"], {}, "sweep takes option=value,value,… such as rows=5,6,7, not 'rate'."),
        (["rate="], {}, "sweep takes option=value,value,… such as rows=5,6,7, not 'rate='."),
        (["colour=1"], {}, "67! has no option 'colour' to sweep over; it has rows, cols, variant, operators, rate, tiles."),
        (["rate=0.5,2"], {}, "rate takes a number from 0 to 1, not '2'."),
        (["rate=0.5,"], {}, "rate takes a number from 0 to 1, not ''."),
        (["rows=cols=1"], {}, "rows takes a whole number from 2 to 20, not '1'."),
        (["rate=0.5", "rate=0.6"], {}, "rate is given twice: set it or sweep over it, once."),
        (["rows=5", "cols=rows=5"], {}, "rows is given twice: set it or sweep over it, once."),
        (["rate=rate=0.5"], {}, "rate is given twice: set it or sweep over it, once."),
        (["rate=0.5"], {"rate": 0.6}, "rate is given twice: set it or sweep over it, once."),
    ],
)  # fmt: skip
def test_what_cannot_be_swept_is_refused(sweeps: list[str], given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(OptionError) as refused:
        list(grid(find("sixseven"), given, sweeps))
    assert str(refused.value) == sentence


# ---- the same anywhere ----


@pytest.mark.parametrize(("on", "workers"), [("threads", 1), ("threads", 2), ("threads", 5), ("processes", 2)])
def test_random_games_come_out_the_same_anywhere(on: str, workers: int) -> None:
    for experiment, games in ((GOTHAM, 3000), (SIXSEVEN, 2000)):
        found = done(experiment, games, on, workers)
        assert found.tally == play(experiment, 0, games).tally
        assert found.done
        assert found.workers == workers
        assert found.seconds > 0


@pytest.mark.parametrize(("on", "workers"), [("threads", 2), ("processes", 2)])
def test_games_of_bots_come_out_the_same_anywhere(on: str, workers: int) -> None:
    assert done(WITH_BOTS, 60, on, workers).tally == play(WITH_BOTS, 0, 60).tally


@pytest.mark.parametrize("on", ["threads", "processes"])
def test_a_game_in_a_file_can_be_played_anywhere(on: str) -> None:
    experiment = Experiment.of(from_file(THIN_ICE).make(rows=4), seed=7, source=THIN_ICE)
    assert done(experiment, 500, on, 2).tally == play(experiment, 0, 500).tally


def test_interpreted_games_come_out_the_same() -> None:
    assert done(GOTHAM, 100, "processes", 2, compiled=False).tally == play(GOTHAM, 0, 100).tally


def test_pieces_are_never_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a piece holds in memory, and how long an interruption waits for it, grows with its games."""
    sizes: list[int] = []

    def noted(experiment: Experiment, first: int, count: int, compiled: bool) -> Any:
        sizes.append(count)
        return play(experiment, first, count, compiled)

    monkeypatch.setattr(simulate, "play", noted)
    tiny = Experiment.of(rookery.game("sixseven", rows=2, cols=2))
    assert done(tiny, 300_000).tally.games == 300_000
    assert max(sizes) <= simulate.LARGEST_CHUNK
    assert sizes[0] == 1


# ---- interrupted and resumed ----


class Enough(Exception):
    """Raised by a test after so many games."""


def broken_off(runs: list[Run], games: int, problem: type[BaseException], checkpoint: Checkpoint | None = None) -> None:
    """Play until at least so many games are counted."""

    def seen(_: Run) -> None:
        if sum(each.tally.games for each in runs) >= games:
            raise problem

    with open_backend("threads", 2, compiled=True) as here, pytest.raises(problem):
        run(runs, here, compiled=True, progress=seen, checkpoint=checkpoint)


@pytest.mark.parametrize("problem", [KeyboardInterrupt, Enough])
def test_a_run_that_is_broken_off_holds_its_first_games(problem: type[BaseException]) -> None:
    each = Run(GOTHAM, 10**9)
    broken_off([each], 300, problem)
    assert 300 <= each.tally.games < 10**9
    assert each.tally == play(GOTHAM, 0, each.tally.games).tally
    each.games = each.tally.games + 100
    with open_backend("threads", 2, compiled=True) as here:
        run([each], here, compiled=True)
    assert each.tally == play(GOTHAM, 0, each.games).tally, "and can go on from there"


def test_an_interruption_in_the_middle_of_counting_leaves_no_half_counted_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C comes between any two instructions, also those that add a piece to what was counted before."""
    usual, calls = Counts.merge, 0

    def interrupted(self: Counts, other: Counts) -> None:
        nonlocal calls
        calls += 1
        if calls == 10:
            signal.raise_signal(signal.SIGINT)
        usual(self, other)

    monkeypatch.setattr(Counts, "merge", interrupted)
    each, checkpoint = Run(SIXSEVEN, 10**6), Checkpoint(str(tmp_path / "kept"))
    with pytest.raises(KeyboardInterrupt), open_backend("threads", 1, compiled=True) as here:
        run([each], here, compiled=True, checkpoint=checkpoint)
    monkeypatch.undo()
    assert each.tally == play(SIXSEVEN, 0, each.tally.games).tally
    kept = Run(SIXSEVEN, 10**6)
    checkpoint.resume([kept])
    assert kept.tally == each.tally


def test_a_kept_run_is_taken_up_and_extended(tmp_path: Path) -> None:
    path = str(tmp_path / "kept")
    first = Run(GOTHAM, 10**9)
    broken_off([first], 200, KeyboardInterrupt, Checkpoint(path))
    for games in (first.tally.games + 500, first.tally.games + 500, first.tally.games + 900):
        again, checkpoint = Run(GOTHAM, games), Checkpoint(path)
        checkpoint.resume([again])
        assert again.tally.games >= first.tally.games
        with open_backend("threads", 2, compiled=True) as here:
            run([again], here, compiled=True, checkpoint=checkpoint)
        assert again.tally == play(GOTHAM, 0, games).tally
        assert again.seconds >= first.seconds


def test_a_sweep_is_taken_up_where_it_was_broken_off(tmp_path: Path) -> None:
    path = str(tmp_path / "kept")
    experiments = [
        Experiment.of(game, seed=3) for game, _ in grid(find("sixseven"), {"rows": 4, "cols": 4}, ["tiles=1,2,3"])
    ]
    runs = [Run(each, games) for each, games in zip(experiments, (1000, 10**9, 10**9), strict=True)]
    broken_off(runs, 1300, KeyboardInterrupt, Checkpoint(path))
    assert [each.tally.games == 1000 for each in runs] == [True, False, False]
    assert [each.tally.games > 0 for each in runs] == [True, True, False]
    games = max(each.tally.games for each in runs) + 500
    again = [Run(each, games) for each in experiments]
    checkpoint = Checkpoint(path)
    checkpoint.resume(again)
    assert [each.tally for each in again] == [each.tally for each in runs]
    with open_backend("threads", 2, compiled=True) as here:
        run(again, here, compiled=True, checkpoint=checkpoint)
    assert [each.tally for each in again] == [play(each, 0, games).tally for each in experiments]


def test_a_game_in_a_file_may_have_moved(tmp_path: Path) -> None:
    game = from_file(THIN_ICE).make(rows=4)
    there = Experiment.of(game, source=THIN_ICE)
    Checkpoint(str(tmp_path / "kept")).save([Run(there, 5, play(there, 0, 5).tally)])
    moved = Run(Experiment.of(game, source=str(Path(THIN_ICE).parent / "." / ".." / "examples" / "thin_ice.py")), 10)
    Checkpoint(str(tmp_path / "kept")).resume([moved])
    assert moved.tally.games == 5


@pytest.mark.parametrize(
    "other",
    [
        [Experiment.of(rookery.game("gotham", size=7), seed=7)],
        [Experiment.of(rookery.game("gotham", size=5), seed=8)],
        [Experiment.of(rookery.game("gotham", size=5), ["greedy"], seed=7)],
        [Experiment.of(rookery.game("gotham", size=5), seed=7, most=5)],
        [SIXSEVEN],
        [GOTHAM, SIXSEVEN],
    ],
)
def test_another_experiment_is_not_gone_on_with(other: list[Experiment], tmp_path: Path) -> None:
    path = tmp_path / "kept"
    Checkpoint(str(path)).save([done(GOTHAM, 10)])
    with pytest.raises(RookeryError) as refused:
        Checkpoint(str(path)).resume([Run(each, 100) for each in other])
    assert str(refused.value) == f"'{path}' holds other experiments: resume with the same options, bots and seed."


def test_fewer_games_than_are_kept_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    Checkpoint(str(path)).save([done(GOTHAM, 10)])
    with pytest.raises(RookeryError) as refused:
        Checkpoint(str(path)).resume([Run(GOTHAM, 9)])
    assert str(refused.value) == f"'{path}' holds 10 games already: ask for at least as many."


def changed(path: Path, **tally: Any) -> str:
    content = json.loads(path.read_text())
    content[0]["tally"] |= tally
    return json.dumps(content)


CORRUPT: dict[str, Callable[[Path], str]] = {
    "empty": lambda path: "",
    "cut short": lambda path: path.read_text()[:-20],
    "a number": lambda path: "67",
    "nothing": lambda path: "null",
    "nested": lambda path: "[" * 100_000,
    "zero bytes": lambda path: "\0" * 100,
    "a list for a table": lambda path: changed(path, moves=[]),
    "no table": lambda path: changed(path, scores=None),
    "a word for a number": lambda path: changed(path, moves={"0": [["many", 10]]}),
    "games without end": lambda path: changed(path, games=float("inf")),
    "fewer than no games": lambda path: changed(path, games=-10),
    "games that were not counted": lambda path: changed(path, games=11),
    "another board": lambda path: changed(path, counts=[1, 2, 3]),
    "no time at all": lambda path: path.read_text().replace('"seconds": ', '"seconds": NaN, "was": '),
}


@pytest.mark.parametrize("corrupt", CORRUPT.values(), ids=CORRUPT.keys())
def test_a_corrupt_file_is_refused_in_a_sentence(corrupt: Callable[[Path], str], tmp_path: Path) -> None:
    path = tmp_path / "kept"
    Checkpoint(str(path)).save([done(GOTHAM, 10)])
    path.write_text(corrupt(path))
    with pytest.raises(RookeryError) as refused:
        Checkpoint(str(path)).resume([Run(GOTHAM, 20)])
    assert str(refused.value) == f"'{path}' cannot be resumed: --resume did not write it, or it is damaged."


def test_the_file_is_whole_whenever_one_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "SAVE_SECONDS", 0.0)
    path, each = tmp_path / "kept", Run(GOTHAM, 3000)
    games: list[int] = []

    def look(_: Run) -> None:
        if path.exists():
            games.append(json.loads(path.read_text())[0]["tally"]["games"])

    with open_backend("threads", 1, compiled=True) as here:
        run([each], here, compiled=True, progress=look, checkpoint=Checkpoint(str(path)))
    assert len(games) > 3
    assert games == sorted(set(games))
    assert list(tmp_path.iterdir()) == [path], "and nothing is left beside it"


def test_a_disk_that_is_full_does_no_harm_to_what_was_kept(tmp_path: Path) -> None:
    path, each = tmp_path / "kept", done(GOTHAM, 10)
    Checkpoint(str(path)).save([each])
    before = path.read_text()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) // 2, hard))
    try:
        with pytest.raises(RookeryError) as told:
            Checkpoint(str(path)).save([each])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert str(told.value) == f"'{path}' cannot be written: File too large."
    assert path.read_text() == before


# ---- real processes ----

OFTEN = "import sys; from rookery.cli import main; from rookery.lab import simulate; simulate.SAVE_SECONDS = 0.05; sys.exit(main())"
"""The command, which writes what is done more often."""


def kept(path: Path) -> int:
    """The games in a file to resume from."""
    return sum(each["tally"]["games"] for each in json.loads(path.read_text())) if path.exists() else 0


ASKED = ("simulate", "sixseven", "--rows", 5, "--cols", 5, "--variant", "final", "--rate", 0.6, "--seed", 5, "--json")


def test_a_killed_process_loses_little(
    tmp_path: Path, start: Callable[..., Started], wait: Callable[..., None], typed: Callable[..., Said]
) -> None:
    path = tmp_path / "kept"
    for games in (200, 900):
        begun = start("-c", OFTEN, *ASKED, "--games", 10**9, "--resume", path)
        wait(lambda: kept(path) >= games)  # noqa: B023
        begun.process.kill()
        assert begun.answer().code == -signal.SIGKILL
    games = kept(path) + 300
    assert typed(*ASKED, "--games", games, "--resume", path).same == typed(*ASKED, "--games", games).same


@pytest.mark.parametrize("more", [(), ("--bot", "greedy:slip=0.9")], ids=["threads", "processes"])
def test_an_interrupted_process_tells_what_is_done(
    more: tuple[str, ...],
    tmp_path: Path,
    start: Callable[..., Started],
    wait: Callable[..., None],
    typed: Callable[..., Said],
) -> None:
    path = tmp_path / "kept"
    begun = start("-c", OFTEN, *ASKED, *more, "--games", 10**9, "--resume", path)
    wait(lambda: kept(path) >= 5)
    begun.process.send_signal(signal.SIGINT)
    said = begun.answer()
    assert said.code == 130
    games = said.found["games"]
    assert said.err == f"rookery: Interrupted after {games:,} of 1,000,000,000 games.\n"
    assert 5 <= games == kept(path)
    alone = typed(*ASKED, *more, "--games", games, "--on", "threads")
    assert alone.code == 0
    assert said.same == alone.same
