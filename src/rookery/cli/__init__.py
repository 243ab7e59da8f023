"""The one command, `rookery`: it reads what was typed and hands over. Each command imports only what it needs."""

from __future__ import annotations

import sys

from rookery.cli import flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future
    from typing import Any, TypeVar

    from rookery.core.bot import Bot
    from rookery.core.game import Game
    from rookery.core.record import Record
    from rookery.core.state import State

    T = TypeVar("T")

USAGE = """\
usage: rookery COMMAND …

Games played one orthogonal step at a time.

  rookery serve [--host H --port P --db URL]      open the arcade: play in a browser
  rookery play [GAME] [options] [--bot LEVEL …]   play in the terminal
  rookery gamma                                   Gamma by commands on standard input
  rookery games [GAME]                            what there is to play, and the options
  rookery replay FILE                             look at a recorded game
  rookery simulate GAME [options] [--games N …]   many games, with error bars
  rookery duel GAME [options] --bots A,B[,C…]     bots against each other, rated
  rookery solve GAME [options]                    who wins with perfect play, or the best way
  rookery train GAME [options] --out FILE         a bot that learns by playing itself
  rookery bench                                   how fast games are played here
  rookery warm                                    compile the rules and bots once
  rookery doctor [--db URL]                       what works here, what is missing, what to do
  rookery completion bash|zsh|fish                completion of commands for a shell

`rookery COMMAND --help` or `rookery help COMMAND` says more about a command; `rookery --version` prints the version."""


def main(arguments: list[str] | None = None) -> int:
    """Run a command; return its exit code. Errors are one sentence on standard error, and code 2."""
    given = sys.argv[1:] if arguments is None else arguments
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    from rookery.core.errors import RookeryError

    try:
        code = _run(given)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except RookeryError as problem:
        print(f"rookery: {problem}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except OSError as problem:
        # Output has nowhere to go: write no more, not even at exit.
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if isinstance(problem, BrokenPipeError):
            return 141
        print(f"rookery: Output cannot be written: {problem.strerror or problem}.", file=sys.stderr)
        return 2


def commands() -> dict[str, Callable[[list[str]], int]]:
    """The commands by name."""
    return {
        "serve": serve,
        "play": play,
        "gamma": gamma,
        "games": games,
        "replay": replay,
        "simulate": simulate,
        "duel": duel,
        "solve": solve,
        "train": train,
        "bench": bench,
        "warm": warm,
        "doctor": diagnose,
        "completion": print_script,
    }


def _run(given: list[str]) -> int:
    word, rest = (given[0], given[1:]) if given else ("--help", [])
    if word == "help" and rest:
        word, rest = rest[0], [*rest[1:], "--help"]
    if word in ("--help", "-h", "help"):
        print(USAGE)
        return 0
    if word in ("--version", "-V"):
        from rookery import __version__

        print(f"rookery {__version__}")
        return 0
    if word == "__complete":  # what the scripts of `rookery completion` ask; no command for people
        from rookery.cli.completion import answer

        return answer(rest)
    known = commands()
    if word not in known:
        from difflib import get_close_matches

        from rookery.core.errors import UnknownName

        close = get_close_matches(word, known, n=1)
        rather = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}."
        raise UnknownName(f"There is no command '{word}'; {rather}")
    return known[word](rest)


def serve(given: list[str]) -> int:
    """Open the arcade on a port of this machine."""
    from rookery.system.requirements import need

    parser = flags.parser(
        "rookery serve", "Open the arcade: all games in a browser, alone, against bots or with friends."
    )
    parser.add_argument("--host", default="127.0.0.1", metavar="H", help="the address to listen on (default 127.0.0.1)")
    parser.add_argument("--port", default="8067", metavar="P", help="the port (default 8067; 0: any that is free)")
    parser.add_argument(
        "--db",
        metavar="URL",
        help="the database, a file or a URL (default: $ROOKERY_DB, else a file in your data folder)",
    )
    parser.add_argument(
        "--game", action="append", default=[], metavar="FILE.py", help="offer a game in a Python file too"
    )
    parser.add_argument(
        "--no-browser", action="store_true", help="do not open a browser (there is none to open without a screen)"
    )
    chosen = parser.parse_args(given)
    for file in chosen.game:
        flags.named(file)
    port = flags.whole("port", chosen.port, 0, 65535)
    need("web", "The arcade")
    from rookery.cli import browser
    from rookery.web import serve as web

    def opened(address: str, data: str) -> None:
        print(f"Rookery is running at {address}\nGames are kept in {data}\nStop it with Ctrl-C.", flush=True)
        if not chosen.no_browser and sys.stdout.isatty():
            browser.open_page(address)

    return web.serve(chosen.host, port, chosen.db, opened)


