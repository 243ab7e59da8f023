"""Checks of the rules: turns, legal actions, chance, undo, refusals, keys, copies, random picks and results."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rookery.conformance.sampling import LONG_GAME, SAMPLE, position_words, random_game, sampled_codes
from rookery.core.errors import IllegalAction
from rookery.core.rules import CHANCE, OVER
from rookery.core.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Hashable

    from rookery.core.game import Game
    from rookery.core.state import State


def turns_and_masks(game: Game, seed: int) -> None:
    """In every position somebody has a legal action, or chance an outcome; `actions`, `mask` and `legal` agree."""
    for state in random_game(game, seed):
        actions, chances = state.actions(), state.chances()
        assert state.turn in (CHANCE, OVER, *range(1, game.players + 1)), f"turn is {state.turn}"
        assert bool(actions) == (state.turn > 0), f"player {state.turn} has the actions {actions}"
        assert bool(chances) == (state.turn == CHANCE), f"turn is {state.turn}, but the chance outcomes are {chances}"
        assert actions == sorted(set(actions)), "actions are not ascending"
        assert state.mask() == [action in set(actions) for action in range(game.action_count)], (
            "mask and actions differ"
        )
        possible = set(actions) | {outcome for outcome, _ in chances}
        for code in sampled_codes(game, state.ply):
            assert state.legal(code) == (code in possible), f"legal({game.name_of(code)}) is {state.legal(code)}"
        scores = state.scores()
        assert len(scores) == game.players, f"{len(scores)} scores for {game.players} players"
        assert state.over == (state.turn == OVER)
        assert set(state.winners()) <= set(range(1, game.players + 1)), f"winners are {state.winners()}"


def chance_adds_up(game: Game, seed: int) -> None:
    """Probabilities are above 0 and add up to 1, and `draw` returns one of the outcomes."""
    stream = Stream(seed, 1)
    for state in random_game(game, seed):
        if state.turn != CHANCE:
            continue
        chances = state.chances()
        assert all(weight > 0 for _, weight in chances), "an outcome has probability 0 or less"
        total = math.fsum(weight for _, weight in chances)
        assert abs(total - 1) < 1e-9, f"probabilities add up to {total}"
        outcomes = [outcome for outcome, _ in chances]
        assert len(set(outcomes)) == len(outcomes), "an outcome is listed twice"
        assert all(game.action_count <= outcome < game.code_count for outcome in outcomes), (
            "outcomes share numbers with actions"
        )
        assert state.draw(stream) in outcomes, "draw returned an outcome that is not listed"


def undo_goes_back(game: Game, seed: int) -> None:
    """Undo of every ply, chance outcomes included, restores the position exactly."""

    def all_of(state: State) -> tuple[Any, ...]:
        return position_words(state), state.key(), state.position(), state.actions(), state.chances()

    trail = []
    state = game.start()
    for state in random_game(game, seed):
        trail.append(all_of(state))
    final = trail.pop()
    history = state.history
    for number in range(len(history), 0, -1):
        assert state.undo() == history[number - 1], "undo returned another action"
        assert all_of(state) == trail[number - 1], f"undo of ply {number} did not restore the position"
    assert state.history == ()
    for action in history:
        state.play(action)
    assert all_of(state) == final, "playing the same plies again gave another position"


def refusals_change_nothing(game: Game, seed: int) -> None:
    """An illegal action raises `IllegalAction` with a sentence and leaves the position exactly as it was."""
    for state in random_game(game, seed, plies=60):
        possible = {*state.actions(), *(outcome for outcome, _ in state.chances())}
        before, key = position_words(state), state.key()
        for code in (*sampled_codes(game, state.ply), -1, game.code_count):
            if code in possible:
                continue
            try:
                state.play(code)
            except IllegalAction as error:
                assert str(error).endswith((".", "!")), f"not a sentence: {error}"
            else:
                raise AssertionError(f"{code} was played though it is illegal")
            assert position_words(state) == before, f"a refused {code} changed the position"
        assert state.key() == key


def equal_keys_play_the_same(game: Game, seed: int) -> None:
    """States with equal keys have the same turn, actions, chances, scores and winners."""
    seen: dict[Hashable, tuple[Any, ...]] = {}
    for index in range(4):
        for state in random_game(game, seed + index, plies=60):
            offer = (state.turn, state.actions(), state.chances(), state.scores(), state.winners())
            assert seen.setdefault(state.key(), offer) == offer, (
                f"another position with the same key plays differently: {state.position()}"
            )


def copies_are_apart(game: Game, seed: int) -> None:
    """Playing on a copy does not change the original."""
    for state in random_game(game, seed, plies=30):
        if state.over:
            break
        twin, key = state.copy(), state.key()
        stream = Stream(seed)
        twin.play(twin.draw(stream) if twin.turn == CHANCE else twin.actions()[0])
        assert state.key() == key and twin.history[:-1] == state.history, "playing on a copy changed the original"
        twin.undo()
        assert twin.key() == key


def picks_are_fair(game: Game, seed: int) -> None:
    """`pick` returns every legal action, except a pass, about equally often, and does not change the position."""
    stream = Stream(seed, 2)
    for state in random_game(game, seed, plies=30):
        if state.turn <= 0:
            continue
        before, legal = position_words(state), set(state.actions())
        picked = [state.pick(stream) for _ in range(SAMPLE)]
        assert set(picked) <= legal, "an illegal action was picked"
        assert position_words(state) == before, "pick changed the position"
        active = {action for action in legal if game.name_of(action) != "pass"} or legal
        assert set(picked) <= active, "a pass was picked though another action is legal"
        if len(active) <= 8:
            for action in active:
                share = picked.count(action) / SAMPLE
                # Six standard deviations: a false alarm once in 10^9 times.
                spread = 6 * math.sqrt((1 - 1 / len(active)) / len(active) / SAMPLE)
                assert abs(share - 1 / len(active)) <= spread, (
                    f"{game.name_of(action)} was picked {share:.0%} of the time"
                )


def ends_are_counted(game: Game, seed: int) -> None:
    """The rules and the game agree on who won, and `tally` has a place on the maps for everything it counts."""
    state = game.start()
    for state in random_game(game, seed, plies=LONG_GAME):
        if not state.over:
            assert game.kernel.winner(state.words) == 0, "there is a winner before the end"
    winners = state.winners()
    assert game.kernel.winner(state.words) == (winners[0] if len(winners) == 1 else 0), f"winners are {winners}"
    places = [place for each in game.maps() for place in each.places]
    scene = state.scene()
    for place in places:
        assert len(place) in (1, 2) and all(0 <= r < scene.rows and 0 <= c < scene.cols for r, c in place), (
            "a place of a map is off the board"
        )
    counts = [0] * len(places)
    if state.over:
        before = position_words(state)
        game.kernel.tally(state.words, counts)
        assert len(counts) == len(places) and min(counts, default=0) >= 0
        assert position_words(state) == before, "tally changed the position"
