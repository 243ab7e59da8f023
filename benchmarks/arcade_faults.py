"""Let everything fail under play, again and again: servers, PostgreSQL, the network, the disk, the clocks of machines.

    python -m benchmarks.arcade_faults [--workers-killed 100] [--postgres-killed 20] [--all 3] [--servers 4]

Starts a real PostgreSQL, servers on it, and client processes whose people play all four games, and then kills and
hinders what it is told to, at random moments. Afterwards every acknowledged action must be in the record at its place,
once; no other action of a person may be there; what anybody was shown must be there too; records must follow the rules,
chance included; and all servers must tell the same. Prints what was found as JSON.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack, suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import httpx
import psycopg
from benchmarks.arcade_fleet import Fleet, Server
from benchmarks.arcade_people import people
from sqlalchemy import text
from tests.web.network import Network
from tests.web.postgres import Postgres, free_port

from rookery.core.lesson import chance_stream
from rookery.core.rules import CHANCE
from rookery.games import record as load_record
from rookery.web import repository
from rookery.web.database import engine_of

EXPECTED = re.compile(r"[Tt]ry again|moved on|The game is over|come back|server is stopping")
"""What may be said when something fails."""
KILLERS = 2
"""Servers that are killed and started at the same time."""
COMPARED = 400
"""Games of which all servers are asked."""


class Campaign:
    """Servers, their database, and what can be done to them."""

    def __init__(self, folder: Path, servers: int, seed: int, *, small_disk: bool) -> None:
        self.random = random.Random(seed)
        self.folder, self.done = folder, Counter[str]()
        self._closing = ExitStack()
        self.disk = self._disk() if small_disk else None
        self.postgres = Postgres((self.disk or folder) / "postgres", sync=True, max_wal_size="64MB")
        self._closing.callback(self._end_postgres)
        self.database = self.postgres.database()
        self.fleet = Fleet()
        self._closing.callback(self.fleet.end)
        self.networks = [Network(self.postgres.port) for _ in range(servers)]
        self.servers = [
            Server(self.fleet, network.url(self.database), free_port(), folder) for network in self.networks
        ]
        self.busy = threading.Lock()
        """Held while PostgreSQL is made to fail."""
        self.picking = threading.Lock()
        self.down: list[Server] = []
        """The servers that are being killed and started; while some are, others serve."""
        for server in self.servers:
            server.start()

    def close(self) -> None:
        self._closing.close()

    def _end_postgres(self) -> None:
        with suppress(subprocess.CalledProcessError):
            self.postgres.stop("immediate")

    def _disk(self) -> Path | None:
        """A small file system of its own, if one can be mounted."""
        place = self.folder / "disk"
        place.mkdir()
        mount = shutil.which("mount")
        command = [mount, "-t", "tmpfs", "-o", "size=400m,mode=755", "none", str(place)] if mount else ["false"]
        made = subprocess.run(command, check=False)
        if made.returncode:
            return None
        self._closing.callback(lambda: subprocess.run([shutil.which("umount") or "false", "-l", place], check=False))
        return place

    # ── faults ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def kill_worker(self) -> None:
        with self.picking:
            server = self.random.choice([each for each in self.servers if each not in self.down])
            self.down.append(server)
        server.kill()
        started = server.start()
        self.down.remove(server)
        if not started:
            raise TimeoutError("a server does not start any more")

    def kill_postgres(self) -> None:
        self.postgres.kill()
        time.sleep(self.random.uniform(0, 1))
        self.postgres.start()

    def restart_fast(self) -> None:
        self.postgres.stop("fast")
        self.postgres.start()

    def restart_immediate(self) -> None:
        self.postgres.stop("immediate")
        self.postgres.start()

    def stop_worker(self) -> None:
        """Let a server stand still for some seconds; what it believes then is wrong."""
        server = self.random.choice(self.servers)
        server.signal(signal.SIGSTOP)
        time.sleep(self.random.uniform(1, 8))
        server.signal(signal.SIGCONT)

    def cut_network(self) -> None:
        network = self.random.choice(self.networks)
        network.cut()
        time.sleep(self.random.uniform(0, 4))
        network.mend()

    def slow_network(self) -> None:
        network = self.random.choice(self.networks)
        network.delay = self.random.uniform(0.02, 0.4)
        time.sleep(self.random.uniform(2, 5))
        network.mend()

    def stall_network(self) -> None:
        network = self.random.choice(self.networks)
        network.stalled = True
        time.sleep(self.random.uniform(1, 10))
        if self.random.random() < 0.5:
            network.cut()
        network.mend()

    def lose_answer(self) -> None:
        """Lose the answer to a COMMIT."""
        network = self.random.choice(self.networks)
        network.lose = b"INSERT INTO plies"
        network.disconnect()  # new connections have no prepared statements, whose text is not sent again
        time.sleep(self.random.uniform(1, 2))
        network.mend()

    def take_connections(self) -> None:
        """Hold all connections that PostgreSQL has, while a network is cut so that they are needed."""
        held: list[psycopg.Connection[Any]] = []
        address = self.database.replace("+psycopg", "")
        with suppress(psycopg.OperationalError):
            while len(held) < 200:
                held.append(psycopg.connect(address))
        self.cut_network()
        with suppress(psycopg.OperationalError):
            while len(held) < 200:
                held.append(psycopg.connect(address))
        time.sleep(self.random.uniform(1, 4))
        for connection in held:
            connection.close()

    def fill_disk(self) -> None:
        """Leave PostgreSQL no room for some seconds."""
        if self.disk is None:
            return
        filler = self.disk / "filler"
        with suppress(OSError), filler.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 16))
        time.sleep(self.random.uniform(2, 4))
        filler.unlink()
        self._revive()

    def jump_clock(self) -> None:
        """Set the wall clock of a server wrong by days."""
        self.random.choice(self.servers).signal(signal.SIGUSR1)

    def _revive(self) -> None:
        """Start PostgreSQL if it has given up."""
        with suppress(Exception):
            psycopg.connect(self.database.replace("+psycopg", ""), connect_timeout=3).close()
            return
        with suppress(subprocess.CalledProcessError):
            self.postgres.start()


DATABASE = ("kill_postgres", "restart_fast", "restart_immediate", "fill_disk")
OTHERS = ("stop_worker", "cut_network", "slow_network", "stall_network", "lose_answer", "take_connections")


class Log:
    """What the people wrote down, read as it grows."""

    def __init__(self, files: list[Path]) -> None:
        self._files = dict.fromkeys(files, 0)
        self._lock = threading.Lock()
        self.acknowledged: dict[str, dict[int, str]] = {}
        self.sent: dict[str, set[tuple[int, str]]] = {}
        self.shown: dict[str, list[list[str]]] = {}
        self.waits: dict[str, list[float]] = {}
        self.refused: Counter[str] = Counter()
        self.forked: list[Any] = []

    def read(self) -> list[tuple[str, int, str]]:
        """Read on; return what was newly acknowledged."""
        new = []
        with self._lock:
            for file, at in self._files.items():
                with suppress(FileNotFoundError), file.open("rb") as source:
                    source.seek(at)
                    lines = [line for line in source.read().splitlines(keepends=True) if line.endswith(b"\n")]
                    self._files[file] += sum(map(len, lines))
                    for line in lines:
                        what, *rest = json.loads(line)
                        self._take(what, rest)
                        if what == "ack":
                            new.append((rest[0], rest[1], rest[2]))
        return new

    def _take(self, what: str, rest: list[Any]) -> None:
        match what:
            case "ack":
                known = self.acknowledged.setdefault(rest[0], {})
                if known.setdefault(rest[1], rest[2]) != rest[2]:
                    self.forked.append(rest)
            case "sent":
                self.sent.setdefault(rest[0], set()).add((rest[1], rest[2]))
            case "shown":
                self.shown.setdefault(rest[0], []).append(rest[1])
            case "wait":
                self.waits.setdefault(rest[0], []).append(rest[1])
            case "refused":
                self.refused[re.sub(r"\d+", "…", f"{rest[0]} {rest[1]}")] += 1
            case "forked":
                self.forked.append(rest)

    def count(self) -> int:
        return sum(map(len, self.acknowledged.values()))


def missing(campaign: Campaign, some: list[tuple[str, int, str]]) -> list[Any]:
    """What of some acknowledged actions is not in the database at its place."""
    query = """select a.* from unnest(%s::text[], %s::int[], %s::text[]) as a(game, ply, action)
               left join plies p on p.game_id = a.game and p.number = a.ply and p.name = a.action
               where p.name is null"""
    with psycopg.connect(campaign.database.replace("+psycopg", ""), connect_timeout=5) as connection:
        return connection.execute(query, [list(column) for column in zip(*some, strict=True)]).fetchall()


class Judge:
    """Compares the records with what people were told."""

    def __init__(self, campaign: Campaign, log: Log) -> None:
        self.campaign, self.log = campaign, log
        self.lost: list[Any] = []
        self.doubled: list[Any] = []
        self.forked: list[Any] = list(log.forked)
        self.broken: list[Any] = []

    def judge(self) -> None:
        """Judge all games."""
        engine = engine_of(self.campaign.database)
        with engine.connect() as connection:
            gaps = "select game_id from plies group by game_id having count(*) <> max(number) + 1 or min(number) <> 0"
            self.broken += [f"gap in {id}" for id in connection.execute(text(gaps)).scalars()]
            for id in set(self.log.sent) | set(self.log.acknowledged):
                stored = repository.load(connection, id)
                if stored is None:
                    self.lost.append(id)
                    continue
                try:
                    self._judge_game(stored)
                except Exception as problem:
                    self.broken.append(f"{id}: {problem!r}")
        engine.dispose()
        self._compare_servers()

    def _judge_game(self, stored: Any) -> None:
        id, plies = stored.id, stored.plies
        for ply, action in self.log.acknowledged.get(id, {}).items():
            if ply >= len(plies) or plies[ply] != action:
                self.lost.append([id, ply, action, plies[ply : ply + 1]])
        for shown in self.log.shown.get(id, ()):
            if plies[: len(shown)] != shown:
                self.forked.append([id, "shown", len(shown), len(plies)])
        record = load_record(stored.record().line())
        people = {seat.number for seat in stored.seats if seat.kind == "person"}
        for ply, (state, action) in enumerate(zip(record.states(), list(plies), strict=False)):
            if state.turn == CHANCE and record.game.action(action) != state.draw(chance_stream(stored.seed, ply)):
                self.broken.append(f"{id}: chance at ply {ply}")
            if state.turn in people and (ply, action) not in self.log.sent.get(id, ()):
                self.doubled.append([id, ply, action])

    def _compare_servers(self) -> None:
        """What all servers tell of some games, open ones first."""
        ids = list(self.log.sent)[-COMPARED:]
        told: dict[str, set[str]] = {}
        for server in self.campaign.servers:
            with httpx.Client(base_url=server.base, timeout=30) as client:
                for id in ids:
                    told.setdefault(id, set()).add(client.get(f"/api/games/{id}/record").text)
        self.forked += [[id, "servers differ"] for id, answers in told.items() if len(answers) != 1]


def run(given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Run a campaign."""
    campaign = Campaign(folder, given.servers, given.seed, small_disk=given.disk_full > 0)
    stop, logs = folder / "stop", [folder / f"people {k}" for k in range(given.clients)]
    bases = [server.base for server in campaign.servers]
    context = get_context("spawn")
    clients = [
        context.Process(target=people, args=(range(k, given.tables, given.clients), bases, stop, log), daemon=True)
        for k, log in enumerate(logs)
    ]
    log, began = Log(logs), time.monotonic()
    problems: list[str] = []
    until = began + given.minutes * 60
    try:
        for client in clients:
            client.start()
        while log.read() == [] and time.monotonic() < began + 60:
            time.sleep(0.1)
        lanes = [
            threading.Thread(target=_work, args=(campaign, lane, until, log, given.gap, problems))
            for lane in _plan(campaign, given)
        ]
        for lane in lanes:
            lane.start()
        while any(lane.is_alive() for lane in lanes):
            _look(campaign, log, problems)
            time.sleep(1)
        campaign._revive()
        time.sleep(given.settle)
        stop.touch()
        for client in clients:
            client.join(60)
        log.read()
        judge = Judge(campaign, log)
        judge.judge()
        return _report(campaign, log, judge, problems, time.monotonic() - began)
    finally:
        for client in clients:
            if client.is_alive():
                client.kill()
        campaign.close()


