"""What an operator does with the database: back it up, restore it, change its key, run it on PostgreSQL, upgrade it."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text
from tests.page import fenced
from tests.programs import missing
from tests.web.arcade import Arcade, Refusal
from tests.web.postgres import Postgres, programs

import rookery.web
from rookery.web import repository
from rookery.web.database import FREED, compact
from rookery.web.domain import Seat, StoredGame
from rookery.web.identity import Identity
from rookery.web.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection


def rookery_command(*arguments: object, code: int = 0) -> str:
    """Run a command; return what it prints."""
    run = [sys.executable, "-m", "rookery", *map(str, arguments)]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def test_a_backup_under_play_has_what_was_acknowledged_and_can_be_restored(tmp_path: Path) -> None:
    arcade = Arcade(tmp_path / "arcade.db", "--db", f"sqlite:///{tmp_path / 'arcade.db'}")
    ada = arcade.person()
    info = ada.set_up("gaterun", "here", "here")
    ada.post(f"/api/games/{info['id']}/actions", {"action": "1,3"})
    backup, db = tmp_path / "backup.db", ("--db", arcade.database)
    told = rookery_command("backup", backup, *db)
    assert told == f"Copied {arcade.database} to {backup}: 1 game, checked.\n"
    assert backup.stat().st_mode & 0o777 == 0o600 and not (tmp_path / "backup.db-wal").exists()
    assert "exists; choose another name" in rookery_command("backup", backup, *db, code=2)
    ada.post(f"/api/games/{info['id']}/actions", {"action": "5,3"})
    assert "is using" in rookery_command("restore", backup, *db, code=2)
    arcade.end()
    told = rookery_command("restore", backup, *db)
    assert told.splitlines() == [
        f"Restored {arcade.database} from {backup}: 1 game, checked.",
        f"The database before is now {arcade.database}.before-1.",
    ]
    arcade.start()
    assert ada.get(f"/api/games/{info['id']}/record")["plies"] == ["1,3"]
    arcade.end()
    with closing(sqlite3.connect(f"{arcade.database}.before-1")) as kept:
        assert kept.execute("select name from plies order by number").fetchall() == [("1,3",), ("5,3",)]


def test_what_is_no_database_is_neither_copied_nor_restored(tmp_path: Path) -> None:
    junk, target = tmp_path / "junk.db", tmp_path / "target.db"
    junk.write_text("This is not a database, but it is quite long, longer than a header. " * 20)
    sqlite3.connect(tmp_path / "empty.db").close()
    for source in (junk, tmp_path / "empty.db", tmp_path / "nowhere.db", tmp_path):
        told = rookery_command("backup", target, "--db", source, code=2)
        assert told.startswith("rookery: ") and told.endswith(".\n") and told.count("\n") == 1
        assert rookery_command("restore", source, "--db", target, code=2).count("\n") == 1
        assert {path.name for path in tmp_path.iterdir()} == {"junk.db", "empty.db"}


@pytest.mark.parametrize(
    ("command", "program", "until"), [("backup", "pg_dump", " --file"), ("restore", "pg_restore", " --dbname")]
)
def test_for_postgresql_the_command_of_the_tutorial_is_named(
    tmp_path: Path, command: str, program: str, until: str
) -> None:
    told = rookery_command(command, tmp_path / "copy", "--db", "postgresql://127.0.0.1/x", code=2)
    (line,) = (each for each in shell_block(program).splitlines() if each.startswith(program))
    assert line.partition(until)[0] in told and str(tmp_path / "copy") in told and told.count("\n") == 1


def test_a_new_key_keeps_people_or_forgets_them(tmp_path: Path) -> None:
    file = tmp_path / "arcade.db"

    def keys() -> list[bytes]:
        store = Store(f"sqlite:///{file}")
        store.close()
        return store.keys

    first = keys()
    store = Store(f"sqlite:///{file}")
    assert "is using" in rookery_command("rekey", "--db", file, code=2)
    daily = store.daily_secret
    store.close()
    cookie = f"rookery={Identity(first).signed('ada')}"
    assert rookery_command("rekey", "--db", file) == "Cookies are signed with a new key.\n"
    assert len(keys()) == 2 and Identity(keys()).person_in(cookie) == "ada"
    assert Identity(keys()).signed("ada") != Identity(first).signed("ada")
    assert "invalid" in rookery_command("rekey", "--db", file, "--forget")
    assert len(keys()) == 1 and Identity(keys()).person_in(cookie) is None
    store = Store(f"sqlite:///{file}")
    assert store.daily_secret == daily, "the challenges of the day must stay the same"
    store.close()


OLD_GAME = """
    insert into games (id, game, options, seed, kind, owner, token, odds, listed, status, takebacks, result, created,
        changed)
    values (:id, 'gaterun', '{}', 0, 'game', 'ada', 't', 'ask', 0, 'over', 0, :result, 0, 0)
