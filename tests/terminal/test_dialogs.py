"""Questions over a board: where to save, what to load, and the help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.terminal.house import run, squeezed

import rookery
from rookery.terminal.dialogs import Field, Help
from rookery.terminal.files import read_record

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.house import Guest


def test_saving_and_loading(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"

    async def play(guest: Guest) -> None:
        await guest.press("down", "s")
        guest.fill("name", str(file))
        await guest.press("enter")
        assert guest.table.note == f"Saved as {file}."
        await guest.press("up", "l")
        guest.fill("name", str(tmp_path / "nowhere"))
        await guest.press("enter")
        assert squeezed("cannot be read: No such file") in squeezed(guest.shown().replace("│", ""))
        guest.fill("name", str(file))
        await guest.press("enter")
        assert len(guest.table.sitting.state.history) == 1

    run(tmp_path, rookery.game("gaterun"), play)


def test_a_file_that_is_there_is_replaced_when_one_insists(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text("precious")

    async def play(guest: Guest) -> None:
        await guest.press("down", "s")
        guest.fill("name", "")
        await guest.press("enter")
        assert "Type a file's name" in guest.shown()
        guest.fill("name", str(file))
        await guest.press("enter")
        assert squeezed("press Enter again to replace it.") in squeezed(guest.shown().replace("│", ""))
        assert guest.house.screen.query_one("#name", Field).value == str(file), "what was typed stays"
        assert file.read_text() == "precious"
        await guest.press("enter")
        assert guest.table.note == f"Saved as {file}."
        assert len(read_record(str(file)).plies) == 1

    run(tmp_path, rookery.game("gaterun"), play)


def test_the_help_begins_at_its_top_and_has_one_row_for_arrows(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("question_mark")
        lines = guest.shown().split("\n")
        assert "GateRun" in lines[0] and "Two pawns" in lines[1]
        assert isinstance(guest.house.screen, Help)
        now = guest.house.screen.page().partition("## Now")[2].partition("## Keys")[0]
        assert "| arrows | step |" in now
        assert "↑" not in now

    run(tmp_path, rookery.game("gaterun"), play)
