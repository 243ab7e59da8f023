"""Bots: they choose an action or analyse a position, within a budget of time or nodes."""

from __future__ import annotations

import functools
import os
from abc import ABC, abstractmethod
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

from rookery.core.arguments import as_float, quoted, shown, whole
from rookery.core.checked import Checked
from rookery.core.errors import IllegalAction, OptionError, UnknownName
from rookery.core.game import Game
from rookery.core.notation import counted
from rookery.core.options import Declared, option, options_of
from rookery.core.state import State
from rookery.core.stream import Stream
from rookery.core.wording import amount as in_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rookery.core.checked import Check


MOST_NODES = 2**53
MOST_MS = 10**12
"""The largest budget in milliseconds: about 30 years, which system timers still accept."""


def unforeseen() -> Stream:
    """A stream with a random seed: nobody can predict or repeat it."""
    return Stream(int.from_bytes(os.urandom(7), "little"))


class Budget:
    """How long a bot may search: milliseconds, nodes (positions looked at), both, or no limit.

    The clock starts when the budget is created. Another thread may call `cancel()`; the bot then returns the best it
    has found.
    """

    __slots__ = ("_end", "_watchers", "cancelled", "ms", "nodes")

    def __init__(self, ms: float | None = None, nodes: int | None = None) -> None:
        self.ms = None if ms is None else _milliseconds(ms)
        self.nodes = None if nodes is None else whole(nodes, "nodes", 1, MOST_NODES)
        self.cancelled = False
        self._end = None if self.ms is None else perf_counter() + self.ms / 1000
        self._watchers: list[Callable[[], None]] = []

    def cancel(self) -> None:
        """Ask the bot to stop."""
        self.cancelled = True
        for watcher in self._watchers:
            watcher()

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call a function on `cancel`: for bots whose compiled code cannot poll `cancelled`."""
        self._watchers.append(watcher)
        if self.cancelled:
            watcher()

    @property
    def seconds_left(self) -> float | None:
        """The time left, at least 0; None without a time limit."""
        return None if self._end is None else max(0.0, self._end - perf_counter())

    def spent(self, nodes: int) -> bool:
        """Whether to stop after this number of nodes."""
        if self.cancelled or (self.nodes is not None and nodes >= self.nodes):
            return True
        return self._end is not None and perf_counter() >= self._end


def _milliseconds(given: Any) -> float:
    """A time budget as a float; NumPy's numbers are accepted."""
    ms = as_float(given)
    if not 0 < ms <= MOST_MS:
        raise OptionError(f"ms takes a number above 0, at most {MOST_MS}, not {shown(given)}.")
    return ms


@dataclass(frozen=True)
class Candidate:
    """An action a bot considered, and its value to the player to move."""

    action: int
    name: str
    value: float
    win: float | None = None
    """The probability of winning with it, if the bot estimates one."""


@dataclass(frozen=True)
class Analysis:
    """A bot's analysis of a position, from the view of the player to move."""

    value: float
    """In the bot's `unit`, which its docstring explains; more is better."""
    line: tuple[str, ...]
    """The best line found, as names of actions."""
    candidates: tuple[Candidate, ...]
    """Best first."""
    nodes: int
    win: float | None = None
    """The probability of winning, a draw counting half, if the bot estimates one."""
    forced: int | None = None
    """The plies to a forced win; below 0, to a forced loss; None if neither is proved. People read them as moves."""
    depth: int | None = None
    """The search depth in plies, if the bot counts it."""
    facts: tuple[tuple[str, str], ...] = ()
    """Further findings in the game's own terms, as labels with texts."""

    def verdict(self, unit: str) -> str:
        """The position in a few words: a forced result, else the probability of winning and the value with its unit."""
        if not isinstance(unit, str):
            raise OptionError(f"The unit of a bot's values is text, not {shown(unit)}.")
        if self.forced is not None:
            return f"{'wins' if self.forced > 0 else 'loses'} in {counted(abs(self.forced), 'move')}"
        said = [] if self.win is None else [f"{100 * self.win:.0f}% to win"]
        if self.win is None or (abs(self.value) < CLEAR and unit != WINNING):
            said.append(in_words(self.value, unit))
        return ", ".join(said)


WINNING = "% to win"
"""The unit of values that are the probability of winning, so that `verdict` states it once."""
CLEAR = 500
"""Values beyond this stand for a win or a loss, and `verdict` leaves them out."""


def _on_game(bot: Bot, game: Game) -> None:
    bot.check_game(game)


