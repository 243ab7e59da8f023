"""Replaying records: stepping, automatic replay, and playing on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.terminal.driver import new_session, open_app, run, sidebar

import rookery
from rookery.core.record import Record
from rookery.core.stream import Stream
from rookery.terminal.menu import Menu
from rookery.terminal.replay import Scrubber

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.driver import User


def finished() -> Record:
    """A finished game of GateRun."""
    game = rookery.game("gaterun", size=3, walls=1)
    state, stream = game.start(), Stream(4)
    while not state.over:
        state.play(state.pick(stream))
    return Record.of(state, ("ann", "ben"))


def test_a_record_is_replayed_with_keys_and_the_bar(tmp_path: Path) -> None:
    record = finished()

    async def look() -> None:
        async with open_app(tmp_path, record=record) as user:
            assert user.replay_screen.ply == 0
            assert "ann" in user.shown()
            await user.press("end")
            assert user.replay_screen.ply == len(record.plies)
            await user.press("home")
            assert user.replay_screen.ply == 0
            await user.press("right", "right", "left")
            assert user.replay_screen.ply == 1
            await user.press("end", "pageup")
            assert user.replay_screen.ply == max(0, len(record.plies) - 10)
            bar = user.replay_screen.query_one("#scrubber", Scrubber)
            await user.pilot.click(bar, offset=(0, 0))
            assert user.replay_screen.ply == 0
            at = user.replay_screen.query_one("#scrubber", Scrubber).bar_width
            await user.pilot.click(bar, offset=(at - 1, 0))
            assert user.replay_screen.ply == len(record.plies)
            await user.press("home")
            await user.press("right", "right", "p")
            assert user.play_screen.session.state.position() == record.replay(2).position()

    asyncio.run(look())


def test_a_record_is_replayed_automatically(tmp_path: Path) -> None:
    async def look() -> None:
        async with open_app(tmp_path, record=finished()) as user:
            await user.press("space")
            assert user.replay_screen.ply == 0
            await user.wait(lambda: user.replay_screen.ply >= 2)
            await user.press("space")
            ply = user.replay_screen.ply
            await user.pilot.pause(0.7)
            assert user.replay_screen.ply == ply

    asyncio.run(look())


def test_a_resigned_game_is_replayed(tmp_path: Path) -> None:
    state = rookery.game("gaterun", size=3).start()
    state.play(state.actions()[0])
    record = Record.of(state, ("ann", "ben"), ending={"how": "resigned", "player": 2})

    async def look() -> None:
        async with open_app(tmp_path) as user:
            user.app.open_record(record)
            await user.pilot.pause()
            assert user.replay_screen.record == record
            await user.press("end")
            assert "Player 2 resigned" in " ".join(sidebar(user.shown()).split())

    asyncio.run(look())


def test_playing_on_from_a_replay_leaves_one_game_screen(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        await user.press("down", "up", "v", "right", "p")
        assert len(user.play_screen.session.state.history) == 1
        await user.press("escape")
        assert isinstance(user.app.screen, Menu)

    run(tmp_path, rookery.game("gaterun"), play)


def test_a_replay_of_a_large_board_scrolls_to_the_last_move(tmp_path: Path) -> None:
    state = rookery.game("gamma", width=60, height=40).start()
    state.play(state.game.action("m 55 2"))

    async def look() -> None:
        async with open_app(tmp_path, record=Record.of(state)) as user:
            await user.press("end")
            grid = user.replay_screen.board.grid
            assert grid is not None and grid.shows(37, 55)

    asyncio.run(look())


def test_only_players_moves_are_numbered(tmp_path: Path) -> None:
    session = new_session(rookery.game("sixseven"))
    session.play_chance()
    for way in ("left", "up"):
        session.act(session.game.action(way))

    async def look() -> None:
        async with open_app(tmp_path, record=session.record()) as user:
            await user.press("end")
            shown = sidebar(user.shown())
            assert "1. slide left" in shown and "2. slide up" in shown
            assert "3." not in shown

    asyncio.run(look())
