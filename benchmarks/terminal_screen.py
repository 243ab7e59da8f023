"""Latency of the terminal: from the command to the first screen, and from a key press to its effect.

    python -m benchmarks.terminal_screen

Starts each game several times in a pseudo-terminal of 80×24, with a warm cache; then presses keys and takes the time
until the last byte of output. For comparison, it also starts an interpreter that only imports Textual.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time

from tests.terminal.pty import Terminal

GAMES = {
    "gaterun": ("P1 to move", [b"\x1b[B", b"\x1b[C", b"\x1b[D"]),
    "gamma": ("Player 1 to move", [b"\x1b[B", b"\x1b[C", b"\x1b[A", b"\x1b[D"]),
    "sixseven": ("Slide up", [b"\x1b[D", b"\x1b[A", b"\x1b[C", b"\x1b[B"]),
    "gotham": ("Go up, right", [b"\x1b[A", b"\x1b[B"]),
}
"""The text of the first screen, and keys that change it."""
STARTS, PRESSES = 5, 40
QUIET = 0.06
"""Seconds without output after which a key's effect counts as drawn."""


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as data:
        os.environ |= {"ROOKERY_DATA": data, "TEXTUAL_ANIMATIONS": "none"}
        bare = [started([sys.executable, "-c", "import textual.app; print('here')"], "here") for _ in range(STARTS)]
        print(f"importing Textual alone: {1000 * statistics.median(bare):.0f} ms")
        for game, (sign, keys) in GAMES.items():
            command = [sys.executable, "-m", "rookery", "play", game, "--seed", "1"]
            times = [started(command, sign) for _ in range(STARTS)]
            ratio = statistics.median(times) / statistics.median(bare)
            print(
                f"{game}: first screen {1000 * statistics.median(times):.0f} ms, worst {1000 * max(times):.0f} ms, "
                f"{ratio:.1f} times importing Textual"
            )
            presses = sorted(pressed(command, sign, keys))
            usual, most, worst = (1000 * presses[at] for at in (len(presses) // 2, len(presses) * 9 // 10, -1))
            print(f"{game}: a key is drawn in {usual:.0f} ms, nine of ten in {most:.0f} ms, worst {worst:.0f} ms")


def started(command: list[str], sign: str) -> float:
    """Seconds until a program shows a text."""
    began = time.perf_counter()
    with Terminal(command, TERM="xterm-256color", COLORTERM="truecolor") as terminal:
        terminal.until_shown(sign)
        return time.perf_counter() - began


def pressed(command: list[str], sign: str, keys: list[bytes]) -> list[float]:
    """Seconds from each key press to the last output."""
    found = []
    with Terminal(command, TERM="xterm-256color", COLORTERM="truecolor") as terminal:
        terminal.until_shown(sign)
        terminal.settle(0.5)
        for number in range(PRESSES):
            began = time.perf_counter()
            terminal.type(keys[number % len(keys)])
            last = terminal.settle(QUIET)
            if last is not None:
                found.append(last - began)
    return found


if __name__ == "__main__":
    main()
