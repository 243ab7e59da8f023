"""Many games at once over WebSockets: how soon is an action acknowledged, what does it cost, and is every one kept?

    python benchmarks/arcade_load.py [--games 200] [--seconds 60] [--think 0] [--clients 2] [--before OTHER/src]

Starts a real server on a database file of its own, and client processes that share the games. Every game is one person
playing all seats, who waits for the board to show that it is their turn, thinks for `--think` seconds and plays any of
the actions the board offers; a finished game is followed by a new one. Afterwards each game's record is fetched and
compared with what was acknowledged. With `--before`, servers of another version and of this one take turns, `--repeats`
times, and the processor time of an action is compared.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from time import perf_counter, sleep
from typing import Any, NamedTuple

import httpx
import msgspec
import psutil  # type: ignore[import-untyped]
from websockets.asyncio.client import connect

KINDS = ("gotham", "gamma", "sixseven", "gaterun")


class Choice(msgspec.Struct):
    action: str


class Scene(msgspec.Struct):
    choices: list[Choice]


class Heard(msgspec.Struct, rename={"kind": "is"}):
    """What of a message matters here."""

    kind: str
    ref: int | None = None
    ply: int = 0
    why: str = ""
    mine: bool = False
    scene: Scene | None = None


hear = msgspec.json.Decoder(Heard).decode


class Player:
    """One game after another, and what was acknowledged in each: the ply an action was played at, and its text."""

    def __init__(self, number: int, base: str, seed: int) -> None:
        self.kind = KINDS[number % len(KINDS)]
        self.base = base
        self.random = random.Random(f"{seed} {number}")
        self.waits: list[float] = []
        self.refused: list[str] = []
        self.played: dict[str, list[tuple[int, str]]] = {}
        self.client = httpx.AsyncClient(base_url=base, timeout=30)

    async def prepare(self) -> None:
        """Set up a game and connect to it."""
        options = {"players": 2} if self.kind == "gamma" else {}
        seats = [{"kind": "here"}] * (2 if self.kind in ("gamma", "gaterun") else 1)
        answer = await self.client.post("/api/games", json={"game": self.kind, "options": options, "seats": seats})
        answer.raise_for_status()
        self.id = answer.json()["id"]
        self.played[self.id] = []
        cookie = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        self.socket = await connect(
            self.base.replace("http", "ws") + f"/ws/games/{self.id}",
            additional_headers={"Cookie": cookie},
            compression=None,
            max_size=None,
        )

    async def run(self, until: float, think: float) -> None:
        """Play until the time is up."""
        ref, sent, waiting = 0, 0.0, ""
        ready: Heard | None = None
        while perf_counter() < until:
            if not waiting and ready is not None and ready.scene is not None:
                if think:
                    await asyncio.sleep(think * self.random.uniform(0.5, 1.5))
                ref, waiting = ref + 1, self.random.choice(ready.scene.choices).action
                sent, at = perf_counter(), ready.ply
                await self.socket.send(json.dumps({"do": "play", "action": waiting, "ply": at, "ref": ref}))
                ready = None
            heard = hear(await self.socket.recv())
            if heard.kind == "ack" and heard.ref == ref:
                self.waits.append(perf_counter() - sent)
                self.played[self.id].append((at, waiting))
                waiting = ""
            elif heard.kind == "refused":
                self.refused.append(heard.why)
                waiting = ""
            elif heard.kind == "scene" and heard.mine:
                ready = heard
            elif heard.kind == "scene" and heard.scene is not None and not heard.scene.choices and not waiting:
                await self.socket.close()
                await self.prepare()
        if waiting:  # the last action is on its way: hear what became of it
            async for data in self.socket:
                heard = hear(data)
                if heard.kind == "ack" and heard.ref == ref:
                    self.played[self.id].append((at, waiting))
                    break
        await self.socket.close()

    async def lost_or_doubled(self) -> int:
        """How many acknowledged actions are not where they were acknowledged, and how many others are there."""
        wrong = 0
        for id, played in self.played.items():
            info = (await self.client.get(f"/api/games/{id}/frames?first=0&last=0")).json()
            kept = [(ply, name) for ply, (name, by) in enumerate(info["plies"]) if by > 0]
            wrong += len(set(played) ^ set(kept)) + abs(len(played) - len(kept))
        return wrong

    async def leave(self) -> None:
        await self.client.aclose()


class Load(NamedTuple):
    """What a client process does: to which server, which games, for how long."""

    base: str
    pid: int
    numbers: range
    seconds: float
    think: float


def cpu_of(pid: int) -> float:
    """Seconds of processor time that a process has used, without its children."""
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


async def measure(load: Load) -> dict[str, Any]:
    """Play some of the games; return what was seen of them, and what the server used while they were played."""
    base, pid, numbers, seconds, think = load
    players = [Player(number, base, 67) for number in numbers]
    for some in range(0, len(players), 20):
        await asyncio.gather(*(player.prepare() for player in players[some : some + 20]))
    start, cpu = perf_counter(), cpu_of(pid)
    ended = await asyncio.gather(*(player.run(start + seconds, think) for player in players), return_exceptions=True)
    took, cpu = perf_counter() - start, cpu_of(pid) - cpu
    errors = [repr(each) for each in ended if isinstance(each, BaseException)]
    errors += [why for player in players for why in player.refused]
    wrong = sum([await player.lost_or_doubled() for player in players])
    for player in players:
        await player.leave()
    waits = [wait * 1000 for player in players for wait in player.waits]
    played = sum(len(player.played) for player in players)
    return {"waits": waits, "seconds": took, "cpu": cpu, "errors": errors, "wrong": wrong, "played": played}


def client(load: Load) -> dict[str, Any]:
    """The same, in a process of its own."""
    return asyncio.run(measure(load))


class Server:
    """A server process of the version in a folder, and what it has used."""

    def __init__(self, folder: Path, source: Path | None, more: tuple[str, ...]) -> None:
        command = [sys.executable, "-m", "rookery", "serve", "--no-browser", "--port", "0", "--db"]
        environment = os.environ | ({"PYTHONPATH": str(source)} if source else {})
        self.process = subprocess.Popen(
            [*command, str(folder / "load.db"), *more], stdout=subprocess.PIPE, text=True, env=environment
        )
        assert self.process.stdout is not None
        self.base = self.process.stdout.readline().split()[-1].rstrip("/")
        self.seen = psutil.Process(self.process.pid)

    def memory(self) -> float:
        """Megabytes of memory in use."""
        return float(self.seen.memory_info().rss / 1e6)

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(20)


def run(given: argparse.Namespace, source: Path | None, more: tuple[str, ...]) -> dict[str, Any]:
    """Load a server, and report what its clients saw and what it used."""
    with tempfile.TemporaryDirectory() as folder, ProcessPoolExecutor(given.clients) as pool:
        server = Server(Path(folder), source, more)
        try:
            sleep(given.settle)
            pid, parts = server.process.pid, [range(k, given.games, given.clients) for k in range(given.clients)]
            loads = [Load(server.base, pid, part, given.seconds, given.think) for part in parts]
            found = list(pool.map(client, loads))
            memory = server.memory()
        finally:
            server.end()
    waits = sorted(wait for each in found for wait in each["waits"])
    seconds = max(each["seconds"] for each in found)
    errors = [why for each in found for why in each["errors"]]
    return {
        "games_at_once": given.games,
        "games_played": sum(each["played"] for each in found),
        "seconds": round(seconds, 1),
        "actions": len(waits),
        "actions_per_second": round(len(waits) / seconds),
        **{f"ack_ms_p{share}": round(waits[int(len(waits) * share / 100)], 1) for share in (50, 95, 99)},
        "ack_ms_worst": round(waits[-1], 1),
        "errors": len(errors),
        "lost_or_doubled": sum(each["wrong"] for each in found),
        "server_cpu_ms_per_action": round(1000 * found[0]["cpu"] / len(waits), 3),
        "server_memory_mb": round(memory),
        "first_errors": errors[:3],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=0, help="mean seconds between seeing the board and acting")
    parser.add_argument("--clients", type=int, default=2, help="client processes")
    parser.add_argument("--settle", type=float, default=3, help="seconds to wait after the server has started")
    parser.add_argument("--before", type=Path, help="the src folder of another version to compare with")
    parser.add_argument("--repeats", type=int, default=3, help="how often the versions take turns")
    given = parser.parse_args()
    more = ("--people-per-address", "2000")  # all clients have one address
    if given.before is None:
        print(json.dumps(run(given, None, more), indent=2))
        return
    costs: dict[str, list[float]] = {"before": [], "after": []}
    for _ in range(given.repeats):
        for name, source, options in (("before", given.before, ()), ("after", None, more)):
            told = run(given, source, options)
            costs[name].append(told["server_cpu_ms_per_action"])
            print(json.dumps({"server": name} | told), flush=True)
    before, after = (sorted(costs[name])[given.repeats // 2] for name in ("before", "after"))
    print(f"Median processor time of an action: {before:.2f} ms before, {after:.2f} ms after: {after / before:.2f}×.")


if __name__ == "__main__":
    main()
