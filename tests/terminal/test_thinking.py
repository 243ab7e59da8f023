"""Bots beside the table: they think, they advise, and nobody has to wait for them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.terminal.house import beside, opened, run, sat

import rookery
from rookery.core.bot import Analysis, Candidate, make_bot
from rookery.terminal.menu import Menu

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.house import Guest


def test_a_bot_thinks_while_the_table_can_be_left_or_taken_back(tmp_path: Path) -> None:
    async def play() -> None:
        game = rookery.game("gaterun")
        async with opened(tmp_path, sat(game, {2: make_bot(game, "alphabeta:ms=20000")})) as guest:
            await guest.wait_for_me()
            await guest.press("down")
            await guest.wait(lambda: guest.table.thinking.tokens)
            assert not guest.table.sitting.persons
            await guest.press("u")
            assert guest.table.sitting.persons
            assert guest.table.sitting.state.history == ()
            await guest.press("right")
            await guest.wait(lambda: guest.table.thinking.tokens)
            await guest.press("escape")
            assert isinstance(guest.house.screen, Menu)
            assert "Go on with GateRun" in guest.shown()

    asyncio.run(play())


def test_a_hint_says_what_a_bot_would_do_and_marks_it(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        await guest.press("h")
        await guest.wait(lambda: guest.table.advice.plain)
        assert guest.table.advice.plain.startswith("Hint: ")
        assert guest.table.board.advised
        await guest.press("right")
        assert not guest.table.advice.plain

    run(tmp_path, rookery.game("gaterun", size=5), play)


def test_a_hint_is_forgotten_when_something_else_happens(tmp_path: Path) -> None:
    async def play(guest: Guest) -> None:
        guest.house.simulate_key("h")  # a pilot's press would wait until nobody thinks any more
        await guest.until(lambda: "hint" in guest.table.thinking.tokens)
        first = guest.table.thinking.tokens["hint"]
        guest.house.simulate_key("h")
        await guest.until(lambda: guest.table.thinking.tokens.get("hint") not in (None, first))
        second = guest.table.thinking.tokens["hint"]
        assert first.cancelled and not second.cancelled
        guest.house.simulate_key("down")
        await guest.until(lambda: guest.table.sitting.state.history)
        assert second.cancelled and not guest.table.thinking.tokens
        await guest.pilot.pause(1.5)
        assert not guest.table.advice.plain
        await guest.press("h")
        await guest.until(lambda: guest.table.advice.plain)
        assert not guest.table.thinking.tokens

    run(tmp_path, rookery.game("gaterun"), play)


def test_a_notice_goes_with_the_move_it_was_about(tmp_path: Path) -> None:
    async def play() -> None:
        game = rookery.game("gaterun")
        async with opened(tmp_path, sat(game, {2: make_bot(game, "alphabeta:ms=1500")})) as guest:
            await guest.wait_for_me()
            guest.house.simulate_key("down")
            await guest.until(lambda: guest.table.thinking.tokens)
            guest.house.simulate_key("h")
            await guest.until(lambda: guest.table.note == "There is nothing to decide for you now.")
            await guest.wait_for_me()
            assert guest.table.note == ""

    asyncio.run(play())


def test_the_moves_of_a_hint_are_not_broken(tmp_path: Path) -> None:
    def candidate(number: int) -> Candidate:
        return Candidate(number, f"m {number} {number}", 1.0 - number / 10)

    async def play(guest: Guest) -> None:
        moves = tuple(map(candidate, range(6)))
        guest.table.advice = guest.table._advice(Analysis(1.0, ("m 0 0", "m 9 9"), moves, 1), "points")
        guest.table._show_side()
        await guest.pilot.pause()
        lines = [line.strip() for line in beside(guest.shown()).split("\n")]
        assert "Hint: m 0 0" in lines and "1 point" in lines and "then m 9 9" in lines
        assert "m 1 1 0.9  m 2 2 0.8" in lines and "m 5 5 0.5" in lines

    run(tmp_path, rookery.game("gamma"), play)