def play(given: list[str]) -> int:
    """Play in the terminal: on a screen of its own, or line by line."""
    name = given[0] if given and not given[0].startswith("-") else ""
    cls = flags.named(name) if name else None
    parser = flags.parser(f"rookery play {name or '[GAME]'}", "Play in the terminal, by keys and mouse.")
    parser.add_argument(
        "--bot", nargs="+", action="extend", default=[], metavar="LEVEL", help="1 to 10, or a bot's name"
    )
    parser.add_argument("--seat", metavar="N", help="your seat among the bots (default 1)")
    parser.add_argument("--seed", metavar="N", help="makes chance and bots repeatable")
    parser.add_argument("--position", metavar="TEXT", help="start from a position")
    parser.add_argument("--load", metavar="FILE", help="take up a saved game")
    parser.add_argument("--odds", action="store_true", help="show chances that the game hides")
    parser.add_argument("--lines", action="store_true", help="line by line, as in a pipe, without a screen of its own")
    if cls is not None:
        flags.add_options(parser, cls)
    chosen = vars(parser.parse_args(flags.joined(given[1:] if name else given)))
    source = name if name.endswith(".py") else ""
    if not chosen["lines"] and _has_screen():
        from rookery.system.requirements import installed, need

        if installed("textual"):
            need("terminal", "A screen of its own", "textual")
            return _on_screen(cls, chosen, source)
        print("Playing line by line; for keys and mouse run pip install 'rookery[terminal]'.\n", file=sys.stderr)
    if cls is None and not chosen["load"]:
        picked = _menu(chosen["bot"])
        if picked is None:
            print("\nNo game was chosen. Come back any time.")
            return 0
        cls, chosen["bot"] = picked
    return _line_by_line(cls, chosen, source)


def _has_screen() -> bool:
    """Whether there is a terminal with a screen."""
    import os

    unnamed = "" if os.name == "nt" else "dumb"  # Windows does not name its terminals
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", unnamed) != "dumb"


def _on_screen(cls: type[Game] | None, chosen: dict[str, Any], source: str) -> int:
    """Play by keys and mouse; without a game, from the menu."""
    from rookery.terminal import app
    from rookery.terminal.session import Session, check_screen_size

    if chosen["load"]:
        from rookery.terminal.files import read_record

        record = read_record(chosen["load"])
        flags.check_load(cls, chosen, record)
        if record.ending is not None:
            return app.run(record=record)
    if cls is not None or chosen["load"]:
        state, seats, seed = _set_up(cls, chosen)
        check_screen_size(state.game)
        session = Session(state, seats, seed, source)
        session.odds = chosen["odds"]
        return app.run(session)
    chosen_seed = None if chosen["seed"] is None else flags.whole("seed", chosen["seed"], 0, 2**63 - 1)
    return app.run(level=" ".join(chosen["bot"][:1]), seed=chosen_seed)


def _set_up(cls: type[Game] | None, chosen: dict[str, Any]) -> tuple[State, dict[int, Bot], int]:
    """The position to play from, the bots by seat, and the seed."""
    from rookery.terminal.files import read_record
    from rookery.terminal.session import assign_bots, random_seed

    if chosen["load"]:
        state, seats = _taken_up(cls, chosen, read_record(chosen["load"]))
    else:
        assert cls is not None
        game = cls.make(**flags.options(cls, chosen))
        state = game.position(chosen["position"]) if chosen["position"] else game.start()
        seats = {}
    seat = flags.whole("seat", chosen["seat"] or "1", 1, state.game.players)
    if chosen["bot"]:
        seats = assign_bots(state.game, chosen["bot"], seat)
    seed = random_seed() if chosen["seed"] is None else flags.whole("seed", chosen["seed"], 0, 2**63 - 1)
    return state, seats, seed


def _line_by_line(cls: type[Game] | None, chosen: dict[str, Any], source: str) -> int:
    """Set the table and play; `source` is the file the game came from, if it did."""
    from rookery.terminal.lines import LineSession

    state, seats, seed = _set_up(cls, chosen)
    session = LineSession(state, seats, seed, source)
    session.odds = chosen["odds"]
    print(f"{state.game.title}: {state.game.summary}")
    print(f"Seed {seed}. Type help for what you can do, quit to leave.")
    for sentence in dict.fromkeys(filter(None, (bot.remark(state.game) for bot in seats.values()))):
        print(sentence)
    if sys.stdin.isatty():
        from contextlib import suppress

        with suppress(ImportError):
            import readline  # noqa: F401 - makes input() edit lines and remember them
    with flags.announced_compiling():
        session.run(_ask)
    return 0


