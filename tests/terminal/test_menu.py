"""The menu: starting, resuming, replaying and deleting games."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.terminal.driver import new_session, open_app, run

import rookery
from rookery.core.stream import Stream
from rookery.terminal.menu import Menu, Scores
from rookery.terminal.play import Play
from rookery.terminal.replay import Replay
from rookery.terminal.save_store import SaveStore

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.driver import User


def test_an_open_game_is_resumed(tmp_path: Path) -> None:
    async def first(user: User) -> None:
        await user.press("down", "up")

    run(tmp_path, rookery.game("gaterun"), first)

    async def again() -> None:
        async with open_app(tmp_path) as user:
            assert "Resume GateRun" in user.shown()
            await user.press("end", "up", "enter")
            assert user.play_screen.session.state.position().startswith("1,3/5,3")
            await user.press("left", "escape")
        assert len(SaveStore(tmp_path).open_games()) == 1

    asyncio.run(again())


def test_the_menu_leads_into_every_game(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_app(tmp_path) as user:
            for number, name in enumerate(("gotham", "gamma", "sixseven", "gaterun"), start=1):
                await user.press(str(number))
                assert user.play_screen.game.name == name
                await user.press("escape")
                assert isinstance(user.app.screen, Menu)
            await user.press("down", "enter")
            assert isinstance(user.app.screen, Play)

    asyncio.run(play())


def test_any_key_may_be_pressed_in_the_menu(tmp_path: Path) -> None:
    async def look() -> None:
        async with open_app(tmp_path) as user:
            await user.press("²", "0", "9", "escape")
            assert isinstance(user.app.screen, Menu)
            await user.press("f2")
            assert "light" in user.app.theme

    asyncio.run(look())


def test_finished_games_are_listed_and_can_be_replayed(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_app(tmp_path) as user:
            await user.press("v")
            assert "No finished games yet." in user.shown()
        store = SaveStore(tmp_path)
        game = rookery.game("gotham", size=3)
        session = new_session(game)
        while not session.state.over:
            session.act(session.state.pick(Stream(3, len(session.state.history))))
        store.save_finished(store.new_path(session), session)
        async with open_app(tmp_path) as user:
            await user.press("v")
            assert isinstance(user.app.screen, Scores)
            assert "Gotham Loops" in user.shown() and "point" in user.shown()
            await user.press("enter")
            assert isinstance(user.app.screen, Replay)
            await user.press("end")
            assert user.replay_screen.state.scores() == session.state.scores()

    asyncio.run(play())


def test_keys_pressed_before_the_screen_is_mounted_do_no_harm(tmp_path: Path) -> None:
    async def play() -> None:
        async with open_app(tmp_path) as user:
            for key in ("r", "3", "r", "u"):
                user.app.simulate_key(key)
            await user.wait(lambda: isinstance(user.app.screen, Play) and user.play_screen.is_mounted)
            await user.press("left", "up")
            assert user.play_screen.session.state.history

    asyncio.run(play())


def test_an_open_game_is_deleted_on_the_second_key_press(tmp_path: Path) -> None:
    store, session = SaveStore(tmp_path), new_session(rookery.game("gaterun"))
    for _ in range(2):
        store.save_open(store.new_path(session), session)

    async def look() -> None:
        async with open_app(tmp_path) as user:
            await user.press("delete")
            assert "del Delete" not in user.shown()
            await user.press("end", "up")
            assert "del Delete" in user.shown()
            await user.press("delete")
            assert "Press Delete again to delete this game of GateRun." in user.shown()
            await user.press("up")
            assert "Press Delete again" not in user.shown()
            await user.press("delete")
            assert len(store.open_games()) == 2
            await user.press("delete")
            assert len(store.open_games()) == 1
            assert "Press Delete again" not in user.shown()

    asyncio.run(look())
