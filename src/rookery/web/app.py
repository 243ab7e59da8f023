"""The application: the page, the API and the WebSockets, wrapped in the access middleware."""

from __future__ import annotations

import logging
import mimetypes
import re
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Litestar, Request, Response, get
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State as AppState
from litestar.exceptions import HTTPException, NotFoundException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.params import FromPath
from litestar.routes import HTTPRoute

from rookery import __version__
from rookery.core.errors import OptionError, RookeryError
from rookery.web import messages, profile_messages, puzzle_messages
from rookery.web.apart import NotDone
from rookery.web.api import ROUTES
from rookery.web.drain import RETRY_AFTER, Drain, Stopping
from rookery.web.identity import Identity
from rookery.web.limits import Limits, Rates, TooMany
from rookery.web.live_game import Conflict, NotSaved
from rookery.web.middleware import WORKER, AccessMiddleware
from rookery.web.operations import Operations, Readiness
from rookery.web.registry import NotFound, RoomRegistry
from rookery.web.socket import DATABASE_AWAY, NO_DATABASE, view
from rookery.web.store import Unanswered

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from litestar.channels import ChannelsBackend
    from litestar.types import ASGIApp

    from rookery.web.backlog import Backlog
    from rookery.web.bot_pool import Bots
    from rookery.web.metrics import Metrics
    from rookery.web.middleware import Hosts
    from rookery.web.store import Store

log = logging.getLogger("rookery.web")

STATIC = Path(__file__).parent / "static"
NO_CACHE = {"Cache-Control": "no-cache"}
IMMUTABLE = {"Cache-Control": "public, max-age=31536000, immutable"}


@dataclass
class Operation:
    """How an application is operated; for `keep_days` and `channels` see `RoomRegistry`."""

    keep_days: float | None = None
    channels: Callable[[], ChannelsBackend] | None = None
    closed: Callable[[], None] | None = None
    """Called when all else has ended."""
    metrics: Metrics | None = None
    """The figures, if they may be asked for."""
    backlog: Backlog | None = None
    """Counts what nobody has read yet."""
    drain: Drain = field(default_factory=Drain)
    bots: Callable[[], Bots] | None = None
    """What lets bots think, if it is not a pool of this process."""


def application(
    store: Store,
    limits: Limits | None = None,
    hosts: Hosts | None = None,
    operation: Operation | None = None,
) -> ASGIApp:
    """The arcade as an ASGI application."""
    limits = limits or Limits()
    operation = operation or Operation()
    files = StaticFiles()
    rates = Rates(limits, shared=store.shared)

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        how = (operation.keep_days, operation.channels, rates, operation.drain, operation.bots)
        registry = RoomRegistry(store, limits, *how)
        app.state.registry = registry
        await registry.open()
        try:
            yield
        finally:
            await registry.hand_over()
            registry.close()
            if operation.closed is not None:
                operation.closed()

    app = Litestar(
        route_handlers=[ROUTES, view, *files.handlers()],
        state=AppState({"limits": limits, "sockets": {}, "rates": rates, "backlog": operation.backlog}),
        lifespan=[lifespan],
        request_class=_StrictRequest,
        request_max_body_size=limits.body,
        compression_config=CompressionConfig(backend="gzip", minimum_size=600, gzip_compress_level=6),
        exception_handlers={
            RookeryError: _refuse,
            HTTPException: _http_error(files.shell("app.js")),
            **dict.fromkeys(DATABASE_AWAY, _no_database),
            Exception: _fail,
        },
        openapi_config=OpenAPIConfig(
            title="Rookery",
            version=__version__,
            description="Four grid games to play and watch. A cookie, set by the first answer, identifies the "
            "caller; actions are written as in records.",
            path="/api/schema",
            render_plugins=[_OpenAPIPlugin(path="/openapi.json")],
        ),
        logging_config=None,
    )
    identity = Identity(store.keys, store.revoked, store.now)
    inner = AccessMiddleware(app, identity, limits, _methods(app), rates, hosts)
    return Operations(inner, Readiness(store, operation.drain), operation.metrics)


def _methods(app: Litestar) -> Callable[[str], str | None]:
    """The methods allowed at a path. Litestar's own answer to OPTIONS knows only one of several handlers."""
    known = [
        (re.compile(re.sub(r"\\{[^}]*\\}", "[^/]+", re.escape(route.path))), ", ".join(sorted(route.methods)))
        for route in app.routes
        if isinstance(route, HTTPRoute)
    ]

    def methods(path: str) -> str | None:
        return next((allowed for pattern, allowed in known if pattern.fullmatch(path)), None)

    return methods


class _StrictRequest(Request[Any, Any, AppState]):
    """A request whose JSON is checked strictly; Litestar by itself accepts 0 for false."""

    async def json(self) -> Any:
        field = self.scope["route_handler"].parsed_data_field
        try:
            return msgspec.convert(_read(await self.body()), field.annotation if field else Any)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as problem:
            raise ValidationException(f"Malformed request: {problem}") from None


def _number(text: str) -> float:
    """A number with a point or an exponent; in JSON, 7.0 is an integer too."""
    value = float(text)
    return int(value) if value.is_integer() and abs(value) < 2**53 else value


_read = msgspec.json.Decoder(float_hook=_number).decode


