"""The commands of the lab as they are typed: `simulate` and `duel`, their answers, refusals, progress and interruption."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import select
import signal
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest
from tests.games.spread import THIN_ICE

from rookery.games import record
from rookery.lab import duel as duels
from rookery.lab import simulate as simulations

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.lab.conftest import Said, Started

FIELDS = (
    *("game", "options", "bot", "games", "seed", "wins", "win_rate", "win_rate_ci95", "score_mean", "score_ci95"),
    *("moves_mean", "win_moves_mean", "seconds", "moves_per_second", "workers"),
)

SETTINGS: list[tuple[str, int]] = [
    ("gotham", 200),
    ("gotham --level quad --rules online", 200),
    ("gotham --size 5 --coins 1", 300),
    ("gamma --width 5 --height 4 --players 3 --areas 2", 200),
    ("gamma --width 4 --height 4 --areas 1 --no-pass-out", 200),
    ("gamma --width 6 --height 1 --players 1", 300),
    ("sixseven --rows 4 --cols 4", 300),
    ("sixseven --rows 4 --cols 5 --variant final --rate 0.6 --operators +*", 200),
    ("sixseven --rows 3 --cols 4 --variant original --tiles 1 --operators -*", 300),
    ("sixseven --rows 4 --cols 4 --variant pairs --rate 0.67 --tiles 3 --limit 9", 300),
    ("gaterun --size 4 --walls 3", 200),
    ("gaterun --size 5 --walls 2 --walls2 4 --jump --rotate", 60),
    (f"{THIN_ICE} --rows 4", 300),
]


@pytest.mark.parametrize(("setting", "games"), SETTINGS, ids=lambda value: str(value).rpartition("/")[2])
def test_interpreted_and_compiled_answer_alike(setting: str, games: int, typed: Callable[..., Said]) -> None:
    asked = ("simulate", *setting.split(), "--games", games, "--seed", 12345, "--json")
    compiled = typed(*asked)
    interpreted = typed(*asked, "--interpreted", "--on", "threads", "--workers", 1)
    assert (compiled.code, compiled.err) == (interpreted.code, interpreted.err) == (0, "")
    assert compiled.same == interpreted.same
    assert compiled.found["games"] == games
    assert set(FIELDS) <= compiled.found.keys()
    assert compiled.same != typed(*asked[:-2], 12346, "--json").same


@pytest.mark.parametrize(("more", "workers"), [(("--workers", 1), 1), (("--workers", 2), 2), (("--on", "processes", "--workers", 2), 2)])  # fmt: skip
def test_workers_change_nothing_but_the_time(
    more: tuple[object, ...], workers: int, typed: Callable[..., Said]
) -> None:
    asked = ("simulate", "gotham", "--size", 7, "--sweep", "coins=1,2", "--games", 1500, "--seed", 4, "--json")
    said = typed(*asked, *more)
    assert said.same == typed(*asked, "--workers", 3).same
    assert {each["workers"] for each in said.found["results"]} == {workers}


def test_seeds_may_be_as_large_as_64_bits_allow(typed: Callable[..., Said]) -> None:
    said = typed("simulate", "gotham", "--size", 3, "--seed", 2**63 - 1, "--games", 5, "--json")
    assert said.found["seed"] == 2**63 - 1


def test_a_thousand_games_are_played_unless_one_says(typed: Callable[..., Said]) -> None:
    assert typed("simulate", "sixseven", "--rows", 2, "--cols", 2, "--json").found["games"] == 1000


# ---- forms ----


def test_csv_and_tables_say_what_json_says(typed: Callable[..., Said]) -> None:
    asked = ("simulate", "gaterun", "--size", 4, "--sweep", "walls=0,3", "--games", 300)
    found = typed(*asked, "--json").found
    said = typed(*asked, "--csv")
    assert (said.code, said.err) == (0, "")
    rows = list(csv.DictReader(io.StringIO(said.out)))
    assert found["sweep"] == {"walls": [0, 3]}
    assert [row["option_walls"] for row in rows] == ["0", "3"]
    for row, each in zip(rows, found["results"], strict=True):
        assert int(row["wins"]) == each["wins"]
        assert float(row["win_rate_ci95_high"]) == each["win_rate_ci95"][1]
        assert float(row["moves_mean"]) == each["moves_mean"]
    table = typed(*asked)
    assert (table.code, table.err) == (0, "")
    for each in found["results"]:
        assert f"{each['moves_mean']:.1f}" in table.out
        assert f"{100 * each['win_rate']:.0f}" in table.out


def test_a_single_run_is_told_at_length(typed: Callable[..., Said]) -> None:
    said = typed("simulate", "gaterun", "--size", 4, "--games", 300)
    assert "GateRun: size 4" in said.out
    assert "300 from seed 0, played by random" in said.out
    assert "wins of player 2" in said.out
    assert "█" in said.out
    assert "\x1b" not in said.out, "no colours where there is no terminal"


@pytest.mark.parametrize("name", ["one.svg", "two.PNG"])
def test_a_picture_is_drawn_beside(name: str, tmp_path: Path, typed: Callable[..., Said]) -> None:
    path = tmp_path / name
    asked = ("simulate", "gotham", "--size", 5, "--games", 20, "--plot", path)
    assert f"The figure is in {path}." in typed(*asked).out
    size = path.stat().st_size
    assert size > 1000
    path.unlink()
    assert typed(*asked, "--json").found["games"] == 20
    assert path.stat().st_size == size


def test_a_sweep_is_a_picture_too(tmp_path: Path, typed: Callable[..., Said]) -> None:
    path = tmp_path / "sweep.svg"
    typed("simulate", "sixseven", "--sweep", "rows=cols=3,4", "--sweep", "tiles=1,2", "--games", 30, "--plot", path)
    assert "<svg" in path.read_text()


def test_without_the_compiler_games_are_played_slowly(
    typed: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("simulate", "gotham", "--size", 3, "--games", 50, "--on", "threads", "--json")
    compiled = typed(*asked)
    monkeypatch.setitem(sys.modules, "numba", None)  # as if it were not installed
    said = typed(*asked)
    assert said.code == 0
    assert said.err.startswith("rookery: Numba is not installed")
    assert said.same == compiled.same


# ---- bots, limits, files ----


def test_one_bot_takes_all_seats_or_each_has_its_own(typed: Callable[..., Said]) -> None:
    asked = ("simulate", "gaterun", "--size", 4, "--games", 10, "--seed", 3, "--on", "threads", "--json")
    both = typed(*asked, "--bot", "greedy").found
    assert both["bot"] == "greedy"
    first = typed(*asked, "--bot", "greedy", "random").found
    second = typed(*asked, "--bot", "random", "--bot", "greedy").found
    assert (first["bot"], second["bot"]) == ("greedy random", "random greedy")
    assert first["players"][0]["wins"] > first["players"][1]["wins"]
    assert second["players"][1]["wins"] > second["players"][0]["wins"]
    assert typed(*asked, "--bot", "1", "random").found["bot"] != "1 random", "a level is told as the bot it is"


def test_games_of_bots_need_no_terminal_and_no_threads(typed: Callable[..., Said]) -> None:
    asked = ("simulate", "sixseven", "--rows", 3, "--cols", 3, "--bot", "greedy", "--games", 12, "--json")
    here = typed(*asked, "--on", "threads", "--workers", 1)
    assert (here.code, here.err) == (0, "")
    assert typed(*asked, "--workers", 2).same == here.same


def test_a_bot_that_thinks_by_the_clock_is_told_of(typed: Callable[..., Said]) -> None:
    asked = ("simulate", "gaterun", "--size", 3, "--bot", "minimax:ms=1", "random", "--games", 2, "--json")
    said = typed(*asked, "--on", "threads")
    assert said.code == 0
    assert said.found["games"] == 2
    assert said.err == "rookery: A bot has a time limit: another run may give other results.\n"


def test_a_game_without_end_is_broken_off(typed: Callable[..., Said]) -> None:
    endless = (
        "simulate",
        "sixseven",
        "--variant",
        "final",
        "--rate",
        1,
        "--operators",
        "+",
        "--games",
        20,
        "--limit",
        500,
    )
    found = typed(*endless, "--json").found
    assert (found["unfinished"], found["wins"], found["moves_mean"]) == (20, 0, 500)
    assert "unfinished" in typed(*endless).out
    partly = typed("simulate", "sixseven", "--games", 200, "--limit", 45, "--json").found
    assert 0 < partly["unfinished"] < 200
    assert partly["moves"]["most"] <= 46, "the turn that finds no move counts too"


@pytest.mark.parametrize("on", ["threads", "processes"])
def test_a_game_in_a_file(on: str, typed: Callable[..., Said]) -> None:
    said = typed("simulate", THIN_ICE, "--rows", 3, "--games", 200, "--on", on, "--workers", 2, "--json")
    assert (said.code, said.err) == (0, "")
    assert (said.found["game"], said.found["options"]["rows"], said.found["draws"]) == ("thin_ice", 3, 0)


def test_what_is_kept_goes_on(tmp_path: Path, typed: Callable[..., Said], refused: Callable[..., str]) -> None:
    path = tmp_path / "kept"
    asked = ("simulate", "gotham", "--size", 5, "--sweep", "coins=1,2", "--seed", 9, "--json")
    assert typed(*asked, "--games", 100, "--resume", path).same == typed(*asked, "--games", 100).same
    assert typed(*asked, "--games", 100, "--resume", path).same == typed(*asked, "--games", 100).same
    assert typed(*asked, "--games", 500, "--resume", path).same == typed(*asked, "--games", 500).same
    for other in (("--games", 400), ("--games", 600, "--seed", 8), ("--games", 600, "--limit", 9)):
        assert refused(*asked, *other, "--resume", path).startswith(f"'{path}' holds ")
    path.write_text("something else")
    assert refused(*asked, "--games", 600, "--resume", path).startswith(f"'{path}' cannot be resumed")
    assert path.read_text() == "something else", "a file of somebody else is left alone"


# ---- refusals ----

WHOLE = "takes a whole number from"


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("", "Which game? Write it after the command, such as rookery simulate sixseven."),
        ("--games 5", "Which game? Write it after the command, such as rookery simulate sixseven."),
        ("chess", "There is no game 'chess'; there are gotham, gamma, sixseven, gaterun"),
        ("nowhere.py", "There is no file 'nowhere.py' with a game in it."),
        ("gotham --games 0", f"games {WHOLE} 1 to 1000000000000, not '0'."),
        ("gotham --games -1", f"games {WHOLE} 1 to 1000000000000, not '-1'."),
        ("gotham --games x", f"games {WHOLE} 1 to 1000000000000, not 'x'."),
        ("gotham --games 1e6", f"games {WHOLE} 1 to 1000000000000, not '1e6'."),
        ("gotham --games 1000000000001", f"games {WHOLE} 1 to 1000000000000, not '1000000000001'."),
        ("gotham --games", "Argument --games: expected one argument. Try 'rookery simulate gotham --help'."),
        ("gotham --seed -1", f"seed {WHOLE} 0 to 9223372036854775807, not '-1'."),
        ("gotham --seed 9223372036854775808", f"seed {WHOLE} 0 to 9223372036854775807, not '9223372036854775808'."),
        ("gotham --seed dice", f"seed {WHOLE} 0 to 9223372036854775807, not 'dice'."),
        ("gotham --workers 0", f"workers {WHOLE} 1 to 1024, not '0'."),
        ("gotham --workers many", f"workers {WHOLE} 1 to 1024, not 'many'."),
        ("gotham --limit 0", f"limit {WHOLE} 1 to 1000000000000, not '0'."),
        ("gotham --on mars", "on takes local, threads, processes or dask:ADDRESS, not 'mars'."),
        ("gotham --json --csv", "Choose --json or --csv: both write to standard output."),
        ("gotham --plot x.gif", "A figure's file name ends in .svg or .png, unlike 'x.gif'."),
        ("gotham --bot nobody", "Gotham Loops has no bot 'nobody'; it has "),
        ("gotham --bot 0", "Levels go from 1 to 10, not 0."),
        ("gotham --bot greedy:colour=red", "'colour=red' is not a parameter of the bot greedy; "),
        ("gaterun --bot 1 2 3", "Name one bot for all seats or one for each of the 2, not 3."),
        ("gaterun --size 8", f"size {WHOLE} 3 to 7, not '8'."),
        ("gaterun --colour red", "Unrecognized arguments: --colour red. Try 'rookery simulate gaterun --help'."),
        ("gotham --size 4", "size takes an odd number, so that home is the centre, not 4."),
        ("gotham --sweep size=3,4", "size takes an odd number, so that home is the centre, not 4."),
        ("gotham --sweep colour=1,2", "Gotham Loops has no option 'colour' to sweep over; it has level, rules, size, coins."),
        ("gotham --sweep size=3 --sweep size=5", "size is given twice: set it or sweep over it, once."),
        ("gotham --size 3 --sweep size=5", "size is given twice: set it or sweep over it, once."),
        ("gotham --sweep size=x", f"size {WHOLE} 3 to 99, not 'x'."),
        ("gotham --sweep size=", "sweep takes option=value,value,… such as level=5,6,7, not 'size='."),
    ],
)  # fmt: skip
def test_bad_input_gets_one_sentence(asked: str, sentence: str, refused: Callable[..., str]) -> None:
    assert refused("simulate", *asked.split()).startswith(sentence)


def test_one_player_is_not_offered_several_bots(refused: Callable[..., str]) -> None:
    assert "each of the 1" not in refused("simulate", "gotham", "--bot", "1", "2")


def fail(*_: object, **__: object) -> None:
    raise AssertionError("games are played before the refusal")


@pytest.mark.parametrize(
    "asked",
    [
        ("simulate", "gotham", "--resume"),
        ("simulate", "gotham", "--plot"),
        ("duel", "gaterun", "--bots", "random,greedy", "--records"),
    ],
    ids=lambda asked: str(asked[-1]),
)
@pytest.mark.parametrize("name", ["missing/file.svg", "folder.svg"])
def test_a_file_that_cannot_be_written_is_refused_before_games_are_played(
    asked: tuple[str, ...], name: str, tmp_path: Path, refused: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody wants to hear of it after a night of playing, with everything lost."""
    monkeypatch.setattr(simulations, "run", fail)
    monkeypatch.setattr(duels, "run", fail)
    (tmp_path / "folder.svg").mkdir()
    assert str(tmp_path / name) in refused(*asked, tmp_path / name)