def _plan(campaign: Campaign, given: argparse.Namespace) -> list[list[str]]:
    """The faults of each lane: kills of servers, faults of PostgreSQL, and others go on side by side."""
    counts = {name: getattr(given, name) for name in ("kill_postgres", "fill_disk", *OTHERS)}
    counts |= {"restart_fast": given.restarts, "restart_immediate": given.restarts, "jump_clock": given.jumps}
    plan = [
        *(["kill_worker"] * len(range(k, given.kill_worker, KILLERS)) for k in range(KILLERS)),
        [name for name in DATABASE for _ in range(counts[name])],
        [name for name in (*OTHERS, "jump_clock") for _ in range(counts[name])],
    ]
    for lane in plan:
        campaign.random.shuffle(lane)
    return plan


def _work(campaign: Campaign, lane: list[str], until: float, log: Log, gap: float, problems: list[str]) -> None:
    """Do the faults of a lane, with some play between them."""
    for fault in lane:
        time.sleep(campaign.random.uniform(0.2, 1.8) * gap)
        if time.monotonic() > until:
            return
        try:
            if fault in DATABASE:
                with campaign.busy:
                    getattr(campaign, fault)()
            else:
                getattr(campaign, fault)()
            campaign.done[fault] += 1
        except Exception as problem:
            problems.append(f"{fault}: {problem!r}")


