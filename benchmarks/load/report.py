"""Runs: starts what is loaded and its clients, and sums up what they saw and what every part used."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any

from benchmarks.load.clients import Client, Load, Report
from benchmarks.load.installation import Installation, Plan
from benchmarks.load.people import Habits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True)
class Run:
    """How a load test goes."""

    plan: Plan
    mix: dict[str, float]
    games: int
    seconds: float
    think: float
    reconnect: float
    watchers: int
    clients: int
    settle: float
    idle: int = 0
    """Spectators who watch the games, beside those of the mix."""


def kinds_of(mix: Mapping[str, float], games: int) -> list[str]:
    """The kind of each game. Any part of the games has about the same mix."""
    found: list[str] = []
    for number in range(1, games + 1):
        behind = {kind: share / sum(mix.values()) * number - found.count(kind) for kind, share in mix.items()}
        found.append(max(behind, key=lambda kind: behind[kind]))
    return found


def percentiles(name: str, times: Sequence[float]) -> dict[str, float]:
    """The percentiles of some times, if there are any."""
    if not times:
        return {}
    ordered = sorted(times)
    found = {f"{name}_ms_p{share}": round(ordered[int(len(ordered) * share / 100)], 1) for share in (50, 95, 99)}
    return found | {f"{name}_ms_worst": round(ordered[-1], 1)}


def run(given: Run) -> dict[str, Any]:
    """Load what a plan says; return the figures."""
    with tempfile.TemporaryDirectory() as folder, Installation(given.plan, Path(folder)) as loaded:
        sleep(given.settle)
        before = loaded.memory()
        clients = _clients(given, loaded.base)
        try:
            ids = [id for client in clients for id in client.told()]
            if given.idle:
                clients += _spectators(given, loaded.base, ids)
            figures = _measure(given, loaded, clients)
        finally:
            for client in clients:
                client.end()
        figures["servers_memory_mb_at_first"] = round(before["servers"])
        figures["log"] = len(loaded.complaints())
        figures["first_errors"] += loaded.complaints()[:5]
    return figures


def _clients(given: Run, base: str) -> list[Client]:
    """The client processes that play, each some of the games."""
    habits = Habits(base, given.think, given.reconnect, given.watchers)
    matches = list(enumerate(kinds_of(given.mix, given.games)))
    return [Client(Load(habits, tuple(matches[part :: given.clients]))) for part in range(given.clients)]


def _spectators(given: Run, base: str, ids: Sequence[str]) -> list[Client]:
    """The client processes that only watch."""
    watching = [ids[number % len(ids)] for number in range(given.idle)]
    loads = [Load(Habits(base), watching=tuple(watching[part :: given.clients])) for part in range(given.clients)]
    clients = [Client(load) for load in loads]
    for client in clients:
        client.told()
    sleep(2)  # so that all have been told who is here
    return clients


def _measure(given: Run, loaded: Installation, clients: Sequence[Client]) -> dict[str, Any]:
    def cpu() -> dict[str, float]:
        theirs = sum(sum(client.usage.cpu_times()[:2]) for client in clients)
        return {**loaded.cpu(), "clients": theirs}

    began, used = perf_counter(), cpu()
    for client in clients:
        client.start(began + given.seconds)
    sleep(began + given.seconds - perf_counter())
    used = {name: now - used[name] for name, now in cpu().items()}
    memory = {**loaded.memory(), "clients": sum(client.usage.memory_info().rss for client in clients) / 1e6}
    for client in clients:
        client.told()
    return _figures(given, [client.told() for client in clients], used, memory)


def _figures(
    given: Run, reports: Sequence[Report], cpu: Mapping[str, float], memory: Mapping[str, float]
) -> dict[str, Any]:
    seen = [report.seen for report in reports]
    waits, errors = [wait for each in seen for wait in each.waits], [why for each in seen for why in each.errors]
    actions = max(1, len(waits))
    return {
        "plan": str(given.plan),
        "games_at_once": given.games,
        "games_played": sum(each.games for each in seen),
        "seconds": round(given.seconds, 1),
        "actions": len(waits),
        "actions_per_second": round(len(waits) / given.seconds),
        **percentiles("ack", waits),
        **percentiles("shown_to_other", [each for one in seen for each in one.shown]),
        **percentiles("shown_to_watcher", [each for one in seen for each in one.watched]),
        **percentiles("bot_reply", [each for one in seen for each in one.replies]),
        **(_reach(given, reports) if given.idle else {}),
        "reconnected": sum(each.reconnected for each in seen),
        "errors": len(errors),
        "lost_or_doubled": sum(each.wrong for each in seen),
        "server_cpu_ms_per_action": round(1000 * cpu["servers"] / actions, 3),
        "actions_per_server_cpu_second": round(len(waits) / max(cpu["servers"], 0.01), 1),
        **{f"{name}_cpu_s": round(seconds, 2) for name, seconds in cpu.items()},
        **{f"{name}_memory_mb": round(used) for name, used in memory.items()},
        "first_errors": errors[:3],
    }


def _reach(given: Run, reports: Sequence[Report]) -> dict[str, Any]:
    """How long it took until an action had reached all spectators of its game."""
    took, short = [], 0
    for id, ply, sent in (act for report in reports for act in report.acts):
        found = [report.reached[id, ply] for report in reports if (id, ply) in report.reached]
        if sum(count for count, _ in found) >= given.idle // given.games:
            took.append((max(at for _, at in found) - sent) * 1000)
        else:
            short += 1
    return {"spectators": given.idle, **percentiles("reached_all", took), "actions_that_did_not_reach_all": short}


def middle(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The median of every figure of some runs."""
    found: dict[str, Any] = {}
    for name, first in runs[0].items():
        values = [run.get(name) for run in runs]
        found[name] = median(values) if isinstance(first, int | float) and None not in values else first  # type: ignore[type-var]
    return found
