"""What is loaded: a database, one or more `rookery serve`, and nginx in front of them; and what each of them uses."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

import psutil  # type: ignore[import-untyped]
from tests.web.postgres import Postgres, free_port

if TYPE_CHECKING:
    from collections.abc import Iterable

PEOPLE = 2000
"""How many people may share an address: all clients have one."""
STARTING = 60.0
"""Seconds in which a program must have started."""


@dataclass(frozen=True)
class Plan:
    """Which programs there are."""

    database: str = "sqlite"
    servers: int = 0
    """Servers behind nginx; 0 for one without nginx."""
    workers: int = 1
    source: Path | None = None
    """The sources of another version."""
    more: tuple[str, ...] = ("--people-per-address", str(PEOPLE))
    """Further options of the servers."""

    def __str__(self) -> str:
        how = f"{self.servers} behind nginx" if self.servers else f"{self.workers} workers" if self.workers > 1 else "1"
        return f"{self.database}, servers: {how}"


class Part:
    """A program with all its processes."""

    def __init__(self, pid: int, *, shares: bool = False) -> None:
        self._root = psutil.Process(pid)
        self._shares = shares
        """Whether its processes share much memory, of which each counts its part."""

    def _processes(self) -> list[psutil.Process]:
        return [self._root, *self._root.children(recursive=True)]

    def cpu(self) -> float:
        """Seconds of processor time used so far, with that of processes that have ended."""
        used = 0.0
        for process in self._processes():
            with suppress(psutil.NoSuchProcess):
                used += sum(process.cpu_times()[:4])  # user, system, and those of children that have ended
        return used

    def memory(self) -> float:
        """Megabytes of memory in use."""
        used = 0
        for process in self._processes():
            with suppress(psutil.NoSuchProcess):
                used += process.memory_full_info().pss if self._shares else process.memory_info().rss
        return used / 1e6


class Installation:
    """The programs of a plan, with their files in a folder."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        self.plan, self.folder = plan, folder
        self.parts: dict[str, list[Part]] = {"servers": []}
        self._ending = ExitStack()
        self._logs: list[Path] = []

    def __enter__(self) -> Self:
        with ExitStack() as ending:
            self._ending = ending
            database = str(self.folder / "load.db")
            if self.plan.database == "postgres":
                postgres = Postgres(self.folder / "postgres", sync=True)
                ending.callback(postgres.stop, "immediate")
                database = postgres.database()
                self.parts["postgres"] = [Part(postgres.pid(), shares=True)]
            bases = [self._serve(database, number) for number in range(max(1, self.plan.servers))]
            self.base = self._nginx(bases) if self.plan.servers else bases[0]
            self._ending = ending.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.close()

    def cpu(self) -> dict[str, float]:
        return {name: sum(part.cpu() for part in parts) for name, parts in self.parts.items()}

    def memory(self) -> dict[str, float]:
        return {name: sum(part.memory() for part in parts) for name, parts in self.parts.items()}

    def complaints(self) -> list[str]:
        """What servers and nginx have written to their logs."""
        return [line for log in self._logs for line in log.read_text(errors="replace").splitlines()]

    def _start(self, name: str, command: list[str], source: Path | None = None) -> subprocess.Popen[str]:
        environment = os.environ | ({"PYTHONPATH": str(source)} if source else {})
        log = self.folder / f"{name}.log"
        self._logs.append(log)
        with log.open("w") as file:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=file, text=True, env=environment)
        self._ending.callback(_end, process)
        return process

    def _knows(self, flag: str) -> bool:
        """Whether the servers know a flag; older versions have no limits for addresses."""
        environment = os.environ | ({"PYTHONPATH": str(self.plan.source)} if self.plan.source else {})
        command = [sys.executable, "-m", "rookery", "serve", "--help"]
        return flag in subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    def _serve(self, database: str, number: int) -> str:
        """Start a server; return its address."""
        command = [sys.executable, "-m", "rookery", "serve", "--no-browser", "--port", "0", "--db", database]
        command += self.plan.more if self._knows("--people-per-address") else ()
        if self.plan.workers > 1:
            command += ["--workers", str(self.plan.workers)]
        if self.plan.servers:
            command += ["--trusted-proxy", "127.0.0.1"]
        process = self._start(f"server{number}", command, self.plan.source)
        self.parts["servers"].append(Part(process.pid))
        assert process.stdout is not None
        return process.stdout.readline().split()[-1].rstrip("/")

    def _nginx(self, bases: Iterable[str]) -> str:
        """Start nginx in front of some servers; return its address. It has no TLS, so that clients are cheap."""
        program = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
        if program is None:
            raise SystemExit("Several servers need nginx in front of them: install it.")
        port, file = free_port(), self.folder / "nginx.conf"
        upstream = "".join(f"server {base.removeprefix('http://')};\n" for base in bases)
        temporary = "".join(
            f"{each}_temp_path {self.folder / each};\n" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        user = "user root;\n" if os.getuid() == 0 else ""
        file.write_text(
            f"daemon off;\npid {self.folder / 'nginx.pid'};\nerror_log stderr warn;\n{user}"
            f"worker_processes 1;\nworker_rlimit_nofile {_files()};\nevents {{ worker_connections {_files()}; }}\n"
            f"http {{\naccess_log off;\n{temporary}upstream arcade {{\n{upstream}keepalive 32;\n}}\n{SITE}}}\n".replace(
                "PORT", str(port)
            )
        )
        process = self._start("nginx", [program, "-p", str(self.folder), "-e", "stderr", "-c", str(file)])
        self.parts["nginx"] = [Part(process.pid)]
        deadline = time.monotonic() + STARTING
        while not (self.folder / "nginx.pid").exists():
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit("\n".join(self.complaints()))
            time.sleep(0.05)
        return f"http://127.0.0.1:{port}"


SITE = """map $http_upgrade $connection_upgrade { default upgrade; "" ""; }
server {
    listen 127.0.0.1:PORT backlog=4096;
    location / {
        proxy_pass http://arcade;
        proxy_http_version 1.1;
        proxy_set_header Host $http_host;
        proxy_set_header X-Forwarded-For $remote_addr;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $connection_upgrade;
        proxy_read_timeout 1h;
    }
}
"""


def _files() -> int:
    """How many files a process may have open."""
    import resource

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return min(hard, 65_536) if hard > 0 else 65_536


def _end(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