def _look(campaign: Campaign, log: Log, problems: list[str]) -> None:
    """Look whether what was acknowledged lately is there, while PostgreSQL works."""
    new = log.read()
    if new and campaign.busy.acquire(timeout=10):
        try:
            problems += [f"missing: {each}" for each in missing(campaign, new)]
        except psycopg.OperationalError:  # no connection is left; the judge looks again
            pass
        finally:
            campaign.busy.release()
    if sys.stderr.isatty():
        print(f"\r{campaign.done.total()} faults, {log.count()} actions ", end="", file=sys.stderr, flush=True)


def _report(campaign: Campaign, log: Log, judge: Judge, problems: list[str], seconds: float) -> dict[str, Any]:
    noise: Counter[str] = Counter()
    for server in campaign.servers:
        for line in server.log.read_text().splitlines():
            noise[re.sub(r"\d+|\b[a-z2-9]{10}\b", "…", line)[:100]] += 1
    return {
        "seconds": round(seconds),
        "faults": dict(sorted(campaign.done.items())),
        "games": len(log.sent),
        "acknowledged": log.count(),
        "lost": len(judge.lost),
        "doubled": len(judge.doubled),
        "forked": len(judge.forked),
        "broken_records": len(judge.broken),
        "waits": {kind: _waits(times) for kind, times in sorted(log.waits.items())},
        "refused": {why: count for why, count in log.refused.most_common() if EXPECTED.search(why)},
        "other_errors": {why: count for why, count in log.refused.most_common() if not EXPECTED.search(why)},
        "campaign_problems": [len(problems), problems[:5]],
        "first": [judge.lost[:3], judge.doubled[:3], judge.forked[:3], judge.broken[:3]],
        "server_logs": dict(noise.most_common(25)),
    }


