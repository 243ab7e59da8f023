"""States: a game in progress, with its position and history, that can be queried, played and undone."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

from rookery.core.arguments import shown
from rookery.core.errors import IllegalAction, MalformedAction, OptionError, PositionError
from rookery.core.names import NOBODY, Names
from rookery.core.rules import CHANCE, OVER, STATE_SIZE, TURN
from rookery.core.stream import Stream
from rookery.core.text_board import text_board

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from rookery.core.game import Game
    from rookery.core.scene import Scene

Change = tuple[int, int]
"""A word that was overwritten: its index and its old value."""


class PackedState(NamedTuple):
    """A state as plain numbers: the text it began with, its words, and each ply with the words that it changed."""

    origin: str | None
    words: list[int]
    plies: list[tuple[int, list[Change]]]


class Journal(list[int]):
    """The words of a position, with an undo journal: old values are noted before they are overwritten.

    So undo works the same for every game, without help from its rules. Scratch words are not noted.
    """

    __slots__ = ("notes", "state_size")

    def __init__(self, words: Iterable[int]) -> None:
        super().__init__(words)
        self.state_size = self[STATE_SIZE]
        self.notes: list[Change] | None = None

    def __setitem__(self, at: Any, value: Any) -> None:
        if self.notes is not None and at < self.state_size:
            self.notes.append((at, self[at]))
        super().__setitem__(at, value)

    def restore(self, changes: list[Change]) -> None:
        """Put the old values back, last first, and invalidate what rules have cached in scratch words."""
        for at, word in reversed(changes):
            super().__setitem__(at, word)
        if len(self) > self.state_size:
            super().__setitem__(self.state_size, 0)


class State:
    """A position of a game and the plies that led to it.

    `turn` is the number of the player to move, `CHANCE` or `OVER`. Actions and chance outcomes are integers;
    `game.name_of` gives their names, and `game.action` reads them.
    """

    __slots__ = ("_plies", "game", "origin", "words")

    def __init__(self, game: Game, words: Iterable[int], origin: str | None = None) -> None:
        self.game = game
        self.words = Journal(words)
        found, wanted = len(self.words), game.kernel.size(game.config)
        if found != wanted:  # compiled code would read out of bounds
            raise PositionError(f"A position of {game.title} with these options has {wanted} words, not {found}.")
        self.origin = origin
        """The text of the position it started from; None for the game's own start."""
        self._plies: list[tuple[int, list[Change]]] = []

    @property
    def turn(self) -> int:
        """The number of the player to move, `CHANCE` or `OVER`."""
        return self.words[TURN]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.words[TURN] == OVER

    @property
    def history(self) -> tuple[int, ...]:
        """Every action and chance outcome since the start, in order."""
        return tuple(action for action, _ in self._plies)

    @property
    def ply(self) -> int:
        """How many plies have been played since the start."""
        return len(self._plies)

    def backwards(self) -> Iterator[int]:
        """Every action and chance outcome since the start, the last first."""
        return (action for action, _ in reversed(self._plies))

    @property
    def last(self) -> int | None:
        """The last action or outcome, if any."""
        return self._plies[-1][0] if self._plies else None

    def before(self, plies: int = 1) -> list[int]:
        """The words as they were a number of plies ago."""
        played = len(self._plies)
        back = plies if isinstance(plies, int) else -1
        if not 0 <= back <= played:
            raise IllegalAction(f"{played} plies have been played; cannot go back {shown(plies)}.")
        words = Journal(self.words)
        for _, changes in reversed(self._plies[played - back :]):
            words.restore(changes)
        return words

    def actions(self) -> list[int]:
        """The legal actions of the player to move, ascending; none at a chance node or at the end."""
        if self.turn <= 0:
            return []
        out = [0] * self.game.action_count
        return out[: self.game.kernel.actions(self.words, out)]

    def mask(self) -> list[bool]:
        """For every action of the game, whether it is legal now."""
        mask = [False] * self.game.action_count
        for action in self.actions():
            mask[action] = True
        return mask

    def legal(self, action: SupportsIndex) -> bool:
        """Whether this action or chance outcome is legal now."""
        number = self._number(action)
        return 0 <= number < self.game.code_count and bool(self.game.kernel.legal(self.words, number))

    def chances(self) -> list[tuple[int, float]]:
        """The chance outcomes with their probabilities; empty unless it is chance's turn."""
        if self.turn != CHANCE:
            return []
        count = self.game.code_count - self.game.action_count
        out, weights = [0] * count, [0.0] * count
        found = self.game.kernel.chances(self.words, out, weights)
        return list(zip(out[:found], weights[:found], strict=True))

    def draw(self, stream: Stream) -> int:
        """A chance outcome, drawn by the stream according to the probabilities; it is not played yet."""
        if self.turn != CHANCE:
            raise IllegalAction("It is not chance's turn in this position.")
        if not isinstance(stream, Stream):
            raise OptionError(f"The stream is a Stream, not {shown(stream)}.")
        return self.game.kernel.draw(self.words, stream.words)

    def pick(self, stream: Stream) -> int:
        """A legal action, each with equal probability (a pass only if there is no other); it is not played yet."""
        if self.turn <= 0:
            raise self.nothing_to_choose()
        if not isinstance(stream, Stream):
            raise OptionError(f"The stream is a Stream, not {shown(stream)}.")
        return self.game.kernel.pick(self.words, stream.words)

    def nothing_to_choose(self) -> IllegalAction:
        """The error for choosing an action where no player is to move."""
        reason = "the game is over." if self.over else "chance moves."
        return IllegalAction(f"There is no action to choose here: {reason}")

    def play(self, action: SupportsIndex) -> None:
        """Play an action or chance outcome; if it is illegal, raise `IllegalAction` and change nothing."""
        number = self._number(action)
        words = self.words
        notes: list[Change] = []
        words.notes = notes
        try:
            played = 0 <= number < self.game.code_count and self.game.kernel.legal(words, number)
            if played:
                self.game.kernel.perform(words, number)
        except BaseException:
            words.restore(notes)
            raise
        finally:
            words.notes = None
        if not played:
            words.restore(notes)
            raise IllegalAction(self.why_not(number))
        self._plies.append((number, notes))

    def undo(self) -> int:
        """Take the last action or outcome back and return it."""
        if not self._plies:
            raise IllegalAction("There is nothing to undo.")
        action, changes = self._plies.pop()
        self.words.restore(changes)
        return action

    def _number(self, action: SupportsIndex) -> int:
        """The action as an `int`: a NumPy integer would stay in the words and overflow there."""
        try:
            return index(action)
        except TypeError:
            raise MalformedAction(
                f"An action is a whole number, which game.action() gives for its name, not {shown(action)}."
            ) from None

    def why_not(self, action: SupportsIndex) -> str:
        """Why this illegal action is illegal, as a sentence."""
        action = self._number(action)
        if not 0 <= action < self.game.code_count:
            return f"{self.game.title} has no action {shown(action)}."
        if self.over:
            return "The game is over."
        if self.turn == CHANCE and action < self.game.action_count:
            return "It is chance's turn, not a player's."
        if self.turn != CHANCE and action >= self.game.action_count:
            return f"It is player {self.turn}'s turn, not chance's."
        return self.game.why_not(self, action)

    def scores(self) -> tuple[float, ...]:
        """The points of each player now, player 1 first."""
        return tuple(self.game.kernel.score(self.words, player) for player in range(1, self.game.players + 1))

    def winners(self) -> tuple[int, ...]:
        """The players who won, several if they share the win; empty before the end, or if nobody won."""
        return self.game.winners(self) if self.over else ()

    def key(self) -> Hashable:
        """Equal for two states if and only if they have the same future: the same game, choices and results."""
        rest = (self.scores(), self.winners()) if self.over else self.game.key(self)
        return (self.game, self.turn, rest)

    def position(self) -> str:
        """The position as one line of text, which `game.position` reads."""
        return self.game.write(self.json())

    def json(self) -> dict[str, Any]:
        """The position as a JSON object, which `game.position` reads too."""
        return self.game.describe(self)

    def scene(self, viewer: int = 0, *, odds: bool = False, names: Names = NOBODY) -> Scene:
        """What the player `viewer` sees (0: a spectator); with `odds`, also chances that are hidden by default.
        `names` says what the players are called.
        """
        return self.game.scene(self, viewer, odds=odds, names=names)

    def copy(self) -> State:
        """An independent state with the same position and history."""
        twin = State(self.game, self.words, self.origin)
        twin._plies = list(self._plies)
        return twin

    def packed(self) -> PackedState:
        """All of it but the game, to be sent to another process; the lists are the state's own."""
        return PackedState(self.origin, self.words, self._plies)

    @classmethod
    def unpacked(cls, game: Game, packed: PackedState) -> State:
        """The state that was packed, with the same history. Nothing is checked: the words must come from `packed`."""
        state = cls(game, packed.words, packed.origin)
        state._plies = list(packed.plies)
        return state

    def __str__(self) -> str:
        return text_board(self.game.in_notation(self), self.game.legend)

    def __repr__(self) -> str:
        return f"<State of {self.game!r}: {self.position()}>"
