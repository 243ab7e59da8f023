"""Makes the calls, notes each before it is made, and counts their outcomes."""

from __future__ import annotations

import faulthandler
import subprocess
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium

from rookery.core.errors import RookeryError
from tests.fuzz_api.bots import BotCalls
from tests.fuzz_api.engines import EngineCalls
from tests.fuzz_api.games import GameCalls
from tests.fuzz_api.reviews import ReviewCalls
from tests.fuzz_api.surfaces import SurfaceCalls
from tests.fuzz_api.values import Values
from tests.fuzz_api.words import WordCalls

if TYPE_CHECKING:
    from tests.fuzz_api.values import Call

ALLOWED = (RookeryError, gymnasium.error.Error)
SILENT = 600
"""Seconds after which a call that has not ended is a failure; the first of a kind may have to be compiled."""
FAILED = 3
"""What the process ends with after failures; 1 is what Python ends with if it was stopped, or by an error of ours."""
SHOWN = 15
"""Failures that are printed in full."""
PARTS = (BotCalls, GameCalls, WordCalls, ReviewCalls, EngineCalls, SurfaceCalls)


class Fuzz:
    """Calls drawn from a seed, and their outcomes."""

    def __init__(self, seed: int, notes: Path, folder: Path) -> None:
        self.values = Values(seed, folder)
        self.notes = notes.open("w", encoding="utf-8")
        self.calls: Counter[tuple[str, str]] = Counter()
        self.failures: dict[str, str] = {}
        self.kinds = [kind for part in PARTS for kind in part(self.values).kinds]

    def run(self, calls: int) -> None:
        shares = [kind.share for kind in self.kinds]
        for number in range(calls):
            if number % 200 == 0:
                faulthandler.dump_traceback_later(SILENT, exit=True)
            [kind] = self.values.random.choices(self.kinds, shares)
            self.call(kind.name, kind.make())
        faulthandler.cancel_dump_traceback_later()

    def call(self, kind: str, made: Call) -> None:
        told = _told(made)
        self.notes.seek(0)
        self.notes.write(f"{sum(self.calls.values())}, {kind}: {told}\n")
        self.notes.truncate()
        self.notes.flush()
        try:
            made()
        except ALLOWED as error:
            if not str(error) or "\n" in str(error):
                self.failed(kind, told, error)
            else:
                self.calls[kind, "refused"] += 1
        except Exception as error:
            self.failed(kind, told, error)
        else:
            self.calls[kind, "answered"] += 1

    def failed(self, kind: str, told: str, error: Exception) -> None:
        self.calls[kind, "failed"] += 1
        trace, where = error.__traceback__, "?"
        while trace is not None:
            code = trace.tb_frame.f_code
            if "rookery" in code.co_filename or isinstance(error, AssertionError):
                where = f"{Path(code.co_filename).name}:{trace.tb_lineno}"
            trace = trace.tb_next
        self.failures.setdefault(f"{type(error).__name__} at {where}", f"{kind}: {told}\n      {str(error)[:200]}")


def _told(made: Call) -> str:
    """A call as text, so that it can be made again by hand."""
    function = getattr(made, "func", made)
    of = getattr(function, "__self__", None)
    owner = f"{_short(of)}." if of is not None and not isinstance(of, PARTS) else ""
    given = [*map(_short, getattr(made, "args", ()))]
    given += [f"{name}={_short(value)}" for name, value in getattr(made, "keywords", {}).items()]
    return f"{owner}{getattr(function, '__name__', function)}({', '.join(given)})"


def _short(value: Any) -> str:
    if isinstance(value, int) and abs(value) > 10**100:
        return "10**5000"
    try:
        text = repr(value)
    except Exception:
        text = object.__repr__(value)
    return text if len(text) <= 300 else text[:300] + "…"


def table(calls: Counter[tuple[str, str]]) -> str:
    """Calls by kind and outcome."""
    outcomes = ("answered", "refused", "failed")
    kinds = list(dict.fromkeys(kind for kind, _ in calls))
    rows = [(kind, [calls[kind, outcome] for outcome in outcomes]) for kind in sorted(kinds)]
    rows.append(("all", [sum(counts[k] for _, counts in rows) for k in range(3)]))
    lines = [f"{'calls of':<16}{'calls':>9}" + "".join(f"{outcome:>10}" for outcome in outcomes)]
    lines += [f"{kind:<16}{sum(counts):>9,}" + "".join(f"{each:>10,}" for each in counts) for kind, counts in rows]
    return "\n".join(lines)


def worker(calls: int, seed: int, notes: Path) -> int:
    """Make the calls and print their outcomes; return `FAILED` if some failed."""
    faulthandler.enable()  # shows where in Python a crash of compiled code came from
    with tempfile.TemporaryDirectory() as folder:
        fuzz = Fuzz(seed, notes, Path(folder))
        fuzz.run(calls)
    print(table(fuzz.calls))
    for what, told in list(fuzz.failures.items())[:SHOWN]:
        print(f"\n{what}\n   {told}")
    if len(fuzz.failures) > SHOWN:
        print(f"\nand {len(fuzz.failures) - SHOWN} other kinds of failures")
    return FAILED if fuzz.failures else 0


def watched(command: list[str], notes: Path) -> int:
    """Run a process that notes each call; if it does not end by itself, print its last call."""
    code = subprocess.run(command, check=False).returncode
    if code not in (0, FAILED):
        last = notes.read_text(encoding="utf-8") if notes.exists() else "none was made"
        print(f"\nThe process was ended by {code}. Its last call: {last}")
    return code
