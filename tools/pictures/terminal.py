"""Draws docs/terminal.svg: the terminal app in the middle of a game of GateRun.

Run it with `python -m tools.pictures.terminal`, or `make picture`.
"""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from pathlib import Path
from unittest import mock

from tools.pictures.overview import RUN, played

import rookery
from rookery.core.bot import make_bot
from rookery.terminal.app import RookeryApp
from rookery.terminal.save_store import SaveStore
from rookery.terminal.session import Session

PICTURE = Path(__file__).resolve().parents[2] / "docs" / "terminal.svg"
SIZE = 80, 24
FONT_FACE = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""Fonts that the picture would download; a local font is good enough."""
COMMENT = re.compile(r"<!--.*?-->\s*")


async def picture(folder: Path) -> str:
    game = rookery.game("gaterun")
    state = played(game.start(), RUN.split())
    with mock.patch.dict(os.environ, {"TERM": "xterm-256color", "COLORTERM": "truecolor"}):
        app = RookeryApp(Session(state, {2: make_bot(game, "6")}, 67), store=SaveStore(folder))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("shift+down", "shift+down")
        await pilot.pause()
        drawn = app.export_screenshot(title="rookery play gaterun --bot 6")
    return COMMENT.sub("", FONT_FACE.sub("", drawn)).replace("Fira Code", "DejaVu Sans Mono")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        drawn = asyncio.run(picture(Path(name)))
    PICTURE.write_text(drawn, encoding="utf-8")
