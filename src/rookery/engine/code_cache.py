"""Where machine code is kept: in folders named after a hash of all it depends on, and marked when it is complete.

Machine code depends on the sources of its module and of all that this imports: functions, which are compiled along, and
constants, which become part of it. A change in another module, such as a game's texts, leaves it as it is.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import os
import re
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from importlib.util import resolve_name
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import FunctionType, ModuleType

PACKAGE = Path(__file__).resolve().parent.parent
COMPILED = ("core", "engine", "search", "games", "lab")
"""The subpackages with functions that are compiled."""
COMPILER = ("compiling.py", "loading.py")
"""The files beside this one that decide how functions are compiled."""
KEEP_DAYS = 30
FOLDER = re.compile("[0-9a-f]{16}")
MARK = re.compile(r"rookery(\.\w+)+-[0-9a-f]{16}")


def cache_folder(*modules: ModuleType) -> Path:
    """The folder for machine code that is made of these modules together."""
    sources: set[Path] = set()
    for module in modules:
        _gather(module.__name__, Path(module.__file__ or "").resolve(), sources)
    return _folder(fingerprint(sources))


def marks_folder(module: ModuleType) -> Path:
    """The folder for marks of what is compiled of a game: for all that any of its bots may depend on."""
    sources = compiled_sources()
    _gather(module.__name__, Path(module.__file__ or "").resolve(), sources)
    return _folder(fingerprint(sources))


def compiled_sources() -> set[Path]:
    """The source files of all subpackages with functions that are compiled."""
    return {file for part in COMPILED for file in (PACKAGE / part).rglob("*.py")}


def _folder(name: str) -> Path:
    home = cache_home()
    folder = home / name
    if not folder.exists():
        _prune(home)
        folder.mkdir(parents=True, exist_ok=True)
    else:
        with suppress(OSError):
            os.utime(folder)  # it is in use: keep it
    return folder


def is_compiled_along(function: FunctionType, module: ModuleType) -> bool:
    """Whether an imported function is compiled with a module: Rookery's own are, and those of the same folder."""
    if function.__module__.startswith("rookery."):
        return True
    file = getattr(sys.modules.get(function.__module__), "__file__", None)
    return file is not None and module.__file__ is not None and Path(file).parent == Path(module.__file__).parent


def _gather(name: str, file: Path, files: set[Path]) -> None:
    """Add the source file of a module, and those of what it imports from the package or from files in its folder."""
    if file in files or not file.is_file():
        return
    files.add(file)
    for imported in _imports(name, file):
        found = _source_of(imported)
        if found is not None and (PACKAGE in found.parents or found.parent == file.parent):
            _gather(imported, found, files)


@functools.cache
def _imports(name: str, file: Path) -> frozenset[str]:
    """The modules that a file imports when it is run; names imported from a package may be modules or not."""
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    found: set[str] = set()
    for statement in _at_import(ast.parse(file.read_bytes()).body):
        if isinstance(statement, ast.Import):
            found |= {alias.name for alias in statement.names}
        elif isinstance(statement, ast.ImportFrom):
            relative = "." * statement.level + (statement.module or "")
            module = resolve_name(relative, package) if statement.level else relative
            found |= {module, *(f"{module}.{alias.name}" for alias in statement.names)}
    return frozenset(found)


def _at_import(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run when a file is imported: not those in functions, nor those for type checkers."""
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        yield statement
        for part in ("body", "orelse", "finalbody"):
            if part == "body" and isinstance(statement, ast.If) and "TYPE_CHECKING" in ast.unparse(statement.test):
                continue
            yield from _at_import(getattr(statement, part, ()))
        for handler in getattr(statement, "handlers", ()):
            yield from _at_import(handler.body)


def _source_of(name: str) -> Path | None:
    """The source file of a module: of the package, or one that is imported."""
    if name.partition(".")[0] == PACKAGE.name:
        path = PACKAGE.parent.joinpath(*name.split("."))
        found = [file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()]
        return found[0] if found else None
    file = getattr(sys.modules.get(name), "__file__", None)
    return None if file is None else Path(file).resolve()


def cache_home() -> Path:
    """The folder of all machine code: `$ROOKERY_CACHE`, else the user's cache, else a temporary folder."""
    base = Path(os.environ.get("ROOKERY_CACHE") or _user_cache())
    try:
        base.mkdir(parents=True, exist_ok=True)
        if os.access(base, os.W_OK):
            return base
    except OSError:
        pass
    return Path(tempfile.gettempdir()) / f"rookery-{os.getuid() if hasattr(os, 'getuid') else 'cache'}"


def _user_cache() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("rookery", appauthor=False)


def is_ready(module: ModuleType) -> bool:
    """Whether a module of the package is in the cache, so that it loads without compiling.

    A marker file beside the folders says so, because importing Numba to ask it takes too long.
    """
    return _mark(module).exists()


def mark_ready(module: ModuleType) -> None:
    """Note that a module is in the cache."""
    with suppress(OSError):
        _mark(module).touch()


def _mark(module: ModuleType) -> Path:
    digest = hashlib.sha256(sys.version.encode())
    _add_sources(digest, PACKAGE.rglob("*.py"))
    return cache_home() / f"{module.__name__}-{digest.hexdigest()[:16]}"


def fingerprint(sources: Iterable[Path] = ()) -> str:
    """A hash of sources, of how they are compiled, of Python, Numba and the processor."""
    import llvmlite.binding
    import numba
    from numba import config

    settings: Any = config  # NUMBA_CPU_NAME names another processor to compile for
    digest = hashlib.sha256()
    _add_sources(digest, {*sources, *(Path(__file__).resolve().with_name(name) for name in COMPILER)})
    processor = settings.CPU_NAME or llvmlite.binding.get_host_cpu_name()
    features = settings.CPU_FEATURES
    if features is None:
        features = llvmlite.binding.get_host_cpu_features().flatten()
    for part in (sys.version, numba.__version__, processor, features):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()[:16]


def _add_sources(digest: hashlib._Hash, sources: Iterable[Path]) -> None:
    """Add files to a hash, in an order that is the same wherever they lie."""
    for source in sorted(sources, key=_place):
        digest.update(source.read_bytes() + b"\0")


def _place(source: Path) -> tuple[str, ...]:
    """Where a file lies in the package; of other files, only the name."""
    return source.relative_to(PACKAGE).parts if PACKAGE in source.parents else ("", source.name)


def _prune(home: Path) -> None:
    """Delete our folders and markers that are older than a month: machine code of earlier sources."""
    if not home.is_dir():
        return
    oldest = time.time() - KEEP_DAYS * 86400
    for entry in home.iterdir():
        if entry.stat().st_mtime >= oldest:
            continue
        if entry.is_dir() and FOLDER.fullmatch(entry.name):
            shutil.rmtree(entry, ignore_errors=True)
        elif entry.is_file() and MARK.fullmatch(entry.name):
            entry.unlink(missing_ok=True)