@pytest.mark.parametrize("name", ["missing/file", "folder"])
def test_a_file_to_resume_that_cannot_be_written_is_told_in_a_sentence(
    name: str, tmp_path: Path, refused: Callable[..., str]
) -> None:
    (tmp_path / "folder").mkdir()
    assert str(tmp_path / name) in refused("simulate", "gotham", "--size", 3, "--games", 5, "--resume", tmp_path / name)


# ---- duels ----

DUEL = ("duel", "gaterun", "--size", 4, "--bots", "greedy,random", "--games", 6, "--seed", 2)


def test_a_duel_as_json(typed: Callable[..., Said]) -> None:
    said = typed(*DUEL, "--json", "--on", "threads")
    assert (said.code, said.err) == (0, "")
    found = said.found
    assert {"players", "first_player_score", "plies_mean", "seconds"} <= found.keys()
    assert [player["bot"] for player in found["players"]] == ["greedy", "random"]
    for player in found["players"]:
        assert {"bot", "games", "wins", "draws", "losses", "score", "elo", "elo_ci95"} <= player.keys()
        assert player["games"] == 6 == player["wins"] + player["draws"] + player["losses"]
    assert found["games"] == 6
    assert 0 <= found["first_player_score"] <= 1

    def lasting(content: dict[str, Any]) -> dict[str, Any]:
        players = [
            {name: value for name, value in each.items() if name != "ms_per_move"} for each in content["players"]
        ]
        return {name: value for name, value in content.items() if name not in ("seconds", "workers")} | {
            "players": players
        }

    assert lasting(typed(*DUEL, "--json", "--workers", 2).found) == lasting(found), "processes find the same"


