"""The checks of a game's bots and levels."""

from __future__ import annotations

from threading import Thread
from time import sleep
from typing import TYPE_CHECKING

from rookery.conformance.sampling import position_words, random_game
from rookery.core.bot import MOST_NODES, Budget, make_bot
from rookery.core.errors import OptionError
from rookery.core.stream import Stream

if TYPE_CHECKING:
    from rookery.core.game import Game
    from rookery.core.state import State

MOMENTS = 20
"""Milliseconds within which a search is cancelled."""
PATIENCE = 2.0
"""Seconds in which a bot has to answer after that; it takes a few milliseconds, but the machine may be busy."""


def bots_play_by_the_rules(game: Game, seed: int) -> None:
    """Every bot and level chooses legal actions, the same ones from the same seed, and analyses positions."""
    cls = type(game)
    assert len(cls.levels()) == 10, f"{len(cls.levels())} levels"
    for spec in (*cls.bots(), "1", "10"):
        bot = make_bot(cls, spec)
        assert make_bot(cls, str(bot)) == bot, f"{bot} does not read back from its spec"
        try:
            bot.check_game(game)
        except OptionError as error:
            raise AssertionError(f"{bot} is among the bots, but refuses the game: {error}") from None
        try:
            bot.accept(game)
        except OptionError:
            continue
        for state in random_game(game, seed, plies=12):
            if state.turn <= 0:
                continue
            before = position_words(state)
            choices = {bot.choose(state, stream=Stream(seed), nodes=200) for _ in range(2)}
            assert len(choices) == 1, f"{bot} chose {choices} from one seed"
            assert state.legal(choices.pop()), f"{bot} chose an illegal action"
            analysis = bot.analyse(state, nodes=200)
            first = analysis.candidates[0]
            assert analysis.value == first.value, f"{bot} gives the position another value than its best candidate"
            assert all(state.legal(candidate.action) for candidate in analysis.candidates)
            assert all(each.win is None or 0 <= each.win <= 1 for each in analysis.candidates), (
                "a probability is not between 0 and 1"
            )
            assert analysis.line[0] == first.name, f"the best line of {bot} does not start with its best candidate"
            _check_line(state, analysis.line)
            assert position_words(state) == before, f"{bot} changed the position"


def bots_stop_when_cancelled(game: Game, seed: int) -> None:
    """Every bot answers soon after its search is cancelled, at whatever moment that is and however much it may do."""
    cls, stream = type(game), Stream(seed, 1)
    states = [state.copy() for state in random_game(game, seed, plies=12) if state.turn > 0]
    for spec in (*cls.bots(), "10"):
        bot = make_bot(cls, spec)
        try:
            bot.accept(game)
        except OptionError:
            continue
        bot.ready(game)
        for way in (bot.choose, bot.analyse):
            state = stream.pick(states)
            budget, given = Budget(nodes=MOST_NODES), {} if way == bot.analyse else {"stream": Stream(seed)}
            search = Thread(target=way, args=(state.copy(), budget), kwargs=given, daemon=True)
            search.start()
            sleep(stream.below(MOMENTS) / 1000)
            budget.cancel()
            search.join(PATIENCE)
            assert not search.is_alive(), f"{bot} searches on {PATIENCE} s after it was cancelled"


def _check_line(state: State, line: tuple[str, ...]) -> None:
    """A best line is legal up to its first chance node."""
    trial = state.copy()
    for name in line:
        if trial.turn <= 0:
            break
        trial.play(state.game.action(name))
    assert line, "there is no best line"
