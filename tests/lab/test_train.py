"""The command `train`: its answers, what a file depends on, Ctrl-C and going on after it, and what it refuses."""

from __future__ import annotations

import re
import shlex
import shutil
import signal
import threading
import time
from itertools import count
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

import pytest
from tests.tiers import mostly_slow

import rookery
from rookery.games.sixseven.bots import weights
from rookery.games.sixseven.bots.training import BATCH
from rookery.lab import train
from rookery.lab.train import Training

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.lab.conftest import Said, Started

TRAIN = ("train", "sixseven", "--rows", 4, "--cols", 4, "--bits", 12)
GAMES, SEED = 300, 5
"""Not a whole number of batches."""


def names(folder: Path) -> list[str]:
    """The files in a folder."""
    return sorted(path.name for path in folder.iterdir())


def training(folder: Path, **changes: Any) -> Training:
    """The training that most tests are about, into a folder that is made if need be."""
    folder.mkdir(exist_ok=True)
    game = rookery.game("sixseven", rows=4, cols=4)
    asked: dict[str, Any] = {"seed": SEED, "games": GAMES, "bits": 12, **changes}
    return Training(game, folder / "mine.npz", **asked)


def kept(folder: Path, **changes: Any) -> Training:
    """The same training after one batch, kept as if it had been broken off there."""
    begun = training(folder, **changes)
    begun.trainer.ready(1)
    begun.trainer.batch(BATCH, 0.0)
    begun._save()
    return begun


def broken_off(training: Training, batches: int) -> Training:
    """The same training after so many batches; Ctrl-C is pressed while the last of them is being played."""
    before, numbers = training.trainer.batch, count(1)

    def batch(most: int, done: float) -> None:
        if next(numbers) == batches:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            time.sleep(0.2)
        before(most, done)

    training.trainer.batch = batch  # type: ignore[method-assign]
    try:
        ended = training.run(2)
    except KeyboardInterrupt:
        pytest.fail("Ctrl-C was not the training's to handle")
    assert not ended
    return training


@pytest.fixture
def whole(tmp_path: Path) -> bytes:
    """The file of a training that nobody interrupts."""
    done = training(tmp_path / "whole")
    assert done.run(1)
    return done.path.read_bytes()


# ---- its answers ----


def test_the_answer_for_programs(tmp_path: Path, typed: Callable[..., Said]) -> None:
    path = tmp_path / "mine.npz"
    said = typed(*TRAIN, "--games", GAMES, "--seed", SEED, "--out", path, "--json")
    assert (said.code, said.err) == (0, "")
    found = said.found
    low, high = found.pop("win_rate_ci95")
    assert 0 <= low <= found.pop("win_rate") <= high <= 1
    assert found.pop("seconds") >= 0
    assert found == {
        "game": "sixseven",
        "options": dict(rookery.game("sixseven", rows=4, cols=4).options),
        "seed": SEED,
        "games": GAMES,
        "file": str(path),
        "bytes": path.stat().st_size,
        "bot": f"learned:weights={path}",
        "command": "rookery train sixseven --rows 4 --cols 4 --games 300 --bits 12 --seed 5 --out mine.npz",
    }
    assert names(tmp_path) == ["mine.npz"]


def test_the_answer_for_people(tmp_path: Path, typed: Callable[..., Said]) -> None:
    path = tmp_path / "mine.npz"
    said = typed(*TRAIN, "--games", GAMES, "--seed", SEED, "--out", path)
    assert (said.code, said.err) == (0, "")
    learned, where, command = said.out.splitlines()
    assert re.fullmatch(r"300 games, \d+\.\d% of the last 300 won \(\d+\.\d–\d+\.\d\), in \d+ s\.", learned)
    assert where.startswith(f"The weights are in {path}, ")
    assert command == f"  rookery simulate sixseven --rows 4 --cols 4 --bot learned:weights={path}"


