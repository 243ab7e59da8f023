"""Records on the screen: forth and back, by themselves, and played on."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.terminal.house import beside, opened, run, sat

import rookery
from rookery.core.record import Record
from rookery.core.stream import Stream
from rookery.terminal.menu import Menu
from rookery.terminal.replay import Scrubber

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.house import Guest


def finished() -> Record:
    """A whole game of GateRun."""
    game = rookery.game("gaterun", size=3, walls=1)
    state, stream = game.start(), Stream(4)
    while not state.over:
        state.play(state.pick(stream))
    return Record.of(state, ("ann", "ben"))


def test_a_record_is_looked_at_with_keys_and_the_bar(tmp_path: Path) -> None:
    record = finished()

    async def look() -> None:
        async with opened(tmp_path, record=record) as guest:
            assert guest.record.ply == 0
            assert "ann" in guest.shown()
            await guest.press("end")
            assert guest.record.ply == len(record.plies)
            await guest.press("home")
            assert guest.record.ply == 0
            await guest.press("right", "right", "left")
            assert guest.record.ply == 1
            await guest.press("end", "pageup")
            assert guest.record.ply == max(0, len(record.plies) - 10)
            bar = guest.record.query_one("#scrubber", Scrubber)
            await guest.pilot.click(bar, offset=(0, 0))
            assert guest.record.ply == 0
            at = guest.record.query_one("#scrubber", Scrubber).room
            await guest.pilot.click(bar, offset=(at - 1, 0))
            assert guest.record.ply == len(record.plies)
            await guest.press("home")
            await guest.press("right", "right", "p")
            assert guest.table.sitting.state.position() == record.replay(2).position()

    asyncio.run(look())


def test_a_record_runs_by_itself(tmp_path: Path) -> None:
    async def look() -> None:
        async with opened(tmp_path, record=finished()) as guest:
            await guest.press("space")
            assert guest.record.ply == 0
            await guest.wait(lambda: guest.record.ply >= 2)
            await guest.press("space")
            ply = guest.record.ply
            await guest.pilot.pause(0.7)
            assert guest.record.ply == ply

    asyncio.run(look())


def test_a_record_of_a_game_that_was_given_up_is_looked_at(tmp_path: Path) -> None:
    state = rookery.game("gaterun", size=3).start()
    state.play(state.actions()[0])
    record = Record.of(state, ("ann", "ben"), ending={"how": "resigned", "player": 2})

    async def look() -> None:
        async with opened(tmp_path) as guest:
            guest.house.take_up(record)
            await guest.pilot.pause()
            assert guest.record.record == record
            await guest.press("end")
            assert "Player 2 resigned" in " ".join(beside(guest.shown()).split())

    asyncio.run(look())


def test_playing_on_from_a_replay_leaves_one_table(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("down", "up", "v", "right", "p")
        assert len(guest.table.sitting.state.history) == 1
        await guest.press("escape")
        assert isinstance(guest.house.screen, Menu)

    run(tmp_path, rookery.game("gaterun"), play)


def test_a_replay_of_a_large_board_shows_where_it_happens(tmp_path: Path) -> None:
    state = rookery.game("gamma", width=60, height=40).start()
    state.play(state.game.action("m 55 2"))

    async def look() -> None:
        async with opened(tmp_path, record=Record.of(state)) as guest:
            await guest.press("end")
            grid = guest.record.board.grid
            assert grid is not None and grid.shows(37, 55)

    asyncio.run(look())


def test_only_what_players_chose_is_numbered(tmp_path: Path) -> None:
    sitting = sat(rookery.game("sixseven"))
    sitting.settle()
    for way in ("left", "up"):
        sitting.act(sitting.game.action(way))

    async def look() -> None:
        async with opened(tmp_path, record=sitting.record()) as guest:
            await guest.press("end")
            shown = beside(guest.shown())
            assert "1. left" in shown and "2. up" in shown
            assert "3." not in shown

    asyncio.run(look())
