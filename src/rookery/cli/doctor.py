"""`rookery doctor`: what works on this machine, what is missing, and what to do about it.

Each probe is guarded: whatever it meets becomes a line of the report. Nothing but the standard library is needed.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import sqlite3
import subprocess
import sys
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from rookery.cli import flags
from rookery.core.errors import RookeryError
from rookery.system import requirements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

OK, MISSING, WARNING, PROBLEM = "ok", "missing", "warning", "problem"
"""A check is fine; is about something optional that is not there; works but could be better; or does not work."""

USES = {
    "bots": "strong bots and machine code",
    "terminal": "playing on a screen of its own in the terminal",
    "web": "the arcade in a browser (rookery serve)",
    "lab": "the lab (simulate, duel, solve, train, bench)",
    "envs": "learning environments (Gymnasium, PettingZoo)",
    "openspiel": "the games in OpenSpiel",
    "postgres": "the arcade on a PostgreSQL database",
}
"""What each extra of the package is for. Extras for working on Rookery itself are not looked at."""
OLDEST = (3, 11)
LITTLE_MEMORY = 10**9
LARGE_DATABASE = 200 * 10**6
"""Bytes beyond which the pages of a database are not all looked at, because that takes long."""
IMPORT_SECONDS = 120


@dataclass(frozen=True)
class Check:
    """One thing that was looked at: how it is, and what to do if it is not fine."""

    name: str
    state: str
    text: str
    advice: str = ""


def diagnose(given: list[str]) -> int:
    """Look at everything and report; 0 if all that is installed works, else 1."""
    parser = flags.parser("rookery doctor", "Say what works here, what is missing, and what to do about it.")
    parser.add_argument("--db", metavar="URL", help="the database to look at (default: the one of rookery serve)")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    chosen = parser.parse_args(given)
    parts: dict[str, Callable[[], Iterator[Check]]] = {
        "Packages": packages,
        "Games": games,
        "Machine": machine,
        "Machine code": machine_code,
        "Data": lambda: data(chosen.db or os.environ.get("ROOKERY_DB")),
        "Browser": browser,
        "Terminal": terminal,
    }
    found = {part: list(guarded(part, probe)) for part, probe in parts.items()}
    problems = sum(check.state == PROBLEM for checks in found.values() for check in checks)
    if chosen.json:
        content = {part.lower(): [asdict(check) for check in checks] for part, checks in found.items()}
        print(json.dumps({"ok": not problems, "version": _version(), **content}, ensure_ascii=False))
    else:
        _print(found, problems)
    return 1 if problems else 0


def guarded(part: str, probe: Callable[[], Iterator[Check]]) -> Iterator[Check]:
    """What a probe finds; if it fails, that is found."""
    try:
        yield from probe()
    except Exception as problem:
        yield Check(part.lower(), PROBLEM, f"This cannot be looked at: {type(problem).__name__}: {problem}.")


def _print(found: dict[str, list[Check]], problems: int) -> None:
    print(f"Rookery {_version()}, Python {platform.python_version()}, {platform.platform(terse=True)}")
    for part, checks in found.items():
        print(f"\n{part}")
        for check in checks:
            print(f"  {check.state:8} {check.name}: {check.text}")
            if check.advice:
                print(f"  {'':8} {check.advice}")
    if problems:
        print(f"\n{problems} problem{'s' if problems > 1 else ''} found. Each has a line above that says what to do.")
    else:
        print("\nEverything that is installed works.")


def _version() -> str:
    from rookery import __version__

    return __version__


# ── packages ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def packages() -> Iterator[Check]:
    """Python, and for each extra whether what it needs is there, is new enough and can be imported."""
    state = OK if sys.version_info >= OLDEST else PROBLEM
    advice = "" if state == OK else "Install Python 3.11 or newer."
    yield Check("Python", state, f"{platform.python_version()} at {sys.executable}", advice)
    bounds = {extra: requirements.bounds_of(extra) for extra in USES}
    if not any(bounds.values()):
        yield Check("rookery", WARNING, "It runs from its sources and is not installed.", "pip install --editable .")
        return
    known = {package: None for extra in bounds.values() for package in extra}
    broken = _import_failures([requirements.module_of(each) for each in known if requirements.installed(each)])
    for extra, needed in bounds.items():
        included = {each for other in bounds.values() if other.keys() < needed.keys() for each in other}
        if needed:
            own = {package: bound for package, bound in needed.items() if package not in included}
            yield _extra(extra, own, broken)


def _import_failures(modules: list[str]) -> dict[str, str]:
    """Why modules cannot be imported, for those that cannot. Another process tries, since an import may end it."""
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
    """How an extra is, by the packages that it alone needs. It counts as installed if more than half of them are there:
    other extras and other programs bring some of them along.
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