@pytest.mark.parametrize("name", mostly_slow(["it's my.npz", "mine.npz", "my weights.npz"]))
def test_the_command_that_is_named_plays_by_the_weights(name: str, tmp_path: Path, typed: Callable[..., Said]) -> None:
    asked = (*TRAIN, "--games", 64, "--rate", 0.3, "--operators", "-*", "--out", tmp_path / name)
    program, *command = shlex.split(typed(*asked).out.splitlines()[-1])
    assert program == "rookery"
    said = typed(
        *(each.replace("learned:", "learned:plies=1,") for each in command), "--games", 5, "--workers", 1, "--json"
    )
    assert (said.code, said.err) == (0, "")
    assert said.found["games"] == 5
    assert said.found["options"]["operators"] == "-*"


def test_a_file_tells_the_command_that_makes_it_again(
    tmp_path: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch, typed: Callable[..., Said]
) -> None:
    found = weights.read(tmp_path / "whole" / "mine.npz")
    assert found.options == rookery.game("sixseven", rows=4, cols=4).options
    assert (found.about["seed"], found.about["games"], found.about["bits"]) == (SEED, GAMES, 12)
    assert found.table.shape == (2**12,)
    assert found.table.any()
    (tmp_path / "again").mkdir()
    monkeypatch.chdir(tmp_path / "again")
    program, *command = shlex.split(found.about["command"])
    assert program == "rookery"
    assert typed(*command).code == 0
    assert (tmp_path / "again" / "mine.npz").read_bytes() == whole


def test_minutes_say_how_long_as_well(tmp_path: Path, typed: Callable[..., Said]) -> None:
    path = tmp_path / "mine.npz"
    found = typed(*TRAIN, "--minutes", 0.02, "--out", path, "--json").found
    assert 1.2 <= found["seconds"] < 10
    assert found["games"] % BATCH == 0
    assert found["games"] == weights.read(path).about["games"] > 0
    assert found["command"].endswith("--minutes 0.02 --bits 12 --seed 0 --out mine.npz")


# ---- what a file depends on ----


@pytest.mark.parametrize("workers", [1, 3, 40])
def test_threads_change_nothing_in_the_file(
    workers: int, tmp_path: Path, whole: bytes, typed: Callable[..., Said]
) -> None:
    path = tmp_path / "mine.npz"
    assert typed(*TRAIN, "--games", GAMES, "--seed", SEED, "--workers", workers, "--out", path).code == 0
    assert path.read_bytes() == whole


def test_a_slower_machine_makes_the_same_file(tmp_path: Path, whole: bytes) -> None:
    slow = training(tmp_path / "slow")
    assert slow.run(2, lambda training: time.sleep(0.05))
    assert slow.seconds > 0.3
    assert slow.path.read_bytes() == whole


@pytest.mark.usefixtures("whole")
def test_a_file_bears_no_date(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "whole" / "mine.npz") as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_another_seed_learns_something_else(tmp_path: Path) -> None:
    tables = []
    for seed in (SEED, SEED + 1):
        learning = training(tmp_path / str(seed), seed=seed)
        assert learning.run(1)
        tables.append(weights.read(learning.path).table)
    assert (tables[0] != tables[1]).any()


def test_every_batch_is_shown(tmp_path: Path) -> None:
    shown: list[int] = []
    learning = training(tmp_path, games=2 * BATCH + 5)
    assert learning.run(2, lambda training: shown.append(training.trainer.games))
    assert shown == [BATCH, 2 * BATCH, 2 * BATCH + 5]
    assert learning.done == 1


# ---- Ctrl-C, and going on ----


COUNTED = """
import sys, time
from rookery.cli import main
from rookery.lab.train import Training
def run(training, workers, seen):
    def told(training):
        seen(training)
        print(training.trainer.games, file=sys.stderr, flush=True)
        time.sleep(0.05)
    return before(training, workers, told)
before, Training.run = Training.run, run
sys.exit(main())
"""
"""The command, a little slower, which says on standard error how many games are played."""