def _taken_up(cls: type[Game] | None, chosen: dict[str, Any], record: Record) -> tuple[State, dict[int, Bot]]:
    """The game in a record and the bots that sat there."""
    from rookery.terminal.session import bots_in

    flags.check_load(cls, chosen, record)
    return record.replay(), bots_in(record)


def _ask(prompt: str) -> str:
    """A line from the person; in a pipe it is shown as well, so that what is printed reads like a session."""
    line = input(prompt)
    if not sys.stdin.isatty():
        print(line)
    return line


def _menu(bots: list[str]) -> tuple[type[Game], list[str]] | None:
    """Ask which game, and how strong an opponent where there is one; None if nobody answers."""
    from rookery.core.bot import make_bot
    from rookery.games import find, playable

    def reply(question: str) -> str:
        answer = _ask(question).strip()
        if answer.lower() in ("quit", "q", "exit"):
            raise EOFError
        return answer

    def game() -> type[Game]:
        answer = reply("\nWhich game? [1] ") or "1"
        return flags.named(playable()[int(answer) - 1] if answer in map(str, range(1, len(playable()) + 1)) else answer)

    def opponent() -> str:
        level = reply("Against a bot of level 1 to 10, or 0 for people here? [3] ") or "3"
        return level if level == "0" else str(make_bot(cls, level))

    print("Rookery: games played one orthogonal step at a time.\n")
    for number, name in enumerate(playable(), start=1):
        print(f"  {number}  {find(name).title:14} {find(name).summary}")
    try:
        cls = _insist(game)
        if not bots and cls().players > 1:
            level = _insist(opponent)
            bots = [] if level == "0" else [level]
    except EOFError:
        return None
    return cls, bots


def _insist(question: Callable[[], T]) -> T:
    """Ask until the answer can be used."""
    from rookery.core.errors import RookeryError

    while True:
        try:
            return question()
        except RookeryError as problem:
            print(problem)


def gamma(given: list[str]) -> int:
    """Carry out Gamma's line protocol on standard input."""
    from rookery.games import line_protocol

    if given:
        flags.parser("rookery gamma", "Carry out Gamma's commands, one a line, from standard input.").parse_args(given)
    code: int = line_protocol("gamma").run(0, 1, 2)
    return code


def games(given: list[str]) -> int:
    """List the games with their options and bots."""
    import json

    from rookery.core.options import options_of, schema_of
    from rookery.games import playable, problems

    parser = flags.parser("rookery games", "What there is to play, and the options.")
    parser.add_argument("game", nargs="?", metavar="GAME", help="only this one")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    chosen = parser.parse_args(given)
    found = [flags.named(name) for name in ([chosen.game] if chosen.game else playable())]
    for sentence in [] if chosen.game else problems():
        print(f"rookery: {sentence}", file=sys.stderr)
    if chosen.json:
        listing = {
            cls.name: {
                "title": cls.title,
                "summary": cls.summary,
                "options": schema_of(cls),
                "bots": list(cls.bots()),
                "levels": list(cls.levels()),
            }
            for cls in found
        }
        print(json.dumps(listing, ensure_ascii=False))
        return 0
    for cls in found:
        print(f"{cls.name}: {cls.title}. {cls.summary}")
        for each in options_of(cls):
            default = "" if each.default is None or each.default is False else f" (default {each.default})"
            print(
                f"  {each.flag:12} {each.help}{default}; takes {each.takes}"
                if each.kind is not bool
                else f"  {each.flag:12} {each.help}"
            )
        print(f"  {'--bot':12} {', '.join(cls.bots())}, or a level from 1 to 10\n")
    if chosen.game:
        _tell_bots(found[0])
    return 0


def _tell_bots(cls: type[Game]) -> None:
    """What each bot does and takes, and what the levels are made of."""
    from rookery.core.bot import Bot
    from rookery.core.options import options_of

    common = {each.name for each in options_of(Bot)}
    print(f"Bots take {', '.join(sorted(common))}, written as in {list(cls.bots())[-1]}:ms=50.")
    for name, bot in cls.bots().items():
        own = [f"{each.name}: {each.help}" for each in options_of(bot) if each.name not in common]
        first = " ".join((bot.__doc__ or "").split("\n\n")[0].split())
        print(f"  {name:12} {first}" + "".join(f"\n  {'':12} {each}" for each in own))
    print("Levels")
    for level, spec in enumerate(cls.levels(), start=1):
        print(f"  {level:<12} {spec}")


