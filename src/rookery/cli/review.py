"""`rookery review`: the moves of a recorded game, graded, with what was better."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rookery.cli import flags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rookery.core.game import Game
    from rookery.core.review import PlayerSummary, ReviewedGame, ReviewedPly, Scale
    from rookery.search.review import Review


def review(given: list[str]) -> int:
    """Review a recorded game."""
    import json

    from rookery.core.bot import MOST_NODES
    from rookery.core.names import NOBODY
    from rookery.core.review import Scale
    from rookery.search.review import Review

    parser = flags.parser("rookery review", "Grade the moves of a recorded game, and say what was better.")
    flags.add_record(parser, "review")
    parser.add_argument("--ply", metavar="N", help="print ply N only, with all moves that would have been right")
    parser.add_argument("--bot", metavar="NAME", help="the bot that searches (default: the game's strongest)")
    parser.add_argument("--nodes", metavar="N", help="positions it may look at in each search")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    chosen = parser.parse_args(given)
    record = flags.record(chosen)
    ply = None if chosen.ply is None else flags.whole("ply", chosen.ply, 1, len(record.plies))
    nodes = None if chosen.nodes is None else flags.whole("nodes", chosen.nodes, 1, MOST_NODES)
    work = Review(record, type(record.game).reviewer().of(record.game, chosen.bot, nodes))
    with flags.announced_compiling():
        work_through(work)
    found, scale = work.game, work.scale or Scale("win", "")
    shown = [each.told(NOBODY) for each in found.plies if ply in (None, each.ply)]
    if chosen.json:
        print(json.dumps(content(found, shown), ensure_ascii=False))
        return 0
    budget = f", {found.nodes:,} nodes a search" if found.nodes else ""
    print(f"{record.game.title}, {found.total} plies, reviewed by {found.bot}{budget}.")
    print(f"Values: {scale.unit}.\n")
    print(*table(record.game, shown, scale), sep="\n")
    if ply is not None:
        print(*details(record.game, shown[0], scale), sep="\n")
        return 0
    print()
    print(*(summary(each, scale) for each in found.summaries()), sep="\n")
    return 0


def work_through(work: Review) -> None:
    """Make a review; on a terminal, show its progress."""
    told = -1
    for _ in work.steps():
        done = len(work.plies)
        if sys.stderr.isatty() and done != told:
            told = done
            print(f"\rReviewing: {done} of {len(work.record.plies)} plies", end="", file=sys.stderr, flush=True)
    if told >= 0:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def content(found: ReviewedGame, shown: list[ReviewedPly]) -> dict[str, object]:
    """A review as a JSON object, with some of its plies."""
    from dataclasses import asdict

    return {
        "bot": found.bot,
        "nodes": found.nodes,
        "scale": None if found.scale is None else asdict(found.scale),
        "plies": [each.content() for each in shown],
        "players": [asdict(each) for each in found.summaries()],
    }


def table(game: Game, plies: list[ReviewedPly], scale: Scale) -> Iterator[str]:
    """A line for each ply."""
    moves = [game.phrase_of(each.name) for each in plies]
    width = max(map(len, moves), default=0)
    for each, move in zip(plies, moves, strict=True):
        start = f"{each.ply:4}  {each.player or '-'}  {move:{width}}"
        if each.value is None or each.after is None:
            luck = "" if each.luck is None else f"  luck {gain(each.luck, scale)}"
            yield (start + luck).rstrip()
            continue
        values = f"{scale.short(each.value):>6} {scale.short(each.after):>6}"
        better = "" if each.best in (None, each.name) else f"  {game.phrase_of(each.best)}"
        why = f": {each.why}" if each.why else ""
        yield f"{start}  {each.grade or 'only move':10} {values}{better}{why}".rstrip()


def details(game: Game, each: ReviewedPly, scale: Scale) -> Iterator[str]:
    """What a review says of a ply below its line."""
    if each.line:
        yield f"Best line: {', '.join(map(game.phrase_of, each.line))}"
    if each.accepted:
        yield "Right: " + ", ".join(
            f"{game.phrase_of(right.action)} {scale.short(right.value)}" for right in each.accepted
        )


def summary(each: PlayerSummary, scale: Scale) -> str:
    """How a player played, in a line."""
    from rookery.core.notation import counted
    from rookery.core.review import FAULTS

    accuracy = "no choices" if each.accuracy is None else f"accuracy {each.accuracy:.0f}%"
    faults = ", ".join(counted(each.grades[grade], grade) for grade in FAULTS)
    luck = "" if each.luck is None else f"; choices cost {gain(each.lost, scale)[1:]}, luck {gain(each.luck, scale)}"
    return f"Player {each.player}: {accuracy}; {faults}{luck}."


def gain(value: float, scale: Scale) -> str:
    """An amount with its sign: +3.1 points, −0.4%."""
    if scale.kind == "points":
        return f"{value:+.1f}".replace("-", "−")
    return f"{100 * value:+.1f}%".replace("-", "−")
