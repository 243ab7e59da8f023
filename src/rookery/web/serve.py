"""Run the arcade on a local port until it is stopped."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import uvicorn

from rookery.core.errors import RookeryError
from rookery.system.folders import data_folder
from rookery.web.app import application
from rookery.web.front import Connections, Front, FrontSocket, most_connections
from rookery.web.limits import Limits
from rookery.web.middleware import Hosts
from rookery.web.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType


def default_database() -> str:
    """A file in the user's data folder."""
    try:
        return f"sqlite:///{data_folder() / 'arcade.db'}"
    except RookeryError as problem:
        raise RookeryError(f"{problem} Choose a database with --db.") from None


def database_url(given: str | None) -> str:
    """The URL of a database that is given as a file or a URL, or by the environment, or not at all."""
    url = given or os.environ.get("ROOKERY_DB")
    return url if url and "://" in url else f"sqlite:///{url}" if url else default_database()


@dataclass(frozen=True)
class Settings:
    """How the arcade is run."""

    host: str = "127.0.0.1"
    port: int = 8067
    database: str | None = None
    allowed_hosts: tuple[str, ...] = ()
    """Further names under which it answers."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses that may say for whom they ask."""
    people_per_address: int = Limits.people
    keep_days: float | None = None
    """Days after which a game that nobody changed is deleted."""


def serve(settings: Settings, say: Callable[[str, str], None]) -> int:
    """Run the server; `say` is called with the address and the database once it accepts connections."""
    listening = _listen(settings.host, settings.port)
    try:
        store = Store(database_url(settings.database))
    except RookeryError:
        listening.close()
        raise
    limits = Limits.shared_by(settings.people_per_address)
    tracker = Connections(limits, most_connections())
    config = uvicorn.Config(
        _Ending(application(store, limits, _hosts(settings), settings.keep_days)),
        http=partial(Front, tracker=tracker),  # type: ignore[arg-type]
        ws=partial(FrontSocket, tracker=tracker),  # type: ignore[arg-type]
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=list(settings.trusted_proxies),
        log_level="error",
        access_log=False,
        server_header=False,
        ws_max_size=limits.message,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=2,
        lifespan="on",
    )
    sys.setswitchinterval(0.0005)  # so that the store's thread runs soon while the broadcaster is busy
    logging.getLogger("uvicorn.error").addFilter(_is_worth_saying)
    server = _Server(config, lambda: say(_address(listening), store.location))
    try:
        server.run(sockets=[listening])
    finally:
        store.close()
    return 0


def _hosts(settings: Settings) -> Hosts:
    """The names under which this server may be asked: those of this machine, and those allowed."""
    own = {"localhost", "127.0.0.1", "::1", settings.host}
    loopback = settings.host in own - {settings.host} or settings.host.startswith("127.")
    if not loopback:
        own |= {socket.gethostname(), socket.getfqdn()}
    return Hosts({*own, *settings.allowed_hosts}, addresses=not loopback)


def _is_worth_saying(record: logging.LogRecord) -> bool:
    """Not that requests were still open when the server stopped: it is no error, and there is nothing to do."""
    return "timeout graceful shutdown exceeded" not in record.getMessage()


class _Ending:
    """Answers requests that are cancelled, which the server does when it stops, so that no traceback is logged."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            with suppress(asyncio.CancelledError):
                await self._app(scope, receive, send)
            return
        started = False

        async def note(message: Any) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, note)
        except asyncio.CancelledError:
            if scope["type"] == "http" and not started:
                kind = (b"content-type", b"application/json")
                await send({"type": "http.response.start", "status": 503, "headers": [kind]})
                await send({"type": "http.response.body", "body": b'{"detail":"The server is stopping."}'})


class _Server(uvicorn.Server):
    """Reports when it has started; exits with status 0 on SIGTERM and SIGINT."""

    def __init__(self, config: uvicorn.Config, opened: Callable[[], None]) -> None:
        super().__init__(config)
        self._opened = opened

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._opened()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket; bound first, so that a taken port fails at once."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(found[0], found[1])
        if sys.platform != "win32":  # there it would let two servers share a port
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(found[4])
        listening.listen(1024)
    except OSError as problem:
        reason = problem.strerror or str(problem)
        raise RookeryError(
            f"The arcade cannot listen on {host}, port {port}: {reason}. "
            "Choose another port with --port, or PORT=… make play."
        ) from None
    return listening


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    shown = {"0.0.0.0": "localhost", "::": "localhost"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104 - shown, not listened on
    return f"http://{shown}:{port}/"