def replay(given: list[str]) -> int:
    """Show a recorded game."""
    import json

    from rookery.core.errors import RookeryError
    from rookery.core.record import result_of
    from rookery.system.requirements import need
    from rookery.terminal.files import read_record

    parser = flags.parser("rookery replay", "Check a recorded game against the rules and show it.")
    parser.add_argument("file", metavar="FILE", help="a file of records, one a line")
    parser.add_argument("--game", metavar="FILE.py", help="the Python file the record's game comes from")
    parser.add_argument("--record", default="1", metavar="K", help="the K-th record of the file (default 1)")
    parser.add_argument("--ply", metavar="N", help="the position after N plies, not the last")
    parser.add_argument("--every", action="store_true", help="the board after every ply")
    parser.add_argument("--watch", action="store_true", help="on a screen of its own, forth and back by keys or mouse")
    parser.add_argument("--json", action="store_true", help="one JSON object on standard output")
    chosen = parser.parse_args(given)
    if chosen.watch and (chosen.json or chosen.every):
        raise RookeryError(f"--watch has a screen of its own; leave out {'--json' if chosen.json else '--every'}.")
    if chosen.game:
        flags.named(chosen.game)
    record = read_record(chosen.file, flags.whole("record", chosen.record, 1, sys.maxsize))
    ply = len(record.plies) if chosen.ply is None else flags.whole("ply", chosen.ply, 0, len(record.plies))
    state = record.replay(ply)
    at_end = ply == len(record.plies)
    if chosen.watch:
        need("terminal", "--watch", "textual")
        if not _has_screen():
            raise RookeryError("--watch needs a terminal.")
        from rookery.terminal import app

        return app.run(record=record, ply=0 if chosen.ply is None else ply)
    if chosen.json:
        content = json.loads(record.line()) | {
            "ply": len(state.history),
            "position": state.position(),
            "result": result_of(state, record.ending if at_end else None),
        }
        print(json.dumps(content, ensure_ascii=False))
        return 0
    players = ", ".join(f"{number} {name or 'unknown'}" for number, name in enumerate(record.players, start=1))
    print(f"{record.game.title}, {len(record.plies)} plies. Players: {players}.")
    if chosen.every:
        for number, each in enumerate(record.states(ply)):
            print(f"\nPly {number}" + (f": {record.plies[number - 1]}" if number else "") + f"\n{each}")
    else:
        if chosen.ply is None:
            print(" ".join(f"{number}. {name}" for number, name in enumerate(record.plies, start=1)))
        print(f"\nAfter ply {len(state.history)}:\n{state}")
    if record.ended and at_end:
        print(record.ended)
    return 0


def simulate(given: list[str]) -> int:
    """Play many games and report."""
    from rookery.cli import lab

    with flags.announced_compiling():
        return lab.simulate(given)


def duel(given: list[str]) -> int:
    """Play bots against each other and rate them."""
    from rookery.cli import lab

    with flags.announced_compiling():
        return lab.duel(given)


def solve(given: list[str]) -> int:
    """Solve a game exactly."""
    from rookery.cli import lab

    with flags.announced_compiling():
        return lab.solve(given)


def train(given: list[str]) -> int:
    """Train a bot that learns."""
    from rookery.cli import lab

    with flags.announced_compiling():
        return lab.train(given)


def bench(given: list[str]) -> int:
    """Measure how fast games are played."""
    from rookery.cli import lab

    with flags.announced_compiling():
        return lab.bench(given)


def warm(given: list[str]) -> int:
    """Compile rules and bots, so that nobody waits for a compiler in a game."""
    from rookery.engine import warmup
    from rookery.engine.threads import cores
    from rookery.games import address, playable
    from rookery.system.requirements import need

    parser = flags.parser("rookery warm", "Compile the rules and bots of every game, or of some, once.")
    parser.add_argument("game", nargs="*", metavar="GAME", help="only these (default: every game)")
    parser.add_argument("--worker", action="store_true", help=flags.HIDDEN)
    parser.add_argument("--low-priority", action="store_true", help=flags.HIDDEN)
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


def diagnose(given: list[str]) -> int:
    """Say what works on this machine and what is missing."""
    from rookery.cli import doctor

    return doctor.diagnose(given)


def print_script(given: list[str]) -> int:
    """Print a completion script for a shell."""
    from rookery.cli import completion

    return completion.print_script(given)


def _show_compiling(futures: list[Future[None]]) -> None:
    """Wait until everything is compiled, with a line of progress on a terminal."""
    from concurrent.futures import as_completed

    talks = sys.stderr.isatty()
    if talks:
        print(f"Compiling {len(futures)} parts, once …", end="", file=sys.stderr, flush=True)
    for number, each in enumerate(as_completed(futures), start=1):
        each.result()
        if talks:
            print(f"\rCompiling, once: {number} of {len(futures)} parts are done", end="", file=sys.stderr, flush=True)
    if talks:
        print("\rEverything is compiled." + " " * 30, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
