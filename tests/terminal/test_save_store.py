"""Saved games and preferences: open games, finished games, and errors."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

from tests.terminal.driver import new_session, open_app, run

import rookery
from rookery.terminal.save_store import SaveStore
from rookery.terminal.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from tests.terminal.driver import User


def test_damaged_files_are_skipped(tmp_path: Path) -> None:
    store = SaveStore(tmp_path)
    (store.open_folder / "20260101-1-gaterun.json").write_text("{broken")
    store.games.write_text('nonsense\n{"game": 5}\n[]\n' + json.dumps({"rookery": 1}) + "\n")
    (tmp_path / "likes.json").write_text("[]")

    async def look() -> None:
        async with open_app(tmp_path) as user:
            await user.press("v")
            assert "No finished games yet." in user.shown()

    asyncio.run(look())


def test_a_game_finished_again_after_an_undo_is_saved_too(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        await user.press("down", "left", "down")
        assert user.play_screen.over
        await user.press("u")
        assert len(SaveStore(tmp_path).open_games()) == 1
        await user.press("left", "right", "right", "left", "down")
        assert user.play_screen.over
        assert SaveStore(tmp_path).open_games() == []
        assert len(SaveStore(tmp_path).finished_games()) == 2

    run(tmp_path, rookery.game("gaterun", size=3), play)


def test_a_resumed_game_draws_other_random_numbers_than_at_its_start(tmp_path: Path) -> None:
    session = new_session(rookery.game("sixseven"))
    session.play_chance()
    start = session.state.history
    again = Session.from_record(session.record())
    again.act(again.state.actions()[0])
    assert again.seed == session.seed
    assert again.state.history[3:5] != start[:2]


def test_the_game_played_last_is_never_deleted(tmp_path: Path) -> None:
    store, session = SaveStore(tmp_path), new_session(rookery.game("gaterun"))
    first = store.new_path(session)
    store.save_open(first, session)
    for _ in range(25):
        store.save_open(store.new_path(session), session)
        store.save_open(first, session)
    assert first.exists()
    assert len(store.open_games()) == 20


def test_a_game_finished_once_is_listed_once(tmp_path: Path) -> None:
    async def play(user: User) -> None:
        await user.press("down", "left", "down", "u", "r", "u", "r")
        assert user.play_screen.over
        assert len(SaveStore(tmp_path).finished_games()) == 1

    run(tmp_path, rookery.game("gaterun", size=3), play)


def test_a_failure_to_save_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = SaveStore(tmp_path / "file")
    assert store.warning() == f"Games are not saved: {tmp_path / 'file'} cannot be written (Not a directory)."
    session = new_session(rookery.game("gaterun"))
    store.save_open(store.new_path(session), session)
    assert store.warning() == ""
    assert store.error
    assert SaveStore(tmp_path).warning() == ""
