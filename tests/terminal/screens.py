"""Snapshots of screens, with characters and colours, stored in `screens/`.

`python -m tests.terminal.screens` writes them again; review every change.
"""

from __future__ import annotations

import re
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from string import ascii_letters
from typing import TYPE_CHECKING, Any

from tests.terminal.pty import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parent / "screens"
UP, DOWN, RIGHT, LEFT = b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D"
MANY = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
ANSI16 = {"TERM": "xterm"}
NONE = {**MANY, "NO_COLOR": "1"}


@dataclass(frozen=True)
class Screen:
    """A snapshot: the command, the keys with the text to wait for after each, and the text to wait for first."""

    name: str
    command: str
    keys: tuple[tuple[bytes, str], ...] = ()
    first: str = ""
    size: tuple[int, int] = (80, 24)
    terminal: dict[str, str] = field(default_factory=lambda: MANY)


GATERUN = "play gaterun --seed 1"
GATERUN_KEYS = (
    (DOWN, "1. step to d6"),
    (UP, "2. step to d2"),
    (b"\x1b[1;2C\x1b[1;2C\x1b[1;2B ", "3. wall below e4"),
    (b"\t\t ", "4."),
    (b"\x1b[1;2A", "Player 1 to move"),
)
SCREENS = (
    Screen("menu", "play", first="Scores and finished games"),
    Screen("gaterun", GATERUN, GATERUN_KEYS, "Player 1 to move"),
    Screen("gaterun-large", GATERUN, GATERUN_KEYS, "Player 1 to move", size=(132, 43)),
    Screen("gaterun-light", GATERUN, ((b"\x1bOQ" + DOWN, "1. step to d6"),), "Player 1 to move"),
    Screen("gamma", "play gamma --seed 1 --bot 1", ((b" ", "to take: 98"), (b"\x1b[C ", "3.")), "Your turn"),
    Screen(
        "gamma-end",
        "play gamma --width 3 --height 2 --seed 1",
        ((b" ", "1. take b1"), (LEFT + b" ", "2. take a1"), (b"\x04", "are level")),
        "Player 1 to move",
    ),
    Screen(
        "sixseven",
        "play sixseven --seed 1",
        ((LEFT, "1. slide left"), (UP, "2. slide up"), (RIGHT, "3. slide right")),
        "Slide up",
    ),
    Screen("gotham", "play gotham --seed 5", ((UP + UP + LEFT, "3. go left"), (b"o", "Odds are shown")), "Go up"),
    Screen("gotham-sixteen", "play gotham --seed 5", ((UP + UP + LEFT, "3. go left"),), "Go up", terminal=ANSI16),
    Screen("gotham-plain", "play gotham --seed 5", ((UP + UP + LEFT, "3. go left"),), "Go up", terminal=NONE),
    Screen("gotham-quad", "play gotham --level quad --seed 5", ((UP, "1. go up"),), "Go up"),
    Screen("rings", "play --load {rings} --seed 1", (), "Play again", size=(120, 40)),
    Screen("rings-small", "play --load {rings} --seed 1", (), "Play again"),
    Screen("form", GATERUN, ((b"n", "New game: GateRun"),), "Player 1 to move"),
    Screen("help", GATERUN, ((b"?", "Esc closes"),), "Player 1 to move"),
    Screen("replay", "replay docs/example.jsonl --watch", ((b"\x1b[F", "5/5"), (LEFT, "4/5")), "0/5"),
    Screen("small", GATERUN, (), "please make it larger", size=(60, 12)),
    Screen("ice", "play examples/thin_ice.py --seed 1", ((DOWN, "1. step down"),), "Player 1 to move"),
)


def rings(folder: Path) -> str:
    """Write a record of Gotham Loops with long rounds; return its file."""
    import rookery
    from rookery.core.bot import make_bot
    from rookery.core.record import Record
    from rookery.core.rules import CHANCE
    from rookery.core.stream import Stream

    game = rookery.game("gotham", level="deuce")
    bot, state, stream = make_bot(game, "ring"), game.start(), Stream(2)
    while not state.over:
        state.play(state.draw(stream) if state.turn == CHANCE else bot.choose(state, stream=stream))
    file = folder / "rings.json"
    file.write_text(Record.of(state, ("person",)).line() + "\n")
    return str(file)


def seen(screen: Screen) -> str:
    """The screen at that point, as text."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        words = screen.command.format(rings=rings(folder) if "{rings}" in screen.command else "").split()
        environment: dict[str, Any] = {**screen.terminal, "ROOKERY_DATA": name, "TEXTUAL_ANIMATIONS": "none"}
        with Terminal([sys.executable, "-m", "rookery", *words], *screen.size, **environment) as terminal:
            terminal.until_shown(screen.first)
            for keys, sign in screen.keys:
                terminal.type(keys)
                terminal.until_shown(sign)
            terminal.settle(0.5)
            return picture(terminal)


def picture(terminal: Terminal) -> str:
    """The characters; then a letter for the style of each; then a legend of the letters."""
    letters: dict[str, str] = {}
    looks = []
    for y in range(terminal.screen.lines):
        row = terminal.screen.buffer[y]
        cells = (look(row[x]) for x in range(terminal.screen.columns))
        looks.append("".join(letters.setdefault(each, signs(len(letters))) for each in cells).rstrip("."))
    shown = re.sub(r"seed \d+", "seed …", terminal.shown)
    legend = [f"{letter} {meaning}" for meaning, letter in letters.items()]
    return "\n".join([shown, "=" * 8, *looks, "=" * 8, *legend, ""])


def signs(number: int) -> str:
    """The letter of a style; the first is a dot."""
    return "." if number == 0 else ascii_letters[number - 1] if number <= len(ascii_letters) else "?"


def look(cell: Any) -> str:
    """The colours and attributes of a character."""
    return " ".join(attributes(cell))


def attributes(cell: Any) -> Iterator[str]:
    yield f"{cell.fg} on {cell.bg}"
    for name in ("bold", "underscore", "reverse", "italics"):
        if getattr(cell, name):
            yield name


def file_of(screen: Screen) -> Path:
    return FOLDER / f"{screen.name}.txt"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    wanted = sys.argv[1:]
    for each in SCREENS:
        if not wanted or each.name in wanted:
            file_of(each).write_text(seen(each), encoding="utf-8")
            print(each.name)
