"""The architecture: imports point one way, games look alike, and light commands import nothing heavy."""

from __future__ import annotations

import ast
import doctest
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import rookery

SOURCE = Path(rookery.__file__).parent
PACKAGES = ["core", "system", "engine", "search", "games", "lab", "envs", "terminal", "web", "cli"]
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
    "web": GAMES | {"lab", "web", "__init__"},
    "cli": set(PACKAGES) | {"__init__"},
    "conformance": {"core", "engine"},
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
    """The modules of Rookery that a file imports, anywhere in it."""
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
