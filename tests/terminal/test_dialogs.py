"""The dialogs: save, load and help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.terminal.driver import run, without_blanks

import rookery
from rookery.terminal.dialogs import Field, Help
from rookery.terminal.files import read_record

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.driver import User


def test_saving_and_loading(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"

    async def play(user: User) -> None:
        await user.press("down", "s")
        user.fill("name", str(file))
        await user.press("enter")
        assert user.play_screen.note == f"Saved as {file}."
        await user.press("up", "l")
        user.fill("name", str(tmp_path / "nowhere"))
        await user.press("enter")
        assert without_blanks("cannot be read: No such file") in without_blanks(user.shown().replace("│", ""))
        user.fill("name", str(file))
        await user.press("enter")
        assert len(user.play_screen.session.state.history) == 1

    run(tmp_path, rookery.game("gaterun"), play)


def test_an_existing_file_is_replaced_on_the_second_attempt(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text("precious")

    async def play(user: User) -> None:
        await user.press("down", "s")
        user.fill("name", "")
        await user.press("enter")
        assert "Type a file name" in user.shown()
        user.fill("name", str(file))
        await user.press("enter")
        assert without_blanks("press Enter again to replace it.") in without_blanks(user.shown().replace("│", ""))
        assert user.app.screen.query_one("#name", Field).value == str(file), "what was typed stays"
        assert file.read_text() == "precious"
        await user.press("enter")
        assert user.play_screen.note == f"Saved as {file}."
        assert len(read_record(str(file)).plies) == 1

    run(tmp_path, rookery.game("gaterun"), play)


def test_the_help_begins_at_its_top_and_has_one_row_for_arrows(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        await user.press("question_mark")
        lines = user.shown().split("\n")
        assert "GateRun" in lines[0] and "Two pawns" in lines[1]
        assert isinstance(user.app.screen, Help)
        now = user.app.screen.page().partition("## Now")[2].partition("## Keys")[0]
        assert "| arrows | step |" in now
        assert "↑" not in now

    run(tmp_path, rookery.game("gaterun"), play)