def test_an_interrupted_training_goes_on_with_the_same_command(
    tmp_path: Path, start: Callable[..., Started], typed: Callable[..., Said]
) -> None:
    folder, other = tmp_path / "interrupted", tmp_path / "whole"
    folder.mkdir()
    other.mkdir()
    asked = (*TRAIN, "--games", 4000, "--out")
    begun = start("-c", COUNTED, *asked, folder / "mine.npz")
    assert begun.process.stderr is not None
    assert int(begun.process.stderr.readline()) == BATCH
    begun.process.send_signal(signal.SIGINT)
    said = begun.answer(seconds=30)
    assert (said.code, said.out) == (130, "")
    assert "Traceback" not in said.err
    sentence = said.err.splitlines()[-1]
    assert re.fullmatch(
        r"rookery: Interrupted: \d+ games, .* won .*\. The same command continues from there\.", sentence
    )
    assert names(folder) == ["mine.npz.part"]

    again = typed(*asked, folder / "mine.npz", "--json")
    assert (again.code, again.found["games"]) == (0, 4000)
    games = sentence.split()[2]
    assert again.err == f"rookery: Continuing after {games} games.\n"
    assert 0 < int(games) < 4000
    assert names(folder) == ["mine.npz"]
    assert typed(*asked, other / "mine.npz").code == 0
    assert (folder / "mine.npz").read_bytes() == (other / "mine.npz").read_bytes()


def test_ctrl_c_waits_for_the_batch_that_is_being_played(tmp_path: Path) -> None:
    begun = broken_off(training(tmp_path), 3)
    assert begun.trainer.games == 3 * BATCH
    assert training(tmp_path).trainer.games == 3 * BATCH
    assert "training" not in [thread.name for thread in threading.enumerate()]


def test_a_training_may_be_broken_off_again_and_again(tmp_path: Path, whole: bytes) -> None:
    for batches, so_far in ((1, 1), (3, 4), (2, 6)):
        broken_off(training(tmp_path / "parts"), batches)
        assert training(tmp_path / "parts").trainer.games == so_far * BATCH
    last = training(tmp_path / "parts")
    assert last.run(3)
    assert last.path.read_bytes() == whole
    assert names(tmp_path / "parts") == ["mine.npz"]


def test_the_live_win_rate_goes_on_too(tmp_path: Path) -> None:
    before = kept(tmp_path)
    after = training(tmp_path)
    assert after.trainer.win_rate() == before.trainer.win_rate()
    assert after.trainer.win_rate()[1] == BATCH


def test_minutes_already_spent_count(tmp_path: Path) -> None:
    before = broken_off(training(tmp_path, games=None, minutes=0.02), 2)
    after = training(tmp_path, games=None, minutes=0.02)
    assert after.seconds == pytest.approx(before.seconds, abs=0.1)
    assert 0.1 < after.done < 1
    assert after.run(1)
    assert after.seconds < 10


