"""Gamma's interactive mode: the board drawn on a raw terminal, which is restored whatever happens.

`play` is for a terminal, `play_script` for keys from a file or pipe.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from contextlib import contextmanager
from shutil import get_terminal_size
from textwrap import wrap
from typing import TYPE_CHECKING

try:
    import termios
except ImportError:  # Windows
    termios = None  # type: ignore[assignment]

from rookery.core.errors import RookeryError
from rookery.core.notation import counted
from rookery.core.text_board import figures, sign
from rookery.games.gamma import board

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from rookery.core.scene import Cell, Scene
    from rookery.core.state import State
    from rookery.games.gamma.protocol.keys import Keys


ENTER = "\x1b[?1049h\x1b[?25l"
LEAVE = "\x1b[?25h\x1b[?1049l"
RESET = "\x1b[0m"
PLAYERS = ("33", "36", "32", "35", "34", "31")
"""Foreground colours of players; beyond these they repeat, and the number tells them apart."""
LEGEND = (
    ". free   - free, not for you   ! golden   underlined: yours",
    "arrows   space take   G golden   C skip   ^D end",
)
END = 0x04
ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)]


def interact(board: Keys, keys: bytes, source: int) -> int:
    """Play on the terminal if there is one, else by the keys that follow in the input; return the exit code."""
    on_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    return (play if on_terminal else play_script)(board, keys, source)


def play_script(play: Keys, keys: bytes, source: int) -> int:
    """Play the keys already read and all that follow, then print the board and how it ended."""
    play.feed(keys)
    while not play.ended:
        more = os.read(source, 1 << 16)
        if not more:
            break
        play.feed(more)
    return finish(play)


def play(play: Keys, keys: bytes, source: int) -> int:
    """Play on the terminal until the game is over or is ended; a window too small for the board is refused."""
    if termios is None:
        raise RookeryError("Keys cannot be read one by one on this system: play Gamma with rookery play gamma.")
    if lacking := _lacking(play):
        print(f"rookery: {lacking}", file=sys.stderr)
        return 1
    play.feed(keys)
    with raw(source) as woken:
        while not play.ended:
            _show(play)
            ready, _, _ = select.select([source, woken], [], [])
            if woken in ready:
                os.read(woken, 64)  # the window changed: draw again
            if source in ready:
                keys = os.read(source, 1 << 10)
                if not keys:
                    break
                # A board that cannot be seen is not played on; it can be left, though.
                play.feed(keys if not _lacking(play) else bytes(key for key in keys if key == END))
    return finish(play)


def finish(play: Keys) -> int:
    """Print the final board and how it ended."""
    sys.stdout.write(play.board())
    print(summary(play.state))
    return 0


def summary(state: State) -> str:
    """Every player's cells and golden move, and who has won or shares the win; in a stopped game, who is ahead."""
    lines, spent = [], state.words[board.SPENT]
    for player, cells in enumerate(state.scores(), start=1):
        golden = "made" if state.words[spent + player] else "left"
        lines.append(f"Player {player}: {counted(int(cells), 'cell')}, golden move {golden}")
    best = max(state.scores())
    first = [player for player, cells in enumerate(state.scores(), start=1) if cells == best]
    names = str(first[0]) if len(first) == 1 else ", ".join(map(str, first[:-1])) + f" and {first[-1]}"
    if not state.over:
        standing = "is ahead" if len(first) == 1 else "are level"
        lines.append(f"Stopped: player{'s' * (len(first) > 1)} {names} {standing}.")
    else:
        lines.append(f"Player {names} wins." if len(first) == 1 else f"A draw between players {names}.")
    return "\n".join(lines)


class _Ended(BaseException):
    """A signal that asks the program to end."""


