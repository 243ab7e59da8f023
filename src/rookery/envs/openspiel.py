"""The games as OpenSpiel's: `rookery_gotham`, `rookery_gamma`, `rookery_sixseven` and `rookery_gaterun`, with their
options as parameters, for `pyspiel.load_game("rookery_gaterun(size=5,walls=4)")`.

Loading this module registers them; it needs NumPy and OpenSpiel, but neither Gymnasium nor Numba.

Chance has nodes of its own, and whatever is won is paid at the end, so that all algorithms of OpenSpiel's that can do
with such games run on them.
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

from rookery.envs.limits import CROWD, game_of  # noqa: E402

if TYPE_CHECKING:
    from rookery.core.game import Game

PREFIX = "rookery_"
UNSET = -1
"""What stands for an option that is not given: a parameter cannot be None."""
LONGEST = 1_000_000
"""Actions of a game at most, as OpenSpiel is told where the rules do not say: some games may go on for ever."""
MOST_POINTS = 10_000_000.0
"""More points than a game brings in which points are all that counts."""
LETTERS = str.maketrans("+-*", "pmt")
"""Signs in a parameter, which OpenSpiel would take for numbers, as letters: plus, minus, times."""
SIGNS = str.maketrans("pmt", "+-*")


def kind(game: Game) -> pyspiel.GameType:
    """What OpenSpiel wants to know of a game beforehand."""
    types, options = pyspiel.GameType, options_of(type(game))
    free = any(option.name == "players" for option in options)
    by_chance, zero_sum = game.code_count > game.action_count, game.players == 2
    usual = {option.name: UNSET if option.default is None else option.default for option in options}
    return types(
        short_name=PREFIX + game.name,
        long_name=game.title,
        dynamics=types.Dynamics.SEQUENTIAL,
        chance_mode=types.ChanceMode.EXPLICIT_STOCHASTIC if by_chance else types.ChanceMode.DETERMINISTIC,
        information=types.Information.PERFECT_INFORMATION,
        utility=types.Utility.ZERO_SUM if zero_sum else types.Utility.GENERAL_SUM,
        reward_model=types.RewardModel.TERMINAL,
        max_num_players=CROWD if free else game.players,
        min_num_players=1 if free else game.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=spelled(type(game), usual),
    )


def spelled(cls: type[Game], params: dict[str, Any]) -> dict[str, Any]:
    """Parameters as OpenSpiel can write them down and read them again."""
    signs = {option.name for option in options_of(cls) if option.letters}
    return {name: value.translate(LETTERS) if name in signs else value for name, value in params.items()}


def read(cls: type[Game], params: dict[str, Any]) -> dict[str, Any]:
    """The options that parameters stand for."""
    options = {option.name: option for option in options_of(cls)}
    given = {name: value for name, value in params.items() if value != UNSET or not options[name].optional}
    return {name: value.translate(SIGNS) if options[name].letters else value for name, value in given.items()}


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Rookery, as OpenSpiel sees it: players and chance outcomes are counted from 0. What it comes to in the
    end are points in a game for one; else 1 for the winner and −1 for the others, or 0 in a draw.
    """

    name: ClassVar[str]

    def __init__(self, params: dict[str, Any]) -> None:
        cls = games.find(self.name)
        self.game = game = game_of(self.name, read(cls, params))
        alone = game.players == 1
        # A game that is played alone only is won or not; one that several could play is then about points.
        points = alone and (not game.winnable or cls().players > 1)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.action_count,
            max_chance_outcomes=game.code_count - game.action_count,
            num_players=game.players,
            min_utility=0.0 if alone else -1.0,
            max_utility=MOST_POINTS if points else 1.0,
            utility_sum=0.0 if game.players == 2 else None,
            max_game_length=game.longest or LONGEST,
        )
        super().__init__(kind(game), info, spelled(cls, params))

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
    """A game under way."""

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
        """Nothing until the end."""
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
    """What a player sees: the planes of the learning environments, one after the other, as numbers in one row."""

    def __init__(self, game: Game) -> None:
        rows, cols, planes = self.shape = game.observation_spec().shape
        self.seen = numpy.zeros(rows * cols * planes, numpy.int64)
        self.tensor = numpy.zeros(rows * cols * planes, numpy.float32)
        self.dict = {"observation": self.tensor.reshape(planes, rows, cols)}

    def set_from(self, state: SpielState, player: int) -> None:
        """Look at a position; a player is counted from 0."""
        game = state.state.game
        observation: Any = game.observation
        observation.observe(game.compiled_words(state.state), player + 1, self.seen)
        self.dict["observation"][:] = self.seen.reshape(self.shape).transpose(2, 0, 1)

    def string_from(self, state: SpielState, player: int) -> str:
        return str(state)


def register() -> None:
    """Tell OpenSpiel of the games; only once."""
    known = set(pyspiel.registered_names())
    for cls in (Gotham, Gamma, SixSeven, GateRun):
        if PREFIX + cls.name not in known:
            pyspiel.register_game(kind(games.find(cls.name)()), cls)


register()