def test_a_training_is_kept_from_time_to_time(tmp_path: Path, whole: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """A power cut takes no more than what was done since."""
    monkeypatch.setattr(train, "SAVE_SECONDS", 0.0)
    (tmp_path / "kept").mkdir()

    def seen(training: Training) -> None:
        if training.trainer.games == 3 * BATCH:
            shutil.copy(training.part, tmp_path / "kept")

    assert training(tmp_path / "cut").run(2, seen)
    assert names(tmp_path / "cut") == ["mine.npz"]
    after = training(tmp_path / "kept")
    assert after.trainer.games == 2 * BATCH
    assert after.run(2)
    assert after.path.read_bytes() == whole


# ---- what it refuses ----


HOW_LONG = "Say how long: pass --minutes M or --games N, one of them."
WHOLE = "takes a whole number from"


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("", "Which game? Write it after the command, such as rookery train sixseven."),
        ("chess", "There is no game 'chess'"),
        ("gaterun --games 10 --out mine.npz", "GateRun has no bot that learns; 67! has."),
        ("sixseven --out mine.npz", HOW_LONG),
        ("sixseven --minutes 1 --games 10 --out mine.npz", HOW_LONG),
        ("sixseven --games 10", "out takes the file of weights to write, such as --out mine.npz."),
        ("sixseven --games 0 --out mine.npz", f"games {WHOLE} 1 to 1000000000000, not '0'."),
        ("sixseven --games -5 --out mine.npz", f"games {WHOLE} 1 to 1000000000000, not '-5'."),
        ("sixseven --games 1e6 --out mine.npz", f"games {WHOLE} 1 to 1000000000000, not '1e6'."),
        ("sixseven --games 1000000000001 --out mine.npz", f"games {WHOLE} 1 to 1000000000000, not '1000000000001'."),
        ("sixseven --minutes 0 --out mine.npz", "minutes takes a number "),
        ("sixseven --minutes -1 --out mine.npz", "minutes takes a number "),
        ("sixseven --minutes nan --out mine.npz", "minutes takes a number "),
        ("sixseven --minutes inf --out mine.npz", "minutes takes a number "),
        ("sixseven --minutes long --out mine.npz", "minutes takes a number "),
        ("sixseven --minutes 1000001 --out mine.npz", "minutes takes a number "),
        ("sixseven --games 10 --bits 9 --out mine.npz", f"bits {WHOLE} 10 to 26, not '9'."),
        ("sixseven --games 10 --bits 27 --out mine.npz", f"bits {WHOLE} 10 to 26, not '27'."),
        ("sixseven --games 10 --bits few --out mine.npz", f"bits {WHOLE} 10 to 26, not 'few'."),
        ("sixseven --games 10 --seed -1 --out mine.npz", f"seed {WHOLE} 0 to 9007199254740992, not '-1'."),
        ("sixseven --games 10 --workers 0 --out mine.npz", f"workers {WHOLE} 1 to 1024, not '0'."),
        ("sixseven --games 10 --rows 1 --out mine.npz", f"rows {WHOLE} "),
        ("sixseven --games 10 --out", "Argument --out: expected one argument. Try 'rookery train sixseven --help'."),
        ("sixseven --games 10 --out no/mine.npz", "'no/mine.npz' cannot be written: its folder does not exist."),
        ("sixseven --size 4 --out mine.npz", "Unrecognized arguments: --size 4. Try 'rookery train sixseven --help'."),
    ],
)  # fmt: skip
def test_bad_input_gets_one_sentence(
    asked: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: Callable[..., str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert refused("train", *asked.split()).startswith(sentence)
    assert names(tmp_path) == []


def test_a_file_that_is_there_is_left_alone(tmp_path: Path, refused: Callable[..., str]) -> None:
    path = tmp_path / "mine.npz"
    path.write_text("precious")
    assert refused(*TRAIN, "--games", 10, "--out", path) == (
        f"'{path}' exists: choose another name, or delete it to train again."
    )
    assert path.read_text() == "precious"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ("--games 300 --seed 6", "is of another training, for 4×4 modified, rate 0.5 with seed 5 and 12 bits: choose another name, "),
        ("--games 300 --seed 5 --rate 0.4", "is of another training, for 4×4 modified, rate 0.5 with seed 5"),
        ("--games 300 --seed 5 --rows 5", "is of another training, for 4×4 modified, rate 0.5 with seed 5"),
        ("--games 300 --seed 5 --bits 13", "is of another training"),
        ("--games 400 --seed 5", "is a training for 300 games: ask for the same length, choose another name, or delete it."),
        ("--minutes 1 --seed 5", "is a training for 300 games: ask for the same length, choose another name, or delete it."),
    ],
)  # fmt: skip
def test_a_part_of_another_training_is_refused(
    changes: str, sentence: str, tmp_path: Path, refused: Callable[..., str]
) -> None:
    begun = kept(tmp_path)
    content = begun.part.read_bytes()
    assert refused(*TRAIN, *changes.split(), "--out", begun.path).startswith(f"'{begun.part}' {sentence}")
    assert names(tmp_path) == ["mine.npz.part"]
    assert begun.part.read_bytes() == content


