"""One record on all surfaces: the browser, the terminal's screen and `rookery replay` show the same final position."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from tests.terminal.driver import open_app

import rookery
from rookery.core.record import Record
from rookery.core.rules import CHANCE
from rookery.core.stream import Stream
from rookery.core.text_board import text_board

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.browser import Visitor

    from rookery.core.game import Game
    from rookery.core.scene import Scene

GAMES: list[Game] = [
    rookery.game("gotham", size=7),
    rookery.game("gamma", width=5, height=4, areas=2),
    rookery.game("sixseven", rows=4, cols=4, variant="original"),
    rookery.game("gaterun", size=4, walls=3),
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_a_record_ends_alike_on_every_surface(game: Game, zoe: Visitor, tmp_path: Path) -> None:
    state, stream = game.start(), Stream(8)
    while not state.over:
        state.play(state.draw(stream) if state.turn == CHANCE else state.pick(stream))
    record, file = Record.of(state), tmp_path / "game.json"
    file.write_text(record.line() + "\n")

    command = [sys.executable, "-m", "rookery", "replay", str(file)]
    told = json.loads(subprocess.run([*command, "--json"], capture_output=True, text=True, check=True).stdout)
    assert told["position"] == state.position()
    board = text_board(state.scene(), game.legend)
    assert board in subprocess.run(command, capture_output=True, text=True, check=True).stdout

    scene = on_the_terminal(record, tmp_path)
    assert scene == state.scene()

    zoe.open("/replay")
    zoe("#record-file").set_input_files(file)
    zoe.see(".replay-place", "0 /")
    zoe.press("End")
    zoe.see(".replay-message", scene.message)
    turned = bool(zoe(".replay-board [data-turned]").count())
    assert turned == (game.name == "gaterun"), "the first player's side is at the bottom"
    cells = names(zoe, ".cell")
    assert (cells[::-1] if turned else cells) == [cell.name for cell in scene.cells]
    assert sorted(names(zoe, ".edge.wall")) == sorted(wall.name for wall in scene.walls)
    between = names(zoe, ".edge:not(.wall)")
    places = [cell.name.partition(",")[0] for cell in scene.cells]
    assert all(name in {f"between {one} and {other}" for one in places for other in places} for name in between)


def names(zoe: Visitor, selector: str) -> list[str]:
    """What a screen reader says of the places on the board, in its order."""
    return [each.get_attribute("aria-label") or "" for each in zoe(f".replay-board {selector}[role=gridcell]").all()]


def on_the_terminal(record: Record, folder: Path) -> Scene:
    """The last scene that the terminal shows of a record; on a thread, because the browser's loop is running here."""
    found: list[Scene] = []

    async def look() -> None:
        async with open_app(folder, record=record) as user:
            await user.press("end")
            assert user.replay_screen.board.scene is not None
            found.append(user.replay_screen.board.scene)

    thread = threading.Thread(target=lambda: asyncio.run(look()))
    thread.start()
    thread.join()
    return found[0]
