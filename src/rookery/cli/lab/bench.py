"""`rookery bench`: measure random play and bots' searches on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery.cli import flags
from rookery.cli.lab import common

if TYPE_CHECKING:
    from rich.table import Table

    from rookery.lab.bench import SearchSpeed, Speed


def bench(given: list[str]) -> int:
    """Measure the speed of random play and of bots' searches on this machine."""
    from rookery.games import find

    parser = flags.parser("rookery bench", "Measure the speed of random play and of bots' searches on this machine.")
    parser.add_argument("game", nargs="*", metavar="GAME", help="only these games")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    chosen = parser.parse_args(given)
    for name in chosen.game:
        find(name)
    common.need_packages("numba", "rich")

    import json

    from rookery.lab.bench import BOTS, SETTINGS, measure_bots, measure_games

    speeds: list[Speed] = []
    searches: list[SearchSpeed] = []
    total = sum(not chosen.game or name in chosen.game for name, _, _ in SETTINGS + BOTS)
    with common.progress_bar("measured", total) as show:
        for speed in measure_games(chosen.game):
            speeds.append(speed)
            show(len(speeds))
        for search in measure_bots(chosen.game):
            searches.append(search)
            show(len(speeds) + len(searches))
    if chosen.json:
        found = {"speeds": [each.content() for each in speeds], "bots": [each.content() for each in searches]}
        print(json.dumps(found, ensure_ascii=False))
    else:
        common.show([_speed_table(speeds), *([_search_table(searches)] if searches else [])])
    return 0


def _speed_table(speeds: list[Speed]) -> Table:
    from rich.table import Table

    table = Table(title="Random play, moves per second", title_justify="left", box=None)
    threads = speeds[0].threads
    for name in ("game", "compiled, one core", "interpreted", "ratio", f"{threads} threads to one"):
        table.add_column(name, justify="left" if name == "game" else "right")
    for speed in speeds:
        table.add_row(
            speed.title,
            f"{speed.compiled:,.0f} {speed.noun}",
            f"{speed.interpreted:,.0f}",
            f"{speed.ratio:,.0f} ×",
            f"{speed.speedup:.2f} ×",
        )
    return table


def _search_table(searches: list[SearchSpeed]) -> Table:
    from rich.table import Table

    table = Table(title="\nBots, over positions of a whole game", title_justify="left", box=None)
    for name in ("bot", "per second", "mean depth", "slowest move"):
        table.add_column(name, justify="left" if name == "bot" else "right")
    for each in searches:
        depth = "" if each.depth is None else f"{each.depth:.1f}"
        table.add_row(each.title, f"{each.per_second:,.0f} {each.noun}", depth, f"{each.longest:.1f} ms")
    return table
