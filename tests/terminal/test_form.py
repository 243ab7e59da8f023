"""The form for a new game: options, seats and a seed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.terminal.driver import run

import rookery
from rookery.core.bot import make_bot
from rookery.terminal.form import NewGame
from rookery.terminal.play import Play

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.driver import User


def test_the_form_has_every_option_and_a_seat_for_every_player(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        await user.press("n")
        form = user.app.screen
        assert isinstance(form, NewGame)
        user.fill("o-players", "3")
        await user.wait(lambda: len(form.query("#seats Select")) == 3)
        user.fill("o-width", "wide")
        await user.press("ctrl+s")
        assert "width takes a whole number from 1" in user.shown()
        user.fill("o-width", "5")
        user.fill("seat-2", str(make_bot(form.game, "1")))
        user.fill("seed", "77")
        await user.press("ctrl+s")
        session = user.play_screen.session
        assert (session.game.options["width"], session.game.players, session.seed) == (5, 3, 77)
        assert list(session.bots) == [2, 3], "a new seat gets a bot by default"

    run(tmp_path, rookery.game("gamma"), play)


def test_seats_that_were_chosen_stay_when_there_are_more_players(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        await user.press("n")
        form = user.app.screen
        assert isinstance(form, NewGame)
        strong = str(make_bot(form.game, "9"))
        user.fill("seat-2", strong)
        user.fill("o-players", "4")
        user.fill("seed", "9" * 5000)
        await user.press("ctrl+s")
        await user.wait(lambda: "seed takes" in user.shown())
        user.fill("seed", "")
        await user.press("ctrl+s")
        await user.wait(lambda: isinstance(user.app.screen, Play))
        assert str(user.play_screen.session.bots[2]) == strong
        assert len(user.play_screen.session.bots) == 3

    run(tmp_path, rookery.game("gamma"), play)


def test_a_board_too_large_for_the_screen_is_refused_in_the_form(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        await user.press("n")
        user.fill("o-width", "3000")
        user.fill("o-height", "2000")
        await user.press("ctrl+s")
        await user.wait(lambda: "too large for the screen" in user.shown())

    run(tmp_path, rookery.game("gamma"), play)


def test_an_option_is_chosen_from_an_open_list_by_keys(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        await user.press("n")
        await user.press("enter")
        listed = [line for line in user.shown().split("\n") if "Board:" not in line]
        assert all(any(words in line for line in listed) for words in ("deuce", "trey", "quad"))
        await user.press("down", "enter")
        await user.press("ctrl+s")
        await user.wait(lambda: isinstance(user.app.screen, Play))
        assert user.play_screen.game.options["level"] == "trey"

    run(tmp_path, rookery.game("gotham"), play)


def test_start_comes_before_cancel(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        await user.press("n", "shift+tab")
        assert user.app.focused is not None and user.app.focused.id == "cancel"
        await user.press("shift+tab")
        assert user.app.focused is not None and user.app.focused.id == "start"

    run(tmp_path, rookery.game("gotham"), play)


def test_the_form_says_what_the_chosen_variant_means(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        await user.press("n")
        await user.wait(lambda: "Variant: number, operator, number join also" in user.shown())
        user.fill("o-variant", "final")
        await user.wait(lambda: "Variant: as modified, and a run of equal" in user.shown())

    run(tmp_path, rookery.game("sixseven"), play)
