"""Run the arcade on a local port until it is stopped."""

from __future__ import annotations

import asyncio
import gc
import logging
import multiprocessing
import os
import signal
import socket
import sys
from contextlib import suppress
from functools import partial
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.supervisors import Multiprocess

from rookery.core.errors import RookeryError
from rookery.games import at_address
from rookery.system.folders import data_folder
from rookery.system.processes import ctrl_c_blocked, end_with_parent
from rookery.web import drain, logs, metrics
from rookery.web.app import Operation, application
from rookery.web.bot_process import bots_of_workers
from rookery.web.front import SYSTEM_KEEPS, Connections, Front, FrontSocket, Proxies, most_connections
from rookery.web.limits import Limits
from rookery.web.middleware import Hosts
from rookery.web.remote_bots import RemoteBots
from rookery.web.settings import Settings
from rookery.web.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import FrameType

    from litestar.channels import ChannelsBackend
    from uvicorn.supervisors.multiprocess import Process

    from rookery.web.bot_process import BotProcess

log = logging.getLogger("rookery.web")

STARTING = 60.0
"""Seconds for which a worker may start."""
PAUSE = 3
"""Seconds between two tries of a worker to start."""
SILENT, HANGING = 10.0, 5
"""Seconds for which a worker may give no answer, and for which it is asked once more before it is replaced."""
LOOK, MOMENT = 0.5, 0.05
"""Seconds after which a supervisor that waits for a worker looks whether it is to stop, and until it asks again."""
COLLECTION = (50_000, 20, 100)
"""How many objects must be new before Python looks for cycles among them, and how often it looks at older ones."""


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


def serve(settings: Settings, say: Callable[[str, str], None]) -> int:
    """Run the server; `say` is called with the address and the database once it accepts connections."""
    url = database_url(settings.database)
    if settings.workers > 1 and url.startswith("sqlite"):
        raise RookeryError(
            "An SQLite file is for one worker. For more, give a PostgreSQL database: --db postgresql://USER@HOST/NAME."
        )
    config = Config(settings)
    listening = _listen(settings.host, settings.port)
    store = None
    try:
        store = Store(url)  # before any worker is started, so that what is wrong is said once
        opened = partial(_opened, settings, say, _address(listening), store.location)
        if settings.workers == 1:
            config.store = store
            with metrics.folder_of_workers(wanted=False):
                _Server(config, opened).run(sockets=[listening])
        else:
            store.close()
            with metrics.folder_of_workers(settings.metrics) as figures, bots_of_workers(settings) as bots:
                config.bots = bots.path if bots is not None else ""
                Supervisor(config, [listening], opened, figures, bots).run()
    finally:
        listening.close()
        if store is not None:
            store.close()
    return 0


def _opened(settings: Settings, say: Callable[[str, str], None], address: str, data: str) -> None:
    """Report that the server accepts connections."""
    say(address, data)
    if settings.log == "json":
        logs.started(address, data)


class Config(uvicorn.Config):
    """How uvicorn runs the arcade. A worker gets a copy, and makes what serves when it loads it."""

    def __init__(self, settings: Settings, bots: str = "") -> None:
        """`bots` is the socket of the process in which bots think, if it is not that of the server."""
        self.settings, self.bots = settings, bots
        self.proxies = Proxies(settings.trusted_proxies)
        self.limits = Limits.shared_by(settings.people_per_address, settings.workers)
        self.store: Store | None = None
        """The database, if this process has opened it."""
        super().__init__(
            "",
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=self.proxies.names(),
            log_level="error",
            access_log=False,
            server_header=False,
            ws_max_size=self.limits.message,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=2,
            timeout_worker_healthcheck=HANGING,
            lifespan="on",
            workers=settings.workers,
        )

    def __reduce__(self) -> Any:
        """A worker makes its own: its sources may be newer than those of the supervisor."""
        return Config, (self.settings, self.bots)

    def load(self) -> None:
        """Make what serves, in the process that does."""
        if multiprocessing.parent_process() is not None:
            end_with_parent()
        store = self.store or self._opened_store()
        for file in self.settings.games:  # a worker has not been told of them yet
            at_address(file)
        tracker = Connections(self.limits, most_connections(), self.proxies)
        self.http = partial(Front, tracker=tracker)  # type: ignore[assignment]
        self.ws = partial(FrontSocket, tracker=tracker)  # type: ignore[assignment]
        operation = Operation(
            keep_days=self.settings.keep_days,
            channels=_channels(store),
            closed=store.close,
            metrics=metrics.Metrics() if self.settings.metrics else None,
            backlog=tracker.backlog,
            bots=partial(RemoteBots, self.bots) if self.bots else None,
        )
        self.app = _Ending(application(store, self.limits, _hosts(self.settings), operation))
        super().load()
        self.loaded_app = logs.Requests(self.loaded_app, self.proxies)
        alone = self.settings.workers == 1
        operation.drain.listen(self.settings.drain + drain.LEAST if alone else 0)
        _collect_less()
        sys.setswitchinterval(0.0005)  # so that the store's thread runs soon while the broadcaster is busy
        logging.getLogger("uvicorn.error").addFilter(_is_worth_saying)

    def _opened_store(self) -> Store:
        """The database, opened by a worker. If it is away, the worker says so and ends after a pause; the supervisor
        starts another one.
        """
        try:
            return Store(database_url(self.settings.database))
        except RookeryError as problem:
            log.error("A worker cannot start, and tries again in %d s. %s", PAUSE, problem)
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, signal.SIG_DFL)
            sleep(PAUSE)
            raise SystemExit(1) from None

    def configure_logging(self) -> None:
        """Set up what is logged in this process, and how."""
        super().configure_logging()
        logs.set_up(self.settings.log, access_log=self.settings.access_log)


