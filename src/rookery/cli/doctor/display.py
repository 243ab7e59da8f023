"""The browser that would open the arcade, and the terminal's encoding, size and colours."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

from rookery.cli.doctor.check import MISSING, OK, WARNING, Check

if TYPE_CHECKING:
    from collections.abc import Iterator


def check_browser() -> Iterator[Check]:
    """Whether there is a screen, and which program would show the arcade."""
    from rookery.cli.browser import graphical_browser, has_screen

    if not has_screen():
        yield Check("screen", OK, "There is none; open the arcade's address where there is one.")
        return
    yield Check("screen", OK, "There is one.")
    found = graphical_browser()
    if found is None:
        yield Check("program", MISSING, "No browser was found that opens windows.", "Set BROWSER to one.")
    else:
        yield Check("program", OK, f"{getattr(found, 'name', '') or type(found).__name__} would open the arcade.")


def check_terminal() -> Iterator[Check]:
    """Colours, size and encoding of the terminal."""
    encoding = getattr(sys.stdout, "encoding", None) or "unknown"
    try:
        "█│×·–".encode(encoding)
        yield Check("encoding", OK, encoding)
    except (LookupError, UnicodeEncodeError):
        advice = "Set PYTHONUTF8=1, or LANG to a UTF-8 locale such as C.UTF-8."
        yield Check("encoding", WARNING, f"{encoding}, in which boards cannot be drawn well.", advice)
    if not (sys.stdin and sys.stdout and sys.stdin.isatty() and sys.stdout.isatty()):
        yield Check("screen", OK, "This is not a terminal; rookery play would go line by line.")
        return
    columns, lines = shutil.get_terminal_size()
    small = columns < 80 or lines < 24
    advice = "Make the window larger: 80 by 24 is the least for all boards." if small else ""
    yield Check("size", WARNING if small else OK, f"{columns} by {lines}", advice)
    if os.environ.get("TERM", "dumb") == "dumb" and sys.platform != "win32":
        yield Check("screen", WARNING, "TERM is dumb or not set; rookery play goes line by line.", "Set TERM.")
        return
    yield Check("colours", OK, _colours())


def _colours() -> str:
    if os.environ.get("NO_COLOR"):
        return "none, because NO_COLOR is set"
    if os.environ.get("COLORTERM") in ("truecolor", "24bit") or sys.platform == "win32":
        return "16 million"
    try:
        import curses

        curses.setupterm()
        return str(max(curses.tigetnum("colors"), 0) or "none")
    except Exception:
        return "unknown"
