"""Checks the browser that would open the arcade, and the terminal's encoding, size and colours."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

from rookery.cli.doctor.check import MISSING, OK, WARNING, Check

if TYPE_CHECKING:
    from collections.abc import Iterator


def check_browser() -> Iterator[Check]:
    """Check for a screen, and for a browser to open the arcade in."""
    from rookery.cli.browser import graphical_browser, has_screen

    if not has_screen():
        yield Check("screen", OK, "No screen; open the arcade's address on a machine that has one.")
        return
    yield Check("screen", OK, "Found.")
    found = graphical_browser()
    if found is None:
        yield Check("program", MISSING, "No graphical browser was found.", "Set BROWSER to one.")
    else:
        yield Check("program", OK, f"{getattr(found, 'name', '') or type(found).__name__} would open the arcade.")


def check_terminal() -> Iterator[Check]:
    """Check the terminal's encoding, size and colours."""
    encoding = getattr(sys.stdout, "encoding", None) or "unknown"
    try:
        "█│×·–".encode(encoding)
        yield Check("encoding", OK, encoding)
    except (LookupError, UnicodeEncodeError):
        advice = "Set PYTHONUTF8=1, or LANG to a UTF-8 locale such as C.UTF-8."
        yield Check("encoding", WARNING, f"{encoding}, which cannot show boards well.", advice)
    if not (sys.stdin and sys.stdout and sys.stdin.isatty() and sys.stdout.isatty()):
        yield Check("screen", OK, "Not a terminal; rookery play would run line by line.")
        return
    columns, lines = shutil.get_terminal_size()
    small = columns < 80 or lines < 24
    advice = "Enlarge the window: all boards fit 80 by 24." if small else ""
    yield Check("size", WARNING if small else OK, f"{columns} by {lines}", advice)
    if os.environ.get("TERM", "dumb") == "dumb" and sys.platform != "win32":
        yield Check("screen", WARNING, "TERM is dumb or not set; rookery play would run line by line.", "Set TERM.")
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
