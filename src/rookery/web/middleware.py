"""Access control in front of the application: identity cookies, origin checks, rate limits, security headers."""

from __future__ import annotations

import asyncio
import secrets
from ipaddress import ip_address
from time import monotonic
from typing import TYPE_CHECKING, Any

import msgspec
from litestar.enums import ScopeType

from rookery.web.front import BODY_SECONDS, network
from rookery.web.limits import Rates

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send, WebSocketScope

    from rookery.web.identity import Identity
    from rookery.web.limits import Limits

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

UPLOADS = "/api/records"
WORKER = "/service-worker.js"

HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)


HSTS = (b"strict-transport-security", b"max-age=31536000")


class Hosts:
    """The names under which the server may be asked. A page of another name could be an attacker's whose name was made
    to lead here (DNS rebinding).
    """

    def __init__(self, names: Iterable[str], *, addresses: bool = False) -> None:
        self._names = {name.casefold().rstrip(".") for name in names}
        self._addresses = addresses or "*" in self._names
        """Whether any IP address will do: nobody can make one lead elsewhere."""

    def allow(self, host: str) -> bool:
        """Whether a Host header may be answered."""
        name = (
            host.casefold().partition("]")[0].lstrip("[") if host.startswith("[") else host.casefold().partition(":")[0]
        )
        if "*" in self._names or name.rstrip(".") in self._names:
            return True
        return self._addresses and _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class AccessMiddleware:
    """ASGI middleware around the whole application."""

    def __init__(
        self,
        app: ASGIApp,
        identity: Identity,
        limits: Limits,
        methods: Callable[[str], str | None],
        rates: Rates | None = None,
        hosts: Hosts | None = None,
    ) -> None:
        self.app, self.identity, self.limits, self.methods = app, identity, limits, methods
        self.hosts = hosts or Hosts(["*"])
        self._rates = rates or Rates(limits)
        self._open: dict[str, int] = {}
        """The requests of each address that are not answered yet. A proxy's connections do not tell."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in (ScopeType.HTTP, ScopeType.WEBSOCKET):  # lifespan events
            await self.app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        secure = scope.get("scheme") in ("https", "wss")
        person = self.identity.person_in(headers.get(b"cookie", ""), secure=secure)
        client = scope["client"]
        state = scope.setdefault("state", {})
        state["person"], state["address"] = person or "", network(client[0] if client else "")
        refusal = self._refusal(scope, headers, secure=secure)
        if refusal is not None:
            await _reject(scope, send, *refusal, secure=secure)
            return
        if scope["type"] == ScopeType.WEBSOCKET:
            await self.app(scope, receive, send)
            return
        allowed = self.methods(scope["path"]) if scope["method"] == "OPTIONS" else None
        if allowed is not None:
            await send(
                {
                    "type": "http.response.start",
                    "status": 204,
                    "headers": [(b"allow", allowed.encode()), *_security(secure)],
                }
            )
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        extra = _security(secure)
        if scope["path"].startswith("/api/"):
            extra.append((b"cache-control", b"no-store"))
        opened = not scope["path"].startswith(("/static/", "/api/", WORKER))
        if opened or (
            person is None and not scope["path"].startswith(("/static/", "/api/health", WORKER))
        ):  # opening a page renews the cookie
            person = person or secrets.token_urlsafe(12)
            scope["state"]["person"] = person
            extra.append((b"set-cookie", self.identity.cookie(person, secure=secure)))

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *extra]
            await send(message)

        address = scope["state"]["address"]
        self._open[address] = self._open.get(address, 0) + 1
        try:
            await self.app(scope, _in_time(receive), send_on)
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    def _refusal(
        self, scope: HTTPScope | WebSocketScope, headers: dict[bytes, str], *, secure: bool
    ) -> tuple[int, str, float] | None:
        """Why a request is not let in: the status, a sentence, and the seconds to wait; None if it is."""
        host = headers.get(b"host", "")
        if not self.hosts.allow(host):
            return 421, f"This arcade does not answer to the name '{host[:80]}'; see --allowed-host.", 0.0
        if not _same_origin(headers, secure=secure):
            return 403, "This request came from another site. Open the arcade directly.", 0.0
        if self._open.get(scope["state"]["address"], 0) >= self.limits.connections:
            return 429, "Too many requests at the same time; wait for the answers.", 1.0
        wait = self._wait(scope)
        if wait:
            return 429, f"Too many requests; try again in {wait:.0f} s.", wait
        if scope["type"] == ScopeType.HTTP and not _is_json(scope["method"], headers):
            return 415, "Send JSON with Content-Type: application/json.", 0.0
        return None

    def _wait(self, scope: HTTPScope | WebSocketScope) -> float:
        """Seconds this client must wait; 0 if it need not."""
        address: str = scope["state"]["address"]
        wait = self._rates.take("requests", address)
        if not wait and scope["type"] == ScopeType.WEBSOCKET:
            wait = self._rates.take("visits", address)
        elif not wait and scope["type"] == ScopeType.HTTP and _creates(scope["method"], scope["path"]):
            wait = self._rates.take("uploads" if scope["path"] == UPLOADS else "creations", address)
        return max(wait, 1.0) if wait else 0.0


def _in_time(receive: Receive) -> Receive:
    """The same, but the client counts as gone when the body takes too long to arrive."""
    deadline = monotonic() + BODY_SECONDS
    whole = False

    async def next_part() -> Any:
        nonlocal whole
        if whole:
            return await receive()
        try:
            async with asyncio.timeout(max(0.0, deadline - monotonic())):
                message = await receive()
        except TimeoutError:
            return {"type": "http.disconnect"}
        whole = not message.get("more_body", False)
        return message

    return next_part


def _creates(method: str, path: str) -> bool:
    """Whether a request creates a game or another row, as renaming and deleting oneself do; playing and previewing do
    not.
    """
    return (
        method in ("POST", "PATCH", "DELETE")
        and path.startswith("/api/")
        and not path.endswith(("/preview", "/actions"))
    )


def _same_origin(headers: dict[bytes, str], *, secure: bool) -> bool:
    """Browsers send Origin with every WebSocket and every request that changes something.

    Under TLS the page must have come by TLS too. Without, a proxy that is not trusted may have ended it.
    """
    origin = headers.get(b"origin")
    if origin is None:
        return True
    scheme, _, host = origin.partition("://")
    return host == headers.get(b"host", "") and (scheme == "https" or not secure)


def _is_json(method: str, headers: dict[bytes, str]) -> bool:
    """Any request with a body must declare JSON: forms on other sites cannot (CSRF protection)."""
    if method in ("GET", "HEAD", "OPTIONS") or (
        headers.get(b"content-length", "0") == "0" and b"transfer-encoding" not in headers
    ):
        return True
    return headers.get(b"content-type", "").partition(";")[0].strip().lower() == "application/json"


def _security(secure: bool) -> list[tuple[bytes, bytes]]:
    """The headers of every answer."""
    return [*HEADERS, HSTS] if secure else [*HEADERS]


async def _reject(scope: Scope, send: Send, status: int, why: str, wait: float, *, secure: bool) -> None:
    if scope["type"] == ScopeType.WEBSOCKET:
        await send({"type": "websocket.close", "code": 4403, "reason": why})
        return
    headers = [(b"content-type", b"application/json"), *_security(secure)]
    if wait:
        headers.append((b"retry-after", f"{wait:.0f}".encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": msgspec.json.encode({"detail": why}), "more_body": False})
