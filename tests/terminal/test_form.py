"""The form for a new game: options, seats and a seed, by keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.terminal.house import run

import rookery
from rookery.core.bot import make_bot
from rookery.terminal.form import NewGame
from rookery.terminal.play import Play

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.house import Guest


def test_the_form_has_every_option_and_a_seat_for_every_player(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("n")
        form = guest.house.screen
        assert isinstance(form, NewGame)
        guest.fill("o-players", "3")
        await guest.wait(lambda: len(form.query("#seats Select")) == 3)
        guest.fill("o-width", "wide")
        await guest.press("ctrl+s")
        assert "width takes a whole number from 1" in guest.shown()
        guest.fill("o-width", "5")
        guest.fill("seat-2", str(make_bot(form.game, "1")))
        guest.fill("seed", "77")
        await guest.press("ctrl+s")
        sitting = guest.table.sitting
        assert (sitting.game.options["width"], sitting.game.players, sitting.seed) == (5, 3, 77)
        assert list(sitting.seats) == [2, 3], "who is new at the table is a bot unless one says otherwise"

    run(tmp_path, rookery.game("gamma"), play)


def test_seats_that_were_chosen_stay_when_there_are_more_players(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("n")
        form = guest.house.screen
        assert isinstance(form, NewGame)
        strong = str(make_bot(form.game, "9"))
        guest.fill("seat-2", strong)
        guest.fill("o-players", "4")
        guest.fill("seed", "9" * 5000)
        await guest.press("ctrl+s")
        await guest.wait(lambda: "seed takes" in guest.shown())
        guest.fill("seed", "")
        await guest.press("ctrl+s")
        await guest.wait(lambda: isinstance(guest.house.screen, Play))
        assert str(guest.table.sitting.seats[2]) == strong
        assert len(guest.table.sitting.seats) == 3

    run(tmp_path, rookery.game("gamma"), play)


def test_a_board_too_large_for_the_screen_is_refused_in_the_form(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("n")
        guest.fill("o-width", "3000")
        guest.fill("o-height", "2000")
        await guest.press("ctrl+s")
        await guest.wait(lambda: "too large for the screen" in guest.shown())

    run(tmp_path, rookery.game("gamma"), play)


def test_an_option_is_chosen_from_an_open_list_by_keys(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("n")
        await guest.press("enter")
        listed = [line for line in guest.shown().split("\n") if "level:" not in line]
        assert all(any(words in line for line in listed) for words in ("deuce", "trey", "quad"))
        await guest.press("down", "enter")
        await guest.press("ctrl+s")
        await guest.wait(lambda: isinstance(guest.house.screen, Play))
        assert guest.table.game.options["level"] == "trey"

    run(tmp_path, rookery.game("gotham"), play)


def test_start_comes_before_cancel(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("n", "shift+tab")
        assert guest.house.focused is not None and guest.house.focused.id == "cancel"
        await guest.press("shift+tab")
        assert guest.house.focused is not None and guest.house.focused.id == "start"

    run(tmp_path, rookery.game("gotham"), play)
