"""Screens look like their snapshots."""

from __future__ import annotations

import pytest
from tests.terminal.screens import FOLDER, SCREENS, Screen, file_of, seen
from tests.tiers import slow

LIKE_OTHERS = ("gaterun-large", "gotham-quad", "rings-small")
"""Screens that show another one's game at another size."""


@pytest.mark.parametrize(
    "screen",
    [pytest.param(each, marks=slow if each.name in LIKE_OTHERS else ()) for each in SCREENS],
    ids=lambda screen: screen.name,
)
def test_a_screen_matches_its_snapshot(screen: Screen) -> None:
    assert seen(screen) == file_of(screen).read_text(encoding="utf-8")


def test_every_snapshot_belongs_to_a_screen() -> None:
    assert {file.name for file in FOLDER.iterdir()} == {file_of(screen).name for screen in SCREENS}
