"""Compiling: the same functions, their machine code kept on disk, and the two traps of that cache closed."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from tests.games.spread import THIN_ICE

import rookery
from rookery.core.stream import Stream
from rookery.engine import code_cache, compiling, playouts


def run(code: str, cache: Path) -> str:
    environment = {**os.environ, "ROOKERY_CACHE": str(cache)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_change_in_a_function_of_another_file_is_noticed(tmp_path: Path) -> None:
    """Numba alone would run old machine code here: the caller's file has not changed."""
    sources, cache = tmp_path / "sources", tmp_path / "cache"
    sources.mkdir()
    (sources / "outer.py").write_text("from inner import inner\n\n\ndef outer(x):\n    return inner(x)\n")
    code = f"""
import sys
sys.path.insert(0, {str(sources)!r})
import outer
from rookery.engine import compiling
print(compiling.compiled(outer).outer(1))
"""
    (sources / "inner.py").write_text("def inner(x):\n    return x + 1\n")
    assert run(code, cache) == "2"
    folders = set(cache.iterdir())
    assert run(code, cache) == "2"
    assert set(cache.iterdir()) == folders
    (sources / "inner.py").write_text("def inner(x):\n    return x + 5\n")
    assert run(code, cache) == "6"
    assert set(cache.iterdir()) > folders


GAME = """
import sys
sys.path.insert(0, {sources!r})
from spare import rules, texts
from rookery.engine import compiling
said = []
with compiling.announced(lambda: said.append("compiled")):
    print(compiling.compiled(rules).worth(1), *said)
"""


def test_only_what_a_module_imports_makes_it_compile_again(tmp_path: Path) -> None:
    """A constant is part of the machine code; a text is not, and neither is what only a type checker reads."""
    package, cache = tmp_path / "spare", tmp_path / "cache"
    package.mkdir()
    code = GAME.format(sources=str(tmp_path))
    (package / "__init__.py").write_text("")
    (package / "texts.py").write_text("GOAL = 'win'\n")
    (package / "bonus.py").write_text("BONUS = 3\n")
    (package / "rules.py").write_text(
        "from typing import TYPE_CHECKING\n"
        "from .bonus import BONUS\n"
        "if TYPE_CHECKING:\n    from . import texts\n"
        "def worth(x):\n    return x + BONUS\n"
    )
    assert run(code, cache) == "4 compiled"
    assert run(code, cache) == "4"
    (package / "texts.py").write_text("GOAL = 'do not lose'\n")
    assert run(code, cache) == "4"
    (package / "bonus.py").write_text("BONUS = 5\n")
    assert run(code, cache) == "6 compiled"


def test_machine_code_of_a_game_depends_on_its_rules_and_not_on_its_texts() -> None:
    from rookery.games.gaterun import rules, scene
    from rookery.games.gaterun.bots import alphabeta

    sources: set[Path] = set()
    code_cache._gather(alphabeta.__name__, Path(alphabeta.__file__), sources)
    assert Path(rules.__file__) in sources
    assert Path(scene.__file__) not in sources


def test_specialisations_of_one_generic_function_do_not_share_machine_code(tmp_path: Path) -> None:
    """Numba alone would give the second game the first one's code, as their names and source line are the same."""
    code = textwrap.dedent(
        """
        from rookery.engine import compiling, playouts
        from rookery.core.stream import Stream
        import rookery
        for name in ("gotham", "sixseven"):
            game = rookery.game(name)
            words, stream = compiling.array(game.compiled_words(game.start())), compiling.array(Stream(1).words)
            step = compiling.compiled(playouts, game.kernel).step
            print(name, *(step(words, stream) for _ in range(20)))
        """
    )
    first, second = run(code, tmp_path), run(code, tmp_path)
    assert first == second
    expected = []
    for name in ("gotham", "sixseven"):
        game = rookery.game(name)
        words, stream = game.compiled_words(game.start()), Stream(1).words
        step = compiling.interpreted(playouts, game.kernel).step  # type: ignore[arg-type]
        expected.append(" ".join([name, *(str(step(words, stream)) for _ in range(20))]))
    assert first.splitlines() == expected
    files = [file.name for file in tmp_path.rglob("playouts.step_for_*.nbi")]
    assert len(files) == len(set(files)) == 2


