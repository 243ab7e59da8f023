"""Many games of one kind, stepped together for learning agents: one action in each game per step.

A generic algorithm over a game's rules and observation, specialised by `compiling.py`. Every game has one row in each
array and its own random stream, so it runs the same way whichever games are stepped with it.
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
"""The game's rules. Specialising the module sets this global and the next one."""
observation: Observation = None  # type: ignore[assignment]

MIN_PORTION = 64
"""The fewest games a thread takes at a time: a smaller portion costs more in hand-over than it saves in waiting."""
MOST_GAMES, MOST_STEPS, MOST_THREADS = 10**8, 10**15, 1024
ENDED = -1
"""The clock of a game that is over or was cut off."""
NOT_INLINED = ("begin_some", "step_some")
SAVED = ("games", "streams", "clocks", "masks", "rewards", "gain", "over", "cut")
"""The arrays of a `GameBatch` that a pickle keeps."""

SEAT, MOST = 0, 1
"""Indices of `GameRows.settings`: the learner's seat (0: it plays every seat), and the steps after which a game is cut
off (0: never)."""


class GameRows(NamedTuple):
    """The games of a batch, as compiled code takes them: one row, or one item, for each game."""

    start: Words
    """The words of the starting position, the same for all games."""
    words: Rows
    streams: Rows
    clocks: Words
    """Steps taken in each game; `ENDED` when it is over or cut off."""
    masks: Rows
    """Legal actions, as of the last step."""
    rewards: Sequence[Weights]
    """Of every player, for the last step."""
    settings: Words


class StepRows(NamedTuple):
    """What a step writes, beside the masks and rewards in `GameRows`."""

    observations: Rows
    gains: Weights
    """The reward of the player who acted."""
    over: Words
    cut: Words


def begin(start: Words, s: Words, r: Words, seat: int) -> None:
    """Put a game at its start and play on to the learner's first turn."""
    for word in range(len(start)):
        s[word] = start[word]
    advance(s, r, seat)


def advance(s: Words, r: Words, seat: int) -> None:
    """Play chance, and every seat but the learner's if it has one, until the learner is to act or the game is over."""
    while s[TURN] == CHANCE or (s[TURN] != seat and s[TURN] != OVER and seat > 0):
        rules.perform(s, rules.draw(s, r) if s[TURN] == CHANCE else rules.pick(s, r))


def show(s: Words, player: int, seen: Words, mask: Words, buffer: Words) -> None:
    """Write a player's observation and legal actions; `buffer` has room for a list of actions."""
    observation.observe(s, player, seen)
    for action in range(len(mask)):
        mask[action] = 0
    if s[TURN] == player:
        for k in range(rules.actions(s, buffer)):
            mask[buffer[k]] = 1


def act(s: Words, r: Words, action: int, mask: Words, seat: int, rewards: Weights) -> None:
    """Perform an action and play on to the learner's next turn. An illegal action changes nothing."""
    before = rules.score(s, 1)
    if 0 <= action < len(mask) and mask[action]:
        rules.perform(s, action)
        advance(s, r, seat)
    set_rewards(s, before, rewards)


def set_rewards(s: Words, before: float, rewards: Weights) -> None:
    """Write every player's reward. A single player gets the points scored since `before`. In games of several players
    the reward comes at the end: 1 for the winner, −1 for the others, 0 for all in a draw.
    """
    if len(rewards) == 1:
        rewards[0] = rules.score(s, 1) - before
        return
    winner = rules.winner(s) if s[TURN] == OVER else 0
    for k in range(len(rewards)):
        rewards[k] = 0.0 if winner == 0 else 1.0 if winner == k + 1 else -1.0


def viewer(s: Words, seat: int) -> int:
    """Whose observation is shown: the player to act's, or the learner's in a game that ended before its first turn."""
    return s[TURN] if s[TURN] != OVER else max(seat, 1)


def seed_some(streams: Rows, which: Words, seeds: Words) -> None:
    """Seed the streams of some games."""
    for k in range(len(which)):
        seed_stream(streams[which[k]], seeds[k], 0)


def begin_some(games: GameRows, which: Words, observations: Rows, buffer: Words) -> None:
    """Restart some games; row `k` of `observations` is for game `which[k]`."""
    seat = games.settings[SEAT]
    for k in range(len(which)):
        s = games.words[which[k]]
        begin(games.start, s, games.streams[which[k]], seat)
        games.clocks[which[k]] = 0
        show(s, viewer(s, seat), observations[k], games.masks[which[k]], buffer)


