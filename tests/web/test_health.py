"""Whether a server works, as a container engine or a load balancer asks."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
from tests.web.arcade import Arcade, get

import rookery
from rookery.web.app import application
from rookery.web.store import Store


def test_a_server_that_works_says_so_and_leaves_no_cookie(arcade: Arcade) -> None:
    answer = get(arcade.base + "/api/health")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "version": rookery.__version__}
    assert answer.headers["cache-control"] == "no-store"
    assert "set-cookie" not in answer.headers


def test_without_its_database_a_server_is_not_healthy(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'arcade.db'}")
    try:
        assert asyncio.run(_asked(store)).status_code == 200
        store.engine.dispose()
        for file in tmp_path.iterdir():
            file.unlink()
        (tmp_path / "arcade.db").mkdir()
        answer = asyncio.run(_asked(store))
    finally:
        store.close()
    assert answer.status_code == 503
    assert answer.json() == {"detail": "The database does not answer."}


async def _asked(store: Store) -> httpx.Response:
    """One request to an application in this process, between its start and its end."""
    app = application(store)
    incoming: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    outgoing: asyncio.Queue[dict[str, str]] = asyncio.Queue()
    scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
    life: asyncio.Task[Any] = asyncio.create_task(app(scope, incoming.get, outgoing.put))  # type: ignore[arg-type]
    await incoming.put({"type": "lifespan.startup"})
    assert (await outgoing.get())["type"] == "lifespan.startup.complete"
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 1))  # type: ignore[arg-type]
    async with httpx.AsyncClient(transport=transport, base_url="http://arcade") as client:
        answer = await client.get("/api/health")
    await incoming.put({"type": "lifespan.shutdown"})
    await life
    return answer