# ── games, machine, machine code ──────────────────────────────────────────────────────────────────────────────────────


def games() -> Iterator[Check]:
    """Whether each game can be played, by playing some of a game at random."""
    from rookery.games import names

    for name in names():
        yield from guarded(name, lambda name=name: _plays(name))  # type: ignore[misc]  # bound at once


def _plays(name: str) -> Iterator[Check]:
    from rookery.core.stream import Stream
    from rookery.games import find

    state, stream = find(name)().start(), Stream(67)
    while not state.over and len(state.history) < 100:
        state.play(state.pick(stream) if state.turn > 0 else state.draw(stream))
    yield Check(name, OK, f"{state.game.title} plays.")


def machine() -> Iterator[Check]:
    """Cores and memory."""
    from rookery.engine.threads import cores

    yield Check("cores", OK, f"{cores()} of {os.cpu_count() or cores()} can be used.")
    total, free = memory()
    if total is None or free is None:
        yield Check("memory", OK, "How much there is cannot be told here.")
        return
    advice = "" if free >= LITTLE_MEMORY else "Compiling and solving need about 1 GB; end other programs."
    text = f"{free / 10**9:.1f} of {total / 10**9:.1f} GB are free."
    yield Check("memory", WARNING if advice else OK, text, advice)


def memory() -> tuple[int | None, int | None]:
    """The bytes of memory there are, and those that programs can still have."""
    try:
        text = Path("/proc/meminfo").read_text()
        total, free = (int(re.search(rf"{name}:\s+(\d+)", text)[1]) * 1024 for name in ("MemTotal", "MemAvailable"))  # type: ignore[index]
        return total, free
    except (OSError, TypeError):
        pass
    try:
        import psutil  # type: ignore[import-untyped]  # comes with the lab

        return psutil.virtual_memory().total, psutil.virtual_memory().available
    except ImportError:
        return None, None


def machine_code() -> Iterator[Check]:
    """The folder of machine code, and which games have theirs ready."""
    from rookery.engine import compiling, warmup
    from rookery.games import find, names

    folder = compiling.cache_home()
    wanted = os.environ.get("ROOKERY_CACHE")
    problem = _unwritable(folder)
    text = f"{folder}, {_size(folder)}"
    if problem:
        advice = "Set ROOKERY_CACHE to a folder that can be written."
        yield Check("folder", PROBLEM, f"{text}, cannot be written: {problem}.", advice)
    elif wanted and Path(wanted) != folder:
        advice = "Until the folder can be written, machine code is kept in a temporary one and may be lost."
        yield Check("folder", WARNING, f"{text}. ROOKERY_CACHE, {wanted}, cannot be written.", advice)
    else:
        yield Check("folder", OK, f"{text}, can be written.")
    if find_spec("numba") is None:
        install = "pip install 'rookery[bots]'"
        yield Check("compiler", MISSING, "Without Numba, rules run interpreted and bots play slowly.", install)
        return
    missing: dict[str, list[str]] = {}
    for name in names():
        cls = find(name)
        missing[name] = [part for part in warmup.parts_of(cls) if not warmup.is_ready(cls, part)]
    ready = [name for name, parts in missing.items() if not parts]
    others = [f"{name} ({', '.join(parts)})" for name, parts in missing.items() if parts]
    yield Check("ready", OK, f"{', '.join(ready) or 'no game'}.")
    if others:
        yield Check("not ready", OK, f"{', '.join(others)}. Compiled when needed, or now by: rookery warm")


def _unwritable(folder: Path) -> str:
    """Why nothing can be written to a folder, if so."""
    mark = folder / f".doctor-{os.getpid()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        mark.touch()
        mark.unlink()
    except OSError as problem:
        return problem.strerror or str(problem)
    return ""


def _size(path: Path) -> str:
    """The size of a file or of all files in a folder, in words."""
    total = 0
    for file in path.rglob("*") if path.is_dir() else [path]:
        try:
            total += file.stat().st_size if file.is_file() else 0
        except OSError:  # gone meanwhile
            continue
    return f"{total / 10**6:.1f} MB"


# ── data ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def data(url: str | None = None) -> Iterator[Check]:
    """The person's data folder and the arcade's database."""
    from rookery.system.folders import data_folder

    if url is None:
        try:
            folder = data_folder()
        except RookeryError as problem:
            yield Check("folder", PROBLEM, str(problem), "Set ROOKERY_DATA to a folder that can be written.")
            return
        why = _unwritable(folder)
        if why:
            advice = "Set ROOKERY_DATA to a folder that can be written."
            yield Check("folder", PROBLEM, f"{folder} cannot be written: {why}.", advice)
        else:
            yield Check("folder", OK, f"{folder}, {_size(folder)}, can be written.")
        yield from guarded("database", lambda: _sqlite(folder / "arcade.db"))
    elif "://" not in url or url.startswith("sqlite:///"):
        yield from guarded("database", lambda: _sqlite(Path(url.removeprefix("sqlite:///"))))
    else:
        yield from guarded("database", lambda: _server(url))


