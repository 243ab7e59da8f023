"""The server's log: as text or as JSON, one object a line, and a line for each request if that is wanted.

A line never holds a cookie, a token, a name or an address: it says of a request its id, method, path, status, time and
size. The query is left out, and what follows # in an invitation never reaches the server.
"""

from __future__ import annotations

import logging
import re
import secrets
import sys
import threading
from contextvars import ContextVar
from datetime import UTC, datetime
from time import perf_counter
from typing import TYPE_CHECKING, Any

import msgspec

from rookery.web import metrics

if TYPE_CHECKING:
    from rookery.web.front import Proxies

access = logging.getLogger("rookery.access")

REQUEST_ID = b"x-request-id"
GIVEN_ID = re.compile(rb"[A-Za-z0-9._:-]{1,64}")
"""What a trusted proxy may give as an id."""
LONGEST = 200
"""Characters of a path that are logged."""

current: ContextVar[str] = ContextVar("request", default="")
"""The id of the request that is handled, also in what it has set off."""


class JsonFormatter(logging.Formatter):
    """A record as one JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {
            "time": at.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= getattr(record, "facts", {})
        request = line.get("request") or current.get()
        if request:
            line["request"] = request
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


class TextFormatter(logging.Formatter):
    """A record as a sentence, with the id of its request."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - that of logging
        request = current.get()
        facts = getattr(record, "facts", None)
        if facts is not None:
            values = " ".join(str(value) for name, value in facts.items() if name != "request")
            return f"{values} [{facts['request']}]" if "status" in facts else record.message
        return f"{record.message} [{request}]" if request else record.message


def set_up(form: str, *, access_log: bool) -> None:
    """Have everything that is logged in this process written to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    logging.getLogger().handlers[:] = [handler]
    access.setLevel(logging.INFO if access_log else logging.CRITICAL)
    if form != "json":
        return
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi"):
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = name != "uvicorn.access"
    logging.captureWarnings(True)
    sys.excepthook = _uncaught
    threading.excepthook = lambda given: _uncaught(given.exc_type, given.exc_value, given.exc_traceback)


def _uncaught(kind: Any, problem: Any, where: Any) -> None:
    logging.getLogger("rookery.web").critical("The program failed", exc_info=(kind, problem, where))


def started(address: str, data: str) -> None:
    """Log where the server listens, and where the data is: as text, the command prints that."""
    facts = {"address": address, "data": data}
    log = logging.getLogger("rookery.serve")
    log.setLevel(logging.INFO)
    log.info("Rookery is running", extra={"facts": facts})


class Requests:
    """ASGI middleware around everything: gives each request an id, counts and logs it."""

    def __init__(self, app: Any, proxies: Proxies) -> None:
        self._app, self._proxies = app, proxies

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        id = self._id(scope)
        current.set(id)  # each request has a task, and so a context, of its own
        header = (REQUEST_ID, id.encode())
        began, status, size = perf_counter(), 0, 0

        async def note(message: Any) -> None:
            nonlocal status, size
            kind = message["type"]
            if kind in ("http.response.start", "websocket.accept"):
                status = message.get("status", 101)
                message["headers"] = [*message.get("headers", ()), header]
            elif kind == "http.response.body":
                size += len(message.get("body", b""))
            elif kind == "websocket.send":
                size += len(message.get("text") or message.get("bytes") or b"")
            elif kind == "websocket.close" and not status:
                status = 403
            await send(message)

        try:
            await self._app(scope, receive, note)
        finally:
            if scope["type"] == "http":
                metrics.requests.add(label=f"{status // 100}xx" if status else "none")
            if access.isEnabledFor(logging.INFO):
                _log(scope, id, status, perf_counter() - began, size)

    def _id(self, scope: Any) -> str:
        """The id that a trusted proxy gave the request, or a new one."""
        client = scope.get("client")
        if client and client[0] in self._proxies:
            given = next((value for name, value in scope["headers"] if name == REQUEST_ID), b"")
            if GIVEN_ID.fullmatch(given):
                return str(given.decode())
        return secrets.token_hex(8)


def _log(scope: Any, id: str, status: int, seconds: float, size: int) -> None:
    path = (scope.get("raw_path") or scope["path"].encode()).decode("latin-1").partition("?")[0]
    facts = {
        "request": id,
        "method": scope.get("method", "WEBSOCKET"),
        "path": "".join(c if c.isprintable() and c != " " else "?" for c in path[:LONGEST]),
        "status": status,
        "ms": round(1000 * seconds, 1),
        "bytes": size,
    }
    access.info("request", extra={"facts": facts})
