"""What is kept between two sessions: open games, finished ones, and nothing twice."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from tests.terminal.house import opened, run, sat

import rookery
from rookery.terminal.shelf import Shelf
from rookery.terminal.sitting import Sitting

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.house import Guest


def test_a_damaged_shelf_is_no_reason_to_stop(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    (shelf.open_folder / "20260101-1-gaterun.json").write_text("{broken")
    shelf.games.write_text('nonsense\n{"game": 5}\n[]\n' + json.dumps({"rookery": 1}) + "\n")
    (tmp_path / "likes.json").write_text("[]")

    async def look() -> None:
        async with opened(tmp_path) as guest:
            await guest.press("v")
            assert "No game has been finished yet." in guest.shown()

    asyncio.run(look())


def test_what_was_finished_again_after_taking_back_is_kept_too(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("down", "left", "down")
        assert guest.table.over
        await guest.press("u")
        assert len(Shelf(tmp_path).open_games()) == 1
        await guest.press("left", "right", "right", "left", "down")
        assert guest.table.over
        assert Shelf(tmp_path).open_games() == []
        assert len(Shelf(tmp_path).finished_games()) == 2

    run(tmp_path, rookery.game("gaterun", size=3), play)


def test_a_game_taken_up_has_other_luck_than_at_its_start(tmp_path: Path) -> None:
    sitting = sat(rookery.game("sixseven"))
    sitting.settle()
    start = sitting.state.history
    again = Sitting.of(sitting.record())
    again.act(again.state.actions()[0])
    assert again.seed == sitting.seed
    assert again.state.history[3:5] != start[:2]


def test_the_game_played_last_is_never_the_one_that_goes(tmp_path: Path) -> None:
    shelf, sitting = Shelf(tmp_path), sat(rookery.game("gaterun"))
    first = shelf.place_for(sitting)
    shelf.keep_open(first, sitting)
    for _ in range(25):
        shelf.keep_open(shelf.place_for(sitting), sitting)
        shelf.keep_open(first, sitting)
    assert first.exists()
    assert len(shelf.open_games()) == 20


def test_a_game_finished_once_is_listed_once(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("down", "left", "down", "u", "r", "u", "r")
        assert guest.table.over
        assert len(Shelf(tmp_path).finished_games()) == 1

    run(tmp_path, rookery.game("gaterun", size=3), play)


def test_what_cannot_be_kept_is_complained_of_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    shelf = Shelf(tmp_path / "file")
    assert shelf.complaint() == f"Nothing will be kept: {tmp_path / 'file'} cannot be written (Not a directory)."
    sitting = sat(rookery.game("gaterun"))
    shelf.keep_open(shelf.place_for(sitting), sitting)
    assert shelf.complaint() == ""
    assert shelf.trouble
    assert Shelf(tmp_path).complaint() == ""
