"""Games for learners, many at a time: an action in each, and what is to be seen when somebody is to act again.

A generic algorithm over a game's rules and observation, specialised by `compiling.py`. Every game has a row in each
array and a random stream of its own, so that it goes the same way in whatever company it is stepped.
"""

from __future__ import annotations

import sys
from functools import partial
from math import prod
from operator import index
from typing import Any, NamedTuple, SupportsIndex

from rookery.core import arguments  # as a module: functions named here would be compiled with the others
from rookery.core.errors import OptionError
from rookery.core.rules import CHANCE, OVER, TURN
from rookery.core.stream import LAST_SEED, WORDS, seed_stream
from rookery.engine.threads import ThreadPool

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias

    from rookery.core.game import Game
    from rookery.core.observation import Observation
    from rookery.core.rules import Rules, Weights, Words

    Rows: TypeAlias = Sequence[Words]

rules: Rules = None  # type: ignore[assignment]
"""The game's rules; there are none until the module is specialised, and no observation either."""
observation: Observation = None  # type: ignore[assignment]

WORTH_A_CALL = 64
"""The fewest games that a thread takes at a time; while they are stepped, others may have to wait for it."""
MOST_GAMES, MOST_STEPS, MOST_THREADS = 10**8, 10**15, 1024
ENDED = -1
"""What the clock of a game shows that is over or was broken off."""
APART = ("begin_some", "step_some")
STANDING = ("games", "streams", "clocks", "masks", "rewards", "gain", "over", "cut")
"""The arrays of `Tables` that tell how its games stand."""


def begin(start: Words, s: Words, r: Words, seat: int) -> None:
    """Put a game at its start, and let happen what comes before a learner's first action."""
    for word in range(len(start)):
        s[word] = start[word]
    settle(s, r, seat)


def settle(s: Words, r: Words, seat: int) -> None:
    """Let chance act, and those who are not on the learner's seat if it has one, until somebody else is to act."""
    while s[TURN] == CHANCE or (s[TURN] != seat and s[TURN] != OVER and seat > 0):
        rules.perform(s, rules.draw(s, r) if s[TURN] == CHANCE else rules.pick(s, r))


def show(s: Words, player: int, seen: Words, mask: Words, found: Words) -> None:
    """Write down what a player sees and may do now; `found` is a buffer for actions."""
    observation.observe(s, player, seen)
    for action in range(len(mask)):
        mask[action] = 0
    if s[TURN] == player:
        for k in range(rules.actions(s, found)):
            mask[found[k]] = 1


def act(s: Words, r: Words, action: int, mask: Words, seat: int, rewards: Weights) -> None:
    """Let the player to move act, and what follows happen; an action that is not legal changes nothing."""
    earned = rules.score(s, 1)
    if 0 <= action < len(mask) and mask[action]:
        rules.perform(s, action)
        settle(s, r, seat)
    pay(s, earned, rewards)


def pay(s: Words, earned: float, rewards: Weights) -> None:
    """Write down everybody's reward: alone the points that were not `earned` before; else nothing until the end, then 1
    for the winner and −1 for the others, or nothing in a draw.
    """
    if len(rewards) == 1:
        rewards[0] = rules.score(s, 1) - earned
        return
    winner = rules.winner(s) if s[TURN] == OVER else 0
    for k in range(len(rewards)):
        rewards[k] = 0.0 if winner == 0 else 1.0 if winner == k + 1 else -1.0


def looker(s: Words, seat: int) -> int:
    """Whose view is shown: of the player to act, or, in a game that is over before anybody could, of the learner."""
    return s[TURN] if s[TURN] != OVER else max(seat, 1)


def sow_some(streams: Rows, which: Words, seeds: Words) -> None:
    """Give some games the streams of these seeds."""
    for k in range(len(which)):
        seed_stream(streams[which[k]], seeds[k], 0)


def begin_some(
    start: Words,
    games: Rows,
    streams: Rows,
    clocks: Words,
    which: Words,
    seat: int,
    seen: Rows,
    masks: Rows,
    found: Words,
) -> None:
    """Begin some games anew, and show them, the first in the first row of `seen`, and so on."""
    for k in range(len(which)):
        s = games[which[k]]
        begin(start, s, streams[which[k]], seat)
        clocks[which[k]] = 0
        show(s, looker(s, seat), seen[k], masks[which[k]], found)


