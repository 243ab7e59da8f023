"""The `rookery` command: the table of its subcommands, and `main`, which runs one.

Each subcommand is a function of the same name in a module of this package. Only the module of the command that runs
is imported, and it imports only what it needs, so that light commands start fast.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

COMMANDS = {
    "serve": ("serve", "[--host H --port P --db URL]", "run the arcade: play in a browser"),
    "play": ("play", "[GAME] [options] [--bot LEVEL …]", "play in the terminal"),
    "gamma": ("gamma", "", "read Gamma commands from standard input"),
    "games": ("games", "[GAME]", "list the games and their options"),
    "puzzles": ("puzzles", "GAME [ID]", "list puzzles, or show one as a board"),
    "replay": ("replay", "FILE", "show a recorded game"),
    "review": ("review", "FILE", "grade the moves of a recorded game"),
    "simulate": ("lab", "GAME [options] [--games N …]", "play many games, report with error bars"),
    "duel": ("lab", "GAME [options] --bots A,B[,C…]", "play bots against each other and rate them"),
    "solve": ("lab", "GAME [options]", "find the result of perfect play, or the best way"),
    "train": ("lab", "GAME [options] --out FILE", "train a bot by self-play"),
    "bench": ("lab", "", "measure how fast games run here"),
    "warm": ("warm", "", "compile rules and bots ahead of play"),
    "doctor": ("doctor", "[--db URL]", "check what works here and how to fix the rest"),
    "backup": ("database", "FILE [--db URL]", "copy the arcade's database while people play"),
    "restore": ("database", "FILE [--db URL]", "put a backup in the place of the database"),
    "rekey": ("database", "[--db URL]", "replace the key that signs visitors' cookies"),
    "completion": ("completion", "bash|zsh|fish", "print a shell completion script"),
}
"""For each command: its module in this package, its arguments, and what it does."""

ABOUT = "Four original grid games to play, analyse and train agents on."
MORE = "Run `rookery COMMAND --help` or `rookery help COMMAND` for details, `rookery --version` for the version."


def usage() -> str:
    """The page that `rookery --help` prints."""
    rows = [(f"rookery {name} {arguments}".rstrip(), about) for name, (_, arguments, about) in COMMANDS.items()]
    width = max(len(synopsis) for synopsis, _ in rows)
    listing = "\n".join(f"  {synopsis:{width}}   {about}" for synopsis, about in rows)
    return f"usage: rookery COMMAND …\n\n{ABOUT}\n\n{listing}\n\n{MORE}"


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit code. An error prints one sentence on standard error and returns 2."""
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
        # Standard output is closed: redirect it, because Python flushes it once more at exit.
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if isinstance(problem, BrokenPipeError):
            return 141
        print(f"rookery: Cannot write output: {problem.strerror or problem}.", file=sys.stderr)
        return 2


def commands() -> dict[str, Callable[[list[str]], int]]:
    """All commands by name. This imports all their modules."""
    return {name: load_command(name) for name in COMMANDS}


def load_command(name: str) -> Callable[[list[str]], int]:
    """The function that runs a command; only its module is imported."""
    from importlib import import_module

    module, _, _ = COMMANDS[name]
    command: Callable[[list[str]], int] = getattr(import_module(f"rookery.cli.{module}"), name)
    return command


def _run(given: list[str]) -> int:
    word, rest = (given[0], given[1:]) if given else ("--help", [])
    if word == "help" and rest:
        word, rest = rest[0], [*rest[1:], "--help"]
    if word in ("--help", "-h", "help"):
        print(usage())
        return 0
    if word in ("--version", "-V"):
        from rookery import __version__

        print(f"rookery {__version__}")
        return 0
    if word == "__complete":  # internal: the scripts of `rookery completion` call it
        from rookery.cli.completion import answer

        return answer(rest)
    if word not in COMMANDS:
        from difflib import get_close_matches

        from rookery.core.errors import UnknownName

        close = get_close_matches(word, COMMANDS, n=1)
        suggestion = f"did you mean {close[0]}?" if close else f"there are {', '.join(COMMANDS)}."
        raise UnknownName(f"There is no command '{word}'; {suggestion}")
    command = load_command(word)
    if COMMANDS[word][0] != "lab":
        return command(rest)
    from rookery.cli.flags import announced_compiling

    with announced_compiling():
        return command(rest)


if __name__ == "__main__":
    sys.exit(main())
