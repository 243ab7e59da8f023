"""Bots in the background: they move, give hints, and never block the user."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.terminal.driver import new_session, open_app, run, sidebar

import rookery
from rookery.core.bot import Analysis, Candidate, make_bot
from rookery.terminal.menu import Menu
from rookery.terminal.play_text import hint_text

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.driver import User


def test_the_user_can_undo_or_leave_while_a_bot_searches(tmp_path: Path) -> None:
    async def play() -> None:
        game = rookery.game("gaterun")
        async with open_app(tmp_path, new_session(game, {2: make_bot(game, "alphabeta:ms=20000")})) as user:
            await user.wait_for_turn()
            user.app.simulate_key("down")  # a pilot's press would wait a second for the search to end
            await user.until(lambda: user.play_screen.bot_tasks.tokens)
            assert not user.play_screen.session.person_to_move
            user.app.simulate_key("u")
            await user.until(lambda: user.play_screen.session.person_to_move)
            assert user.play_screen.session.state.history == ()
            user.app.simulate_key("right")
            await user.until(lambda: user.play_screen.bot_tasks.tokens)
            user.app.simulate_key("escape")
            await user.until(lambda: isinstance(user.app.screen, Menu))
            await user.pilot.pause()
            assert isinstance(user.app.screen, Menu)
            assert "Resume GateRun" in user.shown()

    asyncio.run(play())


def test_a_hint_says_what_a_bot_would_do_and_marks_it(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        await user.press("h")
        await user.wait(lambda: user.play_screen.advice.plain)
        assert user.play_screen.advice.plain.startswith("Hint: ")
        assert user.play_screen.board.hinted
        await user.press("right")
        assert not user.play_screen.advice.plain

    run(tmp_path, rookery.game("gaterun", size=5), play)


def test_a_hint_is_cancelled_by_a_move(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        user.app.simulate_key("h")  # a pilot's press would wait until the search ends
        await user.until(lambda: "hint" in user.play_screen.bot_tasks.tokens)
        first = user.play_screen.bot_tasks.tokens["hint"]
        user.app.simulate_key("h")
        await user.until(lambda: user.play_screen.bot_tasks.tokens.get("hint") not in (None, first))
        second = user.play_screen.bot_tasks.tokens["hint"]
        assert first.cancelled and not second.cancelled
        user.app.simulate_key("down")
        await user.until(lambda: user.play_screen.session.state.history)
        assert second.cancelled and not user.play_screen.bot_tasks.tokens
        await user.pilot.pause(1.5)
        assert not user.play_screen.advice.plain
        await user.press("h")
        await user.until(lambda: user.play_screen.advice.plain)
        assert not user.play_screen.bot_tasks.tokens

    run(tmp_path, rookery.game("gaterun"), play)


def test_a_note_disappears_with_the_next_move(tmp_path: Path) -> None:
    async def play() -> None:
        game = rookery.game("gaterun")
        async with open_app(tmp_path, new_session(game, {2: make_bot(game, "alphabeta:ms=1500")})) as user:
            await user.wait_for_turn()
            user.app.simulate_key("down")
            await user.until(lambda: user.play_screen.bot_tasks.tokens)
            user.app.simulate_key("h")
            await user.until(lambda: user.play_screen.note == "There is no move to suggest now.")
            await user.wait_for_turn()
            assert user.play_screen.note == ""

    asyncio.run(play())


def test_the_moves_of_a_hint_are_not_wrapped(tmp_path: Path) -> None:
    def candidate(number: int) -> Candidate:
        return Candidate(11 * number, f"m {number} {number}", 1.0 - number / 10)

    async def play(user: User) -> None:
        moves = tuple(map(candidate, range(6)))
        analysis = Analysis(1.0, ("m 0 0", "m 9 9"), moves, 1)
        width = user.play_screen.query_one("#message").size.width - 1
        user.play_screen.advice = hint_text(user.play_screen.game, analysis, "points", user.play_screen.palette, width)
        user.play_screen._show_side()
        await user.pilot.pause()
        lines = [line.strip() for line in sidebar(user.shown()).split("\n")]
        assert "Hint: take a1" in lines and "1 point" in lines and "then take j10" in lines
        assert "take b2 0.9" in lines and "take c3 0.8" in lines and "take f6 0.5" in lines

    run(tmp_path, rookery.game("gamma"), play)