"""


def test_an_older_database_is_upgraded_with_its_results(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'old.db'}"
    engine = create_engine(url)
    config = Config()
    config.set_main_option("script_location", str(Path(rookery.web.__file__).parent / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    seats = {"a": ("ada", "bob"), "b": ("ada", None), "c": ("ada", "ada"), "d": ("ada", "bob")}
    winners = {"a": [1], "b": [2], "c": [1], "d": []}
    with engine.begin() as connection:
        for id, holders in seats.items():
            result = json.dumps({"winners": winners[id], "scores": [0, 0]})
            connection.execute(text(OLD_GAME), {"id": id, "result": result})
            for number, holder in enumerate(holders, start=1):
                row = {"id": id, "number": number, "holder": holder}
                connection.execute(
                    text("insert into seats values (:id, :number, 'person', :holder, '', null, null)"), row
                )
    engine.dispose()
    store = Store(url)
    found = asyncio.run(store.read(lambda connection: repository.statistics(connection, "ada", 1.0)))
    store.close()
    outcomes = {outcome: count for _, _, _, outcome, count in found}
    assert outcomes == {"won": 1, "lost": 1, None: 1, "drawn": 1}


# ── PostgreSQL ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_several_servers_use_one_postgresql_database(postgres: Postgres) -> None:
    url = postgres.database()
    stores = [Store(url), Store(url)]
    assert stores[0].keys == stores[1].keys and abs(stores[0].now() - stores[1].now()) < 0.2
    stored = StoredGame("one", "gaterun", {}, 0, "ada", [Seat(1, "person", holder="ada"), Seat(2, "bot", bot="3")])

    async def work() -> list[bool]:
        await stores[0].write(lambda connection: repository.add(connection, stored))

        def change(takebacks: int) -> Callable[[Connection], bool]:
            return lambda connection: repository.change(connection, "one", 0, takebacks=takebacks)

        changed = await asyncio.gather(*(store.write(change(number)) for number, store in enumerate(stores, start=1)))
        with stores[0].engine.connect() as connection:  # as if the connection of the other one were cut
            others = text(
                "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()"
            )
            connection.execute(others)
        assert await stores[1].write(lambda connection: repository.change(connection, "one", 1, takebacks=7))
        found = await stores[1].read(lambda connection: repository.load(connection, "one"))
        assert found is not None and (found.takebacks, found.version) == (7, 2)
        return changed

    assert sorted(asyncio.run(work())) == [False, True]
    for store in stores:
        store.close()


def test_games_are_played_on_postgresql(postgres: Postgres, tmp_path: Path) -> None:
    arcade = Arcade(tmp_path / "unused.db", "--db", postgres.database())
    ada = arcade.person()
    info = ada.set_up("gaterun", "here", "here")
    for action in ("1,3", "5,3"):
        ada.post(f"/api/games/{info['id']}/actions", {"action": action})
    with pytest.raises(Refusal):
        ada.get("/api/games/%00")
    arcade.end(kill=True)
    arcade.start()
    assert ada.get(f"/api/games/{info['id']}/record")["plies"] == ["1,3", "5,3"]
    assert ada.get("/api/me")["games"]["gaterun"]["played"] == 1
    arcade.end()
    assert arcade.log.read_text() == ""


TUTORIAL = Path(__file__).resolve().parent.parent.parent / "docs" / "start" / "operator.md"


def shell_block(word: str) -> str:
    """The one shell block of the tutorial with a word in it."""
    (found,) = (each.text for each in fenced(TUTORIAL.read_text(encoding="utf-8"), "bash") if word in each.text)
    return found


def test_postgresql_is_backed_up_under_play_and_restored_as_the_tutorial_says(
    postgres: Postgres, tmp_path: Path
) -> None:
    place = programs()
    if place is None or not all((place / name).exists() for name in ("pg_dump", "pg_restore", "createdb")):
        missing("there is no pg_dump")
    url = postgres.database()
    library_url = url.replace("+psycopg", "")
    server = library_url.rpartition("/")[0]
    restored = f"restored_{os.getpid()}"
    environment = {**os.environ, "PATH": f"{place}{os.pathsep}{os.environ['PATH']}", "DATABASE": library_url}
    environment |= {"SERVER": f"{server}/postgres", "RESTORED": f"{server}/{restored}"}
    run = {"env": environment, "cwd": tmp_path, "check": True}
    arcade = Arcade(tmp_path / "arcade.db", "--db", url)
    ada = arcade.person()
    id = ada.set_up("gaterun", "here", "here")["id"]
    ada.post(f"/api/games/{id}/actions", {"action": "1,3"})
    subprocess.run(["bash", "-e", "-c", shell_block("pg_dump")], **run)  # type: ignore[call-overload]
    ada.post(f"/api/games/{id}/actions", {"action": "5,3"})
    arcade.end()
    restore = shell_block("pg_restore")
    assert " restored\n" in restore
    subprocess.run(["bash", "-e", "-c", restore.replace(" restored\n", f" {restored}\n")], **run)  # type: ignore[call-overload]
    arcade = Arcade(tmp_path / "again.db", "--db", f"{server}/{restored}")
    ada.arcade = arcade
    assert ada.get(f"/api/games/{id}/record")["plies"] == ["1,3"]
    ada.post(f"/api/games/{id}/actions", {"action": "5,3"})
    arcade.end()
    assert arcade.log.read_text() == ""


def test_pages_are_given_back_by_the_hundred(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'arcade.db'}")
    fill(store, 100)
    asyncio.run(store.write(lambda connection: repository.delete_old_games(connection, 1e12, 10_000)))
    said: list[str] = []
    connection = store.engine.raw_connection()
    connection.driver_connection.set_trace_callback(said.append)  # type: ignore[union-attr]
    (free,) = connection.cursor().execute("PRAGMA freelist_count").fetchone()
    compact(connection)
    connection.close()
    store.close()
    assert free > 150 and sum("incremental_vacuum" in each for each in said) <= 1 + free // FREED


def test_an_sqlite_file_shrinks_when_games_are_deleted(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'arcade.db'}")
    fill(store, 400)
    before = sum(file.stat().st_size for file in tmp_path.glob("arcade.db*"))

    async def clean() -> None:
        await store.write(lambda connection: repository.delete_old_games(connection, 1e12, 10_000))
        await store.compact()

    asyncio.run(clean())
    after = sum(file.stat().st_size for file in tmp_path.glob("arcade.db*"))
    store.close()
    assert before > 2_000_000 and after < before / 8


def test_a_file_of_an_older_version_is_written_anew_once_it_is_mostly_free(tmp_path: Path) -> None:
    file = tmp_path / "arcade.db"
    with closing(sqlite3.connect(file)) as older:  # no auto_vacuum
        older.execute("CREATE TABLE filler (text TEXT)")
        older.executemany("INSERT INTO filler VALUES (?)", (("x" * 4000,) for _ in range(4000)))
        older.commit()
        older.execute("DROP TABLE filler")
        older.commit()
        assert older.execute("PRAGMA auto_vacuum").fetchone() == (0,)
    before = file.stat().st_size
    store = Store(f"sqlite:///{file}")
    fill(store, 1)
    store.close()
    with closing(sqlite3.connect(file)) as now:
        assert now.execute("PRAGMA auto_vacuum").fetchone() == (2,)
        assert now.execute("SELECT COUNT(*) FROM games").fetchone() == (1,)
    assert file.stat().st_size < before / 20


def fill(store: Store, count: int) -> None:
    """Store games with many plies."""

    def work(connection: Connection) -> None:
        for number in range(count):
            seats = [Seat(1, "person", "Ada", "ada"), Seat(2, "bot", bot="1")]
            more = {"options": {}, "seed": 1, "owner": "ada", "seats": seats, "plies": ["1,3"] * 200, "length": 200}
            repository.add(connection, StoredGame(id=f"game{number}", game="gaterun", **more))  # type: ignore[arg-type]

    asyncio.run(store.write(work))
