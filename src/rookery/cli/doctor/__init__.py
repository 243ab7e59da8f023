"""`rookery doctor`: what works on this machine, what is missing, and how to fix it.

A probe that fails becomes a line of the report. Everything here runs with the standard library alone.
"""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict
from typing import TYPE_CHECKING

from rookery.cli import flags
from rookery.cli.doctor.check import PROBLEM, Check, guarded
from rookery.cli.doctor.data import check_data
from rookery.cli.doctor.display import check_browser, check_terminal
from rookery.cli.doctor.machine import check_games, check_machine, check_machine_code
from rookery.cli.doctor.packages import check_packages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def doctor(given: list[str]) -> int:
    """Run all checks and print a report; return 0 if everything installed works, else 1."""
    parser = flags.parser("rookery doctor", "Check what works here, what is missing, and how to fix it.")
    parser.add_argument("--db", metavar="URL", help="the database to check (default: that of rookery serve)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    chosen = parser.parse_args(given)
    parts: dict[str, Callable[[], Iterator[Check]]] = {
        "Packages": check_packages,
        "Games": check_games,
        "Machine": check_machine,
        "Machine code": check_machine_code,
        "Data": lambda: check_data(chosen.db or os.environ.get("ROOKERY_DB")),
        "Browser": check_browser,
        "Terminal": check_terminal,
    }
    found = {part: list(guarded(part, probe)) for part, probe in parts.items()}
    problems = sum(check.state == PROBLEM for checks in found.values() for check in checks)
    if chosen.json:
        content = {part.lower(): [asdict(check) for check in checks] for part, checks in found.items()}
        print(json.dumps({"ok": not problems, "version": _version(), **content}, ensure_ascii=False))
    else:
        _print(found, problems)
    return 1 if problems else 0


def _print(found: dict[str, list[Check]], problems: int) -> None:
    print(f"Rookery {_version()}, Python {platform.python_version()}, {platform.platform(terse=True)}")
    for part, checks in found.items():
        print(f"\n{part}")
        for check in checks:
            print(f"  {check.state:8} {check.name}: {check.text}")
            if check.advice:
                print(f"  {'':8} {check.advice}")
    if problems:
        number = "1 problem" if problems == 1 else f"{problems} problems"
        print(f"\n{number} found. The lines above say what to do.")
    else:
        print("\nEverything installed works.")


def _version() -> str:
    from rookery import __version__

    return __version__
