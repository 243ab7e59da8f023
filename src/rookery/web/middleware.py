"""Access control in front of the application: identity cookies, origin checks, rate limits, security headers."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from hashlib import sha256
from time import monotonic
from typing import TYPE_CHECKING

import msgspec
from litestar.enums import ScopeType

if TYPE_CHECKING:
    from collections.abc import Callable

    from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send, WebSocketScope

COOKIE = "rookery"
YEAR = 365 * 24 * 3600

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)


@dataclass(frozen=True)
class Rate:
    """A rate limit: the burst size, and the sustained rate per second."""

    burst: float
    per_second: float


@dataclass(frozen=True)
class Limits:
    """Limits for one address or one connection."""

    requests: Rate = Rate(1200, 120)
    """From one address."""
    creations: Rate = Rate(600, 10)
    """Games, joins and uploads from one address."""
    messages: Rate = Rate(600, 200)
    """On one WebSocket."""
    sockets: int = 400
    """WebSockets of one address."""
    body: int = 1_000_000
    """Bytes in a request."""
    message: int = 4_096
    """Bytes in a WebSocket message."""


class TokenBucket:
    """A token bucket: refills at a rate; every request takes a token."""

    __slots__ = ("at", "left", "rate")

    def __init__(self, rate: Rate) -> None:
        self.rate, self.left, self.at = rate, rate.burst, monotonic()

    def take(self) -> float:
        """Take a token and return 0, or return the seconds to wait."""
        now = monotonic()
        self.left = min(self.rate.burst, self.left + (now - self.at) * self.rate.per_second)
        self.at = now
        if self.left < 1:
            return (1 - self.left) / self.rate.per_second
        self.left -= 1
        return 0.0

    @property
    def full(self) -> bool:
        return self.left + (monotonic() - self.at) * self.rate.per_second >= self.rate.burst


class Identity:
    """Anonymous identities: a random id in a signed cookie."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def signed(self, person: str) -> str:
        return f"{person}.{hmac.new(self._secret, b'person ' + person.encode(), sha256).hexdigest()}"

    def person_in(self, cookies: str) -> str | None:
        """The person a Cookie header names; None if there is none or the signature is wrong.

        Other programs on the same host may have set cookies of any form.
        """
        for part in cookies.split(";"):
            name, _, value = part.strip().partition("=")
            person = value.partition(".")[0]
            if name == COOKIE and hmac.compare_digest(value.encode(), self.signed(person).encode()):
                return person
        return None

    def cookie(self, person: str, *, secure: bool) -> bytes:
        flags = "; Secure" if secure else ""
        text = f"{COOKIE}={self.signed(person)}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{flags}"
        return text.encode()


class AccessMiddleware:
    """ASGI middleware around the whole application."""

    def __init__(
        self,
        app: ASGIApp,
        identity: Identity,
        limits: Limits,
        methods: Callable[[str], str | None],
        creations: dict[str, TokenBucket] | None = None,
    ) -> None:
        self.app, self.identity, self.limits, self.methods = app, identity, limits, methods
        self._requests: dict[str, TokenBucket] = {}
        self._creations = creations if creations is not None else {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in (ScopeType.HTTP, ScopeType.WEBSOCKET):  # lifespan events
            await self.app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        person = self.identity.person_in(headers.get(b"cookie", ""))
        scope.setdefault("state", {})["person"] = person or ""
        if not _same_origin(headers):
            await _reject(scope, send, 403, "This request came from another site. Open the arcade directly.")
            return
        wait = self._wait(scope)
        if wait:
            await _reject(scope, send, 429, f"Too many requests; try again in {wait:.0f} s.", wait)
            return
        if scope["type"] == ScopeType.WEBSOCKET:
            await self.app(scope, receive, send)
            return
        allowed = self.methods(scope["path"]) if scope["method"] == "OPTIONS" else None
        if allowed is not None:
            await send(
                {"type": "http.response.start", "status": 204, "headers": [(b"allow", allowed.encode()), *HEADERS]}
            )
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        if not _is_json(scope["method"], headers):
            await _reject(scope, send, 415, "Send JSON with Content-Type: application/json.")
            return
        extra = [*HEADERS, (b"cache-control", b"no-store")] if scope["path"].startswith("/api/") else list(HEADERS)
        opened = not scope["path"].startswith(("/static/", "/api/"))
        if opened or (
            person is None and not scope["path"].startswith(("/static/", "/api/health"))
        ):  # opening a page renews the cookie
            person = person or secrets.token_urlsafe(12)
            scope["state"]["person"] = person
            extra.append((b"set-cookie", self.identity.cookie(person, secure=scope["scheme"] == "https")))

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *extra]
            await send(message)

        await self.app(scope, receive, send_on)

    def _wait(self, scope: HTTPScope | WebSocketScope) -> float:
        """Seconds this client must wait; 0 if it need not."""
        client = scope["client"]
        address = client[0] if client else ""
        wait = bucket_of(self._requests, address, self.limits.requests).take()
        if not wait and scope["type"] == ScopeType.HTTP and _creates(scope["method"], scope["path"]):
            wait = bucket_of(self._creations, address, self.limits.creations).take()
        return max(wait, 1.0) if wait else 0.0


def bucket_of(buckets: dict[str, TokenBucket], address: str, rate: Rate) -> TokenBucket:
    """The bucket of an address; when there are very many, full ones are dropped."""
    if address not in buckets:
        if len(buckets) >= 10_000:
            for each in [each for each, bucket in buckets.items() if bucket.full]:
                del buckets[each]
        buckets[address] = TokenBucket(rate)
    return buckets[address]


def _creates(method: str, path: str) -> bool:
    """Whether a request creates a game or another row; playing and previewing do not."""
    return method == "POST" and path.startswith("/api/") and not path.endswith(("/preview", "/actions"))


def _same_origin(headers: dict[bytes, str]) -> bool:
    """Browsers send Origin with every WebSocket and every request that changes something."""
    origin = headers.get(b"origin")
    return origin is None or origin.partition("://")[2] == headers.get(b"host", "")


def _is_json(method: str, headers: dict[bytes, str]) -> bool:
    """Any request with a body must declare JSON: forms on other sites cannot (CSRF protection)."""
    if method in ("GET", "HEAD", "OPTIONS") or (
        headers.get(b"content-length", "0") == "0" and b"transfer-encoding" not in headers
    ):
        return True
    return headers.get(b"content-type", "").partition(";")[0].strip().lower() == "application/json"


async def _reject(scope: Scope, send: Send, status: int, why: str, wait: float = 0.0) -> None:
    if scope["type"] == ScopeType.WEBSOCKET:
        await send({"type": "websocket.close", "code": 4403, "reason": why})
        return
    headers = [(b"content-type", b"application/json"), *HEADERS]
    if wait:
        headers.append((b"retry-after", f"{wait:.0f}".encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": msgspec.json.encode({"detail": why}), "more_body": False})