def test_the_cache_is_used_again_and_only_compiling_is_announced(tmp_path: Path) -> None:
    code = textwrap.dedent(
        f"""
        from rookery.engine import compiling, playouts
        from rookery.games import from_file
        with compiling.announced(lambda: print("compiling")):
            playouts.Playouts(from_file({THIN_ICE!r})()).compile()
        """
    )
    assert run(code, tmp_path) == "compiling"
    before = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.nbc")}
    assert before
    assert run(code, tmp_path) == ""
    assert {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.nbc")} == before


def test_another_copy_of_the_same_sources_uses_the_same_machine_code(tmp_path: Path) -> None:
    """Numba alone would compile again for every path and every date of a source file, though a mark says it is done."""
    cache = tmp_path / "cache"
    for copy in ("one", "other"):
        sources = tmp_path / copy
        sources.mkdir()
        for name, more in (("rules", 1), ("scoring", 2)):  # of one length, and called the same
            (sources / f"{name}.py").write_text(f"def add(x):\n    return x + {more}\n")
        code = f"""
import sys
sys.path.insert(0, {str(sources)!r})
import rules, scoring
from rookery.engine import compiling
said = []
with compiling.announced(lambda: said.append("compiled")):
    print(compiling.compiled(rules).add(1), compiling.compiled(scoring).add(1), *said)
"""
        assert run(code, cache) == ("2 3 compiled" if copy == "one" else "2 3")


def test_an_entry_point_does_what_its_function_does(tmp_path: Path) -> None:
    """The first process compiles it, the second one loads it."""
    code = textwrap.dedent(
        """
        from rookery.core.stream import Stream
        from rookery.engine import compiling, playouts
        import rookery
        game, said = rookery.game("gotham", size=5), []
        step = compiling.compiled(playouts, game.kernel).step
        arrays = [(compiling.array(game.start().words), compiling.array(Stream(1).words)) for _ in range(2)]
        with compiling.announced(lambda: said.append("compiled")):
            entry = compiling.entry_point(step, *arrays[0])
        assert [entry(*arrays[0]) for _ in range(50)] == [step(*arrays[1]) for _ in range(50)]
        assert all((one == other).all() for one, other in zip(*arrays))
        print(*said)
        """
    )
    assert run(code, tmp_path) == "compiled"
    assert run(code, tmp_path) == ""


def test_linear_algebra_is_imported_by_those_who_use_it(tmp_path: Path) -> None:
    """Numba alone would import SciPy's whenever it loads machine code."""
    pytest.importorskip("scipy")
    code = """
import sys
import numba, numpy
import rookery
from rookery.engine import compiling
print(compiling.compiled(rookery.game("gotham").kernel).size(numpy.array([5, 5, 0, 0, 0, 0, 0, 0])) > 0)
print("scipy.linalg" in sys.modules)
print(numba.njit(lambda a: numpy.dot(a, a))(numpy.ones(3)), "scipy.linalg" in sys.modules)
"""
    assert run(code, tmp_path).split() == ["True", "False", "3.0", "True"]


def test_only_our_own_old_folders_are_cleared_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOKERY_CACHE", str(tmp_path))
    ours, precious, recent = tmp_path / ("0" * 16), tmp_path / "photographs", tmp_path / ("1" * 16)
    for folder in (ours, precious, recent):
        folder.mkdir()
    for folder in (ours, precious):
        os.utime(folder, (0, 0))
    made = code_cache.cache_folder(playouts)
    assert made.parent == tmp_path
    assert not ours.exists()
    assert precious.exists()
    assert recent.exists()


def test_a_cache_that_cannot_be_written_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("")
    monkeypatch.setenv("ROOKERY_CACHE", str(file / "below"))
    assert code_cache.cache_home() != file / "below"


def test_code_for_any_processor_is_found_on_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """An image is built on one machine with NUMBA_CPU_NAME=generic and runs on others."""
    import llvmlite.binding
    from numba import config

    def on(processor: str) -> str:
        monkeypatch.setattr(llvmlite.binding, "get_host_cpu_name", lambda: processor)
        return code_cache.fingerprint()

    assert on("old") != on("new")
    monkeypatch.setattr(config, "CPU_NAME", "generic")
    monkeypatch.setattr(config, "CPU_FEATURES", "")
    assert on("old") == on("new")
