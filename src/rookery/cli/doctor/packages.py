"""Checks Python, and that the packages of each extra are installed, recent enough and importable."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from typing import TYPE_CHECKING

from rookery.cli.doctor.check import MISSING, OK, PROBLEM, WARNING, Check
from rookery.system import requirements

if TYPE_CHECKING:
    from collections.abc import Iterator

USES = {
    "bots": "strong bots and compiled rules",
    "terminal": "playing on the full screen of a terminal",
    "web": "the arcade in a browser (rookery serve)",
    "lab": "the lab (simulate, duel, solve, train, bench)",
    "envs": "learning environments (Gymnasium, PettingZoo)",
    "openspiel": "the games in OpenSpiel",
    "postgres": "the arcade on a PostgreSQL database",
}
"""The purpose of each extra. Extras for developing Rookery are not checked."""
OLDEST = (3, 11)
IMPORT_SECONDS = 120


def check_packages() -> Iterator[Check]:
    """Check Python, and the packages of each extra."""
    state = OK if sys.version_info >= OLDEST else PROBLEM
    advice = "" if state == OK else "Install Python 3.11 or newer."
    yield Check("Python", state, f"{platform.python_version()} at {sys.executable}", advice)
    bounds = {extra: requirements.bounds_of(extra) for extra in USES}
    if not any(bounds.values()):
        yield Check("rookery", WARNING, "Runs from its sources and is not installed.", "pip install --editable .")
        return
    known = {package: None for extra in bounds.values() for package in extra}
    broken = _import_failures([requirements.module_of(each) for each in known if requirements.installed(each)])
    for extra, needed in bounds.items():
        included = {each for other in bounds.values() if other.keys() < needed.keys() for each in other}
        if needed:
            own = {package: bound for package, bound in needed.items() if package not in included}
            yield _extra(extra, own, broken)


def _import_failures(modules: list[str]) -> dict[str, str]:
    """Why modules fail to import, by module. A subprocess tries, because an import may end the interpreter."""
    code = (
        "import importlib, os, sys\n"
        "report = os.fdopen(os.dup(1), 'w'); os.dup2(2, 1)\n"
        "for name in sys.argv[1:]:\n"
        "    print(name, end='\\t', file=report, flush=True)\n"
        "    try:\n"
        "        importlib.import_module(name)\n"
        "        print(file=report, flush=True)\n"
        "    except BaseException as problem:\n"
        "        print(type(problem).__name__, str(problem).partition('\\n')[0], file=report, flush=True)\n"
    )
    command = [sys.executable, "-c", code, *modules]
    quiet = {**os.environ, "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    try:
        done = subprocess.run(command, capture_output=True, env=quiet, timeout=IMPORT_SECONDS)  # noqa: S603 - our code
        output, ended = done.stdout, "importing it ends the interpreter"
    except subprocess.TimeoutExpired as slow:
        output, ended = slow.stdout or b"", f"importing it takes more than {IMPORT_SECONDS} s"
    text = output.decode(errors="replace")
    found = dict(line.split("\t", 1) for line in text.splitlines() if "\t" in line)
    if text and not text.endswith("\n"):
        found[text.rpartition("\n")[2].split("\t")[0]] = ended
    return {name: why for name, why in found.items() if why}


def _extra(extra: str, own: dict[str, str | None], broken: dict[str, str]) -> Check:
    """Check an extra by the packages that only it needs.

    It counts as installed if more than half of them are, because other extras and programs install some too.
    """
    install = f"pip install --upgrade 'rookery[{extra}]'"
    missing = [package for package in own if not requirements.installed(package)]
    if 2 * len(missing) >= len(own):
        return Check(extra, MISSING, f"{USES[extra]}. Missing: {', '.join(missing)}.", install)
    states = {package: _state(package, bound, broken) for package, bound in own.items()}
    words = [f"{package} {requirements.version_of(package) or ''} ({states[package]})" for package in own]
    text = f"{USES[extra]}. {', '.join(words).replace('  ', ' ')}."
    failing = [package for package in own if requirements.module_of(package) in broken]
    if failing:
        return Check(extra, PROBLEM, text, f"pip install --force-reinstall {' '.join(failing)}")
    whole = all(state == "fine" for state in states.values())
    return Check(extra, OK, text) if whole else Check(extra, PROBLEM, text, install)


def _state(package: str, bound: str | None, broken: dict[str, str]) -> str:
    """Whether a package is fine, or what is wrong with it."""
    if not requirements.installed(package):
        return "missing"
    found = requirements.version_of(package)
    if found is not None and bound is not None and requirements.release(found) < requirements.release(bound):
        return f"too old, {bound} or newer is needed"
    return broken.get(requirements.module_of(package), "fine")
