"""How strong the bots are: the levels of GateRun and Gamma rated against each other and against well-known bots.

    make strength              # everything: an hour on two cores; nothing else should run on them
    make strength GAMES=gamma  # only Gamma; the page keeps what it says about the other game
    make strength SHARE=0.02   # a fiftieth of the games, to try it out

It writes docs/strength.md and the pictures in docs/strength/; with a share below 1 it writes into docs/_build/strength
instead. Games are kept there too: after an interruption, the same command continues.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from tools.studies.self_play import GammaSelfPlay, GateRunSelfPlay, share
from tools.studies.strength_games import (
    DOCS,
    HANDICAPPED,
    KEPT,
    LEVELS,
    RATED,
    Games,
    Ratings,
    levels,
    named,
    points,
)

from rookery.core.bot import make_bot
from rookery.core.errors import RookeryError
from rookery.core.palette import LIGHT
from rookery.engine.threads import cores
from rookery.lab import figure
from rookery.lab.duel import Result
from rookery.lab.standings import content

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tools.studies.strength_games import Rated

    from rookery.core.game import Game
    from rookery.lab.duel import Duel

INTERRUPTED = 130


def main() -> int:
    """Play what is missing, then write the page."""
    parser = argparse.ArgumentParser(description="Rate the bots of GateRun and Gamma and write docs/strength.md.")
    known = [each.name for each in RATED]
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"only these games: {' or '.join(known)}")
    parser.add_argument("--share", type=float, default=1.0, help="the share of the games to play (default 1)")
    parser.add_argument("--workers", type=int, default=cores(), help="games at a time (default, and most: one a core)")
    parser.add_argument("--into", type=Path, help="the folder for the page (default docs, or docs/_build/strength)")
    parser.add_argument("--any-code", action="store_true", help="keep games that were played before the code changed")
    chosen = parser.parse_args()
    if not 0 < chosen.share <= 1:
        parser.error(f"argument --share: give a number above 0 and up to 1, not {chosen.share:g}")
    if unknown := set(chosen.games) - set(known):
        parser.error(f"there are no ratings of {', '.join(sorted(unknown))}, but of {' and '.join(known)}")
    into = chosen.into or (DOCS if chosen.share == 1 else KEPT)
    (into / "strength").mkdir(parents=True, exist_ok=True)
    KEPT.mkdir(parents=True, exist_ok=True)
    games = Games(chosen.share, min(chosen.workers, cores()), any_code=chosen.any_code, only=chosen.games)
    try:
        kept = kept_sections(games, into / "strength.md")
        games.play_all()
    except KeyboardInterrupt:
        print("Interrupted; the same command continues from here.", file=sys.stderr)
        return INTERRUPTED
    except RookeryError as problem:
        print(f"strength: {problem}", file=sys.stderr)
        return 1
    (into / "strength.md").write_text(page(games, into, kept), encoding="utf-8")
    print(f"The page is {into / 'strength.md'}.", file=sys.stderr)
    return 0


HEAD = """\
# How strong the bots are

