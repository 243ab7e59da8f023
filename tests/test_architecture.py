"""The architecture: imports point one way, games look alike, files and functions stay short, and light commands import
nothing heavy.
"""

from __future__ import annotations

import ast
import doctest
import importlib
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import rookery

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCE = Path(rookery.__file__).parent
PACKAGES = ["core", "system", "engine", "search", "games", "lab", "envs", "terminal", "web", "cli", "conformance"]
GAMES = {"core", "system", "engine", "search", "games"}
ALLOWED = {
    "core": {"core"},
    "system": {"core", "system"},
    "engine": {"core", "system", "engine"},
    "search": {"core", "system", "engine", "search"},
    "games": GAMES,
    "lab": GAMES | {"lab"},
    "envs": GAMES | {"envs"},
    "terminal": GAMES | {"terminal"},
    "web": GAMES | {"web", "__init__"},
    "cli": set(PACKAGES) | {"__init__"},
    "conformance": {"core", "engine", "conformance"},
    "__init__": {"games"},
    "__main__": {"cli", "system"},
}
MODULES = sorted(path for path in SOURCE.rglob("*.py") if "migrations" not in path.parts)  # those Alembic runs
HEAVY = (
    "numpy",
    "gymnasium",
    "pettingzoo",
    "PIL",
    "numba",
    "llvmlite",
    "textual",
    "litestar",
    "sqlalchemy",
    "rich",
    "matplotlib",
    "distributed",
)


