"""The registry of games. A game's module is imported on first use, not before.

Other packages add games by entry points of the group `rookery.games`.
"""

from __future__ import annotations

from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from typing import Any

    from rookery.core.bot import Bot
    from rookery.core.game import Game
    from rookery.core.record import Record

BUILT_IN = {
    "gotham": ("rookery.games.gotham.game", "GothamLoops"),
    "gamma": ("rookery.games.gamma.game", "Gamma"),
    "sixseven": ("rookery.games.sixseven.game", "SixSeven"),
    "gaterun": ("rookery.games.gaterun.game", "GateRun"),
}

LINE_PROTOCOLS = {"gamma": "rookery.games.gamma.protocol.batch"}

PLUGINS = "rookery.games"
"""The group of entry points by which packages add games: the name of the game, and its class."""

_added: dict[str, type[Game]] = {}


def names() -> tuple[str, ...]:
    """The names of all games: Rookery's own, those of other packages, and those added by `add`. Imports no game."""
    others = (name for name in _plugins() if name not in BUILT_IN)
    return tuple(dict.fromkeys((*BUILT_IN, *others, *_added)))


def playable() -> tuple[str, ...]:
    """The names of all games that can be loaded; broken games of other packages are left out."""
    return tuple(name for name in names() if not _problem(name))


def problems() -> list[str]:
    """Why games of other packages cannot be loaded, a sentence for each."""
    hidden = [
        f"The game '{name}' of {_origin(entry)} is left out: one of Rookery's own games has that name."
        for name, entries in _plugins().items()
        if name in BUILT_IN
        for entry in entries
    ]
    return [*hidden, *filter(None, map(_problem, names()))]


def find(name: str) -> type[Game]:
    """The game of that name."""
    from importlib import import_module

    from rookery.core.arguments import quoted, shown
    from rookery.core.errors import UnknownName

    if not isinstance(name, str):
        raise UnknownName(f"The name of a game is text, not {shown(name)}; there are {', '.join(names())}.")
    if name in BUILT_IN:
        module, cls = BUILT_IN[name]
        found: type[Game] = getattr(import_module(module), cls)
        return found
    if name in _added:
        return _added[name]
    if name in _plugins():
        offered = _offered(name)
        if isinstance(offered, str):
            raise UnknownName(offered)
        return offered
    raise UnknownName(f"There is no game {quoted(name)}; there are {', '.join(names())}.")


@cache
def _plugins() -> dict[str, list[EntryPoint]]:
    """The games that installed packages offer, by name. Reading entry points takes milliseconds, so it is lazy."""
    from importlib.metadata import entry_points

    found: dict[str, list[EntryPoint]] = {}
    for entry in entry_points(group=PLUGINS):
        known = found.setdefault(entry.name, [])
        if entry not in known:  # a package may be on the path twice
            known.append(entry)
    return dict(sorted(found.items()))


@cache
def _offered(name: str) -> type[Game] | str:
    """The game of another package, or a sentence that says what is wrong with it; loaded once."""
    from rookery.core.game import Game

    entries = _plugins()[name]
    if len(entries) > 1:
        packages = " and ".join(sorted(map(_origin, entries)))
        return f"The game '{name}' is offered by {packages}: uninstall all but one."
    [entry] = entries
    what = f"The game '{name}' of {_origin(entry)} cannot be loaded"
    try:
        found = entry.load()
    except (Exception, SystemExit) as error:
        return f"{what}: {type(error).__name__}: {str(error).rstrip('.')}."
    if not (isinstance(found, type) and issubclass(found, Game)):
        return f"{what}: {entry.value} is not a class of games."
    if getattr(found, "name", "") != name:
        return f"{what}: {entry.value} calls itself '{getattr(found, 'name', '')}'."
    return found


def _origin(entry: EntryPoint) -> str:
    return f"the package '{entry.dist.name}'" if entry.dist else f"'{entry.value}'"


def _problem(name: str) -> str:
    """Why a game cannot be loaded, as a sentence; empty if it can."""
    offered = _offered(name) if name not in BUILT_IN and name not in _added else ""
    return offered if isinstance(offered, str) else ""


def add(cls: type[Game]) -> type[Game]:
    """Add a game to the registry, so that every surface knows its name; can be used as a decorator."""
    from rookery.core.errors import UnknownName

    if cls.name in BUILT_IN:
        raise UnknownName(f"The name '{cls.name}' is taken by one of Rookery's own games.")
    _added[cls.name] = cls
    return cls


def from_file(path: str) -> type[Game]:
    """Run a Python file that adds a game, unless it has been run before, and return the game.

    The code is trusted like any program that a person starts. Never call this with a path from a network request.
    """
    import sys
    from importlib.util import module_from_spec, spec_from_file_location
    from pathlib import Path

    from rookery.core.arguments import shown
    from rookery.core.errors import UnknownName

    try:
        file = Path(path).resolve()
    except (TypeError, ValueError, OSError, RuntimeError):  # not a text, a zero byte, a symbolic link to itself
        raise UnknownName(f"There is no file {shown(path)} with a game in it.") from None
    for cls in _added.values():
        if getattr(sys.modules.get(cls.__module__), "__file__", None) == str(file):
            return cls
    if not file.is_file():
        raise UnknownName(f"There is no file '{path}' with a game in it.")
    before = set(_added)
    name = f"rookery_game_{file.stem}"  # a file called json.py must not hide the module of that name
    spec = spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise UnknownName(f"The file '{path}' is not a Python file: its name must end in .py.")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise UnknownName(f"The file '{path}' cannot be run: {type(error).__name__}: {error}.") from error
    fresh = [name for name in _added if name not in before]
    if not fresh:
        raise UnknownName(f"The file '{path}' adds no game; decorate its game with rookery.games.add.")
    return _added[fresh[-1]]


def address(name: str) -> str:
    """How another process can find a game: its name, or the file it was added from."""
    import sys

    if name not in _added:
        return name
    return getattr(sys.modules.get(_added[name].__module__), "__file__", None) or name


def at_address(address: str) -> type[Game]:
    """The game at an address that `address` returned in another process."""
    return from_file(address) if address.endswith(".py") else find(address)


def line_protocol(name: str) -> Any:
    """The module of a game's line protocol, with `run` to execute commands and `warm` to compile it."""
    from importlib import import_module

    return import_module(LINE_PROTOCOLS[name])


def game(name: str, /, **options: Any) -> Game:
    """A game with the given options, the others at their defaults."""
    return find(name).make(**options)


def bot(name: str, spec: str | None = None, *, level: int | None = None) -> Bot:
    """A bot for the game of that name: by its own name and parameters (`"minimax:depth=2"`), or by level."""
    from rookery.core.arguments import whole
    from rookery.core.bot import make_bot
    from rookery.core.errors import OptionError

    if (spec is None) == (level is None):
        raise OptionError("Pass either a bot's name or a level from 1 to 10.")
    cls = find(name)
    return make_bot(cls, str(whole(level, "level", 1, len(cls.levels()))) if spec is None else spec)


def record(line: str) -> Record:
    """The record in a line of JSON, read and verified."""
    from rookery.core.record import load

    return load(line, game)
