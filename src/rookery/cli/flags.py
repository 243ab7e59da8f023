"""Argument parsing shared by the commands: parsers, and flags made from the games' declared options."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from typing import Any, NoReturn

    from rookery.core.game import Game
    from rookery.core.record import Record


def parser(prog: str, about: str) -> argparse.ArgumentParser:
    import argparse

    from rookery.core.errors import OptionError

    class Parser(argparse.ArgumentParser):
        """Raises our errors: one sentence instead of a usage page."""

        def error(self, message: str) -> NoReturn:
            raise OptionError(f"{message[0].upper()}{message[1:]}. Try '{prog} --help'.")

        def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
            if _looking:
                raise _Seen(self)
            return super().parse_args(args, namespace)

    return Parser(prog=prog, description=about, allow_abbrev=False)


def announced_compiling() -> AbstractContextManager[None]:
    """Tell the user on a terminal when code has to be compiled, which takes a while, once."""
    import sys

    from rookery.engine import compiling

    def say() -> None:
        if sys.stderr.isatty():
            print("Compiling; this takes 10 to 30 seconds, once …", file=sys.stderr, flush=True)

    return compiling.announced(say)


_looking = False


class _Seen(Exception):
    """Stops a command when it is about to parse its arguments."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self.parser = parser


def parser_of(command: Callable[[list[str]], int], given: list[str]) -> argparse.ArgumentParser:
    """The parser of a command, with the options of the game if `given` names one.

    Every command builds its parser and calls `parse_args` before it does anything else, so it is run up to there.
    """
    global _looking
    _looking = True
    try:
        command([*given, "--help"])
    except _Seen as seen:
        return seen.parser
    finally:
        _looking = False
    raise AssertionError("the command parsed no arguments")


def add_options(parser: argparse.ArgumentParser, cls: type[Game]) -> None:
    """Add a flag for every declared option; the declarations parse and validate the values."""
    import argparse

    from rookery.core.options import options_of

    group = parser.add_argument_group(f"options of {cls.title}")
    for each in options_of(cls):
        default = "" if each.default in (None, False) else f" (default {each.default})"
        about = (each.help + default).replace("%", "%%")
        if each.kind is bool:
            group.add_argument(each.flag, dest="option_" + each.name, action=argparse.BooleanOptionalAction, help=about)
        else:
            group.add_argument(each.flag, dest="option_" + each.name, metavar="X", help=about)


def options(cls: type[Game], chosen: dict[str, Any]) -> dict[str, Any]:
    """The game's options that were given, as values."""
    from rookery.core.options import options_of

    found = {}
    for each in options_of(cls):
        given = chosen.get("option_" + each.name)
        if given is not None:
            found[each.name] = each.parse(given) if isinstance(given, str) else given
    return found


def check_load(cls: type[Game] | None, chosen: dict[str, Any], record: Record) -> None:
    """Check that a saved game is of the requested kind, and that no option or position was given besides."""
    from rookery.core.errors import OptionError

    if chosen.get("position") or any(value is not None for name, value in chosen.items() if name.startswith("option_")):
        also = " and --position" if "position" in chosen else ""
        raise OptionError(f"--load names a whole game: leave out the game's options{also}.")
    if cls is not None and not isinstance(record.game, cls):
        raise OptionError(f"'{chosen['load']}' holds a game of {record.game.title}, not of {cls.title}.")


def add_record(parser: argparse.ArgumentParser, doing: str) -> None:
    """Add the flags that name a record in a file; `doing` is what the command does with it."""
    parser.add_argument("file", metavar="FILE", help="a record file, one record a line")
    parser.add_argument("--game", metavar="FILE.py", help="the Python file that defines the game")
    parser.add_argument("--record", default="1", metavar="K", help=f"{doing} the K-th record of the file (default 1)")


def record(chosen: argparse.Namespace) -> Record:
    """The record that these flags name."""
    import sys

    from rookery.terminal.files import read_record

    if chosen.game:
        named(chosen.game)
    return read_record(chosen.file, whole("record", chosen.record, 1, sys.maxsize))


def joined(given: list[str]) -> list[str]:
    """Join `--operators -*` into one word, because argparse would take `-*` for a flag."""
    words: list[str] = []
    for word in given:
        if words and words[-1] == "--operators":
            words[-1] += "=" + word
        else:
            words.append(word)
    return words


def named(text: str) -> type[Game]:
    """The game with this name, or in this Python file."""
    from rookery.games import at_address

    return at_address(text)


def whole(name: str, text: str, low: int, high: int) -> int:
    """A whole number given to a flag."""
    from rookery.core.options import Option

    value = Option(name, int, None, "", low=low, high=high).parse(text)
    assert isinstance(value, int)
    return value
