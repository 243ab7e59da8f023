"""Attacks on a server while somebody plays: what does the player notice, and what does it cost the server?

    python benchmarks/arcade_abuse.py [--seconds 15] [--only bots pings …] [--workers 3] [--json FILE]

Starts a real server on a database file of its own, or several workers on a PostgreSQL of their own. A well-behaved
player at 127.0.0.2 plays GateRun against a level 3 bot, first undisturbed, then during each attack, which comes from
127.0.0.1. For each the table has the 99th percentiles of the times until a move is acknowledged and until the bot has
replied, what the server's memory and its files grew by, how many seconds after the attack replies were as quick as
before, and what the attackers were told. All attacks are bounded, and everything is on this machine.
"""

from __future__ import annotations

import argparse
import json
import logging
import multiprocessing
import random
import socket
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep, time
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx
import psutil  # type: ignore[import-untyped]
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # for `tests`, however this is run

from sqlalchemy import insert
from tests.web.postgres import Postgres

import rookery
from rookery.core.record import Record
from rookery.core.rules import CHANCE
from rookery.web.database import engine_of
from rookery.web.domain import StoredGame
from rookery.web.schema import games, seats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.synchronize import Event

PLAYER, ATTACKER = "127.0.0.2", "127.0.0.1"
PAUSE = 0.1
"""Seconds between the player's moves."""
MANY_GAMES = 20_000


class Visitor:
    """Somebody who calls the server from an address, and keeps the cookie."""

    def __init__(self, port: int, address: str = ATTACKER, **headers: str) -> None:
        self.port, self.address = port, address
        transport = httpx.HTTPTransport(local_address=address, verify=False)  # no TLS here
        self.client = httpx.Client(
            base_url=f"http://127.0.0.1:{port}", transport=transport, timeout=30, headers=headers
        )

    def ask(self, method: str, path: str, content: Any = None) -> httpx.Response:
        return self.client.request(method, path, json=content)

    def set_up(self, game: str, *seats: str, **more: Any) -> httpx.Response:
        chosen = [{"kind": each} if each in ("here", "invite") else {"kind": "bot", "bot": each} for each in seats]
        return self.ask("POST", "/api/games", {"game": game, "seats": chosen, **more})

    def watch(self, id: str) -> ClientConnection:
        """The WebSocket of a game."""
        connection = socket.create_connection(("127.0.0.1", self.port), source_address=(self.address, 0), timeout=30)
        cookie = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        address = f"ws://127.0.0.1:{self.port}/ws/games/{id}"
        headers = {"Cookie": cookie} if cookie else {}
        opened = connect(address, sock=connection, additional_headers=headers, compression=None, max_size=None)
        return opened.__enter__()


# ── the player ────────────────────────────────────────────────────────────────────────────────────────────────────────


class Player:
    """Plays against a level 3 bot, and notes how long everything took."""

    def __init__(self, port: int) -> None:
        self.visitor = Visitor(port, PLAYER)
        self.random = random.Random(67)
        self.new_game()

    def new_game(self) -> None:
        self.socket = self.visitor.watch(self.visitor.set_up("gaterun", "here", "3").json()["id"])
        self.ply, self.mine, self.choices = 0, False, list[str]()
        self._until_turn()

    def _hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.recv(60))
        if message["is"] == "scene":
            self.ply, self.mine = message["ply"], message["mine"]
            self.choices = [choice["action"] for choice in message["scene"]["choices"]]
            self.over = message["scene"]["turn"] == 0 or (not self.mine and not message["thinking"])
        return message

    def _until_turn(self) -> None:
        self.over = False
        while not self.mine and not self.over:
            self._hear()

    def move(self) -> tuple[float, float]:
        """Make a move: the seconds until it is acknowledged, and until the bot has replied."""
        if self.over:
            self.socket.close()
            self.new_game()
        began = monotonic()
        self.socket.send(
            json.dumps({"do": "play", "ref": 1, "action": self.random.choice(self.choices), "ply": self.ply})
        )
        before = self.ply
        while self._hear().get("ref") != 1:
            pass
        acknowledged = monotonic() - began
        while self.ply <= before or not (self.mine or self.over):
            self._hear()
        return acknowledged, monotonic() - began

    def play(self, seconds: float) -> tuple[list[float], list[float]]:
        """The times of all moves and replies within some seconds."""
        moves, replies, end = [], [], monotonic() + seconds
        while monotonic() < end:
            move, reply = self.move()
            moves.append(move)
            replies.append(reply)
            sleep(PAUSE)
        return moves, replies