def test_the_records_of_a_duel_can_be_replayed(tmp_path: Path, typed: Callable[..., Said]) -> None:
    path = tmp_path / "games"
    said = typed(*DUEL, "--records", path, "--on", "threads")
    assert said.code == 0
    assert said.out.splitlines()[0].split()[:3] == ["#", "bot", "games"]
    lines = path.read_text().splitlines()
    assert len(lines) == 6
    for number, line in enumerate(lines, start=1):
        shown = typed("replay", path, "--record", number, "--json")
        assert shown.code == 0
        assert shown.found["plies"] == list(record(line).plies)
        assert shown.found["result"] == record(line).result
    assert {tuple(record(line).players) for line in lines} == {("greedy", "random"), ("random", "greedy")}


def test_a_duel_in_a_game_from_a_file(tmp_path: Path, typed: Callable[..., Said]) -> None:
    path = tmp_path / "games"
    said = typed("duel", THIN_ICE, "--bots", "greedy,random", "--games", 4, "--records", path, "--json", "--workers", 2)
    assert (said.code, said.err) == (0, "")
    assert said.found["draws"] == 0
    assert typed("replay", path, "--record", 4, "--game", THIN_ICE).code == 0


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("", "Which game? Write it after the command, such as rookery duel sixseven."),
        ("gaterun", "bots takes two bots or more, such as --bots 3,7."),
        ("gaterun --bots", "Argument --bots: expected one argument. Try 'rookery duel gaterun --help'."),
        ("gaterun --bots 3", "A duel in GateRun takes 2 bots or more, not 1."),
        ("gaterun --bots 3,", "A bot is missing in '3,': separate bots by one comma."),
        ("gaterun --bots 3,nobody", "GateRun has no bot 'nobody'; it has random, runner, greedy, minimax, mcts, alphabeta, perfect, and the levels 1 to 10."),
        ("gaterun --bots 3,4 --games 0", f"games {WHOLE} 1 to "),
        ("gaterun --bots 3,4 --seed x", f"seed {WHOLE} 0 to "),
        ("gaterun --bots 3,4 --opening -1", f"opening {WHOLE} 0 to 1000, not '-1'."),
        ("gaterun --bots 3,4 --workers 0", f"workers {WHOLE} 1 to 1024, not '0'."),
        ("gaterun --bots 3,4 --on mars", "on takes local, threads, processes or dask:ADDRESS, not 'mars'."),
        ("gamma --players 3 --bots 3,4", "A duel in Gamma for 3 players takes 3 bots or more, not 2."),
    ],
)  # fmt: skip
def test_what_cannot_be_a_duel_gets_one_sentence(asked: str, sentence: str, refused: Callable[..., str]) -> None:
    assert refused("duel", *asked.split()).startswith(sentence)


