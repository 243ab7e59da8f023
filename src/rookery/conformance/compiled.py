"""Checks that compare compiled code with interpreted code: random play, and the steps of environments."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

from rookery.conformance.sampling import LONG_GAME, PLIES, random_game
from rookery.core.errors import RookeryError
from rookery.core.rules import CHANCE, OVER, STATE_SIZE, TURN
from rookery.core.state import State
from rookery.core.stream import Stream
from rookery.engine import batch, compiling, playouts

if TYPE_CHECKING:
    from rookery.core.game import Game


def need_numba(instead: str = "install it with pip install 'rookery[bots]'") -> None:
    """Raise an error instead of passing a check that cannot be run."""
    if not compiling.available():
        raise RookeryError(f"Numba is not installed, so nothing was compared: {instead}.")


def compiled_plays_the_same(game: Game, seed: int) -> None:
    """Random games from the same stream have the same words, interpreted and compiled."""
    need_numba()
    kernel: Any = game.kernel
    assert isinstance(kernel, ModuleType), "the kernel is not a module"
    plain, fast = compiling.interpreted(playouts, kernel), compiling.compiled(playouts, kernel)
    start = compiling.array([0] * len(game.compiled_words(game.start())))
    compiling.compiled(kernel).start(start, compiling.array(game.config))
    assert start.tolist() == list(game.start().words), "the start differs"
    for index in range(3):
        words, stream = game.compiled_words(game.start()), Stream(seed, index)
        fast_words, fast_stream = compiling.array(words), compiling.array(stream.words)
        for ply in range(LONG_GAME):
            if words[TURN] == OVER:
                break
            ours, theirs = plain.step(words, stream.words), fast.step(fast_words, fast_stream)
            assert ours == theirs, f"ply {ply} of game {index} is {ours} interpreted and {theirs} compiled"
        assert words[: words[STATE_SIZE]] == fast_words[: words[STATE_SIZE]].tolist(), f"words differ in game {index}"
        assert stream.words == fast_stream.tolist(), f"streams differ in game {index}"
    ours, theirs = (
        playouts.Playouts(game, compiled=compiled).play(seed, 0, 5, LONG_GAME) for compiled in (False, True)
    )
    assert ours == theirs, "results differ"
    _check_compiled_chances(game, seed)


def _check_compiled_chances(game: Game, seed: int) -> None:
    """At every chance node of a game, the outcomes and their probabilities are exactly the same."""
    import numpy

    count = game.code_count - game.action_count
    for state in random_game(game, seed, plies=60):
        if state.turn == CHANCE:
            out, weights = compiling.array([0] * count), numpy.zeros(count)
            words = compiling.array(game.compiled_words(state))
            found = compiling.compiled(game.kernel).chances(words, out, weights)  # type: ignore[arg-type]
            assert list(zip(out[:found].tolist(), weights[:found].tolist(), strict=True)) == state.chances()


def learners_see_the_position(game: Game, seed: int) -> None:
    """At every step of an environment, the observation is right and within its bounds, the mask has the legal actions,
    and the reward is right.
    """
    if game.observation is None:
        return
    need_numba()
    games, alone = batch.GameBatch(game), game.players == 1
    first = games.numpy.zeros(1, dtype=games.numpy.int64)
    games.seed(first, first + seed)
    seen = games.begin(first)[0]
    state, chance, picks = State(game, game.compiled_words(game.start())), Stream(seed), Stream(seed, 1)
    _play_chance(state, chance)
    actor = 1
    for _ in range(PLIES):
        assert games.turn == state.turn, "the turns differ"
        _check_observation(state, actor if state.over else state.turn, seen.reshape(-1).tolist())
        if state.over:
            break
        assert games.masks[0].tolist() == state.mask(), "the mask is not the legal actions"
        actor, earned, action = state.turn, state.scores()[0], state.pick(picks)
        seen = games.step_one(action)
        state.play(action)
        _play_chance(state, chance)
        winner = game.kernel.winner(state.words) if state.over else 0
        due = state.scores()[0] - earned if alone else 0.0 if winner == 0 else 1.0 if winner == actor else -1.0
        assert games.gain.item() == due, f"the reward is {games.gain.item()} and should be {due}"
        assert games.over.item() == state.over, "only one of the games is over"


def _play_chance(state: State, stream: Stream) -> None:
    """Play chance outcomes while it is chance's turn."""
    while state.turn == CHANCE:
        state.play(state.draw(stream))


def _check_observation(state: State, player: int, seen: list[int]) -> None:
    """The observation is what the interpreted module writes, within the bounds of each plane."""
    observation: Any = state.game.observation
    planes = state.game.observation_spec().planes
    expected = [planes[0].low - 1] * len(seen)
    observation.observe(list(state.words), player, expected)
    assert seen == expected, "the observations differ"
    for k, plane in enumerate(planes):
        low, high = min(seen[k :: len(planes)]), max(seen[k :: len(planes)])
        assert plane.low <= low and high <= plane.high, f"'{plane.meaning}' reaches from {low} to {high}"
