"""The menu: games to begin, to go on with, and to look at again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.terminal.house import opened, run, sat

import rookery
from rookery.core.stream import Stream
from rookery.terminal.menu import Menu, Scores
from rookery.terminal.play import Play
from rookery.terminal.replay import Replay
from rookery.terminal.shelf import Shelf

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.house import Guest


def test_a_game_left_open_is_taken_up_again(tmp_path: Path) -> None:
    async def first(guest: Guest) -> None:
        await guest.press("down", "up")

    run(tmp_path, rookery.game("gaterun"), first)

    async def again() -> None:
        async with opened(tmp_path) as guest:
            assert "Go on with GateRun" in guest.shown()
            await guest.press("end", "up", "enter")
            assert guest.table.sitting.state.position().startswith("1,3/5,3")
            await guest.press("left", "escape")
        assert len(Shelf(tmp_path).open_games()) == 1

    asyncio.run(again())


def test_the_menu_leads_into_every_game(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as guest:
            for number, name in enumerate(("gotham", "gamma", "sixseven", "gaterun"), start=1):
                await guest.press(str(number))
                assert guest.table.game.name == name
                await guest.press("escape")
                assert isinstance(guest.house.screen, Menu)
            await guest.press("down", "enter")
            assert isinstance(guest.house.screen, Play)

    asyncio.run(play())


def test_any_key_may_be_pressed_in_the_menu(tmp_path: Path) -> None:
    async def look() -> None:
        async with opened(tmp_path) as guest:
            await guest.press("²", "0", "9", "escape")
            assert isinstance(guest.house.screen, Menu)
            await guest.press("f2")
            assert "light" in guest.house.theme

    asyncio.run(look())


def test_finished_games_are_listed_and_can_be_looked_at(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as guest:
            await guest.press("v")
            assert "No game has been finished yet." in guest.shown()
        shelf = Shelf(tmp_path)
        game = rookery.game("gotham", size=3)
        sitting = sat(game)
        while not sitting.state.over:
            sitting.act(sitting.state.pick(Stream(3, len(sitting.state.history))))
        shelf.keep_finished(shelf.place_for(sitting), sitting)
        async with opened(tmp_path) as guest:
            await guest.press("v")
            assert isinstance(guest.house.screen, Scores)
            assert "Gotham Loops" in guest.shown() and "point" in guest.shown()
            await guest.press("enter")
            assert isinstance(guest.house.screen, Replay)
            await guest.press("end")
            assert guest.record.state.scores() == sitting.state.scores()

    asyncio.run(play())


def test_keys_that_come_before_the_screen_do_no_harm(tmp_path: Path) -> None:
    async def play() -> None:
        async with opened(tmp_path) as guest:
            for key in ("r", "3", "r", "u"):
                guest.house.simulate_key(key)
            await guest.wait(lambda: isinstance(guest.house.screen, Play) and guest.table.is_mounted)
            await guest.press("left", "up")
            assert guest.table.sitting.state.history

    asyncio.run(play())


def test_an_open_game_is_dropped_when_one_insists(tmp_path: Path) -> None:
    shelf, sitting = Shelf(tmp_path), sat(rookery.game("gaterun"))
    for _ in range(2):
        shelf.keep_open(shelf.place_for(sitting), sitting)

    async def look() -> None:
        async with opened(tmp_path) as guest:
            await guest.press("delete")
            assert "del Drop" not in guest.shown()
            await guest.press("end", "up")
            assert "del Drop" in guest.shown()
            await guest.press("delete")
            assert "Press Delete again to drop this game of GateRun for good." in guest.shown()
            await guest.press("up")
            assert "Press Delete again" not in guest.shown()
            await guest.press("delete")
            assert len(shelf.open_games()) == 2
            await guest.press("delete")
            assert len(shelf.open_games()) == 1
            assert "Press Delete again" not in guest.shown()

    asyncio.run(look())