COUNTED = """
import sys
from rookery.cli import main
from rookery.lab import duel
def run(result, backend, progress):
    def told(done, total):
        progress(done, total)
        sys.stderr.write(f"{done}\\n")
    return before(result, backend, told)
before, duel.run = duel.run, run
sys.exit(main())
"""
"""The command, which says on standard error how many games of a duel are done."""


def test_an_interrupted_duel_tells_what_is_done(tmp_path: Path, start: Callable[..., Started]) -> None:
    path = tmp_path / "games"
    begun = start("-c", COUNTED, *DUEL[:-4], "--games", 100_000, "--records", path, "--json")
    assert begun.process.stderr is not None
    while int(begun.process.stderr.readline()) < 6:
        pass
    begun.process.send_signal(signal.SIGINT)
    said = begun.answer()
    assert said.code == 130
    games = said.found["games"]
    assert games >= 6
    assert said.err.splitlines()[-1] == f"rookery: Interrupted after {games:,} of 100,000 games."
    assert "Traceback" not in said.err
    assert len(path.read_text().splitlines()) == games
    assert sum(player["games"] for player in said.found["players"]) == 2 * games


# ---- in a terminal ----


@dataclass
class Terminal:
    """A command in a terminal of its own, and everything it has written there."""

    pid: int
    screen: int
    text: str = ""
    code: int | None = None

    def read(self, until: Callable[[str], object] = lambda text: False, seconds: float = 60) -> None:
        """Read until something is seen, or the command ends."""
        deadline = time.monotonic() + seconds
        while not until(self.text):
            assert time.monotonic() < deadline, self.text[-500:]
            if not select.select([self.screen], [], [], 0.05)[0]:
                continue
            try:
                got = os.read(self.screen, 65536)
            except OSError:  # the other end is closed
                got = b""
            if not got:
                self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
                return
            self.text += got.decode(errors="replace")

    def close(self) -> None:
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.screen)


