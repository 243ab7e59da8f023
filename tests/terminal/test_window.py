"""The screen at all sizes: the layout of the board and the sidebar."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rich.text import Text
from tests.terminal.driver import run, sidebar

import rookery
from rookery.terminal.save_store import SaveStore

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.driver import User


@pytest.mark.parametrize("size", [(30, 10), (80, 12), (45, 24)])
def test_a_window_too_small_says_so_and_recovers(size: tuple[int, int], tmp_path: Path) -> None:
    async def play(user: User) -> None:
        assert "GateRun needs a window of 55 columns and 17 lines." in " ".join(user.shown().split())
        await user.press("down")
        assert user.play_screen.session.state.history == (), "what cannot be seen is not played"
        await user.pilot.resize_terminal(80, 24)
        await user.wait(lambda: "Player 1 to move" in user.shown())
        await user.press("down")
        assert len(user.play_screen.session.state.history) == 1

    run(tmp_path, rookery.game("gaterun"), play, size=size)


def test_a_narrow_and_tall_window_has_the_sidebar_below(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        assert user.play_screen.has_class("tall")
        assert "Player 1 to move" in user.shown()
        await user.click_place(((1, 3),))
        assert len(user.play_screen.session.state.history) == 1

    run(tmp_path, rookery.game("gaterun"), play, size=(50, 44))


def test_a_board_larger_than_the_window_scrolls_to_the_cursor(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        grid = user.play_screen.board.grid
        assert grid is not None and grid.visible_cols < 60
        await user.press(*["right"] * 29, *["down"] * 19, "space")
        assert user.play_screen.game.name_of(user.play_screen.session.state.history[0]) == "m 59 0"
        assert user.play_screen.board.grid is not None and user.play_screen.board.grid.shows(39, 59)

    run(tmp_path, rookery.game("gamma", width=60, height=40), play)


@pytest.mark.parametrize("lines", [26, 27, 30])
def test_below_a_narrow_board_nothing_is_hidden(lines: int, tmp_path: Path) -> None:
    async def play(user: User) -> None:
        grid = user.play_screen.board.grid
        if user.play_screen.has_class("tall"):
            assert grid is not None and grid.visible_rows == 7
        else:
            assert user.play_screen.has_class("small")

    run(tmp_path, rookery.game("gaterun"), play, size=(50, lines))


def test_light_and_dark(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        dark = user.app.theme
        await user.press("f2")
        assert user.app.theme != dark
        assert "light" in user.app.theme
        assert SaveStore(tmp_path).preferences()["look"] == "light"

    run(tmp_path, rookery.game("gamma"), play)


def test_players_with_two_digits_have_room(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        for _ in range(12):
            await user.press("space", "tab")
        assert "12◆" in user.shown()

    run(tmp_path, rookery.game("gamma", width=17, height=18, players=12), play)


def test_odds_too_long_for_a_cell_are_in_the_sidebar(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        await user.press("o")
        assert "up 72%" in sidebar(user.shown())

    run(tmp_path, rookery.game("gotham", level="quad"), play)


def test_new_text_is_visible_and_keys_scroll_to_the_rest(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        side = user.play_screen.query_one("#side")
        assert "Skip a turn" not in user.shown(), "there is no room for all players"
        await user.press("pagedown")
        assert "Skip a turn" in user.shown() and "Player 1 to move" not in user.shown()
        await user.press("u")
        assert "There is nothing to undo." in " ".join(sidebar(user.shown()).split())
        await user.press("pagedown", "pageup")
        assert side.scroll_y == 0
        await user.press("pagedown")
        user.play_screen.advice = Text("Hint: take b2")
        user.play_screen._show_side()
        await user.pilot.pause()
        assert "Hint: take b2" in user.shown()

    run(tmp_path, rookery.game("gamma", players=14), play)


def test_players_with_two_digits_are_aligned(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        lines = [line for line in sidebar(user.shown()).split("\n") if "cells" in line]
        assert len(lines) == 12
        assert len({line.index("cells") for line in lines}) == 1

    run(tmp_path, rookery.game("gamma", players=12), play, size=(80, 40))


def test_a_figure_too_long_for_its_line_gets_the_next(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        lines = [line.strip() for line in sidebar(user.shown()).split("\n")]
        assert lines.count("skills left:") == lines.count("jump, rotate") == 2
        await user.pilot.resize_terminal(130, 40)
        await user.pilot.pause()
        assert user.shown().count("skills left: jump, rotate") == 2

    run(tmp_path, rookery.game("gaterun", jump=True, rotate=True), play)


def test_signs_are_explained_in_the_sidebar(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        assert "◆" not in user.shown()
        await user.press("space")
        assert "◆ golden move possible" in sidebar(user.shown())

    run(tmp_path, rookery.game("gamma"), play)


def test_the_title_says_what_can_be_done_and_how_much_is_visible(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        assert user.shown().startswith("  ♜ Gamma  60×40, at most 4 areas")
        await user.press("right")
        assert "Gamma   af20, free, can be taken: Space takes it" in user.shown()
        await user.pilot.resize_terminal(140, 44)
        await user.pilot.pause()
        assert "40×51 of 40×60 cells" in user.shown().split("\n")[0]
        await user.pilot.resize_terminal(180, 50)
        await user.pilot.pause()
        assert "cells" not in user.shown().split("\n")[0]

    run(tmp_path, rookery.game("gamma", width=60, height=40), play)
