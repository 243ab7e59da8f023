"""Gamma's line protocol: byte for byte against a naive reader, interpreted and compiled, streaming, at any size."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import gamma_lines
from tests.tiers import mostly_slow, posix

import rookery
from rookery.games.gamma.protocol import batch, commands
from rookery.games.gamma.protocol.batch import Batch

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = Path(rookery.__file__).parent.parent
"""The folder Rookery is imported from, be it installed or not."""
GAMMA = [sys.executable, "-m", "rookery", "gamma"]
FUZZED_LINES = 1_000_000
SHARES = 16


def run(data: bytes) -> tuple[bytes, bytes]:
    """A real process: what it answers and refuses."""
    done = subprocess.run(GAMMA, input=data, capture_output=True)
    assert done.returncode == 0
    return done.stdout, done.stderr


def carried_out(data: bytes, *, compiled: bool, cut: int = 0) -> tuple[bytes, bytes]:
    """The same in this process, interpreted or compiled after so many bytes."""
    session = Batch(1, 2, large=False)
    session.patience = float("inf")
    whole = data if data.endswith(b"\n") or not data else data + b"\n"
    cut = whole.rfind(b"\n", 0, cut) + 1
    interactive = session.carry_out(whole[:cut]) is not None
    if compiled and session.session[commands.STARTED]:
        session.patience = batch.UNPREPARED_PATIENCE
        session._compile()
        assert session.kernel is not commands
    if not interactive:
        session.carry_out(whole[cut:])
    return b"".join(session.waiting[1]), b"".join(session.waiting[2])


# ---- the form of a line ----

WORDS = [b"m", b"g", b"b", b"f", b"q", b"p", b"B", b"I", b"x", b"M", b"mm", b"#", b""]
BLANKS = [b" ", b"  ", b"\t", b"\v", b"\f", b"\r", b" \r", b"\t \t"]
ODD = [b"\x00", b"\x1c", b"\x1d", b"\x1e", b"\x1f", b"\x85", b"\xa0", b"\xff", b"\xc2\xa0", "\u0663".encode(), "\u2003".encode(), "\uff11".encode(), b"-", b"+", b".", b"_", b"x"]  # fmt: skip
NUMBERS = [b"0", b"1", b"2", b"3", b"007", b"10", b"4294967295", b"4294967296", b"04294967295", b"99999999999", b"1e3", b"0x1", b"1_0", b"-1", b"+1", b"1.0"]  # fmt: skip


def fuzzed(dice: random.Random) -> bytes:
    """A line that is a command, nearly one, or far from one."""
    word = dice.choice(WORDS)
    parts = [word] if dice.random() < 0.97 else [dice.choice(BLANKS), word]
    close = dice.random() < 0.6
    count = gamma_lines.NUMBERS.get(word.decode(), 2) if close else dice.choice((0, 1, 2, 3, 4, 5))
    for _ in range(count):
        parts += [dice.choice(BLANKS), dice.choice(NUMBERS[:7] if close else NUMBERS)]
    if dice.random() < 0.3:
        parts.append(dice.choice(BLANKS))
    if dice.random() < 0.15:
        parts.insert(dice.randrange(len(parts) + 1), dice.choice(ODD))
    if dice.random() < 0.03:
        parts = [dice.randbytes(dice.randrange(12)).replace(b"\n", b"")]
    return b"".join(parts)


@pytest.mark.parametrize("share", mostly_slow(range(SHARES), usual=2))
def test_a_million_fuzzed_lines_read_as_the_naive_reader_reads_them(share: int) -> None:
    dice = random.Random(share)
    well_formed = 0
    for _ in range(FUZZED_LINES // SHARES + 1):
        line = fuzzed(dice)
        if not line or line[0] == commands.HASH:
            continue
        session = [0] * commands.SESSION
        letter = commands.parse(line, 0, len(line), session)
        expected = gamma_lines.parse(line)
        if expected is None:
            assert letter == commands.NO_COMMAND, line
        else:
            well_formed += 1
            numbers = session[commands.ARGUMENTS : commands.ARGUMENTS + len(expected[1])]
            assert (chr(letter), numbers) == expected, line
    assert well_formed > 10_000


LINE = st.one_of(
    st.builds(lambda seed: fuzzed(random.Random(seed)), st.integers(0, 2**32)),
    st.builds(
        lambda letter, numbers: b" ".join([letter, *(b"%d" % number for number in numbers)]),
        st.sampled_from([b"m", b"g", b"b", b"f", b"q", b"p"]),
        st.lists(st.integers(0, 5), max_size=4),
    ),
    st.binary(max_size=12),
)
SMALL_GAME = st.tuples(*[st.integers(1, 4)] * 2, st.sampled_from([1, 2, 3, 12]), st.integers(1, 3))


@settings(max_examples=300)
@given(st.lists(LINE, max_size=3), SMALL_GAME, st.lists(LINE, max_size=40), st.booleans(), st.integers(0, 400))
def test_any_session_answers_as_the_naive_one(
    before: list[bytes], game: tuple[int, ...], after: list[bytes], ends: bool, cut: int
) -> None:
    data = b"\n".join([*before, b"B %d %d %d %d" % game, *after]) + (b"\n" if ends else b"")
    # Keep accidental boards small: the naive board looks at every cell.
    expected = gamma_lines.session(data) if not huge(data) else None
    if expected is None:
        return
    assert carried_out(data, compiled=False) == expected
    assert carried_out(data, compiled=True, cut=cut) == expected


def huge(data: bytes) -> bool:
    """Whether some line asks for a board or a number of players that the naive board could not look through."""
    commands = [gamma_lines.parse(line) for line in data.split(b"\n")]
    return any(command and command[0] in "BI" and max(command[1]) > 50 for command in commands)


# ---- lines of any length ----


@pytest.mark.parametrize(
    ("data", "answers", "errors"),
    [
        (b"", b"", b""),
        (b"\n\n\n", b"", b""),
        (b"# only a comment", b"", b""),
        (b"B 2 2 2 2", b"OK 1\n", b""),
        (b"B 2 2 2 2\r\nm 1 0 0\r\n", b"OK 1\n1\n", b""),
        (b"\n#\nB 2 2 2 2\nB 2 2 2 2\nI 2 2 2 2\n", b"OK 3\n", b"ERROR 4\nERROR 5\n"),
        (b" \nB 2 2 2 2\n m 1 0 0\n #\n", b"OK 2\n", b"ERROR 1\nERROR 3\nERROR 4\n"),
        (b"m 1 0 0\nB 0 2 2 2\nB 2 2 2 0\nB 2 2 2 2\n", b"OK 4\n", b"ERROR 1\nERROR 2\nERROR 3\n"),
        (b"B 4294967295 4294967295 4294967295 4294967295\nB 1 1 4294967295 1\nB 1 1 1 4294967295\np\n", b"OK 3\n.\n", b"ERROR 1\nERROR 2\n"),
        (b"B 2 2 2 2\nm 1 0 " + b"9" * 100_000 + b"\nm 1 0 " + b"0" * 100_000 + b"\n", b"OK 1\n1\n", b"ERROR 2\n"),
        (b"B 2 2 2 2" + b" " * 1_000_000 + b"\nm 1 0 0\n", b"OK 1\n1\n", b""),
        (b"B 2 2 2 2\n" + b"x" * 1_000_000 + b"\nm 1 0 0\n", b"OK 1\n1\n", b"ERROR 2\n"),
        (b"B 2 2 2 2\n#" + b"\xff" * 1_000_000, b"OK 1\n", b""),
        (b"B 2 1 2 2\nm 3 0 0\nm 0 0 0\nm 1 2 0\nm 1 0 1\nb 3\nf 0\nq 9\ng 4294967295 0 0\np\n", b"OK 1\n0\n0\n0\n0\n0\n0\n0\n0\n..\n", b""),
        (b"B 3 2 10 1\nm 10 0 0\nm 9 2 1\np\n", b"OK 1\n1\n1\n .  .  9\n10  .  .\n", b""),
        (b"B 2 2 2 2\nB2 2 2 2\nm1 0 0\nm 1 0\nm 1 0 0 0\np 1\nb\nb 1 1\n", b"OK 1\n", b"".join(b"ERROR %d\n" % k for k in range(2, 9))),
    ],
    ids=lambda each: ascii(each[:40]),  # of megabytes, pytest could not make the name of a test
)  # fmt: skip
def test_whole_sessions(data: bytes, answers: bytes, errors: bytes) -> None:
    assert run(data) == (answers, errors)


def test_a_board_longer_than_any_buffer_is_printed_whole() -> None:
    data = b"B 2000 700 2 5\nm 2 1999 699\np\nm 1 0 0\n"
    answers, errors = run(data)
    assert errors == b""
    rows = answers.split(b"\n")
    assert rows[:2] == [b"OK 1", b"1"]
    assert rows[2] == b"." * 1999 + b"2"
    assert rows[3:702] == [b"." * 2000] * 699
    assert rows[702:] == [b"1", b""]


# ---- interpreted, compiled, and the way from one to the other ----


def mixed(seed: int, lines: int, size: int) -> bytes:
    dice = random.Random(seed)
    session = [b"B %d %d 3 4" % (size, size)]
    for _ in range(lines):
        letter = dice.choices(b"mgbfqp", (60, 10, 10, 10, 9, 1))[0]
        numbers = (dice.randint(1, 3), dice.randrange(size), dice.randrange(size))[: gamma_lines.NUMBERS[chr(letter)]]
        session.append(b" ".join([bytes([letter]), *(b"%d" % number for number in numbers)]))
    return b"\n".join(session) + b"\n"


@pytest.mark.parametrize("seed", range(4))
def test_a_session_goes_on_compiled_with_the_same_answers(seed: int) -> None:
    data = mixed(seed, lines=3000, size=12)
    plain = carried_out(data, compiled=False)
    for cut in (30, len(data) // 3, len(data) - 30):
        assert carried_out(data, compiled=True, cut=cut) == plain


def test_long_work_moves_to_compiled_rules_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    batch.warm()
    session = Batch(1, 2, large=False)
    session.carry_out(mixed(1, lines=300_000, size=40))
    assert session.kernel is not commands
    session = Batch(1, 2, large=False)
    session.carry_out(mixed(1, lines=200, size=10))
    assert session.kernel is commands
    monkeypatch.setattr("rookery.engine.compiling.available", lambda: False)
    session = Batch(1, 2, large=True)
    session.carry_out(mixed(1, lines=500, size=10))
    assert session.kernel is commands, "nothing to compile with"


def test_a_small_session_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom rookery.cli import main\nmain(['gamma'])\n"
        "light = {'numpy', 'numba', 'argparse', 'dataclasses', 're', 'typing', 'json'} & set(sys.modules)\n"
        "print(sorted(light), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {str(PACKAGES)!r})\n" + code],
        input=b"B 2 2 2 2\nm 1 0 0\nq 1\np\n",
        capture_output=True,
    )
    assert done.stdout == b"OK 1\n1\n0\n..\n1.\n"
    assert done.stderr == b"[]\n"


def test_an_area_of_a_million_cells_is_asked_about_and_cut() -> None:
    lines = [b"B 1000 1000 2 1", *(b"m 1 %d %d" % (x, y) for y in range(1000) for x in range(1000 - (y == 999)))]
    lines += [b"m 2 999 999", b"q 2", b"q 1", b"b 1", b"g 2 998 999", b"b 1", b"q 2", b"f 2"]
    answers, errors = run(b"\n".join(lines))
    assert errors == b""
    assert answers.split()[-8:] == [b"1", b"1", b"1", b"999999", b"1", b"999998", b"0", b"0"]


def test_a_game_that_does_not_fit_in_memory_is_an_error_and_the_session_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("rookery.games.gamma.rules.start", full)
    session = Batch(1, 2, large=False)
    assert session.carry_out(b"I 9 9 2 1\nB 9 9 2 1\nm 1 0 0\n") is None
    monkeypatch.undo()
    session.carry_out(b"B 2 2 2 1\nm 1 0 0\n")
    assert b"".join(session.waiting[2]) == b"ERROR 1\nERROR 2\nERROR 3\n"
    assert b"".join(session.waiting[1]) == b"OK 4\n1\n"


def test_a_board_beyond_the_options_of_a_game_is_played_if_there_is_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Batch(1, 2, large=False)
    monkeypatch.setattr("rookery.system.memory.free_memory", lambda: 1_000_000_000)
    session.carry_out(b"B 5001 5000 2 2\nI 5001 5000 2 2\nB 1 1 1000000001 1\n")
    monkeypatch.undo()
    session.carry_out(b"B 5001 5000 2 2\nm 1 5000 4999\nm 2 5001 0\nb 1\nf 2\n")
    assert b"".join(session.waiting[2]) == b"ERROR 1\nERROR 2\nERROR 3\n"
    assert b"".join(session.waiting[1]) == b"OK 4\n1\n0\n1\n25004999\n"


@posix
def test_closed_descriptors_get_a_sentence() -> None:
    for closed, words in (("<&-", "Cannot read input: Bad file descriptor."), (">&-", "Cannot write output")):
        command = f"printf 'B 2 2 2 1\\np\\n' | {sys.executable} -m rookery gamma {closed}"
        done = subprocess.run(["bash", "-c", f"{command}; exit ${{PIPESTATUS[1]}}"], capture_output=True, text=True)
        assert done.returncode == 2
        assert done.stderr.startswith(f"rookery: {words}")
        assert "Traceback" not in done.stderr


# ---- streaming ----


def test_an_answer_comes_before_the_next_line_is_asked_for() -> None:
    with subprocess.Popen(
        GAMMA, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        for line, stream, expected in (
            (b"B 3 3 2 2\n", process.stdout, b"OK 1\n"),
            (b"m 1 0 0\n", process.stdout, b"1\n"),
            (b"nonsense\n", process.stderr, b"ERROR 3\n"),
            (b"f 1\nb", process.stdout, b"8\n"),
            (b" 1\n", process.stdout, b"1\n"),
        ):
            process.stdin.write(line)
            assert os.read(stream.fileno(), 100) == expected
        process.stdin.write(b"p")
        process.stdin.close()
        assert process.stdout.read() == b"...\n...\n1..\n"
    assert process.returncode == 0


# ---- the page about it ----


def test_the_session_in_the_documentation_is_true() -> None:
    page = (ROOT / "docs" / "games" / "gamma-lines.md").read_text(encoding="utf-8")
    found = re.search(r"```text\n(.*?)```", page, re.DOTALL)
    assert found
    typed, answers, errors = [], [], []
    for line in found[1].splitlines():
        if line.startswith("> "):
            typed.append(line[2:])
        elif line.startswith("! "):
            errors.append(line[2:])
        else:
            answers.append(line)
    assert len(typed) > 15
    assert run("\n".join(typed).encode() + b"\n") == (
        "\n".join([*answers, ""]).encode(),
        "\n".join([*errors, ""]).encode(),
    )