def _channels(store: Store) -> Callable[[], ChannelsBackend] | None:
    """What carries events between the servers on a database."""
    if not store.shared:
        return None
    from rookery.web.postgres import Channels

    return partial(Channels, store.url)


class Supervisor(Multiprocess):
    """The parent of several workers and of the process in which their bots think: starts them, and another one for each
    that dies. SIGHUP replaces them one by one, so that new sources or settings are used without a pause.

    Ctrl-C in a terminal reaches all processes, but workers do not hear it: they wait for the supervisor's SIGTERM, on
    which they stop without a loss. The supervisor hears it at once, also while it waits for workers to start.
    """

    def __init__(
        self,
        config: Config,
        sockets: list[socket.socket],
        opened: Callable[[], None],
        figures: Path | None,
        bots: BotProcess | None,
    ) -> None:
        """`figures` is the folder of the workers' figures."""
        super().__init__(config, sockets)
        self._opened, self._figures, self._bots = opened, figures, bots
        self._drain = config.settings.drain

    def init_processes(self) -> None:
        """Start the workers, and report when the first one accepts connections."""
        with ctrl_c_blocked():
            if self._bots is not None:
                self._bots.keep_alive()
            super().init_processes()
        first = self.processes[0]
        ready = self._wait(lambda: not first.process.is_alive() or first.is_ready(LOOK), STARTING)
        if ready and first.process.is_alive():
            self._opened()

    def keep_subprocess_alive(self) -> None:
        """Start another process for each that has died or hangs, and forget what those that ended had open."""
        for each in self.processes:
            self._wait(partial(_answers, each), SILENT)
        with ctrl_c_blocked():
            super().keep_subprocess_alive()
            if self._bots is not None and not self.should_exit.is_set():
                self._bots.keep_alive()
        if self._figures is not None:
            bots = [] if self._bots is None else [self._bots.pid]
            metrics.forget_ended(self._figures, [*bots, *(each.pid for each in self.processes)])

    def handle_hup(self) -> None:
        """Replace the processes one by one. A busy machine may take long to start one."""
        self.config.timeout_worker_healthcheck = round(STARTING)
        try:
            with ctrl_c_blocked():
                if self._bots is not None:
                    self._bots.replace()
                super().handle_hup()
        finally:
            self.config.timeout_worker_healthcheck = HANGING

    def _wait(self, done: Callable[[], bool], seconds: float) -> bool:
        """Wait for a worker, but not if it is time to stop; return whether it is done."""
        end = monotonic() + seconds
        while not self.should_exit.is_set() and monotonic() < end:
            if done():
                return True
            self.handle_signals()
            self.should_exit.wait(MOMENT)
        return False

    def terminate_all(self) -> None:
        """End all workers. If they are to be seen as not ready first, tell them now and wait."""
        if self._drain and hasattr(signal, "SIGUSR1"):
            for each in self.processes:
                if each.pid is not None and each.process.is_alive():
                    os.kill(each.pid, signal.SIGUSR1)
            sleep(self._drain)
        super().terminate_all()


def _answers(worker: Process) -> bool:
    """Whether a worker has answered, or will not any more."""
    return not worker.process.is_alive() or worker.ping(LOOK)


def _collect_less() -> None:
    """Let Python look for cycles less often. Scenes are many small objects without cycles, so that looking every 700
    of them, its default, takes a fifth of the processor time of a busy server.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTION)


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
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SYSTEM_KEEPS)  # each connection inherits it
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
