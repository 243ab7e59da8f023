"""The store: what it writes is there, together or not at all, and its tables are those the migrations make."""

from __future__ import annotations

import asyncio
import os
import secrets
import sqlite3
from contextlib import closing
from functools import partial
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, insert, select, text

from rookery.core.errors import RookeryError
from rookery.web import repository
from rookery.web.domain import Seat, StoredGame
from rookery.web.repository import Advance
from rookery.web.schema import metadata, people
from rookery.web.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(f"sqlite:///{tmp_path / 'store.db'}")
    yield made
    made.close()


def add(name: str) -> Any:
    return lambda connection: connection.execute(insert(people).values(id=name, name=name, created=0.0)) and name


def names(connection: Connection) -> set[str]:
    return set(connection.execute(select(people.c.name)).scalars())


def test_the_migrations_make_the_tables_that_the_code_knows(store: Store) -> None:
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_commit_is_on_the_disk_and_readers_do_not_wait(store: Store) -> None:
    with store.engine.connect() as connection:
        assert connection.execute(text("pragma journal_mode")).scalar() == "wal"
        assert connection.execute(text("pragma synchronous")).scalar() == 2


def test_what_is_written_together_is_there_and_one_failure_is_only_its_own(store: Store) -> None:
    async def work() -> list[Any]:
        jobs = [store.write(add(name)) for name in ("ann", "ben", "ann", "cid")]
        return await asyncio.gather(*jobs, return_exceptions=True)

    answers = asyncio.run(work())
    assert [answers[0], answers[1], answers[3]] == ["ann", "ben", "cid"]
    assert isinstance(answers[2], Exception)
    assert asyncio.run(store.read(names)) == {"ann", "ben", "cid"}


def test_writes_are_seen_by_others_once_they_are_acknowledged(store: Store, tmp_path: Path) -> None:
    async def work() -> None:
        for number in range(20):
            await store.write(add(f"person {number}"))
            with closing(sqlite3.connect(tmp_path / "store.db")) as other:
                assert other.execute("select count(*) from people").fetchone() == (number + 1,)

    asyncio.run(work())


def test_the_secret_is_made_once(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    found = []
    for _ in range(2):
        store = Store(url)
        found.append(store.keys[0])
        store.close()
    assert found[0] == found[1] and len(found[0]) == 32


@pytest.mark.parametrize("url", ["nonsense", "nonsense://x", "sqlite:////no/such/folder/x.db"])
def test_a_database_that_cannot_be_opened_is_named_in_a_sentence(url: str) -> None:
    with pytest.raises(RookeryError, match="database"):
        Store(url)


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ada, " * 1000)
    with pytest.raises(RookeryError, match="cannot be used"):
        Store(f"sqlite:///{file}")
    assert file.read_text().startswith("Dear Ada")


def test_two_servers_never_work_on_one_file(store: Store, tmp_path: Path) -> None:
    with pytest.raises(RookeryError, match="another arcade is using it"):
        Store(f"sqlite:///{tmp_path / 'store.db'}")


def test_a_second_name_of_the_same_file_is_no_way_around(store: Store, tmp_path: Path) -> None:
    (tmp_path / "other.db").symlink_to(tmp_path / "store.db")
    (tmp_path / "folder").symlink_to(tmp_path)
    for path in (tmp_path / "other.db", tmp_path / "folder" / "store.db"):
        with pytest.raises(RookeryError, match="another arcade is using it"):
            Store(f"sqlite:///{path}")


def test_nobody_else_can_read_the_database_and_its_secret(tmp_path: Path) -> None:
    """Whether it is made now, or was made by a version that let everybody read it."""
    file = tmp_path / "store.db"
    old = os.umask(0)
    try:
        for _ in range(2):
            store = Store(f"sqlite:///{file}")
            asyncio.run(store.write(add(secrets.token_hex(4))))
            modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
            store.close()
            assert set(modes.values()) == {0o600}, modes
            file.chmod(0o644)
    finally:
        os.umask(old)


def test_a_database_of_a_newer_version_is_refused_in_a_sentence(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    Store(url).close()
    with closing(sqlite3.connect(tmp_path / "store.db")) as database:
        database.execute("update alembic_version set version_num = '9999'")
        database.commit()
    with pytest.raises(RookeryError, match="was made by a newer version of Rookery"):
        Store(url)


def test_a_store_that_another_thread_closed_can_be_opened_again(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'store.db'}"
    first = Store(url)
    closing = Thread(target=first.close)
    closing.start()
    closing.join()
    Store(url).close()


def test_a_folder_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(RookeryError, match="there is no folder"):
        Store(f"sqlite:///{tmp_path / 'nowhere' / 'store.db'}")
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_of_actions_that_are_saved_together_only_those_of_changed_games_come_too_late(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    sqlite = f"sqlite:///{tmp_path / 'steps.db'}"
    store = Store(sqlite if database == "sqlite" else request.getfixturevalue("postgres").database())
    seat = Seat(1, "person", holder="ada")
    games = [StoredGame(f"game{number}", "sixseven", {}, 1, "ada", [seat]) for number in range(4)]
    held, begun = Event(), Event()

    def hold(_: Connection) -> None:
        begun.set()
        held.wait(20)

    async def play() -> list[bool]:
        for game in games:
            await store.write(partial(repository.add, stored=game))
        await store.write(lambda connection: repository.change(connection, "game2", 0, takebacks=1))
        first = asyncio.create_task(store.write(hold))
        await asyncio.to_thread(begun.wait, 20)  # so that the writer finds all actions at once
        advances = [Advance(game.id, 0, 5.0, None, 0, ["left", "2@1,1"]) for game in games]
        together = [asyncio.create_task(store.write(each, each.id)) for each in advances]
        await asyncio.sleep(0)
        held.set()
        await first
        return await asyncio.gather(*together)

    try:
        assert asyncio.run(play()) == [True, True, False, True]
        with store.engine.connect() as connection:
            loaded = [repository.load(connection, game.id) for game in games]
        assert [game and game.plies for game in loaded] == [["left", "2@1,1"]] * 2 + [[]] + [["left", "2@1,1"]]
        assert [game and (game.version, game.length, game.changed) for game in loaded[:2]] == [(1, 2, 5.0)] * 2
    finally:
        store.close()