@contextmanager
def raw(source: int) -> Iterator[int]:
    """The terminal without line editing, on a screen of its own; yields a descriptor that is ready after any signal.

    Without that, a signal that comes just before one waits for keys would be noticed only with the next key. On every
    way out, an error or a signal included, the terminal is what it was before.
    """
    before = termios.tcgetattr(source)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)

    def enter() -> None:
        settings = termios.tcgetattr(source)
        settings[3] &= ~(termios.ICANON | termios.ECHO)
        settings[0] &= ~termios.IXON
        termios.tcsetattr(source, termios.TCSANOW, settings)
        _write(ENTER)

    def leave() -> None:
        _write(RESET + LEAVE)
        termios.tcsetattr(source, termios.TCSANOW, before)  # waiting for output to drain could take for ever

    def end(number: int, _: FrameType | None) -> None:
        raise _Ended(number)

    def pause(number: int, _: FrameType | None) -> None:
        leave()
        os.kill(os.getpid(), signal.SIGSTOP)
        enter()

    def resized(number: int, _: FrameType | None) -> None:
        """Waking up is enough."""

    handlers = {signal.SIGWINCH: resized, signal.SIGTSTP: pause, **dict.fromkeys(ENDING, end)}
    previous = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    waker = signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    try:
        enter()
        yield woken
    except _Ended as asked:
        leave()
        number = asked.args[0]
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    except BaseException:
        leave()
        raise
    else:
        leave()
    finally:
        signal.set_wakeup_fd(waker)
        for number, handler in previous.items():
            signal.signal(number, handler)
        os.close(woken)
        os.close(wake)


def _lacking(play: Keys) -> str:
    """What the window lacks for the board and the figures under it, if anything."""
    size = get_terminal_size()
    scene = play.state.scene(play.state.turn)
    wide = max(_width(scene) * scene.cols, NARROWEST)
    high = scene.rows + len(_status(scene, max(size.columns, wide)))
    if size.columns >= wide and size.lines >= high:
        return ""
    return f"The board needs a window of {wide} columns and {high} lines; this one has {size.columns} and {size.lines}."


NARROWEST = 20
"""Columns below which the figures would be broken into too many lines."""


def _width(scene: Scene) -> int:
    """Columns of a cell: a player's number and the sign of a golden move, and room for the cursor's brackets."""
    return len(str(len(scene.players))) + 3


def _status(scene: Scene, columns: int) -> list[str]:
    """Whose turn it is and how that player stands, in as many lines as it takes."""
    who = scene.players[scene.turn - 1] if scene.players else "You"
    return [f"{who} to move", *wrap(figures(scene, scene.turn), columns)]


def _show(play: Keys) -> None:
    """Draw the board and the cursor, the status under it, and what signs and keys mean as far as there is room."""
    size = get_terminal_size()
    if lacking := _lacking(play):
        _write("\x1b[H\x1b[2J" + "\r\n".join(wrap(lacking, size.columns)[: size.lines]))
        return
    scene, turn = play.state.scene(play.state.turn), play.state.turn
    width = _width(scene)
    lines = []
    for row in range(scene.rows):
        line = ""
        for col in range(scene.cols):
            line += _cell(scene.cell(row, col), width, turn, cursor=(row, col) == (play.row, play.col))
        lines.append(line)
    first, *rest = _status(scene, size.columns)
    extra = ["", *(part for line in LEGEND for part in wrap(line, size.columns))]
    lines += [_styled(first, "1", _colour(turn)), *rest]
    lines += extra[: size.lines - len(lines)]
    # Each line is cleared before it is written: after its last column that would take the last character away.
    _write("\x1b[H" + "\r\n".join("\x1b[K" + line for line in lines) + "\x1b[J")


def _cell(cell: Cell, width: int, turn: int, *, cursor: bool) -> str:
    """A cell in its colour, with a second sign for what colour says: ! golden, . free to take, underlined mine."""
    roles = {mark.role for mark in cell.marks}
    styles = [_colour(cell.owner)] if cell.owner else []
    if cell.owner == turn:
        styles.append("4")
    if "golden" in roles:
        styles = ["1", _colour(0, "30;43")]
    elif "takeable" in roles:
        styles.append(_colour(0, "30;42"))
    text = sign(cell).removesuffix("!").rjust(width - 3) + ("!" if "golden" in roles else " ")
    if cursor:
        return _styled(f"[{text}]", "1", "7")
    return " " + _styled(text, *styles) + " "


def _colour(player: int, chosen: str = "") -> str:
    """A colour's code; none if the person wants no colours."""
    if os.environ.get("NO_COLOR"):
        return ""
    return chosen or PLAYERS[(player - 1) % len(PLAYERS)]


def _styled(text: str, *styles: str) -> str:
    wanted = ";".join(style for style in styles if style)
    return f"\x1b[{wanted}m{text}{RESET}" if wanted else text


def _write(text: str) -> None:
    """Write to the terminal at once, past any buffer."""
    data = text.encode()
    sys.stdout.flush()
    while data:
        data = data[os.write(1, data) :]