@pytest.fixture
def terminal(request: pytest.FixtureRequest) -> Callable[..., Terminal]:
    """Start `rookery` in a terminal of its own."""

    def run(*arguments: object) -> Terminal:
        pid, screen = pty.fork()
        if pid == 0:
            os.environ |= {"TERM": "xterm-256color", "COLUMNS": "100"}
            os.execv(sys.executable, [sys.executable, "-m", "rookery", *map(str, arguments)])  # noqa: S606
        found = Terminal(pid, screen)
        request.addfinalizer(found.close)
        return found

    return run


GONE = "\x1b[1A\x1b[2K"
"""One line up, and clear it."""


def test_a_bar_shows_progress_and_disappears(terminal: Callable[..., Terminal]) -> None:
    shown = terminal("simulate", "sixseven", "--games", 30_000)
    shown.read()
    assert shown.code == 0
    before, gone, after = shown.text.rpartition(GONE)
    assert gone
    assert "/30000" in before
    assert "games" in before
    assert "/30000" not in after
    assert "30,000 from seed 0" in after
    done = [int(each) for each in re.findall(r"(\d+)/30000", before)]
    assert done == sorted(done)
    assert any(0 < each < 30_000 for each in done)


def test_ctrl_c_in_a_terminal(terminal: Callable[..., Terminal]) -> None:
    shown = terminal("simulate", "sixseven", "--games", 10**9, "--json")
    shown.read(lambda text: re.search(r"[1-9]\d*/1000000000", text))
    os.write(shown.screen, b"\x03")
    shown.read()
    assert shown.code == 130
    assert "Traceback" not in shown.text
    told = re.search(r"rookery: Interrupted after ([\d,]+) of 1,000,000,000 games\.", shown.text)
    assert told
    content = json.loads(shown.text[shown.text.index('{"game"') :])
    assert content["games"] == int(told[1].replace(",", "")) > 0


@pytest.mark.parametrize("moment", [0.05, 0.2])
def test_ctrl_c_while_workers_are_starting_up(moment: float, terminal: Callable[..., Terminal]) -> None:
    shown = terminal("simulate", "gaterun", "--bot", "greedy", "--games", 10**6)
    shown.read(lambda text: "/1000000" in text)
    time.sleep(moment)
    os.write(shown.screen, b"\x03")
    shown.read()
    assert shown.code == 130
    assert "Traceback" not in shown.text
    assert "Fatal" not in shown.text
    assert "rookery: Interrupted after " in shown.text
