"""OpenSpiel adapters: `rookery_gotham`, `rookery_gamma`, `rookery_sixseven` and `rookery_gaterun`, with options as
parameters, such as `pyspiel.load_game("rookery_gaterun(size=5,walls=4)")`.

Importing this module registers them; it needs NumPy and OpenSpiel, but neither Gymnasium nor Numba.

Chance nodes are explicit and rewards are terminal, so that all OpenSpiel algorithms for such games run on them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from rookery import games
from rookery.core.options import options_of
from rookery.core.rules import CHANCE
from rookery.system.requirements import need

need("openspiel", "OpenSpiel's adapter", "numpy", "open-spiel")

import numpy  # noqa: E402 - once it is known that they can be imported
import pyspiel  # noqa: E402
from open_spiel.python.observation import IIGObserverForPublicInfoGame  # noqa: E402

from rookery.envs.limits import MAX_PLAYERS, game_of  # noqa: E402

if TYPE_CHECKING:
    from rookery.core.game import Game

PREFIX = "rookery_"
UNSET = -1
"""Stands for None, which a parameter cannot be."""
MAX_LENGTH = 1_000_000
"""The maximum game length reported to OpenSpiel where the rules set none."""
MAX_POINTS = 10_000_000.0
"""An upper bound of the points in games played for points."""
LETTERS = str.maketrans("+-*", "pmt")
"""Operators as letters (plus, minus, times): OpenSpiel would parse the signs as numbers."""
SIGNS = str.maketrans("pmt", "+-*")


def game_type(game: Game) -> pyspiel.GameType:
    """The static description of a game for OpenSpiel."""
    types, options = pyspiel.GameType, options_of(type(game))
    any_number = any(option.name == "players" for option in options)
    stochastic, zero_sum = game.code_count > game.action_count, game.players == 2
    defaults = {option.name: UNSET if option.default is None else option.default for option in options}
    return types(
        short_name=PREFIX + game.name,
        long_name=game.title,
        dynamics=types.Dynamics.SEQUENTIAL,
        chance_mode=types.ChanceMode.EXPLICIT_STOCHASTIC if stochastic else types.ChanceMode.DETERMINISTIC,
        information=types.Information.PERFECT_INFORMATION,
        utility=types.Utility.ZERO_SUM if zero_sum else types.Utility.GENERAL_SUM,
        reward_model=types.RewardModel.TERMINAL,
        max_num_players=MAX_PLAYERS if any_number else game.players,
        min_num_players=1 if any_number else game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=encode(type(game), defaults),
    )


def encode(cls: type[Game], params: dict[str, Any]) -> dict[str, Any]:
    """Options as parameters that OpenSpiel can serialise and parse."""
    signs = {option.name for option in options_of(cls) if option.letters}
    return {name: value.translate(LETTERS) if name in signs else value for name, value in params.items()}


def decode(cls: type[Game], params: dict[str, Any]) -> dict[str, Any]:
    """The options that parameters encode; the inverse of `encode`."""
    options = {option.name: option for option in options_of(cls)}
    given = {name: value for name, value in params.items() if value != UNSET or not options[name].optional}
    return {name: value.translate(SIGNS) if options[name].letters else value for name, value in given.items()}


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game for OpenSpiel; players and chance outcomes are counted from 0. Returns are points in a solo game, else 1
    for the winner and −1 for the others, or 0 in a draw.
    """

    name: ClassVar[str]

    def __init__(self, params: dict[str, Any]) -> None:
        cls = games.find(self.name)
        self.game = game = game_of(self.name, decode(cls, params))
        solo = game.players == 1
        # A solo game is won or lost; a game for several players, played by one, is for points.
        points = solo and (not game.winnable or cls().players > 1)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.action_count,
            max_chance_outcomes=game.code_count - game.action_count,
            num_players=game.players,
            min_utility=0.0 if solo else -1.0,
            max_utility=MAX_POINTS if points else 1.0,
            utility_sum=0.0 if game.players == 2 else None,
            max_game_length=game.longest or MAX_LENGTH,
        )
        super().__init__(game_type(game), info, encode(cls, params))

    def __reduce__(self) -> tuple[Any, ...]:
        return pyspiel.load_game, (PREFIX + self.name, self.get_parameters())

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.game)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class Gotham(SpielGame):
    name = "gotham"


class Gamma(SpielGame):
    name = "gamma"


class SixSeven(SpielGame):
    name = "sixseven"


class GateRun(SpielGame):
    name = "gaterun"


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A state of a game."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.first_outcome = game.game.action_count
        self.state = game.game.start()

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
        """The returns; 0 until the end."""
        state, players = self.state, self.state.game.players
        if not state.over:
            return [0.0] * players
        if players == 1:
            return [float(state.scores()[0])]
        winner = state.game.kernel.winner(state.words)
        return [0.0 if winner == 0 else 1.0 if winner == k + 1 else -1.0 for k in range(players)]

    def _legal_actions(self, player: int) -> list[int]:
        return self.state.actions()

    def _apply_action(self, action: int) -> None:
        self.state.play(action + self.first_outcome if self.state.turn == CHANCE else action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.state.game.name_of(action + self.first_outcome if player == pyspiel.PlayerId.CHANCE else action)

    def __str__(self) -> str:
        return self.state.position()


class Observer:
    """A player's observation: the planes of the Gymnasium environments, flattened plane by plane."""

    def __init__(self, game: Game) -> None:
        rows, cols, planes = self.shape = game.observation_spec().shape
        self.buffer = numpy.zeros(rows * cols * planes, numpy.int64)
        self.tensor = numpy.zeros(rows * cols * planes, numpy.float32)
        self.dict = {"observation": self.tensor.reshape(planes, rows, cols)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Set the tensor to the observation of a player, counted from 0."""
        game = state.state.game
        observation: Any = game.observation
        observation.observe(game.compiled_words(state.state), player + 1, self.buffer)
        self.dict["observation"][:] = self.buffer.reshape(self.shape).transpose(2, 0, 1)

    def string_from(self, state: SpielState, player: int) -> str:
        return str(state)


def register() -> None:
    """Register the games with OpenSpiel, unless they are registered."""
    known = set(pyspiel.registered_names())
    for cls in (Gotham, Gamma, SixSeven, GateRun):
        if PREFIX + cls.name not in known:
            pyspiel.register_game(game_type(games.find(cls.name)()), cls)


register()
