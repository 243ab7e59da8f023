"""`rookery play`: a game in the terminal, on a full screen or line by line."""

from __future__ import annotations

import sys

from rookery.cli import flags

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from rookery.core.bot import Bot
    from rookery.core.game import Game
    from rookery.core.record import Record
    from rookery.core.state import State

    T = TypeVar("T")


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
    if not chosen["lines"] and has_screen():
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


def has_screen() -> bool:
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
