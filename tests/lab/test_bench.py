"""The bench: what it measures and how it tells. How fast this machine is, is nobody's business here."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from rookery.engine.threads import cores
from rookery.lab import bench

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.lab.conftest import Said


@pytest.fixture(autouse=True)
def _quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SECONDS", 0.02)
    monkeypatch.setattr(bench, "REPEATS", 2)
    monkeypatch.setattr(bench, "POSITIONS", 3)


def test_every_setting_has_its_speeds(typed: Callable[..., Said]) -> None:
    said = typed("bench", "--json")
    assert (said.code, said.err) == (0, "")
    speeds = said.found["speeds"]
    assert [speed["game"] for speed in speeds] == ["gotham", "gamma", "sixseven", "sixseven", "gaterun"]
    assert [speed["options"].get("variant") for speed in speeds] == [None, None, "final", "modified", None]
    for speed in speeds:
        assert speed["compiled_per_second"] > speed["interpreted_per_second"] > 0
        assert speed["ratio"] > 1
        assert speed["speedup"] > 0
        assert speed["threads"] == cores()


def test_only_the_games_that_are_named_are_measured(typed: Callable[..., Said]) -> None:
    said = typed("bench", "gotham", "gaterun", "--json")
    assert [speed["game"] for speed in said.found["speeds"]] == ["gotham", "gaterun"]


def test_the_table_has_a_row_for_each_setting(typed: Callable[..., Said]) -> None:
    said = typed("bench", "sixseven")
    assert (said.code, said.err) == (0, "")
    rows = [line for line in said.out.splitlines() if "67!" in line]
    assert len(rows) == 2
    assert "67! final 0.67" in rows[0]
    assert all("moves" in row and row.count("×") == 2 for row in rows)


def test_what_cannot_be_measured_is_refused(refused: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused("bench", "chess").startswith("There is no game 'chess'; there are gotham, gamma")
    assert refused("bench", "--games", 3).endswith("Try 'rookery bench --help'.")
    monkeypatch.setitem(sys.modules, "numba", None)  # as if it were not installed
    assert "pip install 'rookery[lab]'" in refused("bench", "gotham")