def step_some(
    start: Words,
    games: Rows,
    streams: Rows,
    clocks: Words,
    first: int,
    past: int,
    actions: Words,
    seat: int,
    most: int,
    seen: Rows,
    masks: Rows,
    rewards: Sequence[Weights],
    gains: Weights,
    over: Words,
    cut: Words,
    found: Words,
) -> None:
    """Step the games `first` … `past − 1`; one that had ended begins anew. The masks are of the last step.

    A clock counts a game's steps, until it is over or broken off, after `most` (0: never). Of the `rewards` of all
    players the `gains` are those of the one who acted.
    """
    for k in range(first, past):
        s = games[k]
        actor = looker(s, seat)
        over[k], cut[k] = False, False
        if clocks[k] == ENDED:
            begin(start, s, streams[k], seat)
            clocks[k] = 0
            for player in range(len(rewards[k])):
                rewards[k][player] = 0.0
            gains[k] = 0.0
        else:
            act(s, streams[k], actions[k], masks[k], seat, rewards[k])
            clocks[k] += 1
            gains[k] = rewards[k][actor - 1]
            over[k], cut[k] = s[TURN] == OVER, clocks[k] == most
            if over[k] or cut[k]:
                clocks[k] = ENDED
        show(s, s[TURN] if s[TURN] != OVER else actor, seen[k], masks[k], found)