# ── attacks: each runs in a process of its own until it is told to stop, and says what it was told ────────────────────


def budgets(port: int, stop: Event, told: Counter[str]) -> None:
    """Bots with any budget: those refused cost nothing, those allowed think as long as they may."""
    for number in range(60):
        visitor = Visitor(port)
        for spec in ("planner:nodes=9007199254740992", "greedy:nodes=9007199254740992", "planner:nodes=2000000"):
            answer = visitor.set_up("gotham", spec)
            told[f"{spec.partition('=')[2]} nodes: {answer.status_code}"] += 1
            if answer.status_code < 400:
                with suppress(OSError, WebSocketException):
                    OPEN.append(visitor.watch(answer.json()["id"]))
        if stop.wait(0.05) or number > 40:
            break
    stop.wait()


def bots(port: int, stop: Event, told: Counter[str]) -> None:
    """Twenty games of eight players with seven bots that think for five seconds."""
    for _ in range(20):
        visitor = Visitor(port)
        answer = visitor.set_up("gamma", "here", *["mcts:ms=5000"] * 7, options={"players": 8})
        told[f"games: {answer.status_code}"] += 1
        if answer.status_code < 400:
            visitor.ask("POST", f"/api/games/{answer.json()['id']}/actions", {"action": "m 0 0"})
    stop.wait()


def hints(port: int, stop: Event, told: Counter[str]) -> None:
    """Twenty viewers who ask for one analysis after the other."""
    sockets = []
    for _ in range(20):
        visitor = Visitor(port)
        sockets.append(visitor.watch(visitor.set_up("gaterun", "here", "here").json()["id"]))
    while not stop.is_set():
        for each in sockets:
            with suppress(WebSocketException, OSError):
                each.send('{"do": "analyse", "ref": 1}')
                told["asked"] += 1
        sleep(0.05)


def headers(port: int, stop: Event, told: Counter[str]) -> None:
    """Header values of 60 MB that do not end, one after the other."""
    while not stop.is_set():
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
            for _ in range(960):
                connection.sendall(b"x" * 65_536)
                told["64 KiB taken"] += 1
        told["connections"] += 1
        sleep(0.01)


def half_sent(port: int, stop: Event, told: Counter[str]) -> None:
    """1,004 requests that are begun and never finished, renewed when they are dropped."""
    held: list[socket.socket] = []
    while not stop.is_set():
        for each in list(held):
            each.setblocking(False)
            with suppress(BlockingIOError):
                try:
                    dropped = each.recv(1) == b""
                except BlockingIOError:
                    raise
                except OSError:
                    dropped = True
                if dropped:
                    held.remove(each)
                    each.close()
                    told["dropped"] += 1
        for _ in range(min(100, 1004 - len(held))):
            with suppress(OSError):
                connection = socket.create_connection(("127.0.0.1", port), timeout=2)
                connection.sendall(b"GET / HTTP/1.1\r\nHost: x")
                held.append(connection)
                told["opened"] += 1
        sleep(0.05)


def pings(port: int, stop: Event, told: Counter[str]) -> None:
    """Pings on a WebSocket as fast as it takes them."""
    visitor = Visitor(port)
    id = visitor.set_up("gaterun", "here", "here").json()["id"]
    while not stop.is_set():
        with suppress(WebSocketException, OSError), closing(visitor.watch(id)) as held:
            told["connections"] += 1
            for _ in range(100_000):
                held.ping()
                told["pings"] += 1
                if stop.is_set():
                    break
        sleep(0.01)


def uploads(port: int, stop: Event, told: Counter[str]) -> None:
    """A hundred records as long as they may be, and eight readers who replay them again and again."""
    long, allowed = to_and_fro(19_988), to_and_fro(4_990)
    ids = []
    for _ in range(100):
        visitor = Visitor(port)
        for name, each in (("19,988 plies", long), ("4,990 plies", allowed)):
            answer = visitor.ask("POST", "/api/records", each)
            told[f"{name}: {answer.status_code}"] += 1
            if answer.status_code < 400:
                ids.append(answer.json()["id"])
        if stop.is_set():
            return
    readers = [threading.Thread(target=replay, args=(port, ids, stop, told), daemon=True) for _ in range(8)]
    for reader in readers:
        reader.start()
    stop.wait()


