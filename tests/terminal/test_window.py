"""The screen at all sizes: where the board and what stands beside it find room."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rich.text import Text
from tests.terminal.house import beside, run

import rookery
from rookery.terminal.shelf import Shelf

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.house import Guest


@pytest.mark.parametrize("size", [(30, 10), (80, 12), (45, 24)])
def test_a_window_too_small_says_so_and_recovers(size: tuple[int, int], tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        assert "GateRun needs a window of 55 columns and 17 lines." in " ".join(guest.shown().split())
        await guest.press("down")
        assert guest.table.sitting.state.history == (), "what cannot be seen is not played"
        await guest.pilot.resize_terminal(80, 24)
        assert "P1 to move" in guest.shown()
        await guest.press("down")
        assert len(guest.table.sitting.state.history) == 1

    run(tmp_path, rookery.game("gaterun"), play, size=size)


def test_a_narrow_and_tall_window_has_the_side_below(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        assert guest.table.has_class("tall")
        assert "P1 to move" in guest.shown()
        await guest.click_place(((1, 3),))
        assert len(guest.table.sitting.state.history) == 1

    run(tmp_path, rookery.game("gaterun"), play, size=(50, 44))


def test_a_board_larger_than_the_window_shows_where_one_is(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        grid = guest.table.board.grid
        assert grid is not None and grid.seen_cols < 60
        await guest.press(*["right"] * 29, *["down"] * 19, "space")
        assert guest.table.game.name_of(guest.table.sitting.state.history[0]) == "m 59 0"
        assert guest.table.board.grid is not None and guest.table.board.grid.shows(39, 59)

    run(tmp_path, rookery.game("gamma", width=60, height=40), play)


@pytest.mark.parametrize("lines", [26, 27, 30])
def test_below_a_narrow_board_nothing_is_hidden(lines: int, tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        grid = guest.table.board.grid
        if guest.table.has_class("tall"):
            assert grid is not None and grid.seen_rows == 7
        else:
            assert guest.table.has_class("small")

    run(tmp_path, rookery.game("gaterun"), play, size=(50, lines))


def test_light_and_dark(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        dark = guest.house.theme
        await guest.press("f2")
        assert guest.house.theme != dark
        assert "light" in guest.house.theme
        assert Shelf(tmp_path).likes()["look"] == "light"

    run(tmp_path, rookery.game("gamma"), play)


def test_players_with_two_digits_have_room(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        for _ in range(12):
            await guest.press("space", "tab")
        assert "12◆" in guest.shown()

    run(tmp_path, rookery.game("gamma", width=17, height=18, players=12), play)


def test_chances_too_long_for_a_cell_stand_beside_the_board(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("o")
        assert "up 72%" in beside(guest.shown())

    run(tmp_path, rookery.game("gotham", level="quad"), play)


def test_what_is_new_is_seen_and_keys_scroll_to_the_rest(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        side = guest.table.query_one("#side")
        assert "Skip your turn" not in guest.shown(), "there is no room for all players"
        await guest.press("pagedown")
        assert "Skip your turn" in guest.shown() and "Player 1 to move" not in guest.shown()
        await guest.press("u")
        assert "There is nothing to undo." in " ".join(beside(guest.shown()).split())
        await guest.press("pagedown", "pageup")
        assert side.scroll_y == 0
        await guest.press("pagedown")
        guest.table.advice = Text("Hint: m 1 1")
        guest.table._show_side()
        await guest.pilot.pause()
        assert "Hint: m 1 1" in guest.shown()

    run(tmp_path, rookery.game("gamma", players=14), play)


def test_players_with_two_digits_stand_under_the_others(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        lines = [line for line in beside(guest.shown()).split("\n") if "cells" in line]
        assert len(lines) == 12
        assert len({line.index("cells") for line in lines}) == 1

    run(tmp_path, rookery.game("gamma", players=12), play, size=(80, 40))


def test_a_figure_without_room_behind_its_label_stands_under_it(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        lines = [line.strip() for line in beside(guest.shown()).split("\n")]
        assert lines.count("skills left:") == lines.count("jump, rotate") == 2
        await guest.pilot.resize_terminal(130, 40)
        await guest.pilot.pause()
        assert guest.shown().count("skills left: jump, rotate") == 2

    run(tmp_path, rookery.game("gaterun", jump=True, rotate=True), play)


def test_signs_that_do_not_speak_for_themselves_are_explained(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        assert "◆" not in guest.shown()
        await guest.press("space")
        assert "◆ open to golden move" in beside(guest.shown())

    run(tmp_path, rookery.game("gamma"), play)


def test_the_title_says_what_can_be_done_and_how_much_is_seen(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        assert guest.shown().startswith("  ♜ Gamma  60×40, at most 4 areas")
        await guest.press("right")
        assert "Gamma   column 31, row 19, free, can be taken: Space takes it" in guest.shown()
        await guest.pilot.resize_terminal(140, 44)
        await guest.pilot.pause()
        assert "40×51 of 40×60 cells" in guest.shown().split("\n")[0]
        await guest.pilot.resize_terminal(180, 50)
        await guest.pilot.pause()
        assert "cells" not in guest.shown().split("\n")[0]

    run(tmp_path, rookery.game("gamma", width=60, height=40), play)
