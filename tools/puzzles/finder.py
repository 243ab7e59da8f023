"""What the finders of both games share: what a finder is, how hard a puzzle is, and how it is written down."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Protocol

from rookery.core.bot import make_bot
from rookery.core.puzzle import Puzzle, Refutation
from rookery.core.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from rookery.core.game import Game
    from rookery.core.state import State

TRIES = 4
"""Streams with which a bot must find the solution to find it reliably."""
LINE = 9
"""The most plies of a solution's line that are kept."""


class Finder(Protocol):
    """Finds and verifies the puzzles of a game."""

    name: str
    games: int
    """How many games are played by default."""
    wanted: int
    """How many puzzles are kept."""

    def game(self, stream: Stream) -> tuple[Game, Sequence[str]]:
        """A game to play, and the bots that play it."""
        ...

    def puzzles(self, states: Sequence[State], stream: Stream) -> list[Puzzle]:
        """The best puzzles in the positions of a game, proven or verified."""
        ...

    def told(self, puzzle: Puzzle) -> Puzzle:
        """The puzzle with its theme and its texts."""
        ...

    def is_worthwhile(self, puzzle: Puzzle) -> bool:
        """Whether a puzzle is interesting enough to keep."""
        ...

    def likeness(self, puzzle: Puzzle) -> Hashable:
        """What two puzzles have in common if they are too much alike to keep both."""
        ...

    def faults(self, puzzle: Puzzle) -> Iterator[str]:
        """What is wrong with a puzzle, as far as solving it again shows."""
        ...


@dataclass(frozen=True)
class Rung:
    """A bot of a ladder of ever stronger ones, and the rating of a puzzle that it is the first to solve."""

    bot: str
    rating: int


def positions(game: Game, bots: Sequence[str], stream: Stream) -> list[State]:
    """All positions of a game between bots."""
    state, players = game.start(), [make_bot(type(game), bot) for bot in bots]
    found = []
    while not state.over:
        found.append(state.copy())
        state.play(players[state.turn - 1].choose(state, None, stream))
    return found


def is_found(state: State, bot: str, solution: int) -> bool:
    """Whether a bot finds the solution reliably."""
    player = make_bot(type(state.game), bot)
    return all(player.choose(state, None, Stream(k)) == solution for k in range(1, TRIES + 1))


def first_rung(state: State, ladder: Sequence[Rung], solution: int) -> Rung:
    """The first rung from which on all find the solution; the last one stands for those that nobody finds."""
    first = ladder[-1]
    for rung in reversed(ladder[:-1]):
        if not is_found(state, rung.bot, solution):
            break
        first = rung
    return first


def id_of(state: State) -> str:
    """What a puzzle is called: the same whenever it is found."""
    text = f"{state.game.name} {state.game.options} {state.position()}"
    return sha256(text.encode()).hexdigest()[:8]


def shown_options(game: Game) -> dict[str, Any]:
    """The options that are not at their defaults."""
    defaults = type(game)().options
    return {name: value for name, value in game.options.items() if value != defaults[name]}


def grouped(wrong: Mapping[str, tuple[str, str]]) -> tuple[Refutation, ...]:
    """The refutations of all wrong moves, given the outcome and the reply of each; the largest group names none."""
    groups: dict[tuple[str, str], list[str]] = {}
    for move, found in sorted(wrong.items()):
        groups.setdefault(found, []).append(move)
    ordered = sorted(groups.items(), key=lambda group: -len(group[1]))
    return tuple(
        Refutation(outcome, reply, tuple(tries) if k else ()) for k, ((outcome, reply), tries) in enumerate(ordered)
    )


def lost_or_drawn(value: int) -> str:
    """The outcome of a wrong move as it is written down."""
    return "draw" if value == 0 else "loss"


def refutations(
    state: State, values: Mapping[int, int], solution: int, reply: Callable[[State, int, int], str]
) -> tuple[Refutation, ...]:
    """The refutations of all actions but the solution, given what each is worth and the reply to one."""
    wrong = {action: value for action, value in values.items() if action != solution}
    name = state.game.name_of
    return grouped(
        {name(action): (lost_or_drawn(value), reply(state, action, value)) for action, value in wrong.items()}
    )


def alternatives(state: State, solution: int) -> int:
    """How many other moves look as good at first sight, or better: to the greedy bot."""
    ranked = make_bot(state.game, "greedy").analyse(state).candidates
    own = next(each.value for each in ranked if each.action == solution)
    return sum(each.value >= own for each in ranked if each.action != solution)


def single_best(values: Mapping[int, int]) -> int | None:
    """The only action that reaches the best outcome, if that is better than a loss."""
    best = max(values.values())
    found = [action for action, value in values.items() if value == best]
    return found[0] if len(found) == 1 and best >= 0 else None
