"""The results of simulations as JSON, CSV and tables, with confidence intervals."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

from rookery.core.notation import counted
from rookery.lab.formatting import estimate, value_text
from rookery.lab.intervals import Counts, wilson

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType
    from rich.table import Table

    from rookery.core.options import Value
    from rookery.lab.simulate import Run

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
SHOWN_PLAYERS = 8
"""The most players in a table; the JSON has all."""
BARS, BAR_LENGTH = 16, 40
"""The most bars of a histogram in a terminal, and the length of the longest."""
FEW = 3
"""A distribution over at most this many values gets no histogram: the table says enough."""


def content(run: Run) -> dict[str, Any]:
    """The results as a JSON object. `wins` and the rates derived from it are player 1's; `players` has everybody's.

    In a game without winners they are null; draws are also null in a solo game.
    """
    game, tally = run.experiment.game, run.tally
    first = _player_results(run, 1)
    draws = tally.won_by(0).total if game.winnable and game.players > 1 else None
    return {
        "game": game.name,
        "options": game.options,
        "bot": " ".join(run.experiment.bots),
        "games": tally.games,
        "seed": run.experiment.seed,
        **{name: first[name] for name in ("wins", "win_rate", "win_rate_ci95", "score_mean", "score_ci95")},
        "moves_mean": tally.lengths.mean,
        "moves_ci95": tally.lengths.interval(),
        **{name: first[name] for name in ("win_moves_mean", "win_moves_ci95", "win_score_mean")},
        "draws": draws,
        "draw_rate": _share(draws, tally.games),
        "draw_rate_ci95": None if draws is None else wilson(draws, tally.games),
        "unfinished": tally.unfinished,
        "seconds": round(run.seconds, 3),
        "moves_per_second": round(tally.made / run.seconds) if run.seconds else None,
        "workers": run.workers,
        "players": [_player_results(run, player) for player in range(1, game.players + 1)],
        "moves": distribution(tally.lengths),
        "win_moves": distribution(tally.won_by(1)) if game.winnable else None,
        "maps": _maps(run),
    }


def _share(part: int | None, whole: int) -> float | None:
    return part / whole if part is not None and whole else None


def _player_results(run: Run, player: int) -> dict[str, Any]:
    game, tally = run.experiment.game, run.tally
    scores, won = tally.scores.get(player, Counts()), tally.won_by(player)
    wins = won.total if game.winnable else None
    return {
        "player": player,
        "wins": wins,
        "win_rate": _share(wins, tally.games),
        "win_rate_ci95": None if wins is None else wilson(wins, tally.games),
        "score_mean": scores.mean,
        "score_ci95": scores.interval(),
        "win_moves_mean": won.mean,
        "win_moves_ci95": won.interval(),
        "win_score_mean": tally.win_scores.get(player, Counts()).mean if game.winnable else None,
        "score": distribution(scores),
    }


def distribution(counts: Counts) -> dict[str, Any] | None:
    """A distribution as a JSON object; None if it is empty."""
    if not counts.total:
        return None
    variance = counts.variance
    return {
        "mean": counts.mean,
        "sd": None if variance is None else variance**0.5,
        "least": counts.least,
        "most": counts.most,
        "quantiles": {f"{p:g}": counts.quantile(p) for p in QUANTILES},
        "histogram": [{"from": low, "below": high, "games": many} for low, high, many in counts.histogram()],
    }


def _maps(run: Run) -> list[dict[str, Any]]:
    """Each map with the mean count per game for each place of the board."""
    found, at, games = [], 0, max(1, run.tally.games)
    for each in run.experiment.game.maps():
        counts = run.tally.counts[at : at + len(each.places)]
        at += len(each.places)
        found.append({"name": each.name, "places": each.places, "per_game": [many / games for many in counts]})
    return found


def as_json(runs: Sequence[tuple[Run, Mapping[str, Value]]]) -> str:
    """A JSON object: the results of a single run, or the sweep and the results of all its runs."""
    contents = [content(run) for run, _ in runs]
    if len(runs) == 1 and not runs[0][1]:
        return json.dumps(contents[0], ensure_ascii=False)
    sweep: dict[str, list[Value]] = {}
    for _, changes in runs:
        for name, value in changes.items():
            values = sweep.setdefault(name, [])
            if value not in values:
                values.append(value)
    return json.dumps({"game": contents[0]["game"], "sweep": sweep, "results": contents}, ensure_ascii=False)


CSV_FIELDS = (
    *("games", "seed", "wins", "win_rate", "win_rate_ci95", "score_mean", "score_ci95", "moves_mean", "moves_ci95"),
    *("win_moves_mean", "win_moves_ci95", "win_score_mean", "draws", "draw_rate", "draw_rate_ci95", "unfinished"),
    *("seconds", "moves_per_second", "workers"),
)


def as_csv(runs: Sequence[tuple[Run, Mapping[str, Value]]]) -> str:
    """One row per run: all options, the bot, and the results; an interval is two columns."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for number, (run, _) in enumerate(runs):
        found = content(run)
        row = {**{f"option_{name}": value for name, value in found["options"].items()}, "bot": found["bot"]}
        for name in CSV_FIELDS:
            if name.endswith("_ci95"):
                row[name + "_low"], row[name + "_high"] = found[name] or (None, None)
            else:
                row[name] = found[name]
        if number == 0:
            writer.writerow(row)
        writer.writerow(row.values())
    return out.getvalue().rstrip("\n")


