"""Many games at once over WebSockets: how soon is an action acknowledged, and is every one of them kept, once?

    python benchmarks/arcade_load.py [--games 200] [--seconds 60] [--think 0]

Starts a real server on a database file of its own. Every game is one person playing all seats, who waits for the board
to show that it is their turn, thinks for `--think` seconds and plays any of the actions the board offers; a finished
game is followed by a new one. Afterwards each game's record is fetched and compared with what was acknowledged.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

import httpx
import msgspec
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


async def measure(base: str, games: int, seconds: float, think: float) -> dict[str, Any]:
    players = [Player(number, base, 67) for number in range(games)]
    for some in range(0, games, 20):
        await asyncio.gather(*(player.prepare() for player in players[some : some + 20]))
    start = perf_counter()
    ended = await asyncio.gather(*(player.run(start + seconds, think) for player in players), return_exceptions=True)
    took = perf_counter() - start
    errors = [repr(each) for each in ended if isinstance(each, BaseException)]
    waits = sorted(wait * 1000 for player in players for wait in player.waits)
    wrong = sum([await player.lost_or_doubled() for player in players])
    for player in players:
        await player.leave()
    refused = [why for player in players for why in player.refused]
    return {
        "games_at_once": games,
        "games_played": sum(len(player.played) for player in players),
        "seconds": round(took, 1),
        "actions": len(waits),
        "actions_per_second": round(len(waits) / took),
        "ack_ms_median": round(waits[len(waits) // 2], 1),
        "ack_ms_p99": round(waits[int(len(waits) * 0.99)], 1),
        "ack_ms_worst": round(waits[-1], 1),
        "errors": len(errors) + len(refused),
        "lost_or_doubled": wrong,
        "first_errors": (errors + refused)[:3],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=0, help="mean seconds between seeing the board and acting")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "rookery", "serve", "--port", "0", "--db", str(Path(folder) / "load.db")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            base = server.stdout.readline().split()[-1].rstrip("/")
            try:
                print(json.dumps(asyncio.run(measure(base, given.games, given.seconds, given.think)), indent=2))
            finally:
                server.terminate()


if __name__ == "__main__":
    main()
