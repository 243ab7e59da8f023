"""Kill the arcade's server at random moments while people play, start it again, and look for what was acknowledged.

    python -m benchmarks.arcade_crash [--cycles 50] [--games 12]

The same games go on through all cycles: after each kill the new server must know every acknowledged action, at its
place, and let the players play on from there. Prints how many actions were acknowledged and how many were lost.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx
from benchmarks.arcade_fleet import Fleet, Server
from tests.web.postgres import free_port
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

PATIENCE = 60.0
"""Seconds for an answer: the machine may be busy."""
KINDS = ("gotham", "gamma", "sixseven", "gaterun")


class Player:
    """A person who plays one game after another, and remembers what was acknowledged."""

    def __init__(self, number: int) -> None:
        self.kind = KINDS[number % len(KINDS)]
        self.random = random.Random(number)
        self.cookie = ""
        self.id = ""
        self.acknowledged: dict[str, dict[int, str]] = {}
        self.touched: set[str] = set()
        """The games played since they were last checked."""

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
        self.touched.add(self.id)
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
        async with httpx.AsyncClient(
            base_url=base, timeout=PATIENCE, headers={"Cookie": self.cookie} if self.cookie else {}
        ) as client:
            answer = await client.post("/api/games", json={"game": self.kind})
            answer.raise_for_status()
            if "rookery" in client.cookies:
                self.cookie = f"rookery={client.cookies['rookery']}"
            self.id = answer.json()["id"]
            self.acknowledged[self.id] = {}

    async def lost(self, base: str, *, all_games: bool = False) -> list[str]:
        """What was acknowledged and is not there, in the games played since the last look or in all."""
        missing = []
        checked, self.touched = self.touched, set()
        async with httpx.AsyncClient(base_url=base, timeout=PATIENCE) as client:
            for id in self.acknowledged if all_games else checked:
                actions = self.acknowledged[id]
                plies = (await client.get(f"/api/games/{id}/frames?first=0&last=0")).json()["plies"]
                kept = {ply: name for ply, (name, _) in enumerate(plies)}
                missing += [f"{id}, ply {ply}: {name}" for ply, name in actions.items() if kept.get(ply) != name]
        return missing


def crash(cycles: int, games: int, database: Path, seed: int = 67, *, progress: bool = False) -> dict[str, Any]:
    """Kill and restart so often; count what was acknowledged and what of it is gone."""
    moments = random.Random(seed)
    players = [Player(number) for number in range(games)]
    fleet = Fleet()
    server = Server(fleet, f"sqlite:///{database}", free_port(), database.parent)
    assert server.start()
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

    async def check(*, all_games: bool = False) -> None:
        for player in players:
            lost.extend(await player.lost(server.base, all_games=all_games))

    try:
        for cycle in range(1, cycles + 1):
            asyncio.run(play_and_kill())
            assert server.start(), "the server does not start again"
            asyncio.run(check())
            if progress:
                print(f"\rcycle {cycle} of {cycles}", end="", file=sys.stderr, flush=True)
        asyncio.run(check(all_games=True))
    finally:
        server.kill()
        fleet.end()
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
        print(json.dumps(crash(given.cycles, given.games, Path(folder) / "crash.db", progress=True), indent=2))


if __name__ == "__main__":
    main()