def percent(rate: float | None, interval: tuple[float, float] | None) -> str:
    """A share as text, in per cent with its interval."""
    if rate is None or interval is None:
        return "–"
    return estimate(100 * rate, [100 * end for end in interval], "%")


def mean(value: float | None, interval: tuple[float, float] | None) -> str:
    """A mean as text, with its interval."""
    return "–" if value is None else estimate(value, interval)


def as_table(runs: Sequence[tuple[Run, Mapping[str, Value]]]) -> list[RenderableType]:
    """The results as tables: a single run in detail, several runs as a row each."""
    return _details(runs[0][0]) if len(runs) == 1 else [_rows(runs)]


def _rows(runs: Sequence[tuple[Run, Mapping[str, Value]]]) -> RenderableType:
    from rich.table import Table

    game = runs[0][0].experiment.game
    several = game.players > 1
    table = Table(box=None)
    for name in runs[0][1]:
        table.add_column(name, justify="right", style="bold")
    table.add_column("games", justify="right")
    if game.winnable:
        table.add_column("player 1 wins" if several else "won", justify="right")
    if game.winnable and several:
        table.add_column("draws", justify="right")
    if not game.winnable or several:
        table.add_column("score of player 1" if several else "score", justify="right")
    table.add_column("moves", justify="right")
    if game.winnable:
        table.add_column("moves if won", justify="right")
    for run, changes in runs:
        found = content(run)
        cells = [*map(value_text, changes.values()), f"{found['games']:,}"]
        if game.winnable:
            cells.append(percent(found["win_rate"], found["win_rate_ci95"]))
        if game.winnable and several:
            cells.append(percent(found["draw_rate"], found["draw_rate_ci95"]))
        if not game.winnable or several:
            cells.append(mean(found["score_mean"], found["score_ci95"]))
        cells.append(mean(found["moves_mean"], found["moves_ci95"]))
        if game.winnable:
            cells.append(mean(found["win_moves_mean"], found["win_moves_ci95"]))
        table.add_row(*cells)
    return _titled(f"{game.title}, {' and '.join(runs[0][0].experiment.bots)}", table)


def _details(run: Run) -> list[RenderableType]:
    """The results of one run, then its distributions as histograms."""
    from rich.table import Table

    game, found = run.experiment.game, content(run)
    options = ", ".join(f"{name} {value_text(value)}" for name, value in game.options.items() if value is not None)
    table = Table(box=None, show_header=False)
    table.add_column(style="bold")
    table.add_column()
    table.add_row(
        "games", f"{found['games']:,} from seed {found['seed']}, played by {' and '.join(run.experiment.bots)}"
    )
    shown = found["players"][:SHOWN_PLAYERS]
    for each in shown:
        who = f" of player {each['player']}" if game.players > 1 else ""
        if game.winnable:
            table.add_row("wins" + who, f"{each['wins']:,}, {percent(each['win_rate'], each['win_rate_ci95'])}")
        if not game.winnable or game.players > 1:
            table.add_row("score" + who, mean(each["score_mean"], each["score_ci95"]))
    if len(found["players"]) > len(shown):
        table.add_row("", f"and {counted(len(found['players']) - len(shown), 'more player')}, with --json")
    if found["draws"] is not None:
        table.add_row("draws", f"{found['draws']:,}, {percent(found['draw_rate'], found['draw_rate_ci95'])}")
    table.add_row("moves", mean(found["moves_mean"], found["moves_ci95"]))
    if game.winnable:
        whose = "player 1 won" if game.players > 1 else "won"
        table.add_row(f"moves if {whose}", mean(found["win_moves_mean"], found["win_moves_ci95"]))
    if found["unfinished"]:
        table.add_row("unfinished", f"{found['unfinished']:,} after {run.experiment.most:,} moves")
    speed = f", {found['moves_per_second']:,} moves a second" if found["moves_per_second"] else ""
    table.add_row("time", f"{found['seconds']:,.1f} s on {counted(run.workers, 'worker')}{speed}")
    distributions = [("moves", run.tally.lengths)]
    if not game.winnable or game.players > 1:
        distributions.insert(
            0, ("score" + (" of player 1" if game.players > 1 else ""), run.tally.scores.get(1, Counts()))
        )
    return [
        _titled(f"{game.title}: {options}", table),
        *(histogram(name, counts) for name, counts in distributions if len(counts.items()) > FEW),
    ]


def histogram(name: str, counts: Counts) -> RenderableType:
    """A histogram with horizontal bars."""
    from rich.table import Table

    bins = counts.histogram(BARS)
    highest = max(many for _, _, many in bins)
    least, middle, most = (counts.quantile(p) for p in (0.05, 0.5, 0.95))
    table = Table(box=None, show_header=False)
    table.add_column(justify="right")
    table.add_column()
    table.add_column(justify="right")
    for low, high, many in bins:
        whole = isinstance(low, int) and isinstance(high, int)
        label = f"{low}" if whole and high - low == 1 else f"{low}–{high - 1}" if whole else f"{low:.3g} to {high:.3g}"
        eighths = round(many / highest * BAR_LENGTH * 8)
        bar = "█" * (eighths // 8) + (" ▏▎▍▌▋▊▉"[eighths % 8] if eighths % 8 else "")
        table.add_row(label, bar or ("▏" if many else ""), f"{many / counts.total:.2%}")
    return _titled(f"{name}: median {middle}, 90% from {least} to {most}", table)


def _titled(title: str, table: Table) -> RenderableType:
    """A table below a title, which may be wider than the table."""
    from rich.console import Group
    from rich.text import Text

    return Group(Text(title, style="italic"), table)
