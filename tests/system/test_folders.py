"""Where data and machine code are kept."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rookery.core.errors import RookeryError
from rookery.engine.code_cache import cache_home
from rookery.system.folders import data_folder

linux = pytest.mark.skipif(sys.platform != "linux", reason="other systems have other folders")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's home folder, with no environment variable that names another."""
    for name in ("ROOKERY_DATA", "ROOKERY_CACHE", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@linux
def test_by_default_they_are_where_the_system_keeps_such_things(home: Path) -> None:
    assert data_folder() == home / ".local" / "share" / "rookery"
    assert cache_home() == home / ".cache" / "rookery"
    assert data_folder().is_dir() and cache_home().is_dir()


@linux
def test_the_system_can_be_told_otherwise(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    assert (data_folder(), cache_home()) == (home / "data" / "rookery", home / "cache" / "rookery")


def test_rookery_can_be_told_otherwise(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("ROOKERY_DATA", str(home / "mine"))
    monkeypatch.setenv("ROOKERY_CACHE", str(home / "code"))
    assert (data_folder(), cache_home()) == (home / "mine", home / "code")


def test_a_folder_that_cannot_be_made_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "file").write_text("")
    monkeypatch.setenv("ROOKERY_DATA", str(home / "file" / "below"))
    with pytest.raises(RookeryError, match=r"The folder .*below cannot be made: "):
        data_folder()
