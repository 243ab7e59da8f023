"""What the server counts and measures, for Prometheus. Off by default: then a figure is an object that does nothing,
and `prometheus_client` is not imported.

Several workers write their figures into files of one folder, which the supervisor makes and removes; whichever worker
is asked sums them up (prometheus_client's multiprocess mode). Gauges of workers that have ended no longer count.
"""

from __future__ import annotations

import os
import re
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from prometheus_client import CollectorRegistry

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that names the folder of several workers' figures."""
QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Bounds in seconds of what should take milliseconds."""
SLOW = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Bounds in seconds of a bot's work."""


class Figure:
    """A counter, a gauge or a histogram; with `label`, one for each value of the label."""

    def __init__(self, kind: str, name: str, about: str, label: str = "", bounds: tuple[float, ...] = ()) -> None:
        self.kind, self.name, self.about, self.label, self.bounds = kind, name, about, label, bounds
        self._real: Any = None
        self._of: dict[str, Any] = {}

    def start(self, registry: CollectorRegistry) -> None:
        """Count from now on."""
        import prometheus_client as library

        more: dict[str, Any] = {"labelnames": (self.label,)} if self.label else {}
        if self.kind == "gauge":
            more["multiprocess_mode"] = "livesum"
        elif self.kind == "histogram":
            more["buckets"] = self.bounds
        make = {"counter": library.Counter, "gauge": library.Gauge, "histogram": library.Histogram}[self.kind]
        self._real = make(f"rookery_{self.name}", self.about, registry=registry, **more)

    def add(self, amount: float = 1, label: str = "") -> None:
        """Add to a counter or a gauge."""
        if self._real is not None:
            (self._labelled(label) if label else self._real).inc(amount)

    def set(self, value: float) -> None:
        """Set a gauge."""
        if self._real is not None:
            self._real.set(value)

    def observe(self, seconds: float) -> None:
        """Add to a histogram."""
        if self._real is not None:
            self._real.observe(seconds)

    def _labelled(self, label: str) -> Any:
        found = self._of.get(label)
        if found is None:
            found = self._of[label] = self._real.labels(label)
        return found


games_open = Figure("gauge", "games_open", "Games that are open in memory.")
sockets_open = Figure("gauge", "sockets_open", "WebSockets that are open.")
unread = Figure("gauge", "unread_bytes", "Bytes that wait for people to read them.")
draining = Figure("gauge", "servers_draining", "Servers that are about to stop.")
actions = Figure("counter", "actions", "Actions that were played and saved.", "by")
action_seconds = Figure("histogram", "action_seconds", "From a person's action to its being saved.", bounds=QUICK)
write_seconds = Figure("histogram", "database_write_seconds", "From a write to its commit.", bounds=QUICK)
read_seconds = Figure("histogram", "database_read_seconds", "Reading from the database.", bounds=QUICK)
bot_queue = Figure("gauge", "bot_queue", "Moves and analyses of bots that wait for a thread.")
bots_thinking = Figure("gauge", "bots_thinking", "Moves and analyses of bots that are being thought about.")
bot_wait_seconds = Figure("histogram", "bot_wait_seconds", "How long they have waited when they begin.", bounds=SLOW)
bot_refusals = Figure(
    "counter", "bot_refusals", "Moves and analyses that were put off: too many of a visitor's waited."
)
bot_seconds = Figure("histogram", "bot_seconds", "How long bots think about a move or an analysis.", bounds=SLOW)
conflicts = Figure("counter", "conflicts", "Changes that came too late, because another one was saved first.")
catch_ups = Figure("counter", "catch_ups", "Games that were read again because another server had changed them.")
jobs = Figure("counter", "jobs", "Overdue games that were looked after.")
events = Figure("counter", "events", "Events of other servers heard, and own ones sent.", "direction")
requests = Figure("counter", "http_requests", "HTTP requests by class of their status.", "status")

FIGURES = [each for each in globals().values() if isinstance(each, Figure)]
"""All figures."""


class Metrics:
    """The figures of this process, or of all workers, as text."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry

        self._registry = CollectorRegistry()
        for each in FIGURES:
            each.start(self._registry)

    def text(self) -> tuple[bytes, str]:
        """The figures in Prometheus's format, and its media type."""
        from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest, multiprocess

        registry = self._registry
        if FOLDER in os.environ:
            registry = CollectorRegistry()
            multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry), CONTENT_TYPE_LATEST


@contextmanager
def folder_of_workers(wanted: bool) -> Iterator[Path | None]:
    """A private folder for the figures of several workers while they run; the environment tells them of it."""
    os.environ.pop(FOLDER, None)
    if not wanted:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="rookery-metrics-", ignore_cleanup_errors=True) as folder:
        os.environ[FOLDER] = folder
        try:
            yield Path(folder)
        finally:
            del os.environ[FOLDER]


def forget_ended(folder: Path, living: Collection[int | None]) -> None:
    """Remove the gauges of workers that have ended; what they counted stays."""
    for file in folder.glob("gauge_live*.db"):
        found = re.search(r"_(\d+)\.db$", file.name)
        if found is not None and int(found[1]) not in living:
            with suppress(FileNotFoundError):
                file.unlink()