The levels of GateRun and Gamma, rated by games against each other. Every figure here comes from `make strength`, which
plays the games with [the lab](lab.md#duels), draws the pictures and writes this page. Every game begins with two random
moves, and each opening is played twice, with either bot in front. Ranges in brackets, and whiskers, are 95% intervals.

Elo is the usual scale: 100 points more mean 64% of the points against the other, 200 mean 76%, 400 mean 91%. Here
level 1 has 0, in either game; the scales of two games cannot be compared. Levels meet those up to two above and below.
A landmark, a bot that is simple or well known, meets all levels.

In a bot's name `nodes` is how many positions it looks at for a move, or how many random games it plays out; `ms` is
how many milliseconds it thinks; `slip` is the share of its moves played at random. Milliseconds for a move are those of
one core of the machine that played.
"""
COUNTS = "Each pair of levels played {ladder} games, each landmark {landmark} with every level.\n"


def kept_sections(games: Games, path: Path) -> dict[str, str]:
    """What the page says about the games that are not played this time, by their names."""
    others = [each for each in RATED if each not in games.rated]
    text = path.read_text(encoding="utf-8") if others and path.exists() else ""
    sections = {each.partition("\n")[0]: f"## {each}" for each in re.split(r"^## ", text, flags=re.MULTILINE)[1:]}
    for each in others:
        if each.game.title not in sections:
            raise RookeryError(f"{path} says nothing about {each.game.title} yet: play its games too.")
    return {each.name: sections[each.game.title].rstrip("\n") + "\n" for each in others}


def page(games: Games, into: Path, kept: Mapping[str, str]) -> str:
    """The page as text; its figures are drawn beside it."""
    sections = [kept[each.name] if each.name in kept else section(games, each, into) for each in RATED]
    return "\n".join([HEAD, *sections])


def section(games: Games, rated: Rated, into: Path) -> str:
    """What the page says about a game."""
    result = games.results[games.ladders[rated.name]]
    landmarks = [games.results[each] for each in games.landmarks[rated.name]]
    ratings = Ratings([result, *landmarks])
    ladder, landmark = (each.duel.schedule.games for each in (result, landmarks[0]))
    picture = f"strength/{rated.name}.svg"
    draw(rated, ratings, into / picture)
    parts = [
        f"## {rated.game.title}\n",
        f"{rated.about}\n",
        COUNTS.format(ladder=ladder, landmark=landmark),
        f"![Elo by level]({picture})\n",
        *level_rows(rated.game, ratings, result),
        "",
        *landmark_rows(rated, ratings),
        "",
        top_levels(result),
        *([] if ratings.bounded else [ASSUMED]),
        MATCHED,
        *match_rows(games, rated.name),
        "",
    ]
    self_play = games.self_play.get(rated.name, [])
    found = [SELF_PLAY_TEXTS[rated.name](games.results[each]).texts for each in self_play]
    if found:
        parts += [ABOUT_SELF_PLAY[rated.name], *equal_rows(self_play, found), ""]
    if rated.name == "gaterun" and games.handicaps:
        parts += [HANDICAPPED_PLAY, *handicap_rows(games), ""]
    return "\n".join(parts)


ASSUMED = """\
Some bots won, or lost, all their games with the others; games alone would put no bound to their Elo. So each pair is
taken to have drawn one game more.
"""
MATCHED = """\
Matches that say in one figure how good a bot is. The score is the share of the points, a draw being half a point.
"""
ABOUT_SELF_PLAY = {
    "gaterun": """\
### What a wall is worth

Equal bots play GateRun from four random moves. Their positions, and who won, tell what it is worth to have more walls
in hand than the other, or to be on move, against having fewer steps to go. They also tell what bots do with their
walls: those that cost the other nothing at once build fences, or close ways that one does not want to be sent.
""",
    "gamma": """\
### How settlers play

Equal bots play Gamma, from two random moves.
""",
}
SELF_PLAY_TEXTS: dict[str, type[GateRunSelfPlay] | type[GammaSelfPlay]] = {
    "gaterun": GateRunSelfPlay,
    "gamma": GammaSelfPlay,
}
HANDICAPPED_PLAY = f"""\
With fewer walls for the second player, `{HANDICAPPED}` on both sides and two random moves to begin with:
"""


def level_rows(game: Game, ratings: Ratings, result: Result) -> Iterable[str]:
    """A row for each level."""
    yield "| level | bot | Elo | gap to the level below | score against it | ms a move |"
    yield "|--:|---|--:|--:|--:|--:|"
    names = levels(game)
    for at, bot in enumerate(names):
        gap = score = "–"
        if at:
            gap = with_interval(*ratings.gap(bot, names[at - 1]))
            score = share(*points(result, at, at - 1))
        elo = with_interval(*ratings.gap(bot, names[0])) if at else "0"
        yield f"| {at + 1} | `{bot}` | {elo} | {gap} | {score} | {milliseconds(ratings.ms(bot))} |"


def landmark_rows(rated: Rated, ratings: Ratings) -> Iterable[str]:
    """A row for each reference bot, the strongest last."""
    names = levels(rated.game)
    found = sorted((str(make_bot(rated.game, each)) for each in rated.landmarks), key=ratings.elo)
    yield "| landmark | Elo | ms a move | |"
    yield "|---|--:|--:|---|"
    for bot in found:
        told = f"is level {names.index(bot) + 1}" if bot in names else between(bot, names, ratings)
        elo = "0" if bot == names[0] else with_interval(*ratings.gap(bot, names[0]))
        yield f"| `{named(bot)}` | {elo} | {milliseconds(ratings.ms(bot))} | {told} |"


def between(bot: str, names: Sequence[str], ratings: Ratings) -> str:
    """A bot's place among the levels."""
    below = [at for at, name in enumerate(names, start=1) if ratings.elo(name) <= ratings.elo(bot)]
    if not below:
        return "below level 1"
    return f"above level {max(below)}"


def top_levels(result: Result) -> str:
    """The games between the two highest levels, in a sentence."""
    top = Result(result.duel, [each for each in result.played if set(each.seats) == {len(LEVELS) - 2, len(LEVELS) - 1}])
    seen = content(top)
    first = share(seen["first_player_score"] * seen["games"], seen["games"])
    return (
        f"When the two highest levels meet, the first player scores {first}, {100 * seen['draw_rate']:.0f}% of the "
        f"games are drawn, and a game takes {seen['plies_mean']:.0f} plies.\n"
    )


def match_rows(games: Games, name: str) -> Iterable[str]:
    """A row for each match of a game."""
    matches = {match: duel for match, duel in games.matches.items() if match.game.name == name}
    yield "| game | bot | against | games | won | drawn | lost | score |"
    yield "|---|---|---|--:|--:|--:|--:|--:|"
    for match, duel in matches.items():
        result = games.results[duel]
        wins = draws = 0
        total = 0.0
        for played in result.played:
            first = played.ranking[0]
            wins += first == (0,)
            draws += 0 in first and len(first) > 1
            below = next(place for place, group in enumerate(played.ranking) if 0 in group)
            ahead = sum(map(len, played.ranking[below + 1 :])) + (len(played.ranking[below]) - 1) / 2
            total += ahead / (duel.game.players - 1)
        many = len(result.played)
        game = duel.game.title + (f", {duel.game.players} players" if duel.game.players > 2 else "")
        other = f"`{named(duel.bots[1])}`"
        others = f"{len(match.bots) - 1} × {other}" if len(match.bots) > 2 else other
        yield (
            f"| {game} | `{named(duel.bots[0])}` | {others} | {many} | {wins} | {draws} | {many - wins - draws} "
            f"| {share(total, many)} |"
        )
    if any(match.game.players > 2 for match in matches):
        yield "\nAmong four players a game counts as three, one with each of the others; a share of the win is a draw."


def equal_rows(duels: Sequence[Duel], found: Sequence[Mapping[str, str]]) -> Iterable[str]:
    """Statistics of games between equal bots: a row for each statistic, a column for each bot."""
    yield "| | " + " | ".join(f"`{duel.bots[0]}`" for duel in duels) + " |"
    yield "|---|" + "--:|" * len(found)
    for name in found[0]:
        yield f"| {name} | " + " | ".join(texts[name] for texts in found) + " |"


def handicap_rows(games: Games) -> Iterable[str]:
    """A row for each handicap."""
    yield "| walls | first player's score | first player wins | second wins | draws |"
    yield "|---|--:|--:|--:|--:|"
    for walls, duel in games.handicaps.items():
        played = games.results[duel].played
        counts = Counter(each.winners[0] if len(each.winners) == 1 else 0 for each in played)
        score = share(counts[1] + counts[0] / 2, len(played))
        shares = (f"{100 * counts[each] / len(played):.0f}%" for each in (1, 2, 0))
        yield f"| 8 and {walls} | {score} | {' | '.join(shares)} |"


def with_interval(value: float, margin: float) -> str:
    """An Elo difference with its interval."""
    return f"{value:+.0f} ({value - margin:+.0f} to {value + margin:+.0f})".replace("-", "−")


def milliseconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def draw(rated: Rated, ratings: Ratings, path: Path) -> None:
    """Draw Elo by level with intervals, and the reference bots as dashed lines."""
    names = levels(rated.game)
    accent = LIGHT.accents[rated.game.name]
    with figure.settings():
        height = 4.6
        canvas = figure.Canvas(height + 1.9)
        canvas.text(figure.MARGIN, 0.4, f"{rated.game.title}: the levels", size=16, weight="bold", color=accent)
        note = "Elo above level 1, with 95% intervals; dashed lines are landmarks."
        canvas.text(figure.MARGIN, 0.75, note, color=figure.SOFT)
        axes = canvas.axes(figure.MARGIN + 0.4, 1.2, figure.WIDTH - 2 * figure.MARGIN - 2.3, height)
        gaps = [ratings.gap(name, names[0]) for name in names]
        for level, (value, margin) in enumerate(gaps, start=1):
            axes.plot([level, level], [value - margin, value + margin], color=accent, linewidth=1.6, zorder=3)
        values = [value for value, _ in gaps]
        axes.plot(range(1, len(names) + 1), values, "o-", color=accent, markersize=6, linewidth=0.8, zorder=4)
        marks = {bot: ratings.gap(bot, names[0])[0] for bot in (str(make_bot(rated.game, x)) for x in rated.landmarks)}
        every = [*marks.values(), *(value + side * margin for value, margin in gaps for side in (-1, 1))]
        low, high = min(every), max(every)
        room = 0.06 * (high - low)
        axes.set_ylim(low - room, high + room)
        axes.set_xlim(0.5, len(names) + 0.5)
        for (bot, value), at in zip(sorted(marks.items(), key=lambda pair: pair[1]), spaced(marks, room), strict=True):
            axes.axhline(value, color=figure.EDGE, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
            axes.annotate(
                named(bot),
                (1, value),
                (1.03, at),
                xycoords=("axes fraction", "data"),
                textcoords=("axes fraction", "data"),
                va="center",
                size=figure.SMALL,
                color=figure.SOFT,
                annotation_clip=False,
                arrowprops={"arrowstyle": "-", "color": figure.EDGE, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 0},
            )
        axes.set_xticks(range(1, len(names) + 1))
        axes.set_xlabel("level")
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:+,.0f}".replace("-", "−") if value else "0")
        axes.grid(axis="y", color=figure.LINE, linewidth=0.6)
        axes.set_axisbelow(True)
        figure.save(canvas, str(path), f"{rated.game.title}: Elo of the levels")


def spaced(marks: Mapping[str, float], room: float) -> list[float]:
    """Heights for labels, close to their values and at least this far apart, the lowest first."""
    found: list[float] = []
    for value in sorted(marks.values()):
        found.append(max(value, found[-1] + room) if found else value)
    return found


if __name__ == "__main__":
    sys.exit(main())