def step_some(games: GameRows, step: StepRows, first: int, past: int, actions: Words, buffer: Words) -> None:
    """Step the games `first` … `past − 1`. A game that had ended restarts instead."""
    clocks, seat = games.clocks, games.settings[SEAT]
    for k in range(first, past):
        s, mask, rewards = games.words[k], games.masks[k], games.rewards[k]
        actor = viewer(s, seat)
        step.over[k], step.cut[k] = False, False
        if clocks[k] == ENDED:
            begin(games.start, s, games.streams[k], seat)
            clocks[k] = 0
            for player in range(len(rewards)):
                rewards[player] = 0.0
            step.gains[k] = 0.0
        else:
            act(s, games.streams[k], actions[k], mask, seat, rewards)
            clocks[k] += 1
            step.gains[k] = rewards[actor - 1]
            step.over[k], step.cut[k] = s[TURN] == OVER, clocks[k] == games.settings[MOST]
            if step.over[k] or step.cut[k]:
                clocks[k] = ENDED
        show(s, s[TURN] if s[TURN] != OVER else actor, step.observations[k], mask, buffer)


def portions(many: int, threads: int) -> Iterator[tuple[int, int]]:
    """Cut the games into portions `first` … `past − 1`, which threads take one after the other.

    Portions get smaller towards the end (guided self-scheduling, Polychronopoulos & Kuck 1987): there are few of them,
    and all threads still finish at about the same time.
    """
    first = 0
    while first < many:
        past = min(many, first + max(MIN_PORTION, (many - first) // threads))
        yield first, past
        first = past


class Stepped(NamedTuple):
    """The result of a step: NumPy arrays with a row for each game."""

    observations: Any
    """The planes, as seen by the player to act, or by the one who acted last if the game is over."""
    masks: Any
    """For every action, whether it is legal."""
    rewards: Any
    """Of every player."""
    gains: Any
    """The reward of the player who acted."""
    over: Any
    """Whether a game is over."""
    cut: Any
    """Whether a game reached its limit of steps; it may be over at the same step, too."""


class GameBatch:
    """Games of one kind, stepped together in compiled code.

    With a `seat` the learner plays that seat and the others play at random; without, it plays every seat. A game is cut
    off after `most` steps (0: never). Callers may keep the arrays that methods return.
    """

    def __init__(self, game: Game, many: int = 1, *, seat: int = 0, most: int = 0, threads: int = 1) -> None:
        import numpy

        from rookery.core.game import Game
        from rookery.engine import compiling

        if not isinstance(game, Game):
            raise OptionError(f"A batch is of a game, not {arguments.shown(game)}.")
        many = arguments.whole(many, "many", 1, MOST_GAMES)
        seat = arguments.whole(seat, "seat", 0, game.players)
        most = arguments.whole(most, "most", 0, MOST_STEPS)
        threads = arguments.whole(threads, "threads", 1, MOST_THREADS)
        kernel: Any = game.kernel
        observation: Any = game.observation
        np: Any = numpy
        self.numpy = np
        self.game, self.many, self.seat, self.most, self.threads = game, many, seat, most, threads
        self.shape, self.kind = game.observation_spec().shape, np.dtype(game.observation_spec().kind)
        self.width, self.count = prod(self.shape), game.action_count
        self.code: Any = compiling.compiled(sys.modules[__name__], kernel, observation)
        start = compiling.array(game.compiled_words(game.start()))
        self.rows = GameRows(
            start=start,
            words=np.tile(start, (many, 1)),
            streams=np.zeros((many, WORDS), dtype=np.int64),
            clocks=np.full(many, ENDED, dtype=np.int64),
            masks=np.zeros((many, self.count), dtype=np.int8),
            rewards=np.zeros((many, game.players)),
            settings=compiling.array([seat, most]),
        )
        self.games: Any = self.rows.words
        self.streams: Any = self.rows.streams
        self.clocks: Any = self.rows.clocks
        self.masks: Any = self.rows.masks
        self.rewards: Any = self.rows.rewards
        self.gain, self.over, self.cut = np.zeros(1), np.zeros(1, dtype=bool), np.zeros(1, dtype=bool)
        self.buffers = [np.zeros(self.count, dtype=np.int64) for _ in range(threads)]
        self.parts = list(portions(many, threads))
        self.pool = ThreadPool(threads - 1)
        numbers = np.arange(many)
        self.code.seed_some(self.streams, numbers, numbers)  # xoshiro never leaves the state of all zeros
        self.action = np.zeros(1, dtype=np.int64)
        step = StepRows(self._empty(1).reshape(1, -1), self.gain, self.over, self.cut)
        self.step_some = compiling.entry_point(self.code.step_some, self.rows, step, 0, 1, self.action, self.buffers[0])

    def __reduce__(self) -> tuple[Any, ...]:
        given = {"seat": self.seat, "most": self.most, "threads": self.threads}
        return restored, (self.game, self.many, given, {name: getattr(self, name) for name in SAVED})

    @property
    def turn(self) -> int:
        """Who is to act in the first game."""
        return int(self.games.item(0, TURN))

    @property
    def turns(self) -> Any:
        """Who is to act in each game; `OVER` if nobody is."""
        return self.games[:, TURN].copy()

    def seed(self, which: Any, seeds: Any) -> None:
        """Seed the random streams of some games."""
        which, seeds = self._rows(which), self._numbers(seeds, "Seeds are", LAST_SEED)
        if len(which) != len(seeds):
            raise OptionError(f"There are {len(seeds)} seeds for {len(which)} games.")
        self.code.seed_some(self.streams, which, seeds)

    def begin(self, which: Any) -> Any:
        """Restart some games; return their observations."""
        which = self._rows(which)
        seen = self._empty(len(which))
        if not len(which):
            return seen
        self.rewards[which] = 0.0
        self.code.begin_some(self.rows, which, seen.reshape(len(which), -1), self.buffers[0])
        return seen

    def look(self, which: int, player: int) -> tuple[Any, Any]:
        """A player's observation of a game, and the mask of its legal actions: none if it is not to act."""
        which = arguments.whole(which, "which", 0, self.many - 1)
        player = arguments.whole(player, "player", 1, self.game.players)
        seen, mask = self._empty(1)[0], self.masks[which].copy()
        self.code.show(self.games[which], player, seen.reshape(-1), mask, self.buffers[0])
        return seen, mask

    def step(self, actions: Any) -> Stepped:
        """Take an action, by its number, in every game; games that had ended restart instead."""
        numpy, many = self.numpy, self.many
        actions = self._numbers(actions, "Actions are", self.count - 1)
        if len(actions) != many:
            raise OptionError(f"There are {len(actions)} actions for {many} games.")
        seen, gains = self._empty(many), numpy.empty(many)
        over, cut = numpy.empty(many, dtype=bool), numpy.empty(many, dtype=bool)
        work = partial(self._work, iter(self.parts), actions, StepRows(seen.reshape(many, -1), gains, over, cut))
        self.pool.run([partial(work, buffer) for buffer in self.buffers])
        return Stepped(seen, self.masks.copy(), self.rewards.copy(), gains, over, cut)

    def step_one(self, action: SupportsIndex) -> Any:
        """Take an action in a batch of one game; return the observation.

        This is the fast path of a single environment: the rest stays in `masks`, `rewards`, `gain`, `over` and `cut`,
        which the next step overwrites.
        """
        try:
            self.action[0] = number = index(action)
        except (TypeError, OverflowError):
            number = -1
        if not 0 <= number < self.count:
            given = arguments.shown(action)
            raise OptionError(f"An action is a whole number from 0 to {self.count - 1}, not {given}.")
        seen = self.numpy.empty((1, self.width), dtype=self.kind)
        self.step_some(self.rows, StepRows(seen, self.gain, self.over, self.cut), 0, 1, self.action, self.buffers[0])
        return seen.reshape(self.shape)

    def close(self) -> None:
        """Stop the threads; the next step starts new ones."""
        self.pool.close()

    def _work(self, parts: Iterator[tuple[int, int]], actions: Any, step: StepRows, buffer: Any) -> None:
        """Step portions of the games as long as there are any that no other thread has taken."""
        for first, past in parts:
            self.step_some(self.rows, step, first, past, actions, buffer)

    def _rows(self, which: Any) -> Any:
        """The numbers of some games, as compiled code takes them."""
        return self._numbers(which, "Games are", self.many - 1)

    def _numbers(self, given: Any, what: str, high: int) -> Any:
        """A row of whole numbers from 0 to `high`, as compiled code takes them, which does not check its indices."""
        try:
            found = self.numpy.asarray(given)
            if found.ndim == 1 and found.size == 0:
                return found.astype(self.numpy.int64)
            if found.ndim == 1 and found.dtype.kind in "iu" and found.min() >= 0 and found.max() <= high:
                return self.numpy.ascontiguousarray(found, self.numpy.int64)
        except (TypeError, ValueError, OverflowError):
            pass
        raise OptionError(f"{what} whole numbers from 0 to {high}, in one row.")

    def _empty(self, many: int) -> Any:
        """An array for the observations of `many` games, not yet filled."""
        return self.numpy.empty((many, *self.shape), dtype=self.kind)


def restored(game: Game, many: int, given: dict[str, int], saved: dict[str, Any]) -> GameBatch:
    """A batch unpickled: its options, then the contents of its arrays."""
    batch = GameBatch(game, many, **given)
    for name, rows in saved.items():
        getattr(batch, name)[:] = rows
    return batch


def rehearse(game: Game) -> None:
    """Compile every function that `GameBatch` calls, by calling it, and note that they are in the cache."""
    from rookery.engine import code_cache

    batch = GameBatch(game)
    first = batch.numpy.zeros(1, dtype=batch.numpy.int64)
    batch.seed(first, first)
    batch.begin(first)
    batch.look(0, 1)
    batch.step_one(0)
    kernel: Any = game.kernel
    code_cache.mark_ready(kernel)
