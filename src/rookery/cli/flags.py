"""What people type after a command: flags made from the games' declared options, and words for what cannot be read."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from contextlib import AbstractContextManager
    from typing import Any, NoReturn

    from rookery.core.game import Game
    from rookery.core.record import Record


HIDDEN = "==SUPPRESS=="
"""The help of a flag that only Rookery itself uses; argparse then leaves it out."""


def parser(prog: str, about: str) -> argparse.ArgumentParser:
    import argparse

    from rookery.core.errors import OptionError

    class Parser(argparse.ArgumentParser):
        """Errors become ours: one sentence, no usage page."""

        def error(self, message: str) -> NoReturn:
            raise OptionError(f"{message[0].upper()}{message[1:]}. Try '{prog} --help'.")

        def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
            if _looking:
                raise _Seen(self)
            return super().parse_args(args, namespace)

    return Parser(prog=prog, description=about, allow_abbrev=False)


def announced_compiling() -> AbstractContextManager[None]:
    """Say on a terminal when something has to be compiled, which takes a while and happens once."""
    import sys

    from rookery.engine import compiling

    def say() -> None:
        if sys.stderr.isatty():
            print("Compiling, once; this takes 10 to 30 seconds …", file=sys.stderr, flush=True)

    return compiling.announced(say)


_looking = False


class _Seen(Exception):
    """Ends a command at the point where it would read its flags."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self.parser = parser


def parser_of(command: Callable[[list[str]], int], given: list[str]) -> argparse.ArgumentParser:
    """The parser with which a command reads what follows it, with the options of the game if `given` names one.

    Every command makes its parser and then parses before it does anything else, so it is run up to there.
    """
    global _looking
    _looking = True
    try:
        command([*given, "--help"])
    except _Seen as seen:
        return seen.parser
    finally:
        _looking = False
    raise AssertionError("the command has read no flags")


def add_options(parser: argparse.ArgumentParser, cls: type[Game]) -> None:
    """A flag for every declared option; values are read and refused by the declarations."""
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
    """The options a person gave, as values."""
    from rookery.core.options import options_of

    found = {}
    for each in options_of(cls):
        given = chosen.get("option_" + each.name)
        if given is not None:
            found[each.name] = each.parse(given) if isinstance(given, str) else given
    return found


def check_load(cls: type[Game] | None, chosen: dict[str, Any], record: Record) -> None:
    """Refuse a saved game of another kind than asked for, and anything beside it that says what game it is."""
    from rookery.core.errors import OptionError

    if chosen.get("position") or any(value is not None for name, value in chosen.items() if name.startswith("option_")):
        also = " and --position" if "position" in chosen else ""
        raise OptionError(f"--load names a whole game: leave out the game's options{also}.")
    if cls is not None and not isinstance(record.game, cls):
        raise OptionError(f"'{chosen['load']}' holds a game of {record.game.title}, not of {cls.title}.")


def joined(given: list[str]) -> list[str]:
    """`--operators -*` as one word, for argparse would take the second for a flag."""
    words: list[str] = []
    for word in given:
        if words and words[-1] == "--operators":
            words[-1] += "=" + word
        else:
            words.append(word)
    return words


def named(text: str) -> type[Game]:
    """The game a person named, or the one in the Python file they named."""
    from rookery.games import at_address

    return at_address(text)


def whole(name: str, text: str, low: int, high: int) -> int:
    """A whole number given to one of the commands' own flags."""
    from rookery.core.options import Option

    value = Option(name, int, None, "", low=low, high=high).parse(text)
    assert isinstance(value, int)
    return value
