"""`rookery duel`: play bots against each other and rate them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery.cli import flags
from rookery.cli.lab import common
from rookery.core.errors import OptionError

if TYPE_CHECKING:
    from rookery.lab.duel import Duel


def duel(given: list[str]) -> int:
    """Play bots against each other and rate them."""
    about = "Play bots against each other, with balanced seats and openings, and rate them."
    named, parser = common.playing_parser("duel", about, given)
    parser.add_argument(
        "--bots", metavar="A,B[,C…]", help="two bots or more, by level or name, such as 3,minimax:depth=2"
    )
    parser.add_argument("--games", default="100", metavar="N", help="games of each pair (default 100)")
    parser.add_argument("--opening", default="2", metavar="N", help="random moves to begin with (default 2)")
    parser.add_argument(
        "--near", default="0", metavar="N", help="only bots at most N apart in the list meet (default: all)"
    )
    parser.add_argument("--records", metavar="FILE", help="write every game into FILE, one record per line")
    cls, chosen = common.parse("duel", named, parser, given)
    common.need_packages("numpy", "rich")
    if not chosen["bots"]:
        raise OptionError("bots takes two bots or more, such as --bots 3,7.")

    import json

    from rookery.core.bot import make_bot
    from rookery.lab import duel as lab
    from rookery.lab import standings
    from rookery.lab.backend import open_backend

    schedule = lab.Schedule(
        games=flags.whole("games", chosen["games"], 1, common.MOST_GAMES),
        seed=common.seed_of(chosen),
        opening=flags.whole("opening", chosen["opening"], 0, 1000),
        near=flags.whole("near", chosen["near"], 0, 10**9),
    )
    game = cls.make(**flags.options(cls, chosen))
    asked = lab.Duel.of(game, lab.split_bots(chosen["bots"]), schedule, source=common.source_of(given))
    common.check_file(chosen["records"])
    workers = common.workers_of(chosen)
    common.notify_remarks([(asked.game, asked.bots)])
    workers = _limited(workers, asked, chosen["on"])
    for spec in asked.bots:
        make_bot(cls, spec).ready(asked.game)  # compiles once for all workers
    result, code = lab.Result(asked), 0
    with common.progress_bar("games", asked.total) as show:
        try:
            with open_backend(chosen["on"], workers, compiled=False) as backend:
                lab.run(result, backend, progress=lambda done, total: show(done))
        except KeyboardInterrupt:
            code = common.INTERRUPTED
    if code:
        common.notify(f"Interrupted after {len(result.played):,} of {asked.total:,} games.")
    if chosen["records"]:
        lab.write_records(chosen["records"], result.played)
    if chosen["json"]:
        print(json.dumps(standings.content(result), ensure_ascii=False))
    elif result.played:
        common.show([standings.table(result)])
    return code


def _limited(workers: int | None, asked: Duel, on: str) -> int | None:
    """The number of workers: at most one per core of this machine if a bot has a time limit."""
    from rookery.engine.threads import cores
    from rookery.lab.duel import has_time_limits

    if not has_time_limits(asked):
        return workers
    common.notify("A bot has a time limit: another run may give other results.")
    if on.startswith("dask:") or workers is None or workers <= cores():
        return workers
    common.notify(f"So that each game has a core to itself, {cores()} are played at a time.")
    return cores()
