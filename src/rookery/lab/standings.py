"""The standings of a duel: results, ratings and confidence intervals, as JSON and as tables.

Points come from pairings. A game pairs each player with every other: the higher-ranked gets a point, equals get half a
point each. In a solo game, each opening pairs all bots by their scores. A bot's `score` is its share of the points of
its pairings; for two players this is the usual score, with a draw as half a win.

Shares have Wilson intervals with as many trials as games: the pairings of one game are correlated, and values between 0
and 1 have no more variance than 0 and 1 with the same mean.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, Any

from rookery.core.notation import counted, plain
from rookery.lab.duel import group_by_value
from rookery.lab.intervals import Counts, wilson
from rookery.lab.ratings import rate

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from rookery.lab.duel import Result
    from rookery.lab.ratings import Ranking, Rating

CROSS = 10
"""The most bots in a cross table; the JSON has all."""


def rankings(result: Result) -> list[Ranking]:
    """The ranking of each game; in a solo game, the ranking of each opening by scores."""
    if result.duel.game.players > 1:
        return [played.ranking for played in result.played]
    scores: defaultdict[int, dict[int, float]] = defaultdict(dict)
    for played in result.played:
        scores[played.opening][played.seats[0]] = played.scores[0]
    return [group_by_value(each) for each in scores.values()]


def content(result: Result) -> dict[str, Any]:
    """The standings as a JSON object; `players` and `against` are sorted by Elo, the best first.

    A bot's `wins`, `draws` and `losses` are games in which it was first alone, shared the first place, or neither; in a
    solo game they are pairings. The total `draws` are games with a shared first place. `ms_per_move` is the time spent
    choosing, and `points` are the game's scores.
    """
    duel, game, found = result.duel, result.duel.game, rankings(result)
    ratings = rate(len(duel.bots), Counter(found))
    order = sorted(range(len(duel.bots)), key=lambda bot: -round(ratings[bot].elo, 2))
    pairs = _pairings(found)
    solo = game.players == 1
    draws = None if solo else sum(len(ranking[0]) > 1 for ranking in found)
    lengths = Counts(played.plies for played in result.played)
    return {
        "game": game.name,
        "options": game.options,
        "opening": duel.schedule.opening,
        "near": duel.schedule.near,
        "seed": duel.schedule.seed,
        "games": len(result.played),
        "players": [_bot_standing(result, bot, found, ratings[bot], pairs) for bot in order],
        **_first_player(result),
        "draws": draws,
        "draw_rate": None if draws is None else _share(draws, len(found)),
        "unfinished": sum(played.unfinished for played in result.played),
        "plies_mean": lengths.mean,
        "plies_ci95": lengths.interval(),
        "against": [
            [None if row == column else [plain(pairs[row, column]), _paired(pairs, row, column)] for column in order]
            for row in order
        ],
        "seconds": round(result.seconds, 3),
        "workers": result.workers,
    }


Pairings = defaultdict[tuple[int, int], float]
"""The points of one bot against another."""


def _pairings(found: list[Ranking]) -> Pairings:
    points: Pairings = defaultdict(float)
    for ranking, many in Counter(found).items():
        for place, group in enumerate(ranking):
            for one, other in combinations(group, 2):
                points[one, other] += many / 2
                points[other, one] += many / 2
            for above in ranking[:place]:
                for winner in above:
                    for loser in group:
                        points[winner, loser] += many
    return points


def _paired(pairs: Pairings, one: int, other: int) -> int:
    """The number of pairings of two bots."""
    return round(pairs[one, other] + pairs[other, one])


def _bot_standing(result: Result, bot: int, found: list[Ranking], rating: Rating, pairs: Pairings) -> dict[str, Any]:
    bots = len(result.duel.bots)
    others = [other for other in range(bots) if other != bot]
    solo = result.duel.game.players == 1
    games = sum(any(bot in group for group in ranking) for ranking in found)
    points = sum(pairs[bot, other] for other in others) / (bots - 1 if solo else result.duel.game.players - 1)
    wins, draws, losses = _solo_results(bot, found) if solo else _game_results(bot, games, found)
    sat = [(played, played.seats.index(bot)) for played in result.played if bot in played.seats]
    moves = sum(played.moves[seat] for played, seat in sat)
    ms = sum(played.ms[seat] for played, seat in sat)
    own = Counts(played.scores[seat] for played, seat in sat)
    return {
        "bot": result.duel.bots[bot],
        "games": games,
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "score": _share(points, games),
        "score_ci95": _interval(points, games),
        "elo": round(rating.elo, 2),
        "elo_ci95": [None if end is None else round(end, 2) for end in (rating.low, rating.high)],
        "bounded": rating.bounded,
        "points_mean": own.mean,
        "points_ci95": own.interval(),
        "ms_per_move": round(ms / moves, 3) if moves else None,
        "moves": moves,
    }


def _game_results(bot: int, games: int, found: list[Ranking]) -> tuple[int, int, int]:
    """Games in which a bot was first alone, shared the first place, and neither."""
    first = [len(ranking[0]) for ranking in found if bot in ranking[0]]
    wins = first.count(1)
    return wins, len(first) - wins, games - len(first)


def _solo_results(bot: int, found: list[Ranking]) -> tuple[int, int, int]:
    """Pairings that a bot won, drew and lost, over all openings."""
    wins = draws = losses = 0
    for ranking in found:
        place = next(place for place, group in enumerate(ranking) if bot in group)
        losses += sum(map(len, ranking[:place]))
        draws += len(ranking[place]) - 1
        wins += sum(map(len, ranking[place + 1 :]))
    return wins, draws, losses


def _first_player(result: Result) -> dict[str, Any]:
    """The score of player 1, over all bots."""
    players = result.duel.game.players
    if players == 1:
        return {"first_player_score": None, "first_player_score_ci95": None}
    points = 0.0
    for played in result.played:
        place = next(place for place, group in enumerate(played.ranking) if played.seats[0] in group)
        points += sum(map(len, played.ranking[place + 1 :])) + (len(played.ranking[place]) - 1) / 2
    games = len(result.played)
    return {
        "first_player_score": _share(points / (players - 1), games),
        "first_player_score_ci95": _interval(points / (players - 1), games),
    }


def _share(part: float, whole: int) -> float | None:
    return part / whole if whole else None


def _interval(points: float, games: int) -> tuple[float, float]:
    return wilson(points, games)


def table(result: Result) -> RenderableType:
    """The standings as tables: a row for each bot, a cross table for more than two, and a summary."""
    from rich.console import Group
    from rich.text import Text

    found = content(result)
    parts: list[RenderableType] = [_standings(found)]
    if found["games"] and 2 < len(found["players"]) <= CROSS:
        parts += [Text(_cross_title(found)), _cross(found)]
    parts.append(Text(_summary(found)))
    if not _bounded(found):
        parts.append(Text("* The games do not bound Elo: one more draw is assumed for each pair."))
    return Group(*parts)


def _standings(found: dict[str, Any]) -> RenderableType:
    from rich.text import Text

    solo = found["first_player_score"] is None and found["games"] > 0
    elo = "Elo" if _bounded(found) else "Elo*"
    rows = _columns("games", "+", "=", "−", "score %", "", elo, "", *["points"] * solo, "ms/move", bots=True)
    for number, player in enumerate(found["players"], start=1):
        rows.add_row(
            str(number),
            Text(player["bot"].replace(",", ", ")),  # so that a long name can wrap
            *(str(player[name]) for name in ("games", "wins", "draws", "losses")),
            "" if player["score"] is None else f"{100 * player['score']:.1f}",
            _between(player["score_ci95"]),
            _signed(player["elo"]),
            "" if None in player["elo_ci95"] else "({}…{})".format(*map(_signed, player["elo_ci95"])),
            *([_number(player["points_mean"])] * solo),
            _number(player["ms_per_move"]),
        )
    return rows


def _bounded(found: dict[str, Any]) -> bool:
    """Whether no draws were added to bound the ratings."""
    return not found["games"] or all(player["bounded"] for player in found["players"])


def _cross_title(found: dict[str, Any]) -> str:
    """The title of the cross table; after an interruption, pairings may differ in number."""
    games = sorted({cell[1] for row in found["against"] for cell in row if cell and cell[1]})
    many = str(games[0]) if len(games) == 1 else f"{games[0]} to {games[-1]}"
    return f"\nPoints against each other, of {many} in each pairing:"


def _cross(found: dict[str, Any]) -> RenderableType:
    """The cross table: the points of the row's bot against the column's."""
    places = int(any(cell and cell[0] % 1 for row in found["against"] for cell in row))
    rows = _columns(*(str(number) for number in range(1, len(found["players"]) + 1)))
    for number, row in enumerate(found["against"], start=1):
        rows.add_row(str(number), *(f"{cell[0]:.{places}f}" if cell and cell[1] else "·" for cell in row))
    return rows


def _columns(*titles: str, bots: bool = False) -> Table:
    """An empty table with numbered rows and, if `bots`, a column of bots, the only one that wraps."""
    from rich.table import Table

    rows = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    rows.add_column("#", justify="right", no_wrap=True)
    if bots:
        rows.add_column("bot", overflow="fold")
    for title in titles:
        rows.add_column(title, justify="right" if title else "left", no_wrap=True)
    return rows


def _summary(found: dict[str, Any]) -> str:
    """A summary of the games in a sentence."""
    parts = [counted(found["games"], "game")]
    if found["games"] and found["first_player_score"] is not None:
        parts.append(
            f"first player scores {100 * found['first_player_score']:.1f}% {_between(found['first_player_score_ci95'])}"
        )
        parts.append(f"draws {100 * found['draw_rate']:.0f}%")
    if found["games"]:
        parts.append(f"{found['plies_mean']:.1f} plies a game")
    ended = f"\n{counted(found['unfinished'], 'game')} unfinished." if found["unfinished"] else ""
    return "\n" + ", ".join(parts) + "." + ended


def _between(interval: tuple[float, float]) -> str:
    """The interval of a share, in per cent."""
    return f"({100 * interval[0]:.0f}–{100 * interval[1]:.0f})"


def _signed(elo: float) -> str:
    return f"{round(elo):+d}".replace("-", "−")


def _number(value: float | None) -> str:
    """A number with about three digits; empty for None."""
    return "" if value is None else f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
