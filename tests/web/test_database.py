"""What an operator does with the database: back it up, restore it, change its key, run it on PostgreSQL, upgrade it."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text
from tests.web.arcade import Arcade, Refusal

import rookery.web
from rookery.core.errors import RookeryError
from rookery.web import repository
from rookery.web.domain import Seat, StoredGame
from rookery.web.identity import Identity
from rookery.web.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator


def rookery_command(*arguments: object, code: int = 0) -> str:
    """Run a command; return what it prints."""
    run = [sys.executable, "-m", "rookery", *map(str, arguments)]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def test_a_backup_under_play_has_what_was_acknowledged_and_can_be_restored(tmp_path: Path) -> None:
    arcade = Arcade(tmp_path / "arcade.db")
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
    assert "pg_dump" in rookery_command("backup", target, "--db", "postgresql://127.0.0.1/x", code=2)


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


def programs() -> Path | None:
    """The folder with PostgreSQL's programs, if they are installed."""
    found = shutil.which("initdb")
    places = [Path(found).resolve().parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return next(
        (place for place in reversed(places) if (place / "initdb").exists() and (place / "pg_ctl").exists()), None
    )


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a database on a PostgreSQL server of our own."""
    place = programs()
    if place is None:
        pytest.skip("PostgreSQL is not installed")
    pytest.importorskip("psycopg")
    folder = tmp_path_factory.mktemp("postgres")
    who: dict[str, Any] = {}
    if os.getuid() == 0:  # PostgreSQL does not run as root
        pwd = pytest.importorskip("pwd")
        try:
            account = pwd.getpwnam("postgres")
        except KeyError:
            pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
        who = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        os.chown(folder, account.pw_uid, account.pw_gid)
        for parent in folder.parents:
            if parent.owner() == "root" and parent != Path("/") and not parent.stat().st_mode & 0o001:
                parent.chmod(parent.stat().st_mode | 0o011)
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]

    def run(program: str, *arguments: str) -> None:
        call = [str(place / program), "-D", str(folder / "data"), *arguments]
        subprocess.run(call, check=True, stdout=subprocess.DEVNULL, cwd=folder, timeout=60, **who)

    run("initdb", "-U", "arcade", "-A", "trust", "--no-sync")
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off"
    run("pg_ctl", "-w", "-l", str(folder / "log"), "-o", options, "start")
    yield f"postgresql+psycopg://arcade@127.0.0.1:{port}/postgres"
    run("pg_ctl", "-m", "immediate", "-w", "stop")


def test_one_server_at_a_time_uses_a_postgresql_database(postgres: str) -> None:
    first = Store(postgres)
    with pytest.raises(RookeryError, match="another arcade is using it"):
        Store(postgres)
    stored = StoredGame("one", "gaterun", {}, 0, "ada", [Seat(1, "person", holder="ada"), Seat(2, "bot", bot="3")])

    async def work() -> Any:
        await first.write(lambda connection: repository.add(connection, stored))
        with first.engine.connect() as connection:  # as if the server of databases had ended the connection
            other = text("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'")
            connection.execute(other)
        for _ in range(20):
            try:
                await first.write(lambda connection: repository.change(connection, "one", takebacks=7))
                break
            except Exception:
                await asyncio.sleep(0.05)
        return await first.read(lambda connection: repository.load(connection, "one"))

    assert asyncio.run(work()).takebacks == 7
    with pytest.raises(RookeryError, match="another arcade is using it"):
        Store(postgres)
    first.close()
    Store(postgres).close()


def test_games_are_played_on_postgresql(postgres: str, tmp_path: Path) -> None:
    arcade = Arcade(tmp_path / "unused.db", "--db", postgres)
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
