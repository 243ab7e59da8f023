"""Drives the terminal app in tests without a window, by keys only or by mouse only."""

from __future__ import annotations

import asyncio
import os
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Literal
from unittest import mock

from textual.widgets import Input, Select

from rookery.terminal.app import RookeryApp
from rookery.terminal.play import Play
from rookery.terminal.replay import Replay
from rookery.terminal.save_store import SaveStore
from rookery.terminal.session import Session
from rookery.terminal.sidebar import ActionList

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from textual.pilot import Pilot

    from rookery.core.bot import Bot
    from rookery.core.game import Game
    from rookery.core.record import Record
    from rookery.core.scene import Choice
    from rookery.terminal.grid import Place

PATIENCE = 30.0


class User:
    """A user at the keyboard and the mouse."""

    def __init__(self, pilot: Pilot[None]) -> None:
        self.pilot = pilot

    @property
    def app(self) -> RookeryApp:
        assert isinstance(self.pilot.app, RookeryApp)
        return self.pilot.app

    @property
    def play_screen(self) -> Play:
        """The game being played."""
        assert isinstance(self.app.screen, Play)
        return self.app.screen

    @property
    def replay_screen(self) -> Replay:
        """The game being replayed."""
        assert isinstance(self.app.screen, Replay)
        return self.app.screen

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def click_place(self, place: Place) -> None:
        """Click a cell or an edge of the board."""
        board = self.app.screen.query_one("#board")
        grid, (left, top) = self.play_screen.board.grid, self.play_screen.board.margins
        assert grid is not None
        x, y = grid.middle(place)
        await self.pilot.click(board, offset=(x + left, y + top))

    async def click_action(self, name: str) -> None:
        """Click an action in the sidebar."""
        actions = self.app.screen.query_one("#actions", ActionList)
        line = [each for each, _, _ in actions.actions].index(name)
        await self.pilot.click(actions, offset=(3, line))

    def fill(self, id: str, value: str) -> None:
        """Fill a field of a form, or choose in it."""
        field = self.app.screen.query_one(f"#{id}")
        assert isinstance(field, Input | Select)
        field.value = value

    async def make(self, choice: Choice, by: Literal["keys", "mouse"]) -> None:
        """Carry out an action, by keys or by mouse."""
        if by == "mouse":
            if not choice.at:
                await self.click_action(choice.action)
            else:
                for start in range(0, len(choice.at), 2):
                    await self.click_place(choice.at[start : start + 2])
        elif choice.key:
            await self.press(choice.key)
        else:
            await self.move_to(choice.at[:2])
            await self.press(choice.here)
            if len(choice.at) == 4:
                await self.press(*["tab"] * self._turns_to(choice.at[2:]), "enter")

    async def move_to(self, place: Place) -> None:
        """Move the cursor to a place: by Tab where arrows are actions of the game, else by arrows."""
        board = self.play_screen.board
        if board.arrows_play:
            while board.cursor != place:
                await self.press("tab")
            return
        assert board.cursor is not None
        (row, col), (to_row, to_col) = board.cursor[0], place[0]
        await self.press(*["down" if to_row > row else "up"] * abs(to_row - row))
        await self.press(*["right" if to_col > col else "left"] * abs(to_col - col))

    def _turns_to(self, target: Place) -> int:
        board = self.play_screen.board
        assert board.scene is not None and board.picked is not None
        targets = sorted(choice.at[2:] for choice in board.scene.choices if choice.at[:2] == board.picked)
        assert board.cursor in targets
        return (targets.index(target) - targets.index(board.cursor)) % len(targets)

    async def wait_for_turn(self) -> None:
        """Wait until a person is to move, or the game is over."""
        await self.wait(lambda: self.play_screen.session.person_to_move or self.play_screen.over)

    async def wait(self, done: Callable[[], object]) -> None:
        """Wait until a condition holds and the app is idle."""
        await self.until(done)
        await self.pilot.pause()

    async def until(self, done: Callable[[], object]) -> None:
        """Wait until a condition holds, while bots may be searching."""
        end = asyncio.get_running_loop().time() + PATIENCE
        while not done():
            assert asyncio.get_running_loop().time() < end, "it never came to that"
            await asyncio.sleep(0.01)

    def shown(self) -> str:
        """The text on the screen."""
        strips = self.app.screen._compositor.render_strips(self.app.size)
        return "\n".join(strip.text.rstrip() for strip in strips)


@asynccontextmanager
async def open_app(
    folder: Path,
    session: Session | None = None,
    record: Record | None = None,
    size: tuple[int, int] = (80, 24),
    terminal: dict[str, str] | None = None,
) -> AsyncIterator[User]:
    """The app, open at its menu, a game or a replay, without animation; `terminal` overrides environment variables."""
    with mock.patch.dict(os.environ, {"TERM": "xterm-256color", "COLORTERM": "truecolor"} | (terminal or {})):
        app = RookeryApp(session, record, SaveStore(folder))
    app.animated = False
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield User(pilot)


def new_session(game: Game, seats: dict[int, Bot] | None = None, seed: int = 1) -> Session:
    """A session at the start of a game."""
    return Session(game.start(), seats or {}, seed)


def run(folder: Path, game: Game, play: Any, **arguments: Any) -> None:
    """Run `play` with a user in a game without bots."""

    async def session() -> None:
        async with open_app(folder, new_session(game), **arguments) as user:
            await play(user)

    asyncio.run(session())


def sidebar(shown: str) -> str:
    """The sidebar's part of the screen."""
    return "\n".join(line[55:] for line in shown.split("\n"))


def without_blanks(text: str) -> str:
    """A text without blanks, because lines may break at them."""
    return "".join(text.split())
