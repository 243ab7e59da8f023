"""What programs ask a server, not people: /healthz, /readyz and /metrics. They are answered before anything else, need
no cookie and set none.
"""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING

import msgspec
from litestar.enums import ScopeType
from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

if TYPE_CHECKING:
    from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

    from rookery.web.drain import Drain
    from rookery.web.metrics import Metrics
    from rookery.web.store import Store

READY_SECONDS = 5.0
"""Seconds that the database may take to answer before the server counts as not ready."""
NO_ANSWER = "The database does not answer."
REMEMBER = 0.5
"""Seconds for which an answer of the database is remembered, so that requests cannot keep it busy."""
FORWARDED = (b"x-forwarded-for", b"forwarded", b"x-real-ip")
"""Headers of requests that came by a proxy."""


class Readiness:
    """Whether a server can do its work: its database answers and can be written, and it is not about to stop."""

    def __init__(self, store: Store, drain: Drain) -> None:
        self._store, self._drain = store, drain
        self._asking: asyncio.Task[str] | None = None
        self._asked = 0.0

    async def why_not(self) -> str:
        """Why the server is not ready; empty if it is."""
        if self._drain.begun:
            return "The server is stopping."
        if self._asking is None or (self._asking.done() and monotonic() - self._asked > REMEMBER):
            self._asking, self._asked = asyncio.create_task(self._ask()), monotonic()
        try:
            async with asyncio.timeout(READY_SECONDS):
                return await asyncio.shield(self._asking)
        except TimeoutError:
            return NO_ANSWER

    async def _ask(self) -> str:
        """Why the database cannot be used now; empty if it can."""
        try:
            if not await self._store.read(_is_read_only):
                return ""
        except (SQLAlchemyError, RuntimeError):
            return NO_ANSWER
        finally:
            self._asked = monotonic()
        self._store.look_for_the_primary()
        return "The database can only be read."


def _is_read_only(connection: Connection) -> bool:
    """Whether the database answers, but as a standby, or as one that was made read-only."""
    if connection.dialect.name != "postgresql":
        return connection.execute(text("SELECT 1")).scalar() != 1
    return connection.execute(text("SHOW transaction_read_only")).scalar() == "on"


class Operations:
    """ASGI middleware that answers /healthz, /readyz and /metrics."""

    def __init__(self, app: ASGIApp, readiness: Readiness, metrics: Metrics | None) -> None:
        self._app, self._readiness, self._metrics = app, readiness, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP or scope["path"] not in ("/healthz", "/readyz", "/metrics"):
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        if scope["method"] not in ("GET", "HEAD"):
            status, body, kind = 405, _json(detail="Method Not Allowed."), "application/json"
        elif path == "/metrics":
            status, body, kind = self._figures(scope)
        else:
            why = await self._readiness.why_not() if path == "/readyz" else ""
            body, kind = _json(detail=why) if why else _json(status="ok"), "application/json"
            status = 503 if why else 200
        headers = [
            (b"content-type", kind.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"cache-control", b"no-store"),
            (b"x-content-type-options", b"nosniff"),
        ]
        if status == 503:
            headers.append((b"retry-after", b"5"))
        if status == 405:
            headers.append((b"allow", b"GET, HEAD"))
        await send({"type": "http.response.start", "status": status, "headers": headers})
        shown = b"" if scope["method"] == "HEAD" else body
        await send({"type": "http.response.body", "body": shown, "more_body": False})

    def _figures(self, scope: HTTPScope) -> tuple[int, bytes, str]:
        """The figures, if they are on, and only for direct requests: a proxy that passes everything on does not publish
        them.
        """
        if self._metrics is None or any(name in FORWARDED for name, _ in scope["headers"]):
            return 404, _json(detail="Page not found."), "application/json"
        body, kind = self._metrics.text()
        return 200, body, kind


def _json(**content: str) -> bytes:
    return msgspec.json.encode(content)
