"""`rookery warm`: compile the rules and bots ahead of play."""

from __future__ import annotations

import sys

from rookery.cli import flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import Future


def warm(given: list[str]) -> int:
    """Compile rules and bots, so that no game has to wait for it."""
    from argparse import SUPPRESS

    from rookery.engine import warmup
    from rookery.engine.threads import cores
    from rookery.games import address, playable
    from rookery.system.requirements import need

    parser = flags.parser("rookery warm", "Compile the rules and bots of games ahead of play.")
    parser.add_argument("game", nargs="*", metavar="GAME", help="compile only these (default: every game)")
    parser.add_argument("--worker", action="store_true", help=SUPPRESS)
    parser.add_argument("--low-priority", action="store_true", help=SUPPRESS)
    chosen = parser.parse_args(given)
    need("bots", "Compiling")
    if chosen.worker:
        return warmup.run_worker(flags.named, low_priority=chosen.low_priority)
    games = {address(name): flags.named(address(name)) for name in playable()}
    if chosen.game:
        games = {name: flags.named(name) for name in chosen.game}
    parts = warmup.all_parts(games)
    compiler = warmup.Compiler(parts, flags.named, processes=cores())
    try:
        _show_compiling(list(compiler.futures.values()))
    finally:
        compiler.close()
    return 0


def _show_compiling(futures: list[Future[None]]) -> None:
    """Wait until everything is compiled; on a terminal, show progress."""
    from concurrent.futures import as_completed

    on_terminal = sys.stderr.isatty()
    if on_terminal:
        print(f"Compiling {len(futures)} parts …", end="", file=sys.stderr, flush=True)
    for number, each in enumerate(as_completed(futures), start=1):
        each.result()
        if on_terminal:
            print(f"\rCompiling: {number} of {len(futures)} parts done", end="", file=sys.stderr, flush=True)
    if on_terminal:
        print("\rEverything is compiled." + " " * 30, file=sys.stderr)