def _on_state(bot: Bot, state: State, budget: Budget, stream: Stream) -> None:
    bot.check_state(state)
    if not isinstance(budget, Budget):
        raise OptionError(f"The budget is a Budget, not {shown(budget)}.")
    if not isinstance(stream, Stream):
        raise OptionError(f"The stream is a Stream, not {shown(stream)}.")
    if state.turn <= 0:
        raise state.nothing_to_choose()


@dataclass(frozen=True)
class Bot(Declared, Checked, ABC):
    """A computer player with its parameters fixed; frozen and hashable like a game."""

    _checks: ClassVar[Mapping[str, Check]] = {
        **dict.fromkeys(("ready", "accept", "remark"), _on_game),
        **dict.fromkeys(("search", "search_best"), _on_state),
    }

    noun: ClassVar[str] = "bot"
    name: ClassVar[str]
    plays: ClassVar[type[Game] | None] = None
    """The game it plays; `Game` for all games. If None, it plays the games that list it in `bots()`."""
    blind: ClassVar[bool] = False
    """Whether it plays all moves at random."""
    lists: ClassVar[bool] = True
    """Whether `choose` first lists all actions, to play a forced move without a search. That is slow on large boards,
    so a bot made for them turns it off and handles forced moves itself."""
    compiled_part: ClassVar[str] = ""
    """The name of the machine code it runs, which bots of a game may share; empty for a bot in plain Python."""
    unit: ClassVar[str] = "points"
    """The unit of its analyses' values, such as “steps ahead”."""

    ms: int | None = option(None, "milliseconds it may think about a move", low=1, high=3_600_000)
    nodes: int | None = option(None, "positions it may look at for a move", low=1, high=2**53)
    slip: float = option(0.0, "share of its moves played at random", low=0, high=1)

    def choose(
        self,
        state: State,
        budget: Budget | None = None,
        stream: Stream | None = None,
        *,
        ms: float | None = None,
        nodes: int | None = None,
    ) -> int:
        """A legal action for the player to move; the stream, random by default, decides ties and slips."""
        self.check_state(state)
        if stream is None:
            stream = unforeseen()
        elif not isinstance(stream, Stream):
            raise OptionError(f"The stream is a Stream or None, not {shown(stream)}.")
        if state.turn <= 0:
            raise state.nothing_to_choose()
        if self.blind or (self.slip and stream.uniform() < self.slip):
            return state.pick(stream)
        if self.lists and len(actions := state.actions()) == 1:
            return actions[0]
        if budget is None:
            budget = self._budget(state.game, ms, nodes)
        candidates = self.search_best(state, budget, stream).candidates
        best = [each.action for each in candidates if each.value == candidates[0].value]
        return stream.pick(best)

    def analyse(
        self,
        state: State,
        budget: Budget | None = None,
        *,
        ms: float | None = None,
        nodes: int | None = None,
    ) -> Analysis:
        """Analyse the position: its value, the best line, and the candidates with their values."""
        self.check_state(state)
        if state.turn <= 0:
            raise IllegalAction("Only a position with a player to move can be analysed.")
        return self.search(state, self._budget(state.game, ms, nodes) if budget is None else budget, Stream())

    def ready(self, game: Game) -> None:
        """Load what the bot needs for a game, such as compiled code, so that its budget is not spent on it."""

    def accept(self, game: Game) -> None:
        """Raise an `OptionError` if the bot does not play this game with these options."""

    def remark(self, game: Game) -> str:
        """What people should know about how it plays this game, as a sentence; usually empty."""
        return ""

    @abstractmethod
    def search(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        """Analyse a position in which a player is to move; at least one candidate, best first."""

    def search_best(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        """Like `search`, for bots that are faster if only the best candidates have to be correct."""
        return self.search(state, budget, stream)

    def check_game(self, game: Game) -> None:
        """Raise an `OptionError` if the bot plays another game, whatever its options.

        Compiled code trusts the words it gets, so words of another game must never reach it. That is why `choose`,
        `analyse`, `search`, `search_best`, `ready`, `accept` and `remark` of every bot begin with this check.
        """
        kind = type(game)
        if kind in self._known:
            return
        if not isinstance(game, Game):
            raise OptionError(f"The bot {self.name} plays a game, not {shown(game)}.")
        if self.plays is None and type(self) not in kind.bots().values():
            raise OptionError(
                f"The bot {self.name} is not one of {kind.title}'s: list it in the game's `bots()`, or set the bot's "
                "`plays` to the game."
            )
        if self.plays is not None and not isinstance(game, self.plays):
            raise OptionError(f"The bot {self.name} plays {self.plays.title}, not {kind.title}.")
        self._known.add(kind)

    def check_state(self, state: State) -> None:
        """Raise an `OptionError` unless this is a state of a game that the bot plays."""
        if not isinstance(state, State):
            raise OptionError(f"The bot {self.name} takes a State, not {shown(state)}.")
        if type(state.game) not in self._known:
            self.check_game(state.game)

    _known: ClassVar[set[type[Game]]] = set()
    """The games that bots of this class have passed `check_game` for, so that a move costs one set lookup."""

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        cls._known = set()

    def __str__(self) -> str:
        given = [
            f"{each.name}={getattr(self, each.name)}"
            for each in options_of(type(self))
            if getattr(self, each.name) != each.default
        ]
        return self.name + (":" + ",".join(given) if given else "")

    def _budget(self, game: Game, ms: float | None, nodes: int | None) -> Budget:
        """The bot's own budget, unless the caller gives one; the clock starts once the bot is ready."""
        self.ready(game)
        if ms is None and nodes is None:
            return Budget(self.ms, self.nodes)
        return Budget(ms, nodes)


def ranked(state: State, values: dict[int, float], *, nodes: int, win: float | None = None) -> Analysis:
    """An analysis made from a value for each action, best first."""
    order = sorted(values, key=lambda action: (-values[action], action))
    candidates = tuple(Candidate(action, state.game.name_of(action), values[action]) for action in order)
    return Analysis(candidates[0].value, (candidates[0].name,), candidates, nodes, win)


@dataclass(frozen=True)
class Random(Bot):
    """Plays any legal action with equal probability; it passes only if there is no other.

    Every action has the value 0.
    """

    name: ClassVar[str] = "random"
    plays: ClassVar[type[Game] | None] = Game
    blind: ClassVar[bool] = True

    def search(self, state: State, budget: Budget, stream: Stream) -> Analysis:
        actions = state.actions()
        return ranked(state, dict.fromkeys(actions, 0.0), nodes=len(actions))


def make_bot(game: Game | type[Game], spec: str, *, files: bool = True) -> Bot:
    """A bot of a game from `NAME[:key=value,…]` or a level from 1 to 10.

    Given a game with its options, the bot must accept it. Specs that come over a network may not name files:
    `files=False`. A spec is parsed once: the same one gives the same bot again.
    """
    if not isinstance(game, Game) and not (isinstance(game, type) and issubclass(game, Game)):
        raise OptionError(f"Bots play a game, not {shown(game)}.")
    if not isinstance(spec, str):
        raise UnknownName(f"A bot is named in text, as NAME or NAME:key=value, not {shown(spec)}.")
    cls = game if isinstance(game, type) else type(game)
    name, parameters = _split(cls, spec)
    bots = cls.bots()
    if name not in bots:
        raise UnknownName(f"{cls.title} has no bot {quoted(name)}; it has {', '.join(bots)}, and the levels 1 to 10.")
    bot = _with_parameters(bots[name], name, parameters, files)
    if isinstance(game, Game):
        bot.accept(game)
    return bot


def _split(game: type[Game], spec: str) -> tuple[str, str]:
    """The name and the parameters in a spec; those of a level come before what is added to them."""
    name, _, parameters = spec.strip().partition(":")
    if not (name.isascii() and name.isdigit()):
        return name, parameters
    levels = {str(level): bot for level, bot in enumerate(game.levels(), start=1)}
    if name not in levels:
        raise UnknownName(f"Levels go from 1 to {len(levels)}, not {name[:20]}.")
    name, own = _split(game, levels[name])
    return name, ",".join(part for part in (own, parameters) if part)


@functools.lru_cache(maxsize=1024)
def _with_parameters(kind: type[Bot], name: str, parameters: str, files: bool) -> Bot:
    """A bot of this class with parameters given as `key=value,…`. Bots are frozen, so one serves all who ask."""
    known = {each.name: each for each in options_of(kind)}
    given: dict[str, Any] = {}
    for part in parameters.split(",") if parameters else ():
        key, equals, value = part.partition("=")
        if not equals or key not in known:
            has = ", ".join(known)
            raise OptionError(
                f"{quoted(part)} is not a parameter of the bot {name}; write key=value with one of {has}."
            )
        if known[key].file and not files:
            raise OptionError(f"{key} names a file, and files stay on their own machine: leave it out.")
        given[key] = known[key].parse(value)
    return kind.make(**given)
