"""Many games at once over WebSockets: how soon is an action acknowledged, what does it cost, and is every one kept?

    python benchmarks/arcade_load.py [--games 200] [--seconds 60] [--think 0] [--clients 2] [--before OTHER/src]
    python benchmarks/arcade_load.py --db postgres --servers 3 --mix solo=40,bots=30,pairs=25,spectators=5
    python benchmarks/arcade_load.py --db postgres --servers 3 --idle-spectators 5000 --games 10 --think 4
    python benchmarks/arcade_load.py --db postgres --mix solo=60,pairs=40 --plot load.svg

Starts real servers on a database of their own, and client processes that share the games. A person waits for the board
to show that it is their turn, thinks for `--think` seconds and plays any of the actions the board offers; a finished
game is followed by a new one. In a game of the kind `solo` one person plays all seats, `bots` are of levels 1 to 3,
`pairs` are two people with a WebSocket each, and `spectators` is a solo game with `--watchers`. Afterwards each game's
record is fetched and compared with what was acknowledged. With `--before`, servers of another version and of this one
take turns, `--repeats` times, and the processor time of an action is compared.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # for `benchmarks` and `tests`, however this is run

from benchmarks.load.installation import Plan
from benchmarks.load.report import Run, middle, run

KINDS = ("solo", "bots", "pairs", "spectators")


def mix(text: str) -> dict[str, float]:
    """The shares of games by kind."""
    found = {name: float(share) for name, _, share in (part.partition("=") for part in text.split(","))}
    if not set(found) <= set(KINDS) or sum(found.values()) <= 0 or min(found.values()) < 0:
        raise argparse.ArgumentTypeError(f"give shares of {', '.join(KINDS)}, such as solo=60,pairs=40")
    return found


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=0, help="mean seconds between seeing the board and acting")
    parser.add_argument("--clients", type=int, default=2, help="client processes")
    parser.add_argument("--settle", type=float, default=3, help="seconds to wait after the servers have started")
    parser.add_argument("--mix", type=mix, default={"solo": 1.0}, help="shares of the kinds of games")
    parser.add_argument("--watchers", type=int, default=5, help="watchers of a game of the kind spectators")
    parser.add_argument("--reconnect", type=float, default=0, help="share of actions after which a socket is dropped")
    parser.add_argument("--db", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--servers", type=int, choices=range(1, 5), default=0, help="servers behind nginx")
    parser.add_argument("--workers", type=int, default=1, help="workers of one server, without nginx")
    parser.add_argument("--idle-spectators", type=int, default=0, help="sockets that only watch the games")
    parser.add_argument("--before", type=Path, help="the src folder of another version to compare with")
    parser.add_argument("--repeats", type=int, help="how many runs; their medians are reported")
    parser.add_argument("--json", action="store_true", help="print JSON, a line for each run")
    parser.add_argument("--plot", help="run with 1 to 3 servers, and draw a figure into this file")
    return parser.parse_args()


def show(figures: dict[str, Any], *, as_json: bool) -> None:
    """Print the figures of a run."""
    if as_json:
        print(json.dumps(figures), flush=True)
        return
    for name, value in figures.items():
        print(f"{name.replace('_', ' '):34} {value:,}" if isinstance(value, int | float) else f"{name:34} {value}")
    print(flush=True)


def repeated(given: Run, count: int, *, as_json: bool) -> list[dict[str, Any]]:
    """Run several times; print each run, and the medians."""
    found = []
    for _ in range(count):
        found.append(run(given))
        show(found[-1], as_json=as_json)
    if count > 1:
        show({"median_of": count, **middle(found)}, as_json=as_json)
    return found


def compare(given: Run, before: Path, repeats: int) -> None:
    """Let servers of another version and of this one take turns."""
    costs: dict[str, list[float]] = {"before": [], "after": []}
    for _ in range(repeats):
        for name, source in (("before", before), ("after", None)):
            told = run(replace(given, plan=replace(given.plan, source=source)))
            costs[name].append(told["server_cpu_ms_per_action"])
            print(json.dumps({"server": name} | told), flush=True)
    first, second = (sorted(costs[name])[repeats // 2] for name in ("before", "after"))
    print(f"Median processor time of an action: {first:.2f} ms before, {second:.2f} ms after: {second / first:.2f}×.")


def main() -> None:
    told = arguments()
    plan = Plan(told.db, told.servers, told.workers)
    if plan.database == "sqlite" and max(plan.servers, plan.workers, 3 if told.plot else 1) > 1:
        raise SystemExit("SQLite is for one server; add --db postgres.")
    given = Run(
        plan,
        told.mix,
        games=told.games,
        seconds=told.seconds,
        think=told.think,
        reconnect=told.reconnect,
        watchers=told.watchers,
        clients=told.clients,
        settle=told.settle,
        idle=told.idle_spectators,
    )
    if told.before is not None:
        compare(given, told.before, told.repeats or 3)
    elif told.plot:
        from benchmarks.load.plot import draw

        from rookery.lab.figure import check_path

        check_path(told.plot)
        found = {
            count: repeated(replace(given, plan=replace(plan, servers=count)), told.repeats or 1, as_json=told.json)
            for count in (1, 2, 3)
        }
        draw(found, told.plot)
    else:
        repeated(given, told.repeats or 1, as_json=told.json)


if __name__ == "__main__":
    main()