def _sqlite(file: Path) -> Iterator[Check]:
    """A database in a file, read with the standard library and left as it is."""
    if not file.exists():
        yield Check("database", OK, f"{file} is not there yet; the arcade makes it when it first opens.")
        return
    used = in_use(file)
    text = f"{file}, {_size(file)}"
    try:
        connection = sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True, timeout=1)
        try:
            if file.stat().st_size <= LARGE_DATABASE:
                (answer,) = connection.execute("PRAGMA quick_check(1)").fetchone()
                if answer != "ok":
                    raise sqlite3.DatabaseError(answer)
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            row = None
            if "alembic_version" in tables:
                row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as problem:
        locked = "locked" in str(problem)
        yield Check(
            "database",
            PROBLEM,
            f"{text}, cannot be read: {problem}.",
            "Another program holds it; end that program." if locked else _ELSEWHERE,
        )
        return
    yield _schema(text + (", in use by a running arcade" if used else ""), row[0] if row else None, bool(tables))


_ELSEWHERE = "Move the file away, or bring back a copy of it; the arcade makes a new one when it opens."


def in_use(database: Path) -> bool:
    """Whether an arcade works on this file: it holds a lock on the file beside it."""
    lock = database.with_name(database.name + ".lock")
    if not lock.exists():
        return False
    try:
        import fcntl
    except ImportError:  # on Windows a file that is held cannot be removed or opened for writing
        try:
            with lock.open("r+"):
                return False
        except OSError:
            return True
    try:
        with lock.open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    return False


def _schema(text: str, revision: str | None, filled: bool = True) -> Check:
    """What the revision of a database's tables means."""
    known = revisions()
    if revision is None:
        if filled:
            return Check("database", PROBLEM, f"{text}, has tables that are not the arcade's.", _ELSEWHERE)
        return Check("database", OK, f"{text}, empty; the arcade makes its tables when it opens.")
    if revision not in known:
        advice = "Install that version: pip install --upgrade rookery"
        return Check("database", PROBLEM, f"{text}, was made by a newer Rookery (schema {revision}).", advice)
    if revision != known[-1]:
        later = f"The arcade brings it to {known[-1]} when it opens."
        return Check("database", OK, f"{text}, can be read, schema {revision}. {later}")
    return Check("database", OK, f"{text}, can be read, schema {revision}, up to date.")


def revisions() -> list[str]:
    """The revisions of the arcade's tables, oldest first, read from the migrations without Alembic."""
    folder = Path(__file__).parent.parent / "web" / "migrations" / "versions"
    found: dict[str | None, str] = {}
    for file in folder.glob("*.py"):
        text = file.read_text(encoding="utf-8")
        revision, before = (re.search(rf"^{name}\b[^=]*= (.+)$", text, re.M) for name in ("revision", "down_revision"))
        if revision and before:
            after = None if before[1].strip() == "None" else before[1].strip().strip("\"'")
            found[after] = revision[1].strip().strip("\"'")
    ordered: list[str] = []
    last = None
    while last in found:
        last = found[last]
        ordered.append(last)
    return ordered


def _server(url: str) -> Iterator[Check]:
    """A database on a server, such as PostgreSQL."""
    try:
        from sqlalchemy import create_engine, inspect, text
        from sqlalchemy.engine import make_url
        from sqlalchemy.exc import SQLAlchemyError
    except ImportError:
        yield Check("database", PROBLEM, "Databases on servers need SQLAlchemy.", "pip install 'rookery[web]'")
        return
    shown = "The database"
    try:
        shown = make_url(url).render_as_string()
        engine = create_engine(url)
        try:
            with engine.connect() as connection:
                row = None
                filled = inspect(connection).has_table("alembic_version")
                if filled:
                    row = connection.execute(text("SELECT version_num FROM alembic_version")).first()
        finally:
            engine.dispose()
    except ImportError as problem:
        advice = "pip install 'rookery[postgres]'" if url.startswith("postgresql") else f"pip install {problem.name}"
        yield Check("database", PROBLEM, f"{shown} needs the driver '{problem.name}'.", advice)
    except SQLAlchemyError as problem:
        reason = str(getattr(problem, "orig", None) or problem).splitlines()[0]
        advice = "Look whether the server runs and the URL is right."
        yield Check("database", PROBLEM, f"{shown} cannot be used: {reason}.", advice)
    else:
        yield _schema(shown, row[0] if row else None, filled)


# ── browser, terminal ─────────────────────────────────────────────────────────────────────────────────────────────────


def browser() -> Iterator[Check]:
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


def terminal() -> Iterator[Check]:
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