class _OpenAPIPlugin(JsonRenderPlugin):
    """The OpenAPI description with msgspec's schemas of the messages, because msgspec checks them."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        kinds = [
            kind
            for module in (messages, profile_messages, puzzle_messages)
            for kind in vars(module).values()
            if isinstance(kind, type) and issubclass(kind, msgspec.Struct)
        ]
        _, exact = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
        known = openapi_schema["components"]["schemas"]
        return super().render(request, openapi_schema | {"components": {"schemas": known | exact}})


class StaticFiles:
    """The page's static files, read once. Their URL holds a digest of them all, so browsers may cache them for ever."""

    def __init__(self) -> None:
        self._contents = {path.name: path.read_bytes() for path in sorted(STATIC.iterdir()) if path.is_file()}
        digest = sha256(b"".join(self._contents.values())).hexdigest()[:12]
        self._base = f"/static/{digest}"
        self._shell = self._contents.pop("index.html").decode()
        worker = self._contents.pop("worker.js").decode()
        self._worker = worker.replace("@static@", self._base).replace("@files@", " ".join(self._contents)).encode()
        self._contents["index.html"] = self.shell("app.js")

    def handlers(self) -> list[Any]:
        """The routes of the page: index.html for every page route, and the files."""
        contents, base = self._contents, self._base
        # A page opened before an update must not mix modules of two versions: it is loaded again (network.js).
        entries = set(self._routes().values())

        @get("/static/{digest:str}/{name:str}", include_in_schema=False, sync_to_thread=False)
        def file(digest: FromPath[str], name: FromPath[str]) -> Response[bytes]:
            current = base.endswith(digest)
            if name not in contents or (not current and name in entries):
                raise NotFoundException("File not found.")
            kind = TYPES.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
            return Response(contents[name], media_type=kind, headers=IMMUTABLE if current else NO_CACHE)

        @get(WORKER, include_in_schema=False, sync_to_thread=False)
        def worker() -> Response[bytes]:
            return Response(self._worker, media_type=TYPES[".js"], headers=NO_CACHE)

        return [file, worker, *(self._page(path, module) for path, module in self._routes().items())]

    def _routes(self) -> dict[str, str]:
        """The paths of the pages, as Litestar writes them, and the module of each: what routes.js lists."""
        listed = re.findall(r'^  "(/[^"]*)": "([\w-]+\.js)",$', self._contents["routes.js"].decode(), re.M)
        return {re.sub(r":(\w+)", r"{\1:str}", path): module for path, module in listed}

    def shell(self, module: str) -> bytes:
        """index.html for a page module, with preload links for all modules it imports."""
        modules = sorted(self._imports(module, {"app.js"}))
        links = "\n".join(f'<link rel="modulepreload" href="@static@/{each}">' for each in modules)
        return self._shell.replace("@preload@", links).replace("@static@", self._base).encode()

    def _page(self, path: str, module: str) -> Any:
        shell = self.shell(module)

        @get(path, include_in_schema=False, sync_to_thread=False)
        def page() -> Response[bytes]:
            return Response(shell, media_type=HTML, headers=NO_CACHE)

        return page

    def _imports(self, module: str, known: set[str]) -> set[str]:
        """A module and everything it imports."""
        for each in re.findall(r'from "\./([\w-]+\.js)"', self._contents[module].decode()):
            if each not in known | {module}:
                known |= self._imports(each, known | {module})
        return known | {module}


HTML = "text/html"  # Litestar adds the charset to text
TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".png": "image/png",
}


def _answer(status: int, why: str, headers: dict[str, str] | None = None, option: str = "") -> Response[bytes]:
    content = msgspec.json.encode({"detail": why} | ({"option": option} if option else {}))
    return Response(content, media_type="application/json", status_code=status, headers=headers)


def _refuse(_: Request[Any, Any, Any], problem: RookeryError) -> Response[bytes]:
    option = problem.option if isinstance(problem, OptionError) else ""
    status = next((status for kind, status in STATUSES.items() if isinstance(problem, kind)), 409)
    headers = {"Retry-After": str(RETRY_AFTER)} if isinstance(problem, Stopping) else None
    return _answer(status, str(problem), headers, option)


STATUSES: dict[type[RookeryError], int] = {
    NotFound: 404,
    Conflict: 409,
    NotDone: 503,
    NotSaved: 503,
    Unanswered: 503,
    TooMany: 429,
    Stopping: 503,
}
"""The HTTP statuses of errors; 409 for all others."""


def _no_database(_: Request[Any, Any, Any], problem: Exception) -> Response[bytes]:
    log.error("The database does not answer: %s", str(problem).splitlines()[0])
    return _answer(503, NO_DATABASE)


def _http_error(shell: bytes) -> Callable[[Request[Any, Any, Any], HTTPException], Response[bytes]]:
    """Answer Litestar's own errors in a sentence; a browser at an unknown address gets the "Page not found" page."""

    def http_error(request: Request[Any, Any, Any], problem: HTTPException) -> Response[bytes]:
        unknown = problem.status_code == 404 and not request.url.path.startswith(("/api/", "/static/"))
        if unknown and "text/html" in request.headers.get("accept", ""):
            return Response(shell, media_type=HTML, status_code=404, headers=NO_CACHE)
        detail = str(problem.detail)
        if isinstance(problem.extra, list) and problem.extra and isinstance(problem.extra[0], dict):
            first = problem.extra[0]
            detail = f"{first.get('key') or 'The request'}: {first.get('message')}"
        return _answer(problem.status_code, detail if detail.endswith(".") else detail + ".", problem.headers)

    return http_error


def _fail(_: Request[Any, Any, Any], problem: Exception) -> Response[bytes]:
    log.error("A request failed", exc_info=problem)
    return _answer(500, "Internal server error; no data was lost. Try again.")
