"""Compare the speed of two copies of Rookery, such as a commit and its parent: `rookery bench` in turn, several times.

    python -m benchmarks.before_after ../before/src src --repeats 5

Both run in this interpreter's environment. A row is a figure of `rookery bench`: the median of each copy, their ratio
(above 1: the second copy is faster) and the spread of the ratio over the repeats. The last row is the time of
`rookery warm` in an empty cache; there, too, a ratio above 1 is better.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from rich.progress import track


def run(source: Path, *words: str, cache: Path | None = None) -> str:
    """What a `rookery` command prints when it runs from a folder of sources."""
    environment = {**os.environ, "PYTHONPATH": str(source.resolve())}
    if cache is not None:
        environment["ROOKERY_CACHE"] = str(cache)
    command = [sys.executable, "-m", "rookery", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def figures(source: Path, games: list[str]) -> dict[str, float]:
    """The speeds that `rookery bench` finds, by what they are of."""
    report = json.loads(run(source, "bench", "--json", *games))
    found: dict[str, float] = {}
    for row in report["speeds"]:
        told = " ".join(str(value) for value in row["options"].values() if value is not None)
        found[f"{row['game']} {told}: compiled"] = row["compiled_per_second"]
        found[f"{row['game']} {told}: interpreted"] = row["interpreted_per_second"]
    for row in report["bots"]:
        found[f"{row['game']} {row['bot']}"] = row["nodes_per_second"]
    return found


def compile_speed(source: Path) -> dict[str, float]:
    """One over the seconds that `rookery warm` takes in an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        began = time.perf_counter()
        run(source, "warm", cache=Path(cache))
        return {"rookery warm, per second": 1 / (time.perf_counter() - began)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("before", type=Path, help="the src folder of the first copy")
    parser.add_argument("after", type=Path, help="the src folder of the second copy")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--games", nargs="*", default=[], help="only these games")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    given = parser.parse_args()
    rows: dict[str, list[tuple[float, float]]] = {}
    for source in (given.before, given.after):
        run(source, "warm")
    for repeat in track(range(given.repeats), "measuring", disable=given.json):
        order = (given.before, given.after) if repeat % 2 == 0 else (given.after, given.before)
        found = {source: figures(source, given.games) | compile_speed(source) for source in order}
        for name, before in found[given.before].items():
            rows.setdefault(name, []).append((before, found[given.after][name]))
    if given.json:
        print(
            json.dumps(
                {name: {"before": [a for a, _ in row], "after": [b for _, b in row]} for name, row in rows.items()}
            )
        )
        return
    print(f"{'':58} {'before':>12} {'after':>12}  ratio (least to most)")
    for name, row in rows.items():
        ratios = sorted(after / before for before, after in row)
        ends = (median(before for before, _ in row), median(after for _, after in row))
        print(
            f"{name:58} {ends[0]:12,.4g} {ends[1]:12,.4g}  {median(ratios):.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f})"
        )


if __name__ == "__main__":
    main()