def to_and_fro(plies: int) -> dict[str, Any]:
    """A record of somebody who walks to and fro, which is free at the table."""
    state = rookery.game("gotham").start()
    for name in ("up", "up"):
        state.play(state.game.action(name))
        state.play(max(state.chances(), key=lambda each: each[1])[0] if state.turn == CHANCE else state.actions()[0])
    for number in range(plies - len(state.history)):
        state.play(state.game.action(("down", "up")[number % 2]))
    found: dict[str, Any] = json.loads(Record.of(state, ("x",)).line())
    return found


def replay(port: int, ids: list[str], stop: Event, told: Counter[str]) -> None:
    visitor, chooser = Visitor(port), random.Random(1)
    while not stop.is_set() and ids:
        answer = visitor.ask("GET", f"/api/games/{chooser.choice(ids)}/frames?first=0&last=99")
        told[f"frames: {answer.status_code}"] += 1


def profile(port: int, stop: Event, told: Counter[str]) -> None:
    """Somebody with 20,000 games asks for their statistics again and again, and once for all their data."""
    visitor = Visitor(port)
    visitor.ask("PATCH", "/api/me", {"name": "Many"})
    person = visitor.client.cookies["rookery"].partition(".")[0]
    add_games(told_database[0], person, MANY_GAMES)
    told["games"] = MANY_GAMES
    ready[0].set()
    exporting = threading.Thread(target=lambda: visitor.ask("GET", "/api/me/export"), daemon=True)
    exporting.start()
    while not stop.is_set():
        with suppress(httpx.HTTPError):
            told[f"/api/me: {visitor.ask('GET', '/api/me').status_code}"] += 1


def add_games(url: str, person: str, count: int) -> None:
    """Put finished games into the database, as if somebody had played them."""
    stored = StoredGame(id="", game="gaterun", options={}, seed=0, seats=[], owner=person, status="over")
    stored.created = stored.changed = time()
    stored.result = {"winners": [1], "scores": [1, 0]}
    row = {column.name: getattr(stored, column.name) for column in games.columns}
    seat = {"number": 1, "kind": "person", "holder": person, "name": "", "outcome": "won"}
    engine = engine_of(url)
    with engine.begin() as connection:
        connection.execute(insert(games), [row | {"id": f"x{number}"} for number in range(count)])
        connection.execute(insert(seats), [seat | {"game_id": f"x{number}"} for number in range(count)])
    engine.dispose()


def forwarded(port: int, stop: Event, told: Counter[str]) -> None:
    """Requests in the name of made-up addresses, each with a new cookie."""
    number, client = 0, Visitor(port).client
    while not stop.is_set():
        number += 1
        client.cookies.clear()
        answer = client.get("/api/me", headers={"X-Forwarded-For": f"192.0.2.{number % 250}"})
        told[str(answer.status_code)] += 1


def creations(port: int, stop: Event, told: Counter[str]) -> None:
    """New games as fast as they are set up, all listed in the lobby, each by somebody new."""
    while not stop.is_set():
        answer = Visitor(port).set_up("gaterun", "here", "invite", listed=True)
        told[str(answer.status_code)] += 1


def watchers(port: int, stop: Event, told: Counter[str]) -> None:
    """Three hundred who come to one game, leave and come again."""
    visitor = Visitor(port)
    id = visitor.set_up("gaterun", "here", "here").json()["id"]
    while not stop.is_set():
        held = []
        for _ in range(300):
            with suppress(OSError, WebSocketException):
                held.append(Visitor(port).watch(id))
                told["came"] += 1
            if stop.is_set():
                break
        for each in held:
            with suppress(OSError, WebSocketException):
                each.close()


OPEN: list[ClientConnection] = []
told_database: list[str] = []
ready: list[Event] = []
ATTACKS: dict[str, Callable[[int, Event, Counter[str]], None]] = {
    each.__name__: each
    for each in (budgets, bots, hints, headers, half_sent, pings, uploads, profile, forwarded, creations, watchers)
}


def attack(name: str, port: int, database: str, events: tuple[Event, Event], report: Any) -> None:
    """Run an attack in this process, and report what it was told."""
    prepared, stop = events
    ready.append(prepared)
    if name != "profile":
        prepared.set()
    logging.getLogger("websockets").setLevel(logging.CRITICAL)
    told: Counter[str] = Counter()
    told_database.append(database)
    with suppress(httpx.HTTPError, OSError, WebSocketException):
        ATTACKS[name](port, stop, told)
    report.put(dict(told))


# ── measuring ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class Row(NamedTuple):
    """What the player noticed, and what the server used."""

    attack: str
    moves: int
    move_ms_p99: float
    reply_ms_p99: float
    reply_ms_worst: float
    memory_mb: float
    disk_mb: float
    recovery_s: float
    told: dict[str, int]