def portions(many: int, threads: int) -> Iterator[tuple[int, int]]:
    """Cut the games, from `first` to `past − 1` each, for threads that take one portion after the other: ever smaller
    ones, so that they are few and yet all threads end at about the same time.
    """
    first = 0
    while first < many:
        past = min(many, first + max(WORTH_A_CALL, (many - first) // threads))
        yield first, past
        first = past


class Stepped(NamedTuple):
    """What came of a step, as NumPy's arrays with a row a game."""

    seen: Any
    """The planes, as the player sees them who is to act, or who acted last."""
    masks: Any
    """For every action, whether it is legal."""
    rewards: Any
    """Of every player."""
    gains: Any
    """The reward of the player who acted."""
    over: Any
    """Whether a game is over."""
    cut: Any
    """Whether it was broken off; it may be over just then, too."""


class GameBatch:
    """Some games of a kind, stepped together in compiled code.

    With a `seat` the learner is that player and the others act at random; without, it acts for everybody in turn. A
    game is broken off after `most` steps (0: never). What the methods return is the caller's to keep.
    """

    def __init__(self, game: Game, many: int = 1, *, seat: int = 0, most: int = 0, threads: int = 1) -> None:
        import numpy

        from rookery.core.game import Game
        from rookery.engine import compiling

        if not isinstance(game, Game):
            raise OptionError(f"Tables are of a game, not {arguments.shown(game)}.")
        many = arguments.whole(many, "many", 1, MOST_GAMES)
        seat = arguments.whole(seat, "seat", 0, game.players)
        most = arguments.whole(most, "most", 0, MOST_STEPS)
        threads = arguments.whole(threads, "threads", 1, MOST_THREADS)
        kernel: Any = game.kernel
        observation: Any = game.observation
        self.numpy = numpy
        self.game, self.many, self.seat, self.most, self.threads = game, many, seat, most, threads
        self.shape, self.kind = game.observation_spec().shape, numpy.dtype(game.observation_spec().kind)
        self.width, self.count = prod(self.shape), game.action_count
        self.code: Any = compiling.compiled(sys.modules[__name__], kernel, observation)
        self.start = compiling.array(game.compiled_words(game.start()))
        self.games = numpy.tile(self.start, (many, 1))
        self.streams = numpy.zeros((many, WORDS), dtype=numpy.int64)
        self.clocks = numpy.full(many, ENDED, dtype=numpy.int64)
        self.masks = numpy.zeros((many, self.count), dtype=numpy.int8)
        self.rewards = numpy.zeros((many, game.players))
        self.gain, self.over, self.cut = numpy.zeros(1), numpy.zeros(1, dtype=bool), numpy.zeros(1, dtype=bool)
        self.found = [numpy.zeros(self.count, dtype=numpy.int64) for _ in range(threads)]
        self.parts = list(portions(many, threads))
        self.pool = ThreadPool(threads - 1)
        given = self.start, self.games, self.streams, self.clocks
        numbers = numpy.arange(many)
        self.code.sow_some(self.streams, numbers, numbers)  # a stream of zeros would give nothing else, for ever
        self.action = numpy.zeros(1, dtype=numpy.int64)
        self.call = partial(self.code.step_some, *given, 0, 1, self.action, seat, most)
        self.rest = self.masks, self.rewards, self.gain, self.over, self.cut, self.found[0]

    def __reduce__(self) -> tuple[Any, ...]:
        """What is needed to go on elsewhere: what they are made of, and how they stand."""
        given = {"seat": self.seat, "most": self.most, "threads": self.threads}
        return restored, (self.game, self.many, given, {name: getattr(self, name) for name in STANDING})

    @property
    def turn(self) -> int:
        """Who is to act in the first game."""
        return int(self.games.item(0, TURN))

    @property
    def turns(self) -> Any:
        """Who is to act in each game; `OVER` if nobody is."""
        return self.games[:, TURN].copy()

    def seed(self, which: Any, seeds: Any) -> None:
        """Give some games the random streams of these seeds."""
        which, seeds = self._rows(which), self._numbers(seeds, "Seeds are", LAST_SEED)
        if len(which) != len(seeds):
            raise OptionError(f"There are {len(seeds)} seeds for {len(which)} games.")
        self.code.sow_some(self.streams, which, seeds)

    def begin(self, which: Any) -> Any:
        """Begin some games anew; what is to be seen in these."""
        which = self._rows(which)
        seen = self._paper(len(which))
        if not len(which):
            return seen
        self.rewards[which] = 0.0
        given = self.start, self.games, self.streams, self.clocks
        self.code.begin_some(*given, which, self.seat, seen.reshape(len(which), -1), self.masks, self.found[0])
        return seen

    def look(self, which: int, player: int) -> tuple[Any, Any]:
        """What a player sees of a game, and the mask of what it may do, which is nothing if it is not its turn."""
        which = arguments.whole(which, "which", 0, self.many - 1)
        player = arguments.whole(player, "player", 1, self.game.players)
        seen, mask = self._paper(1)[0], self.masks[which].copy()
        self.code.show(self.games[which], player, seen.reshape(-1), mask, self.found[0])
        return seen, mask

    def step(self, actions: Any) -> Stepped:
        """An action in every game, by its number; games that had ended begin anew instead."""
        numpy, many = self.numpy, self.many
        actions = self._numbers(actions, "Actions are", self.count - 1)
        if len(actions) != many:
            raise OptionError(f"There are {len(actions)} actions for {many} games.")
        seen, gains = self._paper(many), numpy.empty(many)
        over, cut = numpy.empty(many, dtype=bool), numpy.empty(many, dtype=bool)
        wanted = actions, self.seat, self.most, seen.reshape(many, -1), self.masks, self.rewards, gains, over, cut
        work = partial(self._work, iter(self.parts), wanted)
        self.pool.run([partial(work, found) for found in self.found])
        return Stepped(seen, self.masks.copy(), self.rewards.copy(), gains, over, cut)

    def step_one(self, action: SupportsIndex) -> Any:
        """The same for the only game there is, with as little ado as can be; what is to be seen is returned, the rest
        stands in `masks`, `rewards`, `gain`, `over` and `cut`.
        """
        try:
            self.action[0] = number = index(action)
        except (TypeError, OverflowError):
            number = -1
        if not 0 <= number < self.count:
            given = arguments.shown(action)
            raise OptionError(f"An action is a whole number from 0 to {self.count - 1}, not {given}.")
        seen = self.numpy.empty((1, self.width), dtype=self.kind)
        self.call(seen, *self.rest)
        return seen.reshape(self.shape)

    def close(self) -> None:
        """Send the threads home; the next step calls others."""
        self.pool.close()

    def _work(self, parts: Iterator[tuple[int, int]], wanted: Sequence[Any], found: Any) -> None:
        """Step the games of one part after the other, as long as there are parts that no other thread has taken."""
        for first, past in parts:
            self.code.step_some(self.start, self.games, self.streams, self.clocks, first, past, *wanted, found)

    def _rows(self, which: Any) -> Any:
        """The numbers of some games, as compiled code takes them."""
        return self._numbers(which, "Games are", self.many - 1)

    def _numbers(self, given: Any, what: str, high: int) -> Any:
        """A row of whole numbers from 0 up, as compiled code takes them; it does not look at its indices."""
        try:
            found = self.numpy.asarray(given)
            if found.ndim == 1 and found.size == 0:
                return found.astype(self.numpy.int64)
            if found.ndim == 1 and found.dtype.kind in "iu" and found.min() >= 0 and found.max() <= high:
                return self.numpy.ascontiguousarray(found, self.numpy.int64)
        except (TypeError, ValueError, OverflowError):
            pass
        raise OptionError(f"{what} whole numbers from 0 to {high}, in one row.")

    def _paper(self, many: int) -> Any:
        """Empty arrays for what is to be seen in so many games."""
        return self.numpy.empty((many, *self.shape), dtype=self.kind)


def restored(game: Game, many: int, given: dict[str, int], standing: dict[str, Any]) -> GameBatch:
    """Tables that stand as others did."""
    batch = GameBatch(game, many, **given)
    for name, rows in standing.items():
        getattr(batch, name)[:] = rows
    return batch


def rehearse(game: Game) -> None:
    """Call every function that `Tables` calls, so that all are compiled, and remember that they are."""
    from rookery.engine import compiling

    batch = GameBatch(game)
    first = batch.numpy.zeros(1, dtype=batch.numpy.int64)
    batch.seed(first, first)
    batch.begin(first)
    batch.look(0, 1)
    batch.step_one(0)
    kernel: Any = game.kernel
    compiling.mark_ready(kernel)
