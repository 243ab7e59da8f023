"""Kill the arcade's server at random moments while people play, start it again, and look for what was acknowledged.

    python benchmarks/arcade_crash.py [--cycles 50] [--games 12]

The same games go on through all cycles: after each kill the new server must know every acknowledged action, at its
place, and let the players play on from there. Prints how many actions were acknowledged and how many were lost.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

KINDS = ("gotham", "gamma", "sixseven", "gaterun")


class Server:
    """A server process on one database file, which can be killed and started again."""

    def __init__(self, database: Path) -> None:
        self._command = [sys.executable, "-m", "rookery", "serve", "--port", "0", "--db", str(database)]
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.base = self._process.stdout.readline().split()[-1].rstrip("/")

    def kill(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


class Player:
    """A person who plays one game after another, and remembers what was acknowledged."""

    def __init__(self, number: int) -> None:
        self.kind = KINDS[number % len(KINDS)]
        self.random = random.Random(number)
        self.cookie = ""
        self.id = ""
        self.acknowledged: dict[str, dict[int, str]] = {}

    async def play(self, base: str) -> None:
        """Play until the server dies."""
        with contextlib.suppress(WebSocketException, OSError, httpx.HTTPError, EOFError):
            while True:
                await self._play_one(base)

    async def _play_one(self, base: str) -> None:
        if not self.id:
            await self._set_up(base)
        address = base.replace("http", "ws") + f"/ws/games/{self.id}"
        sent: dict[int, tuple[int, str]] = {}
        async with connect(address, additional_headers={"Cookie": self.cookie}, max_size=None) as socket:
            async for data in socket:
                heard = json.loads(data)
                if heard["is"] == "ack":
                    ply, action = sent[heard["ref"]]
                    self.acknowledged[self.id][ply] = action
                elif heard["is"] == "game" and heard["status"] == "over":
                    self.id = ""
                    return
                elif heard["is"] == "scene" and heard["mine"]:
                    ref, action = len(sent), self.random.choice(heard["scene"]["choices"])["action"]
                    sent[ref] = heard["ply"], action
                    await socket.send(json.dumps({"do": "play", "action": action, "ply": heard["ply"], "ref": ref}))

    async def _set_up(self, base: str) -> None:
        async with httpx.AsyncClient(base_url=base, headers={"Cookie": self.cookie} if self.cookie else {}) as client:
            answer = await client.post("/api/games", json={"game": self.kind})
            answer.raise_for_status()
            if "rookery" in client.cookies:
                self.cookie = f"rookery={client.cookies['rookery']}"
            self.id = answer.json()["id"]
            self.acknowledged[self.id] = {}

    async def lost(self, base: str) -> list[str]:
        """What was acknowledged and is not there."""
        missing = []
        async with httpx.AsyncClient(base_url=base) as client:
            for id, actions in self.acknowledged.items():
                plies = (await client.get(f"/api/games/{id}/frames?first=0&last=0")).json()["plies"]
                kept = {ply: name for ply, (name, _) in enumerate(plies)}
                missing += [f"{id}, ply {ply}: {name}" for ply, name in actions.items() if kept.get(ply) != name]
        return missing


def crash(cycles: int, games: int, database: Path, seed: int = 67) -> dict[str, Any]:
    """Kill and restart so often; count what was acknowledged and what of it is gone."""
    moments = random.Random(seed)
    players = [Player(number) for number in range(games)]
    server = Server(database)
    lost: list[str] = []

    def acknowledged() -> int:
        return sum(len(each) for player in players for each in player.acknowledged.values())

    async def play_and_kill() -> None:
        tasks = [asyncio.create_task(player.play(server.base)) for player in players]
        enough = acknowledged() + moments.randrange(10, 100)
        while acknowledged() < enough:
            await asyncio.sleep(0.005)
        await asyncio.sleep(moments.uniform(0, 0.05))
        await asyncio.to_thread(server.kill)
        await asyncio.gather(*tasks)

    async def check() -> None:
        for player in players:
            lost.extend(await player.lost(server.base))

    try:
        for cycle in range(1, cycles + 1):
            asyncio.run(play_and_kill())
            server.start()
            asyncio.run(check())
            if sys.stderr.isatty():
                print(f"\rcycle {cycle} of {cycles}", end="", file=sys.stderr, flush=True)
    finally:
        server.kill()
    return {
        "cycles": cycles,
        "games": sum(len(player.acknowledged) for player in players),
        "acknowledged": acknowledged(),
        "lost": len(set(lost)),
        "first_lost": lost[:3],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cycles", type=int, default=50)
    parser.add_argument("--games", type=int, default=12)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(json.dumps(crash(given.cycles, given.games, Path(folder) / "crash.db"), indent=2))


if __name__ == "__main__":
    main()