def test_a_part_for_minutes_tells_how_many(tmp_path: Path, refused: Callable[..., str]) -> None:
    begun = kept(tmp_path, games=None, minutes=2.5)
    assert refused(*TRAIN, "--minutes", 3, "--seed", SEED, "--out", begun.path) == (
        f"'{begun.part}' is a training for 2.5 minutes: ask for the same length, choose another name, or delete it."
    )


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: b"not an archive",
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1],
        lambda content: (
            content[: len(content) // 2] + bytes([content[len(content) // 2] ^ 255]) + content[len(content) // 2 + 1 :]
        ),
    ],
    ids=["empty", "text", "half", "all but a byte", "a byte changed"],
)
def test_a_damaged_part_is_refused(
    damage: Callable[[bytes], bytes], tmp_path: Path, refused: Callable[..., str]
) -> None:
    begun = kept(tmp_path)
    begun.part.write_bytes(damage(begun.part.read_bytes()))
    assert refused(*TRAIN, "--games", GAMES, "--seed", SEED, "--out", begun.path) == (
        f"'{begun.part}' is not a file of weights."
    )
    assert names(tmp_path) == ["mine.npz.part"]


LACKING = object()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *[(field, LACKING) for field in ("format", "options", "bits", "seed", "games", "recent", "asked", "seconds")],
        *[("format", "rookery sixseven weights 0"), ("options", {}), ("bits", 30), ("bits", 11), ("seed", "five")],
        *[("games", "many"), ("games", None), ("recent", 7), ("asked", None), ("asked", {}), ("seconds", "long")],
    ],
)
def test_a_part_that_says_nonsense_about_itself_is_refused(
    field: str, value: object, tmp_path: Path, refused: Callable[..., str]
) -> None:
    begun = kept(tmp_path)
    about, table = weights.unpacked(begun.part)
    about[field] = value
    if value is LACKING:
        del about[field]
    # What is packed says its format itself, unless it is said otherwise.
    weights.pack(begun.part, {"format": None, **about}, table, level=0)
    said = refused(*TRAIN, "--games", GAMES, "--seed", SEED, "--out", begun.path)
    assert said.startswith(f"'{begun.part}' ")
    assert names(tmp_path) == ["mine.npz.part"]


def test_a_part_with_too_few_weights_is_refused(tmp_path: Path, refused: Callable[..., str]) -> None:
    begun = kept(tmp_path)
    about, table = weights.unpacked(begun.part)
    weights.pack(begun.part, about, table[:-1], level=0)
    assert refused(*TRAIN, "--games", GAMES, "--seed", SEED, "--out", begun.path) == (
        f"'{begun.part}' is damaged: its weights are not what it says they are."
    )


def test_no_bot_plays_by_a_training_that_has_not_ended(tmp_path: Path, refused: Callable[..., str]) -> None:
    begun = kept(tmp_path)
    asked = ("simulate", "sixseven", "--rows", 4, "--cols", 4, "--bot", f"learned:weights={begun.part}")
    assert refused(*asked) == f"'{begun.part}' is a training that has not ended: finish it first."


def test_no_bot_plays_by_weights_for_other_options(tmp_path: Path, whole: bytes, refused: Callable[..., str]) -> None:
    path = tmp_path / "whole" / "mine.npz"
    assert path.read_bytes() == whole
    assert refused("simulate", "sixseven", "--rows", 4, "--cols", 5, "--bot", f"learned:weights={path}") == (
        f"The weights in '{path}' are for 4×4 modified, rate 0.5, not for 4×5 modified, rate 0.5."
    )
