"""What the methods of games refuse: what is no action, player or place, and the states of other games."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any

from rookery.core.arguments import shown, whole
from rookery.core.errors import MalformedAction, OptionError, PositionError
from rookery.core.names import Names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rookery.core.checked import Check
    from rookery.core.game import Game
    from rookery.core.scene import Spot
    from rookery.core.state import State


def number_of(game: Game, action: Any) -> int:
    """An action or chance outcome of the game as an `int`: NumPy's integers would overflow."""
    try:
        number = index(action)
    except TypeError:
        number = -1
    if not 0 <= number < game.code_count:
        raise MalformedAction(f"{game.title} has no action {shown(action)}.")
    return number


def check_names(game: Game, names: Any) -> None:
    """Refuse anything but a name for each player."""
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise OptionError(f"The names of the players are a list of texts, not {shown(names)}.")
    if len(names) != game.players:
        raise OptionError(f"{game.title} with these options takes {game.players} names of players, not {len(names)}.")


def _action(game: Game, action: int) -> tuple[Any, ...]:
    return (number_of(game, action),)


def _state(game: Game, state: State) -> None:
    game.check_own(state)


def _state_and_action(game: Game, state: State, action: int) -> tuple[Any, ...]:
    game.check_own(state)
    return state, number_of(game, action)


def _state_and_player(game: Game, state: State, player: int) -> tuple[Any, ...]:
    game.check_own(state)
    return state, whole(player, "player", 1, game.players)


def _state_and_place(game: Game, state: State, at: tuple[Spot, ...]) -> tuple[Any, ...]:
    game.check_own(state)
    try:
        return state, tuple((index(row), index(col)) for row, col in at)
    except (TypeError, ValueError):
        raise OptionError(f"A place is a tuple of cells, each a row and a column, not {shown(at)}.") from None


def _state_and_names(game: Game, state: State, names: Sequence[str]) -> None:
    game.check_own(state)
    if not state.over:
        raise PositionError("This game is not over, so there is nothing to say about its end.")
    check_names(game, names)


def _scene_of_state(game: Game, state: State, viewer: int, *, odds: bool, names: Names) -> None:
    game.check_own(state)
    whole(viewer, "viewer", 0, game.players)
    if not isinstance(names, Names):
        raise OptionError(f"The names of a scene are Names, not {shown(names)}.")


def _player(game: Game, player: int = 0) -> tuple[Any, ...]:
    return (whole(player, "player", 0, game.players),)


CHECKS: Mapping[str, Check] = {
    "phrase": _action,
    "goal": _player,
    "why_not": _state_and_action,
    "pointed": _state_and_place,
    "achievement": _state_and_player,
    "ending_text": _state_and_names,
    "scene": _scene_of_state,
    **dict.fromkeys(("winners", "emoji", "key", "describe", "in_notation", "log_fields", "compiled_words"), _state),
}
"""The methods of `Game` that take arguments from programs, each with its check."""