def _waits(times: list[float]) -> dict[str, float]:
    """Percentiles in seconds."""
    times = sorted(times)
    shares = {f"p{share}": times[int(len(times) * share / 100)] for share in (50, 95, 99)}
    return {"count": len(times)} | {name: round(s, 3) for name, s in (shares | {"worst": times[-1]}).items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers-killed", dest="kill_worker", type=int, default=100)
    parser.add_argument("--postgres-killed", dest="kill_postgres", type=int, default=20)
    parser.add_argument("--restarts", type=int, help="of PostgreSQL, fast and immediate")
    parser.add_argument("--disk-full", type=int)
    parser.add_argument("--jumps", type=int, help="of wall clocks")
    for name in OTHERS:
        parser.add_argument(f"--{name.replace('_', '-')}", dest=name, type=int)
    parser.add_argument("--all", type=int, default=3, help="how often every other fault happens")
    parser.add_argument("--gap", type=float, default=1.0, help="mean seconds between two faults of a lane")
    parser.add_argument("--settle", type=float, default=20.0, help="seconds of undisturbed play at the end")
    parser.add_argument("--minutes", type=float, default=35.0, help="after which no fault begins")
    parser.add_argument("--servers", type=int, default=4)
    parser.add_argument("--clients", type=int, default=2)
    parser.add_argument("--tables", type=int, default=16)
    parser.add_argument("--seed", type=int, default=67)
    given = parser.parse_args()
    for name in ("restarts", "disk_full", "jumps", *OTHERS):
        if getattr(given, name) is None:
            setattr(given, name, given.all)
    given.fill_disk = given.disk_full
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(run(given, Path(folder)), indent=2))


if __name__ == "__main__":
    main()
