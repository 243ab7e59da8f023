"""How fast `rookery gamma` is: from process start, on a million commands, on hopeless golden queries, on a huge area.

Run it with `python benchmarks/gamma_batch.py`. Every figure is a whole process, started as a person would; the start is
compared with `python -c pass`, the two interleaved. The rules are compiled before, so that they are cached.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator

from rookery.core.stream import Stream

GAMMA = [sys.executable, "-m", "rookery", "gamma"]
PASS = [sys.executable, "-c", "pass"]


def seconds(command: list[str], typed: bytes) -> tuple[float, bytes]:
    began = time.perf_counter()
    done = subprocess.run(command, input=typed, capture_output=True, check=True)
    assert not done.stderr, done.stderr[:200]
    return time.perf_counter() - began, done.stdout


def start_up() -> None:
    """A session of 20 lines against a process that does nothing."""
    session = b"B 10 10 2 4\n" + b"".join(b"m %d %d %d\n" % (1 + k % 2, k, k // 3) for k in range(10))
    session += b"b 1\nf 1\nq 1\ng 2 0 0\nb 2\nf 2\nq 2\np\n# the end\n"
    assert session.count(b"\n") == 20
    ours, theirs = [], []
    for _ in range(20):
        ours.append(seconds(GAMMA, session)[0])
        theirs.append(seconds(PASS, b"")[0])
    a, b = statistics.median(ours), statistics.median(theirs)
    print(f"20 lines: {1000 * a:.1f} ms, {a / b:.2f} times python -c pass ({1000 * b:.1f} ms)")


def mixed(count: int) -> Iterator[bytes]:
    """70% moves, 5% golden moves, 10% b, 10% f, 5% q on a 100×100 board with 4 players and 50 areas."""
    stream = Stream(67)
    yield b"B 100 100 4 50"
    for _ in range(count):
        kind, player = stream.below(100), 1 + stream.below(4)
        if kind < 75:
            yield b"%c %d %d %d" % (b"m" if kind < 70 else b"g", player, stream.below(100), stream.below(100))
        else:
            yield b"%c %d" % (b"b" if kind < 85 else b"f" if kind < 95 else b"q", player)


def million() -> None:
    session = b"\n".join(mixed(1_000_000)) + b"\n"
    runs = [seconds(GAMMA, session)[0] for _ in range(3)]
    print(f"1,000,000 mixed commands, 100×100: {min(runs):.2f} s (of {', '.join(f'{run:.2f}' for run in runs)})")


def hopeless(queries: int) -> Iterator[bytes]:
    """Player 1 holds a row next to a chain of player 2 that no cell may be taken from; player 3 moves far away."""
    yield b"B 100 100 3 1"
    for x in range(100):
        yield b"m 1 %d 50" % x
        yield b"m 2 %d 51" % x
    yield b"m 2 0 52"
    yield b"m 2 99 52"
    for k in range(queries):
        yield b"m 3 %d %d" % (k % 100 if k // 100 % 2 == 0 else 99 - k % 100, 60 + k // 100)
        yield b"q 1"


def golden_queries() -> None:
    session = b"\n".join(hopeless(2000)) + b"\n"
    runs = []
    for _ in range(3):
        elapsed, answers = seconds(GAMMA, session)
        runs.append(elapsed)
        assert answers.split()[-4000:] == [b"1", b"0"] * 2000, "an answer was not 0"
    print(f"2,000 golden queries, all answered 0, a move before each: {min(runs):.2f} s")


def huge_area() -> None:
    """One player fills 1000×1000 cells but one; then its cells are asked for and one is taken."""
    lines = [b"B 1000 1000 2 1"]
    lines += [b"m 1 %d %d" % (x, y) for y in range(1000) for x in range(1000) if (x, y) != (999, 999)]
    lines += [b"m 2 999 999", b"q 2", b"q 1", b"b 1", b"g 2 998 999", b"b 1", b"q 2"]
    elapsed, answers = seconds(GAMMA, b"\n".join(lines) + b"\n")
    assert answers.split()[-7:] == [b"1", b"1", b"1", b"999999", b"1", b"999998", b"0"], answers.split()[-7:]
    print(f"an area of 999,999 cells made, asked about and cut: {elapsed:.2f} s")


if __name__ == "__main__":
    seconds([sys.executable, "-m", "rookery", "warm"], b"")
    seconds(GAMMA, b"\n".join(mixed(200_000)) + b"\n")
    start_up()
    million()
    golden_queries()
    huge_area()