def name_of(path: Path) -> str:
    parts = ["rookery", *path.relative_to(SOURCE).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def package_of(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def imported(path: Path) -> set[str]:
    """The modules of Rookery that a file imports, at any level."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name == "rookery" or name.startswith("rookery.")}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_point_one_way(path: Path) -> None:
    package = package_of(name_of(path))
    assert package in ALLOWED, f"{path} belongs to no package"
    for name in imported(path):
        below = package_of(name) if package_of(name) in PACKAGES else "__init__"
        assert below in ALLOWED[package], f"{name_of(path)} imports {name}"
        if package not in ("games", "core") and name.startswith("rookery.games."):
            module = name.removeprefix("rookery.games.")
            assert "." not in module, f"{name_of(path)} reaches past the registry for {name}"


def test_the_import_check_sees_what_it_should() -> None:
    assert "rookery.core.state.State" in imported(SOURCE / "core" / "game.py")
    assert len(MODULES) > 35


def test_every_game_has_the_same_files() -> None:
    shared = {"__init__.py", "bots", "game.py", "guide.py", "observation.py", "position.py", "rules.py", "scene.py"}
    for folder in (path for path in (SOURCE / "games").iterdir() if path.is_dir() and path.name != "__pycache__"):
        assert shared <= {file.name for file in folder.iterdir()}, folder


MOST_LINES = 450
MOST_FUNCTION_LINES = 60
MOST_PARAMETERS = 7

LONGER = {
    "rookery.web.migrations.versions.0001_first_tables.upgrade": "databases have run this migration: it never changes",
}
"""Files and functions that may exceed the limits, each with a reason; none that keeps to them may be listed."""


def test_files_and_functions_stay_short() -> None:
    found = dict(fault for path in SOURCE.rglob("*.py") for fault in faults_of_shape(path))
    unexpected = {name: fault for name, fault in found.items() if name not in LONGER}
    assert not unexpected, "split these along their responsibilities"
    assert not LONGER.keys() - found.keys(), "these keep to the limits: take them off the list"


def test_files_of_the_page_stay_short() -> None:
    """Their functions are limited by `biome.json`: to 50 lines, of which Biome counts fewer than there are."""
    files = [path for kind in ("*.js", "*.css", "*.html") for path in SOURCE.rglob(kind)]
    assert len(files) > 20
    longer = {path.name for path in files if path.read_text(encoding="utf-8").count("\n") > MOST_LINES}
    assert not longer, "split these along their responsibilities"


def faults_of_shape(path: Path) -> Iterator[tuple[str, str]]:
    """What exceeds the limits in a file: the file itself or a function, by name, and by how much."""
    text, module = path.read_text(encoding="utf-8"), name_of(path)
    lines = text.count("\n")
    if lines > MOST_LINES:
        yield module, f"{lines} lines, more than {MOST_LINES}"
    for name, function in functions_in(ast.parse(text), module):
        assert function.end_lineno is not None
        lines = function.end_lineno - function.lineno + 1
        if lines > MOST_FUNCTION_LINES:
            yield name, f"{lines} lines, more than {MOST_FUNCTION_LINES}"
        elif (count := len(parameters_of(function))) > MOST_PARAMETERS:
            yield name, f"{count} parameters, more than {MOST_PARAMETERS}"


def functions_in(node: ast.AST, within: str) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """All functions in a part of a module with their dotted names, methods and nested functions included."""
    for child in ast.iter_child_nodes(node):
        named = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        name = f"{within}.{child.name}" if named else within  # type: ignore[attr-defined]
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield name, child
        yield from functions_in(child, name)


def parameters_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """The named parameters of a function, without `self` or `cls`."""
    given = function.args
    names = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return names[1:] if names[:1] in (["self"], ["cls"]) else names


def test_the_check_of_shape_sees_methods_and_nested_functions() -> None:
    source = "class A:\n    async def method(self, a, /, b, *c, d, **e):\n        def nested(): ..."
    found = dict(functions_in(ast.parse(source), "module"))
    assert list(found) == ["module.A.method", "module.A.method.nested"]
    assert parameters_of(found["module.A.method"]) == ["a", "b", "d"]


EACH_GAME_HAS = {"LEGEND", "LESSON", "RESULTS"}
"""What several games define under one name, each in its own file of the same name."""


def test_no_constant_is_imported_bare_under_one_name_with_several_values() -> None:
    """A word that is 0 in one encoding and 5 in another is easily used with the wrong array."""
    values: dict[str, dict[str, object]] = {}
    for path in MODULES:
        for module, name in constants_imported(path.read_text(encoding="utf-8")):
            values.setdefault(name, {})[module] = getattr(importlib.import_module(module), name)
    several = {name: found for name, found in values.items() if len(set(map(repr, found.values()))) > 1}
    unexpected = {name: sorted(found) for name, found in several.items() if name not in EACH_GAME_HAS}
    assert not unexpected, "rename these, or use them as attributes of their modules"
    for name in EACH_GAME_HAS:
        assert name in several, "only one value is imported: take it off the list"
        places = {re.sub(r"^rookery\.games\.\w+", "", module) for module in several[name]}
        assert len(places) == 1, f"{name} does not come from the same file of every game: {sorted(several[name])}"


def constants_imported(text: str) -> set[tuple[str, str]]:
    """The constants that a file imports bare, under their own names, from modules of Rookery: module and name."""
    return {
        (node.module, alias.name)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.module.startswith("rookery.")
        for alias in node.names
        if alias.name.isupper() and alias.asname is None
    }


def test_the_check_of_constants_sees_what_it_should() -> None:
    text = "from rookery.a import X_1, y, Z, A as B\nfrom numpy import PI\ndef f():\n    from rookery.b.c import X_1"
    assert constants_imported(text) == {("rookery.a", "X_1"), ("rookery.a", "Z"), ("rookery.b.c", "X_1")}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_every_file_opens_by_saying_what_it_is(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert not tree.body or ast.get_docstring(tree), "no docstring"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_examples_in_docstrings_are_true(path: Path) -> None:
    module = importlib.import_module(name_of(path)) if path.stem != "__main__" else None
    if module is not None:
        assert doctest.testmod(module).failed == 0


GAME_TO_THE_END = {"gotham": "up", "gamma": "m 0 0", "sixseven": "left", "gaterun": "1,3"}


@pytest.mark.parametrize(
    ("arguments", "typed"),
    [
        (["--help"], ""),
        (["games"], ""),
        (["games", "--json"], ""),
        *[
            (["play", name, "--seed", "1"], f"{action}\nmoves\nundo\nposition\nquit\n")
            for name, action in GAME_TO_THE_END.items()
        ],
        (["play", "gaterun", "--bot", "greedy"], "1,3\nquit\n"),
        (["play", "gotham", "--bot", "random", "--seed", "1"], "quit\n"),
        (["play"], "3\nleft\nquit\n"),
    ],
)
def test_light_commands_import_nothing_heavy(arguments: list[str], typed: str) -> None:
    code = (
        "import sys\nfrom rookery.cli import main\n"
        f"assert main({arguments!r}) == 0\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], input=typed, capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
