"""`rookery doctor` with a bare install, folders that cannot be written, and damaged databases."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import rookery
from rookery.cli.doctor.check import OK, Check, guarded
from rookery.cli.doctor.packages import _extra, _import_failures
from rookery.web.migrations import revisions
from rookery.web.store import Store

BARE = ["numba", "numpy", "textual", "litestar", "sqlalchemy", "alembic", "msgspec", "uvicorn", "rich", "packaging"]
BARE += ["gymnasium", "pettingzoo", "pygame", "PIL", "matplotlib", "distributed", "psutil", "psycopg", "platformdirs"]


@pytest.fixture
def place(tmp_path: Path) -> dict[str, str]:
    """An environment with a data folder and a cache of its own."""
    return {**os.environ, "ROOKERY_DATA": str(tmp_path / "data"), "ROOKERY_CACHE": str(tmp_path / "cache")}


def examined(
    place: dict[str, str], *more: str, code: int = 0, without: list[str] | None = None, packages: bool = False
) -> dict[str, Any]:
    """The report of a subprocess in which some modules cannot be imported. Only with `packages` it imports all packages,
    which takes seconds.
    """
    program = "import sys\nfor name in sys.argv.pop(1).split():\n    sys.modules[name] = None\n"
    if not packages:
        program += "from rookery.cli.doctor import packages\npackages._import_failures = lambda modules: {}\n"
    program += "from rookery.cli import main\nsys.exit(main(['doctor', '--json', *sys.argv[1:]]))"
    command = [sys.executable, "-c", program, " ".join(without or []), *more]
    done = subprocess.run(command, env=place, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.returncode == code, done.stdout
    report: dict[str, Any] = json.loads(done.stdout)
    assert report["ok"] == (code == 0)
    return report


def found(report: dict[str, Any], part: str, name: str) -> dict[str, str]:
    (check,) = (each for each in report[part] if each["name"] == name)
    found: dict[str, str] = check
    return found


def test_with_everything_installed_everything_works(place: dict[str, str]) -> None:
    report = examined(place, packages=True)
    for extra in ("bots", "terminal", "web", "lab", "envs"):
        assert found(report, "packages", extra)["state"] == "ok"
    assert "litestar" in found(report, "packages", "web")["text"]
    assert found(report, "machine code", "ready")["text"] == "no game."
    assert "writable" in found(report, "data", "folder")["text"]
    assert "does not exist yet" in found(report, "data", "database")["text"]
    assert [each["state"] for each in report["games"]] == ["ok"] * 4


def test_a_missing_screen_is_reported(place: dict[str, str], tmp_path: Path) -> None:
    program = tmp_path / "firefox"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unseen = {key: value for key, value in place.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION")}
    assert "No screen" in found(examined(unseen, without=BARE), "browser", "screen")["text"]
    seen = {**unseen, "DISPLAY": ":67", "PATH": str(tmp_path)}
    assert "firefox would open" in found(examined(seen, without=BARE), "browser", "program")["text"]


def test_a_bare_install_works_and_lists_the_extras(place: dict[str, str]) -> None:
    report = examined(place, without=BARE)
    for extra in ("bots", "terminal", "web", "lab", "envs"):
        check = found(report, "packages", extra)
        assert check["state"] == "missing"
        assert check["advice"] == f"pip install --upgrade 'rookery[{extra}]'"
    assert found(report, "machine code", "compiler")["state"] == "missing"
    assert [each["state"] for each in report["games"]] == ["ok"] * 4


def test_an_extra_that_lacks_one_package_is_a_problem(place: dict[str, str]) -> None:
    check = found(examined(place, code=1, without=["uvicorn"]), "packages", "web")
    assert check["state"] == "problem"
    assert "(missing)" in check["text"] and "rookery[web]" in check["advice"]


def test_too_old_is_not_missing() -> None:
    check = _extra("web", {"pytest": "999.1", "hypothesis": "1", "not-there": None}, {})
    assert check.state == "problem"
    assert "(too old, 999.1 or newer is needed)" in check.text
    assert "not-there (missing)" in check.text
    assert _extra("web", {"pytest": None, "not-there": None}, {}).state == "missing"
    check = _extra("web", {"pytest": "1"}, {"pytest": "ImportError no libpytest.so"})
    assert check.state == "problem"
    assert check.advice == "pip install --force-reinstall pytest"


def test_a_failing_import_is_distinguished_from_one_that_ends_the_interpreter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "breaks_at_import.py").write_text("print('noise')\nraise RuntimeError('it needs another numpy')")
    (tmp_path / "ends_at_import.py").write_text("import os\nos._exit(3)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    assert _import_failures(["json", "breaks_at_import", "ends_at_import", "re"]) == {
        "breaks_at_import": "RuntimeError it needs another numpy",
        "ends_at_import": "importing it ends the interpreter",
    }


def test_a_cache_that_cannot_be_written_is_worked_around(place: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    report = examined({**place, "ROOKERY_CACHE": str(tmp_path / "file" / "cache"), "TMPDIR": str(tmp_path)})
    check = found(report, "machine code", "folder")
    assert check["state"] == "warning"
    assert str(tmp_path / "file" / "cache") in check["text"]


def test_data_that_cannot_be_written_is_a_problem(place: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    report = examined({**place, "ROOKERY_DATA": str(tmp_path / "file" / "data")}, code=1, without=BARE)
    assert "ROOKERY_DATA" in found(report, "data", "folder")["advice"]


def arcade_db(folder: Path, revision: str = "") -> Path:
    folder.mkdir(exist_ok=True)
    with sqlite3.connect(folder / "arcade.db") as connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("INSERT INTO alembic_version VALUES (?)", [revision or revisions()[-1]])
    connection.close()
    return folder / "arcade.db"


def database(place: dict[str, str], *more: str, code: int = 0) -> dict[str, str]:
    return found(examined(place, *more, code=code, without=BARE), "data", "database")


def test_a_current_database_is_fine_and_not_changed(place: dict[str, str], tmp_path: Path) -> None:
    file = arcade_db(tmp_path / "data")
    before = file.read_bytes()
    assert database(place)["text"].endswith(f"readable, schema {revisions()[-1]}, up to date.")
    assert database(place, "--db", str(file))["state"] == "ok"
    assert file.read_bytes() == before
    assert [each.name for each in file.parent.iterdir()] == ["arcade.db"]


def test_a_database_of_a_newer_version_is_a_problem(place: dict[str, str], tmp_path: Path) -> None:
    arcade_db(tmp_path / "data", "9999")
    check = database(place, code=1)
    assert "newer Rookery (schema 9999)" in check["text"]


@pytest.mark.parametrize(
    "content", [b"this is no database, but it is long enough" * 100, b"SQLite format 3\0" + b"x" * 5000]
)
def test_a_damaged_database_is_a_problem(place: dict[str, str], tmp_path: Path, content: bytes) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "arcade.db").write_bytes(content)
    check = database(place, code=1)
    assert check["state"] == "problem"
    assert "cannot be read" in check["text"] and "move the file away" in check["advice"]


def test_a_database_with_a_torn_page_is_a_problem(place: dict[str, str], tmp_path: Path) -> None:
    file = arcade_db(tmp_path / "data")
    with file.open("r+b") as torn:
        torn.seek(4096)
        torn.write(b"\xff" * 2048)
    assert "cannot be read" in database(place, code=1)["text"]


def test_another_database_is_a_problem(place: dict[str, str], tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "other.db") as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
    connection.close()
    assert "not the arcade's" in database(place, "--db", str(tmp_path / "other.db"), code=1)["text"]


def test_a_locked_database_is_distinguished_from_a_damaged_one(place: dict[str, str], tmp_path: Path) -> None:
    connection = sqlite3.connect(arcade_db(tmp_path / "data"), isolation_level=None)
    connection.execute("BEGIN EXCLUSIVE")
    check = database(place, code=1)
    connection.close()
    assert "locked" in check["text"] and "Another program has locked it" in check["advice"]


def test_a_running_arcade_is_seen(place: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / "arcade.db"
    with closing(Store(f"sqlite:///{file}")):
        check = database(place)
        assert check["state"] == "ok" and "in use by a running arcade" in check["text"]
    assert Path(f"{file}.lock").exists() and "running arcade" not in database(place)["text"]


@pytest.mark.parametrize("driver", ["", "+psycopg"])
def test_a_database_server_that_does_not_answer_is_a_problem_without_its_password(
    place: dict[str, str], driver: str
) -> None:
    report = examined(place, "--db", f"postgresql{driver}://arcade:secret@127.0.0.1:1/arcade", code=1)
    check = found(report, "data", "database")
    assert "secret" not in json.dumps(report)
    assert check["state"] == "problem"
    assert "cannot be used" in check["text"]


def test_revisions_are_those_of_the_migrations() -> None:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    folder = Path(rookery.__file__).parent / "web" / "migrations"
    config = Config()
    config.set_main_option("script_location", str(folder))
    steps = ScriptDirectory.from_config(config).walk_revisions()
    assert revisions() == [step.revision for step in steps][::-1]


def test_a_probe_that_fails_is_a_line_of_the_report() -> None:
    def failing() -> Any:
        yield Check("first", OK, "Fine.")
        raise OSError("the disk is gone")

    first, second = guarded("disk", failing)
    assert first.state == "ok"
    assert (second.state, second.text) == ("problem", "The check failed: OSError: the disk is gone.")


def test_the_report_for_people(place: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rookery", "doctor"],
        env={**place, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and done.stderr == ""
    assert done.stdout.startswith("Rookery ") and done.stdout.endswith("Everything installed works.\n")
    assert "which cannot show boards well" in done.stdout
