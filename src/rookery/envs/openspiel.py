"""The games as OpenSpiel's: `rookery_gotham`, `rookery_gamma`, `rookery_sixseven` and `rookery_gaterun`, with their
options as parameters, for `pyspiel.load_game("rookery_gaterun(size=5,walls=4)")`.

Chance has nodes of its own, so that all algorithms of OpenSpiel's that can do with such games run on them.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, ClassVar

import numpy
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from rookery import games
from rookery.core.rules import CHANCE

if TYPE_CHECKING:
    from rookery.core.game import Game

PREFIX = "rookery_"
UNSET = -1
"""What stands for an option that is not given: a parameter cannot be None."""
LONGEST = 1_000_000
"""Actions of a game at most, as OpenSpiel is told: some games may go on for ever."""
MOST_POINTS = 10_000_000.0
"""More points than a game brings in which points are all that counts."""
MANY = 10
"""Players at most, where their number is an option."""


def kind(game: Game) -> pyspiel.GameType:
    """What OpenSpiel wants to know of a game beforehand."""
    types, options = pyspiel.GameType, fields(game)
    free = any(option.name == "players" for option in options)
    by_chance, zero_sum = game.code_count > game.action_count, game.players == 2
    return types(
        short_name=PREFIX + game.name,
        long_name=game.title,
        dynamics=types.Dynamics.SEQUENTIAL,
        chance_mode=types.ChanceMode.EXPLICIT_STOCHASTIC if by_chance else types.ChanceMode.DETERMINISTIC,
        information=types.Information.PERFECT_INFORMATION,
        utility=types.Utility.ZERO_SUM if zero_sum else types.Utility.GENERAL_SUM,
        reward_model=types.RewardModel.TERMINAL if game.winnable else types.RewardModel.REWARDS,
        max_num_players=MANY if free else game.players,
        min_num_players=1 if free else game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            option.name: UNSET if option.default is None else option.default for option in options
        },
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Rookery, as OpenSpiel sees it: players and chance outcomes are counted from 0. What it comes to in the
    end are points in a game for one; else 1 for the winner and −1 for the others, or 0 in a draw.
    """

    cls: ClassVar[type[Game]]

    def __init__(self, params: dict[str, Any]) -> None:
        self.game = self.cls.make(**{name: value for name, value in params.items() if value != UNSET})
        alone = self.game.players == 1
        info = pyspiel.GameInfo(
            num_distinct_actions=self.game.action_count,
            max_chance_outcomes=self.game.code_count - self.game.action_count,
            num_players=self.game.players,
            min_utility=0.0 if alone else -1.0,
            max_utility=1.0 if self.game.winnable else MOST_POINTS,
            utility_sum=0.0 if self.game.players == 2 else None,
            max_game_length=LONGEST,
        )
        super().__init__(kind(self.game), info, params)

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.game)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A game under way."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.first_outcome = game.game.action_count
        self.state = game.game.start()
        self.gained = [0.0] * game.game.players

    def current_player(self) -> int:
        if self.state.over:
            over: int = pyspiel.PlayerId.TERMINAL
            return over
        return int(pyspiel.PlayerId.CHANCE) if self.state.turn == CHANCE else self.state.turn - 1

    def is_terminal(self) -> bool:
        return self.state.over

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(code - self.first_outcome, chance) for code, chance in self.state.chances()]

    def returns(self) -> list[float]:
        state = self.state
        if state.game.players == 1:
            return [float(state.scores()[0])]
        winner = state.game.kernel.winner(state.words) if state.over else 0
        return [0.0 if winner == 0 else 1.0 if winner == k + 1 else -1.0 for k in range(state.game.players)]

    def _legal_actions(self, player: int) -> list[int]:
        return self.state.actions()

    def rewards(self) -> list[float]:
        return self.gained

    def _apply_action(self, action: int) -> None:
        before = self.returns()
        self.state.play(action + self.first_outcome if self.state.turn == CHANCE else action)
        self.gained = [now - then for now, then in zip(self.returns(), before, strict=True)]

    def _action_to_string(self, player: int, action: int) -> str:
        return self.state.game.name_of(action + self.first_outcome if player == pyspiel.PlayerId.CHANCE else action)

    def __str__(self) -> str:
        return self.state.position()


class Observer:
    """What a player sees: the planes of the learning environments, as numbers in one row."""

    def __init__(self, game: Game) -> None:
        shape = game.view().shape
        self.tensor = numpy.zeros(int(numpy.prod(shape)), numpy.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Look at a position; a player is counted from 0."""
        senses: Any = state.state.game.senses
        senses.observe(state.state.words, player + 1, self.tensor)

    def string_from(self, state: SpielState, player: int) -> str:
        return str(state)


def register() -> None:
    """Tell OpenSpiel of the games; only once."""
    known = set(pyspiel.registered_names())
    for name in games.BUILT_IN:
        if PREFIX + name not in known:
            cls = games.find(name)
            pyspiel.register_game(kind(cls()), type(cls.__name__, (SpielGame,), {"cls": cls}))


register()
