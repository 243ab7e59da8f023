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
    """Play in the terminal: on the full screen, or line by line."""
    name = given[0] if given and not given[0].startswith("-") else ""
    cls = flags.named(name) if name else None
    parser = flags.parser(f"rookery play {name or '[GAME]'}", "Play in the terminal, by keys and mouse.")
    parser.add_argument(
        "--bot",
        nargs="+",
        action="extend",
        default=[],
        metavar="LEVEL",
        help="opponents, each a level from 1 to 10 or a bot's name",
    )
    parser.add_argument("--seat", metavar="N", help="your seat (default 1)")
    parser.add_argument("--seed", metavar="N", help="make chance and bots repeatable")
    parser.add_argument("--position", metavar="TEXT", help="start from this position")
    parser.add_argument("--load", metavar="FILE", help="resume a saved game")
    parser.add_argument("--odds", action="store_true", help="show odds that the game hides")
    parser.add_argument("--lines", action="store_true", help="play line by line, as in a pipe")
    if cls is not None:
        flags.add_options(parser, cls)
    chosen = vars(parser.parse_args(flags.joined(given[1:] if name else given)))
    source = name if name.endswith(".py") else ""
    if not chosen["lines"] and has_screen():
        from rookery.system.requirements import installed, need

        if installed("textual"):
            need("terminal", "The full screen", "textual")
            return _on_screen(cls, chosen, source)
        print("Playing line by line; for keys and mouse run pip install 'rookery[terminal]'.\n", file=sys.stderr)
    if cls is None and not chosen["load"]:
        picked = _menu(chosen["bot"])
        if picked is None:
            print("\nNo game was chosen.")
            return 0
        cls, chosen["bot"] = picked
    return _line_by_line(cls, chosen, source)


def has_screen() -> bool:
    """Whether standard input and output are a terminal that can show a full screen."""
    import os

    unnamed = "" if os.name == "nt" else "dumb"  # Windows does not set TERM
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", unnamed) != "dumb"


def _on_screen(cls: type[Game] | None, chosen: dict[str, Any], source: str) -> int:
    """Play on the full screen; without a game, start at the menu."""
    from rookery.terminal import app
    from rookery.terminal.session import Session, check_screen_size

    if chosen["load"]:
        from rookery.terminal.files import read_record

        record = read_record(chosen["load"])
        flags.check_load(cls, chosen, record)
        if record.ending is not None:
            return app.run(record=record)
    if cls is not None or chosen["load"]:
        state, bots, seed = _set_up(cls, chosen)
        check_screen_size(state.game)
        session = Session(state, bots, seed, source)
        session.odds = chosen["odds"]
        return app.run(session)
    chosen_seed = None if chosen["seed"] is None else flags.whole("seed", chosen["seed"], 0, 2**63 - 1)
    return app.run(level=" ".join(chosen["bot"][:1]), seed=chosen_seed)


def _set_up(cls: type[Game] | None, chosen: dict[str, Any]) -> tuple[State, dict[int, Bot], int]:
    """The first position, the bots by seat, and the seed."""
    from rookery.terminal.files import read_record
    from rookery.terminal.session import assign_bots, random_seed

    if chosen["load"]:
        state, bots = _resumed(cls, chosen, read_record(chosen["load"]))
    else:
        assert cls is not None
        game = cls.make(**flags.options(cls, chosen))
        state = game.position(chosen["position"]) if chosen["position"] else game.start()
        bots = {}
    seat = flags.whole("seat", chosen["seat"] or "1", 1, state.game.players)
    if chosen["bot"]:
        bots = assign_bots(state.game, chosen["bot"], seat)
    seed = random_seed() if chosen["seed"] is None else flags.whole("seed", chosen["seed"], 0, 2**63 - 1)
    return state, bots, seed


def _line_by_line(cls: type[Game] | None, chosen: dict[str, Any], source: str) -> int:
    """Play line by line; `source` is the Python file that defines the game, unless it is built in."""
    from rookery.terminal.lines import LineSession

    state, bots, seed = _set_up(cls, chosen)
    session = LineSession(state, bots, seed, source)
    session.odds = chosen["odds"]
    print(f"{state.game.title}: {state.game.summary}")
    print(f"Seed {seed}. Type help for the commands, quit to leave.")
    for sentence in dict.fromkeys(filter(None, (bot.remark(state.game) for bot in bots.values()))):
        print(sentence)
    if sys.stdin.isatty():
        from contextlib import suppress

        with suppress(ImportError):
            import readline  # noqa: F401 - gives input() line editing and history
    with flags.announced_compiling():
        session.run(_ask)
    return 0


def _resumed(cls: type[Game] | None, chosen: dict[str, Any], record: Record) -> tuple[State, dict[int, Bot]]:
    """The position and the bots of a recorded game."""
    from rookery.terminal.session import bots_in

    flags.check_load(cls, chosen, record)
    return record.replay(), bots_in(record)


def _ask(prompt: str) -> str:
    """Read a line. In a pipe, echo it, so that the output reads like a session."""
    line = input(prompt)
    if not sys.stdin.isatty():
        print(line)
    return line


def _menu(bots: list[str]) -> tuple[type[Game], list[str]] | None:
    """Ask for a game and, if it has opponents, for a level; None if the user quits."""
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
        level = reply("Bot level, 1 to 10, or 0 for no bots? [3] ") or "3"
        return level if level == "0" else str(make_bot(cls, level))

    print("Rookery: grid games to play alone, with others or against bots.\n")
    for number, name in enumerate(playable(), start=1):
        print(f"  {number}  {find(name).title:14} {find(name).summary}")
    try:
        cls = _ask_until_valid(game)
        if not bots and cls().players > 1:
            level = _ask_until_valid(opponent)
            bots = [] if level == "0" else [level]
    except EOFError:
        return None
    return cls, bots


def _ask_until_valid(question: Callable[[], T]) -> T:
    """Repeat a question until the answer is valid."""
    from rookery.core.errors import RookeryError

    while True:
        try:
            return question()
        except RookeryError as problem:
            print(problem)
