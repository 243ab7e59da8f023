"""Questions over a board: where to save, what to load, and the help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.terminal.house import run

import rookery

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
        await guest.press("up", "s")
        guest.fill("name", str(file))
        await guest.press("enter")
        assert guest.table.note.startswith(f"There is a '{file}' already")
        await guest.press("l")
        guest.fill("name", str(tmp_path / "nowhere"))
        await guest.press("enter")
        assert "cannot be read: No such file" in guest.table.note
        await guest.press("l")
        guest.fill("name", str(file))
        await guest.press("enter")
        assert len(guest.table.sitting.state.history) == 1

    run(tmp_path, rookery.game("gaterun"), play)