def p99(times: list[float]) -> float:
    return round(1000 * sorted(times)[min(len(times) - 1, int(0.99 * len(times)))], 1)


class Installation(NamedTuple):
    """A server, alone or with workers, and where its data is."""

    process: psutil.Process
    port: int
    url: str
    folder: Path

    @property
    def memory(self) -> float:
        """The resident memory of the server's processes, in MB."""
        used: int = sum(each.memory_info().rss for each in (self.process, *self.process.children(recursive=True)))
        return used / 1e6

    @property
    def disk(self) -> float:
        """The size of all files, in MB."""
        total = 0
        for file in self.folder.rglob("*"):
            with suppress(OSError):  # PostgreSQL removes some of its files
                total += file.stat().st_size if file.is_file() else 0
        return total / 1e6


@contextmanager
def installed(folder: Path, workers: int) -> Iterator[Installation]:
    """Start a server: alone on SQLite, or several workers on PostgreSQL."""
    postgres = Postgres(folder / "postgres", sync=True) if workers > 1 else None
    url = f"sqlite:///{folder / 'arcade.db'}" if postgres is None else postgres.database()
    command = [sys.executable, "-m", "rookery", "serve", "--no-browser", "--port", "0", "--db", url]
    if workers > 1:
        command += ["--workers", str(workers)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        port = int(server.stdout.readline().split()[-1].rstrip("/").rpartition(":")[2])
        yield Installation(psutil.Process(server.pid), port, url, folder)
    finally:
        server.terminate()
        server.wait(20)
        if postgres is not None:
            postgres.stop("immediate")


def under(name: str, server: Installation, seconds: float, quiet: float) -> Row:
    """Play during an attack."""
    context = multiprocessing.get_context("spawn")
    events, report, player = (context.Event(), context.Event()), context.Queue(), Player(server.port)
    memory, disk = server.memory, server.disk
    attacker = context.Process(target=attack, args=(name, server.port, server.url, events, report), daemon=True)
    attacker.start()
    events[0].wait(60)
    sleep(2)
    moves, replies = player.play(seconds)
    events[1].set()
    told = {}
    with suppress(Exception):
        told = report.get(timeout=20)
    attacker.join(5)
    if attacker.is_alive():
        attacker.kill()
        attacker.join()
    began = monotonic()
    while monotonic() - began < 60 and player.move()[1] > 2 * quiet:
        pass
    recovery = monotonic() - began
    grown = server.memory - memory, server.disk - disk
    player.socket.close()
    times = (p99(moves), p99(replies), round(1000 * max(replies), 1))
    return Row(name, len(moves), *times, round(grown[0], 1), round(grown[1], 1), round(recovery, 1), told)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=15, help="how long each attack lasts (default 15)")
    parser.add_argument("--only", nargs="*", choices=list(ATTACKS), default=list(ATTACKS), help="some attacks only")
    parser.add_argument("--settle", type=float, default=20, help="seconds for the server to get ready (default 20)")
    parser.add_argument("--workers", type=int, default=1, help="workers, on PostgreSQL if more than one (default 1)")
    parser.add_argument("--json", type=Path, help="also write the rows to a file")
    given = parser.parse_args()
    rows: list[Row] = []
    for name in given.only:  # a server for each, so that none suffers from the one before
        with (
            tempfile.TemporaryDirectory() as place,
            installed(Path(place), given.workers) as server,
        ):
            sleep(given.settle if name == given.only[0] else 3)
            player = Player(server.port)
            player.play(2)
            moves, replies = player.play(given.seconds / 2)
            player.socket.close()
            if not rows:
                times = (p99(moves), p99(replies), round(1000 * max(replies), 1))
                rows.append(Row("none", len(moves), *times, 0, 0, 0, {}))
                show(rows[0])
            quiet = sorted(replies)[len(replies) // 2]
            rows.append(under(name, server, given.seconds, quiet))
            show(rows[-1])
    if given.json:
        given.json.write_text(json.dumps([row._asdict() for row in rows], indent=2) + "\n")


HEAD = ("attack", "moves", "move p99, ms", "reply p99, ms", "worst reply, ms", "memory, MB", "files, MB", "recovery, s")


def show(row: Row) -> None:
    if row.attack == "none":
        print(f"| {' | '.join(HEAD)} | told |\n|{'---|' * (len(HEAD) + 1)}")
    told = ", ".join(f"{what} {count:,}" for what, count in row.told.items())
    print(f"| {' | '.join(map(str, row[:-1]))} | {told} |", flush=True)


if __name__ == "__main__":
    main()
